//! Invariants from templates: candidates of simple shapes that fit samples of reachable steps, proved together.
//!
//! `pool` says what candidates speak about, `simulate` samples reachable steps, `families` proposes what holds in all samples, and `prover` keeps what
//! is inductive. Samples are hints and need not be right; what is found is proved.
//!
//! # References
//! T. Kahsai, Y. Ge, C. Tinelli: Instantiation-based invariant discovery. NFM 2011 (candidates from templates, refined by models).
//! M. D. Ernst et al.: The Daikon system for dynamic detection of likely invariants. Science of Computer Programming 69, 2007 (candidates from runs).

mod affine;
mod candidate;
mod families;
mod pool;
mod program;
mod prover;
mod simulate;
mod small;
#[cfg(test)]
mod tests;

use super::Problem;
use crate::{Limits, Stats};
use candidate::{Candidate, Proposals, without_subsumed};
use families::{Context, Families};
use pool::Pool;
use propcov_ir::ExprId;
use prover::{Failure, Means, Prover};
use simulate::{Samples, Simulator};

/// Random runs at the beginning, and their length.
const RUNS: usize = 32;
const LENGTH: usize = 24;
/// With fewer samples than these a solver is asked where runs begin.
const FEW: usize = 40;
/// Candidates are proposed again so often, when runs were found that refute some.
const REFINEMENTS: usize = 3;
/// Candidates are refuted by runs of so many transitions. The last one takes long, and is left out in the first round, which is to be quick; later ones need it
/// for the samples that come of it.
const DEPTHS: [usize; 3] = [0, 1, 3];
/// At most so many candidates in a round.
const CANDIDATES: usize = 1500;
/// At most so many candidates are tried again in later rounds.
const RETRIED: usize = 200;
/// At most so many guards of properties, and other guards.
const GUARDS: usize = 4;
const CASES: usize = 24;

/// What one round came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Round {
    /// Invariants: together with those known they are inductive.
    Found(Vec<ExprId>),
    /// This family has none.
    Nothing,
    /// There is no time left.
    Exhausted,
    /// There are no further families.
    Done,
}

/// The families, in the order of their rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Bounds,
    Relations,
    Clauses,
    Cases,
    Comparisons,
}

const FAMILIES: [Family; 5] =
    [Family::Bounds, Family::Relations, Family::Clauses, Family::Cases, Family::Comparisons];

/// Generates invariants of one problem, round by round.
pub struct Templates<'s> {
    pool: Pool,
    simulator: Option<Simulator>,
    samples: Samples,
    proposals: Proposals,
    prover: Prover<'s>,
    /// How many families were tried.
    tried: usize,
    /// Candidates that were not refuted, and not proved either.
    undecided: Vec<Candidate>,
    /// Steps that were simulated.
    simulated: u64,
    /// Candidates so far.
    proposed: u64,
}

impl<'s> Templates<'s> {
    /// Looks at the system. Nothing is sampled or encoded yet.
    pub fn new(problem: &mut Problem<'s>) -> Templates<'s> {
        let mut pool = Pool::new(problem);
        let simulator = Simulator::new(problem, &mut pool);
        let samples = simulator.as_ref().map(Simulator::samples).unwrap_or_default();
        Templates {
            pool,
            simulator,
            samples,
            proposals: Proposals::default(),
            prover: Prover::new(problem),
            tried: 0,
            undecided: Vec::new(),
            simulated: 0,
            proposed: 0,
        }
    }

    /// Work so far, in ticks of about a cache line touched.
    pub fn ticks(&self) -> u64 {
        self.prover.ticks() + self.simulated * 16
    }

    /// Takes the next family of candidates and proves what it can of them. `known` are invariants that were proved.
    pub fn round(
        &mut self,
        problem: &mut Problem<'s>,
        known: &[ExprId],
        limits: &Limits,
        stats: &mut Stats,
    ) -> Round {
        if self.simulator.is_none() {
            return Round::Done;
        }
        let Some(family) = FAMILIES.get(self.tried).copied() else { return Round::Done };
        self.tried += 1;
        let mut means = Means { limits, stats };
        match self.try_family(problem, family, known, &mut means) {
            Ok(lemmas) if lemmas.is_empty() => Round::Nothing,
            Ok(lemmas) => Round::Found(lemmas),
            Err(Failure::Exhausted) => Round::Exhausted,
            Err(Failure::Hard) => Round::Nothing,
            Err(Failure::NotRepresentable) => {
                self.tried = FAMILIES.len();
                Round::Done
            }
        }
    }

    fn try_family(
        &mut self,
        problem: &mut Problem<'s>,
        family: Family,
        known: &[ExprId],
        means: &mut Means<'_>,
    ) -> Result<Vec<ExprId>, Failure> {
        self.prover.require(problem, known)?;
        if self.samples.rows == 0
            && let Some(simulator) = &mut self.simulator
        {
            self.simulated += simulator.explore(RUNS, LENGTH, &mut self.samples);
            if self.samples.rows < FEW
                && let Some(trace) = self.prover.run(problem, 1, means)?
            {
                self.simulated += simulator.vary(problem, &trace, RUNS * 2, LENGTH, &mut self.samples);
            }
        }
        let mut candidates = std::mem::take(&mut self.undecided);
        for _ in 0..REFINEMENTS {
            self.propose(problem, family);
            let mut fresh = std::mem::take(&mut self.proposals.list);
            fresh.truncate(CANDIDATES);
            if fresh.is_empty() {
                break;
            }
            self.proposed += fresh.len() as u64;
            means.stats.count("templates candidates", self.proposed);
            let fresh = self.prover.drop_trivial(problem, fresh, means)?;
            let rows = self.samples.rows;
            candidates.extend(self.survivors(problem, fresh, means)?);
            if self.samples.rows == rows {
                break;
            }
        }
        let (proved, rest) = self.prover.houdini(problem, candidates, means)?;
        self.undecided = rest;
        self.undecided.truncate(RETRIED);
        let lemmas: Vec<ExprId> = without_subsumed(proved).iter().map(|candidate| candidate.expr).collect();
        self.prover.require(problem, &lemmas)?;
        Ok(lemmas)
    }

    /// What no short run refutes. Initial steps have to be decided; longer runs only help.
    fn survivors(
        &mut self,
        problem: &Problem<'s>,
        mut candidates: Vec<Candidate>,
        means: &mut Means<'_>,
    ) -> Result<Vec<Candidate>, Failure> {
        let Templates { prover, simulator, samples, simulated, tried, .. } = self;
        let depths = if *tried == 1 { &DEPTHS[..2] } else { &DEPTHS[..] };
        for depth in depths.iter().copied() {
            let see = |trace: &propcov_ir::Trace| {
                if let Some(simulator) = simulator {
                    *simulated += simulator.replay(problem, trace, 4, samples);
                }
            };
            let kept = candidates.clone();
            candidates = match prover.base(problem, depth, candidates, means, see) {
                Err(Failure::Hard) if depth > 0 => return Ok(kept),
                answer => answer?,
            };
        }
        Ok(candidates)
    }

    fn propose(&mut self, problem: &mut Problem<'s>, family: Family) {
        let contexts = self.contexts(problem, family);
        let mut families = Families {
            exprs: &mut problem.exprs,
            pool: &self.pool,
            samples: &self.samples,
            proposals: &mut self.proposals,
        };
        if family == Family::Bounds {
            families.goals();
        }
        let all = usize::MAX;
        for context in &contexts {
            match family {
                Family::Bounds => {
                    families.constants(context);
                    families.bounds(context, all);
                }
                Family::Relations => {
                    families.equations(context);
                    families.pairs(context);
                }
                Family::Clauses => families.clauses(context, self.pool.plain_booleans, 600),
                Family::Cases => {
                    families.equations(context);
                    families.bounds(context, self.pool.key_numbers);
                }
                Family::Comparisons => families.clauses(context, all, 600),
            }
        }
    }

    /// The contexts in which a family is looked for.
    fn contexts(&self, problem: &mut Problem<'s>, family: Family) -> Vec<Context> {
        let all = Context::all(&self.samples);
        let mut contexts = vec![all.clone()];
        for guard in self.pool.guards.iter().take(GUARDS) {
            contexts.extend(self.restricted(problem, &all, *guard, true));
        }
        if family != Family::Cases {
            return contexts;
        }
        let mut cases = Vec::new();
        for context in &contexts {
            let mut found = Vec::new();
            for mode in &self.pool.modes {
                found.extend(self.restricted(problem, context, *mode, true));
            }
            for boolean in &self.pool.booleans[..self.pool.key_booleans] {
                for holds in [true, false] {
                    if !self.pool.modes.contains(boolean) && !context.guards.contains(boolean) {
                        found.extend(self.restricted(problem, context, *boolean, holds));
                    }
                }
            }
            found.truncate(CASES);
            cases.extend(found);
        }
        cases
    }

    /// The part of a context in which a Boolean of the pool holds, or does not.
    fn restricted(
        &self,
        problem: &mut Problem<'s>,
        context: &Context,
        boolean: ExprId,
        holds: bool,
    ) -> Option<Context> {
        let at = self.pool.booleans.iter().position(|other| *other == boolean)?;
        let literal = if holds { boolean } else { problem.exprs.not(boolean) };
        context.restricted(literal, &self.samples.booleans[at], holds)
    }
}
