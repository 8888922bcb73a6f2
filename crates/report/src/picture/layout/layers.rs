//! Rows of states, and lanes through rows.
//!
//! The row of a state is its distance from the initial states, so that one sees how long it takes to get there. Transitions then lead at most one row
//! down, but any number of rows up. States that no run reaches stand one row above a state that they lead to. A row with too many states is folded.
//!
//! An arrow that passes a row gets a lane there: a place in the row like that of a state. All arrows that pass the row in the same direction *to the
//! same state* share the lane. They are joined on the picture, which is less to look at and stays unambiguous, since they end at the same state; and no row has more
//! than two lanes for each state, however many transitions there are.

use super::Frame;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// States and lanes in rows. Both are nodes: the states come first, then the lanes.
pub(super) struct Layers {
    /// Nodes from left to right, rows from top to bottom.
    pub(super) rows: Vec<Vec<usize>>,
    /// The row of each node.
    pub(super) row_of: Vec<usize>,
    pub(super) states: usize,
    /// The nodes that each arrow passes, with both ends.
    pub(super) paths: Vec<Vec<usize>>,
    /// The neighbours of each node in the row above.
    pub(super) above: Vec<Vec<usize>>,
    /// The neighbours of each node in the row below.
    pub(super) below: Vec<Vec<usize>>,
}

impl Layers {
    /// Whether a node is a lane.
    pub(super) fn is_lane(&self, node: usize) -> bool {
        node >= self.states
    }
}

/// The rows, in the order of the search.
pub(super) fn layers(frames: &[Frame], arrows: &[(usize, usize)]) -> Layers {
    let states = frames.len();
    let mut rows = folded(distances(frames, arrows), states);
    let mut row_of = vec![0; states];
    for (row, nodes) in rows.iter().enumerate() {
        for &node in nodes {
            row_of[node] = row;
        }
    }
    let mut lanes = BTreeMap::new();
    let mut paths = Vec::with_capacity(arrows.len());
    let mut links = BTreeSet::new();
    for &(from, to) in arrows {
        let (first, last) = (row_of[from], row_of[to]);
        let is_down = first < last;
        let passed: Vec<usize> =
            if is_down { (first + 1..last).collect() } else { (last + 1..first).rev().collect() };
        let mut path = vec![from];
        for row in passed {
            let lane = *lanes.entry((to, is_down, row)).or_insert_with(|| {
                row_of.push(row);
                rows[row].push(row_of.len() - 1);
                row_of.len() - 1
            });
            path.push(lane);
        }
        path.push(to);
        if first != last {
            let link = |pair: &[usize]| if is_down { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
            links.extend(path.windows(2).map(link));
        }
        paths.push(path);
    }
    let mut above = vec![Vec::new(); row_of.len()];
    let mut below = vec![Vec::new(); row_of.len()];
    for (upper, lower) in links {
        below[upper].push(lower);
        above[lower].push(upper);
    }
    Layers { rows, row_of, states, paths, above, below }
}

/// States by their distance from the initial states.
fn distances(frames: &[Frame], arrows: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let states = frames.len();
    let mut successors = vec![Vec::new(); states];
    let mut has_predecessor = vec![false; states];
    for &(from, to) in arrows {
        successors[from].push(to);
        has_predecessor[to] |= from != to;
    }
    let mut row_of: Vec<Option<usize>> = vec![None; states];
    // Where searches begin: initial states together, then what they do not reach, first where nothing comes before.
    let mut starts = vec![(0..states).filter(|&state| frames[state].is_initial).collect::<Vec<usize>>()];
    let (later, sooner): (Vec<usize>, Vec<usize>) = (0..states).partition(|&state| has_predecessor[state]);
    starts.extend(sooner.into_iter().chain(later).map(|state| vec![state]));
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for (search, start) in starts.into_iter().enumerate() {
        let mut queue = VecDeque::new();
        for state in start {
            let next = successors[state].iter().filter_map(|&next: &usize| row_of[next]).min();
            queue.push_back((state, next.filter(|_| search > 0).map_or(0, |row| row.saturating_sub(1))));
        }
        while let Some((state, row)) = queue.pop_front() {
            if row_of[state].is_some() {
                continue;
            }
            row_of[state] = Some(row);
            rows.resize_with(rows.len().max(row + 1), Vec::new);
            rows[row].push(state);
            queue.extend(successors[state].iter().map(|&next| (next, row + 1)));
        }
    }
    rows
}

/// Rows of at most about one and a half times as many states as a square would have: a picture that is very wide cannot be looked at.
fn folded(rows: Vec<Vec<usize>>, states: usize) -> Vec<Vec<usize>> {
    let widest = (2..).find(|side| side * side >= 2 * states).unwrap_or(2).max(6);
    let fold = |row: Vec<usize>| {
        let parts = row.len().div_ceil(widest).max(1);
        let size = row.len().div_ceil(parts).max(1);
        row.chunks(size).map(<[usize]>::to_vec).collect::<Vec<_>>()
    };
    rows.into_iter().flat_map(fold).collect()
}
