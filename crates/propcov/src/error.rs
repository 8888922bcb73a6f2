//! Why nothing can be done: bad input, a name that nobody has, options that do not fit.

use propcov_budget::Stop;
use propcov_frontend::InputError;
use propcov_ir::printable;
use std::io;
use thiserror::Error;

/// What the user has to mend.
#[derive(Debug, Error)]
pub enum Error {
    /// A file cannot be read.
    #[error("cannot read {}: {error}", printable(path))]
    Read {
        /// The file.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {error}", printable(path))]
    Write {
        /// The file.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// A file does not mean anything; the error knows the place.
    #[error("{0}")]
    Input(Box<InputError>),
    /// The budget was used up before the design was read. Nothing is wrong with it.
    #[error("{}: {} while it was read", printable(path), words(*stop))]
    Stopped {
        /// The file.
        path: String,
        /// What was used up.
        stop: Stop,
    },
    /// slang does not accept a design; it has said why.
    #[error("{}: slang found errors\n{}", printable(path), messages.trim_end())]
    Rejected {
        /// The file.
        path: String,
        /// What slang says, as its users know it.
        messages: String,
    },
    /// A name or an option that does not fit the design.
    #[error("{0}")]
    Usage(String),
    /// One of these, and what to do about it.
    #[error("{error}\n  {}", printable(hint))]
    Hinted {
        /// What is wrong.
        error: Box<Error>,
        /// A sentence.
        hint: String,
    },
}

impl Error {
    /// The same, with what to do about it.
    pub(crate) fn with_hint(self, hint: String) -> Error {
        Error::Hinted { error: Box::new(self), hint }
    }
}

fn words(stop: Stop) -> &'static str {
    match stop {
        Stop::Timeout => "out of time",
        Stop::Memory => "out of memory",
        Stop::Cancelled => "interrupted",
    }
}

impl From<InputError> for Error {
    fn from(error: InputError) -> Error {
        match error.stop {
            Some(stop) => Error::Stopped { path: error.path, stop },
            None => Error::Input(Box::new(error)),
        }
    }
}
