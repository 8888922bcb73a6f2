//! The runs that belong to verdicts: counterexamples, witnesses, and what of a CTL property no run can show.

use crate::terminal::{Page, Span, Tone, columns};
use crate::text::run_table::{self, Legend};
use crate::words::{plural, shown};
use propcov_result::{Property, RunResult, Shows, Trace, Verdict};

/// The most runs that are shown.
const RUNS: usize = 5;
/// The most runs that are shown of those that branch off a run.
const BRANCHES: usize = 4;
/// The longest formula that is shown, in lines.
const FORMULA: usize = 3;

/// How to see more of a run of `propcov check`.
const WAVEFORMS: &str =
    "--certificate DIR writes all of it, as a waveform (VCD) and, for AIGER and BTOR2, as a witness.";
/// The same of other commands.
const DOCUMENT: &str = "--format json has all of it.";

/// Writes the counterexamples, and then the runs that show why something holds, or how a cover is reached.
pub(super) fn write(result: &RunResult, page: &mut Page) {
    let (failed, others): (Vec<&Property>, Vec<&Property>) = result
        .properties
        .iter()
        .filter(|property| has_run(property))
        .partition(|property| property.verdict == Verdict::Falsified);
    let total = failed.len() + others.len();
    if total == 0 {
        return;
    }
    let count = shown(total, RUNS);
    let mut legend = Legend::default();
    for property in failed.iter().chain(&others).take(count) {
        page.gap();
        legend = legend.and(run(property, page));
    }
    page.gap();
    page.say(2, format!("{}{}", legend.text(), left_out(failed.len(), total, count)));
    if result.run.command == "check" && result.run.files.is_empty() {
        page.say(2, WAVEFORMS);
    } else if legend.cut || count < total {
        page.say(2, DOCUMENT);
    }
}

/// Whether there is a run to show, or a failure that no run can show.
fn has_run(property: &Property) -> bool {
    let shows = property.trace.as_ref().is_some_and(|trace| trace.shows.is_some());
    let is_reached = property.verdict == Verdict::Reached && property.trace.is_some();
    property.verdict == Verdict::Falsified
        || is_reached
        || shows
        || property.stray.is_some()
        || property.inductive.is_some()
}

/// How many runs were not shown.
fn left_out(failed: usize, total: usize, count: usize) -> String {
    let (more, what) = match failed.saturating_sub(count) {
        0 => (total - count, ["run is", "runs are"]),
        more => (more, ["counterexample is", "counterexamples are"]),
    };
    match more {
        0 => String::new(),
        more => format!(
            " {} not shown.",
            plural(more, &format!("more {}", what[0]), &format!("more {}", what[1]))
        ),
    }
}

fn run(property: &Property, page: &mut Page) -> Legend {
    let name = &property.name;
    let written =
        property.formula.as_ref().map(|formula| format!(": {}", cut(formula, page))).unwrap_or_default();
    let title = |text: String, page: &mut Page| page.say(0, Span::toned(Tone::Strong, text));
    match (&property.trace, &property.stray) {
        (Some(trace), _) => match &trace.shows {
            Some(shows) => {
                title(
                    match (property.verdict == Verdict::Falsified, shows.state) {
                        (true, true) => format!("{name} fails in this initial state{written}"),
                        (true, false) => format!("Counterexample to {name}{written}"),
                        (false, _) => format!("Witness of {name}{written}"),
                    },
                    page,
                );
                not_shown(shows, page);
                let legend = demonstration(trace, shows, 2, page);
                attempt(property, page);
                legend
            }
            None => {
                let what = if property.verdict == Verdict::Reached { "is reached" } else { "fails" };
                title(format!("{name} {what} in step {}:", trace.steps.saturating_sub(1)), page);
                let legend = run_table::write(trace, trace.steps, 2, page);
                attempt(property, page);
                smoothness(property, page);
                legend
            }
        },
        (None, Some(run)) => {
            title(format!("Not a counterexample yet to {name}: a run that may not go on for ever"), page);
            run_table::write(run, run.steps, 2, page)
        }
        (None, None) if property.inductive.is_some() => {
            title(format!("{name} is not decided. Induction fails: a run that starts anywhere"), page);
            let run = property.inductive.as_ref();
            run.map_or(Legend::default(), |run| run_table::write(run, run.steps, 2, page))
        }
        (None, None) => {
            title(format!("{name} fails{written}"), page);
            if property.kind == "ctl" {
                page.say(2, "No single run shows that: it is about all of them.");
            }
            Legend::default()
        }
    }
}

/// Writes what went wrong, part by part.
fn attempt(property: &Property, page: &mut Page) {
    let Some(attempt) = &property.attempt else { return };
    page.say(2, format!("The attempt that began in step {}:", attempt.start));
    for part in &attempt.parts {
        page.say(4, part.sentence());
    }
    let shown = property.trace.as_ref().map_or(0, |trace| trace.steps);
    if attempt.parts.iter().any(|part| part.from >= shown || part.matched && part.to >= shown) {
        page.say(4, format!("(steps are counted on after the loop: step {shown} is its first one again)"));
    }
}

fn smoothness(property: &Property, page: &mut Page) {
    let Some(smooth) = &property.smooth else { return };
    page.say(
        2,
        match (smooth.before, smooth.after, &smooth.reason) {
            (Some(before), Some(after), _) => {
                let changes = match after {
                    0 => "never change".to_owned(),
                    1 => "change once".to_owned(),
                    many => format!("change {many} times"),
                };
                let fewest = match smooth.fewest {
                    true => "no run of this length needs fewer",
                    false => "fewer may be possible",
                };
                format!("Inputs {changes} ({before} before smoothing; {fewest}).")
            }
            (_, _, Some(why)) => format!("The run was not made smoother: {why}."),
            _ => "The run was not made smoother.".to_owned(),
        },
    );
}

/// What a run leaves open.
fn not_shown(shows: &Shows, page: &mut Page) {
    if shows.whole {
        return;
    }
    let text = match (&shows.end, shows.essential.checked_sub(1)) {
        _ if shows.state => "That is about all paths from there, and no run shows it.".to_owned(),
        (Some(end), Some(last)) => format!(
            "The run leads to step {last}, where {} holds: that is about all paths, and no run shows it.",
            cut(end, page)
        ),
        _ => {
            let parts = cut(&shows.open.join(", "), page);
            format!("What is about all paths is not shown, if it matters here: {parts}")
        }
    };
    page.say(2, text);
}

/// Writes a run, where it loops, and the runs that branch off.
fn demonstration(trace: &Trace, shows: &Shows, indent: usize, page: &mut Page) -> Legend {
    let mut legend = run_table::write(trace, shows.essential, indent, page);
    if let Some(ending) = ending(trace, shows).filter(|_| !shows.state) {
        page.say(indent, ending);
    }
    let count = shown(shows.branches.len(), BRANCHES);
    for branch in &shows.branches[..count] {
        let Some(inner) = &branch.trace.shows else { continue };
        let part = if inner.whole { "" } else { " as far as a run can" };
        let claim = cut(&inner.claim, page);
        page.say(indent, format!("from step {}, a run that shows {claim}{part}:", branch.step));
        legend = legend.and(demonstration(&branch.trace, inner, indent + 2, page));
    }
    if count < shows.branches.len() {
        page.say(indent, format!("… and {} more that branch off", shows.branches.len() - count));
        legend.cut = true;
    }
    legend
}

/// How the run goes on after what is shown of it, in words.
fn ending(trace: &Trace, shows: &Shows) -> Option<String> {
    let last = shows.essential.checked_sub(1)?;
    match shows.loop_to {
        _ if shows.essential < trace.steps => {
            Some(format!("after step {last} the run goes on, fairly and for ever"))
        }
        Some(to) if to == last => Some(format!("loop: step {last} again and again")),
        Some(to) => Some(format!("loop: after step {last} back to step {to}")),
        None => None,
    }
}

/// The beginning of a formula that would fill the page. It is in the design, and in the document.
fn cut(formula: &str, page: &Page) -> String {
    let most = FORMULA * page.style().width;
    if columns(formula) <= most {
        formula.to_owned()
    } else {
        formula.chars().take(most).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted_in_words() {
        assert_eq!(left_out(2, 5, 5), "");
        assert_eq!(left_out(0, 7, 5), " 2 more runs are not shown.");
        assert_eq!(left_out(7, 14, 5), " 2 more counterexamples are not shown.");
        assert_eq!(left_out(6, 14, 5), " 1 more counterexample is not shown.");
    }
}
