//! The records of segments, as they are written.
//!
//! Signals and properties are called by the user's names. A mutant is called by what is done and where, `zero next` or `free wire`, and by the name of
//! the signal. Values are as [`Packed`] has them; expressions are numbered inside a record.

use crate::packed::Packed;
use propcov_ir::Digest;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// The name of a piece of evidence, or what a claim is about: a digest, as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub Digest);

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Id, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Id).map_err(D::Error::custom)
    }
}

/// One record. Its first field is its name, or the meaning of what it is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// Evidence: choices that a run makes.
    Run(Run),
    /// Evidence: lemmas, and what they make of a proof.
    Proof(Proof),
    /// A property that holds in the design as written.
    Proved(Proved),
    /// A property that does not.
    Violated(Violated),
    /// Mutants that a property notices.
    Killed(Killed),
    /// Mutants that a property does not notice.
    Survived(Survived),
    /// What is asked about uncovered mutants.
    Question(Question),
    /// An uncovered mutant that can be told from the design.
    Differs(Differs),
    /// An uncovered mutant that cannot.
    NoEffect(NoEffect),
    /// Evidence: the elements that are in question where cores are looked for.
    Elements(Elements),
    /// Evidence: the values of a run in which some elements are freed.
    Trace(Trace),
    /// A property that holds while some elements are freed: the others suffice.
    Adequate(Adequate),
    /// A property that does not.
    Inadequate(Inadequate),
    /// Anything else that somebody wants to keep.
    Fact(Fact),
}

/// Choices that a run makes; see [`propcov_ir::Stimulus`]. What is zero throughout is left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Its name.
    pub id: Id,
    /// How many steps it has.
    pub steps: usize,
    /// The inputs in each step.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, Packed>,
    /// The first value of states that have no initial value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub start: BTreeMap<String, Packed>,
    /// What states without a next go to from each step.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub choices: BTreeMap<String, Packed>,
}

/// A proof; see [`propcov_ir::Proof`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// Its name, which follows from its length and its clauses, wherever they are written.
    pub id: Id,
    /// The length of the induction.
    pub k: u32,
    /// Whether the states of the induction are pairwise different.
    #[serde(default, skip_serializing_if = "is_false")]
    pub simple_path: bool,
    /// The expressions of the clauses below; they count from 1. A string is a signal, `[expression, bit]` one bit of an expression, and `["and", 3, 4]` the
    /// operator with its operands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Json>,
    /// The clauses that were not written before; they count from 0. A number is an expression, a negative one its negation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<Vec<i64>>,
    /// The lemmas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lemmas: Vec<Part>,
}

/// Clauses of one record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The proof that has them; without it this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Id>,
    /// Their numbers, as ranges with both ends included.
    pub at: Vec<(usize, usize)>,
}

/// A property that holds in the design as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proved {
    /// What the property means.
    pub meaning: Id,
    /// Its name.
    pub property: String,
    /// Why it holds.
    pub proof: Id,
    /// The engine that found that out, for people.
    pub by: String,
    /// How long that took.
    pub seconds: f64,
}

/// A property that does not hold in the design as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Violated {
    /// What the property means.
    pub meaning: Id,
    /// Its name.
    pub property: String,
    /// The run that violates it.
    pub run: Id,
    /// In the last of so many steps.
    pub steps: usize,
    /// The engine that found that out, for people.
    pub by: String,
    /// How long that took.
    pub seconds: f64,
}

/// Mutants that a property notices on one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Killed {
    /// What the property means.
    pub meaning: Id,
    /// Its name.
    pub property: String,
    /// The run.
    pub run: Id,
    /// The technique that found that out, for people.
    pub by: String,
    /// The mutants, by kind and signal.
    pub mutants: BTreeMap<String, BTreeMap<String, Kill>>,
}

/// How a run kills a mutant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Kill {
    /// In the last of so many steps.
    Steps(usize),
    /// With so many values of what is left open, besides.
    Open(usize, usize, Packed),
}

/// Mutants that a property does not notice, by one proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Survived {
    /// What the property means.
    pub meaning: Id,
    /// Its name.
    pub property: String,
    /// Why it still holds.
    pub proof: Id,
    /// The technique that found that out, for people.
    pub by: String,
    /// The mutants, by kind and signal.
    pub mutants: BTreeMap<String, Vec<String>>,
}

/// What is asked about uncovered mutants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Its name.
    pub id: Id,
    /// The properties that look on, by name.
    pub properties: Vec<String>,
    /// What is observed: `outputs`, `registers`, names of outputs and signals, or nothing in particular.
    pub observe: Vec<String>,
}

/// An uncovered mutant that can be told from the design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Differs {
    /// What the answer depends on.
    pub meaning: Id,
    /// The question.
    pub question: Id,
    /// The mutant: kind and signal.
    pub mutant: (String, String),
    /// The choices of both runs.
    pub run: Id,
    /// How the mutant makes use of them.
    pub kill: Kill,
}

/// An uncovered mutant that cannot be told from the design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoEffect {
    /// What the answer depends on.
    pub meaning: Id,
    /// The question.
    pub question: Id,
    /// The mutant: kind and signal.
    pub mutant: (String, String),
    /// Why: a proof about the product of design and mutant.
    pub proof: Id,
}

/// The elements that are in question where cores are looked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Elements {
    /// Its name.
    pub id: Id,
    /// Where each of them is: `wire`, `next` or `init` and the name of a signal; `constraint` and what it means, and if there are several of that meaning, which. They count from 0.
    pub sites: Vec<String>,
}

/// The values of a run in which some elements are freed; see [`propcov_ir::Trace`]. What is zero throughout is left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// Its name.
    pub id: Id,
    /// How many steps it has.
    pub steps: usize,
    /// The inputs in each step.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, Packed>,
    /// The states in each step.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub states: BTreeMap<String, Packed>,
    /// Wires that are freed, in each step.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub wires: BTreeMap<String, Packed>,
}

/// A property that holds while some elements are freed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adequate {
    /// What the property means.
    pub meaning: Id,
    /// Its name.
    pub property: String,
    /// The elements that were in question.
    pub elements: Id,
    /// The numbers of those that are freed, as ranges with both ends included.
    pub freed: Vec<(usize, usize)>,
    /// Why it still holds.
    pub proof: Id,
    /// How many such sets the search had come to before.
    pub order: usize,
}

/// A property that fails while some elements are freed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inadequate {
    /// What the property means.
    pub meaning: Id,
    /// Its name.
    pub property: String,
    /// The elements that were in question.
    pub elements: Id,
    /// The numbers of those that are freed, as ranges with both ends included.
    pub freed: Vec<(usize, usize)>,
    /// The run, which violates the property in its last step.
    pub trace: Id,
}

/// Something that is kept for others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is about.
    pub meaning: Id,
    /// What kind of thing it says.
    pub kind: String,
    /// What it says.
    pub body: Json,
}

fn is_false(value: &bool) -> bool {
    !value
}
