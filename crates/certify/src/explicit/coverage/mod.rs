//! State and transition coverage computed once more, by definition.
//!
//! A mutant is one place where an observed node q of the propositions has another value: a state; or a transition, whose target is
//! copied for it ([`mutants`]). It is noticed if the formula, or what the observability transformation makes of it ([`formula`]), fails there. Each mutant
//! is made and checked by itself, in the explicit graph of the system. Nothing is concluded from the structure of formulas (Hoskote's Table 1), nor
//! for several mutants at once. So the effort is quadratic, and there is a limit on it.

mod formula;
mod labels;
mod measure;
mod mutants;

pub(super) use labels::{state_sorts, state_values};

use super::ExplicitLimits;
use crate::{Rejection, meaning};
use measure::Measuring;
use propcov_budget::Budget;
use propcov_ir::{Ctl, Edits, ExprId, System, Value};
use rustc_hash::FxHashMap;

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoveragePlace {
    /// What one state shows.
    State,
    /// What a state shows when it is entered by one transition.
    Transition,
}

/// When a mutant counts as noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverageSemantics {
    /// When the observability transformation of the formula fails (Hoskote et al. 1999). Not every formula has one.
    Observability {
        /// Whether a formula without path quantifiers `!a | b`, with this structure outside of atoms, is the implication `a -> b`.
        split: bool,
    },
    /// When the formula itself fails (Chockler, Kupferman and Vardi 2001).
    Mutation,
}

/// Which other values of the observed node have to be noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverageFlip {
    /// Some other value.
    Any,
    /// Every other value, and there is one.
    All,
}

/// What is to be computed.
#[derive(Clone, Copy, Debug)]
pub struct CoverageQuestion<'a> {
    /// What is changed.
    pub place: CoveragePlace,
    /// When that is noticed.
    pub semantics: CoverageSemantics,
    /// Which other values.
    pub flip: CoverageFlip,
    /// A node of the system's expressions. A proposition mentions it where this very node occurs, not where a wire's definition has it.
    pub observed: ExprId,
    /// The formula as it is to be read: whole, or [as written](propcov_ir::Property::as_written).
    pub formula: &'a Ctl,
    /// States that satisfy one of these, and transitions into them, do not count.
    pub dont_care: &'a [ExprId],
}

/// How much is done before giving up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoverageLimits {
    /// What is listed.
    pub explicit: ExplicitLimits,
    /// At most about so many steps for all questions together: mutants times edges times operators of the formula. A second has some 10⁸.
    pub steps: u64,
}

impl Default for CoverageLimits {
    fn default() -> CoverageLimits {
        CoverageLimits { explicit: ExplicitLimits::default(), steps: 200_000_000 }
    }
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoverageAnswer {
    /// What is covered of [`CoverageRecheck::states`] or [`CoverageRecheck::transitions`], by position.
    Covered {
        /// Whether it counts: it is no don't-care.
        space: Vec<bool>,
        /// Whether it counts and is covered.
        covered: Vec<bool>,
    },
    /// The formula does not hold; its coverage means nothing.
    Fails,
    /// The formula has no observability transformation.
    NotAcceptable,
    /// This question would exceed what is left of the limit on steps, or the observed node has too many values.
    TooLarge,
}

impl CoverageAnswer {
    /// How many states or transitions are covered, and how many there are.
    pub fn counts(&self) -> Option<(usize, usize)> {
        let count = |set: &[bool]| set.iter().filter(|member| **member).count();
        match self {
            CoverageAnswer::Covered { space, covered } => Some((count(covered), count(space))),
            _ => None,
        }
    }
}

/// What is covered in a system, mutant by mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverageRecheck {
    /// The reachable states that are fair: a value for each state signal.
    pub states: Vec<Vec<Value>>,
    /// The transitions between them, as positions, whatever the inputs. Sorted.
    pub transitions: Vec<(u32, u32)>,
    /// For each question its answer.
    pub answers: Vec<CoverageAnswer>,
    positions: FxHashMap<Vec<Value>, u32>,
}

impl CoverageRecheck {
    /// The position of the state with these values; `None` if it is not reachable or not fair.
    pub fn state(&self, values: &[Value]) -> Option<usize> {
        self.positions.get(values).map(|position| *position as usize)
    }

    /// The position of the transition between states with these values.
    pub fn transition(&self, from: &[Value], to: &[Value]) -> Option<usize> {
        let pair = (*self.positions.get(from)?, *self.positions.get(to)?);
        self.transitions.binary_search(&pair).ok()
    }

    /// How many states or transitions at least one of the questions covers, all about the same place. `None` if one of them has no answer.
    pub fn covered_by_any(&self, questions: impl IntoIterator<Item = usize>) -> Option<usize> {
        let mut union: Vec<bool> = Vec::new();
        for question in questions {
            let CoverageAnswer::Covered { covered, .. } = self.answers.get(question)? else { return None };
            union.resize(covered.len(), false);
            union.iter_mut().zip(covered).for_each(|(member, covered)| *member |= covered);
        }
        Some(union.iter().filter(|member| **member).count())
    }
}

/// Computes what formulas cover by listing the reachable states, once for all questions, and checking all mutants.
///
/// # Errors
/// [`Rejection::TooLarge`] if there are too many states or transitions, [`Rejection::Undecided`] beyond the budget, and otherwise what is wrong
/// with system or questions. Atoms and don't-cares have to depend on states alone.
pub fn recheck_coverage(
    system: &System,
    questions: &[CoverageQuestion<'_>],
    limits: &CoverageLimits,
    budget: &Budget,
) -> Result<CoverageRecheck, Rejection> {
    meaning::check_system(system)?;
    let mut atoms: Vec<ExprId> = questions
        .iter()
        .flat_map(|question| question.formula.atoms().into_iter().chain(question.dont_care.iter().copied()))
        .collect();
    atoms.sort_unstable();
    atoms.dedup();
    meaning::check_atoms(system, &Edits::none(), &atoms)?;
    if let Some(question) =
        questions.iter().find(|question| question.observed.0 as usize >= system.exprs.len())
    {
        return Err(Rejection::no_such_expression(question.observed));
    }
    let measuring = Measuring::new(system, &atoms, limits, budget)?;
    let answers = questions.iter().map(|question| measuring.answer(question)).collect::<Result<_, _>>()?;
    Ok(measuring.finish(answers))
}
