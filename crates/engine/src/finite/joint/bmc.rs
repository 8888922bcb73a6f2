//! Bounded model checking of a whole suite: one unrolling, and for each depth one question about all properties.
//!
//! A run that violates some of them refutes these, and the search goes on for the others. Where the question is hard, each property is asked about by itself.

use super::Run;
use super::claims::SINGLE;
use crate::Config;
use crate::finite::Problem;
use crate::limits::{Limits, Observer, Stats};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::{BitTrace, Unroller};
use std::sync::Arc;

/// Looks for violations, depth by depth. Nothing is proved.
pub(super) fn run(
    problem: &Problem<'_>,
    config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> Run {
    let mut base = Base::new(problem, config.seed);
    let mut found = Run::default();
    for depth in 0.. {
        observer.progress("bmc", depth);
        if base.open.is_empty() || limits.exhausted(base.ticks()) {
            break;
        }
        let clear = base.deepen(limits, stats, |property, trace, ticks| {
            found.violated.push((property, trace, ticks));
        });
        if !clear {
            break;
        }
        base.closed.clear();
        found.cleared = Some(depth);
        if limits.depth.is_some_and(|last| depth >= last) {
            found.bounded = std::mem::take(&mut base.open);
            break;
        }
    }
    found.ticks = base.ticks();
    stats.ticks += found.ticks;
    found
}

/// Bounded model checking of all properties that are open.
pub(super) struct Base<'p> {
    problem: &'p Problem<'p>,
    pub(super) open: Vec<usize>,
    /// Those that were open and are refuted or given up, until somebody takes note.
    pub(super) closed: Vec<usize>,
    solver: Cadical,
    path: Unroller<'p>,
}

impl<'p> Base<'p> {
    pub(super) fn new(problem: &'p Problem<'p>, seed: u64) -> Base<'p> {
        let solver = problem.solver(CadicalConfig { seed, ..CadicalConfig::default() });
        let path = Unroller::new(&problem.netlist, &problem.template);
        let open = (0..problem.netlist.bads.len()).collect();
        Base { problem, open, closed: Vec::new(), solver, path }
    }

    pub(super) fn ticks(&self) -> u64 {
        self.solver.ticks()
    }

    /// Looks for violations one step deeper. Says whether there are no more.
    pub(super) fn deepen(
        &mut self,
        limits: &Limits,
        stats: &mut Stats,
        mut violated: impl FnMut(usize, Arc<BitTrace>, u64),
    ) -> bool {
        self.path.extend(&mut self.solver);
        let depth = self.path.len() - 1;
        if depth == 0 {
            self.path.assert_initial(&mut self.solver);
        }
        loop {
            let asked = Solver::new_var(&mut self.solver).positive();
            let mut some: Vec<Lit> = self.open.iter().map(|property| self.bad(depth, *property)).collect();
            some.push(!asked);
            self.solver.add_clause(&some);
            stats.call("joint bmc");
            let outcome = self.solve(asked, self.open.len() < 2, limits.patience(), limits);
            if outcome == Outcome::Unknown {
                if self.open.len() < 2 || limits.exhausted(self.ticks()) {
                    return false;
                }
                self.solver.add_clause(&[!asked]);
                return self.one_by_one(depth, limits, stats, &mut violated);
            }
            let mut refuted: Vec<usize> = Vec::new();
            if outcome == Outcome::Sat {
                let trace = Arc::new(self.path.path(&self.solver));
                let holds = |property: &usize| self.solver.holds(self.bad(depth, *property));
                (refuted, self.open) = self.open.iter().partition(|property| holds(property));
                let ticks = self.ticks();
                refuted.iter().for_each(|property| violated(*property, Arc::clone(&trace), ticks));
                self.closed.extend(&refuted);
            }
            self.solver.add_clause(&[!asked]);
            if outcome == Outcome::Unsat || self.open.is_empty() {
                let good: Vec<Lit> = self.open.iter().map(|property| !self.bad(depth, *property)).collect();
                good.iter().for_each(|good| self.solver.add_clause(&[*good]));
                return true;
            }
            if refuted.is_empty() || limits.exhausted(self.ticks()) {
                return false;
            }
        }
    }

    /// The same by questions about single properties. Those that are hard are left to others: nobody waits for them.
    fn one_by_one(
        &mut self,
        depth: usize,
        limits: &Limits,
        stats: &mut Stats,
        violated: &mut impl FnMut(usize, Arc<BitTrace>, u64),
    ) -> bool {
        let mut waiting = std::mem::take(&mut self.open).into_iter();
        while let Some(property) = waiting.next() {
            if limits.exhausted(self.ticks()) {
                self.open.push(property);
                self.open.extend(waiting);
                return false;
            }
            let bad = self.bad(depth, property);
            let is_alone = self.open.is_empty() && waiting.len() == 0;
            stats.call("joint bmc");
            match self.solve(bad, is_alone, limits.patience() / SINGLE, limits) {
                Outcome::Unsat => {
                    self.solver.add_clause(&[!bad]);
                    self.open.push(property);
                    continue;
                }
                Outcome::Unknown => {}
                Outcome::Sat => violated(property, Arc::new(self.path.path(&self.solver)), self.ticks()),
            }
            self.closed.push(property);
        }
        true
    }

    /// Asks the solver, with limited patience while there is more than one property.
    fn solve(&mut self, asked: Lit, is_alone: bool, patience: u64, limits: &Limits) -> Outcome {
        let spent = self.solver.conflicts();
        let budget = if is_alone { limits.budget(spent) } else { limits.brief_budget(spent, patience) };
        self.solver.solve(&[asked], &budget)
    }

    fn bad(&self, depth: usize, property: usize) -> Lit {
        self.path.literal(depth, self.problem.netlist.bads[property])
    }
}
