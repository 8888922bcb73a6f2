//! A CDCL solver for queries that concern a small part of a big formula.
//!
//! IC3 asks millions of small questions about one transition relation: is this cube reachable in one step? Only the cone of
//! a few next-state functions matters for each, yet a general solver assigns every gate before it says "satisfiable".
//! [`ConeSolver::solve_in`] takes the variables that matter, the [`Domain`], and never looks beyond: it decides and
//! propagates inside the domain only, and a query costs work in proportion to the domain, never to all variables. The idea is
//! that of GipSAT.
//!
//! # How it departs from the paper
//!
//! All assumptions share the first decision level, one propagated after the other. A conflict on that level is final, and glue
//! does not depend on the number of assumptions. Variables outside the domain carry a value that reads like "satisfied"
//! (see [`propagate`]), so the inner loop needs no test for membership. Where the paper replaces the decision heap by buckets, a
//! small heap of recently bumped variables stands before a stack of all others (see [`order`]).
//!
//! # References
//!
//! Su, Yang, Ci, Li, Bu, Huang: Deeply Optimizing the SAT Solver for the IC3 Algorithm. CAV 2025.
//! Eén, Sörensson: An Extensible SAT-solver. SAT 2003.

mod analyze;
mod arena;
mod domain;
mod order;
mod propagate;
mod reduce;
mod restart;
mod search;
mod watch;

pub use domain::Domain;
pub use restart::luby;

use arena::{Arena, ClauseRef};
use order::Order;
use propagate::Reason;
use watch::{Watch, Watches};

use crate::{Lit, Outcome, Solver, Var};
use propcov_budget::{Budget, Meter};

const FALSE: i8 = -1;
/// Unassigned, in the domain.
const OPEN: i8 = 0;
const TRUE: i8 = 1;
/// Unassigned, outside the domain.
const OUTSIDE: i8 = 2;

/// The decision level of the assumptions; level 0 is the root, where everything holds for good.
const ASSUMPTION_LEVEL: u32 = 1;

/// When and why a variable was assigned.
#[derive(Clone, Copy, Debug)]
struct Assignment {
    level: u32,
    reason: Reason,
}

/// An incremental solver that decides inside a given cone.
///
/// # The contract of the domain
///
/// The caller guarantees: every assignment to the domain that satisfies all clauses lying inside the domain extends to a
/// model of all clauses. This holds when the domain contains the fan-in of each of its gates and all variables of clauses
/// that do not define gates. "Satisfiable" rests on this guarantee; "unsatisfiable" does not. Variables of assumptions and
/// of the temporary clause join the domain by themselves; what they are computed from does not.
// Tables by variable have one entry more than there are variables. The last is the activation variable of the temporary
// clause; between queries no clause mentions it, so it moves on when a variable is added.
#[derive(Clone, Debug)]
pub struct ConeSolver {
    /// By literal.
    values: Vec<i8>,
    variables: Vec<Assignment>,
    /// The value to decide, by variable.
    phases: Vec<bool>,
    order: Order,
    /// Whether `order` holds the open variables.
    is_order_filled: bool,

    arena: Arena,
    watches: Watches,
    learnts: Vec<ClauseRef>,
    /// The temporary clause and all learnt clauses that rest on it.
    temporaries: Vec<ClauseRef>,
    /// The clauses contradict each other.
    is_inconsistent: bool,

    /// Assigned literals, in order.
    trail: Vec<Lit>,
    /// Where each level above the root begins on the trail.
    level_starts: Vec<usize>,
    /// How many literals of the trail were propagated.
    propagated: usize,

    /// Variables to be put back outside when the query is over.
    opened: Vec<Var>,
    /// Every variable is in the domain.
    is_all_open: bool,
    activation: Option<Lit>,
    /// Failed assumptions, as a list and by literal.
    core: Vec<Lit>,
    is_failed: Vec<bool>,

    // What follows is scratch space.
    /// Watches on their way to another list.
    moved: Vec<(Lit, Watch)>,
    learnt: Vec<Lit>,
    seen: Vec<bool>,
    seen_list: Vec<Var>,
    stack: Vec<Var>,
    level_stamps: Vec<u32>,
    level_stamp: u32,

    seed: u64,
    ticks: u64,
    conflicts: u64,
    reduction_limit: usize,
    simplified_units: usize,
    simplified_at_ticks: u64,
    meter: Meter,
}

impl ConeSolver {
    /// The same solver, whose clauses are written within a budget. When that is used up, further clauses are dropped and every query is unknown.
    #[must_use]
    pub fn within(self, budget: Budget) -> ConeSolver {
        ConeSolver { meter: Meter::new(budget), ..self }
    }

    /// A solver without clauses. The seed decides ties between variables that no conflict has met yet.
    pub fn new(seed: u64) -> ConeSolver {
        let mut solver = ConeSolver {
            values: Vec::new(),
            variables: Vec::new(),
            phases: Vec::new(),
            order: Order::new(),
            is_order_filled: false,
            arena: Arena::default(),
            watches: Watches::default(),
            learnts: Vec::new(),
            temporaries: Vec::new(),
            is_inconsistent: false,
            trail: Vec::new(),
            level_starts: Vec::new(),
            propagated: 0,
            opened: Vec::new(),
            is_all_open: false,
            activation: None,
            core: Vec::new(),
            is_failed: Vec::new(),
            moved: Vec::new(),
            learnt: Vec::new(),
            seen: Vec::new(),
            seen_list: Vec::new(),
            stack: Vec::new(),
            level_stamps: Vec::new(),
            level_stamp: 0,
            seed,
            ticks: 0,
            conflicts: 0,
            reduction_limit: reduce::FIRST_REDUCTION,
            simplified_units: 0,
            simplified_at_ticks: 0,
            meter: Meter::default(),
        };
        solver.add_tables();
        solver
    }

    /// A fresh variable. Ends the life of the last model.
    pub fn new_var(&mut self) -> Var {
        self.close();
        let var = self.activation_var();
        if self.is_all_open {
            self.values[var.positive().index()] = OPEN;
            self.values[(!var.positive()).index()] = OPEN;
        }
        // As activation variable it may have been bumped. A tiny start, which the first bump outweighs.
        let mixed = (self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.seed >> 31)
            .wrapping_mul(2 * u64::from(var.0) + 1);
        self.order.set_activity(var, (mixed >> 40) as f64 * 1e-10);
        self.phases[var.index()] = false;
        self.add_tables();
        var
    }

    /// Adds a clause for good. Ends the life of the last model.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        if self.meter.is_spent(clause.len()) {
            return;
        }
        self.close();
        let Some(literals) = self.simplified_at_root(clause) else { return };
        match literals[..] {
            [] => self.is_inconsistent = true,
            [unit] => {
                self.assign(unit, Reason::NONE);
                self.is_inconsistent |= self.propagate_root().is_some();
            }
            [one, other] => self.attach_binary(one, other),
            _ => {
                let clause = self.arena.add(&literals, None);
                self.attach(clause);
            }
        }
    }

    /// Decides the clauses and `temporary`, which holds for this query alone, under assumptions, inside the domain (`None`: all
    /// variables).
    pub fn solve_in(
        &mut self,
        domain: Option<&Domain>,
        assumptions: &[Lit],
        temporary: Option<&[Lit]>,
        budget: &Budget,
    ) -> Outcome {
        self.close();
        for lit in self.core.drain(..) {
            self.is_failed[lit.index()] = false;
        }
        if self.is_inconsistent {
            return Outcome::Unsat;
        }
        if self.meter.has_stopped() || self.is_exhausted(budget) {
            return Outcome::Unknown;
        }
        self.tidy();
        self.open(domain, assumptions, temporary.unwrap_or_default());
        self.ticks += 1 + domain.map_or(0, |domain| domain.len() as u64 / 8);
        let outcome = match temporary {
            Some(clause) if !self.add_temporary(clause) => Outcome::Unsat,
            _ => self.search(assumptions, budget),
        };
        // The trail of a satisfiable query is its model: it stays until the next call.
        if outcome != Outcome::Sat {
            self.close();
        }
        outcome
    }

    /// The literal's value in the model of the last query, which was satisfiable. `None` outside the domain.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.values.get(lit.index()) {
            Some(&TRUE) => Some(true),
            Some(&FALSE) => Some(false),
            _ => None,
        }
    }

    /// Whether the last query, which was unsatisfiable, used this assumption.
    pub fn failed(&self, assumption: Lit) -> bool {
        self.is_failed.get(assumption.index()).is_some_and(|&failed| failed)
    }

    /// Decides this literal rather than its negation, until a search finds reason to change that.
    pub fn prefer(&mut self, lit: Lit) {
        self.phases[lit.var().index()] = !lit.is_negated();
    }

    /// Propagated literals so far, over all queries.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Conflicts so far, over all queries.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    fn level(&self) -> u32 {
        self.level_starts.len() as u32
    }

    fn activation_var(&self) -> Var {
        Var(self.variables.len() as u32 - 1)
    }

    fn is_exhausted(&self, budget: &Budget) -> bool {
        self.ticks > budget.interrupt.tick_limit() || budget.is_exhausted()
    }

    fn add_tables(&mut self) {
        self.values.extend([OUTSIDE; 2]);
        self.is_failed.extend([false; 2]);
        self.watches.add_literal();
        self.watches.add_literal();
        self.order.add_variable();
        self.variables.push(Assignment { level: 0, reason: Reason::NONE });
        self.phases.push(false);
        self.seen.push(false);
    }

    /// The clause without repetitions and literals that are false for good; `None` if it is true for good.
    fn simplified_at_root(&self, clause: &[Lit]) -> Option<Vec<Lit>> {
        debug_assert_eq!(self.level(), 0);
        let mut literals: Vec<Lit> =
            clause.iter().copied().filter(|lit| self.values[lit.index()] != FALSE).collect();
        literals.sort_unstable();
        literals.dedup();
        let is_tautology = literals.windows(2).any(|pair| pair[0] == !pair[1]);
        let is_satisfied = literals.iter().any(|lit| self.values[lit.index()] == TRUE);
        (!is_tautology && !is_satisfied).then_some(literals)
    }

    fn attach_binary(&mut self, one: Lit, other: Lit) {
        self.watches.push(one, Watch::binary(other));
        self.watches.push(other, Watch::binary(one));
    }

    fn attach(&mut self, clause: ClauseRef) {
        let (one, other) = (self.arena.literal(clause, 0), self.arena.literal(clause, 1));
        self.watches.push(one, Watch::long(other, clause));
        self.watches.push(other, Watch::long(one, clause));
    }

    fn detach(&mut self, clause: ClauseRef) {
        for position in 0..2 {
            self.watches.remove(self.arena.literal(clause, position), clause);
        }
    }
}

impl Solver for ConeSolver {
    fn new_var(&mut self) -> Var {
        ConeSolver::new_var(self)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        ConeSolver::add_clause(self, clause);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Outcome {
        self.solve_in(None, assumptions, None, budget)
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        ConeSolver::value(self, lit)
    }

    fn failed(&self, assumption: Lit) -> bool {
        ConeSolver::failed(self, assumption)
    }

    fn ticks(&self) -> u64 {
        ConeSolver::ticks(self)
    }
}
