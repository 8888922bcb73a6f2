//! The sanity check: reasons why no verdict about a design means anything.

use crate::Place;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the sanity check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Gate {
    /// Whether the assumptions leave any run.
    pub assumptions: Assumptions,
    /// How many steps a run was tried for: consistent means that one gets that far, conflicting that none gets further.
    pub steps: u32,
    /// A minimal conflicting set; empty where initial values contradict each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflict: Vec<Conflicting>,
    /// Why it was not found out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Properties that are constants, with the value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constant: Vec<(String, bool)>,
    /// Properties whose proof means nothing, for whatever reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vacuous: Vec<String>,
    /// Those among them whose antecedent never holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untested: Vec<String>,
    /// How many properties there are to prove.
    pub obligations: usize,
    /// What is known of infinite runs, where properties speak of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<Fairness>,
}

/// An assumption that others contradict, or that is to blame for something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Conflicting {
    /// Its name.
    pub name: String,
    /// Where it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// Whether the assumptions leave any run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Assumptions {
    /// They do.
    Consistent,
    /// They do not.
    Conflicting,
    /// It is not known.
    Unknown,
}

/// What is known of infinite runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fairness {
    /// Whether some initial state has a fair run. Otherwise every CTL property holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<bool>,
    /// Whether some reachable state has no successor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadlock: Option<bool>,
    /// Whether the design has fairness constraints.
    pub constrained: bool,
}
