//! The `.tra` file.

use crate::{
    InputError,
    text::{Input, decimal, quote},
};
use std::ops::Range;

/// What the file has.
pub(super) struct Table {
    /// The lowest number of a state.
    pub(super) base: u64,
    /// How many states there are.
    pub(super) states: u64,
    /// Where the file says so.
    pub(super) states_at: Range<usize>,
    /// Initial states that are marked here already.
    pub(super) initial: Vec<u64>,
    /// All transitions.
    pub(super) lines: Vec<Line>,
}

/// One transition.
pub(super) struct Line {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) from_at: Range<usize>,
    pub(super) to_at: Range<usize>,
    /// Whether its probability is not 0.
    pub(super) is_possible: bool,
}

/// What the columns are.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Columns {
    has_choice: bool,
    /// `None`: there is one if it looks like one.
    has_probability: Option<bool>,
}

const CHAIN: Columns = Columns { has_choice: false, has_probability: Some(true) };
const DECISIONS: Columns = Columns { has_choice: true, has_probability: Some(true) };
const SYSTEM: Columns = Columns { has_choice: true, has_probability: Some(false) };

const HEADERS: &str = "the numbers of states and transitions (PRISM), a type such as dtmc or mdp (Storm), or STATES and their number (MRMC)";

/// What the first lines say.
struct Header {
    columns: Columns,
    /// The number of states, if it is there, and where.
    states: Option<u64>,
    states_at: Range<usize>,
    /// The number of transitions, likewise.
    transitions: Option<(u64, Range<usize>)>,
    base: u64,
}

/// Whether the file begins as only these files do. Two numbers could be anything.
pub(crate) fn sniff(bytes: &[u8]) -> bool {
    let first = bytes.trim_ascii_start().split(|byte| *byte == b'\n').next().unwrap_or_default();
    let first = first.trim_ascii();
    first.starts_with(b"# Transitions (")
        || first.starts_with(b"STATES ")
        || std::str::from_utf8(first).is_ok_and(|text| model_type(text).is_some())
}

/// The columns of a type of models that Storm or a comment of PRISM names; there are types that are not read.
fn model_type(text: &str) -> Option<Option<Columns>> {
    let lower = text.to_ascii_lowercase();
    let name = lower.strip_prefix("@type:").unwrap_or(&lower).trim();
    match name {
        "dtmc" | "ctmc" | "idtmc" | "ictmc" => Some(Some(CHAIN)),
        "mdp" | "imdp" | "pomdp" | "ctmdp" => Some(Some(DECISIONS)),
        "lts" => Some(Some(SYSTEM)),
        "ma" | "pta" | "popta" | "smg" | "csg" => Some(None),
        _ => None,
    }
}

pub(super) fn parse(input: Input<'_>) -> Result<Table, InputError> {
    let mut lines = input.lines();
    let header = header(input, &mut lines)?;
    let mut table = Table {
        base: header.base,
        states: header.states.unwrap_or(0),
        states_at: header.states_at.clone(),
        initial: Vec::new(),
        lines: Vec::new(),
    };
    let mut highest = None;
    for line in lines.filter(|line| !input.bytes[line.clone()].trim_ascii_start().starts_with(b"#")) {
        let mut words = input.words(line.clone());
        let end = line.start + input.bytes[line.clone()].trim_ascii_end().len();
        let mut next = |what: &str| {
            words
                .next()
                .ok_or_else(|| input.error(end..end, format!("expected {what}, found the end of the line")))
        };
        let first = next("a state")?;
        if &input.bytes[first.clone()] == b"-" {
            let place = words.find(|word| &input.bytes[word.clone()] != b"-").unwrap_or(end..end);
            table.initial.push(state(input, &place, &header, "initial state")?);
            continue;
        }
        if let Some((count, _)) = header.transitions
            && table.lines.len() as u64 == count
        {
            let message = format!("expected {count} transitions as the header says, found one more");
            return Err(input.error(first.start..end, message));
        }
        let from = state(input, &first, &header, "transition")?;
        let mut target = next("the state that the transition leads to")?;
        if header.columns.has_choice {
            choice(input, &target)?;
            target = next("the state that the transition leads to")?;
        }
        let to = state(input, &target, &header, "transition")?;
        let is_possible = match (header.columns.has_probability, words.next()) {
            (Some(false), _) | (None, None) => true,
            (Some(true), None) => {
                return Err(
                    input.error(end..end, "expected a probability or a rate, found the end of the line")
                );
            }
            (Some(true), Some(word)) => is_positive(input, &word)?,
            // An LTS of PRISM without the comment that says so.
            (None, Some(word)) => value(&input.bytes[word]).is_none_or(|value| value > 0.0),
        };
        highest = highest.max(Some(from.max(to)));
        table.lines.push(Line { from, to, from_at: first, to_at: target, is_possible });
    }
    if let Some((count, place)) = header.transitions
        && table.lines.len() as u64 != count
    {
        let message = format!("expected {count} transitions as the header says, found {}", table.lines.len());
        return Err(input.error(place, message));
    }
    if header.states.is_none() {
        table.states = highest.map_or(0, |highest| highest + 1 - header.base);
    }
    Ok(table)
}

fn header(input: Input<'_>, lines: &mut impl Iterator<Item = Range<usize>>) -> Result<Header, InputError> {
    let mut columns = None;
    for line in lines.by_ref() {
        let mut words = input.words(line.clone());
        let Some(first) = words.next() else { continue };
        let text = String::from_utf8_lossy(&input.bytes[line.clone()]);
        let text = text.trim();
        if let Some(comment) = text.strip_prefix('#') {
            let name = comment.trim().strip_prefix("Transitions (").and_then(|rest| rest.strip_suffix(')'));
            match name.and_then(model_type) {
                Some(None) => return Err(unsupported(input, first.start..line.end, text)),
                Some(known) => columns = known,
                None => {}
            }
            continue;
        }
        match model_type(text) {
            Some(Some(columns)) => {
                let states_at = first.start..first.end;
                return Ok(Header { columns, states: None, states_at, transitions: None, base: 0 });
            }
            Some(None) => return Err(unsupported(input, first, text)),
            None => {}
        }
        if input.bytes[first].eq_ignore_ascii_case(b"STATES") {
            let (states, states_at) = count(input, &line, words.next(), "the number of states")?;
            let next = lines.next().unwrap_or(input.bytes.len()..input.bytes.len());
            let mut words = input.words(next.clone());
            match words.next() {
                Some(word) if input.bytes[word.clone()].eq_ignore_ascii_case(b"TRANSITIONS") => {}
                word => {
                    let place = word.unwrap_or(next);
                    let found = input.describe(place.start);
                    return Err(
                        input.error(place, format!("expected TRANSITIONS and their number, found {found}"))
                    );
                }
            }
            let transitions = count(input, &next, words.next(), "the number of transitions")?;
            let states = Some(bounded(input, states, &states_at)?);
            return Ok(Header { columns: CHAIN, states, states_at, transitions: Some(transitions), base: 1 });
        }
        return prism_header(input, line, columns);
    }
    Err(input.error(0..0, format!("expected {HEADERS}, found an empty file")))
}

/// `n m`, `n c m` or `n c m o`.
fn prism_header(
    input: Input<'_>,
    line: Range<usize>,
    columns: Option<Columns>,
) -> Result<Header, InputError> {
    let words: Vec<Range<usize>> = input.words(line.clone()).take(5).collect();
    let mut numbers = Vec::new();
    for word in &words {
        let Some(number) = decimal(&input.bytes[word.clone()]) else {
            let found = quote(&input.bytes[word.clone()]);
            return Err(input.error(word.clone(), format!("expected {HEADERS}, found {found}")));
        };
        numbers.push(number);
    }
    let (by_count, transitions) = match numbers.len() {
        2 => (CHAIN, 1),
        3 => (Columns { has_choice: true, has_probability: None }, 2),
        4 => (DECISIONS, 2),
        found => {
            let message = format!("expected {HEADERS}, found a line of {found}");
            return Err(input.error(line, message));
        }
    };
    let states_at = words[0].clone();
    Ok(Header {
        columns: columns.filter(|columns| columns.has_choice == by_count.has_choice).unwrap_or(by_count),
        states: Some(bounded(input, numbers[0], &states_at)?),
        states_at,
        transitions: Some((numbers[transitions], words[transitions].clone())),
        base: 0,
    })
}

fn unsupported(input: Input<'_>, place: Range<usize>, text: &str) -> InputError {
    let message = format!(
        "expected a chain (dtmc, ctmc), a decision process (mdp) or an LTS, found {}",
        quote(text.as_bytes())
    );
    input.error(place, message)
}

fn count(
    input: Input<'_>,
    line: &Range<usize>,
    word: Option<Range<usize>>,
    what: &str,
) -> Result<(u64, Range<usize>), InputError> {
    let place = word.unwrap_or(line.end..line.end);
    match decimal(&input.bytes[place.clone()]) {
        Some(number) => Ok((number, place)),
        None => {
            let found = input.describe(place.start);
            Err(input.error(place, format!("expected {what}, found {found}")))
        }
    }
}

fn bounded(input: Input<'_>, states: u64, place: &Range<usize>) -> Result<u64, InputError> {
    match states > u64::from(u32::MAX) {
        true => {
            let message = format!("expected at most {} states, found {states}", u32::MAX);
            Err(input.error(place.clone(), message))
        }
        false => Ok(states),
    }
}

fn state(input: Input<'_>, place: &Range<usize>, header: &Header, what: &str) -> Result<u64, InputError> {
    let word = &input.bytes[place.clone()];
    let most = header.states.unwrap_or(u64::from(u32::MAX)) + header.base;
    match decimal(word) {
        Some(state) if (header.base..most).contains(&state) => Ok(state),
        Some(state) => {
            let message = format!(
                "dangling {what}: expected a state from {} to {}, found `{state}`",
                header.base,
                most.saturating_sub(1)
            );
            Err(input.error(place.clone(), message))
        }
        None => {
            let found = if word.is_empty() { "the end of the line".to_owned() } else { quote(word) };
            // After `@type: DTMC`, which is the first line of both.
            let hint = if word.starts_with(b"@") { "; Storm's DRN files are not read" } else { "" };
            Err(input.error(place.clone(), format!("expected the number of a state, found {found}{hint}")))
        }
    }
}

fn choice(input: Input<'_>, place: &Range<usize>) -> Result<(), InputError> {
    let word = &input.bytes[place.clone()];
    match decimal(word) {
        Some(_) => Ok(()),
        None => {
            Err(input.error(place.clone(), format!("expected the number of a choice, found {}", quote(word))))
        }
    }
}

fn is_positive(input: Input<'_>, place: &Range<usize>) -> Result<bool, InputError> {
    let word = &input.bytes[place.clone()];
    if let Some(value) = value(word) {
        return Ok(value > 0.0);
    }
    let hint = if word.contains(&b':') { "; files that PRISM exports with rows are not read" } else { "" };
    let message = format!(
        "expected a probability or a rate such as 0.5, 1/2 or [0.1,0.2], found {}{hint}",
        quote(word)
    );
    Err(input.error(place.clone(), message))
}

/// A number, a fraction, or the upper bound of an interval; never negative.
fn value(word: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(word).ok()?;
    if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let (low, high) = inner.split_once(',')?;
        return number(low).and(number(high));
    }
    number(text)
}

fn number(text: &str) -> Option<f64> {
    let plain = |text: &str| {
        // `inf` and `nan` would be numbers, too.
        let is_number =
            text.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.' || letter == '+');
        text.parse::<f64>().ok().filter(|value| is_number && value.is_finite())
    };
    match text.split_once('/') {
        Some((above, below)) => {
            let (above, below) = (plain(above)?, plain(below)?);
            (below > 0.0).then_some(above)
        }
        None => plain(text),
    }
}
