//! CTL verdicts by sets of states: for each part of a formula a set whose states satisfy it, with ranks that say why.
//!
//! Listing the states ([`recheck_ctl`](crate::recheck_ctl)) ends where there are many. A set that somebody computed can be checked without listing it, one question to the SAT
//! solver for each rule. All formulas have their negations at the atoms; the sets are *below* the truth: whatever is in the set of a formula satisfies it, and nothing is said of other states.
//!
//! # The rules
//! R contains the initial states and what follows its own states, so that all that is said is said within R. Write U for the states that were shown to be *unfair* (no fair path starts there), F for those shown to be fair.
//!
//! - **Removal** (of sets A₁, A₂, … from a set H): a step from a state of Aᵢ in H that stays in H leads to an earlier Aₖ, or stays in Aᵢ and does not meet the justice condition that Aᵢ names (where it names none, it
//!   must not stay). Along a path in H the least index of a set that holds the state never grows; once it is constant its condition is never met. So no fair path stays in H that begins in one of the sets. U is what is removed from
//!   the set of all states.
//! - **Recurrence** (of a set G): for each justice condition, each state of G has a rank. From rank 0 some step that meets the condition leads into G, from others some step leads to a lesser rank, all of them in G. So some path in G
//!   meets all conditions again and again. F is such a set. Where nothing constrains the system all states are fair.
//! - `AX f`: all steps lead to f or U. `A[f R g]`: g holds, and f does or all steps lead back to the set, or to U. `A[f U g]`: outside of g, f holds and all steps lead back to the set, or to U; and what is in the set and neither in g nor in U
//!   is removed.
//! - `EX f`: some step leads to f and F. `E[f U g]`: ranks, 0 in g and F, others in f with some step to a lesser one. `E[f R g]`: recurrence in g, or ranks in g, 0 in f and F.
//! - A formula holds if each initial state is in its set or in U. It fails if some initial state is in the set of its negation and in F.
//!
//! That some step exists from each state of a set is no question for a SAT solver alone: `exists` answers it. Compassion is not treated: what the rules for A say holds under it as well, since it only makes fewer paths fair; recurrence is
//! refused.
//!
//! # References
//! K. Namjoshi. *Certifying model checkers.* CAV 2001 (ranks and invariants for the µ-calculus). E. A. Emerson, C.-L. Lei. *Efficient model checking in fragments of the propositional mu-calculus.* LICS 1986 (whose iteration gives the removal).

mod exists;
mod rules;

use crate::{Rejection, meaning};
use propcov_budget::Budget;
use propcov_ir::{CtlVerdict, ExprId, ExprPool, PropertyId, System};

/// Sets of states that show a verdict.
#[derive(Clone, Debug)]
pub struct CtlProof {
    /// Owns the sets, which are conditions on states.
    pub exprs: ExprPool,
    /// Contains all reachable states.
    pub reachable: ExprId,
    /// States from which no fair path starts.
    pub unfair: Vec<Removed>,
    /// States from which one does. Not needed where nothing constrains the system.
    pub fair: Option<Recurrent>,
    /// The formula, or for a property that fails its negation, with negations at the atoms.
    pub label: Label,
}

/// Some states of a set in which no fair path can stay.
#[derive(Clone, Copy, Debug)]
pub struct Removed {
    /// Which.
    pub set: ExprId,
    /// The justice condition that is not met among them, by its position; `None` if no step stays among them.
    pub condition: Option<usize>,
}

/// States with a fair path that stays among them.
#[derive(Clone, Debug)]
pub struct Recurrent {
    /// Which.
    pub set: ExprId,
    /// For each justice condition the states by their rank; without conditions, one that is always met.
    pub ranks: Vec<Vec<ExprId>>,
}

/// States that satisfy a formula, and why.
#[derive(Clone, Debug)]
pub struct Label {
    /// Which.
    pub set: ExprId,
    /// Why, where the parts do not tell.
    pub why: Why,
    /// The same for the operands, in their order. An atom or its negation has none.
    pub parts: Vec<Label>,
}

/// Why states satisfy a formula.
#[derive(Clone, Debug)]
pub enum Why {
    /// As the parts, or inductively.
    Plain,
    /// `E[f U g]`: by rank.
    Ranks(Vec<ExprId>),
    /// `A[f U g]`: nothing stays outside of g.
    Removal(Vec<Removed>),
    /// `E[f R g]`: for ever in g, or by rank.
    Recurrence(Recurrent, Vec<ExprId>),
}

/// Accepts a verdict on a CTL property that sets of states show.
///
/// # Errors
/// Whatever is not established beyond doubt is a [`Rejection`].
pub fn check_labels(
    system: &System,
    property: PropertyId,
    verdict: &CtlVerdict,
    proof: &CtlProof,
    budget: &Budget,
) -> Result<(), Rejection> {
    meaning::check_system(system)?;
    let formula = meaning::ctl(system, &propcov_ir::Edits::none(), property)?;
    let holds = match verdict {
        CtlVerdict::Holds(_) => true,
        CtlVerdict::Fails(_) => false,
        CtlVerdict::Unknown(_) => return Err(Rejection::Malformed("no verdict".to_owned())),
    };
    let claim = formula.normal_form(!holds);
    rules::check(system, &claim, holds, proof, budget)
}
