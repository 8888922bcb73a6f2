//! Which property checks an observed signal, in how many states or transitions; which ones check nothing, or nothing that others do not.

use crate::terminal::{Align, Page, Span, Table};
use crate::text::states::{Row, shown};
use crate::words::plural;
use propcov_result::{Count, StatePart};

/// Writes it.
pub(super) fn write(row: &Row<'_>, page: &mut Page) {
    let parts = &row.state.properties;
    let mut table = Table::with_headings(&[
        ("property", Align::Left),
        ("covered", Align::Right),
        ("unique", Align::Right),
    ]);
    for part in parts.iter().filter(|part| part.mentions) {
        if let Some(covered) = &part.covered {
            let unique = part.unique.as_ref().map(shown).unwrap_or_default();
            table.row([Span::from(&part.property), shown(covered).into(), unique.into()]);
        }
    }
    if !table.is_empty() {
        page.table(2, &table);
    }
    for part in parts.iter().filter(|part| part.mentions) {
        let Some(why) = &part.reason else { continue };
        let measured = if part.covered.is_some() { "measured in part" } else { "not measured" };
        page.say(2, format!("{} is {measured}: {why}", part.property));
    }
    unrelated(row, page);
    redundancy(row, page);
}

/// Properties that have nothing to say.
fn unrelated(row: &Row<'_>, page: &mut Page) {
    let parts = &row.state.properties;
    let unrelated = parts.iter().filter(|part| !part.mentions).count();
    let what = if row.state.observed.is_some() { "it" } else { "any of them" };
    if unrelated == parts.len() {
        page.say(2, format!("No property mentions {what}."));
    } else if unrelated > 0 {
        let who = plural(unrelated, "property does", "properties do");
        page.say(2, format!("{who} not mention {what}."));
    }
    if !row.state.readers.is_empty() {
        page.list(2, "Definitions that read it are mentioned; observe these:", &row.state.readers);
    }
}

/// Which properties are not needed for what is covered.
fn redundancy(row: &Row<'_>, page: &mut Page) {
    let (mut covering, mut redundant, mut idle) = (0, Vec::new(), Vec::new());
    for part in row.state.properties.iter().filter(|part| part.mentions && part.covered.is_some()) {
        if is_idle(row, part) {
            idle.push(part.property.as_str());
            continue;
        }
        covering += 1;
        if part.redundant == Some(true) {
            redundant.push(part.property.as_str());
        }
    }
    if !idle.is_empty() {
        page.list(2, &idle_title(row, idle.len() == 1), idle);
    }
    if covering < 2 || redundant.is_empty() {
        return;
    }
    let what = if row.state.observed.is_some() { "cover" } else { "cover, of any signal" };
    let who = if redundant.len() == 1 { "Adds" } else { "Each of these adds" };
    page.list(2, &format!("{who} nothing to what the others {what}:"), redundant);
    let smallest = row.ranking.and_then(|ranking| ranking.smallest.as_ref());
    let is_smaller = |properties: &[String]| !properties.is_empty() && properties.len() < covering;
    if let Some(smallest) = smallest.filter(|smallest| is_smaller(&smallest.properties)) {
        let kind = if smallest.exact { "A smallest set" } else { "A small set" };
        page.list(2, &format!("{kind} that covers as much:"), &smallest.properties);
    }
}

/// Whether a property mentions the signal and covers nothing. It might cover something if not all is known. If every other value counts, it may add something to
/// what others notice.
fn is_idle(row: &Row<'_>, part: &StatePart) -> bool {
    let adds_nothing = !row.is_about_all_values() || part.redundant == Some(true);
    part.reason.is_none() && part.covered.as_ref().is_some_and(Count::is_zero) && adds_nothing
}

/// What to call properties that cover nothing.
fn idle_title(row: &Row<'_>, is_one: bool) -> String {
    let s = if is_one { "s" } else { "" };
    if row.is_about_all_values() {
        // A property that notices some of the other values checks something.
        return format!("Cover{s} nothing, and add{s} nothing to the others:");
    }
    // An initial state may be checked all the same.
    let is_of_states = row.state.metric == "state";
    match row.state.observed.is_some() {
        true => {
            let nowhere = if is_of_states { "nowhere" } else { "after no transition" };
            format!("Mention{s} it, but check{s} it {nowhere}:")
        }
        false => {
            let anywhere = if is_of_states { "anywhere" } else { "after any transition" };
            format!("Mention{s} some of them, but check{s} none {anywhere}:")
        }
    }
}
