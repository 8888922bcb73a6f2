//! Induction of any length, with any lemmas, for a whole family: k steps with the invariant and one without it, in one solver.

use super::family::{Clause, Family, Lemmas};
use propcov_budget::Budget;
use propcov_engine::Stats;
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::{Bit, Unroller, at_most_one};
use rustc_hash::FxHashSet;

/// The solvers in which invariants are tried. They are kept from one invariant to the next.
pub(crate) struct Unrolled<'f> {
    family: &'f Family<'f>,
    k: usize,
    step: Path<'f>,
    /// The first k steps of a run.
    start: Path<'f>,
}

/// Frames in a solver, with one selector on at most.
struct Path<'f> {
    solver: Cadical,
    frames: Unroller<'f>,
    /// For each frame of a run but the first, what excuses it from the constraints: a run that ends before owes them nothing.
    excuses: Vec<Lit>,
}

impl<'f> Path<'f> {
    fn new(family: &'f Family<'f>, frames: usize, initial: bool) -> Path<'f> {
        let mut solver = Cadical::new(CadicalConfig { inprocessing: false, ..CadicalConfig::default() });
        let mut path = Unroller::new(&family.problem.netlist, &family.problem.template);
        let mut excuses = Vec::new();
        for frame in 0..frames {
            let excuse = (initial && frame > 0).then(|| Solver::new_var(&mut solver).positive());
            path.extend_unless(excuse, &mut solver);
            excuses.extend(excuse);
        }
        let frames = path;
        if initial {
            frames.assert_initial(&mut solver);
        }
        let selectors = family.problem.netlist.selectors.iter();
        let selectors: Vec<Lit> = selectors.map(|selector| frames.literal(0, selector.bit)).collect();
        at_most_one(&selectors, &mut solver);
        Path { solver, frames, excuses }
    }

    fn instance(&self, frame: usize, clause: &[Bit]) -> Vec<Lit> {
        clause.iter().map(|bit| self.frames.literal(frame, *bit)).collect()
    }

    fn fresh(&mut self) -> Lit {
        Solver::new_var(&mut self.solver).positive()
    }

    /// Requires the clauses in a frame whenever the guard holds.
    fn require(&mut self, guard: Lit, frame: usize, clauses: &[Clause]) {
        for clause in clauses {
            let mut clause = self.instance(frame, clause);
            clause.push(!guard);
            self.solver.add_clause(&clause);
        }
    }

    /// Requires that some clause is false in a frame whenever the guard holds.
    fn violate(&mut self, guard: Lit, frame: usize, clauses: &[Clause]) {
        let mut some = vec![!guard];
        for clause in clauses {
            let violated = self.fresh();
            for literal in self.instance(frame, clause) {
                self.solver.add_clause(&[!violated, !literal]);
            }
            some.push(violated);
        }
        self.solver.add_clause(&some);
        // The run goes on until there.
        for excuse in self.excuses.iter().take(frame) {
            self.solver.add_clause(&[!guard, !*excuse]);
        }
    }

    fn selector(&self, family: &Family<'_>, mutant: usize) -> Option<Lit> {
        family.selector_bit(mutant).map(|bit| self.frames.literal(0, bit))
    }

    /// Those whose being off the refutation used. `None` when there is none, or the budget ran out.
    fn used(
        &mut self,
        family: &Family<'_>,
        guard: Lit,
        candidates: &[usize],
        budget: &Budget,
        stats: &mut Stats,
    ) -> Option<Vec<usize>> {
        let off: Vec<(usize, Lit)> = candidates
            .iter()
            .filter_map(|mutant| Some((*mutant, !self.selector(family, *mutant)?)))
            .collect();
        let mut assumptions: Vec<Lit> = off.iter().map(|(_, literal)| *literal).collect();
        assumptions.push(guard);
        stats.call("core");
        if self.solver.solve(&assumptions, budget) != Outcome::Unsat {
            return None;
        }
        let used = off.iter().filter(|(_, off)| self.solver.failed(*off)).map(|(mutant, _)| *mutant);
        let used = used.collect();
        self.solver.add_clause(&[!guard]);
        Some(used)
    }

    /// Leaves out candidates until no model is left, or all of them when the budget runs out.
    fn exhaust(
        &mut self,
        family: &Family<'_>,
        guard: Lit,
        left: &mut Vec<usize>,
        budget: &Budget,
        stats: &mut Stats,
    ) {
        while !left.is_empty() {
            let some = self.fresh();
            let mut clause = vec![!some];
            clause.extend(left.iter().filter_map(|mutant| self.selector(family, *mutant)));
            self.solver.add_clause(&clause);
            stats.call("family induction");
            match self.solver.solve(&[some, guard], budget) {
                Outcome::Unsat => {
                    self.solver.add_clause(&[!some]);
                    break;
                }
                Outcome::Unknown => return left.clear(),
                Outcome::Sat => {}
            }
            let is_on = |mutant: &usize| {
                self.selector(family, *mutant).is_some_and(|selector| self.solver.holds(selector))
            };
            let Some(failing) = left.iter().copied().find(is_on) else { return left.clear() };
            self.solver.add_clause(&[!some]);
            left.retain(|mutant| *mutant != failing);
        }
        self.solver.add_clause(&[!guard]);
    }
}

impl<'f> Unrolled<'f> {
    /// Induction of length k.
    pub(crate) fn new(family: &'f Family<'f>, k: usize) -> Unrolled<'f> {
        Unrolled { family, k, step: Path::new(family, k + 1, false), start: Path::new(family, k, true) }
    }

    /// The whole invariant, of which the property is a part.
    fn invariant(&self, lemmas: &Lemmas) -> Vec<Clause> {
        let mut invariant = vec![vec![!self.family.bad()]];
        invariant.extend(lemmas.clauses.iter().chain(&lemmas.others).cloned());
        invariant
    }

    fn violated_after(&mut self, invariant: &[Clause]) -> Lit {
        let guard = self.step.fresh();
        for frame in 0..self.k {
            self.step.require(guard, frame, invariant);
        }
        self.step.violate(guard, self.k, invariant);
        guard
    }

    /// See [`Induction::core`](super::induction::Induction::core); without `step`, only of the first k steps.
    pub(crate) fn core(
        &mut self,
        lemmas: &Lemmas,
        candidates: &[usize],
        step: bool,
        budget: &Budget,
        stats: &mut Stats,
    ) -> Option<FxHashSet<usize>> {
        let (family, invariant) = (self.family, self.invariant(lemmas));
        let mut used: FxHashSet<usize> = FxHashSet::default();
        for frame in 0..self.k {
            let guard = self.start.fresh();
            self.start.violate(guard, frame, &invariant);
            used.extend(self.start.used(family, guard, candidates, budget, stats)?);
        }
        if step {
            let guard = self.violated_after(&invariant);
            used.extend(self.step.used(family, guard, candidates, budget, stats)?);
        }
        Some(used)
    }

    /// The candidates on which the invariant is inductive. Whether it holds initially is not asked.
    pub(crate) fn survivors_of_step(
        &mut self,
        lemmas: &Lemmas,
        candidates: &[usize],
        budget: &Budget,
        stats: &mut Stats,
    ) -> Vec<usize> {
        let family = self.family;
        let mut left: Vec<usize> =
            candidates.iter().copied().filter(|mutant| family.contains(*mutant)).collect();
        let invariant = self.invariant(lemmas);
        let guard = self.violated_after(&invariant);
        self.step.exhaust(family, guard, &mut left, budget, stats);
        left
    }

    /// Keeps the candidates on which the invariant holds in the first k steps.
    pub(crate) fn keep_initial(
        &mut self,
        lemmas: &Lemmas,
        left: &mut Vec<usize>,
        budget: &Budget,
        stats: &mut Stats,
    ) {
        let invariant = self.invariant(lemmas);
        for frame in 0..self.k {
            let guard = self.start.fresh();
            self.start.violate(guard, frame, &invariant);
            self.start.exhaust(self.family, guard, left, budget, stats);
        }
    }
}
