//! What all questions about a pair of graphs share: the breadth-first tree of the implementation, and where the specification can be behind each of its runs.
//!
//! The specification can *arrive* with w in the states that it can reach along the tree's run to w, the labels of w itself aside. If it simulates the implementation then
//! one of these states simulates w. So once all of them are refuted, nothing more has to be computed. The states that simulate w are usually more: all that fit along some run.

use super::fits::{Acceptance, Fits};
use super::rows::{Rows, common, ones};
use super::{Pair, Stopped, watch::Watch};
use propcov_ir::{Graph, SearchTree};

/// What depends on the two graphs alone.
pub(super) struct Setting<'p> {
    pub(super) implementation: &'p Graph,
    pub(super) specification: &'p Graph,
    pub(super) tree: SearchTree,
    pub(super) acceptance: Acceptance,
    /// With the labels as they are.
    pub(super) fits: Fits,
    /// By reachable state of the implementation, the states of the specification that can arrive with it.
    pub(super) arrivals: Rows,
}

impl<'p> Setting<'p> {
    pub(super) fn new(pair: &'p Pair, watch: &mut Watch<'_>) -> Result<Setting<'p>, Stopped> {
        let (implementation, specification) = (pair.implementation(), pair.specification());
        let tree = SearchTree::new(implementation);
        let acceptance = Acceptance::new(specification);
        let fits = Fits::new(implementation, &acceptance);
        let mut arrivals = Rows::new(implementation.state_count(), specification.state_count());
        let mut image = vec![0; arrivals.words()];
        // Children of a state are next to each other in the order of discovery.
        let mut imaged = None;
        for state in tree.order() {
            match tree.parent(*state) {
                None => specification.initial().iter().for_each(|first| arrivals.insert(*state, *first)),
                Some(parent) => {
                    if imaged != Some(parent) {
                        let possible: Vec<u64> = common(arrivals.row(parent), fits.row(parent)).collect();
                        step(specification, &possible, &mut image);
                        imaged = Some(parent);
                    }
                    arrivals.row_mut(*state).copy_from_slice(&image);
                }
            }
            watch.step(arrivals.words())?;
        }
        Ok(Setting { implementation, specification, tree, acceptance, fits, arrivals })
    }

    pub(super) fn bytes(&self) -> usize {
        self.arrivals.bytes() + self.fits.bytes()
    }
}

/// Where the specification can be one step later.
pub(super) fn step(specification: &Graph, from: &[u64], image: &mut [u64]) {
    image.fill(0);
    for state in ones(from) {
        for next in specification.successors(state) {
            image[*next as usize / 64] |= 1 << (next % 64);
        }
    }
}
