//! Whether a run and refutations show that there is no simulation.
//!
//! Why they do: let the specification simulate the graph. Then an initial state of it simulates the first state of the run, it has an answer to each step, and
//! so one of the states in which it can be at the end simulates the last state. But all these are refuted there. That each refutation is right follows by induction: w′ does
//! not simulate w, if w can step to u and no successor of w′ simulates u.

use super::{RefinementChecker, check_state, malformed, not_distinguished};
use crate::Rejection;
use propcov_ir::{Distinction, LabelFlip, Refutation, StatePair};
use rustc_hash::FxHashSet;

impl RefinementChecker<'_> {
    /// Accepts that the specification does not simulate the implementation, or a mutant of it.
    ///
    /// # Errors
    /// If the run and the refutations do not show it.
    pub fn check_distinction(
        &self,
        flip: Option<LabelFlip>,
        distinction: &Distinction,
    ) -> Result<(), Rejection> {
        if let Some(flip) = flip {
            self.check_flip(flip)?;
        }
        let Some((first, rest)) = distinction.run.split_first() else {
            return Err(malformed("a run without states"));
        };
        if self.implementation.initial().binary_search(first).is_err() {
            return Err(not_distinguished(format!(
                "the run does not begin in an initial state but in {first}"
            )));
        }
        let possible = self.accepting(self.specification.initial().to_vec(), *first, flip);
        self.check_ending(flip, *first, possible, rest, &distinction.refutations)
    }

    /// That the specification is refuted if it can be in these states, the implementation in `state`, and the run goes on like this.
    pub(super) fn check_ending(
        &self,
        flip: Option<LabelFlip>,
        state: u32,
        possible: Vec<u32>,
        tail: &[u32],
        refutations: &[Refutation],
    ) -> Result<(), Rejection> {
        let (mut last, mut possible) = (state, possible);
        for next in tail {
            if self.implementation.successors(last).binary_search(next).is_err() {
                return Err(not_distinguished(format!("the run has no transition from {last} to {next}")));
            }
            possible = self.accepting(self.successors_of(&possible), *next, flip);
            last = *next;
        }
        let refuted = self.refuted(flip, refutations)?;
        let proposition = flip.map(|flip| flip.proposition);
        let is_refuted = |pair: StatePair| refuted.contains(&pair) || self.common.contains(proposition, pair);
        match possible.iter().find(|specified| !is_refuted((last, **specified))) {
            None => Ok(()),
            Some(specified) => Err(not_distinguished(format!(
                "at the end of the run the specification can be in {specified}, which is not refuted for {last}"
            ))),
        }
    }

    /// The pairs of these refutations, if each follows from those before it.
    fn refuted(
        &self,
        flip: Option<LabelFlip>,
        refutations: &[Refutation],
    ) -> Result<FxHashSet<StatePair>, Rejection> {
        let proposition = flip.map(|flip| flip.proposition);
        let mut refuted = FxHashSet::default();
        for refutation in refutations {
            self.check_refutation(refutation, |next, answer| {
                let pair = (next, answer);
                let is_refuted = || refuted.contains(&pair) || self.common.contains(proposition, pair);
                self.accepts(next, answer, flip) && !is_refuted()
            })?;
            refuted.insert(refutation.pair);
        }
        Ok(refuted)
    }

    /// That the step of a refutation exists, and that the specification has no answer to it. Whether a state of the specification may be one is for the caller to say.
    pub(super) fn check_refutation(
        &self,
        refutation: &Refutation,
        may_answer: impl Fn(u32, u32) -> bool,
    ) -> Result<(), Rejection> {
        let ((state, specified), next) = (refutation.pair, refutation.step);
        self.check_pair(refutation.pair)?;
        check_state(self.implementation, next)?;
        if self.implementation.successors(state).binary_search(&next).is_err() {
            return Err(not_distinguished(format!("there is no transition from {state} to {next}")));
        }
        match self.specification.successors(specified).iter().find(|answer| may_answer(next, **answer)) {
            None => Ok(()),
            Some(answer) => Err(not_distinguished(format!(
                "{specified} may answer the step from {state} to {next} by one to {answer}"
            ))),
        }
    }

    /// Those of the specification's states that accept the labels of a state.
    pub(super) fn accepting(&self, states: Vec<u32>, state: u32, flip: Option<LabelFlip>) -> Vec<u32> {
        let mut accepting = states;
        accepting.retain(|specified| self.accepts(state, *specified, flip));
        accepting
    }

    /// Where the specification can be one step after it was in one of these states.
    pub(super) fn successors_of(&self, states: &[u32]) -> Vec<u32> {
        let successors = |state: &u32| self.specification.successors(*state).iter().copied();
        let mut next: Vec<u32> = states.iter().flat_map(successors).collect();
        next.sort_unstable();
        next.dedup();
        next
    }
}
