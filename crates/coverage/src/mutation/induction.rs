//! Induction for a whole family of mutants: one query proves all of those on which an invariant is inductive.
//!
//! The invariant Q is assumed in k steps and violated in the next, and exactly one mutant is selected. Every model names a
//! mutant on which Q is not inductive; simulating the model's state for all other candidates finds more of them at once. When
//! there is no model left, Q is inductive on every remaining candidate: as many queries as failures, plus one.

use super::family::{Clause, Family, at_most_one};
use super::simulate::{LANES, Simulator, and, and_not, lanes_up_to, members};
use propcov_engine::Stats;
use propcov_sat::{Budget, Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::{Bit, Unroller};
use rustc_hash::FxHashSet;

/// The solvers in which invariants are tried. They are kept from one invariant to the next.
pub(crate) struct Induction<'f> {
    family: &'f Family,
    k: usize,
    step: Path<'f>,
    /// Only where a mutant can change what holds in the first k steps.
    start: Option<Path<'f>>,
    simulator: Simulator<'f>,
}

/// Frames in a solver, with one selector on at most.
struct Path<'f> {
    solver: Cadical,
    frames: Unroller<'f>,
}

impl<'f> Path<'f> {
    fn new(family: &'f Family, frames: usize, initial: bool) -> Path<'f> {
        let mut solver = Cadical::new(CadicalConfig { inprocessing: false, ..CadicalConfig::default() });
        let path = family.unrolled(frames, &mut solver);
        if initial {
            path.assert_initial(&mut solver);
        }
        let selectors: Vec<Lit> =
            family.netlist.selectors.iter().map(|selector| path.literal(0, selector.bit)).collect();
        at_most_one(&selectors, &mut solver);
        Path { solver, frames: path }
    }

    fn instance(&self, frame: usize, clause: &[Bit]) -> Vec<Lit> {
        clause.iter().map(|bit| self.frames.literal(frame, *bit)).collect()
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
            let violated = Solver::new_var(&mut self.solver).positive();
            for literal in self.instance(frame, clause) {
                self.solver.add_clause(&[!violated, !literal]);
            }
            some.push(violated);
        }
        self.solver.add_clause(&some);
    }

    /// A guard that requires one of these mutants to be selected.
    fn one_of(&mut self, family: &Family, mutants: &[usize]) -> Lit {
        let guard = Solver::new_var(&mut self.solver).positive();
        let mut some = vec![!guard];
        some.extend(mutants.iter().filter_map(|mutant| self.selector(family, *mutant)));
        self.solver.add_clause(&some);
        guard
    }

    fn selector(&self, family: &Family, mutant: usize) -> Option<Lit> {
        family.selector_bit(mutant).map(|bit| self.frames.literal(0, bit))
    }

    fn fresh(&mut self) -> Lit {
        Solver::new_var(&mut self.solver).positive()
    }
}

impl<'f> Induction<'f> {
    /// Induction of length k.
    pub(crate) fn new(family: &'f Family, k: usize) -> Induction<'f> {
        let start = family.affects_single_steps() || k > 1;
        Induction {
            family,
            k,
            step: Path::new(family, k + 1, false),
            start: start.then(|| Path::new(family, k, true)),
            simulator: Simulator::new(family),
        }
    }

    /// The property as a clause: it is part of every invariant.
    fn with_property(&self, lemmas: &[Clause]) -> Vec<Clause> {
        let mut invariant = vec![vec![!self.family.bad()]];
        invariant.extend_from_slice(lemmas);
        invariant
    }

    /// The mutants that the proof of the original does not depend on: with all selectors off there is no model, and those whose
    /// being off was not needed for that may be on (Lemma 2). `None` when the budget ran out.
    pub(crate) fn core(
        &mut self,
        lemmas: &[Clause],
        candidates: &[usize],
        budget: &Budget,
        stats: &mut Stats,
    ) -> Option<FxHashSet<usize>> {
        let invariant = self.with_property(lemmas);
        let mut used: FxHashSet<usize> = FxHashSet::default();
        let (family, k) = (self.family, self.k);
        let mut ask = |path: &mut Path<'_>, guard: Lit| {
            let mut off: Vec<(usize, Lit)> = Vec::new();
            for mutant in candidates {
                off.extend(path.selector(family, *mutant).map(|selector| (*mutant, !selector)));
            }
            let mut assumptions: Vec<Lit> = off.iter().map(|(_, literal)| *literal).collect();
            assumptions.push(guard);
            stats.call("core");
            if path.solver.solve(&assumptions, budget) != Outcome::Unsat {
                return false;
            }
            used.extend(off.iter().filter(|(_, off)| path.solver.failed(*off)).map(|(mutant, _)| *mutant));
            path.solver.add_clause(&[!guard]);
            true
        };
        if let Some(start) = &mut self.start {
            for frame in 0..k {
                let guard = start.fresh();
                start.violate(guard, frame, &invariant);
                if !ask(start, guard) {
                    return None;
                }
            }
        }
        let guard = self.step.fresh();
        for frame in 0..k {
            self.step.require(guard, frame, &invariant);
        }
        self.step.violate(guard, k, &invariant);
        ask(&mut self.step, guard).then_some(used)
    }

    /// Which of the candidates the invariant survives on.
    pub(crate) fn attempt(
        &mut self,
        lemmas: &[Clause],
        candidates: &[usize],
        budget: &Budget,
        stats: &mut Stats,
    ) -> Vec<usize> {
        let invariant = self.with_property(lemmas);
        let mut left: Vec<usize> =
            candidates.iter().copied().filter(|mutant| self.family.contains(*mutant)).collect();
        let guard = self.step.fresh();
        for frame in 0..self.k {
            self.step.require(guard, frame, &invariant);
        }
        self.step.violate(guard, self.k, &invariant);
        self.exhaust(true, guard, &invariant, &mut left, budget, stats);
        self.step.solver.add_clause(&[!guard]);
        self.keep_initial(lemmas, &mut left, budget, stats);
        left
    }

    /// Keeps the candidates on which the invariant holds in the first k steps.
    pub(crate) fn keep_initial(
        &mut self,
        lemmas: &[Clause],
        left: &mut Vec<usize>,
        budget: &Budget,
        stats: &mut Stats,
    ) {
        let invariant = self.with_property(lemmas);
        for frame in 0..self.k {
            let Some(start) = &mut self.start else { break };
            let guard = start.fresh();
            start.violate(guard, frame, &invariant);
            self.exhaust(false, guard, &invariant, left, budget, stats);
            if let Some(start) = &mut self.start {
                start.solver.add_clause(&[!guard]);
            }
        }
    }

    /// Removes candidates until no model is left, or all of them when the budget runs out.
    fn exhaust(
        &mut self,
        step: bool,
        guard: Lit,
        invariant: &[Clause],
        left: &mut Vec<usize>,
        budget: &Budget,
        stats: &mut Stats,
    ) {
        let family = self.family;
        while !left.is_empty() {
            let path = match (&mut self.start, step) {
                (Some(start), false) => start,
                _ => &mut self.step,
            };
            let some = path.one_of(family, left);
            stats.call("family induction");
            let outcome = path.solver.solve(&[some, guard], budget);
            match outcome {
                Outcome::Unsat => {
                    path.solver.add_clause(&[!some]);
                    return;
                }
                Outcome::Unknown => return left.clear(),
                Outcome::Sat => {}
            }
            let selected = |mutant: &usize| {
                path.selector(family, *mutant).is_some_and(|selector| path.solver.holds(selector))
            };
            let mut failed: FxHashSet<usize> = left.iter().copied().filter(selected).collect();
            if step && self.k == 1 {
                failed.extend(self.others_that_fail(invariant, left));
            }
            if failed.is_empty() {
                return left.clear(); // a model without a mutant: the invariant does not hold on the original
            }
            let path = if step { &mut self.step } else { self.start.as_mut().unwrap_or(&mut self.step) };
            path.solver.add_clause(&[!some]);
            left.retain(|mutant| !failed.contains(mutant));
        }
    }

    /// The candidates that leave the invariant from the state of the last model, under its inputs.
    fn others_that_fail(&mut self, invariant: &[Clause], left: &[usize]) -> Vec<usize> {
        let netlist = &self.family.netlist;
        let (solver, frames) = (&self.step.solver, &self.step.frames);
        let state: Vec<bool> =
            netlist.latches.iter().map(|latch| solver.holds(frames.literal(0, latch.bit))).collect();
        let inputs: Vec<Vec<bool>> = (0..2)
            .map(|frame| {
                netlist.inputs.iter().map(|input| solver.holds(frames.literal(frame, *input))).collect()
            })
            .collect();
        let mut failing = Vec::new();
        for chunk in left.chunks(LANES) {
            let simulator = &mut self.simulator;
            simulator.assign(chunk);
            simulator.set_latches(&state);
            simulator.set_inputs(&inputs[0]);
            simulator.evaluate();
            let mut lanes = lanes_up_to(chunk.len());
            lanes = and(lanes, simulator.all(&netlist.constraints));
            lanes = and(lanes, simulator.all(&netlist.transitions));
            lanes = and(lanes, simulator.satisfying(invariant));
            simulator.advance();
            simulator.set_inputs(&inputs[1]);
            simulator.evaluate();
            lanes = and(lanes, simulator.all(&netlist.constraints));
            lanes = and_not(lanes, simulator.satisfying(invariant));
            failing.extend(members(lanes).map(|lane| chunk[lane]));
        }
        failing
    }
}
