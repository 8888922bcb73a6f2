//! Steps of a system from which elements can be dropped, in one solver: what the questions about slices are asked of.

use crate::limits::Limits;
use propcov_ir::{ElementId, ElementSet, Followed, Invariant, UnknownReason};
use propcov_sat::{Lit, Outcome};

/// Something that is claimed of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Claim {
    /// The property holds.
    Property,
    /// This lemma of the pool holds.
    Lemma(usize),
}

/// A path of steps, of any length, that is encoded once for all slices. It starts at the beginning of a run, or anywhere.
pub trait Path {
    /// The elements that can be dropped and on which something depends that was asked for so far, each with the literal that keeps it. All others do not matter yet.
    fn selectors(&self) -> &[(ElementId, Lit)];

    /// Lemmas about which [`Claim::Lemma`] can be asked from now on. They are numbered in the order in which they are told.
    fn learn(&mut self, lemmas: &Invariant);

    /// The literal under which a step is part of the path: its constraints hold, and those of the transition into it.
    ///
    /// # Errors
    /// When something cannot be represented.
    fn on(&mut self, step: usize) -> Result<Lit, UnknownReason>;

    /// The literal that says that the claim holds in a step. A lemma that cannot be represented is an error; the property then still can.
    ///
    /// # Errors
    /// When something cannot be represented.
    fn claim(&mut self, claim: Claim, step: usize) -> Result<Lit, UnknownReason>;

    /// A literal of its own.
    fn fresh(&mut self) -> Lit;

    /// Adds a clause for good.
    fn clause(&mut self, clause: &[Lit]);

    /// Asks the solver.
    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Outcome;

    /// Whether the last refutation used an assumption.
    fn failed(&self, assumption: Lit) -> bool;

    /// Whether a literal holds in the last model.
    fn holds(&self, literal: Lit) -> bool;

    /// The run up to a step that the last model describes, of the slice from which these elements are dropped, and which of their definitions it breaks ([`propcov_ir::follow`]). Only for
    /// paths that start at the beginning.
    ///
    /// # Errors
    /// When the model is no run.
    fn run(&self, last: usize, dropped: &ElementSet) -> Result<Followed, UnknownReason>;

    /// Whether every model is a run.
    fn is_exact(&self) -> bool {
        true
    }

    /// Work done so far.
    fn ticks(&self) -> u64;
}
