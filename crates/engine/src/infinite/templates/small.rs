//! Rationals of machine size, for sampling: what does not fit is left out, because samples are only hints.

use dashu_int::IBig;
use dashu_ratio::RBig;
use propcov_ir::{ExprId, ExprPool, Sort, Value};
use std::cmp::Ordering;

/// A reduced fraction with a positive denominator. Booleans are 0 and 1, variants of enumerations their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Small {
    pub(super) numerator: i64,
    pub(super) denominator: i64,
}

impl Small {
    pub(super) const ZERO: Small = Small::int(0);
    pub(super) const ONE: Small = Small::int(1);

    pub(super) const fn int(value: i64) -> Small {
        Small { numerator: value, denominator: 1 }
    }

    pub(super) fn bool(value: bool) -> Small {
        Small::int(i64::from(value))
    }

    pub(super) fn is_true(self) -> bool {
        self.numerator != 0
    }

    /// The reduced fraction, if it is small.
    pub(super) fn fraction(numerator: i128, denominator: i128) -> Option<Small> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()).max(1) as i128;
        let divisor = if denominator < 0 { -divisor } else { divisor };
        let small = |value: i128| i64::try_from(value / divisor).ok().filter(|value| *value != i64::MIN);
        Some(Small { numerator: small(numerator)?, denominator: small(denominator)? })
    }

    pub(super) fn plus(self, other: Small) -> Option<Small> {
        if self.denominator == 1 && other.denominator == 1 {
            return self.numerator.checked_add(other.numerator).filter(|n| *n != i64::MIN).map(Small::int);
        }
        let (a, b) = (wide(self), wide(other));
        Small::fraction(a.0.checked_mul(b.1)?.checked_add(b.0.checked_mul(a.1)?)?, a.1.checked_mul(b.1)?)
    }

    pub(super) fn negated(self) -> Small {
        Small { numerator: -self.numerator, denominator: self.denominator }
    }

    pub(super) fn minus(self, other: Small) -> Option<Small> {
        self.plus(other.negated())
    }

    pub(super) fn times(self, other: Small) -> Option<Small> {
        let (a, b) = (wide(self), wide(other));
        Small::fraction(a.0.checked_mul(b.0)?, a.1.checked_mul(b.1)?)
    }

    /// The quotient, and zero when dividing by zero, as the interpreter has it.
    pub(super) fn over(self, other: Small) -> Option<Small> {
        if other.numerator == 0 {
            return Some(Small::ZERO);
        }
        let (a, b) = (wide(self), wide(other));
        Small::fraction(a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?)
    }

    pub(super) fn floor(self) -> Small {
        Small::int(self.numerator.div_euclid(self.denominator))
    }

    pub(super) fn is_int(self) -> bool {
        self.denominator == 1
    }

    /// The value, if it is not too big.
    pub(super) fn of(value: &Value) -> Option<Small> {
        match value {
            Value::Bits(bits) if bits.width() == 1 => Some(Small::bool(bits.is_nonzero())),
            Value::Int(value) => Small::fraction(i128::try_from(value.clone()).ok()?, 1),
            Value::Real(value) => Small::of_ratio(value),
            Value::Enum(_, position) => Some(Small::int(i64::from(*position))),
            Value::Bits(_) | Value::Array(_) => None,
        }
    }

    fn of_ratio(value: &RBig) -> Option<Small> {
        let numerator = i128::try_from(value.numerator().clone()).ok()?;
        Small::fraction(numerator, i128::try_from(value.denominator().clone()).ok()?)
    }

    /// The number as an expression; an integer for an int.
    pub(super) fn expr(self, exprs: &mut ExprPool, sort: &Sort) -> ExprId {
        let numerator = IBig::from(self.numerator);
        let value = match sort {
            Sort::Int => Value::Int(numerator),
            _ => Value::Real(RBig::from(numerator) / RBig::from(IBig::from(self.denominator))),
        };
        exprs.constant(value)
    }
}

impl Ord for Small {
    fn cmp(&self, other: &Small) -> Ordering {
        if self.denominator == 1 && other.denominator == 1 {
            return self.numerator.cmp(&other.numerator);
        }
        let (a, b) = (wide(*self), wide(*other));
        (a.0 * b.1).cmp(&(b.0 * a.1))
    }
}

impl PartialOrd for Small {
    fn partial_cmp(&self, other: &Small) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn wide(value: Small) -> (i128, i128) {
    (i128::from(value.numerator), i128::from(value.denominator))
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_reduced_and_ordered() {
        let half = Small::fraction(-2, -4).expect("small");
        assert_eq!(half, Small { numerator: 1, denominator: 2 });
        assert_eq!(half.plus(half), Some(Small::ONE));
        assert_eq!(half.negated().floor(), Small::int(-1));
        assert!(half < Small::ONE && half > Small::ZERO);
        assert_eq!(Small::ONE.over(half), Some(Small::int(2)));
        assert_eq!(Small::ONE.over(Small::ZERO), Some(Small::ZERO));
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        assert_eq!(Small::int(i64::MAX).plus(Small::ONE), None);
        assert_eq!(Small::int(i64::MAX).times(Small::int(2)), None);
    }
}
