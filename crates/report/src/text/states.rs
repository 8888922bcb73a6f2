//! State and transition coverage: how much of each observed signal is checked, by which property, what is not, and how to get there.

use crate::terminal::{Page, Span, Tone};
use crate::text::{state_holes, state_parts, tally, thresholds};
use crate::words::{plural, readable};
use propcov_result::{
    Count, Finding, Percent, Ranking, RunResult, Scope, Share, StatePart, StateRow, Subject,
    ThresholdVerdict, Verdict,
};

/// What all signals are called together.
const TOGETHER: &str = "all together";

/// One observed signal, or all together: all that is known about it.
pub(super) struct Row<'r> {
    pub(super) state: &'r StateRow,
    /// How much is covered, if anything was measured.
    pub(super) share: Option<&'r Share>,
    /// What is not covered, largest first.
    pub(super) holes: Vec<&'r Finding>,
    pub(super) ranking: Option<&'r Ranking>,
}

impl<'r> Row<'r> {
    fn new(result: &'r RunResult, state: &'r StateRow) -> Row<'r> {
        let scope = state.observed.clone().map_or(Scope::All, Scope::Observed);
        let is_hole = |finding: &&Finding| match &finding.subject {
            Subject::Cube(cube) => {
                *finding.metric == *state.metric && cube.observed.as_deref() == state.observed.as_deref()
            }
            _ => false,
        };
        let is_own =
            |ranking: &&Ranking| ranking.metric == state.metric && ranking.observed == state.observed;
        Row {
            state,
            share: result.share(&state.metric, &scope),
            holes: result
                .findings
                .iter()
                .filter(is_hole)
                .filter(|finding| finding.waiver.is_none())
                .collect(),
            ranking: result.rankings.iter().find(is_own),
        }
    }

    /// What it is called.
    pub(super) fn name(&self) -> &'r str {
        self.state.observed.as_deref().unwrap_or(TOGETHER)
    }

    /// Whether every other value of the signal has to be noticed.
    pub(super) fn is_about_all_values(&self) -> bool {
        self.state.flip == "all"
    }

    /// Whether runs into holes were asked for.
    pub(super) fn has_runs(&self) -> bool {
        self.holes.iter().any(|hole| hole.witness.is_some())
    }

    /// So many states or transitions.
    pub(super) fn counted(&self, count: &Count) -> String {
        format!("{} {}", shown(count), self.unit(count))
    }

    /// `state` or `transition`, in the number that fits.
    pub(super) fn unit(&self, count: &Count) -> String {
        let plural = if count.to_usize() == Some(1) { "" } else { "s" };
        format!("{}{plural}", self.state.metric)
    }
}

/// A count that people can read.
pub(super) fn shown(count: &Count) -> String {
    readable(&count.to_string())
}

/// The rows of a metric.
fn rows<'r>(result: &'r RunResult, metric: &str) -> Vec<Row<'r>> {
    let own = result.states.iter().filter(|state| state.metric == metric);
    own.map(|state| Row::new(result, state)).collect()
}

/// Writes the section of a metric.
pub(super) fn section(result: &RunResult, metric: &str, page: &mut Page) {
    let rows = rows(result, metric);
    let Some(first) = rows.first() else { return };
    page.title(title(first.state));
    let Some(reachable) = &first.state.reachable else {
        let reason = first.state.reason.as_deref().unwrap_or("unknown");
        page.say(2, format!("Nothing is known about coverage: {reason}."));
        return;
    };
    if first.share.is_some_and(|share| share.total.is_zero()) {
        page.say(2, format!("There is nothing to cover: {}.", nothing_to_cover(first, reachable)));
        return;
    }
    page.say(2, space(first, reachable));
    if rows.len() > 1 {
        overview(&rows, page);
    }
    // It is about the properties, whatever the metric.
    if result.states.first().is_some_and(|state| state.metric == metric) {
        unmentioned(result, page);
    }
    unchecked(&rows, page);
    for row in &rows {
        if !is_brief(row, rows.len()) || row.has_runs() {
            signal(row, page);
        }
    }
    state_holes::advice(&rows, |row| is_brief(row, rows.len()), page);
}

fn title(row: &StateRow) -> String {
    let proved = row.properties.iter().filter(|part| part.verdict == Verdict::Proved).count();
    let metric = match row.metric.as_str() {
        "state" => "State coverage",
        "transition" => "Transition coverage",
        other => other,
    };
    let mut words = vec![format!("by {}", row.semantics)];
    if row.flip == "all" {
        words.push("every other value noticed".to_owned());
    }
    if row.implication == "whole" {
        words.push("implications as one proposition".to_owned());
    }
    format!("{metric} of {}, {}:", plural(proved, "property", "properties"), words.join(", "))
}

fn nothing_to_cover(row: &Row<'_>, reachable: &Count) -> String {
    let excluded = row.state.excluded.clone().unwrap_or_default();
    if reachable.is_zero() {
        format!("there are no reachable {}", row.unit(reachable))
    } else if excluded.is_zero() {
        format!("none of the {} is fair", row.counted(reachable))
    } else {
        format!("--dont-care excludes all {} that are fair", row.counted(&excluded))
    }
}

/// What there is to cover, and what was left out.
fn space(row: &Row<'_>, reachable: &Count) -> String {
    let left_out: Vec<String> =
        [(&row.state.unfair, "without a fair path"), (&row.state.excluded, "by --dont-care")]
            .into_iter()
            .filter_map(|(count, why)| Some((count.as_ref().filter(|count| !count.is_zero())?, why)))
            .map(|(count, why)| format!("{} {why}", shown(count)))
            .collect();
    let left_out = match left_out.is_empty() {
        true => String::new(),
        false => format!("; not counted: {}", left_out.join(", ")),
    };
    format!("{} reachable{left_out}.", row.counted(reachable))
}

fn overview(rows: &[Row<'_>], page: &mut Page) {
    let row = |row: &Row<'_>| -> Option<(String, Share)> {
        row.share.map(|share| (row.name().to_owned(), share.clone()))
    };
    let known: Vec<(String, Share)> = rows.iter().filter_map(row).collect();
    let table: Vec<tally::Row<'_>> =
        known.iter().map(|(name, share)| tally::Row { name, share, unique: None }).collect();
    page.gap();
    page.table(2, &tally::table("observed", &table));
}

/// States that no property mentions.
fn unmentioned(result: &RunResult, page: &mut Page) {
    let Some(unmentioned) = &result.unmentioned else { return };
    page.gap();
    for (title, names) in [
        ("No property mentions:", &unmentioned.silent),
        ("Mentioned through definitions only:", &unmentioned.indirect),
    ] {
        if !names.is_empty() {
            page.list(2, title, names);
        }
    }
}

/// Whether a row among others says no more than that nothing is covered.
fn is_brief(row: &Row<'_>, among: usize) -> bool {
    let is_plain = |part: &StatePart| {
        !part.mentions || part.reason.is_none() && part.covered.as_ref().is_some_and(Count::is_zero)
    };
    let is_nothing = |share: &Share| share.tally.covered.is_zero() && share.tally.unknown.is_zero();
    among > 1 && row.share.is_some_and(is_nothing) && row.state.properties.iter().all(is_plain)
}

/// Signals that no property checks anywhere.
fn unchecked(rows: &[Row<'_>], page: &mut Page) {
    let names: Vec<&str> = rows.iter().filter(|row| is_brief(row, rows.len())).map(Row::name).collect();
    if names.is_empty() {
        return;
    }
    let title = match rows.iter().any(Row::is_about_all_values) {
        true => "Nowhere is every other value noticed:",
        false => "Nowhere checked, only used as a condition or not at all:",
    };
    page.gap();
    page.list(2, title, names);
}

/// One observed signal.
fn signal(row: &Row<'_>, page: &mut Page) {
    page.gap();
    let Some(share) = row.share else {
        let reason = row.state.reason.as_deref().unwrap_or("not measured");
        page.spans(0, &[Span::toned(Tone::Strong, row.name()), format!(": unknown: {reason}").into()]);
        return;
    };
    let covered = match share.tally.unknown.is_zero() {
        true => shown(&share.tally.covered),
        false => {
            let most = &share.tally.covered + &share.tally.unknown;
            format!("{} to {}", shown(&share.tally.covered), shown(&most))
        }
    };
    let certified = match (share.certified, &row.state.not_certified) {
        (true, _) => ", certified".to_owned(),
        (false, Some(why)) => format!(", not certified: {why}"),
        (false, None) => String::new(),
    };
    let counting = row.counted(&share.tally.counting());
    let waived = match share.tally.waived.is_zero() {
        true => String::new(),
        false => format!("; {} waived", shown(&share.tally.waived)),
    };
    page.spans(
        0,
        &[
            Span::toned(Tone::Strong, format!("{}: {}", row.name(), share.headline_text())),
            format!(" ({covered} of {counting}{waived}){certified}{}", unmeasured(row)).into(),
        ],
    );
    state_parts::write(row, page);
    state_holes::write(row, page);
}

/// That nothing is covered because nothing was measured, if that is so.
fn unmeasured(row: &Row<'_>) -> &'static str {
    let mut related = row.state.properties.iter().filter(|part| part.mentions).peekable();
    if related.peek().is_none() || related.any(|part| part.covered.is_some()) {
        return "";
    }
    match row.state.observed.is_some() {
        true => "; no property that mentions it was measured",
        false => "; no property that mentions them was measured",
    }
}

/// The last line, where this is the only metric.
pub(super) fn headline(result: &RunResult, metric: &str) -> Option<String> {
    let rows = rows(result, metric);
    let all = rows.last()?;
    let together = all.share.filter(|share| !share.total.is_zero())?;
    let threshold = thresholds::sole(result);
    let is_named = result.unmentioned.is_none();
    if let Some(threshold) = threshold.filter(|threshold| threshold.verdict != ThresholdVerdict::Reached) {
        let relation = thresholds::relation(threshold);
        if let Some(short) = threshold.short.iter().max_by_key(|short| short.missed) {
            let name = match &short.scope {
                Scope::Observed(name) => name.as_str(),
                _ => all.name(),
            };
            return Some(format!("coverage of {name}: {}, {relation}", short.text));
        }
    }
    let reached =
        threshold.map(|threshold| format!(", {}", thresholds::relation(threshold))).unwrap_or_default();
    let percent = together.headline_text();
    if rows.len() == 1 {
        return Some(format!("coverage of {}: {percent}{reached}", all.name()));
    }
    let of_signals = extremes(&rows);
    let (of_each, of_all) = if is_named { (reached.as_str(), "") } else { ("", reached.as_str()) };
    Some(match of_signals == percent {
        true => format!("coverage: {percent}{reached}"),
        false => format!("coverage: {of_signals}{of_each}; {TOGETHER} {percent}{of_all}"),
    })
}

/// From the signal of which least is certainly covered to the one of which most may be.
fn extremes(rows: &[Row<'_>]) -> String {
    let signals = || rows.iter().filter(|row| row.state.observed.is_some());
    let known = || signals().filter_map(|row| Some((row, row.share?)));
    let most = |share: &Share| &share.tally.covered + &share.tally.unknown;
    // What is waived does not count, and may be more of one signal than of another.
    let low = |share: &Share| share.percent.as_ref().map_or(100.0, Percent::low);
    let high = |share: &Share| share.percent.as_ref().map_or(0.0, Percent::high);
    let worst = known().min_by(|(_, one), (_, other)| low(one).total_cmp(&low(other)));
    let best = known().max_by(|(_, one), (_, other)| high(one).total_cmp(&high(other)));
    let (Some((row, worst)), Some((_, best))) = (worst, best) else { return "unknown".to_owned() };
    let ends = [(worst.tally.covered.clone(), worst), (most(best), best)];
    let [from, to] = ends.map(|(count, share)| {
        let percent = Percent::of(&count, &Count::ZERO, &share.tally.counting());
        percent.map_or("-".to_owned(), |percent| percent.to_string())
    });
    if from == to { to } else { format!("{from} ({}) to {to}", row.name()) }
}
