//! What the solver learnt about numbers, in a form that others can check.
//!
//! Sums of inequalities with Farkas's multipliers are used three times: as clauses in the search; cut at a step, as predicates for IC3 over numbers; and as evidence
//! that the certifier adds up again.

use dashu_ratio::RBig;
use propcov_sat::Lit;

/// A clause that is true of all numbers, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TheoryLemma {
    /// At least one of these holds. Each is the literal of a [`Bound`](crate::Bound), or the negation of one.
    pub clause: Vec<Lit>,
    /// Why.
    pub reason: Reason,
}

/// Why a theory lemma is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The negations of the clause's literals are bounds; multiplied by these positive numbers (one for each literal, in order) and added up they say
    /// `c ≤ 0` with `c > 0`, or `0 < 0` (Farkas). A negated `sum ≤ 0` is `-sum < 0`, a negated `sum < 0` is `-sum ≤ 0`. Where all variables of a bound are integers, it
    /// is first multiplied such that its coefficients are integers without common divisor, and then its constant is rounded: `s + c ≤ 0` to `s + ⌈c⌉ ≤ 0`,
    /// `s + c < 0` to `s + ⌊c⌋ + 1 ≤ 0`. Multipliers refer to the bounds after that.
    Farkas(Vec<RBig>),
    /// The two literals are `s ≤ c` and `s ≥ c + 1` for a sum s of integers with integer coefficients and an integer c.
    Split,
}
