//! Gates as clauses (Tseitin 1968): one variable per gate, negation for free, constants folded.

use super::array::Arrays;
use crate::Rejection;
use propcov_budget::{Budget, Meter};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};

/// A solver and what is needed to write circuits into it.
pub(crate) struct Gates<S = Cadical> {
    pub(crate) solver: S,
    pub(super) arrays: Arrays,
    truth: Lit,
    meter: Meter,
}

impl Gates {
    /// A solver in which nothing is written yet.
    pub(crate) fn new(config: CadicalConfig) -> Gates {
        Gates::over(Cadical::new(config))
    }
}

impl<S: Solver> Gates<S> {
    /// Writes into a solver.
    pub(crate) fn over(mut solver: S) -> Gates<S> {
        let truth = solver.new_var().positive();
        solver.add_clause(&[truth]);
        Gates { solver, arrays: Arrays::default(), truth, meter: Meter::default() }
    }

    /// The literal of a constant.
    pub(crate) fn constant(&self, value: bool) -> Lit {
        self.truth.negated_if(!value)
    }

    /// A literal about which nothing is known.
    pub(crate) fn fresh(&mut self) -> Lit {
        self.solver.new_var().positive()
    }

    /// From now on, writes within this budget. When it is used up, no clause is written any more, every gate is false, and no query is decided:
    /// an operator that takes millions of gates then soon ends.
    pub(crate) fn watch(&mut self, budget: &Budget) {
        self.meter.watch(budget);
    }

    /// Whether clauses are missing because the budget was used up.
    pub(crate) fn has_stopped(&self) -> bool {
        self.meter.has_stopped()
    }

    /// Notes work that writes no clause. An error when the budget was used up.
    pub(crate) fn spend(&mut self, work: usize) -> Result<(), Rejection> {
        if self.meter.is_spent(work) { Err(Rejection::Undecided) } else { Ok(()) }
    }

    /// Requires one of the literals.
    pub(crate) fn clause(&mut self, literals: &[Lit]) {
        if self.meter.is_spent(literals.len()) {
            return;
        }
        self.solver.add_clause(literals);
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (truth, falsity) = (self.truth, !self.truth);
        if a == falsity || b == falsity || a == !b {
            return falsity;
        }
        if a == truth || a == b {
            return b;
        }
        if b == truth {
            return a;
        }
        if self.has_stopped() {
            return falsity;
        }
        let gate = self.fresh();
        self.clause(&[!gate, a]);
        self.clause(&[!gate, b]);
        self.clause(&[gate, !a, !b]);
        gate
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let (truth, falsity) = (self.truth, !self.truth);
        match (a, b) {
            _ if a == falsity => b,
            _ if b == falsity => a,
            _ if a == truth => !b,
            _ if b == truth => !a,
            _ if a == b => falsity,
            _ if a == !b => truth,
            _ if self.has_stopped() => falsity,
            _ => {
                let gate = self.fresh();
                self.clause(&[!gate, a, b]);
                self.clause(&[!gate, !a, !b]);
                self.clause(&[gate, !a, b]);
                self.clause(&[gate, a, !b]);
                gate
            }
        }
    }

    /// `then` if the condition holds, else `otherwise`.
    pub(crate) fn mux(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        let (truth, falsity) = (self.truth, !self.truth);
        if condition == truth || then == otherwise {
            return then;
        }
        if condition == falsity {
            return otherwise;
        }
        if then == truth || then == condition {
            return self.or(condition, otherwise);
        }
        if then == falsity || then == !condition {
            return self.and(!condition, otherwise);
        }
        if otherwise == truth || otherwise == !condition {
            return self.or(!condition, then);
        }
        if otherwise == falsity || otherwise == condition {
            return self.and(condition, then);
        }
        if self.has_stopped() {
            return falsity;
        }
        let gate = self.fresh();
        self.clause(&[!condition, !then, gate]);
        self.clause(&[!condition, then, !gate]);
        self.clause(&[condition, !otherwise, gate]);
        self.clause(&[condition, otherwise, !gate]);
        gate
    }

    /// The conjunction of all: one variable, whatever their number.
    pub(crate) fn and_all(&mut self, literals: &[Lit]) -> Lit {
        match *literals {
            [] => self.truth,
            [a] => a,
            [a, b] => self.and(a, b),
            _ => {
                let gate = self.fresh();
                for literal in literals {
                    self.clause(&[!gate, *literal]);
                }
                let mut long: Vec<Lit> = literals.iter().map(|literal| !*literal).collect();
                long.push(gate);
                self.clause(&long);
                gate
            }
        }
    }

    /// The disjunction of all.
    pub(crate) fn or_all(&mut self, literals: &[Lit]) -> Lit {
        let negated: Vec<Lit> = literals.iter().map(|literal| !*literal).collect();
        !self.and_all(&negated)
    }

    /// Decides what was written so far.
    pub(crate) fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Outcome {
        if self.has_stopped() {
            return Outcome::Unknown;
        }
        self.solver.solve(assumptions, budget)
    }

    /// The value in the model of the last query, which was satisfiable.
    pub(crate) fn value(&self, literal: Lit) -> Option<bool> {
        self.solver.value(literal)
    }
}
