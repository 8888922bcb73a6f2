//! What a design is supposed to do.

use crate::{Ctl, ExprId, Ltl, Span};

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
    /// What is wanted of it.
    pub goal: Goal,
    /// Where it is written.
    pub span: Option<Span>,
    /// Where that which it says is written, if there is more: a name, or a word that says what it is.
    pub formula: Option<Span>,
    /// The CTL formula with its propositional implications `a -> b` taken apart, as `Or(Not(a), b)`, if it has any outside of other
    /// propositions. It means the same; who measures coverage may want to tell antecedent and consequent apart.
    pub as_written: Option<Ctl>,
    /// What happens in a step that puts the property to the test: the end of the antecedent, if it is an implication over time.
    pub tested: Option<ExprId>,
}

impl Property {
    /// Whether it takes an infinite run to violate it, and fairness counts.
    pub fn is_liveness(&self) -> bool {
        matches!(self.kind, PropertyKind::Justice(_) | PropertyKind::Ltl(_))
    }

    /// Whether somebody wants to see it reached: a `cover` statement.
    pub fn is_cover(&self) -> bool {
        self.goal == Goal::Reach
    }
}

/// What is wanted of a property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Goal {
    /// That it holds.
    #[default]
    Hold,
    /// That some run violates it. It says that something never happens, and the user wants to see it happen: a run that violates it reaches
    /// what is to be covered, and a proof of it says that nothing does.
    Reach,
}

/// What a property says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// The expression holds in every step of every run (the negation of AIGER's and BTOR2's `bad`).
    Invariant(ExprId),
    /// No fair run makes each of these expressions true infinitely often (AIGER's and BTOR2's `justice`).
    Justice(Vec<ExprId>),
    /// A CTL formula holds in every fair initial state; see [`Ctl`].
    Ctl(Ctl),
    /// A formula of linear time holds on every fair run; see [`Ltl`].
    Ltl(Ltl),
}

/// A condition that restricts which infinite runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// Holds infinitely often.
    Justice(ExprId),
    /// If the first holds infinitely often, so does the second.
    Compassion(ExprId, ExprId),
}
