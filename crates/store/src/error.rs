//! What can go wrong with a file.

use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a file or directory cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file system says no.
    #[error("cannot {action} {}: {error}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What the system said.
        error: io::Error,
    },
    /// A line of advice that no version of propcov wrote.
    #[error("{}, line {line}: {message}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The line, counting from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
}

/// A piece of a record that has no meaning for the system. The reader adds the line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub(crate) struct Malformed(pub(crate) String);

impl Malformed {
    pub(crate) fn new(message: impl Into<String>) -> Malformed {
        Malformed(message.into())
    }
}
