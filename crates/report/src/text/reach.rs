//! Reach: how many statements some run executes, and those that none does, folded by source line, with the assumptions to blame.

use crate::mutants::{Mutant, Standing, mutants};
use crate::place::position;
use crate::terminal::{Align, Page, Table};
use crate::text::ALL;
use crate::words::{listed, plural, readable, shown};
use propcov_result::{Blame, Count, RunResult, Scope, Share};
use std::collections::BTreeMap;

/// The most lines of one list.
const LINES: usize = 40;
/// The most assumptions that are named in a line.
const NAMED: usize = 4;

/// Writes the section of the metric.
pub(super) fn section(result: &RunResult, metric: &str, page: &mut Page) {
    let all = mutants(result, metric);
    let (design, checker): (Vec<&Mutant<'_>>, Vec<&Mutant<'_>>) = all.iter().partition(|one| one.counts());
    totals(result, metric, page);
    list("Dead: no run gets there", &design, Standing::Dead, page);
    list("Not reached as far as the bound", &design, Standing::Bounded, page);
    list("Not known to be reached", &design, Standing::Unknown, page);
    list("Dead checker logic, not counted", &checker, Standing::Dead, page);
}

fn totals(result: &RunResult, metric: &str, page: &mut Page) {
    let Some(all) = result.share(metric, &Scope::All) else { return };
    let ways = result.shares.iter().filter(|share| share.metric == metric);
    let mut rows: Vec<(&str, &Share)> = ways
        .filter_map(|share| match &share.scope {
            Scope::Edit(way) => Some((way.as_str(), share)),
            _ => None,
        })
        .collect();
    if rows.len() != 1 {
        rows.push(("all", all));
    }
    page.title("Reach: is there a run that executes it?");
    let with_bounded = !all.tally.bounded.is_zero();
    let mut headings = vec![("", Align::Left), ("reached", Align::Right), ("dead", Align::Right)];
    headings.extend(with_bounded.then_some(("bounded", Align::Right)));
    headings.extend([("unknown", Align::Right), ("total", Align::Right)]);
    let mut table = Table::with_headings(&headings);
    let number = |count: &Count| readable(&count.to_string());
    for (name, share) in rows {
        let tally = &share.tally;
        let mut cells = vec![name.to_owned(), number(&tally.covered), number(&tally.dead)];
        cells.extend(with_bounded.then(|| number(&tally.bounded)));
        cells.extend([number(&tally.unknown), number(&share.total)]);
        table.row(cells);
    }
    page.table(2, &table);
}

/// Writes what stands so, one line for each place in the source.
fn list(title: &str, ways: &[&Mutant<'_>], wanted: Standing, page: &mut Page) {
    let mut rows: BTreeMap<(String, u32, u32, String, String), usize> = BTreeMap::new();
    let those = || ways.iter().filter(|way| way.standing == wanted);
    for way in those() {
        let place = way.element.and_then(|element| element.places.first());
        let (file, line, column) =
            place.map_or((way.name(), 0, 0), |place| (place.file.clone(), place.line, place.column));
        *rows.entry((file, line, column, what(way), why(way))).or_default() += 1;
    }
    if rows.is_empty() {
        return;
    }
    page.title(format!("{title} ({}):", those().count()));
    let mut table = Table::new(&[Align::Left, Align::Left, Align::Left, Align::Remark]);
    let count = shown(rows.len(), LINES);
    for ((file, line, column, what, why), copies) in rows.iter().take(count) {
        let place = match line {
            0 => file.clone(),
            _ => position(&propcov_result::Place {
                file: file.clone(),
                line: *line,
                column: *column,
                ..propcov_result::Place::default()
            }),
        };
        let copies = if *copies == 1 { String::new() } else { plural(*copies, "copy", "copies") };
        table.row([place, what.clone(), copies, why.clone()]);
    }
    page.table(2, &table);
    if count < rows.len() {
        page.say(2, format!("… and {} more lines; {ALL}", rows.len() - count));
    }
}

/// What never happens.
fn what(way: &Mutant<'_>) -> String {
    let kind = way.element.map_or("element", |element| element.kind.as_str());
    format!("{kind} never {}", way.edit)
}

/// Why not.
fn why(way: &Mutant<'_>) -> String {
    let finding = way.findings.first();
    let witness = finding.and_then(|finding| finding.witness.as_deref());
    match witness.and_then(|witness| witness.blame.as_ref()) {
        Some(blame) => blamed(blame),
        None => finding.and_then(|finding| finding.reason.as_deref()).unwrap_or_default().to_owned(),
    }
}

fn blamed(blame: &Blame) -> String {
    let names: Vec<String> = blame.assumptions.iter().map(|one| one.name.clone()).collect();
    match (&blame.reason, names.len(), blame.minimal) {
        (Some(reason), ..) => format!("assumptions to blame not known: {reason}"),
        (None, 0, _) => "without any assumption".to_owned(),
        (None, 1, true) => format!("because of the assumption {}", names[0]),
        (None, _, true) => format!("because of the assumptions {} together", listed(&names, NAMED)),
        (None, _, false) => format!("because of assumptions among {}", listed(&names, NAMED)),
    }
}
