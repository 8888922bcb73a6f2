//! State and transition coverage: what findings and shares do not say.

use crate::{Count, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// States or transitions in which CTL properties check a signal. What is covered of them is in the share of the same metric and signal, what is not in its findings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StateRow {
    /// `state` or `transition`.
    pub metric: String,
    /// The signal; absent: all observed signals together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<String>,
    /// `observability` or `mutation`.
    pub semantics: String,
    /// What a flip makes of a signal with several values.
    pub flip: String,
    /// How propositional implications are read.
    pub implication: String,
    /// How many states or transitions are reachable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reachable: Option<Count>,
    /// Fair ones that nobody cares for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excluded: Option<Count>,
    /// Those that no fair path goes on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unfair: Option<Count>,
    /// Why something is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why the counts are not certified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_certified: Option<String>,
    /// What each property covers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<StatePart>,
    /// How many uncovered ones are in none of the findings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<Count>,
    /// Why uncovered ones are not listed, if they should be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_listed: Option<String>,
    /// Where no property mentions the signal: definitions that some property mentions and that read it. They
    /// can be observed instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readers: Vec<String>,
}

/// States of the design that no property mentions by name, where nobody said what to observe.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unmentioned {
    /// No property has anything to do with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub silent: Vec<String>,
    /// A definition that some property mentions reads them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indirect: Vec<String>,
}

/// What one property covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StatePart {
    /// The property.
    pub property: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Whether it mentions the signal.
    pub mentions: bool,
    /// What it covers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covered: Option<Count>,
    /// What it covers and no other property does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unique: Option<Count>,
    /// Whether the others cover as much without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redundant: Option<bool>,
    /// Why it is not measured, or not in full where `covered` is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
