//! Whether a patch turns the accepted simulation into one for a mutant.
//!
//! Let B be the simulation that was accepted and B′ what the patch makes of it: B without the removed pairs, with the added ones. B′ has to be a simulation
//! for something that differs from I and S a little: one label of I is flipped, or S lacks one transition. Most of B′ need
//! not be looked at, for these reasons.
//!
//! *Labels.* Only the labels of the flipped state are others, so the pairs to look at are those of this state and the added ones. In all others they fit, since B was accepted.
//!
//! *Steps.* Added pairs are looked at in full. Let (w, w′) be another pair of B′: it is in B as well, so for each step w → u there is a transition
//! w′ → u′ of S with (u, u′) in B. That is an answer in B′, too, unless (u, u′) was removed or the
//! transition is the lacking one. So only these questions can have another answer in B′ than in B:
//!
//! - (u, w′) where w′ is a predecessor of some u′ and (u, u′) was removed;
//! - (u, w′) where w′ → u′ is the lacking transition and (u, u′) is in B.
//!
//! The question is whether w′ has a successor that is a partner of u in B′. If it has none, then no predecessor w of u may have the pair (w, w′) in B′.
//!
//! *Initial states.* One that lost no pair has the initial partner that it had in B.
//!
//! If all of this holds, B′ is a simulation by the definition, and which pairs the patch lists does not matter: it may remove what is not there, add what is, or
//! repeat itself. A pair that it removes and adds is in B′.

use super::{RefinementChecker, malformed, not_simulated};
use crate::Rejection;
use crate::refinement::relation::Relation;
use propcov_ir::{LabelFlip, Patch, StatePair};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What is not as it was when the simulation was accepted.
#[derive(Clone, Copy)]
struct Change {
    flip: Option<LabelFlip>,
    lacking: Option<(u32, u32)>,
}

/// B′.
struct Patched<'c> {
    accepted: &'c Relation,
    removed: FxHashSet<StatePair>,
    added: FxHashSet<StatePair>,
}

impl Patched<'_> {
    fn contains(&self, pair: StatePair) -> bool {
        self.added.contains(&pair) || (self.accepted.contains(pair) && !self.removed.contains(&pair))
    }
}

impl RefinementChecker<'_> {
    /// Accepts that the specification simulates a mutant. The time it takes follows the patch and the degrees of its states, not the size of the graphs.
    ///
    /// # Errors
    /// If the patch does not show it, or no simulation was accepted that it could change.
    pub fn check_patch(&self, flip: LabelFlip, patch: &Patch) -> Result<(), Rejection> {
        self.check_flip(flip)?;
        self.check_changed(Change { flip: Some(flip), lacking: None }, patch)
    }

    /// Accepts that the specification simulates the implementation even without one of its transitions.
    ///
    /// # Errors
    /// If the patch does not show it, there is no such transition, or no simulation was accepted that the patch could change.
    pub fn check_without_transition(&self, transition: (u32, u32), patch: &Patch) -> Result<(), Rejection> {
        let (from, to) = transition;
        super::check_state(self.specification, from)?;
        if self.specification.successors(from).binary_search(&to).is_err() {
            return Err(malformed(format!("the specification has no transition from {from} to {to}")));
        }
        self.check_changed(Change { flip: None, lacking: Some(transition) }, patch)
    }

    fn check_changed(&self, change: Change, patch: &Patch) -> Result<(), Rejection> {
        let Some(accepted) = &self.accepted else {
            return Err(malformed("a patch of a simulation, but none was accepted"));
        };
        for pair in patch.removed.iter().chain(&patch.added) {
            self.check_pair(*pair)?;
        }
        let removed = patch.removed.iter().copied().collect();
        let added = patch.added.iter().copied().collect();
        let patched = Patched { accepted, removed, added };
        self.check_labels(change, &patched)?;
        self.check_added_steps(change, &patched)?;
        self.check_questions(change, &patched)?;
        self.check_initial(&patched)
    }

    fn check_labels(&self, change: Change, patched: &Patched) -> Result<(), Rejection> {
        let flipped = change.flip.map_or(&[][..], |flip| patched.accepted.pairs_of(flip.state));
        let kept = flipped.iter().filter(|pair| patched.contains(**pair));
        for (state, specified) in kept.chain(&patched.added) {
            if !self.accepts(*state, *specified, change.flip) {
                return Err(not_simulated(format!("labels of {state} do not fit those of {specified}")));
            }
        }
        Ok(())
    }

    fn check_added_steps(&self, change: Change, patched: &Patched) -> Result<(), Rejection> {
        for (state, specified) in &patched.added {
            for next in self.implementation.successors(*state) {
                if !self.has_answer(*next, *specified, change, patched) {
                    return Err(no_answer(*state, *next, *specified));
                }
            }
        }
        Ok(())
    }

    fn check_questions(&self, change: Change, patched: &Patched) -> Result<(), Rejection> {
        let mut questions = BTreeSet::new();
        for (next, partner) in &patched.removed {
            questions.extend(self.specification.predecessors(*partner).iter().map(|w| (*next, *w)));
        }
        if let Some((from, to)) = change.lacking {
            questions.extend(patched.accepted.related_to(to).map(|next| (next, from)));
        }
        for (next, specified) in questions {
            if self.has_answer(next, specified, change, patched) {
                continue;
            }
            for state in self.implementation.predecessors(next) {
                if patched.contains((*state, specified)) {
                    return Err(no_answer(*state, next, specified));
                }
            }
        }
        Ok(())
    }

    fn check_initial(&self, patched: &Patched) -> Result<(), Rejection> {
        let is_initial = |state: &u32| self.implementation.initial().binary_search(state).is_ok();
        let changed: BTreeSet<u32> = patched.removed.iter().map(|pair| pair.0).filter(is_initial).collect();
        for state in changed {
            if !self.specification.initial().iter().any(|specified| patched.contains((state, *specified))) {
                return Err(not_simulated(format!("the initial state {state} has no initial partner")));
            }
        }
        Ok(())
    }

    /// Whether a state of the specification has a successor that is a partner of `next`.
    fn has_answer(&self, next: u32, specified: u32, change: Change, patched: &Patched) -> bool {
        self.specification.successors(specified).iter().any(|partner| {
            change.lacking != Some((specified, *partner)) && patched.contains((next, *partner))
        })
    }
}

fn no_answer(state: u32, next: u32, specified: u32) -> Rejection {
    not_simulated(format!("{specified} has no answer to the step from {state} to {next}"))
}
