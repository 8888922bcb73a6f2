//! Lines and words. What the words refer to is checked line by line in [`check`](super::check), so that the first error
//! in the file is the one reported.

use super::{Line, MAX_WIDTH, Model, Operation, Operator, Reference, check::Checker, constant, model::Place};
use crate::{
    InputError,
    text::{Input, decimal, quote},
};
use propcov_ir::{Bits, Sort};
use std::{fmt::Display, ops::Range};

/// Words that begin a line and are no operators.
const STATEMENTS: &[&str] = &[
    "bad",
    "const",
    "constd",
    "consth",
    "constraint",
    "fair",
    "init",
    "input",
    "justice",
    "next",
    "one",
    "ones",
    "output",
    "sort",
    "state",
    "zero",
];

/// Whether a line may say this after its id.
pub(super) fn is_keyword(word: &[u8]) -> bool {
    std::str::from_utf8(word)
        .is_ok_and(|word| STATEMENTS.contains(&word) || Operator::from_keyword(word).is_some())
}

/// Reads a BTOR2 file; the path is only used in error messages.
pub fn parse(path: &str, bytes: &[u8]) -> Result<Model, InputError> {
    parse_input(Input::new(path, bytes))
}

pub(super) fn parse_input(input: Input<'_>) -> Result<Model, InputError> {
    let bytes = input.bytes;
    let mut checker = Checker::new(input);
    let mut model = Model::default();
    let (mut start, mut number) = (0, 0);
    while start < bytes.len() {
        let end = bytes[start..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| start + at);
        number += 1;
        input.go_on(number as usize)?;
        let mut words = Words::new(input, start..end);
        if !words.words.is_empty() {
            let line = line(&mut words, number, &checker)?;
            checker.check(&line)?;
            model.lines.push(line);
        }
        start = end + 1;
    }
    Ok(model)
}

/// The words of one line up to its comment.
struct Words<'a> {
    input: Input<'a>,
    words: Vec<Range<usize>>,
    next: usize,
    /// Where the line starts.
    start: usize,
    /// Where the words end.
    end: usize,
}

impl<'a> Words<'a> {
    fn new(input: Input<'a>, line: Range<usize>) -> Words<'a> {
        let words: Vec<Range<usize>> =
            input.words(line.clone()).take_while(|word| input.bytes[word.start] != b';').collect();
        let end = words.last().map_or(line.start, |word| word.end);
        Words { input, words, next: 0, start: line.start, end }
    }

    fn bytes(&self, word: &Range<usize>) -> &'a [u8] {
        &self.input.bytes[word.clone()]
    }

    fn word(&mut self, expected: impl Display) -> Result<Range<usize>, InputError> {
        let Some(word) = self.words.get(self.next) else {
            let message = format!("expected {expected}, found the end of the line");
            return Err(self.input.error(self.end..self.end, message));
        };
        self.next += 1;
        Ok(word.clone())
    }

    fn unexpected(&self, word: Range<usize>, expected: impl Display) -> InputError {
        let found = quote(self.bytes(&word));
        self.input.error(word, format!("expected {expected}, found {found}"))
    }

    /// A number from `least` to `greatest`.
    fn number(&mut self, expected: impl Display, least: u64, greatest: u64) -> Result<u64, InputError> {
        let word = self.word(&expected)?;
        let digits = self.bytes(&word);
        if !digits.iter().all(u8::is_ascii_digit) {
            return Err(self.unexpected(word, &expected));
        }
        match decimal(digits) {
            Some(number) if (least..=greatest).contains(&number) => Ok(number),
            _ => Err(self.unexpected(word, format_args!("{expected} (a number from {least} to {greatest})"))),
        }
    }

    fn id(&mut self, expected: impl Display) -> Result<u64, InputError> {
        self.number(expected, 1, i64::MAX as u64)
    }

    fn reference(&mut self, expected: impl Display) -> Result<Reference, InputError> {
        let word = self.word(&expected)?;
        let (negated, digits) = match self.bytes(&word) {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        match decimal(digits) {
            Some(id @ 1..) if id <= i64::MAX as u64 => Ok(Reference { id, negated }),
            _ => Err(self.unexpected(word, format_args!("{expected} (the id of a node)"))),
        }
    }
}

fn line(words: &mut Words<'_>, number: u32, checker: &Checker<'_>) -> Result<Line, InputError> {
    let start = words.words[0].start;
    let id = words.id("a node's id")?;
    checker.check_id(id, words.words[0].clone())?;
    let word = words.word("what the node is (`sort`, `input`, `add`, …)")?;
    let keyword = std::str::from_utf8(words.bytes(&word)).unwrap_or_default();
    let operation = match Operator::from_keyword(keyword) {
        Some(operator) => apply(words, operator)?,
        None => statement(words, keyword, word, checker)?,
    };
    let symbol = match words.words.get(words.next).cloned() {
        None => None,
        Some(word) => {
            words.next += 1;
            Some(String::from_utf8_lossy(words.bytes(&word)).into_owned())
        }
    };
    if let Some(word) = words.words.get(words.next).cloned() {
        return Err(words.unexpected(word, "the end of the line after the symbol"));
    }
    let characters = |bytes| String::from_utf8_lossy(bytes).chars().count() as u32;
    let column = characters(&words.input.bytes[words.start..start]) + 1;
    let end_column = column + characters(&words.input.bytes[start..words.end]) - 1;
    let place = Place { line: number, column, end_column, start, end: words.end };
    Ok(Line { id, operation, symbol, place })
}

fn apply(words: &mut Words<'_>, operator: Operator) -> Result<Operation, InputError> {
    let keyword = operator.keyword();
    let sort = words.id(format_args!("the sort of `{keyword}`"))?;
    let (operands, indices) = operator.shape().arity();
    let operands = (0..operands)
        .map(|position| words.reference(format_args!("the {} operand of `{keyword}`", ordinal(position))))
        .collect::<Result<_, _>>()?;
    let indices = (0..indices)
        .map(|position| {
            let what = match (keyword, position) {
                ("slice", 0) => "the upper index of `slice`".to_owned(),
                ("slice", _) => "the lower index of `slice`".to_owned(),
                _ => format!("the number of bits that `{keyword}` adds"),
            };
            words.number(&what, 0, u64::from(MAX_WIDTH)).map(|number| number as u32)
        })
        .collect::<Result<_, _>>()?;
    Ok(Operation::Apply { operator, sort, operands, indices })
}

fn statement(
    words: &mut Words<'_>,
    keyword: &str,
    word: Range<usize>,
    checker: &Checker<'_>,
) -> Result<Operation, InputError> {
    Ok(match keyword {
        "sort" => Operation::Sort(sort(words, checker)?),
        "input" => Operation::Input { sort: words.id("the sort of the input")? },
        "state" => Operation::State { sort: words.id("the sort of the state")? },
        "const" | "constd" | "consth" | "zero" | "one" | "ones" => constant(words, keyword, checker)?,
        "init" => {
            let sort = words.id("the sort of the state")?;
            let state = words.reference("a state")?;
            Operation::Init { sort, state, value: words.reference("the state's initial value")? }
        }
        "next" => {
            let sort = words.id("the sort of the state")?;
            let state = words.reference("a state")?;
            Operation::Next { sort, state, value: words.reference("the state's next value")? }
        }
        "bad" => Operation::Bad(words.reference("the bad condition")?),
        "constraint" => Operation::Constraint(words.reference("the constraint")?),
        "fair" => Operation::Fair(words.reference("the fairness condition")?),
        "output" => Operation::Output(words.reference("the output")?),
        "justice" => {
            let count = words.number("the number of justice conditions", 1, u64::from(u32::MAX))?;
            // Each condition is a word of this line, so the number cannot lie for long.
            let conditions = (0..count).map(|_| words.reference("a justice condition"));
            Operation::Justice(conditions.collect::<Result<_, _>>()?)
        }
        _ => return Err(words.unexpected(word, "a keyword of BTOR2 (`sort`, `input`, `add`, …)")),
    })
}

fn sort(words: &mut Words<'_>, checker: &Checker<'_>) -> Result<Sort, InputError> {
    let word = words.word("`bitvec` or `array`")?;
    match words.bytes(&word) {
        b"bitvec" => {
            Ok(Sort::BitVec(words.number("the width of the bit-vector", 1, u64::from(MAX_WIDTH))? as u32))
        }
        b"array" => {
            let mut part = |what: &str| {
                let id = words.id(what)?;
                let place = words.words[words.next - 1].clone();
                match checker.sort(id, place.clone())? {
                    sort @ Sort::BitVec(_) => Ok(sort.clone()),
                    _ => Err(words
                        .input
                        .error(place, format!("expected {what}, a bit-vector, found an array"))),
                }
            };
            let index = part("the sort of the index")?;
            Ok(Sort::array(index, part("the sort of the elements")?))
        }
        _ => Err(words.unexpected(word, "`bitvec` or `array`")),
    }
}

fn constant(words: &mut Words<'_>, keyword: &str, checker: &Checker<'_>) -> Result<Operation, InputError> {
    let sort = words.id("the sort of the constant")?;
    let place = words.words[words.next - 1].clone();
    let Sort::BitVec(width) = *checker.sort(sort, place.clone())? else {
        return Err(words
            .input
            .error(place, format!("`{keyword}` expects a bit-vector sort, found an array")));
    };
    let value = match keyword {
        "zero" => Bits::zero(width),
        "one" => Bits::from_u64(width, 1),
        "ones" => Bits::ones(width),
        _ => {
            let word = words.word("the value of the constant")?;
            let text = std::str::from_utf8(words.bytes(&word)).unwrap_or_default();
            match constant::value(keyword, text, width) {
                Ok(value) => value,
                Err(expected) => return Err(words.unexpected(word, expected)),
            }
        }
    };
    Ok(Operation::Constant { sort, value })
}

/// "first", "second", "third".
pub(super) fn ordinal(position: usize) -> &'static str {
    ["first", "second", "third"].get(position).copied().unwrap_or("next")
}
