//! Two runs side by side: what differs comes first, design above mutant.

use crate::terminal::Page;
use crate::text::run_table::{Legend, Row, rows_of};
use crate::text::value::Truth;
use propcov_result::{Trace, TraceSignal};

/// Writes both runs. What somebody could see comes first, then what differs besides, then everything else.
pub(super) fn write(
    design: &Trace,
    mutant: &Trace,
    observed: &[String],
    indent: usize,
    page: &mut Page,
) -> Legend {
    let steps = design.steps.min(mutant.steps);
    let (mut important, mut others): (Vec<Row<'_>>, Vec<Row<'_>>) = (Vec::new(), Vec::new());
    for signal in in_order(design, observed) {
        // What is open in the mutant alone has no counterpart, and is what differs anyhow.
        let Some(other) = mutant.signals.iter().find(|other| other.name == signal.name) else { continue };
        if signal.values == other.values {
            others.push(Row::new(signal.name.clone(), signal, steps));
        } else {
            important.push(Row::new(format!("{}, design", signal.name), signal, steps));
            important.push(Row::new(format!("{}, mutant", signal.name), other, steps));
        }
    }
    rows_of(important, others, steps, Truth::Digits, indent, page)
}

/// The signals of a run, those with these names first, and each name once.
fn in_order<'t>(trace: &'t Trace, first: &[String]) -> Vec<&'t TraceSignal> {
    let named = first.iter().filter_map(|name| trace.signals.iter().find(|signal| signal.name == *name));
    let focus = trace.signals.iter().filter(|signal| signal.focus);
    let mut signals: Vec<&TraceSignal> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for signal in named.chain(focus).chain(&trace.signals) {
        if seen.insert(signal.name.as_str()) {
            signals.push(signal);
        }
    }
    signals
}
