//! All engines that can prove, side by side: whatever the system, the first answer counts.

use crate::finite::joint::{self, Given};
use crate::finite::portfolio::race;
use crate::limits::{Limits, Observer};
use crate::{Config, Report, infinite};
use propcov_ir::{Edits, PropertyId, System};
use propcov_solve::Unsupported;

/// Decides one property with all engines that can prove.
pub fn check(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
) -> Report {
    check_given(system, edits, property, &[], config, limits, observer)
}

/// Decides one property with all engines that can prove. In a finite system, what is given is taken for granted, and part of the proof where it was of use.
pub fn check_given(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    given: &[Given<'_>],
    config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
) -> Report {
    // Paths that need not repeat a state are another rule: proofs by it stand by themselves.
    let given = if config.simple_path { &[] } else { given };
    match joint::encode(system, edits, &[property], given, None, config.arrays, &limits.budget(0)) {
        Ok(problem) => {
            let (answer, engine, mut stats) = race(&problem, config, limits, observer);
            let verdict = joint::conclude(&problem, property, given, answer, limits, &mut stats);
            Report { verdict, engine, stats }
        }
        Err(error @ Unsupported::Stopped(_)) => Report::unsupported("portfolio", error),
        Err(_) if infinite::concerns(system) => {
            let reports = infinite::portfolio::check(system, edits, &[property], config, limits, observer);
            let report = reports.into_iter().next().map(|(_, report)| report);
            report.unwrap_or_else(|| Report::no_invariant("portfolio"))
        }
        Err(error) => Report::unsupported("portfolio", error),
    }
}
