//! Definition sites: what coverage is measured of.
//!
//! An element is never an expression node. Expressions are hash-consed, so two equal right-hand sides on two lines are
//! one node; they are two elements all the same.

use crate::{ConstraintId, Scope, SignalId, Span};

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
    /// The instance that it is in; the top where a format has none.
    pub scope: Scope,
    /// Whether it is a part of what is checked, or of what checks.
    pub role: Role,
    /// Where it is written: at one place or several, or at none that is known. The first is the one to show.
    pub spans: Vec<Span>,
    /// What it is a part of.
    pub parent: Option<Parent>,
}

impl Element {
    /// The place to show where there is room for one.
    pub fn span(&self) -> Option<Span> {
        self.spans.first().copied()
    }
}

/// Which side an element is on; [`roles`](crate::roles) says how that is found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// What is checked.
    #[default]
    Design,
    /// What only properties and assumptions read.
    Checker,
    /// What is assumed.
    Environment,
}

impl Role {
    /// All of them.
    pub const ALL: [Role; 3] = [Role::Design, Role::Checker, Role::Environment];

    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Role::Design => "design",
            Role::Checker => "checker",
            Role::Environment => "environment",
        }
    }
}

/// What an element is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Parent {
    /// Another element, as an assignment may be a part of a register.
    Element(ElementId),
    /// Something that was taken apart, and is no element any more.
    Whole(WholeId),
}

/// Index of a whole in its system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WholeId(pub u32);

/// A definition that was taken apart: elements are its parts, and it is none itself. An equation whose operators are
/// elements, or a word whose bits are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whole {
    /// What the user would call it.
    pub name: String,
    /// What kind of element it would be.
    pub kind: ElementKind,
    /// The names of the signals that it defines: an equation may define several.
    pub defines: Vec<String>,
    /// The instance that it is in.
    pub scope: Scope,
    /// Where all of it is written.
    pub spans: Vec<Span>,
    /// What it is a part of itself.
    pub parent: Option<Parent>,
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
    /// One assignment: what is assigned there.
    Assignment,
    /// The condition of a branch.
    Branch,
    /// What is connected to a port of an instance.
    Connection,
    /// An assumption on the environment.
    Assumption,
    /// One operator, constant or use of a variable inside a definition, where a model is decomposed.
    Operator,
}

impl ElementKind {
    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            ElementKind::Register => "register",
            ElementKind::Init => "init",
            ElementKind::Gate => "gate",
            ElementKind::Equation => "equation",
            ElementKind::Assignment => "assignment",
            ElementKind::Branch => "branch",
            ElementKind::Connection => "connection",
            ElementKind::Assumption => "assumption",
            ElementKind::Operator => "operator",
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
