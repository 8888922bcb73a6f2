//! Names for links and fingerprints: what leads to the same statement after lines have moved.
//!
//! A name that has its own place in it (`clocks@38:7`) comes to mean another statement when a line is inserted above. A key has a digest of the source text there instead: that of the lines and
//! of the piece, without blanks. Of equal ones, the second is `~2`. So a statement that is moved keeps its key, and one that is edited loses it: a link then leads nowhere, and not to something else.

use crate::{Place, RunResult};
use std::collections::{HashMap, HashSet};

/// The keys of everything in a result, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Of the elements, in their order.
    pub elements: Vec<String>,
    /// Of the properties, in theirs.
    pub properties: Vec<String>,
}

impl RunResult {
    /// The keys, where the texts of files are at hand as far as possible.
    pub fn keys<'t>(&'t self, texts: &dyn Fn(&str) -> Option<&'t str>) -> Keys {
        let mut lines: HashMap<&'t str, Vec<&'t str>> = HashMap::new();
        let mut text = |place: &'t Place| -> String {
            let lines = lines
                .entry(&place.file)
                .or_insert_with(|| texts(&place.file).unwrap_or_default().lines().collect());
            bare_text(place, lines)
        };
        let mut keys =
            |named: &mut dyn Iterator<Item = (&'t str, Option<&'t Place>, &'t str)>| -> Vec<String> {
                let mut taken: HashSet<String> = HashSet::new();
                let mut counts: HashMap<String, usize> = HashMap::new();
                named
                    .map(|(name, place, kind)| {
                        let own = place.and_then(|place| Some((placeless(name, place)?, place)));
                        let first = match own {
                            Some(((before, after), place)) => {
                                format!("{before}@{}{after}", digest(kind, &text(place)))
                            }
                            None => name.to_owned(),
                        };
                        let count = counts.entry(first.clone()).or_default();
                        loop {
                            *count += 1;
                            let key = if *count == 1 { first.clone() } else { format!("{first}~{count}") };
                            if taken.insert(key.clone()) {
                                return key;
                            }
                        }
                    })
                    .collect()
            };
        let elements = keys(
            &mut self
                .elements
                .iter()
                .map(|element| (element.name.as_str(), element.places.first(), element.kind.as_str())),
        );
        let properties = keys(
            &mut self
                .properties
                .iter()
                .map(|property| (property.name.as_str(), property.place.as_ref(), property.kind.as_str())),
        );
        Keys { elements, properties }
    }
}

/// What stands before and behind its own place in a name, if the name has it.
fn placeless<'n>(name: &'n str, place: &Place) -> Option<(&'n str, &'n str)> {
    let position = format!("@{}:{}", place.line, place.column);
    let at = name.rfind(&position)?;
    let after = &name[at + position.len()..];
    (!after.starts_with(|c: char| c.is_ascii_digit())).then(|| (&name[..at], after))
}

/// The lines of a place and its piece of them, without blanks.
fn bare_text(place: &Place, lines: &[&str]) -> String {
    let first = (place.line.max(1) as usize - 1).min(lines.len());
    let last = (place.end_line.max(place.line) as usize).min(lines.len()).max(first);
    let mut text = bare(&lines[first..last].join("\n"));
    text.push('\0');
    for (number, line) in (first..).zip(&lines[first..last]) {
        let from = if number == first { place.column.max(1) as usize - 1 } else { 0 };
        let to = if number + 1 == last { place.end_column as usize } else { usize::MAX };
        text.extend(line.chars().take(to).skip(from).filter(|c| !c.is_whitespace()));
    }
    text
}

/// A text without blanks.
pub(crate) fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Eight digits (FNV-1a, folded): enough to tell apart the statements about one signal.
fn digest(kind: &str, text: &str) -> String {
    let bytes = kind.bytes().chain([0]).chain(text.bytes());
    let long = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{:08x}", (long >> 32) ^ (long & 0xffff_ffff))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Element;

    fn result(text: &str) -> RunResult {
        let mut result = RunResult::new("cover", 0);
        for (number, line) in (1..).zip(text.lines()) {
            let Some((name, _)) = line.trim().split_once(" <=") else { continue };
            let column = line.len() as u32 - line.trim().len() as u32 + 1;
            let place =
                Place { file: "m.sv".to_owned(), line: number, column, end_line: number, end_column: 99 };
            let name = format!("u.{}@{number}:{column}", name.trim());
            result.elements.push(Element { name, places: vec![place], ..Element::default() });
        }
        result.elements.push(Element { name: "u.x".to_owned(), ..Element::default() });
        result
    }

    #[test]
    fn keys_stay_when_lines_move_and_change_when_the_statement_does() {
        let keys = |text: &'static str| result(text).keys(&|_| Some(text)).elements;
        let first = keys("x <= 1;\ny <= 2;\nx <= 1;\nx <= 3;");
        assert!(first[0].starts_with("u.x@") && first[2] == format!("{}~2", first[0]), "{first:?}");
        assert_ne!(first[0], first[3]);
        assert_eq!(first[4], "u.x", "a name of its own");
        assert_eq!(keys("// a line\n  x  <= 1;\ny <= 2;\n\nx <= 1;\nx <= 3;"), first);
        let other = keys("x <= 7;\ny <= 2;\nx <= 1;\nx <= 3;");
        assert_eq!((other[0] == first[0], &other[2]), (false, &first[0]));
    }

    #[test]
    fn keys_are_unique_whatever_the_names() {
        let mut result = RunResult::new("cover", 0);
        for name in ["a", "a", "a~2", "a", "a~2", ""] {
            result.elements.push(Element { name: name.to_owned(), ..Element::default() });
        }
        let keys = result.keys(&|_| None).elements;
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), 6, "{keys:?}");
    }

    #[test]
    fn a_place_behind_a_name_is_a_whole_number() {
        let place = Place { line: 3, column: 7, ..Place::default() };
        assert_eq!(placeless("x@3:7[2]", &place), Some(("x", "[2]")));
        assert_eq!(placeless("x@3:71", &place), None);
        assert_eq!(placeless("x@4:7", &place), None);
    }
}
