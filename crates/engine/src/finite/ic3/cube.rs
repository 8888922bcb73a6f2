//! Cubes: conjunctions of latch literals, the states that IC3 excludes. The negation of a cube is a lemma.

use propcov_sat::Lit;

/// A sorted list of literals over latch variables of the template.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cube {
    literals: Vec<Lit>,
    /// One bit for each literal, by a hash: a quick refutation of subsumption.
    signature: u64,
}

impl Cube {
    pub(crate) fn new(mut literals: Vec<Lit>) -> Cube {
        literals.sort_unstable();
        literals.dedup();
        let signature = literals.iter().fold(0, |bits, literal| bits | 1 << (literal.index() & 63));
        Cube { literals, signature }
    }

    pub(crate) fn literals(&self) -> &[Lit] {
        &self.literals
    }

    pub(crate) fn len(&self) -> usize {
        self.literals.len()
    }

    pub(crate) fn contains(&self, literal: Lit) -> bool {
        self.literals.binary_search(&literal).is_ok()
    }

    /// Whether every state of the other cube is a state of this one.
    pub(crate) fn subsumes(&self, other: &Cube) -> bool {
        if self.len() > other.len() || self.signature & !other.signature != 0 {
            return false;
        }
        let mut others = other.literals.iter();
        self.literals.iter().all(|literal| others.any(|candidate| candidate == literal))
    }

    /// Whether some literal of this cube is false in all states of the other.
    pub(crate) fn is_disjoint(&self, other: &Cube) -> bool {
        self.literals.iter().any(|literal| other.contains(!*literal))
    }

    /// The clause that excludes the cube.
    pub(crate) fn lemma(&self) -> Vec<Lit> {
        self.literals.iter().map(|literal| !*literal).collect()
    }

    /// With one more literal.
    pub(crate) fn with(&self, literal: Lit) -> Cube {
        Cube::new(self.literals.iter().copied().chain([literal]).collect())
    }

    /// Without one literal.
    pub(crate) fn without(&self, literal: Lit) -> Cube {
        Cube::new(self.literals.iter().copied().filter(|other| *other != literal).collect())
    }
}
