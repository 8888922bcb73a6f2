//! What `propcov cover` prints for people: totals first, then what is not covered, largest groups first, then what to do about it.

use crate::cover::Coverage;
use crate::cover::measure::Stop;
use crate::cover::tally::Count;
use crate::cover::witness::Hole;
use crate::table::{Align, Cell, Palette, Table, Tone, wrapped};
use propcov_coverage::difference::Answer;
use propcov_ir::{ElementId, ElementKind};

/// The widest line of text.
pub(crate) const WIDTH: usize = 100;

impl Coverage<'_> {
    /// The text for people.
    pub(crate) fn text(&self, with_stats: bool, palette: Palette) -> String {
        let verdicts = &self.measured.verdicts;
        let mut text = verdicts.heading();
        text.push_str(&verdicts.gate_text(palette));
        text.push_str(&self.proofs(palette));
        if !self.measured.tally.properties.is_empty() {
            text.push_str(&self.totals(palette));
            text.push_str(&self.by_property(palette));
            text.push_str(&self.not_covered(palette));
            text.push_str(&self.hole_list(palette));
            text.push_str(&self.advice());
            text.push_str(&self.not_known(palette));
            text.push_str(&self.undecided());
            text.push_str(&self.reused());
        }
        if with_stats {
            text.push_str(&self.statistics(palette));
        }
        text.push_str(&self.last_line(palette));
        text
    }

    /// The verdicts, where not everything is proved, and what that means for coverage.
    pub(crate) fn proofs(&self, palette: Palette) -> String {
        let verdicts = &self.measured.verdicts;
        let proved = verdicts.outcomes.iter().filter(|outcome| outcome.answer.is_proved()).count();
        let mut text = String::new();
        if proved < verdicts.outcomes.len() {
            text.push_str(&format!(
                "\n{}{}",
                verdicts.verdict_table(palette),
                verdicts.traces(palette, None)
            ));
            let warning = palette.paint(Tone::Bad, "WARNING:");
            text.push_str(&match proved {
                0 => format!("\n{warning} no property is proved: there is no coverage to measure.\n"),
                proved => format!(
                    "\n{warning} only what is proved is measured: {proved} of {} properties.\n",
                    verdicts.outcomes.len()
                ),
            });
        }
        for outcome in verdicts.outcomes.iter().filter(|outcome| verdicts.is_vacuous(outcome)) {
            let warning = palette.paint(Tone::Bad, "WARNING:");
            let name = verdicts.name(outcome);
            text.push_str(&format!("{warning} {name} is vacuous: what it covers means nothing.\n"));
        }
        text
    }

    fn totals(&self, palette: Palette) -> String {
        let tally = &self.measured.tally;
        let mutations = tally.mutations();
        let mut table = self.count_table("edit", false);
        for mutation in &mutations {
            table.row(self.count_row(mutation.name(), &tally.together(Some(*mutation)), None));
        }
        if mutations.len() > 1 {
            table.row(self.count_row("all", &tally.together(None), None));
        }
        let title = format!(
            "Mutation coverage of {} by {}:",
            self.subjects(),
            plural(tally.properties.len(), "property", "properties")
        );
        let table = table.render("  ", palette);
        format!("\n{}\n{table}{}", palette.paint(Tone::Strong, &title), self.effective_share())
    }

    /// The share of what has an effect, where that is known of every mutant.
    fn effective_share(&self) -> String {
        let count = self.measured.tally.together(None);
        let is_open = |hole: &Hole| matches!(hole.answer, Answer::Unknown(_));
        let is_known = count.unknown == 0 && self.holes.as_ref().is_some_and(|all| !all.iter().any(is_open));
        if !is_known || count.no_effect == 0 || count.effective().total() == 0 {
            return String::new();
        }
        let (all, effective) = (count.percent_text(), count.effective().percent_text());
        format!("\n  {all} of all mutants; {effective} of those that have an effect.\n")
    }

    /// `7 registers`, `3 gates`, `12 elements`.
    fn subjects(&self) -> String {
        let tally = &self.measured.tally;
        let mut elements: Vec<ElementId> = tally.mutants.iter().map(|mutant| mutant.element).collect();
        elements.dedup();
        let kind = |element: &ElementId| tally.system.element(*element).kind;
        let is_all = |wanted: ElementKind| elements.iter().all(|element| kind(element) == wanted);
        match elements.len() {
            count if is_all(ElementKind::Register) => plural(count, "register", "registers"),
            count if is_all(ElementKind::Gate) => plural(count, "gate", "gates"),
            count => plural(count, "element", "elements"),
        }
    }

    fn by_property(&self, palette: Palette) -> String {
        let tally = &self.measured.tally;
        if tally.properties.len() < 2 {
            return String::new();
        }
        let name = |property: &usize| tally.system.property(tally.properties[*property]).name.clone();
        let mut table = self.count_table("property", true);
        for property in 0..tally.properties.len() {
            let count = tally.alone(property, None);
            table.row(self.count_row(&name(&property), &count, Some(self.ranking.only[property])));
        }
        table.row(self.count_row("together", &tally.together(None), None));
        let mut text = format!("\n{}", table.render("  ", palette));
        let smallest = &self.ranking.smallest;
        if smallest.properties.len() < tally.properties.len() {
            let is_silent = self.ranking.redundant.is_empty() && smallest.properties.is_empty();
            text.push_str(if is_silent { "" } else { "\n" });
            if !self.ranking.redundant.is_empty() {
                let what = if self.ranking.redundant.len() == 1 {
                    "Adds nothing to what the others cover:"
                } else {
                    "Each of these adds nothing to what all the others cover:"
                };
                text.push_str(&format!("  {what}\n"));
                text.push_str(&wrapped(self.ranking.redundant.iter().map(name), "    ", WIDTH));
            }
            if !smallest.properties.is_empty() {
                let kind = if smallest.is_smallest { "A smallest set" } else { "A small set" };
                let note = match (smallest.is_smallest, self.measured.stop) {
                    (true, _) => "",
                    (false, Some(_)) => ", as far as is decided",
                    (false, None) => " (there may be a smaller one)",
                };
                text.push_str(&format!("  {kind} with the same coverage{note}:\n"));
                text.push_str(&wrapped(smallest.properties.iter().map(name), "    ", WIDTH));
            }
        }
        text
    }

    fn count_table(&self, first: &str, with_only: bool) -> Table {
        let mut titles = vec![first, "covered", "uncovered"];
        if self.holes.is_some() {
            titles.push("no effect");
        }
        titles.extend(["unknown", "total", "coverage"]);
        if with_only {
            titles.push("only it");
        }
        let align = |column: usize| if column == 0 { Align::Left } else { Align::Right };
        let mut table = Table::new((0..titles.len()).map(align).collect());
        table.row(titles.into_iter().map(|title| Cell::toned(title, Tone::Strong)).collect());
        table
    }

    fn count_row(&self, name: &str, count: &Count, only: Option<usize>) -> Vec<Cell> {
        let toned = |count: usize, tone: Tone| {
            Cell::toned(count.to_string(), if count == 0 { Tone::Plain } else { tone })
        };
        let mut cells =
            vec![Cell::from(name), toned(count.covered, Tone::Good), toned(count.uncovered, Tone::Bad)];
        if self.holes.is_some() {
            cells.push(count.no_effect.to_string().into());
        }
        cells.push(toned(count.unknown, Tone::Doubtful));
        cells.push(count.total().to_string().into());
        cells.push(count.percent_text().into());
        cells.extend(only.map(|only| Cell::from(only.to_string())));
        cells
    }

    /// What to do next.
    fn advice(&self) -> String {
        let mut text = String::new();
        if let (Some(explain), Some(first)) = (&self.explain, self.first_not_covered()) {
            text.push_str(&format!(
                "\nTo see what one of them could do unnoticed:\n  {}\n",
                explain.command(&first)
            ));
        }
        text
    }

    /// How much is undecided, and why.
    fn undecided(&self) -> String {
        let unknown = self.measured.tally.together(None).unknown;
        let why = match self.measured.stop {
            None => return String::new(),
            Some(Stop::Accuracy) => "the accuracy asked for was reached",
            Some(Stop::Budget) => "the budget was used up",
            Some(Stop::Timeout) => "the time was up",
            Some(Stop::Interrupted) => "the run was interrupted",
            Some(Stop::Techniques) => "the techniques chosen do not decide more",
        };
        let undecided = self.measured.tally.findings.len() - self.measured.tally.decided();
        let findings = plural(undecided, "finding is", "findings are");
        let mutants = match unknown {
            0 => "but no mutant is".to_owned(),
            unknown => format!("and so {}", plural(unknown, "mutant is", "mutants are")),
        };
        let mut text = format!("\n{findings} undecided, {mutants} unknown: {why}.");
        if self.keeper.path().is_some() && self.measured.stop != Some(Stop::Techniques) {
            text.push_str(" The same command goes on from here.");
        }
        text.push('\n');
        text
    }

    /// What did not have to be found out again.
    fn reused(&self) -> String {
        let (reused, all) = (self.measured.reused, self.measured.tally.findings.len());
        match self.keeper.path() {
            Some(path) if reused > 0 => format!(
                "\n{reused} of {} come from earlier runs and were checked again: {}\n",
                plural(all, "finding", "findings"),
                path.display()
            ),
            _ => String::new(),
        }
    }

    fn statistics(&self, palette: Palette) -> String {
        let stats = self.stats();
        let mut table = Table::new(vec![Align::Left, Align::Right]);
        let (proof, coverage) = (self.measured.proof_seconds, self.measured.coverage_seconds);
        table.row(vec!["proof seconds".into(), format!("{proof:.2}").into()]);
        if let Some(searched) = self.measured.search_seconds {
            table.row(vec!["seconds for what is not proved".into(), format!("{searched:.2}").into()]);
        }
        table.row(vec!["coverage seconds".into(), format!("{coverage:.2}").into()]);
        if proof > 0.0 {
            table.row(vec!["coverage / proof".into(), format!("{:.2}x", coverage / proof).into()]);
        }
        table.row(vec!["findings of earlier runs".into(), self.measured.reused.to_string().into()]);
        for (technique, count) in stats.decided_by {
            table.row(vec![format!("decided by {technique}").into(), count.to_string().into()]);
        }
        for (cause, calls) in stats.solver_calls {
            table.row(vec![format!("solver calls, {cause}").into(), calls.to_string().into()]);
        }
        for (what, count) in &self.measured.stats.counts {
            table.row(vec![(*what).into(), count.to_string().into()]);
        }
        format!("\nStatistics:\n{}", table.render("  ", palette))
    }

    fn last_line(&self, palette: Palette) -> String {
        let count = self.measured.tally.together(None);
        let line = match (self.measured.tally.properties.is_empty(), self.threshold) {
            (true, _) => "coverage: not measured".to_owned(),
            (false, None) => format!("coverage: {}", count.percent_text()),
            (false, Some(threshold)) => {
                let relation = if self.is_below_threshold() { "below" } else { "at least" };
                format!("coverage: {}, {relation} {threshold} %", count.percent_text_beside(threshold))
            }
        };
        format!("\n{} ({:.2} seconds)\n", palette.paint(Tone::Strong, &line), self.measured.verdicts.seconds)
    }
}

pub(crate) fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
