//! The states that satisfy a formula, bottom up. Each subformula is evaluated once, within the reachable states.

use crate::bdd::{Bdd, Stop};
use crate::fair::{Fixpoints, Globally};
use crate::model::Model;
use crate::reach::Reached;
use propcov_ir::{ConstraintKind, Ctl, Quantifier, System};
use rustc_hash::FxHashMap;

/// Why a formula has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
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

/// Satisfaction sets of formulas about one model.
pub(crate) struct Evaluator {
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
    pub(crate) fn fair(&mut self) -> Result<Bdd, Failure> {
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
        if self
            .model
            .fairness
            .compassion
            .iter()
            .any(|(often, _)| matches!(often, crate::model::Condition::Step(_)))
        {
            return Err(Failure::Inputs("the premise of a compassion constraint reads inputs".to_owned()));
        }
        let found = self.fixpoints().globally(hold)?;
        self.globally.insert(hold.clone(), found.clone());
        Ok(found)
    }

    /// The reachable states that satisfy the formula.
    pub(crate) fn states(&mut self, formula: &Ctl) -> Result<Bdd, Failure> {
        if let Some(known) = self.known.get(formula) {
            return Ok(known.clone());
        }
        let all = self.reached.all.clone();
        let states = match formula {
            Ctl::Atom(expr) => match self.model.atom(*expr) {
                Some(states) => states.and(&all)?,
                None => return Err(Failure::Inputs("a proposition reads inputs".to_owned())),
            },
            Ctl::Not(a) => all.minus(&self.states(a)?)?,
            Ctl::And(a, b) => self.states(a)?.and(&self.states(b)?)?,
            Ctl::Or(a, b) => self.states(a)?.or(&self.states(b)?)?,
            Ctl::Next(Quantifier::Exists, a) => {
                let goal = self.states(a)?;
                self.next(&goal)?
            }
            Ctl::Next(Quantifier::All, a) => {
                let goal = all.minus(&self.states(a)?)?;
                all.minus(&self.next(&goal)?)?
            }
            Ctl::Until(Quantifier::Exists, a, b) => {
                let (hold, goal) = (self.states(a)?, self.states(b)?);
                self.until(&hold, &goal)?
            }
            Ctl::Release(Quantifier::All, a, b) => {
                let (hold, goal) = (all.minus(&self.states(a)?)?, all.minus(&self.states(b)?)?);
                all.minus(&self.until(&hold, &goal)?)?
            }
            Ctl::Release(Quantifier::Exists, a, b) => {
                let (release, hold) = (self.states(a)?, self.states(b)?);
                self.release(&release, &hold)?
            }
            Ctl::Until(Quantifier::All, a, b) => {
                let (release, hold) = (all.minus(&self.states(a)?)?, all.minus(&self.states(b)?)?);
                all.minus(&self.release(&release, &hold)?)?
            }
        };
        self.known.insert(formula.clone(), states.clone());
        Ok(states)
    }

    /// The states of the set that are fair.
    pub(crate) fn fair_among(&mut self, set: &Bdd) -> Result<Bdd, Failure> {
        if set.is_false() {
            return Ok(set.clone());
        }
        Ok(self.fair()?.and(set)?)
    }

    fn next(&mut self, goal: &Bdd) -> Result<Bdd, Failure> {
        let goal = self.fair_among(goal)?;
        Ok(self.fixpoints().before(&goal)?)
    }

    fn until(&mut self, hold: &Bdd, goal: &Bdd) -> Result<Bdd, Failure> {
        let goal = self.fair_among(goal)?;
        Ok(self.fixpoints().until(hold, &goal)?)
    }

    /// `hold` up to a state that also satisfies `release`, or for ever.
    fn release(&mut self, release: &Bdd, hold: &Bdd) -> Result<Bdd, Failure> {
        let for_ever = self.globally_within(hold)?.states;
        let released = release.and(hold)?;
        Ok(self.until(hold, &released)?.or(&for_ever)?)
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

/// States that show that a formula fails.
pub(crate) struct Violations {
    pub(crate) states: Bdd,
    /// Whether they are initial states that violate it, or reachable ones that violate what is under its `AG`.
    pub(crate) initial: bool,
}
