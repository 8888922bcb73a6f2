//! Coverage by cones of influence: how much some property depends on, and what is outside of every cone.

use crate::mutants::{Mutant, Standing, mutants};
use crate::terminal::Page;
use crate::text::ALL;
use crate::text::mutation::{measured, subjects};
use crate::words::{plural, shown};
use propcov_result::{RunResult, Scope};

/// The most elements that are named.
const NAMED: usize = 40;

/// Writes the section of the metric.
pub(super) fn section(result: &RunResult, metric: &str, page: &mut Page) {
    let Some(share) = result.share(metric, &Scope::All) else { return };
    let all = mutants(result, metric);
    let design: Vec<&Mutant<'_>> = all.iter().filter(|element| element.counts()).collect();
    let properties = plural(measured(result, metric).len(), "property", "properties");
    page.title(format!(
        "Cone of influence of {properties}: {} of {}",
        share.percent_text(),
        subjects(&design)
    ));
    let outside = design.iter().filter(|element| element.standing == Standing::Uncovered);
    let outside: Vec<String> = outside.map(|element| element.name()).collect();
    if !outside.is_empty() {
        let count = shown(outside.len(), NAMED);
        page.list(2, &format!("Outside of every cone ({}):", outside.len()), &outside[..count]);
        if count < outside.len() {
            page.say(2, format!("… and {} more; {ALL}", outside.len() - count));
        }
    }
}
