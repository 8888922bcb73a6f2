//! Reals as people write them.

use dashu_int::{IBig, Sign, UBig};
use dashu_ratio::RBig;

/// A real as a decimal number where that is exact, and else as a fraction.
pub fn decimal(value: &RBig) -> String {
    let (mut numerator, mut denominator) = (value.numerator().clone(), value.denominator().clone());
    let (two, five, ten) = (UBig::from(2u8), UBig::from(5u8), UBig::from(10u8));
    let mut places = 0;
    while !denominator.is_one() {
        // One more place: a factor of ten, of which the denominator takes what it can.
        let before = denominator.clone();
        let mut spare = ten.clone();
        for prime in [&two, &five] {
            if (&denominator % prime).is_zero() {
                denominator /= prime;
                spare /= prime;
            }
        }
        if denominator == before {
            return value.to_string();
        }
        numerator *= IBig::from(spare);
        places += 1;
    }
    let (sign, magnitude) = numerator.into_parts();
    let digits = magnitude.to_string();
    let digits = format!("{}{digits}", "0".repeat((places + 1_usize).saturating_sub(digits.len())));
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let sign = if sign == Sign::Negative { "-" } else { "" };
    format!("{sign}{whole}.{}", if fraction.is_empty() { "0" } else { fraction })
}
