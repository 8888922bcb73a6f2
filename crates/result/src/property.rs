//! Properties, and what came of them.

use crate::design::is_false;
use crate::{Place, Trace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of a property that somebody wants to see reached, and not to hold.
pub const COVER: &str = "cover";

/// One property and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// What it is: `invariant`, `ctl`, `ltl`, `justice`, or `cover` for something that is to be reached.
    pub kind: String,
    /// The formula, where that is more than the name says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// Where it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Transitions of a counterexample, frames or induction length of a proof, bound of a search without either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Why the verdict is unknown, or what it rests on if it is not certified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The engine that decided it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Whether separate code has confirmed the verdict.
    pub certified: bool,
    /// Whether its proof says nothing about the design.
    #[serde(default, skip_serializing_if = "is_false")]
    pub vacuous: bool,
    /// Whether the proof comes from an earlier run, and was checked again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub recalled: bool,
    /// Other properties that its proof uses as lemmas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub helpers: Vec<String>,
    /// From the beginning of the search until the verdict was there and certified.
    pub seconds: f64,
    /// The name of the evidence in the run directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The counterexample; the run that reaches a cover; of a CTL property, the run that shows why it fails, or holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
    /// What went wrong in the counterexample, as an attempt of a property over time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<Attempt>,
    /// A run to the end of the antecedent, of an implication over time that holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tested: Option<Trace>,
    /// What never happens, although the property, or a part of it, says nothing without it. If it holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmet: Vec<Unmet>,
    /// A run that violates p, where `AG p` is not refuted by it: something might keep it from going on for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stray: Option<Trace>,
    /// Why induction fails, if that was asked for and the property is not decided: a run that starts anywhere, in which the property holds in all steps but the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inductive: Option<Trace>,
    /// How often inputs change in the counterexample, if it was to be smooth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smooth: Option<Smooth>,
    /// Elements that the proof uses, by number, if that was asked for and could be found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core: Option<Vec<u32>>,
    /// Why these could not be found, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core_reason: Option<String>,
    /// The property's own definition: an element, or several if definitions were taken apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<u32>,
    /// What its expression mentions itself, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reads: Option<Reads>,
}

impl Property {
    /// Whether it is something to be reached.
    pub fn is_cover(&self) -> bool {
        self.kind == COVER
    }
}

/// Something that never happens, and without which a property, or a part of it, says nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unmet {
    /// What it is.
    pub kind: UnmetKind,
    /// As it is written, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Antecedents that come before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// Where that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// What never happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UnmetKind {
    /// The statement is executed, or its clock ticks.
    Executed,
    /// An attempt begins while the property is not disabled.
    Enabled,
    /// An antecedent is at its end.
    Antecedent,
}

impl Unmet {
    /// What never happens, for people.
    pub fn sentence(&self) -> String {
        let text = match self.kind {
            UnmetKind::Executed => return "it is never executed".to_owned(),
            UnmetKind::Enabled => return "it is always disabled".to_owned(),
            UnmetKind::Antecedent => "its antecedent never holds",
        };
        match (&self.text, self.after.as_slice()) {
            (None, _) => text.to_owned(),
            (Some(what), []) => format!("{text}: {what}"),
            (Some(what), after) => format!("{text}: {what}, after {}", after.join(" and then ")),
        }
    }
}

/// An attempt that fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Attempt {
    /// The step in which it began.
    pub start: usize,
    /// What happened, in order.
    pub parts: Vec<AttemptPart>,
}

/// A part of an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttemptPart {
    /// The piece of the property, as it is written.
    pub text: String,
    /// Where that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The first step of it.
    pub from: usize,
    /// The last step of it.
    pub to: usize,
    /// Whether it matched, or failed to.
    pub matched: bool,
    /// Whether it fails because it never comes: the run goes on for ever, and `to` is one of many steps that were looked at.
    #[serde(default, skip_serializing_if = "is_false")]
    pub endless: bool,
}

impl AttemptPart {
    /// What came of it, for people.
    pub fn sentence(&self) -> String {
        let Self { text, from, to, matched, endless, .. } = self;
        let outcome = if *matched { "matched" } else { "failed" };
        match (endless, from == to) {
            (true, _) => format!("{text} is never met, from step {from} on"),
            (false, true) => format!("{text} {outcome} in step {to}"),
            (false, false) => format!("{text} {outcome} in steps {from} to {to}"),
        }
    }
}

impl Attempt {
    /// All of it in one sentence.
    pub fn sentence(&self) -> String {
        let parts: Vec<String> = self.parts.iter().map(AttemptPart::sentence).collect();
        format!("the attempt that began in step {}: {}", self.start, parts.join("; "))
    }
}

/// Whether a property holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It holds in every reachable step.
    Proved,
    /// It does not hold: there is a counterexample.
    Falsified,
    /// A cover is reached: there is a run.
    Reached,
    /// No run reaches a cover, and that is proved.
    Unreachable,
    /// It holds, or is not reached, up to the depth that was asked for; nothing is known beyond.
    Bounded,
    /// It is not known.
    Unknown,
}

impl Verdict {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Falsified => "falsified",
            Verdict::Reached => "reached",
            Verdict::Unreachable => "unreachable",
            Verdict::Bounded => "bounded",
            Verdict::Unknown => "unknown",
        }
    }
}

/// How often inputs change from one step of a counterexample to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Smooth {
    /// In the run that an engine found; absent where smoothing was not possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<usize>,
    /// In the one that is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<usize>,
    /// Whether it is known that they change no less often in any run of the same length.
    pub fewest: bool,
    /// Why smoothing was not possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What the expression of a property mentions: elements, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reads {
    /// In the antecedent, if it is an implication.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub antecedent: Vec<u32>,
    /// Elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consequent: Vec<u32>,
    /// Whether an input or a state is in its cone of influence. Otherwise it is a statement about constants.
    pub changes: bool,
}

/// What became of lemmas of earlier runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Advice {
    /// The file.
    pub path: String,
    /// Lemmas in the file before this run.
    pub read: usize,
    /// Those about signals that the design does not have.
    pub foreign: usize,
    /// Those that were checked and hold.
    pub holding: usize,
    /// Those that were checked and are not inductive.
    pub dropped: usize,
    /// Lemmas in the file after this run.
    pub stored: usize,
}
