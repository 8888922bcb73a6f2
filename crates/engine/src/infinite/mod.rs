//! Engines for systems with ints and reals, over clauses and linear constraints.
//!
//! The same questions as for finite systems, and the same answers: a [`Verdict`](propcov_ir::Verdict) with its evidence. What differs is that states are not bits. [`Problem`]
//! holds the expressions that engines add to the system's own; lemmas are expressions, and whoever proves one may give it to the others.

pub mod base;
pub mod ic3;
pub mod induction;
pub mod portfolio;
pub mod templates;

mod exchange;
mod partner;
mod problem;

pub use partner::{Alone, Partner};
pub use problem::Problem;
