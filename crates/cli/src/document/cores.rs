//! What the document says about validity cores.

use serde::Serialize;
use std::collections::BTreeMap;

/// What is known besides the cores themselves.
#[derive(Debug, Serialize)]
pub(crate) struct CoreFacts {
    /// What was asked for: one, minimal, minimum, all, must, may.
    pub(crate) goal: &'static str,
    /// The bound, if cores of bounded proofs were asked for.
    pub(crate) depth: Option<u32>,
    /// Whether that is answered.
    pub(crate) answered: bool,
    /// Whether the search was stopped before it came to an end.
    pub(crate) stopped: bool,
    /// The elements of every core, as far as is known; `null` where nobody asked.
    pub(crate) must: Option<Vec<String>>,
    /// The elements of some minimal core, likewise.
    pub(crate) may: Option<Vec<String>>,
    /// A smallest core, if it is known.
    pub(crate) minimum: Option<Vec<String>>,
    /// Those of which it is not known whether they belong to `must`.
    pub(crate) must_unknown: Option<Vec<String>>,
    /// The same for `may`.
    pub(crate) may_unknown: Option<Vec<String>>,
    /// Every core has at least so many elements.
    pub(crate) at_least: usize,
    /// About each of the cores, in the same order.
    pub(crate) details: Vec<CoreDetail>,
    /// How many checks have no answer, by reason.
    pub(crate) undecided: BTreeMap<String, usize>,
    /// With `--algorithm bvc`, for each depth.
    pub(crate) by_depth: Vec<CoreAtDepth>,
    /// `null` for all properties together.
    pub(crate) seconds: Option<CoreSeconds>,
}

/// What is known about one core.
#[derive(Debug, Serialize)]
pub(crate) struct CoreDetail {
    pub(crate) size: usize,
    /// `null`: not known.
    pub(crate) minimal: Option<bool>,
    /// The elements that it may be able to do without.
    pub(crate) undecided: Vec<String>,
}

/// A core of a bounded proof.
#[derive(Debug, Serialize)]
pub(crate) struct CoreAtDepth {
    pub(crate) depth: u32,
    /// Suffices for all steps up to the depth.
    pub(crate) up_to: Vec<String>,
    /// Suffices for the last of these steps.
    pub(crate) at: Vec<String>,
}

/// Where the time went.
#[derive(Debug, Serialize)]
pub(crate) struct CoreSeconds {
    pub(crate) proof: f64,
    pub(crate) cores: f64,
    pub(crate) certify: f64,
}
