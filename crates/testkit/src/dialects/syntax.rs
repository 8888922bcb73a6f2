//! Programs as trees.

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bool`
    Bool,
    /// A machine integer.
    Machine {
        /// Whether it has a sign.
        signed: bool,
    },
    /// `uint8 ^ n`, the size a constant.
    Array,
}

/// How many elements arrays have.
pub(super) const SIZE: usize = 3;

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "they are what they are called")]
pub enum Operator {
    And,
    Or,
    Xor,
    Implies,
    Equal,
    Less,
    AtMost,
    Plus,
    Minus,
    Times,
    Div,
    Mod,
    BitAnd,
    BitOr,
    ShiftLeft,
    ShiftRight,
}

/// An expression. Variables are positions in their node: inputs, then all others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A variable.
    Variable(usize),
    /// A Boolean.
    Bool(bool),
    /// `uint8 n`
    Number(bool, i64),
    /// `not e`
    Not(Box<Expr>),
    /// `! e`
    BitNot(Box<Expr>),
    /// `- e`
    Negate(Box<Expr>),
    /// An operator of two operands.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a -> pre b`: all `pre` are guarded, so that there is one meaning.
    Fby(Box<Expr>, Box<Expr>),
    /// `a -> b`
    Arrow(Box<Expr>, Box<Expr>),
    /// The first output of a node.
    Call(usize, Vec<Expr>),
    /// `(restart node every reset)(arguments)`
    Restart(usize, Box<Expr>, Vec<Expr>),
    /// `(activate node every clock initial default d)(arguments)`, perhaps restarted.
    Activate {
        /// The node.
        node: usize,
        /// When it is active.
        clock: Box<Expr>,
        /// When it begins anew, if it is active.
        reset: Option<Box<Expr>>,
        /// What it is before it is first active.
        default: Box<Expr>,
        /// Its arguments.
        arguments: Vec<Expr>,
    },
    /// `merge c (true -> (activate node every c)(x when c)) (false -> b when not c)`; the clock is a Boolean variable.
    Merge {
        /// The clock.
        clock: usize,
        /// A node that is active when the clock holds, and its arguments.
        node: usize,
        /// Its arguments.
        arguments: Vec<Expr>,
        /// The value when the clock does not hold.
        otherwise: Box<Expr>,
    },
    /// `a[i]` with a constant index.
    Element(usize, usize),
    /// The index of the equation of elements that this is in, as a number.
    Index,
    /// `a[i]` with the index of the equation of elements that this is in.
    Indexed(usize),
    /// `uint8 k ^ n`
    Power(i64),
}

/// What defines variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    /// `x = e;`
    Equation(usize, Expr),
    /// `a[i] = e;`
    Elements(usize, Expr),
    /// `frame (x, …) x = initial; let if c then … else … fi tel`: for each variable its initial value, and its values in both branches if it is defined there.
    Frame {
        /// The condition.
        condition: Expr,
        /// Variables, initial values (literals) and values.
        variables: Vec<(usize, Expr, Option<Expr>, Option<Expr>)>,
    },
    /// An automaton that defines variables.
    Automaton {
        /// The variables.
        variables: Vec<usize>,
        /// The states; the first one is where it begins.
        states: Vec<State>,
    },
}

/// A state of an automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Strong transitions: condition, whether the target begins anew, and the target. Conditions have no memory.
    pub unless: Vec<(Expr, bool, usize)>,
    /// The values of the automaton's variables, in their order.
    pub values: Vec<Expr>,
    /// Weak transitions.
    pub until: Vec<(Expr, bool, usize)>,
}

/// A contract of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Contract {
    /// What is assumed of inputs.
    pub assumption: Expr,
    /// What is guaranteed.
    pub guarantee: Expr,
    /// A mode: when it is active, and what it ensures.
    pub mode: (Expr, Expr),
}

/// A node. Its first variable after the inputs is its output.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The types of its variables.
    pub variables: Vec<Type>,
    /// How many of them are inputs.
    pub inputs: usize,
    /// What defines the others.
    pub blocks: Vec<Block>,
    /// Its contract, if it has one.
    pub contract: Option<Contract>,
    /// Whether its size of arrays is a parameter of the node.
    pub sized: bool,
}

/// A program: each node calls only those before it. The last one is the main node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// Its nodes.
    pub nodes: Vec<Node>,
}
