//! A summary in Markdown, for the step summary of a GitHub workflow: headlines, verdicts, the holes that come first. Names are in code spans, in which nothing is markup.

use crate::grades::{Grade, graded};
use crate::material::Material;
use crate::mutants::Standing;
use crate::place::position;
use crate::requirements::requirements;
use crate::terminal::printable;
use crate::words::{plural, shown};
use propcov_result::{
    Assumptions, Count, Property, RunResult, Scope, Threshold, Verdict, Waiver, WaiverState,
};
use std::fmt::Write;

/// The most properties and holes that are listed.
const LISTED: usize = 50;
/// The longest name, in characters.
const NAME: usize = 200;

/// The summary.
pub fn markdown(result: &RunResult, material: &Material) -> String {
    let mut text = String::new();
    let files = result.design.iter().flat_map(|design| &design.files).map(|file| code(&file.path));
    let files: Vec<String> = files.take(4).collect();
    let title = if files.is_empty() { String::new() } else { format!(": {}", files.join(", ")) };
    let _ = writeln!(text, "## propcov {}{title}\n", code_free(&result.run.command));
    warnings(result, &mut text);
    headlines(result, &mut text);
    properties(result, &mut text);
    formalised(result, material, &mut text);
    holes(result, &mut text);
    let arguments: Vec<&str> = result.run.arguments.iter().map(String::as_str).collect();
    let command = code(&format!("propcov {}", arguments.join(" ")));
    let _ = writeln!(
        text,
        "<sub>propcov {}, {command}, {:.2} seconds</sub>",
        code_free(&result.run.version),
        result.run.seconds
    );
    text
}

fn warnings(result: &RunResult, text: &mut String) {
    let mut say = |line: &str| {
        let _ = writeln!(text, "> :warning: {line}\n");
    };
    for error in &result.run.internal_errors {
        say(&format!("Internal error: {}", code(error)));
    }
    if let Some(gate) = &result.gate {
        match gate.assumptions {
            Assumptions::Conflicting => say("The assumptions conflict: proofs mean nothing."),
            Assumptions::Unknown => say("Whether the assumptions leave any run is not known."),
            Assumptions::Consistent => {}
        }
        if gate.obligations == 0 {
            say("There is no property to prove.");
        }
    }
    for complaint in result.run.thresholds.iter().filter_map(Threshold::complaint) {
        say(&code(&complaint));
    }
    let past = |waiver: &&Waiver| !matches!(waiver.state, WaiverState::Used | WaiverState::Idle);
    for waiver in result.waivers.iter().filter(past) {
        say(&format!("The waiver of {} is {}.", code(&waiver.subject()), waiver.state.name()));
    }
    if result.run.stop.is_some() {
        say("The run ended before everything was decided.");
    }
}

fn headlines(result: &RunResult, text: &mut String) {
    let mut shares = result.shares.iter().filter(|share| share.scope == Scope::All).peekable();
    if shares.peek().is_none() {
        return;
    }
    text.push_str(
        "| metric | coverage | covered | holes | no effect | dead | waived | bounded | unknown |\n",
    );
    text.push_str("|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for share in shares {
        let tally = &share.tally;
        let counts = [
            &tally.covered,
            &tally.uncovered,
            &tally.no_effect,
            &tally.dead,
            &tally.waived,
            &tally.bounded,
            &tally.unknown,
        ];
        let counts: Vec<String> = counts.map(Count::to_string).to_vec();
        let certified = if share.certified { "" } else { " (not certified)" };
        let name = code(&share.metric);
        let _ =
            writeln!(text, "| {name} | **{}**{certified} | {} |", share.headline_text(), counts.join(" | "));
    }
    text.push('\n');
}

fn properties(result: &RunResult, text: &mut String) {
    if result.properties.is_empty() {
        return;
    }
    let count = |wanted: Verdict| result.properties.iter().filter(|one| one.verdict == wanted).count();
    let proved =
        result.properties.iter().filter(|one| one.verdict == Verdict::Proved && one.certified).count();
    let covers = match (count(Verdict::Reached), count(Verdict::Unreachable)) {
        (0, 0) => String::new(),
        (reached, unreachable) => format!("; covers: {reached} reached, {unreachable} unreachable"),
    };
    let _ = writeln!(
        text,
        "{}: {} proved ({proved} certified), {} failed, {} bounded, {} unknown{covers}\n",
        plural(result.properties.len(), "property", "properties"),
        count(Verdict::Proved),
        count(Verdict::Falsified),
        count(Verdict::Bounded),
        count(Verdict::Unknown)
    );
    let is_good = |one: &Property| matches!(one.verdict, Verdict::Proved | Verdict::Reached);
    let open: Vec<&Property> = (result.properties.iter())
        .filter(|property| !is_good(property) || property.vacuous || !property.certified)
        .collect();
    if open.is_empty() {
        return;
    }
    text.push_str("| property | verdict | where |\n|---|---|---|\n");
    for property in open.iter().take(shown(open.len(), LISTED)) {
        let verdict = verdict(property);
        let place = property.place.as_ref().map(|place| code(&position(place))).unwrap_or_default();
        let _ = writeln!(text, "| {} | {verdict} | {place} |", code(&property.name));
    }
    more(open.len(), text);
}

fn verdict(property: &Property) -> &'static str {
    match property.verdict {
        Verdict::Proved if property.vacuous => "proved (vacuous)",
        Verdict::Proved if property.certified => "proved",
        Verdict::Proved => "proved, not certified",
        Verdict::Falsified => ":x: **failed**",
        Verdict::Reached if property.certified => "reached",
        Verdict::Reached => "reached, not certified",
        Verdict::Unreachable => ":x: **unreachable**",
        Verdict::Bounded => "bounded",
        Verdict::Unknown => "unknown",
    }
}

/// Which properties formalise which requirements.
fn formalised(result: &RunResult, material: &Material, text: &mut String) {
    let requirements = requirements(result, material);
    let mut rows = Vec::new();
    for requirement in &requirements {
        let id = code(&requirement.id);
        if requirement.properties.is_empty() {
            rows.push(format!("| {id} | - | - |"));
        }
        for name in &requirement.properties {
            let property = result.properties.iter().find(|property| property.name == *name);
            let verdict = property.map_or(":warning: no such property", verdict);
            rows.push(format!("| {id} | {} | {verdict} |", code(name)));
        }
    }
    if rows.is_empty() {
        return;
    }
    text.push_str("| requirement | property | verdict |\n|---|---|---|\n");
    for row in rows.iter().take(shown(rows.len(), LISTED)) {
        let _ = writeln!(text, "{row}");
    }
    more(rows.len(), text);
}

fn holes(result: &RunResult, text: &mut String) {
    let graded = graded(result);
    let holes: Vec<_> =
        graded.iter().filter(|one| matches!(one.grade, Grade::Hole | Grade::Partly)).collect();
    if holes.is_empty() {
        return;
    }
    let elements = plural(holes.len(), "element", "elements");
    let _ = writeln!(text, "<details><summary>{elements} with holes</summary>\n");
    text.push_str("| element | where | unnoticed |\n|---|---|---|\n");
    for one in holes.iter().take(shown(holes.len(), LISTED)) {
        let place = one.element.places.first().map(|place| code(&position(place))).unwrap_or_default();
        let edits = one.mutants.iter().filter(|mutant| mutant.standing == Standing::Uncovered);
        let edits: Vec<&str> = edits.map(|mutant| mutant.edit).collect();
        let _ =
            writeln!(text, "| {} | {place} | {} |", code(&one.element.name), code_free(&edits.join(", ")));
    }
    more(holes.len(), text);
    text.push_str("</details>\n\n");
}

fn more(total: usize, text: &mut String) {
    let left = total - shown(total, LISTED);
    if left > 0 {
        let _ = writeln!(text, "\n… and {left} more");
    }
    text.push('\n');
}

/// A code span that holds whatever the text is, also in a table. In a span there is no markup and no escape; the bar ends a cell even there unless it is escaped.
pub fn code(text: &str) -> String {
    let mut shown: String = printable(text).chars().take(NAME).collect();
    if shown.len() < printable(text).len() {
        shown.push('…');
    }
    let longest = shown.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let padding = if longest > 0 || shown.is_empty() { " " } else { "" };
    format!("{fence}{padding}{}{padding}{fence}", shown.replace('|', "\\|"))
}

/// Words of our own, such as names of edits: letters, digits and a few signs.
fn code_free(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric() || " ,.-_".contains(*c)).collect()
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn code_spans_hold_anything() {
        assert_eq!(code("plain"), "`plain`");
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("<img>\n"), "`<img>\\n`");
        assert_eq!(code(""), "`  `");
    }
}
