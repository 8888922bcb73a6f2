//! How a simulation for a mutant differs from the one for the implementation.
//!
//! The greatest simulation of the mutant is known: it is what is alive. Start with the accepted simulation, drop what the flip makes impossible, and mend what
//! rested on it: a pair that is alive gets another answer that is alive, one that is not is dropped as well. The work follows the patch, not the graphs.

use super::Stopped;
use super::base::Base;
use super::similarity::Similarity;
use super::watch::Watch;
use propcov_ir::{LabelFlip, Patch, StatePair};
use rustc_hash::FxHashSet;

/// A simulation in the making.
struct Mending<'m> {
    base: &'m Base,
    similarity: &'m Similarity<'m>,
    is_removed: FxHashSet<StatePair>,
    is_added: FxHashSet<StatePair>,
    patch: Patch,
}

/// The patch for a mutant that is simulated.
pub(super) fn flipped(
    similarity: &Similarity<'_>,
    base: &Base,
    flip: LabelFlip,
    watch: &mut Watch<'_>,
) -> Result<Patch, Stopped> {
    let setting = similarity.setting();
    let label = setting.implementation.label(flip.state, flip.proposition).flipped();
    let mut mending = Mending::new(similarity, base);
    for partner in base.partners(flip.state) {
        if !setting.specification.label(*partner, flip.proposition).accepts(label) {
            mending.remove((flip.state, *partner));
        }
    }
    mending.mend(watch)
}

/// The patch for a specification that lacks a transition, and simulates the implementation nevertheless. `states` are those of the implementation that the accepted simulation relates
/// to the transition's first state.
pub(super) fn lacking(
    similarity: &Similarity<'_>,
    base: &Base,
    from: u32,
    states: &[u32],
    watch: &mut Watch<'_>,
) -> Result<Patch, Stopped> {
    let mut mending = Mending::new(similarity, base);
    for state in states {
        for next in similarity.setting().implementation.successors(*state) {
            mending.answer((*state, from), *next);
        }
        watch.step(1)?;
    }
    mending.mend(watch)
}

impl<'m> Mending<'m> {
    fn new(similarity: &'m Similarity<'m>, base: &'m Base) -> Mending<'m> {
        Mending {
            base,
            similarity,
            is_removed: FxHashSet::default(),
            is_added: FxHashSet::default(),
            patch: Patch::default(),
        }
    }

    fn has(&self, pair: StatePair) -> bool {
        self.is_added.contains(&pair) || self.base.has(pair) && !self.is_removed.contains(&pair)
    }

    fn remove(&mut self, pair: StatePair) {
        if self.is_removed.insert(pair) {
            self.patch.removed.push(pair);
        }
    }

    fn add(&mut self, pair: StatePair) {
        if self.is_added.insert(pair) {
            self.patch.added.push(pair);
        }
    }

    /// Sees to it that a pair has an answer to a step, or is not there. One that is alive stays, and so its answer has to stay as well.
    fn answer(&mut self, pair: StatePair, next: u32) {
        let similarity = self.similarity;
        let is_alive = similarity.is_alive(pair);
        let stays = |answer: StatePair| self.has(answer) && (!is_alive || similarity.is_alive(answer));
        if similarity.successors(pair.1).any(|answer| stays((next, answer))) {
            return;
        }
        let alive = similarity.successors(pair.1).find(|answer| similarity.is_alive((next, *answer)));
        match alive.filter(|_| is_alive) {
            Some(answer) => self.add((next, answer)),
            None => self.remove(pair),
        }
    }

    /// An added pair is alive, and so are its answers: it is never removed.
    fn mend(mut self, watch: &mut Watch<'_>) -> Result<Patch, Stopped> {
        let setting = self.similarity.setting();
        let (implementation, specification) = (setting.implementation, setting.specification);
        let (mut removed, mut added) = (0, 0);
        loop {
            watch.step(1)?;
            if let Some(&pair) = self.patch.added.get(added) {
                added += 1;
                implementation.successors(pair.0).iter().for_each(|next| self.answer(pair, *next));
            } else if let Some(&(state, partner)) = self.patch.removed.get(removed) {
                removed += 1;
                for before in implementation.predecessors(state) {
                    for asked in self.base.partners(*before) {
                        let pair = (*before, *asked);
                        if specification.successors(*asked).binary_search(&partner).is_ok()
                            && !self.is_removed.contains(&pair)
                        {
                            self.answer(pair, state);
                        }
                    }
                }
                if implementation.initial().binary_search(&state).is_ok() {
                    self.begin(state);
                }
            } else {
                return Ok(self.patch);
            }
        }
    }

    /// Sees to it that an initial state has an initial partner.
    fn begin(&mut self, state: u32) {
        let initial = self.similarity.setting().specification.initial();
        if initial.iter().any(|partner| self.has((state, *partner))) {
            return;
        }
        if let Some(partner) = initial.iter().find(|partner| self.similarity.is_alive((state, **partner))) {
            self.add((state, *partner));
        }
    }
}
