//! Runs into holes: each one is replayed on the design as written, and its end is looked up in the hole, before anybody sees it.

use super::Place;
use super::asker::Asker;
use super::rows::Row;
use propcov_budget::Budget;
use propcov_certify::check_trace;
use propcov_ir::{
    Edits, Interpreter, PropertyKind, SignalId, SignalKind, Step, System, Trace, UnknownReason, Value,
};
use propcov_symbolic::cubes::{CubeLiteral, StateCube, When};

/// A shortest run into a hole.
pub struct HoleRun {
    /// The number of the hole in its list, counting from 1.
    pub hole: usize,
    /// The run, or why there is none.
    pub trace: Result<Trace, UnknownReason>,
    /// The waveform, once it is written.
    pub waveform: Option<String>,
}

/// Looks for runs into the holes of a row that have these numbers.
pub(super) fn into_holes(
    row: &Row,
    numbers: &[usize],
    place: Place,
    budget: &Budget,
    asker: &mut Asker<'_, '_>,
) -> Vec<HoleRun> {
    let Ok(holes) = &row.holes else { return Vec::new() };
    let mut runs = Vec::new();
    for number in numbers {
        let Some(hole) = number.checked_sub(1).and_then(|at| holes.list.get(at)) else { continue };
        asker.progress.stage(format!("a run into hole {number}"));
        let found = asker.ask(|measurement| measurement.run_into(hole, budget));
        let checked = found.and_then(|run| match run {
            Some(run) => match rejected(asker.system, place, hole, &run) {
                None => Ok(run),
                Some(why) => Err(UnknownReason::NotCertified(why)),
            },
            None => Err(UnknownReason::NotCertified("no run leads into a hole".to_owned())),
        });
        if let Err(reason @ UnknownReason::NotCertified(_)) = &checked {
            asker.internal_errors.push(reason.to_string());
        }
        runs.push(HoleRun { hole: *number, trace: checked, waveform: None });
    }
    runs
}

/// Why this is no run of the system into a hole, if it is not.
fn rejected(system: &System, place: Place, hole: &StateCube, run: &Trace) -> Option<String> {
    // A property that every run violates: then all that is left to check is the run.
    let mut system = system.clone();
    let never = system.exprs.bool(false);
    let property = system.add_property("never", PropertyKind::Invariant(never), None);
    if let Err(rejection) = check_trace(&system, &Edits::none(), property, run) {
        return Some(rejection.to_string());
    }
    let last = run.steps.last();
    let ends = match place {
        Place::State => Some((last, last)),
        Place::Transition => run.steps.len().checked_sub(2).map(|before| (run.steps.get(before), last)),
    };
    let Some((Some(now), Some(next))) = ends else { return Some("the run is too short".to_owned()) };
    let is_there = hole.literals.iter().all(|literal| {
        let step = if literal.when == When::Next { next } else { now };
        value(&system, step, literal).is_some_and(|value| literal.values.have(&value))
    });
    (!is_there).then(|| "a run does not end in the hole".to_owned())
}

/// The value that a literal is about: that of a definition, of a state, or of an element of an array.
fn value(system: &System, step: &Step, literal: &CubeLiteral) -> Option<Value> {
    if matches!(system.signal(literal.signal).kind, SignalKind::Wire { .. }) {
        let edits = Edits::none();
        let interpreter = Interpreter::new(system, &edits).ok()?;
        return interpreter.frame(step).ok()?.signal(literal.signal).cloned();
    }
    let at = system.states().iter().position(|state| *state == literal.signal)?;
    let mut value = step.states.get(at)?.clone();
    for index in &literal.indices {
        let Value::Array(array) = &value else { return None };
        let found = array
            .elements()
            .find(|(at, _)| at.as_bits().is_some_and(|at| u64::try_from(at.unsigned()) == Ok(*index)));
        value = found.map(|(_, value)| value.clone()).unwrap_or_else(|| array.default_value().clone());
    }
    Some(value)
}

/// The signals that a table of such a run begins with.
pub(super) fn first_signals(hole: &StateCube, observed: &[SignalId]) -> Vec<SignalId> {
    let mut first: Vec<SignalId> = observed.to_vec();
    for literal in &hole.literals {
        if !first.contains(&literal.signal) {
            first.push(literal.signal);
        }
    }
    first
}
