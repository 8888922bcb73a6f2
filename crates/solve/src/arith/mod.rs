//! From steps of a [`System`](propcov_ir::System) with ints and reals to clauses and linear constraints.
//!
//! Numbers are linear sums ([`Linear`](propcov_smt::Linear)), so that sums, differences and multiples cost nothing; only a choice between two numbers, a rounding or a
//! quotient makes a variable. `family` lets one of many mutants take the place of the system. `gates` writes Boolean structure as clauses, `encode` gives expressions their [`Word`] in a step, `unroll` connects steps, and
//! `path` leads back up from a model of the solver to a run.
//!
//! What is not linear is a number that nothing is known about. Refutations stay right, and a run that comes of it may be none: [`Unrolling::is_exact`] tells.

mod encode;
mod family;
mod gates;
mod path;
mod product;
mod unroll;
mod word;

pub use path::PathError;
pub use unroll::{Link, Owner, Start, Unrolling};
pub use word::{NotRepresentable, Word};
