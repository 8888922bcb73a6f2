//! Expressions that are simplified as they are built.
//!
//! This is no optimiser. It does what a meaning by symbolic execution cannot do without: constants are computed, because loops are unrolled by them, and bits that were
//! assigned one after the other become one word again, in which no trace is left of what was there before. So a variable that is always assigned does not seem to
//! depend on itself.
//!
//! - `extract(concat(a, b))`, `extract(extract(a))`, `extract(ite(c, a, b))` go inwards; `concat(a[7:4], a[3:0])` becomes `a[7:0]`.
//! - `ite(1, a, b)` is `a`; `ite(c, a, a)` is `a`; `ite(c, 1, 0)` is `c`; `ite(!c, a, b)` is `ite(c, b, a)`.
//! - `a + 0`, `a - 0`, `a * 1`, `a & 0`, `a & ~0`, `a | 0`, `a | ~0`, `a & a`, `a | a`, `a == a` are what one expects.

use propcov_ir::{
    BinaryOp, Bits, ExprId, ExprPool, Node, SignalId, Sort, TernaryOp, UnaryOp, Value, evaluate_binary,
    evaluate_ternary, evaluate_unary,
};
use rustc_hash::FxHashMap;

/// Builds expressions, and remembers what slices have become.
#[derive(Debug)]
pub(super) struct Fold {
    /// Whether bits of a word are to depend on no more than they have to, at the price of larger expressions: where words were taken apart.
    is_fine: bool,
    slices: FxHashMap<(ExprId, u32, u32), ExprId>,
    /// What wires are known to be that stand for a constant.
    known: FxHashMap<SignalId, Value>,
}

/// The value of a constant expression.
pub(super) fn constant(pool: &ExprPool, expr: ExprId) -> Option<&Bits> {
    match pool.node(expr) {
        Node::Const(value) => match value.as_ref() {
            Value::Bits(bits) => Some(bits),
            _ => None,
        },
        _ => None,
    }
}

/// The width of a word.
pub(super) fn width(pool: &ExprPool, expr: ExprId) -> u32 {
    pool.sort(expr).width().unwrap_or(0)
}

fn is_zero(pool: &ExprPool, expr: ExprId) -> bool {
    constant(pool, expr).is_some_and(|bits| !bits.is_nonzero())
}

fn is_one(pool: &ExprPool, expr: ExprId) -> bool {
    constant(pool, expr).is_some_and(|bits| *bits == Bits::from_u64(bits.width(), 1))
}

/// Whether the first bit is certainly zero.
fn is_positive(pool: &ExprPool, expr: ExprId) -> bool {
    match pool.node(expr) {
        Node::Binary(BinaryOp::Concat, high, _) => is_positive(pool, *high),
        _ => constant(pool, expr).is_some_and(|bits| !bits.bit(bits.width() - 1)),
    }
}

fn is_ones(pool: &ExprPool, expr: ExprId) -> bool {
    constant(pool, expr).is_some_and(|bits| *bits == Bits::ones(bits.width()))
}

impl Fold {
    pub(super) fn new(is_fine: bool) -> Fold {
        Fold { is_fine, slices: FxHashMap::default(), known: FxHashMap::default() }
    }

    /// Remembers the constant that a wire stands for.
    pub(super) fn learn(&mut self, wire: SignalId, value: Value) {
        self.known.insert(wire, value);
    }

    /// The value of an expression that depends on constants alone, also through wires that stand for them.
    pub(super) fn known(&self, pool: &ExprPool, root: ExprId) -> Option<Value> {
        let mut values: FxHashMap<ExprId, Value> = FxHashMap::default();
        let mut open = vec![root];
        while let Some(&expr) = open.last() {
            if values.contains_key(&expr) {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(pool.operands(expr).filter(|operand| !values.contains_key(operand)));
            if open.len() > before {
                continue;
            }
            open.pop();
            let value = self.known_node(pool, expr, &values)?;
            values.insert(expr, value);
        }
        values.remove(&root)
    }

    fn known_node(&self, pool: &ExprPool, expr: ExprId, values: &FxHashMap<ExprId, Value>) -> Option<Value> {
        match pool.node(expr) {
            Node::Const(value) => Some(value.as_ref().clone()),
            Node::Signal(signal) => self.known.get(signal).cloned(),
            Node::Next(_) => None,
            Node::Unary(op, a) => evaluate_unary(op, &values[a]).ok(),
            Node::Binary(op, a, b) => evaluate_binary(*op, &values[a], &values[b]).ok(),
            Node::Ternary(op, a, b, c) => evaluate_ternary(*op, &values[a], &values[b], &values[c]).ok(),
        }
    }

    /// Applies an operator to operands whose sorts are known to fit.
    pub(super) fn unary(&mut self, pool: &mut ExprPool, op: UnaryOp, a: ExprId) -> ExprId {
        if let Node::Const(value) = pool.node(a)
            && let Ok(value) = evaluate_unary(&op, value)
        {
            return pool.constant(value);
        }
        match op {
            UnaryOp::Not => pool.not(a),
            UnaryOp::ZeroExtend(0) | UnaryOp::SignExtend(0) => a,
            UnaryOp::ReduceAnd | UnaryOp::ReduceOr | UnaryOp::ReduceXor if pool.sort(a).is_bool() => a,
            UnaryOp::ZeroExtend(by) => {
                let zeros = pool.bits(by, 0);
                self.concat(pool, zeros, a)
            }
            UnaryOp::SignExtend(by) if is_positive(pool, a) => {
                let zeros = pool.bits(by, 0);
                self.concat(pool, zeros, a)
            }
            op => certain(pool.unary(op, a)),
        }
    }

    /// Bits `high` down to `low`.
    pub(super) fn slice(&mut self, pool: &mut ExprPool, a: ExprId, high: u32, low: u32) -> ExprId {
        if low == 0 && high + 1 == width(pool, a) {
            return a;
        }
        if let Some(known) = self.slices.get(&(a, high, low)) {
            return *known;
        }
        let result = self.new_slice(pool, a, high, low);
        self.slices.insert((a, high, low), result);
        result
    }

    fn new_slice(&mut self, pool: &mut ExprPool, a: ExprId, high: u32, low: u32) -> ExprId {
        match pool.node(a).clone() {
            Node::Unary(UnaryOp::Extract { low: inner, .. }, b) => {
                self.slice(pool, b, high + inner, low + inner)
            }
            Node::Binary(BinaryOp::Concat, left, right) => {
                let border = width(pool, right);
                if low >= border {
                    return self.slice(pool, left, high - border, low - border);
                }
                if high < border {
                    return self.slice(pool, right, high, low);
                }
                let left = self.slice(pool, left, high - border, 0);
                let right = self.slice(pool, right, border - 1, low);
                self.concat(pool, left, right)
            }
            Node::Ternary(TernaryOp::Ite, condition, then, otherwise) => {
                let then = self.slice(pool, then, high, low);
                let otherwise = self.slice(pool, otherwise, high, low);
                self.ite(pool, condition, then, otherwise)
            }
            node if self.is_fine => self.fine_slice(pool, a, &node, high, low),
            _ => self.unary(pool, UnaryOp::Extract { high, low }, a),
        }
    }

    /// A slice of what an operator makes, of no more bits of its operands than it needs: a bit of a sum does not depend on the higher bits.
    fn fine_slice(&mut self, pool: &mut ExprPool, a: ExprId, node: &Node, high: u32, low: u32) -> ExprId {
        let has = width(pool, a);
        match *node {
            Node::Unary(UnaryOp::Not, b) => {
                let b = self.slice(pool, b, high, low);
                self.unary(pool, UnaryOp::Not, b)
            }
            Node::Unary(UnaryOp::SignExtend(by), b) => {
                let sign = has - by - 1;
                let own = self.slice(pool, b, high.min(sign), low.min(sign));
                self.unary(pool, UnaryOp::SignExtend(high - high.min(sign).max(low)), own)
            }
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor), b, c) => {
                let (b, c) = (self.slice(pool, b, high, low), self.slice(pool, c, high, low));
                self.binary(pool, op, b, c)
            }
            Node::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), b, c) if high + 1 < has => {
                let (b, c) = (self.slice(pool, b, high, 0), self.slice(pool, c, high, 0));
                let short = self.binary(pool, op, b, c);
                self.slice(pool, short, high, low)
            }
            Node::Binary(op @ (BinaryOp::Shl | BinaryOp::Lshr), b, amount) => {
                let by = constant(pool, amount).and_then(|by| u32::try_from(by.unsigned()).ok());
                let Some(by) = by.filter(|by| (1..has).contains(by)) else {
                    return self.unary(pool, UnaryOp::Extract { high, low }, a);
                };
                let zeros = pool.bits(by, 0);
                let moved = if op == BinaryOp::Shl {
                    let kept = self.slice(pool, b, has - 1 - by, 0);
                    self.concat(pool, kept, zeros)
                } else {
                    let kept = self.slice(pool, b, has - 1, by);
                    self.concat(pool, zeros, kept)
                };
                self.slice(pool, moved, high, low)
            }
            _ => self.unary(pool, UnaryOp::Extract { high, low }, a),
        }
    }

    /// The first operand in the high bits.
    pub(super) fn concat(&mut self, pool: &mut ExprPool, a: ExprId, b: ExprId) -> ExprId {
        if let Some(joined) = self.joined(pool, a, b) {
            return joined;
        }
        // To the left as far as possible, so that neighbours meet.
        if let Node::Binary(BinaryOp::Concat, first, second) = *pool.node(b)
            && let Some(joined) = self.joined(pool, a, first)
        {
            return self.concat(pool, joined, second);
        }
        self.binary(pool, BinaryOp::Concat, a, b)
    }

    /// Two neighbouring slices of one word, or two constants, as one.
    fn joined(&mut self, pool: &mut ExprPool, a: ExprId, b: ExprId) -> Option<ExprId> {
        match (pool.node(a).clone(), pool.node(b).clone()) {
            (
                Node::Unary(UnaryOp::Extract { high, low }, x),
                Node::Unary(UnaryOp::Extract { high: below, low: lowest }, y),
            ) if x == y && low == below + 1 => Some(self.slice(pool, x, high, lowest)),
            (Node::Const(x), Node::Const(y)) => {
                let value = evaluate_binary(BinaryOp::Concat, &x, &y).ok()?;
                Some(pool.constant(value))
            }
            _ => None,
        }
    }

    /// Applies an operator to operands whose sorts are known to fit.
    pub(super) fn binary(&mut self, pool: &mut ExprPool, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        if let (Node::Const(x), Node::Const(y)) = (pool.node(a), pool.node(b))
            && let Ok(value) = evaluate_binary(op, x, y)
        {
            return pool.constant(value);
        }
        match op {
            BinaryOp::And if is_zero(pool, a) || is_ones(pool, b) || a == b => a,
            BinaryOp::And if is_zero(pool, b) || is_ones(pool, a) => b,
            BinaryOp::Or if is_zero(pool, b) || is_ones(pool, a) || a == b => a,
            BinaryOp::Or if is_zero(pool, a) || is_ones(pool, b) => b,
            BinaryOp::Add | BinaryOp::Sub if is_zero(pool, b) => a,
            BinaryOp::Add if is_zero(pool, a) => b,
            BinaryOp::Mul if is_one(pool, b) => a,
            BinaryOp::Eq if a == b => pool.bool(true),
            op => certain(pool.binary(op, a, b)),
        }
    }

    /// If-then-else.
    pub(super) fn ite(
        &mut self,
        pool: &mut ExprPool,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    ) -> ExprId {
        if then == otherwise {
            return then;
        }
        match pool.node(condition) {
            Node::Const(value) => return if **value == Value::bool(true) { then } else { otherwise },
            Node::Unary(UnaryOp::Not, inner) => {
                let inner = *inner;
                return self.ite(pool, inner, otherwise, then);
            }
            _ => {}
        }
        if *pool.sort(then) == Sort::BOOL {
            if is_ones(pool, then) && is_zero(pool, otherwise) {
                return condition;
            }
            if is_zero(pool, then) && is_ones(pool, otherwise) {
                return pool.not(condition);
            }
        }
        pool.ite(condition, then, otherwise)
    }
}

/// Sorts were checked by who elaborated the design, and widths by those who call: an error is a bug here.
fn certain(result: Result<ExprId, propcov_ir::SortError>) -> ExprId {
    match result {
        Ok(expr) => expr,
        Err(error) => panic!("{error}"),
    }
}
