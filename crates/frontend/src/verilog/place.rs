//! From bytes of source files to lines and columns, for spans and for messages.

use super::{export::Export, record::At};
use crate::{InputError, text::Input};
use propcov_ir::{FileId, Region, SourceFile, Span};

/// Knows where lines begin in each file. Files of the system are those of the export, in the same order.
pub(super) struct Places<'a> {
    files: &'a [SourceFile],
    line_starts: Vec<Vec<u32>>,
}

impl<'a> Places<'a> {
    pub(super) fn new(export: &'a Export) -> Places<'a> {
        let starts = |file: &SourceFile| {
            let newlines = file.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect()
        };
        Places { files: &export.files, line_starts: export.files.iter().map(starts).collect() }
    }

    /// Line and column of a byte, counting from 1. Columns count characters.
    fn position(&self, at: At, byte: u32) -> (u32, u32) {
        let starts = &self.line_starts[at.0.index()];
        let line = starts.partition_point(|start| *start <= byte);
        let start = starts[line.saturating_sub(1)] as usize;
        let text = &self.files[at.0.index()].bytes;
        let end = (byte as usize).clamp(start, text.len());
        (line as u32, String::from_utf8_lossy(&text[start.min(end)..end]).chars().count() as u32 + 1)
    }

    /// The line and column where a piece begins.
    pub(super) fn start(&self, at: At) -> (u32, u32) {
        self.position(at, at.1)
    }

    /// The span of a piece.
    pub(super) fn span(&self, at: At) -> Span {
        let (line, column) = self.start(at);
        let (end_line, end_column) = self.position(at, at.2.max(at.1 + 1) - 1);
        Span { file: FileId(at.0.0), region: Region::Text { line, column, end_line, end_column } }
    }

    /// A piece as it is written, on one line.
    pub(super) fn text(&self, at: At) -> String {
        let bytes = self.files[at.0.index()].bytes.get(at.1 as usize..at.2 as usize).unwrap_or_default();
        String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The path of a piece's file.
    pub(super) fn path(&self, at: At) -> &'a str {
        &self.files[at.0.index()].path
    }

    /// An error about a piece.
    pub(super) fn error(&self, at: At, message: impl Into<String>) -> InputError {
        let input = Input::of(&self.files[at.0.index()]);
        input.error(at.1 as usize..at.2 as usize, message)
    }
}
