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
use propcov_budget::Budget;
use propcov_ir::{ExprId, Trace};
use propcov_sat::{Lit, Outcome, Solver};
use propcov_solve::arith::{Link, NotRepresentable, Start, Unrolling};
use rustc_hash::FxHashSet;

/// At most so many conflicts in a query.
const CONFLICTS: u64 = 2000;
/// At most so many rounds to find the candidates that hold in every step whatsoever.
const TRIVIAL_ROUNDS: usize = 6;
/// At most so many runs that refute candidates in a later step: what is wrong but survives is found not to be inductive.
const MODELS: usize = 6;
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

/// A path, and the clause of the last question about it.
struct Path<'s> {
    steps: Unrolling<'s>,
    /// How many steps have their constraints.
    ready: usize,
    /// The literal under which the last question is asked. It is settled before the next one, because until then the model is looked at.
    asked: Option<Lit>,
}

/// Three paths: the beginning of runs, longer runs, and two steps anywhere.
pub(super) struct Prover<'s> {
    /// One step only: constraints on a second one would hide beginnings from which no run goes on.
    beginning: Path<'s>,
    runs: Path<'s>,
    step: Path<'s>,
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
        let path = |start| {
            let steps = Unrolling::new(problem.system, problem.edits, start, Link::Functional)
                .within(problem.budget.clone());
            Path { steps, ready: 0, asked: None }
        };
        Prover {
            beginning: path(Start::Initial),
            runs: path(Start::Initial),
            step: path(Start::Anywhere),
            required: FxHashSet::default(),
        }
    }

    pub(super) fn ticks(&self) -> u64 {
        self.paths().iter().map(|path| path.steps.solved().ticks()).sum()
    }

    fn paths(&self) -> [&Path<'s>; 3] {
        [&self.beginning, &self.runs, &self.step]
    }

    /// Requires lemmas in both steps.
    pub(super) fn require(&mut self, problem: &Problem<'_>, lemmas: &[ExprId]) -> Result<(), Failure> {
        self.step.extend(problem, 2)?;
        for lemma in lemmas {
            if self.required.insert(*lemma) {
                for step in [0, 1] {
                    let literal = self.step.steps.literal(&problem.exprs, step, *lemma)?;
                    self.step.steps.clause(&[literal]);
                }
            }
        }
        Ok(())
    }

    fn check(&self, means: &Means<'_>) -> Result<Budget, Failure> {
        if means.limits.exhausted(self.ticks()) {
            return Err(Failure::Exhausted);
        }
        let spent = self.paths().iter().map(|path| path.steps.solved().conflicts()).sum();
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
        let encoded = self.step.encode(problem, 0, candidates);
        let truth = self.step.steps.solved().truth();
        let (mut open, mut live): (Vec<_>, Vec<_>) =
            (encoded.into_iter().filter(|(_, literal)| *literal != truth).collect(), Vec::new());
        for _ in 0..TRIVIAL_ROUNDS {
            let budget = self.check(means)?;
            means.stats.call("templates trivial");
            match self.step.some_violated(&[], open.iter().map(|(_, literal)| *literal), &budget) {
                Outcome::Sat => {
                    let before = open.len();
                    let (violated, rest) = self.step.split(open);
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
        let most = if depth == 0 { usize::MAX } else { MODELS };
        self.path(depth).extend(problem, depth + 1)?;
        let mut open = self.path(depth).encode(problem, depth, candidates);
        for model in 0..most {
            let budget = self.check(means)?;
            let path = self.path(depth);
            means.stats.call("templates base");
            match path.some_violated(&[], open.iter().map(|(_, literal)| *literal), &budget) {
                Outcome::Sat => {
                    if model < MODELS
                        && path.steps.is_exact()
                        && let Ok(trace) = path.steps.path(depth)
                    {
                        see(&trace);
                    }
                    let before = open.len();
                    open = path.split(open).1;
                    if open.len() == before {
                        return Err(Failure::Hard);
                    }
                }
                Outcome::Unsat => break,
                Outcome::Unknown => return Err(Failure::Hard),
            }
        }
        Ok(open.into_iter().map(|(candidate, _)| candidate).collect())
    }

    /// The path for runs of so many transitions.
    fn path(&mut self, depth: usize) -> &mut Path<'s> {
        if depth == 0 { &mut self.beginning } else { &mut self.runs }
    }

    /// Some run of so many transitions.
    pub(super) fn run(
        &mut self,
        problem: &Problem<'_>,
        depth: usize,
        means: &mut Means<'_>,
    ) -> Result<Option<Trace>, Failure> {
        self.runs.extend(problem, depth + 1)?;
        let budget = self.check(means)?;
        means.stats.call("templates run");
        let outcome = self.runs.steps.solver().solve(&[], &budget);
        Ok(if outcome == Outcome::Sat { self.runs.steps.path(depth).ok() } else { None })
    }

    /// The largest subset that is inductive, and the rest.
    pub(super) fn houdini(
        &mut self,
        problem: &Problem<'_>,
        candidates: Vec<Candidate>,
        means: &mut Means<'_>,
    ) -> Result<(Vec<Candidate>, Vec<Candidate>), Failure> {
        let mut open = Vec::new();
        for (candidate, now) in self.step.encode(problem, 0, candidates) {
            if let Ok(next) = self.step.steps.literal(&problem.exprs, 1, candidate.expr) {
                open.push(((candidate, now), next));
            }
        }
        let mut dropped = Vec::new();
        for _ in 0..STEP_ROUNDS {
            let budget = self.check(means)?;
            means.stats.call("templates step");
            let assumed: Vec<Lit> = open.iter().map(|((_, now), _)| *now).collect();
            let next: Vec<Lit> = open.iter().map(|(_, next)| *next).collect();
            match self.step.some_violated(&assumed, next.into_iter(), &budget) {
                Outcome::Sat => {
                    let before = open.len();
                    let (violated, rest) = self.step.split(open);
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

impl Path<'_> {
    /// Requires the constraints of so many steps.
    fn extend(&mut self, problem: &Problem<'_>, steps: usize) -> Result<(), Failure> {
        while self.ready < steps {
            self.steps.require_constraints(&problem.exprs, self.ready)?;
            self.ready += 1;
        }
        Ok(())
    }

    /// The candidates with their literals in a step. What has none is left out.
    fn encode(
        &mut self,
        problem: &Problem<'_>,
        step: usize,
        candidates: Vec<Candidate>,
    ) -> Encoded<Candidate> {
        let mut encoded = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            if let Ok(literal) = self.steps.literal(&problem.exprs, step, candidate.expr) {
                encoded.push((candidate, literal));
            }
        }
        encoded
    }

    /// Whether one of the literals can be false, under assumptions.
    fn some_violated(
        &mut self,
        assumed: &[Lit],
        literals: impl Iterator<Item = Lit>,
        budget: &Budget,
    ) -> Outcome {
        if let Some(asked) = self.asked.take() {
            self.steps.clause(&[!asked]);
        }
        let asked = self.steps.fresh();
        let clause: Vec<Lit> = std::iter::once(!asked).chain(literals.map(|literal| !literal)).collect();
        if clause.len() == 1 {
            return Outcome::Unsat;
        }
        self.asked = Some(asked);
        self.steps.clause(&clause);
        let assumptions: Vec<Lit> = assumed.iter().copied().chain([asked]).collect();
        self.steps.solver().solve(&assumptions, budget)
    }

    /// Those whose literal the model violates, and the others.
    fn split<T>(&self, open: Encoded<T>) -> (Encoded<T>, Encoded<T>) {
        open.into_iter().partition(|(_, literal)| self.steps.solved().value(*literal) == Some(false))
    }
}
