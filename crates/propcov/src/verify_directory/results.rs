//! The results that runs have kept in their directory: what `propcov report` renders, without the design and without a solver.

use super::{open, unreadable};
use crate::Error;
use propcov_result::RunResult;
use propcov_store::KeptResult;
use std::path::Path;

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
    Ok(results.into_iter().filter_map(kept).collect())
}

/// The newest of them.
///
/// # Errors
/// When the directory cannot be read.
pub fn latest_result(directory: &Path) -> Result<Option<KeptRun>, Error> {
    Ok(open(directory)?.latest_result().map_err(|error| unreadable(&error))?.and_then(kept))
}

/// What a file says, if this version understands it.
fn kept(kept: KeptResult) -> Option<KeptRun> {
    let result: RunResult = serde_json::from_value(kept.document).ok()?;
    (result.schema == propcov_result::SCHEMA).then_some(KeptRun { name: kept.run, result })
}
