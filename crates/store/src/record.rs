//! The lines of a database after the first.
//!
//! Signals, elements and properties are called by the user's names. Values are as [`crate`] writes them: a bit-vector in
//! binary, most significant bit first; an integer as `{"int": "-5"}`; an array by its sort, a default and the indices that differ.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum Record {
    /// Choices that a run makes.
    Stimulus(Stimulus),
    /// Lemmas, and what they make of a proof.
    Proof(Proof),
    /// A property that holds in the design as written.
    Proved(Proved),
    /// What became of one mutant and one property.
    Finding(Finding),
    /// What an uncovered mutant could do while nobody notices.
    Hole(Hole),
}

/// Choices that a run makes; see [`propcov_ir::Stimulus`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stimulus {
    /// Its number; they count from 0.
    pub id: usize,
    /// First values of the states that have no initial value.
    pub start: Row,
    /// For each step, the inputs.
    pub inputs: Vec<Row>,
    /// For each step, what states without a next go to. Empty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Row>,
}

/// Values of several signals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Row {
    /// All of them are bit-vectors: their bits, one after the other.
    Bits(String),
    /// One by one.
    Values(Vec<Json>),
}

/// A proof; see [`propcov_ir::Proof`]. Expressions and clauses are numbered through the whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// Its number; they count from 0.
    pub id: usize,
    /// The expressions that no earlier proof has; they count from 1. A string is a signal, `[expression, bit]` one bit of an
    /// expression, and `["and", 3, 4]` the operator with its operands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Json>,
    /// The clauses that no earlier proof has; they count from 0. A number is an expression, a negative one its negation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<Vec<i64>>,
    /// The lemmas: clauses, as ranges with both ends included.
    pub lemmas: Vec<Range>,
    /// The length of the induction.
    pub k: u32,
    /// Whether the states of the induction are pairwise different.
    #[serde(default, skip_serializing_if = "is_false")]
    pub simple_path: bool,
    /// Elements that suffice, by position in the design, as ranges with both ends included.
    pub core: Vec<Range>,
}

/// The first and the last.
pub type Range = (usize, usize);

/// A property that holds in the design as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proved {
    /// The property.
    pub property: String,
    /// The number of the proof.
    pub proof: usize,
    /// The engine that found it.
    pub engine: String,
    /// How deep it had to go.
    pub depth: Option<u32>,
    /// How long it took.
    pub seconds: f64,
}

/// What became of one mutant and one property. Of two lines about the same, the later one counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The property.
    pub property: String,
    /// The element.
    pub element: String,
    /// What was done to it.
    pub edit: String,
    /// `covered`, `uncovered` or `no-effect`.
    pub verdict: String,
    /// The technique that decided it.
    pub by: String,
    /// For what is covered: the number of the stimulus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stimulus: Option<usize>,
    /// How many of its steps the killing run has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<usize>,
    /// The values of a freed element in each step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free: Option<Row>,
    /// For what is not: the number of the proof that holds on the mutant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<usize>,
}

/// What an uncovered mutant could do: two runs that differ, or a proof that it can do nothing. Of two lines about the same, the later
/// one counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hole {
    /// The element.
    pub element: String,
    /// What was done to it.
    pub edit: String,
    /// A short name for what was asked: which properties look on, and what is observed.
    pub question: String,
    /// `differs` or `no-effect`.
    pub verdict: String,
    /// What differs in the last step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<String>,
    /// Whether no shorter runs differ.
    #[serde(default, skip_serializing_if = "is_false")]
    pub shortest: bool,
    /// For each step, the inputs of both runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Row>,
    /// For each step, the states of the design.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub design: Vec<Row>,
    /// For each step, the states of the mutant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mutant: Vec<Row>,
    /// For each step, the value of a wire that the mutant leaves open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free: Option<Row>,
    /// Why nothing can differ: a proof about the product of design and mutant, with numbers of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
}

fn is_false(value: &bool) -> bool {
    !value
}
