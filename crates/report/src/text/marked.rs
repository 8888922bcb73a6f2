//! The source of definitions that were taken apart, with marks below the parts that are not covered.

use crate::mutants::{Mutant, Standing};
use crate::place::position;
use crate::terminal::{Page, Span, Tone, columns, printable};
use crate::text::ALL;
use crate::words::{plural, shown};
use propcov_result::{Element, RunResult};
use std::collections::{BTreeMap, HashMap};

/// The most definitions that are shown.
const LISTED: usize = 60;
/// Lines of the source are indented so far.
const INDENT: usize = 4;
/// What is marked how.
const UNCOVERED: char = '^';
const UNKNOWN: char = '?';

/// Lines of the files, by file and number.
pub(super) struct Source<'r>(HashMap<(&'r str, u32), &'r str>);

impl<'r> Source<'r> {
    /// The lines that a result has.
    pub(super) fn new(result: &'r RunResult) -> Source<'r> {
        let line = |excerpt: &'r propcov_result::Excerpt| {
            ((excerpt.file.as_str(), excerpt.line), excerpt.text.as_str())
        };
        Source(result.excerpts.iter().map(line).collect())
    }

    /// Whether an element is a part of a definition of which there is a line to show.
    pub(super) fn shows(&self, element: Option<&Element>) -> bool {
        let has_line = |element: &Element| {
            element.places.iter().any(|place| self.0.contains_key(&(place.file.as_str(), place.line)))
        };
        element.is_some_and(|element| element.parent.is_some() && has_line(element))
    }

    /// Writes each definition with parts that are not covered, or not known to be.
    pub(super) fn write(&self, result: &RunResult, mutants: &[&Mutant<'_>], page: &mut Page) {
        let mut definitions: BTreeMap<&str, Vec<(&Element, char)>> = BTreeMap::new();
        let mut order: Vec<&str> = Vec::new();
        for mutant in mutants {
            let mark = match mutant.standing {
                Standing::Uncovered => UNCOVERED,
                Standing::Unknown => UNKNOWN,
                _ => continue,
            };
            if let Some(element) = mutant.element.filter(|element| self.shows(Some(element)))
                && let Some(parent) = &element.parent
            {
                let parts = definitions.entry(parent).or_default();
                if parts.is_empty() {
                    order.push(parent);
                }
                parts.push((element, mark));
            }
        }
        if order.is_empty() {
            return;
        }
        let has_unknown = definitions.values().flatten().any(|(_, mark)| *mark == UNKNOWN);
        let legend = if has_unknown { format!("; {UNKNOWN} where that is not known") } else { String::new() };
        page.title(format!("Not covered by any property ({UNCOVERED}{legend}):"));
        let most = shown(order.len(), LISTED);
        for parent in &order[..most] {
            let parts = definitions.get(parent).map(Vec::as_slice).unwrap_or_default();
            self.definition(result, parent, parts, page);
        }
        if order.len() > most {
            page.gap();
            page.say(2, format!("and parts of {} more definitions; {ALL}", order.len() - most));
        }
    }

    fn definition(&self, result: &RunResult, name: &str, parts: &[(&Element, char)], page: &mut Page) {
        let all = result.elements.iter().filter(|element| element.parent.as_deref() == Some(name)).count();
        let place = parts.first().and_then(|(element, _)| element.places.first()).map(position);
        let counted =
            format!(" ({}): {} of {}", place.unwrap_or_default(), parts.len(), plural(all, "part", "parts"));
        page.gap();
        page.spans(2, &[Span::toned(Tone::Strong, name), counted.into()]);
        let mut by_line: BTreeMap<(&str, u32), Vec<Marked>> = BTreeMap::new();
        for (element, mark) in parts {
            for place in &element.places {
                let end = if place.end_line == place.line { place.end_column } else { u32::MAX };
                let marked = Marked { first: place.column, last: end, mark: *mark };
                by_line.entry((&place.file, place.line)).or_default().push(marked);
            }
        }
        let digits = by_line.keys().map(|(_, line)| line.to_string().len()).max().unwrap_or(0);
        for ((file, line), marks) in by_line {
            if let Some(source) = self.0.get(&(file, line)) {
                let text = marked_line(source, line, digits, &marks, page.style().width);
                page.append(&text);
            }
        }
    }
}

/// From the first column to the last, and what is below.
struct Marked {
    first: u32,
    last: u32,
    mark: char,
}

/// A character as it is shown, and the mark below it.
type Cell = (String, char);

/// A line of the source with marks below. Of a line that is too long for the page, those pieces are shown that have marks.
fn marked_line(source: &str, line: u32, digits: usize, marks: &[Marked], width: usize) -> String {
    let mut cells: Vec<Cell> = source
        .chars()
        .map(|c| (if c == '\t' { " ".to_owned() } else { printable(&c.to_string()) }, ' '))
        .collect();
    for marked in marks {
        let (first, last) = (marked.first.max(1) as usize, (marked.last as usize).min(cells.len()));
        cells.get_mut(first - 1..last).unwrap_or_default().iter_mut().for_each(|cell| cell.1 = marked.mark);
    }
    let indent = source.chars().take_while(|c| c.is_whitespace()).count();
    let room = width.saturating_sub(INDENT + digits + 3).max(1);
    let pieces = pieces(&cells[indent..], room);
    let is_whole = pieces.len() == 1;
    let mut text = String::new();
    for piece in pieces.iter().filter(|piece| is_whole || piece.iter().any(|(_, mark)| *mark != ' ')) {
        let shown: String = piece.iter().map(|(shown, _)| shown.as_str()).collect();
        let below: String =
            piece.iter().map(|(shown, mark)| mark.to_string().repeat(columns(shown))).collect();
        let margin = " ".repeat(INDENT);
        text.push_str(format!("{margin}{line:>digits$} | {shown}").trim_end());
        text.push('\n');
        text.push_str(format!("{margin}{:digits$} | {below}", "").trim_end());
        text.push('\n');
    }
    text
}

/// Pieces of a line that are no wider than that.
fn pieces(cells: &[Cell], room: usize) -> Vec<&[Cell]> {
    let mut pieces = Vec::new();
    let (mut from, mut used) = (0, 0);
    for (at, (shown, _)) in cells.iter().enumerate() {
        if used + columns(shown) > room && at > from {
            pieces.push(&cells[from..at]);
            (from, used) = (at, 0);
        }
        used += columns(shown);
    }
    pieces.push(&cells[from..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(all: &[(u32, u32, char)]) -> Vec<Marked> {
        all.iter().map(|(first, last, mark)| Marked { first: *first, last: *last, mark: *mark }).collect()
    }

    #[test]
    fn marks_are_below_the_words_in_question() {
        let all = marks(&[(8, 8, '^'), (10, 11, '?'), (13, 99, '^')]);
        let shown = marked_line("\t  a = b or c;", 7, 2, &all, 80);
        assert_eq!(shown, "     7 | a = b or c;\n       |     ^ ?? ^^\n");
    }

    #[test]
    fn marks_beyond_the_line_do_no_harm() {
        assert_eq!(marked_line("x", 1, 1, &marks(&[(5, 9, '^')]), 80), "    1 | x\n      |\n");
        assert_eq!(marked_line("", 1, 1, &marks(&[(0, 0, '^')]), 80), "    1 |\n      |\n");
    }

    #[test]
    fn wide_characters_have_wide_marks_and_long_lines_are_shown_in_pieces() {
        assert_eq!(marked_line("数据 x", 1, 1, &marks(&[(2, 2, '^')]), 80), "    1 | 数据 x\n      |   ^^\n");
        let long = format!("{}y", "x ".repeat(20));
        assert_eq!(marked_line(&long, 3, 1, &marks(&[(41, 41, '^')]), 28), "    3 | y\n      | ^\n");
    }
}
