//! Shares of counts that may have any number of digits. Rounding never makes a share look like all, or like nothing, when it is not.

use dashu_int::UBig;

/// How much of a whole, at least and at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    pub(crate) low: UBig,
    pub(crate) high: UBig,
    pub(crate) total: UBig,
}

/// Which way a number is rounded.
#[derive(Clone, Copy)]
enum Rounding {
    Nearest,
    Down,
    Up,
}

impl Share {
    /// In percent, to four digits; `None` of nothing.
    pub(crate) fn percent(&self) -> Option<(f64, f64)> {
        let (low, high) = self.ends(6)?;
        Some((low as f64 / 1e4, high as f64 / 1e4))
    }

    /// In percent, in words; `None` of nothing.
    pub(crate) fn text(&self) -> Option<String> {
        self.text_to(2)
    }

    /// The same, with so many digits that what is shown is below a threshold if and only if it is.
    pub(crate) fn text_beside(&self, threshold: f64) -> Option<String> {
        let agrees = |digits: &u32| {
            let shown = self.ends(digits + 2).map(|(low, _)| low as f64 / 10_f64.powi(*digits as i32));
            shown.is_some_and(|shown| (shown < threshold) == self.is_below(threshold))
        };
        self.text_to((2..=10).find(agrees).unwrap_or(2))
    }

    /// Whether less than so many percent is certain. Nothing has no share, which is below any but zero.
    pub(crate) fn is_below(&self, threshold: f64) -> bool {
        // Fifteen digits are what the threshold has.
        self.scaled(&self.low, 15, Rounding::Down).is_none_or(|low| low as f64 / 1e13 < threshold)
            && threshold > 0.0
    }

    fn text_to(&self, digits: u32) -> Option<String> {
        let (low, high) = self.ends(digits + 2)?;
        let written = |units: u64| {
            let unit = 10_u64.pow(digits);
            format!("{}.{:0width$}", units / unit, units % unit, width = digits as usize)
        };
        Some(match low == high {
            true => format!("{} %", written(low)),
            false => format!("{} to {} %", written(low), written(high)),
        })
    }

    /// Both ends as parts of `10^digits`.
    fn ends(&self, digits: u32) -> Option<(u64, u64)> {
        if self.low == self.high {
            let all = 10_u64.pow(digits);
            let mut shown = self.scaled(&self.low, digits, Rounding::Nearest)?;
            if self.low < self.total {
                shown = shown.min(all - 1);
            }
            if self.low > UBig::ZERO {
                shown = shown.max(1);
            }
            return Some((shown, shown));
        }
        let low = self.scaled(&self.low, digits, Rounding::Down)?;
        Some((low, self.scaled(&self.high, digits, Rounding::Up)?))
    }

    fn scaled(&self, part: &UBig, digits: u32, rounding: Rounding) -> Option<u64> {
        if self.total == UBig::ZERO {
            return None;
        }
        let product = part * UBig::from(10_u64.pow(digits));
        let added = match rounding {
            Rounding::Nearest => &self.total / 2_u8,
            Rounding::Down => UBig::ZERO,
            Rounding::Up => &self.total - 1_u8,
        };
        u64::try_from((product + added) / &self.total).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(low: u64, high: u64, total: u64) -> Share {
        Share { low: low.into(), high: high.into(), total: total.into() }
    }

    #[test]
    fn nothing_is_rounded_to_all_or_to_nothing() {
        let text = |low, high, total| share(low, high, total).text().unwrap_or_default();
        assert_eq!(text(1024, 1024, 1792), "57.14 %");
        assert_eq!(text(522, 522, 522), "100.00 %");
        assert_eq!(text(0, 0, 522), "0.00 %");
        assert_eq!(text(999_999, 999_999, 1_000_000), "99.99 %");
        assert_eq!(text(1, 1, 1_000_000), "0.01 %");
        assert_eq!(text(1, 2, 3), "33.33 to 66.67 %");
        assert_eq!(text(0, 999_999, 1_000_000), "0.00 to 100.00 %");
        assert_eq!(share(0, 0, 0).text(), None);
    }

    #[test]
    fn numbers_of_any_length_have_a_share() {
        let total = UBig::from(3_u8) << 500;
        let part = UBig::from(1_u8) << 500;
        let share = Share { low: part.clone(), high: part, total };
        assert_eq!(share.text().as_deref(), Some("33.33 %"));
        assert_eq!(share.percent(), Some((33.3333, 33.3333)));
    }

    #[test]
    fn a_threshold_is_compared_exactly() {
        assert!(!share(1, 1, 2).is_below(50.0));
        assert!(share(1, 1, 2).is_below(50.001));
        assert!(share(9_999_999, 9_999_999, 10_000_000).is_below(100.0));
        assert!(!share(0, 0, 0).is_below(0.0) && share(0, 0, 0).is_below(1.0));
        let close = share(49_999_999, 49_999_999, 100_000_000);
        assert_eq!(close.text_beside(50.0).as_deref(), Some("49.999999 %"));
        assert_eq!(share(1, 1, 3).text_beside(50.0).as_deref(), Some("33.33 %"));
    }
}
