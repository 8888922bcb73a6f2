//! The independent checker, without which no verdict is reported.
//!
//! [`check_proof`] accepts a proof and [`check_trace`] a counterexample, both against the system as the user wrote it,
//! with the edits of a coverage metric laid over it. [`check_consequences`] accepts one invariant for several properties, [`check_suite`] many proofs at once. [`CoreChecker`] accepts what is said about validity cores, and [`Facts`] what follows from it. [`Family`] and [`check_kills`] do the same for many mutants at once. Liveness has evidence of its own: [`check_lasso`], [`check_liveness`]. CTL verdicts are
//! checked by [`check_demonstration`], as far as runs can show them, by [`check_labels`], as sets of states with ranks show them, and by [`recheck_ctl`], state by state; the coverage of CTL formulas by [`recheck_coverage`], mutant by mutant. [`list_graph`] lists the states of a system. This crate imports no engine and no transformation: it has its own
//! encoder from word-level expressions to clauses, and shares with the engines only the system, the interpreter, and the
//! SAT solver. Where there are numbers, the engines' arithmetic solver is asked as well, and believed nothing that is not checked here. What cannot be decided within the budget is not accepted.

mod arith;
mod claims;
mod cone;
mod cores;
mod demonstration;
mod encode;
mod explicit;
mod family;
mod induction;
mod labels;
mod lanes;
mod liveness;
mod meaning;
mod refinement;
mod refutation;
mod rejection;
mod replay;
mod suite;

pub use arith::is_linear;
pub use cores::{Complete, CoreChecker, Facts};
pub use demonstration::{Evidence, check_demonstration};
#[doc(hidden)]
pub use encode::with_tables_up_to;
pub use explicit::{
    CoverageAnswer, CoverageFlip, CoverageLimits, CoveragePlace, CoverageQuestion, CoverageRecheck,
    CoverageSemantics, ExplicitLimits, Recheck, StateList, StateValues, list_graph, list_states,
    recheck_coverage, recheck_ctl,
};
pub use family::{Examined, Family};
pub use induction::{check_bound, check_bounds, check_consequences, check_core, check_proof};
pub use labels::{CtlProof, Label, Recurrent, Removed, Why, check_labels};
pub use liveness::{check_lasso, check_liveness, check_liveness_core, with_loops};
pub use refinement::RefinementChecker;
pub use refutation::{Refuted, refute_bound};
pub use rejection::{Claim, Counterexample, Rejection};
pub use replay::{check_kills, check_run, check_trace};
pub use suite::check_suite;
