//! State coverage by Table 1 of Hoskote, Kam, Ho and Zhao, "Coverage estimation for symbolic model checking" (DAC 1999): the states where a formula that
//! holds checks the value of an observed signal, by walking down the formula with the set of states where each part has to hold.
//!
//! Where this departs from the paper:
//! - The paper's theorem says that the result is that of Definition 3 for the transformed formula. That is so except where a
//!   part g of `A[f U g]` is temporal, and the change that spoils g in one place also makes it true in another: then the
//!   changed formula may be satisfied earlier. A change in a state where no proposition of g becomes true cannot do that. What
//!   is left in doubt is told apart, and decided by evaluating the changed formula. Release has the same gap in f.
//! - Release, with the same transformation (see `observability`).
//! - Signals with several other values: sets are over states and the other value.

use super::labels::Labelling;
use super::obligation::{Obligation, Rule};
use propcov_bdd::Bdd;
use propcov_ir::Ctl;
use propcov_symbolic::{Evaluator, Failure};

/// Mutants, told apart by how sure it is that they are noticed.
#[derive(Clone)]
pub(super) struct Found {
    /// Noticed.
    pub(super) sure: Bdd,
    /// Perhaps noticed. All others certainly are not.
    pub(super) doubtful: Bdd,
}

impl Found {
    pub(super) fn sure(sure: Bdd, nothing: Bdd) -> Found {
        Found { sure, doubtful: nothing }
    }

    pub(super) fn or(&self, other: &Found) -> Result<Found, Failure> {
        Ok(Found { sure: self.sure.or(&other.sure)?, doubtful: self.doubtful.or(&other.doubtful)? })
    }

    /// Both kinds changed alike.
    pub(super) fn map(&self, change: impl Fn(&Bdd) -> Result<Bdd, Failure>) -> Result<Found, Failure> {
        Ok(Found { sure: change(&self.sure)?, doubtful: change(&self.doubtful)? })
    }

    /// What is sure becomes doubtful within the set.
    pub(super) fn doubting(&self, set: &Bdd) -> Result<Found, Failure> {
        Ok(Found { sure: self.sure.minus(set)?, doubtful: self.doubtful.or(&self.sure.and(set)?)? })
    }
}

/// Sets of states that a formula checks, for one observed signal.
pub(super) struct Walk<'e> {
    pub(super) evaluator: &'e mut Evaluator,
    pub(super) observed: &'e Labelling,
    /// States, or transitions, that can be covered.
    pub(super) space: &'e Bdd,
}

impl Walk<'_> {
    /// C(S0, f): states, with other values, where the change makes f fail in some state of `start`.
    pub(super) fn covered(&mut self, start: &Bdd, obligation: &Obligation) -> Result<Found, Failure> {
        if start.is_false() || !self.concerns(obligation) {
            return Ok(self.nothing());
        }
        match &obligation.rule {
            Rule::Proposition => {
                let depend = self.depend(&obligation.formula)?;
                Ok(Found::sure(start.and(&depend)?, self.evaluator.nothing()))
            }
            Rule::Guard(b, f) => {
                let start = start.and(&self.evaluator.states(b)?)?;
                self.covered(&start, f)
            }
            Rule::And(f, g) => self.covered(start, f)?.or(&self.covered(start, g)?),
            Rule::Next(f) => {
                let start = self.evaluator.forward(start)?;
                self.covered(&start, f)
            }
            Rule::Always(f) => {
                let start = self.reachable(start)?;
                self.covered(&start, f)
            }
            Rule::Until(f, g) => {
                let way = self.until(start, &g.formula)?;
                self.covered(&way.before, f)?.or(&self.first(&way.first, g)?)
            }
            Rule::Release(f, g) => {
                let way = self.until(start, &f.formula)?;
                self.covered(&way.before.or(&way.first)?, g)?.or(&self.first(&way.first, f)?)
            }
        }
    }

    /// Coverage of the operand that ends an until or a release, from the states where it is first true.
    fn first(&mut self, start: &Bdd, obligation: &Obligation) -> Result<Found, Failure> {
        let found = self.covered(start, obligation)?;
        self.doubted(&found, obligation, |_, helped| Ok(helped.clone()))
    }

    /// What was found for the operand that ends an until is in doubt where the change may also make that operand true earlier. `place`
    /// turns a set of states into a set of what was found.
    pub(super) fn doubted(
        &mut self,
        found: &Found,
        obligation: &Obligation,
        place: impl Fn(&Evaluator, &Bdd) -> Result<Bdd, Failure>,
    ) -> Result<Found, Failure> {
        if obligation.is_propositional() || (found.sure.is_false() && found.doubtful.is_false()) {
            return Ok(found.clone());
        }
        let helped = self.helped(obligation)?;
        found.doubting(&place(self.evaluator, &helped)?)
    }

    pub(super) fn nothing(&self) -> Found {
        Found::sure(self.evaluator.nothing(), self.evaluator.nothing())
    }

    /// Whether what the formula checks has anything to do with the observed signal.
    pub(super) fn concerns(&self, obligation: &Obligation) -> bool {
        obligation.propositions().iter().any(|proposition| self.observed.is_in(proposition))
    }

    /// States, with other values, where a proposition holds and would not with the other value.
    pub(super) fn depend(&mut self, proposition: &Ctl) -> Result<Bdd, Failure> {
        let (now, then) = self.both(proposition)?;
        Ok(now.minus(&then)?)
    }

    /// States, with other values, where some proposition of the formula does not hold and would with the other value.
    fn helped(&mut self, obligation: &Obligation) -> Result<Bdd, Failure> {
        let mut helped = self.evaluator.nothing();
        for proposition in obligation.propositions() {
            if self.observed.is_in(proposition) {
                let (now, then) = self.both(proposition)?;
                helped = helped.or(&then.minus(&now)?)?;
            }
        }
        Ok(helped)
    }

    /// Where a proposition holds, and where it does with another value; both only for values that are other ones.
    fn both(&mut self, proposition: &Ctl) -> Result<(Bdd, Bdd), Failure> {
        let others = self.others()?;
        let changed = self.observed.changed(proposition);
        let now = self.evaluator.states(proposition)?.and(&others)?;
        let then = self.evaluator.states(&changed)?.and(&others)?;
        Ok((now, then))
    }

    /// The other values of the observed signal in each state.
    pub(super) fn others(&mut self) -> Result<Bdd, Failure> {
        match (self.observed.parameter, self.observed.differs) {
            (Some(parameter), Some(differs)) => {
                let others = self.evaluator.states_where(differs)?;
                Ok(others.and(&self.evaluator.parameter_values(&[parameter])?)?)
            }
            _ => Ok(self.evaluator.reachable_states().clone()),
        }
    }

    /// All that is reachable from the set along fair states, itself included.
    pub(super) fn reachable(&mut self, start: &Bdd) -> Result<Bdd, Failure> {
        let fair = self.evaluator.fair()?;
        let start = start.and(&fair)?;
        if self.evaluator.fair_initial_states()?.leq(&start)? {
            return Ok(fair);
        }
        self.onward(start, &fair)
    }

    /// What is reachable from the set through states of another one, all of which are fair.
    fn onward(&mut self, start: Bdd, through: &Bdd) -> Result<Bdd, Failure> {
        let mut all = start.clone();
        let mut frontier = start;
        while !frontier.is_false() {
            frontier = self.evaluator.forward(&frontier)?.and(through)?.minus(&all)?;
            all = all.or(&frontier)?;
        }
        Ok(all)
    }

    /// The paper's traverse and firstreached: states on the way to a formula, and the first ones that satisfy it, which may be different ones on
    /// different paths. In a formula that holds, f is true on the way to g.
    pub(super) fn until(&mut self, start: &Bdd, goal: &Ctl) -> Result<Way, Failure> {
        let goal = self.evaluator.states(goal)?;
        let fair = self.evaluator.fair()?;
        let start = start.and(&fair)?;
        let before = self.onward(start.minus(&goal)?, &fair.minus(&goal)?)?;
        let first = self.evaluator.forward(&before)?.or(&start)?.and(&goal)?;
        Ok(Way { before, first })
    }
}

/// States on the way to a formula.
pub(super) struct Way {
    /// Where it has not been true yet.
    pub(super) before: Bdd,
    /// Where it is true for the first time.
    pub(super) first: Bdd,
}
