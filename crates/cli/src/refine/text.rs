//! Results for people: the verdict first, then coverage by proposition, then what the specification has that nobody implements.

use crate::cover::text::plural;
use crate::refine::explicit::Explicit;
use crate::refine::passage::passage;
use crate::refine::reading::{Body, Model};
use crate::refine::results::{Results, Row, Size, Verdict};
use crate::refine::tree::{self, Tree, list, word};
use crate::table::{Align, Cell, Palette, Table, Tone};
use crate::trace_table;
use dashu_int::UBig;
use propcov_coverage::refine::{Answer, Explanation, FlipStatus, Stats, UnmatchedTransition};
use propcov_ir::{Graph, LabelFlip, Simulation};
use propcov_symbolic::simulation::Unsimulated;

/// The most lines about one criterion.
const LINES: usize = 10;

impl Results {
    /// All of it.
    pub(crate) fn text(&self, with_stats: bool, palette: Palette) -> String {
        let mut text = self.heading();
        text.push_str(&self.verdict_text(palette));
        if matches!(self.verdict, Verdict::Yes { .. }) {
            text.push_str(&self.coverage_text(palette));
            text.push_str(&self.holes_text(palette));
            if let Some(explicit) = &self.explicit {
                text.push_str(&explicit.explanations_text(palette));
                text.push_str(&explicit.criteria_text(palette));
            }
        }
        for note in self.notes.iter().chain(&self.unfinished) {
            text.push_str(&format!("\nnote: {note}\n"));
        }
        if with_stats {
            text.push_str(&self.stats_text(palette));
        }
        text.push_str(&format!("\n{} ({:.2} seconds)\n", self.conclusion(), self.times.total));
        text
    }

    fn heading(&self) -> String {
        let mut text = String::new();
        let models = &self.models;
        text.push_str(&format!(
            "implementation: {}\n",
            described(&models.implementation, &self.implementation)
        ));
        text.push_str(&format!(
            "specification:  {}\n",
            described(&models.specification, &self.specification)
        ));
        text.push_str(&format!("compared:       {}", models.propositions.join(", ")));
        let named = |names: &[String]| list(names.iter().map(String::as_str), names.len());
        let extra = (!models.extra.is_empty())
            .then(|| format!("only the implementation has {}", named(&models.extra)));
        let left_out =
            (!models.left_out.is_empty()).then(|| format!("left out: {}", named(&models.left_out)));
        let others: Vec<String> = extra.into_iter().chain(left_out).collect();
        if !others.is_empty() {
            text.push_str(&format!(" ({})", others.join("; ")));
        }
        text.push('\n');
        text
    }

    fn verdict_text(&self, palette: Palette) -> String {
        let doubt = |certified: bool| if certified { ", certified" } else { ", not certified" };
        match &self.verdict {
            Verdict::Yes { certified } => {
                let words = palette.paint(Tone::Good, "The specification simulates the implementation");
                let pairs = match self.explicit.as_ref().and_then(|explicit| explicit.answer.as_ref()) {
                    Some(Answer::Simulated(simulation)) => {
                        format!(
                            " (by a relation of {}{})",
                            plural(simulation.pairs.len(), "pair", "pairs"),
                            doubt(*certified)
                        )
                    }
                    _ => format!(" ({}{})", self.algorithm, doubt(*certified)),
                };
                format!("\n{words}{pairs}.\n")
            }
            Verdict::No { certified } => {
                let words =
                    palette.paint(Tone::Bad, "The specification does not simulate the implementation");
                let mut text = format!("\n{words} ({}{}).\n", self.algorithm, doubt(*certified));
                if let Some(explicit) = &self.explicit
                    && let Some(Answer::Distinguished(distinction)) = &explicit.answer
                {
                    let (implementation, specification) =
                        (explicit.pair.implementation(), explicit.pair.specification());
                    let tree = Tree { implementation, specification, distinction, flipped: None };
                    text.push_str(&tree.text("  "));
                } else if let Some(unsimulated) = &self.unsimulated {
                    text.push_str(&self.unsimulated_text(unsimulated, palette));
                }
                text.push_str("There is no coverage to measure until it does.\n");
                text
            }
            Verdict::Unknown(reason) => {
                let words = palette.paint(
                    Tone::Doubtful,
                    "It is not known whether the specification simulates the implementation",
                );
                format!("\n{words}: {reason}.\n")
            }
        }
    }

    /// How the implementation gets to a state that nothing simulates.
    fn unsimulated_text(&self, unsimulated: &Unsimulated, palette: Palette) -> String {
        let state = &unsimulated.state;
        let mut text = format!(
            "  Wherever the specification is then, it cannot do all that the implementation can do from {state}\n"
        );
        if let (Some(run), Body::System { system, .. }) = (&unsimulated.run, &self.models.implementation.body)
        {
            text.push_str(&trace_table::render(system, run, &[], "  ", palette));
        }
        text
    }

    fn coverage_text(&self, palette: Palette) -> String {
        let mut text = format!(
            "\n{}\n",
            palette.paint(Tone::Strong, &format!("Covered labels (by {}):", self.algorithm))
        );
        let has_unknown = self.rows.iter().any(|row| row.unknown > UBig::ZERO);
        let mut heading: Vec<Cell> = ["proposition", "labels", "covered", "uncovered"].map(Cell::from).into();
        if has_unknown {
            heading.push("unknown".into());
        }
        heading.push("coverage".into());
        let mut table = Table::new(
            std::iter::once(Align::Left)
                .chain(std::iter::repeat_n(Align::Right, heading.len() - 1))
                .collect(),
        );
        table.row(heading);
        let together = (self.rows.len() > 1).then(|| self.together());
        for row in self.rows.iter().chain(&together) {
            table.row(self.coverage_row(row, has_unknown));
        }
        text.push_str(&table.render("  ", palette));
        let unreachable = self.together().unreachable;
        if unreachable > UBig::ZERO {
            text.push_str(&format!(
                "  {} in states that nothing leads to: no specification could cover them, and they do not count.\n",
                counted(&unreachable, "label is", "labels are")
            ));
        }
        if self.rows.iter().any(|row| !row.certified) {
            text.push_str("  Not certified: no separate code has confirmed these numbers.\n");
        }
        for row in &self.rows {
            if let Some(reason) = &row.reason {
                text.push_str(&format!("  {}: {reason}.\n", row.proposition));
            }
        }
        text
    }

    fn coverage_row(&self, row: &Row, has_unknown: bool) -> Vec<Cell> {
        let share = row.share();
        let tone = match self.threshold {
            Some(threshold) if share.is_below(threshold) => Tone::Bad,
            _ if row.covered == row.total() => Tone::Good,
            _ => Tone::Plain,
        };
        let percent = match self.threshold {
            Some(threshold) => share.text_beside(threshold),
            None => share.text(),
        };
        let mut cells: Vec<Cell> = vec![
            row.proposition.clone().into(),
            row.total().to_string().into(),
            row.covered.to_string().into(),
            row.uncovered.to_string().into(),
        ];
        if has_unknown {
            cells.push(row.unknown.to_string().into());
        }
        cells.push(Cell::toned(percent.unwrap_or_else(|| "-".to_owned()), tone));
        cells
    }

    /// The uncovered labels, grouped by proposition.
    fn holes_text(&self, palette: Palette) -> String {
        let mut text = String::new();
        for row in self.rows.iter().filter(|row| row.uncovered > UBig::ZERO) {
            let title = format!(
                "{} could have its other value, and the specification would not notice, in {}:",
                row.proposition,
                counted(&row.uncovered, "state", "states")
            );
            text.push_str(&format!("\n{}\n", palette.paint(Tone::Strong, &title)));
            let mut table = Table::new(vec![Align::Left, Align::Left]);
            for hole in &row.holes {
                let labels = match hole.count == UBig::ONE {
                    true => hole.labels.clone(),
                    false => counted(&hole.count, "state", "states"),
                };
                table.row(vec![hole.states.clone().into(), labels.into()]);
            }
            text.push_str(&table.render("  ", palette));
            if row.rest > UBig::ZERO {
                text.push_str(&format!(
                    "  … and {} (--holes N lists more)\n",
                    counted(&row.rest, "more state", "more states")
                ));
            }
        }
        if let Some(explicit) = &self.explicit
            && explicit.explanations.is_empty()
            && let Some((flip, _)) =
                explicit.findings.iter().find(|(_, status)| *status == FlipStatus::Uncovered)
        {
            let graph = explicit.pair.implementation();
            let proposition = &graph.propositions()[flip.proposition as usize];
            text.push_str(&format!(
                "\nHow a flipped label passes, for example: --explain {} {}\n",
                quoted(graph.name(flip.state)),
                quoted(proposition)
            ));
        }
        text
    }

    fn conclusion(&self) -> String {
        match &self.verdict {
            Verdict::No { .. } => return "not simulated".to_owned(),
            Verdict::Unknown(_) => return "undecided".to_owned(),
            Verdict::Yes { .. } => {}
        }
        let all = self.together();
        let share = match self.threshold {
            Some(threshold) => all.share().text_beside(threshold),
            None => all.share().text(),
        };
        let mut text = match share {
            Some(share) => format!(
                "simulated; {} of {} covered: {share}",
                all.covered,
                counted(&all.total(), "label", "labels")
            ),
            None => "simulated; there is no label to cover".to_owned(),
        };
        if let Some(threshold) = self.threshold.filter(|threshold| all.share().is_below(*threshold)) {
            text.push_str(&format!(", below the {threshold} % asked for"));
        }
        text
    }

    /// Everything that is counted, by name.
    pub(crate) fn all_figures(&self) -> Vec<(&'static str, u64)> {
        let mut figures = self.figures.clone();
        if self.explicit.is_some() {
            figures.extend(named_figures(&self.work.together()));
        }
        figures
    }

    fn stats_text(&self, palette: Palette) -> String {
        let mut text = format!("\n{}\n", palette.paint(Tone::Strong, "What it took:"));
        let mut table = Table::new(vec![Align::Left, Align::Right]);
        let times = &self.times;
        let seconds = [
            ("seconds for reading", times.reading),
            ("seconds for simulation", times.simulation),
            ("seconds for coverage", times.coverage),
            ("seconds for criteria", times.criteria),
            ("seconds for evidence, of all threads", self.work.together().certifying.as_secs_f64()),
        ];
        for (name, value) in seconds {
            table.row(vec![name.into(), format!("{value:.3}").into()]);
        }
        for (name, value) in self.all_figures() {
            table.row(vec![name.into(), value.to_string().into()]);
        }
        text.push_str(&table.render("  ", palette));
        text
    }
}

impl Explicit {
    fn explanations_text(&self, palette: Palette) -> String {
        self.explanations.iter().map(|(flip, why)| self.explanation_text(*flip, why, palette)).collect()
    }

    fn explanation_text(&self, flip: LabelFlip, why: &Explanation, palette: Palette) -> String {
        let (graph, specification) = (self.pair.implementation(), self.pair.specification());
        let state = graph.name(flip.state);
        let proposition = &graph.propositions()[flip.proposition as usize];
        let flipped = word(proposition, graph.label(flip.state, flip.proposition).flipped());
        let title = |words: &str| {
            format!(
                "\n{}\n",
                palette.paint(Tone::Strong, &format!("{state} with {flipped} instead: {words}"))
            )
        };
        match why {
            Explanation::Covered(distinction) => {
                let mutant = graph.flipped(flip);
                let tree =
                    Tree { implementation: &mutant, specification, distinction, flipped: Some(flip.state) };
                format!("{}{}", title("covered, the specification has no such behaviour"), tree.text("  "))
            }
            Explanation::Uncovered { simulation, .. } => {
                let mut text = title("uncovered, the specification allows it");
                text.push_str(&self.passage_text(flip, simulation, palette));
                let pairs = plural(simulation.pairs.len(), "pair", "pairs");
                text.push_str(&format!("  and so on, by a relation of {pairs}, certified\n"));
                text
            }
            Explanation::Unreachable => title("no run gets there, so nothing can cover it"),
        }
    }

    /// A run of the mutant that the specification follows.
    fn passage_text(&self, flip: LabelFlip, simulation: &Simulation, palette: Palette) -> String {
        let (graph, specification) = (self.pair.implementation(), self.pair.specification());
        let mutant = graph.flipped(flip);
        let mut table = Table::new(vec![Align::Right, Align::Left, Align::Left]);
        table.row(vec!["".into(), "run of the mutant".into(), "the specification goes along".into()]);
        for (step, (state, partner)) in
            passage(graph, specification, simulation, flip).into_iter().enumerate()
        {
            let mark = if state == flip.state { "  (flipped)" } else { "" };
            let shown =
                |graph: &Graph, state: u32| format!("{} {}", graph.name(state), tree::labels(graph, state));
            let own = format!("{}{mark}", shown(&mutant, state));
            table.row(vec![step.to_string().into(), own.into(), shown(specification, partner).into()]);
        }
        table.render("  ", palette)
    }

    /// The criteria of Katz, Grumberg and Geist.
    fn criteria_text(&self, palette: Palette) -> String {
        let Some(criteria) = &self.criteria else { return String::new() };
        let (implementation, specification) = (self.pair.implementation(), self.pair.specification());
        let title = "What of the specification is not implemented, as far as it is reachable (Katz, Grumberg, Geist 1999):";
        let mut text = format!("\n{}\n", palette.paint(Tone::Strong, title));
        let states =
            |graph: &Graph, states: &[u32]| list(states.iter().map(|state| graph.name(*state)), states.len());
        let mut table = Table::new(vec![Align::Left, Align::Left]);
        table.row(vec![
            "start states that stand for no initial state:".into(),
            states(specification, &criteria.unimplemented_start_states).into(),
        ]);
        table.row(vec![
            "states that stand for no state:".into(),
            states(specification, &criteria.unimplemented_states).into(),
        ]);
        let transitions: Vec<String> = match &self.unmatched {
            Some(unmatched) => unmatched
                .iter()
                .map(|UnmatchedTransition { transition: (from, to), example, count }| {
                    let others = match *count {
                        1 => String::new(),
                        _ => format!(" and {}", plural(*count as usize - 1, "other", "others")),
                    };
                    format!(
                        "{} -> {} (but not {} -> {}{others})",
                        specification.name(*from),
                        specification.name(*to),
                        implementation.name(example.0),
                        implementation.name(example.1)
                    )
                })
                .collect(),
            None => criteria
                .unimplemented_transitions
                .iter()
                .map(|(from, to)| format!("{} -> {}", specification.name(*from), specification.name(*to)))
                .collect(),
        };
        let what = match self.unmatched {
            Some(_) => "transitions between what stands for states without one:",
            None => "transitions that it could do without, each by itself:",
        };
        table.row(vec![what.into(), list(transitions.iter().map(String::as_str), transitions.len()).into()]);
        let merged = &criteria.many_to_one;
        if merged.is_empty() {
            table.row(vec!["states that stand for several states:".into(), "none".into()]);
        }
        for (position, (state, simulated)) in merged.iter().take(LINES).enumerate() {
            let what = if position == 0 { "states that stand for several states:" } else { "" };
            let several = format!("{} for {}", specification.name(*state), states(implementation, simulated));
            table.row(vec![what.into(), several.into()]);
        }
        if merged.len() > LINES {
            let more = plural(merged.len() - LINES, "more state", "more states");
            table.row(vec!["".into(), format!("… and {more}").into()]);
        }
        text.push_str(&table.render("  ", palette));
        text
    }
}

/// The work of going from state to state, by name.
pub(crate) fn named_figures(stats: &Stats) -> [(&'static str, u64); 12] {
    [
        ("pairs of states in question", stats.pairs),
        ("counters", stats.counters),
        ("counter updates", stats.counter_updates),
        ("pairs removed", stats.removals),
        ("pairs put back", stats.undone),
        ("answers looked for", stats.answers),
        ("runs of similarity", stats.similarity_runs),
        ("runs ended early", stats.ended_early),
        ("labels decided without a run", stats.decided_at_once),
        ("pieces of evidence checked", stats.checked),
        ("pairs in evidence", stats.evidence_pairs),
        ("bytes of memory", stats.memory_bytes),
    ]
}

/// What a model is, in a line.
fn described(model: &Model, size: &Size) -> String {
    let count =
        |count: &Option<UBig>, one: &str, many: &str| count.as_ref().map(|count| counted(count, one, many));
    let parts = [
        count(&size.states, "state", "states"),
        count(&size.transitions, "transition", "transitions"),
        count(&size.initial, "initial", "initial"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    match parts.is_empty() {
        true => format!("{} ({})", model.path, model.format),
        false => format!("{} ({}): {}", model.path, model.format, parts.join(", ")),
    }
}

/// So many of something.
fn counted(count: &UBig, one: &str, many: &str) -> String {
    format!("{count} {}", if *count == UBig::ONE { one } else { many })
}

/// As a shell takes it.
pub(crate) fn quoted(text: &str) -> String {
    let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "_-./=:".contains(c));
    if is_plain && !text.is_empty() { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
