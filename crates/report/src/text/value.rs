//! Values of signals in a few characters: words in hexadecimal, reals as decimals where that is exact.

use crate::terminal::{columns, printable};
use dashu_int::UBig;
use propcov_result::{Trace, TraceSignalKind};

/// The widest value, in columns.
pub(super) const WIDEST: usize = 18;

/// How truth values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    /// 0 and 1.
    Digits,
    /// `false` and `true`.
    Words,
}

impl Truth {
    /// As they are written in the language of a run: dataflow programs have variables and no states.
    pub(super) fn of(trace: &Trace) -> Truth {
        let has_states = trace.signals.iter().any(|signal| signal.kind == TraceSignalKind::State);
        if has_states { Truth::Digits } else { Truth::Words }
    }
}

/// A value of a sort, as people read it.
pub(super) fn short(sort: &str, value: &str, truth: Truth) -> String {
    let text = match (sort, value, truth) {
        ("bool" | "bitvec 1", "0" | "false", Truth::Words) => "false".to_owned(),
        ("bool" | "bitvec 1", "1" | "true", Truth::Words) => "true".to_owned(),
        ("bool", "false", Truth::Digits) => "0".to_owned(),
        ("bool", "true", Truth::Digits) => "1".to_owned(),
        ("real", value, _) => decimal(value).unwrap_or_else(|| value.to_owned()),
        (sort, value, _) if is_word(sort) => hexadecimal(value),
        (_, value, _) => value.to_owned(),
    };
    cut(&printable(&text))
}

/// Whether values of a sort are shown in hexadecimal, so that it matters to know.
pub(super) fn is_word(sort: &str) -> bool {
    sort.strip_prefix("bitvec ").is_some_and(|width| width != "1")
}

fn cut(text: &str) -> String {
    if columns(text) <= WIDEST {
        return text.to_owned();
    }
    let mut kept = String::new();
    for character in text.chars() {
        let longer = format!("{kept}{character}");
        if columns(&longer) >= WIDEST {
            break;
        }
        kept = longer;
    }
    kept + "…"
}

fn hexadecimal(binary: &str) -> String {
    if binary.is_empty() || !binary.bytes().all(|bit| matches!(bit, b'0' | b'1')) {
        return binary.to_owned();
    }
    let first = match binary.len() % 4 {
        0 => 4,
        some => some,
    };
    let (first, rest) = binary.split_at(first);
    let digits = std::iter::once(first.as_bytes()).chain(rest.as_bytes().chunks(4));
    let digit = |bits: &[u8]| bits.iter().fold(0, |value, bit| 2 * value + u32::from(*bit == b'1'));
    digits.filter_map(|bits| char::from_digit(digit(bits), 16)).collect()
}

/// A fraction or whole number as a decimal number, if that is exact.
fn decimal(value: &str) -> Option<String> {
    let (sign, value) = match value.strip_prefix('-') {
        Some(value) => ("-", value),
        None => ("", value),
    };
    let (numerator, denominator) = value.split_once('/').unwrap_or((value, "1"));
    let number = |digits: &str| {
        let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_plain { UBig::from_str_radix(digits, 10).ok() } else { None }
    };
    let (mut numerator, mut denominator) = (number(numerator)?, number(denominator)?);
    let mut places = 0;
    while denominator > UBig::ONE {
        // One more place: a factor of ten, of which the denominator takes what it can.
        let before = denominator.clone();
        for prime in [2_u8, 5] {
            let prime = UBig::from(prime);
            if (&denominator % &prime).is_zero() {
                denominator /= prime;
            } else {
                numerator *= prime;
            }
        }
        if denominator == before {
            return None;
        }
        places += 1;
    }
    if denominator.is_zero() {
        return None;
    }
    let digits = numerator.to_string();
    let digits = format!("{}{digits}", "0".repeat((places + 1_usize).saturating_sub(digits.len())));
    let (whole, fraction) = digits.split_at(digits.len() - places);
    Some(format!("{sign}{whole}.{}", if fraction.is_empty() { "0" } else { fraction }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_are_decimals_where_that_is_exact() {
        let numbers =
            ["0", "7", "-7", "1/2", "-1/20", "25/2", "1/3", "-22/7", "1/1024", "1001/1000", "1/0", "x"];
        let expected = [
            "0.0",
            "7.0",
            "-7.0",
            "0.5",
            "-0.05",
            "12.5",
            "1/3",
            "-22/7",
            "0.0009765625",
            "1.001",
            "1/0",
            "x",
        ];
        assert_eq!(numbers.map(|number| short("real", number, Truth::Digits)), expected);
    }

    #[test]
    fn words_are_hexadecimal_and_too_long_ones_are_cut() {
        assert_eq!(short("bitvec 12", "000000001010", Truth::Digits), "00a");
        assert_eq!(short("bitvec 5", "10001", Truth::Words), "11");
        assert_eq!(short("bitvec 1", "1", Truth::Digits), "1");
        let long = short("bitvec 400", &"1".repeat(400), Truth::Digits);
        assert_eq!((columns(&long), long.ends_with('…')), (WIDEST, true));
    }

    #[test]
    fn truth_is_written_as_the_language_writes_it() {
        for value in ["1", "true"] {
            assert_eq!(short("bool", value, Truth::Words), "true");
            assert_eq!(short("bool", value, Truth::Digits), "1");
        }
    }
}
