//! Similarity with counters and a trail.
//!
//! This is `Efficient_Similarity` of Henzinger, Henzinger and Kopke ("Computing simulations on finite and infinite graphs", FOCS 1995; the paper's Figure 1), in O(m′n + mn′). For a state u and a
//! specification state v′, a counter says how many successors of v′ may still simulate u. When (u, u′) is removed, the counters of (u, v′) are decremented for the predecessors v′ of u′; at
//! zero, v′ has no answer to a step to u, and (x, v′) is removed for all predecessors x of u.
//!
//! Departures from the paper:
//!
//! - Instead of sets `oldsim`, `sim` and `remove`, there is a *trail* of all removals in order, which is also the queue: what is before `head` has been counted. So the state at an earlier mark is
//!   restored by going backwards, and the divide-and-conquer procedure copies no sets.
//! - Each removal has a reason, which rests on earlier removals only. So a refutation is a part of the trail.
//! - Only pairs of the [product](super::product) are there.
//! - A run may end early: once nothing that [arrives](super::setting) with a reachable state is left, or once such a state has no partner at all, there is no simulation.
//!
//! Counters have 32 bits. 16 would do for most specifications, but not for all, and two versions of everything here are not worth the memory.

use super::Stopped;
use super::product::Product;
use super::rows::{Rows, common, ones};
use super::setting::Setting;
use super::watch::Watch;
use propcov_ir::StatePair;

/// Stands for a reason: the labels do not fit.
const LABEL: u32 = u32::MAX;

/// Stands for a position: the pair is not on the trail.
const ALIVE: u32 = u32::MAX;

/// A removed pair.
#[derive(Clone, Copy, Debug)]
struct Removal {
    state: u32,
    partner: u32,
    /// The successor of `state` to which `partner` has no answer, or [`LABEL`].
    reason: u32,
}

/// When a run may end early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Never.
    Never,
    /// When a state has no partner left, or none that arrives with it: labels are those of the implementation.
    Early,
    /// The same where the labels of this state are flipped: what arrives behind it is not known.
    EarlyFlipped(u32),
}

/// How much was done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    pub(super) counter_updates: u64,
    pub(super) removals: u64,
}

/// The pairs that may still be in the greatest simulation.
#[derive(Clone)]
pub(super) struct Similarity<'s> {
    setting: &'s Setting<'s>,
    product: &'s Product,
    alive: Rows,
    /// By pair: where it is on the trail.
    position: Vec<u32>,
    /// By question (u, v′): how many successors of v′ are alive with u.
    counters: Vec<u32>,
    /// By state: how many partners are alive.
    partners: Vec<u32>,
    /// By state: how many of them arrive with it.
    arriving: Vec<u32>,
    trail: Vec<Removal>,
    head: usize,
    ending: Ending,
    ended: Option<u32>,
    /// A transition that the specification lacks.
    lacking: Option<(u32, u32)>,
    work: Work,
}

/// Specification states that have no answer to a step, as a row of bits. Whole words of them are compared with the partners of each state that may take the step.
struct Unanswered {
    bits: Vec<u64>,
    /// The words that are not empty.
    words: Vec<u32>,
}

impl Unanswered {
    fn new(words: usize) -> Unanswered {
        Unanswered { bits: vec![0; words], words: Vec::new() }
    }

    fn insert(&mut self, asked: u32) {
        let word = &mut self.bits[asked as usize / 64];
        if *word == 0 {
            self.words.push(asked / 64);
        }
        *word |= 1 << (asked % 64);
    }

    fn clear(&mut self) {
        self.words.drain(..).for_each(|word| self.bits[word as usize] = 0);
    }
}

impl<'s> Similarity<'s> {
    /// All pairs of the product. What has no answer is on the trail, but nothing is propagated.
    pub(super) fn new(
        setting: &'s Setting<'s>,
        product: &'s Product,
        ending: Ending,
        watch: &mut Watch<'_>,
    ) -> Result<Similarity<'s>, Stopped> {
        let (implementation, specification) = (setting.implementation, setting.specification);
        let pairs = product.pairs.rows();
        let mut similarity = Similarity {
            setting,
            product,
            alive: pairs.clone(),
            position: vec![ALIVE; product.pairs.len()],
            counters: Vec::with_capacity(product.questions.len()),
            partners: vec![0; implementation.state_count()],
            arriving: vec![0; implementation.state_count()],
            trail: Vec::new(),
            head: 0,
            ending: Ending::Never,
            ended: None,
            lacking: None,
            work: Work::default(),
        };
        // By specification state: how many of its successors are partners of the state at hand.
        let mut answers = vec![0_u32; specification.state_count()];
        for state in implementation.states() {
            let row = pairs.row(state);
            answers.fill(0);
            for partner in ones(row) {
                let before = specification.predecessors(partner);
                before.iter().for_each(|asked| answers[*asked as usize] += 1);
                watch.step(before.len())?;
            }
            let asked = ones(product.questions.rows().row(state));
            similarity.counters.extend(asked.map(|asked| answers[asked as usize]));
            similarity.partners[state as usize] = row.iter().map(|word| word.count_ones()).sum();
            similarity.arriving[state as usize] =
                common(row, setting.arrivals.row(state)).map(u64::count_ones).sum();
        }
        similarity.set_ending(ending);
        let mut unanswered = Unanswered::new(product.questions.rows().words());
        for state in implementation.states() {
            let first = product.questions.first(state);
            unanswered.clear();
            for (counter, asked) in (first..).zip(ones(product.questions.rows().row(state))) {
                if similarity.counters[counter] == 0 {
                    unanswered.insert(asked);
                }
            }
            similarity.remove_unanswered(state, &unanswered);
            watch.step(implementation.predecessors(state).len() * unanswered.words.len())?;
        }
        Ok(similarity)
    }

    /// From now on, runs end like this. A state may be without partners already.
    pub(super) fn set_ending(&mut self, ending: Ending) {
        self.ending = ending;
        if ending != Ending::Never && self.ended.is_none() {
            self.ended = self.setting.tree.order().iter().copied().find(|state| self.is_over_at(*state));
        }
    }

    /// The same, where no state is without partners.
    pub(super) fn set_ending_unseen(&mut self, ending: Ending) {
        self.ending = ending;
    }

    /// The state that shows that there is no simulation, if a run ended early.
    pub(super) fn ended(&self) -> Option<u32> {
        self.ended
    }

    /// An initial state without initial partner.
    pub(super) fn bad_initial(&self) -> Option<u32> {
        self.setting
            .implementation
            .initial()
            .iter()
            .copied()
            .find(|state| self.arriving[*state as usize] == 0)
    }

    fn is_over_at(&self, state: u32) -> bool {
        let arrives = match self.ending {
            Ending::Never => return false,
            Ending::Early => true,
            Ending::EarlyFlipped(flipped) => !self.setting.tree.is_proper_ancestor(flipped, state),
        };
        self.partners[state as usize] == 0 || arrives && self.arriving[state as usize] == 0
    }

    pub(super) fn setting(&self) -> &'s Setting<'s> {
        self.setting
    }

    /// The partners that a state may still have.
    pub(super) fn row(&self, state: u32) -> &[u64] {
        self.alive.row(state)
    }

    pub(super) fn is_alive(&self, (state, partner): StatePair) -> bool {
        self.alive.has(state, partner)
    }

    /// The specification's successors of a state, without the transition that it lacks.
    pub(super) fn successors(&self, specified: u32) -> impl Iterator<Item = u32> + '_ {
        let lacks = move |next: &u32| self.lacking != Some((specified, *next));
        self.setting.specification.successors(specified).iter().copied().filter(lacks)
    }

    /// Where a pair is on the trail, and its reason unless that is the labels.
    pub(super) fn removal(&self, (state, partner): StatePair) -> Option<(u32, Option<u32>)> {
        let position = self.position[self.product.pairs.number(state, partner)?];
        let removal = self.trail.get(position as usize)?;
        Some((position, (removal.reason != LABEL).then_some(removal.reason)))
    }

    /// The pair at this position of the trail, and the successor to which there is no answer.
    pub(super) fn removed_at(&self, position: u32) -> (StatePair, u32) {
        let removal = self.trail[position as usize];
        ((removal.state, removal.partner), removal.reason)
    }

    /// Removes a pair if it is there.
    fn remove(&mut self, state: u32, partner: u32, reason: u32) {
        if !self.alive.has(state, partner) {
            return;
        }
        let Some(number) = self.product.pairs.number(state, partner) else { return };
        self.alive.remove(state, partner);
        self.position[number] = self.trail.len() as u32;
        self.trail.push(Removal { state, partner, reason });
        self.work.removals += 1;
        self.partners[state as usize] -= 1;
        self.arriving[state as usize] -= u32::from(self.setting.arrivals.has(state, partner));
        if self.ending != Ending::Never && self.ended.is_none() && self.is_over_at(state) {
            self.ended = Some(state);
        }
    }

    /// Removes what has no answer to a step to this state.
    fn remove_unanswered(&mut self, state: u32, unanswered: &Unanswered) {
        for before in self.setting.implementation.predecessors(state) {
            for word in &unanswered.words {
                let mut gone = self.alive.row(*before)[*word as usize] & unanswered.bits[*word as usize];
                while gone != 0 {
                    self.remove(*before, word * 64 + gone.trailing_zeros(), state);
                    gone &= gone - 1;
                }
            }
        }
    }

    /// Removes the partners of a state that are not among these: its labels are known now.
    pub(super) fn restrict(&mut self, state: u32, accepted: &[u64]) {
        for (word, accepted) in accepted.iter().enumerate() {
            let mut gone = self.alive.row(state)[word] & !accepted;
            while gone != 0 {
                self.remove(state, word as u32 * 64 + gone.trailing_zeros(), LABEL);
                gone &= gone - 1;
            }
        }
    }

    /// Notes that a pair is in no simulation, for this reason, without propagating that.
    pub(super) fn refute(&mut self, (state, partner): StatePair, reason: u32) {
        self.remove(state, partner, reason);
    }

    /// Says which transition the specification lacks. Similarity does not look at this, but [`Similarity::successors`] does.
    pub(super) fn set_lacking(&mut self, transition: Option<(u32, u32)>) {
        self.lacking = transition;
    }

    /// Removes what follows, until nothing does or the run ends early.
    pub(super) fn propagate(&mut self, watch: &mut Watch<'_>) -> Result<(), Stopped> {
        let (implementation, specification) = (self.setting.implementation, self.setting.specification);
        let mut unanswered = Unanswered::new(self.alive.words());
        while self.ended.is_none() && self.head < self.trail.len() {
            // Removals of the same state are often next to each other.
            let state = self.trail[self.head].state;
            unanswered.clear();
            while let Some(removal) = self.trail.get(self.head).filter(|removal| removal.state == state) {
                let partner = removal.partner;
                for asked in specification.predecessors(partner) {
                    if let Some(counter) = self.product.questions.number(state, *asked) {
                        self.counters[counter] -= 1;
                        self.work.counter_updates += 1;
                        if self.counters[counter] == 0 {
                            unanswered.insert(*asked);
                        }
                    }
                }
                self.head += 1;
                watch.step(specification.predecessors(partner).len())?;
            }
            self.remove_unanswered(state, &unanswered);
            watch.step(implementation.predecessors(state).len() * unanswered.words.len())?;
        }
        Ok(())
    }

    /// Where the trail is now.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back everything since that mark. Everything before it was propagated then.
    pub(super) fn undo(&mut self, mark: usize) {
        for position in (mark..self.trail.len()).rev() {
            let Removal { state, partner, .. } = self.trail[position];
            if position < self.head {
                for asked in self.setting.specification.predecessors(partner) {
                    if let Some(counter) = self.product.questions.number(state, *asked) {
                        self.counters[counter] += 1;
                    }
                }
            }
            self.alive.insert(state, partner);
            if let Some(number) = self.product.pairs.number(state, partner) {
                self.position[number] = ALIVE;
            }
            self.partners[state as usize] += 1;
            self.arriving[state as usize] += u32::from(self.setting.arrivals.has(state, partner));
        }
        self.trail.truncate(mark);
        self.head = self.head.min(mark);
        self.ended = None;
    }

    /// What was done since this was last asked.
    pub(super) fn take_work(&mut self) -> Work {
        std::mem::take(&mut self.work)
    }

    /// Without what is shared.
    pub(super) fn bytes(&self) -> usize {
        let per_state = size_of_val(&*self.partners) + size_of_val(&*self.arriving);
        let trail = self.trail.capacity() * size_of::<Removal>();
        self.alive.bytes() + size_of_val(&*self.position) + size_of_val(&*self.counters) + per_state + trail
    }
}
