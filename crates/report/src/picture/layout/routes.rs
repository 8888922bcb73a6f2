//! How far down everything is, and the curves of arrows.
//!
//! Each arrow has its own place on the border of a state; arrows that share a lane share it. The places are in the order in which the other ends stand, so
//! that arrows do not cross where they begin. Between two rows an arrow is a curve that begins and ends vertically, so it never leaves the space between them. In a row it is vertical.
//! Arrows between states of the same row are arcs below it, or straight if the states are neighbours. A transition from a state to itself is a loop on its right.

use super::layers::Layers;
use super::{Frame, Layout};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What a loop takes on the right of a state.
pub(super) const LOOP: f64 = 26.0;
/// What the arrow to an initial state takes on its left.
pub(super) const ENTRY: f64 = 26.0;
/// The length of an arrow's head.
pub(crate) const HEAD: f64 = 8.0;
/// Half the height of a loop.
const LOOP_RADIUS: f64 = 8.0;
/// The space between rows: at least, and at most. Flat curves need more.
const GAP: (f64, f64) = (52.0, 130.0);
/// How deep arcs go: the shortest, how much more each longer one, the deepest.
const ARC: (f64, f64, f64) = (14.0, 7.0, 140.0);
/// Arrows keep away from corners.
const CORNER: f64 = 12.0;

/// Where an arrow points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heading {
    Down,
    Up,
    Left,
    Right,
}

/// A line with the head of an arrow.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    /// In the language of SVG's paths.
    pub(crate) path: String,
    /// The tip of the head. The line ends at the head's back.
    pub(crate) tip: (f64, f64),
    pub(crate) heading: Heading,
}

/// A side of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Top,
    Bottom,
}

/// What an arrow does between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Down,
    Up,
    /// Below the row.
    Arc,
    /// Between two neighbours in a row.
    Straight,
    Loop,
}

/// A place on the border: state, side, the node at the other end, and whether the arrow goes down or to the right.
type Port = (usize, Side, usize, bool);

/// The top and the bottom of a row.
type Band = (f64, f64);

/// Places on a side of a state, with what they are sorted by.
type Wanted = Vec<(f64, bool, Port)>;

struct Drawing<'a> {
    layers: &'a Layers,
    frames: &'a [Frame],
    centres: &'a [f64],
    bands: Vec<Band>,
    ports: BTreeMap<Port, f64>,
    /// How deep each arc goes.
    depths: BTreeMap<(usize, usize), f64>,
}

/// Everything that is left to be decided once the middles of all nodes are known.
pub(super) fn routes(
    layers: &Layers,
    frames: &[Frame],
    arrows: &[(usize, usize)],
    centres: &[f64],
) -> Layout {
    let place: BTreeMap<usize, usize> = layers
        .rows
        .iter()
        .flat_map(|row| row.iter().enumerate().map(|(place, &node)| (node, place)))
        .collect();
    let steps: Vec<Step> = arrows.iter().map(|&(from, to)| step(layers, frames, &place, from, to)).collect();
    let depths = depths(layers, centres, arrows, &steps);
    let (bands, height) = bands(layers, frames, centres, &steps, &depths);
    let ports = ports(layers, frames, centres, &steps);
    let drawing = Drawing { layers, frames, centres, bands, ports, depths };
    let routes = layers.paths.iter().zip(&steps).map(|(path, step)| drawing.route(path, *step)).collect();
    let initial = (0..frames.len()).filter(|&state| frames[state].is_initial);
    let entries = initial.map(|state| drawing.entry(state)).collect();
    let corners: Vec<(f64, f64)> =
        (0..frames.len()).map(|state| (drawing.left(state), drawing.top(state))).collect();
    let right = |state: usize| drawing.right(state) + if frames[state].has_loop { LOOP } else { 2.0 };
    let states = (0..frames.len()).map(right);
    let lanes = centres.iter().skip(frames.len()).map(|centre| centre + HEAD);
    let width = states.chain(lanes).fold(0.0, f64::max);
    Layout { corners, routes, entries, has_joins: has_joins(layers), width, height }
}

/// Whether two arrows share a lane.
fn has_joins(layers: &Layers) -> bool {
    let mut lanes: Vec<usize> =
        layers.paths.iter().flatten().copied().filter(|&node| layers.is_lane(node)).collect();
    let all = lanes.len();
    lanes.sort_unstable();
    lanes.dedup();
    lanes.len() < all
}

fn step(layers: &Layers, frames: &[Frame], place: &BTreeMap<usize, usize>, from: usize, to: usize) -> Step {
    let (first, last) = (layers.row_of[from], layers.row_of[to]);
    if from == to {
        return Step::Loop;
    }
    if first != last {
        return if first < last { Step::Down } else { Step::Up };
    }
    let (Some(from_place), Some(to_place)) = (place.get(&from), place.get(&to)) else {
        return Step::Arc;
    };
    let (left, right) = if from_place < to_place { (from, to) } else { (to, from) };
    // Loops are on the right of states, arrows from nowhere on the left.
    let is_free = !frames[left].has_loop && !frames[right].is_initial;
    if from_place.abs_diff(*to_place) == 1 && is_free { Step::Straight } else { Step::Arc }
}

/// How deep each arc goes: the longer, the deeper, so that one sees them apart.
fn depths(
    layers: &Layers,
    centres: &[f64],
    arrows: &[(usize, usize)],
    steps: &[Step],
) -> BTreeMap<(usize, usize), f64> {
    let span = |(from, to): (usize, usize)| (centres[from] - centres[to]).abs();
    let arcs = arrows.iter().zip(steps).filter(|(_, step)| **step == Step::Arc);
    let mut arcs: Vec<(usize, usize)> = arcs.map(|(arrow, _)| *arrow).collect();
    arcs.sort_by(|&one, &other| span(one).total_cmp(&span(other)));
    let mut in_row = vec![0_u32; layers.rows.len()];
    let mut depths = BTreeMap::new();
    for (from, to) in arcs {
        let rank = &mut in_row[layers.row_of[from]];
        depths.insert((from, to), (ARC.0 + f64::from(*rank) * ARC.1).min(ARC.2));
        *rank += 1;
    }
    depths
}

/// The rows from top to bottom, and where the last one ends with what is below it.
fn bands(
    layers: &Layers,
    frames: &[Frame],
    centres: &[f64],
    steps: &[Step],
    depths: &BTreeMap<(usize, usize), f64>,
) -> (Vec<Band>, f64) {
    let rows = layers.rows.len();
    // What the arrows below each row need.
    let mut needed = vec![0.0_f64; rows];
    for (path, step) in layers.paths.iter().zip(steps) {
        for pair in path.windows(2).filter(|_| matches!(step, Step::Down | Step::Up)) {
            let row = layers.row_of[pair[0]].min(layers.row_of[pair[1]]);
            let across = (centres[pair[0]] - centres[pair[1]]).abs();
            needed[row] = needed[row].max((across * 0.25).clamp(GAP.0, GAP.1));
        }
    }
    for ((from, _), depth) in depths {
        let row = layers.row_of[*from];
        needed[row] = needed[row].max(HEAD + depth + 6.0);
    }
    let mut bands = Vec::with_capacity(rows);
    let mut top = 1.0;
    for (row, nodes) in layers.rows.iter().enumerate() {
        let heights = nodes.iter().filter_map(|&node| frames.get(node)).map(|frame| frame.height);
        let bottom = top + heights.fold(0.0, f64::max);
        bands.push((top, bottom));
        let least = if row + 1 == rows { 2.0 } else { GAP.0 };
        top = bottom + needed[row].max(least).round();
    }
    (bands, top)
}

/// Spreads what begins or ends at the top or the bottom of a state along that side.
fn ports(layers: &Layers, frames: &[Frame], centres: &[f64], steps: &[Step]) -> BTreeMap<Port, f64> {
    // By state and side: the sort key and the place.
    let mut wanted: BTreeMap<(usize, Side), Wanted> = BTreeMap::new();
    let mut want = |port: Port, key: f64, tie: bool| {
        let of_side = wanted.entry((port.0, port.1)).or_default();
        if of_side.iter().all(|(_, _, other)| *other != port) {
            of_side.push((key, tie, port));
        }
    };
    for (path, step) in layers.paths.iter().zip(steps) {
        let ([from, second, ..], [.., before, to]) = (path.as_slice(), path.as_slice()) else {
            continue;
        };
        match step {
            Step::Down => {
                want((*from, Side::Bottom, *second, true), centres[*second], true);
                want((*to, Side::Top, *before, true), centres[*before], true);
            }
            Step::Up => {
                want((*from, Side::Top, *second, false), centres[*second], false);
                want((*to, Side::Bottom, *before, false), centres[*before], false);
            }
            Step::Arc => {
                // Arcs are outermost, the shorter the more so. Of the two arcs between two states one is inside the other.
                let is_right = centres[*from] < centres[*to];
                let far = |here: usize, there: usize| {
                    let side = if centres[here] < centres[there] { 1e7 } else { -1e7 };
                    side - (centres[there] - centres[here])
                };
                let is_left_end = |here: usize, there: usize| centres[here] < centres[there];
                want(
                    (*from, Side::Bottom, *to, is_right),
                    far(*from, *to),
                    is_right ^ is_left_end(*from, *to),
                );
                want(
                    (*to, Side::Bottom, *from, is_right),
                    far(*to, *from),
                    is_right ^ is_left_end(*to, *from),
                );
            }
            Step::Straight | Step::Loop => {}
        }
    }
    let mut ports = BTreeMap::new();
    for ((state, _), mut of_side) in wanted {
        of_side.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let room = frames[state].width - 2.0 * CORNER;
        let apart = (room / of_side.len() as f64).min(20.0);
        let first = centres[state] - apart * (of_side.len() - 1) as f64 / 2.0;
        for (place, (_, _, port)) in of_side.into_iter().enumerate() {
            ports.insert(port, ((first + apart * place as f64) * 2.0).round() / 2.0);
        }
    }
    ports
}

impl Drawing<'_> {
    fn left(&self, state: usize) -> f64 {
        self.centres[state] - self.frames[state].width / 2.0
    }

    fn right(&self, state: usize) -> f64 {
        self.centres[state] + self.frames[state].width / 2.0
    }

    /// States stand in the middle of their row's height.
    fn middle(&self, state: usize) -> f64 {
        let (top, bottom) = self.band(state);
        (top + bottom) / 2.0
    }

    fn top(&self, state: usize) -> f64 {
        self.middle(state) - self.frames[state].height / 2.0
    }

    fn bottom(&self, state: usize) -> f64 {
        self.middle(state) + self.frames[state].height / 2.0
    }

    fn band(&self, node: usize) -> Band {
        self.bands[self.layers.row_of[node]]
    }

    fn port(&self, port: Port) -> f64 {
        self.ports.get(&port).copied().unwrap_or(self.centres[port.0])
    }

    fn route(&self, path: &[usize], step: Step) -> Route {
        let (Some(&from), Some(&to)) = (path.first(), path.last()) else {
            return Route { path: String::new(), tip: (0.0, 0.0), heading: Heading::Down };
        };
        match step {
            Step::Down | Step::Up => self.through_rows(path, step == Step::Down),
            Step::Arc => self.arc(from, to),
            Step::Straight => self.straight(from, to),
            Step::Loop => self.around(from),
        }
    }

    fn through_rows(&self, path: &[usize], is_down: bool) -> Route {
        let (out, into) = if is_down { (Side::Bottom, Side::Top) } else { (Side::Top, Side::Bottom) };
        // Where something is entered, and where it is left.
        let ends = |(top, bottom): Band| if is_down { (top, bottom) } else { (bottom, top) };
        let back = if is_down { -HEAD } else { HEAD };
        let last = path.len() - 1;
        let (from, to) = (path[0], path[last]);
        let mut pen = (self.port((from, out, path[1], is_down)), ends((self.top(from), self.bottom(from))).1);
        let mut text = format!("M{} {}", pen.0, pen.1);
        for (place, &node) in path.iter().enumerate().skip(1) {
            let before = path[place - 1];
            let (x, room) = if place == last {
                (self.port((to, into, before, is_down)), back)
            } else {
                (self.centres[node], 0.0)
            };
            // Straight on as long as there is nothing to be passed.
            if x != pen.0 {
                let (leave, enter) = (ends(self.band(before)).1, ends(self.band(node)).0 + room);
                if leave != pen.1 {
                    let _ = write!(text, "V{leave}");
                }
                let half = (leave + enter) / 2.0;
                let _ = write!(text, "C{} {half} {x} {half} {x} {enter}", pen.0);
                pen = (x, enter);
            }
        }
        let tip = ends((self.top(to), self.bottom(to))).0;
        if tip + back != pen.1 {
            let _ = write!(text, "V{}", tip + back);
        }
        let heading = if is_down { Heading::Down } else { Heading::Up };
        Route { path: text, tip: (pen.0, tip), heading }
    }

    fn arc(&self, from: usize, to: usize) -> Route {
        let is_right = self.centres[from] < self.centres[to];
        let start = self.port((from, Side::Bottom, to, is_right));
        let end = self.port((to, Side::Bottom, from, is_right));
        let floor = self.band(from).1;
        let depth = self.depths.get(&(from, to)).copied().unwrap_or(ARC.0);
        // Such a curve goes three quarters of the way to its control points.
        let low = floor + HEAD + (depth / 0.75).round();
        let mut path = format!("M{start} {}", self.bottom(from));
        if self.bottom(from) != floor + HEAD {
            let _ = write!(path, "V{}", floor + HEAD);
        }
        let _ = write!(path, "C{start} {low} {end} {low} {end} {}", floor + HEAD);
        if self.bottom(to) != floor {
            let _ = write!(path, "V{}", self.bottom(to) + HEAD);
        }
        Route { path, tip: (end, self.bottom(to)), heading: Heading::Up }
    }

    fn straight(&self, from: usize, to: usize) -> Route {
        let is_right = self.centres[from] < self.centres[to];
        // There may be one in each direction.
        let y = self.middle(from) + if is_right { -5.0 } else { 5.0 };
        if is_right {
            let tip = self.left(to);
            let path = format!("M{} {y}H{}", self.right(from), tip - HEAD);
            Route { path, tip: (tip, y), heading: Heading::Right }
        } else {
            let tip = self.right(to);
            let path = format!("M{} {y}H{}", self.left(from), tip + HEAD);
            Route { path, tip: (tip, y), heading: Heading::Left }
        }
    }

    fn around(&self, state: usize) -> Route {
        let (x, y) = (self.right(state), self.middle(state));
        let (upper, lower) = (y - LOOP_RADIUS, y + LOOP_RADIUS);
        let turn = x + LOOP - LOOP_RADIUS - 4.0;
        let path =
            format!("M{x} {upper}H{turn}A{LOOP_RADIUS} {LOOP_RADIUS} 0 0 1 {turn} {lower}H{}", x + HEAD);
        Route { path, tip: (x, lower), heading: Heading::Left }
    }

    fn entry(&self, state: usize) -> Route {
        let (x, y) = (self.left(state), self.middle(state));
        let path = format!("M{} {y}H{}", x - ENTRY + 2.0, x - HEAD);
        Route { path, tip: (x, y), heading: Heading::Right }
    }
}
