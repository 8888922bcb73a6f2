//! Evidence about what happens, or does not happen, infinitely often.
//!
//! A [justice property](crate::PropertyKind::Justice) and a [formula of linear time](crate::PropertyKind::Ltl) are refuted by an infinite run, of which a finite
//! system has one that repeats itself: a [`Lasso`]. They are proved by an invariant of another system, which does whatever the first one
//! does and watches besides: a [`LivenessProof`].
//!
//! # The watching system
//! It has all signals, constraints and elements of the system, under the same numbers, and after these some more, in this order. Lemmas of the proof may read all of them; so
//! their numbers are part of what a proof says. Every one of them is Boolean unless it is said to be something else.
//!
//! 1. **For a formula of linear time**, what a run promises that violates it. Write n for the negation of the formula, with negations moved to the atoms. For each of the different subformulas of n
//!    that begin with an operator of time, operands before operators and left before right, each where it is met first:
//!    - `X f`, `f U g`, `f R g`: an input, the guess, and a state, the promise. The promise is false in the first step and then what the guess was in the step before.
//!    - `Y f`, `Z f`, `f S g`, `f T g`: a state, which is true in the first step for `Z` and `T`, false for `Y` and `S`, and then what was *claimed* in the step before: f for `Y` and `Z`, the
//!      formula itself for `S` and `T`.
//!
//!    A step *claims* an atom, or its negation, when that is so; both of a conjunction and one of a disjunction. `X f` is claimed when its guess is true, `f U g` when g is, or f is and the guess is true, `f R g` when g
//!    is, and f is or the guess is true. `Y f` and `Z f` are claimed when their state is true; `f S g` when g is, or f is and the state is true; `f T g` when g is, and f is or the state is true.
//!    In every step, what was promised is claimed: f for `X f`, the formula itself for `f U g` and `f R g`. After all these comes a state that is true in the first step and false
//!    ever after; while it is true, n is claimed.
//! 2. **For each compassion condition** (p, q) of the system: an input and a state. The state is false in the first step, and true once it or the input was true in the step before. While it is true, p is
//!    false.
//! 3. The **conditions** are what has to be so infinitely often: the expressions of a justice property in their order, or for each `f U g` of n in the order above, that g is claimed or the promise is
//!    false; then for each fairness condition in its order, that it is met, or for compassion, that q holds or the state is true.
//!    If there is none, the condition is true.
//! 4. For [`Reduction::Rounds`]: a state for each condition if there is more than one, which says that the condition has been met in the present round; it is false in the first step and after each step that ends a
//!    round, because each condition is met in it or was before. Then as many states as the bound: the i-th is true when i rounds are over. That one more round ends is what never happens.
//! 5. For [`Reduction::Loop`]: an input and a state, which is false in the first step and true once it or the input was true in the step before. The step in which the input is true and the state false is the *start*.
//!    For each of the states named, a state of the same sort, with any value in the first step, that takes that state's value at the start and keeps its own else. For each condition a state,
//!    false in the first step, that is true once the condition was met at the start or later. That in some step after the start all named states are as they were at the start, and each condition has
//!    been met, is what never happens.

use crate::{Proof, SignalId, Trace, UnknownReason};

/// An infinite run that goes through the same steps again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The steps.
    pub trace: Trace,
    /// The step that follows the last one, for ever. States on which neither the property nor fairness and constraints depend need not be as they were there.
    pub loop_to: usize,
}

/// Why every fair run satisfies a liveness property.
#[derive(Clone, Debug)]
pub struct LivenessProof {
    /// What is proved of the watching system.
    pub reduction: Reduction,
    /// Why it is so.
    pub proof: Proof,
}

/// What is proved of the system that watches; the module says how it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// No run goes through more rounds than this, in each of which all conditions are met (k-liveness).
    Rounds {
        /// The most rounds.
        bound: u32,
    },
    /// No run comes back to where it was, meeting all conditions on the way (liveness to safety).
    Loop {
        /// The states that tell where it was.
        states: Vec<SignalId>,
    },
}

/// The answer to a liveness property.
#[derive(Clone, Debug)]
pub enum LivenessVerdict {
    /// Every fair run satisfies it. Decision diagrams may know that without a proof that could be written down.
    Holds(Option<LivenessProof>),
    /// This one does not.
    Fails(Lasso),
    /// Neither was established.
    Unknown(UnknownReason),
}
