//! What stays the same of an element when somebody edits the file around it: its name without its place, and its text.
//!
//! Where a design has several statements about one signal, their names have the place at the end (`head@26:7`). A line that is inserted above changes the place and nothing else, so whoever
//! compares two designs, or waives something for longer than a day, goes by [`Element::stem`] and by the source text.

use crate::{Element, Place};

/// The texts of files, by path.
pub type Texts<'t> = &'t dyn Fn(&str) -> Option<&'t str>;

impl Element {
    /// Its name without its own place, if the name ends with that.
    pub fn stem(&self) -> &str {
        stem(&self.name, self.places.first())
    }

    /// The lines that it stands on, with each run of blanks as one; `None` where there is no text.
    pub fn lines(&self, texts: Texts<'_>) -> Option<String> {
        Some(plain(&lines_of(self.places.first()?, texts)?.join(" ")))
    }

    /// The piece of source that it is, likewise.
    pub fn piece(&self, texts: Texts<'_>) -> Option<String> {
        let place = self.places.first()?;
        let mut lines: Vec<String> = lines_of(place, texts)?.into_iter().map(str::to_owned).collect();
        let (before, to) = (place.column.max(1) as usize - 1, place.end_column as usize);
        if let Some(last) = lines.last_mut() {
            *last = last.chars().take(to).collect();
        }
        if let Some(first) = lines.first_mut() {
            *first = first.chars().skip(before).collect();
        }
        Some(plain(&lines.join(" ")))
    }
}

/// The lines of a place, if the text has them all.
fn lines_of<'t>(place: &Place, texts: Texts<'t>) -> Option<Vec<&'t str>> {
    let first = (place.line as usize).checked_sub(1)?;
    let count = (place.end_line.max(place.line) - place.line) as usize + 1;
    let lines: Vec<&str> = texts(&place.file)?.lines().skip(first).take(count).collect();
    (lines.len() == count).then_some(lines)
}

/// A name without the place at its end, if that is the place of what it names.
pub(crate) fn stem<'n>(name: &'n str, place: Option<&Place>) -> &'n str {
    let Some(place) = place else { return name };
    name.strip_suffix(&format!("@{}:{}", place.line, place.column)).unwrap_or(name)
}

/// A text with each run of blanks as one, and none at its ends.
pub fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "module m;\n  if (a)   x <= 1;\n  else\n\ty <= 2;\n";

    fn at(name: &str, line: u32, column: u32, end_line: u32, end_column: u32) -> Element {
        let place = Place { file: "m.sv".to_owned(), line, column, end_line, end_column };
        Element { name: name.to_owned(), places: vec![place], ..Element::default() }
    }

    #[test]
    fn the_place_at_the_end_of_a_name_is_no_part_of_its_stem() {
        assert_eq!(at("u.x@2:12", 2, 12, 2, 17).stem(), "u.x");
        assert_eq!(at("u.x@2:12", 3, 12, 3, 17).stem(), "u.x@2:12", "the place of something else");
        assert_eq!(at("count", 2, 3, 2, 5).stem(), "count");
        assert_eq!(Element { name: "x@2:1".to_owned(), ..Element::default() }.stem(), "x@2:1");
    }

    #[test]
    fn lines_and_pieces_do_not_depend_on_blanks() {
        let texts = |path: &str| (path == "m.sv").then_some(TEXT);
        let one = at("x@2:12", 2, 12, 2, 17);
        assert_eq!(one.lines(&texts).as_deref(), Some("if (a) x <= 1;"));
        assert_eq!(one.piece(&texts).as_deref(), Some("x <= 1"));
        let two = at("e", 3, 3, 4, 7);
        assert_eq!(two.lines(&texts).as_deref(), Some("else y <= 2;"));
        assert_eq!(two.piece(&texts).as_deref(), Some("else y <= 2"));
        for wrong in [at("w", 9, 1, 9, 1), at("w", 4, 1, 9, 1), at("w", 0, 0, 0, 0)] {
            assert_eq!((wrong.lines(&texts), wrong.piece(&texts)), (None, None));
        }
        assert_eq!(at("x", 2, 99, 2, 3).piece(&texts).as_deref(), Some(""));
        let nowhere = |_: &str| None;
        assert_eq!(one.lines(&nowhere), None);
    }
}
