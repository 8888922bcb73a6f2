//! Limits of a run, and parts of them.

use propcov_budget::Budget;
use propcov_certify::Rejection;
use propcov_engine::Limits;
use propcov_ir::UnknownReason;
use std::time::Instant;

/// What the independent checker may spend. It has no limit of conflicts: evidence that was found is worth being checked.
pub fn budget(limits: &Limits) -> Budget {
    Budget { conflicts: None, deadline: limits.deadline, interrupt: limits.interrupt.clone() }
}

/// The limits with another deadline.
pub(crate) fn until(limits: &Limits, deadline: Option<Instant>) -> Limits {
    let mut limits = limits.clone();
    limits.deadline = deadline;
    limits
}

/// The moment when such a part of the time that is left will be over.
pub(crate) fn part_of_time(limits: &Limits, part: u32, of: u32) -> Option<Instant> {
    let now = Instant::now();
    limits.deadline.map(|deadline| now + deadline.saturating_duration_since(now) * part / of)
}

/// Why the run has to stop, if it has to.
pub(crate) fn stopped(limits: &Limits) -> Option<UnknownReason> {
    budget(limits).stop().map(UnknownReason::from)
}

/// Whatever has used up the memory is over, and what it used is free: others may need less.
pub(crate) fn recover(limits: &Limits, reason: Option<&UnknownReason>) {
    if reason == Some(&UnknownReason::Memory) {
        limits.interrupt.recover();
    }
}

/// Why evidence was not accepted. A checker that was stopped has rejected nothing.
pub(crate) fn rejected(rejection: &Rejection, limits: &Limits) -> UnknownReason {
    match (rejection, stopped(limits)) {
        (Rejection::Undecided, Some(reason)) => reason,
        (Rejection::Unsupported(what), _) => UnknownReason::Unsupported(format!("certifying {what}")),
        _ => UnknownReason::NotCertified(rejection.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checker_that_was_stopped_has_rejected_nothing() {
        let limits = Limits::default();
        assert!(matches!(rejected(&Rejection::Undecided, &limits), UnknownReason::NotCertified(_)));
        limits.interrupt.raise();
        assert_eq!(rejected(&Rejection::Undecided, &limits), UnknownReason::Cancelled);
        let wrong = Rejection::Malformed("k = 0".to_owned());
        assert!(matches!(rejected(&wrong, &limits), UnknownReason::NotCertified(_)));
    }
}
