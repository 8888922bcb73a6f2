//! Memories that begin with what is in a file: `$readmemh`, `$readmemb` (IEEE 1800-2023, 21.4). The exporter ships the file with the design.

use super::machine::{Context, Machine, Slot};
use super::record::{At, ExprKind, ExprRef, FileRef, Load, SymbolRef};
use super::types::Bounds;
use super::variable::{Memory, Variable, index_width};
use crate::InputError;
use propcov_ir::{ArrayValue, Bits, ExprId, Sort, TernaryOp, Value};
use std::collections::BTreeMap;
use std::ops::Range;

/// Something in a file of words.
#[derive(Debug, PartialEq, Eq)]
enum Word {
    /// Where the next word goes.
    Address(u64),
    /// Binary digits, which may be `x` or `z`.
    Digits(String),
}

/// What is wrong with a piece of a file.
type Wrong = (Range<usize>, &'static str);

/// The words of a file, with their places.
fn words(bytes: &[u8], is_binary: bool) -> Result<Vec<(Word, Range<usize>)>, Wrong> {
    let (mut all, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let rest = &bytes[at..];
        if rest[0].is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with(b"//") {
            at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            let end = rest.windows(2).skip(2).position(|pair| pair == b"*/");
            at += end.ok_or((at..at + 2, "this comment has no end"))? + 4;
        } else {
            let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'/';
            let length = rest.iter().skip(1).position(is_end).map_or(rest.len(), |length| length + 1);
            let place = at..at + length;
            let word = word(&rest[..length], is_binary).ok_or((place.clone(), expected(is_binary)))?;
            all.push((word, place));
            at += length;
        }
    }
    Ok(all)
}

fn expected(is_binary: bool) -> &'static str {
    if is_binary {
        "expected binary digits, or @ and an address"
    } else {
        "expected hexadecimal digits, or @ and an address"
    }
}

fn word(text: &[u8], is_binary: bool) -> Option<Word> {
    let text = std::str::from_utf8(text).ok()?;
    if let Some(address) = text.strip_prefix('@') {
        return u64::from_str_radix(address, 16).ok().map(Word::Address);
    }
    let mut digits = String::new();
    for character in text.chars().filter(|character| *character != '_') {
        match (character.to_ascii_lowercase(), is_binary) {
            (unknown @ ('x' | 'z'), _) => {
                digits.extend(std::iter::repeat_n(unknown, if is_binary { 1 } else { 4 }));
            }
            (digit @ ('0' | '1'), true) => digits.push(digit),
            (digit, false) => digits.push_str(&format!("{:04b}", digit.to_digit(16)?)),
            _ => return None,
        }
    }
    (!digits.is_empty()).then_some(Word::Digits(digits))
}

/// An array that words go into.
struct Rows {
    symbol: SymbolRef,
    bounds: Bounds,
    width: u32,
}

impl Machine<'_> {
    /// Fills an array with the words of a file.
    pub(super) fn load(&mut self, load: &Load, at: At) -> Result<ExprId, InputError> {
        if self.context != Context::Start {
            return self.error(at, "reading a file is only supported in `initial`");
        }
        let Some(file) = load.file else {
            let name = load.name.as_deref().unwrap_or("a file whose name is no constant");
            return self.error(at, format!("{name} cannot be read"));
        };
        let rows = self.rows(load.target)?;
        let export = self.export;
        let (low, high) = (rows.bounds.left.min(rows.bounds.right), rows.bounds.left.max(rows.bounds.right));
        let limits = [self.limit(load.bounds.first(), low)?, self.limit(load.bounds.get(1), high)?];
        let words = words(&export.files[file.index()].bytes, load.is_binary)
            .map_err(|(place, message)| self.places.error(within(file, &place), message))?;
        let step = if limits[0] <= limits[1] { 1 } else { -1 };
        let range =
            limits[0].min(limits[1]).max(i64::from(low))..=limits[0].max(limits[1]).min(i64::from(high));
        let (mut next, mut values) = (limits[0], BTreeMap::new());
        for (word, place) in words {
            let here = within(file, &place);
            match word {
                Word::Address(address) => next = i64::try_from(address).unwrap_or(i64::MAX),
                Word::Digits(_) if !range.contains(&next) => {
                    return self.error(here, format!("there is no element {next} to read this word into"));
                }
                Word::Digits(digits) => {
                    let value = self.row(&digits, rows.width, here)?;
                    values.insert(rows.bounds.distance(next) as u32, value);
                    next = next.saturating_add(step);
                }
            }
        }
        self.fill(&rows, &values)?;
        Ok(self.bool(false))
    }

    fn rows(&self, target: ExprRef) -> Result<Rows, InputError> {
        let at = self.export.expr(target).at;
        let ExprKind::Value(symbol) = self.export.expr(target).what else {
            return self.error(at, "only whole arrays are read from files");
        };
        self.check_size(symbol)?;
        match self.export.symbol_type(symbol).unpacked_element() {
            Some((element, bounds)) if self.export.ty(element).unpacked_element().is_none() => {
                Ok(Rows { symbol, bounds, width: self.export.ty(element).width })
            }
            _ => self.error(at, "only arrays of one dimension are read from files"),
        }
    }

    /// The first or last element that is read.
    fn limit(&mut self, given: Option<&ExprRef>, otherwise: i32) -> Result<i64, InputError> {
        let Some(given) = given else { return Ok(otherwise.into()) };
        let value = self.eval(*given)?;
        let signed = self.export.type_of(*given).signed;
        let number = match self.known(value) {
            Some(Value::Bits(bits)) if signed => i64::try_from(&bits.signed()).ok(),
            Some(Value::Bits(bits)) => i64::try_from(bits.unsigned()).ok(),
            _ => None,
        };
        match number {
            Some(number) => Ok(number),
            None => self.error(self.export.expr(*given).at, "expected a constant"),
        }
    }

    /// A word as wide as an element. Zeros in front may be missing, or too many.
    fn row(&mut self, digits: &str, width: u32, at: At) -> Result<ExprId, InputError> {
        let excess = digits.len().saturating_sub(width as usize);
        let (front, digits) = digits.split_at(excess);
        if front.contains('1') {
            return self.error(at, format!("this word has more than {width} bits"));
        }
        self.literal(digits, width, at)
    }

    fn fill(&mut self, rows: &Rows, values: &BTreeMap<u32, ExprId>) -> Result<(), InputError> {
        let slot = Slot::Now(rows.symbol);
        let constants: Option<Vec<Bits>> =
            values.values().map(|value| self.constant(*value).cloned()).collect();
        let all = constants.filter(|constants| constants.len() as u64 == u64::from(rows.bounds.count()));
        let value = match (self.variables[rows.symbol.index()].clone(), all) {
            (Variable::Memory(memory), Some(all)) => self.constant_array(&memory, all),
            (Variable::Memory(memory), None) => {
                let mut array = self.or_before(self.values.get(slot), slot)?;
                for (position, value) in values {
                    let address = self.bits(index_width(memory.bounds[0]), u64::from(*position));
                    let written = self.system.exprs.ternary(TernaryOp::Write, array, address, *value);
                    let Ok(written) = written else {
                        return self.symbol_error(rows.symbol, "a memory of another width".to_owned());
                    };
                    array = written;
                }
                array
            }
            (Variable::Word(_), Some(all)) => {
                let bits = all.iter().flat_map(|bits| (0..bits.width()).map(|bit| bits.bit(bit)));
                self.system.exprs.constant(Value::Bits(Bits::from_bits(bits)))
            }
            (Variable::Word(_), None) => {
                let mut word = self.or_before(self.values.get(slot), slot)?;
                for (position, value) in values {
                    word = self.insert_fixed(word, i64::from(position * rows.width), *value);
                }
                word
            }
        };
        self.values.set(slot, Some(value));
        let ranges = values.keys().map(|position| (position * rows.width, rows.width));
        self.assigned.entry(slot).or_default().extend(ranges);
        Ok(())
    }

    fn constant_array(&mut self, memory: &Memory, all: Vec<Bits>) -> ExprId {
        let Sort::Array(sort) = memory.sort() else { unreachable!("a memory is an array") };
        let width = index_width(memory.bounds[0]);
        let mut array = ArrayValue::constant(sort, Value::Bits(Bits::zero(memory.element)));
        for (position, value) in (0u64..).zip(all) {
            array.write(Value::Bits(Bits::from_u64(width, position)), Value::Bits(value));
        }
        self.system.exprs.constant(Value::Array(array))
    }
}

/// A piece of a file of words.
fn within(file: FileRef, place: &Range<usize>) -> At {
    At(file, place.start as u32, place.end as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_comments_addresses_and_underscores() {
        let read = |text: &str, is_binary| {
            words(text.as_bytes(), is_binary)
                .map(|all| all.into_iter().map(|(word, _)| word).collect::<Vec<_>>())
        };
        let digits = |text: &str| Word::Digits(text.to_owned());
        assert_eq!(
            read("// 1\n1_f/* 2 */@1F\n x", false),
            Ok(vec![digits("00011111"), Word::Address(31), digits("xxxx")])
        );
        assert_eq!(read("01_1z\t0", true), Ok(vec![digits("011z"), digits("0")]));
        assert_eq!(read("01 2", true), Err((3..4, expected(true))));
        assert_eq!(read("0 /* a", false), Err((2..4, "this comment has no end")));
        assert_eq!(read("@ 1", false), Err((0..1, expected(false))));
        assert_eq!(read("/**/ \u{fc}", false), Err((5..7, expected(false))));
    }
}
