//! The JSON document, one for all commands: the same field names everywhere, and a command leaves out the parts that it has
//! nothing to say about. Within a part that is there, every field is there; what is not known is `null`.

use propcov_ir::{PropertyKind, System, Trace, Verdict};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Changes when a field changes its meaning.
const SCHEMA: &str = "propcov/1";

/// The whole document.
#[derive(Debug, Serialize)]
pub(crate) struct Document {
    schema: &'static str,
    command: &'static str,
    version: &'static str,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) design: Option<Design>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) gate: Option<Gate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) properties: Option<Vec<Property>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cores: Option<Vec<Cores>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stats: Option<Stats>,
}

impl Document {
    /// A document that says nothing yet.
    pub(crate) fn new(command: &'static str, seed: u64) -> Document {
        let version = env!("CARGO_PKG_VERSION");
        let (design, gate, properties, cores, stats) = (None, None, None, None, None);
        Document { schema: SCHEMA, command, version, seed, design, gate, properties, cores, stats }
    }
}

/// What was read.
#[derive(Debug, Serialize)]
pub(crate) struct Design {
    pub(crate) path: String,
    pub(crate) format: &'static str,
    pub(crate) inputs: usize,
    pub(crate) states: usize,
    pub(crate) elements: usize,
}

/// What the sanity gate found.
#[derive(Debug, Serialize)]
pub(crate) struct Gate {
    pub(crate) assumptions: Assumptions,
    /// How many steps a run was tried for: consistent means that one gets that far.
    pub(crate) steps: u32,
    /// A minimal conflicting set, by name.
    pub(crate) conflict: Vec<String>,
    /// Properties whose proof means nothing.
    pub(crate) vacuous: Vec<String>,
    pub(crate) obligations: usize,
}

/// Whether the assumptions leave any run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Assumptions {
    Consistent,
    Conflicting,
    Unknown,
}

/// One property and what came of it.
#[derive(Debug, Serialize)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) verdict: &'static str,
    /// Why the verdict is unknown.
    pub(crate) reason: Option<String>,
    pub(crate) engine: Option<&'static str>,
    /// Transitions of a counterexample, frames or induction length of a proof, bound of a search without either.
    pub(crate) depth: Option<u32>,
    pub(crate) certified: bool,
    pub(crate) seconds: f64,
    pub(crate) trace: Option<Vec<Step>>,
}

/// One step of a trace.
#[derive(Debug, Serialize)]
pub(crate) struct Step {
    pub(crate) inputs: Named,
    pub(crate) states: Named,
}

/// Values by name, in the order of the design. A bit-vector is written in binary, most significant bit first.
#[derive(Debug)]
pub(crate) struct Named(Vec<(String, String)>);

impl Serialize for Named {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Elements that suffice for a proof.
#[derive(Debug, Serialize)]
pub(crate) struct Cores {
    pub(crate) property: String,
    pub(crate) algorithm: &'static str,
    pub(crate) minimal: bool,
    pub(crate) complete: bool,
    pub(crate) cores: Vec<Vec<String>>,
}

/// What it took.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Stats {
    pub(crate) proof_seconds: f64,
    pub(crate) solver_calls: BTreeMap<&'static str, u64>,
    pub(crate) decided_by: BTreeMap<&'static str, u64>,
}

/// The word for a verdict.
pub(crate) fn verdict_name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Proved(_) => "proved",
        Verdict::Falsified(_) => "falsified",
        Verdict::Unknown(_) => "unknown",
    }
}

/// The word for a kind of property.
pub(crate) fn kind_name(kind: &PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Invariant(_) => "invariant",
        PropertyKind::Justice(_) => "justice",
        PropertyKind::Ctl(_) => "ctl",
    }
}

/// The steps of a trace, with names.
pub(crate) fn steps(system: &System, trace: &Trace) -> Vec<Step> {
    let named = |signals: &[propcov_ir::SignalId], values: &[propcov_ir::Value]| {
        let pairs = signals.iter().zip(values);
        Named(pairs.map(|(signal, value)| (system.signal(*signal).name.clone(), value.to_string())).collect())
    };
    let step = |step: &propcov_ir::Step| Step {
        inputs: named(system.inputs(), &step.inputs),
        states: named(system.states(), &step.states),
    };
    trace.steps.iter().map(step).collect()
}

/// Seconds to the millisecond: more digits would be noise.
pub(crate) fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
