//! The files that hold the evidence.

use crate::terminal::{Page, Span};
use crate::text::ALL;
use crate::words::shown;
use propcov_result::RunResult;

/// The most files that are listed.
const FILES: usize = 20;

/// Writes their names.
pub(super) fn write(result: &RunResult, page: &mut Page) {
    let files = &result.run.files;
    if files.is_empty() {
        return;
    }
    page.gap();
    page.say(0, "Evidence:");
    let count = shown(files.len(), FILES);
    files[..count].iter().for_each(|file| page.say(2, Span::whole(file)));
    if count < files.len() {
        page.say(2, format!("and {} more files; {ALL}", files.len() - count));
    }
}
