//! Names of states in lists, and their labels.

use crate::terminal::{Page, Span};
use crate::words::shown;

/// The most names in a list.
const NAMES: usize = 12;
/// The most names in a list if they are long: those of designs have a value for each variable.
const LONG_NAMES: usize = 3;

/// Writes a list: `title a, b, c`. No name is broken, and names with commas have semicolons between them. Whether some are left out is returned.
pub(super) fn list<S: AsRef<str>>(
    indent: usize,
    title: impl Into<Span>,
    names: &[S],
    page: &mut Page,
) -> bool {
    list_after(indent, &[title.into()], names, page)
}

/// The same after a title in several parts.
pub(super) fn list_after<S: AsRef<str>>(indent: usize, title: &[Span], names: &[S], page: &mut Page) -> bool {
    let has_commas = names.iter().any(|name| name.as_ref().contains(','));
    let (most, separator) = if has_commas { (LONG_NAMES, ";") } else { (NAMES, ",") };
    let count = shown(names.len(), most);
    let mut spans = title.to_vec();
    if names.is_empty() {
        spans.push(" none".into());
    }
    for (position, name) in names[..count].iter().enumerate() {
        let end = if position + 1 < count { separator } else { "" };
        spans.extend([" ".into(), Span::whole(format!("{}{end}", name.as_ref()))]);
    }
    if count < names.len() {
        spans.push(format!(" and {} more", names.len() - count).into());
    }
    page.spans(indent, &spans);
    count < names.len()
}

/// The same in a cell of a table.
pub(super) fn listed(names: &[String]) -> (String, bool) {
    let has_commas = names.iter().any(|name| name.contains(','));
    let (most, separator) = if has_commas { (LONG_NAMES, "; ") } else { (NAMES, ", ") };
    let count = shown(names.len(), most);
    let text = names[..count].join(separator);
    match names.len() - count {
        _ if names.is_empty() => ("none".to_owned(), false),
        0 => (text, false),
        more => (format!("{text} and {more} more"), true),
    }
}

/// Labels as people write sets: what holds, and what is open.
pub(super) fn set<S: AsRef<str>>(labels: &[S]) -> String {
    let labels: Vec<&str> = labels.iter().map(AsRef::as_ref).collect();
    format!("{{{}}}", labels.join(", "))
}
