//! Bounded model checking of all mutants at once: which of them can violate the property within so many steps?
//!
//! At most one selector is on. The original has no violation, so any model at a depth names a mutant and a run that kills it;
//! the answer "none" clears the depth for all mutants at once.

use super::Technique;
use super::family::Family;
use super::pursuit::Pursuit;
use propcov_budget::Budget;
use propcov_engine::Stats;
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::{BitTrace, Unroller, at_most_one};

/// What a frame costs at least, in solver ticks.
const FRAME_TICKS: usize = 2_000;

/// The first, shallow search goes this deep at least, one step deeper than the proof looked, and twice as deep as its last kill.
const DEPTH: usize = 4;

/// So few mutants are not worth unrolling the design for, as long as there is another way.
const FEW: usize = 16;

/// The search, one depth at a time.
pub(crate) struct FamilyBmc<'f> {
    family: &'f Family<'f>,
    solver: Cadical,
    frames: Unroller<'f>,
    /// The mutants that may be selected.
    admitted: Vec<usize>,
    /// Whether the present depth is still to be asked about.
    is_open: bool,
}

/// What came of one query.
enum Found {
    /// This mutant fails, by this run.
    Kill(usize, BitTrace),
    /// No mutant that is left fails up to this depth.
    Clear,
    /// Out of budget.
    Exhausted,
}

impl<'f> FamilyBmc<'f> {
    fn new(family: &'f Family<'f>, seed: u64) -> FamilyBmc<'f> {
        let solver = Cadical::new(CadicalConfig { seed, inprocessing: false });
        let frames = Unroller::new(&family.problem.netlist, &family.problem.template);
        FamilyBmc { family, solver, frames, admitted: Vec::new(), is_open: false }
    }

    /// The depth that is being asked about.
    fn depth(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// The deepest depth at which nobody who is left fails.
    pub(super) fn cleared(&self) -> Option<usize> {
        let frames = self.frames.len() - usize::from(self.is_open);
        frames.checked_sub(1)
    }

    /// Work so far. A frame costs something even where the solver has nothing to do.
    fn ticks(&self) -> u64 {
        self.solver.ticks()
            + (self.frames.len() * (FRAME_TICKS + self.family.problem.template.variables)) as u64
    }

    /// Goes one step deeper, unless the present depth was given up on. The first time, only these mutants are let in.
    fn deepen(&mut self, mutants: &[usize]) {
        if self.is_open {
            return;
        }
        self.is_open = true;
        self.frames.extend(&mut self.solver);
        if self.frames.len() == 1 {
            self.admitted = mutants.to_vec();
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

    /// Looks for a mutant that fails at the present depth.
    fn search(&mut self, budget: &Budget, stats: &mut Stats) -> Found {
        let bad = self.frames.literal(self.depth(), self.family.bad());
        stats.call("family bmc");
        match self.solver.solve(&[bad], budget) {
            Outcome::Unknown => Found::Exhausted,
            Outcome::Unsat => {
                self.solver.add_clause(&[!bad]);
                self.is_open = false;
                Found::Clear
            }
            Outcome::Sat => {
                let selected = self.admitted.iter().find(|mutant| {
                    let bit = self.family.selector_bit(**mutant);
                    bit.is_some_and(|bit| self.solver.holds(self.frames.literal(0, bit)))
                });
                selected
                    .map_or(Found::Exhausted, |mutant| Found::Kill(*mutant, self.frames.path(&self.solver)))
            }
        }
    }

    /// Leaves mutants out of all further queries: everybody but those whom somebody still asks about.
    fn retain(&mut self, is_open: impl Fn(usize) -> bool) {
        let (kept, gone): (Vec<usize>, Vec<usize>) =
            std::mem::take(&mut self.admitted).into_iter().partition(|mutant| is_open(*mutant));
        self.admitted = kept;
        for bit in gone.into_iter().filter_map(|mutant| self.family.selector_bit(mutant)) {
            let literal = self.frames.literal(0, bit);
            self.solver.add_clause(&[!literal]);
        }
    }
}

impl Pursuit<'_, '_, '_> {
    /// Searches all mutants for violations, a little beyond the depth where there are some: so much work, in ticks.
    pub(crate) fn family_bmc(&mut self, ticks: u64, may_skip: bool) {
        if may_skip && self.undecided().len() < FEW {
            return;
        }
        let proof_depth = self.session.targets[self.target].depth as usize;
        let mut deepest = DEPTH.max(proof_depth.saturating_add(1));
        while self.state.bmc.as_ref().is_none_or(|bmc| bmc.depth() < deepest) {
            match self.deepen(ticks) {
                Some(0) => {}
                Some(_) => deepest = deepest.max(2 * self.state.bmc.as_ref().map_or(0, FamilyBmc::depth)),
                None => break,
            }
        }
    }

    /// One step deeper with family BMC, which may have done so much work in all when it returns. How many it killed there; `None` when
    /// the budget ran out or nobody is left.
    pub(crate) fn deepen(&mut self, ticks: u64) -> Option<usize> {
        let undecided = self.undecided();
        if undecided.is_empty() || self.session.is_over() {
            return None;
        }
        let (family, seed) = (self.family, self.session.options.seed);
        let mut bmc = self.state.bmc.take().unwrap_or_else(|| FamilyBmc::new(family, seed));
        if bmc.ticks() >= ticks {
            self.state.bmc = Some(bmc);
            return None;
        }
        bmc.deepen(&undecided);
        let mut budget = self.session.budget();
        budget.interrupt = budget.interrupt.child();
        budget.interrupt.limit_ticks(ticks);
        let clear = loop {
            // Others may have been decided meanwhile, by this run or elsewhere.
            bmc.retain(|mutant| !self.session.is_decided(self.target, mutant));
            match bmc.search(&budget, &mut self.session.stats) {
                Found::Clear => break true,
                Found::Exhausted => break false,
                Found::Kill(mutant, trace) => {
                    self.killed(mutant, &trace, Technique::FamilyBmc);
                    if !self.session.is_decided(self.target, mutant) {
                        break false; // its evidence was rejected
                    }
                }
            }
        };
        self.state.bmc = Some(bmc);
        clear.then(|| undecided.len() - self.undecided().len())
    }
}
