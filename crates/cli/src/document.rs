//! The JSON document, one for all commands: the same field names everywhere, and a command leaves out the parts that it has
//! nothing to say about. Within a part that is there, every field is there; what is not known is `null`.

mod refinement;

use crate::demonstration_table::formula;
use crate::reads;
use crate::trace_table::is_choice;
use propcov_ir::{Demonstration, PropertyKind, SignalId, System};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

pub(crate) use refinement::{
    ExplainedLabel, LabelCount, LabelHole, Merged, PairOfStates, Refinement, RefinementFigures,
    RefinementModel, SpecificationStep, StateLabel, Tree, TreeNode, TreeStep, UnsimulatedState,
};

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
    pub(crate) elements: Option<Vec<Element>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) findings: Option<Vec<Finding>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) summary: Option<Vec<Summary>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ranking: Option<Ranking>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) holes: Option<Vec<Hole>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cores: Option<Vec<Cores>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) refinement: Option<Refinement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) advice: Option<Advice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stats: Option<Stats>,
}

impl Document {
    /// A document that says nothing yet.
    pub(crate) fn new(command: &'static str, seed: u64) -> Document {
        Document {
            schema: SCHEMA,
            command,
            version: env!("CARGO_PKG_VERSION"),
            seed,
            design: None,
            gate: None,
            properties: None,
            elements: None,
            findings: None,
            summary: None,
            ranking: None,
            holes: None,
            cores: None,
            refinement: None,
            advice: None,
            stats: None,
        }
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
    /// The counterexample; of a CTL property, the run that shows why it fails, or holds.
    pub(crate) trace: Option<Vec<Step>>,
    /// What that run shows, of a CTL property.
    pub(crate) shows: Option<Shows>,
    /// How often inputs change in the counterexample, if it was to be smooth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) smooth: Option<Smooth>,
}

/// How often inputs change from one step of a counterexample to the next.
#[derive(Debug, Serialize)]
pub(crate) struct Smooth {
    /// In the run that an engine found; `null` where smoothing was not possible.
    pub(crate) before: Option<usize>,
    /// In the one that is given.
    pub(crate) after: Option<usize>,
    /// Whether it is known that they change no less often in any run of the same length.
    pub(crate) fewest: bool,
    /// Why smoothing was not possible.
    pub(crate) reason: Option<String>,
}

/// What became of lemmas of earlier runs.
#[derive(Debug, Serialize)]
pub(crate) struct Advice {
    pub(crate) path: String,
    /// Lemmas in the file before this run.
    pub(crate) read: usize,
    /// Those about signals that the design does not have.
    pub(crate) foreign: usize,
    /// Those that were checked and hold.
    pub(crate) holding: usize,
    /// Those that were checked and are not inductive.
    pub(crate) dropped: usize,
    /// Lemmas in the file after this run.
    pub(crate) stored: usize,
}

/// How to read the run of a CTL property.
#[derive(Debug, Serialize)]
pub(crate) struct Shows {
    /// The formula that is true in the first step.
    pub(crate) claim: String,
    /// How many steps show it. The others show that the run can go on fairly.
    pub(crate) essential: usize,
    /// The step that follows the last one, for ever; `null`: any continuation will do.
    pub(crate) loop_to: Option<usize>,
    /// Runs that start in a step of this one.
    pub(crate) branches: Vec<Branch>,
}

/// A run that branches off another one.
#[derive(Debug, Serialize)]
pub(crate) struct Branch {
    /// The step of the other run that this one starts in.
    pub(crate) step: usize,
    pub(crate) trace: Vec<Step>,
    pub(crate) shows: Shows,
}

/// One step of a trace.
#[derive(Debug, Serialize)]
pub(crate) struct Step {
    pub(crate) inputs: Named,
    pub(crate) states: Named,
    /// Definitions that the property reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) wires: Option<Named>,
    /// Wires that a mutation leaves open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) free: Option<Named>,
}

/// Values by name, in the order of the design. A bit-vector is written in binary, most significant bit first, a real as a fraction unless it is whole.
#[derive(Debug)]
pub(crate) struct Named(Vec<(String, String)>);

impl Serialize for Named {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A definition that coverage is measured of. Lines and columns count from 1; they are `null` where a file has none.
#[derive(Debug, Serialize)]
pub(crate) struct Element {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) column: Option<u32>,
    pub(crate) end_line: Option<u32>,
    pub(crate) end_column: Option<u32>,
}

/// What became of one edit of an element and one property.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) metric: &'static str,
    /// The id of the element.
    pub(crate) element: u32,
    pub(crate) property: String,
    pub(crate) edit: &'static str,
    pub(crate) verdict: &'static str,
    /// Why the verdict is unknown.
    pub(crate) reason: Option<String>,
    /// The technique that decided it.
    pub(crate) by: Option<String>,
    /// The killing run, when traces are asked for.
    pub(crate) trace: Option<Vec<Step>>,
    /// The name of the evidence in the run directory.
    pub(crate) evidence: Option<String>,
}

/// Findings counted.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    pub(crate) metric: &'static str,
    /// Of metrics of cores: who covers what is counted, `set` (some property), `conjunction` (of all) or `property`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scope: Option<&'static str>,
    /// `null`: all properties together.
    pub(crate) property: Option<String>,
    #[serde(flatten)]
    pub(crate) count: Count,
    /// The same for each edit.
    pub(crate) edits: BTreeMap<&'static str, Count>,
}

/// How many are what.
#[derive(Debug, Serialize)]
pub(crate) struct Count {
    pub(crate) covered: usize,
    pub(crate) uncovered: usize,
    pub(crate) no_effect: usize,
    pub(crate) unknown: usize,
    pub(crate) total: usize,
    /// At least and at most, of the total; `null` when that is 0, and when no property was measured.
    pub(crate) percent: Option<(f64, f64)>,
}

/// What properties contribute.
#[derive(Debug, Serialize)]
pub(crate) struct Ranking {
    pub(crate) properties: Vec<Contribution>,
    /// Those without which the others cover as much.
    pub(crate) redundant: Vec<String>,
    /// The order in which each adds most to those before it; the rest adds nothing.
    pub(crate) greedy: Vec<Pick>,
    pub(crate) smallest: Smallest,
}

/// What one property contributes.
#[derive(Debug, Serialize)]
pub(crate) struct Contribution {
    pub(crate) property: String,
    /// How many mutants it kills.
    pub(crate) kills: usize,
    /// How many nobody else kills.
    pub(crate) only: usize,
}

/// A property in its turn.
#[derive(Debug, Serialize)]
pub(crate) struct Pick {
    pub(crate) property: String,
    pub(crate) gained: usize,
    pub(crate) covered: usize,
}

/// A subset of the properties with the same coverage.
#[derive(Debug, Serialize)]
pub(crate) struct Smallest {
    pub(crate) properties: Vec<String>,
    /// Whether it is known that none is smaller.
    pub(crate) exact: bool,
}

/// What an uncovered mutant could do unnoticed.
#[derive(Debug, Serialize)]
pub(crate) struct Hole {
    /// The id of the element.
    pub(crate) element: u32,
    pub(crate) edit: &'static str,
    /// `differs`, `no-effect` or `unknown`.
    pub(crate) verdict: &'static str,
    /// Why the verdict is unknown.
    pub(crate) reason: Option<String>,
    /// Where a difference was looked for, in words.
    pub(crate) observation: String,
    /// What differs in the last step.
    pub(crate) observed: Vec<String>,
    /// How many transitions it takes.
    pub(crate) depth: Option<usize>,
    /// Whether it is known that it takes no fewer.
    pub(crate) shortest: Option<bool>,
    /// The two runs, when traces are asked for.
    pub(crate) trace: Option<PairOfRuns>,
    /// The file with the two runs as a waveform.
    pub(crate) vcd: Option<String>,
}

/// Two runs under the same choices.
#[derive(Debug, Serialize)]
pub(crate) struct PairOfRuns {
    pub(crate) design: Vec<Step>,
    pub(crate) mutant: Vec<Step>,
}

/// What it took.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Stats {
    pub(crate) proof_seconds: f64,
    /// Of these, what it took to check the evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) certify_seconds: Option<f64>,
    /// The rest, to the microsecond.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) engine_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) coverage_seconds: Option<f64>,
    /// For what is not covered by CTL properties, and runs into that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) holes_seconds: Option<f64>,
    /// For computing the same once more, state by state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) evidence_seconds: Option<f64>,
    /// The seconds of coverage after which a percentage of the findings was decided; only percentages that were reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) decided_at: Option<BTreeMap<usize, f64>>,
    pub(crate) solver_calls: BTreeMap<&'static str, u64>,
    pub(crate) decided_by: BTreeMap<String, u64>,
    /// How many findings come from earlier runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reused: Option<usize>,
    /// With `--stats`, if the reachable states were computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) states: Option<States>,
    /// What decision diagrams took, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) diagrams: Option<Diagrams>,
}

/// How many states there are. In decimal, as text: they pass what a number can hold.
#[derive(Debug, Serialize)]
pub(crate) struct States {
    pub(crate) reachable: String,
    /// Those among them from which a fair path starts.
    pub(crate) fair: String,
    /// Layers of reachable states, the initial ones included.
    pub(crate) diameter: usize,
}

/// What decision diagrams took.
#[derive(Debug, Serialize)]
pub(crate) struct Diagrams {
    pub(crate) variables: usize,
    pub(crate) nodes: usize,
    pub(crate) peak_nodes: usize,
    pub(crate) reorderings: u64,
    pub(crate) reordering_seconds: f64,
    /// Parts of the transition relation, forwards and backwards.
    pub(crate) parts: (usize, usize),
    /// Until the reachable states were known.
    pub(crate) reachability_seconds: f64,
    /// For verdicts, without any check of them.
    pub(crate) verdict_seconds: f64,
    /// For the number of transitions, if it was needed.
    pub(crate) relation_seconds: f64,
    /// For the fair states, as far as verdicts did not need them.
    pub(crate) fair_seconds: f64,
}

/// The word for a kind of property.
pub(crate) fn kind_name(kind: &PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Invariant(_) => "invariant",
        PropertyKind::Justice(_) => "justice",
        PropertyKind::Ctl(_) => "ctl",
    }
}

/// What a run shows, with the runs that branch off.
pub(crate) fn shows(system: &System, shown: &Demonstration, wires: &[SignalId]) -> Shows {
    let branch = |(step, branch): &(usize, Demonstration)| Branch {
        step: *step,
        trace: steps(system, &branch.steps, wires),
        shows: shows(system, branch, wires),
    };
    Shows {
        claim: formula(system, &shown.claim),
        essential: shown.essential,
        loop_to: shown.loop_to,
        branches: shown.branches.iter().map(branch).collect(),
    }
}

/// The steps of a run, with names. Wires are only asked for in runs of the design as it is. What `next(x) := {a, b}` chooses is no input: it is x in
/// the next step.
pub(crate) fn steps(system: &System, steps: &[propcov_ir::Step], wires: &[SignalId]) -> Vec<Step> {
    let named = |signals: &[SignalId], values: &[propcov_ir::Value]| {
        let pairs = signals.iter().map(|signal| system.signal(*signal)).zip(values);
        let pairs = pairs.filter(|(signal, _)| !is_choice(signal));
        Named(pairs.map(|(signal, value)| (signal.name.clone(), value.to_string())).collect())
    };
    let wire_values = reads::wire_values(system, wires, steps);
    let freed = |step: &propcov_ir::Step| {
        let values = step.free.iter();
        let named = values.map(|(element, value)| (system.element(*element).name.clone(), value.to_string()));
        (!step.free.is_empty()).then(|| Named(named.collect()))
    };
    let step = |(at, step): (usize, &propcov_ir::Step)| Step {
        inputs: named(system.inputs(), &step.inputs),
        states: named(system.states(), &step.states),
        wires: wire_values.as_ref().and_then(|values| values.get(at)).map(|values| named(wires, values)),
        free: freed(step),
    };
    steps.iter().enumerate().map(step).collect()
}

/// Seconds to the millisecond: more digits would be noise.
pub(crate) fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// Seconds to the microsecond: of stages of the same run, which are compared with each other.
pub(crate) fn finely_rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}
