//! What `propcov verify` found out about a run directory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What became of all that a run directory claims.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verification {
    /// How many claims hold, by kind.
    pub holding: BTreeMap<String, usize>,
    /// Those that do not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failing: Vec<Claim>,
    /// Those that nobody could check; their reasons say why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<Claim>,
    /// How many records are about something that no design at hand means.
    pub elsewhere: usize,
    /// Whether only one design was asked about, so that the others need not be at hand.
    pub selected: bool,
}

/// Something that was claimed.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    /// What it says, in words.
    pub claim: String,
    /// The file that says it.
    pub file: String,
    /// Why it was not checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
