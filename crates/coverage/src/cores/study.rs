//! All properties on their way to cores, each in its turn: [`Verifier::prove`] says when.

use super::Algorithm;
use super::analysis::{Analysis, Observer, Options, Universe};
use super::job::{Job, Setting};
use super::together::together;
use propcov_engine::{Limits, Stats};
use propcov_ir::{Proof, PropertyId, UnknownReason, Verdict};
use propcov_verify::{Client, Outcome, Verifier};
use std::thread::Scope;

/// A search for cores.
pub(super) struct Study<'a, 'scope, 'env> {
    verifier: &'a Verifier<'a>,
    setting: Setting<'a, 'scope, 'env>,
    properties: &'a [PropertyId],
    /// One for each property.
    jobs: Vec<Job<'a, 'scope, 'env>>,
}

impl<'a, 'scope, 'env> Study<'a, 'scope, 'env>
where
    'a: 'scope,
{
    pub(super) fn new(
        verifier: &'a Verifier<'a>,
        universe: &'a Universe,
        properties: &'a [PropertyId],
        options: &'a Options,
        observer: &'a dyn Observer,
        scope: &'scope Scope<'scope, 'env>,
    ) -> Study<'a, 'scope, 'env> {
        let system = verifier.system();
        let config = &verifier.options().config;
        let is_linear = propcov_certify::is_linear(system);
        let setting = Setting { system, universe, options, config, observer, is_linear, scope };
        let jobs = properties.iter().map(|property| Job::new(*property)).collect();
        Study { verifier, setting, properties, jobs }
    }

    fn position(&self, property: PropertyId) -> Option<usize> {
        self.properties.iter().position(|other| *other == property)
    }

    /// Whether a property holds, as far as was asked.
    fn is_good(&self, outcome: &Outcome) -> bool {
        let bound = self.setting.options.depth.map(UnknownReason::Bounded);
        outcome.answer.is_proved() || (bound.is_some() && outcome.answer.reason() == bound.as_ref())
    }

    /// What came of the property of a job. It may have been asked about twice, and others may have been asked about as well.
    fn outcome<'o>(&self, job: usize, outcomes: &'o [Outcome]) -> Option<&'o Outcome> {
        let is_its_own = |outcome: &&Outcome| outcome.property == self.properties[job];
        outcomes.get(job).filter(is_its_own).or_else(|| outcomes.iter().find(is_its_own))
    }

    /// Looks for cores of those that hold and that nobody has worked on: their proofs were at hand, or somebody else had them checked.
    fn catch_up(&mut self, outcomes: &[Outcome]) {
        for job in 0..self.jobs.len() {
            if let Some(outcome) = self.outcome(job, outcomes)
                && self.is_good(outcome)
                && !self.jobs[job].was_searched()
            {
                self.jobs[job].search(&self.setting, outcome, self.verifier.limits());
            }
        }
    }

    /// All that was found.
    pub(super) fn finish(mut self, outcomes: &[Outcome]) -> Analysis {
        self.catch_up(outcomes);
        let mut analysis = Analysis::default();
        let mut benches = Vec::new();
        let outcomes: Vec<Outcome> = (0..self.jobs.len())
            .map(|job| {
                let unknown = || Outcome::unknown(self.properties[job], UnknownReason::Cancelled);
                self.outcome(job, outcomes).cloned().unwrap_or_else(unknown)
            })
            .collect();
        let is_good: Vec<bool> = outcomes.iter().map(|outcome| self.is_good(outcome)).collect();
        for ((mut job, outcome), is_good) in self.jobs.into_iter().zip(outcomes).zip(is_good) {
            analysis.stats.merge(&outcome.stats);
            let is_good = is_good && job.failure.is_none();
            analysis.properties.push(job.cores(outcome, self.setting.options.depth));
            let Some(mut bench) = job.into_bench() else { continue };
            if is_good {
                bench.set_limits(self.verifier.limits());
                benches.push(bench);
            } else {
                analysis.stats.merge(&bench.stats);
            }
        }
        let options = self.setting.options;
        let is_each = benches.len() == analysis.properties.len();
        if options.together && is_each && options.algorithm != Some(Algorithm::Bvc) {
            analysis.together = together(&self.setting, &mut analysis.properties, &mut benches);
        }
        for bench in &benches {
            analysis.stats.merge(&bench.stats);
            analysis.stats.add("checks of adequacy", bench.checks);
        }
        analysis
    }
}

impl<'a, 'scope, 'env> Client for Study<'a, 'scope, 'env>
where
    'a: 'scope,
{
    fn attempt(
        &mut self,
        property: PropertyId,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<(Verdict, &'static str)> {
        self.setting.observer.progress(property, "proof", 0, 0);
        let job = self.position(property)?;
        self.jobs[job].attempt(&self.setting, limits, stats)
    }

    fn check(
        &mut self,
        property: PropertyId,
        proof: &Proof,
        ticks: u64,
    ) -> Option<Result<(), UnknownReason>> {
        let job = self.position(property)?;
        Some(self.jobs[job].first_core(&self.setting, Some(proof), ticks, self.verifier.limits()))
    }

    fn work(&mut self, outcomes: &[Outcome], limits: &Limits) {
        self.verifier.progress().stage("cores:".to_owned());
        for job in 0..self.jobs.len() {
            let Some(outcome) = self.outcome(job, outcomes) else { continue };
            if self.is_good(outcome) {
                self.jobs[job].search(&self.setting, outcome, limits);
            } else if !outcome.is_timeout() {
                self.jobs[job].close();
            }
        }
    }
}
