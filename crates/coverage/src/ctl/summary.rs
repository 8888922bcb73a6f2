//! What properties cover together, and what each of them contributes.

use super::covered::Covered;
use super::measure::Measurement;
use crate::ranking::{Cover, WORK, smallest_cover};
use dashu_int::UBig;
use fixedbitset::FixedBitSet;
use propcov_bdd::{Bdd, Stop};
use propcov_ir::UnknownReason;
use propcov_symbolic::Failure;

/// Beyond this many kinds of states, told apart by which properties cover them, no smallest subset is looked for.
const MOST_KINDS: usize = 2000;

/// What one property contributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// What it certainly covers.
    pub covered: UBig,
    /// What would not certainly be covered without it.
    pub only: UBig,
    /// Whether it certainly adds nothing to what the others cover together.
    pub is_redundant: bool,
}

/// What properties cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// What is certainly covered.
    pub covered: UBig,
    /// What is covered, or perhaps is.
    pub possible: UBig,
    /// Each property's part, in the order in which they were given.
    pub properties: Vec<Contribution>,
    /// A smallest subset that certainly covers as much.
    pub smallest: Option<Cover>,
}

impl Measurement<'_> {
    /// What properties cover together.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn union<'c>(
        &mut self,
        parts: impl IntoIterator<Item = &'c Covered>,
    ) -> Result<Covered, UnknownReason> {
        let nothing = Covered::nothing(&self.checker().evaluator().nothing());
        parts.into_iter().try_fold(nothing, |union, part| union.or(part)).map_err(stopped)
    }

    /// Counts what properties cover, each and together.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn summary(&mut self, parts: &[Covered]) -> Result<Summary, UnknownReason> {
        self.summarise(parts).map_err(stopped)
    }

    fn summarise(&mut self, parts: &[Covered]) -> Result<Summary, Stop> {
        let nothing = Covered::nothing(&self.checker().evaluator().nothing());
        // What those before and those after each part cover.
        let unions = |parts: &mut dyn Iterator<Item = &Covered>| -> Result<Vec<Covered>, Stop> {
            let mut unions = vec![nothing.clone()];
            for part in parts {
                unions.push(unions[unions.len() - 1].or(part)?);
            }
            Ok(unions)
        };
        let (before, mut after) = (unions(&mut parts.iter())?, unions(&mut parts.iter().rev())?);
        after.reverse();
        let all = &before[parts.len()];
        let mut properties = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            let others = before[at].or(&after[at + 1])?;
            properties.push(Contribution {
                covered: self.count(&part.sure),
                only: self.count(&all.sure.minus(&others.sure)?),
                is_redundant: part.adds_nothing_to(&others)?,
            });
        }
        Ok(Summary {
            covered: self.count(&all.sure),
            possible: self.count(&all.possible),
            smallest: smallest(parts, all)?,
            properties,
        })
    }
}

/// A smallest subset with the same union: one mutant of each kind stands for all.
fn smallest(parts: &[Covered], all: &Covered) -> Result<Option<Cover>, Stop> {
    let mut kinds: Vec<(Bdd, Vec<usize>)> = vec![(all.noticed(&all.sure)?, Vec::new())];
    for (at, part) in parts.iter().enumerate() {
        let noticed = part.noticed(&all.sure)?;
        let mut finer = Vec::with_capacity(kinds.len());
        for (kind, members) in kinds {
            let (inside, outside) = (kind.and(&noticed)?, kind.minus(&noticed)?);
            if !inside.is_false() {
                let members = members.iter().copied().chain([at]).collect();
                finer.push((inside, members));
            }
            if !outside.is_false() {
                finer.push((outside, members));
            }
        }
        if finer.len() > MOST_KINDS {
            return Ok(None);
        }
        kinds = finer;
    }
    let mut rows = vec![FixedBitSet::with_capacity(kinds.len()); parts.len()];
    for (kind, (_, members)) in kinds.iter().enumerate() {
        members.iter().for_each(|property| rows[*property].insert(kind));
    }
    Ok(Some(smallest_cover(&rows, WORK)))
}

fn stopped(stop: Stop) -> UnknownReason {
    Failure::Stop(stop).into()
}
