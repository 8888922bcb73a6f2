//! k-induction of a whole suite: the properties are each other's lemmas.
//!
//! The base case is bounded model checking of all properties at once; a run that violates some of them refutes these, and the search goes on for the
//! others. For each length of the induction, the greatest part of the open properties that is inductive is proved ([`Step::greatest`]), and from then on
//! taken for granted.

use super::Batch;
use super::claims::{SINGLE, Step};
use crate::Config;
use crate::finite::Problem;
use crate::limits::{Limits, Observer, Stats};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::{BitTrace, Unroller};

/// Ticks that steps may always use, before they have to stay within reach of the base case. Proofs are what suites are decided together for: steps may cost more than
/// they do for a single property.
const STEP_ALLOWANCE: u64 = 8_000_000;

/// What k-induction found out.
#[derive(Default)]
pub(super) struct Found {
    /// Properties that a run violates in its last step, with the work until then.
    pub(super) violated: Vec<(usize, BitTrace, u64)>,
    /// What was proved, in order.
    pub(super) batches: Vec<Batch>,
    /// No run of up to so many transitions violates what is still open.
    pub(super) cleared: Option<u32>,
    pub(super) ticks: u64,
}

/// Decides properties of the problem's netlist.
pub(super) fn run(
    problem: &Problem<'_>,
    config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> Found {
    let seed = config.seed;
    let mut base = Base::new(problem, seed);
    let claims = problem.netlist.bads.iter().map(|bad| vec![!*bad]).collect();
    let mut step = Step::new(problem, claims, seed);
    let mut found = Found::default();
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
        let is_open = |property: &usize| base.open.contains(property) || is_settled[*property];
        (0..problem.netlist.bads.len())
            .filter(|property| !is_open(property))
            .for_each(|at| step.drop_claim(at));
        step.extend();
        if is_tried(k, config.depth) && step.ticks() <= STEP_ALLOWANCE + 2 * base.ticks() {
            let Some(inductive) = step.greatest(base.open.clone(), limits, stats) else { break };
            for property in &inductive {
                step.settle(*property);
                is_settled[*property] = true;
            }
            base.open.retain(|property| !inductive.contains(property));
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
    solver: Cadical,
    path: Unroller<'p>,
}

impl<'p> Base<'p> {
    fn new(problem: &'p Problem<'p>, seed: u64) -> Base<'p> {
        let solver = Cadical::new(CadicalConfig { seed, ..CadicalConfig::default() });
        let path = Unroller::new(&problem.netlist, &problem.template);
        Base { problem, open: (0..problem.netlist.bads.len()).collect(), solver, path }
    }

    fn ticks(&self) -> u64 {
        self.solver.ticks()
    }

    /// Looks for violations one step deeper. Says whether there are no more.
    fn deepen(
        &mut self,
        limits: &Limits,
        stats: &mut Stats,
        mut violated: impl FnMut(usize, BitTrace, u64),
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
            let outcome = self.solve(asked, limits.patience(), limits);
            if outcome == Outcome::Unknown {
                if self.open.len() < 2 || limits.exhausted(self.ticks()) {
                    return false;
                }
                self.solver.add_clause(&[!asked]);
                return self.one_by_one(depth, limits, stats, &mut violated);
            }
            let mut refuted: Vec<usize> = Vec::new();
            if outcome == Outcome::Sat {
                let trace = self.path.path(&self.solver);
                let holds = |property: &usize| self.solver.holds(self.bad(depth, *property));
                refuted.extend(self.open.iter().copied().filter(holds));
                let ticks = self.ticks();
                refuted.iter().for_each(|property| violated(*property, trace.clone(), ticks));
                self.open.retain(|property| !refuted.contains(property));
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
        violated: &mut impl FnMut(usize, BitTrace, u64),
    ) -> bool {
        for property in self.open.clone() {
            if limits.exhausted(self.ticks()) {
                return false;
            }
            let bad = self.bad(depth, property);
            stats.call("joint bmc");
            match self.solve(bad, limits.patience() / SINGLE, limits) {
                Outcome::Unsat => {
                    self.solver.add_clause(&[!bad]);
                    continue;
                }
                Outcome::Unknown => {}
                Outcome::Sat => violated(property, self.path.path(&self.solver), self.ticks()),
            }
            self.open.retain(|other| *other != property);
        }
        true
    }

    /// Asks the solver, with limited patience while there is more than one property.
    fn solve(&mut self, asked: Lit, patience: u64, limits: &Limits) -> Outcome {
        let spent = self.solver.conflicts();
        let is_alone = self.open.len() < 2;
        let budget = if is_alone { limits.budget(spent) } else { limits.brief_budget(spent, patience) };
        self.solver.solve(&[asked], &budget)
    }

    fn bad(&self, depth: usize, property: usize) -> Lit {
        self.path.literal(depth, self.problem.netlist.bads[property])
    }
}
