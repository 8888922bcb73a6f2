//! Columns that line up, also where characters are two columns wide.
//!
//! A table that is too wide for the page stands in several parts, one below the other, each with the first column. A label that would take more than half of the page, or
//! leave no room for a column, stands on a line of its own. Remarks, in the last column, are wrapped; where they have no room beside their row they stand below it.

use super::{Span, Style, Tone, wrap};

/// Space between columns.
const GAP: usize = 2;
/// The narrowest column of remarks; with less room, they stand below.
const REMARK: usize = 24;
/// Remarks below their row are indented so far.
const BELOW: usize = 4;

/// Where a cell's text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Names and words.
    Left,
    /// Numbers.
    Right,
    /// Remarks: sentences, only in the last column.
    Remark,
}

/// Rows of cells.
#[derive(Clone, Debug, Default)]
pub struct Table {
    columns: Vec<Align>,
    /// Repeated where the table is split; none if empty.
    heading: Vec<Span>,
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
enum Row {
    Cells(Vec<Span>),
    /// A line between rows.
    Title(Span),
}

impl Table {
    /// A table without headings.
    pub fn new(columns: &[Align]) -> Table {
        Table { columns: columns.to_vec(), ..Table::default() }
    }

    /// A table with a heading for each column.
    pub fn with_headings<S: AsRef<str>>(columns: &[(S, Align)]) -> Table {
        let heading = columns.iter().map(|(title, _)| Span::toned(Tone::Strong, title)).collect();
        Table { columns: columns.iter().map(|(_, align)| *align).collect(), heading, rows: Vec::new() }
    }

    /// Adds a row; cells that are missing are empty.
    pub fn row<S: Into<Span>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let cells = cells.into_iter().take(self.columns.len()).map(Into::into).collect();
        self.rows.push(Row::Cells(cells));
    }

    /// Adds a line that the rows after it are about.
    pub fn title(&mut self, text: impl AsRef<str>) {
        self.rows.push(Row::Title(Span::toned(Tone::Strong, text)));
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The lines, at most as wide as the style says.
    pub(super) fn lines(&self, style: &Style) -> Vec<String> {
        let layout = Layout::new(self, style.width);
        let mut lines = Vec::new();
        for (part, columns) in layout.parts.iter().enumerate() {
            if part > 0 {
                lines.push(String::new());
            }
            if !self.heading.is_empty() {
                layout.cells(&self.heading, columns, style, &mut lines);
            }
            for row in &self.rows {
                match row {
                    Row::Title(title) => {
                        lines.extend(wrap::paragraph(
                            std::slice::from_ref(title),
                            style.width,
                            style.width,
                            style,
                        ));
                    }
                    Row::Cells(cells) => {
                        layout.cells(cells, columns, style, &mut lines);
                        if part + 1 == layout.parts.len() {
                            layout.remark_below(cells, style, &mut lines);
                        }
                    }
                }
            }
        }
        lines
    }
}

/// Which columns stand side by side, and how wide they are.
struct Layout<'t> {
    table: &'t Table,
    /// The first column is that of labels.
    widths: Vec<usize>,
    /// Columns besides the first, part by part.
    parts: Vec<std::ops::Range<usize>>,
    /// Columns for remarks beside their rows; 0 if they stand below.
    beside: usize,
}

impl<'t> Layout<'t> {
    fn new(table: &'t Table, width: usize) -> Layout<'t> {
        let has_remarks = table.columns.last() == Some(&Align::Remark);
        let fixed = table.columns.len() - usize::from(has_remarks);
        let mut widths: Vec<usize> =
            (0..table.columns.len()).map(|column| table.widest(column, width)).collect();
        let rest: usize = widths.iter().take(fixed).skip(1).map(|width| width + GAP).sum();
        let widest = widths.iter().take(fixed).skip(1).max().map_or(0, |width| width + GAP);
        if let Some(label) = widths.first_mut() {
            let half = (width / 2).min(width.saturating_sub(widest));
            *label = (*label).min(width.saturating_sub(rest).max(half));
        }
        let label = widths.first().copied().unwrap_or(0);
        let mut parts = Vec::new();
        let mut from = 1;
        while from < fixed {
            let mut used = label + GAP + widths[from];
            let mut to = from + 1;
            while to < fixed && used + GAP + widths[to] <= width {
                used += GAP + widths[to];
                to += 1;
            }
            parts.push(from..to);
            from = to;
        }
        if parts.is_empty() {
            parts.push(1..1);
        }
        let left = width.saturating_sub(label + rest + GAP);
        let wanted = if has_remarks { widths.last().copied().unwrap_or(0) } else { 0 };
        let beside = if parts.len() == 1 && left >= wanted.min(REMARK) { left.min(wanted) } else { 0 };
        Layout { table, widths, parts, beside }
    }

    /// One row of a part; a label that is too long has a line of its own.
    fn cells(
        &self,
        cells: &[Span],
        columns: &std::ops::Range<usize>,
        style: &Style,
        lines: &mut Vec<String>,
    ) {
        let mut line = Line::default();
        for column in std::iter::once(0).chain(columns.clone()) {
            let Some(cell) = cells.get(column) else { break };
            if column == 0 && cell.columns() > self.widths[0] {
                let mut text = String::new();
                style.paint(cell.tone(), cell.text(), &mut text);
                lines.push(text);
                line.position = self.widths[0];
                continue;
            }
            let padding = self.widths[column].saturating_sub(cell.columns());
            let (before, after) = match self.table.columns[column] {
                Align::Right => (padding, 0),
                Align::Left | Align::Remark => (0, padding),
            };
            line.position += before + if column > 0 { GAP } else { 0 };
            line.write(cell, style);
            line.position += after;
        }
        let remark = self.remark(cells).filter(|_| self.beside > 0);
        let start = line.position + GAP;
        for text in remark.iter().flat_map(|remark| {
            wrap::paragraph(std::slice::from_ref(*remark), self.beside, self.beside, style)
        }) {
            line.position = line.position.max(start);
            line.push(&text);
            lines.push(std::mem::take(&mut line).text);
            line.position = start;
        }
        if !line.text.is_empty() {
            lines.push(line.text);
        }
    }

    fn remark<'c>(&self, cells: &'c [Span]) -> Option<&'c Span> {
        let is_remark = self.table.columns.last() == Some(&Align::Remark);
        if is_remark { cells.get(self.table.columns.len() - 1) } else { None }
    }

    fn remark_below(&self, cells: &[Span], style: &Style, lines: &mut Vec<String>) {
        let Some(remark) = self.remark(cells).filter(|_| self.beside == 0) else { return };
        let room = style.width.saturating_sub(BELOW);
        let text = wrap::paragraph(std::slice::from_ref(remark), room, room, style);
        lines.extend(text.into_iter().map(|line| format!("{}{line}", " ".repeat(BELOW))));
    }
}

impl Table {
    /// The columns that the widest cell takes, without labels that are wider than the page.
    fn widest(&self, column: usize, page: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| match row {
            Row::Cells(cells) => cells.get(column),
            Row::Title(_) => None,
        });
        let widths = self.heading.get(column).into_iter().chain(cells).map(Span::columns);
        widths.filter(|width| column > 0 || *width <= page).max().unwrap_or(0)
    }
}

/// A line that grows, with what is not yet written of its spaces.
#[derive(Default)]
struct Line {
    text: String,
    /// Columns that are written.
    written: usize,
    /// Where the next text goes.
    position: usize,
}

impl Line {
    fn write(&mut self, cell: &Span, style: &Style) {
        if !cell.text().is_empty() {
            self.fill();
            style.paint(cell.tone(), cell.text(), &mut self.text);
        }
        self.position += cell.columns();
        self.written = self.written.max(if cell.text().is_empty() { 0 } else { self.position });
    }

    /// The last text of a line.
    fn push(&mut self, text: &str) {
        self.fill();
        self.text.push_str(text);
    }

    fn fill(&mut self) {
        self.text.push_str(&" ".repeat(self.position.saturating_sub(self.written)));
        self.written = self.written.max(self.position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Align::{Left, Remark, Right};

    fn drawn(table: &Table, width: usize) -> String {
        let style = Style { width, colour: false };
        table.lines(&style).iter().map(|line| format!("{line}\n")).collect()
    }

    fn example() -> Table {
        let mut table = Table::with_headings(&[("name", Left), ("一", Right), ("total", Right)]);
        table.row(["数据", "1", "200"]);
        table.row(["x", "", "3"]);
        table
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(drawn(&example(), 80), "name  一  total\n数据   1    200\nx             3\n");
    }

    #[test]
    fn a_table_that_is_too_wide_is_split_and_the_first_column_repeated() {
        assert_eq!(drawn(&example(), 12), "name  一\n数据   1\nx\n\nname  total\n数据    200\nx         3\n");
    }

    #[test]
    fn a_label_without_room_has_a_line_of_its_own() {
        let mut table = Table::new(&[Left, Right]);
        table.row(["an-extraordinarily-long-name", "1"]);
        table.row(["b", "22"]);
        assert_eq!(drawn(&table, 14), "an-extraordinarily-long-name\n    1\nb  22\n");
    }

    #[test]
    fn remarks_are_wrapped_beside_their_row_or_stand_below() {
        let mut table = Table::new(&[Left, Right, Remark]);
        table.row(["p", "1", "a remark that is too long for this page"]);
        table.row(["q", "2", ""]);
        assert_eq!(drawn(&table, 34), "p  1  a remark that is too long\n      for this page\nq  2\n");
        assert_eq!(drawn(&table, 24), "p  1\n    a remark that is too\n    long for this page\nq  2\n");
    }

    #[test]
    fn a_table_without_columns_or_rows_is_nothing() {
        let mut table = Table::new(&[]);
        table.row(["x"]);
        assert_eq!(drawn(&table, 10), "");
        assert_eq!(drawn(&Table::new(&[Left, Remark]), 10), "");
    }

    #[test]
    fn cells_are_painted_and_still_line_up() {
        let mut table = Table::new(&[Left, Right]);
        table.row([Span::from("a"), Span::toned(Tone::Bad, "10")]);
        table.row(["längst", "5"]);
        assert_eq!(drawn(&table, 80), "a       10\nlängst   5\n");
        let style = Style { width: 80, colour: true };
        assert_eq!(table.lines(&style)[0], "a       \x1b[1;31m10\x1b[0m");
    }
}
