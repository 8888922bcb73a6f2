//! Whether a system has any fair run at all.
//!
//! Whoever wants to know whether an infinite run does something makes a system whose fair runs are those that do it: the product of a design with the tableau of a formula, where each fairness condition is one of
//! justice. The answer is the fixpoint of Emerson and Lei among the reachable states: what it leaves has a fair run, and if it leaves nothing, the layers that it removed say why. From a layer, no step leads back to a later one,
//! and as long as a run stays in a layer it does not meet that layer's condition. So a run meets all conditions no more often than there are layers, which is what counting rounds (k-liveness) asks for.
//!
//! Only states that conditions and constraints depend on have variables.

use crate::check::{Observer, Options, reason, stopped};
use crate::ctl::{Evaluator, Failure};
use crate::fair::Globally;
use crate::model::{Model, ModelError, Subject};
use crate::reach::Reached;
use crate::simulation::transfer::Transfer;
use crate::steps::Steps;
use crate::write::Sets;
use propcov_bdd::{Bdd, Stop, Var};
use propcov_budget::Budget;
use propcov_ir::{Edits, ExprId, ExprPool, Fairness, Lasso, SignalId, System, UnknownReason};
use propcov_solve::BitTrace;

/// More layers are not written down.
const MOST_LAYERS: usize = 400;

/// What is known of the fair runs of a system.
#[derive(Clone, Debug)]
pub enum FairRuns {
    /// There is this one.
    One(Lasso),
    /// There is none. Why, or why that is not written down.
    None(Result<Layers, String>),
}

/// The reachable states of a system without fair runs, in layers. All of them are in the last one.
#[derive(Clone, Debug)]
pub struct Layers {
    /// Owns the sets.
    pub exprs: ExprPool,
    /// Contains the reachable states.
    pub reachable: ExprId,
    /// The least first: among reachable states, the layer contains the one before, and no step leads from it to other states. The number of the fairness condition that is not met as
    /// long as a run is in the layer and not in the one before; `None` if no step stays there.
    pub layers: Vec<(ExprId, Option<usize>)>,
}

impl FairRuns {
    /// Looks for a fair run. Ticks of the budget's interrupt are lookups in the cache of the diagrams.
    ///
    /// # Errors
    /// When the budget does not suffice, something has no representation, or there is a condition of compassion.
    pub fn of(
        system: &System,
        options: &Options,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Result<FairRuns, UnknownReason> {
        if system.fairness.iter().any(|condition| matches!(condition, Fairness::Compassion(..))) {
            return Err(UnknownReason::Unsupported("compassion".to_owned()));
        }
        let options = Options { all_states: false, ..options.clone() };
        let model = Model::new(system, &Edits::none(), &[], Subject::default(), &options, budget.clone());
        let model = model.map_err(|error| match error {
            ModelError::Unsupported(what) => UnknownReason::Unsupported(what.to_string()),
            ModelError::Stop(stop) => stopped(stop),
        })?;
        let reached = Reached::new(&model, &mut |layers| observer.layers(layers)).map_err(stopped)?;
        let evaluator = Evaluator::new(system, model, reached).map_err(stopped)?;
        Search { system, budget, evaluator }.run().map_err(reason)
    }
}

/// Where bits of an answer belong in another model.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// They are those of a state.
    Current(SignalId),
    /// They are those of a state in the next step.
    Next(SignalId),
    /// They are those of a parameter.
    Parameter(SignalId),
}

impl Evaluator {
    /// The values that some states of another system can begin a fair run with, as a set of states, pairs of states, or parameters of this model. The expressions given say
    /// what belongs together in the order of variables.
    ///
    /// # Errors
    /// When the budget does not suffice, or something has no representation.
    pub fn fair_starts(
        &self,
        system: &System,
        together: &[ExprId],
        parts: &[(SignalId, Part)],
        options: &Options,
        budget: &Budget,
    ) -> Result<Bdd, Failure> {
        let options = Options { all_states: false, ..options.clone() };
        let edits = Edits::none();
        let model = Model::new(system, &edits, together, Subject::default(), &options, budget.clone());
        let model = model.map_err(|error| match error {
            ModelError::Unsupported(what) => Failure::Inputs(what.to_string()),
            ModelError::Stop(stop) => Failure::Stop(stop),
        })?;
        let reached = Reached::new(&model, &mut |_| ())?;
        let mut search = Search { system, budget, evaluator: Evaluator::new(system, model, reached)? };
        let (_, left) = search.rounds()?;
        let other = &search.evaluator.model;
        let start = other.initial.and(&left)?;
        let (mut pairs, mut gone) = (Vec::new(), Vec::new());
        for (latch, var) in other.netlist.latches.iter().zip(&other.current) {
            let (state, index) = (latch.origin.state, latch.origin.index);
            match parts.iter().find(|(own, _)| *own == state) {
                Some((_, part)) => {
                    let to = self.model.variable_of(*part, index);
                    let lost = || Failure::Broken("a part of an answer belongs nowhere".to_owned());
                    pairs.push((*var, to.ok_or_else(lost)?));
                }
                None => gone.push(*var),
            }
        }
        let kept = start.exists(&other.manager.cube(&gone))?;
        Ok(Transfer::new(&self.model.manager, pairs).copy(&kept)?)
    }
}

impl Model {
    /// The variable of a bit.
    fn variable_of(&self, part: Part, index: u32) -> Option<Var> {
        let latch = |state: SignalId| {
            self.netlist
                .latches
                .iter()
                .position(|latch| latch.origin.state == state && latch.origin.index == index)
        };
        match part {
            Part::Current(state) => latch(state).map(|latch| self.current[latch]),
            Part::Next(state) => latch(state).map(|latch| self.next[latch]),
            Part::Parameter(input) => {
                let bit = self.netlist.input_bits(&[input]).get(index as usize).copied()?;
                self.parameters.of_bit.get(&bit).copied()
            }
        }
    }
}

struct Search<'s> {
    system: &'s System,
    budget: &'s Budget,
    evaluator: Evaluator,
}

/// What a round of the fixpoint left, and which condition has to do with it.
type Left = (Bdd, Option<usize>);

impl Search<'_> {
    fn run(mut self) -> Result<FairRuns, Failure> {
        let (rounds, left) = self.rounds()?;
        let start = self.evaluator.model.initial.and(&left)?;
        match self.evaluator.pick(&start) {
            Some(state) => Ok(FairRuns::One(self.lasso(&state, left)?)),
            None if left.is_false() => Ok(FairRuns::None(self.layers(&rounds))),
            None => Err(Failure::Broken("fair states that no fair state leads to".to_owned())),
        }
    }

    /// What is left after each step of the iteration that removes something, and in the end.
    fn rounds(&mut self) -> Result<(Vec<Left>, Bdd), Stop> {
        let conditions = self.evaluator.model.fairness.justice.clone();
        let fixpoints = self.evaluator.fixpoints();
        let mut left = self.evaluator.reached.all.clone();
        let mut rounds = Vec::new();
        loop {
            let before = left.clone();
            for position in 0..conditions.len().max(1) {
                let (stays, condition) = match conditions.get(position) {
                    Some(condition) => {
                        let steps = fixpoints.before_by(condition, &left)?.and(&left)?;
                        (fixpoints.until(&left, &steps)?, Some(position))
                    }
                    None => (fixpoints.before(&left)?.and(&left)?, None),
                };
                if stays != left {
                    rounds.push((stays.clone(), condition));
                }
                left = stays;
                if left.is_false() {
                    return Ok((rounds, left));
                }
            }
            if left == before {
                return Ok((rounds, left));
            }
        }
    }

    fn layers(&self, rounds: &[Left]) -> Result<Layers, String> {
        if rounds.len() > MOST_LAYERS {
            return Err("too many layers of states".to_owned());
        }
        let Evaluator { model, reached, .. } = &self.evaluator;
        let mut sets = Sets::new(self.system);
        let reachable = sets.write(model, &reached.all)?;
        let mut layers = Vec::with_capacity(rounds.len());
        for (left, condition) in rounds {
            // What it says of other states is left open.
            let gone = !left;
            let small = gone.restrict(&reached.all).map_err(|stop| stopped(stop).to_string())?;
            let small = if small.node_count() <= gone.node_count() { small } else { gone };
            layers.push((sets.write(model, &small)?, *condition));
        }
        Ok(Layers { exprs: sets.exprs, reachable, layers })
    }

    fn lasso(&self, from: &[bool], fair: Bdd) -> Result<Lasso, Failure> {
        let lost = || Failure::Broken("there is no path where the sets say that there is one".to_owned());
        let fair = Globally { states: fair.clone(), recurrent: fair };
        let path = self.evaluator.lasso(&from.to_vec(), &fair)?.ok_or_else(lost)?;
        let loop_to = path.loop_to.ok_or_else(lost)?;
        let netlist = &self.evaluator.model.netlist;
        let steps = Steps::new(netlist, self.budget.clone());
        let bits = steps.complete(&path.states, &path.conditions, path.loop_to)?.ok_or_else(lost)?;
        let trace = BitTrace { steps: bits }
            .complete(netlist, self.system, &Edits::none())
            .map_err(|error| Failure::Broken(error.to_string()))?;
        Ok(Lasso { trace, loop_to })
    }
}
