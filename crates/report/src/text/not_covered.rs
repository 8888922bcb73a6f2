//! What is not covered: elements by module, each with the edits that nobody notices.

use crate::mutants::{Mutant, Standing};
use crate::terminal::{Align, Page, Table};
use crate::text::groups::{Entry, Group, group};
use crate::text::{ALL, folded};
use crate::words::{plural, shown};
use std::collections::BTreeMap;

/// The most groups of elements, and lines of one group, that are shown.
const GROUPS: usize = 12;
const LINES: usize = 10;

/// Writes the mutants that stand so.
pub(super) fn list(title: &str, mutants: &[&Mutant<'_>], wanted: Standing, page: &mut Page) {
    let elements = elements(mutants, wanted);
    if elements.is_empty() {
        return;
    }
    let count: usize = elements.values().map(|(.., edits)| edits.len()).sum();
    page.title(format!(
        "{title}: {} of {}",
        plural(count, "mutant", "mutants"),
        plural(elements.len(), "element", "elements")
    ));
    let standing: Vec<&Mutant<'_>> =
        mutants.iter().copied().filter(|mutant| mutant.standing == wanted).collect();
    let dealt_with = folded::write(&standing, page);
    let elements = elements.into_iter().filter(|(id, _)| !dealt_with.contains(id)).collect();
    let entries = entries(&elements);
    let groups = group(&entries);
    let mut listed = 0;
    let mut is_cut = false;
    for group in &groups[..shown(groups.len(), GROUPS)] {
        // A design without modules needs no heading.
        let is_flat = groups.len() == 1 && group.module.is_empty();
        if !is_flat {
            let module = if group.module.is_empty() { "(top)" } else { &group.module };
            page.say(2, format!("{module}: {}", plural(group.elements, "element", "elements")));
        }
        let lines = &group.lines[..shown(group.lines.len(), LINES)];
        listed += lines.iter().map(|line| line.elements).sum::<usize>();
        is_cut |= lines.iter().any(|line| line.is_cut);
        page.table(if is_flat { 2 } else { 4 }, &table(group, lines.len()));
        if lines.len() < group.lines.len() {
            page.say(4, format!("… and {} more lines", group.lines.len() - lines.len()));
        }
    }
    if listed < entries.len() {
        let rest = plural(entries.len() - listed, "element is", "elements are");
        page.say(2, format!("… {rest} not shown; {ALL}"));
    } else if is_cut {
        page.say(2, format!("… not all names are shown; {ALL}"));
    }
}

fn table(group: &Group, lines: usize) -> Table {
    let mut table = Table::new(&[Align::Left, Align::Left, Align::Left]);
    for line in &group.lines[..lines] {
        let count = match line.elements {
            1 => String::new(),
            several => format!("({several} elements)"),
        };
        table.row([&line.names, &line.label, &count]);
    }
    table
}

/// The first element that is listed as not covered; up to the bound, if there is no other.
pub(super) fn first(mutants: &[&Mutant<'_>]) -> Option<String> {
    let first = |wanted: Standing| {
        let groups = group(&entries(&elements(mutants, wanted)));
        groups.first()?.lines.first().map(|line| line.first.clone())
    };
    first(Standing::Uncovered).or_else(|| first(Standing::Bounded))
}

/// Name, other names, scope and edits.
type Edited<'r> = (String, &'r [String], &'r str, Vec<&'r str>);

/// The elements with mutants that stand so, and the edits that make these.
fn elements<'r>(mutants: &[&Mutant<'r>], wanted: Standing) -> BTreeMap<u32, Edited<'r>> {
    let mut found: BTreeMap<u32, Edited<'r>> = BTreeMap::new();
    for mutant in mutants.iter().filter(|mutant| mutant.standing == wanted) {
        let scope = mutant.element.map_or("", |element| &element.scope);
        let aliases = mutant.element.map_or(&[][..], |element| &element.aliases);
        let entry = found.entry(mutant.id).or_insert_with(|| (mutant.name(), aliases, scope, Vec::new()));
        entry.3.push(mutant.edit);
    }
    found
}

fn entries<'e>(elements: &'e BTreeMap<u32, Edited<'_>>) -> Vec<Entry<'e>> {
    let entry = |(name, aliases, scope, edits): &'e Edited<'_>| Entry {
        name,
        aliases,
        scope,
        label: edits.join(" "),
        weight: edits.len(),
    };
    elements.values().map(entry).collect()
}
