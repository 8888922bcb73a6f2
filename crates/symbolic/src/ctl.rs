//! The states that satisfy a formula, bottom up. Each subformula is evaluated once, within the reachable states.

use crate::fair::{Fixpoints, Globally};
use crate::model::Model;
use crate::reach::Reached;
use propcov_bdd::{Bdd, Stop};
use propcov_ir::{ConstraintKind, Ctl, ExprId, Quantifier, System};
use rustc_hash::FxHashMap;

/// Why a formula has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The budget was used up.
    Stop(Stop),
    /// An atom or a condition that speaks of inputs where it must not.
    Inputs(String),
    /// A bug: sets and paths contradict each other.
    Broken(String),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stop(stop)
    }
}

/// What formulas mean: sets for propositions, steps between states, and which of the states are fair. The meaning of all else follows.
pub(crate) trait Interpretation {
    /// All that there is.
    fn space(&self) -> Bdd;

    /// Where a proposition holds.
    fn proposition(&mut self, expr: ExprId) -> Result<Bdd, Failure>;

    /// The states of a formula that are known already.
    fn recall(&mut self, formula: &Ctl) -> Result<Option<Bdd>, Failure>;

    /// Notes the states of a formula.
    fn remember(&mut self, formula: &Ctl, states: &Bdd);

    /// The states of the set that are fair.
    fn fair_among(&mut self, set: &Bdd) -> Result<Bdd, Failure>;

    /// States with a successor in the set, fair or not.
    fn before(&self, goal: &Bdd) -> Result<Bdd, Stop>;

    /// States with a path through the first set to the second.
    fn reaching(&self, hold: &Bdd, goal: &Bdd) -> Result<Bdd, Stop>;

    /// States with a fair path that stays in the set.
    fn for_ever(&mut self, hold: &Bdd) -> Result<Bdd, Failure>;

    /// The states that satisfy the formula.
    fn satisfying(&mut self, formula: &Ctl) -> Result<Bdd, Failure> {
        if let Some(known) = self.recall(formula)? {
            return Ok(known);
        }
        let all = self.space();
        let states = match formula {
            Ctl::Atom(expr) => self.proposition(*expr)?,
            Ctl::Not(a) => all.minus(&self.satisfying(a)?)?,
            Ctl::And(a, b) => self.satisfying(a)?.and(&self.satisfying(b)?)?,
            Ctl::Or(a, b) => self.satisfying(a)?.or(&self.satisfying(b)?)?,
            Ctl::Next(Quantifier::Exists, a) => {
                let goal = self.satisfying(a)?;
                self.next(&goal)?
            }
            Ctl::Next(Quantifier::All, a) => {
                let goal = all.minus(&self.satisfying(a)?)?;
                all.minus(&self.next(&goal)?)?
            }
            Ctl::Until(Quantifier::Exists, a, b) => {
                let (hold, goal) = (self.satisfying(a)?, self.satisfying(b)?);
                self.until(&hold, &goal)?
            }
            Ctl::Release(Quantifier::All, a, b) => {
                let (hold, goal) = (all.minus(&self.satisfying(a)?)?, all.minus(&self.satisfying(b)?)?);
                all.minus(&self.until(&hold, &goal)?)?
            }
            Ctl::Release(Quantifier::Exists, a, b) => {
                let (release, hold) = (self.satisfying(a)?, self.satisfying(b)?);
                self.release(&release, &hold)?
            }
            Ctl::Until(Quantifier::All, a, b) => {
                let (release, hold) = (all.minus(&self.satisfying(a)?)?, all.minus(&self.satisfying(b)?)?);
                all.minus(&self.release(&release, &hold)?)?
            }
        };
        self.remember(formula, &states);
        Ok(states)
    }

    /// Those with a fair successor in the set.
    fn next(&mut self, goal: &Bdd) -> Result<Bdd, Failure> {
        let goal = self.fair_among(goal)?;
        Ok(self.before(&goal)?)
    }

    /// Those with a fair path through the first set to the second.
    fn until(&mut self, hold: &Bdd, goal: &Bdd) -> Result<Bdd, Failure> {
        let goal = self.fair_among(goal)?;
        Ok(self.reaching(hold, &goal)?)
    }

    /// `hold` up to a state that also satisfies `release`, or for ever.
    fn release(&mut self, release: &Bdd, hold: &Bdd) -> Result<Bdd, Failure> {
        let for_ever = self.for_ever(hold)?;
        let released = release.and(hold)?;
        Ok(self.until(hold, &released)?.or(&for_ever)?)
    }
}

/// Satisfaction sets of formulas about one model.
pub struct Evaluator {
    pub(crate) model: Model,
    pub(crate) reached: Reached,
    /// Whether some state might have no successor, or no fair path.
    may_be_unfair: bool,
    known: FxHashMap<Ctl, Bdd>,
    globally: FxHashMap<Bdd, Globally>,
}

impl Evaluator {
    pub(crate) fn new(system: &System, mut model: Model, reached: Reached) -> Result<Evaluator, Stop> {
        // What a step can lead to, before constraints are asked whether that is a state.
        let always = system.constraints().iter().any(|constraint| constraint.kind == ConstraintKind::Always);
        let care = if always { reached.all.or(&!&model.valid)? } else { reached.all.clone() };
        model.focus(reached.all.clone(), care);
        Ok(Evaluator {
            model,
            reached,
            may_be_unfair: !system.is_unconstrained(),
            known: FxHashMap::default(),
            globally: FxHashMap::default(),
        })
    }

    pub(crate) fn fixpoints(&self) -> Fixpoints<'_> {
        Fixpoints { model: &self.model, space: &self.reached.all }
    }

    /// The reachable states from which a fair path starts.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn fair(&mut self) -> Result<Bdd, Failure> {
        let all = self.reached.all.clone();
        if self.may_be_unfair { Ok(self.globally_within(&all)?.states) } else { Ok(all) }
    }

    /// Whether a finite path shows nothing until it is known how it goes on.
    pub(crate) fn needs_tail(&self) -> bool {
        self.may_be_unfair
    }

    /// Fair `EG` of a set.
    pub(crate) fn globally_within(&mut self, hold: &Bdd) -> Result<Globally, Failure> {
        if let Some(known) = self.globally.get(hold) {
            return Ok(known.clone());
        }
        self.model.fairness.has_meaning()?;
        let found = self.fixpoints().globally(hold)?;
        self.globally.insert(hold.clone(), found.clone());
        Ok(found)
    }

    /// The reachable states that satisfy the formula. What a check has found out is not found out again.
    ///
    /// # Errors
    /// When the budget does not suffice, or propositions read inputs.
    pub fn states(&mut self, formula: &Ctl) -> Result<Bdd, Failure> {
        self.satisfying(formula)
    }

    /// The states of the set that are fair.
    pub(crate) fn fair_among(&mut self, set: &Bdd) -> Result<Bdd, Failure> {
        if set.is_false() {
            return Ok(set.clone());
        }
        Ok(self.fair()?.and(set)?)
    }

    /// The fair initial states that do not satisfy the formula, or none if all do. Under `AG` it is enough to know that no reachable
    /// fair state violates what is under it; then these states are returned instead, which need not be initial.
    pub(crate) fn violations(&mut self, formula: &Ctl) -> Result<Violations, Failure> {
        let all = self.reached.all.clone();
        if let Ctl::Release(Quantifier::All, a, b) = formula
            && self.states(a)?.is_false()
        {
            let bad = all.minus(&self.states(b)?)?;
            return Ok(Violations { states: self.fair_among(&bad)?, initial: false });
        }
        let good = self.states(formula)?;
        let bad = self.model.initial.minus(&good)?;
        Ok(Violations { states: self.fair_among(&bad)?, initial: true })
    }
}

impl Interpretation for Evaluator {
    fn space(&self) -> Bdd {
        self.reached.all.clone()
    }

    fn proposition(&mut self, expr: ExprId) -> Result<Bdd, Failure> {
        match self.model.atom(expr)? {
            Some(states) => Ok(states.and(&self.reached.all)?),
            None => Err(Failure::Inputs("a proposition reads inputs".to_owned())),
        }
    }

    fn recall(&mut self, formula: &Ctl) -> Result<Option<Bdd>, Failure> {
        Ok(self.known.get(formula).cloned())
    }

    fn remember(&mut self, formula: &Ctl, states: &Bdd) {
        self.known.insert(formula.clone(), states.clone());
    }

    fn fair_among(&mut self, set: &Bdd) -> Result<Bdd, Failure> {
        Evaluator::fair_among(self, set)
    }

    fn before(&self, goal: &Bdd) -> Result<Bdd, Stop> {
        self.fixpoints().before(goal)
    }

    fn reaching(&self, hold: &Bdd, goal: &Bdd) -> Result<Bdd, Stop> {
        self.fixpoints().until(hold, goal)
    }

    fn for_ever(&mut self, hold: &Bdd) -> Result<Bdd, Failure> {
        Ok(self.globally_within(hold)?.states)
    }
}

/// States that show that a formula fails.
pub(crate) struct Violations {
    pub(crate) states: Bdd,
    /// Whether they are initial states that violate it, or reachable ones that violate what is under its `AG`.
    pub(crate) initial: bool,
}
