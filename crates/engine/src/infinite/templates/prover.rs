//! What candidates are asked: whether they hold at the beginning of runs, and whether together they are inductive.
//!
//! Houdini: all candidates are assumed in a step, and while one can be violated in the next one, all that the model violates are dropped. What remains is the
//! largest inductive subset, whatever the order. One solver has the two steps, in which candidates are literals: nothing is encoded twice.
//!
//! # References
//! C. Flanagan, K. R. M. Leino: Houdini, an annotation assistant for ESC/Java. FME 2001.

use super::candidate::Candidate;
use crate::infinite::Problem;
use crate::{Limits, Stats};
use propcov_ir::{ExprId, Trace};
use propcov_sat::{Budget, Lit, Outcome, Solver};
use propcov_solve::arith::{Link, NotRepresentable, Start, Unrolling};
use rustc_hash::FxHashSet;

/// At most so many conflicts in a query.
const CONFLICTS: u64 = 2000;
/// At most so many rounds to find the candidates that hold in every step whatsoever.
const TRIVIAL_ROUNDS: usize = 12;
/// At most so many counterexamples to induction.
const STEP_ROUNDS: usize = 400;

/// Why an answer is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// There is no time left.
    Exhausted,
    /// It is too hard.
    Hard,
    /// The system has something that has no encoding.
    NotRepresentable,
}

impl From<NotRepresentable> for Failure {
    fn from(_: NotRepresentable) -> Failure {
        Failure::NotRepresentable
    }
}

/// Three paths: the beginning of runs, longer runs, and two steps anywhere.
pub(super) struct Prover<'s> {
    /// One step only: constraints on a second one would hide beginnings from which no run goes on.
    beginning: Unrolling<'s>,
    runs: Unrolling<'s>,
    /// How many steps of each have their constraints.
    ready: [usize; 2],
    step: Unrolling<'s>,
    step_is_ready: bool,
    /// What is required in both steps anywhere.
    required: FxHashSet<ExprId>,
}

/// Things with their literals.
type Encoded<T> = Vec<(T, Lit)>;

/// What candidates are checked with.
pub(super) struct Means<'a> {
    pub(super) limits: &'a Limits,
    pub(super) stats: &'a mut Stats,
}

impl<'s> Prover<'s> {
    pub(super) fn new(problem: &Problem<'s>) -> Prover<'s> {
        let path = |start| Unrolling::new(problem.system, problem.edits, start, Link::Functional);
        Prover {
            beginning: path(Start::Initial),
            runs: path(Start::Initial),
            ready: [0, 0],
            step: path(Start::Anywhere),
            step_is_ready: false,
            required: FxHashSet::default(),
        }
    }

    pub(super) fn ticks(&self) -> u64 {
        self.beginning.solved().ticks() + self.runs.solved().ticks() + self.step.solved().ticks()
    }

    /// Requires lemmas in both steps.
    pub(super) fn require(&mut self, problem: &Problem<'_>, lemmas: &[ExprId]) -> Result<(), Failure> {
        if !self.step_is_ready {
            self.step_is_ready = true;
            for step in [0, 1] {
                self.step.require_constraints(&problem.exprs, step)?;
            }
        }
        for lemma in lemmas {
            if self.required.insert(*lemma) {
                for step in [0, 1] {
                    let literal = self.step.literal(&problem.exprs, step, *lemma)?;
                    self.step.clause(&[literal]);
                }
            }
        }
        Ok(())
    }

    fn check(&self, means: &Means<'_>) -> Result<Budget, Failure> {
        if means.limits.exhausted(self.ticks()) {
            return Err(Failure::Exhausted);
        }
        let paths = [&self.beginning, &self.runs, &self.step];
        let spent = paths.iter().map(|path| path.solved().conflicts()).sum();
        let mut budget = means.limits.budget(spent);
        budget.conflicts = Some(budget.conflicts.map_or(CONFLICTS, |left| left.min(CONFLICTS)));
        Ok(budget)
    }

    /// Drops candidates that cannot be encoded, and those that hold in every step that constraints and lemmas allow: they say nothing new.
    pub(super) fn drop_trivial(
        &mut self,
        problem: &Problem<'_>,
        candidates: Vec<Candidate>,
        means: &mut Means<'_>,
    ) -> Result<Vec<Candidate>, Failure> {
        let encoded = encode(&mut self.step, problem, 0, candidates);
        let truth = self.step.solved().truth();
        let (mut open, mut live): (Vec<_>, Vec<_>) =
            (encoded.into_iter().filter(|(_, literal)| *literal != truth).collect(), Vec::new());
        for _ in 0..TRIVIAL_ROUNDS {
            let budget = self.check(means)?;
            means.stats.call("templates trivial");
            match some_violated(&mut self.step, &[], open.iter().map(|(_, literal)| *literal), &budget) {
                Outcome::Sat => {
                    let before = open.len();
                    let (violated, rest) = split(&self.step, open);
                    live.extend(violated);
                    open = rest;
                    if open.len() == before {
                        break;
                    }
                }
                Outcome::Unsat => {
                    open.clear();
                    break;
                }
                Outcome::Unknown => break,
            }
        }
        live.extend(open);
        Ok(live.into_iter().map(|(candidate, _)| candidate).collect())
    }

    /// Drops what is violated in this step of some run. The runs are told.
    pub(super) fn base(
        &mut self,
        problem: &Problem<'_>,
        depth: usize,
        candidates: Vec<Candidate>,
        means: &mut Means<'_>,
        mut see: impl FnMut(&Trace),
    ) -> Result<Vec<Candidate>, Failure> {
        let longer = usize::from(depth > 0);
        while self.ready[longer] <= depth {
            let at = self.ready[longer];
            self.path(depth).require_constraints(&problem.exprs, at)?;
            self.ready[longer] += 1;
        }
        let mut open = encode(self.path(depth), problem, depth, candidates);
        loop {
            let budget = self.check(means)?;
            let path = self.path(depth);
            means.stats.call("templates base");
            match some_violated(path, &[], open.iter().map(|(_, literal)| *literal), &budget) {
                Outcome::Sat => {
                    if path.is_exact()
                        && let Ok(trace) = path.path(depth)
                    {
                        see(&trace);
                    }
                    let before = open.len();
                    open = split(path, open).1;
                    if open.len() == before {
                        return Err(Failure::Hard);
                    }
                }
                Outcome::Unsat => return Ok(open.into_iter().map(|(candidate, _)| candidate).collect()),
                Outcome::Unknown => return Err(Failure::Hard),
            }
        }
    }

    /// The path for runs of so many transitions.
    fn path(&mut self, depth: usize) -> &mut Unrolling<'s> {
        if depth == 0 { &mut self.beginning } else { &mut self.runs }
    }

    /// Some run of so many transitions.
    pub(super) fn run(
        &mut self,
        problem: &Problem<'_>,
        depth: usize,
        means: &mut Means<'_>,
    ) -> Result<Option<Trace>, Failure> {
        while self.ready[1] <= depth {
            self.runs.require_constraints(&problem.exprs, self.ready[1])?;
            self.ready[1] += 1;
        }
        let budget = self.check(means)?;
        means.stats.call("templates run");
        let outcome = self.runs.solver().solve(&[], &budget);
        Ok(if outcome == Outcome::Sat { self.runs.path(depth).ok() } else { None })
    }

    /// The largest subset that is inductive, and the rest.
    pub(super) fn houdini(
        &mut self,
        problem: &Problem<'_>,
        candidates: Vec<Candidate>,
        means: &mut Means<'_>,
    ) -> Result<(Vec<Candidate>, Vec<Candidate>), Failure> {
        let mut open = Vec::new();
        for (candidate, now) in encode(&mut self.step, problem, 0, candidates) {
            if let Ok(next) = self.step.literal(&problem.exprs, 1, candidate.expr) {
                open.push(((candidate, now), next));
            }
        }
        let mut dropped = Vec::new();
        for _ in 0..STEP_ROUNDS {
            let budget = self.check(means)?;
            means.stats.call("templates step");
            let assumed: Vec<Lit> = open.iter().map(|((_, now), _)| *now).collect();
            let next: Vec<Lit> = open.iter().map(|(_, next)| *next).collect();
            match some_violated(&mut self.step, &assumed, next.into_iter(), &budget) {
                Outcome::Sat => {
                    let before = open.len();
                    let (violated, rest) = split(&self.step, open);
                    dropped.extend(violated.into_iter().map(|((candidate, _), _)| candidate));
                    open = rest;
                    if open.len() == before {
                        return Err(Failure::Hard);
                    }
                }
                Outcome::Unsat => {
                    return Ok((open.into_iter().map(|((candidate, _), _)| candidate).collect(), dropped));
                }
                Outcome::Unknown => return Err(Failure::Hard),
            }
        }
        Err(Failure::Hard)
    }
}

/// The candidates with their literals in a step. What has none is left out.
fn encode(
    path: &mut Unrolling<'_>,
    problem: &Problem<'_>,
    step: usize,
    candidates: Vec<Candidate>,
) -> Encoded<Candidate> {
    let mut encoded = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        if let Ok(literal) = path.literal(&problem.exprs, step, candidate.expr) {
            encoded.push((candidate, literal));
        }
    }
    encoded
}

/// Whether one of the literals can be false, under assumptions.
fn some_violated(
    path: &mut Unrolling<'_>,
    assumed: &[Lit],
    literals: impl Iterator<Item = Lit>,
    budget: &Budget,
) -> Outcome {
    let asked = path.fresh();
    let clause: Vec<Lit> = std::iter::once(!asked).chain(literals.map(|literal| !literal)).collect();
    if clause.len() == 1 {
        return Outcome::Unsat;
    }
    path.clause(&clause);
    let assumptions: Vec<Lit> = assumed.iter().copied().chain([asked]).collect();
    let outcome = path.solver().solve(&assumptions, budget);
    if outcome != Outcome::Sat {
        path.clause(&[!asked]);
    }
    outcome
}

/// Those whose literal the model violates, and the others.
fn split<T>(path: &Unrolling<'_>, open: Encoded<T>) -> (Encoded<T>, Encoded<T>) {
    open.into_iter().partition(|(_, literal)| path.solved().value(*literal) == Some(false))
}
