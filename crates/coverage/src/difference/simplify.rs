//! Makes a run into a violation easier to read: all that does not matter is 0.
//!
//! Greedy: one input or open state of one step after the other is set to 0, and whatever still leads to a violation in the
//! last step stays. Lanes make that cheap: in lane i the changes up to the i-th are made, so one simulation tells how
//! many of the next 64 can be taken over before the first that can not. The result is that of trying them one by one.

use propcov_ir::{
    Definition, Edits, Interpreter, Lanes, PropertyId, SignalId, Site, Step, StepError, System, Trace, Value,
};

/// Steps times expressions that may be simulated, 64 lanes at once: a fraction of a second.
const WORK: usize = 50_000_000;

/// A plainer run of the same length whose last step violates the property, if the system can be simulated. No wire may be
/// freed. Inputs that were added last are silenced first.
pub(crate) fn simplify(system: &System, edits: &Edits, property: PropertyId, trace: &Trace) -> Option<Trace> {
    let interpreter = Interpreter::new(system, edits).ok()?;
    let lanes = Lanes::new(system, edits).ok()?;
    let mut search = Search { system, edits, property, lanes, run: trace.clone(), work: WORK };
    loop {
        let changes = search.silence();
        let taken_over = search.take_over(&changes);
        search.follow_definitions(&interpreter).ok()?;
        // One change may make room for another that was tried before.
        if taken_over == 0 {
            break;
        }
    }
    interpreter.replay(&search.run, property).ok()?;
    Some(search.run)
}

/// A choice that a system leaves open in a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Input(usize),
    /// The value of a state in this step, where neither init nor next says it.
    State(usize),
}

/// A choice to be made otherwise.
struct Change {
    step: usize,
    choice: Choice,
    zero: Value,
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

    /// All choices that are not 0 yet.
    fn silence(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        let mut add = |signal: SignalId, step: usize, choice: Choice, value: &Value| {
            let zero = Value::zero(&self.system.signal(signal).sort);
            if *value != zero {
                changes.push(Change { step, choice, zero });
            }
        };
        for (at, input) in self.system.inputs().iter().enumerate().rev() {
            for (step, values) in self.run.steps.iter().enumerate() {
                add(*input, step, Choice::Input(at), &values.inputs[at]);
            }
        }
        for (at, state) in self.system.states().iter().enumerate() {
            for (step, values) in
                self.run.steps.iter().enumerate().filter(|(step, _)| self.is_open(*state, *step))
            {
                add(*state, step, Choice::State(at), &values.states[at]);
            }
        }
        changes
    }

    /// Makes each change with which, and with those made before, the run still ends in a violation. Says how many.
    fn take_over(&mut self, changes: &[Change]) -> usize {
        let (mut rest, mut taken_over) = (changes, 0);
        while !rest.is_empty() {
            let per_round = self.run.steps.len() * self.system.exprs.len();
            let Some(left) = self.work.checked_sub(per_round) else { break };
            self.work = left;
            let (round, later) = rest.split_at(rest.len().min(64));
            let Some(violating) = self.simulate(round) else { break };
            let good = (violating.trailing_ones() as usize).min(round.len());
            for Change { step, choice, zero } in &round[..good] {
                match choice {
                    Choice::Input(at) => self.run.steps[*step].inputs[*at] = zero.clone(),
                    Choice::State(at) => self.run.steps[*step].states[*at] = zero.clone(),
                }
            }
            taken_over += good;
            rest = if good < round.len() { &rest[good + 1..] } else { later };
        }
        taken_over
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

    /// The inputs of a step, and in the first the states, of which reset changes those that have an initial value.
    fn fill(&mut self, step: usize, changes: &[Change]) -> Option<()> {
        let Step { inputs, states, .. } = self.run.steps[step].clone();
        for (at, value) in inputs.iter().enumerate() {
            self.set(self.system.inputs()[at], u64::MAX, value)?;
        }
        for (at, value) in states.iter().enumerate().filter(|_| step == 0) {
            self.set(self.system.states()[at], u64::MAX, value)?;
        }
        for (index, change) in changes.iter().enumerate().filter(|(_, change)| change.step == step) {
            let signal = match change.choice {
                Choice::Input(at) => self.system.inputs()[at],
                Choice::State(at) if step == 0 => self.system.states()[at],
                Choice::State(_) => continue,
            };
            self.set(signal, u64::MAX << index, &change.zero)?;
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
            for (index, change) in changes.iter().enumerate() {
                if change.step == step && change.choice == Choice::State(at) {
                    self.set_successor(state, u64::MAX << index, &change.zero)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_engine::{Config, ENGINES, Limits, Silent, check};
    use propcov_ir::Verdict;
    use propcov_testkit::for_random_systems;
    use std::cell::Cell;

    #[test]
    fn a_simplified_run_still_violates_the_property_and_no_choice_in_it_can_be_silenced() {
        let (simplified, silenced) = (Cell::new(0), Cell::new(0));
        let Some(bmc) = ENGINES.iter().find(|engine| engine.name == "bmc") else { panic!("no bmc") };
        for_random_systems(500, 420_000, |_, system| {
            let (edits, property) = (Edits::none(), PropertyId(0));
            let mut limits = Limits::default();
            limits.depth = Some(12);
            let report = check(bmc, system, &edits, property, &Config::default(), &limits, &Silent);
            let Verdict::Falsified(trace) = report.verdict else { return Ok(()) };
            let plainer = simplify(system, &edits, property, &trace).ok_or("cannot be simplified")?;
            if plainer.depth() != trace.depth() {
                return Err(format!("{} transitions instead of {}", plainer.depth(), trace.depth()));
            }
            simplified.set(simplified.get() + 1);
            silenced.set(silenced.get() + usize::from(plainer != trace));
            let interpreter = Interpreter::new(system, &edits).map_err(|error| error.to_string())?;
            interpreter.replay(&plainer, property).map_err(|error| error.to_string())?;
            let lanes = Lanes::new(system, &edits).map_err(|error| error.to_string())?;
            let search = Search { system, edits: &edits, property, lanes, run: plainer.clone(), work: 0 };
            for change in search.silence() {
                let mut other = Search { run: plainer.clone(), lanes: search.lanes.clone(), ..search };
                match change.choice {
                    Choice::Input(at) => other.run.steps[change.step].inputs[at] = change.zero,
                    Choice::State(at) => other.run.steps[change.step].states[at] = change.zero,
                }
                other.follow_definitions(&interpreter).map_err(|error| error.to_string())?;
                if interpreter.replay(&other.run, property).is_ok() {
                    return Err(format!("a choice in step {} could be 0", change.step));
                }
            }
            Ok(())
        });
        assert!(simplified.get() > 100 && silenced.get() > 50, "{simplified:?} {silenced:?}");
    }
}
