//! Whether a specification simulates an implementation, and what shows it. Which labels are covered is in findings and shares of the metric `simulation`.

use crate::{Count, FindingVerdict, Trace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Whether the specification simulates the implementation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refinement {
    /// The concrete model.
    pub implementation: Model,
    /// The abstract one.
    pub specification: Model,
    /// The propositions that are compared.
    pub propositions: Vec<String>,
    /// Propositions that only the implementation has: they are not compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<String>,
    /// Propositions of the specification that are not compared because the user said so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// How it was found out: `divide`, `figure3`, `naive` or `symbolic`.
    pub algorithm: String,
    /// Whether it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulates: Option<bool>,
    /// Whether separate code has confirmed that. What is said about labels is certified by finding and by share.
    pub certified: bool,
    /// Why something that was asked for is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The propositions whose labels are in question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<String>,
    /// What of the specification is not implemented.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub criteria: Option<Criteria>,
    /// How many pairs of states the relation has that shows that it simulates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<usize>,
    /// These pairs, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relation: Vec<PairOfStates>,
    /// What shows that it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinction: Option<Distinction>,
    /// A state that no specification state simulates, as decision diagrams know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsimulated: Option<Unsimulated>,
    /// Evidence for the labels that were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<Explanation>,
}

/// One of the two models.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Model {
    /// The path, as the user gave it.
    pub path: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// The format.
    pub format: String,
    /// States, if they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<Count>,
    /// Transitions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transitions: Option<Count>,
    /// Initial states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<Count>,
}

/// The criteria of Katz, Grumberg and Geist: absent lists are not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Criteria {
    /// Which form: `removable` or `kgg99`.
    pub form: String,
    /// Why they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Initial specification states that no initial implementation state needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unimplemented_start_states: Option<Vec<String>>,
    /// Specification states that simulate nothing reachable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unimplemented_states: Option<Vec<String>>,
    /// Specification transitions that no implementation step needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unimplemented_transitions: Option<Vec<SpecificationStep>>,
    /// Specification states that stand for several implementation states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub many_to_one: Option<Vec<Merged>>,
}

/// A transition of the specification.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpecificationStep {
    /// From this state.
    pub from: String,
    /// To this one.
    pub to: String,
    /// With `--criteria kgg99`: two implementation states that are simulated there, and not connected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub implementation: Option<(String, String)>,
    /// And how many such pairs there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
}

/// A specification state that stands for several implementation states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Merged {
    /// The state.
    pub state: String,
    /// What it stands for.
    pub implementation: Vec<Arc<str>>,
}

/// An implementation state, and a specification state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairOfStates {
    /// Of the implementation.
    pub implementation: Arc<str>,
    /// Of the specification.
    pub specification: Arc<str>,
}

/// A run, and why the specification cannot go on from where it can be at the end of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Distinction {
    /// The run.
    pub run: Vec<TreeStep>,
    /// Where the specification can be in no state at the end of the run: the states that it could have been
    /// in, and what each of them needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refusal>,
    /// In this order: each rests on those before it.
    pub refutations: Vec<Refutation>,
}

/// A state of the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TreeStep {
    /// Its name.
    pub state: String,
    /// Its labels: `p` holds, `?p` is open, others do not hold.
    pub labels: Vec<String>,
    /// Where the specification can be then.
    pub specification: Vec<String>,
}

/// The specification state does not simulate the implementation state: it has no answer to the step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refutation {
    /// The implementation state.
    pub implementation: String,
    /// The specification state.
    pub specification: String,
    /// The successor that the implementation goes to.
    pub step: String,
    /// Its labels, as in [`TreeStep::labels`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// What the specification state could answer with: its successors, and why each of them is no answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Refusal>,
}

/// A state of the specification that cannot stand for a state of the implementation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refusal {
    /// The state of the specification.
    pub state: String,
    /// The labels that it needs, and that the implementation does not have there: `p`, `!p` or `?p`. None:
    /// the labels fit, and a refutation says why it cannot go on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
}

/// A state of the implementation that nothing simulates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unsimulated {
    /// The state.
    pub state: String,
    /// A run of the design to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
}

/// Why a label is covered or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// The state.
    pub state: Arc<str>,
    /// The proposition.
    pub proposition: Arc<str>,
    /// The label as it is after the flip: `p`, `!p` or `?p`.
    pub flipped: String,
    /// Whether it is covered.
    pub verdict: FindingVerdict,
    /// What distinguishes the mutant from the specification, if it is covered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinction: Option<Distinction>,
    /// Specification states that accept the flipped label in the state, if it is not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partners: Vec<String>,
    /// A run of the mutant through the state, and how the specification goes along, if it is not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub run: Vec<PassageStep>,
    /// How the specification simulates the mutant, if it does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relation: Vec<PairOfStates>,
}

/// A step of a mutant, and how the specification goes along.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PassageStep {
    /// The state of the implementation.
    pub implementation: String,
    /// Its labels, the flipped one included; as in [`TreeStep::labels`].
    pub labels: Vec<String>,
    /// The state of the specification.
    pub specification: String,
    /// What this one asks for, likewise.
    pub needs: Vec<String>,
}
