//! Incremental SAT solving behind one small interface.
//!
//! Two solvers implement it. [`Cadical`] is the work horse for hard queries (bounded model checking, induction,
//! certification) and can trace its proofs for interpolation. [`ConeSolver`] answers the millions of tiny queries of IC3: it
//! decides only inside the cone that a query names.
//!
//! This crate knows nothing of circuits: encodings live in `propcov-solve`, and the certifier, which must not share them,
//! depends on this crate alone.

mod cadical;
mod cone;
mod lit;
mod lrat;
mod proof;
mod tracer;

use propcov_budget::Budget;

pub use cadical::{Cadical, CadicalConfig};
pub use cone::{ConeSolver, Domain, luby};
pub use lit::{Lit, Var};
pub use lrat::Lrat;
pub use proof::{Derivation, Label, ProofError, Refutation, Step};

/// What a solver found out about one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Satisfiable; [`Solver::value`] gives the model.
    Sat,
    /// Unsatisfiable under the assumptions; [`Solver::failed`] tells which of them were used.
    Unsat,
    /// The budget ran out or somebody interrupted.
    Unknown,
}

/// An incremental SAT solver with assumptions.
pub trait Solver {
    /// A fresh variable.
    fn new_var(&mut self) -> Var;

    /// Adds a clause for good.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Decides the clauses under assumptions, which are forgotten afterwards.
    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Outcome;

    /// The literal's value in the model of the last query, which was satisfiable. `None` when the model leaves it open.
    fn value(&self, lit: Lit) -> Option<bool>;

    /// Whether the literal holds in the model of the last query, where variables that the model leaves open are false.
    fn holds(&self, lit: Lit) -> bool {
        self.value(lit.var().positive()).unwrap_or(false) != lit.is_negated()
    }

    /// Whether the last query, which was unsatisfiable, used this assumption.
    fn failed(&self, assumption: Lit) -> bool;

    /// Work done so far, in ticks of about a cache line touched: the same on every machine, unlike seconds.
    fn ticks(&self) -> u64;
}
