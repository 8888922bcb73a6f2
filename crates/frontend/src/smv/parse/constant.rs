//! Constants: `42`, and words such as `0ub8_1010`, `0sd16_7` and `0h_ff`, which have a sign, a base, a width in decimal and
//! digits. Without a width each digit counts for the bits of its base.

use super::{
    super::{lexer::Token, syntax::ExprKind},
    Parser, Tree,
};
use crate::InputError;
use dashu_int::{IBig, UBig, ops::BitTest};

impl Parser<'_> {
    /// A decimal number.
    pub(super) fn integer(&mut self) -> Result<Tree, InputError> {
        let place = self.advance();
        match IBig::from_str_radix(&self.text(&place), 10) {
            Ok(value) => Ok(Tree::leaf(ExprKind::Integer(value), place)),
            Err(_) => Err(self.input.error(place, "this is not a decimal number")),
        }
    }

    /// A number of steps.
    pub(super) fn steps(&mut self, expected: &str) -> Result<u32, InputError> {
        let place = self.expect(Token::Number, expected)?;
        self.text(&place).parse().map_err(|_| self.input.error(place, "this number of steps is too large"))
    }

    /// A constant of a word type.
    pub(super) fn word_constant(&mut self) -> Result<Tree, InputError> {
        let place = self.advance();
        match word(&self.text(&place)) {
            Ok(kind) => Ok(Tree::leaf(kind, place)),
            Err(message) => Err(self.input.error(place, message)),
        }
    }
}

/// The meaning of a word constant; the lexer has made sure of its shape.
fn word(text: &str) -> Result<ExprKind, String> {
    let (head, digits) = text.split_once('_').ok_or("this word constant has no `_` before its digits")?;
    let head = &head[1..];
    let signed = head.starts_with('s');
    let head = head.trim_start_matches(['s', 'u']);
    let (radix, bits, base) = match head.as_bytes().first() {
        Some(b'b' | b'B') => (2, 1, "binary"),
        Some(b'o' | b'O') => (8, 3, "octal"),
        Some(b'h' | b'H') => (16, 4, "hexadecimal"),
        _ => (10, 0, "decimal"),
    };
    let digits: String = digits.chars().filter(|digit| *digit != '_').collect();
    if digits.is_empty() {
        return Err("this word constant has no digits".to_owned());
    }
    if let Some(wrong) = digits.chars().find(|digit| !digit.is_digit(radix)) {
        return Err(format!("`{wrong}` is not a {base} digit"));
    }
    let value = UBig::from_str_radix(&digits, radix).map_err(|_| format!("this is not a {base} number"))?;
    let width: u32 = match &head[1..] {
        "" if bits == 0 => return Err("a decimal word constant needs a width, as in `0ud8_12`".to_owned()),
        "" => u32::try_from(digits.len() * bits).map_err(|_| "this word constant has too many digits")?,
        width => width.parse().map_err(|_| "this width is too large")?,
    };
    if width == 0 {
        return Err("a word has at least one bit".to_owned());
    }
    let needed = value.bit_len();
    if needed > width as usize {
        return Err(format!("this number needs {needed} bits, more than the width {width}"));
    }
    let negative = signed && needed == width as usize;
    if negative && radix == 10 && value != UBig::ONE << (needed - 1) {
        return Err(format!("this number is too large for a signed word of width {width}"));
    }
    let value = IBig::from(value);
    let value = if negative { value - (IBig::ONE << needed) } else { value };
    Ok(ExprKind::Word(width, signed, value))
}
