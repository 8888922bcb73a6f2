//! Runs that satisfy the assumptions, made step by step by a solver.
//!
//! Random inputs hardly ever satisfy an assumption such as `a >> 1 == b`, and a run that violates one kills nobody. Where random runs of the design end soon, a solver
//! chooses the inputs of each step: such as the assumptions allow in the state that was reached. It has one frame of the design and looks no further, so that a run may come to a
//! state from which no step is allowed; there it ends.
//!
//! Left to itself a solver chooses nearly the same every time. So chance proposes values, word by word in an order of its own, and what the assumptions allow of that is fixed before
//! the next words are looked at: of `a >> 1 == b`, a is random and b follows, or the other way round.

//!
//! The solver knows what the assumptions depend on, and nothing else of the design; what the step does to the latches is simulated.

use super::family::Family;
use super::simulate::Simulator;
use propcov_budget::Budget;
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::{Bit, BitStep, BitTrace, Init, Latch, Template};
use rustc_hash::FxHashSet;

/// Of so many bits of a word one is different from the others.
const RARITIES: [usize; 4] = [2, 2, 8, 64];

/// Into so many groups the words of a step are put, whose proposals are accepted or not.
const GROUPS: usize = 6;

pub(crate) struct Legal<'f> {
    family: &'f Family<'f>,
    solver: Cadical,
    template: Template,
    /// The solver's literals of the template's variables.
    literals: Vec<Lit>,
    /// What is chosen: of inputs, and of latches in the first step.
    words: Vec<Vec<Bit>>,
}

impl<'f> Legal<'f> {
    pub(crate) fn new(family: &'f Family<'f>, seed: u64) -> Legal<'f> {
        let netlist = &family.problem.netlist;
        let mut solver = Cadical::new(CadicalConfig { seed, inprocessing: false });
        let assumptions = || netlist.constraints.iter().chain(&netlist.initial).chain(&netlist.transitions);
        let roots: Vec<Bit> = assumptions().copied().collect();
        let free: Vec<Bit> =
            netlist.inputs.iter().copied().chain(netlist.latches.iter().map(|latch| latch.bit)).collect();
        let template = Template::new(&netlist.aig, &roots, &free);
        // The design itself: nobody is mutated.
        let selectors = netlist.selectors.iter().filter(|one| template.variable(one.bit.node()).is_some());
        let unmutated: Vec<Lit> = selectors.map(|selector| !template.literal(selector.bit)).collect();
        let template = template.with_fixed(&unmutated);
        let literals: Vec<Lit> = (0..template.variables).map(|_| solver.new_var().positive()).collect();
        let instance = |literal: &Lit| literals[literal.var().index()].negated_if(literal.is_negated());
        for clause in template.clauses() {
            solver.add_clause(&clause.iter().map(instance).collect::<Vec<_>>());
        }
        for constraint in &netlist.constraints {
            solver.add_clause(&[instance(&template.literal(*constraint))]);
        }
        let is_free: FxHashSet<Bit> = free.into_iter().collect();
        let mut words = netlist.words();
        words.iter_mut().for_each(|word| word.retain(|bit| is_free.contains(bit)));
        words.retain(|word| !word.is_empty());
        Legal { family, solver, template, literals, words }
    }

    /// A run of at most so many steps. It is empty if not even the first is found.
    pub(crate) fn run(
        &mut self,
        simulator: &mut Simulator<'_>,
        random: &mut fastrand::Rng,
        length: usize,
        budget: &Budget,
    ) -> BitTrace {
        let netlist = &self.family.problem.netlist;
        let start = netlist.latches.iter().filter_map(|latch| match latch.init {
            Init::Const(value) => Some(self.fixed(latch.bit, value)),
            Init::Free => None,
        });
        let initial = netlist.initial.iter().map(|bit| self.fixed(*bit, true));
        let mut fixed: Vec<Lit> = start.chain(initial).collect();
        let mut steps = Vec::new();
        simulator.assign(&[]);
        while steps.len() < length {
            let Some(step) = self.step(fixed, random, budget) else { break };
            simulator.set_latches(&step.latches);
            simulator.set_inputs(&step.inputs);
            simulator.evaluate();
            let next = |latch: &Latch| simulator.lanes(latch.next)[0] & 1 == 1;
            fixed = netlist.latches.iter().map(|latch| self.fixed(latch.bit, next(latch))).collect();
            steps.push(step);
        }
        BitTrace { steps }
    }

    /// The literal that says that a bit has a value.
    fn fixed(&self, bit: Bit, value: bool) -> Lit {
        let literal = self.template.literal(bit);
        self.literals[literal.var().index()].negated_if(literal.is_negated() == value)
    }

    /// One step in which these literals hold.
    fn step(&mut self, mut fixed: Vec<Lit>, random: &mut fastrand::Rng, budget: &Budget) -> Option<BitStep> {
        let netlist = &self.family.problem.netlist;
        fixed.extend(netlist.transitions.iter().map(|bit| self.fixed(*bit, true)));
        // Words with few ones, or few zeros, are proposed as often as others.
        let mut proposed: Vec<Vec<Lit>> = Vec::with_capacity(self.words.len());
        for word in &self.words {
            let (rarity, is_inverted) = (RARITIES[random.usize(0..RARITIES.len())], random.bool());
            let literals =
                word.iter().map(|bit| self.fixed(*bit, (random.usize(0..rarity) == 0) ^ is_inverted));
            proposed.push(literals.collect());
        }
        random.shuffle(&mut proposed);
        for literal in proposed.iter().flatten() {
            self.solver.set_phase(*literal);
        }
        let all: Vec<Lit> = fixed.iter().chain(proposed.iter().flatten()).copied().collect();
        let mut outcome = self.solver.solve(&all, budget);
        if outcome == Outcome::Unsat && proposed.len() > 1 {
            for group in proposed.chunks(proposed.len().div_ceil(GROUPS)) {
                let more: Vec<Lit> = fixed.iter().chain(group.iter().flatten()).copied().collect();
                outcome = self.solver.solve(&more, budget);
                match outcome {
                    Outcome::Sat => fixed = more,
                    Outcome::Unsat => {}
                    Outcome::Unknown => return None,
                }
            }
        }
        // The last proposal was not accepted.
        if outcome == Outcome::Unsat {
            outcome = self.solver.solve(&fixed, budget);
        }
        if outcome != Outcome::Sat {
            return None;
        }
        let value = |bit: Bit| self.solver.holds(self.fixed(bit, true));
        let latches = netlist.latches.iter().map(|latch| value(latch.bit)).collect();
        let inputs = netlist.inputs.iter().map(|input| value(*input)).collect();
        Some(BitStep { latches, inputs })
    }
}
