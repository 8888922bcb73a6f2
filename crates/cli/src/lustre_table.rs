//! A run of a Lustre model as a table: inputs, outputs and locals of the main node, those of inlined nodes that change, and one column per step.
//!
//! Only variables that the property depends on. What `pre` keeps from step to step is no variable of the model, and not shown.

use crate::reads::{self, Variables};
use crate::table::Palette;
use crate::trace_table::{self, Row, cut};
use propcov_ir::{Edits, Interpreter, PropertyId, SignalId, Sort, System, Trace, Value};

/// The most variables that are shown whether they change or not.
const SHOWN: usize = 24;

/// The table of a run that violates a property, each line with the given start.
pub(crate) fn render(
    system: &System,
    trace: &Trace,
    property: PropertyId,
    start: &str,
    palette: Palette,
) -> String {
    let Variables { inputs, outputs, locals, instances, functions } = reads::variables(system, property);
    let rows = |signals: &[SignalId]| values(system, trace, signals);
    let mut important = Vec::new();
    let mut others = Vec::new();
    let all = inputs.len() + outputs.len() + locals.len();
    for (title, signals) in [("inputs", inputs), ("outputs", outputs), ("locals", locals)] {
        let (shown, rest): (Vec<Row>, Vec<Row>) =
            rows(&signals).into_iter().partition(|(_, values)| all <= SHOWN || is_changing(values));
        if !shown.is_empty() {
            important.push((title.to_owned(), Vec::new()));
        }
        important.extend(shown);
        others.extend(rest);
    }
    others.extend(rows(&instances));
    if others.iter().any(|(_, values)| is_changing(values)) {
        important.push(("inlined nodes".to_owned(), Vec::new()));
    }
    others.extend(rows(&functions));
    trace_table::rows_as(important, others, trace.steps.len(), start, palette, text)
}

fn is_changing(values: &[Value]) -> bool {
    values.windows(2).any(|pair| pair[0] != pair[1])
}

/// The values of signals in each step; none where the run does not say.
fn values(system: &System, trace: &Trace, signals: &[SignalId]) -> Vec<Row> {
    let mut rows: Vec<Row> =
        signals.iter().map(|signal| (system.signal(*signal).name.clone(), Vec::new())).collect();
    let edits = Edits::none();
    let Ok(interpreter) = Interpreter::new(system, &edits) else { return Vec::new() };
    for step in &trace.steps {
        let Ok(frame) = interpreter.frame(step) else { return Vec::new() };
        for (signal, (_, values)) in signals.iter().zip(&mut rows) {
            values.extend(frame.signal(*signal).cloned());
        }
    }
    rows.retain(|(_, values)| values.len() == trace.steps.len());
    rows
}

/// A value as Lustre writes it.
fn text(value: &Value) -> String {
    match value {
        Value::Bits(bits) if value.has_sort(&Sort::BOOL) => bits.bit(0).to_string(),
        other => cut(trace_table::short(other)),
    }
}
