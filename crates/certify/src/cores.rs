//! What is said about validity cores, and why it may be believed.
//!
//! T, the *universe*, is a set of elements in question; all other elements are always kept. For S ⊆ T the *slice* of S is the system in which every
//! element of T \ S is freed. S is *adequate* for a property if the property holds in every step of every run of its slice, and *inadequate* otherwise.
//!
//! **More elements, fewer runs.** Everything rests on this. A run is a sequence of steps that give *every* signal a value, and what makes it a run is a list of
//! requirements, each of which belongs to one definition site and speaks of the values alone:
//!
//! - a wire has the value of its definition, in every step;
//! - a state has its initial value in the first step (which may be read off inputs, wires and other states of that step);
//! - a state has, after a step, the value of its `next` in that step;
//! - a constraint holds: in the first step, in every step, or between each step and the following one.
//!
//! To free an element is to strike its requirements, all of them and no others, and no requirement mentions another one. So for S ⊆ S′ each run of the slice of S′ is one
//! of the slice of S, value by value, and violates the property in the same steps, for the property reads values alone. Hence supersets of adequate sets are adequate, and
//! subsets of inadequate sets are inadequate, whatever kinds of elements are in them. In particular:
//!
//! - *Loops.* A system in which a wire, or an initial value, depends on itself within a step has no meaning and is refused before anything is freed. Freed elements read
//!   nothing, so a slice has no loop that the system has not.
//! - *Assumptions* are requirements like others: without one there are more runs, never fewer. Where assumptions contradict each other there is no run, and every set that keeps them is
//!   adequate.
//! - *A state that cannot go on* ends a run and violates nothing, so runs that got stuck in the slice of S′ may go on in that of S: again more runs.
//! - *Fairness* restricts infinite runs. Invariants are violated in finite ones and do not notice. For a CTL formula `AG p`, to free an element adds initial states, transitions
//!   and fair paths, and removes none; a proof is accepted where it proves that p holds in every step of every run *and* the formula, and a run against it only where every run goes on and is fair
//!   (see `meaning`). So both kinds of evidence are right about p in every step of every run, which is what the word adequate means here.
//! - *Lemmas* of a proof may read wires that are freed in the slice. They then speak of a value that each step chooses anew, and are checked about that: the encoder asks the slice what a
//!   signal means, whoever reads it. A lemma has no definition of its own that could be freed.
//! - *The core that a proof names* is not looked at.
//!
//! What follows from adequate and inadequate sets alone is the matter of [`Facts`]. Facts are only made here, of evidence that was accepted.

mod facts;
mod runs;
mod smallest;

pub use facts::{Complete, Facts};

use crate::induction::{check_meaningful, check_steps};
use crate::{Rejection, arith, meaning};
use propcov_budget::Budget;
use propcov_ir::{Edit, Edits, ElementSet, ExprId, Proof, PropertyId, System, Trace};
use runs::Runs;
use std::ops::RangeInclusive;

/// Accepts evidence about the slices of one system and one property, and keeps what was accepted.
///
/// The system is validated once. What a check costs then depends on what the slice reads, and not on the size of the system.
pub struct CoreChecker<'a> {
    system: &'a System,
    property: PropertyId,
    invariant: ExprId,
    /// Whether there are ints or reals.
    numbers: bool,
    scope: Option<RangeInclusive<u32>>,
    runs: Runs<'a>,
    facts: Facts,
}

impl<'a> CoreChecker<'a> {
    /// For questions about subsets of the universe, and about all steps of runs.
    ///
    /// # Errors
    /// When the system or the universe has no meaning, or the property is no invariant.
    pub fn new(
        system: &'a System,
        universe: &ElementSet,
        property: PropertyId,
    ) -> Result<CoreChecker<'a>, Rejection> {
        meaning::check_system(system)?;
        meaning::check_edits(system, &freed(universe, &ElementSet::new()))?;
        Ok(CoreChecker {
            system,
            property,
            invariant: meaning::invariant(system, property)?,
            numbers: arith::is_needed_for(system),
            scope: None,
            runs: Runs::new(system),
            facts: Facts::new(universe),
        })
    }

    /// The same, with *adequate* meaning that no run of the slice violates the property in one of these steps. More elements mean fewer runs in each step, so nothing else changes.
    ///
    /// # Errors
    /// When the system or the universe has no meaning, the property is no invariant, or there are no steps.
    pub fn bounded(
        system: &'a System,
        universe: &ElementSet,
        property: PropertyId,
        steps: RangeInclusive<u32>,
    ) -> Result<CoreChecker<'a>, Rejection> {
        if steps.is_empty() {
            return Err(Rejection::Malformed("a claim about no step at all".to_owned()));
        }
        Ok(CoreChecker { scope: Some(steps), ..CoreChecker::new(system, universe, property)? })
    }

    /// The system.
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// What has been accepted so far.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Accepts that a set is adequate: the proof is one for its slice. What holds in all steps holds in those that are in question.
    ///
    /// # Errors
    /// Whatever is not established beyond doubt is a [`Rejection`].
    pub fn adequate(&mut self, set: &ElementSet, proof: &Proof, budget: &Budget) -> Result<(), Rejection> {
        self.facts.check_member(set)?;
        let slice = freed(self.facts.universe(), set);
        check_meaningful(self.system, &slice, self.property, proof, self.numbers, budget)?;
        self.facts.insert_adequate(set);
        Ok(())
    }

    /// Accepts that a set is adequate as far as the steps are concerned that are in question: a solver finds no run of its slice with a violation in one of them.
    ///
    /// # Errors
    /// Whatever is not established beyond doubt is a [`Rejection`].
    pub fn adequate_in_steps(&mut self, set: &ElementSet, budget: &Budget) -> Result<(), Rejection> {
        self.facts.check_member(set)?;
        let Some(steps) = &self.scope else {
            return Err(Rejection::Malformed("a claim about all steps takes a proof".to_owned()));
        };
        let slice = freed(self.facts.universe(), set);
        let steps = (*steps.start(), *steps.end());
        check_steps(self.system, &slice, self.property, steps, self.numbers, budget)?;
        self.facts.insert_adequate(set);
        Ok(())
    }

    /// Accepts that a set is inadequate: the trace shows a run of its slice that violates the property, in its last step. What the violation does not depend on, it
    /// need not say: see `cores::runs`.
    ///
    /// # Errors
    /// Whatever is not established beyond doubt is a [`Rejection`].
    pub fn inadequate(&mut self, set: &ElementSet, trace: &Trace) -> Result<(), Rejection> {
        self.facts.check_member(set)?;
        meaning::check_refutable(self.system, self.property)?;
        if let Some(steps) = &self.scope
            && !u32::try_from(trace.depth()).is_ok_and(|last| steps.contains(&last))
        {
            return Err(Rejection::Trace(format!("step {} is not in question", trace.depth())));
        }
        let freed = self.facts.universe().difference(set);
        self.runs.check(&freed, self.invariant, trace)?;
        self.facts.insert_inadequate(set);
        Ok(())
    }
}

/// The slice that keeps the set, and everything outside the universe.
fn freed(universe: &ElementSet, set: &ElementSet) -> Edits {
    let mut edits = Edits::none();
    for element in universe.iter().filter(|element| !set.contains(*element)) {
        edits.insert(element, Edit::Free);
    }
    edits
}
