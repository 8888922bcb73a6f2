//! What is not covered, for people: products over named variables, and runs that lead there.

use super::Place;
use super::covered::Covered;
use super::measure::{Measurement, Space};
use super::rows::Waived;
use dashu_int::UBig;
use propcov_bdd::Bdd;
use propcov_budget::Budget;
use propcov_ir::{ExprId, SignalId, Trace, UnknownReason};
use propcov_symbolic::Failure;
use propcov_symbolic::cubes::{StateCube, Vocabulary};

/// What of a space is not certainly covered.
pub struct Holes {
    /// Largest first; each counts what no earlier one has.
    pub list: Vec<StateCube>,
    /// How many states or transitions are in none of them.
    pub rest: UBig,
    /// How many there are in all.
    pub total: UBig,
}

/// What holes speak of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wording<'a> {
    /// States of these signals, and those that define them, rather than others.
    pub preferred: &'a [SignalId],
    /// No definition that is this expression: the one that is observed.
    pub observed: Option<ExprId>,
}

impl Measurement<'_> {
    /// At most so many products which together have everything in the space that is not certainly covered, unless more are needed. They may
    /// speak of Boolean definitions that the properties mention.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn holes(
        &mut self,
        space: &Space,
        covered: &Covered,
        wording: Wording<'_>,
        most: usize,
    ) -> Result<Holes, UnknownReason> {
        let missed = space.set.minus(&covered.sure).map_err(Failure::Stop)?;
        let missed = missed.minus(&self.waived_part(space)?).map_err(Failure::Stop)?;
        let total = self.count(&missed);
        let (place, prepared) = (self.place(), self.prepared());
        let is_another = |(_, read): &&(SignalId, ExprId)| Some(*read) != wording.observed;
        let defined: Vec<_> = prepared.definitions.iter().filter(is_another).copied().collect();
        let words = Vocabulary { preferred: wording.preferred, defined: &defined };
        let (system, evaluator) = (prepared.system(), self.checker().evaluator());
        let cover = match place {
            Place::State => evaluator.state_cubes(system, &missed, &space.set, words, most)?,
            Place::Transition => evaluator.transition_cubes(system, &missed, &space.set, words, most)?,
        };
        Ok(Holes { list: cover.cubes, rest: cover.rest, total })
    }

    /// What conditions waive of what is not covered.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn waived(&mut self, space: &Space, covered: &Covered) -> Result<Waived, UnknownReason> {
        let conditions = self.prepared().waived.clone();
        if conditions.is_empty() {
            return Ok(Waived::default());
        }
        let missed = space.set.minus(&covered.sure).map_err(Failure::Stop)?;
        let surely = space.set.minus(&covered.possible).map_err(Failure::Stop)?;
        let part = self.waived_part(space)?;
        let (uncovered, all) =
            (part.and(&surely).map_err(Failure::Stop)?, part.and(&missed).map_err(Failure::Stop)?);
        let mut each = Vec::new();
        for condition in conditions {
            let fitting = self.where_holds(space, condition)?;
            let waived = fitting.and(&missed).map_err(Failure::Stop)?;
            each.push((self.count(&waived).into(), self.count(&fitting).into()));
        }
        Ok(Waived { uncovered: self.count(&uncovered).into(), all: self.count(&all).into(), each })
    }

    /// What of a space some waiver is about.
    fn waived_part(&mut self, space: &Space) -> Result<Bdd, UnknownReason> {
        let mut part = self.checker().evaluator().nothing();
        for condition in self.prepared().waived.clone() {
            part = part.or(&self.where_holds(space, condition)?).map_err(Failure::Stop)?;
        }
        Ok(part)
    }

    /// States of a space in which a condition holds, or transitions into them.
    fn where_holds(&mut self, space: &Space, condition: ExprId) -> Result<Bdd, UnknownReason> {
        let place = self.place();
        let evaluator = self.checker().evaluator();
        let states = evaluator.states_where(condition)?;
        let set = match place {
            Place::State => states,
            Place::Transition => evaluator.as_successors(&states)?,
        };
        Ok(space.set.and(&set).map_err(Failure::Stop)?)
    }

    /// A shortest run into a hole: to one of its states, or through one of its transitions. `None` is a bug.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn run_into(&mut self, hole: &StateCube, budget: &Budget) -> Result<Option<Trace>, UnknownReason> {
        self.run(&hole.points, budget)
    }

    fn run(&mut self, set: &Bdd, budget: &Budget) -> Result<Option<Trace>, UnknownReason> {
        let (place, prepared) = (self.place(), self.prepared());
        let evaluator = self.checker().evaluator();
        let mut run = match place {
            Place::State => evaluator.run_into(set, prepared.system(), budget)?,
            Place::Transition => evaluator.run_through(set, prepared.system(), budget)?,
        };
        // The system as the user knows it has fewer inputs.
        for step in run.iter_mut().flat_map(|run| &mut run.steps) {
            step.inputs.truncate(prepared.own_inputs());
        }
        Ok(run)
    }
}
