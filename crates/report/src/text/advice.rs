//! What became of the lemmas of earlier runs.

use crate::terminal::{Page, Span};
use crate::words::plural;
use propcov_result::RunResult;

/// Writes it, in a line.
pub(super) fn write(result: &RunResult, page: &mut Page) {
    let Some(advice) = &result.advice else { return };
    page.gap();
    let counts = format!(
        "Advice: {} read, {} hold, {} dropped; {} stored in ",
        plural(advice.read, "lemma", "lemmas"),
        advice.holding,
        advice.dropped,
        advice.stored,
    );
    page.spans(0, &[counts.into(), Span::whole(&advice.path)]);
}
