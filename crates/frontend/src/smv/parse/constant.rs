//! Constants: `42`, and words such as `0ub8_1010`, `0sd16_7` and `0h_ff`, which have a sign, a base, a width in decimal and
//! digits. Without a width each digit counts for the bits of its base.

use super::{
    super::{lexer::Token, syntax::ExprKind},
    Parser, Tree,
};
use crate::InputError;
use dashu_int::{IBig, UBig, ops::BitTest};
use dashu_ratio::RBig;

/// The greatest exponent of ten.
const MAX_EXPONENT: usize = 1000;

impl Parser<'_> {
    /// A decimal number.
    pub(super) fn integer(&mut self) -> Result<Tree, InputError> {
        let place = self.advance();
        match IBig::from_str_radix(&self.text(&place), 10) {
            Ok(value) => Ok(Tree::leaf(ExprKind::Integer(value), place)),
            Err(_) => Err(self.error(place, "this is not a decimal number")),
        }
    }

    /// A number that need not be an integer.
    pub(super) fn decimal(&mut self) -> Result<Tree, InputError> {
        let place = self.advance();
        match rational(&self.text(&place)) {
            Some(value) => Ok(Tree::leaf(ExprKind::Real(value), place)),
            None => Err(self.error(place, "this number has too many digits, or a denominator of 0")),
        }
    }

    /// A number of steps.
    pub(super) fn steps(&mut self, expected: &str) -> Result<u32, InputError> {
        let place = self.expect(Token::Number, expected)?;
        self.text(&place).parse().map_err(|_| self.error(place, "this number of steps is too large"))
    }

    /// A constant of a word type.
    pub(super) fn word_constant(&mut self) -> Result<Tree, InputError> {
        let place = self.advance();
        match word(&self.text(&place)) {
            Ok(kind) => Ok(Tree::leaf(kind, place)),
            Err(message) => Err(self.error(place, message)),
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

/// The value of `1.5`, `2e-3` or `f'1/3`.
fn rational(text: &str) -> Option<RBig> {
    let integer = |digits: &str| IBig::from_str_radix(digits, 10).ok();
    if let Some(fraction) = text.strip_prefix(['f', 'F']).and_then(|rest| rest.strip_prefix('\'')) {
        let (above, below) = fraction.split_once('/')?;
        let below = UBig::from_str_radix(below, 10).ok().filter(|below| *below != UBig::ZERO)?;
        return Some(RBig::from_parts(integer(above)?, below));
    }
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let above = integer(&format!("{whole}{part}"))?;
    let shift = exponent.checked_sub(i64::try_from(part.len()).ok()?)?;
    let by = usize::try_from(shift.unsigned_abs()).ok().filter(|by| *by <= MAX_EXPONENT)?;
    let power = UBig::from(10_u8).pow(by);
    Some(if shift < 0 { RBig::from_parts(above, power) } else { RBig::from(above * IBig::from(power)) })
}
