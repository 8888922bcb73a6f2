//! The results that runs have kept in their directory: what `propcov report` renders, without the design and without a solver.

use super::{open, unreadable};
use crate::read::file_bytes;
use crate::{Error, material};
use propcov_report::{Material, Text};
use propcov_result::RunResult;
use propcov_store::{Archive, KeptResult};
use std::path::Path;

/// How many results are looked through for the run before: each may be large.
const LOOKED_AT: usize = 20;

/// A run that was kept.
#[derive(Clone, Debug)]
pub struct KeptRun {
    /// What tells it from others; it begins with the time.
    pub name: String,
    /// What it found out.
    pub result: RunResult,
}

/// All results in a run directory that are intact, the newest first.
///
/// # Errors
/// When the directory cannot be read.
pub fn kept_results(directory: &Path) -> Result<Vec<KeptRun>, Error> {
    let results = open(directory)?.results().map_err(|error| unreadable(&error))?;
    Ok(results.filter_map(kept).collect())
}

/// The newest of them.
///
/// # Errors
/// When the directory cannot be read.
pub fn latest_result(directory: &Path) -> Result<Option<KeptRun>, Error> {
    Ok(open(directory)?.results().map_err(|error| unreadable(&error))?.find_map(kept))
}

/// The results in a file, as `--format json` writes them: one document after the other where designs or tasks were several. The names are those of the designs.
///
/// # Errors
/// When the file cannot be read, or has something else in it.
pub fn read_results(path: &Path) -> Result<Vec<KeptRun>, Error> {
    let name = path.display().to_string();
    let bytes = file_bytes(path).map_err(|error| Error::Read { path: name.clone(), error })?;
    let wrong = |why: String| Error::Usage(format!("{name} is no result of propcov: {why}"));
    let documents = serde_json::Deserializer::from_slice(&bytes).into_iter::<RunResult>();
    let results: Vec<RunResult> =
        documents.collect::<Result<_, _>>().map_err(|error| wrong(error.to_string()))?;
    if results.is_empty() {
        return Err(wrong("it is empty".to_owned()));
    }
    if let Some(other) = results.iter().find(|result| result.schema != propcov_result::SCHEMA) {
        return Err(wrong(format!("its schema is {}, not {}", other.schema, propcov_result::SCHEMA)));
    }
    let names = propcov_report::overview::names(&results.iter().collect::<Vec<_>>());
    Ok(names.into_iter().zip(results).map(|(name, result)| KeptRun { name, result }).collect())
}

/// What formats show besides a result that was kept: the texts of its files, and the run before.
///
/// # Errors
/// When the directory cannot be read.
pub fn kept_material(directory: &Path, run: &KeptRun) -> Result<Material, Error> {
    let archive = open(directory)?;
    let texts = texts(&archive, &run.result);
    let before = before(&archive, Some(&run.name), &run.result);
    let texts_before = before.as_ref().map(|before| self::texts(&archive, before)).unwrap_or_default();
    Ok(Material { texts, before, texts_before, ..material::empty() })
}

/// The texts of the files of a result, as far as they were kept.
pub(crate) fn texts(archive: &Archive, result: &RunResult) -> Vec<Text> {
    let files = result.design.iter().flat_map(|design| &design.files);
    files.filter_map(|file| Text::new(&file.path, &archive.source(&file.sha256)?)).collect()
}

/// The newest result about the same design, by the same command; older than a run if that is named.
pub(crate) fn before(archive: &Archive, run: Option<&str>, result: &RunResult) -> Option<Box<RunResult>> {
    let first = |result: &RunResult| {
        result.design.as_ref().and_then(|design| design.files.first()).map(|file| file.path.clone())
    };
    let is_wanted = |other: &KeptRun| {
        run.is_none_or(|run| *other.name < *run)
            && other.result.run.command == result.run.command
            && first(&other.result) == first(result)
    };
    let results = archive.results().ok()?;
    results.take(LOOKED_AT).filter_map(kept).find(is_wanted).map(|run| Box::new(run.result))
}

/// What a file says, if this version understands it.
fn kept(kept: KeptResult) -> Option<KeptRun> {
    let result: RunResult = serde_json::from_value(kept.document).ok()?;
    (result.schema == propcov_result::SCHEMA).then_some(KeptRun { name: kept.run, result })
}
