//! Engines for systems with ints and reals, over clauses and linear constraints.
//!
//! The same questions as for finite systems, and the same answers: a [`Verdict`] with its evidence. What differs is that states are not bits. [`Problem`]
//! holds the expressions that engines add to the system's own; lemmas are expressions, and whoever proves one may give it to the others.

pub mod base;
pub mod ic3;
pub mod induction;
pub mod portfolio;
pub mod smooth;
pub mod templates;

mod advice;
pub(crate) mod core;
mod exchange;
pub(crate) mod gate;
mod partner;
mod problem;

pub use partner::{Alone, Partner};
pub use problem::Problem;
pub(crate) use problem::same_leaf;

use crate::limits::{Limits, Observer, Stats};
use crate::{Config, Engine, Report};
use propcov_ir::{Edits, ExprId, PropertyId, System, UnknownReason, Verdict};

/// How an engine decides one invariant of a system with ints and reals.
pub type Run = for<'s> fn(
    &mut Problem<'s>,
    (PropertyId, ExprId),
    &Config,
    &Limits,
    &dyn Observer,
    &mut Stats,
) -> Verdict;

/// Whether some signal or expression of the system is an int or a real, so that circuits may not do.
pub fn concerns(system: &System) -> bool {
    let expressions = (0..system.exprs.len() as u32).map(ExprId);
    system.signals().iter().any(|signal| signal.sort.is_unbounded())
        || expressions.into_iter().any(|expr| system.exprs.sort(expr).is_unbounded())
}

/// Decides one property with one engine.
pub(crate) fn check(
    engine: &Engine,
    system: &System,
    edits: &Edits,
    property: PropertyId,
    config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
) -> Report {
    let mut problem = Problem::new(system, edits, &[property]).within(limits.budget(0));
    let mut stats = Stats::default();
    let verdict = match (engine.infinite, problem.properties.first().copied()) {
        (Some(run), Some(asked)) => run(&mut problem, asked, config, limits, observer, &mut stats),
        (None, _) => Verdict::Unknown(UnknownReason::Unsupported(format!(
            "{} is for finite systems; this one has ints or reals",
            engine.name
        ))),
        (_, None) => {
            Verdict::Unknown(UnknownReason::Unsupported("a property that is no invariant".to_owned()))
        }
    };
    Report { verdict, engine: engine.name, stats }
}
