//! Inputs for the steps of a path. Decision diagrams give the states; which inputs lead from one to the next is a small
//! question about one step, and the SAT solver answers it on the original gates.

use propcov_bdd::Stop;
use propcov_budget::Budget;
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::{Bit, BitStep, Netlist, Template, Unroller};

/// Answers questions about single steps of a netlist.
pub(crate) struct Steps<'n> {
    netlist: &'n Netlist,
    template: Template,
    budget: Budget,
}

impl<'n> Steps<'n> {
    pub(crate) fn new(netlist: &'n Netlist, budget: Budget) -> Steps<'n> {
        let template = Template::new(&netlist.aig, &netlist.roots(), &netlist.leaves());
        Steps { netlist, template, budget }
    }

    /// Inputs for each state of a path that lead to the next one and meet the conditions on the way. The last state's lead to the
    /// state at `loop_to`, or anywhere. `None` if there are none: the diagrams are wrong.
    pub(crate) fn complete(
        &self,
        path: &[Vec<bool>],
        conditions: &[Vec<Bit>],
        loop_to: Option<usize>,
    ) -> Result<Option<Vec<BitStep>>, Stop> {
        let mut single = Frames::new(self, 1);
        let mut double = Frames::new(self, 2);
        let mut steps = Vec::with_capacity(path.len());
        for (index, state) in path.iter().enumerate() {
            let successor = path.get(index + 1).or_else(|| loop_to.and_then(|to| path.get(to)));
            let wanted = conditions.get(index).map_or(&[][..], Vec::as_slice);
            let found = match successor {
                Some(successor) => double.step(&[state, successor], wanted, &self.budget)?,
                None => single.step(&[state], wanted, &self.budget)?,
            };
            match found {
                Some(step) => steps.push(step),
                None => return Ok(None),
            }
        }
        Ok(Some(steps))
    }
}

/// A solver with a few frames.
struct Frames<'s> {
    solver: Cadical,
    unroller: Unroller<'s>,
    netlist: &'s Netlist,
}

impl<'s> Frames<'s> {
    fn new(steps: &'s Steps<'_>, frames: usize) -> Frames<'s> {
        let mut solver = Cadical::new(CadicalConfig::default());
        let mut unroller = Unroller::new(steps.netlist, &steps.template);
        (0..frames).for_each(|_| unroller.extend(&mut solver));
        Frames { solver, unroller, netlist: steps.netlist }
    }

    fn step(
        &mut self,
        states: &[&Vec<bool>],
        wanted: &[Bit],
        budget: &Budget,
    ) -> Result<Option<BitStep>, Stop> {
        let mut assumptions: Vec<Lit> = Vec::new();
        for (frame, state) in states.iter().enumerate() {
            let literals = self.unroller.state(frame).into_iter().zip(state.iter());
            assumptions.extend(literals.map(|(literal, value)| if *value { literal } else { !literal }));
        }
        assumptions.extend(wanted.iter().map(|bit| self.unroller.literal(0, *bit)));
        match self.solver.solve(&assumptions, budget) {
            Outcome::Sat => {
                let value = |bit: &Bit| self.solver.holds(self.unroller.literal(0, *bit));
                let inputs = self.netlist.inputs.iter().map(value).collect();
                Ok(Some(BitStep { latches: states[0].clone(), inputs }))
            }
            Outcome::Unsat => Ok(None),
            Outcome::Unknown if budget.interrupt.is_out_of_memory() => Err(Stop::Memory),
            Outcome::Unknown if budget.interrupt.is_raised() => Err(Stop::Cancelled),
            Outcome::Unknown => Err(Stop::Timeout),
        }
    }
}
