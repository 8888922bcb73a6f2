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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_are_decimals_where_that_is_exact() {
        let text = |number: &str| decimal(&number.parse::<RBig>().expect("a number"));
        let numbers = ["0", "7", "-7", "1/2", "-1/20", "25/2", "1/3", "-22/7", "1/1024", "1001/1000"];
        let expected =
            ["0.0", "7.0", "-7.0", "0.5", "-0.05", "12.5", "1/3", "-22/7", "0.0009765625", "1.001"];
        assert_eq!(numbers.map(text), expected);
    }
}
