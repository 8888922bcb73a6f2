//! From bytes of the file to lines and columns, for warnings and for messages that refer to another place.

use super::syntax::At;
use crate::{Diagnostic, InputError, text::Input};
use propcov_ir::{FileId, Region, Span};

/// Knows the file and where its lines begin.
pub(super) struct Report<'a> {
    input: Input<'a>,
    line_starts: Vec<usize>,
    /// The bytes that go on with a character: whole models may be written on one line, so columns must not be counted.
    continuations: Vec<usize>,
    /// What the user should know although the file could be read.
    pub(super) warnings: Vec<Diagnostic>,
}

impl<'a> Report<'a> {
    pub(super) fn new(input: Input<'a>) -> Report<'a> {
        let newlines = input.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
        let continues = |(_, byte): &(usize, &u8)| **byte & 0xc0 == 0x80;
        let continuations = input.bytes.iter().enumerate().filter(continues).map(|(at, _)| at).collect();
        Report { input, line_starts, continuations, warnings: Vec::new() }
    }

    /// An error when the budget is used up; see [`Input::go_on`].
    pub(super) fn go_on(&self, done: usize) -> Result<(), InputError> {
        self.input.go_on(done)
    }

    /// An error about this place.
    pub(super) fn error(&self, at: &At, message: impl Into<String>) -> InputError {
        self.input.error(at.clone(), message)
    }

    /// Tells the user something about this place.
    pub(super) fn warn(&mut self, at: &At, message: impl Into<String>) {
        let span = Some(self.span(at));
        self.warnings.push(Diagnostic { message: message.into(), span });
    }

    /// The line of a byte, counting from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= at)
    }

    fn column(&self, at: usize) -> u32 {
        let start = self.line_starts[self.line(at).saturating_sub(1)];
        let continuations = |end: usize| self.continuations.partition_point(|at| *at < end);
        (at - start - (continuations(at) - continuations(start))) as u32 + 1
    }

    /// Line and column of a byte.
    pub(super) fn position(&self, at: usize) -> (usize, u32) {
        (self.line(at), self.column(at))
    }

    /// The span of a place. The file is the only one of the system.
    pub(super) fn span(&self, at: &At) -> Span {
        let last = at.end.max(at.start + 1) - 1;
        let region = Region::Text {
            line: self.line(at.start) as u32,
            column: self.column(at.start),
            end_line: self.line(last) as u32,
            end_column: self.column(last),
        };
        Span { file: FileId(0), region }
    }

    /// The first line that is like this.
    pub(super) fn first_line(&self, is_wanted: impl Fn(&str) -> bool) -> Option<At> {
        let mut start = 0;
        for line in self.input.bytes.split(|byte| *byte == b'\n') {
            if is_wanted(&String::from_utf8_lossy(line)) {
                return Some(start..start + line.len());
            }
            start += line.len() + 1;
        }
        None
    }

    /// The text of a place on one line, for messages and for properties without name.
    pub(super) fn text(&self, at: &At) -> String {
        let bytes = self.input.bytes.get(at.clone()).unwrap_or_default();
        let text = String::from_utf8_lossy(bytes);
        let words: Vec<&str> = text.split_whitespace().collect();
        words.join(" ")
    }
}
