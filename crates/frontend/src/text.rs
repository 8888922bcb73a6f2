//! Positions in a file. Parsers carry byte offsets; lines and columns are only computed for an error.

use crate::InputError;
use propcov_budget::Budget;
use propcov_ir::{Region, SourceFile};
use std::ops::Range;

/// The longest source line that an error carries along, in bytes: enough to show, whatever the file.
const SHOWN: usize = 400;

/// A file's bytes, and its name for error messages.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) path: &'a str,
    pub(crate) bytes: &'a [u8],
    /// How long reading may take, if that is limited.
    budget: Option<&'a Budget>,
}

/// Readers look at the budget after so many lines, nodes or the like.
const PERIOD: usize = 1 << 10;

impl<'a> Input<'a> {
    pub(crate) fn new(path: &'a str, bytes: &'a [u8]) -> Input<'a> {
        Input { path, bytes, budget: None }
    }

    /// The same, to be read within a budget.
    pub(crate) fn within(self, budget: &'a Budget) -> Input<'a> {
        Input { budget: Some(budget), ..self }
    }

    /// An error when the budget is used up. Readers call it with how much they have done: most calls do not look. A small file is read in any case,
    /// so that there is a report on what is unknown of it.
    pub(crate) fn go_on(&self, done: usize) -> Result<(), InputError> {
        if done > 0 && done.is_multiple_of(PERIOD) { self.check_budget() } else { Ok(()) }
    }

    /// An error when the budget is used up.
    #[cold]
    pub(crate) fn check_budget(&self) -> Result<(), InputError> {
        match self.budget.and_then(Budget::stop) {
            None => Ok(()),
            stop => Err(InputError { stop, ..self.binary_error(0..0, "the budget is used up") }),
        }
    }

    /// The text of a file.
    pub(crate) fn of(file: &'a SourceFile) -> Input<'a> {
        Input::new(&file.path, file.text())
    }

    /// An error about bytes of a text section; an empty range points at one place.
    pub(crate) fn error(&self, range: Range<usize>, message: impl Into<String>) -> InputError {
        let start = range.start.min(self.bytes.len());
        let before = &self.bytes[..start];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let rest = &self.bytes[line_start..];
        let line_bytes = &rest[..rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())];
        let characters = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().count() as u32;
        let column = characters(&self.bytes[line_start..start]) + 1;
        let end = range.end.clamp(start, line_start + line_bytes.len());
        let end_column = column + characters(&self.bytes[start..end]).saturating_sub(1);
        let shown = String::from_utf8_lossy(&line_bytes[..line_bytes.len().min(SHOWN)]);
        InputError {
            path: self.path.to_owned(),
            region: Region::Text { line: line as u32, column, end_line: line as u32, end_column },
            message: message.into(),
            source_line: Some(shown.trim_end_matches('\r').to_owned()),
            stop: None,
        }
    }

    /// An error about bytes of a binary section.
    pub(crate) fn binary_error(&self, range: Range<usize>, message: impl Into<String>) -> InputError {
        InputError {
            path: self.path.to_owned(),
            region: Region::Bytes { start: range.start as u64, end: range.end as u64 },
            message: message.into(),
            source_line: None,
            stop: None,
        }
    }

    /// The word that starts here, up to white space.
    pub(crate) fn word_at(&self, start: usize) -> Range<usize> {
        let rest = self.bytes.get(start..).unwrap_or_default();
        start..start + rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len())
    }

    /// The words of a line that starts here, as ranges.
    pub(crate) fn words(&self, line: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let bytes = self.bytes;
        let mut at = line.start;
        std::iter::from_fn(move || {
            while at < line.end && bytes[at].is_ascii_whitespace() {
                at += 1;
            }
            let start = at;
            while at < line.end && !bytes[at].is_ascii_whitespace() {
                at += 1;
            }
            (start < at).then_some(start..at)
        })
    }

    /// The lines that are not blank, without their ends.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let bytes = self.bytes;
        let mut next = 0;
        std::iter::from_fn(move || {
            while next < bytes.len() {
                let start = next;
                let rest = &bytes[start..];
                let end = start + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                next = end + 1;
                if !bytes[start..end].trim_ascii().is_empty() {
                    return Some(start..end);
                }
            }
            None
        })
    }

    /// What is at this place, in words for a message.
    pub(crate) fn describe(&self, at: usize) -> String {
        match self.bytes.get(at) {
            None => "the end of the file".to_owned(),
            Some(b'\n') => "the end of the line".to_owned(),
            Some(b'\r') => "a carriage return (lines end with a newline alone)".to_owned(),
            Some(b' ') => "a space".to_owned(),
            Some(b'\t') => "a tab".to_owned(),
            Some(_) => quote(&self.bytes[self.word_at(at)]),
        }
    }
}

/// Quotes a piece of input, shortened and with what cannot be printed escaped.
pub(crate) fn quote(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(160)]);
    let mut shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().nth(40).is_some() || bytes.len() > 160 {
        shown.push('…');
    }
    format!("`{shown}`")
}

/// A decimal number of digits only that fits.
pub(crate) fn decimal(word: &[u8]) -> Option<u64> {
    if word.is_empty() || !word.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(word).ok()?.parse().ok()
}
