//! What is not covered, for people: products over named variables, and runs that lead there.

use super::Place;
use super::covered::Covered;
use super::measure::{Measurement, Space};
use dashu_int::UBig;
use propcov_ir::{SignalId, Trace, UnknownReason};
use propcov_sat::Budget;
use propcov_symbolic::Failure;
use propcov_symbolic::bdd::Bdd;
use propcov_symbolic::cubes::StateCube;

/// What of a space is not certainly covered.
pub struct Holes {
    /// Largest first; each counts what no earlier one has.
    pub list: Vec<StateCube>,
    /// How many states or transitions are in none of them.
    pub rest: UBig,
    /// How many there are in all.
    pub total: UBig,
}

impl Measurement<'_> {
    /// At most so many products which together have everything in the space that is not certainly covered, unless more are needed. They speak of
    /// these signals rather than of others.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn holes(
        &mut self,
        space: &Space,
        covered: &Covered,
        preferred: &[SignalId],
        most: usize,
    ) -> Result<Holes, UnknownReason> {
        let missed = space.set.minus(&covered.sure).map_err(Failure::Stop)?;
        let total = self.count(&missed);
        let (place, system) = (self.place(), self.prepared().system());
        let evaluator = self.checker().evaluator();
        let cover = match place {
            Place::State => evaluator.state_cubes(system, &missed, &space.set, preferred, most)?,
            Place::Transition => evaluator.transition_cubes(system, &missed, &space.set, preferred, most)?,
        };
        Ok(Holes { list: cover.cubes, rest: cover.rest, total })
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
