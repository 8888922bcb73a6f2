//! A run that violates a property, as the values of signals: JKind's XML has it.

use crate::reads::{self, Variables};
use propcov_ir::{Edits, Interpreter, PropertyId, SignalId, System, Trace};
use propcov_report::SignalValues;

/// What the property depends on, in each step.
pub(crate) fn values(system: &System, property: PropertyId, trace: &Trace) -> Vec<SignalValues> {
    let Variables { inputs, outputs, locals, instances, functions } = reads::variables(system, property);
    let signals: Vec<SignalId> = [inputs, functions, outputs, locals, instances].concat();
    let row = |signal: &SignalId| SignalValues {
        name: system.signal(*signal).name.clone(),
        sort: system.signal(*signal).sort.to_string(),
        values: Vec::new(),
    };
    let mut rows: Vec<SignalValues> = signals.iter().map(row).collect();
    let edits = Edits::none();
    let Ok(interpreter) = Interpreter::new(system, &edits) else { return Vec::new() };
    for step in &trace.steps {
        let Ok(frame) = interpreter.frame(step) else { return Vec::new() };
        for (signal, row) in signals.iter().zip(&mut rows) {
            row.values.push(frame.signal(*signal).map(ToString::to_string));
        }
    }
    rows
}
