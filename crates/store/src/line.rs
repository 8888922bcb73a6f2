//! One line of a segment: a JSON object whose first member is a check of all that follows it on the line.
//!
//! `{"check":"0123456789abcdef","proof":{"id":"…",…}}`. A line that was cut off or changed by accident is recognised by itself, whatever became of the
//! others. The check is no signature: whoever wants to can write lines that pass it, and what they say is checked by others.

use propcov_ir::Digester;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::Range;

/// Changes when a record changes its form or its meaning; lines of another format do not pass the check.
pub(crate) const FORMAT: &str = "propcov-run/1";

/// For the first lines of segments, which say what format the other ones have, in all formats.
pub(crate) const SEGMENT: &str = "propcov segment";

const START: &[u8] = b"{\"check\":\"";
const DIGITS: usize = 16;
const END: &[u8] = b"\",";

/// The line of a record, with its end.
pub(crate) fn seal(kind: &str, record: &impl Serialize) -> Vec<u8> {
    // Records are strings, numbers, and lists and maps of them: there is nothing that JSON could not say.
    let json = serde_json::to_vec(record).unwrap_or_default();
    let content = json.get(1..).unwrap_or_default();
    let mut line = Vec::with_capacity(START.len() + DIGITS + END.len() + content.len() + 1);
    line.extend_from_slice(START);
    line.extend_from_slice(check(kind, content).as_bytes());
    line.extend_from_slice(END);
    line.extend_from_slice(content);
    line.push(b'\n');
    line
}

/// The digits that belong to a content.
pub(crate) fn check(kind: &str, content: &[u8]) -> String {
    let mut digester = Digester::new(kind);
    digester.bytes(content);
    let mut digits = digester.finish().to_string();
    digits.truncate(DIGITS);
    digits
}

/// What follows the check, if it is as it was written.
fn unseal<'l>(kind: &str, line: &'l [u8]) -> Option<&'l [u8]> {
    let (digits, rest) = line.strip_prefix(START)?.split_at_checked(DIGITS)?;
    let content = rest.strip_prefix(END)?;
    (check(kind, content).as_bytes() == digits).then_some(content)
}

/// The object that a content is the rest of.
pub(crate) fn parse<T: DeserializeOwned>(content: &[u8]) -> Option<T> {
    let mut json = Vec::with_capacity(content.len() + 1);
    json.push(b'{');
    json.extend_from_slice(content);
    serde_json::from_slice(&json).ok()
}

/// What a file has of intact lines.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// Where the contents of its intact lines are.
    pub(crate) intact: Vec<Range<usize>>,
    /// How many others there are. An end that was cut off is none: that is what the end of a process looks like.
    pub(crate) damaged: usize,
}

/// Looks for lines that are of this kind and intact.
pub(crate) fn lines(kind: &str, bytes: &[u8]) -> Lines {
    let mut lines = Lines::default();
    let mut start = 0;
    while start < bytes.len() {
        let length = bytes[start..].iter().position(|byte| *byte == b'\n');
        let end = length.map_or(bytes.len(), |length| start + length);
        let line = &bytes[start..end];
        let range = |content: &[u8]| end - content.len()..end;
        match unseal(kind, line) {
            Some(content) => lines.intact.push(range(content)),
            None if line.is_empty() => {}
            None => {
                let is_cut_off = length.is_none();
                lines.recover(kind, bytes, start..end, is_cut_off);
            }
        }
        start = end + 1;
    }
    lines
}

impl Lines {
    /// A changed byte may be the end of a line: then there are two in one.
    fn recover(&mut self, kind: &str, bytes: &[u8], line: Range<usize>, is_cut_off: bool) {
        let text = &bytes[line.clone()];
        let mut starts: Vec<usize> = text
            .windows(START.len())
            .enumerate()
            .filter(|(_, here)| *here == START)
            .map(|(at, _)| at)
            .collect();
        if starts.first() != Some(&0) {
            starts.insert(0, 0);
        }
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        for (start, end) in starts.iter().copied().zip(ends) {
            let before = end.saturating_sub(1).max(start);
            let found = [end, before].into_iter().find_map(|end| {
                let content = unseal(kind, &text[start..end])?;
                Some(line.start + end - content.len()..line.start + end)
            });
            match found {
                Some(content) => self.intact.push(content),
                None if is_cut_off && end == text.len() => {}
                None => self.damaged += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn file(count: usize) -> Vec<u8> {
        (0..count).flat_map(|at| seal(FORMAT, &json!({ "n": at, "text": "{\"check\":\"\n" }))).collect()
    }

    fn read(bytes: &[u8]) -> (Vec<u64>, usize) {
        let found = lines(FORMAT, bytes);
        let number =
            |range: &Range<usize>| parse::<Json>(&bytes[range.clone()]).and_then(|json| json["n"].as_u64());
        (found.intact.iter().map(|range| number(range).expect("what was written")).collect(), found.damaged)
    }

    #[test]
    fn what_was_written_is_read() {
        assert_eq!(read(&file(3)), (vec![0, 1, 2], 0));
        assert_eq!(read(b""), (vec![], 0));
        assert!(lines(SEGMENT, &file(3)).intact.is_empty(), "of another kind");
    }

    #[test]
    fn a_file_that_is_cut_off_anywhere_has_all_lines_before() {
        let whole = file(3);
        let length = whole.len() / 3;
        for end in 0..=whole.len() {
            // The end of a line is not missed.
            let complete = (end + 1) / length;
            assert_eq!(read(&whole[..end]), ((0..complete as u64).collect(), 0), "{end} bytes");
        }
    }

    #[test]
    fn a_changed_bit_costs_one_line() {
        let whole = file(3);
        for bit in 0..whole.len() * 8 {
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let (found, damaged) = read(&changed);
            assert!(found.len() >= 2, "bit {bit}: {found:?}");
            assert!(
                found.len() == 3 || damaged > 0 || bit / 8 >= whole.len() * 2 / 3,
                "bit {bit} goes unnoticed"
            );
        }
    }
}
