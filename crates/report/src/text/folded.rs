//! Elements that stand at the same place of the source: the same statement in several instances, or in several rounds of a loop. They share a line, unless each
//! is asked for.

use crate::mutants::Mutant;
use crate::place::position;
use crate::terminal::{Align, Page, Table};
use crate::words::{listed, plural, shown};
use propcov_result::Place;
use std::collections::BTreeMap;

/// The most lines, and the most instances that are named in one.
const LINES: usize = 40;
const NAMED: usize = 4;

/// A place that several elements share, of which the same is to be said.
struct Fold {
    /// The name of the first without its instance.
    name: String,
    /// The instances, in order.
    scopes: Vec<String>,
    members: Vec<u32>,
}

/// Writes a line for each place with several elements of which the same is to be said; returns the elements that are so dealt with.
pub(super) fn write(mutants: &[&Mutant<'_>], page: &mut Page) -> Vec<u32> {
    if page.is_unfolded() {
        return Vec::new();
    }
    let mut edits: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for mutant in mutants {
        edits.entry(mutant.id).or_default().push(mutant.edit);
    }
    let mut folds: BTreeMap<(&Place, &str, String), Fold> = BTreeMap::new();
    for mutant in mutants.iter().filter(|mutant| edits[&mutant.id].first() == Some(&mutant.edit)) {
        let Some(element) = mutant.element else { continue };
        let Some(place) = element.places.first() else { continue };
        let label = edits[&mutant.id].join(" ");
        let fold = folds.entry((place, element.kind.as_str(), label)).or_insert_with(|| {
            let inner = element.name.strip_prefix(&element.scope).unwrap_or(&element.name);
            let name = inner.strip_prefix('.').unwrap_or(inner).to_owned();
            Fold { name, scopes: Vec::new(), members: Vec::new() }
        });
        fold.members.push(mutant.id);
        let scope = if element.scope.is_empty() { "(top)" } else { &element.scope };
        if fold.scopes.iter().all(|known| known != scope) {
            fold.scopes.push(scope.to_owned());
        }
    }
    folds.retain(|_, fold| fold.members.len() > 1);
    if folds.is_empty() {
        return Vec::new();
    }
    page.say(2, "several times the same line of source (--unfold lists each):");
    let mut table = Table::new(&[Align::Left, Align::Left, Align::Left, Align::Remark]);
    let count = shown(folds.len(), LINES);
    for ((place, _, label), fold) in folds.iter().take(count) {
        let copies = plural(fold.members.len(), "copy", "copies");
        let where_ = match fold.scopes.len() {
            1 => String::new(),
            _ => format!("in {}", listed(&fold.scopes, NAMED)),
        };
        table.row([position(place), format!("{} {label}", fold.name), copies, where_]);
    }
    page.table(4, &table);
    if count < folds.len() {
        page.say(4, format!("… and {} more lines; {}", folds.len() - count, crate::text::ALL));
    }
    folds.into_values().flat_map(|fold| fold.members).collect()
}
