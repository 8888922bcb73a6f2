//! `propcov verify`: all that a run directory claims, checked again without any engine.

mod audit;
mod results;

pub use results::{KeptRun, kept_material, kept_results, latest_result, read_results};
pub(crate) use results::{before, texts};

use crate::cover::reach;
use crate::cover::scene::Measurable;
use crate::{Control, Design, Error, ReadOptions, read, read_bytes};
use propcov_budget::Budget;
use propcov_coverage::reach::Question;
use propcov_frontend::Granularity;
use propcov_ir::System;
use propcov_result::{Note, NoteKind, RunResult};
use propcov_store::{Archive, KeptDesign, StoreError};
use propcov_verify::record;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// Checks everything that a run directory claims: about one design, or about all designs that it has kept.
///
/// # Errors
/// When the directory or the design cannot be read.
pub fn verify_directory(
    directory: &Path,
    design: Option<&Path>,
    timeout: Option<Duration>,
    control: &Control<'_>,
) -> Result<RunResult, Error> {
    let archive = open(directory)?;
    let mut result = RunResult::new("verify", 0);
    result.run.date = Some(crate::date::date(std::time::SystemTime::now()));
    result.run.arguments.clone_from(&control.arguments);
    result.run.directory = Some(directory.display().to_string());
    result.notes.extend(archive.notes().iter().cloned().map(note));
    let (kept, missing) = archive.designs();
    let designs: Vec<Asked> = match design {
        Some(file) => {
            let design = read(file)?;
            let mut ways: BTreeSet<(bool, bool, bool)> = kept.iter().map(way).collect();
            ways.insert((false, false, false));
            let system = |(bits, operators, reach): (bool, bool, bool)| {
                let granularity = if operators { Granularity::Operator } else { Granularity::Equation };
                // Definitions of other formats cannot be taken apart: then nothing was kept about that.
                let design = design.taken_apart(Some(granularity)).ok()?;
                Some(Asked::new(Measurable::new(&design, bits).system.into_owned(), reach))
            };
            ways.into_iter().filter_map(system).collect()
        }
        None => {
            let place = directory.display();
            let gone = |path: &String| note(format!("{place}: the design {path} is missing or damaged"));
            result.notes.extend(missing.iter().map(gone));
            kept.iter().filter_map(|kept| as_kept(kept, &mut result.notes)).collect()
        }
    };
    let damaged = archive.damaged_results().map_err(|error| unreadable(&error))?;
    result.notes.extend(damaged.iter().map(|path| note(format!("{}: damaged", path.display()))));
    let limits = Budget {
        conflicts: None,
        deadline: control.limits(timeout).deadline,
        interrupt: control.interrupt.clone(),
    };
    let mut verification = audit::audit(&archive, &designs, &limits, &control.panics);
    verification.selected = design.is_some();
    result.verification = Some(verification);
    result.run.seconds = record::rounded(control.start.elapsed().as_secs_f64());
    Ok(result)
}

fn open(directory: &Path) -> Result<Archive, Error> {
    if !directory.is_dir() {
        return Err(Error::Usage(format!("{} is no directory", directory.display())));
    }
    Archive::read(directory).map_err(|error| unreadable(&error))
}

pub(crate) fn unreadable(error: &StoreError) -> Error {
    Error::Usage(error.to_string())
}

fn note(text: String) -> Note {
    Note { kind: NoteKind::Note, text, place: None }
}

/// A design that claims are about.
struct Asked {
    system: System,
    /// How many properties are its own; those behind them say that a statement is never executed.
    own: usize,
}

impl Asked {
    fn new(system: System, reach: bool) -> Asked {
        let own = system.properties().len();
        let system = if reach { Question::new(&system, |_| true).system } else { system };
        Asked { system, own }
    }
}

/// Whether words were split into bits, and definitions into operators, and whether statements have properties.
fn way(kept: &KeptDesign) -> (bool, bool, bool) {
    let is = |option: &str| kept.options[option] == true;
    (is("bits"), kept.options["granularity"] == "operator", is(reach::ASKED))
}

/// A design that was kept, as findings are about it.
fn as_kept(kept: &KeptDesign, notes: &mut Vec<Note>) -> Option<Asked> {
    let (path, _) = kept.files.first()?;
    let (bits, _, reach) = way(kept);
    let design = read_kept(kept).and_then(Result::ok);
    if design.is_none() {
        notes.push(note(format!("{path}, as it was kept, cannot be read")));
    }
    Some(Asked::new(Measurable::new(&design?, bits).system.into_owned(), reach))
}

/// The design of a run as it was read then; `None` if it is not what propcov keeps.
pub(crate) fn read_kept(kept: &KeptDesign) -> Option<Result<Design, Error>> {
    let [(path, bytes)] = kept.files.as_slice() else { return None };
    let (_, operators, _) = way(kept);
    let granularity = if operators { Granularity::Operator } else { Granularity::Equation };
    Some(read_bytes(path, bytes.as_slice(), &ReadOptions { granularity, ..ReadOptions::default() }))
}
