//! The two models, and what is compared.

use crate::terminal::{Page, Span};
use crate::text::ALL;
use crate::text::refine::names;
use crate::words::readable;
use propcov_result::{Count, Model, Refinement};

/// A count with more digits may be on another line than what it counts.
const LONG: usize = 24;

/// Writes a line for each model, and one for what is compared.
pub(super) fn write(refinement: &Refinement, page: &mut Page) {
    model("implementation: ", &refinement.implementation, page);
    model("specification:  ", &refinement.specification, page);
    let mut is_cut = names::list(0, Span::whole("compared:      "), &refinement.propositions, page);
    let others = [(" only in the implementation:", &refinement.extra), (" left out:", &refinement.left_out)];
    for (which, names) in others.into_iter().filter(|(_, names)| !names.is_empty()) {
        let title = [Span::whole("not compared:  "), which.into()];
        is_cut |= names::list_after(0, &title, names, page);
    }
    if is_cut {
        page.say(2, format!("… {ALL}"));
    }
}

fn model(title: &str, model: &Model, page: &mut Page) {
    let counted = |count: &Option<Count>, one: &str, many: &str| {
        count.as_ref().map(|count| super::labels::counted(count, one, many))
    };
    let parts = [
        counted(&model.states, "state", "states"),
        counted(&model.transitions, "transition", "transitions"),
        model.initial.as_ref().map(|count| format!("{} initial", readable(&count.to_string()))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let colon = if parts.is_empty() { "" } else { ":" };
    let mut spans =
        vec![Span::whole(title), Span::whole(&model.path), format!(" ({}){colon}", model.format).into()];
    for (position, part) in parts.iter().enumerate() {
        let comma = if position + 1 < parts.len() { "," } else { "" };
        let part = format!("{part}{comma}");
        spans.extend([" ".into(), if part.len() < LONG { Span::whole(part) } else { part.into() }]);
    }
    page.spans(0, &spans);
}
