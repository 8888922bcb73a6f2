//! Signs in rows and columns, with labels at the left and headings above.

use crate::terminal::columns;

/// With more rows than this the headings are repeated.
const ROWS_PER_HEADING: usize = 40;
/// Columns without names stand in groups of this size.
const GROUP: usize = 5;

/// What stands above the columns.
pub(super) enum Heading {
    /// A name each; signs are below the middle of it.
    Names(Vec<String>),
    /// Numbers from 1, from top to bottom, so that a column is one character wide.
    Numbers(usize),
}

/// A table of signs.
pub(super) struct Grid {
    /// What stands above the columns.
    pub(super) heading: Heading,
    /// A label, and a sign for each column.
    pub(super) rows: Vec<(String, Vec<char>)>,
}

impl Grid {
    /// Whether all columns fit side by side, without labels of unreasonable length.
    pub(super) fn fits(&self, width: usize) -> bool {
        self.label_width(width) + self.extent(0, self.count()) <= width
    }

    /// The table; in several parts, one below the other, if it does not fit.
    pub(super) fn draw(&self, width: usize) -> String {
        let label_width = self.label_width(width);
        let mut text = String::new();
        let mut from = 0;
        while from < self.count() {
            let to = self.part_end(from, width.saturating_sub(label_width));
            if from > 0 {
                text.push('\n');
            }
            self.part(from, to, label_width, &mut text);
            from = to;
        }
        text
    }

    /// Where a part of at most this width ends: behind a whole group, if there is one.
    fn part_end(&self, from: usize, width: usize) -> usize {
        let mut to = from + 1;
        while to < self.count() && self.extent(from, to + 1) <= width {
            to += 1;
        }
        let whole = to - to % GROUP;
        let grouped = matches!(self.heading, Heading::Numbers(_)) && to < self.count() && whole > from;
        if grouped { whole } else { to }
    }

    fn part(&self, from: usize, to: usize, label_width: usize, text: &mut String) {
        for (position, (label, marks)) in self.rows.iter().enumerate() {
            if position.is_multiple_of(ROWS_PER_HEADING) {
                if position > 0 {
                    text.push('\n');
                }
                for line in self.headings(from, to) {
                    push_line(&" ".repeat(label_width), &line, text);
                }
            }
            let mut padding = label_width.saturating_sub(columns(label));
            if columns(label) > label_width {
                push_line(label, "", text);
                padding = label_width;
            }
            let label = if columns(label) > label_width { "" } else { label };
            push_line(&format!("{label}{}", " ".repeat(padding)), &self.signs(marks, from, to), text);
        }
    }

    fn signs(&self, marks: &[char], from: usize, to: usize) -> String {
        let mut line = String::new();
        for (column, sign) in marks.iter().enumerate().take(to).skip(from) {
            let cell = self.cell(column);
            let left = (cell - 1) / 2;
            line.push_str(&" ".repeat(self.gap(column, from) + left));
            line.push(*sign);
            line.push_str(&" ".repeat(cell - 1 - left));
        }
        line
    }

    fn headings(&self, from: usize, to: usize) -> Vec<String> {
        match &self.heading {
            Heading::Names(names) => {
                let mut line = String::new();
                for (column, name) in names.iter().enumerate().take(to).skip(from) {
                    line.push_str(&" ".repeat(self.gap(column, from)));
                    line.push_str(name);
                    line.push_str(&" ".repeat(self.cell(column) - columns(name)));
                }
                vec![line]
            }
            Heading::Numbers(count) => {
                let digits = count.to_string().len();
                let lines = (0..digits).map(|digit| self.digits(digit, digits, from, to));
                lines.filter(|line| !line.trim().is_empty()).collect()
            }
        }
    }

    /// One line of numbers that are written from top to bottom.
    fn digits(&self, line: usize, lines: usize, from: usize, to: usize) -> String {
        let mut text = String::new();
        for column in from..to {
            text.push_str(&" ".repeat(self.gap(column, from)));
            text.extend(format!("{:>lines$}", column + 1).chars().nth(line));
        }
        text
    }

    fn count(&self) -> usize {
        match &self.heading {
            Heading::Names(names) => names.len(),
            Heading::Numbers(count) => *count,
        }
    }

    /// Width of a column without its gap.
    fn cell(&self, column: usize) -> usize {
        match &self.heading {
            Heading::Names(names) => names.get(column).map_or(1, |name| columns(name).max(1)),
            Heading::Numbers(_) => 1,
        }
    }

    /// Space in front of a column.
    fn gap(&self, column: usize, from: usize) -> usize {
        match &self.heading {
            Heading::Names(_) => 2,
            Heading::Numbers(_) if column == from => 2,
            Heading::Numbers(_) => usize::from(column.is_multiple_of(GROUP)),
        }
    }

    fn extent(&self, from: usize, to: usize) -> usize {
        (from..to).map(|column| self.gap(column, from) + self.cell(column)).sum()
    }

    /// Labels have at most half of the width, or what all columns side by side leave; longer ones stand on a line of their own.
    fn label_width(&self, width: usize) -> usize {
        let longest = self.rows.iter().map(|(label, _)| columns(label)).max().unwrap_or(0);
        let left = width.saturating_sub(self.extent(0, self.count()));
        longest.min(left.max(width / 2))
    }
}

fn push_line(label: &str, content: &str, text: &mut String) {
    let line = format!("{label}{content}");
    text.push_str(line.trim_end());
    text.push('\n');
}
