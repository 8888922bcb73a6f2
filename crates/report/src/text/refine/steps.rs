//! A run of the implementation, and what the specification does meanwhile: side by side where there is room, else one below the other.

use crate::terminal::{Align, Page, Span, Table, columns, printable};

/// What the second column needs at least to stand beside the first.
const BESIDE: usize = 24;
/// The number of a step, and the spaces around it.
const NUMBER: usize = 10;

/// A step: its number, the state of the implementation, and what is said of the specification.
pub(super) struct Step {
    pub(super) number: String,
    pub(super) state: String,
    pub(super) specification: String,
}

/// Writes the steps, under a heading for each of the two.
pub(super) fn write(headings: (&str, &str), steps: &[Step], page: &mut Page) {
    let widest = |text: fn(&Step) -> &str| {
        steps.iter().map(|step| columns(&printable(text(step)))).max().unwrap_or_default()
    };
    let beside = widest(|step| &step.specification).max(headings.1.len()).min(BESIDE);
    let left = widest(|step| &step.state).max(headings.0.len());
    if NUMBER + left + beside <= page.style().width {
        let mut table = Table::with_headings(&[
            ("step", Align::Right),
            (headings.0, Align::Left),
            (headings.1, Align::Remark),
        ]);
        for step in steps {
            table.row([&step.number, &step.state, &step.specification]);
        }
        page.table(2, &table);
        return;
    }
    for step in steps {
        page.spans(2, &[Span::whole(format!("{:>4}  ", step.number)), step.state.as_str().into()]);
        if !step.specification.is_empty() {
            page.say(8, format!("{}: {}", headings.1, step.specification));
        }
    }
}
