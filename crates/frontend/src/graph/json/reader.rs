//! JSON (RFC 8259) with places. Values are read where they are, without a tree: a graph may have a million transitions.

use crate::{
    InputError,
    text::{Input, quote},
};
use std::{borrow::Cow, ops::Range};

/// How deep values may be nested; a graph needs four.
const DEEPEST: usize = 100;

/// A text and where it is, quotes included.
#[derive(Clone, Debug)]
pub(super) struct Text<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) place: Range<usize>,
}

/// A place in a file.
#[derive(Clone)]
pub(super) struct Reader<'a> {
    pub(super) input: Input<'a>,
    /// The next byte.
    pub(super) at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(input: Input<'a>) -> Reader<'a> {
        let marked = input.bytes.starts_with(b"\xef\xbb\xbf");
        Reader { input, at: if marked { 3 } else { 0 }, depth: 0 }
    }

    /// The next byte that is no blank.
    pub(super) fn peek(&mut self) -> Option<u8> {
        while matches!(self.input.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        self.input.bytes.get(self.at).copied()
    }

    /// Where the next word is.
    pub(super) fn place_of_next(&mut self) -> Range<usize> {
        self.peek();
        self.at..(self.at + self.word_length().max(1)).min(self.input.bytes.len())
    }

    /// The letters and digits from here on.
    fn word_length(&self) -> usize {
        let rest = &self.input.bytes[self.at..];
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'.');
        rest.iter().position(|byte| !is_letter(byte)).unwrap_or(rest.len())
    }

    /// That something else was expected here.
    fn expected(&mut self, what: &str) -> InputError {
        let place = self.place_of_next();
        let found = match self.peek() {
            None => "the end of the file".to_owned(),
            Some(b'{') => "an object".to_owned(),
            Some(b'[') => "a list".to_owned(),
            Some(b'"') => "a text".to_owned(),
            Some(byte) if byte >= 0x80 => self.input.describe(self.at),
            Some(_) => quote(&self.input.bytes[place.clone()]),
        };
        self.input.error(place, format!("expected {what}, found {found}"))
    }

    fn take(&mut self, byte: u8, what: &str) -> Result<(), InputError> {
        if self.peek() != Some(byte) {
            return Err(self.expected(what));
        }
        self.at += 1;
        Ok(())
    }

    /// That the file ends here.
    pub(super) fn end(&mut self) -> Result<(), InputError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.expected("the end of the file")),
        }
    }

    fn enter(&mut self) -> Result<(), InputError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self
                .input
                .error(self.at..self.at + 1, "expected values that are not nested this deep"));
        }
        Ok(())
    }

    /// A list; `item` reads each of its values.
    pub(super) fn array(
        &mut self,
        what: &str,
        mut item: impl FnMut(&mut Self) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        self.take(b'[', what)?;
        self.enter()?;
        if self.peek() != Some(b']') {
            loop {
                item(self)?;
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b']') => break,
                    _ => return Err(self.expected("`,` or `]` after a value of a list")),
                }
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(())
    }

    /// An object; `member` reads the value of each of its keys.
    pub(super) fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, Text<'a>) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        self.take(b'{', "an object, which begins with `{`")?;
        self.enter()?;
        if self.peek() != Some(b'}') {
            loop {
                let key = self.string("a key in double quotes")?;
                self.take(b':', "`:` after a key")?;
                member(self, key)?;
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b'}') => break,
                    _ => return Err(self.expected("`,` or `}` after a value of an object")),
                }
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(())
    }

    /// Any value, and where it is.
    pub(super) fn skip(&mut self) -> Result<Range<usize>, InputError> {
        const VALUE: &str = "a value";
        let first = self.peek();
        let start = self.at;
        match first {
            Some(b'{') => self.object(|reader, _| reader.skip().map(|_| ()))?,
            Some(b'[') => self.array(VALUE, |reader| reader.skip().map(|_| ()))?,
            Some(b'"') => _ = self.string(VALUE)?,
            Some(_) => {
                let word = &self.input.bytes[self.at..self.at + self.word_length()];
                if !matches!(word, b"true" | b"false" | b"null") && !is_number(word) {
                    return Err(self.expected(VALUE));
                }
                self.at += word.len();
            }
            None => return Err(self.expected(VALUE)),
        }
        Ok(start..self.at)
    }

    /// `true` or `false`.
    pub(super) fn boolean(&mut self) -> Result<bool, InputError> {
        let place = self.place_of_next();
        let value = match &self.input.bytes[place.clone()] {
            b"true" => true,
            b"false" => false,
            _ => return Err(self.expected("true or false")),
        };
        self.at = place.end;
        Ok(value)
    }

    /// A text, or an integer as it is written.
    pub(super) fn name(&mut self, what: &str) -> Result<Text<'a>, InputError> {
        if self.peek() == Some(b'"') {
            return self.string(what);
        }
        let place = self.place_of_next();
        let word = &self.input.bytes[place.clone()];
        match std::str::from_utf8(word) {
            Ok(text) if is_number(word) && !word.iter().any(|byte| b".eE".contains(byte)) => {
                self.at = place.end;
                Ok(Text { text: Cow::Borrowed(text), place })
            }
            _ => Err(self.expected(what)),
        }
    }

    /// A text.
    pub(super) fn string(&mut self, what: &str) -> Result<Text<'a>, InputError> {
        self.take(b'"', what)?;
        let start = self.at - 1;
        let mut text: Option<String> = None;
        let mut piece = self.at;
        loop {
            match self.input.bytes.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    let owned = text.get_or_insert_default();
                    owned.push_str(utf8(self.input, piece..self.at)?);
                    owned.push(self.escape()?);
                    piece = self.at;
                }
                Some(byte) if *byte >= 0x20 => self.at += 1,
                found => {
                    let found = if found.is_some() { "a control character" } else { "the end of the file" };
                    let message = format!("expected the closing quote of a text, found {found}");
                    return Err(self.input.error(self.at..self.at, message));
                }
            }
        }
        let last = utf8(self.input, piece..self.at)?;
        self.at += 1;
        let text = match text {
            Some(text) => Cow::Owned(text + last),
            None => Cow::Borrowed(last),
        };
        Ok(Text { text, place: start..self.at })
    }

    fn escape(&mut self) -> Result<char, InputError> {
        let start = self.at;
        self.at += 2;
        let letter = match self.input.bytes.get(start + 1) {
            Some(letter @ (b'"' | b'\\' | b'/')) => *letter as char,
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let high = self.unit(start)?;
                let follows = self.input.bytes[self.at..].starts_with(b"\\u");
                let code = match high {
                    0xd800..=0xdbff if follows => {
                        self.at += 2;
                        match self.unit(start)? {
                            low @ 0xdc00..=0xdfff => 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00),
                            _ => return Err(self.bad_escape(start)),
                        }
                    }
                    _ => high,
                };
                char::from_u32(code).ok_or_else(|| self.bad_escape(start))?
            }
            _ => return Err(self.bad_escape(start)),
        };
        Ok(letter)
    }

    /// Four hexadecimal digits.
    fn unit(&mut self, start: usize) -> Result<u32, InputError> {
        let digits = self.input.bytes.get(self.at..self.at + 4).and_then(|d| std::str::from_utf8(d).ok());
        let is_plain = |digits: &&str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = digits.filter(is_plain).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let value = value.ok_or_else(|| self.bad_escape(start))?;
        self.at += 4;
        Ok(value)
    }

    fn bad_escape(&self, start: usize) -> InputError {
        let end = (start + 2).min(self.input.bytes.len());
        let found = quote(&self.input.bytes[start..end]);
        let message = format!("expected an escape such as \\n, \\\\ or \\u00e4, found {found}");
        self.input.error(start..end, message)
    }
}

fn utf8(input: Input<'_>, place: Range<usize>) -> Result<&str, InputError> {
    std::str::from_utf8(&input.bytes[place.clone()]).map_err(|error| {
        let start = place.start + error.valid_up_to();
        input.error(start..start + 1, "expected a text in UTF-8, found other bytes")
    })
}

/// Whether this is a number of JSON.
fn is_number(word: &[u8]) -> bool {
    let digits = |word: &[u8]| word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut rest = word.strip_prefix(b"-").unwrap_or(word);
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest[0] == b'0') {
        return false;
    }
    rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+")).unwrap_or(exponent);
        return !exponent.is_empty() && digits(exponent) == exponent.len();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(json: &str) -> Result<String, String> {
        let mut reader = Reader::new(Input::new("t", json.as_bytes()));
        reader.string("a text").map(|text| text.text.into_owned()).map_err(|error| error.to_string())
    }

    #[test]
    fn escapes_are_read() {
        assert_eq!(text(r#""a\n\"\\\/\u00e4\ud83d\ude00b""#).unwrap(), "a\n\"\\/ä😀b");
        assert!(text(r#""\ud83d""#).unwrap_err().starts_with("t:1:2: expected an escape"));
        assert!(text(r#""\x""#).is_err() && text(r#""\u12"#).is_err() && text("\"a").is_err());
    }

    #[test]
    fn numbers_are_those_of_json() {
        for number in ["0", "-1", "12", "1.5", "1e9", "2.0E-3"] {
            assert!(is_number(number.as_bytes()), "{number}");
        }
        for word in ["", "-", "01", "1.", ".5", "1e", "+1", "1x"] {
            assert!(!is_number(word.as_bytes()), "{word}");
        }
    }

    #[test]
    fn deep_values_are_refused() {
        let deep = "[".repeat(100_000);
        let error = Reader::new(Input::new("t", deep.as_bytes())).skip().unwrap_err();
        assert_eq!(error.to_string(), "t:1:102: expected values that are not nested this deep");
    }
}
