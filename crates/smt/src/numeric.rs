//! Exact rationals that are fast while they are small: a numerator of 64 bits over a denominator of 32, and big integers only when these overflow.
//!
//! Nearly all coefficients and values of the simplex method are small integers, and most of its time goes into adding multiples of them. The
//! representation is unique, so that equality and hashes need no arithmetic.

use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::cmp::Ordering;

/// A rational number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Rational {
    /// In lowest terms; the denominator is positive.
    Small { numerator: i64, denominator: u32 },
    /// Only what does not fit.
    Big(Box<RBig>),
}

use Rational::{Big, Small};

impl Rational {
    pub(crate) const ZERO: Rational = Rational::int(0);
    pub(crate) const ONE: Rational = Rational::int(1);

    pub(crate) const fn int(value: i64) -> Rational {
        Small { numerator: value, denominator: 1 }
    }

    /// A quotient; the denominator is positive.
    fn quotient(numerator: i128, denominator: i128) -> Rational {
        if let (Ok(numerator), Ok(denominator)) = (i64::try_from(numerator), u64::try_from(denominator)) {
            let divisor = gcd_of_words(numerator.unsigned_abs(), denominator);
            if let Ok(denominator) = u32::try_from(denominator / divisor) {
                // A divisor beyond the positive range divides nothing but zero and the least number.
                let numerator = match i64::try_from(divisor) {
                    Ok(1) => numerator,
                    Ok(divisor) => numerator / divisor,
                    Err(_) => -i64::from(numerator != 0),
                };
                return Small { numerator, denominator };
            }
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()) as i128;
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        match (i64::try_from(numerator), u32::try_from(denominator)) {
            (Ok(numerator), Ok(denominator)) => Small { numerator, denominator },
            _ => Big(Box::new(RBig::from_parts(numerator.into(), UBig::from(denominator.unsigned_abs())))),
        }
    }

    fn from_owned(value: RBig) -> Rational {
        match (i64::try_from(value.numerator()), u32::try_from(value.denominator())) {
            (Ok(numerator), Ok(denominator)) => Small { numerator, denominator },
            _ => Big(Box::new(value)),
        }
    }

    fn from_ibig(value: IBig) -> Rational {
        Rational::from_owned(RBig::from(value))
    }

    pub(crate) fn to_big(&self) -> RBig {
        match self {
            Small { numerator, denominator } => RBig::from_parts((*numerator).into(), (*denominator).into()),
            Big(value) => (**value).clone(),
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        matches!(self, Small { numerator: 0, .. })
    }

    pub(crate) fn is_one(&self) -> bool {
        matches!(self, Small { numerator: 1, denominator: 1 })
    }

    pub(crate) fn is_integer(&self) -> bool {
        match self {
            Small { denominator, .. } => *denominator == 1,
            Big(value) => value.is_int(),
        }
    }

    pub(crate) fn is_negative(&self) -> bool {
        match self {
            Small { numerator, .. } => *numerator < 0,
            Big(value) => **value < RBig::ZERO,
        }
    }

    pub(crate) fn is_positive(&self) -> bool {
        !self.is_negative() && !self.is_zero()
    }

    pub(crate) fn negated(&self) -> Rational {
        match self {
            Small { numerator, denominator } if *numerator != i64::MIN => {
                Small { numerator: -numerator, denominator: *denominator }
            }
            _ => Rational::from_owned(-self.to_big()),
        }
    }

    pub(crate) fn absolute(&self) -> Rational {
        if self.is_negative() { self.negated() } else { self.clone() }
    }

    pub(crate) fn plus(&self, other: &Rational) -> Rational {
        if let (Small { numerator: a, denominator: b }, Small { numerator: c, denominator: d }) =
            (self, other)
        {
            if *b == 1
                && *d == 1
                && let Some(sum) = a.checked_add(*c)
            {
                return Rational::int(sum);
            }
            let (a, b, c, d) = (i128::from(*a), i128::from(*b), i128::from(*c), i128::from(*d));
            return Rational::quotient(a * d + c * b, b * d);
        }
        Rational::from_owned(self.to_big() + other.to_big())
    }

    pub(crate) fn minus(&self, other: &Rational) -> Rational {
        if let (Small { numerator: a, denominator: 1 }, Small { numerator: c, denominator: 1 }) =
            (self, other)
            && let Some(difference) = a.checked_sub(*c)
        {
            return Rational::int(difference);
        }
        self.plus(&other.negated())
    }

    pub(crate) fn times(&self, other: &Rational) -> Rational {
        if let (Small { numerator: a, denominator: b }, Small { numerator: c, denominator: d }) =
            (self, other)
        {
            if *b == 1
                && *d == 1
                && let Some(product) = a.checked_mul(*c)
            {
                return Rational::int(product);
            }
            return Rational::quotient(i128::from(*a) * i128::from(*c), i128::from(*b) * i128::from(*d));
        }
        Rational::from_owned(self.to_big() * other.to_big())
    }

    /// The quotient by a number that is not zero.
    pub(crate) fn over(&self, other: &Rational) -> Rational {
        if let (Small { numerator: a, denominator: b }, Small { numerator: c, denominator: d }) =
            (self, other)
        {
            let (numerator, denominator) = (i128::from(*a) * i128::from(*d), i128::from(*b) * i128::from(*c));
            return Rational::quotient(numerator * denominator.signum(), denominator.abs());
        }
        Rational::from_owned(self.to_big() / other.to_big())
    }

    /// Adds a product.
    pub(crate) fn add_product(&mut self, a: &Rational, b: &Rational) {
        if let (
            Small { numerator: sum, denominator: 1 },
            Small { numerator: a, denominator: 1 },
            Small { numerator: b, denominator: 1 },
        ) = (&mut *self, a, b)
            && let Some(total) = a.checked_mul(*b).and_then(|product| sum.checked_add(product))
        {
            *sum = total;
            return;
        }
        *self = self.plus(&a.times(b));
    }

    pub(crate) fn floor(&self) -> Rational {
        match self {
            Small { denominator: 1, .. } => self.clone(),
            Small { numerator, denominator } => Rational::int(numerator.div_euclid(i64::from(*denominator))),
            Big(value) => Rational::from_ibig(value.floor()),
        }
    }

    /// The greatest rational of which both are integer multiples. Not both are zero.
    pub(crate) fn common_divisor(&self, other: &Rational) -> Rational {
        if let (Small { numerator: a, denominator: b }, Small { numerator: c, denominator: d }) =
            (self, other)
        {
            let (b, d) = (u128::from(*b), u128::from(*d));
            let (a, c) = (u128::from(a.unsigned_abs()) * d, u128::from(c.unsigned_abs()) * b);
            return Rational::quotient(gcd(a, c) as i128, (b * d) as i128);
        }
        if self.is_zero() || other.is_zero() {
            return self.plus(other).absolute();
        }
        let ((a, b), (c, d)) = (self.to_big().into_parts(), other.to_big().into_parts());
        let common = (a * IBig::from(d.clone())).gcd(c * IBig::from(b.clone()));
        Rational::from_owned(RBig::from_parts(common.into(), b * d))
    }
}

impl From<&RBig> for Rational {
    fn from(value: &RBig) -> Rational {
        Rational::from_owned(value.clone())
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (self, other) {
            (Small { numerator: a, denominator: b }, Small { numerator: c, denominator: d }) if b == d => {
                a.cmp(c)
            }
            (Small { numerator: a, denominator: b }, Small { numerator: c, denominator: d }) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

/// The greatest common divisor, in words as soon as both fit.
fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(small_a), Ok(small_b)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(gcd_of_words(small_a, small_b));
        }
        (a, b) = (b, a % b);
    }
    a
}

/// By shifts and subtractions (Stein).
fn gcd_of_words(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    if a == 1 || b == 1 {
        return 1;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        if a > b {
            (a, b) = (b, a);
        }
        b -= a;
    }
    a << shift
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers around the limits of the small representation.
    fn samples() -> Vec<Rational> {
        let mut random = fastrand::Rng::with_seed(7);
        let mut samples = Vec::new();
        for numerator in [0, 1, -1, 6, i64::MAX, i64::MIN, i64::MIN + 1, 1 << 40] {
            for denominator in [1_i128, 2, 9, u32::MAX.into(), 1 << 40] {
                samples.push(Rational::quotient(numerator.into(), denominator));
            }
        }
        samples.extend((0..10).map(|_| Rational::quotient(random.i128(..) >> 1, 1)));
        samples
    }

    #[test]
    fn small_and_big_numbers_agree() {
        for a in samples() {
            assert_eq!(Rational::from(&a.to_big()), a);
            assert_eq!(a.floor().to_big(), RBig::from(a.to_big().floor()));
            assert_eq!(a.negated().to_big(), -a.to_big());
            for b in samples() {
                assert_eq!(a.plus(&b).to_big(), a.to_big() + b.to_big());
                assert_eq!(a.plus(&b), Rational::from_owned(a.to_big() + b.to_big()));
                assert_eq!(a.minus(&b).to_big(), a.to_big() - b.to_big());
                assert_eq!(a.times(&b), Rational::from_owned(a.to_big() * b.to_big()));
                assert_eq!(a.cmp(&b), a.to_big().cmp(&b.to_big()));
                let mut sum = a.clone();
                sum.add_product(&b, &a);
                assert_eq!(sum, Rational::from_owned(a.to_big() + b.to_big() * a.to_big()));
                if !b.is_zero() {
                    assert_eq!(a.over(&b), Rational::from_owned(a.to_big() / b.to_big()));
                    let divisor = a.common_divisor(&b);
                    let (x, y) = (a.over(&divisor), b.over(&divisor));
                    assert!(divisor.is_positive() && x.is_integer() && y.is_integer());
                    assert_eq!(x.common_divisor(&y), Rational::ONE);
                }
            }
        }
    }
}
