//! From what an analysis found out about a property to its row of the matrix.
//!
//! Unknown is never rounded: an element that is in no core that was found is [`Mark::Unknown`], neither used nor unused, unless it is certain that no other
//! minimal core has it.

use crate::model::{Core, Mark, Minimality, Property};

/// A set of which some members may be unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Certainly in it.
    pub sure: Vec<usize>,
    /// Not known to be in it, nor to be outside.
    pub unknown: Vec<usize>,
}

/// What an analysis found out about one property that holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The cores that were found.
    pub cores: Vec<Core>,
    /// Whether these are all minimal cores, and each of them is minimal.
    pub complete: bool,
    /// The elements of every core, if they were asked for.
    pub must: Option<Parts>,
    /// The elements of some minimal core, if they were asked for.
    pub may: Option<Parts>,
}

impl Known {
    /// The row of the matrix, for so many elements.
    pub fn marks(&self, elements: usize) -> Vec<Mark> {
        let mut facts = vec![Facts::default(); elements];
        for core in &self.cores {
            each(&core.elements, &mut facts, |facts| facts.cores += 1);
            let doubtful: &[usize] = match &core.minimal {
                Minimality::Minimal => &[],
                Minimality::Unchecked => continue,
                Minimality::Undecided(doubtful) => doubtful,
            };
            // Every minimal core inside this one has what this one needs.
            each(&core.elements, &mut facts, |facts| facts.needed += 1);
            each(doubtful, &mut facts, |facts| facts.needed = facts.needed.saturating_sub(1));
        }
        for (parts, field) in [(&self.must, Facts::must as Field), (&self.may, Facts::may as Field)] {
            if let Some(parts) = parts {
                facts.iter_mut().for_each(|facts| *field(facts) = Some(false));
                each(&parts.unknown, &mut facts, |facts| *field(facts) = None);
                each(&parts.sure, &mut facts, |facts| *field(facts) = Some(true));
            }
        }
        let is_complete = self.complete || self.has_the_only_core();
        facts.iter().map(|facts| self.mark(facts, is_complete)).collect()
    }

    /// Whether one of the cores has nothing but what every core has. Then it is the only minimal core.
    fn has_the_only_core(&self) -> bool {
        let must = self.must.as_ref().map_or(&[][..], |must| &must.sure);
        self.cores.iter().any(|core| core.elements.iter().all(|element| must.contains(element)))
    }

    fn mark(&self, facts: &Facts, is_complete: bool) -> Mark {
        let in_every = match facts.cores < self.cores.len() {
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
}

/// Adds to the marks of all properties together what follows from those of each: what one of them always needs, and what none of them ever needs.
///
/// The minimal cores of all together are among the unions of a minimal core of each.
pub fn add_what_follows(together: &mut [Mark], properties: &[Property]) {
    for (element, mark) in together.iter_mut().enumerate() {
        let mut each = properties.iter().map(|row| row.mark(element));
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

fn each(elements: &[usize], facts: &mut [Facts], change: impl Fn(&mut Facts)) {
    for &element in elements {
        if let Some(facts) = facts.get_mut(element) {
            change(facts);
        }
    }
}
