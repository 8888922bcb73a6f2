//! Files that are there as a whole or not at all, and that may be on a file system that is away for a moment.

use crate::FarmError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// How often something is tried, and how long to wait in between at first: half a minute in all.
const TRIES: u32 = 7;
const PAUSE: Duration = Duration::from_millis(250);

pub(crate) fn failed(path: &Path, action: &'static str, error: io::Error) -> FarmError {
    FarmError::Io { path: path.to_owned(), action, error }
}

/// Tries again what may succeed in a moment.
pub(crate) fn patiently<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let mut pause = PAUSE;
    for _ in 1..TRIES {
        match attempt() {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                std::thread::sleep(pause);
                pause *= 2;
            }
            settled => return settled,
        }
    }
    attempt()
}

/// Writes a document under another name, and renames it.
pub(crate) fn write(path: &Path, document: &impl Serialize) -> Result<(), FarmError> {
    let bytes = serde_json::to_vec_pretty(document).unwrap_or_default();
    let directory = path.parent().unwrap_or(Path::new("."));
    let temporary = directory.join(format!(".{}.{}.tmp", name(path), std::process::id()));
    let attempt = || {
        std::fs::create_dir_all(directory)?;
        let mut file = std::fs::File::create(&temporary)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)
    };
    patiently(attempt).map_err(|error| failed(path, "write", error))
}

/// Reads a document; `None` if it is not there.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, FarmError> {
    let bytes = match patiently(|| std::fs::read(path)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(path, "read", error)),
    };
    let malformed =
        |error: serde_json::Error| FarmError::Malformed { path: path.to_owned(), why: error.to_string() };
    serde_json::from_slice(&bytes).map(Some).map_err(malformed)
}

/// The names in a directory, in order. One that is not there has none.
pub(crate) fn names(directory: &Path) -> Result<Vec<String>, FarmError> {
    let entries = match patiently(|| std::fs::read_dir(directory)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(directory, "read", error)),
    };
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    Ok(names)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
