//! Products as text: `turn = 1 & state1 != idle & count in {1, 3..5} & !flag & word = 0b1??0`.
//!
//! Values are written as the user wrote them where they have names. Words of up to 16 bits are decimal numbers, wider ones hexadecimal; bits with
//! gaps are binary, or the slices that are not gaps. Of several ways to write the same, the shortest is taken.

use super::{CubeLiteral, StateCube, Values};
use dashu_int::UBig;
use propcov_ir::{Bits, Sort, Value};
use std::fmt;

/// Words of more bits than this are hexadecimal.
const DECIMAL: u32 = 16;

impl fmt::Display for StateCube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, literal) in self.literals.iter().enumerate() {
            write!(f, "{}{literal}", if index == 0 { "" } else { " & " })?;
        }
        if self.literals.is_empty() { write!(f, "true") } else { Ok(()) }
    }
}

impl fmt::Display for CubeLiteral {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = &self.label;
        let text = match &self.values {
            Values::Among(values) => among(label, &self.sort, values),
            Values::Range(low, high) => range(label, &self.sort, low, high),
            Values::Pattern(bits) => pattern(label, bits),
        };
        write!(f, "{text}")
    }
}

/// How long the text is.
pub(super) fn literal_length(literal: &CubeLiteral) -> usize {
    literal.to_string().chars().count()
}

fn among(label: &str, sort: &Sort, values: &[Value]) -> String {
    if let (Sort::BitVec(1), [value]) = (sort, values) {
        let sign = if value.as_bool() == Some(true) { "" } else { "!" };
        return format!("{sign}{label}");
    }
    let domain = domain(sort);
    let excluded: Vec<Value> = domain.iter().filter(|value| !values.contains(value)).cloned().collect();
    let mut texts = vec![match values {
        [] => format!("{label} in {{}}"),
        [value] => format!("{label} = {}", written(value)),
        _ => format!("{label} in {{{}}}", listed(values)),
    }];
    if let ([low, .., high], [run]) = (values, &runs(values)[..])
        && run.len() == values.len()
    {
        texts.push(range(label, sort, low, high));
    }
    match &excluded[..] {
        // Nothing is left to say, or the values are not of this sort.
        [] => {}
        [value] => texts.push(format!("{label} != {}", written(value))),
        several => texts.push(format!("{label} not in {{{}}}", listed(several))),
    }
    // The first of the shortest.
    texts.into_iter().min_by_key(|text| text.chars().count()).unwrap_or_default()
}

/// All values of a sort that has few.
fn domain(sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::Enum(variants) if variants.variants.len() <= 64 => {
            (0..variants.variants.len() as u32).map(|at| Value::Enum(variants.clone(), at)).collect()
        }
        Sort::BitVec(width @ 1..=6) => {
            (0..1 << width).map(|value| Value::Bits(Bits::from_u64(*width, value))).collect()
        }
        _ => Vec::new(),
    }
}

fn range(label: &str, sort: &Sort, low: &Value, high: &Value) -> String {
    let is_end = |value: &Value, last: bool| match (value, sort) {
        (Value::Bits(bits), _) if last => *bits == Bits::ones(bits.width()),
        (Value::Bits(bits), _) => !bits.is_nonzero(),
        (Value::Enum(_, at), Sort::Enum(sort)) if last => *at as usize + 1 == sort.variants.len(),
        (Value::Enum(_, at), _) => *at == 0,
        _ => false,
    };
    let are_numbers = number(low).is_some() && number(high).is_some();
    let (from, to) = (written(low), written(high));
    if low == high {
        format!("{label} = {from}")
    } else if are_numbers && is_end(low, false) {
        format!("{label} <= {to}")
    } else if are_numbers && is_end(high, true) {
        format!("{label} >= {from}")
    } else {
        format!("{label} in {from}..{to}")
    }
}

/// Values with commas, and runs of three or more numbers by their ends.
fn listed(values: &[Value]) -> String {
    let mut parts = Vec::new();
    for run in runs(values) {
        match run {
            [low, _, .., high] => parts.push(format!("{}..{}", written(low), written(high))),
            run => parts.extend(run.iter().map(written)),
        }
    }
    parts.join(", ")
}

/// Splits values where a number does not follow the one before.
fn runs(values: &[Value]) -> Vec<&[Value]> {
    let follows = |a: &Value, b: &Value| match (number(a), number(b)) {
        (Some(a), Some(b)) => a.checked_add(1) == Some(b),
        _ => false,
    };
    values.chunk_by(follows).collect()
}

/// The number that a value is, if it is not too large.
fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Bits(bits) => i128::try_from(bits.unsigned()).ok(),
        Value::Enum(sort, at) => sort.variants.get(*at as usize)?.parse().ok(),
        _ => None,
    }
}

fn written(value: &Value) -> String {
    match value {
        Value::Bits(bits) => word(bits.width(), bits.unsigned()),
        other => other.to_string(),
    }
}

fn word(width: u32, value: &UBig) -> String {
    if width <= DECIMAL { value.to_string() } else { format!("{value:#x}") }
}

fn pattern(label: &str, bits: &[Option<bool>]) -> String {
    if bits.iter().all(Option::is_some) {
        let value = Bits::from_bits(bits.iter().map(|bit| *bit == Some(true)));
        return format!("{label} = {}", word(value.width(), value.unsigned()));
    }
    let digit = |bit: &Option<bool>| match bit {
        None => '?',
        Some(true) => '1',
        Some(false) => '0',
    };
    let binary = format!("{label} = 0b{}", bits.iter().rev().map(digit).collect::<String>());
    let slices = slices(label, bits);
    if slices.chars().count() < binary.chars().count() { slices } else { binary }
}

/// The known bits of a word, run by run, the most significant first.
fn slices(label: &str, bits: &[Option<bool>]) -> String {
    let mut parts = Vec::new();
    let mut end = bits.len();
    for run in bits.chunk_by(|a, b| a.is_some() == b.is_some()).rev() {
        let start = end - run.len();
        let known: Vec<bool> = run.iter().flatten().copied().collect();
        match known[..] {
            [] => {}
            [bit] => parts.push(format!("{}{label}[{start}]", if bit { "" } else { "!" })),
            _ => {
                let value = Bits::from_bits(known);
                let value = word(value.width(), value.unsigned());
                parts.push(format!("{label}[{}:{start}] = {value}", end - 1));
            }
        }
        end = start;
    }
    parts.join(" & ")
}
