//! What is not covered, for people: elements by module, and what they could do unnoticed.

use crate::cover::Coverage;
use crate::cover::groups::{Entry, group};
use crate::cover::tally::Standing;
use crate::cover::text::plural;
use crate::table::{Align, Palette, Table, Tone};
use propcov_coverage::difference::Answer;
use propcov_ir::ElementId;
use std::collections::BTreeMap;

/// The most groups of elements, lines of one group, and witnesses that are shown.
const GROUPS: usize = 12;
const LINES: usize = 10;
const HOLES: usize = 12;
/// The longest list of names in one line.
const NAMES: usize = 60;

impl Coverage<'_> {
    /// The elements that are not covered, by module, each with the edits that nobody notices.
    pub(crate) fn uncovered(&self, palette: Palette) -> String {
        let surviving = self.surviving();
        if surviving.is_empty() {
            return String::new();
        }
        let tally = &self.measured.tally;
        let entries: Vec<Entry<'_>> = surviving
            .iter()
            .map(|(element, edits)| Entry {
                name: &tally.system.element(*element).name,
                label: edits.join(" "),
                weight: edits.len(),
            })
            .collect();
        let groups = group(&entries);
        let mutants: usize = entries.iter().map(|entry| entry.weight).sum();
        let title = format!(
            "Not covered: {} of {}",
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
                text.push_str(&format!("    … and {} more lines\n", group.lines.len() - LINES));
            }
        }
        if shown < entries.len() {
            let rest = plural(entries.len() - shown, "element is", "elements are");
            text.push_str(&format!("  … {rest} not shown; --format json lists all\n"));
        }
        text
    }

    /// The elements with edits that nobody notices, and these.
    pub(crate) fn surviving(&self) -> BTreeMap<ElementId, Vec<&'static str>> {
        let tally = &self.measured.tally;
        let mut surviving: BTreeMap<ElementId, Vec<&'static str>> = BTreeMap::new();
        for (at, mutant) in tally.mutants.iter().enumerate() {
            if tally.standing(at) == Standing::Uncovered {
                surviving.entry(mutant.element).or_default().push(mutant.mutation.name());
            }
        }
        surviving
    }

    /// What uncovered mutants can do, in a line each.
    pub(crate) fn hole_list(&self, palette: Palette) -> String {
        let Some(holes) = &self.holes else { return String::new() };
        let system = self.measured.tally.system;
        let mut table = Table::new(vec![Align::Left, Align::Left, Align::Left, Align::Left]);
        let (mut differs, mut undecided) = (0, 0);
        for hole in holes {
            match &hole.answer {
                Answer::NoEffect(_) => {}
                Answer::Unknown(_) => undecided += 1,
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
            text.push_str(&format!("\nWhether {what} can be told from the design was not decided.\n"));
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
