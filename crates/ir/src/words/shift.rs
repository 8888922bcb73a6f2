//! Barrel shifters: stage k shifts by 2^k where bit k of the amount is set.

use super::{BitAlgebra, any, arithmetic, mux_bits};

/// Which way to rotate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Left,
    Right,
}

/// Shifts left, zeros in.
pub(super) fn left<A: BitAlgebra>(algebra: &mut A, a: &[A::Bit], amount: &[A::Bit]) -> Vec<A::Bit> {
    let zero = algebra.constant(false);
    let reversed: Vec<_> = a.iter().rev().cloned().collect();
    let mut shifted = right(algebra, &reversed, amount, &zero);
    shifted.reverse();
    shifted
}

/// Shifts right, copies of `fill` in.
pub(super) fn right<A: BitAlgebra>(
    algebra: &mut A,
    a: &[A::Bit],
    amount: &[A::Bit],
    fill: &A::Bit,
) -> Vec<A::Bit> {
    let width = a.len();
    let stages = stages(width).min(amount.len());
    let mut word = a.to_vec();
    for (stage, enable) in amount[..stages].iter().enumerate() {
        let mut shifted = word[(1 << stage).min(width)..].to_vec();
        shifted.resize(width, fill.clone());
        word = mux_bits(algebra, enable, &shifted, &word);
    }
    let everything = any(algebra, amount[stages..].to_vec());
    mux_bits(algebra, &everything, &vec![fill.clone(); width], &word)
}

/// Rotates by the amount modulo the width.
pub(super) fn rotate<A: BitAlgebra>(
    algebra: &mut A,
    a: &[A::Bit],
    amount: &[A::Bit],
    direction: Direction,
) -> Vec<A::Bit> {
    let width = a.len();
    // Rotations by powers of two compose, so only a width that is no power of two needs the amount reduced.
    let amount = if width.is_power_of_two() {
        amount.to_vec()
    } else {
        let modulus: Vec<_> = (0..amount.len())
            .map(|bit| algebra.constant(bit < usize::BITS as usize && width >> bit & 1 == 1))
            .collect();
        arithmetic::divide(algebra, amount, &modulus).remainder
    };
    let mut word = a.to_vec();
    for (stage, enable) in amount[..stages(width).min(amount.len())].iter().enumerate() {
        let mut rotated = word.clone();
        match direction {
            Direction::Left => rotated.rotate_right((1 << stage) % width),
            Direction::Right => rotated.rotate_left((1 << stage) % width),
        }
        word = mux_bits(algebra, enable, &rotated, &word);
    }
    word
}

/// How many bits of the amount matter below the width: ⌈log₂ width⌉.
fn stages(width: usize) -> usize {
    width.saturating_sub(1).checked_ilog2().map_or(0, |log| log as usize + 1)
}
