//! What `propcov check` prints for people, and the same as a document.

use crate::diagnostics;
use crate::document::verdict_name;
use crate::exit::ExitCode;
use crate::prove::Outcome;
use crate::table::{Align, Cell, Palette, Table, Tone, wrapped};
use crate::trace_table;
use propcov_engine::Stats;
use propcov_engine::gate::{Assumptions, Gate};
use propcov_frontend::Design;
use propcov_ir::{Site, System, UnknownReason, Verdict};
use std::path::PathBuf;

/// The widest line of text.
const WIDTH: usize = 100;
/// The most counterexamples that are shown in full.
const TRACES: usize = 5;
/// The most files of evidence that are listed.
const FILES: usize = 20;

/// How to see more of a counterexample.
const HINT: &str = "--certificate DIR writes the whole of it, as a witness and as a waveform (VCD).";

/// What the sanity gate found.
pub(crate) struct Inspection {
    pub(crate) gate: Gate,
    pub(crate) stats: Stats,
    /// What went wrong inside propcov.
    pub(crate) internal_errors: Vec<String>,
}

/// Everything that a run found out about properties.
pub(crate) struct Verdicts<'d> {
    pub(crate) path: &'d str,
    pub(crate) design: &'d Design,
    pub(crate) inspection: Inspection,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) seconds: f64,
    /// Whether cores were asked for.
    pub(crate) with_core: bool,
    /// The files that hold the evidence.
    pub(crate) files: Vec<PathBuf>,
}

impl Verdicts<'_> {
    pub(crate) fn system(&self) -> &System {
        &self.design.system
    }

    pub(crate) fn name(&self, outcome: &Outcome) -> &str {
        &self.system().property(outcome.property).name
    }

    fn is_conflicting(&self) -> bool {
        matches!(self.inspection.gate.assumptions, Assumptions::Conflicting { .. })
    }

    /// Whether the verdict is a proof that says nothing about the design.
    pub(crate) fn is_vacuous(&self, outcome: &Outcome) -> bool {
        let constant = self.inspection.gate.constant.contains(&(outcome.property, true));
        matches!(outcome.verdict, Verdict::Proved(_)) && (constant || self.is_conflicting())
    }

    /// The exit code that follows from the verdicts.
    pub(crate) fn exit_code(&self) -> ExitCode {
        let nothing = self.is_conflicting() || self.outcomes.is_empty();
        let of_gate = if nothing { ExitCode::Undecided } else { ExitCode::Good };
        let of_errors =
            |errors: &[String]| if errors.is_empty() { ExitCode::Good } else { ExitCode::Internal };
        self.outcomes.iter().fold(
            of_gate.and(of_errors(&self.inspection.internal_errors)),
            |code, outcome| {
                code.and(of_errors(&outcome.internal_errors)).and(match outcome.verdict {
                    Verdict::Proved(_) => ExitCode::Good,
                    Verdict::Falsified(_) => ExitCode::Failed,
                    Verdict::Unknown(_) => ExitCode::Undecided,
                })
            },
        )
    }

    /// What went wrong inside propcov, a line each.
    pub(crate) fn internal_errors(&self) -> String {
        let gate = self.inspection.internal_errors.iter();
        let gate = gate.map(|error| format!("internal error: sanity gate: {error}\n"));
        let of_outcome = |outcome: &Outcome| {
            let name = self.name(outcome);
            outcome.internal_errors.iter().map(|error| format!("internal error: {name}: {error}\n")).collect()
        };
        gate.chain(self.outcomes.iter().map(of_outcome)).collect()
    }

    /// The sum of all counts.
    pub(crate) fn total_stats(&self) -> Stats {
        let mut all = self.inspection.stats.clone();
        self.outcomes.iter().for_each(|outcome| all.merge(&outcome.stats));
        all
    }

    /// The text for people.
    pub(crate) fn text(&self, with_stats: bool, palette: Palette) -> String {
        let mut text = self.heading();
        text.push_str(&self.gate_text(palette));
        if !self.outcomes.is_empty() {
            text.push('\n');
            text.push_str(&self.verdict_table(palette));
        }
        text.push_str(&self.traces(palette, Some(HINT)));
        text.push_str(&self.cores());
        if with_stats {
            text.push_str(&self.stats(palette));
        }
        text.push_str(&self.evidence());
        text.push_str(&self.summary(palette));
        text
    }

    /// What was read.
    pub(crate) fn heading(&self) -> String {
        let system = self.system();
        let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        format!(
            "{} ({}): {}, {}, {}, {}\n",
            self.path,
            self.design.format,
            count(system.inputs().len(), "input"),
            count(system.states().len(), "state"),
            count(system.elements().len(), "element"),
            count(system.constraints().len(), "assumption"),
        )
    }

    /// What is wrong with the question.
    pub(crate) fn gate_text(&self, palette: Palette) -> String {
        let warning = palette.paint(Tone::Bad, "WARNING:");
        let mut text = String::new();
        if self.inspection.gate.obligations == 0 {
            text.push_str(&format!("{warning} there is no property: nothing was proved.\n"));
        }
        match &self.inspection.gate.assumptions {
            Assumptions::Consistent => {}
            Assumptions::Unknown(reason) => {
                text.push_str(&format!("note: whether the assumptions conflict was not decided: {reason}\n"));
            }
            Assumptions::Conflicting { step, conflict } => {
                let beyond = match step {
                    0 => "the design has no run at all".to_owned(),
                    step => format!("no run has more than {step} step{}", if *step == 1 { "" } else { "s" }),
                };
                text.push_str(&format!(
                    "{warning} the assumptions conflict: {beyond}. Proofs are vacuous.\n"
                ));
                text.push_str(&self.conflict_text(conflict, palette));
            }
        }
        for (property, value) in &self.inspection.gate.constant {
            let name = &self.system().property(*property).name;
            let why = if *value { "it checks nothing" } else { "it cannot hold" };
            text.push_str(&format!("{warning} {name} is the constant {value}: {why}.\n"));
        }
        text
    }

    fn conflict_text(&self, conflict: &[propcov_ir::ConstraintId], palette: Palette) -> String {
        if conflict.is_empty() {
            return "  No assumption is to blame: initial values contradict each other.\n".to_owned();
        }
        let mut table = Table::new(vec![Align::Left, Align::Left]);
        for id in conflict {
            let system = self.system();
            let element = system.element_at(Site::Constraint(*id)).map(|element| system.element(element));
            let span = element.and_then(|element| element.span);
            let place = span.and_then(|span| diagnostics::position(system, span)).unwrap_or_default();
            table.row(vec![system.constraints()[id.0 as usize].name.clone().into(), place.into()]);
        }
        let all = if conflict.len() == 1 { "this one alone" } else { "these, none of which can be left out" };
        format!("  To blame: {all}:\n{}", table.render("    ", palette))
    }

    /// One line for each property.
    pub(crate) fn verdict_table(&self, palette: Palette) -> String {
        use Align::{Left, Right};
        let mut table = Table::new(vec![Left, Left, Left, Right, Left, Right, Left]);
        let heading = ["property", "verdict", "engine", "depth", "certified", "seconds"];
        table.row(heading.into_iter().map(|title| Cell::toned(title, Tone::Strong)).collect());
        for outcome in &self.outcomes {
            let (verdict, tone) = match outcome.verdict {
                Verdict::Proved(_) if self.is_vacuous(outcome) => ("proved (vacuous)", Tone::Doubtful),
                Verdict::Proved(_) => ("proved", Tone::Good),
                Verdict::Falsified(_) => ("FAILED", Tone::Bad),
                Verdict::Unknown(_) => ("unknown", Tone::Doubtful),
            };
            table.row(vec![
                self.name(outcome).into(),
                Cell::toned(verdict, tone),
                outcome.engine.unwrap_or("-").into(),
                outcome.depth.map_or("-".to_owned(), |depth| depth.to_string()).into(),
                if outcome.is_certified() { "yes" } else { "-" }.into(),
                format!("{:.2}", outcome.seconds).into(),
                reason(outcome).unwrap_or_default().into(),
            ]);
        }
        table.render("", palette)
    }

    /// The counterexamples.
    pub(crate) fn traces(&self, palette: Palette, hint: Option<&str>) -> String {
        let failed: Vec<_> = (self.outcomes.iter())
            .filter_map(|outcome| match &outcome.verdict {
                Verdict::Falsified(trace) => Some((outcome, trace)),
                _ => None,
            })
            .collect();
        let mut text = String::new();
        for (outcome, trace) in failed.iter().take(TRACES) {
            let title = format!("{} fails in step {}:", self.name(outcome), trace.depth());
            text.push_str(&format!("\n{}\n", palette.paint(Tone::Strong, &title)));
            text.push_str(&trace_table::render(self.system(), trace, "  ", palette));
        }
        if failed.is_empty() {
            return text;
        }
        text.push_str("\n  Words are hexadecimal; a dot is the value of the step before.");
        if failed.len() > TRACES {
            text.push_str(&format!(" {} more counterexamples are not shown.", failed.len() - TRACES));
        }
        text.push('\n');
        if let Some(hint) = hint.filter(|_| self.files.is_empty()) {
            text.push_str(&format!("  {hint}\n"));
        }
        text
    }

    fn cores(&self) -> String {
        let mut text = String::new();
        for outcome in self.outcomes.iter().filter(|_| self.with_core) {
            let name = self.name(outcome);
            match (&outcome.core, &outcome.verdict) {
                (Some(core), _) => {
                    let total = self.system().elements().len();
                    text.push_str(&format!(
                        "\nThe proof of {name} uses {} of {total} elements:\n",
                        core.len()
                    ));
                    let names = core.iter().map(|element| self.system().element(element).name.clone());
                    text.push_str(&wrapped(names, "  ", WIDTH));
                }
                (None, Verdict::Proved(proof)) => {
                    let why = if proof.simple_path {
                        "it is over simple paths"
                    } else {
                        "the budget did not suffice"
                    };
                    text.push_str(&format!("\nWhat the proof of {name} uses was not determined: {why}.\n"));
                }
                (None, _) => {}
            }
        }
        text
    }

    fn evidence(&self) -> String {
        if self.files.is_empty() {
            return String::new();
        }
        let names = self.files.iter().map(|file| format!("  {}\n", file.display()));
        let mut text: String = std::iter::once("\nEvidence:\n".to_owned()).chain(names.take(FILES)).collect();
        if self.files.len() > FILES {
            text.push_str(&format!("  and {} more files\n", self.files.len() - FILES));
        }
        text
    }

    fn stats(&self, palette: Palette) -> String {
        let all = self.total_stats();
        let document = self.stats_document();
        let mut table = Table::new(vec![Align::Left, Align::Right]);
        table.row(vec!["proof seconds".into(), format!("{:.2}", document.proof_seconds).into()]);
        for (engine, count) in document.decided_by {
            table.row(vec![format!("decided by {engine}").into(), count.to_string().into()]);
        }
        for (cause, calls) in all.solver_calls {
            table.row(vec![format!("solver calls, {cause}").into(), calls.to_string().into()]);
        }
        for (what, count) in all.counts {
            table.row(vec![what.into(), count.to_string().into()]);
        }
        table.row(vec!["solver ticks".into(), all.ticks.to_string().into()]);
        format!("\nStatistics:\n{}", table.render("  ", palette))
    }

    fn summary(&self, palette: Palette) -> String {
        let count = |wanted: &str| {
            self.outcomes.iter().filter(|outcome| verdict_name(&outcome.verdict) == wanted).count()
        };
        let total = self.outcomes.len();
        let vacuous = self.outcomes.iter().filter(|outcome| self.is_vacuous(outcome)).count();
        let proved = match vacuous {
            0 => format!("{} proved", count("proved")),
            vacuous => format!("{} proved ({vacuous} vacuous)", count("proved")),
        };
        let line = format!(
            "{total} propert{}: {proved}, {} failed, {} unknown",
            if total == 1 { "y" } else { "ies" },
            count("falsified"),
            count("unknown"),
        );
        format!("\n{} ({:.2} seconds)\n", palette.paint(Tone::Strong, &line), self.seconds)
    }
}

/// Why a verdict is unknown, in one line.
pub(crate) fn reason(outcome: &Outcome) -> Option<String> {
    match &outcome.verdict {
        Verdict::Unknown(reason) => {
            let reason = reason.to_string().lines().next().unwrap_or_default().to_owned();
            let stopped_early = matches!(
                outcome.verdict,
                Verdict::Unknown(
                    UnknownReason::Timeout | UnknownReason::Cancelled | UnknownReason::Conflicts
                )
            );
            Some(match outcome.depth {
                Some(depth) if stopped_early => format!("{reason}; no violation up to depth {depth}"),
                _ => reason,
            })
        }
        _ => None,
    }
}
