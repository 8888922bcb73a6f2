//! The values of constant expressions, for divisors and indices. What has no value, or none that is worth having, is not constant.

use super::super::syntax::{BinaryOp, UnaryOp};
use dashu_int::{
    IBig,
    ops::{BitTest, DivEuclid, RemEuclid},
};
use dashu_ratio::RBig;
use std::rc::Rc;

/// The most bits of a number: squares of squares would need all memory there is.
pub(super) const MAX_BITS: usize = 1 << 16;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) enum Value {
    Bool(bool),
    Int(IBig),
    Real(RBig),
    /// Which value of its enumeration.
    Enum(usize),
    /// Elements, fields or items.
    Compound(Rc<Vec<Value>>),
}

impl Value {
    pub(super) fn is_zero(&self) -> bool {
        match self {
            Value::Int(value) => *value == IBig::ZERO,
            Value::Real(value) => *value == RBig::ZERO,
            _ => false,
        }
    }

    pub(in super::super) fn is_too_large(&self) -> bool {
        let bits = match self {
            Value::Int(value) => value.bit_len(),
            Value::Real(value) => value.numerator().bit_len().max(value.denominator().bit_len()),
            _ => 0,
        };
        bits > MAX_BITS
    }

    /// An element, field or item.
    pub(super) fn part(&self, at: usize) -> Option<Value> {
        match self {
            Value::Compound(parts) => parts.get(at).cloned(),
            _ => None,
        }
    }

    pub(in super::super) fn floor(&self) -> Option<Value> {
        match self {
            Value::Real(value) => Some(Value::Int(value.floor())),
            _ => None,
        }
    }

    pub(in super::super) fn to_real(&self) -> Option<Value> {
        match self {
            Value::Int(value) => Some(Value::Real(RBig::from(value.clone()))),
            _ => None,
        }
    }
}

pub(in super::super) fn unary(op: UnaryOp, value: &Value) -> Option<Value> {
    match (op, value) {
        (UnaryOp::Not, Value::Bool(value)) => Some(Value::Bool(!value)),
        (UnaryOp::Negate, Value::Int(value)) => Some(Value::Int(-value)),
        (UnaryOp::Negate, Value::Real(value)) => Some(Value::Real(-value.clone())),
        _ => None,
    }
}

pub(in super::super) fn binary(op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::Bool(a), Value::Bool(b)) => boolean(op, *a, *b),
        (Value::Int(a), Value::Int(b)) => integer(op, a, b),
        (Value::Real(a), Value::Real(b)) => real(op, a, b),
        _ => equality(op, left == right),
    }
}

fn equality(op: BinaryOp, equal: bool) -> Option<Value> {
    match op {
        BinaryOp::Equal => Some(Value::Bool(equal)),
        BinaryOp::NotEqual => Some(Value::Bool(!equal)),
        _ => None,
    }
}

fn boolean(op: BinaryOp, a: bool, b: bool) -> Option<Value> {
    match op {
        BinaryOp::And => Some(Value::Bool(a && b)),
        BinaryOp::Or => Some(Value::Bool(a || b)),
        BinaryOp::Xor => Some(Value::Bool(a != b)),
        BinaryOp::Implies => Some(Value::Bool(!a || b)),
        _ => equality(op, a == b),
    }
}

fn compare<T: PartialOrd>(op: BinaryOp, a: &T, b: &T) -> Option<Value> {
    match op {
        BinaryOp::Less => Some(Value::Bool(a < b)),
        BinaryOp::LessEqual => Some(Value::Bool(a <= b)),
        BinaryOp::Greater => Some(Value::Bool(a > b)),
        BinaryOp::GreaterEqual => Some(Value::Bool(a >= b)),
        _ => equality(op, a == b),
    }
}

fn integer(op: BinaryOp, a: &IBig, b: &IBig) -> Option<Value> {
    let divides = *b != IBig::ZERO;
    match op {
        BinaryOp::Plus => Some(Value::Int(a + b)),
        BinaryOp::Minus => Some(Value::Int(a - b)),
        BinaryOp::Times => Some(Value::Int(a * b)),
        BinaryOp::Div => divides.then(|| Value::Int(a.div_euclid(b))),
        BinaryOp::Mod => divides.then(|| Value::Int(IBig::from(a.rem_euclid(b)))),
        _ => compare(op, a, b),
    }
}

fn real(op: BinaryOp, a: &RBig, b: &RBig) -> Option<Value> {
    match op {
        BinaryOp::Plus => Some(Value::Real(a + b)),
        BinaryOp::Minus => Some(Value::Real(a - b)),
        BinaryOp::Times => Some(Value::Real(a * b)),
        BinaryOp::Divide => (*b != RBig::ZERO).then(|| Value::Real(a / b)),
        _ => compare(op, a, b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i32) -> Value {
        Value::Int(IBig::from(value))
    }

    #[test]
    fn division_rounds_so_that_the_remainder_is_not_negative() {
        for (a, b, quotient, remainder) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1)] {
            assert_eq!(binary(BinaryOp::Div, &int(a), &int(b)), Some(int(quotient)), "{a} div {b}");
            assert_eq!(binary(BinaryOp::Mod, &int(a), &int(b)), Some(int(remainder)), "{a} mod {b}");
        }
        assert_eq!(binary(BinaryOp::Div, &int(1), &int(0)), None);
    }

    #[test]
    fn floor_rounds_down() {
        let half = |twice: i32| Value::Real(RBig::from_parts(IBig::from(twice), dashu_int::UBig::from(2u8)));
        assert_eq!(half(5).floor(), Some(int(2)));
        assert_eq!(half(-5).floor(), Some(int(-3)));
    }
}
