//! Arithmetic circuits: ripple-carry adders, shift-and-add multiplication, restoring division.
//!
//! These are the smallest circuits rather than the shallowest: what counts for a SAT solver is the number of gates.

use super::{BitAlgebra, any, mux_bits};

/// Quotient and remainder of one division.
pub(super) struct Division<Bit> {
    pub(super) quotient: Vec<Bit>,
    pub(super) remainder: Vec<Bit>,
}

/// a + b modulo 2^width.
pub(super) fn add<A: BitAlgebra>(algebra: &mut A, a: &[A::Bit], b: &[A::Bit]) -> Vec<A::Bit> {
    let carry = algebra.constant(false);
    add_with_carry(algebra, a, b, carry).0
}

/// a − b modulo 2^width.
pub(super) fn subtract<A: BitAlgebra>(algebra: &mut A, a: &[A::Bit], b: &[A::Bit]) -> Vec<A::Bit> {
    subtract_with_carry(algebra, a, b).0
}

/// −a modulo 2^width.
pub(super) fn negate<A: BitAlgebra>(algebra: &mut A, a: &[A::Bit]) -> Vec<A::Bit> {
    let condition = algebra.constant(true);
    negate_if(algebra, &condition, a)
}

/// The sum, and what the carry out is made of: most callers never need that gate.
fn add_with_carry<A: BitAlgebra>(
    algebra: &mut A,
    a: &[A::Bit],
    b: &[A::Bit],
    mut carry: A::Bit,
) -> (Vec<A::Bit>, LastCarry<A::Bit>) {
    let mut sum = Vec::with_capacity(a.len());
    let mut last = None;
    for (a, b) in a.iter().zip(b) {
        if let Some(position) = last.take() {
            carry = carry_out(algebra, &position, &carry);
        }
        let half = algebra.xor(a, b);
        sum.push(algebra.xor(&half, &carry));
        last = Some(Position { a: a.clone(), b: b.clone(), half });
    }
    (sum, LastCarry { position: last, carry })
}

/// Both operand bits and their exclusive or.
struct Position<Bit> {
    a: Bit,
    b: Bit,
    half: Bit,
}

struct LastCarry<Bit> {
    position: Option<Position<Bit>>,
    carry: Bit,
}

fn carry_out<A: BitAlgebra>(algebra: &mut A, position: &Position<A::Bit>, carry: &A::Bit) -> A::Bit {
    let generated = algebra.and(&position.a, &position.b);
    let propagated = algebra.and(&position.half, carry);
    algebra.or(&generated, &propagated)
}

/// a − b as a + ¬b + 1: the carry out tells whether a ≥ b.
fn subtract_with_carry<A: BitAlgebra>(
    algebra: &mut A,
    a: &[A::Bit],
    b: &[A::Bit],
) -> (Vec<A::Bit>, LastCarry<A::Bit>) {
    let inverted: Vec<_> = b.iter().map(|bit| algebra.not(bit)).collect();
    let one = algebra.constant(true);
    add_with_carry(algebra, a, &inverted, one)
}

/// −a where the condition holds, a elsewhere: (a ⊕ condition) + condition.
fn negate_if<A: BitAlgebra>(algebra: &mut A, condition: &A::Bit, a: &[A::Bit]) -> Vec<A::Bit> {
    let mut carry = condition.clone();
    let mut result = Vec::with_capacity(a.len());
    for (index, bit) in a.iter().enumerate() {
        let flipped = algebra.xor(bit, condition);
        result.push(algebra.xor(&flipped, &carry));
        if index + 1 < a.len() {
            carry = algebra.and(&flipped, &carry);
        }
    }
    result
}

/// Whether a < b, unsigned: the borrow of a − b, which is the majority of ¬a, b and the borrow so far.
pub(super) fn less<A: BitAlgebra>(algebra: &mut A, a: &[A::Bit], b: &[A::Bit]) -> A::Bit {
    let mut borrow = algebra.constant(false);
    for (a, b) in a.iter().zip(b) {
        let (not_a, not_b) = (algebra.not(a), algebra.not(b));
        let below = algebra.and(&not_a, b);
        let above = algebra.and(a, &not_b);
        let not_above = algebra.not(&above);
        let kept = algebra.and(&not_above, &borrow);
        borrow = algebra.or(&below, &kept);
    }
    borrow
}

/// Whether a < b in two's complement: the sign bits weigh the other way round.
pub(super) fn signed_less<A: BitAlgebra>(algebra: &mut A, a: &[A::Bit], b: &[A::Bit]) -> A::Bit {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    if let (Some(a), Some(b)) = (a.last_mut(), b.last_mut()) {
        std::mem::swap(a, b);
    }
    less(algebra, &a, &b)
}

/// a · b modulo 2^width: one row of partial products for each bit of the multiplier.
pub(super) fn multiply<A: BitAlgebra>(algebra: &mut A, a: &[A::Bit], b: &[A::Bit]) -> Vec<A::Bit> {
    let width = a.len();
    let zeros =
        |algebra: &A, word: &[A::Bit]| word.iter().filter(|bit| algebra.known(bit) == Some(false)).count();
    // A zero in the multiplier saves a row, one in the multiplicand only part of an adder in each.
    let (multiplicand, multiplier) = if zeros(algebra, a) > zeros(algebra, b) { (b, a) } else { (a, b) };
    let mut product: Option<Vec<A::Bit>> = None;
    for (shift, enable) in multiplier.iter().enumerate() {
        if algebra.known(enable) == Some(false) {
            continue;
        }
        let row: Vec<_> = multiplicand[..width - shift].iter().map(|bit| algebra.and(bit, enable)).collect();
        product = Some(match product {
            None => {
                let zero = algebra.constant(false);
                let mut product = vec![zero; shift];
                product.extend(row);
                product
            }
            Some(mut product) => {
                let high = add(algebra, &product[shift..], &row);
                product.truncate(shift);
                product.extend(high);
                product
            }
        });
    }
    product.unwrap_or_else(|| vec![algebra.constant(false); width])
}

/// Unsigned division, one trial subtraction for each bit of the dividend.
///
/// After k bits of the dividend the remainder has at most k bits, so the k-th subtraction is k bits wide and fails
/// at once when the divisor has a higher bit. The divisor 0 always fits: the quotient is all ones and the remainder the
/// dividend, as [`BinaryOp::Udiv`](crate::BinaryOp::Udiv) wants it.
pub(super) fn divide<A: BitAlgebra>(
    algebra: &mut A,
    dividend: &[A::Bit],
    divisor: &[A::Bit],
) -> Division<A::Bit> {
    let width = dividend.len();
    let too_large = suffix_disjunctions(algebra, divisor);
    let remainder_width = known_remainder_width(algebra, divisor);
    let mut quotient = Vec::with_capacity(width);
    let mut remainder: Vec<A::Bit> = Vec::with_capacity(width);
    for bit in dividend.iter().rev() {
        remainder.insert(0, bit.clone());
        let low = remainder.len();
        let (difference, last) = subtract_with_carry(algebra, &remainder, &divisor[..low]);
        let no_borrow = match &last.position {
            Some(position) => carry_out(algebra, position, &last.carry),
            None => last.carry,
        };
        let small = algebra.not(&too_large[low]);
        let fits = algebra.and(&small, &no_borrow);
        remainder = mux_bits(algebra, &fits, &difference, &remainder);
        remainder.truncate(remainder_width);
        quotient.push(fits);
    }
    quotient.reverse();
    let zero = algebra.constant(false);
    remainder.resize(width, zero);
    Division { quotient, remainder }
}

/// For each position, whether the word has a bit there or above.
fn suffix_disjunctions<A: BitAlgebra>(algebra: &mut A, word: &[A::Bit]) -> Vec<A::Bit> {
    let mut suffixes = vec![algebra.constant(false)];
    for bit in word.iter().rev() {
        let above = &suffixes[suffixes.len() - 1];
        let here = algebra.or(bit, above);
        suffixes.push(here);
    }
    suffixes.reverse();
    suffixes
}

/// A divisor that is known not to be zero bounds the remainder by its own width.
fn known_remainder_width<A: BitAlgebra>(algebra: &A, divisor: &[A::Bit]) -> usize {
    if divisor.iter().any(|bit| algebra.known(bit) == Some(true)) {
        let zeros = divisor.iter().rev().take_while(|bit| algebra.known(bit) == Some(false)).count();
        divisor.len() - zeros
    } else {
        divisor.len()
    }
}

/// Division of absolute values, and the signs of the operands.
struct SignedDivision<Bit> {
    magnitudes: Division<Bit>,
    dividend_negative: Bit,
    signs_differ: Bit,
}

fn signed_divide<A: BitAlgebra>(algebra: &mut A, a: &[A::Bit], b: &[A::Bit]) -> SignedDivision<A::Bit> {
    let zero = algebra.constant(false);
    let (a_sign, b_sign) = (a.last().unwrap_or(&zero), b.last().unwrap_or(&zero));
    let (a, b) = (negate_if(algebra, a_sign, a), negate_if(algebra, b_sign, b));
    let magnitudes = divide(algebra, &a, &b);
    let signs_differ = algebra.xor(a_sign, b_sign);
    SignedDivision { magnitudes, dividend_negative: a_sign.clone(), signs_differ }
}

/// Rounded towards zero.
pub(super) fn signed_quotient<A: BitAlgebra>(algebra: &mut A, a: &[A::Bit], b: &[A::Bit]) -> Vec<A::Bit> {
    let division = signed_divide(algebra, a, b);
    negate_if(algebra, &division.signs_differ, &division.magnitudes.quotient)
}

/// With the sign of the dividend.
pub(super) fn signed_remainder<A: BitAlgebra>(algebra: &mut A, a: &[A::Bit], b: &[A::Bit]) -> Vec<A::Bit> {
    let division = signed_divide(algebra, a, b);
    negate_if(algebra, &division.dividend_negative, &division.magnitudes.remainder)
}

/// With the sign of the divisor: where signs differ and the remainder is not 0, the divisor is added.
pub(super) fn signed_modulo<A: BitAlgebra>(algebra: &mut A, a: &[A::Bit], b: &[A::Bit]) -> Vec<A::Bit> {
    let division = signed_divide(algebra, a, b);
    let remainder = division.magnitudes.remainder;
    let nonzero = any(algebra, remainder.clone());
    let adjust = algebra.and(&nonzero, &division.signs_differ);
    let signed = negate_if(algebra, &division.dividend_negative, &remainder);
    let correction: Vec<_> = b.iter().map(|bit| algebra.and(bit, &adjust)).collect();
    add(algebra, &signed, &correction)
}
