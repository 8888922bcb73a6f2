//! From a question to an analysis: the sanity check, proofs and cores, and all of it as records.

use crate::certificate::lemma_lines;
use crate::cores::announce::{Announcer, Watcher};
use crate::cores::memory::{CoreMemory, note_reused};
use crate::cores::subject::Subject;
use crate::cover::earlier::Earlier;
use crate::cover::scene::stopped;
use crate::keeper::Keeper;
use crate::keeping::Keeping;
use crate::tested::{Testing, Tests};
use crate::{Control, Design, Share};
use propcov_coverage::cores::record::Studied;
use propcov_coverage::cores::{Analysis, Options, analyse_with};
use propcov_engine::Config;
use propcov_ir::{PropertyId, System, UnknownReason};
use propcov_result::{Assumptions, RunResult, Stop};
use propcov_verify::{Inspection, Outcome, Verdicts, Verifier, record};
use std::time::Duration;

/// What is asked, about what, and for how long.
pub(crate) struct Question<'q> {
    pub(crate) design: &'q Design,
    pub(crate) subject: &'q Subject<'q>,
    /// Those of its properties whose cores are looked for here.
    pub(crate) properties: &'q [PropertyId],
    pub(crate) timeout: Option<Duration>,
    pub(crate) seed: u64,
    /// Which properties are proved here, if they are shared out.
    pub(crate) share: Option<Share>,
    /// Nothing is to be found out.
    pub(crate) settled: bool,
}

/// What came of it.
pub(crate) struct Study<'q> {
    question: &'q Question<'q>,
    options: &'q Options,
    analysis: Analysis,
    inspection: Inspection,
    tests: Tests<'q>,
    /// How many pieces of evidence of earlier runs were accepted.
    reused: usize,
    stop: Option<Stop>,
    internal_errors: Vec<String>,
}

impl Question<'_> {
    /// Proves the properties, and looks for cores.
    pub(crate) fn study<'q>(
        &'q self,
        options: &'q Options,
        keeper: &Keeper<'_>,
        control: &'q Control<'q>,
    ) -> Study<'q> {
        let system: &System = &self.subject.measurable.system;
        let config = Config { seed: self.seed, ..Config::default() };
        let wanted = propcov_verify::Options { config, ..propcov_verify::Options::default() };
        let limits = control.limits(self.timeout);
        let verifier = Verifier::new(system, wanted, limits.clone(), control.progress)
            .with_panics(control.panics.clone());
        let (properties, universe) = (self.properties, &self.subject.universe);
        let inspection = verifier.inspect(properties);
        let earlier = match options.depth {
            None => Earlier::verdicts(&verifier, keeper, properties),
            // That a property holds in all steps is no answer to a bounded question.
            Some(_) => Earlier::default(),
        };
        let memory = CoreMemory::new(keeper, universe, properties);
        let announcer = Announcer::new(Watcher::new(system, control.progress, &memory));
        let mut tests = Tests::new(self.design.system(), verifier.options().clone(), control);
        let analysis = control.panics.guard(|| {
            analyse_with(&verifier, universe, properties, options, &announcer, |client| {
                let mut client = Testing { tests: &mut tests, client };
                let is_left = |property: PropertyId| {
                    let is_own = |share: Share| share.proves(&keeper.meanings, property);
                    self.settled || !self.share.is_none_or(is_own)
                };
                Keeping::new(keeper, earlier, properties, &mut client, control.progress)
                    .leaving(is_left)
                    .prove(&verifier)
            })
        });
        let mut internal_errors = control.panics.take();
        let reused = memory.finish();
        if analysis.is_none() && internal_errors.is_empty() {
            internal_errors.push("the search for cores crashed".to_owned());
        }
        let analysis = analysis.unwrap_or_default();
        Study {
            question: self,
            options,
            analysis,
            inspection,
            tests,
            reused,
            stop: stopped(&limits),
            internal_errors,
        }
    }
}

impl Study<'_> {
    /// The same for those who make records of it.
    pub(crate) fn studied(&self) -> Studied<'_> {
        Studied {
            system: &self.question.subject.measurable.system,
            universe: &self.question.subject.universe,
            options: self.options,
            analysis: &self.analysis,
        }
    }

    /// Adds the sanity check, verdicts and cores. Properties are what the user wrote.
    pub(crate) fn add_to(&self, result: &mut RunResult) {
        let system = self.question.design.system();
        let verdicts = Verdicts { outcomes: self.outcomes(), symbolic: None, holding: None };
        record::add_verdicts(result, system, &self.inspection, &verdicts);
        self.question.design.add_attempts(&verdicts.outcomes, result);
        self.tests.add_to(result);
        // What a proof uses is told by its cores.
        result.properties.iter_mut().for_each(|property| property.core_reason = None);
        result.run.internal_errors.extend(self.internal_errors.iter().cloned());
        let is_open = |outcome: &Outcome| !outcome.answer.is_decided();
        let studied = self.studied();
        if !studied.is_all_answered() || verdicts.outcomes.iter().any(is_open) {
            let is_shared = self.question.settled || result.run.shard.is_some();
            result.run.stop = self.stop.or(is_shared.then_some(Stop::Shard));
        }
        studied.add_to(result);
        note_reused(result, self.reused);
        note_vacuity(result);
    }

    /// The verdicts on the properties.
    fn outcomes(&self) -> Vec<Outcome> {
        let known = self.analysis.outcomes();
        let outcome = |property: &PropertyId| {
            let known = known.iter().find(|outcome| outcome.property == *property).cloned();
            let crashed = || UnknownReason::Incomplete("internal error".to_owned());
            let outcome = known.unwrap_or_else(|| Outcome::unknown(*property, crashed()));
            self.question.design.as_lasso(&self.question.subject.measurable.honest(outcome))
        };
        self.question.properties.iter().map(outcome).collect()
    }

    /// Adds what is inductive in the proof of each core, as text.
    pub(crate) fn add_invariants(&self, result: &mut RunResult) {
        let system: &System = &self.question.subject.measurable.system;
        for cores in &self.analysis.properties {
            let name = &system.property(cores.property).name;
            let property = system.invariant(cores.property).map(|expr| system.show(expr).to_string());
            let mut rows = result.cores.iter_mut();
            let Some(row) = rows.find(|row| row.property.as_ref() == Some(name)) else { continue };
            for (core, proof) in row.cores.iter_mut().zip(&cores.proofs) {
                let lemmas = proof.iter().flat_map(|proof| lemma_lines(system, &proof.invariant));
                let claims = property.iter().filter(|_| proof.is_some()).cloned();
                core.invariants = claims.chain(lemmas).collect();
            }
        }
    }
}

/// Under assumptions that conflict, what holds up to a depth says as little as what is proved.
fn note_vacuity(result: &mut RunResult) {
    let is_conflicting =
        result.gate.as_ref().is_some_and(|gate| gate.assumptions == Assumptions::Conflicting);
    let holding = result.cores.iter().filter(|row| row.holds && is_conflicting);
    let names: Vec<&String> = holding.filter_map(|row| row.property.as_ref()).collect();
    result.properties.iter_mut().filter(|one| names.contains(&&one.name)).for_each(|one| one.vacuous = true);
}
