//! What `propcov cover` prints: what was read and proved, a section for each metric, and the headlines.

use crate::terminal::{Page, Span, Style, Tone};
use crate::text::{
    TextOptions, cone, core_metrics, evidence, heading, mutation, reach, runs, sanity, shares, states, stats,
    tally, thresholds, verdicts, waived,
};
use crate::words::plural;
use propcov_result::{Property, REACH, RunResult, Scope, Share, Verdict};

/// A metric, and how its section is written.
type Section = (&'static str, fn(&RunResult, &str, &mut Page));

/// The metrics that have more to say than their counts.
const SECTIONS: &[Section] = &[
    (REACH, reach::section),
    ("cone", cone::section),
    ("mutation", mutation::section),
    ("state", states::section),
    ("transition", states::section),
    ("core", core_metrics::section),
    ("must", core_metrics::section),
    ("may", core_metrics::section),
    ("model", core_metrics::section),
];

/// A metric, and its last line where it is the only one.
type Headline = (&'static str, fn(&RunResult, &str) -> Option<String>);

/// The metrics that measure several things, and say so in their last line.
const HEADLINES: &[Headline] = &[("state", states::headline), ("transition", states::headline)];

/// The text.
pub fn cover(result: &RunResult, options: &TextOptions, style: &Style) -> String {
    let mut page = Page::new(style);
    page.unfold(options.unfold);
    heading::write(result, &mut page);
    sanity::write(result, &mut page);
    proofs(result, &mut page);
    for metric in metrics(result).into_iter().filter(|metric| says_something(result, metric)) {
        let section = SECTIONS.iter().find(|(name, _)| *name == metric);
        section.map_or(shares::section as fn(&_, &str, &mut _), |(_, section)| *section)(
            result, metric, &mut page,
        );
    }
    waived::table(result, &mut page);
    if options.stats {
        stats::write(result, &mut page);
    }
    evidence::write(result, &mut page);
    headlines(result, &mut page);
    page.finish()
}

/// The metrics of a run, in their order.
pub(super) fn metrics(result: &RunResult) -> Vec<&str> {
    let mut metrics: Vec<&str> = Vec::new();
    let named = result.run.metrics.iter().chain(result.shares.iter().map(|share| &share.metric));
    for metric in named {
        if !metrics.contains(&metric.as_str()) {
            metrics.push(metric);
        }
    }
    metrics
}

/// Whether a metric was measured: what runs execute needs no property.
fn says_something(result: &RunResult, metric: &str) -> bool {
    metric == REACH || is_measured(result)
}

/// Whether there is a property that something could be measured of.
pub(super) fn is_measured(result: &RunResult) -> bool {
    result.properties.iter().any(|property| counts(result, property))
}

/// Whether it is measured what a property covers: it is proved, or known up to a bound and measured nevertheless.
fn counts(result: &RunResult, property: &Property) -> bool {
    let has_share = || {
        let is_its_own =
            |share: &Share| matches!(&share.scope, Scope::Property(name) if *name == property.name);
        result.shares.iter().any(is_its_own)
    };
    match property.verdict {
        Verdict::Proved => true,
        Verdict::Bounded => has_share(),
        Verdict::Falsified | Verdict::Reached | Verdict::Unreachable | Verdict::Unknown => false,
    }
}

/// Writes the verdicts, where not everything is proved, and what that means for coverage.
pub(super) fn proofs(result: &RunResult, page: &mut Page) {
    let is_proved = |property: &Property| property.verdict == Verdict::Proved;
    if !result.properties.iter().all(is_proved) {
        verdicts::table(result, page);
        runs::write(result, page);
    }
    let measured = result.properties.iter().filter(|property| counts(result, property)).count();
    let is_about_properties = metrics(result).into_iter().any(|metric| metric != REACH);
    if measured < result.properties.len() && is_about_properties {
        page.gap();
        page.warning(match measured {
            0 => "no property is proved: there is no coverage to measure.".to_owned(),
            some => {
                format!("only what is proved is measured: {some} of {} properties.", result.properties.len())
            }
        });
    }
    up_to_bound(result, page);
    for property in result.properties.iter().filter(|one| one.vacuous && is_proved(one)) {
        page.warning(format!("{} is vacuous: what it covers means nothing.", property.name));
    }
}

/// Says what is only known up to a bound.
fn up_to_bound(result: &RunResult, page: &mut Page) {
    let is_bounded = |one: &&Property| one.verdict == Verdict::Bounded && counts(result, one);
    let bounded: Vec<&Property> = result.properties.iter().filter(is_bounded).collect();
    let Some(bound) = bounded.iter().filter_map(|property| property.depth).min() else { return };
    let runs = format!("runs of {}", plural(bound as usize, "transition", "transitions"));
    page.gap();
    page.warning(match bounded.len() {
        1 => format!("1 property is only known to hold in {runs}; what it does not cover is only known for these."),
        some => format!(
            "{some} properties are only known to hold in {runs}; what they do not cover is only known for these."
        ),
    });
}

/// Writes what is covered of each metric, and whether that is enough.
fn headlines(result: &RunResult, page: &mut Page) {
    let metrics = metrics(result);
    let shares: Vec<(&str, &Share)> = metrics
        .iter()
        .filter(|metric| says_something(result, metric))
        .filter_map(|metric| Some((*metric, result.share(metric, &Scope::All)?)))
        .collect();
    if let [(metric, _)] = shares.as_slice()
        && let Some((_, headline)) = HEADLINES.iter().find(|(name, _)| name == metric)
    {
        let line = headline(result, metric).unwrap_or_else(|| "coverage: not measured".to_owned());
        thresholds::complaints(result, page);
        return verdicts::last_line(&line, result, page);
    }
    match shares.as_slice() {
        [] => {
            thresholds::complaints(result, page);
            verdicts::last_line("coverage: not measured", result, page);
        }
        [(_, share)] => {
            let line = match thresholds::beside(result, share) {
                None => format!("coverage: {}", share.headline_text()),
                Some(judged) => format!("coverage: {judged}"),
            };
            thresholds::complaints(result, page);
            verdicts::last_line(&line, result, page);
        }
        several => {
            page.gap();
            page.say(0, Span::toned(Tone::Strong, "Coverage:"));
            let rows: Vec<tally::Row<'_>> =
                several.iter().map(|(name, share)| tally::Row { name, share, unique: None }).collect();
            page.table(2, &tally::table("metric", &rows));
            thresholds::complaints(result, page);
            let line = thresholds::summary(result).unwrap_or_else(|| format!("{} metrics", several.len()));
            verdicts::last_line(&line, result, page);
        }
    }
}
