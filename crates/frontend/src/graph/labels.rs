//! Sets of propositions as people write them: `p, !q, ?r, x = 1`.
//!
//! Commas, ends of lines, `&`, `/\`, `∧` and blanks separate propositions, but for blanks next to an operator: `x = 1` is one proposition, without the blanks. A
//! proposition holds (`p`), does not hold (`!p`, `~p`, `¬p`), or is open (`?p`). The word `true` says nothing. What is in brackets, `<<…>>` of TLA+ among them, is not
//! split, and texts in double quotes stay as they are.

use super::spelled::Spelled;
use crate::{
    InputError,
    text::{Input, quote},
};
use propcov_ir::Label;
use std::{borrow::Cow, ops::Range};

/// What is said about a proposition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// The proposition.
    pub(super) name: String,
    /// What is said.
    pub(super) label: Label,
    /// Where, in the file.
    pub(super) place: Range<usize>,
}

/// A sign and what follows it.
pub(super) fn signed(text: &str) -> (Label, &str) {
    for sign in ['!', '~', '¬'] {
        if let Some(rest) = text.strip_prefix(sign) {
            return (Label::False, rest);
        }
    }
    match text.strip_prefix('?') {
        Some(rest) => (Label::Open, rest),
        None => (Label::True, text),
    }
}

/// What a proposition with a sign says. A name is not empty and begins with no other sign.
pub(super) fn one(input: Input<'_>, text: &str, place: Range<usize>) -> Result<Said, InputError> {
    let (label, name) = signed(text.trim());
    let name = name.trim();
    if name.is_empty() || signed(name).0 != Label::True {
        let found = quote(text.trim().as_bytes());
        return Err(input.error(place, format!("expected a proposition such as p, !p or ?p, found {found}")));
    }
    Ok(Said { name: name.to_owned(), label, place })
}

/// What a part of a text says.
pub(super) fn set(input: Input<'_>, spelled: &Spelled, part: Range<usize>) -> Result<Vec<Said>, InputError> {
    let mut all = Vec::new();
    for piece in pieces(&spelled.text, part) {
        let text = &spelled.text[piece.clone()];
        // A record of TLA+ has `|->` between a field and its value.
        if text.replace("|->", "").contains('|') || !is_balanced(text) {
            let found = quote(text.as_bytes());
            let message = format!(
                "expected propositions such as p, !p or ?p, found {found}; if labels mean something else, the attribute props can have propositions"
            );
            return Err(input.error(spelled.place(&piece), message));
        }
        for word in signed_words(&spelled.text, piece) {
            let text = closed(&spelled.text[word.clone()]);
            let place = spelled.place(&word);
            match text.as_ref() {
                "true" => {}
                "false" => {
                    let message = "expected propositions, found `false`: no state has this label";
                    return Err(input.error(place, message));
                }
                text => all.push(one(input, text, place)?),
            }
        }
    }
    Ok(all)
}

/// A letter of a text, and what it is in.
struct Nested {
    at: usize,
    letter: char,
    /// How many brackets are open behind it; less than none if there are more that close.
    depth: i64,
    /// Whether a text in quotes is open behind it.
    in_quotes: bool,
}

impl Nested {
    fn is_outside(&self) -> bool {
        self.depth <= 0 && !self.in_quotes
    }
}

/// The letters of a text. Brackets in quotes do not count.
fn nested(text: &str) -> impl Iterator<Item = Nested> + '_ {
    let mut letters = text.char_indices().peekable();
    let (mut depth, mut in_quotes) = (0, false);
    // The second half of a `<<` or `>>`.
    let mut is_second = false;
    std::iter::from_fn(move || {
        let (at, letter) = letters.next()?;
        let is_double = !is_second && letters.peek().is_some_and(|(_, next)| *next == letter);
        is_second = is_double && matches!(letter, '<' | '>');
        match letter {
            '"' => in_quotes = !in_quotes,
            _ if in_quotes => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '<' if is_double => depth += 1,
            '>' if is_double => depth -= 1,
            _ => {}
        }
        Some(Nested { at, letter, depth, in_quotes })
    })
}

/// Whether every bracket has a partner, whatever its kind, and every quote.
fn is_balanced(text: &str) -> bool {
    let (mut least, mut is_closed) = (0, true);
    for place in nested(text) {
        least = least.min(place.depth);
        is_closed = place.is_outside();
    }
    least == 0 && is_closed
}

/// The pieces between separators, without blanks around them.
fn pieces(text: &str, part: Range<usize>) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = part.start;
    let mut places = nested(&text[part.clone()]).peekable();
    while let Some(place) = places.next() {
        if !place.is_outside() {
            continue;
        }
        let next_is_backslash = places.peek().is_some_and(|next| next.letter == '\\');
        let width = match place.letter {
            ',' | '\n' | '\r' | '&' | '∧' => place.letter.len_utf8(),
            '/' if next_is_backslash => {
                places.next();
                2
            }
            _ => continue,
        };
        let at = part.start + place.at;
        pieces.push(trimmed(text, start..at));
        start = at + width;
    }
    pieces.push(trimmed(text, start..part.end));
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Without blanks at both ends.
pub(super) fn trimmed(text: &str, part: Range<usize>) -> Range<usize> {
    let piece = &text[part.clone()];
    let start = part.start + piece.len() - piece.trim_start().len();
    start..(start + piece.trim().len())
}

/// A proposition without blanks, if it has operators. Texts in quotes stay as they are.
fn closed(text: &str) -> Cow<'_, str> {
    let is_blank = |place: &Nested| !place.in_quotes && place.letter.is_whitespace();
    if !text.contains('=') && !nested(text).any(|place| is_blank(&place) && place.is_outside()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(nested(text).filter(|place| !is_blank(place)).map(|place| place.letter).collect())
}

/// Whether two words are parts of one proposition: there is an operator between them, or at an end that they share.
fn are_joined(left: &str, right: &str) -> bool {
    let left = left.rsplit(char::is_whitespace).next().unwrap_or(left);
    let is_operator =
        |word: &str| word == "!=" || word.chars().all(|letter| "=<>+-*/:@%^.#".contains(letter));
    let ends = left.ends_with(['=', '<', '>', ':']) && !left.ends_with(">>");
    let begins =
        right.starts_with(['=', '<', '>', ':']) && !right.starts_with("<<") || right.starts_with("!=");
    is_operator(left) || is_operator(right) || ends || begins
}

/// The words of a piece. A sign alone belongs to the next word, and operators to what is around them.
fn signed_words(text: &str, piece: Range<usize>) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let blanks =
        nested(&text[piece.clone()]).filter(|place| place.is_outside() && place.letter.is_whitespace());
    let ends: Vec<usize> = blanks.map(|place| piece.start + place.at).chain([piece.end]).collect();
    let mut start = piece.start;
    for end in ends {
        let word = trimmed(text, start..end);
        start = end;
        match words.last_mut() {
            _ if word.is_empty() => {}
            Some(last) if matches!(&text[last.clone()], "!" | "~" | "¬" | "?") => last.end = word.end,
            Some(last) if are_joined(&text[last.clone()], &text[word.clone()]) => last.end = word.end,
            _ => words.push(word),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let mut spelled = Spelled::default();
        spelled.push(text, 0);
        match set(Input::new("t", text.as_bytes()), &spelled, 0..text.len()) {
            Ok(said) => {
                let sign = |label| match label {
                    Label::True => "",
                    Label::False => "!",
                    Label::Open => "?",
                };
                said.iter()
                    .map(|said| format!("{}{}", sign(said.label), said.name))
                    .collect::<Vec<_>>()
                    .join("; ")
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn sets_are_written_in_many_ways() {
        assert_eq!(shown(" p, q r\ns "), "p; q; r; s");
        assert_eq!(shown("p & !q /\\ ~r ∧ ¬s,?t"), "p; !q; !r; !s; ?t");
        assert_eq!(shown("x = 1, ! y, !z = 2"), "x=1; !y; !z=2");
        assert_eq!(shown("true"), "");
        assert_eq!(shown(" , "), "");
        assert_eq!(shown("/\\ q = {1, 2}\n/\\ at(1, 2)"), "q={1,2}; at(1, 2)");
    }

    /// Regression: with `=` anywhere, all blanks of a piece were left out.
    #[test]
    fn blanks_separate_propositions_but_not_operators() {
        assert_eq!(shown("x=1 y=2"), "x=1; y=2");
        assert_eq!(shown("x = 1 p !q y= 2 ?z =3"), "x=1; p; !q; y=2; ?z=3");
        assert_eq!(shown("p x=1 !q"), "p; x=1; !q");
        assert_eq!(shown("x < 1 y >= 2 z != 3 n: 4 at -> 5"), "x<1; y>=2; z!=3; n:4; at->5");
        assert_eq!(shown("x = y + 1 p"), "x=y+1; p");
        assert_eq!(shown("p <<1, 2>> q = <<3, 4>> r"), "p; <<1, 2>>; q=<<3,4>>; r");
        assert_eq!(shown("! x = 1 y"), "!x=1; y");
    }

    #[test]
    fn values_of_tla_are_not_split() {
        assert_eq!(shown("/\\ q = <<1, <<2>>, 3>>\n/\\ up = TRUE"), "q=<<1,<<2>>,3>>; up=TRUE");
        assert_eq!(shown("m = [kind |-> \"a, (b\", to |-> 2]"), "m=[kind|->\"a, (b\",to|->2]");
        assert_eq!(shown("on = (0 :> TRUE @@ 1 :> FALSE), p"), "on=(0:>TRUE@@1:>FALSE); p");
        assert_eq!(shown("said = \"\" /\\ pc = \"a b\""), "said=\"\"; pc=\"a b\"");
        assert_eq!(shown("x<3 y>2"), "x<3; y>2");
    }

    #[test]
    fn what_looks_like_something_else_is_refused() {
        let message = "expected propositions such as p, !p or ?p, found";
        let hint = "; if labels mean something else, the attribute props can have propositions";
        assert_eq!(shown("p, req|ack"), format!("t:1:4: {message} `req|ack`{hint}"));
        assert_eq!(shown("(1, p"), format!("t:1:1: {message} `(1, p`{hint}"));
        assert_eq!(shown("p, q) r"), format!("t:1:4: {message} `q) r`{hint}"));
        assert_eq!(shown("p, <<q, r"), format!("t:1:4: {message} `<<q, r`{hint}"));
        assert_eq!(shown("x = \"a, b"), format!("t:1:1: {message} `x = \\\"a, b`{hint}"));
    }

    #[test]
    fn signs_without_names_are_refused() {
        assert_eq!(shown("p, !"), "t:1:4: expected a proposition such as p, !p or ?p, found `!`");
        assert_eq!(shown("!!p"), "t:1:1: expected a proposition such as p, !p or ?p, found `!!p`");
        assert_eq!(
            shown("p & false"),
            "t:1:5: expected propositions, found `false`: no state has this label"
        );
    }
}
