//! Errors that show the line they are about.

use propcov_frontend::InputError;
use propcov_ir::{Region, printable};
use std::fmt::Write as _;

/// The longest piece of a source line that is shown, in characters.
const SHOWN: usize = 100;

/// An error about the input, with the line it is about and a mark below.
pub(crate) fn input_error(error: &InputError) -> String {
    let mut text = format!("error: {error}\n");
    if let (Some(source), Region::Text { line, column, end_line, end_column }) =
        (&error.source_line, error.region)
    {
        let end = if end_line == line { end_column } else { u32::MAX };
        excerpt(&mut text, source, line, column as usize, end as usize);
    }
    text
}

/// The line, and carets below the columns (counting from 1, the last included).
fn excerpt(text: &mut String, source: &str, line: u32, first: usize, last: usize) {
    // A tab is one column, or the mark would move; what cannot be printed is written out, and takes several.
    let (mut characters, mut columns) = (Vec::new(), vec![0]);
    for character in source.chars() {
        let mut alone = [0; 4];
        let shown = if character == '\t' { " ".into() } else { printable(character.encode_utf8(&mut alone)) };
        characters.extend(shown.chars());
        columns.push(characters.len());
    }
    let Some(first) = columns.get(first.max(1) - 1).copied() else { return };
    let last = columns.get(last).copied().unwrap_or(characters.len());
    let start = if first < SHOWN * 3 / 4 { 0 } else { first - SHOWN / 2 };
    let shown: String = characters.iter().skip(start).take(SHOWN).collect();
    let (before, after) =
        (if start > 0 { "…" } else { "" }, if characters.len() > start + SHOWN { "…" } else { "" });
    let end = last.clamp(first + 1, characters.len().max(first + 1)).min(start + SHOWN);
    let marks = "^".repeat(end.saturating_sub(first).max(1));
    let indent = " ".repeat(first - start + before.chars().count());
    let number = line.to_string();
    let gutter = " ".repeat(number.len());
    let written =
        writeln!(text, " {gutter} |\n {number} | {before}{shown}{after}\n {gutter} | {indent}{marks}");
    debug_assert!(written.is_ok());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str, column: u32, end_column: u32) -> String {
        let region = Region::Text { line: 12, column, end_line: 12, end_column };
        let (path, message) = ("a.btor2".to_owned(), "expected a sort".to_owned());
        input_error(&InputError { path, region, message, source_line: Some(source.to_owned()), stop: None })
    }

    #[test]
    fn the_mark_is_below_the_words_in_question() {
        let text = shown("3 input\t99 in", 9, 10);
        assert_eq!(
            text,
            "error: a.btor2:12:9: expected a sort\n    |\n 12 | 3 input 99 in\n    |         ^^\n"
        );
    }

    #[test]
    fn the_mark_follows_into_the_middle_of_a_long_line() {
        let source = format!("{}HERE{}", "a".repeat(200), "b".repeat(200));
        let text = shown(&source, 201, 204);
        let lines: Vec<&str> = text.lines().collect();
        let at = lines[3].chars().position(|c| c == '^').expect("a mark");
        let below: String = lines[2].chars().skip(at).take(4).collect();
        assert_eq!(below, "HERE");
        assert!(lines[2].chars().count() < 120, "{}", lines[2]);
    }

    #[test]
    fn an_error_at_the_end_of_the_line_has_one_mark_behind_it() {
        assert!(shown("3 input", 8, 8).ends_with("    |        ^\n"));
        assert!(shown("", 1, 1).ends_with("| ^\n"));
    }

    #[test]
    fn what_a_terminal_would_obey_is_written_out_and_marked() {
        let text = shown("a\u{1b}[31m b", 2, 2);
        assert!(text.ends_with(" 12 | a\\u{1b}[31m b\n    |  ^^^^^^\n"), "{text}");
        assert!(shown("\u{1b}x", 2, 2).ends_with("|       ^\n"));
        let region = Region::Text { line: 1, column: 1, end_line: 1, end_column: 1 };
        let error = InputError {
            path: "a\u{7}".into(),
            region,
            message: "b\u{1b}".into(),
            source_line: None,
            stop: None,
        };
        assert_eq!(input_error(&error), "error: a\\u{7}:1:1: b\\u{1b}\n");
    }

    #[test]
    fn an_error_in_binary_data_has_no_excerpt() {
        let region = Region::Bytes { start: 7, end: 8 };
        let error = InputError {
            path: "a.aig".into(),
            region,
            message: "expected a delta".into(),
            source_line: None,
            stop: None,
        };
        assert_eq!(input_error(&error), "error: a.aig:byte 7: expected a delta\n");
    }
}
