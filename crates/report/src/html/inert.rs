//! JSON that means nothing to a reader of HTML: no `<`, `>` or `&`, no line separators, no characters that hide.

use serde::Serialize;
use std::io;

/// Writes a value without spaces.
pub(super) fn write(value: &impl Serialize, to: &mut dyn io::Write) -> io::Result<()> {
    let mut to = io::BufWriter::with_capacity(1 << 16, to);
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut to, Inert))?;
    io::Write::flush(&mut to)
}

struct Inert;

fn is_inert(character: char) -> bool {
    match character {
        '<' | '>' | '&' | '\u{7f}' => false,
        ' '..='~' => true,
        other => crate::terminal::printable(other.encode_utf8(&mut [0; 4])).chars().eq([other]),
    }
}

impl serde_json::ser::Formatter for Inert {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, to: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(|character: char| !is_inert(character)) {
            let (before, from) = rest.split_at(at);
            to.write_all(before.as_bytes())?;
            let mut characters = from.chars();
            if let Some(character) = characters.next() {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(to, "\\u{unit:04x}")?;
                }
            }
            rest = characters.as_str();
        }
        to.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_ends_a_script_or_hides() {
        let text = "</script><!-- &lt; \u{2028}\u{202e}\u{7f}\u{e0041}é数\"\\\n";
        let mut bytes = Vec::new();
        write(&text, &mut bytes).expect("memory takes everything");
        let written = String::from_utf8(bytes).expect("text");
        assert!(written.chars().all(|character| is_inert(character) || character == '\n'), "{written}");
        assert_eq!(serde_json::from_str::<String>(&written).expect("JSON"), text);
        assert!(written.contains("é数"));
    }
}
