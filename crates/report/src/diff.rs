//! What changed from one run to another, rendered: one row of [`DIFF_FORMATS`] each.
//!
//! What got worse comes first. A line that moved is no change, and a limit on lines is said.

use crate::html;
use crate::json::write_visible;
use crate::markdown::code;
use crate::material::Material;
use crate::shorten::brief;
use crate::terminal::{Align, Page, Span, Style, Table, Tone};
use crate::words::{plural, shown};
use propcov_result::{Diff, Direction, ElementPair, RunResult, Scope, Sides};
use std::fmt::Write as _;
use std::io;

/// The most changes of one kind that texts list.
const LISTED: usize = 60;

/// A format of comparisons.
pub struct DiffFormat {
    /// What users call it: `--format NAME`.
    pub name: &'static str,
    /// Writes a comparison.
    pub write: fn(&Compared<'_>, &mut dyn io::Write) -> io::Result<()>,
}

/// What is compared: the newer result, whose material has the older one, and what changed.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'r> {
    /// The newer result.
    pub result: &'r RunResult,
    /// What there is besides, the older result included.
    pub material: &'r Material,
    /// What changed.
    pub diff: &'r Diff,
    /// How texts are to look.
    pub style: &'r Style,
}

impl std::fmt::Debug for DiffFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All formats of comparisons, by the names that they have in [`crate::FORMATS`].
pub const DIFF_FORMATS: &[DiffFormat] = &[
    DiffFormat { name: "text", write: |it, to| to.write_all(text(it.diff, it.style).as_bytes()) },
    DiffFormat { name: "json", write: |it, to| write_visible(it.diff, to) },
    DiffFormat { name: "markdown", write: |it, to| to.write_all(markdown(it.diff).as_bytes()) },
    DiffFormat { name: "html", write: |it, to| html::write(it.result, it.material, to) },
];

/// A change in words: what, how, before, now, where.
struct Line {
    direction: Direction,
    what: String,
    old: String,
    new: String,
    place: String,
}

/// A part of a comparison: a title, and its changes.
type Part = (&'static str, Vec<Line>);

fn parts(diff: &Diff) -> [Part; 4] {
    let percent =
        |side: &Option<propcov_result::Percent>| side.as_ref().map_or("-".to_owned(), ToString::to_string);
    let shares = diff.shares.iter().map(|change| Line {
        direction: change.direction,
        what: format!("{}{}", change.metric, scope(&change.scope)),
        old: percent(&change.percent.old),
        new: percent(&change.percent.new),
        place: String::new(),
    });
    let word = |side: &Option<String>| side.clone().unwrap_or_else(|| "-".to_owned());
    let properties = diff.properties.iter().map(|change| Line {
        direction: change.direction,
        what: change.name.clone(),
        old: word(&change.verdict.old),
        new: word(&change.verdict.new),
        place: String::new(),
    });
    let elements = diff.elements.iter().map(|change| {
        let status =
            |side: Option<propcov_result::Ladder>| side.map_or("-", propcov_result::Ladder::name).to_owned();
        Line {
            direction: change.direction,
            what: name(&change.element),
            old: status(change.status.old),
            new: status(change.status.new),
            place: place(&change.element),
        }
    });
    let findings = diff.findings.iter().map(|change| {
        let subject =
            change.element.as_ref().map(name).or_else(|| change.condition.clone()).unwrap_or_default();
        Line {
            direction: change.direction,
            what: format!("{}: {} of {subject}", change.metric, change.edit),
            old: word(&change.standing.old),
            new: word(&change.standing.new),
            place: change.element.as_ref().map(place).unwrap_or_default(),
        }
    });
    [
        ("Coverage", shares.collect()),
        ("Properties", properties.collect()),
        ("Elements", elements.collect()),
        ("Edits and conditions", findings.collect()),
    ]
}

fn scope(scope: &Scope) -> String {
    match scope {
        Scope::All => String::new(),
        Scope::Conjunction => ", all properties as one".to_owned(),
        Scope::Checker => ", checker logic".to_owned(),
        Scope::Property(name) => format!(", by {name}"),
        Scope::Edit(name) => format!(", {name}"),
        Scope::PropertyEdit(property, edit) => format!(", {edit}, by {property}"),
        Scope::Instance(name) if name.is_empty() => ", instance (top)".to_owned(),
        Scope::Instance(name) => format!(", instance {name}"),
        Scope::File(name) => format!(", {name}"),
        Scope::Observed(name) | Scope::Proposition(name) => format!(" of {name}"),
    }
}

/// The name now, and the one before if that was another.
fn name(element: &ElementPair) -> String {
    match &element.name {
        Sides { old: Some(old), new: Some(new) } if old != new => format!("{new} (was {old})"),
        Sides { new: Some(name), .. } | Sides { old: Some(name), new: None } => name.clone(),
        Sides { old: None, new: None } => String::new(),
    }
}

fn place(element: &ElementPair) -> String {
    let place = element.line.new.as_ref().or(element.line.old.as_ref());
    place.map(|(file, line)| format!("{file}:{line}")).unwrap_or_default()
}

/// What it comes to, in a line.
fn conclusion(diff: &Diff) -> String {
    let count = |direction: Direction| {
        let shares = diff.shares.iter().filter(|one| one.direction == direction).count();
        let properties = diff.properties.iter().filter(|one| one.direction == direction).count();
        let findings = diff.findings.iter().filter(|one| one.direction == direction).count();
        let elements = diff.elements.iter().filter(|one| one.direction == direction).count();
        shares + properties + elements + findings
    };
    let (worse, better) = (count(Direction::Worse), count(Direction::Better));
    let verdict = match () {
        () if !diff.is_comparable() => "not comparable: no element is on both sides",
        () if diff.is_empty() => "nothing changed",
        () if diff.has_failed_properties() => "worse: a property that was good is not any more",
        () if diff.has_less_coverage() => "worse: less is covered",
        () if diff.has_lost() => "something that was decided is not any more",
        () if better > 0 => "better, and nothing worse",
        () => "other, and nothing worse",
    };
    let moved = if diff.moved == 0 { String::new() } else { format!(", {} moved", diff.moved) };
    format!(
        "{verdict} ({} worse, {} better; {} compared{moved})",
        worse,
        better,
        plural(diff.paired, "element", "elements")
    )
}

/// The comparison for people at a terminal.
pub fn text(diff: &Diff, style: &Style) -> String {
    let mut page = Page::new(style);
    for (title, lines) in parts(diff) {
        if lines.is_empty() {
            continue;
        }
        page.title(format!("{title}:"));
        let mut table = Table::with_headings(&[
            ("", Align::Left),
            ("what", Align::Left),
            ("before", Align::Left),
            ("now", Align::Left),
            ("where", Align::Left),
        ]);
        let most = shown(lines.len(), LISTED);
        for line in &lines[..most] {
            let tone = match line.direction {
                Direction::Worse => Tone::Bad,
                Direction::Lost => Tone::Doubtful,
                Direction::Better | Direction::Decided => Tone::Good,
                Direction::Added | Direction::Removed | Direction::Other => Tone::Plain,
            };
            table.row([
                Span::toned(tone, line.direction.name()),
                (*brief(&line.what)).into(),
                line.old.as_str().into(),
                line.new.as_str().into(),
                line.place.as_str().into(),
            ]);
        }
        page.table(2, &table);
        if most < lines.len() {
            page.say(2, format!("and {} more; --format json lists all", lines.len() - most));
        }
    }
    page.gap();
    for warning in &diff.warnings {
        page.say(0, Span::toned(Tone::Doubtful, format!("warning: {}", brief(warning))));
    }
    page.say(0, Span::toned(Tone::Strong, conclusion(diff)));
    page.finish()
}

/// The comparison in Markdown, for comments on merge requests.
pub fn markdown(diff: &Diff) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "## propcov: {}\n", conclusion(diff));
    for warning in &diff.warnings {
        let _ = writeln!(text, "> :warning: {}\n", code(warning));
    }
    for (title, lines) in parts(diff) {
        if lines.is_empty() {
            continue;
        }
        let _ = writeln!(text, "### {title}\n\n| | what | before | now | where |\n|---|---|---|---|---|");
        let most = shown(lines.len(), LISTED);
        for line in &lines[..most] {
            let sign = match line.direction {
                Direction::Worse => ":red_circle:",
                Direction::Lost => ":warning:",
                Direction::Better | Direction::Decided => ":green_circle:",
                Direction::Added | Direction::Removed | Direction::Other => "",
            };
            let place = if line.place.is_empty() { String::new() } else { code(&line.place) };
            let (what, old, new) = (code(&line.what), code(&line.old), code(&line.new));
            let _ = writeln!(text, "| {sign} {} | {what} | {old} | {new} | {place} |", line.direction.name());
        }
        if most < lines.len() {
            let _ = writeln!(text, "\nand {} more", lines.len() - most);
        }
        text.push('\n');
    }
    text
}
