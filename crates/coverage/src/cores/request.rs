//! What is asked about cores, and what is answered.

use propcov_ir::{ElementSet, UnknownReason};

/// What the user wants to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// One core, small but not necessarily minimal, as fast as possible.
    One,
    /// One minimal core.
    Minimal,
    /// A core that has no more elements than any other.
    Minimum,
    /// All minimal cores.
    All,
    /// The elements that are in every core.
    Must,
    /// The elements that are in some minimal core.
    May,
}

/// How it is found out. Which algorithm serves which goal: [`Algorithm::goals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Unsatisfiable cores of the proof (thesis, Algorithms 4 to 7).
    Uc,
    /// One check for each element (Algorithm 3).
    Bf,
    /// First `uc`, then one check for each element that is left (Algorithm 8).
    Ucbf,
    /// One check for each element of a core (Algorithm 15).
    Must,
    /// Cores of bounded proofs, one for each depth (Algorithm 9).
    Bvc,
    /// Maximal unexplored sets; cores are minimal only at the end (Algorithm 10).
    Marco,
    /// Maximal unexplored sets; each core is shrunk at once (§3.3.2).
    OnlineMarco,
    /// The same with queues of sets to shrink and to grow (Algorithms 11 to 14).
    GrowShrink,
}

impl Algorithm {
    /// All of them, as in ALGORITHMS.md.
    pub const ALL: [Algorithm; 8] = [
        Algorithm::Uc,
        Algorithm::Bf,
        Algorithm::Ucbf,
        Algorithm::Must,
        Algorithm::Bvc,
        Algorithm::Marco,
        Algorithm::OnlineMarco,
        Algorithm::GrowShrink,
    ];

    /// The name users type.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Uc => "uc",
            Algorithm::Bf => "bf",
            Algorithm::Ucbf => "ucbf",
            Algorithm::Must => "must",
            Algorithm::Bvc => "bvc",
            Algorithm::Marco => "marco",
            Algorithm::OnlineMarco => "online-marco",
            Algorithm::GrowShrink => "grow-shrink",
        }
    }

    /// What it can be used for; the first is what it does when nothing else is asked for.
    pub fn goals(self) -> &'static [Goal] {
        match self {
            Algorithm::Uc => &[Goal::One],
            Algorithm::Bf | Algorithm::Ucbf => &[Goal::Minimal],
            Algorithm::Must => &[Goal::Must],
            Algorithm::Bvc => &[Goal::Minimal],
            Algorithm::Marco | Algorithm::OnlineMarco | Algorithm::GrowShrink => {
                &[Goal::All, Goal::Must, Goal::May, Goal::Minimum]
            }
        }
    }
}

/// Whether a core can do without any of its elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Minimality {
    /// It cannot: without any one of its elements it is inadequate.
    Minimal,
    /// Nobody has looked.
    Unchecked,
    /// These are the elements for which it could not be found out; it needs all others.
    Undecided(ElementSet),
}

/// An adequate set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    /// Its elements: a subset of the universe.
    pub elements: ElementSet,
    /// Whether it can do without some of them.
    pub minimal: Minimality,
}

/// A set of which some members may be unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Certainly in it.
    pub sure: ElementSet,
    /// Not known to be in it, nor to be outside.
    pub unknown: ElementSet,
}

/// What came of a request about one property.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The cores, in the order in which they were found. No core that is not minimal is here if a subset of it is.
    pub cores: Vec<Core>,
    /// Whether these are certainly all minimal cores, and each of them is minimal.
    pub complete: bool,
    /// The elements of every core, if that was asked for or is known anyway.
    pub must: Option<Parts>,
    /// The elements of some minimal core, likewise.
    pub may: Option<Parts>,
    /// A smallest core, if it was asked for or is known anyway; otherwise the best lower bound is in `at_least`.
    pub minimum: Option<ElementSet>,
    /// Every core has at least so many elements.
    pub at_least: usize,
    /// Sets about which no answer was found, and why.
    pub undecided: Vec<(ElementSet, UnknownReason)>,
    /// Whether the search was stopped before it came to an end.
    pub stopped: bool,
}

impl Found {
    /// Adds what an earlier search knew that was stopped. Cores that it had found are among those of this one, which went on from
    /// them.
    pub(super) fn add(&mut self, earlier: &Found) {
        if let (Some(may), Some(before)) = (&mut self.may, &earlier.may) {
            may.sure = may.sure.union(&before.sure);
            may.unknown = may.unknown.difference(&may.sure);
        }
        self.at_least = self.at_least.max(earlier.at_least);
        if self.minimum.is_none() {
            self.minimum.clone_from(&earlier.minimum);
        }
    }
}

/// Hears of cores as soon as they are found.
pub trait Listener {
    /// A core. With [`Goal::All`] and an online algorithm each is minimal, or says what is undecided.
    fn core(&mut self, core: &Core);
}

/// Nobody listens.
impl Listener for () {
    fn core(&mut self, _: &Core) {}
}
