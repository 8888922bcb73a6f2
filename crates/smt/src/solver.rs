//! The solver: clauses by conflict-driven learning, numbers by the simplex method.

use crate::{Bound, Linear, Number, NumberKind, TheoryLemma};
use dashu_ratio::RBig;
use propcov_sat::{Budget, Lit, Outcome, Solver, Var};

/// An incremental solver for clauses over Boolean variables and linear constraints.
#[derive(Debug, Default)]
pub struct ArithSolver {}

impl ArithSolver {
    /// A solver without variables and clauses.
    pub fn new() -> ArithSolver {
        ArithSolver::default()
    }

    /// The literal that always holds.
    pub fn truth(&self) -> Lit {
        Var(0).positive()
    }

    /// A fresh number variable.
    pub fn new_number(&mut self, _kind: NumberKind) -> Number {
        Number(0)
    }

    /// The kind of a number variable.
    pub fn kind(&self, _number: Number) -> NumberKind {
        NumberKind::Int
    }

    /// The literal of `sum ≤ 0`. Equal constraints, up to a positive factor and rounding, have one literal, and opposite ones have opposite literals.
    pub fn at_most(&mut self, _sum: &Linear) -> Lit {
        self.truth()
    }

    /// The literal of `sum < 0`.
    pub fn below(&mut self, _sum: &Linear) -> Lit {
        self.truth()
    }

    /// The constraint that a literal stands for: the bound of its variable, negated where the literal is. `None` for Boolean variables.
    pub fn bound(&self, _lit: Lit) -> Option<Bound> {
        None
    }

    /// The value of a number in the model of the last query, which was satisfiable. Every number has one.
    pub fn number_value(&self, _number: Number) -> RBig {
        RBig::ZERO
    }

    /// Whether theory lemmas are kept from now on. They are not unless asked for.
    pub fn keep_lemmas(&mut self) {}

    /// All theory lemmas that were used since [`ArithSolver::keep_lemmas`]: every clause that was learnt and every answer "unsatisfiable" follows from the clauses
    /// that were added and these by propositional logic alone.
    pub fn lemmas(&self) -> &[TheoryLemma] {
        &[]
    }

    /// Conflicts so far.
    pub fn conflicts(&self) -> u64 {
        0
    }
}

impl Solver for ArithSolver {
    fn new_var(&mut self) -> Var {
        Var(0)
    }

    fn add_clause(&mut self, _clause: &[Lit]) {}

    fn solve(&mut self, _assumptions: &[Lit], _budget: &Budget) -> Outcome {
        Outcome::Unknown
    }

    fn value(&self, _lit: Lit) -> Option<bool> {
        None
    }

    fn failed(&self, _assumption: Lit) -> bool {
        false
    }

    fn ticks(&self) -> u64 {
        0
    }
}
