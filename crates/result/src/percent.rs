//! Percentages: intervals, with one rounding for everything that propcov prints or writes.
//!
//! Rounding is never in anybody's favour. The lower end is rounded down and the upper end up; where both are the same number it is rounded to the nearest, but neither to 100
//! unless everything is covered, nor to 0 unless nothing is. All arithmetic is exact, in whole numbers.

use crate::Count;
use dashu_int::UBig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Digits after the point.
const DIGITS: u32 = 2;
/// The most digits that are tried to tell a share from a threshold.
const MOST_DIGITS: u32 = 9;

/// At least and at most, in percent, with two digits.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
pub struct Percent(f64, f64);

/// A share as two numbers of a unit, such as hundredths of a percent.
struct Units {
    low: UBig,
    high: UBig,
    digits: u32,
}

impl Percent {
    /// The share of `covered` to `covered + unknown` in `total`; `None` of nothing.
    pub fn of(covered: &Count, unknown: &Count, total: &Count) -> Option<Percent> {
        Percent::between(covered, unknown, total, total)
    }

    /// The same where it is not known what counts: at least the fewest, at most the total.
    pub fn between(covered: &Count, unknown: &Count, total: &Count, fewest: &Count) -> Option<Percent> {
        let units = Units::new(covered, unknown, total, fewest, DIGITS)?;
        Some(Percent(units.low(), units.high()))
    }

    /// At least so much.
    pub fn low(&self) -> f64 {
        self.0
    }

    /// At most so much.
    pub fn high(&self) -> f64 {
        self.1
    }

    /// The share in words, with so many digits that it is below the threshold if and only if it is, and two at least.
    pub fn beside(
        covered: &Count,
        unknown: &Count,
        total: &Count,
        fewest: &Count,
        threshold: f64,
    ) -> Option<String> {
        let is_below = Percent::is_below(covered, total, threshold);
        let all =
            (DIGITS..=MOST_DIGITS).filter_map(|digits| Units::new(covered, unknown, total, fewest, digits));
        let agrees = |units: &Units| (units.low() < threshold) == is_below;
        all.into_iter()
            .find(agrees)
            .or_else(|| Units::new(covered, unknown, total, fewest, DIGITS))
            .map(|units| units.text())
    }

    /// Whether less than this many percent are certainly covered. Of nothing, nothing is.
    pub fn is_below(covered: &Count, total: &Count, threshold: f64) -> bool {
        if total.is_zero() {
            return threshold > 0.0;
        }
        // Thresholds are typed by people: a billionth of a percent is exact enough.
        let wanted = UBig::from((threshold.clamp(0.0, 100.0) * 1e9).round() as u64);
        covered.number() * UBig::from(100_000_000_000_u64) < wanted * total.number()
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = DIGITS as usize;
        match self.0 == self.1 {
            true => write!(f, "{:.digits$} %", self.0),
            false => write!(f, "{:.digits$} to {:.digits$} %", self.0, self.1),
        }
    }
}

impl Units {
    fn new(covered: &Count, unknown: &Count, total: &Count, fewest: &Count, digits: u32) -> Option<Units> {
        if total.is_zero() {
            return None;
        }
        let is_range = !unknown.is_zero() || fewest != total;
        let fewest = fewest.number();
        let whole = UBig::from(100 * 10_u64.pow(digits));
        let (total, least) = (total.number(), covered.number() * &whole);
        if is_range {
            let most = (covered.number() + unknown.number()) * &whole;
            // Of nothing that counts, all may be covered.
            let high = if fewest.is_zero() { whole } else { (most + fewest - UBig::ONE) / fewest };
            return Some(Units { low: least / total, high, digits });
        }
        let mut shown = (least * UBig::from(2_u8) + total) / (UBig::from(2_u8) * total);
        if covered.number() < total {
            shown = shown.min(&whole - UBig::ONE);
        }
        if !covered.is_zero() {
            shown = shown.max(UBig::ONE);
        }
        Some(Units { low: shown.clone(), high: shown, digits })
    }

    fn number(&self, units: &UBig) -> f64 {
        // Whole numbers below 2⁵³, divided once: the nearest number to the decimal that is meant.
        u64::try_from(units).unwrap_or(u64::MAX) as f64 / 10_f64.powi(self.digits as i32)
    }

    fn low(&self) -> f64 {
        self.number(&self.low)
    }

    fn high(&self) -> f64 {
        self.number(&self.high)
    }

    fn text(&self) -> String {
        let digits = self.digits as usize;
        match self.low == self.high {
            true => format!("{:.digits$} %", self.low()),
            false => format!("{:.digits$} to {:.digits$} %", self.low(), self.high()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(covered: usize, uncovered: usize, unknown: usize) -> String {
        let total = Count::from(covered + uncovered + unknown);
        Percent::of(&covered.into(), &unknown.into(), &total)
            .map_or("-".to_owned(), |percent| percent.to_string())
    }

    #[test]
    fn a_share_is_never_rounded_to_all_or_to_nothing() {
        assert_eq!(shown(0, 0, 0), "-");
        assert_eq!(shown(3, 0, 0), "100.00 %");
        assert_eq!(shown(0, 3, 0), "0.00 %");
        assert_eq!(shown(2, 1, 0), "66.67 %");
        assert_eq!(shown(999_999, 1, 0), "99.99 %");
        assert_eq!(shown(1, 999_999, 0), "0.01 %");
    }

    #[test]
    fn the_ends_of_an_interval_are_rounded_away_from_each_other() {
        assert_eq!(shown(2, 1, 3), "33.33 to 83.34 %");
        assert_eq!(shown(999_999, 0, 1), "99.99 to 100.00 %");
        assert_eq!(shown(0, 0, 4), "0.00 to 100.00 %");
    }

    #[test]
    fn beside_a_threshold_there_are_digits_enough_to_see_which_is_more() {
        let beside = |covered: usize, uncovered: usize, unknown: usize, threshold: f64| {
            let total = Count::from(covered + uncovered + unknown);
            Percent::beside(&covered.into(), &unknown.into(), &total, &total, threshold).unwrap_or_default()
        };
        assert_eq!(beside(79_999, 20_001, 0, 80.0), "79.999 %");
        assert_eq!(beside(2, 1, 0, 66.667), "66.6667 %");
        assert_eq!(beside(2, 1, 0, 66.66), "66.67 %");
        assert_eq!(beside(5, 4, 0, 80.0), "55.56 %");
        assert_eq!(beside(0, 0, 0, 80.0), "");
    }

    #[test]
    fn a_threshold_is_compared_with_the_exact_share() {
        let below = |covered: usize, total: usize, threshold| {
            Percent::is_below(&covered.into(), &total.into(), threshold)
        };
        assert!(!below(2, 3, 66.666_666_666) && below(2, 3, 66.666_666_667));
        assert!(!below(4, 5, 80.0) && below(79_999, 100_000, 80.0));
        assert!(below(0, 0, 1.0) && !below(0, 0, 0.0));
    }
}
