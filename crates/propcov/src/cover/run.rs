//! What metrics do with proofs: properties are proved once, and whatever was asked for is measured on the proofs as they come.

use crate::cover::earlier::Earlier;
use crate::cover::scene::{Measurable, Scene, part_of};
use crate::keeping::Keeping;
use crate::tested::{Testing, Tests};
use propcov_engine::Limits;
use propcov_ir::UnknownReason;
use propcov_result::{RunResult, Stop};
use propcov_verify::{Client, Outcome, Verdicts, record};

/// A metric at work on proofs.
pub(crate) trait Measure {
    /// Works on what is proved so far, within limits. It is called once, or twice if some properties take long.
    fn work(&mut self, outcomes: &[Outcome], limits: &Limits);

    /// Adds what was found to a result that has the verdicts already.
    fn finish(self: Box<Self>, result: &mut RunResult);
}

/// Has the properties of a scene proved, starting from what earlier runs left, and measured; verdicts and findings go into the result. Returns what came of
/// the properties.
pub(crate) fn prove(
    scene: &Scene<'_, '_>,
    measurable: &Measurable<'_>,
    earlier: Earlier,
    mut measures: Vec<Box<dyn Measure + '_>>,
    result: &mut RunResult,
) -> Vec<Outcome> {
    let inspection = scene.verifier.inspect(scene.properties);
    let mut tests = Tests::new(scene.design.system(), scene.verifier.options().clone(), scene.control);
    let mut client = OnProofs { measures: &mut measures };
    let mut client = Testing { tests: &mut tests, client: &mut client };
    let progress = scene.control.progress;
    let keeping = Keeping::new(scene.keeper, earlier, scene.properties, &mut client, progress)
        .leaving(|property| !scene.proves(property));
    let outcomes = keeping.prove(scene.verifier);
    let outcomes: Vec<Outcome> = outcomes.into_iter().map(|outcome| measurable.honest(outcome)).collect();
    note_search_time(&outcomes, result);
    let verdicts = Verdicts { outcomes, symbolic: None, holding: None };
    // Words that were split have other signals; otherwise properties are reported as the user wrote them.
    let reported = if scene.options.mutation.bits { scene.system } else { scene.design.system() };
    if scene.options.mutation.bits {
        record::add_verdicts(result, reported, &inspection, &verdicts);
    } else {
        let outcomes = verdicts.outcomes.iter().map(|outcome| scene.design.as_lasso(outcome)).collect();
        let shown = Verdicts { outcomes, symbolic: None, holding: None };
        record::add_verdicts(result, reported, &inspection, &shown);
        scene.design.add_attempts(&shown.outcomes, result);
    }
    tests.add_to(result);
    // Who proved a property is said there; here techniques that decide findings are counted.
    result.stats.decided_by.clear();
    for property in &mut result.properties {
        // Nobody asked for what a single proof uses.
        property.core_reason = None;
    }
    measures.into_iter().for_each(|measure| measure.finish(result));
    let reasons = verdicts.outcomes.iter().filter_map(|outcome| outcome.answer.reason());
    result.run.stop = result.run.stop.or_else(|| stop(reasons));
    verdicts.outcomes
}

/// Why properties have no verdict, if they would have one with more time.
fn stop<'r>(reasons: impl Iterator<Item = &'r UnknownReason>) -> Option<Stop> {
    let mut reasons = reasons.filter_map(|reason| match reason {
        UnknownReason::Timeout => Some(Stop::Timeout),
        UnknownReason::Memory => Some(Stop::Memory),
        UnknownReason::Cancelled => Some(Stop::Interrupted),
        _ => None,
    });
    reasons.next()
}

/// Seconds of properties that are not proved are no part of what proofs took.
fn note_search_time(outcomes: &[Outcome], result: &mut RunResult) {
    let unproved = outcomes.iter().filter(|outcome| !outcome.answer.is_proved());
    if let Some(seconds) = unproved.map(|outcome| outcome.seconds).reduce(|sum, seconds| sum + seconds) {
        result.stats.seconds.insert("search".to_owned(), record::finely_rounded(seconds));
    }
}

/// Has the metrics work on proofs in turn, each with its share of the time.
struct OnProofs<'r, 'm> {
    measures: &'r mut [Box<dyn Measure + 'm>],
}

impl Client for OnProofs<'_, '_> {
    fn work(&mut self, outcomes: &[Outcome], limits: &Limits) {
        let count = self.measures.len();
        // The bound is for those who prove.
        let limits = &limits.with_depth(None);
        for (done, measure) in self.measures.iter_mut().enumerate() {
            measure.work(outcomes, &part_of(limits, count - done));
        }
    }
}
