//! What `propcov check` prints for people, and the same as a document.

use crate::diagnostics;
use crate::exit::ExitCode;
use crate::table::{Align, Cell, Palette, Table, Tone};
use propcov_engine::Stats;
use propcov_engine::gate::Assumptions;
use propcov_frontend::Design;
use propcov_ir::{PropertyId, PropertyKind, Site, System, UnknownReason};
use propcov_verify::{Inspection, Outcome, Symbolic};

/// What is said of an answer that no separate code has confirmed.
const NOT_CERTIFIED: &str = "by decision diagrams alone";
/// The same where a run shows a part of the answer.
const ONE_START: &str = "shown from one of several initial states";

/// Everything that a run found out about properties.
pub(crate) struct Verdicts<'d> {
    pub(crate) path: &'d str,
    pub(crate) design: &'d Design,
    pub(crate) inspection: Inspection,
    pub(crate) outcomes: Vec<Outcome>,
    /// What decision diagrams found out, if they were needed.
    pub(crate) symbolic: Option<Symbolic>,
    pub(crate) seconds: f64,
}

impl Verdicts<'_> {
    pub(crate) fn system(&self) -> &System {
        &self.design.system
    }

    pub(crate) fn name(&self, outcome: &Outcome) -> &str {
        &self.system().property(outcome.property).name
    }

    /// Whether no run satisfies the assumptions for ever.
    pub(crate) fn is_conflicting(&self) -> bool {
        matches!(self.inspection.gate.assumptions, Assumptions::Conflicting { .. })
    }

    /// Whether no CTL property can fail, for lack of a fair initial state.
    fn is_without_fair_start(&self) -> bool {
        self.symbolic.as_ref().is_some_and(|symbolic| symbolic.fair_start == Some(false))
    }

    fn is_ctl(&self, property: PropertyId) -> bool {
        matches!(self.system().property(property).kind, PropertyKind::Ctl(_))
    }

    /// Whether the verdict is a proof that says nothing about the design.
    pub(crate) fn is_vacuous(&self, outcome: &Outcome) -> bool {
        let constant = self.inspection.gate.constant.contains(&(outcome.property, true));
        let untested =
            self.symbolic.as_ref().is_some_and(|symbolic| symbolic.untested.contains(&outcome.property));
        let unfair = self.is_ctl(outcome.property) && self.is_without_fair_start();
        outcome.answer.is_proved() && (constant || untested || unfair || self.is_conflicting())
    }

    /// The exit code that follows from the verdicts.
    pub(crate) fn exit_code(&self) -> ExitCode {
        let nothing = self.is_conflicting() || self.is_without_fair_start() || self.outcomes.is_empty();
        let of_gate = if nothing { ExitCode::Undecided } else { ExitCode::Good };
        let of_errors =
            |errors: &[String]| if errors.is_empty() { ExitCode::Good } else { ExitCode::Internal };
        let of_symbolic = self.symbolic.as_ref().map_or(&[][..], |symbolic| &symbolic.internal_errors);
        let of_checks = of_errors(&self.inspection.internal_errors).and(of_errors(of_symbolic));
        self.outcomes.iter().fold(of_gate.and(of_checks), |code, outcome| {
            code.and(of_errors(&outcome.internal_errors)).and(
                match (outcome.answer.is_proved(), outcome.answer.is_falsified()) {
                    (true, _) => ExitCode::Good,
                    (_, true) => ExitCode::Failed,
                    _ => ExitCode::Undecided,
                },
            )
        })
    }

    /// What went wrong inside propcov, a line each.
    pub(crate) fn internal_errors(&self) -> String {
        let gate = self.inspection.internal_errors.iter();
        let gate = gate.map(|error| format!("internal error: sanity gate: {error}\n"));
        let symbolic = self.symbolic.iter().flat_map(|symbolic| &symbolic.internal_errors);
        let symbolic = symbolic.map(|error| format!("internal error: decision diagrams: {error}\n"));
        let of_outcome = |outcome: &Outcome| {
            let name = self.name(outcome);
            outcome.internal_errors.iter().map(|error| format!("internal error: {name}: {error}\n")).collect()
        };
        gate.chain(symbolic).chain(self.outcomes.iter().map(of_outcome)).collect()
    }

    /// The sum of all counts.
    pub(crate) fn total_stats(&self) -> Stats {
        let mut all = self.inspection.stats.clone();
        self.outcomes.iter().for_each(|outcome| all.merge(&outcome.stats));
        all
    }

    /// What was read.
    pub(crate) fn heading(&self) -> String {
        let system = self.system();
        let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        format!(
            "{} ({}): {}, {}, {}, {}\n",
            self.path,
            self.design.format(),
            count(system.user_inputs().count(), "input"),
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
            // Without a fair path even the constant false holds of all of them.
            if !value && self.is_without_fair_start() && self.is_ctl(*property) {
                continue;
            }
            let name = &self.system().property(*property).name;
            let why = if *value { "it checks nothing" } else { "it cannot hold" };
            text.push_str(&format!("{warning} {name} is the constant {value}: {why}.\n"));
        }
        text.push_str(&self.symbolic_gate(&warning));
        text
    }

    /// What is wrong with questions about paths.
    fn symbolic_gate(&self, warning: &str) -> String {
        let Some(symbolic) = &self.symbolic else { return String::new() };
        let mut text = String::new();
        match symbolic.fair_start {
            Some(false) => text.push_str(&format!(
                "{warning} no initial state is fair: {}.\n  Every CTL property holds, and says nothing.\n",
                self.why_unfair()
            )),
            Some(true) => {}
            None => text.push_str("note: whether some initial state is fair was not decided\n"),
        }
        if symbolic.deadlock == Some(true) && symbolic.fair_start != Some(false) {
            text.push_str(
                "note: some reachable state has no successor; there, and where every path leads there, `A` is true \
                 and `E` is false of everything\n",
            );
        }
        for property in &symbolic.untested {
            let name = &self.system().property(*property).name;
            text.push_str(&format!("{warning} {name} is vacuous: its antecedent never holds.\n"));
        }
        text
    }

    fn why_unfair(&self) -> &'static str {
        let deadlock = self.symbolic.as_ref().is_some_and(|symbolic| symbolic.deadlock == Some(true));
        match (deadlock, self.system().fairness.is_empty()) {
            (true, true) => "every run ends in a state without successor",
            (true, false) => "every run ends, or violates a fairness constraint",
            (false, false) => "every run violates a fairness constraint",
            (false, true) => "there is no initial state",
        }
    }

    fn conflict_text(&self, conflict: &[propcov_ir::ConstraintId], palette: Palette) -> String {
        if conflict.is_empty() {
            return "  No assumption is to blame: initial values contradict each other.\n".to_owned();
        }
        let mut table = Table::new(vec![Align::Left, Align::Left]);
        for id in conflict {
            let system = self.system();
            let element = system.element_at(Site::Constraint(*id)).map(|element| system.element(element));
            let span = element.and_then(|element| element.span());
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
            let (verdict, tone) = match outcome.answer.name() {
                "proved" if self.is_vacuous(outcome) => ("proved (vacuous)", Tone::Doubtful),
                "proved" => ("proved", Tone::Good),
                "falsified" => ("FAILED", Tone::Bad),
                _ => ("unknown", Tone::Doubtful),
            };
            let certified = match (outcome.answer.is_decided(), outcome.certified) {
                (true, true) => "yes",
                (true, false) => "no",
                (false, _) => "-",
            };
            table.row(vec![
                self.name(outcome).into(),
                Cell::toned(verdict, tone),
                outcome.engine.unwrap_or("-").into(),
                outcome.depth.map_or("-".to_owned(), |depth| depth.to_string()).into(),
                certified.into(),
                format!("{:.2}", outcome.seconds).into(),
                remark(outcome).unwrap_or_default().into(),
            ]);
        }
        let mut text = table.render("", palette);
        if self.outcomes.iter().any(|outcome| outcome.answer.is_decided() && !outcome.certified) {
            text.push_str("  What is not certified, and why: `propcov help ctl`.\n");
        }
        text
    }
}

/// Why a verdict is unknown, in one line.
pub(crate) fn reason(outcome: &Outcome) -> Option<String> {
    let reason = outcome.answer.reason()?;
    let line = reason.to_string().lines().next().unwrap_or_default().to_owned();
    let stopped_early =
        matches!(reason, UnknownReason::Timeout | UnknownReason::Cancelled | UnknownReason::Conflicts);
    Some(match outcome.depth {
        Some(depth) if stopped_early => format!("{line}; no violation up to depth {depth}"),
        _ => line,
    })
}

/// What there is to say about a verdict: why it is unknown, or what it rests on if that was not certified.
fn remark(outcome: &Outcome) -> Option<String> {
    let is_shown = outcome.answer.demonstration().is_some_and(|shown| shown.claim.is_existential());
    let why = if is_shown && outcome.answer.is_proved() { ONE_START } else { NOT_CERTIFIED };
    reason(outcome).or_else(|| (!outcome.certified).then(|| why.to_owned()))
}
