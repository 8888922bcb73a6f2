//! A formula in many mutants of a model at once.
//!
//! Chockler, Kupferman and Vardi, "Coverage metrics for temporal logic model checking" (TACAS 2001), evaluate a formula over pairs (v, w): v satisfies it
//! when the labels of w are changed. The second state has variables of its own, next to those of the first, and steps do not touch them;
//! so each fixpoint is computed for all mutants together. Labels change where v = w.
//!
//! For transitions a mutant is a pair (s, t), as Xu, Kimura, Horikawa and Tsuchiya have it (2006): a step from s to t leads to a copy of t with other
//! labels instead. The copy is t with a flag; where it goes from there does not depend on the flag. So the states before a set X are
//! those before X without the flag, except for s, where t counts if X has its copy.

use crate::ctl::{Evaluator, Failure, Interpretation};
use crate::fair::{Fixpoints, Globally, Moves};
use crate::model::{Condition, Conditions, Model};
use propcov_bdd::{Bdd, Stop, Var};
use propcov_ir::{Ctl, ExprId, Quantifier};
use rustc_hash::FxHashMap;

/// A proposition that mutants change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// What it is.
    pub original: ExprId,
    /// What it becomes where labels are changed. May depend on parameters.
    pub changed: ExprId,
}

/// By the expression that stands for it in formulas.
pub type Labels = FxHashMap<ExprId, Label>;

impl Evaluator {
    /// Those of the candidates, states together with values of the parameters, for which the formula fails in some fair initial
    /// state when labels are changed in that state.
    pub fn noticed_states(
        &mut self,
        formula: &Ctl,
        labels: &Labels,
        candidates: &Bdd,
    ) -> Result<Bdd, Failure> {
        if candidates.is_false() {
            return Ok(candidates.clone());
        }
        let mirror = self.model.mirror(0).clone();
        let mutants = candidates.swap(&mirror.from_current)?;
        let changed = self.model.is_mirrored(&mirror)?.and(&mutants)?;
        let space = self.reached.all.and(&mutants)?;
        let noticed = Mutants::new(self, labels, changed, space, None).failing(formula)?;
        Ok(noticed.swap(&mirror.from_current)?)
    }

    /// Those of the candidates, pairs of a state and a successor together with values of the parameters, for which the formula
    /// fails in some fair initial state when that step leads to a copy of the successor with changed labels.
    pub fn noticed_transitions(
        &mut self,
        formula: &Ctl,
        labels: &Labels,
        candidates: &Bdd,
    ) -> Result<Bdd, Failure> {
        if candidates.is_false() {
            return Ok(candidates.clone());
        }
        let (first, second) = (self.model.mirror(0).clone(), self.model.mirror(1).clone());
        let mutants = candidates.swap(&first.from_current)?.swap(&second.from_next)?;
        let flag = self.model.flag();
        let is_copy = self.model.manager.variable(flag);
        let Some(pairs) = self.model.pairs()?.cloned() else {
            return Err(Failure::Broken("transitions without a relation".to_owned()));
        };
        let redirect = Redirect {
            flag,
            from: self.model.is_mirrored(&first)?,
            to: self.model.is_mirrored(&second)?,
            into: pairs.swap(&second.from_next)?,
        };
        let space = self.reached.all.and(&mutants)?.and(&redirect.to.or(&!&is_copy)?)?;
        let noticed = Mutants::new(self, labels, is_copy, space, Some(redirect)).failing(formula)?;
        Ok(noticed.swap(&second.from_next)?.swap(&first.from_current)?)
    }
}

/// Steps that lead elsewhere.
struct Redirect {
    /// Tells a copy from its original.
    flag: Var,
    /// Where the current state is the one that the step leaves.
    from: Bdd,
    /// Where it is the one that the step would lead to.
    to: Bdd,
    /// Where some step leads from it to that one.
    into: Bdd,
}

/// The steps of all mutants.
struct MutantMoves<'m> {
    model: &'m Model,
    redirect: Option<&'m Redirect>,
}

impl MutantMoves<'_> {
    fn before(&self, set: &Bdd, preimage: impl Fn(&Bdd) -> Result<Bdd, Stop>) -> Result<Bdd, Stop> {
        let Some(Redirect { flag, from, to, .. }) = self.redirect else { return preimage(set) };
        let (is_copy, flag) = (self.model.manager.variable(*flag), self.model.manager.cube(&[*flag]));
        let (copies, plain) = (set.and_exists(&is_copy, &flag)?, set.and_exists(&!is_copy, &flag)?);
        let usual = preimage(&plain)?;
        from.ite(&preimage(&to.ite(&copies, &plain)?)?, &usual)
    }
}

impl Moves for MutantMoves<'_> {
    fn preimage(&self, set: &Bdd) -> Result<Bdd, Stop> {
        self.before(set, |set| self.model.preimage(set))
    }

    fn preimage_by(&self, condition: &Condition, set: &Bdd) -> Result<Bdd, Stop> {
        self.before(set, |set| self.model.preimage_by(condition, set))
    }

    fn fairness(&self) -> &Conditions {
        &self.model.fairness
    }
}

/// Satisfaction sets in all mutants: of states, mutants, parameters and perhaps the flag.
struct Mutants<'e> {
    evaluator: &'e mut Evaluator,
    labels: &'e Labels,
    /// Where labels are changed.
    changed: Bdd,
    space: Bdd,
    redirect: Option<Redirect>,
    known: FxHashMap<Ctl, Bdd>,
    globally: FxHashMap<Bdd, Globally>,
}

impl<'e> Mutants<'e> {
    fn new(
        evaluator: &'e mut Evaluator,
        labels: &'e Labels,
        changed: Bdd,
        space: Bdd,
        redirect: Option<Redirect>,
    ) -> Mutants<'e> {
        let (known, globally) = (FxHashMap::default(), FxHashMap::default());
        Mutants { evaluator, labels, changed, space, redirect, known, globally }
    }

    /// The mutants, without a state, in which the formula fails initially. Under `AG`, or `!EF`, no fixpoint is needed: it fails where a reachable state
    /// violates what is under it.
    fn failing(&mut self, formula: &Ctl) -> Result<Bdd, Failure> {
        if let Ctl::And(a, b) = formula {
            return Ok(self.failing(a)?.or(&self.failing(b)?)?);
        }
        if let Ctl::Release(Quantifier::All, a, b) = formula
            && self.satisfying(a)?.is_false()
        {
            let good = self.satisfying(b)?;
            let bad = self.reachable()?.minus(&good)?;
            return self.without_states(&bad);
        }
        if let Ctl::Not(negated) = formula
            && let Ctl::Until(Quantifier::Exists, a, b) = &**negated
            && self.satisfying(a)? == self.space
        {
            let bad = self.satisfying(b)?.and(&self.reachable()?)?;
            return self.without_states(&bad);
        }
        let good = self.satisfying(formula)?;
        let model = &self.evaluator.model;
        let mut bad = self.space.and(&model.initial)?.minus(&good)?;
        if let Some(redirect) = &self.redirect {
            bad = bad.minus(&model.manager.variable(redirect.flag))?;
        }
        self.without_states(&bad)
    }

    /// The mutants that have a fair state in the set.
    fn without_states(&mut self, set: &Bdd) -> Result<Bdd, Failure> {
        let fair = self.fair_among(set)?;
        let model = &self.evaluator.model;
        let flag = self.redirect.iter().map(|redirect| redirect.flag);
        let gone: Vec<Var> = model.current.iter().copied().chain(flag).collect();
        Ok(fair.exists(&model.manager.cube(&gone))?)
    }

    /// The states that each mutant reaches: all, but the original of a copy only if it is initial, or another step leads there.
    fn reachable(&self) -> Result<Bdd, Failure> {
        let Some(Redirect { flag, from, to, into }) = &self.redirect else { return Ok(self.space.clone()) };
        let model = &self.evaluator.model;
        let others = into.minus(from)?.exists(&model.manager.cube(&model.current))?;
        let reached = others.or(&model.initial)?.or(&!to)?;
        Ok(self.space.and(&reached.or(&model.manager.variable(*flag))?)?)
    }

    fn moves(&self) -> MutantMoves<'_> {
        MutantMoves { model: &self.evaluator.model, redirect: self.redirect.as_ref() }
    }

    fn is_changed(&self, formula: &Ctl) -> bool {
        formula.atoms().iter().any(|atom| self.labels.contains_key(atom))
    }
}

impl Interpretation for Mutants<'_> {
    fn space(&self) -> Bdd {
        self.space.clone()
    }

    fn proposition(&mut self, expr: ExprId) -> Result<Bdd, Failure> {
        let Some(Label { original, changed }) = self.labels.get(&expr) else {
            return Ok(self.evaluator.proposition(expr)?.and(&self.space)?);
        };
        let (original, changed) =
            (self.evaluator.proposition(*original)?, self.evaluator.proposition(*changed)?);
        Ok(self.changed.ite(&changed, &original)?.and(&self.space)?)
    }

    fn recall(&mut self, formula: &Ctl) -> Result<Option<Bdd>, Failure> {
        if let Some(known) = self.known.get(formula) {
            return Ok(Some(known.clone()));
        }
        if self.is_changed(formula) {
            return Ok(None);
        }
        // The same in all mutants, and perhaps known from the check.
        Ok(Some(self.evaluator.states(formula)?.and(&self.space)?))
    }

    fn remember(&mut self, formula: &Ctl, states: &Bdd) {
        self.known.insert(formula.clone(), states.clone());
    }

    fn fair_among(&mut self, set: &Bdd) -> Result<Bdd, Failure> {
        // A mutant has the paths that the model has, and which of them are fair does not depend on labels.
        self.evaluator.fair_among(set)
    }

    fn before(&self, goal: &Bdd) -> Result<Bdd, Stop> {
        Fixpoints { model: &self.moves(), space: &self.space }.before(goal)
    }

    fn reaching(&self, hold: &Bdd, goal: &Bdd) -> Result<Bdd, Stop> {
        Fixpoints { model: &self.moves(), space: &self.space }.until(hold, goal)
    }

    fn for_ever(&mut self, hold: &Bdd) -> Result<Bdd, Failure> {
        if let Some(known) = self.globally.get(hold) {
            return Ok(known.states.clone());
        }
        self.evaluator.model.fairness.has_meaning()?;
        let found = Fixpoints { model: &self.moves(), space: &self.space }.globally(hold)?;
        self.globally.insert(hold.clone(), found.clone());
        Ok(found.states)
    }
}
