//! The part of the document that is about a specification that simulates an implementation.

use super::Step;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Whether the specification simulates the implementation, and which labels of it are covered. What is not known is `null`.
#[derive(Debug, Serialize)]
pub(crate) struct Refinement {
    pub(crate) implementation: RefinementModel,
    pub(crate) specification: RefinementModel,
    /// The propositions that are compared.
    pub(crate) propositions: Vec<String>,
    /// Propositions that are not compared: those that only the implementation has, and those of the specification that are left out.
    pub(crate) ignored: Vec<String>,
    pub(crate) algorithm: &'static str,
    pub(crate) simulates: Option<bool>,
    /// Whether separate code has confirmed what is said.
    pub(crate) certified: bool,
    /// Why something is not known.
    pub(crate) reason: Option<String>,
    /// The propositions whose labels are in question.
    pub(crate) observed: Vec<String>,
    pub(crate) counts: Vec<LabelCount>,
    /// Labels one by one, if states were listed.
    pub(crate) covered: Option<Vec<StateLabel>>,
    pub(crate) uncovered: Option<Vec<StateLabel>>,
    pub(crate) unknown: Option<Vec<StateLabel>>,
    /// In states that nothing leads to: nothing can cover them.
    pub(crate) unreachable: Option<Vec<StateLabel>>,
    /// Labels that are not covered, as far as they are shown.
    pub(crate) holes: Vec<LabelHole>,
    pub(crate) unimplemented_start_states: Option<Vec<String>>,
    pub(crate) unimplemented_states: Option<Vec<String>>,
    pub(crate) unimplemented_transitions: Option<Vec<SpecificationStep>>,
    pub(crate) many_to_one: Option<Vec<Merged>>,
    /// Pairs of states that show that it simulates.
    pub(crate) relation: Option<Vec<PairOfStates>>,
    /// What shows that it does not.
    pub(crate) distinction: Option<Tree>,
    /// A state that no specification state simulates, and a run of a design to it, as decision diagrams know it.
    pub(crate) unsimulated: Option<UnsimulatedState>,
    /// Evidence for the labels that were asked for.
    pub(crate) explanations: Vec<ExplainedLabel>,
}

/// One of the two models. Counts are in decimal, as text.
#[derive(Debug, Serialize)]
pub(crate) struct RefinementModel {
    pub(crate) path: String,
    pub(crate) format: &'static str,
    pub(crate) states: Option<String>,
    pub(crate) transitions: Option<String>,
    pub(crate) initial: Option<String>,
}

/// Labels counted.
#[derive(Debug, Serialize)]
pub(crate) struct LabelCount {
    /// `null`: all observed propositions together.
    pub(crate) proposition: Option<String>,
    pub(crate) covered: String,
    pub(crate) uncovered: String,
    pub(crate) unknown: String,
    /// These three together.
    pub(crate) total: String,
    pub(crate) unreachable: String,
    /// At least and at most, of the total; `null` when that is 0.
    pub(crate) percent: Option<(f64, f64)>,
    pub(crate) certified: bool,
}

/// A label of the implementation.
#[derive(Debug, Serialize)]
pub(crate) struct StateLabel {
    pub(crate) state: Arc<str>,
    pub(crate) proposition: Arc<str>,
}

/// Where labels of a proposition are not covered.
#[derive(Debug, Serialize)]
pub(crate) struct LabelHole {
    pub(crate) proposition: String,
    /// The name of a state, or a condition on states.
    pub(crate) states: String,
    pub(crate) count: String,
}

/// A transition of the specification.
#[derive(Debug, Serialize)]
pub(crate) struct SpecificationStep {
    pub(crate) from: String,
    pub(crate) to: String,
    /// With --criteria kgg99: two implementation states that are simulated there, and not connected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) implementation_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) implementation_to: Option<String>,
    /// And how many such pairs there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) count: Option<u64>,
}

/// A specification state that stands for several implementation states.
#[derive(Debug, Serialize)]
pub(crate) struct Merged {
    pub(crate) state: String,
    pub(crate) implementation: Vec<Arc<str>>,
}

/// An implementation state, and a specification state.
#[derive(Debug, Serialize)]
pub(crate) struct PairOfStates {
    pub(crate) implementation: Arc<str>,
    pub(crate) specification: Arc<str>,
}

/// A run, and why the specification cannot go on from where it can be at the end of it.
#[derive(Debug, Serialize)]
pub(crate) struct Tree {
    pub(crate) run: Vec<TreeStep>,
    /// In this order: each rests on those before it.
    pub(crate) refutations: Vec<TreeNode>,
}

/// A state of the implementation that nothing simulates.
#[derive(Debug, Serialize)]
pub(crate) struct UnsimulatedState {
    pub(crate) state: String,
    pub(crate) trace: Option<Vec<Step>>,
}

/// A state of the run.
#[derive(Debug, Serialize)]
pub(crate) struct TreeStep {
    pub(crate) state: String,
    /// Its labels: `p` holds, `?p` is open, others do not hold.
    pub(crate) labels: Vec<String>,
    /// Where the specification can be then.
    pub(crate) specification: Vec<String>,
}

/// The specification state does not simulate the implementation state: it has no answer to the step.
#[derive(Debug, Serialize)]
pub(crate) struct TreeNode {
    pub(crate) implementation: String,
    pub(crate) specification: String,
    /// The successor that the implementation goes to.
    pub(crate) step: String,
}

/// Why a label is covered or not.
#[derive(Debug, Serialize)]
pub(crate) struct ExplainedLabel {
    pub(crate) state: Arc<str>,
    pub(crate) proposition: Arc<str>,
    pub(crate) verdict: &'static str,
    /// What distinguishes the mutant from the specification, if it is covered.
    pub(crate) distinction: Option<Tree>,
    /// Specification states that accept the flipped label in the state, if it is not.
    pub(crate) partners: Option<Vec<String>>,
    /// A run of the mutant through the state, and how the specification goes along, if it is not.
    pub(crate) run: Option<Vec<PairOfStates>>,
    /// How the specification simulates the mutant, if it does.
    pub(crate) relation: Option<Vec<PairOfStates>>,
}

/// What it took.
#[derive(Debug, Serialize)]
pub(crate) struct RefinementFigures {
    pub(crate) reading_seconds: f64,
    pub(crate) criteria_seconds: f64,
    /// Work, by name.
    pub(crate) figures: BTreeMap<String, u64>,
    /// That of going from state to state, apart: for the verdict, for coverage, for what is not implemented.
    pub(crate) simulation_figures: Option<BTreeMap<String, u64>>,
    pub(crate) coverage_figures: Option<BTreeMap<String, u64>>,
    pub(crate) criteria_figures: Option<BTreeMap<String, u64>>,
}
