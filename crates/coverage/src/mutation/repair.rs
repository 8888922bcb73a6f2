//! Invariant repair: the greatest part of the lemmas known that is inductive on a mutant, if it still implies the property.
//!
//! This is Houdini (Flanagan, Leino, *Houdini, an annotation assistant for ESC/Java*, FME 2001): assume all lemmas, drop those that a
//! model violates one step later, repeat. Dropping more can only make more fail, so the property's own failure ends the search.

use super::Technique;
use super::family::{Clause, Family};
use super::pursuit::{Pursuit, State};
use propcov_budget::Budget;
use propcov_engine::Stats;
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::Unroller;
use rustc_hash::FxHashSet;

/// What an assumption costs, in ticks.
const ASSUMPTION_TICKS: u64 = 4;

/// Two frames in which lemmas are switched on one by one.
pub(crate) struct Houdini<'f> {
    family: &'f Family<'f>,
    solver: Cadical,
    frames: Unroller<'f>,
    lemmas: Vec<Lemma>,
    known: FxHashSet<Clause>,
    /// Assumptions made so far: each costs something.
    assumed: u64,
}

struct Lemma {
    clause: Clause,
    /// Requires the lemma in the first frame.
    required: Lit,
    /// Implies that it is violated in the second.
    violated: Lit,
}

impl<'f> Houdini<'f> {
    pub(crate) fn new(family: &'f Family<'f>) -> Houdini<'f> {
        let mut solver = Cadical::new(CadicalConfig { inprocessing: false, ..CadicalConfig::default() });
        let mut frames = Unroller::new(&family.problem.netlist, &family.problem.template);
        frames.extend(&mut solver);
        frames.extend(&mut solver);
        // The property holds in the first frame: it is part of every invariant.
        let bad = frames.literal(0, family.bad());
        solver.add_clause(&[!bad]);
        Houdini { family, solver, frames, lemmas: Vec::new(), known: FxHashSet::default(), assumed: 0 }
    }

    /// Makes clauses over latches known.
    pub(crate) fn learn(&mut self, clauses: &[Clause]) {
        for clause in clauses {
            let mut sorted = clause.clone();
            sorted.sort_unstable();
            if !self.known.insert(sorted) {
                continue;
            }
            let required = Solver::new_var(&mut self.solver).positive();
            let violated = Solver::new_var(&mut self.solver).positive();
            let mut now: Vec<Lit> = clause.iter().map(|bit| self.frames.literal(0, *bit)).collect();
            now.push(!required);
            self.solver.add_clause(&now);
            for bit in clause {
                let later = self.frames.literal(1, *bit);
                self.solver.add_clause(&[!violated, !later]);
            }
            self.lemmas.push(Lemma { clause: clause.clone(), required, violated });
        }
    }

    /// How many lemmas are known.
    pub(crate) fn len(&self) -> usize {
        self.lemmas.len()
    }

    /// Work so far. A query costs something even where the solver has nothing to do.
    pub(crate) fn ticks(&self) -> u64 {
        self.solver.ticks() + self.assumed
    }

    /// An inductive part of the lemmas that implies the property on the mutant. `None` if there is none, or within the budget.
    /// Whether it holds initially is not asked here.
    pub(crate) fn repair(
        &mut self,
        mutant: usize,
        budget: &Budget,
        stats: &mut Stats,
    ) -> Option<Vec<Clause>> {
        let selectors = self.family.selection(mutant, |bit| self.frames.literal(0, bit))?;
        let bad_later = self.frames.literal(1, self.family.bad());
        let mut kept: Vec<usize> = (0..self.lemmas.len()).collect();
        loop {
            // Something that is still required is violated one step later.
            let asked = Solver::new_var(&mut self.solver).positive();
            let mut some: Vec<Lit> = kept.iter().map(|lemma| self.lemmas[*lemma].violated).collect();
            some.extend([bad_later, !asked]);
            self.solver.add_clause(&some);
            let mut assumptions = selectors.clone();
            assumptions.extend(kept.iter().map(|lemma| self.lemmas[*lemma].required));
            assumptions.push(asked);
            self.assumed += ASSUMPTION_TICKS * assumptions.len() as u64;
            stats.call("repair");
            let outcome = self.solver.solve(&assumptions, budget);
            let violated = |lemma: &usize| {
                let clause = &self.lemmas[*lemma].clause;
                clause.iter().all(|bit| !self.solver.holds(self.frames.literal(1, *bit)))
            };
            match outcome {
                Outcome::Unknown => return None,
                Outcome::Unsat => {
                    self.solver.add_clause(&[!asked]);
                    return Some(kept.into_iter().map(|lemma| self.lemmas[lemma].clause.clone()).collect());
                }
                Outcome::Sat if self.solver.holds(bad_later) => {
                    self.solver.add_clause(&[!asked]);
                    return None;
                }
                Outcome::Sat => {
                    let failed: FxHashSet<usize> = kept.iter().copied().filter(violated).collect();
                    self.solver.add_clause(&[!asked]);
                    if failed.is_empty() {
                        return None;
                    }
                    kept.retain(|lemma| !failed.contains(lemma));
                }
            }
        }
    }
}

impl Pursuit<'_, '_, '_> {
    /// Lemmas that may help others.
    pub(crate) fn learn(&mut self, clauses: &[Clause]) {
        self.state.pool.extend(clauses.iter().cloned());
    }

    /// Tries to repair the invariant on everybody who is undecided, as long as all repairs together have not done so much work.
    pub(crate) fn repair(&mut self, ticks: u64) {
        let family = self.family;
        for mutant in self.undecided() {
            if self.session.is_over() {
                return;
            }
            let State { lemmas, advised, pool, houdini, tried, .. } = &mut *self.state;
            let houdini = houdini.get_or_insert_with(|| {
                let mut houdini = Houdini::new(family);
                houdini.learn(&lemmas.clauses);
                houdini.learn(advised);
                houdini
            });
            houdini.learn(&std::mem::take(pool));
            let known = houdini.len();
            // By the lemmas of another one, or it was tried with the same lemmas before.
            if self.session.is_decided(self.target, mutant) || tried.get(&mutant) == Some(&known) {
                continue;
            }
            if houdini.ticks() >= ticks {
                return;
            }
            let mut budget = self.session.budget();
            budget.interrupt = budget.interrupt.child();
            budget.interrupt.limit_ticks(ticks.saturating_sub(houdini.assumed));
            let repaired = houdini.repair(mutant, &budget, &mut self.session.stats);
            tried.insert(mutant, known);
            if let Some(lemmas) = repaired {
                self.try_lemmas(&lemmas, Technique::Repair);
            }
        }
    }
}
