//! Bounded model checking: is there a run from the beginning that violates a property in step 0, 1, 2, …?
//!
//! One incremental solver for all properties and depths.

use super::Problem;
use crate::limits::{Limits, Observer, Stats};
use propcov_ir::{ExprId, PropertyId, Trace, UnknownReason, Verdict};
use propcov_sat::{Lit, Outcome, Solver};
use propcov_solve::arith::{Link, NotRepresentable, Start, Unrolling};

/// Looks for a violation, depth by depth.
pub fn run<'s>(
    problem: &mut Problem<'s>,
    property: (PropertyId, ExprId),
    limits: &Limits,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> Verdict {
    let mut base = Base::new(problem);
    let mut depth = 0;
    let verdict = loop {
        observer.progress("bmc", depth);
        if limits.depth.is_some_and(|limit| depth > limit) {
            break Verdict::Unknown(UnknownReason::Bounded(depth - 1));
        }
        if limits.exhausted(base.ticks()) {
            break Verdict::Unknown(limits.reason());
        }
        match base.ask(problem, property, depth as usize, limits, stats) {
            Depth::Violation(trace) => break Verdict::Falsified(trace),
            Depth::Clear => stats.clear(depth),
            Depth::Unknown(reason) => break Verdict::Unknown(reason),
        }
        depth += 1;
    };
    stats.ticks += base.ticks();
    verdict
}

/// How often a model of products is corrected before its violation is given up.
const CORRECTIONS: usize = 60;

/// Runs from the beginning.
pub struct Base<'s> {
    path: Unrolling<'s>,
    /// For each step what is assumed where it is part of the run.
    steps: Vec<Lit>,
}

/// What came of a question about one depth.
#[derive(Debug)]
pub enum Depth {
    /// A run whose last step violates the property.
    Violation(Trace),
    /// No run violates it in that step.
    Clear,
    /// No answer, and more steps will not bring one.
    Unknown(UnknownReason),
}

impl<'s> Base<'s> {
    /// No step yet.
    pub fn new(problem: &Problem<'s>) -> Base<'s> {
        Base {
            path: Unrolling::new(problem.system, problem.edits, Start::Initial, Link::Functional)
                .within(problem.budget.clone()),
            steps: Vec::new(),
        }
    }

    /// Work done so far.
    pub fn ticks(&self) -> u64 {
        self.path.solved().ticks()
    }

    /// Whether a run can violate the property in this step. What cannot happen is remembered.
    pub fn ask(
        &mut self,
        problem: &Problem<'s>,
        (id, good): (PropertyId, ExprId),
        step: usize,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Depth {
        let good = match self.literal(problem, good, step) {
            Ok(good) => good,
            Err(error) => return Depth::Unknown(UnknownReason::from(error)),
        };
        stats.call("bmc");
        let mut assumptions = self.steps[..=step].to_vec();
        assumptions.push(!good);
        match self.solve(&assumptions, limits) {
            Outcome::Unknown => Depth::Unknown(limits.reason()),
            Outcome::Unsat => {
                let clause: Vec<Lit> = self.steps[..=step].iter().map(|on| !*on).chain([good]).collect();
                self.path.clause(&clause);
                Depth::Clear
            }
            Outcome::Sat => self.violation(problem, id, step),
        }
    }

    /// Solves, and corrects what the model has wrong about products, a number of times.
    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Outcome {
        for _ in 0..CORRECTIONS {
            let budget = limits.budget(self.path.solved().conflicts());
            let outcome = self.path.solver().solve(assumptions, &budget);
            if outcome != Outcome::Sat || !self.path.correct_products() {
                return outcome;
            }
        }
        let budget = limits.budget(self.path.solved().conflicts());
        self.path.solver().solve(assumptions, &budget)
    }

    fn literal(&mut self, problem: &Problem<'s>, expr: ExprId, step: usize) -> Result<Lit, NotRepresentable> {
        while self.steps.len() <= step {
            let on = self.path.constrained(&problem.exprs, self.steps.len())?;
            self.steps.push(on);
        }
        self.path.literal(&problem.exprs, step, expr)
    }

    fn violation(&self, problem: &Problem<'s>, id: PropertyId, step: usize) -> Depth {
        let trace = match self.path.path(step) {
            Ok(trace) => trace,
            Err(error) => return Depth::Unknown(UnknownReason::NotCertified(error.to_string())),
        };
        match problem.first_violation(trace.clone(), id) {
            Some(trace) => Depth::Violation(trace),
            // The certifier will say what is wrong.
            None if self.path.is_exact() => Depth::Violation(trace),
            None => Depth::Unknown(not_linear()),
        }
    }
}

/// Why there is no answer where linear arithmetic does not suffice.
pub fn not_linear() -> UnknownReason {
    UnknownReason::Incomplete(
        "the answer depends on a product of two variables or a quotient by one, which is beyond linear arithmetic"
            .to_owned(),
    )
}
