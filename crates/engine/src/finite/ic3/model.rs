//! The transition relation as IC3 sees it: one copy of the template, in which a cube after the step is a set of
//! next-state literals, so no primed variables are needed.

use crate::finite::Problem;
use propcov_budget::Budget;
use propcov_sat::{ConeSolver, Domain, Lit, Var};
use propcov_solve::{Bit, Init, Template, at_most_one};

/// What all frames share.
pub(crate) struct Model<'p> {
    pub(crate) template: &'p Template,
    /// Latch variables, in the netlist's order.
    pub(crate) latches: Vec<Var>,
    /// Input variables, in the netlist's order.
    pub(crate) inputs: Vec<Var>,
    /// For each variable that is a latch, its next-state literal.
    next: Vec<Option<Lit>>,
    /// For each variable that is a latch with a constant initial value, that value.
    init: Vec<Option<bool>>,
    pub(crate) constraints: Vec<Lit>,
    pub(crate) initial: Vec<Lit>,
    pub(crate) transitions: Vec<Lit>,
    /// Hold in every reachable step, by proofs: no part of what makes a step one.
    pub(crate) assumed: Vec<Lit>,
    /// What must not happen, one for each property.
    pub(crate) bads: Vec<Lit>,
    /// Variables that never change, exactly one of which is true: see [`Family`](super::Family). Empty for a single system.
    pub(crate) selectors: Vec<Var>,
    /// What the problem was encoded within.
    budget: Budget,
}

impl<'p> Model<'p> {
    pub(crate) fn new(problem: &'p Problem<'_>, selectors: &[Var]) -> Model<'p> {
        let (netlist, template) = (&problem.netlist, &problem.template);
        let var = |bit: Bit| template.literal(bit).var();
        let literals = |bits: &[Bit]| bits.iter().map(|bit| template.literal(*bit)).collect::<Vec<_>>();
        let mut next = vec![None; template.variables];
        let mut init = vec![None; template.variables];
        for latch in &netlist.latches {
            next[var(latch.bit).index()] = Some(template.literal(latch.next));
            if let Init::Const(value) = latch.init {
                init[var(latch.bit).index()] = Some(value);
            }
        }
        for selector in selectors {
            next[selector.index()] = Some(selector.positive());
        }
        Model {
            selectors: selectors.to_vec(),
            template,
            latches: netlist.latches.iter().map(|latch| var(latch.bit)).collect(),
            inputs: netlist.inputs.iter().map(|bit| var(*bit)).collect(),
            next,
            init,
            constraints: literals(&netlist.constraints),
            initial: literals(&netlist.initial),
            transitions: literals(&netlist.transitions),
            assumed: literals(&netlist.assumed),
            bads: literals(&netlist.bads),
            budget: netlist.budget().clone(),
        }
    }

    /// The literal that says after the step what this latch literal says now.
    pub(crate) fn next(&self, literal: Lit) -> Lit {
        match self.next[literal.var().index()] {
            Some(next) => next.negated_if(literal.is_negated()),
            None => unreachable!("cubes are over latches"),
        }
    }

    /// The initial value of a latch that has a constant one.
    pub(crate) fn init(&self, latch: Var) -> Option<bool> {
        self.init[latch.index()]
    }

    /// A solver that knows the gates and nothing else.
    pub(crate) fn gates(&self, seed: u64) -> ConeSolver {
        let mut solver = ConeSolver::new(seed).within(self.budget.clone());
        for _ in 0..self.template.variables {
            solver.new_var();
        }
        for clause in self.template.clauses() {
            solver.add_clause(clause);
        }
        let selectors: Vec<Lit> = self.selectors.iter().map(|selector| selector.positive()).collect();
        at_most_one(&selectors, &mut solver);
        solver
    }

    /// The variables by which [`Model::gates`] says that at most one selector is on: the first ones after the template's.
    fn helpers(&self) -> impl Iterator<Item = Var> + use<> {
        let first = self.template.variables as u32;
        (first..first + self.selectors.len() as u32).map(Var)
    }

    /// Adds the selectors, and what says that they exclude each other.
    pub(crate) fn add_selectors(&self, domain: &mut Domain) {
        domain.extend(self.selectors.iter().copied());
        domain.extend(self.helpers());
    }

    /// The selector that is on.
    pub(crate) fn selected(&self, value: impl Fn(Var) -> Option<bool>) -> Option<Lit> {
        self.selectors
            .iter()
            .find(|selector| value(**selector) == Some(true))
            .map(|selector| selector.positive())
    }

    /// Adds to the domain everything that the literals are computed from.
    pub(crate) fn add_cone(&self, domain: &mut Domain, literals: &[Lit]) {
        let mut stack: Vec<Var> = literals.iter().map(|literal| literal.var()).collect();
        while let Some(var) = stack.pop() {
            if domain.insert(var) {
                stack.extend(self.template.fanin(var).iter().map(|literal| literal.var()));
            }
        }
    }
}
