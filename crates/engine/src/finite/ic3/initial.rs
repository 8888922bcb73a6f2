//! The initial states: is a cube disjoint from them?
//!
//! With constant (or free) initial values a look at the literals tells. Other initial values and initial constraints
//! need a solver.

use super::cube::Cube;
use super::model::Model;
use super::{Search, Stop};
use propcov_budget::Budget;
use propcov_sat::{ConeSolver, Domain, Lit, Outcome, Var};

pub(crate) struct Initial {
    /// For each variable, the literal that holds initially, where that is constant.
    constant: Vec<Option<Lit>>,
    /// Present when constants do not tell everything.
    solver: Option<(ConeSolver, Domain)>,
}

impl Initial {
    pub(crate) fn new(model: &Model<'_>, seed: u64) -> Initial {
        let mut constant = vec![None; model.template.variables];
        for latch in &model.latches {
            constant[latch.index()] = model.init(*latch).map(|value| latch.lit(value));
        }
        let solver = (!model.initial.is_empty()).then(|| {
            let mut solver = model.gates(seed);
            let mut domain = Domain::new();
            model.add_cone(&mut domain, &model.initial);
            constant.iter().flatten().for_each(|literal| solver.add_clause(&[*literal]));
            model.initial.iter().for_each(|literal| solver.add_clause(&[*literal]));
            domain.extend(model.latches.iter().copied());
            model.add_selectors(&mut domain);
            (solver, domain)
        });
        Initial { constant, solver }
    }

    pub(crate) fn ticks(&self) -> u64 {
        self.solver.as_ref().map_or(0, |(solver, _)| solver.ticks())
    }

    /// A literal that no initial state satisfies, by its constant initial value.
    fn contradicts(&self, literal: Lit) -> bool {
        self.constant[literal.var().index()] == Some(!literal)
    }

    /// Whether some initial state (constraints apart) lies in the cube.
    pub(crate) fn intersects(&mut self, cube: &Cube, budget: &Budget) -> Search<bool> {
        if cube.literals().iter().any(|literal| self.contradicts(*literal)) {
            return Ok(false);
        }
        let Some((solver, domain)) = &mut self.solver else { return Ok(true) };
        match solver.solve_in(Some(domain), cube.literals(), None, budget) {
            Outcome::Sat => Ok(true),
            Outcome::Unsat => Ok(false),
            Outcome::Unknown => Err(Stop::Exhausted),
        }
    }

    /// The smaller cube, with literals of the larger one added such that no initial state is left in it. The larger
    /// one has none.
    pub(crate) fn separate(&mut self, smaller: Cube, larger: &Cube, budget: &Budget) -> Search<Cube> {
        if !self.intersects(&smaller, budget)? {
            return Ok(smaller);
        }
        let mut literals = smaller.literals().to_vec();
        if let Some(literal) = larger.literals().iter().find(|literal| self.contradicts(**literal)) {
            literals.push(*literal);
        } else if let Some((solver, domain)) = &mut self.solver {
            match solver.solve_in(Some(domain), larger.literals(), None, budget) {
                Outcome::Unsat => {
                    literals.extend(larger.literals().iter().filter(|literal| solver.failed(**literal)));
                }
                _ => return Err(Stop::Exhausted),
            }
        }
        Ok(Cube::new(literals))
    }

    /// An initial state in the cube that may have these inputs, as values of the latches.
    pub(crate) fn state_in(
        &mut self,
        model: &Model<'_>,
        cube: &Cube,
        inputs: &[bool],
        budget: &Budget,
    ) -> Search<Option<Vec<bool>>> {
        if let Some((solver, domain)) = &mut self.solver {
            let inputs = model.inputs.iter().zip(inputs).map(|(var, value)| var.lit(*value));
            let mut assumptions: Vec<Lit> = inputs.filter(|literal| domain.contains(literal.var())).collect();
            assumptions.extend_from_slice(cube.literals());
            match solver.solve_in(Some(domain), &assumptions, None, budget) {
                Outcome::Sat => {}
                Outcome::Unsat => return Ok(None),
                Outcome::Unknown => return Err(Stop::Exhausted),
            }
        }
        let value = |latch: &Var| match (self.constant[latch.index()], &self.solver) {
            (Some(literal), _) => !literal.is_negated(),
            (None, Some((solver, _))) => solver.value(latch.positive()) == Some(true),
            (None, None) => cube.contains(latch.positive()),
        };
        Ok(Some(model.latches.iter().map(value).collect()))
    }
}
