//! Text from outside that cannot move the cursor, change colours, or pretend to be other text.

use unicode_width::UnicodeWidthStr;

/// The text with everything escaped that a terminal would obey rather than show: control characters, and characters without width that turn the direction of writing or hide.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_shown(character) { shown.push(character) } else { shown.extend(character.escape_default()) }
    }
    shown
}

/// Number of columns on a terminal, for text that is printable.
pub fn columns(text: &str) -> usize {
    text.width()
}

fn is_shown(character: char) -> bool {
    let hides = matches!(
        character,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    );
    !character.is_control() && !hides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(printable("\u{1b}[31mred"), "\\u{1b}[31mred");
        assert_eq!(printable("a\tb\nc\r\u{7f}\u{9b}"), "a\\tb\\nc\\r\\u{7f}\\u{9b}");
        assert_eq!(printable("safe\u{202e}evil\u{feff}"), "safe\\u{202e}evil\\u{feff}");
    }

    #[test]
    fn other_text_stays_as_it_is() {
        for text in ["top.fifo[3]", "数据", "é", "back\\slash", "a b"] {
            assert_eq!(printable(text), text);
        }
        assert_eq!((columns("数据"), columns("é"), columns("e\u{301}")), (4, 1, 1));
    }
}
