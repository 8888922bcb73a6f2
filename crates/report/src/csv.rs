//! The matrix as comma-separated values (RFC 4180): a row for each property, as in the thesis's Figure 6.3, then one for all of them together.
//!
//! The first four columns are `property`, `verdict`, `cores` (how many were found) and `complete` (whether these are all minimal cores). Each further
//! column is an element, headed by its name. A cell is `must`, `may`, `core`, `unknown` or `no-proof` (see [`Mark`]), and empty where the property does not need the
//! element. Fields with commas, quotes or line breaks are quoted, lines end with CR LF, and the text is UTF-8 without a byte order mark.
//!
//! Spreadsheets run a field as a formula if it begins with `=`, `+`, `-`, `@`, a tab or a line break. Names come from design files, so such fields get an apostrophe in
//! front. Who reads the file with a script takes it off again.

use crate::model::{Mark, Property, Traceability};

/// The matrix.
pub fn matrix(traceability: &Traceability) -> String {
    let mut text = String::new();
    let head = ["property", "verdict", "cores", "complete"].into_iter();
    line(head.chain(traceability.elements.iter().map(|element| element.name.as_str())), &mut text);
    for row in traceability.rows() {
        let cores = row.cores.len().to_string();
        let facts = [row.name.as_str(), row.verdict.name(), &cores, complete(row)].into_iter();
        let marks = (0..traceability.elements.len()).map(|element| word(row.mark(element)));
        line(facts.chain(marks), &mut text);
    }
    text
}

fn complete(row: &Property) -> &'static str {
    if row.complete { "yes" } else { "no" }
}

fn word(mark: Mark) -> &'static str {
    if mark == Mark::Unused { "" } else { mark.name() }
}

fn line<'a>(fields: impl Iterator<Item = &'a str>, text: &mut String) {
    for (position, content) in fields.enumerate() {
        if position > 0 {
            text.push(',');
        }
        field(content, text);
    }
    text.push_str("\r\n");
}

fn field(content: &str, text: &mut String) {
    let guard = if content.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) { "'" } else { "" };
    if content.contains([',', '"', '\r', '\n']) {
        text.push('"');
        text.push_str(guard);
        text.push_str(&content.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(guard);
        text.push_str(content);
    }
}
