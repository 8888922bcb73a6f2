//! The files of a design.

use propcov_ir::SourceFile;

/// The files that a design is read from: one in most formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// The one that tells which format it is, and in which a message is about no line in particular.
    pub main: SourceFile,
    /// The others, in the order in which they were given.
    pub others: Vec<SourceFile>,
}

impl Sources {
    /// A design of one file.
    pub fn one(path: impl Into<String>, bytes: impl Into<std::sync::Arc<[u8]>>) -> Sources {
        Sources { main: SourceFile::new(path, bytes), others: Vec::new() }
    }

    /// All files, the main one first.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        std::iter::once(&self.main).chain(&self.others)
    }
}
