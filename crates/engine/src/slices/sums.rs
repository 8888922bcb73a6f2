//! Slices of systems with ints and reals: a path in which elements are dropped by assumptions.

use super::{AS_WRITTEN, Claim, Path};
use crate::infinite::Problem;
use crate::limits::Limits;
use propcov_ir::{ElementId, ElementSet, ExprId, Followed, Invariant, PropertyId, System, UnknownReason};
use propcov_sat::{Lit, Outcome, Solver};
use propcov_solve::arith::{Link, Start, Unrolling};

/// How often a model of products is corrected before it is taken as it is.
const CORRECTIONS: usize = 20;

/// A path in the arithmetic solver.
pub struct Sums<'s> {
    problem: Problem<'s>,
    property: ExprId,
    lemmas: Vec<ExprId>,
    path: Unrolling<'s>,
    steps: Vec<Lit>,
}

impl<'s> Sums<'s> {
    /// A path from the beginning or from anywhere, in which these elements can be dropped. `None` for a property that is no invariant.
    pub fn new(
        system: &'s System,
        property: PropertyId,
        droppable: &ElementSet,
        start: Start,
    ) -> Option<Sums<'s>> {
        let problem = Problem::new(system, &AS_WRITTEN, &[property]);
        let (_, property) = problem.properties.first().copied()?;
        let mut path = Unrolling::new(system, &AS_WRITTEN, start, Link::Functional);
        path.make_selectable(droppable);
        Some(Sums { problem, property, lemmas: Vec::new(), path, steps: Vec::new() })
    }
}

fn unsupported(error: impl std::fmt::Display) -> UnknownReason {
    UnknownReason::Unsupported(error.to_string())
}

impl Path for Sums<'_> {
    fn selectors(&self) -> &[(ElementId, Lit)] {
        self.path.selectors()
    }

    fn learn(&mut self, lemmas: &Invariant) {
        let lemmas = self.problem.import(lemmas);
        self.lemmas.extend(lemmas);
    }

    fn on(&mut self, step: usize) -> Result<Lit, UnknownReason> {
        while self.steps.len() <= step {
            let on = self.path.constrained(&self.problem.exprs, self.steps.len()).map_err(unsupported)?;
            self.steps.push(on);
        }
        Ok(self.steps[step])
    }

    fn claim(&mut self, claim: Claim, step: usize) -> Result<Lit, UnknownReason> {
        let expr = match claim {
            Claim::Property => self.property,
            Claim::Lemma(lemma) => self.lemmas[lemma],
        };
        self.path.literal(&self.problem.exprs, step, expr).map_err(unsupported)
    }

    fn fresh(&mut self) -> Lit {
        self.path.fresh()
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.path.clause(clause);
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Outcome {
        let mut corrections = if self.path.is_exact() { 0 } else { CORRECTIONS };
        loop {
            let budget = limits.query(self.path.solved().ticks());
            let outcome = self.path.solver().solve(assumptions, &budget);
            if outcome != Outcome::Sat || corrections == 0 || !self.path.correct_products() {
                return outcome;
            }
            corrections -= 1;
        }
    }

    fn failed(&self, assumption: Lit) -> bool {
        self.path.solved().failed(assumption)
    }

    fn holds(&self, literal: Lit) -> bool {
        self.path.solved().holds(literal)
    }

    fn run(&self, last: usize, dropped: &ElementSet) -> Result<Followed, UnknownReason> {
        self.path.followed(last, dropped).map_err(|error| UnknownReason::NotCertified(error.to_string()))
    }

    fn is_exact(&self) -> bool {
        self.path.is_exact()
    }

    fn ticks(&self) -> u64 {
        self.path.solved().ticks()
    }
}
