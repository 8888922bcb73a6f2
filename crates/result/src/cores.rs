//! Validity cores: sets of elements from which a property can be proved. Elements are given by number.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is known about the cores of one property.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CoreRow {
    /// The property; absent: the conjunction of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// What was asked for.
    pub goal: CoreGoal,
    /// The algorithm, by name.
    pub algorithm: String,
    /// The bound, if cores of bounded proofs were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Whether the property holds, so that there are cores.
    pub holds: bool,
    /// The elements in question; others are always kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub universe: Vec<u32>,
    /// The cores, in the order in which they were found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cores: Vec<CoreSet>,
    /// Whether these are certainly all minimal cores.
    pub complete: bool,
    /// Whether what was asked for is answered.
    pub answered: bool,
    /// Whether the search was stopped before it came to an end.
    pub stopped: bool,
    /// The elements of every core, as far as is known; absent where nobody asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub must: Option<Vec<u32>>,
    /// Those of which it is not known whether they belong to `must`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub must_unknown: Vec<u32>,
    /// The elements of some minimal core, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may: Option<Vec<u32>>,
    /// Those of which it is not known whether they belong to `may`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_unknown: Vec<u32>,
    /// A smallest core, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Vec<u32>>,
    /// Every core has at least so many elements.
    pub at_least: usize,
    /// How many checks have no answer, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub undecided: BTreeMap<String, usize>,
    /// With `--algorithm bvc`, for each depth.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_depth: Vec<CoreAtDepth>,
    /// Seconds: `proof`, `cores`, `certify`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub seconds: BTreeMap<String, f64>,
    /// How long a single check of adequacy may take, if that is limited in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_limit: Option<f64>,
}

/// What was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CoreGoal {
    /// One core, not necessarily minimal.
    One,
    /// One minimal core.
    Minimal,
    /// A smallest core.
    Minimum,
    /// All minimal cores.
    #[default]
    All,
    /// The elements of every core.
    Must,
    /// The elements of some minimal core.
    May,
}

impl CoreGoal {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            CoreGoal::One => "one",
            CoreGoal::Minimal => "minimal",
            CoreGoal::Minimum => "minimum",
            CoreGoal::All => "all",
            CoreGoal::Must => "must",
            CoreGoal::May => "may",
        }
    }
}

/// A set of elements from which the property can be proved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CoreSet {
    /// Its elements.
    pub elements: Vec<u32>,
    /// Whether it can do without some of them.
    pub minimal: Minimality,
    /// The elements that it may be able to do without.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<u32>,
    /// What is inductive in a proof from these elements, as text: the property, then lemmas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invariants: Vec<String>,
}

/// Whether a core can do without any of its elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Minimality {
    /// It needs each of them.
    Minimal,
    /// Nobody has looked.
    #[default]
    Unchecked,
    /// It needs all but some, for which it could not be found out.
    Undecided,
}

/// A core of a bounded proof.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CoreAtDepth {
    /// The depth.
    pub depth: u32,
    /// Suffices for all steps up to the depth.
    pub up_to: Vec<u32>,
    /// Suffices for the last of these steps.
    pub at: Vec<u32>,
}
