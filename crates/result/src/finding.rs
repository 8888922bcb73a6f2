//! What a metric found out: does a property survive an edit?

use crate::design::is_false;
use crate::{Conflicting, Count, Trace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The edit of metrics of cores: a definition is left out, and its signal may have any value.
pub const DROPPED: &str = "dropped";

/// The metric that asks which statements any run executes.
pub const REACH: &str = "reach";

/// What became of one edit and one property, or of all properties together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The metric, by its name in the table of metrics.
    pub metric: Arc<str>,
    /// What was edited.
    pub subject: Subject,
    /// How: `free`, `zero`, `one`, `dropped`, `flipped`, …
    pub edit: Arc<str>,
    /// The property; absent: all properties together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<Arc<str>>,
    /// Whether the edit is noticed.
    pub verdict: FindingVerdict,
    /// Why the verdict is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Arc<str>>,
    /// The verdict is only about runs of so many transitions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<u32>,
    /// The technique that decided it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Arc<str>>,
    /// Whether separate code has confirmed the verdict.
    #[serde(default, skip_serializing_if = "is_false")]
    pub certified: bool,
    /// The name of the evidence in the run directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Arc<str>>,
    /// What shows it to people, where that was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Box<Witness>>,
    /// How many states or transitions this is about; absent: one edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
    /// The user said that it does not count: the position of the waiver in `waivers`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiver: Option<u32>,
}

/// What was edited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// An element, by number.
    Element(u32),
    /// A signal in a set of states or transitions.
    Cube(Cube),
    /// A label of a state of a graph.
    Label(Label),
}

/// A set of states or transitions, as a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cube {
    /// The signal that is observed; absent: all observed signals together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<Arc<str>>,
    /// The condition, in words.
    pub text: String,
    /// The same, variable by variable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub literals: Vec<Literal>,
}

/// A condition on one variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Literal {
    /// The variable.
    pub name: String,
    /// It has one of these values.
    pub values: Vec<String>,
}

/// A label of the implementation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Label {
    /// The state, or a condition on states where they are not listed.
    pub state: Arc<str>,
    /// The proposition.
    pub proposition: Arc<str>,
    /// All labels of the state, where the label is uncovered and states are listed: `p` holds, `?p` is open,
    /// others do not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<Arc<str>>>,
}

/// Whether an edit is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FindingVerdict {
    /// The property fails.
    Covered,
    /// It still holds.
    Uncovered,
    /// It still holds, and nobody could tell the edited design from the design.
    NoEffect,
    /// No reachable state has anything to do with it.
    Dead,
    /// It is not known.
    Unknown,
}

impl FindingVerdict {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            FindingVerdict::Covered => "covered",
            FindingVerdict::Uncovered => "uncovered",
            FindingVerdict::NoEffect => "no-effect",
            FindingVerdict::Dead => "dead",
            FindingVerdict::Unknown => "unknown",
        }
    }
}

/// What shows a verdict to people: the run that kills a mutant, the two runs that nobody tells apart, the run into a hole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Witness {
    /// The run of the design.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design: Option<Trace>,
    /// The run of the mutant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutant: Option<Trace>,
    /// Where a difference was looked for, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observation: Option<String>,
    /// What differs in the last step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<String>,
    /// How many transitions it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// Whether it is known that it takes no fewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest: Option<bool>,
    /// Why there are no runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The file with the runs as a waveform.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Of what is dead: who is to blame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blame: Option<Blame>,
}

/// Assumptions that keep something from being executed: without them, some run gets there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Blame {
    /// These, together; empty: it is dead without any assumption, or it is not known, with a reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<Conflicting>,
    /// Whether it is known that none of them can be left out.
    pub minimal: bool,
    /// Why nobody is known to be to blame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
