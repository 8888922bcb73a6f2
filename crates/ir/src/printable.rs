//! Text of other people's making, for a terminal or a page: names in a file may have characters that move the cursor,
//! change colours or turn the direction of writing.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The text with what would not be seen, but obeyed, written out: `\n`, `\u{1b}`. Those are control characters, and the
/// marks that separate lines or change the direction of text. All else stays as it is.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        let written = match character {
            '\n' => shown.write_str("\\n"),
            '\r' => shown.write_str("\\r"),
            '\t' => shown.write_str("\\t"),
            obeyed if is_obeyed(obeyed) => write!(shown, "{}", obeyed.escape_unicode()),
            seen => shown.write_char(seen),
        };
        debug_assert!(written.is_ok());
    }
    Cow::Owned(shown)
}

fn is_obeyed(character: char) -> bool {
    let is_mark = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
    );
    character.is_control() || is_mark
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_written_out() {
        assert_eq!(printable("a\u{1b}[31mb\u{7}\u{9b}c"), "a\\u{1b}[31mb\\u{7}\\u{9b}c");
        assert_eq!(printable("a\nb\tc\r\u{7f}\u{0}"), "a\\nb\\tc\\r\\u{7f}\\u{0}");
        assert_eq!(printable("\u{202e}txt.exe\u{2066}"), "\\u{202e}txt.exe\\u{2066}");
    }

    #[test]
    fn what_can_be_seen_stays_as_it_is() {
        for text in ["", "count[3]", "top.fifo \\esc.aped ", "größe 漢字 🙂", "a\\u{1b}"] {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }
}
