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

/// Whose Lustre a file is written in. The dialects differ in what may be written, and in a few places in what it means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// As JKind 4 reads it.
    #[default]
    JKind,
    /// As Kind 2 reads it.
    Kind2,
    /// As LustreC reads it.
    LustreC,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 3] = [Dialect::JKind, Dialect::Kind2, Dialect::LustreC];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::JKind => "jkind",
            Dialect::Kind2 => "kind2",
            Dialect::LustreC => "lustrec",
        }
    }

    /// What its users call it.
    pub fn title(self) -> &'static str {
        match self {
            Dialect::JKind => "JKind",
            Dialect::Kind2 => "Kind 2",
            Dialect::LustreC => "LustreC",
        }
    }
}

/// A whole file.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    /// Whose meaning it has.
    pub(super) dialect: Dialect,
    /// All expressions of the file; operands come before the expressions that use them.
    pub(super) exprs: Vec<Expr>,
    pub(super) types: Vec<TypeDefinition>,
    pub(super) constants: Vec<Constant>,
    pub(super) functions: Vec<Function>,
    pub(super) nodes: Vec<Node>,
    /// Contracts that nodes import. None are left after elaboration.
    pub(super) contracts: Vec<ContractNode>,
    /// What the user should know about what was read, and where.
    pub(super) notes: Vec<(At, String)>,
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
    /// `int8`, `uint<12>`, …: arithmetic modulo a power of two.
    Machine(Machine),
    /// `type ^ size`; elaboration makes an array of it.
    Power(Box<Type>, Id),
    /// `subrange [low, high] of int` with constants or `*` as bounds; elaboration makes claims of them.
    Bounds(Option<Id>, Option<Id>),
}

/// A machine integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Machine {
    pub(super) signed: bool,
    pub(super) width: u32,
}

impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.signed, self.width) {
            (signed, width @ (8 | 16 | 32 | 64)) => write!(f, "{}int{width}", if signed { "" } else { "u" }),
            (true, width) => write!(f, "sint<{width}>"),
            (false, width) => write!(f, "uint<{width}>"),
        }
    }
}

/// A declared input, output, local or field.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: Name,
    pub(super) of: Type,
    /// Whether it is an input whose value is known when the node is called: `const n: int`.
    pub(super) constant: bool,
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
    /// Variables that no equation defines, whose values are left open in each step.
    pub(super) free: Vec<String>,
    /// Whether nothing is known but the contract: calls do not see the equations.
    pub(super) is_abstract: bool,
    /// Whether it has no state, and equal arguments give equal results.
    pub(super) is_function: bool,
    /// What elaboration takes away.
    pub(super) sugar: Sugar,
}

impl Node {
    /// A node that says nothing yet.
    pub(super) fn new(name: Name, inputs: Vec<Variable>, outputs: Vec<Variable>) -> Node {
        Node {
            name,
            inputs,
            outputs,
            locals: Vec::new(),
            equations: Vec::new(),
            assertions: Vec::new(),
            properties: Vec::new(),
            ivc: None,
            main: None,
            realizable: None,
            free: Vec::new(),
            is_abstract: false,
            is_function: false,
            sugar: Sugar::default(),
        }
    }
}

/// What a node has that is written in terms of other things before it is checked.
#[derive(Clone, Debug, Default)]
pub(super) struct Sugar {
    /// The contract, and where it is.
    pub(super) contract: Option<(At, Vec<ContractItem>)>,
    pub(super) blocks: Vec<Block>,
    /// Constants among the local variables.
    pub(super) constants: Vec<LocalConstant>,
    /// How many of the inputs, the first ones, are parameters in `<<…>>`.
    pub(super) statics: usize,
}

/// A constant in a node or a contract; without a value it is any.
#[derive(Clone, Debug)]
pub(super) struct LocalConstant {
    pub(super) name: Name,
    pub(super) of: Option<Type>,
    pub(super) value: Option<Id>,
}

/// `contract name(inputs) returns (outputs); let items tel`
#[derive(Clone, Debug)]
pub(super) struct ContractNode {
    pub(super) name: Name,
    pub(super) inputs: Vec<Variable>,
    pub(super) outputs: Vec<Variable>,
    pub(super) items: Vec<ContractItem>,
}

/// What is in a contract.
#[derive(Clone, Debug)]
pub(super) enum ContractItem {
    /// `var x: type = value;`
    Ghost(Vec<Variable>, Id, At),
    /// `const x: type = value;`
    Constant(LocalConstant),
    Assume(Option<Name>, Id, At),
    Guarantee(Option<Name>, Id, At),
    /// `mode name (require …; ensure …;);`
    Mode {
        name: Name,
        requires: Vec<(Option<Name>, Id, At)>,
        ensures: Vec<(Option<Name>, Id, At)>,
    },
    /// `import name(inputs) returns (outputs);`
    Import {
        name: Name,
        inputs: Vec<Id>,
        outputs: Vec<Id>,
    },
}

/// What stands among equations.
#[derive(Clone, Debug)]
pub(super) enum Block {
    Equation(Equation),
    /// `a[i][j] = value;`
    Elements {
        target: Name,
        indices: Vec<Name>,
        value: Id,
        at: At,
    },
    /// `if condition then … elsif … else … fi`
    If {
        condition: Id,
        then: Vec<Block>,
        otherwise: Vec<Block>,
        at: At,
    },
    /// `frame (x, y) initial values let … tel`
    Frame {
        variables: Vec<Name>,
        initial: Vec<Block>,
        body: Vec<Block>,
        at: At,
    },
    Automaton(Automaton),
}

/// `automaton name state … state …`
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    pub(super) name: Name,
    pub(super) states: Vec<AutomatonState>,
}

/// `state name: unless … var … let … tel until …`
#[derive(Clone, Debug)]
pub(super) struct AutomatonState {
    pub(super) name: Name,
    pub(super) unless: Vec<Transition>,
    pub(super) locals: Vec<Variable>,
    pub(super) body: Vec<Block>,
    pub(super) assertions: Vec<Id>,
    pub(super) until: Vec<Transition>,
}

/// `condition restart state` or `condition resume state`
#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub(super) condition: Id,
    pub(super) restart: bool,
    pub(super) target: Name,
}

/// What has to hold, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// To be proved wherever the node is.
    Property,
    /// Assumed of the main node; to be proved where a node is called.
    Assumption,
    /// To be proved as long as the assumptions have held; assumed of nodes of which only the contract is known.
    Guarantee,
    /// Assumed wherever the node is.
    Assertion,
    /// To be proved of the main node only: one of its modes is active.
    Exhaustive,
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
    pub(super) role: Role,
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
    /// `uint8 e`
    Cast(Machine, Id),
    /// `(restart node every reset)(arguments)`
    Restart {
        reset: Id,
        node: Name,
        arguments: Vec<Id>,
    },

    // What elaboration takes away.
    /// `e ^ size`
    Power(Id, Id),
    /// `e when clock`
    When(Id, Id),
    /// `merge clock (value -> e) …`
    Merge(Id, Vec<(Name, Id)>),
    /// `(activate node every clock)(arguments)`, perhaps with default values and a reset; `condact` with a reset.
    Activate {
        clock: Id,
        node: Name,
        arguments: Vec<Id>,
        defaults: Option<Vec<Id>>,
        reset: Option<Id>,
    },
    /// `any { x: type | condition }`
    Any(Box<Type>, Option<(Name, Id)>),
    /// `::scope::mode`
    Mode(Vec<Name>),
    /// `last x`
    Last(Name),
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum UnaryOp {
    Pre,
    Not,
    Negate,
    /// `!`, of machine integers
    BitNot,
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
    /// `&&`, `||`, `lsh`, `rsh`, of machine integers
    BitAnd,
    BitOr,
    ShiftLeft,
    ShiftRight,
}

impl Dialect {
    /// Whether constructs beyond JKind's are read.
    pub(super) fn is_extended(self) -> bool {
        self != Dialect::JKind
    }
}

impl Program {
    /// Adds an expression that stands for something written here.
    pub(super) fn add(&mut self, kind: ExprKind, at: &At) -> Id {
        self.exprs.push(Expr { kind, at: at.clone(), token: None });
        Id(self.exprs.len() as u32 - 1)
    }

    /// An expression.
    pub(super) fn expr(&self, id: Id) -> &Expr {
        &self.exprs[id.0 as usize]
    }
}
