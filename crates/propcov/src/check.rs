//! `propcov check`: from a design to certified verdicts. [`Design::check_with`] is the list of steps.

use crate::advice::AdviceFile;
use crate::certificate::Directory;
use crate::cover::earlier::Earlier;
use crate::keeper::{Keep, Keeper};
use crate::tested::Tests;
use crate::{Control, Design, Error, Share, counting};
use propcov_budget::Effort;
use propcov_engine::infinite::induction;
use propcov_engine::{Config, Limits};
use propcov_frontend::verilog::sva::ToldPart;
use propcov_ir::{
    ConstraintKind, Edits, Goal, Interpreter, Lasso, LivenessVerdict, PropertyId, PropertyKind, Step,
    StepError, System, Trace, UnknownReason, Value,
};
use propcov_result::{Attempt, AttemptPart, ELSEWHERE, Note, NoteKind, RunResult, Stop, Verdict};
use propcov_verify::{
    Answer, Distance, EngineChoice, Length, Options, Outcome, Verdicts, Verifier, budget, generalise, record,
};
use std::path::PathBuf;
use std::time::Duration;

/// So many steps are tried as those that a run comes back to.
const RETURNS: usize = 32;

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
    /// Find out which values of counterexamples do not matter.
    pub intervals: bool,
    /// Show why induction fails where nothing is decided.
    pub inductive: bool,
    /// Count states where decision diagrams have them.
    pub count_states: bool,
    /// A file with lemmas of earlier runs, which gets those of this run.
    pub advice: Option<PathBuf>,
    /// A directory for certificates and waveforms.
    pub certificate: Option<PathBuf>,
    /// Where verdicts on invariants are kept with their evidence, and found again. Without a directory nothing is kept.
    pub keep: Keep,
    /// Decide only this share of the invariants; others decide the rest.
    pub share: Option<Share>,
    /// Make one short attempt at each property only.
    pub brief: bool,
    /// Note how much is left for each of so many shares, in the statistics.
    pub preview: Option<u32>,
    /// Find out nothing new about invariants: only what is kept counts. All other properties have no evidence that could be kept, and are decided.
    pub settled: bool,
}

impl CheckOptions {
    /// Whether verdicts have evidence that can be kept.
    fn check(&self) -> Result<(), Error> {
        let (why, more) = if !matches!(self.engine, EngineChoice::Portfolio) || self.bound.is_some() {
            ("--engine and --bound", " (nor does a task with `mode bmc`)")
        } else if self.core || self.advice.is_some() {
            ("--core and --advice", "")
        } else {
            return Ok(());
        };
        match (self.share.is_some(), self.keep.directory.is_some()) {
            (true, _) => Err(Error::Usage(format!("{why} are not for shards of `propcov check`"))),
            (_, true) => Err(Error::Usage(format!(
                "{why} do not go with `propcov check --out`{more}: such verdicts are not kept"
            ))),
            _ => Ok(()),
        }
    }
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
        options.check()?;
        let system = self.system();
        let properties = self.select(&options.properties)?;
        let advice = match &options.advice {
            Some(path) => Some(AdviceFile::open(path, system)?),
            None => None,
        };
        let mut result = self.result("check", options.seed, control);
        result.run.shard = options.share.map(Share::shard);
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
            config: Config {
                seed: options.seed,
                simple_path: options.simple_path,
                depth: options.depth,
                ..Config::default()
            },
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
        if options.brief {
            verifier = verifier.briefly();
        }
        let inspection = verifier.inspect(&properties);
        let limits = verifier.limits().clone();
        let is_kept = options.keep.directory.is_some();
        let keeper = is_kept.then(|| Keeper::open(&options.keep, self, system, self.reading(false)));
        let known = match &keeper {
            Some(keeper) => not_decided_here(&verifier, keeper, &properties, options),
            None => Vec::new(),
        };
        let open = properties.iter().copied().filter(|id| known.iter().all(|known| known.property != *id));
        let open: Vec<PropertyId> = open.collect();
        let mut counting = counting::Verdicts::new(control.progress, system, properties.len());
        known.iter().for_each(|outcome| counting.heard(outcome));
        let mut verdicts = verifier.decide(&open, &mut |outcome| {
            if let Some(keeper) = keeper.as_ref().filter(|_| is_invariant(system, outcome.property)) {
                keeper.keep_outcome(outcome);
            }
            counting.heard(outcome);
        });
        verdicts.outcomes.extend(known);
        verdicts.outcomes.sort_by_key(|outcome| properties.iter().position(|id| *id == outcome.property));

        if let Some(advice) = advice {
            advice.update(self.name(), system, &verdicts, &mut result);
        }
        if let Some(directory) = directory {
            directory.write_all(&self.design, &verdicts.outcomes, &limits, &mut result);
        }
        record::add_verdicts(&mut result, system, &inspection, &verdicts);
        self.add_unread(&options.properties, &mut result);
        if options.properties.is_empty() && options.share.is_none() {
            let verifier = Verifier::new(system, asked.clone(), limits.clone(), control.progress)
                .with_panics(control.panics.clone());
            self.add_distances(&verifier, &mut result);
        }
        self.add_attempts(&verdicts.outcomes, &mut result);
        if options.intervals {
            self.add_intervals(&verdicts.outcomes, &limits, &mut result);
        }
        if options.inductive {
            self.add_inductive_runs(&verdicts.outcomes, &limits, &mut result);
        }
        let mut tests = Tests::new(system, asked, control);
        // That is not kept: whoever unites the shares asks.
        if options.share.is_none() {
            tests.decide(&verdicts.outcomes, &limits, false);
        }
        tests.add_to(&mut result);
        if options.core {
            let all = system.element_ids().collect();
            result.elements = record::elements(system, &all);
        } else {
            result.properties.iter_mut().for_each(|property| property.core_reason = None);
        }
        result.run.seconds = record::rounded(control.start.elapsed().as_secs_f64());
        if let (Some(keeper), Some(count)) = (&keeper, options.preview) {
            let open = verdicts.outcomes.iter().filter(|outcome| !outcome.answer.is_decided());
            let open: Vec<PropertyId> = open.map(|outcome| outcome.property).collect();
            for share in (1..=count).filter_map(|index| Share::new(index, count)) {
                let own = open.iter().filter(|property| share.proves(&keeper.meanings, **property)).count();
                let name = crate::share::size_name(share.shard().index, count);
                result.stats.counts.insert(name, own as u64);
            }
        }
        if let Some(keeper) = &keeper {
            if verdicts.outcomes.iter().any(is_left) {
                result.run.stop = Some(Stop::Shard);
            }
            keeper.keep_result(&mut result);
        }
        Ok(Checked { result, verdicts })
    }

    /// Adds assertions that could not be read: they are undecided.
    fn add_unread(&self, wanted: &[String], result: &mut RunResult) {
        let unread = self.design.unread().iter();
        let unread = unread.filter(|unread| wanted.is_empty() || wanted.contains(&unread.name));
        result.properties.extend(unread.map(|unread| {
            let reason = UnknownReason::Incomplete(unread.reason.clone());
            record::undecided(self.system(), &unread.name, (unread.goal, unread.span), &reason)
        }));
    }

    /// Adds numbers of steps that the design asks for.
    fn add_distances(&self, verifier: &Verifier<'_>, result: &mut RunResult) {
        let asked: Vec<Distance> = (self.design.distances().iter())
            .map(|asked| Distance { from: asked.from.clone(), to: asked.to.clone(), longest: asked.longest })
            .collect();
        for (asked, found) in self.design.distances().iter().zip(verifier.distances(&asked)) {
            let (length, steps) = match found.length {
                Ok(Length::Steps(steps)) => (propcov_result::Length::Finite, Some(steps)),
                Ok(Length::Infinite) => (propcov_result::Length::Infinite, None),
                Ok(Length::Undefined) => (propcov_result::Length::Undefined, None),
                Err(_) => (propcov_result::Length::Unknown, None),
            };
            let certified = found.length.is_ok() && found.uncertified.is_none();
            let reason = match found.length {
                Err(reason) => Some(reason.to_string()),
                Ok(_) => found.uncertified.map(|why| format!("not certified: {why}")),
            };
            let internal = found.internal_errors.into_iter();
            result.run.internal_errors.extend(internal.map(|error| format!("{}: {error}", asked.name)));
            result.distances.push(propcov_result::Distance {
                name: asked.name.clone(),
                text: asked.text.clone(),
                place: record::place(self.system(), asked.span),
                length,
                steps,
                reason,
                certified,
                seconds: record::rounded(found.seconds),
            });
        }
    }

    /// Adds which values of counterexamples to invariants do not matter.
    pub(crate) fn add_intervals(&self, outcomes: &[Outcome], limits: &Limits, result: &mut RunResult) {
        let system = self.system();
        for outcome in outcomes {
            let (Some(run), Some(invariant)) = (outcome.answer.trace(), system.invariant(outcome.property))
            else {
                continue;
            };
            let Some(mut ranged) = generalise(system, &self.own_part(run), invariant, &budget(limits)) else {
                continue;
            };
            let name = &system.property(outcome.property).name;
            let record = result.properties.iter_mut().find(|property| property.name == *name);
            if let Some(trace) = record.and_then(|record| record.trace.as_mut()) {
                record::add_ranges(system, outcome.property, &mut ranged, trace);
            }
        }
    }

    /// Adds why induction fails to what is not decided. Finite systems whose words are not encoded as numbers have none.
    pub(crate) fn add_inductive_runs(&self, outcomes: &[Outcome], limits: &Limits, result: &mut RunResult) {
        let system = self.system();
        for outcome in outcomes {
            let name = &system.property(outcome.property).name;
            let Some(record) = result.properties.iter_mut().find(|property| property.name == *name) else {
                continue;
            };
            let is_open = matches!(record.verdict, Verdict::Unknown | Verdict::Bounded);
            if !is_open || system.invariant(outcome.property).is_none() {
                continue;
            }
            let k = outcome.depth.unwrap_or(0) as usize + 1;
            // Solvers know nothing about products of variables: what they say is worked out exactly before it is shown.
            let run = induction::counterexample(system, outcome.property, k, limits);
            let refutes = |run: &Trace| refutes_induction(system, outcome.property, run).unwrap_or(false);
            match run.filter(refutes) {
                Some(run) => {
                    record.inductive =
                        Some(record::run(system, &Edits::none(), &run.steps, Some(outcome.property)));
                }
                None => result.notes.push(Note {
                    kind: NoteKind::Warning,
                    text: format!("`{name}`: no run was found that shows why induction fails"),
                    place: None,
                }),
            }
        }
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

    /// What came of liveness, where a system that watches for loops was asked: its run as a run that goes round, as `check` shows it. The checker has to accept it.
    pub(crate) fn as_lasso(&self, outcome: &Outcome) -> Outcome {
        let mut outcome = outcome.clone();
        let is_liveness = self.system().property(outcome.property).is_liveness();
        if let Some(run) = outcome.answer.trace().filter(|_| is_liveness)
            && let Some(lasso) = self.lasso(outcome.property, &self.own_part(run))
        {
            outcome.answer = Answer::Liveness(LivenessVerdict::Fails(lasso));
            outcome.depth = outcome.answer.depth();
        }
        // What is measured may have more signals than the design: those that watch for loops, or remember numbers.
        match &mut outcome.answer {
            Answer::Invariant(propcov_ir::Verdict::Falsified(run)) | Answer::Stray(_, run) => {
                *run = self.own_part(run);
            }
            _ => {}
        }
        outcome
    }

    /// The last step is some step before it once again. Which one is tried, first those whose states differ least: what does not matter may differ.
    fn lasso(&self, property: PropertyId, run: &Trace) -> Option<Lasso> {
        let (last, before) = run.steps.split_last()?;
        let differing =
            |step: &Step| step.states.iter().zip(&last.states).filter(|(one, two)| one != two).count();
        let mut candidates: Vec<usize> = (0..before.len()).collect();
        candidates.sort_by_key(|step| differing(&before[*step]));
        let lasso = |loop_to: usize| Lasso { trace: Trace { steps: before.to_vec() }, loop_to };
        let is_accepted = |lasso: &Lasso| {
            propcov_certify::check_lasso(self.system(), &Edits::none(), property, lasso).is_ok()
        };
        candidates.into_iter().take(RETURNS).map(lasso).find(is_accepted)
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

    /// The same for those who measure what proofs check: assertions that could not be read check nothing.
    pub(crate) fn warnings_of_measuring(&self) -> Vec<Note> {
        let left_out = self.design.unread().iter().filter(|unread| unread.goal == Goal::Hold);
        let left_out = left_out.map(|unread| Note {
            kind: NoteKind::Warning,
            text: format!("{} is left out: {}", unread.name, unread.reason),
            place: unread.span.and_then(|span| record::place(self.system(), span)),
        });
        self.warnings().into_iter().chain(left_out).collect()
    }
}

/// Whether the evidence of a verdict on a property can be kept.
fn is_invariant(system: &System, property: PropertyId) -> bool {
    matches!(system.property(property).kind, PropertyKind::Invariant(_))
}

/// Whether a property belongs to another share.
fn is_left(outcome: &Outcome) -> bool {
    matches!(outcome.answer.reason(), Some(UnknownReason::Incomplete(why)) if why == ELSEWHERE)
}

/// What earlier runs have found out, checked again, and what is left to others.
fn not_decided_here(
    verifier: &Verifier<'_>,
    keeper: &Keeper<'_>,
    properties: &[PropertyId],
    options: &CheckOptions,
) -> Vec<Outcome> {
    if options.share.is_some() {
        keeper.introduce();
    }
    let (invariants, others): (Vec<PropertyId>, Vec<PropertyId>) =
        properties.iter().partition(|property| is_invariant(keeper.system, **property));
    let share = options.share;
    let is_own = |property: PropertyId| match share {
        _ if options.settled => false,
        None => true,
        Some(share) => share.proves(&keeper.meanings, property),
    };
    // Whoever unites the shares looks at all of them; here, others have those that are not our own.
    let asked = invariants.iter().copied().filter(|property| options.settled || is_own(*property));
    let earlier = Earlier::verdicts(verifier, keeper, &asked.collect::<Vec<_>>());
    let mut known: Vec<Outcome> = earlier.outcomes.into_values().collect();
    let is_known = |property: PropertyId| known.iter().any(|outcome| outcome.property == property);
    let open = invariants.into_iter().filter(|property| !is_known(*property) && !is_own(*property));
    // Those without evidence are for whoever unites the shares.
    let left: Vec<PropertyId> = open.chain(others.into_iter().filter(|_| share.is_some())).collect();
    let left = left
        .into_iter()
        .map(|property| Outcome::unknown(property, UnknownReason::Incomplete(ELSEWHERE.to_owned())));
    known.extend(left);
    known
}

/// Whether a run goes on as the system does, from any state, and a property holds in all of its steps but the last.
fn refutes_induction(system: &System, property: PropertyId, run: &Trace) -> Result<bool, StepError> {
    let edits = Edits::none();
    let (Ok(interpreter), Some(invariant)) = (Interpreter::new(system, &edits), system.invariant(property))
    else {
        return Ok(false);
    };
    for (at, step) in run.steps.iter().enumerate() {
        let mut frame = interpreter.frame(step)?;
        let next = run.steps.get(at + 1);
        let holds = frame.value(invariant)? == Value::bool(true);
        if holds != next.is_some() || frame.violated_constraint(ConstraintKind::Always)?.is_some() {
            return Ok(false);
        }
        let Some(next) = next else { return Ok(true) };
        frame.set_next(&next.states)?;
        let values = frame.successor_values()?;
        let agrees = values
            .iter()
            .zip(&next.states)
            .all(|(value, state)| value.as_ref().is_none_or(|value| value == state));
        if !agrees || frame.violated_constraint(ConstraintKind::Transition)?.is_some() {
            return Ok(false);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inductive(text: &str) -> RunResult {
        let design = crate::read_bytes("m.lus", text.as_bytes(), &crate::ReadOptions::default());
        let bmc = propcov_engine::ENGINES.iter().find(|engine| engine.name == "bmc").expect("an engine");
        let engine = EngineChoice::One(bmc);
        let options = CheckOptions { inductive: true, engine, bound: Some(3), ..CheckOptions::default() };
        design.expect("a model").check(&options).expect("a result")
    }

    #[test]
    fn a_run_that_violates_nothing_is_not_shown_as_a_failure_of_induction() {
        let result = inductive(
            "node main(x: int) returns (ok: bool);\nlet\n ok = x*x >= 0;\n --%PROPERTY ok;\ntel;\n",
        );
        assert_eq!(result.properties[0].verdict, Verdict::Unknown);
        assert!(result.properties[0].inductive.is_none());
        let said = "`ok`: no run was found that shows why induction fails";
        assert!(result.notes.iter().any(|note| note.text == said), "{:?}", result.notes);
    }

    #[test]
    fn a_run_that_shows_why_induction_fails_violates_the_property_in_its_last_step_only() {
        let result = inductive(
            "node main(x: bool) returns (ok: bool);\nvar n: int;\nlet\n n = 0 -> if pre n = 9 then 0 else pre n + 1;\n \
             ok = n <> 20;\n --%PROPERTY ok;\ntel;\n",
        );
        let run = result.properties[0].inductive.as_ref().expect("a run");
        let ok = run.signals.iter().find(|signal| signal.name == "ok").expect("the property");
        let (last, before) = ok.values.split_last().expect("steps");
        assert_eq!(last, "0");
        assert!(before.iter().all(|value| value == "1"), "{before:?}");
    }
}
