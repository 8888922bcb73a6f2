//! From what an analysis found out about a property to its row of the matrix.
//!
//! Unknown is never rounded: an element that is in no core that was found is [`Mark::Unknown`], neither used nor unused, unless it is certain that no other
//! minimal core has it.

use crate::model::{Mark, Row};
use propcov_result::{CoreRow, Minimality};
use std::collections::HashMap;

/// What a property has to do with each of the elements in question.
pub fn marks(row: &CoreRow) -> HashMap<u32, Mark> {
    if !row.holds {
        return row.universe.iter().map(|id| (*id, Mark::NoProof)).collect();
    }
    let mut facts: HashMap<u32, Facts> = row.universe.iter().map(|id| (*id, Facts::default())).collect();
    for core in &row.cores {
        each(&core.elements, &mut facts, |facts| facts.cores += 1);
        let doubtful: &[u32] = match core.minimal {
            Minimality::Minimal => &[],
            Minimality::Unchecked => continue,
            Minimality::Undecided => &core.undecided,
        };
        // Every minimal core inside this one has what this one needs.
        each(&core.elements, &mut facts, |facts| facts.needed += 1);
        each(doubtful, &mut facts, |facts| facts.needed = facts.needed.saturating_sub(1));
    }
    for (sure, unknown, field) in [
        (&row.must, &row.must_unknown, Facts::must as Field),
        (&row.may, &row.may_unknown, Facts::may as Field),
    ] {
        if let Some(sure) = sure {
            facts.values_mut().for_each(|facts| *field(facts) = Some(false));
            each(unknown, &mut facts, |facts| *field(facts) = None);
            each(sure, &mut facts, |facts| *field(facts) = Some(true));
        }
    }
    let is_complete = row.complete || has_the_only_core(row);
    facts.iter().map(|(id, facts)| (*id, mark(row, facts, is_complete))).collect()
}

/// Whether one of the cores has nothing but what every core has. Then it is the only minimal core.
fn has_the_only_core(row: &CoreRow) -> bool {
    let must = row.must.as_deref().unwrap_or_default();
    row.cores.iter().any(|core| core.elements.iter().all(|element| must.contains(element)))
}

fn mark(row: &CoreRow, facts: &Facts, is_complete: bool) -> Mark {
    let in_every = match facts.cores < row.cores.len() {
        true => Some(false),
        false if is_complete => Some(true),
        false => facts.must,
    };
    let in_some = match facts.needed > 0 {
        true => Some(true),
        false if is_complete => Some(false),
        false => facts.may,
    };
    match (in_every, in_some) {
        (Some(true), _) => Mark::Must,
        (Some(false), Some(true)) => Mark::May,
        (None, Some(true)) => Mark::Core,
        (_, Some(false)) => Mark::Unused,
        (_, None) if facts.cores > 0 => Mark::Core,
        (_, None) => Mark::Unknown,
    }
}

/// Adds to the marks of all properties together what follows from those of each: what one of them always needs, and what none of them ever needs.
///
/// The minimal cores of all together are among the unions of a minimal core of each.
pub(crate) fn add_what_follows(together: &mut HashMap<u32, Mark>, properties: &[Row<'_>]) {
    for (element, mark) in together {
        let mut each = properties.iter().map(|row| row.mark(*element));
        if matches!(mark, Mark::Unknown | Mark::Core) && each.clone().any(|mark| mark == Mark::Must) {
            *mark = Mark::Must;
        } else if *mark == Mark::Unknown && !properties.is_empty() && each.all(|mark| mark == Mark::Unused) {
            *mark = Mark::Unused;
        }
    }
}

/// What is known of one element.
#[derive(Clone, Debug, Default)]
struct Facts {
    /// In how many of the cores it is.
    cores: usize,
    /// How many of them are known to be inadequate without it.
    needed: usize,
    /// Whether it is in every core, as far as that was computed by itself.
    must: Option<bool>,
    /// Whether it is in some minimal core, likewise.
    may: Option<bool>,
}

type Field = fn(&mut Facts) -> &mut Option<bool>;

impl Facts {
    fn must(&mut self) -> &mut Option<bool> {
        &mut self.must
    }

    fn may(&mut self) -> &mut Option<bool> {
        &mut self.may
    }
}

fn each(elements: &[u32], facts: &mut HashMap<u32, Facts>, change: impl Fn(&mut Facts)) {
    for element in elements {
        if let Some(facts) = facts.get_mut(element) {
            change(facts);
        }
    }
}
