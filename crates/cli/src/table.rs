//! Columns that line up, and colours that nothing depends on.

use std::fmt::Write;

/// Where a cell's text goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// What a colour would underline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Good,
    Bad,
    Doubtful,
    Strong,
}

/// Colours, or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    /// Whether escape sequences are written.
    pub(crate) coloured: bool,
}

impl Palette {
    /// The text in the colour of the tone.
    pub(crate) fn paint(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Plain => return text.to_owned(),
            Tone::Good => "32",
            Tone::Bad => "1;31",
            Tone::Doubtful => "33",
            Tone::Strong => "1",
        };
        if self.coloured { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// One cell.
pub(crate) struct Cell {
    text: String,
    tone: Tone,
}

impl Cell {
    /// A cell that stands out.
    pub(crate) fn toned(text: impl Into<String>, tone: Tone) -> Cell {
        Cell { text: text.into(), tone }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell { text: text.into(), tone: Tone::Plain }
    }
}

/// Rows of cells, two spaces between columns.
pub(crate) struct Table {
    columns: Vec<Align>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub(crate) fn new(columns: Vec<Align>) -> Table {
        Table { columns, rows: Vec::new() }
    }

    /// Adds a row; cells that are missing are empty.
    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// The text, each line with the given start.
    pub(crate) fn render(&self, start: &str, palette: Palette) -> String {
        let length = |cell: &Cell| cell.text.chars().count();
        let width = |column: usize| self.rows.iter().filter_map(|row| row.get(column)).map(length).max();
        let widths: Vec<usize> = (0..self.columns.len()).map(|column| width(column).unwrap_or(0)).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let padding = " ".repeat(widths[column].saturating_sub(length(cell)));
                let shown = palette.paint(cell.tone, &cell.text);
                let gap = if column > 0 { "  " } else { "" };
                let written = match self.columns[column] {
                    Align::Left => write!(line, "{gap}{shown}{padding}"),
                    Align::Right => write!(line, "{gap}{padding}{shown}"),
                };
                debug_assert!(written.is_ok(), "a string takes everything");
            }
            text.push_str(start);
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// Words in lines of at most this width, each line with the given start.
pub(crate) fn wrapped(words: impl Iterator<Item = String>, start: &str, width: usize) -> String {
    let mut text = String::new();
    let mut used = 0;
    for word in words {
        let length = word.chars().count();
        if used == 0 || used + 1 + length > width {
            if used > 0 {
                text.push('\n');
            }
            text.push_str(start);
            used = start.chars().count();
        } else {
            text.push(' ');
            used += 1;
        }
        text.push_str(&word);
        used += length;
    }
    if used > 0 {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_change_neither_widths_nor_words() {
        let mut table = Table::new(vec![Align::Left, Align::Right]);
        table.row(vec!["a".into(), Cell::toned("10", Tone::Bad)]);
        table.row(vec!["längst".into(), "5".into()]);
        let plain = table.render("", Palette { coloured: false });
        assert_eq!(plain, "a       10\nlängst   5\n");
        let coloured = table.render("", Palette { coloured: true });
        assert_ne!(coloured, plain);
        assert_eq!(coloured.replace("\x1b[1;31m", "").replace("\x1b[0m", ""), plain);
    }

    #[test]
    fn words_are_wrapped_and_none_is_lost() {
        let words = ["one", "two", "three", "extraordinarily-long", "x"].map(str::to_owned);
        assert_eq!(wrapped(words.into_iter(), "  ", 10), "  one two\n  three\n  extraordinarily-long\n  x\n");
    }
}
