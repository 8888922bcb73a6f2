//! Where in a file each part of a model is. Outside the binary gates every part has a line of its own.

use propcov_ir::Region;
use std::ops::Range;

/// How a file is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// `aag`.
    Ascii,
    /// `aig`.
    Binary,
}

/// The sections of a file, in order. Binary files have no lines for inputs, and bytes instead of lines for gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// One line per input.
    Inputs,
    /// One line per latch.
    Latches,
    /// One line per output.
    Outputs,
    /// One line per bad state.
    Bads,
    /// One line per constraint.
    Constraints,
    /// One line per justice property: how many literals it has.
    Justice,
    /// One line per literal of a justice property.
    JusticeLiterals,
    /// One line per fairness constraint.
    Fairness,
    /// One line per gate.
    Gates,
}

/// Where each part of a model is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    encoding: Encoding,
    /// For each section, the position in `starts` of its first part.
    first: [usize; 9],
    /// Where each part starts; one more than there are parts.
    starts: Vec<usize>,
}

impl Layout {
    pub(super) fn new(encoding: Encoding) -> Layout {
        Layout { encoding, first: [0; 9], starts: Vec::new() }
    }

    /// Begins a section.
    pub(super) fn begin(&mut self, section: Section) {
        self.first[section as usize] = self.starts.len();
    }

    /// Notes where the next part starts; after the last one, where that ended.
    pub(super) fn part(&mut self, start: usize) {
        self.starts.push(start);
    }

    /// The bytes of a part, without the newline that ends it; empty when there is no such part.
    pub(super) fn bytes(&self, section: Section, position: usize) -> Range<usize> {
        let part = self.first[section as usize] + position;
        match (self.starts.get(part), self.starts.get(part + 1)) {
            (Some(start), Some(end)) if self.is_text(section) => *start..end.saturating_sub(1).max(*start),
            (Some(start), Some(end)) => *start..*end,
            _ => 0..0,
        }
    }

    /// Where a part is; `position` counts within its section.
    pub fn region(&self, section: Section, position: usize) -> Region {
        let bytes = self.bytes(section, position);
        if !self.is_text(section) {
            return Region::Bytes { start: bytes.start as u64, end: bytes.end as u64 };
        }
        let line = self.line(section, position);
        Region::Text { line, column: 1, end_line: line, end_column: bytes.len() as u32 }
    }

    /// The line of a part, counting from 1: the header is the first.
    pub(super) fn line(&self, section: Section, position: usize) -> u32 {
        (self.first[section as usize] + position) as u32 + 2
    }

    /// How the file is encoded.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    fn is_text(&self, section: Section) -> bool {
        self.encoding == Encoding::Ascii || section != Section::Gates
    }
}
