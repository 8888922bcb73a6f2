//! One induction step, lemma by lemma, for a whole family: who breaks it, and what it rests on.
//!
//! An invariant of clauses R that implies the property is inductive when no step leads from R out of one of its clauses. Each clause is
//! a query of its own that decides only in the cone of that clause, as in IC3: for invariants of hundreds of clauses this is much faster
//! than one query for all of them.

use super::cube::Cube;
use super::frames::{Frames, Query};
use super::model::Model;
use crate::finite::Problem;
use propcov_budget::Budget;
use propcov_sat::{Lit, Outcome, Var};
use propcov_solve::Bit;

/// The frame whose solver knows the lemmas.
const FRAME: usize = 1;

/// The budget ran out, or the claim does not hold on the system without any selector on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

/// An invariant, and a family of systems to try it on.
pub struct Consecution<'p> {
    model: Model<'p>,
    frames: Frames,
    /// What the lemmas exclude.
    cubes: Vec<Cube>,
    /// Selectors, where they are not a matter of the model.
    off: Vec<Var>,
}

impl<'p> Consecution<'p> {
    /// The invariant on every member by itself: at most one of these selectors is on.
    pub fn one_at_a_time(
        problem: &'p Problem<'p>,
        selectors: &[Bit],
        lemmas: &[Vec<Lit>],
    ) -> Consecution<'p> {
        Consecution::new(problem, &variables(problem, selectors), &[], lemmas)
    }

    /// The invariant with all selectors off, to see which of them have to be.
    pub fn all_off(problem: &'p Problem<'p>, selectors: &[Bit], lemmas: &[Vec<Lit>]) -> Consecution<'p> {
        Consecution::new(problem, &[], &variables(problem, selectors), lemmas)
    }

    fn new(problem: &'p Problem<'p>, selectors: &[Var], off: &[Var], lemmas: &[Vec<Lit>]) -> Consecution<'p> {
        let model = Model::new(problem, selectors);
        let mut frames = Frames::new(&model, 0);
        frames.extend();
        let cube = |lemma: &Vec<Lit>| Cube::new(lemma.iter().map(|literal| !*literal).collect());
        let cubes: Vec<Cube> = lemmas.iter().map(cube).collect();
        for cube in &cubes {
            frames.add(FRAME, cube.clone());
        }
        Consecution { model, frames, cubes, off: off.to_vec() }
    }

    /// How many queries there are: one for each lemma, and one for the property.
    pub fn len(&self) -> usize {
        self.cubes.len() + 1
    }

    /// Never: there is always the property.
    pub fn is_empty(&self) -> bool {
        false
    }

    fn ask(&mut self, query: usize, budget: &Budget) -> Outcome {
        let (targets, takes_step): (Vec<Lit>, bool) = match self.cubes.get(query) {
            Some(cube) => (cube.literals().iter().map(|literal| self.model.next(*literal)).collect(), true),
            None => (vec![self.model.bads[0]], false),
        };
        let query = Query { targets: &targets, except: None, takes_step, off: &self.off };
        self.frames.query(&self.model, FRAME, &query, budget)
    }

    /// A member for which a query fails, as its position; `None` when it holds for all that are left.
    ///
    /// # Errors
    /// When the budget runs out, or the query fails without any member.
    pub fn failing(&mut self, query: usize, budget: &Budget) -> Result<Option<usize>, Exhausted> {
        match self.ask(query, budget) {
            Outcome::Unsat => Ok(None),
            Outcome::Unknown => Err(Exhausted),
            Outcome::Sat => {
                let selected = self.model.selected(|var| self.frames.value(FRAME, var)).ok_or(Exhausted)?;
                let position = self.model.selectors.iter().position(|var| *var == selected.var());
                position.map(Some).ok_or(Exhausted)
            }
        }
    }

    /// The step of the last query that failed: the state, and the inputs with which it is left. What the query did not decide
    /// is false.
    pub fn state(&self) -> (Vec<bool>, Vec<bool>) {
        let value = |var: &Var| self.frames.value(FRAME, *var).unwrap_or(false);
        (self.model.latches.iter().map(value).collect(), self.model.inputs.iter().map(value).collect())
    }

    /// Leaves a member out of all further queries.
    pub fn switch_off(&mut self, member: usize) {
        let selector = self.model.selectors[member].positive();
        self.frames.switch_off(selector);
    }

    /// The selectors, by position, that have to be off for a query to hold.
    ///
    /// # Errors
    /// When the budget runs out, or the query fails with all of them off.
    pub fn needed(&mut self, query: usize, budget: &Budget) -> Result<Vec<usize>, Exhausted> {
        match self.ask(query, budget) {
            Outcome::Unsat => {
                let selectors = self.off.iter().enumerate();
                let failed = selectors.filter(|(_, var)| self.frames.failed(FRAME, !var.positive()));
                Ok(failed.map(|(position, _)| position).collect())
            }
            Outcome::Sat | Outcome::Unknown => Err(Exhausted),
        }
    }
}

fn variables(problem: &Problem<'_>, selectors: &[Bit]) -> Vec<Var> {
    selectors.iter().map(|selector| problem.template.literal(*selector).var()).collect()
}
