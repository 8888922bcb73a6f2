//! From what an analysis found out about a property to its row of the matrix.
//!
//! Unknown is never rounded: an element that an enumeration did not come to is [`Mark::Unknown`], neither used nor unused.

use crate::model::{Core, Mark, Minimality, Scope};

/// A set of which some members may be unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Certainly in it.
    pub sure: Vec<usize>,
    /// Not known to be in it, nor to be outside.
    pub unknown: Vec<usize>,
}

impl Parts {
    /// `None` if it is not known whether the element is in the set.
    fn has(&self, element: usize) -> Option<bool> {
        match () {
            () if self.sure.contains(&element) => Some(true),
            () if self.unknown.contains(&element) => None,
            () => Some(false),
        }
    }
}

/// What an analysis found out about one property that holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// How much was asked.
    pub scope: Scope,
    /// The cores that were found.
    pub cores: Vec<Core>,
    /// Whether these are all minimal cores, and each of them is minimal.
    pub complete: bool,
    /// The elements of every core, if they were asked for.
    pub must: Option<Parts>,
    /// The elements of some minimal core, if they were asked for.
    pub may: Option<Parts>,
}

impl Known {
    /// The row of the matrix, for so many elements.
    pub fn marks(&self, elements: usize) -> Vec<Mark> {
        (0..elements).map(|element| self.mark(element)).collect()
    }

    fn mark(&self, element: usize) -> Mark {
        let in_a_core = self.cores.iter().any(|core| core.elements.contains(&element));
        match (self.in_every(element), self.in_some(element)) {
            (Some(true), _) => Mark::Must,
            (Some(false), Some(true)) => Mark::May,
            (None, Some(true)) => Mark::Core,
            (_, Some(false)) => Mark::Unused,
            (_, None) if in_a_core => Mark::Core,
            (Some(false), None) if self.scope == Scope::One && !self.cores.is_empty() => Mark::Unused,
            (_, None) => Mark::Unknown,
        }
    }

    /// Whether the element is in every core.
    fn in_every(&self, element: usize) -> Option<bool> {
        let missing = self.cores.iter().any(|core| !core.elements.contains(&element));
        if missing {
            return Some(false);
        }
        if self.complete {
            return Some(true);
        }
        self.must.as_ref().and_then(|must| must.has(element))
    }

    /// Whether the element is in some minimal core.
    fn in_some(&self, element: usize) -> Option<bool> {
        if self.cores.iter().any(|core| core.surely_needs(element)) {
            return Some(true);
        }
        if self.complete {
            return Some(false);
        }
        self.may.as_ref().and_then(|may| may.has(element))
    }
}

impl Core {
    /// Whether the core is known to be inadequate without the element. Every minimal core inside this one then has it.
    fn surely_needs(&self, element: usize) -> bool {
        self.elements.contains(&element)
            && match &self.minimal {
                Minimality::Minimal => true,
                Minimality::Unchecked => false,
                Minimality::Undecided(doubtful) => !doubtful.contains(&element),
            }
    }
}
