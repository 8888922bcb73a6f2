//! Whether a relation is a simulation.
//!
//! A step w → u has an answer from w′ if w′ is a predecessor of a partner of u. For each u these are
//! found once and are the same for all w, so that the whole check takes time in proportion to the sum of the degrees of both states over all pairs.

use super::{accepts, check_state, malformed, not_simulated};
use crate::Rejection;
use propcov_ir::{Graph, Simulation, StatePair};
use std::sync::OnceLock;

/// Pairs of states that exist.
#[derive(Debug)]
pub(super) struct Relation {
    /// Sorted, and without repetition.
    pairs: Vec<StatePair>,
    /// Where the pairs of each state of the implementation begin, and the end of all.
    first: Vec<usize>,
    /// The pairs the other way round, sorted, once someone asks.
    inverse: OnceLock<Vec<StatePair>>,
}

impl Relation {
    /// These pairs, if they are sorted and their states exist.
    pub(super) fn new(
        implementation: &Graph,
        specification: &Graph,
        simulation: Simulation,
    ) -> Result<Relation, Rejection> {
        let pairs = simulation.pairs;
        if pairs.windows(2).any(|two| two[0] >= two[1]) {
            return Err(malformed("the pairs of a simulation are not sorted, or not all different"));
        }
        let mut first = vec![0; implementation.state_count() + 1];
        for (state, specified) in &pairs {
            check_state(implementation, *state)?;
            check_state(specification, *specified)?;
            first[*state as usize + 1] += 1;
        }
        for state in implementation.states() {
            first[state as usize + 1] += first[state as usize];
        }
        Ok(Relation { pairs, first, inverse: OnceLock::new() })
    }

    /// The pairs of a state of the implementation.
    pub(super) fn pairs_of(&self, state: u32) -> &[StatePair] {
        &self.pairs[self.first[state as usize]..self.first[state as usize + 1]]
    }

    /// Whether a pair of states that exist is in the relation.
    pub(super) fn contains(&self, pair: StatePair) -> bool {
        self.pairs_of(pair.0).binary_search(&pair).is_ok()
    }

    /// The states of the implementation that are related to this one of the specification.
    pub(super) fn related_to(&self, specified: u32) -> impl Iterator<Item = u32> + '_ {
        let inverse = self.inverse.get_or_init(|| {
            let mut inverse: Vec<StatePair> =
                self.pairs.iter().map(|(w, specified)| (*specified, *w)).collect();
            inverse.sort_unstable();
            inverse
        });
        let from = inverse.partition_point(|(other, _)| *other < specified);
        inverse[from..].iter().take_while(move |(other, _)| *other == specified).map(|(_, state)| *state)
    }

    /// That the relation is a simulation and has an initial partner for each initial state.
    pub(super) fn check(&self, implementation: &Graph, specification: &Graph) -> Result<(), Rejection> {
        for (state, specified) in &self.pairs {
            if !accepts(implementation.labels(*state), specification.labels(*specified)) {
                return Err(not_simulated(format!("labels of {state} do not fit those of {specified}")));
            }
        }
        // By state of the specification: the last state of the implementation to which it has an answer.
        let mut answers: Vec<Option<u32>> = vec![None; specification.state_count()];
        for next in implementation.states() {
            for (_, partner) in self.pairs_of(next) {
                for specified in specification.predecessors(*partner) {
                    answers[*specified as usize] = Some(next);
                }
            }
            for state in implementation.predecessors(next) {
                for (_, specified) in self.pairs_of(*state) {
                    if answers[*specified as usize] != Some(next) {
                        return Err(not_simulated(format!(
                            "{specified} has no answer to the step from {state} to {next}"
                        )));
                    }
                }
            }
        }
        for state in implementation.initial() {
            let is_initial = |pair: &StatePair| specification.initial().binary_search(&pair.1).is_ok();
            if !self.pairs_of(*state).iter().any(is_initial) {
                return Err(not_simulated(format!("the initial state {state} has no initial partner")));
            }
        }
        Ok(())
    }
}
