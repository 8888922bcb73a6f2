//! Which of some claims are inductive together: one unrolling, one selector for each claim.
//!
//! All claims are assumed in k steps, and asked for in the step that follows. A path on which some of them fail there is a counterexample to
//! induction: those claims are in no inductive part of what was assumed, and are dropped. What is left when there is no such path is the greatest
//! inductive part, whatever paths were met (Houdini; Flanagan and Leino, FME 2001). It does not depend on luck, and neither do answers.
//!
//! Where the question about all of them is hard, claims are asked about one by one, and those that are hard themselves are dropped: the others must not wait for them.

use crate::finite::Problem;
use crate::limits::{Limits, Stats};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::{Bit, Unroller};

/// A question about a single claim gets this part of the patience with a question about all of them.
pub(super) const SINGLE: u64 = 5;

/// What is claimed of a step: one of these bits is true.
pub(crate) type Claim = Vec<Bit>;

/// An induction step of growing length over claims.
pub(crate) struct Step<'p> {
    claims: Vec<Claim>,
    /// For each claim the literal that assumes it; `None` when it is assumed for good.
    hypotheses: Vec<Option<Lit>>,
    /// Claims of which nothing is assumed or asked any more.
    gone: Vec<bool>,
    solver: Cadical,
    path: Unroller<'p>,
}

impl<'p> Step<'p> {
    /// A path of one step, of which nothing is assumed.
    pub(crate) fn new(problem: &'p Problem<'p>, claims: Vec<Claim>, seed: u64) -> Step<'p> {
        let mut solver = problem.solver(CadicalConfig { seed, ..CadicalConfig::default() });
        let mut path = Unroller::new(&problem.netlist, &problem.template);
        path.extend(&mut solver);
        let hypotheses = claims.iter().map(|_| Some(Solver::new_var(&mut solver).positive())).collect();
        let gone = vec![false; claims.len()];
        Step { claims, hypotheses, gone, solver, path }
    }

    pub(crate) fn ticks(&self) -> u64 {
        self.solver.ticks()
    }

    /// One more step: claims may now be assumed in the one that was the last.
    pub(crate) fn extend(&mut self) {
        let last = self.path.len() - 1;
        for claim in 0..self.claims.len() {
            if let (false, Some(hypothesis)) = (self.gone[claim], self.hypotheses[claim]) {
                let mut clause = self.literals(claim, last);
                clause.push(!hypothesis);
                self.solver.add_clause(&clause);
            }
        }
        self.path.extend(&mut self.solver);
        let settled: Vec<usize> =
            (0..self.claims.len()).filter(|claim| self.hypotheses[*claim].is_none()).collect();
        for claim in settled {
            let clause = self.literals(claim, last + 1);
            self.solver.add_clause(&clause);
        }
    }

    /// Asks no more about a claim, and does not assume it: it is false.
    pub(crate) fn drop_claim(&mut self, claim: usize) {
        self.gone[claim] = true;
    }

    /// Assumes a claim in all steps: it holds.
    pub(crate) fn settle(&mut self, claim: usize) {
        self.hypotheses[claim] = None;
        for frame in 0..self.path.len() {
            let clause = self.literals(claim, frame);
            self.solver.add_clause(&clause);
        }
    }

    /// The greatest part of these claims that is inductive, as far as it is easy; `None` when the budget is used up.
    pub(crate) fn greatest(
        &mut self,
        mut candidates: Vec<usize>,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<Vec<usize>> {
        let last = self.path.len() - 1;
        // Only one direction is needed: what is asked for is that some claim fails.
        let mut failures: Vec<Option<Lit>> = vec![None; self.claims.len()];
        for candidate in &candidates {
            let literals = self.literals(*candidate, last);
            failures[*candidate] = Some(match literals[..] {
                [single] => !single,
                _ => {
                    let fails = Solver::new_var(&mut self.solver).positive();
                    literals.iter().for_each(|literal| self.solver.add_clause(&[!fails, !*literal]));
                    fails
                }
            });
        }
        while !candidates.is_empty() {
            if limits.exhausted(self.ticks()) {
                return None;
            }
            let asked = Solver::new_var(&mut self.solver).positive();
            let mut some_fails: Vec<Lit> =
                candidates.iter().filter_map(|candidate| failures[*candidate]).collect();
            some_fails.push(!asked);
            self.solver.add_clause(&some_fails);
            let mut assumptions: Vec<Lit> =
                candidates.iter().filter_map(|candidate| self.hypotheses[*candidate]).collect();
            assumptions.push(asked);
            stats.call("joint step");
            let outcome = self.solve(&assumptions, candidates.len(), limits.patience(), limits);
            let failed: Vec<bool> = match outcome {
                Outcome::Sat => candidates.iter().map(|candidate| self.fails(*candidate, last)).collect(),
                Outcome::Unsat | Outcome::Unknown => Vec::new(),
            };
            self.solver.add_clause(&[!asked]);
            match outcome {
                Outcome::Unsat => break,
                Outcome::Unknown if limits.exhausted(self.ticks()) || candidates.len() == 1 => return None,
                Outcome::Unknown => return self.one_by_one(candidates, &failures, limits, stats),
                Outcome::Sat => {
                    let mut failed = failed.into_iter();
                    candidates.retain(|_| failed.next() == Some(false));
                }
            }
        }
        Some(candidates)
    }

    /// The same by questions about single claims; those that are hard are dropped.
    fn one_by_one(
        &mut self,
        mut candidates: Vec<usize>,
        failures: &[Option<Lit>],
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<Vec<usize>> {
        let last = self.path.len() - 1;
        let mut is_candidate = vec![false; self.claims.len()];
        candidates.iter().for_each(|candidate| is_candidate[*candidate] = true);
        loop {
            let before = candidates.len();
            for candidate in candidates.clone() {
                if limits.exhausted(self.ticks()) {
                    return None;
                }
                if !is_candidate[candidate] {
                    continue;
                }
                let mut assumptions: Vec<Lit> =
                    candidates.iter().filter_map(|candidate| self.hypotheses[*candidate]).collect();
                assumptions.extend(failures[candidate]);
                stats.call("joint step");
                match self.solve(&assumptions, candidates.len(), limits.patience() / SINGLE, limits) {
                    Outcome::Unsat => continue,
                    Outcome::Unknown => is_candidate[candidate] = false,
                    Outcome::Sat => {
                        candidates.iter().for_each(|other| is_candidate[*other] = !self.fails(*other, last));
                    }
                }
                candidates.retain(|other| is_candidate[*other]);
            }
            if candidates.len() == before {
                return Some(candidates);
            }
        }
    }

    /// Asks the solver, with limited patience while there is more than one claim.
    fn solve(&mut self, assumptions: &[Lit], claims: usize, patience: u64, limits: &Limits) -> Outcome {
        let spent = self.solver.conflicts();
        let budget = if claims > 1 { limits.brief_budget(spent, patience) } else { limits.budget(spent) };
        self.solver.solve(assumptions, &budget)
    }

    fn fails(&self, claim: usize, frame: usize) -> bool {
        self.literals(claim, frame).into_iter().all(|literal| !self.solver.holds(literal))
    }

    fn literals(&self, claim: usize, frame: usize) -> Vec<Lit> {
        self.claims[claim].iter().map(|bit| self.path.literal(frame, *bit)).collect()
    }
}
