//! What properties cover together, and what each of them contributes.

use super::Place;
use super::measure::{Covered, Measurement};
use crate::ranking::{Cover, WORK, smallest_cover};
use dashu_int::UBig;
use fixedbitset::FixedBitSet;
use propcov_ir::UnknownReason;
use propcov_symbolic::Failure;
use propcov_symbolic::bdd::{Bdd, Stop};

/// Beyond this many kinds of states, told apart by which properties cover them, no smallest subset is looked for.
const MOST_KINDS: usize = 2000;

/// What one property contributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// What it certainly covers.
    pub covered: UBig,
    /// What it covers and no other property certainly does.
    pub only: UBig,
    /// Whether all that it may cover is certainly covered by the others together.
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
    /// Properties in an order in which each one adds as much as possible to those before it, with what is covered from there on. Those that add
    /// nothing are not among them.
    pub greedy: Vec<(usize, UBig)>,
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
        let nothing = self.checker().evaluator().nothing();
        let mut union = Covered { sure: nothing.clone(), possible: nothing };
        for part in parts {
            union.sure = union.sure.or(&part.sure).map_err(stopped)?;
            union.possible = union.possible.or(&part.possible).map_err(stopped)?;
        }
        Ok(union)
    }

    /// The size of a set of states or transitions.
    pub(super) fn count(&mut self, set: &Bdd) -> UBig {
        let place = self.place();
        let evaluator = self.checker().evaluator();
        match place {
            Place::State => evaluator.count_states(set),
            Place::Transition => evaluator.count_transitions(set),
        }
    }

    /// Counts what properties cover, each and together.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn summary(&mut self, parts: &[Covered]) -> Result<Summary, UnknownReason> {
        self.summarise(parts).map_err(stopped)
    }

    fn summarise(&mut self, parts: &[Covered]) -> Result<Summary, Stop> {
        let nothing = self.checker().evaluator().nothing();
        let sure = union(&nothing, parts.iter().map(|part| &part.sure))?;
        let possible = union(&nothing, parts.iter().map(|part| &part.possible))?;
        let mut properties = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
            let others = union(&nothing, others.map(|(_, other)| &other.sure))?;
            properties.push(Contribution {
                covered: self.count(&part.sure),
                only: self.count(&part.sure.minus(&others)?),
                is_redundant: part.possible.leq(&others)?,
            });
        }
        Ok(Summary {
            covered: self.count(&sure),
            possible: self.count(&possible),
            greedy: self.greedy(parts)?,
            smallest: smallest(parts, sure)?,
            properties,
        })
    }

    fn greedy(&mut self, parts: &[Covered]) -> Result<Vec<(usize, UBig)>, Stop> {
        let mut covered = self.checker().evaluator().nothing();
        let mut order = Vec::new();
        loop {
            let mut best: Option<(UBig, usize)> = None;
            for (at, part) in parts.iter().enumerate() {
                let gain = self.count(&part.sure.minus(&covered)?);
                if gain > best.as_ref().map_or(UBig::ZERO, |(gain, _)| gain.clone()) {
                    best = Some((gain, at));
                }
            }
            let Some((_, at)) = best else { return Ok(order) };
            covered = covered.or(&parts[at].sure)?;
            order.push((at, self.count(&covered)));
        }
    }
}

fn union<'s>(nothing: &Bdd, mut sets: impl Iterator<Item = &'s Bdd>) -> Result<Bdd, Stop> {
    sets.try_fold(nothing.clone(), |all, set| all.or(set))
}

/// A smallest subset with the same union: one state of each kind stands for all.
fn smallest(parts: &[Covered], all: Bdd) -> Result<Option<Cover>, Stop> {
    let mut kinds: Vec<(Bdd, Vec<usize>)> = vec![(all, Vec::new())];
    for (at, part) in parts.iter().enumerate() {
        let mut finer = Vec::with_capacity(kinds.len());
        for (kind, members) in kinds {
            let (inside, outside) = (kind.and(&part.sure)?, kind.minus(&part.sure)?);
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
