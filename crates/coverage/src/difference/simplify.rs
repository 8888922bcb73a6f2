//! Makes a run into a violation easier to read: what does not matter is 0, and a freed element does what it was designed to
//! do where that will do.
//!
//! Greedy: one choice after the other is made plainer, and whatever still leads to a violation in the last step stays.
//! Lanes make that cheap: in lane i the changes up to the i-th are made, so one simulation tells how many of the next 64
//! can be taken over before the first that can not. The result is that of trying them one by one.

use propcov_ir::{
    Definition, Edits, ElementId, Interpreter, Lanes, PropertyId, SignalId, Site, Step, StepError, System,
    Trace, Value,
};

/// Steps times expressions that may be simulated, 64 lanes at once: a fraction of a second.
const WORK: usize = 50_000_000;

/// A freed element, and the signal that has the value it would have if it were not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Freed {
    pub(crate) element: ElementId,
    pub(crate) designed: SignalId,
}

/// A plainer run of the same length whose last step violates the property, if the system can be simulated.
pub(crate) fn simplify(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    freed: Option<Freed>,
    trace: &Trace,
) -> Option<Trace> {
    let interpreter = Interpreter::new(system, edits).ok()?;
    let lanes = Lanes::new(system, edits).ok()?;
    let mut search = Search { system, edits, property, lanes, run: trace.clone(), work: WORK };
    // What an element was designed to do depends on the inputs, which change in between.
    for _ in 0..2 {
        if let Some(freed) = freed {
            let changes = search.behave(&interpreter, freed).ok()?;
            search.take_over(&changes);
        }
        let changes = search.silence();
        search.take_over(&changes);
        search.follow_definitions(&interpreter).ok()?;
    }
    interpreter.replay(&search.run, property).ok()?;
    Some(search.run)
}

/// A choice that a system leaves open in a step.
#[derive(Clone, Copy)]
enum Choice {
    Input(usize),
    /// The value of a state in this step, where neither init nor next says it.
    State(usize),
    Wire(ElementId, SignalId),
}

/// A choice made otherwise.
struct Change {
    step: usize,
    choice: Choice,
    value: Value,
}

struct Search<'s> {
    system: &'s System,
    edits: &'s Edits,
    property: PropertyId,
    lanes: Lanes,
    /// Only its choices count until definitions are followed.
    run: Trace,
    /// What is left of it.
    work: usize,
}

impl Search<'_> {
    /// Whether nothing says what value the state has in the first step, or in a later one.
    fn is_open(&self, state: SignalId, step: usize) -> bool {
        let site = if step == 0 { Site::Init(state) } else { Site::Next(state) };
        self.system.definition(self.edits, site) == Definition::Open
    }

    /// The freed element does what the design does, step by step.
    fn behave(&self, interpreter: &Interpreter<'_>, freed: Freed) -> Result<Vec<Change>, StepError> {
        let Freed { element, designed } = freed;
        let mut changes = Vec::new();
        for (step, values) in self.run.steps.iter().enumerate() {
            let frame = interpreter.frame(values)?;
            let choice = match self.system.element(element).site {
                Site::Wire(wire) => Choice::Wire(element, wire),
                // The value that a register has been given by the step before.
                Site::Next(state) if step > 0 => match self.position(state) {
                    Some(at) => Choice::State(at),
                    None => continue,
                },
                _ => continue,
            };
            let value = frame.signal(designed).cloned();
            changes.extend(value.map(|value| Change { step, choice, value }));
        }
        Ok(changes)
    }

    fn position(&self, state: SignalId) -> Option<usize> {
        self.system.states().iter().position(|other| *other == state)
    }

    /// All inputs are 0, and so is what states start or go on with where that is open.
    fn silence(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        let zero = |signal: SignalId| Value::zero(&self.system.signal(signal).sort);
        for (step, values) in self.run.steps.iter().enumerate() {
            for (at, (input, value)) in self.system.inputs().iter().zip(&values.inputs).enumerate() {
                if *value != zero(*input) {
                    changes.push(Change { step, choice: Choice::Input(at), value: zero(*input) });
                }
            }
            for (at, (state, value)) in self.system.states().iter().zip(&values.states).enumerate() {
                // A freed register has something better to do.
                let freed = self.system.edit_at(self.edits, Site::Next(*state)).is_some();
                if (step == 0 || !freed) && self.is_open(*state, step) && *value != zero(*state) {
                    changes.push(Change { step, choice: Choice::State(at), value: zero(*state) });
                }
            }
        }
        changes
    }

    /// Makes each change with which, and with those made before, the run still ends in a violation.
    fn take_over(&mut self, changes: &[Change]) {
        let mut rest = changes;
        while !rest.is_empty() {
            let per_round = self.run.steps.len() * self.system.exprs.len();
            let Some(left) = self.work.checked_sub(per_round) else { return };
            self.work = left;
            let (round, later) = rest.split_at(rest.len().min(64));
            let Some(violating) = self.simulate(round) else { return };
            let good = (violating.trailing_ones() as usize).min(round.len());
            for Change { step, choice, value } in &round[..good] {
                let values = &mut self.run.steps[*step];
                match choice {
                    Choice::Input(at) => values.inputs[*at] = value.clone(),
                    Choice::State(at) => values.states[*at] = value.clone(),
                    Choice::Wire(element, _) => drop(values.free.insert(*element, value.clone())),
                }
            }
            rest = if good < round.len() { &rest[good + 1..] } else { later };
        }
    }

    /// The lanes that end in a violation, where lane i makes the changes up to the i-th.
    fn simulate(&mut self, changes: &[Change]) -> Option<u64> {
        let last = self.run.steps.len().checked_sub(1)?;
        let mut lanes = u64::MAX;
        for step in 0..=last {
            self.fill(step, changes)?;
            if step == 0 {
                lanes &= self.lanes.reset();
            } else {
                self.lanes.evaluate();
            }
            lanes &= self.lanes.always() & self.lanes.meaningful();
            if step == last {
                lanes &= !self.lanes.property(self.property)?;
            } else {
                self.fill_successors(step + 1, changes)?;
                lanes &= self.lanes.transition();
                self.lanes.advance();
            }
        }
        Some(lanes)
    }

    /// Inputs and freed wires of a step, and in the first the states, of which reset changes those that have an initial value.
    fn fill(&mut self, step: usize, changes: &[Change]) -> Option<()> {
        let Step { inputs, states, free } = self.run.steps[step].clone();
        for (at, value) in inputs.iter().enumerate() {
            self.set(self.system.inputs()[at], u64::MAX, value)?;
        }
        for (element, value) in &free {
            if let Site::Wire(wire) = self.system.element(*element).site {
                self.set(wire, u64::MAX, value)?;
            }
        }
        for (at, value) in states.iter().enumerate().filter(|_| step == 0) {
            self.set(self.system.states()[at], u64::MAX, value)?;
        }
        for (index, change) in changes.iter().enumerate().filter(|(_, change)| change.step == step) {
            let signal = match change.choice {
                Choice::Input(at) => self.system.inputs()[at],
                Choice::Wire(_, wire) => wire,
                Choice::State(at) if step == 0 => self.system.states()[at],
                Choice::State(_) => continue,
            };
            self.set(signal, u64::MAX << index, &change.value)?;
        }
        Some(())
    }

    /// What states become whose next value is open.
    fn fill_successors(&mut self, step: usize, changes: &[Change]) -> Option<()> {
        for (at, &state) in self.system.states().iter().enumerate() {
            if !self.is_open(state, step) {
                continue;
            }
            let own = self.run.steps[step].states[at].clone();
            self.set_successor(state, u64::MAX, &own)?;
            for (index, change) in changes.iter().enumerate().filter(|(_, change)| change.step == step) {
                if matches!(change.choice, Choice::State(other) if other == at) {
                    self.set_successor(state, u64::MAX << index, &change.value)?;
                }
            }
        }
        Some(())
    }

    fn set(&mut self, signal: SignalId, lanes: u64, value: &Value) -> Option<()> {
        let bits = self.bits(signal, value)?;
        for (slot, bit) in self.lanes.leaf_mut(signal).iter_mut().zip(bits) {
            *slot = *slot & !lanes | if bit { lanes } else { 0 };
        }
        Some(())
    }

    fn set_successor(&mut self, state: SignalId, lanes: u64, value: &Value) -> Option<()> {
        let bits = self.bits(state, value)?;
        for (slot, bit) in self.lanes.successor_mut(state).iter_mut().zip(bits) {
            *slot = *slot & !lanes | if bit { lanes } else { 0 };
        }
        Some(())
    }

    /// The bits of a value, as lanes have them.
    fn bits(&mut self, signal: SignalId, value: &Value) -> Option<Vec<bool>> {
        let before = self.lanes.leaf_mut(signal).to_vec();
        self.lanes.set(signal, 0, value).ok()?;
        let slots = self.lanes.leaf_mut(signal).iter_mut().zip(before);
        Some(slots.map(|(slot, before)| std::mem::replace(slot, before) & 1 == 1).collect())
    }

    /// Gives everything that is defined its value under the choices made.
    fn follow_definitions(&mut self, interpreter: &Interpreter<'_>) -> Result<(), StepError> {
        let mut defined: Vec<Option<Value>> = Vec::new();
        for (index, step) in self.run.steps.iter_mut().enumerate() {
            overwrite(&mut step.states, &defined);
            // Initial values may refer to each other, but not in a circle, so this comes to rest.
            for _ in (0..=step.states.len()).take_while(|_| index == 0) {
                let initial = interpreter.frame(step)?.initial_values()?;
                if !overwrite(&mut step.states, &initial) {
                    break;
                }
            }
            defined = interpreter.frame(step)?.successor_values()?;
        }
        Ok(())
    }
}

/// Says whether that changed anything.
fn overwrite(states: &mut [Value], defined: &[Option<Value>]) -> bool {
    let mut changed = false;
    for (state, value) in states.iter_mut().zip(defined) {
        if let Some(value) = value.as_ref().filter(|value| *value != state) {
            *state = value.clone();
            changed = true;
        }
    }
    changed
}
