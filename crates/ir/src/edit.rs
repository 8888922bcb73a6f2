//! What coverage metrics do to elements.
//!
//! Edits are an overlay: whoever gives meaning to a definition (the interpreter, the encoder, the certifier) asks the
//! overlay at that site. Nothing is rebuilt per mutant, and the certifier needs no transformation it would have to trust.

use crate::{ElementId, ElementSet, ExprId, System, Value};
use std::collections::BTreeMap;

/// What is done to one element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The definition is dropped. A wire takes any value in each step, a state any next or initial value; an
    /// assumption no longer restricts anything.
    Free,
    /// The definition is replaced by a constant of the same sort.
    Const(Value),
    /// The definition, a bit-vector, is negated bit by bit.
    Invert,
    /// The definition is replaced by another expression of the same sort in the system's own pool.
    Replace(ExprId),
}

/// Edits by element; the empty overlay is the system as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits(BTreeMap<ElementId, Edit>);

impl Edits {
    /// No edit at all.
    pub const fn none() -> Edits {
        Edits(BTreeMap::new())
    }

    /// One edit.
    pub fn one(element: ElementId, edit: Edit) -> Edits {
        Edits(BTreeMap::from([(element, edit)]))
    }

    /// The slice of a system that keeps only these elements: every other definition is freed.
    pub fn keep_only(system: &System, kept: &ElementSet) -> Edits {
        Edits(
            system
                .element_ids()
                .filter(|element| !kept.contains(*element))
                .map(|element| (element, Edit::Free))
                .collect(),
        )
    }

    /// Adds an edit, replacing any earlier one of the same element.
    pub fn insert(&mut self, element: ElementId, edit: Edit) {
        self.0.insert(element, edit);
    }

    /// The edit of an element.
    pub fn get(&self, element: ElementId) -> Option<&Edit> {
        self.0.get(&element)
    }

    /// All edits, by element.
    pub fn iter(&self) -> impl Iterator<Item = (ElementId, &Edit)> {
        self.0.iter().map(|(element, edit)| (*element, edit))
    }

    /// Whether this is the system as written.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
