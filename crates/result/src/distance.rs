//! Numbers of steps, where a file asks for them.

use crate::Place;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many steps it takes from some states to others: the least, or the most that it may take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Distance {
    /// Its name.
    pub name: String,
    /// As it is written: `MIN [f, g]` or `MAX [f, g]`.
    pub text: String,
    /// Where that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// What came of it.
    pub length: Length,
    /// The number of steps, if it is finite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// Why it is not known, or not certified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether separate code has confirmed it.
    pub certified: bool,
    /// From the beginning until it was certified.
    pub seconds: f64,
}

/// What is known of a number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Length {
    /// The number.
    Finite,
    /// No path leads there, or one never gets there.
    Infinite,
    /// No fair reachable state is one where paths begin, or one where they end.
    Undefined,
    /// Nothing.
    Unknown,
}

impl Distance {
    /// The length, for people.
    pub fn value(&self) -> String {
        match (self.length, self.steps) {
            (Length::Finite, Some(steps)) => steps.to_string(),
            (Length::Infinite, _) => "infinity".to_owned(),
            (Length::Undefined, _) => "undefined".to_owned(),
            (Length::Finite | Length::Unknown, _) => "unknown".to_owned(),
        }
    }
}
