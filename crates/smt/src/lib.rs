//! Linear arithmetic over integers and rationals, decided together with clauses: a CDCL(T) solver of our own.
//!
//! A literal is a Boolean variable or a linear constraint that was given a literal by [`ArithSolver::at_most`] or [`ArithSolver::below`]. Clauses over
//! both are decided under assumptions, with models in exact arithmetic, failed assumptions, and a log of [theory lemmas](TheoryLemma): each fact about
//! numbers that was used, with the multipliers that prove it. Clauses and lemmas together are propositional, so whoever distrusts this crate checks the
//! lemmas by adding up inequalities and gives the rest to a SAT solver: that is what the certifier does.

mod analyze;
mod arena;
mod atoms;
mod cuts;
mod delta;
mod integers;
mod lemma;
mod linear;
mod log;
mod numeric;
mod order;
mod propagate;
mod reduce;
mod refine;
mod relevance;
mod rows;
mod search;
mod simplex;
mod solver;
mod tableau;
mod theory;

pub use lemma::{Reason, TheoryLemma};
pub use linear::{Bound, Linear, Number, NumberKind, Relation};
pub use solver::ArithSolver;
