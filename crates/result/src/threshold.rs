//! Thresholds: how much has to be covered, of what, and whether it is.
//!
//! Coverage is an interval. A threshold is *reached* if even its low end is enough, *missed* if not even its high end is, and *undecided* between: more time may tell. Unknown is not rounded here either.

use crate::pattern::fits;
use crate::{Note, NoteKind, Percent, RunResult, Scope, Share, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What has to be covered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Threshold {
    /// Of which metric; absent: of each metric of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// Of what.
    pub scope: ThresholdScope,
    /// At least so much of the headline, in percent.
    pub percent: f64,
    /// Whether it is.
    pub verdict: ThresholdVerdict,
    /// Where it is not, or may not be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub short: Vec<Shortfall>,
}

/// What a threshold is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ThresholdScope {
    /// The headline; of states and transitions, each signal that was named.
    #[default]
    Metric,
    /// Each file with such a path.
    File(String),
    /// Each instance with such a name; the top has the empty one.
    Instance(String),
}

/// Whether a threshold is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ThresholdVerdict {
    /// At least so much is certainly covered.
    #[default]
    Reached,
    /// That depends on what is not decided.
    Undecided,
    /// Less is covered, whatever is not decided.
    Missed,
}

impl ThresholdVerdict {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ThresholdVerdict::Reached => "reached",
            ThresholdVerdict::Undecided => "undecided",
            ThresholdVerdict::Missed => "missed",
        }
    }
}

/// Something of which less is covered, or may be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Shortfall {
    /// The metric.
    pub metric: String,
    /// What is counted.
    pub scope: Scope,
    /// How much is covered; absent where nothing was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<Percent>,
    /// The same in words, with digits enough to tell it from the threshold.
    pub text: String,
    /// Whether less is certainly covered.
    pub missed: bool,
}

impl Threshold {
    /// At least so many percent of the headline of each metric.
    pub fn of_each(percent: f64) -> Threshold {
        Threshold { percent, ..Threshold::default() }
    }

    /// What it is about, in words: `mutation in rtl/fifo.sv`.
    pub fn subject(&self) -> String {
        let metric = self.metric.as_deref().unwrap_or("coverage");
        match &self.scope {
            ThresholdScope::Metric => metric.to_owned(),
            ThresholdScope::File(pattern) => format!("{metric} in {pattern}"),
            ThresholdScope::Instance(pattern) if pattern.is_empty() || pattern == TOP => {
                format!("{metric} at the top")
            }
            ThresholdScope::Instance(pattern) => format!("{metric} of instance {pattern}"),
        }
    }

    /// What is wrong, in a sentence; `None` if it is reached.
    pub fn complaint(&self) -> Option<String> {
        if self.verdict == ThresholdVerdict::Reached {
            return None;
        }
        let percent = self.percent;
        let one = |short: &Shortfall| {
            let what = short.subject();
            let Some(high) = short.percent.as_ref().map(Percent::high) else {
                return format!("{what}: nothing is measured");
            };
            match short.missed {
                true => format!("{what}: {}, {} points below", short.text, points(percent - high)),
                false => format!("{what}: {}, not decided", short.text),
            }
        };
        let short: Vec<String> = self.short.iter().map(one).collect();
        let word = match self.verdict {
            ThresholdVerdict::Missed => "is missed",
            _ => "is not decided",
        };
        let short = if short.is_empty() { "nothing is measured".to_owned() } else { short.join("; ") };
        Some(format!("threshold {} = {percent} % {word}: {short}", self.subject()))
    }
}

impl Shortfall {
    /// What it is about, in words.
    pub fn subject(&self) -> String {
        match &self.scope {
            Scope::Observed(name) | Scope::File(name) => format!("{} of {name}", self.metric),
            Scope::Instance(name) if name.is_empty() => format!("{} of the top", self.metric),
            Scope::Instance(name) => format!("{} of {name}", self.metric),
            _ => self.metric.clone(),
        }
    }
}

/// A distance in percentage points: never rounded to nothing.
fn points(distance: f64) -> String {
    if distance < 0.01 { "less than 0.01".to_owned() } else { format!("{distance:.2}") }
}

/// The metrics whose headlines are about observed signals.
const OF_SIGNALS: [&str; 2] = ["state", "transition"];

/// What reports call the instance without a name.
pub const TOP: &str = "(top)";

/// So many names are listed where none fits.
const LISTED: usize = 12;

/// Whether an instance is meant; the top is also called as reports print it.
fn fits_instance(pattern: &str, name: &str) -> bool {
    fits(pattern, name) || name.is_empty() && fits(pattern, TOP)
}

/// Why a threshold of a metric means nothing where others were measured.
pub fn unmeasured_metric(threshold: &Threshold, measured: &[&str]) -> Option<String> {
    let metric = threshold.metric.as_deref().filter(|metric| !measured.contains(metric))?;
    let (subject, percent) = (threshold.subject(), threshold.percent);
    Some(format!(
        "threshold {subject} = {percent} %: {metric} was not measured; measured: {}",
        listed(measured)
    ))
}

fn listed(names: &[&str]) -> String {
    let more = names.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names.iter().take(LISTED).copied().collect::<Vec<_>>().join(", "))
}

impl RunResult {
    /// Judges what was measured by thresholds. A threshold about what does not exist is an error of the user.
    pub fn judge(&mut self, thresholds: &[Threshold]) {
        let wrong: Vec<Option<String>> = thresholds.iter().map(|one| self.misfit(one)).collect();
        let judged = thresholds.iter().zip(&wrong).filter(|(_, wrong)| wrong.is_none());
        self.run.thresholds = judged.map(|(threshold, _)| self.judged(threshold)).collect();
        let notes = wrong.into_iter().flatten();
        self.notes.extend(notes.map(|text| Note { kind: NoteKind::Error, text, place: None }));
    }

    /// Why a threshold means nothing here, with what there is instead: a metric that was not measured, a pattern that fits nothing.
    pub fn misfit(&self, threshold: &Threshold) -> Option<String> {
        // A share of the work, or work that was not done, does not show all that there is.
        if self.run.shard.is_some() || self.run.stop.is_some() || self.has_open_properties() {
            return None;
        }
        let names = self.run.metrics.iter().chain(self.shares.iter().map(|share| &share.metric));
        let metrics: Vec<&str> = names.map(String::as_str).collect::<BTreeSet<_>>().into_iter().collect();
        if metrics.is_empty() {
            return None;
        }
        if let Some(text) = unmeasured_metric(threshold, &metrics) {
            return Some(text);
        }
        let (what, pattern) = match &threshold.scope {
            ThresholdScope::Metric => return None,
            ThresholdScope::File(pattern) => ("file", pattern),
            ThresholdScope::Instance(pattern) => ("instance", pattern),
        };
        if !self.shares_meant(threshold).is_empty() {
            return None;
        }
        let is_metric = |metric: &&str| threshold.metric.as_deref().is_none_or(|wanted| wanted == *metric);
        let shares: Vec<Share> =
            metrics.into_iter().filter(is_metric).flat_map(|metric| self.shares_by_place(metric)).collect();
        let name = |share: &'_ Share| match (&share.scope, &threshold.scope) {
            (Scope::File(name), ThresholdScope::File(_)) => Some(name.clone()),
            (Scope::Instance(name), ThresholdScope::Instance(_)) if name.is_empty() => Some(TOP.to_owned()),
            (Scope::Instance(name), ThresholdScope::Instance(_)) => Some(name.clone()),
            _ => None,
        };
        let names: BTreeSet<String> = shares.iter().filter_map(name).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (subject, percent) = (threshold.subject(), threshold.percent);
        (!names.is_empty()).then(|| {
            format!(
                "threshold {subject} = {percent} %: no {what} that was measured fits `{pattern}`; {what}s: {}",
                listed(&names)
            )
        })
    }

    fn judged(&self, threshold: &Threshold) -> Threshold {
        let percent = threshold.percent;
        let shares = self.shares_meant(threshold);
        let short: Vec<Shortfall> = shares
            .iter()
            .filter(|share| share.tally.is_below(percent))
            .map(|share| Shortfall {
                metric: share.metric.clone(),
                scope: share.scope.clone(),
                percent: share.percent,
                text: share.percent_text_beside(percent),
                missed: share.tally.is_surely_below(percent),
            })
            .collect();
        let verdict = match () {
            () if percent <= 0.0 => ThresholdVerdict::Reached,
            // What would be measured on properties that are not decided is not known either.
            () if shares.is_empty() && self.has_open_properties() => ThresholdVerdict::Undecided,
            () if shares.is_empty() || short.iter().any(|one| one.missed) => ThresholdVerdict::Missed,
            () if !short.is_empty() => ThresholdVerdict::Undecided,
            () => ThresholdVerdict::Reached,
        };
        Threshold { verdict, short, ..threshold.clone() }
    }

    fn has_open_properties(&self) -> bool {
        let is_open = |verdict: Verdict| matches!(verdict, Verdict::Unknown | Verdict::Bounded);
        self.properties.iter().any(|property| is_open(property.verdict))
    }

    /// The shares that a threshold is about.
    fn shares_meant(&self, threshold: &Threshold) -> Vec<Share> {
        let is_metric = |metric: &str| threshold.metric.as_deref().is_none_or(|wanted| wanted == metric);
        let own = || self.shares.iter().filter(|share| is_metric(&share.metric));
        let by_place = || -> Vec<Share> {
            let mut metrics: Vec<&str> = own().map(|share| share.metric.as_str()).collect();
            metrics.dedup();
            metrics.sort_unstable();
            metrics.dedup();
            metrics.into_iter().flat_map(|metric| self.shares_by_place(metric)).collect()
        };
        // Where signals were named, each of them counts, and not what they come to together.
        let is_named = self.unmentioned.is_none();
        let by_signal = |metric: &str| {
            let is_signal =
                |share: &&Share| share.metric == metric && matches!(share.scope, Scope::Observed(_));
            is_named && OF_SIGNALS.contains(&metric) && self.shares.iter().any(|share| is_signal(&share))
        };
        match &threshold.scope {
            ThresholdScope::Metric => own()
                .filter(|share| match &share.scope {
                    Scope::All => !by_signal(&share.metric),
                    Scope::Observed(_) => by_signal(&share.metric),
                    _ => false,
                })
                .cloned()
                .collect(),
            ThresholdScope::File(pattern) => {
                let is_meant =
                    |share: &Share| matches!(&share.scope, Scope::File(path) if fits(pattern, path));
                by_place().into_iter().filter(is_meant).collect()
            }
            ThresholdScope::Instance(pattern) => {
                let is_meant = |share: &Share| matches!(&share.scope, Scope::Instance(name) if fits_instance(pattern, name));
                by_place().into_iter().filter(is_meant).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tally;

    fn result(covered: usize, uncovered: usize, unknown: usize) -> RunResult {
        let mut result = RunResult::new("cover", 0);
        let tally = Tally {
            covered: covered.into(),
            uncovered: uncovered.into(),
            unknown: unknown.into(),
            ..Tally::default()
        };
        result.shares.push(Share::new("mutation", Scope::All, tally, true));
        result
    }

    fn verdict(mut result: RunResult, threshold: &Threshold) -> (ThresholdVerdict, Option<String>) {
        result.judge(std::slice::from_ref(threshold));
        let judged = &result.run.thresholds[0];
        (judged.verdict, judged.complaint())
    }

    #[test]
    fn an_interval_across_the_threshold_decides_nothing() {
        let of = |covered, uncovered, unknown| {
            verdict(result(covered, uncovered, unknown), &Threshold::of_each(50.0)).0
        };
        assert_eq!(of(5, 5, 0), ThresholdVerdict::Reached);
        assert_eq!(of(4, 5, 1), ThresholdVerdict::Undecided);
        assert_eq!(of(3, 6, 1), ThresholdVerdict::Missed);
        assert_eq!(of(0, 0, 0), ThresholdVerdict::Reached, "of nothing, nothing is missing");
    }

    #[test]
    fn a_message_says_by_how_much() {
        let threshold = Threshold { metric: Some("mutation".to_owned()), ..Threshold::of_each(80.0) };
        let (_, complaint) = verdict(result(8, 7, 0), &threshold);
        let expected = "threshold mutation = 80 % is missed: mutation: 53.33 %, 26.67 points below";
        assert_eq!(complaint.as_deref(), Some(expected));
        let (_, complaint) = verdict(result(8, 3, 4), &threshold);
        let expected = "threshold mutation = 80 % is not decided: mutation: 53.33 to 80.00 %, not decided";
        assert_eq!(complaint.as_deref(), Some(expected));
    }

    #[test]
    fn a_threshold_of_what_does_not_exist_is_an_error_that_lists_what_does() {
        let mut result = result(8, 7, 0);
        let tally = || Tally { covered: 8_usize.into(), uncovered: 2_usize.into(), ..Tally::default() };
        for scope in [
            Scope::File("a.sv".to_owned()),
            Scope::File("b.sv".to_owned()),
            Scope::Instance(String::new()),
            Scope::Instance("u_core".to_owned()),
        ] {
            result.shares.push(Share::new("mutation", scope, tally(), true));
        }
        let of = |metric: Option<&str>, scope: ThresholdScope| Threshold {
            metric: metric.map(str::to_owned),
            scope,
            ..Threshold::of_each(80.0)
        };
        let file = |pattern: &str| ThresholdScope::File(pattern.to_owned());
        let instance = |pattern: &str| ThresholdScope::Instance(pattern.to_owned());
        let said = |threshold: &Threshold| result.misfit(threshold);
        assert_eq!(
            said(&of(Some("must"), ThresholdScope::Metric)).as_deref(),
            Some("threshold must = 80 %: must was not measured; measured: mutation")
        );
        assert_eq!(
            said(&of(None, file("nope.sv"))).as_deref(),
            Some(
                "threshold coverage in nope.sv = 80 %: no file that was measured fits `nope.sv`; files: a.sv, b.sv"
            )
        );
        assert!(
            said(&of(Some("mutation"), instance("u_cor")))
                .is_some_and(|text| text.ends_with("fits `u_cor`; instances: (top), u_core"))
        );
        for good in [file("*.sv"), instance("u_*"), instance(""), instance("(top)"), instance("(t*")] {
            assert_eq!(said(&of(None, good)), None);
        }
        let mut judged = result.clone();
        judged.judge(&[of(None, file("nope.sv")), of(None, instance("(top)"))]);
        assert_eq!(judged.run.thresholds.len(), 1, "the other means nothing");
        assert_eq!(judged.run.thresholds[0].verdict, ThresholdVerdict::Reached);
        assert_eq!(judged.notes.iter().filter(|note| note.kind == NoteKind::Error).count(), 1);
        // What was not found out is no mistake of the user.
        result.run.stop = Some(crate::Stop::Timeout);
        assert_eq!(result.misfit(&of(None, file("nope.sv"))), None);
    }
}
