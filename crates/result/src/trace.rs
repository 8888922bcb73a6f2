//! Runs: one row for each signal, as in a waveform.

use crate::design::is_false;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A run of a design or of a mutant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    /// How many steps it has.
    pub steps: usize,
    /// The signals, those first that a reader should see first.
    pub signals: Vec<TraceSignal>,
    /// What the run shows, of a CTL property or one of liveness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<Box<Shows>>,
}

/// A signal in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TraceSignal {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: TraceSignalKind,
    /// Its type: `bool`, `bitvec 8`, `int`, `real`, or the values of an enumeration.
    pub sort: String,
    /// Whether what the run shows is about it: it is shown even if it does not change.
    #[serde(default, skip_serializing_if = "is_false")]
    pub focus: bool,
    /// Its value in each step. A bit-vector is in binary, most significant bit first; a real is a fraction unless it is whole.
    pub values: Vec<String>,
    /// In each step the values that would do as well, if that was asked for: one value, an interval such as `[1, 5]`, `[1, inf)` or `(-inf, 5]`, or `*` for all. Whatever values inputs have in their intervals, the property
    /// fails, and all other signals are within theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranges: Vec<String>,
}

/// What a signal of a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TraceSignalKind {
    /// An input.
    Input,
    /// A state.
    State,
    /// An output.
    Output,
    /// Defined by other signals in the same step.
    Wire,
    /// The same, inside an instance that was inlined.
    Instance,
    /// A function about which nothing is known.
    Function,
    /// What a mutation leaves open.
    Free,
}

/// How to read the run of a CTL property, or the infinite run of a liveness property.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Shows {
    /// The formula that is true in the first step.
    pub claim: String,
    /// Whether a run can show all of it; otherwise this one does as far as a run can.
    pub whole: bool,
    /// Whether all that there is to show is a state: the first step.
    #[serde(default, skip_serializing_if = "is_false")]
    pub state: bool,
    /// Where the claim is not shown whole because of what it says of the last step alone, about all paths from there: that formula.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// Where more is left open than that: the largest parts of the claim that are about all paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<String>,
    /// How many steps show it. The others show that the run can go on fairly.
    pub essential: usize,
    /// The step that follows the last one, for ever; absent: any continuation will do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loop_to: Option<usize>,
    /// Runs that start in a step of this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<Branch>,
}

/// A run that branches off another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Branch {
    /// The step of the other run that this one starts in.
    pub step: usize,
    /// The run.
    pub trace: Trace,
}
