//! What any run executes, by definition: all runs are enumerated, for each set of assumptions that might be left out.

use crate::explicit::{Explicit, ExploreError, Outcome};
use crate::expressions::{Expressions, random_value};
use crate::random::Random;
use propcov_ir::{
    ConstraintId, ConstraintKind, Edits, ElementId, ElementKind, Execution, ExprId, PropertyId, SignalId,
    Site, Sort, System, Way,
};

/// Adds assumptions, some of which exclude single values of states or inputs, and says when elements are executed: under random conditions, some of them at an edge.
pub fn add_executions(seed: u64, system: &mut System, count: usize) {
    let mut random = Random::new(seed ^ 0x2eac4);
    let signals: Vec<SignalId> = (0..system.signals().len() as u32).map(SignalId).collect();
    let leaves: Vec<ExprId> = signals.iter().map(|signal| system.read(*signal)).collect();
    for index in 0..random.below(4) {
        let expr = if random.percent(60) {
            let differs = equals(&mut random, system, &leaves);
            system.exprs.not(differs)
        } else {
            Expressions::new(&mut random, &mut system.exprs, &leaves).expr(&Sort::BOOL, 2)
        };
        let kind = if random.percent(80) { ConstraintKind::Always } else { ConstraintKind::Initial };
        let name = format!("assume{index}");
        let id = system.add_constraint(name.clone(), kind, expr);
        // What is assumed need not be an element.
        if random.percent(70) {
            system.add_element(name, ElementKind::Assumption, Site::Constraint(id), None);
        }
    }
    let elements = system.elements().len();
    for _ in 0..if elements == 0 { 0 } else { count } {
        let condition = match random.percent(50) {
            true => equals(&mut random, system, &leaves),
            false => Expressions::new(&mut random, &mut system.exprs, &leaves).expr(&Sort::BOOL, 2),
        };
        let edge = random
            .percent(25)
            .then(|| Expressions::new(&mut random, &mut system.exprs, &leaves).expr(&Sort::BOOL, 1));
        let (element, way) = (ElementId(random.below(elements) as u32), *random.pick(&Way::ALL));
        system.add_execution(Execution { element, way, condition, edge });
    }
}

/// That a signal has some value.
fn equals(random: &mut Random, system: &mut System, leaves: &[ExprId]) -> ExprId {
    let signal = *random.pick(leaves);
    let sort = system.exprs.sort(signal).clone();
    let value = random_value(random, &sort);
    let value = system.exprs.constant(value);
    system.exprs.eq(signal, value)
}

/// For each execution, the sets of assumptions without which it can happen, as bits of a number: bit i is the i-th of [`System::assumptions`].
pub fn reachable_without(system: &System) -> Result<Vec<Vec<bool>>, ExploreError> {
    let mut asked = system.clone();
    // A step that is not the first one, and one in which the condition held in the step before: without that it may be either.
    let first = asked.add_state("first", Sort::BOOL);
    let (yes, no) = (asked.exprs.bool(true), asked.exprs.bool(false));
    asked.set_init(first, yes);
    asked.set_next(first, no);
    let is_first = asked.read(first);
    let mut properties: Vec<PropertyId> = Vec::new();
    for (index, execution) in system.executions().iter().enumerate() {
        let happens = match execution.edge {
            None => execution.condition,
            Some(edge) => {
                let before = asked.add_state(format!("before{index}"), Sort::BOOL);
                asked.set_next(before, execution.condition);
                let before = asked.read(before);
                let is_later = asked.exprs.not(is_first);
                asked.exprs.conjunction([before, edge, is_later])
            }
        };
        properties.push(asked.add_cover(format!("target{index}"), happens, None));
    }
    let assumptions = asked.assumptions();
    let mut answers: Vec<Vec<bool>> = vec![Vec::new(); properties.len()];
    for set in 0..1_u32 << assumptions.len() {
        let left_out: Vec<ConstraintId> =
            (0..assumptions.len()).filter(|at| set >> at & 1 == 1).map(|at| assumptions[at]).collect();
        let explored = Explicit::explore(&asked.without(&left_out), &Edits::none())?;
        for (answers, property) in answers.iter_mut().zip(&properties) {
            answers.push(matches!(explored.outcome(*property), Outcome::Violated { .. }));
        }
    }
    Ok(answers)
}
