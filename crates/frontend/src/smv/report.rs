//! From bytes of the file to lines and columns, for errors and for the spans of elements.
//!
//! Expressions that are given outside of the file have places of their own, behind its last byte: so a place says where it is.

use super::syntax::Place;
use crate::{Diagnostic, Extra, InputError, text::Input};
use propcov_ir::{FileId, Region, Span};

/// Knows the file and where its lines begin.
pub(super) struct Report<'a> {
    input: Input<'a>,
    file: FileId,
    line_starts: Vec<usize>,
    /// What is given outside of the file, and the first of its places.
    outside: Vec<(usize, Input<'a>)>,
    /// What the user should know although the file could be read.
    pub(super) warnings: Vec<Diagnostic>,
}

impl<'a> Report<'a> {
    pub(super) fn new(input: Input<'a>, file: FileId) -> Report<'a> {
        let newlines = input.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
        Report { input, file, line_starts, outside: Vec::new(), warnings: Vec::new() }
    }

    /// Also knows expressions that are given outside of the file.
    pub(super) fn with_extras(mut self, extras: &'a [Extra]) -> Report<'a> {
        let starts = super::extra::starts(self.input.bytes.len(), extras);
        self.outside = starts.zip(extras.iter().map(Extra::input)).collect();
        self
    }

    /// Whether the place is outside of the file.
    pub(super) fn is_outside(&self, place: &Place) -> bool {
        self.outside.first().is_some_and(|(start, _)| *start <= place.start)
    }

    /// The text that a place is in, and where it is there.
    fn source(&self, place: &Place) -> (Input<'a>, Place) {
        match self.outside.iter().rev().find(|(start, _)| *start <= place.start) {
            Some((start, input)) => (*input, place.start - start..place.end.saturating_sub(*start)),
            None => (self.input, place.clone()),
        }
    }

    /// An error when the budget is used up; see [`Input::go_on`].
    pub(super) fn go_on(&self, done: usize) -> Result<(), InputError> {
        self.input.go_on(done)
    }

    /// An error about this place.
    pub(super) fn error(&self, place: &Place, message: impl Into<String>) -> InputError {
        let (input, place) = self.source(place);
        input.error(place, message)
    }

    /// Tells the user something about this place.
    pub(super) fn warn(&mut self, place: &Place, message: impl Into<String>) {
        let diagnostic = match self.is_outside(place) {
            // Spans are of files.
            true => Diagnostic { message: self.error(place, message).to_string(), span: None },
            false => Diagnostic { message: message.into(), span: Some(self.span(place)) },
        };
        self.warnings.push(diagnostic);
    }

    /// The line of a byte, counting from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= at)
    }

    fn column(&self, at: usize) -> u32 {
        let start = self.line_starts[self.line(at).saturating_sub(1)];
        let before = self.input.bytes.get(start..at).unwrap_or_default();
        String::from_utf8_lossy(before).chars().count() as u32 + 1
    }

    /// The span of a place, for elements and properties.
    pub(super) fn span(&self, place: &Place) -> Span {
        let last = place.end.max(place.start + 1) - 1;
        let region = Region::Text {
            line: self.line(place.start) as u32,
            column: self.column(place.start),
            end_line: self.line(last) as u32,
            end_column: self.column(last),
        };
        Span { file: self.file, region }
    }

    /// The text of a place on one line, for messages.
    pub(super) fn text(&self, place: &Place) -> String {
        let (input, place) = self.source(place);
        let bytes = input.bytes.get(place).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]);
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        match text.char_indices().nth(60) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text,
        }
    }
}
