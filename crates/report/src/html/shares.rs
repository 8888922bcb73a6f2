//! Shares as bars: counts, the headline in words, and how wide each part is.

use dashu_int::UBig;
use propcov_result::{Count, Percent, Scope, Share};
use serde::Serialize;

/// A share of a metric.
#[derive(Serialize)]
pub(super) struct ShareView {
    metric: String,
    /// What is counted, and the names that belong to it.
    scope: Vec<String>,
    covered: Count,
    uncovered: Count,
    unclassified: Count,
    no_effect: Count,
    dead: Count,
    waived: Count,
    bounded: Count,
    unknown: Count,
    total: Count,
    percent: Option<Percent>,
    text: String,
    /// The same if what is waived were holes.
    with_waived: Option<Percent>,
    certified: bool,
    /// Of what counts or is waived: status, count and width in percent.
    parts: Vec<(&'static str, Count, f64)>,
}

impl ShareView {
    pub(super) fn new(share: &Share) -> ShareView {
        let tally = &share.tally;
        // What is waived is a part of the bar, though not of the headline.
        let counting = &tally.counting() + &tally.waived;
        let part = |name, count: &Count| (name, count.clone(), width(count, &counting));
        ShareView {
            metric: share.metric.clone(),
            scope: scope(&share.scope),
            covered: tally.covered.clone(),
            uncovered: tally.uncovered.clone(),
            unclassified: tally.unclassified.clone(),
            no_effect: tally.no_effect.clone(),
            dead: tally.dead.clone(),
            waived: tally.waived.clone(),
            bounded: tally.bounded.clone(),
            unknown: tally.unknown.clone(),
            total: share.total.clone(),
            percent: share.percent,
            text: share.headline_text(),
            with_waived: share.percent_with_waived(),
            certified: share.certified,
            parts: vec![
                part("covered", &tally.covered),
                part("bounded", &tally.bounded),
                part("unknown", &tally.unknown),
                // The headline is a range where holes may turn out to have no effect: that part looks open.
                part("unclassified", &tally.unclassified),
                part("hole", &(&tally.uncovered - &tally.unclassified)),
                part("waived", &tally.waived),
            ],
        }
    }
}

/// In percent, to a hundredth.
fn width(count: &Count, of: &Count) -> f64 {
    if of.is_zero() {
        return 0.0;
    }
    let hundredths = count.number() * UBig::from(10_000_u32) / of.number();
    u32::try_from(&hundredths).map_or(100.0, |hundredths| f64::from(hundredths) / 100.0)
}

fn scope(scope: &Scope) -> Vec<String> {
    let (kind, names): (&str, &[&String]) = match scope {
        Scope::All => ("all", &[]),
        Scope::Conjunction => ("conjunction", &[]),
        Scope::Checker => ("checker", &[]),
        Scope::Property(name) => ("property", &[name]),
        Scope::Edit(name) => ("edit", &[name]),
        Scope::PropertyEdit(property, edit) => ("property-edit", &[property, edit]),
        Scope::Instance(name) => ("instance", &[name]),
        Scope::File(name) => ("file", &[name]),
        Scope::Observed(name) => ("observed", &[name]),
        Scope::Proposition(name) => ("proposition", &[name]),
    };
    std::iter::once(kind.to_owned()).chain(names.iter().map(|name| (*name).clone())).collect()
}
