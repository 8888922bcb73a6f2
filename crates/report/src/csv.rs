//! Comma-separated values (RFC 4180): [`findings`] of a result, a row each, and the [`matrix`] of cores: a row for each property, as in the thesis's Figure 6.3, then one for all of them
//! together.
//!
//! The first four columns of the matrix are `property`, `verdict`, `cores` (how many were found) and `complete` (whether these are all minimal cores). Each further
//! column is an element, headed by its name. A cell is `must`, `may`, `core`, `unknown` or `no-proof` (see [`Mark`]), and empty where the property does not need the
//! element. Control characters are shown as escapes, fields with commas or quotes are quoted, lines end with CR LF, and the text is UTF-8 without a byte order mark.
//!
//! Spreadsheets run a field as a formula if it begins with `=`, `+`, `-` or `@`. Names come from design files, so such fields get an apostrophe in
//! front. Who reads the file with a script takes it off again.

use crate::model::{Mark, Traceability};
use crate::terminal::printable;
use propcov_result::{Finding, Place, Role, RunResult, Subject};

/// What a result has to say in rows: `propcov cores` the matrix, others their findings.
pub fn csv(result: &RunResult) -> String {
    if result.run.command == "cores" { matrix(result) } else { findings(result) }
}

/// The matrix.
pub fn matrix(result: &RunResult) -> String {
    let traceability = Traceability::new(result);
    let mut text = String::new();
    let head = ["property", "verdict", "cores", "complete"].into_iter();
    let names = traceability.names(&traceability.elements);
    line(head.chain(names.iter().map(String::as_str)), &mut text);
    for row in traceability.rows() {
        let cores = row.known.cores.len().to_string();
        let complete = if row.known.complete { "yes" } else { "no" };
        let facts = [row.name, row.verdict.name(), &cores, complete].into_iter();
        let marks = traceability.elements.iter().map(|element| word(row.mark(*element)));
        line(facts.chain(marks), &mut text);
    }
    text
}

/// The columns of [`findings`].
pub(crate) const COLUMNS: [&str; 21] = [
    "metric",
    "subject",
    "scope",
    "kind",
    "role",
    "edit",
    "property",
    "verdict",
    "reason",
    "bound",
    "by",
    "certified",
    "count",
    "file",
    "line",
    "column",
    "evidence",
    "observed",
    "depth",
    "waveform",
    "waiver",
];

/// What was found out, one by one: what was edited, where that is written, and what became of it.
pub fn findings(result: &RunResult) -> String {
    let mut text = String::new();
    line(COLUMNS.into_iter(), &mut text);
    for finding in &result.findings {
        line(fields(result, finding).iter().map(String::as_str), &mut text);
    }
    text
}

pub(crate) fn fields(result: &RunResult, finding: &Finding) -> [String; 21] {
    let element = match &finding.subject {
        Subject::Element(id) => result.element(*id),
        Subject::Cube(_) | Subject::Label(_) => None,
    };
    let subject = match &finding.subject {
        Subject::Element(id) => crate::mutants::element_name(result, *id),
        Subject::Cube(cube) => format!("{} where {}", cube.observed.as_deref().unwrap_or("all"), cube.text),
        Subject::Label(label) => format!("{} in {}", label.proposition, label.state),
    };
    let kind = match (&finding.subject, element) {
        (Subject::Element(_), element) => element.map_or("", |element| &element.kind),
        (Subject::Cube(_), _) => "states",
        (Subject::Label(_), _) => "label",
    };
    let role = element.map_or("", |element| match element.role {
        Role::Design => "design",
        Role::Checker => "checker",
        Role::Environment => "environment",
    });
    let place = element.and_then(|element| element.places.first());
    let of_place = |part: fn(&Place) -> String| place.map(part).unwrap_or_default();
    let witness = finding.witness.as_deref();
    let number = |number: Option<String>| number.unwrap_or_default();
    [
        finding.metric.to_string(),
        subject,
        element.map(|element| element.scope.clone()).unwrap_or_default(),
        kind.to_owned(),
        role.to_owned(),
        finding.edit.to_string(),
        finding.property.as_deref().unwrap_or_default().to_owned(),
        finding.verdict.name().to_owned(),
        finding.reason.as_deref().unwrap_or_default().to_owned(),
        number(finding.bound.map(|bound| bound.to_string())),
        finding.by.as_deref().unwrap_or_default().to_owned(),
        if finding.certified { "yes" } else { "no" }.to_owned(),
        number(finding.count.as_ref().map(ToString::to_string)),
        of_place(|place| place.file.clone()),
        of_place(|place| place.line.to_string()),
        of_place(|place| place.column.to_string()),
        finding.evidence.as_deref().unwrap_or_default().to_owned(),
        witness.map(|witness| witness.observed.join(" ")).unwrap_or_default(),
        number(witness.and_then(|witness| witness.depth).map(|depth| depth.to_string())),
        witness.and_then(|witness| witness.file.clone()).unwrap_or_default(),
        result.waiver(finding).map(|waiver| waiver.reason.clone()).unwrap_or_default(),
    ]
}

fn word(mark: Mark) -> &'static str {
    if mark == Mark::Unused { "" } else { mark.name() }
}

pub(crate) fn line<'a>(fields: impl Iterator<Item = &'a str>, text: &mut String) {
    for (position, content) in fields.enumerate() {
        if position > 0 {
            text.push(',');
        }
        field(content, text);
    }
    text.push_str("\r\n");
}

fn field(content: &str, text: &mut String) {
    let content = printable(content);
    let guard = if content.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    if content.contains([',', '"']) {
        text.push('"');
        text.push_str(guard);
        text.push_str(&content.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(guard);
        text.push_str(&content);
    }
}
