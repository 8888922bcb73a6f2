//! The operators on values, in exact arithmetic.
//!
//! This is the reference for the meaning of every operator: as direct as the words in [`UnaryOp`], [`BinaryOp`] and
//! [`TernaryOp`] allow, and not fast. What those leave open is fixed here: a quotient of ints or reals by zero is 0,
//! and the remainder of an int by zero is the dividend.

use crate::{ArrayValue, BinaryOp, Bits, Sort, TernaryOp, UnaryOp, Value};
use dashu_int::ops::{DivEuclid, RemEuclid};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use thiserror::Error;

/// Operands that do not fit the operator, which [`ExprPool`](crate::ExprPool) does not let happen.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{operator} cannot be applied to {operands}")]
pub struct EvaluationError {
    /// The operator's name.
    pub operator: String,
    /// The values given.
    pub operands: String,
}

fn misfit<T>(operator: impl std::fmt::Debug, operands: &[&Value]) -> Result<T, EvaluationError> {
    let operands = operands.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
    Err(EvaluationError { operator: format!("{operator:?}").to_lowercase(), operands })
}

/// Applies an operator of one operand.
pub fn evaluate_unary(op: &UnaryOp, a: &Value) -> Result<Value, EvaluationError> {
    Ok(match (op, a) {
        (UnaryOp::Not, Value::Bits(a)) => {
            Value::Bits(Bits::new(a.width(), Bits::ones(a.width()).unsigned() ^ a.unsigned()))
        }
        (UnaryOp::Neg, Value::Bits(a)) => Value::Bits(Bits::from_signed(a.width(), &-a.signed())),
        (UnaryOp::Neg, Value::Int(a)) => Value::Int(-a),
        (UnaryOp::Neg, Value::Real(a)) => Value::Real(-a.clone()),
        (UnaryOp::ReduceAnd, Value::Bits(a)) => Value::bool(*a == Bits::ones(a.width())),
        (UnaryOp::ReduceOr, Value::Bits(a)) => Value::bool(a.is_nonzero()),
        (UnaryOp::ReduceXor, Value::Bits(a)) => {
            Value::bool((0..a.width()).filter(|index| a.bit(*index)).count() % 2 == 1)
        }
        (UnaryOp::Extract { high, low }, Value::Bits(a)) if low <= high && *high < a.width() => {
            Value::Bits(Bits::new(high - low + 1, a.unsigned() >> *low as usize))
        }
        (UnaryOp::ZeroExtend(by), Value::Bits(a)) => {
            Value::Bits(Bits::new(a.width() + by, a.unsigned().clone()))
        }
        (UnaryOp::SignExtend(by), Value::Bits(a)) => {
            Value::Bits(Bits::from_signed(a.width() + by, &a.signed()))
        }
        (UnaryOp::ConstArray(Sort::Array(sort)), a) => {
            Value::Array(ArrayValue::constant(sort.clone(), a.clone()))
        }
        (UnaryOp::ToReal, Value::Int(a)) => Value::Real(RBig::from(a.clone())),
        (UnaryOp::Floor, Value::Real(a)) => Value::Int(a.floor()),
        (UnaryOp::Position, Value::Enum(sort, position)) => {
            Value::Bits(Bits::from_u64(sort.width().max(1), u64::from(*position)))
        }
        (UnaryOp::Variant(Sort::Enum(sort)), Value::Bits(a)) => {
            let position = u32::try_from(a.unsigned()).ok();
            let position = position.filter(|position| (*position as usize) < sort.variants.len());
            Value::Enum(sort.clone(), position.unwrap_or(0))
        }
        _ => return misfit(op, &[a]),
    })
}

/// Applies an operator of two operands.
pub fn evaluate_binary(op: BinaryOp, a: &Value, b: &Value) -> Result<Value, EvaluationError> {
    match (a, b) {
        _ if op == BinaryOp::Eq => Ok(Value::bool(a == b)),
        (Value::Array(array), index) if op == BinaryOp::Read && index.has_sort(&array.sort().index) => {
            Ok(array.read(index).clone())
        }
        (Value::Bits(a), Value::Bits(b)) if op == BinaryOp::Concat => {
            let high = a.unsigned() << b.width() as usize;
            Ok(Value::Bits(Bits::new(a.width() + b.width(), high | b.unsigned())))
        }
        (Value::Bits(x), Value::Bits(y)) if x.width() == y.width() => {
            binary_bits(op, x, y).map_or_else(|| misfit(op, &[a, b]), Ok)
        }
        (Value::Int(x), Value::Int(y)) => binary_int(op, x, y).map_or_else(|| misfit(op, &[a, b]), Ok),
        (Value::Real(x), Value::Real(y)) => binary_real(op, x, y).map_or_else(|| misfit(op, &[a, b]), Ok),
        _ => misfit(op, &[a, b]),
    }
}

/// Applies an operator of three operands.
pub fn evaluate_ternary(op: TernaryOp, a: &Value, b: &Value, c: &Value) -> Result<Value, EvaluationError> {
    match (op, a, b) {
        (TernaryOp::Ite, condition, _) => match condition.as_bool() {
            Some(condition) => Ok(if condition { b.clone() } else { c.clone() }),
            None => misfit(op, &[a, b, c]),
        },
        (TernaryOp::Write, Value::Array(array), index) if index.has_sort(&array.sort().index) => {
            let mut array = array.clone();
            array.write(index.clone(), c.clone());
            Ok(Value::Array(array))
        }
        _ => misfit(op, &[a, b, c]),
    }
}

fn binary_bits(op: BinaryOp, a: &Bits, b: &Bits) -> Option<Value> {
    use BinaryOp as B;
    let width = a.width();
    let (x, y) = (a.unsigned(), b.unsigned());
    let unsigned = |value: UBig| Value::Bits(Bits::new(width, value));
    let signed = |value: IBig| Value::Bits(Bits::from_signed(width, &value));
    Some(match op {
        B::And => unsigned(x & y),
        B::Or => unsigned(x | y),
        B::Xor => unsigned(x ^ y),
        B::Ult => Value::bool(x < y),
        B::Ule => Value::bool(x <= y),
        B::Slt => Value::bool(a.signed() < b.signed()),
        B::Sle => Value::bool(a.signed() <= b.signed()),
        B::Add => unsigned(x + y),
        B::Sub => signed(a.signed() - b.signed()),
        B::Mul => unsigned(x * y),
        B::Udiv if y.is_zero() => Value::Bits(Bits::ones(width)),
        B::Udiv => unsigned(x / y),
        B::Sdiv if y.is_zero() => signed(if a.signed() < IBig::ZERO { IBig::ONE } else { IBig::NEG_ONE }),
        B::Sdiv => signed(a.signed() / b.signed()),
        B::Urem | B::Srem | B::Smod if y.is_zero() => Value::Bits(a.clone()),
        B::Urem => unsigned(x % y),
        B::Srem => signed(a.signed() % b.signed()),
        B::Smod => {
            let (dividend, divisor) = (a.signed(), b.signed());
            let remainder = dividend % &divisor;
            let zero = IBig::ZERO;
            let wrong_sign = remainder != zero && (remainder < zero) != (divisor < zero);
            signed(if wrong_sign { remainder + divisor } else { remainder })
        }
        B::Shl => unsigned(x << shift_amount(b)),
        B::Lshr => unsigned(x >> shift_amount(b)),
        B::Ashr => signed(a.signed() >> shift_amount(b)),
        B::Rol => unsigned(rotate_left(a, rotation(b))),
        B::Ror => unsigned(rotate_left(a, width as usize - rotation(b))),
        _ => return None,
    })
}

/// The amount, or the width where that is less: shifting by more changes nothing.
fn shift_amount(amount: &Bits) -> usize {
    let width = amount.width() as usize;
    usize::try_from(amount.unsigned()).map_or(width, |amount| amount.min(width))
}

/// The amount modulo the width.
fn rotation(amount: &Bits) -> usize {
    usize::try_from(amount.unsigned() % UBig::from(amount.width())).unwrap_or(0)
}

/// The bits that leave at the top come in at the bottom; what is above the width is for the caller to cut off.
fn rotate_left(a: &Bits, by: usize) -> UBig {
    let high = a.unsigned() << by;
    let low = a.unsigned() >> (a.width() as usize - by);
    high | low
}

fn binary_int(op: BinaryOp, a: &IBig, b: &IBig) -> Option<Value> {
    use BinaryOp as B;
    Some(match op {
        B::Add => Value::Int(a + b),
        B::Sub => Value::Int(a - b),
        B::Mul => Value::Int(a * b),
        B::Lt => Value::bool(a < b),
        B::Le => Value::bool(a <= b),
        B::IntDiv if b.is_zero() => Value::Int(IBig::ZERO),
        B::IntDiv => Value::Int(a.div_euclid(b)),
        B::IntMod if b.is_zero() => Value::Int(a.clone()),
        B::IntMod => Value::Int(IBig::from(a.rem_euclid(b))),
        _ => return None,
    })
}

fn binary_real(op: BinaryOp, a: &RBig, b: &RBig) -> Option<Value> {
    use BinaryOp as B;
    Some(match op {
        B::Add => Value::Real(a + b),
        B::Sub => Value::Real(a - b),
        B::Mul => Value::Real(a * b),
        B::Lt => Value::bool(a < b),
        B::Le => Value::bool(a <= b),
        B::RealDiv if b.is_zero() => Value::Real(RBig::ZERO),
        B::RealDiv => Value::Real(a / b),
        _ => return None,
    })
}
