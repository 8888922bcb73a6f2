//! What is true of the subsets of a universe, by definition.

use propcov_ir::{ElementId, ElementSet};
use propcov_testkit::{Scope, Validity};

/// All adequate sets, and what follows from them by definition.
pub(crate) struct Truth {
    pub(crate) universe: ElementSet,
    adequate: Vec<ElementSet>,
    /// The minimal ones, in order.
    pub(crate) cores: Vec<ElementSet>,
}

impl Truth {
    /// Asks about each subset.
    pub(crate) fn new(universe: &ElementSet, is_adequate: impl Fn(&ElementSet) -> bool) -> Truth {
        let elements: Vec<ElementId> = universe.iter().collect();
        let subset = |number: usize| -> ElementSet {
            let members = elements.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
            members.map(|(_, element)| *element).collect()
        };
        let adequate: Vec<ElementSet> =
            (0..1usize << elements.len()).map(subset).filter(is_adequate).collect();
        let is_minimal =
            |core: &&ElementSet| !adequate.iter().any(|other| other != *core && other.is_subset(core));
        let mut cores: Vec<ElementSet> = adequate.iter().filter(is_minimal).cloned().collect();
        cores.sort();
        Truth { universe: universe.clone(), adequate, cores }
    }

    /// Of all these properties together.
    pub(crate) fn of(properties: &[&Validity], universe: &ElementSet, scope: Scope) -> Truth {
        Truth::new(universe, |set| properties.iter().all(|validity| validity.is_adequate(set, scope)))
    }

    /// Whether the property holds in the system as written.
    pub(crate) fn holds(&self) -> bool {
        self.is_adequate(&self.universe)
    }

    pub(crate) fn is_adequate(&self, set: &ElementSet) -> bool {
        self.adequate.contains(set)
    }

    pub(crate) fn is_minimal(&self, set: &ElementSet) -> bool {
        self.cores.contains(set)
    }

    /// The elements without which nothing is adequate.
    pub(crate) fn must(&self) -> ElementSet {
        self.universe.iter().filter(|element| !self.is_adequate(&self.universe.without(*element))).collect()
    }

    /// The elements of some minimal core.
    pub(crate) fn may(&self) -> ElementSet {
        self.cores.iter().fold(ElementSet::new(), |may, core| may.union(core))
    }

    /// The size of the smallest core.
    pub(crate) fn minimum(&self) -> usize {
        self.adequate.iter().map(ElementSet::len).min().unwrap_or(0)
    }
}
