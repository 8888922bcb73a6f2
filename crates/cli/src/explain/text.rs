//! What `propcov explain` prints for people.

use crate::cover::Coverage;
use crate::cover::arguments::describe;
use crate::cover::tally::Standing;
use crate::cover::text::plural;
use crate::cover::witness::Hole;
use crate::diagnostics;
use crate::explain::pair;
use crate::explain::shortest::Killing;
use crate::reads;
use crate::table::{Palette, Tone, wrapped};
use crate::trace_table;
use propcov_coverage::difference::Answer;
use propcov_ir::{ElementId, Finding, Mutant, Status};

/// The widest line of text.
const WIDTH: usize = 100;

/// All that is said about one element.
pub(crate) struct Explanation<'a> {
    pub(crate) coverage: &'a Coverage<'a>,
    pub(crate) element: ElementId,
    /// For each mutant that is covered, the run that is shown.
    pub(crate) killings: &'a [Killing],
}

impl Explanation<'_> {
    /// The text.
    pub(crate) fn text(&self, palette: Palette) -> String {
        let verdicts = &self.coverage.measured.verdicts;
        let tally = &self.coverage.measured.tally;
        let mut text = format!("{}{}", verdicts.gate_text(palette), self.coverage.proofs(palette));
        if tally.properties.is_empty() {
            return text;
        }
        let element = tally.system.element(self.element);
        let place = element.span().and_then(|span| diagnostics::position(tally.system, span));
        let place = place.map(|place| format!(", {place}")).unwrap_or_default();
        let title = format!("{}: {}{place}", element.name, element.kind.name());
        text.push_str(&format!("{}\n", palette.paint(Tone::Strong, &title)));
        for (at, mutant) in tally.mutants.iter().enumerate() {
            text.push('\n');
            text.push_str(&self.mutant(at, *mutant, palette));
        }
        let is_shown = |hole: &Hole| matches!(hole.answer, Answer::Differs { .. });
        if !self.killings.is_empty() || self.coverage.holes.iter().flatten().any(is_shown) {
            text.push_str("\nWords are hexadecimal; a dot is the value of the step before.\n");
        }
        text
    }

    fn mutant(&self, at: usize, mutant: Mutant, palette: Palette) -> String {
        let tally = &self.coverage.measured.tally;
        let edit = format!("{} ({})", mutant.mutation.name(), describe(mutant.mutation));
        let heading = |word: &str, tone: Tone| format!("{edit}: {}", palette.paint(tone, word));
        match tally.standing(at) {
            Standing::Covered => {
                format!("{}{}", heading("covered", Tone::Good), self.killed(at, mutant, palette))
            }
            Standing::Uncovered => {
                format!("{}\n{}", heading("NOT covered", Tone::Bad), self.survived(at, mutant, palette))
            }
            Standing::NoEffect => {
                let hole = self.hole(mutant);
                let observation = hole.map(|hole| hole.observation.as_str()).unwrap_or_default();
                let sentence = format!(
                    "Every property still holds, and no run shows a difference at {observation}. That is proved."
                );
                let words = wrapped(sentence.split(' ').map(str::to_owned), "  ", WIDTH);
                format!("{}\n{words}", heading("no effect", Tone::Strong))
            }
            Standing::Unknown => {
                let reason = tally.column(at).find_map(|finding| match &finding.status {
                    Status::Unknown(reason) => Some(reason.to_string()),
                    _ => None,
                });
                format!("{}: {}.\n", heading("unknown", Tone::Doubtful), reason.unwrap_or_default())
            }
        }
    }

    fn killed(&self, at: usize, mutant: Mutant, palette: Palette) -> String {
        let tally = &self.coverage.measured.tally;
        let name = |finding: &Finding| tally.system.property(finding.property).name.clone();
        let is_kill = |finding: &&Finding| matches!(finding.status, Status::Covered(_));
        let killers: Vec<String> = tally.column(at).filter(is_kill).map(name).collect();
        let mut text = format!(" by {}\n", killers.join(", "));
        if let Some(killing) = self.killings.iter().find(|killing| killing.mutant == mutant) {
            let property = &tally.system.property(killing.property).name;
            let depth = killing.trace.depth();
            text.push_str(&format!("  {property} fails in step {depth} of this run of the mutant:\n"));
            // Wires of a mutant are not what the design says.
            let mut first = reads::of_property(tally.system, killing.property);
            first.retain(|signal| reads::wires(tally.system, &[*signal]).is_empty());
            text.push_str(&trace_table::render(tally.system, &killing.trace, &first, "    ", palette));
        }
        text
    }

    fn survived(&self, at: usize, mutant: Mutant, palette: Palette) -> String {
        let tally = &self.coverage.measured.tally;
        let count = plural(tally.properties.len(), "property still holds", "properties still hold");
        let mut by: Vec<&str> = tally.column(at).map(|finding| finding.by.as_ref()).collect();
        by.sort_unstable();
        by.dedup();
        let mut text = format!("  {count}; proved by {}.\n", by.join(", "));
        match self.hole(mutant).map(|hole| (&hole.answer, &hole.observation)) {
            None | Some((Answer::NoEffect(_), _)) => {}
            Some((Answer::Unknown(reason), observation)) => {
                text.push_str(&format!(
                    "  Whether a run shows a difference at {observation} was not decided: {reason}.\n"
                ));
            }
            Some((Answer::Differs { difference, shortest }, _)) => {
                let first = if *shortest { "as early as" } else { "for example" };
                text.push_str(&format!(
                    "  What nobody would notice, {first} in step {}: {} {}.\n",
                    difference.original.depth(),
                    difference.observed.join(", "),
                    if difference.observed.len() == 1 { "differs" } else { "differ" },
                ));
                text.push_str(&pair::render(tally.system, mutant, difference, "    ", palette));
            }
        }
        text
    }

    fn hole(&self, mutant: Mutant) -> Option<&Hole> {
        self.coverage.holes.as_ref()?.iter().find(|hole| hole.mutant == mutant)
    }
}
