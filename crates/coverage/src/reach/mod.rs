//! Reach: which statements does any run execute?
//!
//! For each way in which an element can be [executed](propcov_ir::Execution) there is a run that does it, or a proof that none does: the element is *dead* that way.
//! Dead logic is no hole in what properties check, as nobody can get there; but assumptions that are too strong show up here, so each dead way comes with
//! the assumptions to blame (`blame`).
//!
//! Each condition becomes a property of the system that says that it never holds ([`System::add_cover`]); conditions that are the same are asked about once.
//! Then what is cheap is done for all of them before what is dear is begun for one:
//!
//! 1. Random runs (`simulate`), many at a time: one run reaches many targets.
//! 2. The properties are decided [together](propcov_verify): one unrolling with one question about all that are open, induction and IC3 of all together, and
//!    what is left each by itself. Properties of the design that are proved help.
//!
//! What an earlier run has found out is taken over ([`Survey::recall`]) once the checker has accepted it; only who is to blame is asked again, as there is no evidence that
//! a set is minimal but to ask engines.
//!
//! A run is [replayed](propcov_certify::check_run), a proof is certified, on the system as the user wrote it with the conditions added.

mod blame;
mod question;
pub mod record;
mod simulate;

pub use blame::Blame;
pub use question::{Question, Target};

use crate::mutation::{Standing, recheck_proofs};
use propcov_budget::Budget;
use propcov_certify::check_run;
use propcov_engine::{Config, Limits, Stats};
use propcov_ir::{Proof, PropertyId, Stimulus, System, Trace, UnknownReason};
use propcov_verify::{EngineChoice, Known, Options, Outcome, PanicLog, Progress, Verifier};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Who has reached a target by chance.
const BY_CHANCE: &str = "simulation";

/// How much is done, and who hears of it.
pub struct Effort<'a> {
    /// Who decides what chance does not reach.
    pub engine: EngineChoice,
    /// How hard to try.
    pub effort: propcov_verify::Effort,
    /// Whether one short attempt at each target is enough.
    pub is_brief: bool,
    /// The seed of random choices.
    pub seed: u64,
    /// When to stop.
    pub limits: Limits,
    /// Who hears what is being done.
    pub progress: &'a dyn Progress,
    /// Where crashes are recorded.
    pub panics: PanicLog,
}

/// What is known of a target.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A run gets there.
    Reached {
        /// The run, by position in [`Survey::runs`].
        run: usize,
        /// The step of it.
        step: usize,
        /// Who found it.
        by: &'static str,
    },
    /// No run does.
    Dead {
        /// Who proved it.
        by: &'static str,
        /// The proof, which the checker has accepted.
        proof: Arc<Proof>,
        /// Which assumptions are to blame.
        blame: Blame,
    },
    /// Not known.
    Unknown(UnknownReason),
}

/// What is known of all targets.
#[derive(Debug)]
pub struct Survey {
    /// What is asked.
    pub question: Question,
    /// What is known of each target, in their order.
    pub answers: Vec<Answer>,
    /// Runs that reach targets.
    pub runs: Vec<Arc<Trace>>,
    /// Dead targets of which nobody has asked who is to blame.
    blameless: Vec<usize>,
    /// What it took.
    pub stats: Stats,
    /// What went wrong inside propcov.
    pub internal_errors: Vec<String>,
}

impl Survey {
    /// Nothing is known yet.
    pub fn new(question: Question) -> Survey {
        let unknown = Answer::Unknown(UnknownReason::Cancelled);
        let answers = vec![unknown; question.targets.len()];
        Survey {
            question,
            answers,
            runs: Vec::new(),
            blameless: Vec::new(),
            stats: Stats::default(),
            internal_errors: Vec::new(),
        }
    }

    /// Takes over what others have found out before, as far as the checker accepts it: proofs that a target is dead, and runs of so many steps that end at it.
    /// Returns how many were not accepted.
    pub fn recall(
        &mut self,
        proofs: &[(PropertyId, Arc<Proof>)],
        runs: &[(PropertyId, Arc<Stimulus>, usize)],
        limits: &Budget,
        by: &'static str,
    ) -> usize {
        let system = self.question.system.clone();
        let targets = self.question.targets.iter().enumerate();
        let position: FxHashMap<PropertyId, usize> =
            targets.map(|(at, target)| (target.property, at)).collect();
        let mut rejected = 0;
        for (property, stimulus, steps) in runs {
            let Some(at) = position.get(property).copied().filter(|at| self.is_open(*at)) else { continue };
            let run = stimulus.trace(&system, *steps).ok();
            let reached = |run: &Trace| matches!(check_run(&system, &[*property], run), Ok(steps) if steps[0].is_some());
            match run.filter(reached) {
                Some(run) => {
                    let step = run.depth();
                    self.answers[at] = Answer::Reached { run: self.run(Arc::new(run)), step, by };
                }
                None => rejected += 1,
            }
        }
        let mut newest: FxHashMap<PropertyId, &Arc<Proof>> = FxHashMap::default();
        for (property, proof) in proofs {
            if position.get(property).is_some_and(|at| self.is_open(*at)) {
                newest.entry(*property).or_insert(proof);
            }
        }
        let mut claims: Vec<(PropertyId, &Arc<Proof>)> = newest.into_iter().collect();
        claims.sort_unstable_by_key(|(property, _)| *property);
        let pairs: Vec<(PropertyId, &Proof)> = claims.iter().map(|(id, proof)| (*id, &***proof)).collect();
        let accepted = recheck_proofs(&system, &pairs, limits);
        for ((property, proof), standing) in claims.into_iter().zip(accepted) {
            match standing {
                Standing::Accepted => {
                    let at = position[&property];
                    self.blameless.push(at);
                    self.answers[at] = Answer::Dead { by, proof: Arc::clone(proof), blame: Blame::Nobody };
                }
                Standing::Rejected => rejected += 1,
                Standing::Postponed => {}
            }
        }
        rejected
    }

    fn is_open(&self, at: usize) -> bool {
        matches!(self.answers[at], Answer::Unknown(_))
    }

    /// Finds out what is not known yet. Proofs of properties of the design help.
    pub fn work(&mut self, known: &[Known], effort: &Effort<'_>) {
        let open: Vec<usize> = (0..self.answers.len()).filter(|at| self.is_open(*at)).collect();
        // Who is to blame for what was proved earlier is asked again.
        let mut dead = std::mem::take(&mut self.blameless);
        if open.is_empty() {
            return self.blame(&dead, effort);
        }
        let properties: Vec<PropertyId> = open.iter().map(|at| self.question.targets[*at].property).collect();
        effort.progress.stage("reach:".to_owned());
        let fates = self.fates(&self.question.system.clone(), &properties, known, effort);
        for (at, fate) in open.into_iter().zip(fates) {
            self.answers[at] = match fate {
                Fate::Reached { run, step, by } => Answer::Reached { run: self.run(run), step, by },
                Fate::Dead { by, proof } => {
                    dead.push(at);
                    Answer::Dead { by, proof, blame: Blame::Nobody }
                }
                Fate::Unknown(reason) => Answer::Unknown(reason),
            };
        }
        self.blame(&dead, effort);
    }

    /// The position of a run, which may be there already.
    fn run(&mut self, run: Arc<Trace>) -> usize {
        let known = self.runs.iter().position(|known| Arc::ptr_eq(known, &run) || *known == run);
        known.unwrap_or_else(|| {
            self.runs.push(run);
            self.runs.len() - 1
        })
    }

    /// What becomes of targets on a system: that of the question, or the same without some assumptions.
    fn fates(
        &mut self,
        system: &System,
        targets: &[PropertyId],
        known: &[Known],
        effort: &Effort<'_>,
    ) -> Vec<Fate> {
        let mut fates: Vec<Fate> = targets.iter().map(|_| Fate::Unknown(UnknownReason::Cancelled)).collect();
        let runs = effort.panics.guard(|| simulate::runs(system, targets, effort)).unwrap_or_default();
        for run in runs {
            // The checker says what a run is worth.
            let Ok(violations) = check_run(system, targets, &run) else {
                self.internal_errors.push("a random run was rejected by the checker".to_owned());
                continue;
            };
            let run = Arc::new(run);
            for (fate, step) in fates.iter_mut().zip(violations) {
                if let (Fate::Unknown(_), Some(step)) = (&fate, step) {
                    *fate = Fate::Reached { run: run.clone(), step, by: BY_CHANCE };
                }
            }
        }
        let is_open = |at: &usize| matches!(fates[*at], Fate::Unknown(_));
        let open: Vec<usize> = (0..fates.len()).filter(is_open).collect();
        if open.is_empty() {
            return fates;
        }
        let asked: Vec<PropertyId> =
            known.iter().map(|known| known.property).chain(open.iter().map(|at| targets[*at])).collect();
        let config = Config { seed: effort.seed, ..Config::default() };
        let options = Options { engine: effort.engine, effort: effort.effort, config, ..Options::default() };
        let verifier = Verifier::new(system, options, effort.limits.clone(), effort.progress)
            .with_panics(effort.panics.clone())
            .with_known(known);
        let verifier = if effort.is_brief { verifier.briefly() } else { verifier };
        let outcomes = verifier.decide(&asked, &mut |_| {}).outcomes;
        for (at, outcome) in open.into_iter().zip(outcomes.into_iter().skip(known.len())) {
            self.stats.merge(&outcome.stats);
            self.internal_errors.extend(outcome.internal_errors.iter().cloned());
            fates[at] = Fate::of(&outcome);
        }
        fates
    }
}

/// What becomes of a target.
#[derive(Clone, Debug)]
enum Fate {
    Reached { run: Arc<Trace>, step: usize, by: &'static str },
    Dead { by: &'static str, proof: Arc<Proof> },
    Unknown(UnknownReason),
}

impl Fate {
    /// Only what is certified counts.
    fn of(outcome: &Outcome) -> Fate {
        let by = outcome.engine.unwrap_or("nobody");
        match (outcome.answer.trace(), outcome.answer.reason()) {
            _ if !outcome.certified => {
                let reason = outcome.answer.reason().cloned();
                Fate::Unknown(reason.unwrap_or(UnknownReason::Cancelled))
            }
            (Some(trace), _) => Fate::Reached { run: Arc::new(trace.clone()), step: trace.depth(), by },
            (None, Some(reason)) => Fate::Unknown(reason.clone()),
            (None, None) => match outcome.answer.proof() {
                Some(proof) => Fate::Dead { by, proof: Arc::new(proof.clone()) },
                None => Fate::Unknown(UnknownReason::Cancelled),
            },
        }
    }
}
