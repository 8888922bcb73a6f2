//! Findings counted: for each property, for each edit, and together.

use fixedbitset::FixedBitSet;
use propcov_coverage::ranking::{Ranking, rank};
use propcov_ir::{Finding, Mutant, Mutation, PropertyId, Status, System};

/// What becomes of a mutant when all properties look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Some property fails.
    Covered,
    /// Every property still holds.
    Uncovered,
    /// So it does, and nobody else could tell either.
    NoEffect,
    /// No property is known to fail, and one is undecided.
    Unknown,
}

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
    fn add(&mut self, standing: Standing) {
        *match standing {
            Standing::Covered => &mut self.covered,
            Standing::Uncovered => &mut self.uncovered,
            Standing::NoEffect => &mut self.no_effect,
            Standing::Unknown => &mut self.unknown,
        } += 1;
    }

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

/// All findings of a run.
pub(crate) struct Tally<'a> {
    pub(crate) system: &'a System,
    pub(crate) mutants: &'a [Mutant],
    /// The properties that are proved, and so measured.
    pub(crate) properties: Vec<PropertyId>,
    /// One for each property and mutant, by property, then by mutant.
    pub(crate) findings: Vec<Finding>,
}

impl Tally<'_> {
    /// What a property has to say on each mutant.
    pub(crate) fn row(&self, property: usize) -> &[Finding] {
        let width = self.mutants.len();
        &self.findings[property * width..(property + 1) * width]
    }

    /// What all properties have to say on a mutant.
    pub(crate) fn column(&self, mutant: usize) -> impl Iterator<Item = &Finding> {
        self.findings.iter().skip(mutant).step_by(self.mutants.len().max(1))
    }

    /// How a mutant stands with all properties together.
    pub(crate) fn standing(&self, mutant: usize) -> Standing {
        let mut together = if self.properties.is_empty() { Standing::Unknown } else { Standing::Uncovered };
        for finding in self.column(mutant) {
            match finding.status {
                Status::Covered(_) => return Standing::Covered,
                Status::Unknown(_) => together = Standing::Unknown,
                Status::NoEffect(_) if together == Standing::Uncovered => together = Standing::NoEffect,
                Status::NoEffect(_) | Status::Uncovered(_) => {}
            }
        }
        together
    }

    /// The mutants of a mutation, or all.
    fn of_mutation(&self, mutation: Option<Mutation>) -> impl Iterator<Item = usize> {
        let wanted =
            move |mutant: &usize| mutation.is_none_or(|mutation| self.mutants[*mutant].mutation == mutation);
        (0..self.mutants.len()).filter(wanted)
    }

    /// What all properties together cover.
    pub(crate) fn together(&self, mutation: Option<Mutation>) -> Count {
        let mut count = Count::default();
        self.of_mutation(mutation).for_each(|mutant| count.add(self.standing(mutant)));
        count
    }

    /// What one property covers.
    pub(crate) fn alone(&self, property: usize, mutation: Option<Mutation>) -> Count {
        let row = self.row(property);
        let mut count = Count::default();
        for mutant in self.of_mutation(mutation) {
            count.add(match row[mutant].status {
                Status::Covered(_) => Standing::Covered,
                Status::Uncovered(_) => Standing::Uncovered,
                Status::NoEffect(_) => Standing::NoEffect,
                Status::Unknown(_) => Standing::Unknown,
            });
        }
        count
    }

    /// The mutations that occur, in their usual order.
    pub(crate) fn mutations(&self) -> Vec<Mutation> {
        let occurs = |mutation: &Mutation| self.mutants.iter().any(|mutant| mutant.mutation == *mutation);
        Mutation::ALL.into_iter().filter(occurs).collect()
    }

    /// How many of the findings are decided.
    pub(crate) fn decided(&self) -> usize {
        self.findings.iter().filter(|finding| !matches!(finding.status, Status::Unknown(_))).count()
    }

    /// What each property contributes.
    pub(crate) fn ranking(&self) -> Ranking {
        let where_status = |is_meant: fn(&Status) -> bool| -> Vec<FixedBitSet> {
            let row = |property: usize| {
                let row = self.row(property);
                (0..row.len()).filter(|mutant| is_meant(&row[*mutant].status)).collect()
            };
            (0..self.properties.len()).map(row).collect()
        };
        let kills = where_status(|status| matches!(status, Status::Covered(_)));
        rank(&kills, &where_status(|status| matches!(status, Status::Unknown(_))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_never_rounded_to_all_or_to_nothing() {
        let shown =
            |covered, uncovered, unknown| Count { covered, uncovered, unknown, no_effect: 0 }.percent_text();
        assert_eq!(shown(0, 0, 0), "-");
        assert_eq!(shown(3, 0, 0), "100.0 %");
        assert_eq!(shown(0, 3, 0), "0.0 %");
        assert_eq!(shown(2, 1, 0), "66.7 %");
        assert_eq!(shown(99_999, 1, 0), "99.9 %");
        assert_eq!(shown(1, 99_999, 0), "0.1 %");
        assert_eq!(shown(2, 1, 3), "33.3 to 83.4 %");
        assert_eq!(shown(99_999, 0, 1), "99.9 to 100.0 %");
    }

    #[test]
    fn beside_a_threshold_there_are_digits_enough_to_see_which_is_more() {
        let shown = |covered, uncovered, unknown, threshold| {
            Count { covered, uncovered, unknown, no_effect: 0 }.percent_text_beside(threshold)
        };
        assert_eq!(shown(7_999, 2_001, 0, 80.0), "79.99 %");
        assert_eq!(shown(2, 1, 0, 66.7), "66.67 %");
        assert_eq!(shown(2, 1, 0, 66.66), "66.7 %");
        assert_eq!(shown(2, 1, 3, 33.33), "33.33 to 83.34 %");
        assert_eq!(shown(5, 4, 0, 80.0), "55.6 %");
        assert_eq!(shown(0, 0, 0, 80.0), "-");
    }

    #[test]
    fn what_has_no_effect_counts_as_not_covered() {
        let count = Count { covered: 3, uncovered: 1, no_effect: 6, unknown: 0 };
        assert_eq!((count.total(), count.percent()), (10, Some((30.0, 30.0))));
        assert_eq!(count.effective().percent(), Some((75.0, 75.0)));
        let none_left = Count { covered: 9_999, uncovered: 0, no_effect: 1, unknown: 0 };
        assert_eq!(none_left.percent_text(), "99.9 %");
    }
}
