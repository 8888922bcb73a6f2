//! What `propcov cover` prints for people about cores: how much each property rests on, and what no property needs.

use crate::cover::cores::CoreCoverage;
use crate::cover::tally::Count;
use crate::cover::text::plural;
use crate::table::{Align, Cell, Palette, Table, Tone};
use propcov_coverage::cores::CoreMetric;

impl CoreCoverage<'_> {
    /// The text for people.
    pub(super) fn text(&self, with_stats: bool, palette: Palette) -> String {
        let verdicts = &self.study.verdicts;
        let mut text = verdicts.heading();
        text.push_str(&verdicts.gate_text(palette));
        text.push_str(&self.proofs(palette));
        if !self.parts.is_empty() {
            text.push_str(&self.totals(palette));
            text.push_str(&self.incomplete(palette));
            text.push_str(&self.not_covered(palette));
        }
        if with_stats {
            text.push_str(&self.study.statistics(palette));
        }
        text.push_str(&self.last_line(palette));
        text
    }

    /// The verdicts, where not everything is proved, and what that means for coverage.
    fn proofs(&self, palette: Palette) -> String {
        let verdicts = &self.study.verdicts;
        let (proved, all) = (self.parts.len(), verdicts.outcomes.len());
        let warning = palette.paint(Tone::Bad, "WARNING:");
        let mut text = String::new();
        if proved < all {
            text.push_str(&format!("\n{}", verdicts.verdict_table(palette)));
            text.push_str(&verdicts.traces(palette, None));
            text.push_str(&match proved {
                0 => format!("\n{warning} no property is proved: there is no coverage to measure.\n"),
                _ => format!("\n{warning} only what is proved is measured: {proved} of {all} properties.\n"),
            });
        }
        for outcome in verdicts.outcomes.iter().filter(|outcome| verdicts.is_vacuous(outcome)) {
            let name = verdicts.name(outcome);
            text.push_str(&format!("{warning} {name} is vacuous: what it covers means nothing.\n"));
        }
        text
    }

    fn totals(&self, palette: Palette) -> String {
        use Align::{Left, Right};
        let mut table = Table::new(vec![Left, Right, Right, Right, Right, Right]);
        let titles = ["property", "covered", "uncovered", "unknown", "total", "coverage"];
        table.row(titles.into_iter().map(|title| Cell::toned(title, Tone::Strong)).collect());
        if self.metric != CoreMetric::Model {
            for (property, parts) in &self.parts {
                let name = &self.study.subject.system().property(*property).name;
                table.row(row(name, &self.count(parts)));
            }
        }
        let is_several = self.study.subject.properties.len() > 1;
        if let Some(conjunction) = self.conjunction.as_ref().filter(|_| is_several) {
            table.row(row("(their conjunction)", &self.count(conjunction)));
        }
        if is_several || self.metric == CoreMetric::Model {
            table.row(row("(at least one of them)", &self.count(&self.set)));
        }
        let what = match self.metric {
            CoreMetric::Core => "in one minimal core",
            CoreMetric::Must => "in every core",
            CoreMetric::May => "in some minimal core",
            CoreMetric::Model => "in some minimal core of some property",
        };
        let title = format!(
            "{} of {} by {}, {what}:",
            self.metric.title(),
            plural(self.study.subject.universe.len(), "element", "elements"),
            plural(self.parts.len(), "property", "properties")
        );
        format!("\n{}\n{}", palette.paint(Tone::Strong, &title), table.render("  ", palette))
    }

    /// Where something is not known, and why.
    fn incomplete(&self, palette: Palette) -> String {
        let mut text = String::new();
        for cores in &self.study.analysis.properties {
            let is_measured = self.parts.iter().any(|(property, _)| *property == cores.property);
            if is_measured && !self.study.is_property_answered(cores) {
                let name = &self.study.subject.system().property(cores.property).name;
                let incomplete = palette.paint(Tone::Bad, "INCOMPLETE:");
                text.push_str(&format!("  {name}: {incomplete} {}\n", self.study.shortfall(&cores.found)));
            }
        }
        text
    }

    fn last_line(&self, palette: Palette) -> String {
        let count = self.count(&self.set);
        let line = match (self.parts.is_empty(), self.threshold) {
            (true, _) => "coverage: not measured".to_owned(),
            (false, None) => format!("coverage: {}", count.percent_text()),
            (false, Some(threshold)) => {
                let relation = if self.is_below_threshold() { "below" } else { "at least" };
                format!("coverage: {}, {relation} {threshold} %", count.percent_text_beside(threshold))
            }
        };
        let seconds = self.study.verdicts.seconds;
        format!("\n{} ({seconds:.2} seconds)\n", palette.paint(Tone::Strong, &line))
    }
}

fn row(name: &str, count: &Count) -> Vec<Cell> {
    let toned = |count: usize, tone: Tone| {
        Cell::toned(count.to_string(), if count == 0 { Tone::Plain } else { tone })
    };
    vec![
        Cell::from(name),
        toned(count.covered, Tone::Good),
        toned(count.uncovered, Tone::Bad),
        toned(count.unknown, Tone::Doubtful),
        count.total().to_string().into(),
        count.percent_text().into(),
    ]
}
