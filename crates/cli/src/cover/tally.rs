//! Counts.

/// The most digits of a percentage.
const MOST_DIGITS: usize = 9;

/// How many mutants stand how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) covered: usize,
    pub(crate) uncovered: usize,
    pub(crate) no_effect: usize,
    pub(crate) unknown: usize,
}

impl Count {
    /// All of them.
    pub(crate) fn total(&self) -> usize {
        self.covered + self.uncovered + self.no_effect + self.unknown
    }

    /// Those that have an effect. What has none can be covered by nothing, but whether it has is known only where somebody looked:
    /// a share of these is no measure that two runs could be compared by.
    pub(crate) fn effective(&self) -> Count {
        Count { no_effect: 0, ..*self }
    }

    /// The share of all mutants that is covered, as far as is known: at least and at most, in percent. `None` when there is nothing
    /// to cover.
    pub(crate) fn percent(&self) -> Option<(f64, f64)> {
        let share = |count: usize| 100.0 * count as f64 / self.total() as f64;
        (self.total() > 0).then(|| (share(self.covered), share(self.covered + self.unknown)))
    }

    /// The share in words. Rounding never makes it better at the lower end or worse at the upper one.
    pub(crate) fn percent_text(&self) -> String {
        self.rounded(1).map_or("-".to_owned(), |(_, text)| text)
    }

    /// The share in words, with so many digits that it is below a threshold if and only if it is.
    pub(crate) fn percent_text_beside(&self, threshold: f64) -> String {
        let is_below = self.percent().is_some_and(|(low, _)| low < threshold);
        let agrees = |(shown, _): &(f64, String)| (*shown < threshold) == is_below;
        let rounded = (1..=MOST_DIGITS).filter_map(|digits| self.rounded(digits)).find(agrees);
        rounded.map_or_else(|| self.percent_text(), |(_, text)| text)
    }

    /// The lower end with so many digits, and the share in words.
    fn rounded(&self, digits: usize) -> Option<(f64, String)> {
        let (low, high) = self.percent()?;
        let unit = 10_f64.powi(digits as i32);
        if self.unknown == 0 {
            // Both ends are one number: what is shown may be rounded, but not to all or to nothing.
            let shown = (low * unit).round() / unit;
            let shown = if self.covered < self.total() { shown.min(100.0 - 1.0 / unit) } else { shown };
            let shown = if self.covered > 0 { shown.max(1.0 / unit) } else { shown };
            return Some((shown, format!("{shown:.digits$} %")));
        }
        let (low, high) = ((low * unit).floor() / unit, (high * unit).ceil() / unit);
        Some((low, format!("{low:.digits$} to {high:.digits$} %")))
    }
}

