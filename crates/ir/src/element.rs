//! Definition sites: what coverage is measured of.
//!
//! An element is never an expression node. Expressions are hash-consed, so two equal right-hand sides on two lines are
//! one node; they are two elements all the same.

use crate::{ConstraintId, SignalId, Span};
use fixedbitset::FixedBitSet;

/// Index of an element in its system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementId(pub u32);

/// One definition that a user wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Stable, hierarchical, unique in the system.
    pub name: String,
    /// What the user would call it.
    pub kind: ElementKind,
    /// What it defines.
    pub site: Site,
    /// Where it is written.
    pub span: Option<Span>,
}

/// What a user would call an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ElementKind {
    /// The next-state function of a register.
    Register,
    /// The initial value of a register.
    Init,
    /// A gate or operator node of a netlist.
    Gate,
    /// A named signal's equation.
    Equation,
    /// An assumption on the environment.
    Assumption,
}

impl ElementKind {
    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            ElementKind::Register => "register",
            ElementKind::Init => "init",
            ElementKind::Gate => "gate",
            ElementKind::Equation => "equation",
            ElementKind::Assumption => "assumption",
        }
    }
}

/// The definition that an element stands for; each site belongs to at most one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Site {
    /// The definition of a wire.
    Wire(SignalId),
    /// The next-state function of a state.
    Next(SignalId),
    /// The initial value of a state.
    Init(SignalId),
    /// A constraint.
    Constraint(ConstraintId),
}

/// A set of elements of one system.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ElementSet(FixedBitSet);

impl ElementSet {
    /// The empty set.
    pub fn new() -> ElementSet {
        ElementSet::default()
    }

    /// Adds an element; says whether it was new.
    pub fn insert(&mut self, element: ElementId) -> bool {
        self.0.grow(element.0 as usize + 1);
        !self.0.put(element.0 as usize)
    }

    /// Removes an element.
    pub fn remove(&mut self, element: ElementId) {
        if self.contains(element) {
            self.0.set(element.0 as usize, false);
        }
    }

    /// Whether the element is in the set.
    pub fn contains(&self, element: ElementId) -> bool {
        self.0.contains(element.0 as usize)
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = ElementId> + '_ {
        self.0.ones().map(|index| ElementId(index as u32))
    }

    /// How many elements the set has.
    pub fn len(&self) -> usize {
        self.0.count_ones(..)
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_clear()
    }
}

impl FromIterator<ElementId> for ElementSet {
    fn from_iter<T: IntoIterator<Item = ElementId>>(iter: T) -> ElementSet {
        let mut set = ElementSet::new();
        for element in iter {
            set.insert(element);
        }
        set
    }
}
