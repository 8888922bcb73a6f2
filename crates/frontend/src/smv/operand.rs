//! Values of expressions: constants, truth values, values of enumerations, integers and words.
//!
//! A constant stays a constant as long as possible, so that `state = idle` is one equality at the variable's own sort.
//! Integers leave their enumeration only for arithmetic: by the position of the value where the range has no gaps, by a
//! chain of comparisons otherwise.

use super::{
    lowering::Lowering,
    syntax::Place,
    types::{Enumeration, Interval, Kind, Scalar, Type},
};
use crate::InputError;
use propcov_ir::{BinaryOp, Bits, ExprId, Sort, UnaryOp, Value};
use std::rc::Rc;

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// A symbol or an integer.
    Constant(Scalar),
    /// A truth value.
    Boolean(ExprId),
    /// A value of an enumeration or a range.
    Finite(Rc<Enumeration>, ExprId),
    /// The result of arithmetic, in as many bits as the interval needs.
    Integer(Interval, ExprId),
    /// A word, and whether it is signed.
    Word(bool, ExprId),
    /// An integer or a real without bounds.
    Number(Kind, ExprId),
}

impl Lowering<'_> {
    pub(super) fn truth(&mut self, value: bool) -> ExprId {
        self.system.exprs.bool(value)
    }

    fn is(&self, expr: ExprId, value: bool) -> bool {
        matches!(self.system.exprs.node(expr), propcov_ir::Node::Const(constant) if constant.as_bool() == Some(value))
    }

    pub(super) fn is_true(&self, expr: ExprId) -> bool {
        self.is(expr, true)
    }

    pub(super) fn is_false(&self, expr: ExprId) -> bool {
        self.is(expr, false)
    }

    /// Negation of a truth value.
    pub(super) fn not(&mut self, a: ExprId) -> ExprId {
        if self.is_true(a) || self.is_false(a) {
            let value = self.is_false(a);
            return self.truth(value);
        }
        self.system.exprs.not(a)
    }

    /// Conjunction of truth values.
    pub(super) fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match () {
            () if self.is_true(a) || self.is_false(b) || a == b => b,
            () if self.is_true(b) || self.is_false(a) => a,
            () => self.system.exprs.and(a, b),
        }
    }

    /// Disjunction of truth values.
    pub(super) fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match () {
            () if self.is_false(a) || self.is_true(b) || a == b => b,
            () if self.is_false(b) || self.is_true(a) => a,
            () => self.system.exprs.or(a, b),
        }
    }

    /// If-then-else at any one sort.
    pub(super) fn ite(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        match () {
            () if self.is_true(condition) || then == otherwise => then,
            () if self.is_false(condition) => otherwise,
            () => self.system.exprs.ite(condition, then, otherwise),
        }
    }

    /// Equality at one sort.
    pub(super) fn same(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if a == b { self.truth(true) } else { self.system.exprs.eq(a, b) }
    }

    /// The operator on bit-vectors whose widths fit.
    pub(super) fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.system.exprs.apply(op, a, b)
    }

    /// The operator on a bit-vector or an enumeration that it is for.
    pub(super) fn unary(&mut self, op: UnaryOp, a: ExprId) -> ExprId {
        match self.system.exprs.unary(op, a) {
            Ok(expr) => expr,
            Err(error) => {
                debug_assert!(false, "{error}");
                a
            }
        }
    }

    pub(super) fn width(&self, expr: ExprId) -> u32 {
        self.system.exprs.sort(expr).width().unwrap_or(1)
    }

    /// A bit-vector constant in two's complement.
    pub(super) fn bits(&mut self, width: u32, value: i64) -> ExprId {
        self.system.exprs.constant(Value::Bits(Bits::from_signed(width, &value.into())))
    }

    /// The integer in so many bits, at least those it has.
    pub(super) fn sign_extended(&mut self, expr: ExprId, width: u32) -> ExprId {
        match width.saturating_sub(self.width(expr)) {
            0 => expr,
            by => self.unary(UnaryOp::SignExtend(by), expr),
        }
    }

    /// The type of a value.
    pub(super) fn type_of_operand(&mut self, operand: &Operand) -> Type {
        match operand {
            Operand::Constant(scalar) => Type::Finite(self.types.of([scalar.clone()])),
            Operand::Boolean(_) => Type::Boolean,
            Operand::Finite(values, _) => Type::Finite(values.clone()),
            Operand::Integer(range, _) => Type::Integer(*range),
            Operand::Word(signed, expr) => Type::Word { signed: *signed, width: self.width(*expr) },
            Operand::Number(kind, _) => Type::Number(*kind),
        }
    }

    /// How messages call a value.
    pub(super) fn describe(&mut self, operand: &Operand) -> String {
        match operand {
            Operand::Constant(scalar) => scalar.to_string(),
            other => format!("a value of type {}", self.type_of_operand(other)),
        }
    }

    /// The truth value, with 0 and 1 taken as such.
    pub(super) fn boolean(&mut self, operand: &Operand, place: &Place) -> Result<ExprId, InputError> {
        if let Operand::Boolean(expr) = operand {
            return Ok(*expr);
        }
        match self.bit(operand) {
            Some(expr) => {
                self.note_old_boolean(place);
                Ok(expr)
            }
            None => {
                let found = self.describe(operand);
                Err(self.error(place, format!("expected a truth value, found {found}")))
            }
        }
    }

    /// A value that is 0 or 1, as a truth value.
    pub(super) fn bit(&mut self, operand: &Operand) -> Option<ExprId> {
        match operand {
            Operand::Boolean(expr) => Some(*expr),
            Operand::Constant(Scalar::Integer(value @ (0 | 1))) => Some(self.truth(*value == 1)),
            Operand::Constant(_) | Operand::Word(..) | Operand::Number(..) => None,
            Operand::Finite(values, expr) => {
                if values.integers.is_some_and(|range| range.low >= 0 && range.high <= 1) {
                    let one = values.constant(&mut self.system.exprs, &Scalar::Integer(1));
                    Some(match one {
                        Some(one) => self.same(*expr, one),
                        None => self.truth(false),
                    })
                } else if values.values.iter().all(|value| matches!(value, Scalar::Boolean(_))) {
                    let yes = values.constant(&mut self.system.exprs, &Scalar::Boolean(true));
                    Some(match yes {
                        Some(yes) => self.same(*expr, yes),
                        None => self.truth(false),
                    })
                } else {
                    None
                }
            }
            Operand::Integer(range, expr) if range.low >= 0 && range.high <= 1 => {
                Some(self.system.exprs.bit(*expr, 0))
            }
            Operand::Integer(..) => None,
        }
    }

    /// The integer and its interval; truth values are 0 and 1.
    pub(super) fn integer(
        &mut self,
        operand: &Operand,
        place: &Place,
    ) -> Result<(Interval, ExprId), InputError> {
        match self.number(operand) {
            Some(number) => Ok(number),
            None => {
                let found = self.describe(operand);
                Err(self.error(place, format!("expected an integer, found {found}")))
            }
        }
    }

    pub(super) fn number(&mut self, operand: &Operand) -> Option<(Interval, ExprId)> {
        match operand {
            Operand::Constant(Scalar::Integer(value)) => {
                let range = Interval { low: *value, high: *value };
                Some((range, self.bits(range.width(), *value)))
            }
            Operand::Integer(range, expr) => Some((*range, *expr)),
            Operand::Boolean(expr) => {
                let range = Interval { low: 0, high: 1 };
                Some((range, self.unary(UnaryOp::ZeroExtend(1), *expr)))
            }
            Operand::Finite(values, expr) => {
                let range = values.integers?;
                Some((range, self.integer_of(values, range, *expr)))
            }
            Operand::Constant(_) | Operand::Word(..) | Operand::Number(..) => None,
        }
    }

    pub(super) fn integer_of(&mut self, values: &Rc<Enumeration>, range: Interval, expr: ExprId) -> ExprId {
        let width = range.width();
        if values.contiguous().is_some() {
            let position = self.unary(UnaryOp::Position, expr);
            let work = width.max(self.width(position) + 1);
            let by = work - self.width(position);
            let position = self.unary(UnaryOp::ZeroExtend(by), position);
            let number = if range.low == 0 {
                position
            } else {
                let low = self.bits(work, range.low);
                self.binary(BinaryOp::Add, position, low)
            };
            return self.low_bits(number, width);
        }
        self.chain(values, expr, |this, value| match value {
            Scalar::Integer(value) => this.bits(width, *value),
            _ => this.bits(width, 0),
        })
    }

    fn low_bits(&mut self, expr: ExprId, width: u32) -> ExprId {
        if self.width(expr) == width {
            expr
        } else {
            self.unary(UnaryOp::Extract { high: width - 1, low: 0 }, expr)
        }
    }

    /// What `of` says for the value that an expression has.
    pub(super) fn chain(
        &mut self,
        values: &Rc<Enumeration>,
        expr: ExprId,
        of: impl Fn(&mut Self, &Scalar) -> ExprId,
    ) -> ExprId {
        let mut cases = values.values.iter().rev();
        let Some(last) = cases.next() else { return expr };
        let mut result = of(self, last);
        for value in cases {
            if let Some(constant) = values.constant(&mut self.system.exprs, value) {
                let (condition, then) = (self.same(expr, constant), of(self, value));
                result = self.ite(condition, then, result);
            }
        }
        result
    }

    /// The value as an expression of its own type.
    pub(super) fn expression(&mut self, operand: &Operand) -> (Type, ExprId) {
        let of = self.type_of_operand(operand);
        let expr = match operand {
            Operand::Constant(scalar) => {
                let Type::Finite(values) = &of else { unreachable!("constants have a finite type") };
                match self.constant_in(values, scalar) {
                    Some(expr) => expr,
                    None => self.truth(false),
                }
            }
            Operand::Boolean(expr)
            | Operand::Finite(_, expr)
            | Operand::Integer(_, expr)
            | Operand::Word(_, expr)
            | Operand::Number(_, expr) => *expr,
        };
        (of, expr)
    }

    /// A value of a type, given as an expression of the type's sort.
    pub(super) fn operand(&self, of: &Type, expr: ExprId) -> Operand {
        debug_assert!(*self.system.exprs.sort(expr) == of.sort(), "an expression of its type's sort");
        match of {
            Type::Boolean => Operand::Boolean(expr),
            Type::Finite(values) => Operand::Finite(values.clone(), expr),
            Type::Integer(range) => Operand::Integer(*range, expr),
            Type::Word { signed, .. } => Operand::Word(*signed, expr),
            Type::Number(kind) => Operand::Number(*kind, expr),
        }
    }

    /// A word constant.
    pub(super) fn word_constant(&mut self, width: u32, value: &dashu_int::IBig) -> ExprId {
        self.system.exprs.constant(Value::Bits(Bits::from_signed(width, value)))
    }

    /// The sort of an expression.
    pub(super) fn sort_of(&self, expr: ExprId) -> &Sort {
        self.system.exprs.sort(expr)
    }
}
