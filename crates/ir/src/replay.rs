//! Checks that a trace is a run of the system under edits, and that its last step violates a property.
//!
//! A trace holds every choice, so this is evaluation only. It does not ask that the property holds before the last step.

use crate::{ConstraintId, ConstraintKind, Frame, Interpreter, PropertyId, StepError, Trace, Value};
use thiserror::Error;

/// Why a trace is no counterexample.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("step {step}: {problem}")]
pub struct ReplayError {
    /// The step, counting from 0.
    pub step: usize,
    /// What is wrong there.
    pub problem: ReplayProblem,
}

/// What is wrong in a step of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayProblem {
    /// The trace has no steps.
    #[error("the trace is empty")]
    Empty,
    /// The property does not exist, or is no invariant, so no finite run refutes it.
    #[error("{0} is no invariant")]
    NotAnInvariant(String),
    /// The step's values do not fit the system.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A state does not start with its initial value.
    #[error("{state} starts with {found}, its initial value is {expected}")]
    Initial {
        /// The state's name.
        state: String,
        /// What its `init` evaluates to.
        expected: Box<Value>,
        /// What the trace says.
        found: Box<Value>,
    },
    /// A state does not have the value that the step before gave it.
    #[error("{state} is {found}, the step before makes it {expected}")]
    Transition {
        /// The state's name.
        state: String,
        /// What its `next` evaluated to.
        expected: Box<Value>,
        /// What the trace says.
        found: Box<Value>,
    },
    /// A constraint does not hold in this step or, for transition constraints, from this step to the next.
    #[error("constraint {0} does not hold")]
    Constraint(String),
    /// The property holds in the last step.
    #[error("the trace ends here, but {0} holds")]
    PropertyHolds(String),
}

impl Interpreter<'_> {
    /// Checks that the trace is a run whose last step violates the property, an invariant.
    ///
    /// # Errors
    /// The first step that does not fit, and why.
    pub fn replay(&self, trace: &Trace, property: PropertyId) -> Result<(), ReplayError> {
        let last = trace.steps.len().saturating_sub(1);
        self.walk(trace, |index, frame| match index == last {
            true => self.check_violation(frame, property),
            false => Ok(()),
        })
    }

    /// Checks that the trace is a run; the first step that violates each of the properties, all of them invariants.
    ///
    /// # Errors
    /// The first step that does not fit, and why.
    pub fn violations(
        &self,
        trace: &Trace,
        properties: &[PropertyId],
    ) -> Result<Vec<Option<usize>>, ReplayError> {
        let mut violations = vec![None; properties.len()];
        self.walk(trace, |index, frame| {
            for (property, first) in
                properties.iter().zip(&mut violations).filter(|(_, first)| first.is_none())
            {
                match self.check_violation(frame, *property) {
                    Ok(()) => *first = Some(index),
                    Err(ReplayProblem::PropertyHolds(_)) => {}
                    Err(problem) => return Err(problem),
                }
            }
            Ok(())
        })?;
        Ok(violations)
    }

    /// Goes through a trace that has to be a run, step by step.
    fn walk(
        &self,
        trace: &Trace,
        mut visit: impl FnMut(usize, &mut Frame<'_>) -> Result<(), ReplayProblem>,
    ) -> Result<(), ReplayError> {
        if trace.steps.is_empty() {
            return Err(ReplayError { step: 0, problem: ReplayProblem::Empty });
        }
        let at = |step: usize| move |problem: ReplayProblem| ReplayError { step, problem };
        let mut expected: Option<Vec<Option<Value>>> = None;
        for (index, step) in trace.steps.iter().enumerate() {
            let mut frame = self.frame(step).map_err(|error| at(index)(error.into()))?;
            match &expected {
                None => self.check_initial(&mut frame, &step.states),
                Some(expected) => self.check_successor(expected, &step.states),
            }
            .map_err(at(index))?;
            self.check_constraints(&mut frame, ConstraintKind::Always).map_err(at(index))?;
            visit(index, &mut frame).map_err(at(index))?;
            if let Some(next) = trace.steps.get(index + 1) {
                frame.set_next(&next.states).map_err(|error| at(index + 1)(error.into()))?;
                self.check_constraints(&mut frame, ConstraintKind::Transition).map_err(at(index))?;
                let values = frame.successor_values().map_err(|error| at(index)(error.into()))?;
                expected = Some(values);
            }
        }
        Ok(())
    }

    fn check_initial(&self, frame: &mut Frame<'_>, found: &[Value]) -> Result<(), ReplayProblem> {
        let expected = frame.initial_values()?;
        for ((state, expected), found) in self.system().states().iter().zip(expected).zip(found) {
            if let Some(expected) = expected.filter(|expected| expected != found) {
                let state = self.system().signal(*state).name.clone();
                let (expected, found) = (Box::new(expected), Box::new(found.clone()));
                return Err(ReplayProblem::Initial { state, expected, found });
            }
        }
        self.check_constraints(frame, ConstraintKind::Initial)
    }

    fn check_successor(&self, expected: &[Option<Value>], found: &[Value]) -> Result<(), ReplayProblem> {
        for ((state, expected), found) in self.system().states().iter().zip(expected).zip(found) {
            if let Some(expected) = expected.as_ref().filter(|expected| *expected != found) {
                let state = self.system().signal(*state).name.clone();
                let (expected, found) = (Box::new(expected.clone()), Box::new(found.clone()));
                return Err(ReplayProblem::Transition { state, expected, found });
            }
        }
        Ok(())
    }

    fn check_constraints(&self, frame: &mut Frame<'_>, kind: ConstraintKind) -> Result<(), ReplayProblem> {
        match frame.violated_constraint(kind)? {
            None => Ok(()),
            Some(ConstraintId(index)) => {
                Err(ReplayProblem::Constraint(self.system().constraints()[index as usize].name.clone()))
            }
        }
    }

    fn check_violation(&self, frame: &mut Frame<'_>, property: PropertyId) -> Result<(), ReplayProblem> {
        let Some(declared) = self.system().properties().get(property.0 as usize) else {
            return Err(ReplayProblem::NotAnInvariant(format!("{property:?}")));
        };
        match self.system().invariant(property) {
            Some(expr) if frame.value(expr)? == Value::bool(false) => Ok(()),
            Some(_) => Err(ReplayProblem::PropertyHolds(declared.name.clone())),
            None => Err(ReplayProblem::NotAnInvariant(declared.name.clone())),
        }
    }
}
