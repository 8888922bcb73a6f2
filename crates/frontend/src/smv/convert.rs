//! From one type to another, and equality between types.
//!
//! Enumerations meet in the values that they have in common. A conversion that is not always possible comes with the
//! condition under which it is.

use super::{
    lowering::Lowering,
    operand::Operand,
    syntax::Place,
    types::{Enumeration, Interval, Kind, Scalar, Type},
};
use crate::InputError;
use propcov_ir::{BinaryOp, ExprId, UnaryOp};
use std::rc::Rc;

/// A value of another type, and where it was a value of that type at all: `None` means always.
pub(super) struct Converted {
    pub(super) expr: ExprId,
    pub(super) fits: Option<ExprId>,
}

impl Lowering<'_> {
    /// The value as one of another type. An error only between kinds of values; where no value of the one type is one of
    /// the other, the condition is never.
    pub(super) fn convert(
        &mut self,
        operand: &Operand,
        to: &Type,
        place: &Place,
    ) -> Result<Converted, InputError> {
        let always = |expr| Converted { expr, fits: None };
        match (operand, to) {
            (Operand::Boolean(expr), Type::Boolean) => Ok(always(*expr)),
            (Operand::Number(..), Type::Boolean) => self.mismatch(operand, to, place),
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
            (_, Type::Number(kind)) => match self.unbounded(operand, *kind) {
                Some(expr) => Ok(always(expr)),
                None => self.mismatch(operand, to, place),
            },
            (Operand::Number(Kind::Integer, expr), Type::Finite(values)) => {
                self.number_as(values, *expr, to, place)
            }
            (Operand::Number(..), _) => self.mismatch(operand, to, place),
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
            (Operand::Boolean(expr), Type::Finite(values)) => self.boolean_as(values, *expr, to, place),
            (Operand::Integer(range, expr), Type::Finite(values)) => {
                self.integer_as(*range, values, *expr, to, place)
            }
        }
    }

    fn mismatch<T>(&mut self, operand: &Operand, to: &Type, place: &Place) -> Result<T, InputError> {
        let found = self.describe(operand);
        Err(self.error(place, format!("expected a value of type {to}, found {found}")))
    }

    /// A constant of an enumeration.
    pub(super) fn constant_in(&mut self, values: &Rc<Enumeration>, scalar: &Scalar) -> Option<ExprId> {
        values.constant(&mut self.system.exprs, scalar)
    }

    /// A value that the type does not hold, which matters only where it is reached.
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

    fn boolean_as(
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
            return self.integer_as(range, values, number, to, place);
        }
        if !own.values.iter().any(|value| values.contains(value)) {
            let operand = Operand::Finite(own.clone(), expr);
            let alike = own.has_integers() && values.has_integers() || own.has_names() && values.has_names();
            return match alike {
                true => self.never(values, &operand, to, place),
                false => self.mismatch(&operand, to, place),
            };
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

    fn integer_as(
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
            let operand = Operand::Integer(range, expr);
            return match values.has_integers() {
                true => self.never(values, &operand, to, place),
                false => self.mismatch(&operand, to, place),
            };
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
            (Operand::Number(..), _) | (_, Operand::Number(..)) => match self.numbers(a, b) {
                Some((_, x, y)) => Ok(self.same(x, y)),
                None => self.incomparable(a, b, place),
            },
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
}
