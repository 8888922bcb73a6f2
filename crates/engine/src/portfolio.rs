//! All engines that can prove, side by side: whatever the system, the first answer counts.

use crate::finite::portfolio::race;
use crate::limits::{Limits, Observer};
use crate::{Config, Report, finite, infinite};
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
    match finite::Problem::within(system, edits, property, &limits.budget(0)) {
        Ok(problem) => race(&problem, config, limits, observer),
        Err(error @ Unsupported::Stopped(_)) => Report::unsupported("portfolio", error),
        Err(_) if infinite::concerns(system) => {
            let reports = infinite::portfolio::check(system, edits, &[property], config, limits, observer);
            let report = reports.into_iter().next().map(|(_, report)| report);
            report.unwrap_or_else(|| Report::no_invariant("portfolio"))
        }
        Err(error) => Report::unsupported("portfolio", error),
    }
}
