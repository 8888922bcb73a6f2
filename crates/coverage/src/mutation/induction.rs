//! Induction for a whole family of mutants: an invariant is tried on all of them at once.
//!
//! Exactly one mutant is selected. Every model of "Q holds, and after the step it does not" names a mutant on which Q is not inductive,
//! which is then left out. When there is no model left, Q is inductive on everybody who remains: as many queries as failures, plus one
//! (or one per lemma).
//!
//! Invariants of clauses, which IC3 finds, are tried lemma by lemma in [`Consecution`]. Others, and inductions of length k > 1, are
//! unrolled ([`Unrolled`]).

use super::family::{Clause, Family, Lemmas};
use super::simulate::{LANES, Simulator, and, and_not, lanes_up_to, members};
use super::unrolled::Unrolled;
use propcov_budget::Budget;
use propcov_engine::Stats;
use propcov_engine::finite::ic3::Consecution;
use propcov_solve::Bit;
use rustc_hash::FxHashSet;

/// Tries invariants on the mutants of a family.
pub(crate) struct Induction<'f> {
    family: &'f Family<'f>,
    k: usize,
    unrolled: Option<Unrolled<'f>>,
    simulator: Option<Simulator<'f>>,
}

impl<'f> Induction<'f> {
    /// Induction of length k.
    pub(crate) fn new(family: &'f Family<'f>, k: usize) -> Induction<'f> {
        Induction { family, k, unrolled: None, simulator: None }
    }

    fn unrolled(&mut self) -> &mut Unrolled<'f> {
        let (family, k) = (self.family, self.k);
        self.unrolled.get_or_insert_with(|| Unrolled::new(family, k))
    }

    fn by_clauses(&self, lemmas: &Lemmas) -> bool {
        self.k == 1 && lemmas.others.is_empty()
    }

    /// The candidates that the proof of the original uses: with all selectors off it goes through, and these have to be off for that
    /// (Lemma 2). All others survive. `None` when the budget ran out.
    pub(crate) fn core(
        &mut self,
        lemmas: &Lemmas,
        candidates: &[usize],
        budget: &Budget,
        stats: &mut Stats,
    ) -> Option<FxHashSet<usize>> {
        if !self.by_clauses(lemmas) {
            return self.unrolled().core(lemmas, candidates, true, budget, stats);
        }
        let (candidates, selectors) = self.selectors(candidates);
        let clauses = self.family.literals_of(&lemmas.clauses);
        let problem = self.family.problem_with(&candidates, false);
        let mut step = Consecution::all_off(&problem, &selectors, &clauses);
        let mut used: FxHashSet<usize> = FxHashSet::default();
        for query in 0..step.len() {
            stats.call("core");
            match step.needed(query, budget) {
                Ok(needed) => used.extend(needed.into_iter().map(|position| candidates[position])),
                // Without help from the property itself the lemmas do not suffice.
                Err(_) => return self.unrolled().core(lemmas, &candidates, true, budget, stats),
            }
        }
        if self.family.affects_single_steps() {
            used.extend(self.unrolled().core(lemmas, &candidates, false, budget, stats)?);
        }
        Some(used)
    }

    /// The candidates on which the invariant is inductive and holds initially.
    pub(crate) fn survivors(
        &mut self,
        lemmas: &Lemmas,
        candidates: &[usize],
        budget: &Budget,
        stats: &mut Stats,
    ) -> Vec<usize> {
        let mut left = match self.by_clauses(lemmas) {
            true => self.survivors_by_clauses(&lemmas.clauses, candidates, budget, stats),
            false => None,
        }
        .unwrap_or_else(|| self.unrolled().survivors_of_step(lemmas, candidates, budget, stats));
        self.keep_initial(lemmas, &mut left, budget, stats);
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
        if self.k > 1 || self.family.affects_single_steps() {
            self.unrolled().keep_initial(lemmas, left, budget, stats);
        }
    }

    /// `None` when clauses alone do not tell.
    fn survivors_by_clauses(
        &mut self,
        clauses: &[Clause],
        candidates: &[usize],
        budget: &Budget,
        stats: &mut Stats,
    ) -> Option<Vec<usize>> {
        let (candidates, selectors) = self.selectors(candidates);
        let problem = self.family.problem_of(&candidates);
        let literals = self.family.literals_of(clauses);
        let mut left = vec![true; candidates.len()];
        if candidates.len() == 1 {
            // Its selector is fixed: nobody to choose from.
            let mut step = Consecution::one_at_a_time(&problem, &[], &literals);
            let holds = (0..step.len()).all(|query| {
                stats.call("family induction");
                matches!(step.failing(query, budget), Ok(None))
            });
            return Some(if holds { candidates } else { Vec::new() });
        }
        let mut step = Consecution::one_at_a_time(&problem, &selectors, &literals);
        for query in 0..step.len() {
            while left.contains(&true) {
                stats.call("family induction");
                let Some(failing) = step.failing(query, budget).ok()? else { break };
                let (state, inputs) = step.state();
                let others = if query < clauses.len() {
                    self.others_that_fail(clauses, &candidates, &left, &state, &inputs)
                } else {
                    Vec::new()
                };
                for position in others.into_iter().chain([failing]) {
                    if std::mem::replace(&mut left[position], false) {
                        step.switch_off(position);
                    }
                }
            }
        }
        let survivors = candidates.into_iter().zip(left).filter(|(_, left)| *left);
        Some(survivors.map(|(mutant, _)| mutant).collect())
    }

    /// Those of the mutants that are part of the family, and their selectors.
    fn selectors(&self, mutants: &[usize]) -> (Vec<usize>, Vec<Bit>) {
        let inside = mutants.iter().filter_map(|mutant| Some((*mutant, self.family.selector_bit(*mutant)?)));
        inside.unzip()
    }

    /// Positions of those who also leave the clauses from this state under these inputs.
    fn others_that_fail(
        &mut self,
        clauses: &[Clause],
        candidates: &[usize],
        left: &[bool],
        state: &[bool],
        inputs: &[bool],
    ) -> Vec<usize> {
        let family = self.family;
        let netlist = &family.problem.netlist;
        let simulator = self.simulator.get_or_insert_with(|| Simulator::new(family));
        let positions: Vec<usize> = (0..candidates.len()).filter(|position| left[*position]).collect();
        let mut failing = Vec::new();
        for chunk in positions.chunks(LANES) {
            let mutants: Vec<usize> = chunk.iter().map(|position| candidates[*position]).collect();
            simulator.assign(&mutants);
            simulator.set_latches(state);
            simulator.set_inputs(inputs);
            simulator.evaluate();
            let mut lanes = lanes_up_to(chunk.len());
            lanes = and(lanes, simulator.all(&netlist.constraints));
            lanes = and(lanes, simulator.all(&netlist.transitions));
            lanes = and(lanes, simulator.satisfying(clauses));
            // Clauses over latches, so the step itself tells.
            simulator.advance();
            lanes = and_not(lanes, simulator.satisfying(clauses));
            failing.extend(members(lanes).map(|lane| chunk[lane]));
        }
        failing
    }
}
