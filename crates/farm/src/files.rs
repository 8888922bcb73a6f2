//! Files that are there as a whole or not at all, on a file system that may be slow, full, or away for a while.

use crate::FarmError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long something is tried that may succeed in a moment, and how long to wait in between at first and at most.
const PATIENCE: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);

pub(crate) fn failed(path: &Path, action: &'static str, error: io::Error) -> FarmError {
    FarmError::Io { path: path.to_owned(), action, error }
}

/// Whether what went wrong may go well in a moment: not where somebody has to change something first.
pub(crate) fn may_pass(error: &io::Error) -> bool {
    !matches!(
        error.kind(),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem | ErrorKind::NotADirectory
    )
}

/// Tries again what may succeed in a moment.
pub(crate) fn patiently<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let (start, mut pause) = (Instant::now(), PAUSE);
    loop {
        match attempt() {
            Err(error) if may_pass(&error) && start.elapsed() < PATIENCE => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(LONGEST);
            }
            settled => return settled,
        }
    }
}

/// Writes a document under another name, and renames it. Its directory is made, but none above that: where the file system is away, nothing is left in its place.
pub(crate) fn write(path: &Path, document: &impl Serialize) -> io::Result<()> {
    let bytes = serde_json::to_vec_pretty(document).unwrap_or_default();
    let directory = path.parent().unwrap_or(Path::new("."));
    let temporary = directory.join(format!(".{}.{}.tmp", name(path), std::process::id()));
    match std::fs::create_dir(directory) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let written = std::fs::File::create(&temporary).and_then(|mut file| {
        file.write_all(&bytes)?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)
    });
    if written.is_err() {
        // It is in nobody's way if this fails, too.
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

/// Reads a document; `None` if it is not there.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, FarmError> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(path, "read", error)),
    };
    let malformed =
        |error: serde_json::Error| FarmError::Malformed { path: path.to_owned(), why: error.to_string() };
    serde_json::from_slice(&bytes).map(Some).map_err(malformed)
}

/// The names in a directory, in order. One that is not there has none.
pub(crate) fn names(directory: &Path) -> Result<Vec<String>, FarmError> {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
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
