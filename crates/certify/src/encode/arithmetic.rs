//! Bit-vector arithmetic as circuits, least significant bit first.
//!
//! Each circuit is the plainest one there is: ripple-carry addition, shift-and-add multiplication, comparison from the
//! lowest bit up, and division by its defining equation. Both operands have the same width, at least 1, which the
//! caller has checked.

use super::gates::Gates;
use propcov_sat::{Lit, Solver};

impl<S: Solver> Gates<S> {
    /// The number modulo 2^width.
    pub(crate) fn number(&self, width: usize, value: u32) -> Vec<Lit> {
        (0..width).map(|index| self.constant(index < 32 && value >> index & 1 != 0)).collect()
    }

    /// a + b + carry, modulo 2^width.
    fn sum(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let difference = self.xor(a, b);
            sum.push(self.xor(difference, carry));
            // When both bits are equal the carry out is that bit, otherwise the carry passes through.
            carry = self.mux(difference, carry, a);
        }
        sum
    }

    pub(crate) fn add(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let zero = self.constant(false);
        self.sum(a, b, zero)
    }

    /// a − b = a + ¬b + 1.
    pub(crate) fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let one = self.constant(true);
        let negated: Vec<Lit> = b.iter().map(|bit| !*bit).collect();
        self.sum(a, &negated, one)
    }

    pub(crate) fn negate(&mut self, a: &[Lit]) -> Vec<Lit> {
        let zero = self.number(a.len(), 0);
        self.subtract(&zero, a)
    }

    /// For each set bit of b, a shifted to its place.
    pub(crate) fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let width = a.len();
        let mut product = self.number(width, 0);
        for (place, &bit) in b.iter().enumerate() {
            let partial: Vec<Lit> = a[..width - place].iter().map(|a| self.and(bit, *a)).collect();
            let high = self.add(&product[place..], &partial);
            product.truncate(place);
            product.extend(high);
        }
        product
    }

    /// The highest bit in which the operands differ decides.
    pub(crate) fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = self.constant(false);
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, b);
            less = self.mux(differ, b, less);
        }
        less
    }

    /// Two's complement order is unsigned order with the sign bits negated.
    pub(crate) fn less_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let flip = |word: &[Lit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        self.less(&flip(a), &flip(b))
    }

    pub(crate) fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Vec<Lit> = a.iter().zip(b).map(|(a, b)| !self.xor(*a, *b)).collect();
        self.and_all(&same)
    }

    pub(crate) fn mux_all(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Vec<Lit> {
        then.iter().zip(otherwise).map(|(then, otherwise)| self.mux(condition, *then, *otherwise)).collect()
    }

    /// Quotient and remainder: the q and r with n = q·d + r over the integers and r < d. By zero: all ones, and n.
    pub(crate) fn divide(&mut self, n: &[Lit], d: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let width = n.len();
        let quotient: Vec<Lit> = n.iter().map(|_| self.fresh()).collect();
        let remainder: Vec<Lit> = n.iter().map(|_| self.fresh()).collect();
        let zero = self.constant(false);
        let widen = |word: &[Lit]| {
            let mut word = word.to_vec();
            word.resize(2 * width, zero);
            word
        };
        let product = self.multiply(&widen(d), &widen(&quotient));
        let total = self.add(&product, &widen(&remainder));
        let exact = self.equal(&total, &widen(n));
        let below = self.less(&remainder, d);
        let nonzero = self.or_all(d);
        self.clause(&[!nonzero, exact]);
        self.clause(&[!nonzero, below]);
        for (&q, (&r, &n)) in quotient.iter().zip(remainder.iter().zip(n)) {
            self.clause(&[nonzero, q]);
            self.clause(&[nonzero, r, !n]);
            self.clause(&[nonzero, !r, n]);
        }
        (quotient, remainder)
    }

    fn magnitude(&mut self, a: &[Lit]) -> Vec<Lit> {
        let negated = self.negate(a);
        self.mux_all(a[a.len() - 1], &negated, a)
    }

    /// Rounded towards zero. By zero: the unsigned quotient is all ones, that is −1, negated for a negative dividend.
    pub(crate) fn divide_signed(&mut self, n: &[Lit], d: &[Lit]) -> Vec<Lit> {
        let (dividend, divisor) = (self.magnitude(n), self.magnitude(d));
        let (quotient, _) = self.divide(&dividend, &divisor);
        let negated = self.negate(&quotient);
        let signs_differ = self.xor(n[n.len() - 1], d[d.len() - 1]);
        self.mux_all(signs_differ, &negated, &quotient)
    }

    /// With the sign of the dividend.
    pub(crate) fn remainder_signed(&mut self, n: &[Lit], d: &[Lit]) -> Vec<Lit> {
        let (dividend, divisor) = (self.magnitude(n), self.magnitude(d));
        let (_, remainder) = self.divide(&dividend, &divisor);
        let negated = self.negate(&remainder);
        self.mux_all(n[n.len() - 1], &negated, &remainder)
    }

    /// With the sign of the divisor: the signed remainder, plus the divisor if it is not zero and the signs differ.
    pub(crate) fn modulo_signed(&mut self, n: &[Lit], d: &[Lit]) -> Vec<Lit> {
        let remainder = self.remainder_signed(n, d);
        let shifted = self.add(&remainder, d);
        let nonzero = self.or_all(&remainder);
        let signs_differ = self.xor(n[n.len() - 1], d[d.len() - 1]);
        let adjust = self.and(nonzero, signs_differ);
        // A zero divisor leaves the dividend: adding the divisor, zero, changes nothing.
        self.mux_all(adjust, &shifted, &remainder)
    }

    /// Shift towards the high bits, zeros in.
    pub(crate) fn shift_left(&mut self, a: &[Lit], amount: &[Lit]) -> Vec<Lit> {
        let zero = self.constant(false);
        self.in_stages(
            a,
            amount,
            |word, distance, index| if index < distance { zero } else { word[index - distance] },
        )
    }

    /// Shift towards the low bits, `fill` in.
    pub(crate) fn shift_right(&mut self, a: &[Lit], amount: &[Lit], fill: Lit) -> Vec<Lit> {
        self.in_stages(a, amount, |word, distance, index| match index.checked_add(distance) {
            Some(source) if source < word.len() => word[source],
            _ => fill,
        })
    }

    /// Moves bit `index` to `index + amount` modulo the width: distances may be reduced stage by stage.
    pub(crate) fn rotate_left(&mut self, a: &[Lit], amount: &[Lit]) -> Vec<Lit> {
        let width = a.len();
        let mut word = a.to_vec();
        let mut distance = 1 % width;
        for &bit in amount {
            let moved: Vec<Lit> = (0..width).map(|index| word[(index + width - distance) % width]).collect();
            word = self.mux_all(bit, &moved, &word);
            distance = 2 * distance % width;
        }
        word
    }

    /// Rotating right by n is rotating left by −n.
    pub(crate) fn rotate_right(&mut self, a: &[Lit], amount: &[Lit]) -> Vec<Lit> {
        let width = a.len();
        let mut word = a.to_vec();
        let mut distance = 1 % width;
        for &bit in amount {
            let moved: Vec<Lit> = (0..width).map(|index| word[(index + distance) % width]).collect();
            word = self.mux_all(bit, &moved, &word);
            distance = 2 * distance % width;
        }
        word
    }

    /// One stage per bit of the amount, which moves by that bit's weight; any bit whose weight is the width or more
    /// moves everything out.
    fn in_stages(
        &mut self,
        a: &[Lit],
        amount: &[Lit],
        moved: impl Fn(&[Lit], usize, usize) -> Lit,
    ) -> Vec<Lit> {
        let width = a.len();
        let stages = amount.len().min(width.ilog2() as usize + 1);
        let mut word = a.to_vec();
        for (place, &bit) in amount[..stages].iter().enumerate() {
            let shifted: Vec<Lit> = (0..width).map(|index| moved(&word, 1 << place, index)).collect();
            word = self.mux_all(bit, &shifted, &word);
        }
        let beyond = self.or_all(&amount[stages..]);
        let emptied: Vec<Lit> = (0..width).map(|index| moved(&word, width, index)).collect();
        self.mux_all(beyond, &emptied, &word)
    }
}
