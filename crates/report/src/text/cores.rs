//! What `propcov cores` prints: verdicts, then for each property its cores and what follows from them, the matrix, and what to look at.

use crate::model::{Row, TOGETHER, Traceability};
use crate::mutants::element_name;
use crate::remarks::about_properties;
use crate::terminal::{Page, Span, Style, Tone};
use crate::text::matrix::{MatrixOptions, drawn};
use crate::text::{ALL, TextOptions, evidence, heading, runs, sanity, stats, verdicts};
use crate::words::{plural, shown};
use propcov_result::{CoreAtDepth, CoreGoal, CoreRow, CoreSet, Minimality, RunResult, Stop, Verdict};

/// The most elements of a set that are named.
const NAMED: usize = 200;
/// The most unused elements that are named.
const UNUSED: usize = 100;
/// The most elements that a matrix has as rows.
const ROWS: usize = 200;
/// What is said of large designs.
const WHOLE: &str = "The whole matrix: --matrix FILE writes it as .csv, .xlsx, .json or .txt.";

/// The text.
pub fn cores(result: &RunResult, options: &TextOptions, style: &Style) -> String {
    let mut page = Page::new(style);
    let traceability = Traceability::new(result);
    heading::write(result, &mut page);
    sanity::write(result, &mut page);
    question(result, &traceability, &mut page);
    verdicts::table(result, &mut page);
    runs::write(result, &mut page);
    for row in traceability.rows() {
        property(result, row, &mut page);
    }
    matrix(&traceability, &mut page);
    worth_a_look(&traceability, &mut page);
    if options.stats {
        stats::write(result, &mut page);
    }
    evidence::write(result, &mut page);
    last_line(result, &traceability, &mut page);
    page.finish()
}

/// What was looked for, among what.
fn question(result: &RunResult, traceability: &Traceability<'_>, page: &mut Page) {
    let Some(row) = result.cores.first() else { return };
    let asked = traceability.elements.len();
    let total = result.design.as_ref().map_or(asked, |design| design.elements);
    let elements = match asked == total {
        true => plural(asked, "element", "elements"),
        false => format!("{asked} of {total} elements"),
    };
    let bound = row.depth.map(|depth| format!(", up to depth {depth}")).unwrap_or_default();
    page.say(0, format!("Asked for: {}{bound}; {elements} in question.", asked_for(row)));
    if asked == 0 {
        let hint = if total > 0 { " --assumptions asks about assumptions as well." } else { "" };
        page.say(0, format!("Nothing can be left out, so cores are empty.{hint}"));
    }
}

/// What was asked for.
fn asked_for(row: &CoreRow) -> &'static str {
    match row.goal {
        _ if !row.by_depth.is_empty() => "a minimal core for each depth",
        CoreGoal::One => "one core",
        CoreGoal::Minimal => "one minimal core",
        CoreGoal::Minimum => "a smallest core",
        CoreGoal::All => "all minimal cores",
        CoreGoal::Must => "MUST elements",
        CoreGoal::May => "MAY elements",
    }
}

/// The section of a property, or of all together.
fn property(result: &RunResult, row: &Row<'_>, page: &mut Page) {
    let known = row.known;
    page.gap();
    let name = Span::toned(Tone::Strong, row.name);
    if !known.holds {
        let is_stray = row.property.is_some_and(|property| property.stray.is_some());
        let why: [Span; 2] = match row.verdict {
            Verdict::Falsified => {
                [Span::toned(Tone::Bad, "it FAILS"), ": there is no proof to have a core.".into()]
            }
            _ if is_stray => [
                Span::toned(Tone::Doubtful, "a run violates it"),
                ": there is no proof of an invariant to have a core.".into(),
            ],
            _ => [
                Span::toned(Tone::Doubtful, "unknown"),
                " whether it holds: no cores were looked for.".into(),
            ],
        };
        let [what, rest] = why;
        page.spans(0, &[name, ": ".into(), what, rest]);
        return;
    }
    status(result, row, name, page);
    for (position, core) in known.cores.iter().enumerate() {
        let wants_minimal = !matches!(known.goal, CoreGoal::One | CoreGoal::Must);
        page_list(result, 2, &core_title(result, position + 1, core, wants_minimal), &core.elements, page);
    }
    facts(result, known, page);
    by_depth(result, &known.by_depth, page);
}

/// How many cores there are, and whether that is all.
fn status(result: &RunResult, row: &Row<'_>, name: Span, page: &mut Page) {
    let known = row.known;
    let minimal = known.cores.iter().filter(|core| core.minimal == Minimality::Minimal).count();
    let count = match (minimal, known.cores.len() - minimal) {
        (minimal, 0) => plural(minimal, "minimal core", "minimal cores"),
        (0, others) => plural(others, "core", "cores"),
        (minimal, others) => {
            format!("{} and {others} that may be larger", plural(minimal, "minimal core", "minimal cores"))
        }
    };
    let (tone, completeness) = match (known.answered, known.complete) {
        (true, _) if !known.by_depth.is_empty() => {
            (Tone::Plain, "for each depth; there may be others".to_owned())
        }
        (_, true) => (Tone::Good, "complete: there is no other".to_owned()),
        (false, _) => (Tone::Bad, format!("INCOMPLETE: {}", shortfall(result, known))),
        (true, false) => (Tone::Plain, "there may be others".to_owned()),
    };
    let bound = known.depth.map(|depth| format!(" up to depth {depth}")).unwrap_or_default();
    let mut spans = vec![name, format!("{bound}: ").into()];
    match known.cores.is_empty() && known.goal == CoreGoal::Must {
        // Nobody looked for cores.
        true if known.answered => spans.push("MUST elements are known".into()),
        true => spans.push(Span::toned(tone, completeness)),
        false => spans.extend([format!("{count}, ").into(), Span::toned(tone, completeness)]),
    }
    page.spans(0, &spans);
}

/// Why not everything is answered that was asked.
pub(super) fn shortfall(result: &RunResult, row: &CoreRow) -> String {
    let stopped = match result.run.stop {
        Some(Stop::Timeout) => "out of time",
        Some(Stop::Memory) => "out of memory",
        Some(Stop::Interrupted) => "interrupted",
        _ => "the search was stopped",
    };
    let mut reasons = Vec::new();
    if row.stopped {
        reasons.push(stopped.to_owned());
    }
    let checks: usize = row.undecided.values().fold(0, |sum, count| sum.saturating_add(*count));
    if checks > 0 {
        let why: Vec<&str> = row.undecided.keys().map(String::as_str).collect();
        reasons.push(format!("{} undecided ({})", plural(checks, "check", "checks"), why.join("; ")));
    }
    if reasons.is_empty() {
        reasons.push("not everything was decided".to_owned());
    }
    reasons.join(", ")
}

fn core_title(result: &RunResult, number: usize, core: &CoreSet, wants_minimal: bool) -> String {
    let size = plural(core.elements.len(), "element", "elements");
    let remark = match core.minimal {
        Minimality::Minimal => "minimal".to_owned(),
        Minimality::Undecided if wants_minimal => {
            let open: Vec<String> = core.undecided.iter().map(|id| element_name(result, *id)).collect();
            format!("UNDECIDED whether it needs {}", open.join(", "))
        }
        Minimality::Unchecked | Minimality::Undecided => "perhaps not minimal".to_owned(),
    };
    format!("core {number} ({size}, {remark}):")
}

/// A core that was just found, in a line for people who wait.
pub fn core_news(property: Option<&str>, number: usize, names: &[String]) -> String {
    let size = plural(names.len(), "element", "elements");
    let line = format!("{}, core {number} ({size}): {}", property.unwrap_or(TOGETHER), names.join(", "));
    crate::terminal::printable(&line)
}

/// The sets that follow from the cores.
fn facts(result: &RunResult, row: &CoreRow, page: &mut Page) {
    if row.complete && row.cores.len() == 1 {
        page.say(2, "MUST and MAY elements are those of this core, and it is the smallest.");
        return;
    }
    for (title, sure, unknown) in [
        ("MUST, in every core", &row.must, &row.must_unknown),
        ("MAY, in some minimal core", &row.may, &row.may_unknown),
    ] {
        let Some(sure) = sure else { continue };
        listed(result, 2, title, sure, page);
        if !unknown.is_empty() {
            listed(result, 4, "UNKNOWN whether also", unknown, page);
        }
    }
    match &row.minimum {
        Some(minimum) => listed(result, 2, "A smallest core", minimum, page),
        None if row.goal == CoreGoal::Minimum => {
            let least = plural(row.at_least, "element", "elements");
            page.say(2, format!("Smallest core: not known; every core has at least {least}"));
        }
        None => {}
    }
}

fn listed(result: &RunResult, indent: usize, title: &str, elements: &[u32], page: &mut Page) {
    page_list(result, indent, &format!("{title} ({}):", elements.len()), elements, page);
}

/// The names of elements after a title.
fn page_list(result: &RunResult, indent: usize, title: &str, elements: &[u32], page: &mut Page) {
    if elements.is_empty() {
        page.say(indent, format!("{title} (nothing)"));
        return;
    }
    let most = shown(elements.len(), NAMED);
    let names = elements.iter().take(most).map(|id| element_name(result, *id));
    let more = (elements.len() > most).then(|| format!("and {} more; {ALL}", elements.len() - most));
    page.list(indent, title, names.chain(more));
}

/// The core of each depth; depths with the same cores are one line.
fn by_depth(result: &RunResult, all: &[CoreAtDepth], page: &mut Page) {
    let is_same = |one: &CoreAtDepth, other: &CoreAtDepth| one.up_to == other.up_to && one.at == other.at;
    for group in all.chunk_by(is_same) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let depth = match group.len() {
            1 => format!("depth {}", first.depth),
            _ => format!("each depth from {} to {}", first.depth, last.depth),
        };
        listed(result, 2, &format!("{depth}, all steps up to it"), &first.up_to, page);
        if first.up_to != first.at {
            listed(result, 4, "that step alone", &first.at, page);
        }
    }
}

/// The matrix, where there is something to see in it.
fn matrix(traceability: &Traceability<'_>, page: &mut Page) {
    let holds = traceability.properties.iter().any(|row| row.known.holds);
    if !holds || traceability.elements.is_empty() {
        return;
    }
    page.title("Which property rests on which element:");
    let options = MatrixOptions { unused: UNUSED, rows: ROWS, ..MatrixOptions::default() };
    let text = drawn(traceability, &options, page.style());
    page.append(&text);
    if traceability.elements.len() > UNUSED.min(ROWS) {
        page.gap();
        page.say(0, WHOLE);
    }
}

/// What to look at. What is unused is listed below the matrix.
fn worth_a_look(traceability: &Traceability<'_>, page: &mut Page) {
    let remarks = about_properties(traceability);
    if !remarks.is_empty() {
        page.title("Worth a look:");
        remarks.iter().for_each(|remark| page.say(2, remark));
    }
}

fn last_line(result: &RunResult, traceability: &Traceability<'_>, page: &mut Page) {
    let rows = &traceability.properties;
    let good = rows.iter().filter(|row| row.known.holds).count();
    let open = rows.iter().filter(|row| row.known.holds && !row.known.answered).count();
    let failed = rows.iter().filter(|row| row.verdict == Verdict::Falsified).count();
    let unknown = rows.len().saturating_sub(good + failed);
    let is_vacuous =
        |row: &&Row<'_>| row.known.holds && row.property.is_some_and(|property| property.vacuous);
    let vacuous = match rows.iter().filter(is_vacuous).count() {
        0 => String::new(),
        vacuous => format!(" ({vacuous} vacuous)"),
    };
    let bound = result.cores.first().and_then(|row| row.depth);
    let proved = match (bound, good) {
        (None, _) => format!("{good} proved"),
        (Some(depth), 1) => format!("1 holds up to depth {depth}"),
        (Some(depth), _) => format!("{good} hold up to depth {depth}"),
    };
    let others: String = [(failed, "failed"), (unknown, "unknown")]
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!(", {count} {word}"))
        .collect();
    let found = match (good, open, result.cores.first()) {
        (0, _, _) | (_, _, None) => "no cores".to_owned(),
        (_, 0, Some(row)) => format!("{} found", asked_for(row)),
        (_, open, _) => format!("cores INCOMPLETE for {open}"),
    };
    let all = plural(rows.len(), "property", "properties");
    verdicts::last_line(&format!("{all}: {proved}{vacuous}{others}; {found}"), result, page);
}
