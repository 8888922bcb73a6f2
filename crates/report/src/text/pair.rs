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
    rows_of(important, others, steps, Truth::of(design), indent, page)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Style;
    use propcov_result::TraceSignalKind;

    #[test]
    fn booleans_of_programs_are_words_beside_each_other_as_in_single_runs() {
        let trace = |kind, values: [&str; 2]| {
            let values = values.map(str::to_owned).to_vec();
            let signal = |name: &str, kind, values| TraceSignal {
                name: name.to_owned(),
                kind,
                sort: "bool".to_owned(),
                focus: false,
                values,
                ranges: Vec::new(),
            };
            let on = vec!["1".to_owned(), "1".to_owned()];
            let signals = vec![signal("ok", kind, values), signal("on", TraceSignalKind::Input, on)];
            Trace { steps: 2, signals, shows: None }
        };
        let table = |kind| {
            let mut page = Page::new(&Style { width: 80, colour: false });
            write(&trace(kind, ["1", "1"]), &trace(kind, ["1", "0"]), &[], 0, &mut page);
            page.finish()
        };
        let text = table(TraceSignalKind::Output);
        assert!(text.contains("ok, mutant  true  false") && text.contains("on=true"), "{text}");
        let text = table(TraceSignalKind::State);
        assert!(text.contains("on=1") && !text.contains("true"), "{text}");
    }
}
