//! The document as a whole, and how the run went.

use crate::{
    Advice, CoreRow, Design, Distance, Element, Excerpt, Finding, Gate, Impact, Place, Property, Ranking,
    Refinement, Share, SourceLine, StateRow, Stats, Threshold, Unmentioned, Verification, Waiver,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Changes when a field changes its meaning.
pub const SCHEMA: &str = "propcov/2";

/// Everything that a run found out. A command fills in what it has something to say about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunResult {
    /// The version of this document's form: `propcov/2`.
    pub schema: String,
    /// How the run was started, and how it ended.
    pub run: Run,
    /// What was read. `propcov refine` has two models instead, in `refinement`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design: Option<Design>,
    /// The sanity check: reasons not to trust any verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// The properties that were asked about, in the order of the design.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Property>,
    /// Numbers of steps that the design asks for: `COMPUTE` of SMV.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distances: Vec<Distance>,
    /// The elements that something is said about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<Element>,
    /// Lines of the files, where elements are parts of definitions: a text shows them with marks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excerpts: Vec<Excerpt>,
    /// Elements folded by source line, where the same line is several elements: in several instances, or rounds of a loop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<SourceLine>,
    /// What was found out, one by one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// The same counted, by metric and scope.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<Share>,
    /// What the user said does not count, and what became of that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waivers: Vec<Waiver>,
    /// What each property contributes, by metric.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rankings: Vec<Ranking>,
    /// Validity cores, by property.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cores: Vec<CoreRow>,
    /// State and transition coverage, by observed signal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<StateRow>,
    /// States that no property mentions, if state or transition coverage had to choose what to observe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unmentioned: Option<Unmentioned>,
    /// Whether a specification simulates an implementation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refinement: Option<Refinement>,
    /// What became of the claims of a run directory, with `propcov verify`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
    /// What a change of a design means for its proofs, with `propcov impact`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact: Option<Impact>,
    /// What became of lemmas of earlier runs, with `--advice`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<Advice>,
    /// What the user should know besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// What it took.
    #[serde(default)]
    pub stats: Stats,
}

/// How a run was started, and how it ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// The command: `check`, `cover`, `cores`, `refine`, `explain` or `verify`.
    pub command: String,
    /// The arguments, as they were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The version of propcov.
    pub version: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// How long it took.
    pub seconds: f64,
    /// When it began: date and time in UTC, as in RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The metrics that were asked for, in the order of their table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
    /// Which share of the work this is, if it is one of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Why it ended before everything was decided, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
    /// What has to be covered, if that was said, and whether it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thresholds: Vec<Threshold>,
    /// The file that options come from besides the command line, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configuration: Option<Configuration>,
    /// The run directory, if one was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Files with evidence, waveforms and pictures that were written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// What went wrong inside propcov: bugs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub internal_errors: Vec<String>,
}

/// Options that are kept in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Configuration {
    /// The file: `propcov.toml`.
    pub path: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Which of its designs this is, if it has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design: Option<String>,
    /// What it added to the command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
}

/// Why something is not known that another share of the work is about.
pub const ELSEWHERE: &str = "left to another shard";

/// One of several shares of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Shard {
    /// Which one, from 1.
    pub index: u32,
    /// Of how many.
    pub count: u32,
}

/// Why a run ended before everything was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// As much was decided as was asked for.
    Accuracy,
    /// The multiple of the proofs' time is used up.
    Budget,
    /// The time is up.
    Timeout,
    /// The memory is used up.
    Memory,
    /// Somebody asked to stop.
    Interrupted,
    /// The default effort is used up: more would take `--effort max`.
    Effort,
    /// The techniques that were chosen cannot decide more.
    Techniques,
    /// The rest belongs to other shares of the work; in the union of several, none of them has decided it.
    Shard,
}

/// Something that the user should know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// How serious it is.
    pub kind: NoteKind,
    /// What it is, in a sentence.
    pub text: String,
    /// Where in the design.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// How serious a note is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// For information.
    Note,
    /// Something may not be what the user thinks.
    Warning,
    /// Something that was asked for could not be done, such as a file that could not be written: exit code 1.
    Error,
}

impl RunResult {
    /// A result that says nothing yet.
    pub fn new(command: &str, seed: u64) -> RunResult {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let run = Run { command: command.to_owned(), version, seed, ..Run::default() };
        RunResult { schema: SCHEMA.to_owned(), run, ..RunResult::default() }
    }

    /// The element with this number.
    pub fn element(&self, id: u32) -> Option<&Element> {
        // They are in order wherever propcov made the document.
        match self.elements.binary_search_by_key(&id, |element| element.id) {
            Ok(at) => self.elements.get(at),
            Err(_) => self.elements.iter().find(|element| element.id == id),
        }
    }

    /// Adds elements, in order; one that is there already is kept.
    pub fn add_elements(&mut self, elements: Vec<Element>) {
        self.elements.extend(elements);
        self.elements.sort_by_key(|element| element.id);
        self.elements.dedup_by_key(|element| element.id);
    }

    /// The property with this name.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// The counts of a metric in a scope.
    pub fn share(&self, metric: &str, scope: &crate::Scope) -> Option<&Share> {
        self.shares.iter().find(|share| share.metric == metric && share.scope == *scope)
    }
}
