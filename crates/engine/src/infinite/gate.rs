//! The sanity gate ([`crate::gate`]) for systems with ints and reals.

use super::Problem;
use super::base::not_linear;
use crate::gate::{Assumptions, STEPS, minimal_conflict};
use crate::limits::{Limits, Stats};
use propcov_ir::{
    ConstraintId, ConstraintKind, Edits, ElementId, ElementKind, ElementSet, Interpreter, PropertyId, System,
    UnknownReason,
};
use propcov_sat::{Lit, Outcome, Solver};
use propcov_solve::arith::{Link, NotRepresentable, Start, Unrolling};

/// Whether the assumptions leave any run.
pub(crate) fn assumptions(system: &System, edits: &Edits, limits: &Limits, stats: &mut Stats) -> Assumptions {
    if system.constraints().is_empty() {
        return Assumptions::Consistent;
    }
    let problem = Problem::new(system, edits, &[]);
    let is_assumption = |element: &ElementId| system.element(*element).kind == ElementKind::Assumption;
    let selectable: ElementSet = system.element_ids().filter(is_assumption).collect();
    let mut path = Unrolling::new(system, edits, Start::Initial, Link::Functional).within(limits.budget(0));
    path.make_selectable(&selectable);
    let mut search = Search { system, path };
    search
        .run(&problem, limits, stats)
        .unwrap_or_else(|error| Assumptions::Unknown(UnknownReason::from(error)))
}

/// Properties that keep their value when every definition is freed.
pub(crate) fn constant_properties(system: &System, properties: &[PropertyId]) -> Vec<(PropertyId, bool)> {
    let freed = Edits::keep_only(system, &ElementSet::new());
    let problem = Problem::new(system, &freed, properties);
    let mut path = Unrolling::new(system, &freed, Start::Anywhere, Link::Functional);
    let mut constant = Vec::new();
    for (id, expr) in &problem.properties {
        let Ok(holds) = path.literal(&problem.exprs, 0, *expr) else { continue };
        let truth = path.solved().truth();
        if holds.var() == truth.var() {
            constant.push((*id, holds == truth));
        }
    }
    constant
}

struct Search<'s> {
    system: &'s System,
    path: Unrolling<'s>,
}

impl<'s> Search<'s> {
    fn run(
        &mut self,
        problem: &Problem<'s>,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Result<Assumptions, NotRepresentable> {
        for step in 0..STEPS {
            self.path.require_constraints(&problem.exprs, step as usize)?;
            let kept = self.path.selectors().to_vec();
            match self.solve(&kept, limits, stats) {
                Outcome::Sat if self.path.is_exact() || self.is_run(problem, step as usize) => {}
                Outcome::Sat => return Ok(Assumptions::Unknown(not_linear())),
                Outcome::Unknown => return Ok(Assumptions::Unknown(limits.reason())),
                Outcome::Unsat => {
                    let conflict = self.minimal_conflict(limits, stats);
                    return Ok(Assumptions::Conflicting { step, conflict });
                }
            }
        }
        Ok(Assumptions::Consistent)
    }

    /// Whether the model is a run up to a step. Where something is not linear, it need not be.
    fn is_run(&self, problem: &Problem<'s>, last: usize) -> bool {
        let (Ok(trace), Ok(interpreter)) =
            (self.path.path(last), Interpreter::new(problem.system, problem.edits))
        else {
            return false;
        };
        trace.steps.iter().enumerate().all(|(at, step)| {
            let Ok(mut frame) = interpreter.frame(step) else { return false };
            let mut holds = |kind| matches!(frame.violated_constraint(kind), Ok(None));
            if !holds(ConstraintKind::Always) || (at == 0 && !holds(ConstraintKind::Initial)) {
                return false;
            }
            let Some(next) = trace.steps.get(at + 1) else { return true };
            frame.set_next(&next.states).is_ok()
                && matches!(frame.violated_constraint(ConstraintKind::Transition), Ok(None))
        })
    }

    fn solve(&mut self, kept: &[(ElementId, Lit)], limits: &Limits, stats: &mut Stats) -> Outcome {
        let assumptions: Vec<Lit> = kept.iter().map(|(_, literal)| *literal).collect();
        stats.call("gate");
        let budget = limits.budget(self.path.solved().conflicts());
        self.path.solver().solve(&assumptions, &budget)
    }

    fn minimal_conflict(&mut self, limits: &Limits, stats: &mut Stats) -> Vec<ConstraintId> {
        let mut conflict = self.path.selectors().to_vec();
        conflict.retain(|(_, literal)| self.path.solved().failed(*literal));
        minimal_conflict(self.system, conflict, |rest| {
            let conflicting = self.solve(rest, limits, stats) == Outcome::Unsat;
            conflicting
                .then(|| rest.iter().copied().filter(|(_, lit)| self.path.solved().failed(*lit)).collect())
        })
    }
}
