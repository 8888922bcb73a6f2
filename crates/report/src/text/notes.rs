//! What the user should know besides: for standard error, not part of the text.

use crate::place::position;
use crate::terminal::{Page, Style};
use propcov_result::{NoteKind, RunResult};

/// Errors, warnings and notes of a run, a paragraph each, and then bugs of propcov. `least` says which are wanted: from there up.
pub fn notes(result: &RunResult, least: NoteKind, style: &Style) -> String {
    let mut page = Page::new(style);
    for note in result.notes.iter().filter(|note| note.kind >= least) {
        let kind = match note.kind {
            NoteKind::Note => "note",
            NoteKind::Warning => "warning",
            NoteKind::Error => "error",
        };
        let place = note.place.as_ref().map(|place| format!("{}: ", position(place))).unwrap_or_default();
        // What others say in several lines keeps its lines.
        let mut lines = note.text.lines();
        page.say(0, format!("{kind}: {place}{}", lines.next().unwrap_or_default()));
        lines.for_each(|line| page.as_is(line));
    }
    for error in &result.run.internal_errors {
        page.say(0, format!("internal error: {error}"));
    }
    page.finish()
}
