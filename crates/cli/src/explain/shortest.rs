//! Killing runs for people. What killed a mutant first was perhaps a long random run; a shortest one explains more.

use crate::cover::tally::Tally;
use propcov_certify::check_trace;
use propcov_engine::{Config, ENGINES, Limits, Silent, check};
use propcov_ir::{Mutant, PropertyId, Status, System, Trace, Verdict};
use propcov_verify::PanicLog;

/// The most conflicts of the search for a shorter run: seconds at most, and the same on every machine.
const CONFLICTS: u64 = 50_000;

/// The most properties for which a shorter run is looked for.
const TRIED: usize = 8;

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
        let mut kills: Vec<(PropertyId, _)> = kills.collect();
        kills.sort_by_key(|(_, kill)| kill.steps);
        let (property, kill) = kills.first()?;
        let mut best = (*property, kill.trace(tally.system, *mutant).ok()?);
        for (property, _) in kills.iter().take(TRIED) {
            let steps = best.1.steps.len();
            if let Some(trace) = shorter(tally.system, *mutant, *property, steps, limits, panics) {
                best = (*property, trace);
            }
        }
        Some(Killing { mutant: *mutant, property: best.0, trace: best.1 })
    };
    tally.mutants.iter().enumerate().filter_map(killing).collect()
}

/// A run of fewer steps than these, if bounded model checking finds one.
fn shorter(
    system: &System,
    mutant: Mutant,
    property: PropertyId,
    steps: usize,
    limits: &Limits,
    panics: &PanicLog,
) -> Option<Trace> {
    let engine = ENGINES.iter().find(|engine| engine.name == "bmc")?;
    // A run of one step less has two transitions less than there are steps here.
    let depth = u32::try_from(steps.checked_sub(2)?).ok()?;
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
