//! Whether enough is covered: of each signal that the user named, or else of all together.

use propcov_coverage::ctl::Place;
use propcov_result::{RunResult, Scope, StateRow, Threshold, ThresholdScope};

/// Notes in a result whether a metric of it reaches a threshold, beside other metrics.
pub(super) fn judge(result: &mut RunResult, place: Place, percent: f64) {
    let rows: Vec<&StateRow> = result.states.iter().filter(|row| row.metric == place.metric()).collect();
    let is_named = result.unmentioned.is_none();
    let is_judged = |row: &&&StateRow| rows.len() == 1 || is_named == row.observed.is_some();
    // What is not known is not certainly covered.
    let is_below = |row: &&StateRow| {
        let scope = row.observed.clone().map_or(Scope::All, Scope::Observed);
        let share = result.share(&row.metric, &scope);
        share.map_or(percent > 0.0, |share| share.tally.is_below(percent))
    };
    let missed = rows.is_empty() && percent > 0.0 || rows.iter().filter(is_judged).any(is_below);
    let scope = if is_named { ThresholdScope::Observed } else { ThresholdScope::Metric };
    let so_far = result.run.threshold.unwrap_or(Threshold { percent, scope, missed: false });
    result.run.threshold = Some(Threshold { missed: so_far.missed || missed, ..so_far });
}
