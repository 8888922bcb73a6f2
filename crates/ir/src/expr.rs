//! Hash-consed expressions.
//!
//! Equal expressions are one node, so an expression carries neither name nor span: those belong to
//! [`Element`](crate::Element)s. The set of operators is a core into which front ends translate; what they lack (`nand`,
//! `saddo`, `inc`, …) is built by the derived operators at the end of this file.

use crate::{SignalId, Sort, Value, intern::Index, value::Bits};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use thiserror::Error;

/// Index of an expression in its [`ExprPool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// An expression's outermost operator and its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The value of a signal in the current step.
    Signal(SignalId),
    /// The value of a state in the next step; only in [`ConstraintKind::Transition`](crate::ConstraintKind).
    Next(SignalId),
    /// A literal value. In a box: there are few of them, and nodes are many.
    Const(Box<Value>),
    /// One operand.
    Unary(UnaryOp, ExprId),
    /// Two operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// Three operands.
    Ternary(TernaryOp, ExprId, ExprId, ExprId),
}

/// Operators of one operand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Bit-wise negation.
    Not,
    /// Two's complement or arithmetic negation (bit-vector, int, real).
    Neg,
    /// Whether all bits are one.
    ReduceAnd,
    /// Whether some bit is one.
    ReduceOr,
    /// Whether the number of ones is odd.
    ReduceXor,
    /// Bits `high` down to `low`.
    Extract {
        /// Most significant bit kept.
        high: u32,
        /// Least significant bit kept.
        low: u32,
    },
    /// That many zeros in front.
    ZeroExtend(u32),
    /// That many copies of the sign bit in front.
    SignExtend(u32),
    /// The array of the given index width that holds the operand everywhere.
    ConstArray(Sort),
    /// An int as a real.
    ToReal,
    /// The greatest int not above a real.
    Floor,
    /// The position of an enumeration's value among its variants, in as many bits as the last one needs (at least one).
    Position,
    /// The value at a position of the enumeration given; the first one when there are not so many.
    Variant(Sort),
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Bit-wise conjunction.
    And,
    /// Bit-wise disjunction.
    Or,
    /// Bit-wise exclusive or.
    Xor,
    /// Equality, at any sort.
    Eq,
    /// Unsigned less than.
    Ult,
    /// Unsigned at most.
    Ule,
    /// Signed less than.
    Slt,
    /// Signed at most.
    Sle,
    /// Sum (bit-vector: modulo 2^width; int; real).
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Unsigned quotient; all ones when the divisor is zero.
    Udiv,
    /// Unsigned remainder; the dividend when the divisor is zero.
    Urem,
    /// Signed quotient, rounded towards zero; by zero: 1 for a negative dividend, else −1 (as SMT-LIB defines it).
    Sdiv,
    /// Signed remainder with the sign of the dividend; the dividend when the divisor is zero.
    Srem,
    /// Signed remainder with the sign of the divisor; the dividend when the divisor is zero.
    Smod,
    /// Shift left, zeros in; the amount is unsigned and may exceed the width. Both operands have the same width.
    Shl,
    /// Shift right, zeros in.
    Lshr,
    /// Shift right, sign bits in.
    Ashr,
    /// Rotate left by the amount modulo the width.
    Rol,
    /// Rotate right by the amount modulo the width.
    Ror,
    /// The first operand in the high bits, the second in the low ones.
    Concat,
    /// Array and index: what is stored there.
    Read,
    /// Less than (int, real).
    Lt,
    /// At most (int, real).
    Le,
    /// Quotient of reals. What division by zero yields is left open by the system's front end (a guard).
    RealDiv,
    /// Euclidean quotient of ints, as SMT-LIB: the remainder is never negative.
    IntDiv,
    /// Euclidean remainder of ints.
    IntMod,
}

/// Operators of three operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TernaryOp {
    /// Condition, value if true, value if false.
    Ite,
    /// Array, index, value: the array that differs there.
    Write,
}

/// Operands whose sorts do not fit the operator.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{operator} expects {expected}, found {found}")]
pub struct SortError {
    /// The operator's name.
    pub operator: String,
    /// What would have been right.
    pub expected: String,
    /// The sorts given.
    pub found: String,
}

/// An arena of hash-consed expressions. Operands always precede the expressions that use them.
#[derive(Clone, Debug, Default)]
pub struct ExprPool {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    index: Index,
}

impl ExprPool {
    /// An empty pool.
    pub fn new() -> ExprPool {
        ExprPool::default()
    }

    /// The outermost operator.
    pub fn node(&self, expr: ExprId) -> &Node {
        &self.nodes[expr.0 as usize]
    }

    /// The sort of the value.
    pub fn sort(&self, expr: ExprId) -> &Sort {
        &self.sorts[expr.0 as usize]
    }

    /// How many different expressions there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no expression yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operands, in order.
    pub fn operands(&self, expr: ExprId) -> impl Iterator<Item = ExprId> + use<> {
        let operands = match *self.node(expr) {
            Node::Signal(_) | Node::Next(_) | Node::Const(_) => [None; 3],
            Node::Unary(_, a) => [Some(a), None, None],
            Node::Binary(_, a, b) => [Some(a), Some(b), None],
            Node::Ternary(_, a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }

    fn intern(&mut self, node: Node, sort: Sort) -> ExprId {
        let hash = FxBuildHasher.hash_one(&node);
        if let Some(position) = self.index.find(hash, |position| self.nodes[position as usize] == node) {
            return ExprId(position);
        }
        let position = self.nodes.len() as u32;
        self.index.insert(hash, position);
        self.nodes.push(node);
        self.sorts.push(sort);
        ExprId(position)
    }

    /// A signal of the given sort; the caller vouches for the sort.
    pub fn signal(&mut self, signal: SignalId, sort: Sort) -> ExprId {
        self.intern(Node::Signal(signal), sort)
    }

    /// The next value of a state of the given sort; the caller vouches for the sort.
    pub fn next(&mut self, state: SignalId, sort: Sort) -> ExprId {
        self.intern(Node::Next(state), sort)
    }

    /// A literal.
    pub fn constant(&mut self, value: Value) -> ExprId {
        let sort = value.sort();
        self.intern(Node::Const(Box::new(value)), sort)
    }

    /// A Boolean literal.
    pub fn bool(&mut self, value: bool) -> ExprId {
        self.constant(Value::bool(value))
    }

    /// A bit-vector literal.
    pub fn bits(&mut self, width: u32, value: u64) -> ExprId {
        self.constant(Value::Bits(Bits::from_u64(width, value)))
    }

    /// Applies an operator, checking sorts.
    pub fn unary(&mut self, op: UnaryOp, a: ExprId) -> Result<ExprId, SortError> {
        let sort = unary_sort(&op, self.sort(a))?;
        Ok(self.intern(Node::Unary(op, a), sort))
    }

    /// Applies an operator, checking sorts.
    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Result<ExprId, SortError> {
        let sort = binary_sort(op, self.sort(a), self.sort(b))?;
        Ok(self.intern(Node::Binary(op, a, b), sort))
    }

    /// Applies an operator, checking sorts.
    pub fn ternary(&mut self, op: TernaryOp, a: ExprId, b: ExprId, c: ExprId) -> Result<ExprId, SortError> {
        let sort = ternary_sort(op, self.sort(a), self.sort(b), self.sort(c))?;
        Ok(self.intern(Node::Ternary(op, a, b, c), sort))
    }

    /// The expression with its parts replaced as the table says, which then knows all parts of the result. Signals are leaves: their definitions stay as
    /// they are. Iterative: depth is no limit.
    pub fn replaced(&mut self, root: ExprId, table: &mut FxHashMap<ExprId, ExprId>) -> ExprId {
        let mut open = vec![root];
        while let Some(&expr) = open.last() {
            if table.contains_key(&expr) {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(self.operands(expr).filter(|operand| !table.contains_key(operand)));
            if open.len() > before {
                continue;
            }
            open.pop();
            let sort = self.sort(expr).clone();
            let copy = match self.node(expr).clone() {
                Node::Signal(_) | Node::Next(_) | Node::Const(_) => expr,
                Node::Unary(op, a) => self.intern(Node::Unary(op, table[&a]), sort),
                Node::Binary(op, a, b) => self.intern(Node::Binary(op, table[&a], table[&b]), sort),
                Node::Ternary(op, a, b, c) => {
                    self.intern(Node::Ternary(op, table[&a], table[&b], table[&c]), sort)
                }
            };
            table.insert(expr, copy);
        }
        table[&root]
    }

    /// Copies an expression of another pool into this one, with each leaf (signal or next) replaced by what `leaf`
    /// returns for it. Iterative: depth is no limit.
    pub fn import(
        &mut self,
        from: &ExprPool,
        root: ExprId,
        cache: &mut FxHashMap<ExprId, ExprId>,
        mut leaf: impl FnMut(&mut ExprPool, &Node, &Sort) -> ExprId,
    ) -> ExprId {
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            if cache.contains_key(&expr) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(from.operands(expr).filter(|operand| !cache.contains_key(operand)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let sort = from.sort(expr).clone();
            let copy = match from.node(expr) {
                node @ (Node::Signal(_) | Node::Next(_)) => leaf(self, node, &sort),
                Node::Const(value) => self.constant(value.as_ref().clone()),
                Node::Unary(op, a) => self.intern(Node::Unary(op.clone(), cache[a]), sort),
                Node::Binary(op, a, b) => self.intern(Node::Binary(*op, cache[a], cache[b]), sort),
                Node::Ternary(op, a, b, c) => {
                    self.intern(Node::Ternary(*op, cache[a], cache[b], cache[c]), sort)
                }
            };
            cache.insert(expr, copy);
        }
        cache[&root]
    }
}

impl ExprPool {
    /// The same expression as one of another pool, over the same signals.
    pub fn copy(&mut self, from: &ExprPool, root: ExprId, cache: &mut FxHashMap<ExprId, ExprId>) -> ExprId {
        self.import(from, root, cache, |pool, node, sort| match node {
            Node::Next(signal) => pool.next(*signal, sort.clone()),
            Node::Signal(signal) => pool.signal(*signal, sort.clone()),
            _ => unreachable!("only signals are leaves"),
        })
    }
}

fn mismatch<T>(operator: impl std::fmt::Debug, expected: &str, found: &[&Sort]) -> Result<T, SortError> {
    let found = found.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
    Err(SortError { operator: format!("{operator:?}").to_lowercase(), expected: expected.to_owned(), found })
}

fn unary_sort(op: &UnaryOp, a: &Sort) -> Result<Sort, SortError> {
    match (op, a) {
        (UnaryOp::Not, Sort::BitVec(_)) => Ok(a.clone()),
        (UnaryOp::Neg, Sort::BitVec(_) | Sort::Int | Sort::Real) => Ok(a.clone()),
        (UnaryOp::ReduceAnd | UnaryOp::ReduceOr | UnaryOp::ReduceXor, Sort::BitVec(_)) => Ok(Sort::BOOL),
        (UnaryOp::Extract { high, low }, Sort::BitVec(width)) if low <= high && high < width => {
            Ok(Sort::BitVec(high - low + 1))
        }
        (UnaryOp::Extract { .. }, _) => mismatch(op, "a bit-vector that has these bits", &[a]),
        (UnaryOp::ZeroExtend(by) | UnaryOp::SignExtend(by), Sort::BitVec(width)) => {
            match width.checked_add(*by) {
                Some(sum) => Ok(Sort::BitVec(sum)),
                None => mismatch(op, "a width below 2^32", &[a]),
            }
        }
        (UnaryOp::ConstArray(sort), _) => match sort {
            Sort::Array(array) if array.element == *a => Ok(sort.clone()),
            _ => mismatch("const array", &format!("an element of {sort}"), &[a]),
        },
        (UnaryOp::ToReal, Sort::Int) => Ok(Sort::Real),
        (UnaryOp::ToReal, _) => mismatch(op, "an int", &[a]),
        (UnaryOp::Floor, Sort::Real) => Ok(Sort::Int),
        (UnaryOp::Position, Sort::Enum(sort)) => Ok(Sort::BitVec(sort.width().max(1))),
        (UnaryOp::Position, _) => mismatch(op, "an enumeration", &[a]),
        (UnaryOp::Variant(Sort::Enum(sort)), Sort::BitVec(_)) if !sort.variants.is_empty() => {
            Ok(Sort::Enum(sort.clone()))
        }
        (UnaryOp::Variant(sort), _) => mismatch("variant", &format!("a position in {sort}"), &[a]),
        (UnaryOp::Floor, _) => mismatch(op, "a real", &[a]),
        (UnaryOp::Neg, _) => mismatch(op, "a bit-vector or a number", &[a]),
        _ => mismatch(op, "a bit-vector", &[a]),
    }
}

fn binary_sort(op: BinaryOp, a: &Sort, b: &Sort) -> Result<Sort, SortError> {
    use BinaryOp as B;
    match op {
        B::And
        | B::Or
        | B::Xor
        | B::Udiv
        | B::Urem
        | B::Sdiv
        | B::Srem
        | B::Smod
        | B::Shl
        | B::Lshr
        | B::Ashr
        | B::Rol
        | B::Ror => match (a, b) {
            (Sort::BitVec(m), Sort::BitVec(n)) if m == n => Ok(a.clone()),
            _ => mismatch(op, "two bit-vectors of one width", &[a, b]),
        },
        B::Ult | B::Ule | B::Slt | B::Sle => match (a, b) {
            (Sort::BitVec(m), Sort::BitVec(n)) if m == n => Ok(Sort::BOOL),
            _ => mismatch(op, "two bit-vectors of one width", &[a, b]),
        },
        B::Add | B::Sub | B::Mul => match a {
            Sort::BitVec(_) | Sort::Int | Sort::Real if a == b => Ok(a.clone()),
            _ => mismatch(op, "two bit-vectors of one width or two numbers of one sort", &[a, b]),
        },
        B::Eq if a == b => Ok(Sort::BOOL),
        B::Eq => mismatch(op, "operands of one sort", &[a, b]),
        B::Concat => match (a, b) {
            (Sort::BitVec(m), Sort::BitVec(n)) if m.checked_add(*n).is_some() => Ok(Sort::BitVec(m + n)),
            _ => mismatch(op, "two bit-vectors", &[a, b]),
        },
        B::Read => match a {
            Sort::Array(array) if array.index == *b => Ok(array.element.clone()),
            _ => mismatch(op, "an array and its index", &[a, b]),
        },
        B::Lt | B::Le => match a {
            Sort::Int | Sort::Real if a == b => Ok(Sort::BOOL),
            _ => mismatch(op, "two numbers of one sort", &[a, b]),
        },
        B::RealDiv if *a == Sort::Real && *b == Sort::Real => Ok(Sort::Real),
        B::RealDiv => mismatch(op, "two reals", &[a, b]),
        B::IntDiv | B::IntMod if *a == Sort::Int && *b == Sort::Int => Ok(Sort::Int),
        B::IntDiv | B::IntMod => mismatch(op, "two ints", &[a, b]),
    }
}

fn ternary_sort(op: TernaryOp, a: &Sort, b: &Sort, c: &Sort) -> Result<Sort, SortError> {
    match op {
        TernaryOp::Ite if a.is_bool() && b == c => Ok(b.clone()),
        TernaryOp::Ite => mismatch(op, "a condition and two values of one sort", &[a, b, c]),
        TernaryOp::Write => match a {
            Sort::Array(array) if array.index == *b && array.element == *c => Ok(a.clone()),
            _ => mismatch(op, "an array, its index and its element", &[a, b, c]),
        },
    }
}

/// Derived operators, and the core ones for callers who know their sorts.
///
/// # Panics
/// When sorts do not fit: that is a bug of the caller. Front ends, whose operands come from a user, use
/// [`ExprPool::unary`], [`ExprPool::binary`] and [`ExprPool::ternary`].
impl ExprPool {
    #[track_caller]
    fn certain(&mut self, result: Result<ExprId, SortError>) -> ExprId {
        match result {
            Ok(expr) => expr,
            Err(error) => panic!("{error}"),
        }
    }

    /// Bit-wise negation; a double negation cancels.
    #[track_caller]
    pub fn not(&mut self, a: ExprId) -> ExprId {
        if let Node::Unary(UnaryOp::Not, inner) = self.node(a) {
            return *inner;
        }
        let result = self.unary(UnaryOp::Not, a);
        self.certain(result)
    }

    /// Bit-wise conjunction.
    #[track_caller]
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let result = self.binary(BinaryOp::And, a, b);
        self.certain(result)
    }

    /// Bit-wise disjunction.
    #[track_caller]
    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let result = self.binary(BinaryOp::Or, a, b);
        self.certain(result)
    }

    /// Bit-wise exclusive or.
    #[track_caller]
    pub fn xor(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let result = self.binary(BinaryOp::Xor, a, b);
        self.certain(result)
    }

    /// Equality.
    #[track_caller]
    pub fn eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let result = self.binary(BinaryOp::Eq, a, b);
        self.certain(result)
    }

    /// If-then-else.
    #[track_caller]
    pub fn ite(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        let result = self.ternary(TernaryOp::Ite, condition, then, otherwise);
        self.certain(result)
    }

    /// One bit of a bit-vector.
    #[track_caller]
    pub fn bit(&mut self, a: ExprId, index: u32) -> ExprId {
        if index == 0 && self.sort(a).is_bool() {
            return a;
        }
        let result = self.unary(UnaryOp::Extract { high: index, low: index }, a);
        self.certain(result)
    }

    /// Any core operator whose sorts are known to fit.
    #[track_caller]
    pub fn apply(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let result = self.binary(op, a, b);
        self.certain(result)
    }

    /// The disjunction of Booleans; false when there are none.
    #[track_caller]
    pub fn disjunction(&mut self, operands: impl IntoIterator<Item = ExprId>) -> ExprId {
        let mut operands = operands.into_iter();
        let Some(first) = operands.next() else { return self.bool(false) };
        operands.fold(first, |left, right| self.or(left, right))
    }

    /// The conjunction of Booleans; true when there are none.
    #[track_caller]
    pub fn conjunction(&mut self, operands: impl IntoIterator<Item = ExprId>) -> ExprId {
        let mut operands = operands.into_iter();
        let Some(first) = operands.next() else { return self.bool(true) };
        operands.fold(first, |left, right| self.and(left, right))
    }
}
