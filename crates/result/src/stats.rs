//! What a run took.

use crate::Count;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What it took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Stats {
    /// Seconds by phase: `read`, `gate`, `proof`, `engine`, `certify`, `coverage`, `cores`, `holes`, `evidence`, …
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub seconds: BTreeMap<String, f64>,
    /// Solver calls, by cause.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub solver_calls: BTreeMap<String, u64>,
    /// Work of the solvers, the same on every machine.
    #[serde(default)]
    pub ticks: u64,
    /// Other counts, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, u64>,
    /// How many properties or findings each engine or technique decided.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub decided_by: BTreeMap<String, u64>,
    /// The seconds of coverage after which a percentage of the findings was decided; only percentages that were reached.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub decided_at: BTreeMap<usize, f64>,
    /// How many findings come from earlier runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reused: Option<usize>,
    /// How many states there are, if they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<StateCounts>,
    /// What decision diagrams took, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagrams: Option<Diagrams>,
}

/// How many states there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StateCounts {
    /// Reachable ones.
    pub reachable: Count,
    /// Those among them from which a fair path starts.
    pub fair: Count,
    /// Layers of reachable states, the initial ones included.
    pub diameter: usize,
}

/// What decision diagrams took. Their seconds are in [`Stats::seconds`]: `reachability`, `verdicts`, `relation`, `fair`, `reordering`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Diagrams {
    /// Variables.
    pub variables: usize,
    /// Nodes at the end.
    pub nodes: usize,
    /// The most nodes at any time.
    pub peak_nodes: usize,
    /// Reorderings.
    pub reorderings: u64,
    /// Parts of the transition relation, forwards and backwards.
    pub parts: (usize, usize),
}
