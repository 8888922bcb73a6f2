//! Evidence about liveness: a run that repeats itself, or an invariant of a system that watches.
//!
//! # Lassos
//! The steps are a run, and so is what follows when the last one is followed by the step to which the run returns, again and again: the
//! *compared states* have there the values that the last step gives them, and transition constraints hold. Other states matter to
//! nobody, or may take any value: they go on as their definitions say. What has to be so infinitely often is so in some step of
//! the loop; a formula is evaluated by its definition (`linear`).
//!
//! # Proofs
//! The watching system (`watching`, from the words of [`propcov_ir::LivenessProof`]'s module and nothing else) restricts no run of the system that matters: take any fair run that violates the property.
//!
//! - *Promises.* Let each guess be true exactly when the formula after it is true one step later: f for `X f`, the formula itself for `f U g` and `f R g`. Then by induction
//!   on formulas, and on steps for those of the past, each step claims exactly what is true of the run; so promises are kept, and the negation of the property is claimed in the first step. The
//!   condition of `f U g` is met infinitely often: otherwise from some step on it is promised and hence true, but g is never true again.
//! - *Compassion.* If q holds infinitely often, let the input be false always; if not, p holds finitely often: let the input be true from the last such step on.
//! - So each condition is met infinitely often, and infinitely many rounds come to their end: more than any bound. And since the named states have finitely many values, they have the
//!   same in two steps with each condition met in between, at the first or later, before the second: let the loop start at the first.
//!
//! So if the invariant holds, there is no such run. It does not matter which states are named, nor which bound: others would be another claim, with
//! the same consequence. The invariant is certified like any other, under the edits given; a core frees elements of the watching system, which are those of the system.

mod linear;
mod watching;

pub use watching::with_loops;

use crate::cone::compared_states;
use crate::induction::{check_core, check_proof};
use crate::{Rejection, meaning};
use linear::Word;
use propcov_budget::Budget;
use propcov_ir::{
    ConstraintKind, Edits, ExprId, Fairness, Frame, Interpreter, Invariant, Lasso, LivenessProof, Node,
    Property, PropertyId, PropertyKind, Sort, StepError, System, Value,
};
use rustc_hash::FxHashSet;

/// Accepts that every fair run of the system under edits satisfies a liveness property.
///
/// # Errors
/// Whatever is not established beyond doubt is a [`Rejection`].
pub fn check_liveness(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    evidence: &LivenessProof,
    limits: &Budget,
) -> Result<(), Rejection> {
    let (watching, watched) = watch(system, edits, property, evidence)?;
    check_proof(&watching, edits, watched, &evidence.proof, limits)
}

/// Accepts the core of a proof: with every element outside the core freed, the same proof is accepted.
///
/// # Errors
/// As [`check_liveness`].
pub fn check_liveness_core(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    evidence: &LivenessProof,
    limits: &Budget,
) -> Result<(), Rejection> {
    let (watching, watched) = watch(system, edits, property, evidence)?;
    check_core(&watching, edits, watched, &evidence.proof, limits)
}

/// The watching system that a proof is about, and its invariant.
fn watch(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    evidence: &LivenessProof,
) -> Result<(System, PropertyId), Rejection> {
    check_meaning(system, edits, property)?;
    watching::build(system, property, &evidence.reduction)
}

/// Accepts an infinite fair run of the system under edits that violates a liveness property.
///
/// # Errors
/// Whatever does not fit the system is a [`Rejection`].
pub fn check_lasso(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    lasso: &Lasso,
) -> Result<(), Rejection> {
    let property = check_meaning(system, edits, property)?;
    let rejected = |why: String| Rejection::Trace(why);
    let interpreter =
        Interpreter::new(system, edits).map_err(|error| Rejection::Malformed(error.to_string()))?;
    interpreter.violations(&lasso.trace, &[]).map_err(|error| rejected(error.to_string()))?;
    let steps = &lasso.trace.steps;
    let (Some(last), Some(again)) = (steps.last(), steps.get(lasso.loop_to)) else {
        return Err(rejected(format!("it returns to step {}, which it does not have", lasso.loop_to)));
    };
    let broken = |error: StepError| Rejection::Trace(error.to_string());
    let mut frame = interpreter.frame(last).map_err(broken)?;
    frame.set_next(&again.states).map_err(broken)?;
    if let Some(id) = frame.violated_constraint(ConstraintKind::Transition).map_err(broken)? {
        let name = &system.constraints()[id.0 as usize].name;
        return Err(rejected(format!("constraint {name} does not let it return to step {}", lasso.loop_to)));
    }
    let conditions = conditions(system, property);
    let compared: FxHashSet<_> =
        compared_states(system, edits, conditions, &Invariant::default()).into_iter().collect();
    let follows = frame.successor_values().map_err(broken)?;
    for ((state, follows), value) in system.states().iter().zip(follows).zip(&again.states) {
        if let Some(follows) = follows.filter(|follows| compared.contains(state) && follows != value) {
            let name = &system.signal(*state).name;
            let to = lasso.loop_to;
            return Err(rejected(format!(
                "{name} becomes {follows} after the last step, and is {value} in step {to}"
            )));
        }
    }
    let mut frames = steps
        .iter()
        .map(|step| interpreter.frame(step))
        .collect::<Result<Vec<Frame<'_>>, StepError>>()
        .map_err(broken)?;
    let mut values = |expr: ExprId| -> Result<Vec<bool>, Rejection> {
        let value = |frame: &mut Frame<'_>| Ok(frame.value(expr)? == Value::bool(true));
        frames.iter_mut().map(value).collect::<Result<_, StepError>>().map_err(broken)
    };
    let mut in_loop =
        |expr: ExprId| -> Result<bool, Rejection> { Ok(values(expr)?[lasso.loop_to..].contains(&true)) };
    for condition in &system.fairness {
        let is_met = match *condition {
            Fairness::Justice(expr) => in_loop(expr)?,
            Fairness::Compassion(premise, conclusion) => !in_loop(premise)? || in_loop(conclusion)?,
        };
        if !is_met {
            return Err(rejected("the loop is not fair".to_owned()));
        }
    }
    match &property.kind {
        PropertyKind::Justice(exprs) => {
            for expr in exprs {
                if !in_loop(*expr)? {
                    return Err(rejected(format!("{} never holds in the loop", system.show(*expr))));
                }
            }
        }
        PropertyKind::Ltl(formula) => {
            let word = Word { length: steps.len(), loop_to: lasso.loop_to };
            if word.satisfies(formula, &mut values)? {
                return Err(rejected(format!("the run satisfies {}", property.name)));
            }
        }
        PropertyKind::Invariant(_) | PropertyKind::Ctl(_) => return Err(not_liveness()),
    }
    Ok(())
}

fn not_liveness() -> Rejection {
    Rejection::Unsupported("a property that is not of liveness".to_owned())
}

/// Checks that system, edits and property mean something, and that all conditions speak of single steps.
fn check_meaning<'s>(
    system: &'s System,
    edits: &Edits,
    property: PropertyId,
) -> Result<&'s Property, Rejection> {
    meaning::check_system(system)?;
    meaning::check_edits(system, edits)?;
    let Some(property) = system.properties().get(property.0 as usize) else {
        return Err(Rejection::Malformed(format!("no property {}", property.0)));
    };
    if !property.is_liveness() {
        return Err(not_liveness());
    }
    let mut open = conditions(system, property);
    for condition in &open {
        if *system.exprs.sort(*condition) != Sort::BOOL {
            return Err(Rejection::Malformed(format!("{} is no condition", system.show(*condition))));
        }
    }
    let mut seen = FxHashSet::default();
    while let Some(expr) = open.pop() {
        if seen.insert(expr) {
            match system.exprs.node(expr) {
                Node::Next(_) => {
                    return Err(Rejection::Unsupported("a condition that reads a next value".to_owned()));
                }
                _ => open.extend(system.exprs.operands(expr)),
            }
        }
    }
    Ok(property)
}

/// All that a property, or fairness, asks of a step.
fn conditions(system: &System, property: &Property) -> Vec<ExprId> {
    let mut conditions = match &property.kind {
        PropertyKind::Justice(exprs) => exprs.clone(),
        PropertyKind::Ltl(formula) => formula.atoms(),
        PropertyKind::Invariant(_) | PropertyKind::Ctl(_) => Vec::new(),
    };
    for condition in &system.fairness {
        match *condition {
            Fairness::Justice(expr) => conditions.push(expr),
            Fairness::Compassion(premise, conclusion) => conditions.extend([premise, conclusion]),
        }
    }
    conditions
}
