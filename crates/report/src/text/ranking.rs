//! What each property contributes: which add nothing, and which suffice.

use crate::terminal::Page;
use propcov_result::{Ranking, RunResult};

/// The ranking of a metric over all that is observed.
pub(super) fn of_metric<'r>(result: &'r RunResult, metric: &str) -> Option<&'r Ranking> {
    result.rankings.iter().find(|ranking| ranking.metric == metric && ranking.observed.is_none())
}

/// Writes which properties could be left out.
pub(super) fn write(result: &RunResult, ranking: &Ranking, page: &mut Page) {
    let smallest = ranking.smallest.as_ref();
    let is_smaller = |smallest: &&propcov_result::Smallest| {
        !smallest.properties.is_empty() && smallest.properties.len() < ranking.properties.len()
    };
    let smaller = smallest.filter(is_smaller);
    if ranking.redundant.is_empty() && smaller.is_none() {
        return;
    }
    page.gap();
    if !ranking.redundant.is_empty() {
        let title = match ranking.redundant.len() {
            1 => "Adds nothing to what the others cover:",
            _ => "Each of these adds nothing to what all the others cover:",
        };
        page.list(2, title, &ranking.redundant);
    }
    if let Some(smaller) = smaller {
        let title = match (smaller.exact, result.run.stop) {
            (true, _) => "A smallest set with the same coverage:",
            (false, Some(_)) => "A small set with the same coverage, as far as is decided:",
            (false, None) => "A small set with the same coverage (there may be a smaller one):",
        };
        page.list(2, title, &smaller.properties);
    }
}
