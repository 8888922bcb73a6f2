//! `propcov refine`: does a specification simulate an implementation, and which labels of it does it constrain? [`ModelPair::refine_with`] is the list of steps.
//!
//! Each model is a labelled graph, or a finite design whose reachable states are one. States are listed and compared one by one, with evidence for everything that is said; where there are too
//! many to list, sets of states are compared by decision diagrams.

mod listing;
mod mutants;
mod options;
mod picture;
mod propositions;
mod reading;
mod recheck;
mod source;
mod symbolic;

pub use options::{RefineAlgorithm, RefineOptions};
pub use reading::ModelPair;

use crate::date::date;
use crate::{Control, Error, material};
use listing::Unlisted;
use propcov_coverage::refine::record::{self, METRIC};
use propcov_coverage::refine::{Algorithm, Survey};
use propcov_engine::Limits;
use propcov_ir::printable;
use propcov_report::Material;
use propcov_result::{Note, NoteKind, Refinement, RunResult};
use propcov_verify::record::{finely_rounded, rounded};
use propcov_verify::{Progress, budget};
use reading::Model;
use std::path::Path;
use std::time::{Instant, SystemTime};

/// Finds out whether a specification simulates an implementation, and which labels of the implementation it covers.
///
/// ```
/// # fn main() -> Result<(), propcov::Error> {
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).expect("the checkout");
/// let options = propcov::RefineOptions::default();
/// let result = propcov::refine("examples/refine/server.dot", "examples/refine/protocol.dot", &options)?;
/// let refinement = result.refinement.as_ref().expect("what refine is about");
/// assert_eq!((refinement.simulates, refinement.certified), (Some(true), true));
/// let share = result.share("simulation", &propcov::result::Scope::All).expect("labels");
/// println!("{} of {} labels covered: {}", share.tally.covered, share.total, share.percent_text());
/// # assert_eq!(share.percent_text(), "75.00 %");
/// # Ok(())
/// # }
/// ```
pub fn refine(
    implementation: impl AsRef<Path>,
    specification: impl AsRef<Path>,
    options: &RefineOptions,
) -> Result<RunResult, Error> {
    refine_with(implementation, specification, options, &Control::default())
}

/// The same, for those who want to stop or watch it.
pub fn refine_with(
    implementation: impl AsRef<Path>,
    specification: impl AsRef<Path>,
    options: &RefineOptions,
    control: &Control<'_>,
) -> Result<RunResult, Error> {
    ModelPair::read(implementation, specification, options)?.refine_with(options, control)
}

impl ModelPair {
    /// Finds out what there is to find out about two models, state by state if that is possible. The options are those with which they were read.
    pub fn refine_with(self, options: &RefineOptions, control: &Control<'_>) -> Result<RunResult, Error> {
        Ok(self.refine_and_draw(options, control)?.0)
    }

    /// The same, with what a report shows besides: a picture of the implementation, if it is small enough.
    pub fn refine_and_draw(
        self,
        options: &RefineOptions,
        control: &Control<'_>,
    ) -> Result<(RunResult, Material), Error> {
        let mut run = Run {
            options,
            limits: control.limits(options.timeout),
            progress: control.progress,
            result: self.result(options),
        };
        // Reading is over, and began with the run.
        run.add_seconds("read", control.start);
        let survey = run.study(self)?;
        let mut result = run.finish(survey.as_ref());
        if let Some(path) = &options.picture {
            match picture::write(path, &result, survey.as_ref()) {
                Ok(()) => result.run.files.push(path.display().to_string()),
                Err(why) => result.notes.push(error(format!("--picture {}: {why}", path.display()))),
            }
        }
        result.stats.seconds.values_mut().for_each(|seconds| *seconds = finely_rounded(*seconds));
        result.run.seconds = rounded(control.start.elapsed().as_secs_f64());
        result.run.arguments.clone_from(&control.arguments);
        let picture = survey.as_ref().and_then(|survey| picture::small(&result, survey));
        Ok((result, Material { picture, ..material::empty() }))
    }

    /// A result that says nothing yet but what was read.
    fn result(&self, options: &RefineOptions) -> RunResult {
        let mut result = RunResult::new("refine", options.seed);
        result.run.date = Some(date(SystemTime::now()));
        result.run.metrics = vec![METRIC.to_owned()];
        for note in self.implementation.warnings.iter().chain(&self.specification.warnings) {
            // The same file may be on both sides.
            if !result.notes.contains(note) {
                result.notes.push(note.clone());
            }
        }
        result.refinement = Some(Refinement {
            implementation: self.implementation.record(),
            specification: self.specification.record(),
            propositions: self.propositions.clone(),
            extra: self.extra.clone(),
            left_out: self.left_out.clone(),
            algorithm: options.algorithm.unwrap_or_default().name().to_owned(),
            ..Refinement::default()
        });
        result
    }
}

/// A run, and what it has found so far.
struct Run<'r> {
    options: &'r RefineOptions,
    limits: Limits,
    progress: &'r dyn Progress,
    result: RunResult,
}

impl Run<'_> {
    /// Finds out what there is to find out; what is known of single states is returned.
    fn study(&mut self, models: ModelPair) -> Result<Option<Survey>, Error> {
        if self.options.algorithm == Some(RefineAlgorithm::Symbolic) {
            return self.study_sets(models, None);
        }
        let algorithm = self.options.algorithm.and_then(RefineAlgorithm::enumerative);
        self.progress.stage("listing states".to_owned());
        let start = Instant::now();
        let listing = listing::list(&models, self.options, &budget(&self.limits));
        self.add_seconds("read", start);
        match listing {
            Ok(listing) => {
                drop(models);
                let survey = self.survey(listing, algorithm.unwrap_or(Algorithm::Divide));
                let refinement = self.refinement();
                refinement.simulates = survey.simulates();
                refinement.certified = refinement.simulates.is_some();
                for (proposition, tally) in survey.tallies() {
                    let name = &survey.pair.implementation().propositions()[proposition as usize];
                    if survey.simulates() == Some(true) {
                        record::add_share(&mut self.result, name, tally, true);
                    }
                }
                Ok(Some(survey))
            }
            Err(Unlisted::Error(error)) => Err(error),
            Err(Unlisted::TooMany(why))
                if self.options.algorithm.is_none() && !budget(&self.limits).is_exhausted() =>
            {
                let text = format!("{why}, so sets of states are computed instead (--algorithm symbolic)");
                self.result.notes.push(Note { kind: NoteKind::Note, text, place: None });
                self.study_sets(models, Some(why))
            }
            Err(Unlisted::TooMany(why)) => {
                record::undecided(self.refinement(), &format!("states could not be listed: {why}"));
                Ok(None)
            }
        }
    }

    fn survey(&self, listing: listing::Listing, algorithm: Algorithm) -> Survey {
        let questions = listing.questions(self.options, algorithm, budget(&self.limits));
        Survey::new(listing.pair, questions, self.progress)
    }

    /// The result, with all that is known.
    fn finish(mut self, survey: Option<&Survey>) -> RunResult {
        if let Some(survey) = survey {
            survey.add_to(&mut self.result, self.options.relation);
        }
        self.waive(survey.is_some());
        if self.refinement().simulates == Some(true) {
            record::add_headline(&mut self.result, self.options.threshold);
        } else if !self.options.explain.is_empty() {
            let text = "--explain is about coverage, and there is none to explain".to_owned();
            self.result.notes.push(Note { kind: NoteKind::Note, text, place: None });
        }
        let (limits, refinement) = (self.limits.clone(), self.refinement());
        let observed = |share: &propcov_result::Share| match &share.scope {
            propcov_result::Scope::Proposition(name) => Some(name.clone()),
            _ => None,
        };
        let is_stopped = refinement.reason.is_some() && budget(&limits).is_exhausted();
        let names: Vec<String> = self.result.shares.iter().filter_map(observed).collect();
        self.refinement().observed = names;
        if is_stopped {
            self.result.run.stop = crate::cover::scene::stopped(&limits);
        }
        self.result
    }

    /// Applies the user's waivers to labels that are known one by one.
    fn waive(&mut self, are_listed: bool) {
        let options = self.options;
        if options.waivers.is_empty() {
            return;
        }
        let has_labels = options.waivers.iter().any(propcov_result::Waiver::is_about_labels);
        if !are_listed && has_labels {
            let text = "waivers of labels waive nothing where sets of states are computed".to_owned();
            self.result.notes.push(Note { kind: NoteKind::Warning, text, place: None });
        }
        let today = options.today.clone().unwrap_or_else(crate::date::today);
        let propositions = self.refinement().propositions.clone();
        // Sets of states are no states with a name.
        let waivers = if are_listed { options.waivers.clone() } else { Vec::new() };
        self.result.waive_labels(waivers, &propositions, options.mutants.is_none(), &today);
        self.result.note_waivers();
    }

    fn refinement(&mut self) -> &mut Refinement {
        self.result.refinement.get_or_insert_default()
    }

    /// Adds the time since then.
    fn add_seconds(&mut self, phase: &str, since: Instant) {
        *self.result.stats.seconds.entry(phase.to_owned()).or_default() += since.elapsed().as_secs_f64();
    }

    /// Why there is no answer where the budget did not suffice.
    fn out_of_budget(&self) -> String {
        out_of_budget(&budget(&self.limits)).to_owned()
    }
}

/// Why there is no answer where the budget did not suffice.
fn out_of_budget(budget: &propcov_budget::Budget) -> &'static str {
    match budget.stop() {
        Some(propcov_budget::Stop::Cancelled) => "interrupted",
        Some(propcov_budget::Stop::Memory) => "out of memory",
        _ => "out of time",
    }
}

/// That something that was asked for could not be done.
fn error(text: String) -> Note {
    Note { kind: NoteKind::Error, text, place: None }
}

/// What the user has to mend. Names in it come from files.
fn usage(text: impl AsRef<str>) -> Error {
    Error::Usage(printable(text.as_ref()).into_owned())
}

/// What to say of a design without initial state.
fn no_initial_state(model: &Model) -> Error {
    usage(format!("{}: there is no initial state", model.path))
}

/// What to say of a state of a design that has no successor.
fn dead_end(model: &Model, state: &str) -> Error {
    usage(format!(
        "{}: the state `{state}` has no successor; simulation is about runs that go on for ever (--complete gives such states a loop)",
        model.path
    ))
}
