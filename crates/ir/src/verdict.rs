//! A model checker's answer about one property. It never comes without evidence, and bounded is not proved.

use crate::{ElementSet, ExprId, ExprPool, Trace};
use propcov_budget::Stop;
use std::fmt;
use std::sync::Arc;

/// The answer.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The property holds in every reachable step.
    Proved(Proof),
    /// The last step of this run violates the property.
    Falsified(Trace),
    /// Neither was established.
    Unknown(UnknownReason),
}

/// Why a property holds: its conjunction with the invariant is k-inductive.
///
/// Write Q for the conjunction of the property and all lemmas. Then (initiation) Q holds in the first k steps of every
/// run, and (consecution) Q holds after any k consecutive steps in which it held. With `simple_path`, Q holds in the first
/// k + 1 steps of every run, and consecution is only claimed when the k + 1 states are pairwise different. That is sound
/// because a shortest run to a violation repeats no state after its first step; the certifier's rule says it exactly.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The lemmas that strengthen the property. Properties that are proved together share them.
    pub invariant: Arc<Invariant>,
    /// The length of the induction, at least 1.
    pub k: u32,
    /// Whether consecution needs pairwise different states.
    pub simple_path: bool,
    /// Elements that suffice for this proof: with every other element freed, the same argument goes through.
    pub core: ElementSet,
}

/// A conjunction of lemmas over the signals of a step.
///
/// For a CTL formula they read states only. For a [`PropertyKind::Invariant`](crate::PropertyKind::Invariant) they may read inputs and wires
/// as well: what then holds in every step is said of the step, not of its state.
///
/// It has expressions of its own, whose signals are those of the system: a proof outlives the engine that found it and
/// does not change the system it is about.
#[derive(Clone, Debug, Default)]
pub struct Invariant {
    /// Owns the lemmas.
    pub exprs: ExprPool,
    /// Boolean expressions over signals of one step.
    pub lemmas: Vec<ExprId>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownReason {
    /// No violation within this many transitions, and no proof was attempted or found.
    Bounded(u32),
    /// The time was up.
    Timeout,
    /// The memory was used up.
    Memory,
    /// The budget of solver conflicts was used up.
    Conflicts,
    /// As much effort was made as is made when nobody says how long to try.
    Effort,
    /// Somebody asked to stop.
    Cancelled,
    /// The system has something that the engine cannot represent.
    Unsupported(String),
    /// The engine is incomplete and gave up for the reason given.
    Incomplete(String),
    /// Evidence was found, but the independent checker did not accept it: a bug in propcov.
    NotCertified(String),
}

impl From<Stop> for UnknownReason {
    fn from(stop: Stop) -> UnknownReason {
        match stop {
            Stop::Timeout => UnknownReason::Timeout,
            Stop::Memory => UnknownReason::Memory,
            Stop::Cancelled => UnknownReason::Cancelled,
        }
    }
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownReason::Bounded(depth) => write!(f, "no violation up to depth {depth}"),
            UnknownReason::Timeout => write!(f, "out of time"),
            UnknownReason::Memory => write!(f, "out of memory"),
            UnknownReason::Conflicts => write!(f, "out of conflicts"),
            UnknownReason::Effort => write!(f, "not decided with the default effort"),
            UnknownReason::Cancelled => write!(f, "cancelled"),
            UnknownReason::Unsupported(what) => write!(f, "not supported: {what}"),
            UnknownReason::Incomplete(why) => write!(f, "{why}"),
            UnknownReason::NotCertified(why) => write!(f, "evidence rejected by the checker: {why}"),
        }
    }
}
