//! What every command does first: the sanity gate, and a certified verdict on each property.

use crate::args::EngineChoice;
use crate::ctl::{self, Symbolic};
use crate::panics::PanicLog;
use crate::progress::Progress;
use crate::prove::{Outcome, Prover, until};
use crate::report::Inspection;
use crate::schedule::{self, Attempt};
use propcov_engine::gate::{self, Assumptions, Gate};
use propcov_engine::{Limits, Stats};
use propcov_ir::{Edits, PropertyId, System, UnknownReason};
use rustc_hash::FxHashMap;
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

/// Decides properties of all kinds. Those of CTL come first, by decision diagrams. What these cannot decide goes the way of invariants if it is
/// one, `AG p`.
pub(crate) fn decide(
    prover: &Prover<'_>,
    properties: &[PropertyId],
    with_counts: bool,
    progress: &Progress,
) -> (Vec<Outcome>, Option<Symbolic>) {
    let by_diagrams: Vec<PropertyId> = match prover.engine {
        EngineChoice::One(_) => Vec::new(),
        _ => properties.iter().copied().filter(|property| ctl::is_ctl(prover, *property)).collect(),
    };
    if by_diagrams.is_empty() {
        return (decide_invariants(prover, properties, progress), None);
    }
    let is_second_chance = matches!(prover.engine, EngineChoice::Portfolio);
    let may_go_on = |property: &PropertyId| is_second_chance && prover.system.invariant(*property).is_some();
    // Time is only kept back for what could use it, and less where other properties have no second chance.
    let kept_back = match (properties.iter().any(may_go_on), by_diagrams.iter().all(may_go_on)) {
        (false, _) => 0,
        (true, true) => 2,
        (true, false) => 1,
    };
    let now = Instant::now();
    let part = |deadline: Instant| deadline - deadline.saturating_duration_since(now) * kept_back / 4;
    let deadline = prover.limits.deadline.map(part);
    let (outcomes, symbolic) = ctl::decide(prover, &by_diagrams, deadline, with_counts, progress);
    let mut known: FxHashMap<PropertyId, Outcome> =
        outcomes.into_iter().map(|outcome| (outcome.property, outcome)).collect();
    let is_open = |property: &PropertyId| match known.get(property) {
        Some(outcome) => outcome.is_open() && may_go_on(property),
        None => true,
    };
    let open: Vec<PropertyId> = properties.iter().copied().filter(is_open).collect();
    for mut outcome in decide_invariants(prover, &open, progress) {
        if let Some(earlier) = known.get(&outcome.property) {
            outcome.add_attempt(earlier);
        }
        known.insert(outcome.property, outcome);
    }
    (properties.iter().filter_map(|property| known.remove(property)).collect(), Some(symbolic))
}

/// Decides invariants, which share the time fairly.
pub(crate) fn decide_invariants(
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
