//! What is not covered, with where it is written: a line for each definition, or the source with marks below where definitions were taken apart.

use crate::cover::cores::CoreCoverage;
use crate::cover::text::plural;
use crate::diagnostics;
use crate::table::{Align, Cell, Palette, Table, Tone};
use propcov_ir::{ElementId, ElementSet, FileId, Lines, Parent, Region, SourceFile, WholeId};
use std::collections::BTreeMap;

/// The most definitions that are listed.
const LISTED: usize = 60;

/// The longest line that is shown with marks.
const SHOWN: usize = 200;

/// What is marked how.
const UNCOVERED: char = '^';
const UNKNOWN: char = '?';

impl CoreCoverage<'_> {
    /// What no property covers, and of what that is not known.
    pub(super) fn not_covered(&self, palette: Palette) -> String {
        let universe = &self.study.subject.universe;
        let uncovered = universe.difference(&self.set.sure).difference(&self.set.unknown);
        if !self.study.subject.system().wholes().is_empty() {
            return self.in_source(&uncovered, palette);
        }
        let mut text = self.listed("Not covered by any property:", &uncovered, palette);
        text.push_str(&self.listed("Not known:", &self.set.unknown, palette));
        text
    }

    /// A line for each element.
    fn listed(&self, title: &str, elements: &ElementSet, palette: Palette) -> String {
        if elements.is_empty() {
            return String::new();
        }
        let system = self.study.subject.system();
        let mut table = Table::new(vec![Align::Left, Align::Left, Align::Left]);
        for element in elements.iter().take(LISTED).map(|id| system.element(id)) {
            let place =
                element.span().and_then(|span| diagnostics::position(system, span)).unwrap_or_default();
            table.row(vec![Cell::from(element.name.as_str()), element.kind.name().into(), place.into()]);
        }
        let mut text = format!("\n{}\n{}", palette.paint(Tone::Strong, title), table.render("  ", palette));
        if elements.len() > LISTED {
            text.push_str(&format!(
                "  and {} more; --format json has all of them\n",
                elements.len() - LISTED
            ));
        }
        text
    }

    /// The source of each equation that is not covered in all its parts, with marks below those.
    fn in_source(&self, uncovered: &ElementSet, palette: Palette) -> String {
        let system = self.study.subject.system();
        let mut marked: BTreeMap<WholeId, Vec<(ElementId, char)>> = BTreeMap::new();
        let mut whole = ElementSet::new();
        let marks = uncovered.iter().map(|id| (id, UNCOVERED));
        for (element, mark) in marks.chain(self.set.unknown.iter().map(|id| (id, UNKNOWN))) {
            match system.whole_of(element) {
                Some(equation) => marked.entry(equation).or_default().push((element, mark)),
                None => {
                    whole.insert(element);
                }
            }
        }
        let files: Vec<Lines<'_>> = system.files.iter().map(SourceFile::lines).collect();
        let mut shown = String::new();
        let (count, listed) = (marked.len(), marked.iter().take(LISTED));
        for (id, marks) in listed {
            let Some(equation) = system.wholes().get(id.0 as usize) else { continue };
            let place = equation.spans.first().and_then(|span| diagnostics::position(system, *span));
            let (place, parts) = (place.unwrap_or_default(), system.parts(Parent::Whole(*id)).count());
            let (name, parts) = (palette.paint(Tone::Strong, &equation.name), plural(parts, "part", "parts"));
            shown.push_str(&format!("\n  {name} ({place}): {} of {parts}\n", marks.len()));
            shown.push_str(&self.marked_lines(&files, marks));
        }
        if count > LISTED {
            shown.push_str(&format!(
                "\n  and parts of {} more equations; --format json has all\n",
                count - LISTED
            ));
        }
        let legend = match self.set.unknown.is_empty() {
            true => format!("({UNCOVERED})"),
            false => format!("({UNCOVERED}; {UNKNOWN} where that is not known)"),
        };
        if !shown.is_empty() {
            let title = format!("Not covered by any property {legend}:");
            shown = format!("\n{}{shown}", palette.paint(Tone::Strong, &format!("{title}\n")));
        }
        format!("{shown}{}", self.listed("Not covered or not known, as a whole:", &whole, palette))
    }

    /// Lines of the source with marks below.
    fn marked_lines(&self, files: &[Lines<'_>], marks: &[(ElementId, char)]) -> String {
        let system = self.study.subject.system();
        let mut by_line: BTreeMap<(FileId, u32), Vec<Mark>> = BTreeMap::new();
        for (element, mark) in marks {
            for span in &system.element(*element).spans {
                if let Region::Text { line, column, end_line, end_column } = span.region {
                    let end = if end_line == line { end_column } else { u32::MAX };
                    by_line.entry((span.file, line)).or_default().push((column, end, *mark));
                }
            }
        }
        let width = by_line.keys().map(|(_, line)| line.to_string().len()).max().unwrap_or(0);
        let shown = by_line.into_iter().filter_map(|((file, line), marks)| {
            let source = files.get(file.0 as usize)?.get(line)?;
            Some(marked_line(&source, line, width, &marks))
        });
        shown.collect()
    }
}

/// The first column, the last, and what is below.
type Mark = (u32, u32, char);

/// One line with marks below.
fn marked_line(source: &str, line: u32, width: usize, marks: &[Mark]) -> String {
    // One character stays one column: tabs and what cannot be printed would move the marks.
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    let characters: Vec<char> = source.chars().map(printable).take(SHOWN).collect();
    let mut below = vec![' '; characters.len()];
    for (first, last, mark) in marks {
        let (first, last) = (*first as usize, (*last as usize).min(characters.len()));
        (first.max(1)..=last).for_each(|column| below[column - 1] = *mark);
    }
    let indent = characters.iter().take_while(|c| c.is_whitespace()).count();
    let text = |characters: &[char]| characters.iter().skip(indent).collect::<String>();
    let below = text(&below);
    format!("    {line:>width$} | {}\n    {:width$} |{}\n", text(&characters), "", marks_text(&below))
}

/// The marks with a space in front, or nothing.
fn marks_text(below: &str) -> String {
    let marks = below.trim_end();
    if marks.is_empty() { String::new() } else { format!(" {marks}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_below_the_words_in_question() {
        let shown = marked_line("\t  a = b or c;", 7, 2, &[(8, 8, '^'), (10, 11, '?'), (13, 99, '^')]);
        assert_eq!(shown, "     7 | a = b or c;\n       |     ^ ?? ^^\n");
    }

    #[test]
    fn marks_beyond_the_line_do_no_harm() {
        assert_eq!(marked_line("x", 1, 1, &[(5, 9, '^')]), "    1 | x\n      |\n");
        assert_eq!(marked_line("", 1, 1, &[(0, 0, '^')]), "    1 | \n      |\n");
    }
}
