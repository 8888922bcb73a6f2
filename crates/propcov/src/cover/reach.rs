//! Reach as a part of a run: when properties are proved, statements are looked for that no run executes; the proofs help.

use crate::Error;
use crate::cover::run::Measure;
use crate::cover::scene::{Scene, stopped};
use crate::cover::{Metric, elements};
use crate::files::design_stem;
use crate::waveform::{self, Kind, Run};
use propcov_coverage::reach::record::{self, Shown};
use propcov_coverage::reach::{Answer, Effort, Question, Survey};
use propcov_engine::Limits;
use propcov_ir::{Edits, ElementSet, System, UnknownReason};
use propcov_result::{RunResult, Stop};
use propcov_verify::{Known, Outcome};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Statements on their way to runs and proofs.
struct Reach<'a, 's> {
    scene: &'a Scene<'a, 's>,
    survey: Survey,
    /// How many properties were proved when somebody last looked.
    proved: Option<usize>,
    /// Why not everything is decided.
    stop: Option<Stop>,
    spent: Duration,
}

/// Why a design has nothing to reach, if it has not.
pub(crate) fn unfit(system: &System) -> Option<String> {
    system.executions().is_empty().then(|| {
        "reach is about statements that are executed, and this design has none: only SystemVerilog has"
            .to_owned()
    })
}

/// Begins to measure.
pub(crate) fn begin<'a, 's>(
    scene: &'a Scene<'a, 's>,
    _: &'static Metric,
) -> Result<Option<Box<dyn Measure + 'a>>, Error> {
    // Where nothing is said, all that is executed is in question.
    let selected: Option<ElementSet> =
        match (scene.options.elements.as_slice(), scene.options.exclude.as_slice()) {
            ([], []) => None,
            ([], exclude) => {
                Some(elements::select(scene.system, &["all".to_owned()], exclude)?.into_iter().collect())
            }
            _ => Some(scene.elements()?.into_iter().collect()),
        };
    let is_wanted = |element| selected.as_ref().is_none_or(|selected| selected.contains(element));
    let question = Question::new(scene.system, is_wanted);
    let survey = Survey::new(question);
    Ok(Some(Box::new(Reach { scene, survey, proved: None, stop: None, spent: Duration::ZERO })))
}

impl Measure for Reach<'_, '_> {
    fn work(&mut self, outcomes: &[Outcome], limits: &Limits) {
        let start = Instant::now();
        let known: Vec<Known> = outcomes.iter().filter_map(known).collect();
        if self.proved == Some(known.len()) && self.stop.is_none() {
            return;
        }
        self.proved = Some(known.len());
        let Scene { options, control, is_chosen, .. } = self.scene;
        let effort = Effort {
            engine: options.engine,
            effort: options.effort,
            is_brief: *is_chosen,
            seed: options.seed,
            limits: limits.with_depth(options.bound),
            progress: control.progress,
            panics: control.panics.clone(),
        };
        let survey = &mut self.survey;
        if control.panics.guard(|| survey.work(&known, &effort)).is_none() {
            self.survey.internal_errors.extend(control.panics.take());
        }
        let is_open = |answer: &Answer| matches!(answer, Answer::Unknown(reason) if !matches!(reason, UnknownReason::Bounded(_)));
        self.stop = stopped(limits).filter(|_| self.survey.answers.iter().any(is_open));
        self.spent += start.elapsed();
    }

    fn finish(self: Box<Self>, result: &mut RunResult) {
        let files = self.waveforms();
        let shown = Shown { runs: self.scene.options.mutation.traces, files: &files };
        record::add_to(&self.survey, self.scene.system, &shown, result);
        let seconds = propcov_verify::record::finely_rounded(self.spent.as_secs_f64());
        result.stats.seconds.insert("reach".to_owned(), seconds);
        result.run.stop = result.run.stop.or(self.stop);
    }
}

impl Reach<'_, '_> {
    /// Writes each run into the run directory, if there is one; their paths.
    fn waveforms(&self) -> Vec<Option<String>> {
        let system = &self.survey.question.system;
        let edits = Edits::none();
        let mut files = Vec::with_capacity(self.survey.runs.len());
        for (at, run) in self.survey.runs.iter().enumerate() {
            let comment = "a run that executes statements; time is the step";
            let shown = [Run { scope: "design", edits: &edits, trace: run }];
            let Ok(bytes) = waveform::runs(system, self.scene.properties, &[], comment, &shown, Kind::Vcd)
            else {
                files.push(None);
                continue;
            };
            let stem = format!("{}-reach-{}", design_stem(self.scene.design.name()), at + 1);
            files.push(match self.scene.keeper.keep_waveform(&stem, &bytes) {
                Some(Ok(path)) => Some(path.display().to_string()),
                Some(Err(error)) => {
                    self.scene.keeper.failed(&error, "not all runs were kept");
                    break;
                }
                None => break,
            });
        }
        files
    }
}

/// The proof of a property, for others to use.
fn known(outcome: &Outcome) -> Option<Known> {
    let proof = outcome.answer.proof().filter(|_| outcome.certified)?;
    let seconds = Some(outcome.seconds);
    Some(Known {
        property: outcome.property,
        proof: Arc::new(proof.clone()),
        engine: outcome.engine,
        depth: outcome.depth,
        seconds,
    })
}
