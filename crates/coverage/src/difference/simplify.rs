//! Makes a hole witness easier to read: what does not matter is 0, and the mutant behaves where it need not misbehave.
//!
//! Greedy: one choice of the two runs after the other is replaced by a plainer one; what is still a witness of the same
//! length stays. Each attempt evaluates both runs anew, so the number of attempts is limited by the size of the design.

use super::judge::Judge;
use propcov_ir::{
    Difference, ElementId, Interpreter, Mutant, Mutation, SignalId, SignalKind, Site, Step, StepError,
    System, Trace, Value,
};
use std::collections::BTreeMap;

/// How many expressions may be evaluated: half a second or so.
const WORK: usize = 3_000_000;

/// Every choice along a pair of runs.
#[derive(Clone)]
struct Choices {
    /// First values of the states that have no initial value, among those of all states.
    start: Vec<Value>,
    /// For each step, the values of the inputs.
    inputs: Vec<Vec<Value>>,
    /// For each step but the last, the next values of states that have no next, among those of all states.
    open: Vec<Vec<Value>>,
    /// For each step, the value of the freed element; of a register the one for the next step. Empty for other mutants.
    free: Vec<Value>,
}

/// The plainest witness found that starts from a given one.
pub(crate) fn simplify(judge: &Judge<'_>, mutant: Mutant, difference: Difference) -> Difference {
    let system = judge.original.system();
    let freed = match (mutant.mutation, system.element(mutant.element).site) {
        (Mutation::Free, Site::Wire(wire)) => Freed::Wire(wire),
        (Mutation::Free, Site::Next(state)) => {
            system.states().iter().position(|other| *other == state).map_or(Freed::Nothing, Freed::State)
        }
        _ => Freed::Nothing,
    };
    let per_attempt = 4 * difference.original.steps.len() * system.exprs.len().max(1);
    let mut search = Search {
        judge,
        freed,
        choices: Choices::of(mutant.element, freed, &difference),
        best: difference,
        attempts: WORK / per_attempt.max(1),
    };
    search.behave();
    search.silence_inputs();
    search.silence_states();
    search.best
}

/// What the mutant leaves open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Freed {
    Nothing,
    Wire(SignalId),
    /// The next value of the state at this position.
    State(usize),
}

impl Choices {
    fn of(element: ElementId, freed: Freed, difference: &Difference) -> Choices {
        let (original, mutated) = (&difference.original.steps, &difference.mutated.steps);
        let free = match freed {
            Freed::Nothing => Vec::new(),
            Freed::Wire(_) => mutated.iter().filter_map(|step| step.free.get(&element).cloned()).collect(),
            Freed::State(at) => mutated.iter().skip(1).map(|step| step.states[at].clone()).collect(),
        };
        Choices {
            start: original.first().map(|step| step.states.clone()).unwrap_or_default(),
            inputs: original.iter().map(|step| step.inputs.clone()).collect(),
            open: original.iter().skip(1).map(|step| step.states.clone()).collect(),
            free,
        }
    }

    /// The run of design or mutant under these choices.
    fn run(&self, interpreter: &Interpreter<'_>, freed: Freed) -> Result<Trace, StepError> {
        let mut trace = Trace::default();
        let mut states = self.start.clone();
        for (index, inputs) in self.inputs.iter().enumerate() {
            let mut free = BTreeMap::new();
            for (element, _) in interpreter.free_wires() {
                free.extend(self.free.get(index).map(|value| (*element, value.clone())));
            }
            let mut step = Step { inputs: inputs.clone(), states, free };
            if index == 0 {
                settle(interpreter, &mut step)?;
            }
            let successors = interpreter.frame(&step)?.successor_values()?;
            let chosen = |at: usize| {
                let open = || self.open.get(index).map(|states| states[at].clone());
                let value = if freed == Freed::State(at) { self.free.get(index).cloned() } else { open() };
                // What the last step leads to is never looked at.
                value.unwrap_or_else(|| step.states[at].clone())
            };
            let successors = successors.into_iter().enumerate();
            states = successors.map(|(at, value)| value.unwrap_or_else(|| chosen(at))).collect();
            trace.steps.push(step);
        }
        Ok(trace)
    }
}

/// Gives states their initial values. Those may refer to each other, but not in a circle, so this comes to rest.
fn settle(interpreter: &Interpreter<'_>, step: &mut Step) -> Result<(), StepError> {
    for _ in 0..=step.states.len() {
        let wanted = interpreter.frame(step)?.initial_values()?;
        let mut changed = false;
        for (state, value) in step.states.iter_mut().zip(wanted) {
            if let Some(value) = value.filter(|value| value != state) {
                *state = value;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    Ok(())
}

struct Search<'j> {
    judge: &'j Judge<'j>,
    freed: Freed,
    choices: Choices,
    best: Difference,
    /// How many are left.
    attempts: usize,
}

impl Search<'_> {
    fn system(&self) -> &System {
        self.judge.original.system()
    }

    /// Takes over choices that also make a witness.
    fn attempt(&mut self, choices: Choices) -> bool {
        let Some(left) = self.attempts.checked_sub(1) else { return false };
        self.attempts = left;
        let original = choices.run(&self.judge.original, Freed::Nothing);
        let mutated = choices.run(&self.judge.mutated, self.freed);
        let (Ok(original), Ok(mutated)) = (original, mutated) else { return false };
        match self.judge.difference(original, mutated) {
            Ok(difference) => {
                self.choices = choices;
                self.best = difference;
                true
            }
            Err(_) => false,
        }
    }

    /// A freed element does what it does in the design, where that is enough.
    fn behave(&mut self) {
        let steps = &self.best.original.steps;
        let as_designed: Vec<Option<Value>> = match self.freed {
            Freed::Nothing => return,
            Freed::Wire(wire) => steps.iter().map(|step| self.designed(wire, step)).collect(),
            Freed::State(at) => steps.iter().skip(1).map(|step| step.states.get(at).cloned()).collect(),
        };
        for (index, value) in as_designed.into_iter().enumerate() {
            let mut choices = self.choices.clone();
            if let (Some(choice), Some(value)) = (choices.free.get_mut(index), value)
                && *choice != value
            {
                *choice = value;
                self.attempt(choices);
            }
        }
    }

    /// The value of a wire in the design.
    fn designed(&self, wire: SignalId, step: &Step) -> Option<Value> {
        self.judge.original.frame(step).ok()?.signal(wire).cloned()
    }

    /// Inputs are 0 throughout, or at least in some steps.
    fn silence_inputs(&mut self) {
        for at in 0..self.system().inputs().len() {
            let zero = Value::zero(&self.system().signal(self.system().inputs()[at]).sort);
            let mut choices = self.choices.clone();
            choices.inputs.iter_mut().for_each(|inputs| inputs[at] = zero.clone());
            if choices.inputs == self.choices.inputs || self.attempt(choices) {
                continue;
            }
            for index in 0..self.choices.inputs.len() {
                let mut choices = self.choices.clone();
                if std::mem::replace(&mut choices.inputs[index][at], zero.clone()) != zero {
                    self.attempt(choices);
                }
            }
        }
    }

    /// So are states that start or go on with anything.
    fn silence_states(&mut self) {
        for at in 0..self.system().states().len() {
            let signal = self.system().signal(self.system().states()[at]);
            let SignalKind::State { init, next } = signal.kind else { continue };
            let zero = Value::zero(&signal.sort);
            let mut choices = self.choices.clone();
            if init.is_none() && std::mem::replace(&mut choices.start[at], zero.clone()) != zero {
                self.attempt(choices);
            }
            for index in (0..self.choices.open.len()).filter(|_| next.is_none()) {
                let mut choices = self.choices.clone();
                if std::mem::replace(&mut choices.open[index][at], zero.clone()) != zero {
                    self.attempt(choices);
                }
            }
        }
    }
}
