//! The verdicts: a line for each property, and one for all of them.

use crate::terminal::{Align, Page, Span, Table, Tone};
use crate::words::plural;
use propcov_result::{Property, RunResult, Verdict};

/// Writes the table.
pub(super) fn table(result: &RunResult, page: &mut Page) {
    if result.properties.is_empty() {
        return;
    }
    page.gap();
    use Align::{Left, Remark, Right};
    let mut table = Table::with_headings(&[
        ("property", Left),
        ("verdict", Left),
        ("engine", Left),
        ("depth", Right),
        ("certified", Left),
        ("seconds", Right),
        ("", Remark),
    ]);
    for property in &result.properties {
        let (verdict, tone) = word(property);
        table.row([
            Span::from(&property.name),
            Span::toned(tone, verdict),
            property.engine.as_deref().unwrap_or("-").into(),
            property.depth.map_or("-".to_owned(), |depth| depth.to_string()).into(),
            certified(property).into(),
            format!("{:.2}", property.seconds).into(),
            remark(property).into(),
        ]);
    }
    page.table(0, &table);
    if result.properties.iter().any(|property| certified(property) == "no") {
        page.say(2, "Not certified: see `propcov help ctl`.");
    }
    let recalled = result.properties.iter().filter(|property| property.recalled).count();
    if recalled > 0 {
        let proofs = plural(recalled, "proof comes from an earlier run", "proofs come from earlier runs");
        let were = if recalled == 1 { "was" } else { "were" };
        page.say(2, format!("{proofs} and {were} checked again."));
    }
}

/// Why a verdict is what it is, or with whose help.
fn remark(property: &Property) -> String {
    match (&property.reason, &property.helpers[..]) {
        (Some(reason), _) => reason.clone(),
        (None, []) => String::new(),
        (None, [helper]) => format!("with {helper}"),
        (None, helpers) => format!("with {} others", helpers.len()),
    }
}

/// A verdict in words.
pub(super) fn word(property: &Property) -> (&'static str, Tone) {
    match property.verdict {
        Verdict::Proved if property.vacuous => ("proved (vacuous)", Tone::Doubtful),
        Verdict::Proved => ("proved", Tone::Good),
        Verdict::Falsified => ("FAILED", Tone::Bad),
        Verdict::Reached => ("reached", Tone::Good),
        Verdict::Unreachable if property.vacuous => ("UNREACHABLE (no run)", Tone::Bad),
        Verdict::Unreachable => ("UNREACHABLE", Tone::Bad),
        Verdict::Bounded if property.is_cover() => ("not reached", Tone::Doubtful),
        Verdict::Bounded => ("bounded", Tone::Doubtful),
        Verdict::Unknown => ("unknown", Tone::Doubtful),
    }
}

fn certified(property: &Property) -> &'static str {
    match (property.verdict, property.certified) {
        (Verdict::Unknown, _) | (Verdict::Bounded, false) => "-",
        (_, true) => "yes",
        (_, false) => "no",
    }
}

/// Writes how many there are of each.
pub(super) fn summary(result: &RunResult, page: &mut Page) {
    let covers = result.properties.iter().filter(|one| one.is_cover()).count();
    let count = |wanted: Verdict| {
        result.properties.iter().filter(|one| !one.is_cover() && one.verdict == wanted).count()
    };
    let is_vacuous = |property: &&Property| property.verdict == Verdict::Proved && property.vacuous;
    let vacuous = match result.properties.iter().filter(is_vacuous).count() {
        0 => String::new(),
        vacuous => format!(" ({vacuous} vacuous)"),
    };
    let bounded = match count(Verdict::Bounded) {
        0 => String::new(),
        bounded => format!(", {bounded} bounded"),
    };
    let properties = result.properties.len() - covers;
    let mut parts = Vec::new();
    if properties > 0 || covers == 0 {
        parts.push(format!(
            "{}: {} proved{vacuous}, {} failed{bounded}, {} unknown",
            plural(properties, "property", "properties"),
            count(Verdict::Proved),
            count(Verdict::Falsified),
            count(Verdict::Unknown),
        ));
    }
    if covers > 0 {
        parts.push(self::covers(result, covers));
    }
    last_line(&parts.join("; "), result, page);
}

/// How many covers are what.
fn covers(result: &RunResult, total: usize) -> String {
    let count = |wanted: Verdict| {
        result.properties.iter().filter(|one| one.is_cover() && one.verdict == wanted).count()
    };
    let reached = count(Verdict::Reached);
    let mut line = format!("{}: {reached} reached", plural(total, "cover", "covers"));
    for (wanted, word) in [
        (Verdict::Unreachable, "unreachable"),
        (Verdict::Bounded, "not reached within the bound"),
        (Verdict::Unknown, "unknown"),
    ] {
        if count(wanted) > 0 {
            line.push_str(&format!(", {} {word}", count(wanted)));
        }
    }
    line
}

/// Writes the line that a text ends with.
pub(super) fn last_line(line: &str, result: &RunResult, page: &mut Page) {
    page.gap();
    let seconds = format!(" ({:.2} seconds)", result.run.seconds);
    page.spans(0, &[Span::toned(Tone::Strong, line), seconds.into()]);
}
