//! Properties that are only known up to a bound: which mutants violate them within as many transitions?
//!
//! There is no proof to start from, and none is looked for. Random runs are cut at the bound, and [family BMC](super::bmc) goes on until it has
//! reached it: whoever is left then survives *up to the bound*. A run beyond it would not count, for nobody knows what the design itself does there.
//!
//! The answer is confirmed by the independent checker, by an unrolling and a solver of its own: no mutant that is left has a run that violates the property.

use super::Technique;
use super::pursuit::Pursuit;
use super::{Ground, search::Round};
use propcov_solve::BitTrace;
use std::borrow::Cow;

impl Pursuit<'_, '_, '_> {
    /// How far the property is known to hold, if it is not proved.
    pub(super) fn bound(&self) -> Option<u32> {
        match self.session.targets[self.target].ground {
            Ground::Proved(_) => None,
            Ground::UpTo(bound) => Some(bound),
        }
    }

    /// As much of a run as counts.
    pub(super) fn within_bound<'t>(&self, run: &'t BitTrace) -> Cow<'t, BitTrace> {
        let counting = self.bound().map_or(usize::MAX, |bound| bound as usize + 1);
        match run.steps.get(..counting) {
            Some(steps) => Cow::Owned(BitTrace { steps: steps.to_vec() }),
            None => Cow::Borrowed(run),
        }
    }

    /// The family is searched up to the bound, with as much work as all who are left are worth in this round. Whether another round makes sense.
    pub(super) fn search_up_to(&mut self, bound: u32, round: &Round) -> bool {
        let (each, left) = (round.ticks(self), self.undecided());
        if left.is_empty() {
            return false;
        }
        if each > self.session.worth(self.target) {
            self.session.out_of_effort = true;
            return false;
        }
        self.session.progress(self.target, Technique::FamilyBmc.name());
        let ticks = each.saturating_mul(left.len() as u64);
        while !self.is_clear_up_to(bound) {
            if self.deepen(ticks).is_none() {
                return !self.undecided().is_empty() && !self.session.is_over();
            }
        }
        let survivors = self.undecided();
        self.session.survive(self.target, &survivors, &Ground::UpTo(bound), Technique::FamilyBmc.name());
        // The checker has all the time there is: it need not be asked twice.
        false
    }

    fn is_clear_up_to(&self, bound: u32) -> bool {
        self.state.bmc.as_ref().is_some_and(|bmc| bmc.cleared().is_some_and(|depth| depth >= bound as usize))
    }
}
