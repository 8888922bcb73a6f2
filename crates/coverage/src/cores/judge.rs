//! Who decides whether a set of elements suffices.

use propcov_ir::{ElementSet, UnknownReason};

/// What is known of a set of elements that was asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It is adequate; so is this subset of it, which need not be minimal.
    Adequate(ElementSet),
    /// It is inadequate; so is this superset of it, which need not be maximal.
    Inadequate(ElementSet),
    /// Neither was established. Never to be taken for either.
    Unknown(UnknownReason),
}

/// Decides whether a property holds while all elements outside a set are freed. Sets are subsets of the elements in question (the universe); all other elements of
/// the system are always kept.
pub trait Judge {
    /// Decides about one set.
    fn judge(&mut self, kept: &ElementSet) -> Judgement;

    /// Decides about several sets, side by side where that pays. Answers are in the order of the sets, and do not depend on the number of threads. What is found about one of them need not be used for
    /// the others.
    fn judge_all(&mut self, sets: &[ElementSet]) -> Vec<Judgement> {
        sets.iter().map(|set| self.judge(set)).collect()
    }

    /// How many sets it is worth to hand over at once.
    fn width(&self) -> usize {
        1
    }

    /// From now on a set is worth the effort of this round: little in round 0, and twice as much in each that follows. Whether it is worth more in the next one. Who has never heard of rounds does what can be done.
    fn set_round(&mut self, _round: u32) -> bool {
        false
    }

    /// Whether small sets are much easier to decide about than large ones. A minimal core is then looked for before anything else, so that there is one if the time runs out.
    fn prefers_small(&self) -> bool {
        false
    }

    /// Whether to stop: the time is up, or the user has asked for it.
    fn is_over(&self) -> bool {
        false
    }
}
