//! Values with an infinitesimal part, `real + infinitesimal · ε`: a strict bound `x < c` is `x ≤ c - ε`.
//!
//! # References
//!
//! Dutertre, de Moura: A Fast Linear-Arithmetic Solver for DPLL(T). CAV 2006, section 4.

use crate::numeric::Rational;

/// A value of the simplex method. The order is lexicographic, as ε is smaller than every positive number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Value {
    pub(crate) real: Rational,
    pub(crate) infinitesimal: Rational,
}

impl Value {
    pub(crate) const ZERO: Value = Value { real: Rational::ZERO, infinitesimal: Rational::ZERO };

    pub(crate) fn new(real: Rational, infinitesimal: i64) -> Value {
        Value { real, infinitesimal: Rational::int(infinitesimal) }
    }

    pub(crate) fn minus(&self, other: &Value) -> Value {
        Value {
            real: self.real.minus(&other.real),
            infinitesimal: self.infinitesimal.minus(&other.infinitesimal),
        }
    }

    pub(crate) fn over(&self, divisor: &Rational) -> Value {
        if divisor.is_one() {
            return self.clone();
        }
        let infinitesimal = match self.infinitesimal.is_zero() {
            true => Rational::ZERO,
            false => self.infinitesimal.over(divisor),
        };
        Value { real: self.real.over(divisor), infinitesimal }
    }

    /// Adds a multiple.
    pub(crate) fn add_product(&mut self, other: &Value, times: &Rational) {
        self.real.add_product(&other.real, times);
        if !other.infinitesimal.is_zero() {
            self.infinitesimal.add_product(&other.infinitesimal, times);
        }
    }

    pub(crate) fn is_integer(&self) -> bool {
        self.infinitesimal.is_zero() && self.real.is_integer()
    }

    /// The greatest integer that is not greater.
    pub(crate) fn floor(&self) -> Rational {
        let floor = self.real.floor();
        if self.infinitesimal.is_negative() && self.real.is_integer() {
            return floor.minus(&Rational::ONE);
        }
        floor
    }
}
