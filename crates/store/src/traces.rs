//! Runs in which some elements are freed, as records, and back.
//!
//! A freed definition leaves its signal open in every step, so that there is no short list of choices from which the rest follows. All values are written, signal by signal and by name; what is zero
//! throughout is left out, and whoever wants to keep a run sets what does not matter to zero.
//!
//! A record is small, and the run in it is not: it has a value for every signal in every step. So runs are read one at a time, by whoever checks them.

use crate::error::Malformed;
use crate::packed::Packed;
use crate::record::{self, Id};
use propcov_ir::{Digest, ElementId, ElementSet, SignalId, Site, Step, System, Trace, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most values that a run may have when it is read: nobody should have to pay for a number in a file.
const LARGEST: usize = 1 << 24;

/// A run that was kept.
#[derive(Clone, Debug)]
pub struct KeptTrace(pub(crate) Arc<record::Trace>);

impl KeptTrace {
    /// The run while these elements are freed. What the system does not have is left out, and what it did not have is zero. `None` if it is larger than anybody would want to read.
    pub fn on(&self, system: &System, freed: &ElementSet) -> Option<Trace> {
        read(system, &self.0, freed).ok()
    }
}

/// The record of a run.
pub(crate) fn write(system: &System, trace: &Trace) -> record::Trace {
    let steps = &trace.steps;
    let column = |signal: SignalId, value: &dyn Fn(&Step) -> Option<Value>| {
        let sort = &system.signal(signal).sort;
        let zero = Value::zero(sort);
        let values: Vec<Value> =
            steps.iter().map(|step| value(step).unwrap_or_else(|| zero.clone())).collect();
        let is_needed = values.iter().any(|value| *value != zero);
        is_needed.then(|| (system.signal(signal).name.clone(), Packed::new(sort, values.iter())))
    };
    let table = |signals: &[SignalId], row: fn(&Step) -> &[Value]| -> BTreeMap<String, Packed> {
        let of = |(at, signal): (usize, &SignalId)| column(*signal, &|step| row(step).get(at).cloned());
        signals.iter().enumerate().filter_map(of).collect()
    };
    let mut free: Vec<ElementId> = steps.iter().flat_map(|step| step.free.keys().copied()).collect();
    free.sort_unstable();
    free.dedup();
    let wire = |element: &ElementId| match system.element(*element).site {
        Site::Wire(signal) => column(signal, &|step| step.free.get(element).cloned()),
        _ => None,
    };
    let mut written = record::Trace {
        id: Id(Digest::of(b"")),
        steps: steps.len(),
        inputs: table(system.inputs(), |step| &step.inputs),
        states: table(system.states(), |step| &step.states),
        wires: free.iter().filter_map(wire).collect(),
    };
    written.id = content(&written);
    written
}

/// The name that follows from what a record says.
pub(crate) fn content(trace: &record::Trace) -> Id {
    let said = (trace.steps, &trace.inputs, &trace.states, &trace.wires);
    Id(Digest::of(&serde_json::to_vec(&said).unwrap_or_default()))
}

/// The run that was written, as far as the system has its signals. What else the system leaves open is zero, and so are wires that are freed.
fn read(system: &System, record: &record::Trace, freed: &ElementSet) -> Result<Trace, Malformed> {
    let wires: Vec<(ElementId, SignalId)> = freed
        .iter()
        .filter_map(|element| match system.element(element).site {
            Site::Wire(signal) => Some((element, signal)),
            _ => None,
        })
        .collect();
    let width = system.inputs().len() + system.states().len() + wires.len();
    if record.steps.checked_mul(width.max(1)).is_none_or(|values| values > LARGEST) {
        return Err(Malformed::new("a run of more values than can be kept"));
    }
    let values = |signal: SignalId, columns: &BTreeMap<String, Packed>| -> Vec<Value> {
        let sort = &system.signal(signal).sort;
        // A signal of another sort is not the one that was meant.
        let read = columns
            .get(&system.signal(signal).name)
            .and_then(|packed| packed.values(sort, record.steps).ok());
        read.unwrap_or_else(|| vec![Value::zero(sort); record.steps])
    };
    let mut steps = vec![Step::default(); record.steps];
    for signal in system.inputs() {
        let column = values(*signal, &record.inputs);
        steps.iter_mut().zip(column).for_each(|(step, value)| step.inputs.push(value));
    }
    for signal in system.states() {
        let column = values(*signal, &record.states);
        steps.iter_mut().zip(column).for_each(|(step, value)| step.states.push(value));
    }
    for (element, signal) in wires {
        let column = values(signal, &record.wires);
        steps.iter_mut().zip(column).for_each(|(step, value)| drop(step.free.insert(element, value)));
    }
    Ok(Trace { steps })
}
