//! Names of elements, grouped as a designer would: by module, and buses as ranges.
//!
//! Separators of hierarchies are `.`, `/` and `:`. In `top.fifo.cnt3` the module is `top.fifo`, the bus `cnt`, and 3 a
//! position in it; `x[3]` is a position in `x`.

use std::collections::BTreeMap;

/// Elements of one module.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// The module; empty for what is in none.
    pub(crate) module: String,
    pub(crate) lines: Vec<Line>,
    /// How many elements there are.
    pub(crate) elements: usize,
    /// How many things there are to say about them.
    pub(crate) weight: usize,
}

/// Elements of which the same is to be said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Their names without the module.
    pub(crate) names: String,
    /// What is to be said.
    pub(crate) label: String,
    pub(crate) elements: usize,
    /// The full name of the first of them.
    pub(crate) first: String,
}

/// One element.
pub(crate) struct Entry<'a> {
    /// Its names, of which there is at least one. It is listed under the one that most of its kind have in common, so
    /// that bits of a word that has two names are found together; else under the first.
    pub(crate) names: Vec<&'a str>,
    /// What is to be said about it: only those with the same label share a line.
    pub(crate) label: String,
    /// How much that is.
    pub(crate) weight: usize,
}

impl<'a> Entry<'a> {
    /// Of its names, the one that most entries with the same label could be listed with.
    fn chosen(&self, companions: &BTreeMap<(&str, Bus<'_>, &str), usize>) -> &'a str {
        let count = |name: &str| {
            let (module, leaf) = split(name);
            companions.get(&(module, bus(leaf).0, self.label.as_str())).copied().unwrap_or(0)
        };
        // The first of the best: the last of them in the other direction.
        self.names.iter().rev().copied().max_by_key(|name| count(name)).unwrap_or_default()
    }
}

/// How many entries could be in each bus.
fn companions<'e>(entries: &'e [Entry<'_>]) -> BTreeMap<(&'e str, Bus<'e>, &'e str), usize> {
    let mut companions = BTreeMap::new();
    for entry in entries {
        for name in &entry.names {
            let (module, leaf) = split(name);
            *companions.entry((module, bus(leaf).0, entry.label.as_str())).or_insert(0) += 1;
        }
    }
    companions
}

/// A name without its module, and its position if it is one of a bus.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Bus<'a> {
    base: &'a str,
    style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Style {
    /// No bus at all.
    Single,
    /// `cnt3`.
    Digits,
    /// `x[3]`.
    Brackets,
}

/// Groups elements, those with most to say first.
pub(crate) fn group(entries: &[Entry<'_>]) -> Vec<Group> {
    let companions = companions(entries);
    let mut modules: BTreeMap<&str, Vec<Named<'_>>> = BTreeMap::new();
    for entry in entries {
        let name = entry.chosen(&companions);
        modules.entry(split(name).0).or_default().push((name, entry));
    }
    let mut groups: Vec<Group> = modules
        .into_iter()
        .map(|(module, entries)| Group {
            module: module.to_owned(),
            elements: entries.len(),
            weight: entries.iter().map(|(_, entry)| entry.weight).sum(),
            lines: lines(&entries),
        })
        .collect();
    groups.sort_by(|a, b| b.weight.cmp(&a.weight).then_with(|| a.module.cmp(&b.module)));
    groups
}

/// An entry, and the name that it is listed under.
type Named<'a> = (&'a str, &'a Entry<'a>);

fn lines(entries: &[Named<'_>]) -> Vec<Line> {
    let mut buses: BTreeMap<(Bus<'_>, &str), Vec<(u64, &Named<'_>)>> = BTreeMap::new();
    for entry in entries {
        let (bus, position) = bus(split(entry.0).1);
        buses.entry((bus, &entry.1.label)).or_default().push((position, entry));
    }
    let mut lines: Vec<(usize, Line)> = buses
        .into_iter()
        .map(|((bus, label), mut members)| {
            members.sort_by_key(|(position, _)| *position);
            let positions: Vec<u64> = members.iter().map(|(position, _)| *position).collect();
            let line = Line {
                names: if members.len() == 1 {
                    split(members[0].1.0).1.to_owned()
                } else {
                    range(&bus, &positions)
                },
                label: label.to_owned(),
                elements: members.len(),
                first: members[0].1.0.to_owned(),
            };
            (members.iter().map(|(_, (_, entry))| entry.weight).sum(), line)
        })
        .collect();
    lines.sort_by(|(a, left), (b, right)| b.cmp(a).then_with(|| left.first.cmp(&right.first)));
    lines.into_iter().map(|(_, line)| line).collect()
}

/// Module and name in it.
fn split(name: &str) -> (&str, &str) {
    match name.rfind(['.', '/', ':']) {
        Some(at) if at + 1 < name.len() => (&name[..at], &name[at + 1..]),
        _ => ("", name),
    }
}

/// The bus that a name without module belongs to, and the position in it.
fn bus(leaf: &str) -> (Bus<'_>, u64) {
    let single = (Bus { base: leaf, style: Style::Single }, 0);
    let (inner, style) = match leaf.strip_suffix(']') {
        Some(inner) => (inner, Style::Brackets),
        None => (leaf, Style::Digits),
    };
    let start = inner.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &inner[start.len()..];
    let base = match style {
        Style::Brackets => start.strip_suffix('['),
        _ => Some(start),
    };
    // A leading zero would be lost: `cnt07` is not `cnt7`.
    let is_plain = !digits.is_empty() && (digits == "0" || !digits.starts_with('0'));
    match (base.filter(|base| !base.is_empty() && is_plain), digits.parse()) {
        (Some(base), Ok(position)) => (Bus { base, style }, position),
        _ => single,
    }
}

/// `cnt0..3,7` or `x[0..3,7]`.
fn range(bus: &Bus<'_>, positions: &[u64]) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for position in positions {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *position => *last = *position,
            _ => ranges.push((*position, *position)),
        }
    }
    let ranges: Vec<String> = ranges
        .into_iter()
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}..{last}") })
        .collect();
    match bus.style {
        Style::Brackets => format!("{}[{}]", bus.base, ranges.join(",")),
        _ => format!("{}{}", bus.base, ranges.join(",")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouped(entries: &[(&str, &str)]) -> Vec<(String, usize, Vec<String>)> {
        let entries: Vec<Entry<'_>> = entries
            .iter()
            .map(|(names, label)| Entry {
                names: names.split(' ').collect(),
                label: (*label).to_owned(),
                weight: label.split(' ').count(),
            })
            .collect();
        let line = |line: &Line| format!("{} ({}): {}", line.names, line.elements, line.label);
        let groups = group(&entries).into_iter();
        groups.map(|group| (group.module, group.weight, group.lines.iter().map(line).collect())).collect()
    }

    #[test]
    fn buses_become_ranges_within_their_module() {
        let names = ["top.cnt0", "top.cnt1", "top.cnt2", "top.cnt7", "top.state", "top.x[10]", "top.x[9]"];
        let entries: Vec<(&str, &str)> = names.iter().map(|name| (*name, "zero")).collect();
        let lines = ["cnt0..2,7 (4): zero", "x[9..10] (2): zero", "state (1): zero"];
        assert_eq!(grouped(&entries), [("top".to_owned(), 7, lines.map(str::to_owned).to_vec())]);
    }

    #[test]
    fn groups_with_most_to_say_come_first_and_other_labels_have_other_lines() {
        let entries =
            [("a.x[0]", "zero"), ("b/y0", "zero one"), ("b/y1", "zero one"), ("b/y2", "free"), ("z", "one")];
        let expected = [
            ("b".to_owned(), 5, vec!["y0..1 (2): zero one".to_owned(), "y2 (1): free".to_owned()]),
            (String::new(), 1, vec!["z (1): one".to_owned()]),
            ("a".to_owned(), 1, vec!["x[0] (1): zero".to_owned()]),
        ];
        assert_eq!(grouped(&entries), expected);
    }

    #[test]
    fn bits_with_several_names_are_found_under_the_one_they_share() {
        let entries = [("beat_cnt[0] beats[0]", "zero"), ("beats[1]", "zero"), ("a.x[2] beats[2]", "zero")];
        assert_eq!(grouped(&entries), [(String::new(), 3, vec!["beats[0..2] (3): zero".to_owned()])]);
        // Else it is the first one.
        let alone = [("b.full a.full", "zero"), ("beats[1] x[1]", "one")];
        let expected = [
            (String::new(), 1, vec!["beats[1] (1): one".to_owned()]),
            ("b".to_owned(), 1, vec!["full (1): zero".to_owned()]),
        ];
        assert_eq!(grouped(&alone), expected);
    }

    #[test]
    fn odd_names_stay_as_they_are() {
        for name in ["7", "cnt07", "x[]", "[3]", "x[a]", "ends.", "y]", "99999999999999999999999999"] {
            let (module, leaf) = split(name);
            assert_eq!(module, "", "{name}");
            assert_eq!(bus(leaf).0.style, Style::Single, "{name}");
        }
        assert_eq!(bus("mem[3][2]"), (Bus { base: "mem[3]", style: Style::Brackets }, 2));
        assert_eq!(split("a:b.c/d"), ("a:b.c", "d"));
    }
}
