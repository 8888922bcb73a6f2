//! Linear sums over number variables, and the bounds on them that literals stand for.

use dashu_ratio::RBig;
use std::cmp::Ordering;

/// A number variable, counting from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number(pub u32);

/// Which values a number variable takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberKind {
    /// The integers.
    Int,
    /// The rationals.
    Real,
}

/// A sum of multiples of number variables, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Linear {
    /// The coefficients by variable; none is zero.
    terms: Vec<(Number, RBig)>,
    /// The constant.
    constant: RBig,
}

/// How a sum is compared with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// At most zero.
    AtMost,
    /// Less than zero.
    Below,
}

/// A linear constraint: `sum ≤ 0` or `sum < 0`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// What is compared with zero.
    pub sum: Linear,
    /// How.
    pub relation: Relation,
}

impl Linear {
    /// A constant.
    pub fn constant(value: RBig) -> Linear {
        Linear { terms: Vec::new(), constant: value }
    }

    /// A number variable.
    pub fn number(number: Number) -> Linear {
        Linear { terms: vec![(number, RBig::ONE)], constant: RBig::ZERO }
    }

    /// The variables with their coefficients, in order.
    pub fn terms(&self) -> impl Iterator<Item = (Number, &RBig)> {
        self.terms.iter().map(|(number, coefficient)| (*number, coefficient))
    }

    /// The coefficient of a variable.
    pub fn coefficient(&self, number: Number) -> RBig {
        let found = self.terms.binary_search_by_key(&number, |(number, _)| *number);
        found.map_or(RBig::ZERO, |at| self.terms[at].1.clone())
    }

    /// The constant.
    pub fn offset(&self) -> &RBig {
        &self.constant
    }

    /// The value, if no variable matters.
    pub fn as_constant(&self) -> Option<&RBig> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// Adds a multiple of another sum.
    pub fn add(&mut self, other: &Linear, times: &RBig) {
        *self = self.plus(other, times);
    }

    /// The sum of this and a multiple of another.
    #[must_use]
    pub fn plus(&self, other: &Linear, times: &RBig) -> Linear {
        if times.is_zero() {
            return self.clone();
        }
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (Some((a, _)), Some((b, _))) => a.cmp(b),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => break,
            };
            // The earlier variable goes first; a common one is taken from both.
            let own = if order.is_le() { left.next() } else { None };
            let others = if order.is_ge() { right.next() } else { None };
            match (own, others) {
                (Some((number, a)), Some((_, b))) => {
                    let coefficient = sum_of(a, &product_of(b, times));
                    if !coefficient.is_zero() {
                        terms.push((*number, coefficient));
                    }
                }
                (Some((number, a)), None) => terms.push((*number, a.clone())),
                (None, Some((number, b))) => terms.push((*number, product_of(b, times))),
                (None, None) => break,
            }
        }
        Linear { terms, constant: sum_of(&self.constant, &product_of(&other.constant, times)) }
    }

    /// A multiple.
    #[must_use]
    pub fn scaled(&self, times: &RBig) -> Linear {
        Linear::default().plus(self, times)
    }

    /// The value where the variables have these values.
    pub fn evaluate(&self, mut value: impl FnMut(Number) -> RBig) -> RBig {
        let terms = self.terms.iter().map(|(number, coefficient)| product_of(coefficient, &value(*number)));
        terms.fold(self.constant.clone(), |sum, term| sum + term)
    }
}

/// A sum. Integers, which are most numbers, need no common divisors.
fn sum_of(a: &RBig, b: &RBig) -> RBig {
    if a.is_zero() {
        return b.clone();
    }
    if a.is_int() && b.is_int() { RBig::from(a.numerator() + b.numerator()) } else { a + b }
}

/// A product, likewise.
fn product_of(a: &RBig, b: &RBig) -> RBig {
    if a.is_one() {
        return b.clone();
    }
    if a.is_int() && b.is_int() { RBig::from(a.numerator() * b.numerator()) } else { a * b }
}

impl Bound {
    /// The constraint that holds iff this one does not.
    #[must_use]
    pub fn negated(&self) -> Bound {
        let sum = self.sum.scaled(&RBig::from(-1));
        let relation = match self.relation {
            Relation::AtMost => Relation::Below,
            Relation::Below => Relation::AtMost,
        };
        Bound { sum, relation }
    }
}
