//! Mutation coverage: counts by edit and by property, then what is not covered, largest groups first, then what to do about it.

use crate::mutants::{Mutant, Standing, mutants};
use crate::terminal::{Page, Span};
use crate::text::{holes, not_covered, ranking, suggestion, tally, undecided, waived};
use crate::words::plural;
use propcov_result::{Count, RunResult, Scope, Share};
use std::collections::BTreeSet;

/// Writes the section of the metric.
pub(super) fn section(result: &RunResult, metric: &str, page: &mut Page) {
    let all = mutants(result, metric);
    let (design, checker): (Vec<&Mutant<'_>>, Vec<&Mutant<'_>>) = all.iter().partition(|one| one.counts());
    totals(result, metric, &design, page);
    by_property(result, metric, page);
    not_covered::list("Not covered", &design, Standing::Uncovered, page);
    not_covered::list("Not covered as far as the bound", &design, Standing::Bounded, page);
    holes::write(&design, page);
    suggest(result, &design, page);
    not_covered::list("Not known to be covered", &design, Standing::Unknown, page);
    waived::write(result, &design, page);
    checkers(result, metric, &checker, page);
    let everything: Vec<&Mutant<'_>> = all.iter().collect();
    undecided::write(result, &everything, page);
    undecided::reused(result, &everything, page);
}

fn totals(result: &RunResult, metric: &str, mutants: &[&Mutant<'_>], page: &mut Page) {
    let Some(all) = result.share(metric, &Scope::All) else { return };
    let edits = result.shares.iter().filter(|share| share.metric == metric);
    let edits = edits.filter_map(|share| match &share.scope {
        Scope::Edit(edit) => Some((edit.as_str(), share)),
        _ => None,
    });
    let mut rows: Vec<tally::Row<'_>> =
        edits.map(|(name, share)| tally::Row { name, share, unique: None }).collect();
    if rows.len() != 1 {
        rows.push(tally::Row { name: "all", share: all, unique: None });
    }
    let properties = plural(measured(result, metric).len(), "property", "properties");
    page.title(format!("Mutation coverage of {} by {properties}:", subjects(mutants)));
    page.table(2, &tally::table("edit", &rows));
}

/// The properties that have shares of their own.
pub(super) fn measured<'r>(result: &'r RunResult, metric: &str) -> Vec<(&'r str, &'r Share)> {
    let shares = result.shares.iter().filter(|share| share.metric == metric);
    let of_property = |share: &'r Share| match &share.scope {
        Scope::Property(property) => Some((property.as_str(), share)),
        _ => None,
    };
    shares.filter_map(of_property).collect()
}

/// `7 registers`, `9 statements`, `3 gates`, `12 elements`.
pub(super) fn subjects(mutants: &[&Mutant<'_>]) -> String {
    let elements: BTreeSet<u32> = mutants.iter().map(|mutant| mutant.id).collect();
    let kinds: BTreeSet<Option<&str>> =
        mutants.iter().map(|mutant| mutant.element.map(|element| element.kind.as_str())).collect();
    let is_all = |kind: &str| kinds.len() == 1 && kinds.contains(&Some(kind));
    match elements.len() {
        count if is_all("register") => plural(count, "register", "registers"),
        count if are_statements(&kinds) => plural(count, "statement", "statements"),
        count if is_all("gate") => plural(count, "gate", "gates"),
        count => plural(count, "element", "elements"),
    }
}

/// Whether there is nothing but assignments, branches and connections.
fn are_statements(kinds: &BTreeSet<Option<&str>>) -> bool {
    !kinds.is_empty() && kinds.iter().all(|kind| matches!(kind, Some("assignment" | "branch" | "connection")))
}

fn by_property(result: &RunResult, metric: &str, page: &mut Page) {
    let shares = measured(result, metric);
    if shares.len() < 2 {
        return;
    }
    let ranking = ranking::of_metric(result, metric);
    let unique = |property: &str| -> Option<&Count> {
        let one = ranking?.properties.iter().find(|contribution| contribution.property == property)?;
        Some(&one.unique)
    };
    let mut rows: Vec<tally::Row<'_>> =
        shares.into_iter().map(|(name, share)| tally::Row { name, share, unique: unique(name) }).collect();
    if let Some(share) = result.share(metric, &Scope::All) {
        rows.push(tally::Row { name: "together", share, unique: None });
    }
    page.gap();
    page.table(2, &tally::table("property", &rows));
    if let Some(ranking) = ranking {
        ranking::write(result, ranking, page);
    }
}

/// What to do next.
fn suggest(result: &RunResult, mutants: &[&Mutant<'_>], page: &mut Page) {
    let command = not_covered::first(mutants).and_then(|first| suggestion::explain(result, &first));
    if let Some(command) = command {
        page.gap();
        page.say(0, "To see what one of them does, step by step:");
        page.say(2, Span::whole(command));
    }
}

/// What reaches nothing but properties and assumptions.
fn checkers(result: &RunResult, metric: &str, mutants: &[&Mutant<'_>], page: &mut Page) {
    if let Some(share) = result.share(metric, &Scope::Checker)
        && !share.total.is_zero()
    {
        page.title("Checker logic, not counted:");
        page.table(2, &tally::table("", &[tally::Row { name: "checkers", share, unique: None }]));
    }
    not_covered::list("Not covered in checker logic", mutants, Standing::Uncovered, page);
}
