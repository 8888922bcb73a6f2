//! How far to the right each node is.
//!
//! Each node would like to be at the mean of its neighbours, and lanes more so than states: bends in long lines are ugly (weights 1, 2 and 8 as
//! Gansner and others have them). The nodes of a row have to stay in order and apart. The places with the least squares of distances to the wishes are an isotonic regression, once
//! the widths are subtracted; merging neighbours that want to change places finds them in linear time.

use super::Frame;
use super::layers::Layers;
use super::routes::{ENTRY, LOOP};

/// Between two states.
const APART: f64 = 24.0;
/// Between a lane and anything.
const APART_FROM_LANE: f64 = 4.0;
/// Half of what a lane takes.
const HALF_LANE: f64 = 5.0;
/// How many times from top to bottom and back.
const SWEEPS: usize = 12;

/// The middle of each node. The leftmost thing is at 0.
pub(super) fn centres(layers: &Layers, frames: &[Frame]) -> Vec<f64> {
    let mut centres = vec![0.0; layers.row_of.len()];
    for row in &layers.rows {
        let wishes = vec![(0.0, 1.0); row.len()];
        place(row, &wishes, layers, frames, &mut centres);
    }
    let rows = layers.rows.len();
    for sweep in 0..SWEEPS {
        let is_last = sweep + 1 == SWEEPS;
        for row in 0..rows {
            settle(&layers.rows[row], layers, frames, &mut centres, !is_last, false);
        }
        for row in (0..rows).rev() {
            settle(&layers.rows[row], layers, frames, &mut centres, false, !is_last);
        }
    }
    straighten(layers, frames, &mut centres);
    let left = |node: usize| centres[node] - extent(node, layers, frames).0;
    let leftmost = (0..centres.len()).map(left).fold(f64::INFINITY, f64::min);
    centres.iter().map(|centre| (centre - leftmost).round()).collect()
}

/// Moves the nodes of a row to where their neighbours want them: those above, those below, or both.
fn settle(
    row: &[usize],
    layers: &Layers,
    frames: &[Frame],
    centres: &mut [f64],
    only_above: bool,
    only_below: bool,
) {
    // Where there is nobody to be close to, close to all is best.
    let middle = centres.iter().sum::<f64>() / centres.len().max(1) as f64;
    let wish = |&node: &usize| {
        let above = layers.above[node].iter().filter(|_| !only_below);
        let below = layers.below[node].iter().filter(|_| !only_above);
        let (mut sum, mut weights) = (0.0, 0.0);
        for &other in above.chain(below) {
            let weight = match (layers.is_lane(node), layers.is_lane(other)) {
                (false, false) => 1.0,
                (true, true) => 8.0,
                _ => 2.0,
            };
            sum += weight * centres[other];
            weights += weight;
        }
        if weights > 0.0 { (sum / weights, weights) } else { (middle, 0.01) }
    };
    let wishes: Vec<(f64, f64)> = row.iter().map(wish).collect();
    place(row, &wishes, layers, frames, centres);
}

/// Means of means do not make long lines straight. So in the end the lanes of one arrow that can be moved to a common place, without moving anything else, are moved there.
fn straighten(layers: &Layers, frames: &[Frame], centres: &mut [f64]) {
    let mut room = vec![(f64::NEG_INFINITY, f64::INFINITY); centres.len()];
    for row in &layers.rows {
        for pair in row.windows(2) {
            let apart = distance(pair[0], pair[1], layers, frames);
            // A lane next to a lane may only take half of the room between them, since both may move.
            let spare = (centres[pair[1]] - centres[pair[0]] - apart).max(0.0);
            let half = |other: usize| if layers.is_lane(other) { spare / 2.0 } else { spare };
            room[pair[0]].1 = centres[pair[0]] + half(pair[1]);
            room[pair[1]].0 = centres[pair[1]] - half(pair[0]);
        }
    }
    let next = |node: usize, of: &[Vec<usize>]| of[node].iter().copied().find(|&other| layers.is_lane(other));
    for first in (layers.states..centres.len()).filter(|&lane| next(lane, &layers.above).is_none()) {
        let chain = std::iter::successors(Some(first), |&lane| next(lane, &layers.below));
        let mut run: Vec<usize> = Vec::new();
        let mut common = (f64::NEG_INFINITY, f64::INFINITY);
        for lane in chain {
            let both = (common.0.max(room[lane].0), common.1.min(room[lane].1));
            if both.0 > both.1 {
                align(&run, common, centres);
                run.clear();
                common = room[lane];
            } else {
                common = both;
            }
            run.push(lane);
        }
        align(&run, common, centres);
    }
}

/// Moves lanes to one place within bounds, close to where they were.
fn align(lanes: &[usize], (least, most): (f64, f64), centres: &mut [f64]) {
    let mean = lanes.iter().map(|&lane| centres[lane]).sum::<f64>() / lanes.len().max(1) as f64;
    for &lane in lanes {
        centres[lane] = mean.max(least).min(most);
    }
}

/// How far apart the middles of two neighbours in a row have to be.
fn distance(left: usize, right: usize, layers: &Layers, frames: &[Frame]) -> f64 {
    let apart = if layers.is_lane(left) || layers.is_lane(right) { APART_FROM_LANE } else { APART };
    extent(left, layers, frames).1 + apart + extent(right, layers, frames).0
}

/// What a node takes to the left and to the right of its middle.
fn extent(node: usize, layers: &Layers, frames: &[Frame]) -> (f64, f64) {
    match frames.get(node) {
        Some(frame) if !layers.is_lane(node) => {
            let half = frame.width / 2.0;
            let entry = if frame.is_initial { ENTRY } else { 0.0 };
            let loops = if frame.has_loop { LOOP } else { 0.0 };
            (half + entry, half + loops)
        }
        _ => (HALF_LANE, HALF_LANE),
    }
}

/// Places a row as close as it gets to wishes, which are places with weights.
fn place(row: &[usize], wishes: &[(f64, f64)], layers: &Layers, frames: &[Frame], centres: &mut [f64]) {
    // Where each node is if the row is packed to the left.
    let mut packed = Vec::with_capacity(row.len());
    let mut end = 0.0;
    for (place, &node) in row.iter().enumerate() {
        if place > 0 {
            end += distance(row[place - 1], node, layers, frames);
        }
        packed.push(end);
    }
    // Blocks of nodes that stand as close as they may: weighted sum of what they want to move, weight, number of nodes.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for (packed, (wish, weight)) in packed.iter().zip(wishes) {
        let mut block = ((wish - packed) * weight, *weight, 1);
        while let Some(&(sum, weight, nodes)) = blocks.last() {
            if sum / weight <= block.0 / block.1 {
                break;
            }
            blocks.pop();
            block = (block.0 + sum, block.1 + weight, block.2 + nodes);
        }
        blocks.push(block);
    }
    let mut nodes = row.iter().zip(&packed);
    for (sum, weight, length) in blocks {
        for (&node, packed) in nodes.by_ref().take(length) {
            centres[node] = packed + sum / weight;
        }
    }
}
