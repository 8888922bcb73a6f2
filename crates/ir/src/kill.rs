//! Killing runs: how a mutant is driven into a violation.
//!
//! A run is determined by the choices it makes. Those that the system as written leaves open (inputs, unspecified initial
//! values, states without a next) are a [`Stimulus`], which kills many mutants at once and is shared; the values of a freed
//! element are the mutant's own. Everything else follows, and [`Kill::trace`] lets it follow.

use crate::{
    Edits, Interpreter, Mutant, Mutation, SignalId, SignalKind, Site, Step, StepError, System, SystemError,
    Trace, Value,
};
use std::sync::Arc;
use thiserror::Error;

/// Every choice that a system leaves open along a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stimulus {
    /// A value for each state, in the order of [`System::states`]: the first one of those that have no initial value. The
    /// others are ignored.
    pub start: Vec<Value>,
    /// For each step, a value for each input, in the order of [`System::inputs`].
    pub inputs: Vec<Vec<Value>>,
    /// For each step, a value for each state: the one it takes in the next step, if it has no next. The others are
    /// ignored, and the list is empty if there are none.
    pub choices: Vec<Vec<Value>>,
}

/// A run that violates a property on a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kill {
    /// The choices.
    pub stimulus: Arc<Stimulus>,
    /// How many of its steps the run has: the last one violates the property.
    pub steps: usize,
    /// For a freed element, its value in each step (of a register: the value it gets for the next step). Empty for other
    /// mutants.
    pub free: Vec<Value>,
}

/// Choices that do not make a run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KillError {
    /// The system has no meaning.
    #[error(transparent)]
    System(#[from] SystemError),
    /// A value does not fit.
    #[error(transparent)]
    Step(#[from] StepError),
    /// There are fewer choices than steps, or values than signals.
    #[error("the run has too few values")]
    TooShort,
}

impl Stimulus {
    /// The choices of a run that the system as written leaves open.
    pub fn of(system: &System, trace: &Trace) -> Stimulus {
        let open =
            |state: &SignalId| matches!(system.signal(*state).kind, SignalKind::State { next: None, .. });
        let choices = if system.states().iter().any(open) {
            trace.steps.iter().skip(1).map(|step| step.states.clone()).collect()
        } else {
            Vec::new()
        };
        Stimulus {
            start: trace.steps.first().map(|step| step.states.clone()).unwrap_or_default(),
            inputs: trace.steps.iter().map(|step| step.inputs.clone()).collect(),
            choices,
        }
    }

    /// The run of so many steps that makes these choices in the system as written, by the interpreter.
    ///
    /// # Errors
    /// When the choices do not fit the system.
    pub fn trace(&self, system: &System, steps: usize) -> Result<Trace, KillError> {
        let none = Edits::none();
        Run { system, edits: &none, site: None, stimulus: self, free: &[] }.trace(steps)
    }
}

impl Kill {
    /// The choices of a run of a mutant.
    pub fn of(system: &System, mutant: Mutant, trace: &Trace) -> Kill {
        let steps = &trace.steps;
        let free = match (mutant.mutation, system.element(mutant.element).site) {
            (Mutation::Free, Site::Wire(_)) => {
                steps.iter().filter_map(|step| step.free.get(&mutant.element).cloned()).collect()
            }
            (Mutation::Free, Site::Next(state)) => {
                let at = system.states().iter().position(|other| *other == state);
                steps.iter().skip(1).filter_map(|step| step.states.get(at?).cloned()).collect()
            }
            _ => Vec::new(),
        };
        Kill { stimulus: Arc::new(Stimulus::of(system, trace)), steps: steps.len(), free }
    }

    /// The whole run on the mutant, by the interpreter. Whether it violates anything is for
    /// [`Interpreter::replay`] to say.
    ///
    /// # Errors
    /// When the choices do not fit the system.
    pub fn trace(&self, system: &System, mutant: Mutant) -> Result<Trace, KillError> {
        let site = Some(system.element(mutant.element).site);
        let edits = mutant.edits(system);
        Run { system, edits: &edits, site, stimulus: &self.stimulus, free: &self.free }.trace(self.steps)
    }
}

/// A run of a system that may be edited at one site.
struct Run<'a> {
    system: &'a System,
    edits: &'a Edits,
    site: Option<Site>,
    stimulus: &'a Stimulus,
    free: &'a [Value],
}

impl Run<'_> {
    fn trace(&self, steps: usize) -> Result<Trace, KillError> {
        let interpreter = Interpreter::new(self.system, self.edits)?;
        let mut trace = Trace::default();
        let mut states = self.stimulus.start.clone();
        if states.len() != self.system.states().len() {
            return Err(KillError::TooShort);
        }
        for index in 0..steps {
            let inputs = self.stimulus.inputs.get(index).ok_or(KillError::TooShort)?.clone();
            let free_value = self.free.get(index);
            let mut free = std::collections::BTreeMap::new();
            for (element, _) in interpreter.free_wires() {
                free.insert(*element, free_value.ok_or(KillError::TooShort)?.clone());
            }
            let mut step = Step { inputs, states, free };
            if index == 0 {
                interpreter.start(&mut step, |_| true)?;
            }
            states = self.successor(&interpreter, &step, index, index + 1 == steps)?;
            trace.steps.push(step);
        }
        Ok(trace)
    }

    fn successor(
        &self,
        interpreter: &Interpreter<'_>,
        step: &Step,
        index: usize,
        is_last: bool,
    ) -> Result<Vec<Value>, KillError> {
        let defined = interpreter.frame(step)?.successor_values()?;
        let mut successor = Vec::with_capacity(defined.len());
        for (at, (state, value)) in self.system.states().iter().zip(defined).enumerate() {
            let chosen = || {
                if self.site == Some(Site::Next(*state)) {
                    self.free.get(index)
                } else {
                    self.stimulus.choices.get(index)?.get(at)
                }
            };
            // What the last step leads to is never looked at.
            let fallback = || is_last.then(|| Value::zero(&self.system.signal(*state).sort));
            let value = value.or_else(|| chosen().cloned()).or_else(fallback);
            successor.push(value.ok_or(KillError::TooShort)?);
        }
        Ok(successor)
    }
}
