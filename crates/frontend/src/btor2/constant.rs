//! Literal values in binary, decimal and hexadecimal.

use dashu_int::{IBig, UBig, ops::BitTest};
use propcov_ir::Bits;

/// The value of a constant line, or what should have been there instead of the word.
pub(super) fn value(keyword: &str, word: &str, width: u32) -> Result<Bits, String> {
    match keyword {
        "const" => binary(word, width),
        "consth" => hexadecimal(word, width),
        _ => decimal(word, width),
    }
}

fn binary(word: &str, width: u32) -> Result<Bits, String> {
    if word.len() != width as usize || !word.bytes().all(|byte| matches!(byte, b'0' | b'1')) {
        return Err(format!("exactly {width} binary digits for sort bitvec {width}"));
    }
    Ok(Bits::from_bits(word.bytes().rev().map(|byte| byte == b'1')))
}

fn hexadecimal(word: &str, width: u32) -> Result<Bits, String> {
    let expected = || format!("a hexadecimal number below 2^{width}");
    // Longer than any number that fits: not worth converting.
    let digits = word.trim_start_matches('0');
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_hexdigit()) || digits.len() > width as usize
    {
        return Err(expected());
    }
    let digits = if digits.is_empty() { "0" } else { digits };
    match UBig::from_str_radix(digits, 16) {
        Ok(value) if value.bit_len() <= width as usize => Ok(Bits::new(width, value)),
        _ => Err(expected()),
    }
}

fn decimal(word: &str, width: u32) -> Result<Bits, String> {
    let expected = || format!("a decimal number from -2^{} to 2^{width} - 1", width - 1);
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word),
    };
    let significant = digits.trim_start_matches('0');
    if digits.is_empty()
        || !digits.bytes().all(|byte| byte.is_ascii_digit())
        || significant.len() > width as usize
    {
        return Err(expected());
    }
    let significant = if significant.is_empty() { "0" } else { significant };
    let Ok(value) = UBig::from_str_radix(significant, 10) else { return Err(expected()) };
    if !negative {
        return if value.bit_len() <= width as usize { Ok(Bits::new(width, value)) } else { Err(expected()) };
    }
    let least = UBig::ONE << (width as usize - 1);
    if value > least { Err(expected()) } else { Ok(Bits::from_signed(width, &-IBig::from(value))) }
}
