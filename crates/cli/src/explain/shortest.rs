//! Killing runs for people. What killed a mutant first was perhaps a long random run; a shortest one explains more.

use crate::cover::tally::Tally;
use crate::panics::PanicLog;
use propcov_certify::check_trace;
use propcov_engine::{Config, ENGINES, Limits, Silent, check};
use propcov_ir::{Kill, Mutant, PropertyId, Status, System, Trace, Verdict};

/// The most conflicts of the search for a shorter run: seconds at most, and the same on every machine.
const CONFLICTS: u64 = 50_000;

/// A run that kills a mutant.
pub(crate) struct Killing {
    pub(crate) mutant: Mutant,
    pub(crate) property: PropertyId,
    pub(crate) trace: Trace,
}

/// For each mutant that is covered, a run that shows it.
pub(crate) fn killings(tally: &Tally<'_>, limits: &Limits, panics: &PanicLog) -> Vec<Killing> {
    let killing = |(at, mutant): (usize, &Mutant)| {
        let kills = tally.column(at).filter_map(|finding| match &finding.status {
            Status::Covered(kill) => Some((finding.property, kill)),
            _ => None,
        });
        let (property, kill) = kills.min_by_key(|(_, kill)| kill.steps)?;
        let trace = shorter(tally.system, *mutant, property, kill, limits, panics);
        let trace = trace.or_else(|| kill.trace(tally.system, *mutant).ok())?;
        Some(Killing { mutant: *mutant, property, trace })
    };
    tally.mutants.iter().enumerate().filter_map(killing).collect()
}

/// A run of fewer steps, if bounded model checking finds one.
fn shorter(
    system: &System,
    mutant: Mutant,
    property: PropertyId,
    kill: &Kill,
    limits: &Limits,
    panics: &PanicLog,
) -> Option<Trace> {
    let engine = ENGINES.iter().find(|engine| engine.name == "bmc")?;
    // With the last step as transition 0, a run of n steps has n - 1 transitions.
    let depth = u32::try_from(kill.steps.checked_sub(2)?).ok()?;
    let mut limits = limits.clone();
    (limits.depth, limits.conflicts) = (Some(depth), Some(CONFLICTS));
    let edits = mutant.edits(system);
    let report =
        panics.guard(|| check(engine, system, &edits, property, &Config::default(), &limits, &Silent))?;
    match report.verdict {
        Verdict::Falsified(trace) if check_trace(system, &edits, property, &trace).is_ok() => Some(trace),
        _ => None,
    }
}
