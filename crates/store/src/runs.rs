//! Stimuli as records, and back.
//!
//! Signal by signal and by name, so that a run still says all it has to say about a design to which something was added. What is zero throughout is left
//! out: solvers and simulation leave whatever does not matter at zero.

use crate::error::Malformed;
use crate::names::Names;
use crate::packed::Packed;
use crate::record::{Id, Run};
use propcov_ir::{Digest, SignalId, SignalKind, Stimulus, System, Value};
use std::collections::BTreeMap;

/// The most values that a run may have when it is read: nobody should have to pay for a number in a file.
const LARGEST: usize = 1 << 24;

/// The record of a stimulus.
pub(crate) fn write(system: &System, stimulus: &Stimulus) -> Run {
    let column = |signals: &[SignalId], rows: &[Vec<Value>], wanted: fn(&SignalKind) -> bool| {
        let mut columns = BTreeMap::new();
        for (at, signal) in signals.iter().enumerate() {
            let signal = system.signal(*signal);
            if !wanted(&signal.kind) {
                continue;
            }
            let zero = Value::zero(&signal.sort);
            let value = |row: &Vec<Value>| row.get(at).is_some_and(|value| *value != zero);
            if rows.iter().any(value) {
                let values = rows.iter().map(|row| row.get(at).unwrap_or(&zero));
                columns.insert(signal.name.clone(), Packed::new(&signal.sort, values));
            }
        }
        columns
    };
    let steps = stimulus.inputs.len();
    let mut choices = stimulus.choices.clone();
    choices.resize_with(if has_choices(system) { steps } else { 0 }, Vec::new);
    let mut run = Run {
        id: Id(Digest::of(b"")),
        steps,
        inputs: column(system.inputs(), &stimulus.inputs, |_| true),
        start: column(system.states(), std::slice::from_ref(&stimulus.start), starts_anywhere),
        choices: column(system.states(), &choices, is_open),
    };
    run.id = Id(content(&run));
    run
}

/// The name that follows from what a record says.
pub(crate) fn content(run: &Run) -> Digest {
    let said = (run.steps, &run.inputs, &run.start, &run.choices);
    Digest::of(&serde_json::to_vec(&said).unwrap_or_default())
}

/// The stimulus that was written, as far as the system has its signals. What else the system leaves open is zero.
pub(crate) fn read(system: &System, names: &Names<'_>, run: &Run) -> Result<Stimulus, Malformed> {
    let width = system.inputs().len() + system.states().len();
    if run.steps.checked_mul(width.max(1)).is_none_or(|values| values > LARGEST) {
        return Err(Malformed::new("a run of more values than can be kept"));
    }
    let table = |signals: &[SignalId], columns: &BTreeMap<String, Packed>, count: usize| {
        let zeros: Vec<Value> =
            signals.iter().map(|signal| Value::zero(&system.signal(*signal).sort)).collect();
        let mut rows = vec![zeros; count];
        for (name, packed) in columns {
            let Some(position) = names.position(name, signals) else { continue };
            let sort = &system.signal(signals[position]).sort;
            // A signal of another sort is not the one that was meant.
            let Ok(values) = packed.values(sort, count) else { continue };
            rows.iter_mut().zip(values).for_each(|(row, value)| row[position] = value);
        }
        rows
    };
    let choices = if has_choices(system) { run.steps } else { 0 };
    Ok(Stimulus {
        start: table(system.states(), &run.start, 1).pop().unwrap_or_default(),
        inputs: table(system.inputs(), &run.inputs, run.steps),
        choices: table(system.states(), &run.choices, choices),
    })
}

fn has_choices(system: &System) -> bool {
    system.states().iter().any(|state| is_open(&system.signal(*state).kind))
}

fn starts_anywhere(kind: &SignalKind) -> bool {
    matches!(kind, SignalKind::State { init: None, .. })
}

fn is_open(kind: &SignalKind) -> bool {
    matches!(kind, SignalKind::State { next: None, .. })
}
