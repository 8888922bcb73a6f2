//! The lines of an Aldebaran file.

use crate::{
    InputError,
    text::{Input, decimal, quote},
};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What the file has.
pub(super) struct System {
    /// Where the word `des` is.
    pub(super) header_at: Range<usize>,
    /// The first state.
    pub(super) first: u64,
    /// Where the header names it.
    pub(super) first_at: Range<usize>,
    /// How many states there are, if the header is right.
    pub(super) states: u64,
    /// Where the header says so.
    pub(super) states_at: Range<usize>,
    /// The texts of the actions.
    pub(super) actions: Vec<String>,
    /// All lines.
    pub(super) transitions: Vec<Transition>,
}

/// One line.
pub(super) struct Transition {
    pub(super) from: u64,
    pub(super) action: u32,
    pub(super) to: u64,
    /// Where the three are.
    pub(super) from_at: Range<usize>,
    pub(super) action_at: Range<usize>,
    pub(super) to_at: Range<usize>,
}

pub(super) fn parse(input: Input<'_>) -> Result<System, InputError> {
    let mut lines = input.lines().map(|line| trimmed(input, line));
    let Some(header) = lines.next() else {
        return Err(input.error(0..0, "expected `des (first, transitions, states)`, found an empty file"));
    };
    let header_at = header.start..(header.start + 3).min(header.end);
    let ([first, count, states], places) = numbers(input, header)?;
    let [first_at, count_at, states_at] = places;
    if states > u64::from(u32::MAX) {
        let message = format!("expected at most {} states, found {states}", u32::MAX);
        return Err(input.error(states_at, message));
    }
    if first >= states {
        let message = format!("dangling first state: expected a state below {states}, found `{first}`");
        return Err(input.error(first_at, message));
    }
    let (actions, transitions) = (Vec::new(), Vec::new());
    let mut system = System { header_at, first, first_at, states, states_at, actions, transitions };
    let mut known: FxHashMap<Vec<u8>, u32> = FxHashMap::default();
    for line in lines {
        if system.transitions.len() as u64 == count {
            let message = format!("expected {count} transitions as the header says, found one more");
            return Err(input.error(line, message));
        }
        let [from_at, action_at, to_at] = fields(input, line)?;
        let from = state(input, &from_at, states)?;
        let to = state(input, &to_at, states)?;
        let bytes = &input.bytes[action_at.clone()];
        let action = match known.get(bytes) {
            Some(action) => *action,
            None => {
                let number = system.actions.len() as u32;
                system.actions.push(action(input, &action_at)?);
                known.insert(bytes.to_owned(), number);
                number
            }
        };
        system.transitions.push(Transition { from, action, to, from_at, action_at, to_at });
    }
    let found = system.transitions.len();
    if found as u64 != count {
        let message = format!("expected {count} transitions as the header says, found {found}");
        return Err(input.error(count_at, message));
    }
    Ok(system)
}

/// Without blanks around it.
fn trimmed(input: Input<'_>, part: Range<usize>) -> Range<usize> {
    let bytes = &input.bytes[part.clone()];
    let start = part.start + bytes.len() - bytes.trim_ascii_start().len();
    start..start + bytes.trim_ascii().len()
}

/// The three numbers of the header.
fn numbers(input: Input<'_>, line: Range<usize>) -> Result<([u64; 3], [Range<usize>; 3]), InputError> {
    let bytes = &input.bytes[line.clone()];
    let Some(rest) = bytes.strip_prefix(b"des") else {
        let found = input.describe(line.start);
        let message = format!("expected `des (first, transitions, states)`, found {found}");
        return Err(input.error(input.word_at(line.start), message));
    };
    let places = fields(input, trimmed(input, line.end - rest.len()..line.end))?;
    let mut numbers = [0; 3];
    for (number, place) in numbers.iter_mut().zip(&places) {
        let word = &input.bytes[place.clone()];
        *number = decimal(word)
            .ok_or_else(|| input.error(place.clone(), format!("expected a number, found {}", found(word))))?;
    }
    Ok((numbers, places))
}

/// `(…, …, …)`: what is in the middle may have commas.
fn fields(input: Input<'_>, line: Range<usize>) -> Result<[Range<usize>; 3], InputError> {
    let bytes = &input.bytes[line.clone()];
    if bytes.first() != Some(&b'(') {
        let found = if bytes.is_empty() { "nothing".to_owned() } else { quote(&bytes[..1]) };
        let place = line.start..(line.start + 1).min(line.end);
        return Err(input.error(place, format!("expected `(`, found {found}")));
    }
    if bytes.last() != Some(&b')') {
        return Err(input.error(line.end..line.end, "expected `)` at the end of the line"));
    }
    let inner = line.start + 1..(line.end - 1).max(line.start + 1);
    let bytes = &input.bytes[inner.clone()];
    let first = bytes.iter().position(|byte| *byte == b',');
    let last = bytes.iter().rposition(|byte| *byte == b',');
    match (first, last) {
        (Some(first), Some(last)) if first < last => {
            let (first, last) = (inner.start + first, inner.start + last);
            let parts = [inner.start..first, first + 1..last, last + 1..inner.end];
            Ok(parts.map(|part| trimmed(input, part)))
        }
        _ => Err(input.error(line, "expected three fields with commas between them")),
    }
}

fn found(word: &[u8]) -> String {
    if word.is_empty() { "nothing".to_owned() } else { quote(word) }
}

fn state(input: Input<'_>, place: &Range<usize>, states: u64) -> Result<u64, InputError> {
    let word = &input.bytes[place.clone()];
    match decimal(word) {
        Some(state) if state < states => Ok(state),
        Some(state) => {
            let message = format!(
                "dangling transition: expected a state below {states}, the number of states in the header, found `{state}`"
            );
            Err(input.error(place.clone(), message))
        }
        None => {
            Err(input.error(place.clone(), format!("expected the number of a state, found {}", found(word))))
        }
    }
}

/// The text of an action: mCRL2 writes quotes around it as it is, LTSmin with a backslash before quotes and backslashes.
fn action(input: Input<'_>, place: &Range<usize>) -> Result<String, InputError> {
    let word = &input.bytes[place.clone()];
    let Ok(text) = std::str::from_utf8(word) else {
        return Err(input.error(place.clone(), format!("expected an action in UTF-8, found {}", quote(word))));
    };
    let Some(rest) = text.strip_prefix('"') else { return Ok(text.to_owned()) };
    let Some(inner) = rest.strip_suffix('"') else {
        let message =
            format!("expected an action that ends with a quote as it begins, found {}", quote(word));
        return Err(input.error(place.clone(), message));
    };
    let mut plain = String::with_capacity(inner.len());
    let mut letters = inner.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => plain.push(letters.next_if(|next| matches!(next, '"' | '\\')).unwrap_or('\\')),
            _ => plain.push(letter),
        }
    }
    Ok(plain)
}
