//! k-induction of a whole suite: the properties are each other's lemmas.
//!
//! The base case is bounded model checking of all properties at once; a run that violates some of them refutes these, and the search goes on for the
//! others. For each length of the induction, the greatest part of the open properties that is inductive is proved ([`Step::greatest`]), and from then on
//! taken for granted.

use super::claims::{SINGLE, Step};
use super::{Batch, Run};
use crate::Config;
use crate::finite::Problem;
use crate::limits::{Limits, Observer, Stats};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::{BitTrace, Unroller};
use std::sync::Arc;

/// Ticks that steps may always use, before they have to stay within reach of the base case. Proofs are what suites are decided together for: steps may cost more than
/// they do for a single property.
const STEP_ALLOWANCE: u64 = 8_000_000;

/// Decides properties of the problem's netlist.
pub(super) fn run(
    problem: &Problem<'_>,
    config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> Run {
    let seed = config.seed;
    let mut base = Base::new(problem, seed);
    let claims = problem.netlist.bads.iter().map(|bad| vec![!*bad]).collect();
    let mut step = Step::new(problem, claims, seed);
    let mut found = Run::default();
    let mut is_settled = vec![false; problem.netlist.bads.len()];
    let mut k = 0;
    while !base.open.is_empty() {
        k += 1;
        observer.progress("kinduction", k);
        if limits.exhausted(base.ticks() + step.ticks()) {
            break;
        }
        let clear = base.deepen(limits, stats, |property, trace, ticks| {
            found.violated.push((property, trace, ticks + step.ticks()));
        });
        if !clear {
            break;
        }
        found.cleared = Some(k - 1);
        for property in base.closed.drain(..) {
            step.drop_claim(property);
        }
        step.extend();
        if is_tried(k, config.depth) && step.ticks() <= STEP_ALLOWANCE + 2 * base.ticks() {
            let Some(inductive) = step.greatest(base.open.clone(), limits, stats) else { break };
            for property in &inductive {
                step.settle(*property);
                is_settled[*property] = true;
            }
            base.open.retain(|property| !is_settled[*property]);
            if !inductive.is_empty() {
                let ticks = base.ticks() + step.ticks();
                found.batches.push(Batch {
                    properties: inductive,
                    clauses: Vec::new(),
                    clauses_suffice: false,
                    k,
                    ticks,
                });
            }
        }
        if limits.depth.is_some_and(|depth| k > depth) {
            break;
        }
    }
    found.ticks = base.ticks() + step.ticks();
    stats.ticks += found.ticks;
    found
}

/// Whether an induction of this length is tried. Who names a depth expects a proof there, and not before.
fn is_tried(k: u32, depth: Option<u32>) -> bool {
    depth.is_none_or(|depth| k == 1 || k >= depth)
}

/// Bounded model checking of all properties that are open.
struct Base<'p> {
    problem: &'p Problem<'p>,
    open: Vec<usize>,
    /// Those that were open and are refuted or given up, until somebody takes note.
    closed: Vec<usize>,
    solver: Cadical,
    path: Unroller<'p>,
}

impl<'p> Base<'p> {
    fn new(problem: &'p Problem<'p>, seed: u64) -> Base<'p> {
        let solver = problem.solver(CadicalConfig { seed, ..CadicalConfig::default() });
        let path = Unroller::new(&problem.netlist, &problem.template);
        let open = (0..problem.netlist.bads.len()).collect();
        Base { problem, open, closed: Vec::new(), solver, path }
    }

    fn ticks(&self) -> u64 {
        self.solver.ticks()
    }

    /// Looks for violations one step deeper. Says whether there are no more.
    fn deepen(
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
