//! What each property contributes to a metric.

use crate::Count;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What properties contribute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ranking {
    /// The metric.
    pub metric: String,
    /// The observed signal, for metrics that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<String>,
    /// The properties, in the order of the design.
    pub properties: Vec<Contribution>,
    /// Those without which the others cover as much.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redundant: Vec<String>,
    /// The order in which each adds most to those before it; the rest adds nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub greedy: Vec<Pick>,
    /// A subset with the same coverage, if it was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest: Option<Smallest>,
}

/// What one property contributes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contribution {
    /// The property.
    pub property: String,
    /// How much it covers.
    pub covered: Count,
    /// How much nobody else covers.
    pub unique: Count,
}

/// A property in its turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pick {
    /// The property.
    pub property: String,
    /// What it adds to those before it.
    pub gained: Count,
    /// What they cover together then.
    pub covered: Count,
}

/// A subset of the properties with the same coverage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Smallest {
    /// The properties.
    pub properties: Vec<String>,
    /// Whether it is known that none is smaller.
    pub exact: bool,
}
