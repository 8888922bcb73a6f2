//! Runs that satisfy the assumptions, made step by step by a solver.
//!
//! Random inputs hardly ever satisfy an assumption such as `a >> 1 == b`, and a run that violates one kills nobody. Where random runs of the design end soon, a solver
//! chooses the inputs of each step: any that the assumptions allow in the state that was reached, and those first that chance proposes. It has one frame of the
//! design and looks no further, so that a run may come to a state from which no step is allowed; there it ends.

use super::family::Family;
use propcov_budget::Budget;
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::{Bit, BitStep, BitTrace, Init, Unroller};

/// Of so many bits of a step one is different from the others.
const RARITIES: [usize; 4] = [2, 2, 8, 64];

pub(crate) struct Legal<'f> {
    family: &'f Family<'f>,
    solver: Cadical,
    frame: Unroller<'f>,
}

impl<'f> Legal<'f> {
    pub(crate) fn new(family: &'f Family<'f>, seed: u64) -> Legal<'f> {
        let netlist = &family.problem.netlist;
        let mut solver = Cadical::new(CadicalConfig { seed, inprocessing: false });
        let mut frame = Unroller::bare(&**netlist, &family.problem.template);
        frame.extend(&mut solver);
        // The design itself: nobody is mutated.
        for selector in &netlist.selectors {
            solver.add_clause(&[!frame.literal(0, selector.bit)]);
        }
        Legal { family, solver, frame }
    }

    /// A run of at most so many steps. It is empty if not even the first is found.
    pub(crate) fn run(&mut self, random: &mut fastrand::Rng, length: usize, budget: &Budget) -> BitTrace {
        let netlist = &self.family.problem.netlist;
        let start = netlist.latches.iter().filter_map(|latch| match latch.init {
            Init::Const(value) => Some(self.fixed(latch.bit, value)),
            Init::Free => None,
        });
        let initial = netlist.initial.iter().map(|bit| self.frame.literal(0, *bit));
        let mut assumed: Vec<Lit> = start.chain(initial).collect();
        let mut steps = Vec::new();
        while steps.len() < length {
            let Some((step, next)) = self.step(&assumed, random, budget) else { break };
            steps.push(step);
            assumed =
                netlist.latches.iter().zip(next).map(|(latch, value)| self.fixed(latch.bit, value)).collect();
        }
        BitTrace { steps }
    }

    /// The literal that says that a bit has a value.
    fn fixed(&self, bit: Bit, value: bool) -> Lit {
        let literal = self.frame.literal(0, bit);
        if value { literal } else { !literal }
    }

    /// One step, and the latches after it.
    fn step(
        &mut self,
        assumed: &[Lit],
        random: &mut fastrand::Rng,
        budget: &Budget,
    ) -> Option<(BitStep, Vec<bool>)> {
        let netlist = &self.family.problem.netlist;
        let latches = netlist.latches.iter().map(|latch| latch.bit);
        // Words with few ones, or few zeros, are proposed as often as others.
        let (rarity, is_inverted) = (RARITIES[random.usize(0..RARITIES.len())], random.bool());
        for bit in netlist.inputs.iter().copied().chain(latches) {
            let proposed = self.fixed(bit, (random.usize(0..rarity) == 0) ^ is_inverted);
            self.solver.set_phase(proposed);
        }
        let goes_on = netlist.transitions.iter().map(|bit| self.frame.literal(0, *bit));
        let assumptions: Vec<Lit> = assumed.iter().copied().chain(goes_on).collect();
        if self.solver.solve(&assumptions, budget) != Outcome::Sat {
            return None;
        }
        let value = |bit: Bit| self.solver.holds(self.frame.literal(0, bit));
        let latches = netlist.latches.iter().map(|latch| value(latch.bit)).collect();
        let inputs = netlist.inputs.iter().map(|input| value(*input)).collect();
        let next = netlist.latches.iter().map(|latch| value(latch.next)).collect();
        Some((BitStep { latches, inputs }, next))
    }
}
