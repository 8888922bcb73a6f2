//! What can be said of any metric: its counts, by scope.

use crate::terminal::Page;
use crate::text::tally;
use propcov_result::{RunResult, Scope};

/// Writes the section of a metric that has no text of its own.
pub(super) fn section(result: &RunResult, metric: &str, page: &mut Page) {
    let shares: Vec<(String, &propcov_result::Share)> = result
        .shares
        .iter()
        .filter(|share| share.metric == metric)
        .map(|share| (name(&share.scope), share))
        .collect();
    if shares.is_empty() {
        return;
    }
    let rows: Vec<tally::Row<'_>> =
        shares.iter().map(|(name, share)| tally::Row { name, share, unique: None }).collect();
    page.title(format!("{metric} coverage:"));
    page.table(2, &tally::table("scope", &rows));
}

fn name(scope: &Scope) -> String {
    match scope {
        Scope::All => "all".to_owned(),
        Scope::Conjunction => "conjunction".to_owned(),
        Scope::Checker => "checkers, not counted".to_owned(),
        Scope::Property(name) | Scope::Edit(name) | Scope::Observed(name) | Scope::Proposition(name) => {
            name.clone()
        }
        Scope::PropertyEdit(property, edit) => format!("{property}, {edit}"),
        Scope::Instance(instance) => format!("instance {instance}"),
        Scope::File(file) => format!("file {file}"),
    }
}
