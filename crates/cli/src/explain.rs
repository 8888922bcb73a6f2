//! `propcov explain`: why one element is covered or not. [`run`] is the list of steps.

pub(crate) mod arguments;
mod pair;
mod shortest;
mod text;

use crate::cover::arguments::mutations;
use crate::cover::keep::{Keeper, Use};
use crate::cover::measure::{Measured, Question, measure};
use crate::cover::witness::{self, Asked, Hole, Search};
use crate::cover::{self, Coverage, complain, elements, method};
use crate::exit::ExitCode;
use crate::input::{self, Complaint, hint};
use crate::output;
use crate::progress::Progress;
use crate::session::Session;
use arguments::ExplainArguments;
use propcov::files::{WriteError, write_atomically};
use propcov::waveform;
use propcov_coverage::difference::Answer;
use propcov_engine::Limits;
use propcov_ir::{ElementId, ElementKind, Mutant, System, printable};
use shortest::{Killing, killings};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;
use text::Explanation;

/// Runs the command.
pub(crate) fn run(arguments: &ExplainArguments, session: &mut Session) -> ExitCode {
    input::settle(explain(arguments, session), session)
}

fn explain(arguments: &ExplainArguments, session: &mut Session) -> Result<ExitCode, Complaint> {
    let start = Instant::now();
    let method = method::method(&arguments.effort)?;
    let input = cover::read(&arguments.file, arguments.bits, session)?;
    let system = &input.design.system;
    let properties = input::select_properties(system, &arguments.properties)?;
    let properties = cover::measurable(system, &properties, arguments.quiet, session)?;
    let element = find(system, &arguments.element)?;
    if !system.names_of(element).any(|name| name == arguments.element) {
        let (output, name) = (printable(&arguments.element), printable(&system.element(element).name));
        session.remark(arguments.quiet, &format!("note: the output {output} is driven by {name}\n"));
    }
    let mutants = elements::mutants(system, &[element], &mutations(&arguments.edits));
    let notion = witness::notion(system, &arguments.observe)?;
    session.remark(arguments.quiet, &input::warnings(&input.design));
    let keeper = Keeper::open(&arguments.keep, Use::IfThere, &input, arguments.bits, session);

    let question = Question {
        input: &input,
        properties: &properties,
        mutants: &mutants,
        method,
        seed: arguments.effort.seed,
        threads: arguments.effort.thread_count(),
        accuracy: None,
        budget: None,
        deadline: arguments.effort.timeout.and_then(|timeout| start.checked_add(timeout)),
        quiet: arguments.quiet,
    };
    let mut measured = measure(&question, &keeper, session);
    let asked = Asked { notion: &notion, observe: &arguments.observe };
    let (holes, killings) = evidence(&mut measured, &question, asked, &keeper, session);
    measured.verdicts.seconds = start.elapsed().as_secs_f64();
    let ranking = measured.tally.ranking();
    let mut coverage = Coverage {
        measured,
        keeper: &keeper,
        ranking,
        holes: Some(holes),
        threshold: None,
        is_budgeted: false,
        explain: None,
    };
    let mut code = keeper.code.and(coverage.exit_code());
    if let Some(path) = &arguments.vcd {
        code = code.and(write_waveforms(path, &mut coverage, &killings, arguments.quiet, session));
    }
    code = code.and(output::print(
        arguments.format,
        session,
        |palette| Explanation { coverage: &coverage, element, killings: &killings }.text(palette),
        || coverage.document("explain", arguments.effort.seed, true),
    ));
    Ok(code.and(complain(&coverage.measured, &keeper, session)))
}

/// The element with a name, or that drives the output of this name.
fn find(system: &System, name: &str) -> Result<ElementId, Complaint> {
    let found = system.element_named(name).or_else(|| system.element_driving(name));
    let is_mutable = |element: &ElementId| !system.mutants_of(*element).is_empty();
    match found {
        Some(element) if is_mutable(&element) => Ok(element),
        Some(element) => {
            let kind = match system.element(element).kind {
                ElementKind::Init => "an initial value",
                _ => "an assumption",
            };
            Err(Complaint(format!("error: {name} is {kind}, and those are not mutated\n")))
        }
        None => {
            let mutable = system.element_ids().filter(is_mutable);
            let names: Vec<&str> = mutable.map(|element| system.element(element).name.as_str()).collect();
            let word = name.strip_suffix(']').and_then(|name| name.rsplit_once('[')).map(|(word, _)| word);
            let hint = match word {
                Some(word) if names.contains(&word) => format!("the bits of {word} are there with --bits"),
                _ => hint(name, &names, "elements"),
            };
            Err(Complaint(format!("error: no element is called `{name}`; {hint}\n")))
        }
    }
}

/// Runs to show: of what is covered a short one, of what is not two that differ.
fn evidence(
    measured: &mut Measured<'_>,
    question: &Question<'_>,
    asked: Asked<'_>,
    keeper: &Keeper<'_>,
    session: &mut Session,
) -> (Vec<Hole>, Vec<Killing>) {
    let progress = Progress::new(session.terminal.stderr && !question.quiet);
    progress.stage("looking for runs to show".to_owned());
    let mut limits = Limits::default();
    limits.deadline = measured.deadline;
    limits.interrupt = session.interrupt.clone();
    let properties = measured.tally.properties.clone();
    let effects = keeper.recall(&properties, question.mutants).effects;
    let search = Search {
        system: measured.tally.system,
        properties: &properties,
        asked,
        effects: &witness::by_mutant(&effects),
        limits: &limits,
        seed: question.seed,
        threads: question.threads,
        panics: &session.panics,
        keeper,
        in_vain: Mutex::default(),
    };
    let (holes, stats) = search.all(&witness::uncovered(&measured.tally), &|_| {});
    let killings = killings(&measured.tally, &limits, &session.panics);
    progress.finish();
    measured.internal_errors.extend(session.panics.take());
    witness::note_no_effect(&mut measured.tally, &holes);
    measured.stats.merge(&stats);
    (holes, killings)
}

/// One file for each mutant that has something to show.
fn write_waveforms(
    path: &Path,
    coverage: &mut Coverage<'_>,
    killings: &[Killing],
    quiet: bool,
    session: &mut Session,
) -> ExitCode {
    let (system, properties) = (coverage.measured.tally.system, coverage.measured.tally.properties.clone());
    let several = coverage.measured.tally.mutants.len() > 1;
    let mut waveforms = Vec::new();
    for killing in killings {
        waveforms.push((killing.mutant, killing_waveform(system, killing)));
    }
    for hole in coverage.holes.iter_mut().flatten() {
        if let Answer::Differs { difference, .. } = &hole.answer {
            waveforms.push((hole.mutant, witness::waveform(system, &properties, hole.mutant, difference)));
            hole.vcd = Some(named(path, hole.mutant, several));
        }
    }
    if waveforms.is_empty() {
        session.remark(quiet, "note: there is no run to show, so no waveform was written\n");
    }
    let mut code = ExitCode::Good;
    for (mutant, bytes) in waveforms {
        let path = named(path, mutant, several);
        if let Err(error) = bytes.and_then(|bytes| write_atomically(&path, &bytes)) {
            session.complain(&format!("error: {}\n", WriteError { path, error }));
            code = ExitCode::BadInput;
        }
    }
    code
}

fn killing_waveform(system: &System, killing: &Killing) -> std::io::Result<Vec<u8>> {
    let comment = format!(
        "{} of {}: {} fails in the last step",
        killing.mutant.mutation.name(),
        system.element(killing.mutant.element).name,
        system.property(killing.property).name,
    );
    let edits = killing.mutant.edits(system);
    let run = waveform::Run { scope: "mutant", edits: &edits, trace: &killing.trace };
    waveform::runs(system, &[killing.property], &[killing.mutant.element], &comment, &[run])
}

/// `FILE`, or with several edits `FILE-zero.vcd` and so on.
fn named(path: &Path, mutant: Mutant, several: bool) -> PathBuf {
    if !several {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    path.with_file_name(format!("{stem}-{}{ending}", mutant.mutation.name()))
}
