//! What a user is told about a file that is not right.

use propcov_budget::Stop;
use propcov_ir::{Region, Span, printable};
use std::fmt;

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{region}: {}", printable(path), printable(message))]
pub struct InputError {
    /// The file, as the user named it.
    pub path: String,
    /// Where in it: lines and columns, or bytes within a binary section.
    pub region: Region,
    /// What was found and what was expected.
    pub message: String,
    /// The line that the region begins on, so that it can be shown; there is none in a binary section.
    pub source_line: Option<String>,
    /// That nothing is wrong with the file, but reading it took more than the budget allows.
    pub stop: Option<Stop>,
}

/// Something a user should know about a file that could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What there is to know.
    pub message: String,
    /// What it is about.
    pub span: Option<Span>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)
    }
}

/// Why a trace cannot be written as a witness of a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WitnessError {
    /// A step with too many or too few values.
    #[error("step {step} has {found} {what}, but the model has {expected}")]
    Arity {
        /// The step, counting from 0.
        step: usize,
        /// `inputs` or `states`.
        what: &'static str,
        /// How many the model has.
        expected: usize,
        /// How many the step has.
        found: usize,
    },
    /// A value that the format cannot express.
    #[error("the value {value} of {signal} in step {step} cannot be written in this format")]
    Value {
        /// The step, counting from 0.
        step: usize,
        /// The signal's name, or its number where it has none.
        signal: String,
        /// The value.
        value: String,
    },
    /// A design that was read from something else.
    #[error("the design is of another format")]
    OtherFormat,
    /// A trace without steps.
    #[error("the trace is empty")]
    Empty,
}
