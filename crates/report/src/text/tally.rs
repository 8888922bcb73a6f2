//! Counts as rows of a table: one column for each thing that an edit can turn out to be.

use crate::terminal::{Align, Span, Table, Tone};
use crate::words::readable;
use propcov_result::{Count, Share, Tally};

/// A column: what it is called, what it counts, its tone, and whether it is there even if it is nothing but zeros.
type Column = (&'static str, fn(&Tally) -> &Count, Tone, bool);

const COLUMNS: &[Column] = &[
    ("covered", |tally| &tally.covered, Tone::Good, true),
    ("uncovered", |tally| &tally.uncovered, Tone::Bad, true),
    ("no effect", |tally| &tally.no_effect, Tone::Plain, false),
    ("dead", |tally| &tally.dead, Tone::Plain, false),
    ("waived", |tally| &tally.waived, Tone::Plain, false),
    ("bounded", |tally| &tally.bounded, Tone::Doubtful, false),
    ("unknown", |tally| &tally.unknown, Tone::Doubtful, false),
];

/// What is counted, and by whom alone it is covered if that is told.
pub(super) struct Row<'r> {
    pub(super) name: &'r str,
    pub(super) share: &'r Share,
    /// How much nobody else covers.
    pub(super) unique: Option<&'r Count>,
}

/// The table of some counts, under a heading for their names.
pub(super) fn table(heading: &str, rows: &[Row<'_>]) -> Table {
    let is_there = |(_, count, _, always): &&Column| {
        *always || rows.iter().any(|row| !count(&row.share.tally).is_zero())
    };
    let columns: Vec<&Column> = COLUMNS.iter().filter(is_there).collect();
    let with_unique = rows.iter().any(|row| row.unique.is_some());
    let mut headings = vec![(heading, Align::Left)];
    headings.extend(columns.iter().map(|(title, ..)| (*title, Align::Right)));
    headings.extend([("total", Align::Right), ("coverage", Align::Right)]);
    // What is waived is no progress: beside the headline stands what it would be without waivers. Where there is a column more, the row of all of them is in another table, too.
    let with_waived = !with_unique && rows.iter().any(|row| !row.share.tally.waived.is_zero());
    headings.extend(with_waived.then_some(("with waived", Align::Right)));
    headings.extend(with_unique.then_some(("unique", Align::Right)));
    let mut table = Table::with_headings(&headings);
    for row in rows {
        let mut cells = vec![Span::from(row.name)];
        for (_, count, tone, _) in &columns {
            let count = count(&row.share.tally);
            cells.push(Span::toned(if count.is_zero() { Tone::Plain } else { *tone }, shown(count)));
        }
        cells.extend([shown(&row.share.total).into(), row.share.percent_text().into()]);
        if with_waived {
            let whole = row.share.percent_with_waived().or(row.share.percent);
            cells.push(whole.map_or("-".to_owned(), |percent| percent.to_string()).into());
        }
        cells.extend(row.unique.map(|unique| Span::from(shown(unique))));
        table.row(cells);
    }
    table
}

fn shown(count: &Count) -> String {
    readable(&count.to_string())
}
