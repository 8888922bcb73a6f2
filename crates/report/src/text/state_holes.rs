//! Holes of states and transitions: conditions, largest first, and how to get there.

use crate::terminal::{Align, Page, Span, Table, columns};
use crate::text::run_table::{self, Legend};
use crate::text::shell;
use crate::text::states::{Row, shown};
use crate::words::plural;
use propcov_result::{Count, Finding, Subject};

/// Writes what is not covered of a row, and the runs that were asked for.
pub(super) fn write(row: &Row<'_>, page: &mut Page) {
    if let Some(reason) = &row.state.not_listed {
        page.say(2, format!("What is not covered is unknown: {reason}"));
        return;
    }
    let rest = row.state.rest.clone().unwrap_or_default();
    let listed: Count = row.holes.iter().filter_map(|hole| hole.count.as_ref()).sum();
    let total = &listed + &rest;
    if total.is_zero() {
        return;
    }
    let title = if row.state.reason.is_none() { "Not covered" } else { "Not certainly covered" };
    page.say(2, format!("{title}: {}", row.counted(&total)));
    page.table(4, &table(row));
    if !rest.is_zero() {
        page.say(4, format!("and {} more {}; --holes N lists more", shown(&rest), row.unit(&rest)));
    }
    let leaves_out = |count: &Option<Count>| count.as_ref().is_some_and(|count| !count.is_zero());
    if !row.holes.is_empty() && (leaves_out(&row.state.excluded) || leaves_out(&row.state.unfair)) {
        page.say(4, "These may also speak of what is left out, which is not counted.");
    }
    runs(row, page);
}

/// The holes that are listed. Conditions may overlap, and each one counts only what no earlier one has.
fn table(row: &Row<'_>) -> Table {
    let number = |hole: &Finding| hole.count.as_ref().map(shown).unwrap_or_default();
    let width = row.holes.iter().map(|hole| columns(&number(hole))).max().unwrap_or(0);
    let mut table = Table::new(&[Align::Right, Align::Left, Align::Remark]);
    for (at, hole) in row.holes.iter().enumerate() {
        let more = if at == 0 { "" } else { "more " };
        let unit = hole.count.as_ref().map(|count| row.unit(count)).unwrap_or_default();
        let condition = match &hole.subject {
            Subject::Cube(cube) => cube.text.as_str(),
            _ => "",
        };
        table.row([
            Span::from(format!("{}.", at + 1)),
            format!("{:>width$} {more}{unit}", number(hole)).into(),
            condition.into(),
        ]);
    }
    table
}

/// Runs into holes.
fn runs(row: &Row<'_>, page: &mut Page) {
    let mut legend: Option<Legend> = None;
    for (at, hole) in row.holes.iter().enumerate() {
        let Some(witness) = &hole.witness else { continue };
        let target = match at {
            0 => "hole 1".to_owned(),
            later => format!("what hole {} adds", later + 1),
        };
        page.gap();
        if let Some(run) = &witness.design {
            let depth = witness.depth.unwrap_or_else(|| run.steps.saturating_sub(1));
            let steps = plural(depth, "transition", "transitions");
            page.say(2, format!("A shortest run into {target}, {steps}:"));
            let own = run_table::write(run, run.steps, 4, page);
            legend = Some(legend.unwrap_or_default().and(own));
        } else {
            page.say(2, format!("No run into {target}: {}", witness.reason.as_deref().unwrap_or("unknown")));
        }
        if let Some(file) = &witness.file {
            page.spans(4, &["Waveform: ".into(), Span::whole(file)]);
        }
    }
    if let Some(legend) = legend {
        let all = if legend.cut { " --format json has all of it." } else { "" };
        page.say(4, format!("{}{all}", legend.text()));
    }
}

/// What to do next: how to see a run into the first hole of which a number was shown.
pub(super) fn advice(rows: &[Row<'_>], is_brief: impl Fn(&Row<'_>) -> bool, page: &mut Page) {
    if rows.iter().any(Row::has_runs) {
        return;
    }
    let with_holes = || rows.iter().filter(|row| !row.holes.is_empty());
    // The numbers of those that are brief are nowhere to be seen.
    let Some(row) = with_holes().find(|row| !is_brief(row)).or_else(|| with_holes().next()) else { return };
    page.gap();
    match row.state.observed.as_ref().filter(|_| rows.len() > 1) {
        None => page.say(0, "To see how to get into hole 1: the same command with --trace 1"),
        Some(name) => page.spans(
            0,
            &[
                format!("To see how to get into hole 1 of {name}: the same command with ").into(),
                Span::whole(format!("--observe {} --trace 1", shell::word(name))),
            ],
        ),
    }
}
