//! Killing runs for people. What killed a mutant first was perhaps a long random run; a shortest one explains more.

use propcov_certify::check_trace;
use propcov_engine::{Config, ENGINES, Limits, Silent, check};
use propcov_ir::{Finding, Mutant, PropertyId, Status, System, Trace, UnknownReason, Verdict};
use propcov_verify::PanicLog;

/// The most conflicts of the search for a shorter run: seconds at most, and the same on every machine.
const CONFLICTS: u64 = 50_000;

/// The most properties for which a shorter run is looked for.
const TRIED: usize = 8;

/// A run that kills a mutant.
#[derive(Clone, Debug)]
pub struct Killing {
    /// The mutant.
    pub mutant: Mutant,
    /// The property that fails in the last step.
    pub property: PropertyId,
    /// The run.
    pub trace: Trace,
    /// Whether it is known that this property fails in no shorter one.
    pub shortest: bool,
}

/// For a mutant that some property notices, a run that shows it, as short as can be had with little effort.
pub fn killing(
    system: &System,
    mutant: Mutant,
    findings: &[&Finding],
    limits: &Limits,
    panics: &PanicLog,
) -> Option<Killing> {
    let kills = findings.iter().filter_map(|finding| match &finding.status {
        Status::Covered(kill) if finding.mutant == mutant => Some((finding.property, kill)),
        _ => None,
    });
    let mut kills: Vec<(PropertyId, _)> = kills.collect();
    kills.sort_by_key(|(_, kill)| kill.steps);
    let (property, kill) = kills.first()?;
    let trace = kill.trace(system, mutant).ok()?;
    let mut best = Killing { mutant, property: *property, trace, shortest: false };
    for (property, _) in kills.iter().take(TRIED) {
        let steps = best.trace.steps.len();
        match shorter(system, mutant, *property, steps, limits, panics) {
            Shorter::Found(trace) => best = Killing { mutant, property: *property, trace, shortest: true },
            Shorter::None if *property == best.property => best.shortest = true,
            Shorter::None | Shorter::Unknown => {}
        }
    }
    Some(best)
}

/// What came of looking for a shorter run.
enum Shorter {
    /// Bounded model checking goes step by step: this one is the shortest.
    Found(Trace),
    None,
    Unknown,
}

/// A run of fewer steps than these, if bounded model checking finds one.
fn shorter(
    system: &System,
    mutant: Mutant,
    property: PropertyId,
    steps: usize,
    limits: &Limits,
    panics: &PanicLog,
) -> Shorter {
    let Some(engine) = ENGINES.iter().find(|engine| engine.name == "bmc") else { return Shorter::Unknown };
    // A run of one step less has two transitions less than there are steps here.
    let Some(depth) = steps.checked_sub(2).and_then(|depth| u32::try_from(depth).ok()) else {
        return Shorter::None;
    };
    let mut limits = limits.clone();
    (limits.depth, limits.conflicts) = (Some(depth), Some(CONFLICTS));
    let edits = mutant.edits(system);
    let report =
        panics.guard(|| check(engine, system, &edits, property, &Config::default(), &limits, &Silent));
    match report.map(|report| report.verdict) {
        Some(Verdict::Falsified(trace)) if check_trace(system, &edits, property, &trace).is_ok() => {
            Shorter::Found(trace)
        }
        Some(Verdict::Unknown(UnknownReason::Bounded(known))) if known >= depth => Shorter::None,
        _ => Shorter::Unknown,
    }
}
