//! What a design is supposed to do.

use crate::{ExprId, Span};

/// Index of a property in its system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PropertyId(pub u32);

/// A named requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The user's name for it, unique among the properties.
    pub name: String,
    /// What it says.
    pub kind: PropertyKind,
    /// Where it is written.
    pub span: Option<Span>,
}

/// What a property says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// The expression holds in every step of every run (the negation of AIGER's and BTOR2's `bad`).
    Invariant(ExprId),
    /// No fair run makes each of these expressions true infinitely often (AIGER's and BTOR2's `justice`).
    Justice(Vec<ExprId>),
    /// A CTL formula holds in every initial state.
    Ctl(Ctl),
}

/// Computation tree logic over Boolean expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ctl {
    /// A proposition on the current step.
    Atom(ExprId),
    /// Negation.
    Not(Box<Ctl>),
    /// Conjunction.
    And(Box<Ctl>, Box<Ctl>),
    /// Disjunction.
    Or(Box<Ctl>, Box<Ctl>),
    /// On all (or some) paths, in the next step.
    Next(Quantifier, Box<Ctl>),
    /// On all (or some) paths, the second eventually holds and the first holds until then.
    Until(Quantifier, Box<Ctl>, Box<Ctl>),
    /// On all (or some) paths, the second holds up to and including the first step where the first does.
    Release(Quantifier, Box<Ctl>, Box<Ctl>),
}

/// The path quantifier of a CTL operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// On all fair paths.
    All,
    /// On some fair path.
    Exists,
}

/// A condition that restricts which infinite runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// Holds infinitely often.
    Justice(ExprId),
    /// If the first holds infinitely often, so does the second.
    Compassion(ExprId, ExprId),
}
