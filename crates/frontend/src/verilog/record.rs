//! The records that the exporter writes, one a line: `{"Kind":[fields…]}`.
//!
//! Positions refer to earlier records of the kind that their type says. The reader checks that they exist, so that nobody else has to.

use serde::Deserialize;

/// Declares a position among the records of one kind.
macro_rules! positions {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(super) struct $name(pub(super) u32);

        impl $name {
            pub(super) fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

positions! {
    /// A source file.
    FileRef,
    /// A type.
    TypeRef,
    /// A scope of the hierarchy.
    ScopeRef,
    /// A variable, a net or an argument.
    SymbolRef,
    /// An expression.
    ExprRef,
    /// What a process waits for.
    EventRef,
    /// What a concurrent assertion says.
    PropertyRef,
    /// A statement.
    StmtRef,
    /// A function or task.
    RoutineRef,
}

/// A piece of a source file: the first byte and the one after the last.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash)]
pub(super) struct At(pub(super) FileRef, pub(super) u32, pub(super) u32);

/// Any record.
#[derive(Debug, Deserialize)]
pub(super) enum Record {
    /// A path and how many bytes of text follow in the lines after it.
    File(String, u32),
    /// What it looks like, and what its variables have before anybody gives them a value.
    Type(Shape, Start),
    /// The path from the top, with dots.
    Scope((String,)),
    Symbol(Symbol),
    /// What a variable starts with, or what drives a net.
    Initial(SymbolRef, ExprRef),
    Expr(Expr),
    Event(Event),
    Property(Property),
    Stmt(Stmt),
    Routine(Routine),
    /// The name of a module at the top, and its scope.
    Top(String, ScopeRef),
    /// A port of the top module.
    Port(SymbolRef, Direction),
    /// A continuous assignment.
    Assign(ScopeRef, ExprRef),
    /// A delay that has no meaning here.
    Delay((At,)),
    Process(Process),
    Connect(Connection),
    Gate(Gate),
    /// Something that cannot be given a meaning.
    Refused(Option<At>, String),
    /// Something that the user should know.
    Note(Option<At>, String),
    /// How the design is to be looked at; written by propcov itself.
    Setting((Setting,)),
    /// All of the design was written.
    End([u8; 0]),
}

/// What a variable has before anybody gives it a value (IEEE 1800, 6.8).
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub(super) enum Start {
    /// All its bits are zero: those of `bit` and `int`, and of an `enum` whose base is so.
    Zero,
    /// None is known.
    Unknown,
    /// It depends on the elements, the fields, or the first member of a union.
    Parts,
}

/// What a type looks like.
#[derive(Clone, Debug, Deserialize)]
pub(super) enum Shape {
    /// A width, and whether the type is signed.
    Bits(u32, bool),
    /// Element, left and right bound, whether it is packed, whether it is signed.
    Array(TypeRef, i32, i32, bool, bool),
    /// Fields from the most significant one on, and whether it is signed.
    Struct(Vec<TypeRef>, bool),
    /// Members, whether it is signed, and the width of the tag in front.
    Union(Vec<TypeRef>, bool, u32),
    /// What it is made of.
    Enum(TypeRef),
    Void,
    /// A type without bits, in the words of slang.
    Other(String),
    /// More bits than can be counted.
    TooLarge,
}

/// A variable, a net or an argument.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Symbol {
    pub(super) scope: ScopeRef,
    pub(super) name: String,
    pub(super) kind_of: TypeRef,
    /// `Variable`, `FormalArgument` and the like, or the kind of a net.
    pub(super) kind: String,
    /// Whether it lives only as long as its block is executed.
    pub(super) automatic: bool,
    pub(super) at: Option<At>,
    pub(super) attributes: Vec<String>,
    /// Whether its bits may be unknown: `logic`, not `bit`.
    pub(super) knows_x: bool,
}

/// An expression with its place and type.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Expr {
    pub(super) at: At,
    pub(super) kind_of: TypeRef,
    pub(super) what: ExprKind,
}

/// An expression.
#[derive(Clone, Debug, Deserialize)]
pub(super) enum ExprKind {
    /// Binary digits, which may be `x` or `z`; zeros in front may be missing.
    Const(String),
    Value(SymbolRef),
    Unary(String, ExprRef),
    Binary(String, ExprRef, ExprRef),
    /// Conditions that all have to hold, and the two values.
    Conditional(Vec<ExprRef>, ExprRef, ExprRef),
    /// Target, value, and whether the assignment is non-blocking.
    Assign(ExprRef, ExprRef, bool),
    Concat(Vec<ExprRef>),
    Replicate(ExprRef, ExprRef),
    Element(ExprRef, ExprRef),
    /// How the bounds are meant, the value, and the bounds.
    Range(String, ExprRef, ExprRef, ExprRef),
    /// A field by its position.
    Member(ExprRef, u32),
    /// A value as one of another type, and what made slang convert it.
    Convert(ExprRef, String),
    System(String, Vec<ExprRef>),
    Load(Load),
    Call(RoutineRef, Vec<ExprRef>),
    Inside(ExprRef, Vec<ExprRef>),
    /// The bounds of a set.
    Between(ExprRef, ExprRef),
    /// An assignment pattern, element by element.
    Pattern(Vec<ExprRef>),
    /// The size of slices (0: from left to right), and what is streamed.
    Stream(u64, Vec<ExprRef>),
    /// The target of a compound assignment as an operand.
    Target,
    /// An argument that is left out.
    Empty,
    /// `$`, the end of a range.
    Unbounded,
    /// A named sequence or property where it is used, with its local variables and what they start with.
    Property(PropertyRef, Vec<(SymbolRef, Option<ExprRef>)>),
    /// A clock as an argument.
    Clock(EventRef),
    /// Anything else, in the words of slang.
    Other(String),
}

/// `$readmemh` or `$readmemb`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Load {
    pub(super) is_binary: bool,
    /// The name of the file, if it is a constant.
    pub(super) name: Option<String>,
    /// The file, if it could be read.
    pub(super) file: Option<FileRef>,
    pub(super) target: ExprRef,
    /// The first and the last element, as far as they are given.
    pub(super) bounds: Vec<ExprRef>,
}

/// What a process waits for.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Event {
    pub(super) at: At,
    pub(super) what: EventKind,
}

/// What a process waits for.
#[derive(Clone, Debug, Deserialize)]
pub(super) enum EventKind {
    /// An edge of a value, and the condition under which it counts.
    Signal(Edge, ExprRef, Option<ExprRef>),
    List(Vec<EventRef>),
    /// `@*`.
    Implicit,
    Other(String),
}

/// Which change of a signal counts.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash)]
pub(super) enum Edge {
    None,
    #[serde(rename = "PosEdge")]
    Rising,
    #[serde(rename = "NegEdge")]
    Falling,
    #[serde(rename = "BothEdges")]
    Both,
}

/// What a concurrent assertion says, or a part of it, with its place.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Property {
    pub(super) at: Option<At>,
    pub(super) what: PropertyKind,
    /// Its text, if that is not what stands at its place, but comes from a macro.
    #[serde(default)]
    pub(super) text: Option<String>,
}

/// The least and the most; `$` is absent.
pub(super) type Ticks = (u32, Option<u32>);

/// Sequences and properties, which slang does not tell apart.
#[derive(Clone, Debug, Deserialize)]
pub(super) enum PropertyKind {
    /// A Boolean, or a named sequence or property.
    Simple(ExprRef, Option<Repetition>),
    /// Delays, and what comes after each.
    Concat(Vec<(u32, Option<u32>, PropertyRef)>),
    /// A sequence, and what is assigned when it matches.
    Matched(PropertyRef, Option<Repetition>, Vec<ExprRef>),
    FirstMatch(PropertyRef, Vec<ExprRef>),
    Unary(String, Option<Ticks>, PropertyRef),
    Binary(String, PropertyRef, PropertyRef),
    Clocked(EventRef, PropertyRef),
    /// Whether it is strong, and the sequence.
    Strength(bool, PropertyRef),
    /// Whether it accepts, the condition, and what is given up.
    Abort(bool, ExprRef, PropertyRef),
    If(ExprRef, PropertyRef, Option<PropertyRef>),
    Case(ExprRef, Vec<(Vec<ExprRef>, PropertyRef)>, Option<PropertyRef>),
    DisableIff(ExprRef, PropertyRef),
    /// Anything else, in the words of slang.
    Other(String),
}

/// How often something comes.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Repetition(pub(super) RepetitionKind, pub(super) u32, pub(super) Option<u32>);

/// What is between the times.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub(super) enum RepetitionKind {
    Consecutive,
    Nonconsecutive,
    GoTo,
}

/// A statement with its place.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Stmt {
    pub(super) at: At,
    pub(super) what: StmtKind,
}

/// A statement.
#[derive(Clone, Debug, Deserialize)]
pub(super) enum StmtKind {
    List(Vec<StmtRef>),
    /// A block; its name is empty if it has none.
    Block(String, StmtRef),
    Expr(ExprRef),
    Declare(SymbolRef, Option<ExprRef>),
    If(Vec<ExprRef>, StmtRef, Option<StmtRef>, Check),
    Case(Case),
    For(For),
    Repeat(ExprRef, StmtRef),
    While(ExprRef, StmtRef),
    DoWhile(ExprRef, StmtRef),
    Forever(StmtRef),
    /// Bounds and loop variable of each dimension, and the body.
    Foreach(Vec<(i32, i32, Option<SymbolRef>)>, StmtRef),
    Return(Option<ExprRef>),
    Break,
    Continue,
    /// Leaves a block, which is called by a number.
    Disable(u32),
    /// A block that is left so.
    Disabled(u32, StmtRef),
    Timed(EventRef, StmtRef),
    /// An immediate assertion: its kind, and what it says. Deferred or not, it is about a whole step here.
    Assert(String, ExprRef),
    /// A concurrent one, with the default clock and the default condition under which it is disabled.
    Concurrent(String, PropertyRef, Option<EventRef>, Option<ExprRef>),
    Other(String),
}

/// What is promised about the items of a choice.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub(super) enum Check {
    None,
    Unique,
    Unique0,
    Priority,
}

/// How a `case` compares.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub(super) enum Comparison {
    Normal,
    WildcardJustZ,
    WildcardXOrZ,
    Inside,
}

/// A `case` statement.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Case {
    pub(super) comparison: Comparison,
    pub(super) check: Check,
    pub(super) subject: ExprRef,
    pub(super) items: Vec<(Vec<ExprRef>, StmtRef)>,
    pub(super) default: Option<StmtRef>,
    pub(super) attributes: Vec<String>,
}

/// A `for` loop.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct For {
    /// Variables that are declared in it, with their first values.
    pub(super) declared: Vec<(SymbolRef, ExprRef)>,
    pub(super) before: Vec<ExprRef>,
    pub(super) condition: Option<ExprRef>,
    pub(super) steps: Vec<ExprRef>,
    pub(super) body: StmtRef,
}

/// A function or task.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Routine {
    pub(super) name: String,
    pub(super) arguments: Vec<(SymbolRef, Direction)>,
    pub(super) result: Option<SymbolRef>,
    pub(super) body: StmtRef,
    pub(super) at: Option<At>,
}

/// Which way values go through a port or an argument.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
    InOut,
    Ref,
}

/// A process.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Process {
    pub(super) scope: ScopeRef,
    pub(super) kind: ProcessKind,
    pub(super) body: StmtRef,
}

/// The word that a process begins with.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub(super) enum ProcessKind {
    Initial,
    Final,
    Always,
    AlwaysComb,
    AlwaysLatch,
    AlwaysFF,
}

/// What is connected to a port.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Connection {
    /// The instance.
    pub(super) scope: ScopeRef,
    pub(super) port: String,
    pub(super) direction: Direction,
    /// The port as the instance sees it.
    pub(super) inner: ExprRef,
    /// What is outside of it, if anything is.
    pub(super) outer: Option<ExprRef>,
    pub(super) at: Option<At>,
}

/// A primitive of the language.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Gate {
    pub(super) scope: ScopeRef,
    pub(super) name: String,
    pub(super) terminals: Vec<ExprRef>,
    pub(super) at: Option<At>,
}

/// How the design is to be looked at.
#[derive(Clone, Debug, Deserialize)]
pub(super) enum Setting {
    /// The one clock.
    Clock(String),
    /// A reset, the value with which it is active, and for how many steps.
    Reset(String, bool, u32),
    /// Properties that do not count.
    Without(Properties),
    /// Assertions that finite runs violate are assumed.
    SafetyAssumed,
    /// A file whose assertions are assumed.
    Assumed(String),
    /// A file whose restrictions do not count.
    Unrestricted(String),
    /// There need not be any assertion.
    Unasserted,
}

/// A kind of properties.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub(super) enum Properties {
    Assertions,
    Covers,
    /// What only infinite runs violate, also in assumptions.
    Liveness,
}
