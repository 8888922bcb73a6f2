//! Linear arithmetic over integers and rationals, decided together with clauses: a CDCL(T) solver of our own.
//!
//! A literal is a Boolean variable or a linear constraint that was given a literal by [`ArithSolver::at_most`] or [`ArithSolver::below`]. Clauses over
//! both are decided under assumptions, with models in exact arithmetic, failed assumptions, and a log of [theory lemmas](TheoryLemma): each fact about
//! numbers that was used, with the multipliers that prove it. Clauses and lemmas together are propositional, so whoever distrusts this crate checks the
//! lemmas by adding up inequalities and gives the rest to a SAT solver: that is what the certifier does.

mod lemma;
mod linear;
mod solver;

pub use lemma::{Reason, TheoryLemma};
pub use linear::{Bound, Linear, Number, NumberKind, Relation};
pub use solver::ArithSolver;
