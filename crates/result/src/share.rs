//! Findings counted. One type of count, one of share, one headline for all metrics.

use crate::design::is_false;
use crate::{Count, FindingVerdict, Percent, Standing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of something is covered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// The metric.
    pub metric: String,
    /// What is counted.
    pub scope: Scope,
    /// How many are what.
    #[serde(flatten)]
    pub tally: Tally,
    /// All of them.
    pub total: Count,
    /// The headline: covered of what counts, at least and at most; absent where nothing counts or nothing was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<Percent>,
    /// Whether separate code has confirmed all that is decided.
    #[serde(default, skip_serializing_if = "is_false")]
    pub certified: bool,
}

/// What is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Everything, by all properties together: the headline of the metric.
    All,
    /// What one property covers.
    Property(String),
    /// What the conjunction of all properties covers, where that is not what some of them cover.
    Conjunction,
    /// One kind of edit, by all properties together.
    Edit(String),
    /// One kind of edit and one property.
    PropertyEdit(String, String),
    /// The elements of one instance.
    Instance(String),
    /// The elements of one file.
    File(String),
    /// The states or transitions in which one signal is observed.
    Observed(String),
    /// The labels of one proposition.
    Proposition(String),
    /// Checker logic, which does not count in any other scope.
    Checker,
}

/// How many are what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tally {
    /// Some property notices them.
    pub covered: Count,
    /// Holes: no property does.
    pub uncovered: Count,
    /// Of the uncovered, those of which it is not known whether they have an effect: if they have none, they do not count.
    #[serde(default, skip_serializing_if = "Count::is_zero")]
    pub unclassified: Count,
    /// No property does, and nobody else could.
    #[serde(default, skip_serializing_if = "Count::is_zero")]
    pub no_effect: Count,
    /// No reachable state has anything to do with them.
    #[serde(default, skip_serializing_if = "Count::is_zero")]
    pub dead: Count,
    /// The user said that they do not count.
    #[serde(default, skip_serializing_if = "Count::is_zero")]
    pub waived: Count,
    /// Uncovered as far as a bound; nothing is known beyond.
    #[serde(default, skip_serializing_if = "Count::is_zero")]
    pub bounded: Count,
    /// Undecided.
    pub unknown: Count,
}

impl Tally {
    /// Counts one more.
    pub fn add(&mut self, verdict: FindingVerdict, count: &Count) {
        *match verdict {
            FindingVerdict::Covered => &mut self.covered,
            FindingVerdict::Uncovered => &mut self.uncovered,
            FindingVerdict::NoEffect => &mut self.no_effect,
            FindingVerdict::Dead => &mut self.dead,
            FindingVerdict::Unknown => &mut self.unknown,
        } += count;
    }

    /// Counts one more that stands so.
    pub fn add_standing(&mut self, standing: Standing) {
        *match standing {
            Standing::Covered => &mut self.covered,
            Standing::Uncovered => &mut self.uncovered,
            Standing::NoEffect => &mut self.no_effect,
            Standing::Dead => &mut self.dead,
            Standing::Waived => &mut self.waived,
            Standing::Bounded => &mut self.bounded,
            Standing::Unknown => &mut self.unknown,
        } += &Count::from(1_usize);
    }

    /// All of them.
    pub fn total(&self) -> Count {
        let apart = [&self.no_effect, &self.dead, &self.waived];
        &self.counting() + &apart.into_iter().sum()
    }

    /// Those that the headline is about: what has no effect, is dead or waived can be covered by nothing, and is no hole.
    pub fn counting(&self) -> Count {
        [&self.covered, &self.uncovered, &self.bounded, &self.unknown].into_iter().sum()
    }

    /// Those among them that count whatever is not known yet.
    fn surely_counting(&self) -> Count {
        &self.counting() - &self.unclassified
    }

    /// What may be covered, or may not: what is undecided, and what is only known as far as a bound.
    pub fn open(&self) -> Count {
        &self.bounded + &self.unknown
    }

    /// The headline: covered / (covered + holes + unknown).
    pub fn percent(&self) -> Option<Percent> {
        Percent::between(&self.covered, &self.open(), &self.counting(), &self.surely_counting())
    }

    /// Whether less than this many percent of what counts is certainly covered. Where nothing counts, nothing is missing.
    pub fn is_below(&self, threshold: f64) -> bool {
        let counting = self.counting();
        !counting.is_zero() && Percent::is_below(&self.covered, &counting, threshold)
    }

    /// Whether less than this many percent of what counts is covered, whatever is not decided.
    pub fn is_surely_below(&self, threshold: f64) -> bool {
        let fewest = self.surely_counting();
        !fewest.is_zero() && Percent::is_below(&(&self.covered + &self.open()), &fewest, threshold)
    }
}

impl Share {
    /// The share of what was counted.
    pub fn new(metric: &str, scope: Scope, tally: Tally, certified: bool) -> Share {
        let (total, percent) = (tally.total(), tally.percent());
        Share { metric: metric.to_owned(), scope, tally, total, percent, certified }
    }

    /// The headline in words; `-` where nothing counts.
    pub fn percent_text(&self) -> String {
        self.percent.map_or("-".to_owned(), |percent| percent.to_string())
    }

    /// The headline as it would be if all that is waived were holes; `None` where nothing is waived. Waived is no progress, so it is said beside every headline.
    pub fn percent_with_waived(&self) -> Option<Percent> {
        let tally = &self.tally;
        if tally.waived.is_zero() {
            return None;
        }
        let holes =
            Tally { uncovered: &tally.uncovered + &tally.waived, waived: Count::ZERO, ..tally.clone() };
        holes.percent()
    }

    /// The headline in words, with what it would be without waivers: `100.00 % (64.00 % with waived)`.
    pub fn headline_text(&self) -> String {
        let text = self.percent_text();
        self.percent_with_waived().map_or(text.clone(), |percent| format!("{text} ({percent} with waived)"))
    }

    /// The same with so many digits that it is below the threshold if and only if it is.
    pub fn percent_text_beside(&self, threshold: f64) -> String {
        let tally = &self.tally;
        let (counting, fewest) = (tally.counting(), tally.surely_counting());
        let text = Percent::beside(&tally.covered, &tally.open(), &counting, &fewest, threshold);
        text.unwrap_or_else(|| "-".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(covered: usize, uncovered: usize, no_effect: usize, unknown: usize) -> Tally {
        Tally {
            covered: covered.into(),
            uncovered: uncovered.into(),
            no_effect: no_effect.into(),
            unknown: unknown.into(),
            ..Tally::default()
        }
    }

    #[test]
    fn what_has_no_effect_does_not_count_so_that_everything_can_be_covered() {
        let share = Share::new("mutation", Scope::All, tally(3, 0, 6, 0), true);
        assert_eq!((share.total.to_string().as_str(), share.percent_text().as_str()), ("9", "100.00 %"));
    }

    #[test]
    fn what_is_unknown_or_bounded_makes_an_interval() {
        let bounded = Tally { bounded: 1_usize.into(), ..tally(1, 1, 5, 1) };
        assert_eq!(bounded.percent().map(|percent| percent.to_string()).as_deref(), Some("25.00 to 75.00 %"));
    }

    #[test]
    fn what_is_waived_is_no_progress() {
        let waived = Tally { waived: 9_usize.into(), ..tally(16, 0, 3, 0) };
        let share = Share::new("mutation", Scope::All, waived, true);
        assert_eq!(share.headline_text(), "100.00 % (64.00 % with waived)");
        assert_eq!(Share::new("mutation", Scope::All, tally(1, 1, 0, 0), true).headline_text(), "50.00 %");
    }

    #[test]
    fn what_may_have_no_effect_makes_an_interval() {
        let open = Tally { unclassified: 2_usize.into(), ..tally(2, 3, 1, 0) };
        assert_eq!(open.percent().map(|percent| percent.to_string()).as_deref(), Some("40.00 to 66.67 %"));
        assert_eq!(open.total().to_string(), "6");
        let all = Tally { unclassified: 3_usize.into(), ..tally(0, 3, 0, 0) };
        assert_eq!(all.percent().map(|percent| percent.to_string()).as_deref(), Some("0.00 to 100.00 %"));
    }

    #[test]
    fn where_nothing_counts_nothing_is_below_a_threshold() {
        assert!(!tally(0, 0, 4, 0).is_below(100.0));
        assert!(tally(0, 1, 4, 0).is_below(1.0));
    }
}
