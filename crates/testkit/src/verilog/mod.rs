//! Random SystemVerilog that can be synthesised: modules, instances, functions, processes, structures, memories, loops, choices, selections, signed arithmetic.
//!
//! Nothing is ever undefined in these programs: registers have first values, indices exist, nothing is divided by zero. So a simulator has to show what they mean. Half
//! of them are written in the part of the language that Icarus Verilog knows ([`Dialect::Plain`]); the others have unions, arrays, packages, enumerations, interfaces,
//! tasks, streams, patterns, generated blocks, asynchronous resets, loops that end early ([`Dialect::Wide`]), or several clocks with both edges ([`Dialect::Clocks`]).

mod form;
mod generate;
mod print;
mod shrink;

pub use generate::{random_program, random_program_in};

/// Which part of the language a program is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// What Icarus Verilog knows.
    Plain,
    /// Much more of SystemVerilog.
    Wide,
    /// The same, with two clocks that are inputs, and processes at all of their edges.
    Clocks,
}

/// A program: a module with inputs, outputs and whatever is between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The part of the language that it is written in.
    pub dialect: Dialect,
    /// The inputs `i0`, `i1`, …
    pub inputs: Vec<Shape>,
    /// The output `o0`, `o1`, … are these.
    pub outputs: Vec<Expr>,
    /// What the module consists of; each reads registers, and what comes before it.
    pub items: Vec<Item>,
}

/// The type of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How many bits.
    pub width: u32,
    /// Whether it is signed.
    pub signed: bool,
}

/// Part of a module. The number is that of the signal that it defines, by kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `w0`: a net.
    Net(Shape, Expr),
    /// `c0`: a variable of a combinational process, with the value that it gets first.
    Process(Shape, Expr, Vec<Stmt>),
    /// `r0`: a register, with its first value and the edge at which it moves.
    Register(Shape, u64, Edge, Vec<Stmt>),
    /// `m0`: a memory of eight words, which are numbers at first, and what is written when to which place.
    Memory(Shape, Expr, Expr, Expr),
    /// `s0`: a structure with the fields `a`, `b`, of four bits each, and `c`, one bit.
    Struct(Expr, Vec<Stmt>),
    /// `f0`: a function of two arguments, `x` and `y`, of which the second is signed.
    Function(Shape, Vec<Stmt>),
    /// `u0`: an instance of a module with a register, which gets two values.
    Instance(u64, Expr, Expr),
    /// Something larger, with expressions in it.
    Form(Form, Vec<Expr>),
}

/// When a register moves: which clock of those that there are, and which of its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The second of two clocks.
    pub second: bool,
    /// The falling edge.
    pub falling: bool,
}

/// A part of a module of the wider language. What differs from one to another of a kind are its expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `n0`: a packed union of a word, a structure and an array.
    Union,
    /// `v0`: a packed array, with elements written at computed places.
    Packed,
    /// `a0`: an unpacked array, from a pattern, in a `foreach`, at a computed place.
    Array,
    /// `t0`, `t0c`: an unpacked structure, and an array from patterns.
    Record,
    /// `e0`: an enumeration of a package, with a state machine.
    Enumeration,
    /// `k0`, `k0z`: what a task writes.
    Task,
    /// `x0`: what comes through an interface.
    Interface,
    /// `g0`: bits that are generated one by one, and what a parameter chooses.
    Generate,
    /// `y0`: a register with an asynchronous reset, active with one.
    ResetHigh,
    /// `z0`: the same, active with zero.
    ResetLow,
    /// `d0`: bits in another order, streamed in and out.
    Stream,
    /// `l0`: loops that end early.
    Loop,
    /// `b0`: a word that counts upwards from its most significant bit, with parts selected both ways.
    Ascending,
    /// `h0`: `casex`, `case inside`, `unique if`, operators that assign.
    Choice,
    /// `q0`: an array of registers with two dimensions.
    Registers,
    /// `j0`: instances in an array, connected bit by bit; targets that are joined.
    Instances,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number.
    Literal(Shape, u64),
    /// A signal.
    Name(String),
    /// An operator before its operand.
    Unary(&'static str, Box<Expr>),
    /// An operator between its operands.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `a ? b : c`.
    Choice(Box<[Expr; 3]>),
    /// Values one behind the other.
    Concat(Vec<Expr>),
    /// A value several times.
    Replicate(u32, Box<Expr>),
    /// Bits of a signal.
    Slice(String, u32, u32),
    /// So many bits of a signal from a place on; the place is cut to so many bits, so that they exist.
    Part(String, Box<Expr>, u32, u32),
    /// A function with arguments: one of the program or of the language.
    Call(String, Vec<Expr>),
    /// A value with another width.
    Cast(u32, Box<Expr>),
    /// An element of a memory or an array, at a place of so many bits.
    Element(String, Box<Expr>, u32),
    /// Whether a value of three bits is among some numbers, and a range of them.
    Inside(Box<Expr>, Vec<u64>, u64),
    /// A value of three bits, compared with digits.
    Wild(Box<Expr>, String),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// A target gets a value.
    Assign(Target, Expr),
    /// A choice.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A choice among three-bit numbers: the word of the statement, the value, items with their digits, the default.
    Case(&'static str, Expr, Vec<(String, Vec<Stmt>)>, Vec<Stmt>),
    /// A loop with so many rounds, in which `k` counts.
    For(u32, Vec<Stmt>),
}

/// What is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// All of the variable.
    Whole,
    /// Some of its bits.
    Bits(u32, u32),
    /// So many bits from a computed place on, which is cut to so many bits.
    Part(Box<Expr>, u32, u32),
    /// A field.
    Field(&'static str),
}
