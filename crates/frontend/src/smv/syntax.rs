//! The syntax tree of an SMV file: what was written, with where it was written, and nothing of what it means.
//!
//! A [`Place`] is a range of bytes in the file. Names are kept as written, dots and hyphens included where those are part
//! of one word; a path such as `cell.u.req[2]` is an expression made of [`ExprKind::Dot`] and [`ExprKind::Index`].

use dashu_int::IBig;
use dashu_ratio::RBig;
use std::ops::Range;

/// Bytes of the file.
pub type Place = Range<usize>;

/// A word of the file and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The word.
    pub text: String,
    /// Where it is.
    pub place: Place,
}

/// A whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// In the order of the file.
    pub modules: Vec<Module>,
}

/// `MODULE name(parameters)` and what follows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// Its name.
    pub name: Name,
    /// The formal parameters.
    pub parameters: Vec<Name>,
    /// In the order of the file.
    pub items: Vec<Item>,
}

/// One entry of a section, or a section that has only one.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// An entry of `VAR`, `IVAR` or `FROZENVAR`.
    Variable {
        /// Which of the three.
        kind: VariableKind,
        /// What is declared.
        name: Name,
        /// Its type, or the module it is an instance of.
        kind_of: Type,
    },
    /// An entry of `DEFINE`: an expression, or an array of them in brackets ([`ExprKind::ArrayLiteral`]). The left side may name a
    /// symbol of a submodule (`left.ack := ...`).
    Define {
        /// What is defined: a path.
        target: Expr,
        /// The path as one word, as which it is declared where it leads into no submodule.
        flat: String,
        /// Its meaning.
        value: Expr,
    },
    /// A name of `CONSTANTS`.
    Constant(Name),
    /// An entry of `ASSIGN`.
    Assign {
        /// Which value of the variable is assigned.
        kind: AssignKind,
        /// The variable: a path, which may lead into a submodule.
        target: Expr,
        /// What it is assigned.
        value: Expr,
        /// The whole assignment.
        place: Place,
    },
    /// `INIT`, `TRANS`, `INVAR`, `FAIRNESS` or `JUSTICE`, one item for each expression.
    Constraint {
        /// Which one.
        kind: ConstraintKind,
        /// What has to hold.
        condition: Expr,
    },
    /// `COMPASSION(p, q)`.
    Compassion {
        /// If this holds infinitely often,
        often: Expr,
        /// so does this.
        then: Expr,
        /// The whole of it.
        place: Place,
    },
    /// A specification.
    Specification {
        /// In which logic.
        kind: SpecificationKind,
        /// `NAME n :=`, if it has one.
        name: Option<Name>,
        /// The formula. `None` for those of PSL that have something that is not supported.
        formula: Option<Expr>,
        /// `IN instance`: where its names have their meaning, if not here.
        context: Option<Expr>,
        /// Keyword included.
        place: Place,
    },
    /// `COMPUTE MIN [from, to]` or `MAX`.
    Distance {
        /// Whether it is the longest one, `MAX`.
        longest: bool,
        /// `NAME n :=`, if it has one.
        name: Option<Name>,
        /// Where paths begin.
        from: Expr,
        /// Where they end.
        to: Expr,
        /// `IN instance`: where names have their meaning, if not here.
        context: Option<Expr>,
        /// Keyword included.
        place: Place,
    },
    /// `ISA module`.
    Isa(Name),
    /// `PRED`, `MIRROR`, `PARSYNTH` and the like: read, and without meaning for a model checker.
    Ignored {
        /// The keyword.
        keyword: String,
        /// Keyword included.
        place: Place,
    },
}

/// The three kinds of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// `VAR`
    State,
    /// `IVAR`: of transitions, not of states.
    Input,
    /// `FROZENVAR`: never changes.
    Frozen,
}

/// A type, or what takes its place for a submodule.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where it is.
    pub place: Place,
}

/// What a type says.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `boolean`
    Boolean,
    /// `{a, 1, b}`: symbols, integers, TRUE and FALSE, in the order written.
    Enumeration(Vec<Expr>),
    /// `low..high`, constant expressions
    Range(Box<Expr>, Box<Expr>),
    /// `word[n]`, `unsigned word[n]` or `signed word[n]`
    Word {
        /// Whether it is `signed`.
        signed: bool,
        /// A constant expression.
        width: Box<Expr>,
    },
    /// `array low..high of type`
    Array(Box<Expr>, Box<Expr>, Box<Type>),
    /// `module(arguments)`, `process module(arguments)`
    Module {
        /// Whether `process` is written.
        process: bool,
        /// The module.
        module: Name,
        /// The actual parameters.
        arguments: Vec<Expr>,
    },
    /// `integer`
    Integer,
    /// `real`
    Real,
    /// `clock`, `array word[n] of type`: of timed systems, or without an explicit state. Reported as not supported.
    Unsupported(String),
}

/// Which value an assignment gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignKind {
    /// `x := e`
    Current,
    /// `init(x) := e`
    Init,
    /// `next(x) := e`
    Next,
}

/// Constraints of one expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// `INIT`
    Init,
    /// `TRANS`
    Trans,
    /// `INVAR`
    Invar,
    /// `FAIRNESS` or `JUSTICE`
    Justice,
}

/// The kinds of specifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecificationKind {
    /// `SPEC` or `CTLSPEC`
    Ctl,
    /// `INVARSPEC`
    Invariant,
    /// `LTLSPEC`
    Ltl,
    /// `PSLSPEC`
    Psl,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is.
    pub place: Place,
}

/// What an expression says.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An identifier: a variable, a definition, a parameter or a symbol. `self` and `running` are identifiers, too.
    Name(String),
    /// `a.name`
    Dot(Box<Expr>, Name),
    /// `a[index]`
    Index(Box<Expr>, Box<Expr>),
    /// `a[high:low]`
    Bits(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `TRUE`, `FALSE`
    Boolean(bool),
    /// A decimal number. Whether 0 and 1 are truth values depends on where they are.
    Integer(IBig),
    /// `1.5`, `2e-3`, `f'1/3`.
    Real(RBig),
    /// `0ub4_0101`, `-0sd8_12`: width, whether it is signed, and the value (two's complement where it is negative).
    Word(u32, bool, IBig),
    /// An operator before its operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator between its operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `case c : e; ... esac`
    Case(Vec<(Expr, Expr)>),
    /// `{a, b}`
    Set(Vec<Expr>),
    /// `low..high`, the set of these integers
    Range(Box<Expr>, Box<Expr>),
    /// `[a, b]`
    ArrayLiteral(Vec<Expr>),
    /// `next(e)`
    Next(Box<Expr>),
    /// `init(e)`, in old models
    Init(Box<Expr>),
    /// `bool(e)`, `word1(e)`, `toint(e)`, `unsigned(e)`, `extend(e, n)`, `count(...)`, ...
    Call(Name, Vec<Expr>),
    /// `EX f`, `AG f`, ...
    Temporal(TemporalOp, Box<Expr>),
    /// `E [ f U g ]`, `A [ f U g ]`
    Until(PathQuantifier, Box<Expr>, Box<Expr>),
    /// `E [ f R g ]`, `A [ f R g ]`, which NuSMV does not have
    Release(PathQuantifier, Box<Expr>, Box<Expr>),
    /// `EBF m..n f`, `ABG m..n f`, ...
    Bounded(TemporalOp, u32, u32, Box<Expr>),
    /// `E [ f BU m..n g ]`, `A [ f BU m..n g ]`
    BoundedUntil(PathQuantifier, Box<Expr>, u32, u32, Box<Expr>),
    /// `X f`, `G f`, ..., and of `F`, `G`, `O` and `H` the steps that they are about, `F [m, n] f`
    Linear(LinearOp, Option<(u32, u32)>, Box<Expr>),
    /// `f U g`, `f V g`, `f S g`, `f T g`
    LinearPair(LinearPair, Box<Expr>, Box<Expr>),
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Minus,
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `&`
    And,
    /// `|`
    Or,
    /// `xor`
    Xor,
    /// `xnor`
    Xnor,
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Divide,
    /// `mod`
    Modulo,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `::`
    Concat,
    /// `in`
    In,
    /// `union`
    Union,
}

/// CTL operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemporalOp {
    /// `EX`
    ExistsNext,
    /// `AX`
    AllNext,
    /// `EF`
    ExistsFinally,
    /// `AF`
    AllFinally,
    /// `EG`
    ExistsGlobally,
    /// `AG`
    AllGlobally,
}

/// Operators of linear time of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinearOp {
    /// `X`
    Next,
    /// `F`
    Finally,
    /// `G`
    Globally,
    /// `Y`
    Previous,
    /// `Z`
    WeakPrevious,
    /// `O`
    Once,
    /// `H`
    Historically,
}

/// Operators of linear time of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinearPair {
    /// `U`
    Until,
    /// `V`
    Releases,
    /// `S`
    Since,
    /// `T`
    Triggered,
}

/// `E` or `A` before a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathQuantifier {
    /// `E`
    Exists,
    /// `A`
    All,
}
