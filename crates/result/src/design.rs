//! What was read, and the elements that coverage is measured of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Design {
    /// The format: `aiger`, `btor2`, `smv`, `lustre`, …
    pub format: String,
    /// The top module or main node, where the format has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<String>,
    /// The task, where a project has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The task asks about runs of so many transitions, and no more: what holds up to there is all that it wants to know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_bound: Option<u32>,
    /// The files, the one that was named first.
    pub files: Vec<File>,
    /// How many inputs the user wrote; choices that a front end made are none.
    pub inputs: usize,
    /// How many states.
    pub states: usize,
    /// How many elements, whatever is said about them.
    pub elements: usize,
    /// How many assumptions.
    pub assumptions: usize,
    /// How many properties, whether or not they were asked about.
    pub properties: usize,
    /// How many covers besides: something to be reached.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub covers: usize,
}

/// One file of a design.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct File {
    /// The path, as the user gave it.
    pub path: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// A definition that the user wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Element {
    /// Its position in the design; what others refer to.
    pub id: u32,
    /// Its hierarchical name.
    pub name: String,
    /// Other names of it, where a format has several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The instance it stands in; empty at the top.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub scope: String,
    /// What the user would call it: `register`, `equation`, `gate`, …
    pub kind: String,
    /// Whose it is.
    pub role: Role,
    /// Where it is written: one place or more, none where a file has no lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// The name of what it is a part of: another element, or a definition that was taken apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The best-known status of all metrics of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Ladder>,
    /// Why it does not count, if the user said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiver: Option<String>,
    /// Whether no input and no state is behind it: it has the same value in every step of every run.
    #[serde(default, skip_serializing_if = "is_false")]
    pub constant: bool,
}

/// Whose logic an element is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The design's own: this is what is counted.
    #[default]
    Design,
    /// It reaches nothing but properties and assumptions.
    Checker,
    /// An assumption.
    Environment,
}

/// How far the properties look at an element: the best that is known of it, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ladder {
    /// Nothing is known.
    Unknown,
    /// No reachable state executes it.
    Dead,
    /// No property depends on it.
    OutsideCone,
    /// Some property depends on it, but no proof needs it.
    NoCore,
    /// A mutant of it survives every property: a hole.
    Survived,
    /// Mutants of it survive, and nobody could tell them from the design.
    NoEffect,
    /// In some minimal core of a property.
    May,
    /// In every core of a property.
    Must,
    /// Some property fails on a mutant of it.
    Killed,
    /// The user said that it does not count.
    Waived,
}

impl Ladder {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Ladder::Unknown => "unknown",
            Ladder::Dead => "dead",
            Ladder::OutsideCone => "outside-cone",
            Ladder::NoCore => "no-core",
            Ladder::Survived => "survived",
            Ladder::NoEffect => "no-effect",
            Ladder::May => "may",
            Ladder::Must => "must",
            Ladder::Killed => "killed",
            Ladder::Waived => "waived",
        }
    }
}

/// A range in a source file. Lines and columns count from 1, the end belongs to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The path of the file, as in [`Design::files`].
    pub file: String,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Last column.
    pub end_column: u32,
}

/// A line of a file that places point into, where a text shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Excerpt {
    /// The path of the file, as in [`Design::files`].
    pub file: String,
    /// Its number, from 1.
    pub line: u32,
    /// The line, without its end.
    pub text: String,
}

fn is_zero(value: &usize) -> bool {
    *value == 0
}

pub(crate) fn is_false(value: &bool) -> bool {
    !value
}
