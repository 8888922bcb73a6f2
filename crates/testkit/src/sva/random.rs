//! Random properties and words.

use super::meaning::is_legal;
use super::syntax::{Bool, Prop, Range, Seq};
use super::{ATOMS, Letter};
use crate::Random;

/// A legal property, of about so many levels. Bounds are small; `far` makes some of them larger.
pub fn random_property(random: &mut Random, levels: usize, far: u32) -> Prop {
    loop {
        let candidate = prop(random, levels, far);
        if is_legal(&candidate, 24 + 2 * far as usize) {
            return candidate;
        }
    }
}

/// A word of so many ticks.
pub fn random_word(random: &mut Random, ticks: usize) -> Vec<Letter> {
    // Conditions that rarely change let more be matched.
    let often = random.between(2, 4);
    let mut letter: Letter = std::array::from_fn(|_| random.percent(50));
    let mut next = || {
        for one in &mut letter {
            if random.below(often) == 0 {
                *one = !*one;
            }
        }
        letter
    };
    (0..ticks).map(|_| next()).collect()
}

fn boolean(random: &mut Random) -> Bool {
    match random.below(12) {
        0 => Bool::Const(true),
        1 => Bool::Const(false),
        other => Bool::Is(random.below(ATOMS), other % 3 != 0),
    }
}

fn range(random: &mut Random, far: u32) -> Range {
    let min = random.below(3) as u32;
    match random.below(6) {
        0 => (min, None),
        1 | 2 => (min, Some(min)),
        3 if far > 0 => (min, Some(min + random.below(far as usize + 1) as u32)),
        _ => (min, Some(min + random.below(3) as u32)),
    }
}

/// At least once, where the standard asks for that.
fn positive((min, max): Range) -> Range {
    (min.max(1), max.map(|max| max.max(1).max(min)))
}

fn seq(random: &mut Random, levels: usize, far: u32) -> Seq {
    if levels == 0 || random.below(4) == 0 {
        return Seq::Is(boolean(random));
    }
    let inner = |random: &mut Random| Box::new(seq(random, levels - 1, far));
    match random.below(14) {
        0..=3 => Seq::Delay(inner(random), range(random, far), inner(random)),
        4 => Seq::Wait(range(random, far), inner(random)),
        5 | 6 => Seq::Repeat(inner(random), range(random, far)),
        7 => Seq::Goto(boolean(random), positive(range(random, 0))),
        8 => Seq::Nonconsecutive(boolean(random), positive(range(random, 0))),
        9 => Seq::Or(inner(random), inner(random)),
        10 => Seq::And(inner(random), inner(random)),
        11 => Seq::Intersect(inner(random), inner(random)),
        12 if random.percent(50) => Seq::Within(inner(random), inner(random)),
        12 => Seq::Throughout(boolean(random), inner(random)),
        _ => Seq::FirstMatch(inner(random)),
    }
}

fn prop(random: &mut Random, levels: usize, far: u32) -> Prop {
    if levels == 0 || random.below(6) == 0 {
        let seq = seq(random, levels.max(1), far);
        return match random.below(4) {
            0 => Prop::Strong(seq),
            1 => Prop::Weak(seq),
            _ => Prop::Seq(seq),
        };
    }
    let before = |random: &mut Random| seq(random, levels, far);
    let inner = |random: &mut Random| Box::new(prop(random, levels - 1, far));
    match random.below(24) {
        0..=3 => Prop::Overlapped(before(random), inner(random)),
        4..=6 => Prop::Nonoverlapped(before(random), inner(random)),
        7 => Prop::FollowedOverlapped(before(random), inner(random)),
        8 => Prop::FollowedNonoverlapped(before(random), inner(random)),
        9 => Prop::Not(inner(random)),
        10 => Prop::And(inner(random), inner(random)),
        11 => Prop::Or(inner(random), inner(random)),
        12 => Prop::Implies(inner(random), inner(random)),
        13 => Prop::Iff(inner(random), inner(random)),
        14 => Prop::If(boolean(random), inner(random), random.percent(50).then(|| inner(random))),
        15 => Prop::Next(random.below(3) as u32, inner(random)),
        16 => Prop::Always(range(random, far), inner(random)),
        17 => Prop::Eventually(range(random, far), inner(random)),
        18 => Prop::Until(inner(random), inner(random)),
        19 => Prop::StrongUntil(inner(random), inner(random)),
        20 => Prop::UntilWith(inner(random), inner(random)),
        21 => Prop::StrongUntilWith(inner(random), inner(random)),
        22 => Prop::AcceptOn(boolean(random), inner(random)),
        _ => Prop::RejectOn(boolean(random), inner(random)),
    }
}
