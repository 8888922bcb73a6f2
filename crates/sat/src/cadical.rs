//! CaDiCaL behind [`Solver`], for the hard queries: bounded model checking, induction, interpolation, certification.
//!
//! A query runs in slices of conflicts. Between slices the solver compares its own statistics with the tick limit of the
//! budget, which keeps a stop by ticks reproducible; a terminator inside CaDiCaL watches the clock and the interrupt flag,
//! which cannot be reproducible anyway, so that a long slice does not delay them.
//!
//! CaDiCaL restores eliminated variables by itself when they are used again (Fazekas, Biere, Scholl: Incremental
//! Inprocessing in SAT Solving, SAT 2019), so nothing has to be frozen. Bounded variable addition stays off: it invents
//! variables that would clash with ours, and its steps have no resolution proof.
//!
//! # References
//!
//! Biere, Faller, Fazekas, Fleury, Froleyks, Pollitt: CaDiCaL 2.0. CAV 2024.

use std::cell::RefCell;
use std::rc::Rc;

use cadical_sys::{CaDiCal, State, Status, Terminator};

use crate::lrat::Lrat;
use crate::proof::{ProofError, Refutation};
use crate::tracer::Tracer;
use crate::{Label, Lit, Outcome, Solver, Var};
use propcov_budget::{Budget, Meter};

/// Conflicts in the first slice of a query; later slices double up to [`LARGEST_SLICE`].
const FIRST_SLICE: u64 = 2_000;
/// Conflicts in the largest slice: a second or so of work at most.
const LARGEST_SLICE: u64 = 8_000;

/// How CaDiCaL is set up.
#[derive(Clone, Copy, Debug)]
pub struct CadicalConfig {
    /// Simplify the clauses between searches. Pays for hard queries, costs more than it gains on many easy ones.
    pub inprocessing: bool,
    /// Seed of the random decisions.
    pub seed: u64,
}

impl Default for CadicalConfig {
    fn default() -> CadicalConfig {
        CadicalConfig { inprocessing: true, seed: 0 }
    }
}

/// An incremental CaDiCaL solver. It is bound to the thread that made it.
pub struct Cadical {
    /// Reading a value changes CaDiCaL (it extends the model on the first read): hence the cell.
    solver: RefCell<CaDiCal>,
    watch: Rc<RefCell<Watch>>,
    tracer: Option<Rc<RefCell<Tracer>>>,
    variables: u32,
    literals_added: u64,
    meter: Meter,
}

/// Tells CaDiCaL to stop, from inside a slice.
#[derive(Default)]
struct Watch {
    budget: Budget,
}

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.budget.is_exhausted()
    }
}

impl Cadical {
    /// A solver without clauses.
    pub fn new(config: CadicalConfig) -> Cadical {
        let mut solver = CaDiCal::new();
        if !config.inprocessing {
            solver.configure("plain");
            // Keep the trail of shared assumptions between queries.
            solver.set("ilb", 2);
        }
        // Do not guess trivial models before each query: on deep unrollings that took most of the time.
        solver.set("lucky", 0);
        solver.set("factor", 0);
        solver.set("seed", (config.seed % 2_000_000_000) as i32);
        let watch = Rc::new(RefCell::new(Watch::default()));
        solver.connect_terminator(Rc::clone(&watch));
        Cadical {
            solver: RefCell::new(solver),
            watch,
            tracer: None,
            variables: 0,
            literals_added: 0,
            meter: Meter::default(),
        }
    }

    /// The same solver, whose clauses are written within a budget. When that is used up, further clauses are dropped and every query is unknown:
    /// so whoever is writing a large formula need not look at the budget.
    #[must_use]
    pub fn within(self, budget: Budget) -> Cadical {
        Cadical { meter: Meter::new(budget), ..self }
    }

    /// A solver without clauses that remembers how it derives every clause, for [`Cadical::refutation`]. About twice as slow.
    pub fn with_tracing(config: CadicalConfig) -> Cadical {
        let mut cadical = Cadical::new(config);
        let tracer = Rc::new(RefCell::new(Tracer::default()));
        cadical.solver.get_mut().connect_proof_tracer1(Rc::clone(&tracer), true, false);
        cadical.tracer = Some(tracer);
        cadical
    }

    /// Adds a clause for good; inputs of a [`Refutation`] carry its label. [`Solver::add_clause`] uses the default label.
    pub fn add_clause_labelled(&mut self, clause: &[Lit], label: Label) {
        if self.meter.is_spent(clause.len()) {
            return;
        }
        if let Some(tracer) = &self.tracer {
            tracer.borrow_mut().set_label(label);
        }
        let solver = self.solver.get_mut();
        for &lit in clause {
            solver.add(external(lit));
        }
        solver.add(0);
        self.literals_added += clause.len() as u64;
    }

    /// Whenever the solver decides this variable, it tries this literal first.
    pub fn set_phase(&mut self, lit: Lit) {
        self.solver.get_mut().phase(external(lit));
    }

    /// The derivation of the clause of failed assumptions (empty when there are none) after an unsatisfiable query.
    pub fn refutation(&mut self) -> Result<Refutation, ProofError> {
        Refutation::extract(&self.concluded()?.borrow())
    }

    /// The formula and its refutation as text, after a query without assumptions that was unsatisfiable.
    pub fn lrat(&mut self) -> Result<Lrat, ProofError> {
        let variables = self.variables;
        Lrat::extract(&self.concluded()?.borrow(), variables)
    }

    /// The trace of the last query, which was unsatisfiable.
    fn concluded(&mut self) -> Result<&RefCell<Tracer>, ProofError> {
        let tracer = self.tracer.as_ref().ok_or(ProofError::NotTraced)?;
        let solver = self.solver.get_mut();
        if solver.state() != State::UNSATISFIED {
            return Err(ProofError::NotUnsat);
        }
        solver.conclude();
        Ok(tracer)
    }

    /// Conflicts so far, over all queries.
    pub fn conflicts(&self) -> u64 {
        self.statistic("conflicts")
    }

    fn statistic(&self, name: &str) -> u64 {
        u64::try_from(self.solver.borrow().get_statistic_value(name)).unwrap_or(0)
    }
}

impl Solver for Cadical {
    fn new_var(&mut self) -> Var {
        self.variables += 1;
        Var(self.variables - 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.add_clause_labelled(clause, Label::default());
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Outcome {
        self.watch.borrow_mut().budget = budget.clone();
        let last_conflict = budget.conflicts.map(|conflicts| self.conflicts().saturating_add(conflicts));
        let mut slice = FIRST_SLICE;
        loop {
            if self.meter.has_stopped()
                || budget.is_exhausted()
                || self.ticks() > budget.interrupt.tick_limit()
            {
                return Outcome::Unknown;
            }
            let left = last_conflict.map_or(u64::MAX, |last| last.saturating_sub(self.conflicts()));
            let solver = self.solver.get_mut();
            for &assumption in assumptions {
                solver.assume(external(assumption));
            }
            solver.limit("conflicts", slice.min(left) as i32);
            match solver.solve() {
                Status::SATISFIABLE => return Outcome::Sat,
                Status::UNSATISFIABLE => return Outcome::Unsat,
                Status::UNKNOWN if left <= slice => return Outcome::Unknown,
                Status::UNKNOWN => slice = LARGEST_SLICE.min(2 * slice),
            }
        }
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        let mut solver = self.solver.borrow_mut();
        if solver.state() != State::SATISFIED || lit.var().0 >= solver.vars().unsigned_abs() {
            return None;
        }
        Some(solver.val(external(lit)) == external(lit))
    }

    fn failed(&self, assumption: Lit) -> bool {
        let mut solver = self.solver.borrow_mut();
        solver.state() == State::UNSATISFIED && solver.failed(external(assumption))
    }

    fn ticks(&self) -> u64 {
        // CaDiCaL counts cache lines touched in search. Each literal added costs about as much once.
        self.statistic("ticks") + self.literals_added
    }
}

/// CaDiCaL's number of a literal: variables count from 1, negation is the sign.
pub(crate) fn external(lit: Lit) -> i32 {
    let variable = lit.var().0 as i32 + 1;
    if lit.is_negated() { -variable } else { variable }
}

/// The literal of CaDiCaL's number.
pub(crate) fn internal(number: i32) -> Lit {
    Var(number.unsigned_abs() - 1).lit(number > 0)
}
