//! What a change of a design means for the proofs of its properties.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A change, and who keeps a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Impact {
    /// The run whose cores are looked at.
    pub run: String,
    /// The changed design; absent where elements were named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_design: Option<String>,
    /// Elements that say something else, or are gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// Elements that were not there before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// The properties of the run, in its order.
    pub properties: Vec<PropertyImpact>,
}

/// What a change means for one property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PropertyImpact {
    /// Its name.
    pub property: String,
    /// What becomes of its proof.
    pub effect: Effect,
    /// The core whose proof stands: its number in the run, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core: Option<usize>,
    /// How many cores were known.
    pub cores: usize,
    /// What of the change its cores have, or why its proof is lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
}

/// What becomes of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// A proof from one of its cores stands.
    Keeps,
    /// Every core has something of the change: it needs a new proof.
    NewProof,
    /// Every core that is known has something of the change, but there may be others.
    Unknown,
    /// It had no proof, or none whose core was looked for.
    NoProof,
    /// It is not in the changed design.
    Gone,
}
