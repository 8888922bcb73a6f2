//! `propcov check`: from a design to certified verdicts. [`Design::check_with`] is the list of steps.

use crate::advice::AdviceFile;
use crate::certificate::Directory;
use crate::tested::Tests;
use crate::{Control, Design, Error, counting};
use propcov_budget::Effort;
use propcov_engine::Config;
use propcov_frontend::verilog::sva::ToldPart;
use propcov_ir::Trace;
use propcov_result::{Attempt, AttemptPart, Note, NoteKind, RunResult};
use propcov_verify::{EngineChoice, Options, Outcome, Verdicts, Verifier, record};
use std::path::PathBuf;
use std::time::Duration;

/// What is asked of `check`.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// These properties only; all of them if empty.
    pub properties: Vec<String>,
    /// Who decides.
    pub engine: EngineChoice,
    /// Unroll at most so many transitions, or open at most so many frames.
    pub bound: Option<u32>,
    /// Try inductions of this length first, besides those of a single step.
    pub depth: Option<u32>,
    /// Stop after this time.
    pub timeout: Option<Duration>,
    /// How hard to try where there is no such time.
    pub effort: Effort,
    /// Give up on a property after so many conflicts of an engine.
    pub conflicts: Option<u64>,
    /// Let k-induction require pairwise different states.
    pub simple_path: bool,
    /// The seed of all random choices.
    pub seed: u64,
    /// Find out which elements proofs use.
    pub core: bool,
    /// Have inputs of counterexamples change as seldom as possible.
    pub smooth: bool,
    /// Count states where decision diagrams have them.
    pub count_states: bool,
    /// A file with lemmas of earlier runs, which gets those of this run.
    pub advice: Option<PathBuf>,
    /// A directory for certificates and waveforms.
    pub certificate: Option<PathBuf>,
}

/// A result, and the evidence that it rests on.
#[derive(Debug)]
pub struct Checked {
    /// What was found out.
    pub result: RunResult,
    /// The same with proofs and runs.
    pub verdicts: Verdicts,
}

impl Design {
    /// Proves or refutes the properties, after the sanity check.
    pub fn check(&self, options: &CheckOptions) -> Result<RunResult, Error> {
        Ok(self.check_with(options, &Control::default())?.result)
    }

    /// The same, for those who want to stop or watch it, or to have the evidence.
    pub fn check_with(&self, options: &CheckOptions, control: &Control<'_>) -> Result<Checked, Error> {
        let system = self.system();
        let properties = self.select(&options.properties)?;
        let advice = match &options.advice {
            Some(path) => Some(AdviceFile::open(path, system)?),
            None => None,
        };
        let mut result = self.result("check", options.seed, control);
        result.notes.extend(self.warnings());
        let directory = options
            .certificate
            .as_deref()
            .and_then(|path| Directory::create(path).map_err(|error| result.notes.push(error.note())).ok());

        let mut limits = control.limits(options.timeout);
        limits.conflicts = options.conflicts;
        limits.depth = options.bound;
        let wanted = Options {
            engine: options.engine,
            effort: options.effort,
            config: Config { seed: options.seed, simple_path: options.simple_path, depth: options.depth },
            with_core: options.core,
            smooth: options.smooth,
            with_counts: options.count_states,
        };
        let asked = wanted.clone();
        let mut verifier =
            Verifier::new(system, wanted, limits, control.progress).with_panics(control.panics.clone());
        let known = advice.as_ref().map(|advice| advice.known(&verifier, &properties)).unwrap_or_default();
        if let Some(advice) = &advice {
            verifier = verifier.with_lemmas(advice.lemmas()).with_known(&known);
        }
        let inspection = verifier.inspect(&properties);
        let limits = verifier.limits().clone();
        let mut counting = counting::Verdicts::new(control.progress, system, properties.len());
        let verdicts = verifier.decide(&properties, &mut |outcome| counting.heard(outcome));

        if let Some(advice) = advice {
            advice.update(self.name(), system, &verdicts, &mut result);
        }
        if let Some(directory) = directory {
            directory.write_all(&self.design, &verdicts.outcomes, &limits, &mut result);
        }
        record::add_verdicts(&mut result, system, &inspection, &verdicts);
        self.add_attempts(&verdicts.outcomes, &mut result);
        let mut tests = Tests::new(system, asked, control);
        tests.decide(&verdicts.outcomes, limits, false);
        tests.add_to(&mut result);
        if options.core {
            let all = system.element_ids().collect();
            result.elements = record::elements(system, &all);
        } else {
            result.properties.iter_mut().for_each(|property| property.core_reason = None);
        }
        result.run.seconds = record::rounded(control.start.elapsed().as_secs_f64());
        Ok(Checked { result, verdicts })
    }

    /// Adds what went wrong in counterexamples to properties over time.
    pub(crate) fn add_attempts(&self, outcomes: &[Outcome], result: &mut RunResult) {
        let system = self.system();
        for outcome in outcomes {
            let name = &system.property(outcome.property).name;
            let told = match (outcome.answer.trace(), outcome.answer.lasso()) {
                (Some(run), _) => self.design.attempt(outcome.property, &self.own_part(run)),
                (None, Some(lasso)) => self.design.endless_attempt(outcome.property, lasso),
                (None, None) => None,
            };
            let record = result.properties.iter_mut().find(|property| property.name == *name);
            if let (Some(told), Some(record)) = (told, record) {
                let part = |part: ToldPart| AttemptPart {
                    text: part.text,
                    place: record::place(system, part.span),
                    from: part.from,
                    to: part.to,
                    matched: part.matched,
                    endless: part.endless,
                };
                let parts = told.parts.into_iter().map(part).collect();
                record.attempt = Some(Attempt { start: told.start, parts });
            }
        }
    }

    /// What a run says about the design. Where loops are watched for, more signals follow those of the design.
    fn own_part(&self, run: &Trace) -> Trace {
        let (inputs, states) = (self.system().inputs().len(), self.system().states().len());
        let mut run = run.clone();
        for step in &mut run.steps {
            step.inputs.truncate(inputs);
            step.states.truncate(states);
        }
        run
    }

    /// What the front end had to say about the design.
    pub(crate) fn warnings(&self) -> Vec<Note> {
        let system = self.system();
        let note = |warning: &propcov_frontend::Diagnostic| Note {
            kind: NoteKind::Warning,
            text: warning.message.clone(),
            place: warning.span.and_then(|span| record::place(system, span)),
        };
        self.design.warnings.iter().map(note).collect()
    }
}
