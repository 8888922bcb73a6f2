//! A Lustre file as it is written: the syntax tree.
//!
//! Expressions live in one list and refer to each other by position, operands first. So depth is no limit: nothing here is dropped, copied or compared
//! recursively, and passes over expressions can be loops.

use dashu_int::IBig;
use dashu_ratio::RBig;
use std::ops::Range;

/// Where something is written: bytes of the file.
pub(super) type At = Range<usize>;

/// A name and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) at: At,
}

/// A whole file.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    /// All expressions of the file; operands come before the expressions that use them.
    pub(super) exprs: Vec<Expr>,
    pub(super) types: Vec<TypeDefinition>,
    pub(super) constants: Vec<Constant>,
    pub(super) functions: Vec<Function>,
    pub(super) nodes: Vec<Node>,
}

/// Position of an expression in [`Program::exprs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Id(pub(super) u32);

/// `type name = type;`
#[derive(Clone, Debug)]
pub(super) struct TypeDefinition {
    pub(super) name: Name,
    pub(super) definition: Type,
}

/// A type and where it is written.
#[derive(Clone, Debug)]
pub(super) struct Type {
    pub(super) kind: TypeKind,
    pub(super) at: At,
}

/// A type as written. Nesting of arrays is bounded by the parser.
#[derive(Clone, Debug)]
pub(super) enum TypeKind {
    Bool,
    Int,
    Real,
    /// `subrange [low, high] of int`
    Subrange(IBig, IBig),
    /// `type[size]`
    Array(Box<Type>, usize),
    /// The name of a type definition.
    Named(String),
    /// `struct { name: type; … }`, only directly in a type definition.
    Record(Vec<Variable>),
    /// `enum { a, b, … }`, only directly in a type definition.
    Enum(Vec<Name>),
}

/// A declared input, output, local or field.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: Name,
    pub(super) of: Type,
}

/// `const name: type = value;`
#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub(super) name: Name,
    pub(super) of: Option<Type>,
    pub(super) value: Id,
}

/// `function name(inputs) returns (outputs);`: nothing is known about it but that equal arguments give equal results, in all steps.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: Name,
    pub(super) inputs: Vec<Variable>,
    pub(super) outputs: Vec<Variable>,
}

/// A node.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) name: Name,
    pub(super) inputs: Vec<Variable>,
    pub(super) outputs: Vec<Variable>,
    pub(super) locals: Vec<Variable>,
    pub(super) equations: Vec<Equation>,
    pub(super) assertions: Vec<Id>,
    pub(super) properties: Vec<PropertyDeclaration>,
    /// The names after `--%IVC`, if there is such a line. Several lines add up.
    pub(super) ivc: Option<Vec<Name>>,
    /// Where `--%MAIN` is written.
    pub(super) main: Option<At>,
    /// Where `--%REALIZABLE` is written, which is ignored with a note.
    pub(super) realizable: Option<At>,
}

/// `x, y = value;`
#[derive(Clone, Debug)]
pub(super) struct Equation {
    /// What is defined; a compound variable is defined as a whole.
    pub(super) targets: Vec<Name>,
    pub(super) value: Id,
    pub(super) at: At,
}

/// `--%PROPERTY x;` (JKind), `--%PROPERTY "name" expr;` or `check "name" expr;` (Kind 2).
#[derive(Clone, Debug)]
pub(super) struct PropertyDeclaration {
    /// The name in quotes, if there is one.
    pub(super) name: Option<Name>,
    pub(super) expr: Id,
    pub(super) at: At,
}

/// An expression and where it is written.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) at: At,
    /// The word that the user would point at: the operator alone, or all of a name or number. Nothing where the user did not write it.
    pub(super) token: Option<At>,
}

/// An expression's outermost construct.
#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    /// A variable, constant or value of an enumeration.
    Name(String),
    Int(IBig),
    Real(RBig),
    Bool(bool),
    /// `real(e)`
    ToReal(Id),
    /// `floor(e)`; also Kind 2's `int(e)`
    Floor(Id),
    /// A node or function with its arguments.
    Call(Name, Vec<Id>),
    /// `condact(clock, node(arguments), defaults…)`
    Condact {
        clock: Id,
        node: Name,
        arguments: Vec<Id>,
        defaults: Vec<Id>,
    },
    /// `e.field`
    Field(Id, Name),
    /// `e{field := value}`
    FieldUpdate(Id, Name, Id),
    /// `e[index]`
    Element(Id, Id),
    /// `e[index := value]`
    ElementUpdate(Id, Id, Id),
    Unary(UnaryOp, Id),
    Binary(BinaryOp, Id, Id),
    If(Id, Id, Id),
    /// `type {field = value; …}`
    Record(Name, Vec<(Name, Id)>),
    /// `[a, b, …]`
    Array(Vec<Id>),
    /// `(a, b, …)` with none, or two or more; parentheses around one expression leave no trace.
    Tuple(Vec<Id>),
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum UnaryOp {
    Pre,
    Not,
    Negate,
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum BinaryOp {
    Plus,
    Minus,
    Times,
    /// `/`, of reals
    Divide,
    /// `div`, of ints
    Div,
    Mod,
    Equal,
    NotEqual,
    Greater,
    Less,
    GreaterEqual,
    LessEqual,
    Or,
    And,
    Xor,
    Implies,
    /// `->`
    Arrow,
}

impl Program {
    /// An expression.
    pub(super) fn expr(&self, id: Id) -> &Expr {
        &self.exprs[id.0 as usize]
    }
}
