//! Reach as a part of a run: when properties are proved, statements are looked for that no run executes; the proofs help.

use crate::Error;
use crate::cover::run::Measure;
use crate::cover::scene::{Scene, stopped};
use crate::cover::{Metric, elements};
use crate::files::design_stem;
use crate::keeper::{Keep, Keeper, Usage};
use crate::waveform::{self, Kind, Run};
use propcov_coverage::reach::record::{self, Shown};
use propcov_coverage::reach::{Answer, Effort, Question, Survey};
use propcov_engine::Limits;
use propcov_ir::{Edits, ElementSet, PropertyId, Stimulus, System, UnknownReason};
use propcov_result::{RunResult, Stop};
use propcov_store::EARLIER;
use propcov_verify::{EngineChoice, Known, Outcome};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What tells in a run directory that properties about executions were added to a design.
pub(crate) const ASKED: &str = "reach";

/// Seconds that a check of what earlier runs left may take in any case, and the most that a file may ask for besides.
const PATIENCE: f64 = 2.0;
const LONGEST: f64 = 60.0;

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
    let mut reach =
        Reach { scene, survey: Survey::new(question), proved: None, stop: None, spent: Duration::ZERO };
    // Whoever names an engine wants to see it work.
    if matches!(scene.options.engine, EngineChoice::Portfolio) {
        reach.recall();
    }
    Ok(Some(Box::new(reach)))
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
        self.keep();
        let files = self.waveforms();
        let shown = Shown { runs: self.scene.options.mutation.traces, files: &files };
        record::add_to(&self.survey, self.scene.system, &shown, result);
        let seconds = propcov_verify::record::finely_rounded(self.spent.as_secs_f64());
        result.stats.seconds.insert("reach".to_owned(), seconds);
        result.run.stop = result.run.stop.or(self.stop);
    }
}

impl Reach<'_, '_> {
    /// The run directory, about the system in which each statement has a property: that it is never executed. What is kept so is found again, and checked by `propcov
    /// verify`, as what is kept about other properties is.
    fn keeper<'q>(&self, system: &'q System, usage: Usage) -> Keeper<'q> {
        let Scene { options, design, .. } = self.scene;
        let mut reading = design.reading(options.mutation.bits);
        reading[ASKED] = true.into();
        let keep = Keep { usage, ..options.keep.clone() };
        Keeper::open(&keep, design, system, reading)
    }

    /// Takes over what earlier runs have found out, as far as it is accepted.
    fn recall(&mut self) {
        if self.scene.options.keep.usage == Usage::Fresh {
            return;
        }
        let start = Instant::now();
        let system = self.survey.question.system.clone();
        let targets: Vec<PropertyId> =
            self.survey.question.targets.iter().map(|target| target.property).collect();
        let keeper = self.keeper(&system, Usage::IfThere);
        let recalled = keeper.recall(&targets, &[]);
        let claimed: f64 =
            recalled.proved.iter().map(|proved| proved.seconds).filter(|seconds| seconds.is_finite()).sum();
        let patience = Duration::from_secs_f64(PATIENCE + claimed.clamp(0.0, LONGEST));
        let mut limits = propcov_verify::budget(self.scene.limits());
        limits.deadline = [limits.deadline, start.checked_add(patience)].into_iter().flatten().min();
        let proofs: Vec<_> =
            recalled.proved.iter().map(|proved| (proved.property, Arc::clone(&proved.proof))).collect();
        let runs = recalled.violated.iter();
        let runs: Vec<_> = runs.map(|run| (run.property, Arc::clone(&run.run), run.steps)).collect();
        let (survey, panics) = (&mut self.survey, &self.scene.control.panics);
        if panics.guard(|| survey.recall(&proofs, &runs, &limits, EARLIER)).is_none() {
            self.survey.internal_errors.extend(panics.take());
        }
        self.spent += start.elapsed();
    }

    /// Keeps what is new: runs and proofs.
    fn keep(&self) {
        let system = &self.survey.question.system;
        let is_new = |answer: &&Answer| match answer {
            Answer::Reached { by, .. } | Answer::Dead { by, .. } => *by != EARLIER,
            Answer::Unknown(_) => false,
        };
        if self.scene.keeper.path().is_none() || !self.survey.answers.iter().any(|answer| is_new(&answer)) {
            return;
        }
        let keeper = self.keeper(system, Usage::Fresh);
        let runs: Vec<Arc<Stimulus>> =
            self.survey.runs.iter().map(|run| Arc::new(Stimulus::of(system, run))).collect();
        for (target, answer) in self.survey.question.targets.iter().zip(&self.survey.answers) {
            match answer {
                answer if !is_new(&answer) => {}
                Answer::Reached { run, step, by } => {
                    keeper.keep_reached(target.property, &runs[*run], step + 1, by)
                }
                Answer::Dead { by, proof, .. } => keeper.keep_proved(target.property, proof, by, 0.0),
                Answer::Unknown(_) => {}
            }
        }
        for note in keeper.take_notes() {
            self.scene.keeper.note(note.kind, note.text);
        }
    }

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
