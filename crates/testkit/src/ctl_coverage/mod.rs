//! State and transition coverage of CTL properties, by definition: each mutant is made and checked by itself.
//!
//! The observed node q of the expressions gets a primed copy q'. A mutant is one place and one value: there q' has this value
//! instead of q's own; everywhere else q' is q. The place is a state, or a transition, which is redirected to a copy of its target
//! ([`Mutant`](mutants::Mutant)). Initial states, transitions and fairness do not read q'. The place is covered when the formula fails
//! on the mutant: with every q primed ([`Semantics::Mutation`]; Chockler, Kupferman, Vardi, *Coverage metrics for temporal logic model
//! checking*, TACAS 2001), or as the observability transformation primes it ([`transform`]; Hoskote, Kam, Ho, Zhao, *Coverage
//! estimation for symbolic model checking*, DAC 1999). Only states that are reachable and fair can be covered, and only transitions
//! between them.

mod labels;
mod mutants;
mod transform;

pub use transform::observability_transformation;

use crate::ExplicitCtl;
use labels::Labelling;
use mutants::Mutant;
use propcov_ir::{Ctl, ExprId, Sort, StepError, System, SystemError};
use std::collections::BTreeSet;
use std::fmt;

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub struct CoverageQuestion<'a> {
    /// The formula as it is to be read: with its propositional implications [as written](propcov_ir::Property::as_written), or
    /// with whole propositions.
    pub formula: &'a Ctl,
    /// A node of expressions, which depends on states only. A proposition mentions it where this very node occurs in it, not
    /// where a wire's definition has it.
    pub observed: ExprId,
    /// When a mutant counts as noticed.
    pub semantics: Semantics,
    /// How many of the other values have to be noticed.
    pub flip: Flip,
}

/// When a mutant counts as noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    /// When the formula fails after the observability transformation, which not every formula has.
    Observability,
    /// When the formula itself fails.
    Mutation,
}

/// How many of the values other than the observed one have to be noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flip {
    /// At least one.
    Any,
    /// Each of them, and there is one.
    All,
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoverageError {
    /// The formula does not hold; its coverage means nothing.
    Fails,
    /// The observed node has too many values to try.
    Sort(Sort),
    /// Wires depend on each other.
    System(SystemError),
    /// A proposition cannot be evaluated.
    Step(StepError),
}

impl fmt::Display for CoverageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoverageError::Fails => write!(f, "the formula does not hold"),
            CoverageError::Sort(sort) => write!(f, "{sort} has too many values to try"),
            CoverageError::System(error) => write!(f, "{error}"),
            CoverageError::Step(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for CoverageError {}

impl From<SystemError> for CoverageError {
    fn from(error: SystemError) -> CoverageError {
        CoverageError::System(error)
    }
}

impl From<StepError> for CoverageError {
    fn from(error: StepError) -> CoverageError {
        CoverageError::Step(error)
    }
}

/// For each of [`ExplicitCtl::states`] whether it is covered. `None` when the question is of [`Semantics::Observability`] and the
/// formula is not acceptable for it ([`observability_transformation`]).
///
/// # Errors
/// When the formula does not hold, or the observed node has other values than a small word or enumeration.
pub fn covered_states(
    system: &System,
    explicit: &ExplicitCtl<'_>,
    question: &CoverageQuestion<'_>,
) -> Result<Option<Vec<bool>>, CoverageError> {
    let Some(measured) = Labelling::new(system, explicit, question)? else { return Ok(None) };
    let space = space(explicit);
    let covered = (0..space.len()).map(|state| {
        space[state] && is_covered(&measured, question.flip, state, &Mutant::of_state(explicit, state))
    });
    Ok(Some(covered.collect()))
}

/// The transitions that are covered, as pairs of states, whatever the inputs. `None` as for [`covered_states`].
///
/// # Errors
/// As for [`covered_states`].
pub fn covered_transitions(
    system: &System,
    explicit: &ExplicitCtl<'_>,
    question: &CoverageQuestion<'_>,
) -> Result<Option<BTreeSet<(usize, usize)>>, CoverageError> {
    let Some(measured) = Labelling::new(system, explicit, question)? else { return Ok(None) };
    let covered = fair_transitions(explicit).into_iter().filter(|&(from, to)| {
        is_covered(&measured, question.flip, to, &Mutant::of_transition(explicit, from, to))
    });
    Ok(Some(covered.collect()))
}

/// The transitions that can be covered: those between states that are reachable and fair.
pub fn fair_transitions(explicit: &ExplicitCtl<'_>) -> BTreeSet<(usize, usize)> {
    let space = space(explicit);
    let edges = explicit.edges().iter().filter(|edge| space[edge.from] && space[edge.to]);
    edges.map(|edge| (edge.from, edge.to)).collect()
}

/// The states that are reachable and fair.
fn space(explicit: &ExplicitCtl<'_>) -> Vec<bool> {
    let reachable = explicit.distances().iter().map(Option::is_some);
    reachable.zip(explicit.fair()).map(|(reachable, fair)| reachable && *fair).collect()
}

/// Whether enough of the other values are noticed that q' may have in the mutant, whose place has the labels of that state.
fn is_covered(measured: &Labelling, flip: Flip, state: usize, mutant: &Mutant<'_>) -> bool {
    let others = measured.other_values(state);
    let is_noticed = |value: &usize| !mutant.holds(measured, *value);
    match flip {
        Flip::Any => others.iter().any(is_noticed),
        Flip::All => !others.is_empty() && others.iter().all(is_noticed),
    }
}
