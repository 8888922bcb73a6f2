//! The `.lab` file: as PRISM writes it, `0="init" 1="deadlock" 2="x"` and then lines `3: 0 2`, or as Storm and MRMC have it, `#DECLARATION`, names, `#END`, and
//! then lines `3 init x`.

use super::transitions::Table;
use crate::{
    InputError,
    extra::did_you_mean,
    graph::{draft::Draft, labels::Said},
    text::{Input, decimal, quote},
};
use propcov_ir::Label;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Labels that are no propositions.
const INITIAL: &str = "init";
const DEADLOCK: &str = "deadlock";

/// Reads the labels, and tells where they are declared.
pub(super) fn parse(
    input: Input<'_>,
    table: &Table,
    draft: &mut Draft<'_>,
) -> Result<Range<usize>, InputError> {
    draft.declare_all();
    let mut lines = input.lines();
    let mut file = File { input, table, labelled: FxHashMap::default() };
    for line in lines.by_ref() {
        let text = input.bytes[line.clone()].trim_ascii();
        if text.starts_with(b"#DECLARATION") {
            return file.words(line, lines, draft);
        }
        if !text.starts_with(b"#") {
            return file.numbers(line, lines, draft);
        }
    }
    let message = "expected labels such as 0=\"init\" 1=\"p\" (PRISM), or #DECLARATION (Storm), found the end of the file";
    Err(input.error(input.bytes.len()..input.bytes.len(), message))
}

struct File<'a> {
    input: Input<'a>,
    table: &'a Table,
    /// The states that had their line, and where.
    labelled: FxHashMap<u64, usize>,
}

impl File<'_> {
    fn text(&self, place: &Range<usize>) -> Result<&str, InputError> {
        let bytes = &self.input.bytes[place.clone()];
        std::str::from_utf8(bytes).map_err(|_| {
            self.input.error(place.clone(), format!("expected a name in UTF-8, found {}", quote(bytes)))
        })
    }

    fn declare(&self, draft: &mut Draft<'_>, name: &str, place: &Range<usize>) -> Result<(), InputError> {
        match name {
            INITIAL | DEADLOCK => Ok(()),
            _ => draft.declare(name, place.clone()),
        }
    }

    fn say(
        &self,
        draft: &mut Draft<'_>,
        state: u64,
        name: &str,
        place: &Range<usize>,
    ) -> Result<(), InputError> {
        let number = (state - self.table.base) as u32;
        match name {
            INITIAL => draft.set_initial(number),
            DEADLOCK => {}
            _ => {
                let said = Said { name: name.to_owned(), label: Label::True, place: place.clone() };
                draft.say(number, said)?;
            }
        }
        Ok(())
    }

    /// The state of a line, which has no other line.
    fn state(&mut self, place: &Range<usize>) -> Result<u64, InputError> {
        let word = &self.input.bytes[place.clone()];
        let (first, end) = (self.table.base, self.table.base + self.table.states);
        let state = match decimal(word) {
            Some(state) if (first..end).contains(&state) => state,
            Some(state) => {
                let last = end.saturating_sub(1);
                let message =
                    format!("unknown state: expected a state from {first} to {last}, found `{state}`");
                return Err(self.input.error(place.clone(), message));
            }
            None => {
                let found = if word.is_empty() { "nothing".to_owned() } else { quote(word) };
                return Err(self
                    .input
                    .error(place.clone(), format!("expected the number of a state, found {found}")));
            }
        };
        if let Some(earlier) = self.labelled.insert(state, place.start) {
            let line = self.input.bytes[..earlier].iter().filter(|byte| **byte == b'\n').count() + 1;
            let message = format!(
                "duplicate state: expected another state, found `{state}`, which has its labels on line {line}"
            );
            return Err(self.input.error(place.clone(), message));
        }
        Ok(state)
    }

    /// PRISM's form.
    fn numbers(
        &mut self,
        header: Range<usize>,
        lines: impl Iterator<Item = Range<usize>>,
        draft: &mut Draft<'_>,
    ) -> Result<Range<usize>, InputError> {
        let mut names: FxHashMap<u64, String> = FxHashMap::default();
        let mut at = header.start;
        while let Some((number, name, end)) = self.declaration(at..header.end)? {
            let name_text = self.text(&name)?.to_owned();
            self.declare(draft, &name_text, &name)?;
            if names.insert(number, name_text).is_some() {
                let message = format!("duplicate label: expected another number, found {number} again");
                return Err(self.input.error(at..end, message));
            }
            at = end;
        }
        for line in lines
            .filter(|line| !self.input.bytes[line.clone()].trim_ascii().starts_with(b"#"))
            .collect::<Vec<_>>()
        {
            let bytes = &self.input.bytes[line.clone()];
            let start = line.start + bytes.len() - bytes.trim_ascii_start().len();
            let Some(colon) = bytes.iter().position(|byte| *byte == b':') else {
                let message = format!(
                    "expected a state and a colon, as in `3: 0 2`, found {}",
                    quote(bytes.trim_ascii())
                );
                return Err(self.input.error(start..line.end, message));
            };
            let colon = line.start + colon;
            let word = start..start + self.input.bytes[start..colon].trim_ascii_end().len();
            let state = self.state(&word)?;
            for word in self.input.words(colon + 1..line.end) {
                let bytes = &self.input.bytes[word.clone()];
                match decimal(bytes).and_then(|number| names.get(&number)) {
                    Some(name) => self.say(draft, state, name, &word)?,
                    None => {
                        let message = format!(
                            "unknown label: expected the number of a label of the first line, found {}",
                            quote(bytes)
                        );
                        return Err(self.input.error(word, message));
                    }
                }
            }
        }
        Ok(header)
    }

    /// `number="name"`: the number, where the name is, and where all of it ends.
    fn declaration(&self, part: Range<usize>) -> Result<Option<(u64, Range<usize>, usize)>, InputError> {
        let bytes = &self.input.bytes[part.clone()];
        let Some(blanks) = bytes.iter().position(|byte| !byte.is_ascii_whitespace()) else { return Ok(None) };
        let (bytes, start) = (&bytes[blanks..], part.start + blanks);
        let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = decimal(&bytes[..digits]);
        let name = bytes[digits..].strip_prefix(b"=\"");
        let length = name.and_then(|name| name.iter().position(|byte| *byte == b'"'));
        match (number, length) {
            (Some(number), Some(length)) => {
                let name = start + digits + 2..start + digits + 2 + length;
                let end = name.end + 1;
                Ok(Some((number, name, end)))
            }
            _ => {
                let word = self.input.word_at(start);
                let found = quote(&self.input.bytes[word.clone()]);
                let message = format!(
                    "expected labels such as 0=\"init\" 1=\"p\" (PRISM), or #DECLARATION (Storm), found {found}"
                );
                Err(self.input.error(word, message))
            }
        }
    }

    /// Storm's and MRMC's form.
    fn words(
        &mut self,
        header: Range<usize>,
        mut lines: impl Iterator<Item = Range<usize>>,
        draft: &mut Draft<'_>,
    ) -> Result<Range<usize>, InputError> {
        let mut declared: FxHashSet<String> = FxHashSet::default();
        let declaration = self.input.words(header.clone()).next().unwrap_or(header.clone());
        let mut line = declaration.end..header.end;
        'declarations: loop {
            for word in self.input.words(line) {
                let name = self.text(&word)?.to_owned();
                if name == "#END" {
                    break 'declarations;
                }
                self.declare(draft, &name, &word)?;
                declared.insert(name);
            }
            line = lines.next().ok_or_else(|| {
                let end = self.input.bytes.len();
                self.input
                    .error(end..end, "expected #END after the declared labels, found the end of the file")
            })?;
        }
        for line in lines {
            let mut words = self.input.words(line);
            let Some(first) = words.next() else { continue };
            let state = self.state(&first)?;
            for word in words {
                let name = self.text(&word)?;
                if !declared.contains(name) {
                    let near = did_you_mean(name, declared.iter().map(String::as_str));
                    let found = quote(name.as_bytes());
                    let message =
                        format!("unknown label: expected one of the declared labels, found {found}{near}");
                    return Err(self.input.error(word, message));
                }
                self.say(draft, state, name, &word)?;
            }
        }
        Ok(declaration)
    }
}
