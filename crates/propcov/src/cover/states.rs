//! State and transition coverage of a design: where is the value of a signal checked? [`measure`] is the list of steps.
//!
//! What is observed and what nobody cares for are expressions in the language of the design, so the design is read once more with them.

mod given;
#[cfg(test)]
mod tests;
mod waived;
mod waveforms;

use crate::cover::scene::unbounded;
use crate::read::names_of;
use crate::{Control, Design, Error};
use given::Given;
use propcov_coverage::ctl::{
    self, Flip, Implication, Manner, Place, Question, Row, Semantics, Studied, Study,
};
use propcov_engine::Config;
use propcov_ir::{PropertyId, PropertyKind, System};
use propcov_result::{Note, NoteKind, RunResult};
use propcov_verify::{Known, Options, Outcome};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How many holes are listed unless somebody asks for more.
const HOLES: usize = 10;

/// How states and transitions are measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateOptions {
    /// Which other values of a signal have to be noticed.
    pub flip: Flip,
    /// When another value counts as noticed.
    pub semantics: Semantics,
    /// How `a -> b` without temporal operators is read.
    pub implication: Implication,
    /// States that satisfy one of these expressions do not count, nor do transitions into them.
    pub dont_care: Vec<String>,
    /// How many holes of each signal are listed.
    pub holes: usize,
    /// The numbers of holes to find a shortest run into, counting from 1.
    pub trace: Vec<usize>,
}

impl Default for StateOptions {
    fn default() -> StateOptions {
        StateOptions {
            flip: Flip::default(),
            semantics: Semantics::default(),
            implication: Implication::default(),
            dont_care: Vec::new(),
            holes: HOLES,
            trace: Vec::new(),
        }
    }
}

impl StateOptions {
    /// How many holes are looked for: those that are listed, and those that somebody wants to get into.
    fn most_holes(&self) -> usize {
        self.holes.max(self.trace.iter().copied().max().unwrap_or(0))
    }
}

/// What is to be found out about a design.
pub(crate) struct StateQuestion<'q> {
    /// By which properties, as the design numbers them.
    pub(crate) properties: &'q [PropertyId],
    /// Of what; of all that the properties mention if empty.
    pub(crate) observe: &'q [String],
    pub(crate) options: &'q StateOptions,
    /// The run directory, for waveforms.
    pub(crate) directory: Option<&'q Path>,
    /// Whether a waveform that cannot be written is an error, and not a warning.
    pub(crate) must_keep: bool,
    pub(crate) seed: u64,
    pub(crate) timeout: Option<Duration>,
    /// Whether all states are counted, also those that coverage is not about.
    pub(crate) count_states: bool,
    /// What other metrics of the same run have found out. Proofs among it are checked again, not looked for again.
    pub(crate) known: &'q [Outcome],
}

/// Measures one of the two metrics, and adds what came of it to a result, which may have the verdicts of other metrics.
pub(crate) fn measure(
    design: &Design,
    place: Place,
    question: &StateQuestion<'_>,
    control: &Control<'_>,
    result: &mut RunResult,
) -> Result<(), Error> {
    if let Some(reason) = unbounded(design.system(), place.metric()) {
        return Err(Error::Usage(format!("{reason}. Try: --metric may")));
    }
    let properties = measurable(design.system(), question.properties, place, &mut result.notes)?;
    let conditions = waived::conditions(result, place);
    let texts: Vec<String> = conditions.iter().map(|(_, text)| text.clone()).collect();
    let given = Given::new(question.observe, &question.options.dont_care, &texts);
    let mut design = design.again(given.extras())?;
    let values = std::mem::take(&mut design.extras);
    let system = &mut design.design.system;
    let inputs = ctl::as_kripke_structure(system, &properties, &values)
        .map_err(|error| Error::Usage(error.to_string()))?;
    if !inputs.is_empty() {
        let text = format!("read by properties, so part of the state: {}", inputs.join(", "));
        result.notes.push(note(text));
    }
    let subjects = given.subjects(system, &properties, &values)?;
    let StateOptions { flip, semantics, implication, .. } = *question.options;
    let manner = Manner { place, semantics, flip, implication };
    let asked = Question::new(system, &properties, &subjects, manner);
    let prepared = asked.prepared(system).map_err(|(at, why)| given.unobservable(&subjects, at, &why))?;
    let study = Study {
        system,
        question: &asked,
        prepared: &prepared,
        options: Options {
            config: Config { seed: question.seed, ..Config::default() },
            with_counts: question.count_states,
            ..Options::default()
        },
        limits: control.limits(question.timeout),
        known: &known(question.known),
        holes: question.options.most_holes(),
        runs: &question.options.trace,
        progress: control.progress,
        panics: control.panics.clone(),
    };
    let mut studied = study.run();
    result.notes.extend(missing_holes(&studied, &question.options.trace));
    if let Some(directory) = question.directory {
        let written = waveforms::write(&design, &properties, place, &mut studied.rows, directory);
        result.notes.extend(written.err().map(|error| waveforms::failed(&error, question.must_keep)));
    }
    studied.add_to(design.system(), &asked, question.options.most_holes(), result);
    waived::record(result, &studied.rows, &conditions, place);
    Ok(())
}

fn note(text: String) -> Note {
    Note { kind: NoteKind::Note, text, place: None }
}

/// The properties that can be measured: all but those of justice, which are skipped, and that is said.
fn measurable(
    system: &System,
    properties: &[PropertyId],
    place: Place,
    notes: &mut Vec<Note>,
) -> Result<Vec<PropertyId>, Error> {
    let is_justice = |id: &PropertyId| matches!(system.property(*id).kind, PropertyKind::Justice(_));
    let (others, kept): (Vec<PropertyId>, Vec<PropertyId>) = properties.iter().partition(|id| is_justice(id));
    if others.is_empty() {
        return Ok(kept);
    }
    let names = names_of(system, &others);
    let metric = place.metric();
    if kept.is_empty() {
        return Err(Error::Usage(format!(
            "{metric} coverage is of CTL and LTL properties and invariants, and there are none: {names}"
        )));
    }
    let count = match others.len() {
        1 => "1 justice property".to_owned(),
        count => format!("{count} justice properties"),
    };
    notes.push(note(format!("{count} skipped, not measured by --metric {metric}: {names}")));
    Ok(kept)
}

/// The proofs among what is known.
fn known(outcomes: &[Outcome]) -> Vec<Known> {
    let proved = |outcome: &Outcome| {
        Some(Known {
            property: outcome.property,
            proof: Arc::new(outcome.answer.proof()?.clone()),
            engine: outcome.engine,
            depth: outcome.depth,
            seconds: None,
        })
    };
    outcomes.iter().filter_map(proved).collect()
}

/// What to say about runs that were asked for where there is no such hole.
fn missing_holes(studied: &Studied, wanted: &[usize]) -> Vec<Note> {
    let has_list = studied.rows.iter().any(|row| row.holes.is_ok());
    let has_run = |row: &Row, number: usize| row.runs.iter().any(|run| run.hole == number);
    let is_missing = |number: &&usize| has_list && !studied.rows.iter().any(|row| has_run(row, **number));
    let missing = wanted.iter().filter(is_missing);
    missing.map(|number| note(format!("there is no hole {number} to show a run into"))).collect()
}
