//! A simulation for a mutant, by mending the one for the implementation.
//!
//! Start with the accepted simulation, drop what the flip makes impossible, and mend what rested on it: a pair that has lost its answer to a step gets another one that is alive. That one
//! may be new, and then needs answers itself. A pair for which nothing is left to choose is refuted, and what rested on it has to be mended as well. In the end, there is a
//! simulation, and what differs is the patch; or some state has lost everything, and the refutations say why.
//!
//! So this decides a mutant by itself, without the greatest simulation. That is the point: flipping a label may take a pair away from each state of the graph, although
//! a simulation that differs in a few pairs passes. The work follows the patch, or the refutations, not the graphs. (It is a local fixed point as Liu and Smolka, "Simple linear-time algorithms
//! for minimal fixed points", ICALP 1998, have it; the paper computes the greatest simulation of each mutant.) Where the greatest simulation is known, nothing is refuted, and
//! only the patch is found.
//!
//! Why it is exact: what is alive at first contains the greatest simulation of the mutant. A pair is refuted only if all answers to some step are, and refuted pairs are on the
//! [trail](super::similarity) with that reason. So what is refuted is in no simulation, and if nothing more has to be mended, what is there is one.

use super::Stopped;
use super::base::Base;
use super::similarity::Similarity;
use super::watch::Watch;
use propcov_ir::{LabelFlip, Patch, StatePair};
use rustc_hash::{FxHashMap, FxHashSet};

/// A simulation in the making.
struct Mending<'m, 's> {
    base: &'m Base,
    similarity: &'m mut Similarity<'s>,
    /// Pairs that were there and are not any more, in order.
    dropped: Vec<StatePair>,
    is_dropped: FxHashSet<StatePair>,
    /// Pairs that were added, in order; some may be dropped.
    added: Vec<StatePair>,
    is_added: FxHashSet<StatePair>,
    /// By state of the implementation.
    added_partners: FxHashMap<u32, Vec<u32>>,
    steps: u64,
}

/// The patch for a mutant, unless it is not simulated and runs may [end](super::similarity::Ending) early: then some state has lost everything. The labels of all pairs that are alive fit.
pub(super) fn flipped(
    similarity: &mut Similarity<'_>,
    base: &Base,
    flip: LabelFlip,
    watch: &mut Watch<'_>,
) -> Result<(Option<Patch>, u64), Stopped> {
    let setting = similarity.setting();
    let label = setting.implementation.label(flip.state, flip.proposition).flipped();
    let mut mending = Mending::new(similarity, base);
    for partner in base.partners(flip.state) {
        if !setting.specification.label(*partner, flip.proposition).accepts(label) {
            mending.drop_pair((flip.state, *partner));
        }
    }
    mending.mend(watch)
}

/// The patch for a specification that lacks a transition from this state, as `similarity` knows; `states` are those of the implementation that the accepted simulation relates to it.
pub(super) fn lacking(
    similarity: &mut Similarity<'_>,
    base: &Base,
    from: u32,
    states: &[u32],
    watch: &mut Watch<'_>,
) -> Result<(Option<Patch>, u64), Stopped> {
    let implementation = similarity.setting().implementation;
    let mut mending = Mending::new(similarity, base);
    for state in states {
        implementation.successors(*state).iter().for_each(|next| mending.answer((*state, from), *next));
        watch.step(implementation.successors(*state).len())?;
    }
    mending.mend(watch)
}

impl<'m, 's> Mending<'m, 's> {
    fn new(similarity: &'m mut Similarity<'s>, base: &'m Base) -> Mending<'m, 's> {
        Mending {
            base,
            similarity,
            dropped: Vec::new(),
            is_dropped: FxHashSet::default(),
            added: Vec::new(),
            is_added: FxHashSet::default(),
            added_partners: FxHashMap::default(),
            steps: 0,
        }
    }

    fn has(&self, pair: StatePair) -> bool {
        (self.base.has(pair) || self.is_added.contains(&pair)) && !self.is_dropped.contains(&pair)
    }

    fn drop_pair(&mut self, pair: StatePair) {
        if self.is_dropped.insert(pair) {
            self.dropped.push(pair);
        }
    }

    fn add(&mut self, pair: StatePair) {
        if self.is_added.insert(pair) {
            self.added.push(pair);
            self.added_partners.entry(pair.0).or_default().push(pair.1);
        }
    }

    /// Sees to it that a pair has an answer to a step, or is not there.
    fn answer(&mut self, pair: StatePair, next: u32) {
        self.steps += 1;
        let similarity = &*self.similarity;
        // Where the greatest simulation of the mutant is known, a pair of the accepted one may not be alive. It may be dropped later, and is no answer for one that stays.
        let is_alive = similarity.is_alive(pair);
        let stays = |answer: StatePair| self.has(answer) && (!is_alive || similarity.is_alive(answer));
        if similarity.successors(pair.1).any(|answer| stays((next, answer))) {
            return;
        }
        let alive = similarity.successors(pair.1).filter(|answer| similarity.is_alive((next, *answer)));
        match alive.max_by_key(|answer| self.base.permissive(*answer)) {
            Some(answer) if is_alive => self.add((next, answer)),
            _ => {
                self.similarity.refute(pair, next);
                self.drop_pair(pair);
            }
        }
    }

    fn mend(mut self, watch: &mut Watch<'_>) -> Result<(Option<Patch>, u64), Stopped> {
        let setting = self.similarity.setting();
        let implementation = setting.implementation;
        let (mut dropped, mut added) = (0, 0);
        while self.similarity.ended().is_none() {
            if let Some(&(state, partner)) = self.dropped.get(dropped) {
                dropped += 1;
                for before in implementation.predecessors(state) {
                    self.mend_behind(*before, (state, partner));
                    watch.step(1)?;
                }
                if implementation.initial().binary_search(&state).is_ok() {
                    self.begin(state);
                }
            } else if let Some(&pair) = self.added.get(added) {
                added += 1;
                for next in implementation.successors(pair.0) {
                    if self.is_dropped.contains(&pair) {
                        break;
                    }
                    self.answer(pair, *next);
                }
                watch.step(implementation.successors(pair.0).len())?;
            } else {
                let removed = self.dropped.iter().copied().filter(|pair| self.base.has(*pair)).collect();
                let added = self.added.iter().copied().filter(|pair| self.has(*pair)).collect();
                return Ok((Some(Patch { removed, added }), self.steps));
            }
        }
        Ok((None, self.steps))
    }

    /// Mends the pairs of a state that may have rested on one that was dropped.
    fn mend_behind(&mut self, before: u32, (state, partner): StatePair) {
        let specification = self.similarity.setting().specification;
        let added = self.added_partners.get(&before);
        let partners = self.base.partners(before).iter().chain(added.into_iter().flatten());
        let resting: Vec<u32> = partners
            .copied()
            .filter(|asked| specification.successors(*asked).binary_search(&partner).is_ok())
            .filter(|asked| !self.is_dropped.contains(&(before, *asked)))
            .collect();
        resting.into_iter().for_each(|asked| self.answer((before, asked), state));
    }

    /// Sees to it that an initial state has an initial partner, if there is one.
    fn begin(&mut self, state: u32) {
        let initial = self.similarity.setting().specification.initial();
        if initial.iter().any(|partner| self.has((state, *partner))) {
            return;
        }
        let alive = initial.iter().filter(|partner| self.similarity.is_alive((state, **partner)));
        if let Some(partner) = alive.max_by_key(|partner| self.base.permissive(**partner)) {
            self.add((state, *partner));
        }
    }
}
