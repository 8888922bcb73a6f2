//! What uncovered mutants can do unnoticed, a line each.

use crate::mutants::{Mutant, Standing};
use crate::terminal::{Align, Page, Table};
use crate::text::ALL;
use crate::words::{listed, plural, shown};
use propcov_result::Witness;
use std::collections::BTreeSet;

/// The most holes that are listed.
const HOLES: usize = 12;
/// The most signals that are named in a line.
const NAMED: usize = 4;

/// `m_data differs in step 4 (shortest run)`; nothing where there is no such run.
pub(crate) fn sentence(witness: &Witness) -> Option<String> {
    if witness.observed.is_empty() {
        return None;
    }
    let differ = if witness.observed.len() == 1 { "differs" } else { "differ" };
    let step = witness.depth.map(|depth| format!(" in step {depth}")).unwrap_or_default();
    let shortest = if witness.shortest == Some(true) { " (shortest run)" } else { "" };
    Some(format!("{} {differ}{step}{shortest}", listed(&witness.observed, NAMED)))
}

/// Writes the list, and how many mutants may be holes or not.
pub(super) fn write(mutants: &[&Mutant<'_>], page: &mut Page) {
    let is_uncovered =
        |mutant: &&&Mutant<'_>| matches!(mutant.standing, Standing::Uncovered | Standing::Bounded);
    let uncovered = mutants.iter().filter(is_uncovered);
    let witnesses: Vec<(&Mutant<'_>, &Witness)> =
        uncovered.filter_map(|mutant| Some((*mutant, mutant.witness()?.1))).collect();
    let mut holes = Vec::new();
    for (mutant, witness) in &witnesses {
        if let Some(sentence) = sentence(witness) {
            let file = witness.file.as_ref().map(|file| format!(": {file}")).unwrap_or_default();
            holes.push([mutant.name(), mutant.edit.to_owned(), sentence + &file]);
        }
    }
    let (count, total) = (shown(holes.len(), HOLES), holes.len());
    if total > 0 {
        page.title("Unnoticed bugs:");
        let mut table = Table::new(&[Align::Left, Align::Left, Align::Remark]);
        holes.into_iter().take(count).for_each(|hole| table.row(hole));
        page.table(2, &table);
        if count < total {
            page.say(2, format!("… and {} more; {ALL}", total - count));
        }
    }
    not_classified(&witnesses, page);
}

fn not_classified(witnesses: &[(&Mutant<'_>, &Witness)], page: &mut Page) {
    let open = witnesses.iter().filter(|(_, witness)| witness.observed.is_empty());
    // A search without a limit of the user's has one of its own.
    let said = |reason| if reason == "cancelled" { "effort used up; --witness goes on" } else { reason };
    let reasons: Vec<&str> = open.filter_map(|(_, witness)| witness.reason.as_deref()).map(said).collect();
    if !reasons.is_empty() {
        let mutants = plural(reasons.len(), "uncovered mutant", "uncovered mutants");
        let reasons: Vec<&str> = reasons.into_iter().collect::<BTreeSet<&str>>().into_iter().collect();
        page.gap();
        page.say(0, format!("{mutants} not classified (hole or no effect): {}", reasons.join("; ")));
    }
}
