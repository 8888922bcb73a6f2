//! Who asks for verdicts, and what they are for.

use crate::outcome::Outcome;
use propcov_engine::{Limits, Stats};
use propcov_ir::{Proof, PropertyId, UnknownReason, Verdict};

/// Somebody who has properties proved to do something with the proofs, such as a metric of coverage. It may help with them, too.
pub trait Client {
    /// A first attempt, before engines are asked: an answer, and the name of who has it. `None` leaves the property to the
    /// engines; anything else is the answer, to be certified like theirs.
    fn attempt(
        &mut self,
        _property: PropertyId,
        _limits: &Limits,
        _stats: &mut Stats,
    ) -> Option<(Verdict, &'static str)> {
        None
    }

    /// Has the independent checker look at a proof, if more is to be asked than whether it proves the property: what it accepts
    /// must imply that. `ticks` is the work of those who have found it. Otherwise says why nothing is known: that a proof was
    /// rejected is [`UnknownReason::NotCertified`], and a bug. By default the checker is asked just that.
    fn check(
        &mut self,
        _property: PropertyId,
        _proof: &Proof,
        _ticks: u64,
    ) -> Option<Result<(), UnknownReason>> {
        None
    }

    /// A property has its outcome: nothing more will be tried.
    fn heard(&mut self, _outcome: &Outcome) {}

    /// Does what the proofs are for, within limits: with all outcomes that are there, in the order of the properties. It is called
    /// once, or twice if some properties take long: first when the others are decided, with a part of the time, and again
    /// in the end.
    fn work(&mut self, _outcomes: &[Outcome], _limits: &Limits) {}
}

/// Wants nothing but to hear.
pub(crate) struct Listener<'h>(pub(crate) &'h mut dyn FnMut(&Outcome));

impl Client for Listener<'_> {
    fn heard(&mut self, outcome: &Outcome) {
        (self.0)(outcome);
    }
}
