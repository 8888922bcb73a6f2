//! Bounded model checking: is there a violation at depth 0, 1, 2, …?
//!
//! One incremental solver; each depth adds a frame and asks under one assumption. A depth without violation is asserted,
//! which helps the next. Finds shortest counterexamples and never proves anything.
//!
//! # References
//! - A. Biere, A. Cimatti, E. Clarke, Y. Zhu: Symbolic model checking without BDDs. TACAS 1999.

use super::{Answer, Problem};
use crate::limits::{Limits, Observer, Stats};
use propcov_ir::UnknownReason;
use propcov_sat::{Cadical, CadicalConfig, Outcome, Solver};
use propcov_solve::{BitTrace, Unroller};

/// Looks for a violation, depth by depth.
pub fn run(
    problem: &Problem<'_>,
    seed: u64,
    limits: &Limits,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> Answer {
    let mut search = Bmc::new(problem, seed);
    let answer = loop {
        observer.progress("bmc", search.depth());
        match search.deepen(limits, stats) {
            Deepened::Violation(trace) => break Answer::Falsified(trace),
            Deepened::Clear if limits.depth.is_some_and(|depth| search.depth() > depth) => {
                break Answer::Unknown(UnknownReason::Bounded(search.depth() - 1));
            }
            Deepened::Clear => {}
            Deepened::Exhausted => break Answer::Unknown(limits.reason()),
        }
    };
    stats.ticks += search.ticks();
    answer
}

/// The search, one depth at a time: k-induction uses it for its base case.
pub(crate) struct Bmc<'p> {
    problem: &'p Problem<'p>,
    solver: Cadical,
    unroller: Unroller<'p>,
}

pub(crate) enum Deepened {
    /// A violation at the depth asked about.
    Violation(BitTrace),
    /// No violation up to and including it.
    Clear,
    /// Out of budget.
    Exhausted,
}

impl<'p> Bmc<'p> {
    pub(crate) fn new(problem: &'p Problem<'p>, seed: u64) -> Bmc<'p> {
        let solver = problem.solver(CadicalConfig { seed, ..CadicalConfig::default() });
        Bmc { problem, solver, unroller: Unroller::new(&problem.netlist, &problem.template) }
    }

    /// The first depth that has not been asked about.
    pub(crate) fn depth(&self) -> u32 {
        self.unroller.len() as u32
    }

    pub(crate) fn ticks(&self) -> u64 {
        self.solver.ticks()
    }

    /// Asks about one more depth.
    pub(crate) fn deepen(&mut self, limits: &Limits, stats: &mut Stats) -> Deepened {
        if limits.exhausted(self.ticks()) {
            return Deepened::Exhausted;
        }
        self.unroller.extend(&mut self.solver);
        let depth = self.unroller.len() - 1;
        if depth == 0 {
            self.unroller.assert_initial(&mut self.solver);
        }
        let bad = self.unroller.literal(depth, self.problem.bad());
        stats.call("bmc");
        match self.solver.solve(&[bad], &limits.budget(self.solver.conflicts())) {
            Outcome::Sat => Deepened::Violation(self.unroller.path(&self.solver)),
            Outcome::Unknown => Deepened::Exhausted,
            Outcome::Unsat => {
                self.solver.add_clause(&[!bad]);
                stats.clear(depth as u32);
                Deepened::Clear
            }
        }
    }
}
