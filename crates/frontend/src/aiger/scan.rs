//! Numbers and separators, strictly: AIGER has exactly one space between numbers and one newline after each line.

use crate::{InputError, text::Input};
use std::ops::Range;

/// A place in a file.
pub(super) struct Scanner<'a> {
    pub(super) input: Input<'a>,
    pub(super) at: usize,
    /// Whether binary bytes came before, so that lines can no longer be counted.
    pub(super) past_binary: bool,
}

impl<'a> Scanner<'a> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.input.bytes.get(self.at).copied()
    }

    pub(super) fn remaining(&self) -> usize {
        self.input.bytes.len() - self.at
    }

    pub(super) fn error(&self, range: Range<usize>, message: impl Into<String>) -> InputError {
        if self.past_binary {
            self.input.binary_error(range, message)
        } else {
            self.input.error(range, message)
        }
    }

    /// An error about what comes next, of which something else was expected.
    pub(super) fn expected(&self, expected: &str) -> InputError {
        let found = self.input.describe(self.at);
        self.error(self.input.word_at(self.at), format!("expected {expected}, found {found}"))
    }

    /// A number below 2^32 and where it was; `what` says what it stands for.
    pub(super) fn number(&mut self, what: &str) -> Result<(u32, Range<usize>), InputError> {
        let (start, mut value) = (self.at, 0u64);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        let range = start..self.at;
        if range.is_empty() {
            return Err(self.expected(what));
        }
        match u32::try_from(value) {
            Ok(value) => Ok((value, range)),
            Err(_) => {
                let message =
                    format!("expected {what}, found a number too large: AIGER numbers are below 2^32");
                Err(self.error(range, message))
            }
        }
    }

    pub(super) fn space(&mut self, before: &str) -> Result<(), InputError> {
        if self.peek() != Some(b' ') {
            return Err(self.expected(&format!("a space and {before}")));
        }
        self.at += 1;
        Ok(())
    }

    pub(super) fn newline(&mut self, after: &str) -> Result<(), InputError> {
        if self.peek() != Some(b'\n') {
            return Err(self.expected(&format!("a newline after {after}")));
        }
        self.at += 1;
        Ok(())
    }
}
