//! Transition coverage: Xu, Kimura, Horikawa and Tsuchiya, "Transition-based coverage estimation for symbolic model checking" (ASP-DAC 2006).
//!
//! A transition is covered if the formula fails once the observed signal has another value in the state that it leads to, when reached by this
//! transition. `Cov` walks down the formula as Table 1 does; each step that it takes is checked if the target is, by `Chk`: whether the formula
//! inspects the signal in that very state.
//!
//! Where this departs from the paper:
//! - The paper represents a transition of a state machine by its source together with the inputs. Here it is a pair of states of
//!   the Kripke structure, so that designs that branch in other ways have a coverage, too. CTL cannot tell two inputs apart that lead
//!   to the same state; where inputs are variables without an assignment it is the same.
//! - The gap of Table 1 is here as well, and told apart in the same way (see `table1`). Release as there.

use super::obligation::{Obligation, Rule};
use super::table1::{Found, Walk};
use propcov_bdd::Bdd;
use propcov_symbolic::{Evaluator, Failure};

impl Walk<'_> {
    /// Cov(f, S): transitions of the space, with other values, that are checked where f has to hold in `start`.
    pub(super) fn covered_steps(&mut self, start: &Bdd, obligation: &Obligation) -> Result<Found, Failure> {
        if start.is_false() || !self.concerns(obligation) {
            return Ok(self.nothing());
        }
        match &obligation.rule {
            Rule::Proposition => Ok(self.nothing()),
            Rule::Guard(b, f) => {
                let start = start.and(&self.evaluator.states(b)?)?;
                self.covered_steps(&start, f)
            }
            Rule::And(f, g) => self.covered_steps(start, f)?.or(&self.covered_steps(start, g)?),
            Rule::Next(f) => {
                let next = self.evaluator.forward(start)?;
                self.steps(start, &next, f)?.or(&self.covered_steps(&next, f)?)
            }
            Rule::Always(f) => {
                let all = self.reachable(start)?;
                self.steps(&all, &all, f)?.or(&self.covered_steps(&all, f)?)
            }
            Rule::Until(f, g) => {
                let way = self.until(start, &g.formula)?;
                let on_the_way = self.steps(&way.before, &way.before, f)?;
                let on_the_way = on_the_way.or(&self.covered_steps(&way.before, f)?)?;
                let last = self.steps(&way.before, &way.first, g)?;
                let last = last.or(&self.covered_steps(&way.first, g)?)?;
                on_the_way.or(&self.doubted(&last, g, into)?)
            }
            Rule::Release(f, g) => {
                let way = self.until(start, &f.formula)?;
                let all = way.before.or(&way.first)?;
                let on_the_way = self.steps(&way.before, &all, g)?.or(&self.covered_steps(&all, g)?)?;
                let last = self.steps(&way.before, &way.first, f)?;
                let last = last.or(&self.covered_steps(&way.first, f)?)?;
                on_the_way.or(&self.doubted(&last, f, into)?)
            }
        }
    }

    /// Transitions from one set to those states of another that f, holding there, inspects.
    fn steps(&mut self, from: &Bdd, to: &Bdd, f: &Obligation) -> Result<Found, Failure> {
        let checked = self.inspected(to, f)?;
        // Pairs of states without a transition between them would be far too many.
        let leaving = self.space.and(from)?;
        let evaluator = &*self.evaluator;
        checked.map(|targets| Ok(leaving.and(&evaluator.as_successors(targets)?)?))
    }

    /// Chk(f, S): states of the set, with other values, where f would fail if the signal had that value there but not when the same state is
    /// reached again.
    fn inspected(&mut self, set: &Bdd, obligation: &Obligation) -> Result<Found, Failure> {
        if set.is_false() || !self.concerns(obligation) {
            return Ok(self.nothing());
        }
        match &obligation.rule {
            Rule::Proposition => {
                let depend = self.depend(&obligation.formula)?;
                Ok(Found::sure(set.and(&depend)?, self.evaluator.nothing()))
            }
            Rule::Guard(b, f) => {
                let set = set.and(&self.evaluator.states(b)?)?;
                self.inspected(&set, f)
            }
            Rule::And(f, g) => self.inspected(set, f)?.or(&self.inspected(set, g)?),
            Rule::Next(_) => Ok(self.nothing()),
            Rule::Always(f) => self.inspected(set, f),
            Rule::Until(f, g) => {
                let goal = self.evaluator.states(&g.formula)?;
                let (before, first) = (set.minus(&goal)?, set.and(&goal)?);
                self.inspected(&before, f)?.or(&self.inspected_last(&first, g)?)
            }
            Rule::Release(f, g) => {
                let goal = self.evaluator.states(&f.formula)?;
                let first = set.and(&goal)?;
                self.inspected(set, g)?.or(&self.inspected_last(&first, f)?)
            }
        }
    }

    fn inspected_last(&mut self, set: &Bdd, obligation: &Obligation) -> Result<Found, Failure> {
        let found = self.inspected(set, obligation)?;
        self.doubted(&found, obligation, |_, helped| Ok(helped.clone()))
    }
}

/// Pairs whose second state is in the set.
fn into(evaluator: &Evaluator, set: &Bdd) -> Result<Bdd, Failure> {
    evaluator.as_successors(set)
}
