//! Operators of the format that the core of the system lacks, in terms of those that it has.
//!
//! Sorts were checked by the caller: operands are bit-vectors, and where there are two they have one width.

use propcov_ir::{BinaryOp, Bits, ExprId, ExprPool, SortError, UnaryOp, Value};

/// What building an expression gives.
pub(super) type Built = Result<ExprId, SortError>;

fn width(pool: &ExprPool, a: ExprId) -> u32 {
    pool.sort(a).width().unwrap_or(1)
}

fn sign(pool: &mut ExprPool, a: ExprId) -> Built {
    let top = width(pool, a) - 1;
    pool.unary(UnaryOp::Extract { high: top, low: top }, a)
}

/// Negation as the user wrote it: unlike [`ExprPool::not`] this keeps double negations.
pub(super) fn not(pool: &mut ExprPool, a: ExprId) -> Built {
    pool.unary(UnaryOp::Not, a)
}

/// The negation of a binary operator.
pub(super) fn negated(pool: &mut ExprPool, op: BinaryOp, a: ExprId, b: ExprId) -> Built {
    let positive = pool.binary(op, a, b)?;
    not(pool, positive)
}

/// One more, modulo 2^width.
pub(super) fn increment(pool: &mut ExprPool, a: ExprId) -> Built {
    let one = pool.bits(width(pool, a), 1);
    pool.binary(BinaryOp::Add, a, one)
}

/// One less, modulo 2^width.
pub(super) fn decrement(pool: &mut ExprPool, a: ExprId) -> Built {
    let one = pool.bits(width(pool, a), 1);
    pool.binary(BinaryOp::Sub, a, one)
}

/// Whether the first implies the second, for width 1.
pub(super) fn implies(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Built {
    let not_a = not(pool, a)?;
    pool.binary(BinaryOp::Or, not_a, b)
}

/// Whether the unsigned sum does not fit: then what is left of it is less than either operand.
pub(super) fn unsigned_add_overflows(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Built {
    let sum = pool.binary(BinaryOp::Add, a, b)?;
    pool.binary(BinaryOp::Ult, sum, a)
}

/// Whether the signed sum does not fit: then both operands have one sign and the sum has the other.
pub(super) fn signed_add_overflows(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Built {
    let sum = pool.binary(BinaryOp::Add, a, b)?;
    let (sign_a, sign_b, sign_sum) = (sign(pool, a)?, sign(pool, b)?, sign(pool, sum)?);
    let alike = negated(pool, BinaryOp::Xor, sign_a, sign_b)?;
    let changed = pool.binary(BinaryOp::Xor, sign_a, sign_sum)?;
    pool.binary(BinaryOp::And, alike, changed)
}

/// Whether the unsigned difference is negative.
pub(super) fn unsigned_subtract_overflows(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Built {
    pool.binary(BinaryOp::Ult, a, b)
}

/// Whether the signed difference does not fit: then the signs differ and the difference has not that of the first.
pub(super) fn signed_subtract_overflows(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Built {
    let difference = pool.binary(BinaryOp::Sub, a, b)?;
    let (sign_a, sign_b, sign_difference) = (sign(pool, a)?, sign(pool, b)?, sign(pool, difference)?);
    let unlike = pool.binary(BinaryOp::Xor, sign_a, sign_b)?;
    let changed = pool.binary(BinaryOp::Xor, sign_a, sign_difference)?;
    pool.binary(BinaryOp::And, unlike, changed)
}

/// Whether the unsigned product does not fit: in twice the width, its upper half is not zero.
pub(super) fn unsigned_multiply_overflows(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Built {
    let width = width(pool, a);
    let (a, b) = (pool.unary(UnaryOp::ZeroExtend(width), a)?, pool.unary(UnaryOp::ZeroExtend(width), b)?);
    let product = pool.binary(BinaryOp::Mul, a, b)?;
    let upper = pool.unary(UnaryOp::Extract { high: 2 * width - 1, low: width }, product)?;
    pool.unary(UnaryOp::ReduceOr, upper)
}

/// Whether the signed product does not fit: in twice the width, its upper half and the sign bit of its lower half are
/// not all the same.
pub(super) fn signed_multiply_overflows(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Built {
    let width = width(pool, a);
    let (a, b) = (pool.unary(UnaryOp::SignExtend(width), a)?, pool.unary(UnaryOp::SignExtend(width), b)?);
    let product = pool.binary(BinaryOp::Mul, a, b)?;
    let signs = pool.unary(UnaryOp::Extract { high: 2 * width - 1, low: width - 1 }, product)?;
    let (some, all) = (pool.unary(UnaryOp::ReduceOr, signs)?, pool.unary(UnaryOp::ReduceAnd, signs)?);
    pool.binary(BinaryOp::Xor, some, all)
}

/// Whether the signed quotient does not fit: only that of the least number and −1 does not.
pub(super) fn signed_divide_overflows(pool: &mut ExprPool, a: ExprId, b: ExprId) -> Built {
    let width = width(pool, a);
    let least = Bits::from_bits((0..width).map(|index| index == width - 1));
    let (least, minus_one) =
        (pool.constant(Value::Bits(least)), pool.constant(Value::Bits(Bits::ones(width))));
    let is_least = pool.binary(BinaryOp::Eq, a, least)?;
    let is_minus_one = pool.binary(BinaryOp::Eq, b, minus_one)?;
    pool.binary(BinaryOp::And, is_least, is_minus_one)
}
