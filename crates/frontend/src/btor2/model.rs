//! The lines of a BTOR2 file.

use super::Operator;
use propcov_ir::{Bits, Sort};

/// A BTOR2 file: its lines, without those that are empty or only a comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// The lines, by increasing id.
    pub lines: Vec<Line>,
}

/// One node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What others call it.
    pub id: u64,
    /// What it is.
    pub operation: Operation,
    /// The user's name for it.
    pub symbol: Option<String>,
    /// Where it is.
    pub place: Place,
}

/// The part of a line from its id to the last word that is no comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, counting from 1.
    pub line: u32,
    /// The first column, counting from 1.
    pub column: u32,
    /// The last column.
    pub end_column: u32,
    /// The same in bytes from the start of the file.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A node by its id, or its bit-wise negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    /// The node's id.
    pub id: u64,
    /// Whether a minus sign precedes it.
    pub negated: bool,
}

/// What a node is. Sorts are given by the id of the line that declares them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `sort`: declares a sort.
    Sort(Sort),
    /// `input`.
    Input {
        /// Its sort.
        sort: u64,
    },
    /// `state`.
    State {
        /// Its sort.
        sort: u64,
    },
    /// `const`, `constd`, `consth`, `zero`, `one`, `ones`.
    Constant {
        /// Its sort.
        sort: u64,
        /// Its value.
        value: Bits,
    },
    /// An operator applied to nodes.
    Apply {
        /// Which one.
        operator: Operator,
        /// The sort of the result.
        sort: u64,
        /// The nodes it is applied to.
        operands: Vec<Reference>,
        /// The numbers of `slice` (upper, lower) and of `uext` and `sext` (how many bits).
        indices: Vec<u32>,
    },
    /// `init`: the first value of a state.
    Init {
        /// The sort of the state.
        sort: u64,
        /// The state.
        state: Reference,
        /// The value.
        value: Reference,
    },
    /// `next`: the next value of a state.
    Next {
        /// The sort of the state.
        sort: u64,
        /// The state.
        state: Reference,
        /// The value.
        value: Reference,
    },
    /// `bad`: must never hold.
    Bad(Reference),
    /// `constraint`: assumed to hold always.
    Constraint(Reference),
    /// `fair`: assumed to hold infinitely often.
    Fair(Reference),
    /// `output`.
    Output(Reference),
    /// `justice`: must not all hold infinitely often.
    Justice(Vec<Reference>),
}

impl Operation {
    /// The word that the line has for it.
    pub fn keyword(&self) -> &'static str {
        match self {
            Operation::Sort(_) => "sort",
            Operation::Input { .. } => "input",
            Operation::State { .. } => "state",
            Operation::Constant { .. } => "const",
            Operation::Apply { operator, .. } => operator.keyword(),
            Operation::Init { .. } => "init",
            Operation::Next { .. } => "next",
            Operation::Bad(_) => "bad",
            Operation::Constraint(_) => "constraint",
            Operation::Fair(_) => "fair",
            Operation::Output(_) => "output",
            Operation::Justice(_) => "justice",
        }
    }
}

impl Model {
    /// How many `bad` lines there are. The `k`-th is what witnesses call `b<k>`.
    pub fn bads(&self) -> usize {
        self.lines.iter().filter(|line| matches!(line.operation, Operation::Bad(_))).count()
    }
}
