//! What was read, in a line.

use crate::terminal::{Page, Span};
use crate::words::plural;
use propcov_result::RunResult;

/// Writes it.
pub(super) fn write(result: &RunResult, page: &mut Page) {
    let Some(design) = &result.design else { return };
    let files = match design.files.as_slice() {
        [] => "design".to_owned(),
        [file] => file.path.clone(),
        [file, others @ ..] => {
            format!("{} and {}", file.path, plural(others.len(), "more file", "more files"))
        }
    };
    let top = design.top.as_ref().map(|top| format!(", top {top}")).unwrap_or_default();
    let counts = [
        plural(design.inputs, "input", "inputs"),
        plural(design.states, "state", "states"),
        plural(design.elements, "element", "elements"),
        plural(design.assumptions, "assumption", "assumptions"),
    ];
    let task = design.task.as_ref().map(|task| format!(", task {task}")).unwrap_or_default();
    let rest = format!(" ({}{top}{task}): {}", design.format, counts.join(", "));
    page.spans(0, &[Span::whole(files), rest.into()]);
}
