//! Coverage by cores: counts by property, then what is not covered, with where it is written. Where definitions were taken apart, the source is shown with marks below its parts.

use crate::mutants::{Mutant, Standing, mutants};
use crate::place::position;
use crate::terminal::{Align, Page, Span, Table, Tone};
use crate::text::cores::shortfall;
use crate::text::marked::Source;
use crate::text::mutation::measured;
use crate::text::{ALL, ranking, tally};
use crate::words::{plural, shown};
use propcov_result::{Count, Element, Place, RunResult, Scope, Share};
use std::collections::HashMap;

/// The most definitions that are listed.
const LISTED: usize = 60;

/// Metrics, each with its name in the thesis and what it asks.
const METRICS: &[(&str, &str, &str)] = &[
    ("core", "IVC-Cov", "in one minimal core"),
    ("must", "MUST-Cov", "in every core"),
    ("may", "MAY-Cov", "in some minimal core"),
    ("model", "MODEL-Cov", "in some minimal core of some property"),
];

/// Writes the section of a metric.
pub(super) fn section(result: &RunResult, metric: &str, page: &mut Page) {
    let Some(all) = result.share(metric, &Scope::All) else { return };
    let found = mutants(result, metric);
    let (design, checker): (Vec<&Mutant<'_>>, Vec<&Mutant<'_>>) = found.iter().partition(|one| one.counts());
    totals(result, metric, all, page);
    incomplete(result, metric, page);
    let source = Source::new(result);
    source.write(result, &design, page);
    let rest: Vec<&Mutant<'_>> = design.into_iter().filter(|one| !source.shows(one.element)).collect();
    list("Not covered by any property", &rest, Standing::Uncovered, page);
    list("Not known to be covered", &rest, Standing::Unknown, page);
    checkers(result, metric, &checker, page);
}

fn totals(result: &RunResult, metric: &str, all: &Share, page: &mut Page) {
    let properties = measured(result, metric);
    let ranking = ranking::of_metric(result, metric).filter(|_| properties.len() > 1);
    let unique = |property: &str| -> Option<&Count> {
        let one = ranking?.properties.iter().find(|contribution| contribution.property == property)?;
        Some(&one.unique)
    };
    let mut rows: Vec<tally::Row<'_>> =
        properties.iter().map(|(name, share)| tally::Row { name, share, unique: unique(name) }).collect();
    let conjunction = result.share(metric, &Scope::Conjunction);
    rows.extend(conjunction.map(|share| tally::Row { name: "(conjunction)", share, unique: None }));
    if rows.len() != 1 {
        rows.push(tally::Row { name: "(at least one)", share: all, unique: None });
    }
    let known = METRICS.iter().find(|(name, ..)| *name == metric);
    let (title, what) = known.map_or((metric, ""), |(_, title, what)| (*title, *what));
    let measured = result.cores.iter().filter(|row| row.property.is_some() && row.holds).count();
    page.title(format!(
        "{title} of {} by {}, {what}:",
        elements(all),
        plural(measured, "property", "properties")
    ));
    page.table(2, &tally::table("property", &rows));
    if let Some(ranking) = ranking {
        ranking::write(result, ranking, page);
    }
}

fn elements(share: &Share) -> String {
    let total = share.total.to_string();
    format!("{total} {}", if total == "1" { "element" } else { "elements" })
}

/// Where something is not known, and why.
fn incomplete(result: &RunResult, metric: &str, page: &mut Page) {
    let is_open = |share: &Share, property: &str| {
        share.metric == metric
            && !share.tally.unknown.is_zero()
            && match &share.scope {
                Scope::Property(name) => name == property,
                // A metric without shares by property tells of all of them.
                Scope::All => measured(result, metric).is_empty(),
                _ => false,
            }
    };
    for row in result.cores.iter().filter(|row| row.holds && !row.answered) {
        let Some(name) = &row.property else { continue };
        if result.shares.iter().any(|share| is_open(share, name)) {
            let incomplete = Span::toned(Tone::Bad, "INCOMPLETE:");
            let why = format!(" {}", shortfall(result, row));
            page.spans(2, &[format!("{name}: ").into(), incomplete, why.into()]);
        }
    }
}

/// A line for each element that stands so.
fn list(title: &str, mutants: &[&Mutant<'_>], wanted: Standing, page: &mut Page) {
    let found: Vec<&&Mutant<'_>> = mutants.iter().filter(|one| one.standing == wanted).collect();
    if found.is_empty() {
        return;
    }
    page.title(format!("{title} ({}):", found.len()));
    // The same statement in several instances or rounds of a loop has one line.
    let place_of =
        |mutant: &Mutant<'_>| mutant.element.and_then(|element: &Element| element.places.first().cloned());
    let mut rows: Vec<(&Mutant<'_>, usize)> = Vec::new();
    let mut known: HashMap<(Place, &str), usize> = HashMap::new();
    for mutant in &found {
        let kind = mutant.element.map_or("", |element| &element.kind);
        let row = place_of(mutant).filter(|_| !page.is_unfolded()).map(|place| (place, kind));
        match row.map(|row| *known.entry(row).or_insert(rows.len())) {
            Some(at) if at < rows.len() => rows[at].1 += 1,
            _ => rows.push((mutant, 1)),
        }
    }
    let most = shown(rows.len(), LISTED);
    let mut table = Table::new(&[Align::Left, Align::Left, Align::Left]);
    for (mutant, copies) in rows.iter().take(most) {
        let kind = mutant.element.map_or("", |element| &element.kind);
        let place = place_of(mutant).as_ref().map(position).unwrap_or_default();
        let place = if *copies > 1 { format!("{place} ({copies} copies)") } else { place };
        table.row([mutant.name().as_str(), kind, &place]);
    }
    page.table(2, &table);
    if rows.len() > most {
        page.say(2, format!("and {} more; {ALL}", rows.len() - most));
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
    list("Not covered in checker logic", mutants, Standing::Uncovered, page);
}
