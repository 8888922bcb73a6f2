//! The runs that `propcov check` prints: counterexamples, witnesses, and what of a CTL property no run can show.

use crate::demonstration_table::{self, cut, formula};
use crate::diagnostics;
use crate::lustre_table;
use crate::reads;
use crate::report::Verdicts;
use crate::table::{Palette, Tone};
use crate::trace_table;
use propcov_ir::{Ctl, Demonstration, PropertyKind, Quantifier, Runs};
use propcov_verify::{Outcome, Smoothness};

/// The most runs that are shown in full.
const RUNS: usize = 5;

/// What became of the wish for a smooth counterexample, in a line.
fn smoothness_text(smoothness: &Smoothness) -> String {
    match smoothness {
        Smoothness::Known { before, after, is_fewest } => {
            let changes = match after {
                0 => "never change".to_owned(),
                1 => "change once".to_owned(),
                many => format!("change {many} times"),
            };
            let fewest = match is_fewest {
                true => "no run of this length needs fewer",
                false => "fewer may be possible",
            };
            format!("Inputs {changes} ({before} before smoothing; {fewest}).")
        }
        Smoothness::Failed(why) => format!("The run was not made smoother: {why}."),
    }
}

impl Verdicts<'_> {
    /// The counterexamples, and then the runs that show why something holds.
    pub(crate) fn traces(&self, palette: Palette, hint: Option<&str>) -> String {
        let (failed, others): (Vec<&Outcome>, Vec<&Outcome>) = self
            .outcomes
            .iter()
            .filter(|outcome| has_run(outcome))
            .partition(|outcome| outcome.answer.is_falsified());
        let mut text = String::new();
        for outcome in failed.iter().chain(&others).take(RUNS) {
            text.push_str(&self.run_text(outcome, palette));
        }
        if text.is_empty() {
            return text;
        }
        text.push_str(match self.design.system.runs {
            Runs::Variables => "\n  A dot is the value of the step before.",
            Runs::States => "\n  Words are hexadecimal; a dot is the value of the step before.",
        });
        text.push_str(&left_out(failed.len(), others.len()));
        text.push('\n');
        if let Some(hint) = hint {
            text.push_str(&format!("  {hint}\n"));
        }
        text
    }

    fn run_text(&self, outcome: &Outcome, palette: Palette) -> String {
        let (name, system) = (self.name(outcome), self.system());
        let reads = reads::of_property(system, outcome.property);
        let titled = |title: &str, rest: &str| format!("\n{}\n{rest}", palette.paint(Tone::Strong, title));
        if let Some(trace) = outcome.answer.trace() {
            let mut table = match self.design.system.runs {
                Runs::Variables => lustre_table::render(system, trace, outcome.property, "  ", palette),
                Runs::States => trace_table::render(system, trace, &reads, "  ", palette),
            };
            if let Some(smoothness) = &outcome.smoothness {
                table.push_str(&format!("  {}\n", smoothness_text(smoothness)));
            }
            return titled(&format!("{name} fails in step {}:", trace.depth()), &table);
        }
        if let Some(run) = outcome.answer.stray() {
            let title = format!("Not a counterexample yet to {name}: a run that may not go on for ever");
            return titled(&title, &trace_table::render(system, run, &reads, "  ", palette));
        }
        let written = self.property_text(outcome);
        let Some(shown) = outcome.answer.demonstration() else {
            return titled(
                &format!("{name} fails: {written}"),
                "  No single run shows that: it is about all of them.\n",
            );
        };
        let title = match (outcome.answer.is_falsified(), is_one_state(shown)) {
            (true, true) => format!("{name} fails in this initial state: {written}"),
            (true, false) => format!("Counterexample to {name}: {written}"),
            (false, _) => format!("Witness of {name}: {written}"),
        };
        let mut rest = self.not_shown(shown);
        rest.push_str(&demonstration_table::render(system, shown, &reads, "  ", palette));
        titled(&title, &rest)
    }

    /// What a run leaves open, in a line.
    fn not_shown(&self, shown: &Demonstration) -> String {
        let system = self.system();
        if shown.claim.is_existential() {
            return String::new();
        }
        if is_one_state(shown) {
            return "  That is about all paths from there, and no run shows it.\n".to_owned();
        }
        match (end_of(&shown.claim), shown.essential.checked_sub(1)) {
            (Some(end), Some(last)) => format!(
                "  The run leads to step {last}, where {} holds: that is about all paths, and no run shows it.\n",
                formula(system, end)
            ),
            _ => {
                let parts: Vec<String> =
                    universal_parts(&shown.claim).into_iter().map(|part| formula(system, part)).collect();
                format!(
                    "  What is about all paths is not shown, if it matters here: {}\n",
                    cut(&parts.join(", "))
                )
            }
        }
    }

    /// What a property says, as the user wrote it.
    fn property_text(&self, outcome: &Outcome) -> String {
        let property = self.system().property(outcome.property);
        let written = diagnostics::as_written(self.design, property);
        match (written, &property.kind) {
            (Some(written), _) => cut(&written),
            (None, PropertyKind::Ctl(about)) => formula(self.system(), about),
            (None, _) => String::new(),
        }
    }
}

/// Whether there is a run to show, or a failure that no run can show.
fn has_run(outcome: &Outcome) -> bool {
    let answer = &outcome.answer;
    answer.is_falsified() || answer.demonstration().is_some() || answer.stray().is_some()
}

/// How many runs were not shown.
fn left_out(failed: usize, others: usize) -> String {
    let (count, one, many) = match failed.checked_sub(RUNS) {
        Some(count) if count > 0 => (count, "counterexample", "counterexamples"),
        _ => ((failed + others).saturating_sub(RUNS), "run", "runs"),
    };
    match count {
        0 => String::new(),
        1 => format!(" 1 more {one} is not shown."),
        count => format!(" {count} more {many} are not shown."),
    }
}

/// Whether no run says anything about a claim in normal form: it is about the state alone, or about all paths from there.
fn has_no_run(claim: &Ctl) -> bool {
    let mut open = vec![claim];
    while let Some(part) = open.pop() {
        match part {
            Ctl::Next(Quantifier::Exists, _)
            | Ctl::Until(Quantifier::Exists, ..)
            | Ctl::Release(Quantifier::Exists, ..) => return false,
            Ctl::And(a, b) | Ctl::Or(a, b) => open.extend([&**a, &**b]),
            _ => {}
        }
    }
    true
}

/// Whether all that is shown is a state.
pub(crate) fn is_one_state(shown: &Demonstration) -> bool {
    let goes_on_anyhow = shown.loop_to.is_none() || shown.essential < shown.steps.len();
    let is_start = shown.essential == 1 && shown.branches.is_empty() && goes_on_anyhow;
    has_no_run(&shown.claim) || is_start
}

/// What is claimed of the last step of a run that shows a claim, if that is all that the run leaves open.
fn end_of(claim: &Ctl) -> Option<&Ctl> {
    let mut claim = claim;
    loop {
        claim = match claim {
            _ if has_no_run(claim) => return Some(claim),
            Ctl::Next(Quantifier::Exists, a) => a,
            Ctl::Until(Quantifier::Exists, a, b) if a.is_existential() => b,
            Ctl::And(a, b) if a.is_propositional() => b,
            Ctl::And(a, b) if b.is_propositional() => a,
            _ => return None,
        };
    }
}

/// The largest parts of a claim that are about all paths.
fn universal_parts(claim: &Ctl) -> Vec<&Ctl> {
    let mut parts = Vec::new();
    let mut open = vec![claim];
    while let Some(part) = open.pop() {
        match part {
            Ctl::Next(Quantifier::All, _)
            | Ctl::Until(Quantifier::All, ..)
            | Ctl::Release(Quantifier::All, ..) => parts.push(part),
            Ctl::Next(_, a) | Ctl::Not(a) => open.push(a),
            Ctl::And(a, b) | Ctl::Or(a, b) | Ctl::Until(_, a, b) | Ctl::Release(_, a, b) => {
                open.extend([&**b, &**a]);
            }
            Ctl::Atom(_) => {}
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted_in_words() {
        assert_eq!(left_out(2, 3), "");
        assert_eq!(left_out(2, 4), " 1 more run is not shown.");
        assert_eq!(left_out(0, 7), " 2 more runs are not shown.");
        assert_eq!(left_out(6, 7), " 1 more counterexample is not shown.");
    }
}
