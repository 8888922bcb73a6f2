//! Engines for finite systems, over circuits of bits and their clauses.
//!
//! [`Problem`] is a property's cone, encoded once for all of them, and says what an [`Answer`] at bit level means for the
//! system. `portfolio` lets several race.

pub mod bmc;
pub mod ic3;
pub mod interpolation;
pub mod joint;
pub mod kinduction;

pub(crate) mod core;
pub(crate) mod gate;
pub(crate) mod portfolio;
mod problem;

pub use problem::{Answer, Arrays, Lemmas, Problem, UNDECIDED_BY_ARRAYS};

use crate::limits::{Limits, Observer, Stats};
use crate::{Config, Engine, Report};
use propcov_ir::{Edits, PropertyId, System};
use propcov_solve::Unsupported;

/// How an engine decides one invariant of a finite system.
pub type Run = fn(&Problem<'_>, &Config, &Limits, &dyn Observer, &mut Stats) -> Answer;

/// Decides one property with one engine.
pub(crate) fn check(
    engine: &Engine,
    system: &System,
    edits: &Edits,
    property: PropertyId,
    config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Report, Unsupported> {
    let problem = Problem::with_arrays(system, edits, property, config.arrays, &limits.budget(0))?;
    let mut stats = Stats::default();
    let answer = (engine.finite)(&problem, config, limits, observer, &mut stats);
    Ok(Report { verdict: problem.conclude(answer), engine: engine.name, stats })
}
