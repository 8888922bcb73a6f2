//! Lifting: from one state with a step into the targets to a cube of states that all have it.
//!
//! Under the same inputs the targets are a function of the state, so "state, inputs, not all targets" is unsatisfiable,
//! and the state literals in the core are those that matter.

use super::cube::Cube;
use super::model::Model;
use super::{Search, Stop};
use propcov_budget::Budget;
use propcov_sat::{ConeSolver, Domain, Lit, Outcome};

pub(crate) struct Lifter {
    /// Gates only: constraints are part of what has to be preserved.
    solver: ConeSolver,
}

impl Lifter {
    pub(crate) fn new(model: &Model<'_>, seed: u64) -> Lifter {
        Lifter { solver: model.gates(seed) }
    }

    pub(crate) fn ticks(&self) -> u64 {
        self.solver.ticks()
    }

    /// The literals among `state` that, with all of `inputs`, force the targets.
    pub(crate) fn lift(
        &mut self,
        model: &Model<'_>,
        targets: &[Lit],
        inputs: &[Lit],
        state: &[Lit],
        budget: &Budget,
    ) -> Search<Cube> {
        let mut domain = Domain::new();
        model.add_cone(&mut domain, targets);
        model.add_selectors(&mut domain);
        let some_target_fails: Vec<Lit> = targets.iter().map(|target| !*target).collect();
        let relevant = |literals: &[Lit]| {
            literals.iter().copied().filter(|literal| domain.contains(literal.var())).collect::<Vec<_>>()
        };
        let (inputs, state) = (relevant(inputs), relevant(state));
        let mut assumptions = inputs;
        assumptions.extend_from_slice(&state);
        match self.solver.solve_in(Some(&domain), &assumptions, Some(&some_target_fails), budget) {
            Outcome::Unsat => {
                Ok(Cube::new(state.into_iter().filter(|literal| self.solver.failed(*literal)).collect()))
            }
            // Satisfiable is impossible: the state and the inputs determine the targets.
            Outcome::Sat | Outcome::Unknown => Err(Stop::Exhausted),
        }
    }
}
