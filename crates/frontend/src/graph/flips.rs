//! The mutant vector: which labels of an implementation to flip (Chockler, Kupferman 2002, §3).
//!
//! A line has a state and a proposition, with blanks or a comma between them. Names may be in double quotes, where `""` is a quote. `*` without quotes
//! means all states or all propositions, as far as they have a value there: what is [open](Label::Open) cannot be flipped, and asking for it by name is an error. `#` begins a
//! comment, and a first line `state,proposition` is a heading. What is asked for twice is there once. A file that asks for nothing is an error: it is more likely
//! the wrong one than meant.

use crate::{
    InputError,
    extra::did_you_mean,
    text::{Input, quote},
};
use propcov_ir::{Graph, Label, LabelFlip};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{borrow::Cow, ops::Range};

/// Reads a mutant vector for a graph. The order is that of the file, with states before propositions where `*` stands for several.
pub fn read_flips(path: &str, bytes: &[u8], graph: &Graph) -> Result<Vec<LabelFlip>, InputError> {
    let input = Input::new(path, bytes);
    let vector = Vector {
        input,
        graph,
        states: graph.states().map(|state| (graph.name(state), state)).collect(),
        propositions: graph.propositions().iter().map(String::as_str).zip(0..).collect(),
    };
    let mut flips = Vec::new();
    let mut known = FxHashSet::default();
    let mut patterns = FxHashSet::default();
    // Spreadsheets write a mark before the text.
    let mark = "\u{feff}".as_bytes();
    let (mut start, mut is_first) = (if bytes.starts_with(mark) { mark.len() } else { 0 }, true);
    while start < bytes.len() {
        let end = bytes[start..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| start + at);
        if let Some((state, proposition)) = fields(input, start..end)? {
            let is_heading = std::mem::take(&mut is_first) && vector.is_heading(&state, &proposition);
            // Patterns that repeat would otherwise take time for all that they stand for.
            if !is_heading && patterns.insert(vector.pattern(&state, &proposition)?) {
                vector.expand(&state, &proposition, |flip| {
                    if known.insert(flip) {
                        flips.push(flip);
                    }
                })?;
            }
        }
        start = end + 1;
    }
    if patterns.is_empty() {
        let message = "there are no mutants in it: expected lines with a state and a proposition, or with * for all of them";
        return Err(input.error(0..0, message));
    }
    Ok(flips)
}

/// A name in the file.
struct Field<'a> {
    name: Cow<'a, str>,
    is_quoted: bool,
    place: Range<usize>,
}

impl Field<'_> {
    fn is_star(&self) -> bool {
        self.name == "*" && !self.is_quoted
    }
}

/// The two names of a line, if it is not empty.
fn fields<'a>(input: Input<'a>, line: Range<usize>) -> Result<Option<(Field<'a>, Field<'a>)>, InputError> {
    let Some((state, after)) = field(input, line.clone())? else { return Ok(None) };
    let after = after..line.end;
    let blank = |byte: &u8| !byte.is_ascii_whitespace();
    let next = input.bytes[after.clone()].iter().position(blank).map_or(line.end, |at| after.start + at);
    let comma = input.bytes.get(next) == Some(&b',') && next < line.end;
    let rest = if comma { next + 1 } else { next }..line.end;
    let Some((proposition, after)) = field(input, rest.clone())? else {
        let message = "expected a state and a proposition, found the end of the line after the state";
        return Err(input.error(rest.start..rest.start, message));
    };
    if let Some((more, _)) = field(input, after..line.end)? {
        let found = quote(more.name.as_bytes());
        let message = format!(
            "expected the end of the line after a state and a proposition, found {found}; names with blanks or commas are written in double quotes"
        );
        return Err(input.error(more.place, message));
    }
    Ok(Some((state, proposition)))
}

/// The first name of a part of a line, and where it ends.
fn field(input: Input<'_>, part: Range<usize>) -> Result<Option<(Field<'_>, usize)>, InputError> {
    let bytes = &input.bytes[part.clone()];
    let Some(start) = bytes.iter().position(|byte| !byte.is_ascii_whitespace()) else { return Ok(None) };
    let (bytes, start) = (&bytes[start..], part.start + start);
    match bytes[0] {
        b'#' => return Ok(None),
        b'"' => return quoted(input, start..part.end).map(Some),
        b',' => {
            return Err(
                input.error(start..start + 1, "expected the name of a state or a proposition, found `,`")
            );
        }
        _ => {}
    }
    let length =
        bytes.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b',').unwrap_or(bytes.len());
    let place = start..start + length;
    let name = text(input, &bytes[..length], &place)?;
    Ok(Some((Field { name: Cow::Borrowed(name), is_quoted: false, place }, start + length)))
}

/// A name in double quotes.
fn quoted(input: Input<'_>, part: Range<usize>) -> Result<(Field<'_>, usize), InputError> {
    let bytes = &input.bytes[part.clone()];
    let mut name = Vec::new();
    let mut at = 1;
    loop {
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'"'), Some(b'"')) => {
                name.push(b'"');
                at += 2;
            }
            (Some(b'"'), _) => break,
            (Some(byte), _) => {
                name.push(*byte);
                at += 1;
            }
            (None, _) => {
                let message = "expected a closing quote, found the end of the line";
                return Err(input.error(part, message));
            }
        }
    }
    let place = part.start..part.start + at + 1;
    let name = text(input, &name, &place)?.to_owned();
    Ok((Field { name: Cow::Owned(name), is_quoted: true, place: place.clone() }, place.end))
}

fn text<'b>(input: Input<'_>, bytes: &'b [u8], place: &Range<usize>) -> Result<&'b str, InputError> {
    std::str::from_utf8(bytes)
        .map_err(|_| input.error(place.clone(), format!("expected UTF-8, found {}", quote(bytes))))
}

struct Vector<'g> {
    input: Input<'g>,
    graph: &'g Graph,
    states: FxHashMap<&'g str, u32>,
    propositions: FxHashMap<&'g str, u32>,
}

impl Vector<'_> {
    fn is_heading(&self, state: &Field<'_>, proposition: &Field<'_>) -> bool {
        state.name.eq_ignore_ascii_case("state")
            && proposition.name.eq_ignore_ascii_case("proposition")
            && !self.states.contains_key(&*state.name)
    }

    /// What the names are; `None` stands for all.
    fn pattern(
        &self,
        state: &Field<'_>,
        proposition: &Field<'_>,
    ) -> Result<(Option<u32>, Option<u32>), InputError> {
        let state = self.number(state, &self.states, "a state")?;
        Ok((state, self.number(proposition, &self.propositions, "a proposition that is compared")?))
    }

    fn number(
        &self,
        field: &Field<'_>,
        numbers: &FxHashMap<&str, u32>,
        what: &str,
    ) -> Result<Option<u32>, InputError> {
        match numbers.get(&*field.name) {
            _ if field.is_star() => Ok(None),
            Some(number) => Ok(Some(*number)),
            None => {
                let found = quote(field.name.as_bytes());
                let near = did_you_mean(&field.name, numbers.keys().copied());
                let message = format!("expected the name of {what} or *, found {found}{near}");
                Err(self.input.error(field.place.clone(), message))
            }
        }
    }

    /// All labels that a line stands for.
    fn expand(
        &self,
        state: &Field<'_>,
        proposition: &Field<'_>,
        mut found: impl FnMut(LabelFlip),
    ) -> Result<(), InputError> {
        let (one_state, one_proposition) = self.pattern(state, proposition)?;
        let range = |one: Option<u32>, count: usize| one.map_or(0..count as u32, |one| one..one + 1);
        if let (Some(number), Some(p)) = (one_state, one_proposition)
            && self.graph.label(number, p) == Label::Open
        {
            let (state, name) = (quote(state.name.as_bytes()), quote(proposition.name.as_bytes()));
            let message =
                format!("expected a label with a value to flip, but {name} is open in state {state}");
            return Err(self.input.error(proposition.place.clone(), message));
        }
        for state in range(one_state, self.graph.state_count()) {
            for proposition in range(one_proposition, self.graph.propositions().len()) {
                if self.graph.label(state, proposition) != Label::Open {
                    found(LabelFlip { state, proposition });
                }
            }
        }
        Ok(())
    }
}
