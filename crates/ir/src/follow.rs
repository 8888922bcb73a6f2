//! A run of a slice that strays from the system as written no further than it has to.
//!
//! A solver's model says what some signals are, and leaves others open. Here those that were dropped and have no value follow their dropped definitions all the same. The run is then one of a
//! larger slice: of the one that keeps every definition which the run does not break.

use crate::{
    ConstraintKind, Definition, Edit, Edits, ElementId, ElementSet, Frame, Interpreter, SignalId, SignalKind,
    Site, Step, StepError, System, Trace, Value,
};

/// A run, and what it breaks.
#[derive(Clone, Debug)]
pub struct Followed {
    /// A run of the slice in which exactly the broken elements are freed.
    pub trace: Trace,
    /// Those of the dropped elements whose definitions do not hold all along the run.
    pub broken: ElementSet,
}

/// The run up to a step of the system, as the interpreter has it, from which more elements are dropped. `chosen` says what a signal is in a step, where it says anything: for inputs, dropped wires, and
/// states in the steps in which nothing determines them. Whether constraints that are kept hold, and initial values that depend on each other, is for the caller to check.
///
/// # Errors
/// When a value does not fit the system.
pub fn follow(
    interpreter: &Interpreter<'_>,
    dropped: &ElementSet,
    last: usize,
    chosen: &dyn Fn(usize, SignalId) -> Option<Value>,
) -> Result<Followed, StepError> {
    Ok(follow_frames(interpreter, dropped, last, chosen)?.0)
}

/// The same, with the values of all signals in each step.
///
/// # Errors
/// When a value does not fit the system.
pub fn follow_frames<'i>(
    interpreter: &'i Interpreter<'i>,
    dropped: &ElementSet,
    last: usize,
    chosen: &dyn Fn(usize, SignalId) -> Option<Value>,
) -> Result<(Followed, Vec<Frame<'i>>), StepError> {
    let system = interpreter.system();
    let guide = Guide { system, dropped, chosen, interpreter };
    let mut broken = ElementSet::new();
    let mut steps: Vec<(Step, Frame<'_>)> = Vec::with_capacity(last + 1);
    let mut states = guide.first_states()?;
    for at in 0..=last {
        let step = Step { inputs: guide.inputs(at), states, free: guide.base_choices(at) };
        let mut frame = guide.frame(at, &step, &mut broken)?;
        if at == 0 {
            guide.initial(&step, &mut frame, &mut broken)?;
        }
        states = if at < last { guide.successors(at, &mut frame, &mut broken)? } else { Vec::new() };
        steps.push((step, frame));
    }
    guide.constraints(&mut steps, &mut broken)?;
    let mut trace = Trace::default();
    let mut frames = Vec::with_capacity(steps.len());
    for (mut step, frame) in steps {
        for element in broken.iter() {
            if let Site::Wire(wire) = system.element(element).site
                && let Some(value) = frame.signal(wire)
            {
                step.free.insert(element, value.clone());
            }
        }
        trace.steps.push(step);
        frames.push(frame);
    }
    Ok((Followed { trace, broken }, frames))
}

struct Guide<'a, 'i> {
    system: &'a System,
    dropped: &'a ElementSet,
    chosen: &'a dyn Fn(usize, SignalId) -> Option<Value>,
    interpreter: &'i Interpreter<'i>,
}

impl<'i> Guide<'_, 'i> {
    fn zero(&self, signal: SignalId) -> Value {
        Value::zero(&self.system.signal(signal).sort)
    }

    fn inputs(&self, at: usize) -> Vec<Value> {
        let input = |signal: &SignalId| (self.chosen)(at, *signal).unwrap_or_else(|| self.zero(*signal));
        self.system.inputs().iter().map(input).collect()
    }

    /// Wires that are free already without anything being dropped.
    fn base_choices(&self, at: usize) -> std::collections::BTreeMap<ElementId, Value> {
        let choose = |(element, wire): &(ElementId, SignalId)| {
            (*element, (self.chosen)(at, *wire).unwrap_or_else(|| self.zero(*wire)))
        };
        self.interpreter.free_wires().iter().map(choose).collect()
    }

    /// The element that was dropped at a site.
    fn dropped_at(&self, site: Site) -> Option<ElementId> {
        self.system.element_at(site).filter(|element| self.dropped.contains(*element))
    }

    /// The value of a site that was dropped, if somebody has chosen one.
    fn choice(&self, at: usize, site: Site, signal: SignalId) -> Option<(ElementId, Value)> {
        let element = self.dropped_at(site)?;
        Some((element, (self.chosen)(at, signal)?))
    }

    /// The states of the first step. Initial values may depend on each other, so this goes on until nothing changes.
    fn first_states(&self) -> Result<Vec<Value>, StepError> {
        let states = self.system.states();
        let start = |state: &SignalId| (self.chosen)(0, *state).unwrap_or_else(|| self.zero(*state));
        let mut step = Step {
            inputs: self.inputs(0),
            states: states.iter().map(start).collect(),
            free: self.base_choices(0),
        };
        for _ in 0..=states.len() {
            // Mostly initial values are constants, and need no wires.
            let mut bare = self.interpreter.bare_frame(&step)?;
            let initial = match bare.initial_values() {
                Ok(values) => values,
                Err(_) => self.frame(0, &step, &mut ElementSet::new())?.initial_values()?,
            };
            let mut changed = false;
            for (value, (state, initial)) in step.states.iter_mut().zip(states.iter().zip(initial)) {
                let is_chosen = self.choice(0, Site::Init(*state), *state).is_some();
                if let Some(initial) = initial.filter(|initial| !is_chosen && initial != value) {
                    *value = initial;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        Ok(step.states)
    }

    /// A step with all wires, and which definitions they break.
    fn frame(&self, at: usize, step: &Step, broken: &mut ElementSet) -> Result<Frame<'i>, StepError> {
        let mut violated = Vec::new();
        let choose = |wire: SignalId| self.choice(at, Site::Wire(wire), wire).map(|(_, value)| value);
        let frame = self.interpreter.frame_choosing(step, &choose, &mut violated)?;
        broken.extend(violated.iter().filter_map(|wire| self.system.element_at(Site::Wire(*wire))));
        Ok(frame)
    }

    /// Which initial values do not hold.
    fn initial(&self, step: &Step, frame: &mut Frame<'_>, broken: &mut ElementSet) -> Result<(), StepError> {
        let values = self.system.states().iter().zip(frame.initial_values()?).zip(&step.states);
        for ((state, initial), value) in values {
            if let Some(element) = self.dropped_at(Site::Init(*state))
                && initial.is_some_and(|initial| initial != *value)
            {
                broken.insert(element);
            }
        }
        Ok(())
    }

    /// The states of the next step, and which definitions they break.
    fn successors(
        &self,
        at: usize,
        frame: &mut Frame<'_>,
        broken: &mut ElementSet,
    ) -> Result<Vec<Value>, StepError> {
        let mut states = Vec::with_capacity(self.system.states().len());
        for (state, next) in self.system.states().iter().zip(frame.successor_values()?) {
            let value = match (self.choice(at + 1, Site::Next(*state), *state), next) {
                (Some((element, value)), next) => {
                    if next.is_some_and(|next| next != value) {
                        broken.insert(element);
                    }
                    value
                }
                (None, Some(next)) => next,
                (None, None) => (self.chosen)(at + 1, *state).unwrap_or_else(|| self.zero(*state)),
            };
            states.push(value);
        }
        Ok(states)
    }

    /// Which dropped constraints do not hold.
    fn constraints(&self, steps: &mut [(Step, Frame<'_>)], broken: &mut ElementSet) -> Result<(), StepError> {
        let constraint = |element: ElementId| match self.system.element(element).site {
            site @ Site::Constraint(id) => {
                let kind = self.system.constraints()[id.0 as usize].kind;
                Some((element, kind, self.interpreter.definition(site)))
            }
            _ => None,
        };
        let constraints: Vec<(ElementId, ConstraintKind, Definition<'_>)> =
            self.dropped.iter().filter_map(constraint).collect();
        if constraints.is_empty() {
            return Ok(());
        }
        for at in 0..steps.len() {
            let next = steps.get(at + 1).map(|(step, _)| step.states.clone());
            let frame = &mut steps[at].1;
            if let Some(next) = &next {
                frame.set_next(next)?;
            }
            for (element, kind, definition) in &constraints {
                let counts = match kind {
                    ConstraintKind::Always => true,
                    ConstraintKind::Initial => at == 0,
                    ConstraintKind::Transition => next.is_some(),
                };
                if counts && frame.defined(definition)?.is_some_and(|value| value == Value::bool(false)) {
                    broken.insert(*element);
                }
            }
        }
        Ok(())
    }
}

/// What a run of a slice says about the signals that are its own choice, for [`follow`]: the values of freed wires, and of states where nothing determines them.
pub fn choices_of<'a>(
    system: &'a System,
    slice: &'a Edits,
    trace: &'a Trace,
) -> impl Fn(usize, SignalId) -> Option<Value> + 'a {
    let mut position = vec![None; system.signals().len()];
    for (index, input) in system.inputs().iter().enumerate() {
        position[input.0 as usize] = Some(index);
    }
    for (index, state) in system.states().iter().enumerate() {
        position[state.0 as usize] = Some(index);
    }
    move |at, signal| {
        let step = trace.steps.get(at)?;
        match system.signal(signal).kind {
            SignalKind::Input => step.inputs.get(position[signal.0 as usize]?).cloned(),
            SignalKind::State { .. } => step.states.get(position[signal.0 as usize]?).cloned(),
            SignalKind::Wire { .. } => {
                let element = system.element_at(Site::Wire(signal))?;
                match slice.get(element) {
                    Some(Edit::Free) => step.free.get(&element).cloned(),
                    _ => None,
                }
            }
        }
    }
}
