//! What a hole witness has to be, checked on the design itself and not on any product.
//!
//! Both runs are replayed by the interpreter: one on the design as written, the other on the mutant.

use super::observation::{Observation, Watched};
use propcov_certify::Rejection;
use propcov_ir::{
    Difference, Edits, ExprId, Interpreter, Mutant, PropertyId, PropertyKind, SignalKind, System,
    SystemError, Trace, UnknownReason, Value,
};
use std::fmt::Display;

/// The design, and all that is asked about one of its mutants.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The design, with expressions for all that is observed, and one property more.
    pub(crate) system: System,
    pub(crate) mutant: Mutant,
    edits: Edits,
    pub(crate) properties: Vec<ExprId>,
    pub(crate) observed: Vec<(String, ExprId)>,
    /// Holds in no step, so that the replay of a violation accepts any run.
    never: PropertyId,
}

impl Question {
    /// # Errors
    /// When nothing can be asked: a property is no invariant, the element cannot be mutated, or nobody looks.
    pub(crate) fn new(
        system: &System,
        properties: &[PropertyId],
        mutant: Mutant,
        observation: &Observation,
    ) -> Result<Question, UnknownReason> {
        if !system.mutants_of(mutant.element).contains(&mutant) {
            let name = &system.element(mutant.element).name;
            return Err(UnknownReason::Unsupported(format!("{} of {name}", mutant.mutation.name())));
        }
        if observation.signals.is_empty() {
            return Err(UnknownReason::Incomplete(format!(
                "nobody looks: there are no signals among {}",
                observation.words
            )));
        }
        let invariants = properties.iter().map(|id| {
            let no_invariant = || format!("{} is no invariant", system.property(*id).name);
            system.invariant(*id).ok_or_else(|| UnknownReason::Unsupported(no_invariant()))
        });
        let properties = invariants.collect::<Result<_, _>>()?;
        let mut system = system.clone();
        let observed = observation.signals.iter().map(|(name, watched)| {
            let expr = match watched {
                Watched::Expr(expr) => *expr,
                Watched::Signal(signal) => system.read(*signal),
            };
            (name.clone(), expr)
        });
        let observed = observed.collect();
        let no = system.exprs.bool(false);
        let never = system.add_property("never", PropertyKind::Invariant(no), None);
        let edits = mutant.edits(&system);
        Ok(Question { system, mutant, edits, properties, observed, never })
    }
}

/// Replays pairs of runs.
pub(crate) struct Judge<'q> {
    question: &'q Question,
    original: Interpreter<'q>,
    mutated: Interpreter<'q>,
}

impl<'q> Judge<'q> {
    pub(crate) fn new(question: &'q Question, none: &'q Edits) -> Result<Judge<'q>, SystemError> {
        Ok(Judge {
            question,
            original: Interpreter::new(&question.system, none)?,
            mutated: Interpreter::new(&question.system, &question.edits)?,
        })
    }

    /// The witness that these two runs are.
    ///
    /// # Errors
    /// Why they are none: something is wrong with one of them, they do not agree where they have to, or nothing that is
    /// observed differs in the last step.
    pub(crate) fn difference(&self, original: Trace, mutated: Trace) -> Result<Difference, Rejection> {
        let reject = |why: &str| Rejection::Trace(why.to_owned());
        self.check_run(&self.original, &original)?;
        self.check_run(&self.mutated, &mutated)?;
        accepted(self.check_agreement(&original, &mutated))?;
        let (Some(left), Some(right)) = (original.steps.last(), mutated.steps.last()) else {
            return Err(reject("there are no steps"));
        };
        let (mut left, mut right) =
            (accepted(self.original.frame(left))?, accepted(self.mutated.frame(right))?);
        let mut observed = Vec::new();
        for (name, expr) in &self.question.observed {
            if accepted(left.value(*expr))? != accepted(right.value(*expr))? {
                observed.push(name.clone());
            }
        }
        if observed.is_empty() {
            return Err(reject("nothing that is observed differs in the last step"));
        }
        Ok(Difference { original, mutated, observed })
    }

    /// Accepts a run on which all properties hold.
    fn check_run(&self, interpreter: &Interpreter<'_>, trace: &Trace) -> Result<(), Rejection> {
        accepted(interpreter.replay(trace, self.question.never))?;
        for (index, at) in trace.steps.iter().enumerate() {
            let mut frame = accepted(interpreter.frame(at))?;
            for property in &self.question.properties {
                if accepted(frame.value(*property))? != Value::bool(true) {
                    return Err(Rejection::Trace(format!("a property does not hold in step {index}")));
                }
            }
        }
        Ok(())
    }

    /// Accepts runs with the same choices where the design leaves them open.
    fn check_agreement(&self, original: &Trace, mutated: &Trace) -> Result<(), String> {
        let system = &self.question.system;
        if original.steps.len() != mutated.steps.len() {
            return Err("the two runs have different lengths".to_owned());
        }
        for (index, (left, right)) in original.steps.iter().zip(&mutated.steps).enumerate() {
            if left.inputs != right.inputs {
                return Err(format!("the inputs of step {index} differ"));
            }
            for ((state, left), right) in system.states().iter().zip(&left.states).zip(&right.states) {
                let signal = system.signal(*state);
                let SignalKind::State { init, next } = signal.kind else { continue };
                let open = if index == 0 { init.is_none() } else { next.is_none() };
                if open && left != right {
                    return Err(format!("{} is open, but differs in step {index}", signal.name));
                }
            }
        }
        Ok(())
    }
}

/// What the interpreter does not accept is rejected.
fn accepted<T>(result: Result<T, impl Display>) -> Result<T, Rejection> {
    result.map_err(|error| Rejection::Trace(error.to_string()))
}

/// Accepts a hole witness: two runs under the same choices, one of the design and one of the mutant, on which all constraints
/// and the properties hold, and in whose last step just what the witness names differs of what is observed.
///
/// # Errors
/// What is wrong with it.
pub fn check(
    system: &System,
    properties: &[PropertyId],
    mutant: Mutant,
    observation: &Observation,
    difference: &Difference,
) -> Result<(), Rejection> {
    system.validate().map_err(|error| Rejection::Malformed(error.to_string()))?;
    let question = Question::new(system, properties, mutant, observation)
        .map_err(|reason| Rejection::Malformed(reason.to_string()))?;
    let none = Edits::none();
    let judge = Judge::new(&question, &none).map_err(|error| Rejection::Malformed(error.to_string()))?;
    let found = judge.difference(difference.original.clone(), difference.mutated.clone())?;
    if found.observed == difference.observed {
        Ok(())
    } else {
        Err(Rejection::Trace(format!("what differs is {}", found.observed.join(", "))))
    }
}
