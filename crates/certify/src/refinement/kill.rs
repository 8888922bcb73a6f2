//! Whether many mutants are distinguished, each behind a run of the breadth-first tree.
//!
//! A [distinction](propcov_ir::Distinction) of a mutant begins with a run to the flipped state, and many mutants share such runs. Before the flipped state, the run is one of the implementation
//! as it is. So for each state of the [tree](super::tree), once that was checked, the specification's possible states behind the run to it are
//! found once, with the labels as they are, and evidence about a mutant names a state instead of a run.
//!
//! Often different runs leave the same possibilities, so that each set is there once, as bits: n of n′ bits at most. A set's
//! successor depends on nothing but the set and the next labels (the subset construction), and is found once, too.

use super::{RefinementChecker, accepts, malformed, not_distinguished, tree::Tree};
use crate::Rejection;
use propcov_ir::{Graph, Label, LabelFlip, Refutation};
use rustc_hash::FxHashMap;

/// Where the specification can be behind the runs of the breadth-first tree of the implementation.
#[derive(Debug)]
pub(super) struct Possible {
    tree: Tree,
    /// By state of the implementation: the position of its set. No meaning where it is not reached.
    set: Vec<usize>,
    sets: Vec<Vec<u64>>,
}

impl RefinementChecker<'_> {
    /// Accepts that the specification does not simulate a mutant: as [`check_distinction`](Self::check_distinction), for the run to `at` in
    /// the [`SearchTree`](propcov_ir::SearchTree) of the implementation, followed by `tail`. The flipped state is not on the run before `at`. The time it takes does not depend on how
    /// long the run to `at` is, except when this is called first.
    ///
    /// # Errors
    /// If the run and the refutations do not show it.
    pub fn check_kill(
        &self,
        flip: LabelFlip,
        at: u32,
        tail: &[u32],
        refutations: &[Refutation],
    ) -> Result<(), Rejection> {
        self.check_flip(flip)?;
        let possible = self.possible.get_or_init(|| Possible::new(self.implementation, self.specification));
        let possible = possible.as_ref().map_err(Rejection::clone)?;
        if !possible.tree.is_reached(at) {
            return Err(malformed(format!("no run leads to {at}")));
        }
        if possible.tree.is_proper_ancestor(flip.state, at) {
            return Err(not_distinguished(format!("the run to {at} leads through the flipped state")));
        }
        let states = if flip.state == at {
            let before = match possible.tree.parent(at) {
                Some(parent) => self.successors_of(&possible.behind(parent)),
                None => self.specification.initial().to_vec(),
            };
            self.accepting(before, at, Some(flip))
        } else {
            possible.behind(at)
        };
        self.check_ending(Some(flip), at, states, tail, refutations)
    }
}

impl Possible {
    fn new(implementation: &Graph, specification: &Graph) -> Result<Possible, Rejection> {
        let tree = Tree::new(implementation)?;
        let mut set = vec![0; implementation.state_count()];
        let mut sets: Vec<Vec<u64>> = Vec::new();
        let mut positions: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
        let mut known: FxHashMap<(Option<usize>, Vec<Label>), usize> = FxHashMap::default();
        for state in tree.order() {
            let before = tree.parent(*state).map(|parent| set[parent as usize]);
            let promised = implementation.labels(*state).to_vec();
            set[*state as usize] =
                *known.entry((before, promised)).or_insert_with_key(|(before, promised)| {
                    let next = match before {
                        Some(before) => step(specification, &sets[*before], promised),
                        None => bits(specification, specification.initial().iter().copied(), promised),
                    };
                    *positions.entry(next).or_insert_with_key(|next| {
                        sets.push(next.clone());
                        sets.len() - 1
                    })
                });
        }
        Ok(Possible { tree, set, sets })
    }

    /// Where the specification can be behind the run to a state that is reached.
    fn behind(&self, state: u32) -> Vec<u32> {
        members(&self.sets[self.set[state as usize]]).collect()
    }
}

/// Where the specification can be one step later, in a state with these labels.
fn step(specification: &Graph, set: &[u64], promised: &[Label]) -> Vec<u64> {
    let successors = |state| specification.successors(state).iter().copied();
    bits(specification, members(set).flat_map(successors), promised)
}

/// The set of those of these states that accept these labels.
fn bits(specification: &Graph, states: impl Iterator<Item = u32>, promised: &[Label]) -> Vec<u64> {
    let mut bits = vec![0; specification.state_count().div_ceil(64)];
    for state in states {
        if accepts(promised, specification.labels(state)) {
            bits[state as usize / 64] |= 1 << (state % 64);
        }
    }
    bits
}

fn members(set: &[u64]) -> impl Iterator<Item = u32> + '_ {
    (0..set.len() as u32 * 64).filter(|state| set[*state as usize / 64] >> (state % 64) & 1 == 1)
}
