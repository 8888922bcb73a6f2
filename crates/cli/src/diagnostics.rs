//! Messages on standard error: errors that show the line they are about, warnings and notes.

use propcov_frontend::{Diagnostic, InputError};
use propcov_ir::{Region, Span, System};
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
    // One character stays one column: tabs and what cannot be printed would move the mark.
    let printable = |c: char| if c.is_control() { if c == '\t' { ' ' } else { '\u{fffd}' } } else { c };
    let characters: Vec<char> = source.chars().map(printable).collect();
    let first = first.max(1) - 1;
    if first > characters.len() {
        return;
    }
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

/// A warning of the front end.
pub(crate) fn warning(system: &System, warning: &Diagnostic) -> String {
    match warning.span.and_then(|span| position(system, span)) {
        Some(position) => format!("warning: {position}: {warning}\n"),
        None => format!("warning: {warning}\n"),
    }
}

/// What a file has in a region, in one line without the comments and the words around an SMV specification.
pub(crate) fn excerpt_of(bytes: &[u8], span: Span) -> Option<String> {
    let Region::Text { line, column, end_line, end_column } = span.region else { return None };
    let text = String::from_utf8_lossy(bytes);
    let (first, last) = (line.max(1) as usize - 1, end_line as usize);
    let mut words: Vec<String> = Vec::new();
    for (at, source) in text.lines().enumerate().take(last).skip(first) {
        let end = if at + 1 == last { end_column as usize } else { usize::MAX };
        let start = if at == first { column.max(1) as usize - 1 } else { 0 };
        let piece: String = source.chars().take(end).skip(start).collect();
        let piece = piece.split_once("--").map_or(piece.as_str(), |(before, _)| before);
        words.extend(piece.split_whitespace().map(str::to_owned));
    }
    let whole = words.join(" ");
    let formula = ["SPEC ", "CTLSPEC ", "INVARSPEC "].iter().find_map(|word| whole.strip_prefix(word));
    let formula = formula.unwrap_or(&whole);
    let formula = match formula.strip_prefix("NAME ").and_then(|named| named.split_once(":=")) {
        Some((_, formula)) => formula,
        None => formula,
    };
    let formula = formula.trim().trim_end_matches(';').trim_end();
    (!formula.is_empty()).then(|| formula.to_owned())
}

/// `file:line:column`.
pub(crate) fn position(system: &System, span: Span) -> Option<String> {
    let file = system.files.get(span.file.0 as usize)?;
    Some(format!("{}:{}", file.path, span.region))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str, column: u32, end_column: u32) -> String {
        let region = Region::Text { line: 12, column, end_line: 12, end_column };
        let (path, message) = ("a.btor2".to_owned(), "expected a sort".to_owned());
        input_error(&InputError { path, region, message, source_line: Some(source.to_owned()) })
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
    fn an_error_in_binary_data_has_no_excerpt() {
        let region = Region::Bytes { start: 7, end: 8 };
        let error = InputError {
            path: "a.aig".into(),
            region,
            message: "expected a delta".into(),
            source_line: None,
        };
        assert_eq!(input_error(&error), "error: a.aig:byte 7: expected a delta\n");
    }
}
