//! The files of a design, with their text: whoever has a system can show any place of it.

use crate::{FileId, Region, Span, System};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The bytes without the mark that some editors put before UTF-8.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// A file that contributed to a system.
#[derive(Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The path as the user gave it.
    pub path: String,
    /// All of the file, as it was read.
    pub bytes: Arc<[u8]>,
}

/// Without the text, which may be long.
impl fmt::Debug for SourceFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SourceFile({:?}, {} bytes)", self.path, self.bytes.len())
    }
}

impl SourceFile {
    /// A file of this name with these bytes.
    pub fn new(path: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> SourceFile {
        SourceFile { path: path.into(), bytes: bytes.into() }
    }

    /// What lines and columns are counted in: the bytes without a byte order mark at the beginning.
    pub fn text(&self) -> &[u8] {
        without_mark(&self.bytes)
    }

    /// The lines, for those who want to see many.
    pub fn lines(&self) -> Lines<'_> {
        let text = self.text();
        let newlines = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        Lines { text, starts: std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect() }
    }

    /// What is written in a region, with a newline between lines. Nothing is in a region that the file does not have, or
    /// that has no lines.
    pub fn excerpt(&self, region: Region) -> Option<String> {
        let Region::Text { line, column, end_line, end_column } = region else { return None };
        let lines = self.lines();
        let mut pieces = Vec::new();
        for number in line..=end_line.min(lines.len() as u32) {
            let text = lines.get(number)?;
            let end = if number == end_line { end_column as usize } else { usize::MAX };
            let start = if number == line { (column as usize).saturating_sub(1) } else { 0 };
            pieces.push(text.chars().take(end).skip(start).collect::<String>());
        }
        (!pieces.is_empty()).then(|| pieces.join("\n"))
    }
}

/// A file by lines.
#[derive(Clone, Debug)]
pub struct Lines<'f> {
    text: &'f [u8],
    starts: Vec<usize>,
}

impl<'f> Lines<'f> {
    /// A line without its end, counting from 1. What is no UTF-8 is replaced.
    pub fn get(&self, number: u32) -> Option<Cow<'f, str>> {
        let at = (number as usize).checked_sub(1)?;
        let start = *self.starts.get(at)?;
        let end = self.starts.get(at + 1).map_or(self.text.len(), |next| next - 1);
        let line = self.text.get(start..end)?;
        Some(String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)))
    }

    /// How many there are: one more than there are newlines.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Never: an empty file has one empty line.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }
}

impl System {
    /// The file with this id, if the system has it.
    pub fn file(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// What is [written](SourceFile::excerpt) at a place, in whichever file that is.
    pub fn excerpt(&self, span: Span) -> Option<String> {
        self.file(span.file)?.excerpt(span.region)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(line: u32, column: u32, end_line: u32, end_column: u32) -> Region {
        Region::Text { line, column, end_line, end_column }
    }

    #[test]
    fn each_span_is_shown_in_its_own_file() {
        let mut system = System::new();
        let first = system.add_file(SourceFile::new("a", *b"one\ntwo\n"));
        let second = system.add_file(SourceFile::new("b", *b"three\nfour\n"));
        let at = |file| system.excerpt(Span::on_line(file, 2, 1, 4));
        assert_eq!(at(first).as_deref(), Some("two"));
        assert_eq!(at(second).as_deref(), Some("four"));
        assert_eq!(at(FileId(2)), None);
    }

    #[test]
    fn lines_have_no_ends_and_a_mark_is_no_column() {
        let file = SourceFile::new("a", "\u{feff}añb\r\nc".as_bytes());
        let lines = file.lines();
        let all: Vec<Option<String>> = (0..4).map(|line| lines.get(line).map(Cow::into_owned)).collect();
        assert_eq!(all, [None, Some("añb".to_owned()), Some("c".to_owned()), None]);
        assert_eq!(file.excerpt(region(1, 2, 2, 1)).as_deref(), Some("ñb\nc"));
        assert_eq!(file.excerpt(region(1, 2, 1, 2)).as_deref(), Some("ñ"));
    }

    #[test]
    fn what_is_not_in_the_file_is_not_shown() {
        let file = SourceFile::new("a", *b"x\n");
        assert_eq!(file.excerpt(region(3, 1, 3, 1)), None);
        assert_eq!(file.excerpt(region(2, 5, 9, 1)).as_deref(), Some(""));
        assert_eq!(file.excerpt(Region::Bytes { start: 0, end: 1 }), None);
        assert_eq!(SourceFile::new("a", []).lines().get(1).as_deref(), Some(""));
    }
}
