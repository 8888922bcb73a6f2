//! What every command does first: the sanity gate, and a certified verdict on each property.

use crate::panics::PanicLog;
use crate::progress::Progress;
use crate::prove::{Outcome, Prover, until};
use crate::report::Inspection;
use crate::schedule::{self, Attempt};
use propcov_engine::gate::{self, Assumptions, Gate};
use propcov_engine::{Limits, Stats};
use propcov_ir::{Edits, PropertyId, System, UnknownReason};
use std::time::Instant;

/// The share of the time that the sanity gate may take.
const GATE_SHARE: u32 = 4;

/// Looks for reasons not to trust a verdict. It may take only a part of the time.
pub(crate) fn inspect(
    system: &System,
    properties: &[PropertyId],
    limits: &Limits,
    panics: &PanicLog,
) -> Inspection {
    let now = Instant::now();
    let share = |deadline: Instant| now + deadline.saturating_duration_since(now) / GATE_SHARE;
    let limits = until(limits, limits.deadline.map(share));
    let mut stats = Stats::default();
    let found = panics.guard(|| gate::inspect(system, &Edits::none(), properties, &limits, &mut stats));
    let gate = found.unwrap_or_else(|| Gate {
        assumptions: Assumptions::Unknown(UnknownReason::Incomplete("internal error".to_owned())),
        constant: Vec::new(),
        obligations: properties.len(),
    });
    Inspection { gate, stats, internal_errors: panics.take() }
}

/// Decides properties, which share the time fairly.
pub(crate) fn decide_all(
    prover: &Prover<'_>,
    properties: &[PropertyId],
    progress: &Progress,
) -> Vec<Outcome> {
    let mut outcomes: Vec<Option<Outcome>> = properties.iter().map(|_| None).collect();
    schedule::share(properties.len(), prover.limits.deadline, |job, deadline| {
        let name = &prover.system.property(properties[job]).name;
        progress.stage(format!("{}/{} {name}:", job + 1, properties.len()));
        let mut outcome = prover.decide(properties[job], deadline);
        if let Some(earlier) = &outcomes[job] {
            outcome.add_attempt(earlier);
        }
        let attempt = if outcome.is_timeout() { Attempt::OutOfTime } else { Attempt::Final };
        outcomes[job] = Some(outcome);
        attempt
    });
    outcomes.into_iter().flatten().collect()
}
