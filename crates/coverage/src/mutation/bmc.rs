//! Bounded model checking of all mutants at once: which of them can violate the property within so many steps?
//!
//! At most one selector is on. The original has no violation, so any model at a depth names a mutant and a run that kills it;
//! the answer "none" clears the depth for all mutants at once.

use super::family::Family;
use propcov_budget::Budget;
use propcov_engine::Stats;
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::{BitTrace, Unroller, at_most_one};

/// What a frame costs at least, in solver ticks.
const FRAME_TICKS: usize = 2_000;

/// The search, one depth at a time.
pub(crate) struct FamilyBmc<'f> {
    family: &'f Family<'f>,
    solver: Cadical,
    frames: Unroller<'f>,
}

/// What came of one query.
pub(crate) enum Found {
    /// This mutant fails, by this run.
    Kill(usize, BitTrace),
    /// No mutant that is left fails up to this depth.
    Clear,
    /// Out of budget.
    Exhausted,
}

impl<'f> FamilyBmc<'f> {
    pub(crate) fn new(family: &'f Family<'f>, seed: u64) -> FamilyBmc<'f> {
        let solver = Cadical::new(CadicalConfig { seed, inprocessing: false });
        FamilyBmc { family, solver, frames: Unroller::new(&family.problem.netlist, &family.problem.template) }
    }

    /// The depth that is being asked about.
    pub(crate) fn depth(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// Work so far. A frame costs something even where the solver has nothing to do.
    pub(crate) fn ticks(&self) -> u64 {
        self.solver.ticks()
            + (self.frames.len() * (FRAME_TICKS + self.family.problem.template.variables)) as u64
    }

    /// Goes one step deeper. The first time, only these mutants are let in.
    pub(crate) fn deepen(&mut self, mutants: &[usize]) {
        self.frames.extend(&mut self.solver);
        if self.frames.len() == 1 {
            self.frames.assert_initial(&mut self.solver);
            let mut on: Vec<Lit> = Vec::new();
            let mut is_in = vec![false; self.family.problem.netlist.selectors.len()];
            for selector in mutants.iter().filter_map(|mutant| self.family.selector(*mutant)) {
                is_in[selector] = true;
            }
            for (selector, is_in) in self.family.problem.netlist.selectors.iter().zip(is_in) {
                let literal = self.frames.literal(0, selector.bit);
                if is_in {
                    on.push(literal);
                } else {
                    self.solver.add_clause(&[!literal]);
                }
            }
            at_most_one(&on, &mut self.solver);
        }
    }

    /// Looks for a mutant that fails at the present depth. A depth that was given up on is not asked about again.
    pub(crate) fn search(&mut self, mutants: &[usize], budget: &Budget, stats: &mut Stats) -> Found {
        let bad = self.frames.literal(self.depth(), self.family.bad());
        stats.call("family bmc");
        match self.solver.solve(&[bad], budget) {
            Outcome::Unknown => Found::Exhausted,
            Outcome::Unsat => {
                self.solver.add_clause(&[!bad]);
                Found::Clear
            }
            Outcome::Sat => {
                let selected = mutants.iter().find(|mutant| {
                    let bit = self.family.selector_bit(**mutant);
                    bit.is_some_and(|bit| self.solver.holds(self.frames.literal(0, bit)))
                });
                selected
                    .map_or(Found::Exhausted, |mutant| Found::Kill(*mutant, self.frames.path(&self.solver)))
            }
        }
    }

    /// Leaves a mutant that is decided out of all further queries.
    pub(crate) fn exclude(&mut self, mutant: usize) {
        if let Some(bit) = self.family.selector_bit(mutant)
            && !self.frames.is_empty()
        {
            let literal = self.frames.literal(0, bit);
            self.solver.add_clause(&[!literal]);
        }
    }
}
