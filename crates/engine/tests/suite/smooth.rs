//! Smooth counterexamples against a search through all runs.

use propcov_engine::infinite::smooth::{changes, smooth};
use propcov_engine::{Config, ENGINES, Limits, Silent, Stats, check};
use propcov_ir::{Edits, Interpreter, PropertyId, SignalKind, Sort, Step, System, Trace, Value, Verdict};
use propcov_testkit::for_random_systems;
use std::cell::Cell;

const PROPERTY: PropertyId = PropertyId(0);
/// At most so many bits are chosen freely in a run.
const CHOICES: usize = 12;

/// The run that follows from bits for inputs of all steps and for states without an initial value; `None` where it needs more.
fn run(system: &System, depth: usize, bits: u32) -> Option<Trace> {
    let edits = Edits::none();
    let interpreter = Interpreter::new(system, &edits).ok()?;
    let mut next_bit = 0;
    let mut bit = || {
        next_bit += 1;
        Value::bool(bits >> (next_bit - 1) & 1 == 1)
    };
    let mut trace = Trace::default();
    let mut states: Vec<Option<Value>> = vec![None; system.states().len()];
    for at in 0..=depth {
        let mut step = Step::default();
        for (state, value) in system.states().iter().zip(states) {
            let is_open = matches!(system.signal(*state).kind, SignalKind::State { init: None, .. });
            step.states.push(match value {
                Some(value) => value,
                None if at == 0 && is_open => bit(),
                None if at == 0 => Value::bool(false),
                None => return None,
            });
        }
        step.inputs = system.inputs().iter().map(|_| bit()).collect();
        if at == 0 {
            interpreter.start(&mut step, |_| true).ok()?;
        }
        states = interpreter.frame(&step).ok()?.successor_values().ok()?;
        trace.steps.push(step);
    }
    Some(trace)
}

/// The fewest changes of all runs of that length into a violation.
fn fewest(system: &System, depth: usize) -> Option<usize> {
    let is_open = |signal: &&propcov_ir::SignalId| {
        matches!(system.signal(**signal).kind, SignalKind::State { init: None, .. })
    };
    let choices = system.inputs().len() * (depth + 1) + system.states().iter().filter(is_open).count();
    let only_bits = system.signals().iter().all(|signal| signal.sort == Sort::BOOL);
    if choices > CHOICES || !only_bits {
        return None;
    }
    let edits = Edits::none();
    let interpreter = Interpreter::new(system, &edits).ok()?;
    let mut least = None;
    for bits in 0..1 << choices {
        let trace = run(system, depth, bits)?;
        if interpreter.replay(&trace, PROPERTY).is_ok() {
            let count = changes(&trace);
            least = Some(least.map_or(count, |known: usize| known.min(count)));
        }
    }
    least
}

#[test]
fn no_run_of_the_same_length_changes_its_inputs_less_often() {
    let (compared, smoother) = (Cell::new(0), Cell::new(0));
    let bmc = ENGINES.iter().find(|engine| engine.name == "bmc").expect("bmc");
    for_random_systems(300, 40_000, |_, system| {
        let mut limits = Limits::default();
        limits.depth = Some(3);
        let edits = Edits::none();
        let report = check(bmc, system, &edits, PROPERTY, &Config::default(), &limits, &Silent);
        let Verdict::Falsified(trace) = report.verdict else { return Ok(()) };
        let Some(expected) = fewest(system, trace.depth()) else { return Ok(()) };
        let found = smooth(system, &edits, PROPERTY, &trace, &Limits::default(), &mut Stats::default());
        let found = found.map_err(|reason| reason.to_string())?;
        let interpreter = Interpreter::new(system, &edits).map_err(|error| error.to_string())?;
        interpreter.replay(&found.trace, PROPERTY).map_err(|error| error.to_string())?;
        compared.set(compared.get() + 1);
        smoother.set(smoother.get() + usize::from(found.after < found.before));
        let is = (found.before, found.after, found.is_fewest, changes(&found.trace));
        if is == (changes(&trace), expected, true, expected) {
            Ok(())
        } else {
            Err(format!("(before, after, fewest, counted) is {is:?}, the fewest are {expected}"))
        }
    });
    assert!(compared.get() > 30, "only {} runs were compared", compared.get());
    assert!(smoother.get() > 3, "only {} runs became smoother", smoother.get());
}
