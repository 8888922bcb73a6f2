//! Numbers without bounds: `integer` and `real`.
//!
//! They meet integers of a range where both are operands: then these are written as sums of their bits. An integer among reals is a real.
//! Division of integers truncates, as everywhere in SMV; the system's quotient leaves a remainder that is never negative, and is put right.

use super::{
    convert::Converted,
    lowering::Lowering,
    operand::Operand,
    syntax::{BinaryOp, Place},
    types::{Enumeration, Interval, Kind, Scalar, Type},
};
use crate::InputError;
use dashu_int::IBig;
use dashu_ratio::RBig;
use propcov_ir::{BinaryOp as Op, ExprId, UnaryOp as One, Value};
use std::rc::Rc;

impl Lowering<'_> {
    /// A constant real.
    pub(super) fn real(&mut self, value: &RBig) -> Operand {
        Operand::Number(Kind::Real, self.system.exprs.constant(Value::Real(value.clone())))
    }

    fn int(&mut self, value: impl Into<IBig>) -> ExprId {
        self.system.exprs.constant(Value::Int(value.into()))
    }

    /// The value as a number of a kind, if it is one.
    pub(super) fn unbounded(&mut self, operand: &Operand, kind: Kind) -> Option<ExprId> {
        let expr = match operand {
            Operand::Number(own, expr) if *own == kind => return Some(*expr),
            Operand::Number(Kind::Integer, expr) => *expr,
            Operand::Number(Kind::Real, _) | Operand::Word(..) | Operand::Boolean(_) => return None,
            Operand::Constant(Scalar::Integer(value)) => self.int(*value),
            Operand::Constant(_) => return None,
            Operand::Finite(values, expr) if values.integers.is_some() => {
                self.chain(values, *expr, |this, value| match value {
                    Scalar::Integer(value) => this.int(*value),
                    _ => this.int(0),
                })
            }
            Operand::Finite(..) => return None,
            Operand::Integer(range, expr) => self.sum_of_bits(*range, *expr),
        };
        Some(match kind {
            Kind::Integer => expr,
            Kind::Real => self.as_real(expr),
        })
    }

    fn as_real(&mut self, expr: ExprId) -> ExprId {
        if let propcov_ir::Node::Const(constant) = self.system.exprs.node(expr)
            && let Value::Int(value) = &**constant
        {
            let value = Value::Real(RBig::from(value.clone()));
            return self.system.exprs.constant(value);
        }
        self.unary(One::ToReal, expr)
    }

    /// The number that bits in two's complement stand for.
    fn sum_of_bits(&mut self, range: Interval, expr: ExprId) -> ExprId {
        let width = range.width();
        let zero = self.int(0);
        let mut sum = zero;
        for place in 0..width {
            let weight = IBig::ONE << place as usize;
            let weight = self.int(if place + 1 == width { -weight } else { weight });
            let bit = self.system.exprs.bit(expr, place);
            let part = self.ite(bit, weight, zero);
            sum = self.binary(Op::Add, sum, part);
        }
        sum
    }

    /// Two values as numbers of one kind.
    pub(super) fn numbers(&mut self, a: &Operand, b: &Operand) -> Option<(Kind, ExprId, ExprId)> {
        let kind = |operand: &Operand| match operand {
            Operand::Number(kind, _) => *kind,
            _ => Kind::Integer,
        };
        let kind = kind(a).max(kind(b));
        Some((kind, self.unbounded(a, kind)?, self.unbounded(b, kind)?))
    }

    /// `a < b` or `a <= b`.
    pub(super) fn compare_numbers(
        &mut self,
        op: Op,
        (a, _): (&Operand, &Place),
        (b, place): (&Operand, &Place),
    ) -> Result<Operand, InputError> {
        let Some((_, x, y)) = self.numbers(a, b) else { return self.no_numbers(a, b, place) };
        let op = if op == Op::Slt { Op::Lt } else { Op::Le };
        Ok(Operand::Boolean(self.binary(op, x, y)))
    }

    fn no_numbers<T>(&mut self, a: &Operand, b: &Operand, place: &Place) -> Result<T, InputError> {
        let (a, b) = (self.describe(a), self.describe(b));
        Err(self.error(place, format!("expected two numbers, found {a} and {b}")))
    }

    /// Sums, differences, products with a constant, and quotients by one.
    pub(super) fn number_arithmetic(
        &mut self,
        op: BinaryOp,
        (a, _): (&Operand, &Place),
        (b, place): (&Operand, &Place),
    ) -> Result<Operand, InputError> {
        let Some((kind, x, y)) = self.numbers(a, b) else { return self.no_numbers(a, b, place) };
        let expr = match op {
            BinaryOp::Plus => self.binary(Op::Add, x, y),
            BinaryOp::Minus => self.binary(Op::Sub, x, y),
            BinaryOp::Times => self.binary(Op::Mul, x, y),
            BinaryOp::Divide | BinaryOp::Modulo => {
                let divisor = match self.system.exprs.node(y) {
                    propcov_ir::Node::Const(value) => Some((**value).clone()),
                    _ => None,
                };
                match (divisor, kind) {
                    (Some(Value::Real(divisor)), Kind::Real)
                        if op == BinaryOp::Divide && divisor != RBig::ZERO =>
                    {
                        self.binary(Op::RealDiv, x, y)
                    }
                    (Some(Value::Int(divisor)), Kind::Integer) if divisor != IBig::ZERO => {
                        self.truncated(op, x, y, &divisor)
                    }
                    (Some(_), _) if op == BinaryOp::Divide => {
                        return Err(self.error(place, "the divisor is 0"));
                    }
                    _ => {
                        let message = "numbers without bounds can only be divided by constants other than 0 (mod: integers)";
                        return Err(self.error(place, message));
                    }
                }
            }
            _ => return self.no_numbers(a, b, place),
        };
        Ok(Operand::Number(kind, expr))
    }

    /// Quotient towards zero, or the remainder with the sign of the dividend.
    fn truncated(&mut self, op: BinaryOp, x: ExprId, y: ExprId, divisor: &IBig) -> ExprId {
        let zero = self.int(0);
        let (quotient, remainder) = (self.binary(Op::IntDiv, x, y), self.binary(Op::IntMod, x, y));
        // The remainder is not negative; for a negative dividend that is one divisor too much, unless it is 0.
        let negative = self.binary(Op::Lt, x, zero);
        let exact = self.same(remainder, zero);
        let inexact = self.not(exact);
        let off = self.and(negative, inexact);
        let step = if *divisor > IBig::ZERO { IBig::ONE } else { IBig::NEG_ONE };
        let (value, by) = match op {
            BinaryOp::Divide => (quotient, self.int(step)),
            _ => (remainder, self.int(-(divisor * step))),
        };
        let right = self.binary(Op::Add, value, by);
        self.ite(off, right, value)
    }

    /// An integer as a value of a range or an enumeration.
    pub(super) fn number_as(
        &mut self,
        values: &Rc<Enumeration>,
        expr: ExprId,
        to: &Type,
        place: &Place,
    ) -> Result<Converted, InputError> {
        let integers: Vec<i64> = (values.values.iter())
            .filter_map(|value| if let Scalar::Integer(value) = value { Some(*value) } else { None })
            .collect();
        if integers.is_empty() {
            let found = self.describe(&Operand::Number(Kind::Integer, expr));
            return Err(self.error(place, format!("expected a value of type {to}, found {found}")));
        }
        let mut result = None;
        let mut fits = self.truth(false);
        for value in integers.into_iter().rev() {
            let constant = self.int(value);
            let is = self.same(expr, constant);
            let Some(own) = self.constant_in(values, &Scalar::Integer(value)) else { continue };
            result = Some(match result {
                None => own,
                Some(rest) => self.ite(is, own, rest),
            });
            fits = self.or(fits, is);
        }
        Ok(Converted { expr: result.unwrap_or(expr), fits: Some(fits) })
    }
}
