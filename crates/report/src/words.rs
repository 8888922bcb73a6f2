//! Names and lists of names as people read them.

use unicode_width::UnicodeWidthStr;

/// A name that cannot move the cursor: control characters are shown as escapes.
pub(crate) fn printable(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for character in name.chars() {
        if character.is_control() { text.extend(character.escape_default()) } else { text.push(character) }
    }
    text
}

/// Number of columns on a terminal.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// `a`, `a and b`, `a, b and c`; of long lists the first few and how many there are besides.
pub(crate) fn listed(names: &[String], at_most: usize) -> String {
    let (shown, more) = match names.len() {
        length if length > at_most => (&names[..at_most], length - at_most),
        _ => (names, 0),
    };
    match (shown, more) {
        (shown, more) if more > 0 => format!("{} and {more} more", shown.join(", ")),
        ([], _) => String::new(),
        ([only], _) => only.clone(),
        ([first @ .., last], _) => format!("{} and {last}", first.join(", ")),
    }
}

/// Pieces on lines of at most this many columns, as far as pieces can be separated. Lines after the first are indented.
pub(crate) fn wrapped(pieces: &[String], width: usize, indent: usize) -> String {
    let mut text = String::new();
    let mut used = 0;
    for piece in pieces {
        let length = columns(piece);
        if used > 0 && used + 1 + length > width {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            used = indent;
        } else if used > 0 {
            text.push(' ');
            used += 1;
        }
        text.push_str(piece);
        used += length;
    }
    text.push('\n');
    text
}
