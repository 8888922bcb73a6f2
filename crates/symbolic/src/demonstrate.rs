//! Runs that show why a formula is true in a state, from the sets that its evaluation found.
//!
//! Where an operator's operand needs a path of its own, that path continues the one that led there, as a reader expects of
//! `EF (p & EG q)`; only the operands that hold along the way branch off.

use crate::ctl::{Evaluator, Failure};
use crate::path::{Path, State};
use crate::steps::Steps;
use propcov_bdd::Bdd;
use propcov_budget::Budget;
use propcov_ir::{Ctl, Demonstration, Edits, Quantifier, System};
use propcov_solve::BitTrace;

/// Paths that branch off are given up beyond this many in all.
const MOST_BRANCHES: usize = 200;

/// A demonstration whose steps have no inputs yet.
struct Draft {
    claim: Ctl,
    path: Path,
    essential: usize,
    branches: Vec<(usize, Draft)>,
}

impl Draft {
    /// Puts a path in front, which ends where this one starts.
    fn after(self, mut prefix: Path, claim: &Ctl) -> Draft {
        let shift = prefix.states.len() - 1;
        prefix.append(self.path);
        Draft {
            claim: claim.clone(),
            path: prefix,
            essential: self.essential + shift,
            branches: self.branches.into_iter().map(|(at, branch)| (at + shift, branch)).collect(),
        }
    }
}

/// Writes demonstrations.
pub(crate) struct Demonstrator<'e> {
    evaluator: &'e mut Evaluator,
    branches: usize,
}

impl<'e> Demonstrator<'e> {
    pub(crate) fn new(evaluator: &'e mut Evaluator) -> Demonstrator<'e> {
        Demonstrator { evaluator, branches: 0 }
    }

    /// Why the claim, in normal form, holds in some state of a set of initial states. Where no run can show that: in which of them it
    /// does, if that is wanted.
    pub(crate) fn among_initial(
        &mut self,
        claim: &Ctl,
        states: &Bdd,
        always: bool,
        system: &System,
        budget: &Budget,
    ) -> Result<Option<Demonstration>, Failure> {
        let Some(state) = self.evaluator.pick(states) else { return Ok(None) };
        let draft = match self.draft(claim, &state)? {
            Some(draft) => draft,
            None if always => self.continued(claim, &state)?,
            None => return Ok(None),
        };
        self.finish(draft, system, budget)
    }

    /// Why `EF` of the claim holds initially, given reachable fair states where the claim does.
    pub(crate) fn reaching(
        &mut self,
        whole: &Ctl,
        claim: &Ctl,
        states: &Bdd,
        system: &System,
        budget: &Budget,
    ) -> Result<Option<Demonstration>, Failure> {
        let Some(path) = self.evaluator.way_from_start(states)? else { return Ok(None) };
        let draft = self.continued(claim, path.last())?.after(path, whole);
        self.finish(draft, system, budget)
    }

    /// Why a claim holds in a state where it does.
    fn draft(&mut self, claim: &Ctl, state: &State) -> Result<Option<Draft>, Failure> {
        Ok(match claim {
            Ctl::Atom(_) | Ctl::Not(_) => None,
            Ctl::And(a, b) => self.both(claim, a, b, state)?,
            Ctl::Or(a, b) => {
                let first = self.evaluator.states(a)?;
                let chosen = if self.evaluator.contains(&first, state) { a } else { b };
                self.draft(chosen, state)?.map(|draft| Draft { claim: claim.clone(), ..draft })
            }
            Ctl::Next(Quantifier::Exists, a) => Some(self.next(claim, a, state)?),
            Ctl::Until(Quantifier::Exists, a, b) => {
                let goal = self.fair(b)?;
                let hold = self.evaluator.states(a)?;
                let way = self.evaluator.way(state, &hold, &goal)?.ok_or_else(lost)?;
                Some(self.along(claim, a, b, way)?)
            }
            Ctl::Release(Quantifier::Exists, a, b) => Some(self.release(claim, a, b, state)?),
            Ctl::Next(Quantifier::All, _)
            | Ctl::Until(Quantifier::All, ..)
            | Ctl::Release(Quantifier::All, ..) => None,
        })
    }

    /// A conjunction: the first path that is needed is the main one, the other branches off.
    fn both(&mut self, claim: &Ctl, a: &Ctl, b: &Ctl, state: &State) -> Result<Option<Draft>, Failure> {
        let first = self.draft(a, state)?;
        let second = self.draft(b, state)?;
        let claim = claim.clone();
        Ok(match (first, second) {
            (Some(mut main), Some(side)) => {
                main.branches.push((0, side));
                Some(Draft { claim, ..main })
            }
            (Some(draft), None) | (None, Some(draft)) => Some(Draft { claim, ..draft }),
            (None, None) => None,
        })
    }

    /// The states of a formula that are fair.
    fn fair(&mut self, formula: &Ctl) -> Result<Bdd, Failure> {
        let states = self.evaluator.states(formula)?;
        self.evaluator.fair_among(&states)
    }

    fn next(&mut self, claim: &Ctl, a: &Ctl, state: &State) -> Result<Draft, Failure> {
        let goal = self.fair(a)?;
        let here = self.evaluator.model.singleton(state)?;
        let successors = self.evaluator.model.image(&here)?.and(&goal)?;
        let successor = self.evaluator.pick(&successors).ok_or_else(lost)?;
        let mut path = Path::of(state.clone());
        path.push(successor.clone());
        Ok(self.continued(a, &successor)?.after(path, claim))
    }

    fn release(&mut self, claim: &Ctl, a: &Ctl, b: &Ctl, state: &State) -> Result<Draft, Failure> {
        let (release, hold) = (self.evaluator.states(a)?, self.evaluator.states(b)?);
        let goal = release.and(&hold)?;
        let goal = self.evaluator.fair_among(&goal)?;
        if !goal.is_false()
            && let Some(way) = self.evaluator.way(state, &hold, &goal)?
        {
            let last = Ctl::And(Box::new(a.clone()), Box::new(b.clone()));
            return self.along(claim, b, &last, way);
        }
        let globally = self.evaluator.globally_within(&hold)?;
        let path = self.evaluator.lasso(state, &globally)?.ok_or_else(lost)?;
        let essential = path.states.len();
        let branches = self.side_branches(b, &path.states)?;
        Ok(Draft { claim: claim.clone(), path, essential, branches })
    }

    /// A path whose last state satisfies one formula, and the others another one.
    fn along(&mut self, claim: &Ctl, hold: &Ctl, last: &Ctl, way: Path) -> Result<Draft, Failure> {
        let side = self.side_branches(hold, &way.states[..way.states.len() - 1])?;
        let mut draft = self.continued(last, way.last())?.after(way, claim);
        draft.branches.extend(side);
        Ok(draft)
    }

    fn side_branches(&mut self, formula: &Ctl, states: &[State]) -> Result<Vec<(usize, Draft)>, Failure> {
        if formula.is_propositional() {
            return Ok(Vec::new());
        }
        let mut branches = Vec::new();
        for (at, state) in states.iter().enumerate() {
            self.branches += 1;
            if self.branches > MOST_BRANCHES {
                break;
            }
            branches.extend(self.draft(formula, state)?.map(|draft| (at, draft)));
        }
        Ok(branches)
    }

    /// A path that shows the claim, or any fair path if none is needed or none can show it.
    fn continued(&mut self, claim: &Ctl, state: &State) -> Result<Draft, Failure> {
        if let Some(draft) = self.draft(claim, state)? {
            return Ok(draft);
        }
        let path = if self.evaluator.needs_tail() {
            let all = self.evaluator.reached.all.clone();
            let fair = self.evaluator.globally_within(&all)?;
            self.evaluator.lasso(state, &fair)?.ok_or_else(lost)?
        } else {
            Path::of(state.clone())
        };
        Ok(Draft { claim: claim.clone(), path, essential: 1, branches: Vec::new() })
    }

    fn finish(
        &self,
        draft: Draft,
        system: &System,
        budget: &Budget,
    ) -> Result<Option<Demonstration>, Failure> {
        let netlist = self.evaluator.model.netlist.clone();
        let steps = Steps::new(&netlist, budget.clone());
        self.complete(draft, system, &steps)
    }

    fn complete(
        &self,
        draft: Draft,
        system: &System,
        steps: &Steps<'_>,
    ) -> Result<Option<Demonstration>, Failure> {
        let Draft { claim, path, essential, branches } = draft;
        let Some(bits) = steps.complete(&path.states, &path.conditions, path.loop_to)? else {
            return Err(lost());
        };
        let trace = BitTrace { steps: bits }.complete(&self.evaluator.model.netlist, system, &Edits::none());
        let trace = trace.map_err(|error| Failure::Broken(error.to_string()))?;
        let mut done = Vec::with_capacity(branches.len());
        for (at, branch) in branches {
            done.extend(self.complete(branch, system, steps)?.map(|branch| (at, branch)));
        }
        Ok(Some(Demonstration {
            claim,
            steps: trace.steps,
            loop_to: path.loop_to,
            essential,
            branches: done,
        }))
    }
}

fn lost() -> Failure {
    Failure::Broken("there is no path where the sets say that there is one".to_owned())
}
