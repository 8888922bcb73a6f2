//! What is not covered, for people: elements by module, and what they could do unnoticed.

use crate::cover::Coverage;
use crate::cover::groups::{Entry, group};
use crate::cover::tally::Standing;
use crate::cover::text::{WIDTH, plural};
use crate::table::{Align, Palette, Table, Tone, wrapped};
use propcov_coverage::difference::Answer;
use propcov_ir::ElementId;
use std::collections::{BTreeMap, BTreeSet};

/// The most groups of elements, lines of one group, and witnesses that are shown.
const GROUPS: usize = 12;
const LINES: usize = 10;
const HOLES: usize = 12;
/// The longest list of names in one line.
const NAMES: usize = 60;

impl Coverage<'_> {
    /// The elements that are not covered, by module, each with the edits that nobody notices.
    pub(crate) fn not_covered(&self, palette: Palette) -> String {
        self.listed("Not covered", Standing::Uncovered, palette)
    }

    /// Those of which it is not known.
    pub(crate) fn not_known(&self, palette: Palette) -> String {
        self.listed("Not known to be covered", Standing::Unknown, palette)
    }

    /// The first element that is listed as not covered.
    pub(crate) fn first_not_covered(&self) -> Option<String> {
        let standing = self.standing(Standing::Uncovered);
        let groups = group(&self.entries(&standing));
        groups.first()?.lines.first().map(|line| line.first.clone())
    }

    /// The elements with mutants that stand so, and the edits that make these.
    fn standing(&self, wanted: Standing) -> BTreeMap<ElementId, Vec<&'static str>> {
        let tally = &self.measured.tally;
        let mut found: BTreeMap<ElementId, Vec<&'static str>> = BTreeMap::new();
        for (at, mutant) in tally.mutants.iter().enumerate() {
            if tally.standing(at) == wanted {
                found.entry(mutant.element).or_default().push(mutant.mutation.name());
            }
        }
        found
    }

    fn entries(&self, standing: &BTreeMap<ElementId, Vec<&'static str>>) -> Vec<Entry<'_>> {
        let system = self.measured.tally.system;
        let entry = |(element, edits): (&ElementId, &Vec<&'static str>)| Entry {
            names: system.names_of(*element).collect(),
            label: edits.join(" "),
            weight: edits.len(),
        };
        standing.iter().map(entry).collect()
    }

    fn listed(&self, what: &str, wanted: Standing, palette: Palette) -> String {
        let standing = self.standing(wanted);
        if standing.is_empty() {
            return String::new();
        }
        let entries = self.entries(&standing);
        let groups = group(&entries);
        let mutants: usize = entries.iter().map(|entry| entry.weight).sum();
        let title = format!(
            "{what}: {} of {}",
            plural(mutants, "mutant", "mutants"),
            plural(entries.len(), "element", "elements")
        );
        let mut text = format!("\n{}\n", palette.paint(Tone::Strong, &title));
        let mut shown = 0;
        for group in groups.iter().take(GROUPS) {
            // A design without modules needs no heading.
            let is_flat = groups.len() == 1 && group.module.is_empty();
            if !is_flat {
                let module = if group.module.is_empty() { "(top)" } else { &group.module };
                let count = plural(group.elements, "element", "elements");
                text.push_str(&format!("  {module}: {count}\n"));
            }
            let mut table = Table::new(vec![Align::Left, Align::Left, Align::Left]);
            for line in group.lines.iter().take(LINES) {
                let count =
                    if line.elements > 1 { format!("({} elements)", line.elements) } else { String::new() };
                table.row(vec![shortened(&line.names).into(), line.label.clone().into(), count.into()]);
                shown += line.elements;
            }
            text.push_str(&table.render(if is_flat { "  " } else { "    " }, palette));
            if group.lines.len() > LINES {
                let more = plural(group.lines.len() - LINES, "more line", "more lines");
                text.push_str(&format!("    … and {more}\n"));
            }
        }
        if shown < entries.len() {
            let rest = plural(entries.len() - shown, "element is", "elements are");
            text.push_str(&format!("  … {rest} not shown; --format json lists all\n"));
        }
        text
    }

    /// What uncovered mutants can do, in a line each.
    pub(crate) fn hole_list(&self, palette: Palette) -> String {
        let Some(holes) = &self.holes else { return String::new() };
        let system = self.measured.tally.system;
        let mut table = Table::new(vec![Align::Left, Align::Left, Align::Left, Align::Left]);
        let (mut differs, mut undecided) = (0, 0);
        let mut reasons: BTreeSet<String> = BTreeSet::new();
        for hole in holes {
            match &hole.answer {
                Answer::NoEffect(_) => {}
                Answer::Unknown(reason) => {
                    undecided += 1;
                    reasons.insert(reason.to_string());
                }
                Answer::Differs { difference, .. } => {
                    differs += 1;
                    if differs > HOLES {
                        continue;
                    }
                    let name = system.element(hole.mutant.element).name.clone();
                    let where_to = shortened(&difference.observed.join(", "));
                    let file = hole.vcd.as_ref().map(|path| path.display().to_string());
                    table.row(vec![
                        name.into(),
                        hole.mutant.mutation.name().into(),
                        format!("{where_to} in step {}", difference.original.depth()).into(),
                        file.unwrap_or_default().into(),
                    ]);
                }
            }
        }
        let mut text = String::new();
        if differs > 0 {
            let title = "What would go unnoticed, and where it shows first:";
            text.push_str(&format!(
                "\n{}\n{}",
                palette.paint(Tone::Strong, title),
                table.render("  ", palette)
            ));
            if differs > HOLES {
                text.push_str(&format!("  … and {} more; --format json lists all\n", differs - HOLES));
            }
        }
        if undecided > 0 {
            let what = plural(undecided, "uncovered mutant", "uncovered mutants");
            let reasons: Vec<String> = reasons.into_iter().collect();
            let words = format!(
                "Whether {what} can be told from the design was not decided: {}.",
                reasons.join("; ")
            );
            text.push_str(&format!("\n{}", wrapped(words.split(' ').map(str::to_owned), "", WIDTH)));
        }
        text
    }
}

fn shortened(names: &str) -> String {
    if names.chars().count() <= NAMES {
        return names.to_owned();
    }
    names.chars().take(NAMES - 1).chain(['…']).collect()
}
