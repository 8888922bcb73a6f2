//! The part of the document that is about states and transitions.

use super::{Smallest, Step};
use serde::Serialize;

/// States or transitions in which CTL properties check a signal. Counts are in decimal, as text: they pass what a number can hold.
#[derive(Debug, Serialize)]
pub(crate) struct StateRow {
    pub(crate) metric: &'static str,
    /// `null`: all observed signals together.
    pub(crate) observed: Option<String>,
    pub(crate) semantics: &'static str,
    pub(crate) flip: &'static str,
    pub(crate) implication: &'static str,
    pub(crate) reachable: Option<String>,
    /// Fair ones that nobody cares for.
    pub(crate) excluded: Option<String>,
    /// Those that no fair path goes on from.
    pub(crate) unfair: Option<String>,
    /// The others, which count.
    pub(crate) total: Option<String>,
    /// Those that certainly are.
    pub(crate) covered: Option<String>,
    /// At least and at most, of the total; `null` when that is 0 or not known.
    pub(crate) percent: Option<(f64, f64)>,
    /// Why something is not known.
    pub(crate) reason: Option<String>,
    /// Whether separate code has confirmed all counts of what is covered.
    pub(crate) certified: bool,
    pub(crate) properties: Vec<StatePart>,
    pub(crate) smallest: Option<Smallest>,
    /// What is not certainly covered, largest first.
    pub(crate) uncovered: Option<Vec<StateHole>>,
    /// How many are in none of those that are listed.
    pub(crate) uncovered_rest: Option<String>,
    /// Runs into holes, as far as they were asked for.
    pub(crate) trace: Vec<HoleTrace>,
}

/// What one property covers.
#[derive(Debug, Serialize)]
pub(crate) struct StatePart {
    pub(crate) property: String,
    pub(crate) covered: Option<String>,
    /// What it covers and no other property does.
    pub(crate) only: Option<String>,
    pub(crate) redundant: Option<bool>,
    pub(crate) verdict: &'static str,
    /// Why it is not measured.
    pub(crate) reason: Option<String>,
}

/// States or transitions that are not covered: each counts what no earlier one has.
#[derive(Debug, Serialize)]
pub(crate) struct StateHole {
    pub(crate) cube: String,
    pub(crate) literals: Vec<HoleLiteral>,
    pub(crate) count: String,
}

/// A condition on one variable.
#[derive(Debug, Serialize)]
pub(crate) struct HoleLiteral {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

/// A shortest run into a hole.
#[derive(Debug, Serialize)]
pub(crate) struct HoleTrace {
    /// The number of the hole, counting from 1.
    pub(crate) hole: usize,
    pub(crate) steps: Option<Vec<Step>>,
    /// Why there is none.
    pub(crate) reason: Option<String>,
    /// The file with the run as a waveform.
    pub(crate) vcd: Option<String>,
}
