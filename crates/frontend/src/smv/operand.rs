//! Values of expressions, and how one type becomes another.
//!
//! A constant stays a constant as long as possible, so that `state = idle` is one equality at the variable's own sort.
//! Integers leave their enumeration only for arithmetic: by the position of the value where the range has no gaps, by a
//! chain of comparisons otherwise.

use super::{
    lowering::Lowering,
    syntax::Place,
    types::{Enumeration, Interval, Scalar, Type},
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
}

/// A value of another type, and where it was a value of that type at all: `None` means always.
pub(super) struct Converted {
    pub(super) expr: ExprId,
    pub(super) fits: Option<ExprId>,
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
    fn bit(&mut self, operand: &Operand) -> Option<ExprId> {
        match operand {
            Operand::Boolean(expr) => Some(*expr),
            Operand::Constant(Scalar::Integer(value @ (0 | 1))) => Some(self.truth(*value == 1)),
            Operand::Constant(_) | Operand::Word(..) => None,
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
            Operand::Constant(_) | Operand::Word(..) => None,
        }
    }

    fn integer_of(&mut self, values: &Rc<Enumeration>, range: Interval, expr: ExprId) -> ExprId {
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
    fn chain(
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

    /// The value as one of another type. An error only where no value of the one type is one of the other.
    pub(super) fn convert(
        &mut self,
        operand: &Operand,
        to: &Type,
        place: &Place,
    ) -> Result<Converted, InputError> {
        let always = |expr| Converted { expr, fits: None };
        match (operand, to) {
            (Operand::Boolean(expr), Type::Boolean) => Ok(always(*expr)),
            (_, Type::Boolean) => match self.bit(operand) {
                Some(expr) => {
                    self.note_old_boolean(place);
                    Ok(always(expr))
                }
                None => self.partly_boolean(operand, to, place),
            },
            (Operand::Word(signed, expr), Type::Word { signed: expected, width }) => {
                if signed == expected && self.width(*expr) == *width {
                    Ok(always(*expr))
                } else {
                    self.mismatch(operand, to, place)
                }
            }
            (Operand::Word(..), _) | (_, Type::Word { .. }) => self.mismatch(operand, to, place),
            (_, Type::Integer(range)) => {
                let (own, expr) = match self.number(operand) {
                    Some(number) => number,
                    None => return self.mismatch(operand, to, place),
                };
                debug_assert!(own.hull(*range) == *range, "the type of all alternatives holds each");
                Ok(always(self.sign_extended(expr, range.width())))
            }
            (Operand::Constant(scalar), Type::Finite(values)) => match self.constant_in(values, scalar) {
                Some(expr) => Ok(always(expr)),
                None => self.never(values, operand, to, place),
            },
            (Operand::Finite(own, expr), Type::Finite(values)) => self.between(own, values, *expr, to, place),
            (Operand::Boolean(expr), Type::Finite(values)) => self.from_boolean(values, *expr, to, place),
            (Operand::Integer(range, expr), Type::Finite(values)) => {
                self.from_integer(*range, values, *expr, to, place)
            }
        }
    }

    fn mismatch<T>(&mut self, operand: &Operand, to: &Type, place: &Place) -> Result<T, InputError> {
        let found = self.describe(operand);
        Err(self.error(place, format!("expected a value of type {to}, found {found}")))
    }

    /// A constant of an enumeration; 0 and 1 are the truth values of those that hold these instead.
    fn constant_in(&mut self, values: &Rc<Enumeration>, scalar: &Scalar) -> Option<ExprId> {
        values.constant(&mut self.system.exprs, scalar)
    }

    /// A constant that the type does not hold, which matters only where it is reached.
    fn never(
        &mut self,
        values: &Rc<Enumeration>,
        operand: &Operand,
        to: &Type,
        place: &Place,
    ) -> Result<Converted, InputError> {
        match values.values.first().cloned().and_then(|first| self.constant_in(values, &first)) {
            Some(expr) => Ok(Converted { expr, fits: Some(self.truth(false)) }),
            None => self.mismatch(operand, to, place),
        }
    }

    /// Integers or mixed enumerations some of whose values are truth values.
    fn partly_boolean(
        &mut self,
        operand: &Operand,
        to: &Type,
        place: &Place,
    ) -> Result<Converted, InputError> {
        match operand {
            Operand::Integer(range, expr) if range.contains(0) || range.contains(1) => {
                self.note_old_boolean(place);
                let width = self.width(*expr).max(2);
                let wide = self.sign_extended(*expr, width);
                let (zero, one) = (self.bits(width, 0), self.bits(width, 1));
                let (is_zero, is_one) = (self.same(wide, zero), self.same(wide, one));
                Ok(Converted { expr: is_one, fits: Some(self.or(is_zero, is_one)) })
            }
            Operand::Finite(values, expr) => {
                let is = |this: &mut Self, scalar: Scalar| match this.constant_in(values, &scalar) {
                    Some(constant) => this.same(*expr, constant),
                    None => this.truth(false),
                };
                let (zero, one) = (is(self, Scalar::Integer(0)), is(self, Scalar::Integer(1)));
                let (no, yes) = (is(self, Scalar::Boolean(false)), is(self, Scalar::Boolean(true)));
                let (high, low) = (self.or(one, yes), self.or(zero, no));
                let fits = self.or(high, low);
                if self.is_false(fits) {
                    self.mismatch(operand, to, place)
                } else {
                    Ok(Converted { expr: high, fits: Some(fits) })
                }
            }
            _ => self.mismatch(operand, to, place),
        }
    }

    fn from_boolean(
        &mut self,
        values: &Rc<Enumeration>,
        expr: ExprId,
        to: &Type,
        place: &Place,
    ) -> Result<Converted, InputError> {
        let find = |this: &mut Self, truth: bool| {
            let found = this.constant_in(values, &Scalar::Boolean(truth));
            found.or_else(|| this.constant_in(values, &Scalar::Integer(truth.into())))
        };
        match (find(self, true), find(self, false)) {
            (Some(yes), Some(no)) => Ok(Converted { expr: self.ite(expr, yes, no), fits: None }),
            (Some(yes), None) => Ok(Converted { expr: yes, fits: Some(expr) }),
            (None, Some(no)) => Ok(Converted { expr: no, fits: Some(self.not(expr)) }),
            (None, None) => self.mismatch(&Operand::Boolean(expr), to, place),
        }
    }

    fn between(
        &mut self,
        own: &Rc<Enumeration>,
        values: &Rc<Enumeration>,
        expr: ExprId,
        to: &Type,
        place: &Place,
    ) -> Result<Converted, InputError> {
        if own == values {
            return Ok(Converted { expr, fits: None });
        }
        if let (Some(range), Some(_)) = (own.contiguous(), values.contiguous()) {
            let number = self.integer_of(own, range, expr);
            return self.from_integer(range, values, number, to, place);
        }
        if !own.values.iter().any(|value| values.contains(value)) {
            return self.mismatch(&Operand::Finite(own.clone(), expr), to, place);
        }
        let outside = values.values[0].clone();
        let result = self.chain(own, expr, |this, value| {
            let inside = this.constant_in(values, value);
            inside.or_else(|| this.constant_in(values, &outside)).unwrap_or(expr)
        });
        let fits = if own.values.iter().all(|value| values.contains(value)) {
            None
        } else {
            Some(self.chain(own, expr, |this, value| this.truth(values.contains(value))))
        };
        Ok(Converted { expr: result, fits })
    }

    fn from_integer(
        &mut self,
        range: Interval,
        values: &Rc<Enumeration>,
        expr: ExprId,
        to: &Type,
        place: &Place,
    ) -> Result<Converted, InputError> {
        let common = values
            .values
            .iter()
            .any(|value| matches!(value, Scalar::Integer(value) if range.contains(*value)));
        if !common {
            return self.mismatch(&Operand::Integer(range, expr), to, place);
        }
        let Some(target) = values.contiguous() else { return Ok(self.by_comparison(range, values, expr)) };
        // Wide enough for the value, the range and their difference.
        let width = range.hull(target).width() + 1;
        let wide = self.sign_extended(expr, width);
        let low = self.bits(width, target.low);
        let offset = if target.low == 0 { wide } else { self.binary(BinaryOp::Sub, wide, low) };
        let result = self.unary(UnaryOp::Variant(values.sort.clone()), offset);
        if range.hull(target) == target {
            return Ok(Converted { expr: result, fits: None });
        }
        let high = self.bits(width, target.high);
        let (above, below) = (self.binary(BinaryOp::Sle, low, wide), self.binary(BinaryOp::Sle, wide, high));
        Ok(Converted { expr: result, fits: Some(self.and(above, below)) })
    }

    fn by_comparison(&mut self, range: Interval, values: &Rc<Enumeration>, expr: ExprId) -> Converted {
        let first = values.values[0].clone();
        let mut result = self.constant_in(values, &first).unwrap_or(expr);
        let mut fits = self.truth(false);
        let mut count = 0;
        for value in &values.values {
            let Scalar::Integer(number) = value else { continue };
            if !range.contains(*number) {
                continue;
            }
            count += 1;
            let constant = self.bits(range.width(), *number);
            let is = self.same(expr, constant);
            if let Some(then) = self.constant_in(values, value) {
                result = self.ite(is, then, result);
            }
            fits = self.or(fits, is);
        }
        let complete = i128::from(range.high) - i128::from(range.low) + 1 == count;
        Converted { expr: result, fits: (!complete).then_some(fits) }
    }

    /// Whether two values are the same.
    pub(super) fn equal(&mut self, a: &Operand, b: &Operand, place: &Place) -> Result<ExprId, InputError> {
        match (a, b) {
            (Operand::Boolean(a), Operand::Boolean(b)) => Ok(self.same(*a, *b)),
            (Operand::Word(sign_a, x), Operand::Word(sign_b, y)) => {
                if sign_a == sign_b && self.width(*x) == self.width(*y) {
                    Ok(self.same(*x, *y))
                } else {
                    self.incomparable(a, b, place)
                }
            }
            (Operand::Word(..), _) | (_, Operand::Word(..)) => self.incomparable(a, b, place),
            (Operand::Constant(a), Operand::Constant(b)) => Ok(self.truth(a == b)),
            (Operand::Finite(values, expr), Operand::Constant(scalar))
            | (Operand::Constant(scalar), Operand::Finite(values, expr)) => {
                Ok(match self.constant_in(values, scalar) {
                    Some(constant) => self.same(*expr, constant),
                    None => self.truth(false),
                })
            }
            (Operand::Finite(own, x), Operand::Finite(other, y)) if own == other => Ok(self.same(*x, *y)),
            (Operand::Boolean(x), other) | (other, Operand::Boolean(x)) => match self.bit(other) {
                Some(y) => {
                    self.note_old_boolean(place);
                    Ok(self.same(*x, y))
                }
                None => self.equal_by_conversion(a, b, place),
            },
            _ => self.equal_by_conversion(a, b, place),
        }
    }

    fn equal_by_conversion(&mut self, a: &Operand, b: &Operand, place: &Place) -> Result<ExprId, InputError> {
        if let (Some((range_a, x)), Some((range_b, y))) = (self.number(a), self.number(b)) {
            let width = range_a.hull(range_b).width();
            let (x, y) = (self.sign_extended(x, width), self.sign_extended(y, width));
            return Ok(self.same(x, y));
        }
        let to = match (a, b) {
            (_, Operand::Finite(values, _)) | (Operand::Finite(values, _), _) => Type::Finite(values.clone()),
            _ => return self.incomparable(a, b, place),
        };
        let (Ok(x), Ok(y)) = (self.convert(a, &to, place), self.convert(b, &to, place)) else {
            // Values of two enumerations without a common value differ.
            let symbolic = |operand: &Operand| matches!(operand, Operand::Finite(..) | Operand::Constant(_));
            return if symbolic(a) && symbolic(b) {
                Ok(self.truth(false))
            } else {
                self.incomparable(a, b, place)
            };
        };
        let mut result = self.same(x.expr, y.expr);
        for fits in [x.fits, y.fits].into_iter().flatten() {
            result = self.and(result, fits);
        }
        Ok(result)
    }

    fn incomparable<T>(&mut self, a: &Operand, b: &Operand, place: &Place) -> Result<T, InputError> {
        let (a, b) = (self.describe(a), self.describe(b));
        Err(self.error(place, format!("{a} cannot be compared with {b}")))
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
            | Operand::Word(_, expr) => *expr,
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
