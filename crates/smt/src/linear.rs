//! Linear sums over number variables, and the bounds on them that literals stand for.

use dashu_ratio::RBig;
use std::collections::BTreeMap;

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
    /// The coefficients; none is zero.
    terms: BTreeMap<Number, RBig>,
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
        Linear { terms: BTreeMap::new(), constant: value }
    }

    /// A number variable.
    pub fn number(number: Number) -> Linear {
        Linear { terms: BTreeMap::from([(number, RBig::ONE)]), constant: RBig::ZERO }
    }

    /// The variables with their coefficients, in order.
    pub fn terms(&self) -> impl Iterator<Item = (Number, &RBig)> {
        self.terms.iter().map(|(number, coefficient)| (*number, coefficient))
    }

    /// The coefficient of a variable.
    pub fn coefficient(&self, number: Number) -> RBig {
        self.terms.get(&number).cloned().unwrap_or(RBig::ZERO)
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
        if times.is_zero() {
            return;
        }
        for (number, coefficient) in &other.terms {
            let entry = self.terms.entry(*number).or_insert(RBig::ZERO);
            *entry += coefficient * times;
            if entry.is_zero() {
                self.terms.remove(number);
            }
        }
        self.constant += &other.constant * times;
    }

    /// The sum of this and a multiple of another.
    #[must_use]
    pub fn plus(&self, other: &Linear, times: &RBig) -> Linear {
        let mut sum = self.clone();
        sum.add(other, times);
        sum
    }

    /// A multiple.
    #[must_use]
    pub fn scaled(&self, times: &RBig) -> Linear {
        Linear::default().plus(self, times)
    }

    /// The value where the variables have these values.
    pub fn evaluate(&self, mut value: impl FnMut(Number) -> RBig) -> RBig {
        let terms = self.terms.iter().map(|(number, coefficient)| coefficient * value(*number));
        terms.fold(self.constant.clone(), |sum, term| sum + term)
    }
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
