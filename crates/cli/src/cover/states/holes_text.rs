//! Holes for people: which states or transitions are not covered, largest first, and how to get there.

use crate::cover::states::StateCoverage;
use crate::cover::states::measure::{Counts, Row};
use crate::cover::states::observed::{Observed, signals};
use crate::cover::states::runs::{HoleRun, first_signals};
use crate::cover::states::text::one_line;
use crate::cover::text::plural;
use crate::report::readable;
use crate::table::{Align, Palette, Table};
use crate::trace_table;
use dashu_int::UBig;
use propcov_coverage::ctl::Place;
use propcov_symbolic::cubes::{StateCube, When};

impl StateCoverage<'_> {
    /// What is not covered.
    pub(crate) fn hole_list(&self, row: &Row, palette: Palette) -> String {
        let holes = match &row.holes {
            Ok(holes) => holes,
            Err(reason) => return format!("  What is not covered is unknown: {}\n", one_line(reason)),
        };
        if holes.total == UBig::ZERO {
            return String::new();
        }
        let is_certain = row.share.as_ref().is_ok_and(|share| share.low == share.high);
        let title = if is_certain { "Not covered" } else { "Not certainly covered" };
        let mut text = format!("  {title}: {}\n", self.counted(&holes.total));
        text.push_str(&self.hole_table(&holes.list, palette));
        let unlisted =
            holes.list.iter().skip(self.listed).fold(holes.rest.clone(), |sum, hole| sum + &hole.count);
        if unlisted > UBig::ZERO {
            let number = readable(&unlisted.to_string());
            text.push_str(&format!("    and {number} more {}\n", self.unit(&unlisted)));
        }
        let leaves_out = |counts: &Counts| counts.excluded > UBig::ZERO || counts.unfair > UBig::ZERO;
        if !holes.list.is_empty() && self.listed > 0 && self.counts.as_ref().is_ok_and(leaves_out) {
            text.push_str("    These may also speak of what is left out, which is not counted.\n");
        }
        text
    }

    /// The holes that are listed. Products may overlap, and each one counts only what no earlier one has.
    fn hole_table(&self, holes: &[StateCube], palette: Palette) -> String {
        let listed = holes.iter().take(self.listed);
        let numbers: Vec<String> = listed.clone().map(|hole| readable(&hole.count.to_string())).collect();
        let width = numbers.iter().map(|number| number.chars().count()).max().unwrap_or(0);
        let mut table = Table::new(vec![Align::Right, Align::Left, Align::Left]);
        for (at, (hole, number)) in listed.zip(&numbers).enumerate() {
            let more = if at == 0 { "" } else { "more " };
            table.row(vec![
                format!("{}.", at + 1).into(),
                format!("{number:>width$} {more}{}", self.unit(&hole.count)).into(),
                hole_text(hole, self.manner.place).into(),
            ]);
        }
        table.render("    ", palette)
    }

    /// A run into a hole.
    pub(crate) fn run_text(&self, row: &Row, run: &HoleRun, palette: Palette) -> String {
        let hole = row.holes.as_ref().ok().and_then(|holes| holes.list.get(run.hole - 1));
        let (trace, hole) = match (&run.trace, hole) {
            (Ok(trace), Some(hole)) => (trace, hole),
            (Err(reason), _) => return format!("  No run into {}: {}\n", target(run.hole), one_line(reason)),
            (Ok(_), None) => return String::new(),
        };
        let system = self.verdicts.system();
        let observed = row.observed.as_ref().map(|observed| signals(system, &[observed.expr]));
        let first = first_signals(hole, &observed.unwrap_or_default());
        let steps = plural(trace.depth(), "transition", "transitions");
        let mut text = format!("\n  A shortest run into {}, {steps}:\n", target(run.hole));
        text.push_str(&trace_table::render(system, trace, &first, "    ", palette));
        if let Some(path) = &run.vcd {
            text.push_str(&format!("    As a waveform: {}\n", path.display()));
        }
        text
    }

    /// What to do next.
    pub(crate) fn advice(&self) -> String {
        let has_holes =
            |row: &Row| row.holes.as_ref().is_ok_and(|holes| !holes.list.is_empty() && self.listed > 0);
        let with_holes: Vec<&Row> =
            self.rows.iter().map(|(row, _)| row).filter(|row| has_holes(row)).collect();
        // The numbers of those that are brief are nowhere to be seen.
        let first = with_holes.iter().find(|row| !self.is_brief(row)).or(with_holes.first());
        match first {
            Some(row) if !self.with_runs => match row.observed.as_ref().filter(|_| self.rows.len() > 1) {
                None => "\nTo see how to get into hole 1: the same command with --trace 1\n".to_owned(),
                Some(Observed { name, .. }) => format!(
                    "\nTo see how to get into hole 1 of {name}: the same command with --observe {} --trace 1\n",
                    for_shells(name)
                ),
            },
            _ => String::new(),
        }
    }
}

/// Where a run into a hole leads: to what no earlier hole has.
pub(crate) fn target(hole: usize) -> String {
    match hole {
        1 => "hole 1".to_owned(),
        later => format!("what hole {later} adds"),
    }
}

/// A word of a command.
fn for_shells(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// A hole in words; that of transitions says which part is about the source, and which about the target.
pub(crate) fn hole_text(hole: &StateCube, place: Place) -> String {
    if hole.literals.is_empty() {
        return match place {
            Place::State => "any state".to_owned(),
            Place::Transition => "any transition".to_owned(),
        };
    }
    if place == Place::State {
        return hole.to_string();
    }
    let part = |when: When| {
        let literals = hole.literals.iter().filter(|literal| literal.when == when);
        let words: Vec<String> = literals.map(ToString::to_string).collect();
        if words.is_empty() { "any state".to_owned() } else { words.join(" & ") }
    };
    format!("{} -> {}", part(When::Now), part(When::Next))
}
