//! Why each requirement is satisfied: below the table of requirements, where cores were looked for.

use crate::argument::{Argument, Robustness};
use crate::model::{Row, Traceability};
use crate::requirements::Requirement;
use crate::terminal::{Page, printable};
use crate::text::ALL;
use crate::words::{plural, shown};

/// The most alternatives that are written out for one property.
const ALTERNATIVES: usize = 10;
/// The most elements of a list that are named.
const NAMED: usize = 40;

/// A section with a paragraph for each requirement and property of it of which cores are known.
pub(super) fn write(traceability: &Traceability<'_>, requirements: &[Requirement], page: &mut Page) {
    let row = |name: &String| traceability.properties.iter().find(|row| row.name == *name);
    let mut arguments = requirements.iter().flat_map(|requirement| {
        let rows = requirement.properties.iter().filter_map(row);
        rows.filter_map(move |row| Some((requirement, row, Argument::of(row)?)))
    });
    let Some(first) = arguments.next() else { return };
    page.title("Why each requirement is satisfied:");
    for (requirement, row, argument) in std::iter::once(first).chain(arguments) {
        one(traceability, requirement, row, &argument, page);
    }
}

fn one(
    traceability: &Traceability<'_>,
    requirement: &Requirement,
    row: &Row<'_>,
    argument: &Argument,
    page: &mut Page,
) {
    let count = argument.alternatives.len();
    let bound = match (argument.bounded, row.known.depth) {
        (true, Some(depth)) => format!(", up to depth {depth}"),
        _ => String::new(),
    };
    let others = match (argument.complete, count) {
        (_, 0) => "nobody looked for sets of elements that suffice".to_owned(),
        (true, 1) => "this set of elements suffices; there is no other".to_owned(),
        (true, _) => format!("any of {count} sets of elements suffices; there is no other"),
        (false, 1) => "this set of elements suffices; there may be others".to_owned(),
        (false, _) => format!("any of {count} sets of elements suffices; there may be others"),
    };
    page.say(2, format!("{}, by {}{bound}: {others}", printable(&requirement.id), printable(row.name)));
    let most = shown(count, ALTERNATIVES);
    for (number, alternative) in argument.alternatives.iter().take(most).enumerate() {
        list(traceability, &format!("{}:", number + 1), alternative, page);
    }
    if count > most {
        page.say(4, format!("and {} more; {ALL}", count - most));
    }
    match &argument.robustness {
        Robustness::Redundant => {
            page.say(4, "Implemented redundantly: no single element is in all of them.");
        }
        Robustness::Nothing => page.say(4, "It needs no element at all."),
        Robustness::SinglePoints { needed, open } => {
            let title = format!("Single points of failure ({}):", needed.len());
            list(traceability, &title, needed, page);
            perhaps(traceability, open, page);
        }
        Robustness::Unknown(open) => perhaps(traceability, open, page),
    }
}

fn perhaps(traceability: &Traceability<'_>, open: &[u32], page: &mut Page) {
    if !open.is_empty() {
        let elements = plural(open.len(), "element is", "elements are");
        list(traceability, &format!("UNKNOWN whether {elements} single points of failure:"), open, page);
    }
}

fn list(traceability: &Traceability<'_>, title: &str, elements: &[u32], page: &mut Page) {
    if elements.is_empty() {
        page.say(4, format!("{title} (nothing)"));
        return;
    }
    let most = shown(elements.len(), NAMED);
    let names = elements.iter().take(most).map(|element| traceability.name(*element));
    let more = (elements.len() > most).then(|| format!("and {} more; {ALL}", elements.len() - most));
    page.list(4, title, names.chain(more));
}
