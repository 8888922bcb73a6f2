//! The solver: clauses by conflict-driven learning, numbers by the simplex method.
//!
//! Level 0 holds what follows from the clauses alone, level 1 all assumptions together, and each further level one decision. A query leaves its
//! assignment in place, as the model, until the next one begins or a clause is added.

use crate::arena::{Arena, ClauseRef};
use crate::atoms::Registry;
use crate::integers::Counts;
use crate::log::Log;
use crate::numeric::Rational;
use crate::order::Order;
use crate::propagate::{Cause, Watch};
use crate::refine::RowReasons;
use crate::simplex::Simplex;
use crate::tableau::NONE;
use crate::{Bound, Linear, Number, NumberKind, TheoryLemma};
use dashu_ratio::RBig;
use propcov_budget::Budget;
use propcov_sat::{Lit, Outcome, Solver, Var};
use std::sync::OnceLock;

/// Watches visited, literals assigned and entries of rows touched that make up one tick: about a tenth of a microsecond.
pub(crate) const STEPS_PER_TICK: u64 = 3;

/// When and why a variable was assigned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assignment {
    pub(crate) level: u32,
    pub(crate) cause: Cause,
}

/// What there was before a level began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelStart {
    pub(crate) trail: usize,
    pub(crate) undo: usize,
    pub(crate) skipped: usize,
    pub(crate) row_reasons: usize,
}

/// An incremental solver for clauses over Boolean variables and linear constraints.
#[derive(Debug)]
pub struct ArithSolver {
    /// 1 for true, -1 for false, 0 for open; by literal.
    pub(crate) values: Vec<i8>,
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) phases: Vec<bool>,
    /// Whether a clause that was added contains the variable: only such variables need be decided.
    pub(crate) is_decidable: Vec<bool>,
    /// The atom of each variable, or [`NONE`].
    pub(crate) atom_of: Vec<u32>,
    pub(crate) watches: Vec<Vec<Watch>>,
    /// The clauses that were added with an atom's variable, by atom.
    pub(crate) occurrences: Vec<Vec<Watch>>,
    /// Atoms that need not be decided, as all their clauses hold.
    pub(crate) skipped: Vec<Var>,
    pub(crate) arena: Arena,
    pub(crate) learnts: Vec<ClauseRef>,
    pub(crate) learnt_limit: usize,
    pub(crate) order: Order,
    pub(crate) trail: Vec<Lit>,
    pub(crate) levels: Vec<LevelStart>,
    /// How much of the trail the clauses have seen.
    pub(crate) propagated: usize,
    /// How much of the trail the simplex method has seen.
    pub(crate) asserted: usize,
    pub(crate) simplex: Simplex,
    pub(crate) row_reasons: RowReasons,
    pub(crate) registry: Registry,
    pub(crate) log: Option<Log>,
    pub(crate) is_inconsistent: bool,
    /// The clause that is false, when there is a conflict.
    pub(crate) conflict: Vec<Lit>,
    pub(crate) learnt: Vec<Lit>,
    pub(crate) antecedents: Vec<Lit>,
    pub(crate) seen: Vec<bool>,
    pub(crate) seen_list: Vec<Var>,
    pub(crate) stack: Vec<Var>,
    pub(crate) level_stamps: Vec<u64>,
    pub(crate) level_stamp: u64,
    pub(crate) failed: Vec<Lit>,
    pub(crate) is_failed: Vec<bool>,
    pub(crate) conflicts: u64,
    pub(crate) clause_ticks: u64,
    /// Ticks and length of the trail at the last look for clauses that hold for good.
    pub(crate) tidied: (u64, usize),
    pub(crate) counts: Counts,
    /// The value of ε in the model.
    pub(crate) epsilon: OnceLock<Rational>,
}

impl Default for ArithSolver {
    fn default() -> ArithSolver {
        ArithSolver::new()
    }
}

impl ArithSolver {
    /// A solver without variables and clauses.
    pub fn new() -> ArithSolver {
        let mut solver = ArithSolver {
            values: Vec::new(),
            assignments: Vec::new(),
            phases: Vec::new(),
            is_decidable: Vec::new(),
            atom_of: Vec::new(),
            watches: Vec::new(),
            occurrences: Vec::new(),
            skipped: Vec::new(),
            arena: Arena::default(),
            learnts: Vec::new(),
            learnt_limit: 2000,
            order: Order::default(),
            trail: Vec::new(),
            levels: Vec::new(),
            propagated: 0,
            asserted: 0,
            simplex: Simplex::default(),
            row_reasons: RowReasons::default(),
            registry: Registry::default(),
            log: None,
            is_inconsistent: false,
            conflict: Vec::new(),
            learnt: Vec::new(),
            antecedents: Vec::new(),
            seen: Vec::new(),
            seen_list: Vec::new(),
            stack: Vec::new(),
            level_stamps: Vec::new(),
            level_stamp: 0,
            failed: Vec::new(),
            is_failed: Vec::new(),
            conflicts: 0,
            clause_ticks: 0,
            tidied: (0, 0),
            counts: Counts::default(),
            epsilon: OnceLock::new(),
        };
        let truth = solver.new_var();
        solver.assign(truth.positive(), Cause::None);
        solver
    }

    /// The literal that always holds.
    pub fn truth(&self) -> Lit {
        Var(0).positive()
    }

    /// A fresh number variable.
    pub fn new_number(&mut self, kind: NumberKind) -> Number {
        self.add_number(kind)
    }

    /// The kind of a number variable.
    pub fn kind(&self, number: Number) -> NumberKind {
        let column = self.registry.column_of[number.0 as usize];
        if self.simplex.columns[column as usize].is_integer { NumberKind::Int } else { NumberKind::Real }
    }

    /// The literal of `sum ≤ 0`. Equal constraints, up to a positive factor and rounding, have one literal, and opposite ones have opposite literals.
    pub fn at_most(&mut self, sum: &Linear) -> Lit {
        self.literal_of(sum, false)
    }

    /// The literal of `sum < 0`.
    pub fn below(&mut self, sum: &Linear) -> Lit {
        self.literal_of(sum, true)
    }

    /// The constraint that a literal stands for: the bound of its variable, negated where the literal is. `None` for Boolean variables.
    pub fn bound(&self, lit: Lit) -> Option<Bound> {
        let atom = self.atom_of[lit.var().index()];
        let bound = (atom != NONE).then(|| self.bound_of_atom(atom))?;
        Some(if lit.is_negated() { bound.negated() } else { bound })
    }

    /// The value of a number in the model of the last query, which was satisfiable. Every number has one.
    pub fn number_value(&self, number: Number) -> RBig {
        self.concrete(self.registry.column_of[number.0 as usize]).to_big()
    }

    /// Whether theory lemmas are kept from now on. They are not unless asked for.
    pub fn keep_lemmas(&mut self) {
        self.log.get_or_insert_default();
    }

    /// All theory lemmas that were used since [`ArithSolver::keep_lemmas`]: every clause that was learnt and every answer "unsatisfiable" follows from the clauses
    /// that were added and these by propositional logic alone.
    pub fn lemmas(&self) -> &[TheoryLemma] {
        self.log.as_ref().map_or(&[], |log| &log.lemmas)
    }

    /// Conflicts so far.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    pub(crate) fn level(&self) -> u32 {
        self.levels.len() as u32
    }
}

impl Solver for ArithSolver {
    fn new_var(&mut self) -> Var {
        let var = Var(self.assignments.len() as u32);
        self.values.extend([0, 0]);
        self.assignments.push(Assignment { level: 0, cause: Cause::None });
        self.phases.push(false);
        self.is_decidable.push(false);
        self.atom_of.push(NONE);
        self.watches.extend([const { Vec::new() }; 2]);
        self.order.add_variable();
        self.seen.push(false);
        self.is_failed.extend([false, false]);
        var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.backtrack(0);
        for lit in clause {
            self.use_atom(lit.var());
        }
        let mut literals: Vec<Lit> = Vec::with_capacity(clause.len());
        for &lit in clause {
            if self.values[lit.index()] == 1 || literals.contains(&!lit) {
                return;
            }
            if self.values[lit.index()] == 0 && !literals.contains(&lit) {
                literals.push(lit);
            }
        }
        for lit in &literals {
            if !std::mem::replace(&mut self.is_decidable[lit.var().index()], true) {
                self.order.insert(lit.var());
            }
        }
        match literals[..] {
            [] => self.is_inconsistent = true,
            [unit] => self.assign(unit, Cause::None),
            _ => {
                let cause = self.attach(&literals, None);
                self.list_occurrences(&literals, cause);
            }
        }
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Outcome {
        self.search(assumptions, budget)
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        match self.values[lit.index()] {
            0 => self.value_of_atom(lit.var()).map(|value| value != lit.is_negated()),
            value => Some(value > 0),
        }
    }

    fn failed(&self, assumption: Lit) -> bool {
        self.is_failed[assumption.index()]
    }

    fn ticks(&self) -> u64 {
        (self.clause_ticks + self.simplex.tableau.ticks) / STEPS_PER_TICK
    }
}
