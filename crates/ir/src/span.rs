//! Where in the user's files a thing was written.

use std::fmt;

/// Index into [`System::files`](crate::System::files).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A region of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// Which file.
    pub file: FileId,
    /// Where in it.
    pub region: Region,
}

/// A region: text has lines, the binary section of an AIGER file only has bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// Lines and columns count from 1; the end is the last column that belongs to the region.
    Text {
        /// First line.
        line: u32,
        /// First column.
        column: u32,
        /// Last line.
        end_line: u32,
        /// Last column.
        end_column: u32,
    },
    /// Byte offsets from the start of the file, counting from 0, the end excluded.
    Bytes {
        /// First byte.
        start: u64,
        /// One past the last byte.
        end: u64,
    },
}

impl Span {
    /// A region within one line.
    pub fn on_line(file: FileId, line: u32, column: u32, end_column: u32) -> Span {
        Span { file, region: Region::Text { line, column, end_line: line, end_column } }
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Region::Text { line, column, .. } => write!(f, "{line}:{column}"),
            Region::Bytes { start, .. } => write!(f, "byte {start}"),
        }
    }
}
