//! Monotone functions that are given by their minimal sets, and judges of them.

use propcov_coverage::cores::{Judge, Judgement};
use propcov_ir::{ElementId, ElementSet, UnknownReason};
use propcov_testkit::Random;
use std::cell::Cell;

/// Which sets of a few elements are adequate. Sets are bits.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) size: usize,
    /// The minimal adequate sets, sorted.
    pub(crate) minimal: Vec<u32>,
}

impl Function {
    /// Supersets of these are adequate.
    pub(crate) fn new(size: usize, sets: &[u32]) -> Function {
        let is_minimal = |set: &&u32| !sets.iter().any(|other| other != *set && other & **set == *other);
        let mut minimal: Vec<u32> = sets.iter().filter(is_minimal).copied().collect();
        minimal.sort_unstable();
        minimal.dedup();
        Function { size, minimal }
    }

    pub(crate) fn random(random: &mut Random) -> Function {
        let size = random.between(1, 10);
        // Now and then a property that does not hold, or one that needs nothing.
        let count = if random.percent(2) { 0 } else { random.between(1, 8) };
        // Elements that all sets have, elements that none has.
        let (shared, absent) = (random.next() & random.next() & random.next(), random.next() & random.next());
        let density = random.between(5, 95);
        let mut sets = Vec::new();
        for _ in 0..count {
            let some = (0..size).filter(|_| random.percent(density)).fold(0, |set, bit| set | 1 << bit);
            sets.push((some | shared as u32) & !(absent as u32) & ((1 << size) - 1));
        }
        Function::new(size, &sets)
    }

    pub(crate) fn everything(&self) -> u32 {
        (1 << self.size) - 1
    }

    pub(crate) fn is_adequate(&self, set: u32) -> bool {
        self.minimal.iter().any(|minimal| minimal & set == *minimal)
    }

    /// By definition: in some minimal set.
    pub(crate) fn may(&self) -> u32 {
        self.minimal.iter().fold(0, |all, set| all | set)
    }

    /// By definition: all others together are not enough.
    pub(crate) fn must(&self) -> u32 {
        let all = self.everything();
        (0..self.size).filter(|bit| !self.is_adequate(all & !(1 << bit))).fold(0, |set, bit| set | 1 << bit)
    }

    /// By counting all sets.
    pub(crate) fn minimum(&self) -> Option<u32> {
        (0..=self.everything()).filter(|set| self.is_adequate(*set)).map(u32::count_ones).min()
    }

    /// A random minimal set inside this one, which is adequate.
    pub(crate) fn shrink(&self, mut set: u32, random: &mut Random) -> u32 {
        let mut left = set;
        while left != 0 {
            let bit = 1 << nth_bit(left, random);
            left &= !bit;
            if self.is_adequate(set & !bit) {
                set &= !bit;
            }
        }
        set
    }

    /// Elements have numbers with gaps, as in systems where some elements are not in question.
    fn element(bit: usize) -> ElementId {
        ElementId(3 * bit as u32 + 1)
    }

    pub(crate) fn set(&self, mask: u32) -> ElementSet {
        (0..self.size).filter(|bit| mask >> bit & 1 == 1).map(Function::element).collect()
    }

    pub(crate) fn universe(&self) -> ElementSet {
        self.set(self.everything())
    }

    /// # Panics
    /// If an element is none of ours.
    pub(crate) fn mask(&self, set: &ElementSet) -> u32 {
        assert!(set.is_subset(&self.universe()), "{set:?} has strange elements");
        (0..self.size)
            .filter(|bit| set.contains(Function::element(*bit)))
            .fold(0, |mask, bit| mask | 1 << bit)
    }
}

fn nth_bit(set: u32, random: &mut Random) -> u32 {
    let bits: Vec<u32> = (0..32).filter(|bit| set >> bit & 1 == 1).collect();
    *random.pick(&bits)
}

/// How helpful a judge is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Habits {
    pub(crate) seed: u64,
    /// In so many of 100 cases an element that could be dropped from an adequate set is.
    pub(crate) cores: usize,
    /// In so many of 100 cases an element that could be added to an inadequate set is.
    pub(crate) grown: usize,
    /// So many of 100 sets get no answer.
    pub(crate) unknown: usize,
    pub(crate) width: usize,
}

impl Habits {
    pub(crate) const HELPFUL: Habits = Habits { seed: 0, cores: 100, grown: 100, unknown: 0, width: 1 };

    pub(crate) fn random(random: &mut Random) -> Habits {
        let percent = |random: &mut Random| *random.pick(&[0, 30, 60, 90, 100]);
        Habits {
            seed: random.next(),
            cores: percent(random),
            grown: percent(random),
            unknown: 0,
            width: random.between(1, 4),
        }
    }
}

/// A judge of a function. The answer for a set depends on nothing else.
pub(crate) struct Machine<'a> {
    function: &'a Function,
    habits: Habits,
    /// Each set that was asked about.
    pub(crate) asked: Vec<u32>,
    /// The search is over after so many questions.
    pub(crate) stop_after: usize,
    /// It was said that the search is over.
    pub(crate) refused: Cell<bool>,
    /// A region without answers: sets that agree with `.1` on `.0`.
    region: (u32, u32),
}

impl<'a> Machine<'a> {
    pub(crate) fn new(function: &'a Function, habits: Habits) -> Machine<'a> {
        let mut random = Random::new(habits.seed);
        let region = (random.next() as u32 | 1, random.next() as u32);
        Machine {
            function,
            habits,
            asked: Vec::new(),
            stop_after: usize::MAX,
            refused: Cell::new(false),
            region,
        }
    }

    /// Whether it has no answer for a set.
    pub(crate) fn is_mute(&self, set: u32) -> bool {
        if self.habits.unknown == 0 {
            return false;
        }
        if self.habits.seed.is_multiple_of(2) {
            let (on, value) = (self.region.0 & self.function.everything(), self.region.1);
            return (set ^ value) & on & 0b111 == 0;
        }
        self.random(set).percent(self.habits.unknown)
    }

    fn random(&self, set: u32) -> Random {
        Random::new(self.habits.seed ^ u64::from(set) << 32)
    }
}

impl Judge for Machine<'_> {
    fn judge(&mut self, kept: &ElementSet) -> Judgement {
        let mut set = self.function.mask(kept);
        self.asked.push(set);
        if self.asked.len() > self.stop_after {
            self.refused.set(true);
            return Judgement::Unknown(UnknownReason::Timeout);
        }
        if self.is_mute(set) {
            return Judgement::Unknown(UnknownReason::Conflicts);
        }
        let mut random = self.random(set);
        let adequate = self.function.is_adequate(set);
        let chance = if adequate { self.habits.cores } else { self.habits.grown };
        let mut left = if adequate { set } else { self.function.everything() & !set };
        while left != 0 {
            let bit = 1 << nth_bit(left, &mut random);
            left &= !bit;
            if self.function.is_adequate(set ^ bit) == adequate && random.percent(chance) {
                set ^= bit;
            }
        }
        let answer = self.function.set(set);
        if adequate { Judgement::Adequate(answer) } else { Judgement::Inadequate(answer) }
    }

    fn width(&self) -> usize {
        self.habits.width
    }

    fn is_over(&self) -> bool {
        let is_over = self.asked.len() >= self.stop_after;
        self.refused.set(self.refused.get() || is_over);
        is_over
    }
}
