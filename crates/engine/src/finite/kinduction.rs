//! k-induction: the property holds in the first k steps, and in every step that follows k steps in which it holds.
//!
//! The base case is bounded model checking, the step a second unrolling from any state. With simple paths the states of
//! the step must be pairwise different, which makes the method complete; such clauses are added only for pairs that a
//! model shows to be equal. When steps become expensive in comparison with the base they are tried less often: a k that fails
//! says little about the next.
//!
//! # References
//! - M. Sheeran, S. Singh, G. Stålmarck: Checking safety properties using induction and a SAT-solver. FMCAD 2000.
//! - N. Eén, N. Sörensson: Temporal induction by incremental SAT solving. BMC 2003.

use super::bmc::{Bmc, Deepened};
use super::{Answer, Lemmas, Problem};
use crate::limits::{Limits, Observer, Stats};
use propcov_ir::UnknownReason;
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::Unroller;
use rustc_hash::FxHashSet;

/// How k-induction works.
#[derive(Clone, Copy, Debug, Default)]
pub struct Config {
    /// Seed of the solvers' decisions.
    pub seed: u64,
    /// Require the states of the step to be pairwise different.
    pub simple_path: bool,
}

/// Ticks that the step may always use, before it has to stay within reach of the base case.
const STEP_ALLOWANCE: u64 = 4_000_000;

/// Decides the problem by k-induction.
pub fn run(
    problem: &Problem<'_>,
    config: Config,
    limits: &Limits,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> Answer {
    let mut base = Bmc::new(problem, config.seed);
    let mut step = Step::new(problem, config);
    let answer = loop {
        let k = base.depth() + 1;
        observer.progress("kinduction", k);
        match base.deepen(limits, stats) {
            Deepened::Violation(trace) => break Answer::Falsified(trace),
            Deepened::Exhausted => break Answer::Unknown(limits.reason()),
            Deepened::Clear => {}
        }
        if limits.exhausted(base.ticks() + step.solver.ticks()) {
            break Answer::Unknown(limits.reason());
        }
        step.extend();
        if step.solver.ticks() <= STEP_ALLOWANCE + base.ticks() / 2 {
            match step.holds(limits, stats) {
                Some(true) => {
                    let lemmas = Lemmas::Clauses(Vec::new());
                    break Answer::Proved { lemmas, k, simple_path: step.used_simple_path() };
                }
                Some(false) => {}
                None => break Answer::Unknown(limits.reason()),
            }
        }
        if limits.depth.is_some_and(|depth| k > depth) {
            break Answer::Unknown(UnknownReason::Bounded(k - 1));
        }
    };
    stats.ticks += base.ticks() + step.solver.ticks();
    answer
}

/// The induction step.
struct Step<'p> {
    problem: &'p Problem<'p>,
    simple_path: bool,
    solver: Cadical,
    unroller: Unroller<'p>,
    /// Pairs of frames that were required to differ.
    distinct: FxHashSet<(usize, usize)>,
}

impl<'p> Step<'p> {
    fn new(problem: &'p Problem<'p>, config: Config) -> Step<'p> {
        let mut solver = problem.solver(CadicalConfig { seed: config.seed, ..CadicalConfig::default() });
        let mut unroller = Unroller::new(&problem.netlist, &problem.template);
        unroller.extend(&mut solver);
        // A path that returns to its first state cannot be cut short when only some inputs are allowed there.
        // Nor can one whose states are known in part.
        let simple_path =
            config.simple_path && !problem.initial_depends_on_inputs() && !problem.netlist.is_watched();
        Step { problem, simple_path, solver, unroller, distinct: FxHashSet::default() }
    }

    /// One more step in which the property is assumed to hold.
    fn extend(&mut self) {
        let bad = self.bad();
        self.solver.add_clause(&[!bad]);
        self.unroller.extend(&mut self.solver);
    }

    /// The violation in the last frame.
    fn bad(&self) -> Lit {
        self.unroller.literal(self.unroller.len() - 1, self.problem.bad())
    }

    fn used_simple_path(&self) -> bool {
        !self.distinct.is_empty()
    }

    /// Whether the property follows in the last frame. `None` when the budget is used up.
    fn holds(&mut self, limits: &Limits, stats: &mut Stats) -> Option<bool> {
        loop {
            let bad = self.bad();
            stats.call("kinduction step");
            match self.solver.solve(&[bad], &limits.budget(self.solver.conflicts())) {
                Outcome::Unsat => return Some(true),
                Outcome::Unknown => return None,
                Outcome::Sat if !self.simple_path => return Some(false),
                Outcome::Sat => {
                    let equal = self.equal_pairs();
                    if equal.is_empty() {
                        return Some(false);
                    }
                    for (earlier, later) in equal {
                        self.require_distinct(earlier, later);
                    }
                }
            }
        }
    }

    /// Pairs of frames with the same state in the model.
    fn equal_pairs(&self) -> Vec<(usize, usize)> {
        let states: Vec<Vec<bool>> = (0..self.unroller.len())
            .map(|frame| {
                let literals = self.unroller.state(frame).into_iter();
                literals.map(|literal| self.solver.holds(literal)).collect()
            })
            .collect();
        let mut pairs = Vec::new();
        for later in 1..states.len() {
            pairs.extend(
                (0..later)
                    .filter(|earlier| states[*earlier] == states[later])
                    .map(|earlier| (earlier, later)),
            );
        }
        pairs
    }

    fn require_distinct(&mut self, earlier: usize, later: usize) {
        if !self.distinct.insert((earlier, later)) {
            return;
        }
        let mut some_differ = Vec::new();
        for (a, b) in self.unroller.state(earlier).into_iter().zip(self.unroller.state(later)) {
            // differs -> a != b; the other direction is not needed.
            let differs = Solver::new_var(&mut self.solver).positive();
            self.solver.add_clause(&[!differs, a, b]);
            self.solver.add_clause(&[!differs, !a, !b]);
            some_differ.push(differs);
        }
        self.solver.add_clause(&some_differ);
    }
}
