//! Names of elements, grouped as a designer would: by module, and buses as ranges.
//!
//! The module of an element is its scope. Netlists have no scopes, but names like `top.fifo.cnt3`: there the module is what stands before the last `.`, `/` or `:`. The bus is `cnt`, and 3 a
//! position in it; `x[3]` is a position in `x`. What stands behind `@` is a place in a file, and belongs to the name.

use std::collections::BTreeMap;

/// Elements of one module.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The module; empty for what is in none.
    pub(super) module: String,
    pub(super) lines: Vec<Line>,
    /// How many elements there are.
    pub(super) elements: usize,
    /// How many things there are to say about them.
    pub(super) weight: usize,
}

/// Elements of which the same is to be said.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Their names without the module.
    pub(super) names: String,
    /// What is to be said.
    pub(super) label: String,
    pub(super) elements: usize,
    /// The full name of the first of them.
    pub(super) first: String,
    /// Whether not all names are there.
    pub(super) is_cut: bool,
}

/// What stands between a module and a name in it.
const SEPARATORS: [char; 3] = ['.', '/', ':'];
/// The longest range of names.
const NAMES: usize = 60;

/// One element.
pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    /// Its other names. It is listed under the one that most of its kind have in common, so that bits of a word that has two names are found together.
    pub(super) aliases: &'a [String],
    /// The instance that it stands in; empty where that is not known.
    pub(super) scope: &'a str,
    /// What is to be said about it: only those with the same label share a line.
    pub(super) label: String,
    /// How much that is.
    pub(super) weight: usize,
}

/// A name without its module, and its position if it is one of a bus.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Bus<'a> {
    base: &'a str,
    indexing: Indexing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Indexing {
    /// No bus at all.
    Single,
    /// `cnt3`.
    Digits,
    /// `x[3]`.
    Brackets,
}

/// Groups elements, those with most to say first.
pub(super) fn group(entries: &[Entry<'_>]) -> Vec<Group> {
    let companions = companions(entries);
    let named: Vec<Entry<'_>> = entries
        .iter()
        .map(|entry| Entry { name: chosen(entry, &companions), label: entry.label.clone(), ..*entry })
        .collect();
    let mut modules: BTreeMap<&str, Vec<&Entry<'_>>> = BTreeMap::new();
    for entry in &named {
        modules.entry(split(entry).0).or_default().push(entry);
    }
    let mut groups: Vec<Group> = modules
        .into_iter()
        .map(|(module, entries)| Group {
            module: module.to_owned(),
            elements: entries.len(),
            weight: entries.iter().map(|entry| entry.weight).sum(),
            lines: lines(&entries),
        })
        .collect();
    groups.sort_by(|a, b| b.weight.cmp(&a.weight).then_with(|| a.module.cmp(&b.module)));
    groups
}

fn lines(entries: &[&Entry<'_>]) -> Vec<Line> {
    let mut buses: BTreeMap<(Bus<'_>, &str), Vec<(u64, &Entry<'_>)>> = BTreeMap::new();
    for entry in entries {
        let (bus, position) = bus(split(entry).1);
        buses.entry((bus, &entry.label)).or_default().push((position, entry));
    }
    let mut lines: Vec<(usize, Line)> = buses
        .into_iter()
        .map(|((bus, label), mut members)| {
            members.sort_by_key(|(position, _)| *position);
            let positions: Vec<u64> = members.iter().map(|(position, _)| *position).collect();
            let (names, is_cut) = match members.as_slice() {
                [(_, only)] => (split(only).1.to_owned(), false),
                _ => range(&bus, &positions),
            };
            let line = Line {
                names,
                is_cut,
                label: label.to_owned(),
                elements: members.len(),
                first: members[0].1.name.to_owned(),
            };
            (members.iter().map(|(_, entry)| entry.weight).sum(), line)
        })
        .collect();
    lines.sort_by(|(a, left), (b, right)| b.cmp(a).then_with(|| left.first.cmp(&right.first)));
    lines.into_iter().map(|(_, line)| line).collect()
}

/// A bus in a module, of elements with the same label.
type Companions<'e> = BTreeMap<(&'e str, Bus<'e>, &'e str), usize>;

/// How many entries could be in each bus.
fn companions<'e>(entries: &'e [Entry<'e>]) -> Companions<'e> {
    let mut companions = Companions::new();
    for entry in entries {
        for (module, leaf) in names(entry).map(|name| split_in(name, entry.scope)) {
            *companions.entry((module, bus(leaf).0, entry.label.as_str())).or_default() += 1;
        }
    }
    companions
}

/// Of the names of an entry, the one that most entries with the same label could be listed with; the first of the best.
fn chosen<'e>(entry: &'e Entry<'e>, companions: &Companions<'e>) -> &'e str {
    let count = |name: &str| {
        let (module, leaf) = split_in(name, entry.scope);
        companions.get(&(module, bus(leaf).0, entry.label.as_str())).copied().unwrap_or(0)
    };
    let mut best = (entry.name, count(entry.name));
    for name in names(entry).skip(1) {
        if count(name) > best.1 {
            best = (name, count(name));
        }
    }
    best.0
}

fn names<'e>(entry: &'e Entry<'e>) -> impl Iterator<Item = &'e str> {
    std::iter::once(entry.name).chain(entry.aliases.iter().map(String::as_str))
}

/// Module and name in it.
fn split<'a>(entry: &Entry<'a>) -> (&'a str, &'a str) {
    split_in(entry.name, entry.scope)
}

fn split_in<'a>(name: &'a str, scope: &'a str) -> (&'a str, &'a str) {
    let inside = name.strip_prefix(scope).filter(|_| !scope.is_empty());
    match inside.and_then(|rest| rest.strip_prefix(SEPARATORS)) {
        Some(leaf) if !leaf.is_empty() => (scope, leaf),
        _ if !scope.is_empty() => (scope, name),
        _ => split_name(name),
    }
}

fn split_name(name: &str) -> (&str, &str) {
    // What stands behind `@` is a place: line and column.
    let path = name.split('@').next().unwrap_or(name);
    // At the end, as in `?:@15:17`, nothing is separated.
    match path.trim_end_matches(SEPARATORS).rfind(SEPARATORS) {
        Some(at) => (&name[..at], &name[at + 1..]),
        None => ("", name),
    }
}

/// The bus that a name without module belongs to, and the position in it.
fn bus(leaf: &str) -> (Bus<'_>, u64) {
    let single = (Bus { base: leaf, indexing: Indexing::Single }, 0);
    if leaf.contains('@') {
        return single;
    }
    let (inner, indexing) = match leaf.strip_suffix(']') {
        Some(inner) => (inner, Indexing::Brackets),
        None => (leaf, Indexing::Digits),
    };
    let start = inner.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &inner[start.len()..];
    let base = match indexing {
        Indexing::Brackets => start.strip_suffix('['),
        _ => Some(start),
    };
    // A leading zero would be lost: `cnt07` is not `cnt7`.
    let is_plain = !digits.is_empty() && (digits == "0" || !digits.starts_with('0'));
    match (base.filter(|base| !base.is_empty() && is_plain), digits.parse()) {
        (Some(base), Ok(position)) => (Bus { base, indexing }, position),
        _ => single,
    }
}

/// `cnt0..3,7` or `x[0..3,7]`, and whether that is not all.
fn range(bus: &Bus<'_>, positions: &[u64]) -> (String, bool) {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for position in positions {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *position => *last = *position,
            _ => ranges.push((*position, *position)),
        }
    }
    let mut text = String::new();
    let mut is_cut = false;
    for (at, (first, last)) in ranges.into_iter().enumerate() {
        text.push_str(if at > 0 { "," } else { "" });
        is_cut = at > 0 && text.len() > NAMES;
        if is_cut {
            text.push('…');
            break;
        }
        text.push_str(&if first == last { first.to_string() } else { format!("{first}..{last}") });
    }
    match bus.indexing {
        Indexing::Brackets => (format!("{}[{text}]", bus.base), is_cut),
        _ => (format!("{}{text}", bus.base), is_cut),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouped(entries: &[(&str, &str)]) -> Vec<(String, usize, Vec<String>)> {
        let entries: Vec<Entry<'_>> = entries
            .iter()
            .map(|(name, label)| Entry {
                name,
                aliases: &[],
                scope: "",
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
    fn odd_names_stay_as_they_are() {
        for name in ["7", "cnt07", "x[]", "[3]", "x[a]", "ends.", "y]", "99999999999999999999999999"] {
            let (module, leaf) = split_name(name);
            assert_eq!(module, "", "{name}");
            assert_eq!(bus(leaf).0.indexing, Indexing::Single, "{name}");
        }
        assert_eq!(split_name("?:@15:17"), ("", "?:@15:17"));
        assert_eq!(split_name("u_a.?:@15:17"), ("u_a", "?:@15:17"));
        assert_eq!(bus("mem[3][2]"), (Bus { base: "mem[3]", indexing: Indexing::Brackets }, 2));
        assert_eq!(split_name("a:b.c/d"), ("a:b.c", "d"));
    }

    #[test]
    fn of_several_names_the_one_counts_that_most_have_in_common() {
        let aliases = [["beats[0]".to_owned()], ["beats[1]".to_owned()]];
        let entry = |name, aliases| Entry { name, aliases, scope: "", label: String::new(), weight: 1 };
        let entries = [entry("count0", &aliases[0][..]), entry("other", &aliases[1][..])];
        let lines: Vec<String> = group(&entries)[0].lines.iter().map(|line| line.names.clone()).collect();
        assert_eq!(lines, ["beats[0..1]"]);
    }

    #[test]
    fn a_scope_outweighs_what_the_name_looks_like() {
        let entry = |name, scope| Entry { name, aliases: &[], scope, label: String::new(), weight: 1 };
        assert_eq!(split(&entry("top.\\a.b ", "top")), ("top", "\\a.b "));
        assert_eq!(split(&entry("other.x", "top")), ("top", "other.x"));
        assert_eq!(split(&entry("topx", "top")), ("top", "topx"));
    }

    #[test]
    fn a_range_with_too_many_gaps_is_cut_and_says_so() {
        let names: Vec<String> = (0..200).map(|at| format!("x[{}]", 2 * at)).collect();
        let entry = |name| Entry { name, aliases: &[], scope: "", label: String::new(), weight: 1 };
        let entries: Vec<Entry<'_>> = names.iter().map(|name| entry(name)).collect();
        let line = &group(&entries)[0].lines[0];
        assert!(line.is_cut && line.names.ends_with(",…]") && line.names.len() < 80, "{}", line.names);
        assert_eq!(line.elements, 200);
    }
}
