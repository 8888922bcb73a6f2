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
    /// The CTL formula, or one of linear time as a [CTL formula that says the same](crate::System::branching), with its propositional implications `a -> b` taken apart, as `Or(Not(a), b)`, if it has any outside of other
    /// propositions. It means the same; who measures coverage may want to tell antecedent and consequent apart.
    pub as_written: Option<Ctl>,
    /// What puts the property to the test, and when it says nothing.
    pub tests: Tests,
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

/// What puts a property to the test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tests {
    /// Each is behind that which has to come before it.
    pub all: Vec<Test>,
    /// When the property says nothing.
    pub vacuity: Vacuity,
}

/// Something that has to happen if a property is to say anything: the end of an antecedent, if it is an implication over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// What it is.
    pub kind: TestKind,
    /// What holds in a step in which it happens.
    pub happens: ExprId,
    /// As it is written, if that is known.
    pub text: Option<String>,
    /// Where it is written.
    pub span: Option<Span>,
    /// Another one, without which it cannot happen.
    pub before: Option<usize>,
}

/// What has to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestKind {
    /// The statement is executed, or the clock ticks.
    Executed,
    /// The property is not disabled.
    Enabled,
    /// An antecedent is at its end.
    Antecedent,
}

/// When a property says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Vacuity {
    /// Whatever happens, it says something.
    #[default]
    Never,
    /// When this test never happens.
    Unmet(usize),
    /// When all of these say nothing.
    All(Vec<Vacuity>),
    /// When any of these says nothing.
    Any(Vec<Vacuity>),
}

impl Vacuity {
    /// When all of these say nothing.
    pub fn all(parts: impl IntoIterator<Item = Vacuity>) -> Vacuity {
        let parts: Vec<Vacuity> = parts.into_iter().collect();
        if parts.contains(&Vacuity::Never) { Vacuity::Never } else { Vacuity::All(parts) }
    }

    /// When any of these says nothing.
    pub fn any(parts: impl IntoIterator<Item = Vacuity>) -> Vacuity {
        let mut parts: Vec<Vacuity> = parts.into_iter().filter(|part| *part != Vacuity::Never).collect();
        match parts.len() {
            0 => Vacuity::Never,
            1 => parts.remove(0),
            _ => Vacuity::Any(parts),
        }
    }

    /// The same, where tests have other numbers.
    #[must_use]
    pub fn shifted(self, by: usize) -> Vacuity {
        let shift = |parts: Vec<Vacuity>| parts.into_iter().map(|part| part.shifted(by)).collect();
        match self {
            Vacuity::Never => Vacuity::Never,
            Vacuity::Unmet(test) => Vacuity::Unmet(test + by),
            Vacuity::All(parts) => Vacuity::All(shift(parts)),
            Vacuity::Any(parts) => Vacuity::Any(shift(parts)),
        }
    }

    /// Whether the property says nothing, if these tests never happen.
    pub fn is_given(&self, never: &impl Fn(usize) -> bool) -> bool {
        match self {
            Vacuity::Never => false,
            Vacuity::Unmet(test) => never(*test),
            Vacuity::All(parts) => parts.iter().all(|part| part.is_given(never)),
            Vacuity::Any(parts) => parts.iter().any(|part| part.is_given(never)),
        }
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
