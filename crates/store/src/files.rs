//! Files that are there as a whole or not at all.

use crate::error::StoreError;
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// An error of the file system.
pub(crate) fn failed(path: &Path, action: &'static str, error: io::Error) -> StoreError {
    StoreError::Io { path: path.to_owned(), action, error }
}

/// Makes a directory, and those above it.
pub(crate) fn make_directory(path: &Path) -> Result<(), StoreError> {
    std::fs::create_dir_all(path).map_err(|error| failed(path, "create", error))
}

/// Makes a directory, but none above it: where a file system is away, nothing is left in its place.
pub(crate) fn make_last(path: &Path) -> Result<(), StoreError> {
    match std::fs::create_dir(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(failed(path, "create", error)),
        _ => Ok(()),
    }
}

/// Writes a file under another name, sees to it that it is on the disk, and renames it.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write_renamed(path, bytes, |file| file.sync_all())?;
    sync_directory(path.parent().unwrap_or(Path::new(".")));
    Ok(())
}

/// Writes a file under another name and renames it. It gets to the disk some time.
pub(crate) fn write_for_later(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write_renamed(path, bytes, |_| Ok(()))
}

fn write_renamed(
    path: &Path,
    bytes: &[u8],
    sync: impl FnOnce(&File) -> io::Result<()>,
) -> Result<(), StoreError> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let directory = path.parent().unwrap_or(Path::new("."));
    make_last(directory)?;
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let temporary = directory.join(format!(".{}-{count}.tmp", std::process::id()));
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        sync(&file)?;
        std::fs::rename(&temporary, path)
    });
    if let Err(error) = written {
        // It is in nobody's way if this fails, too.
        let _ = std::fs::remove_file(&temporary);
        return Err(failed(path, "write", error));
    }
    Ok(())
}

/// Makes a file that nobody else writes.
pub(crate) fn create(path: &Path) -> Result<File, StoreError> {
    let directory = path.parent().unwrap_or(Path::new("."));
    make_last(directory)?;
    let file = OpenOptions::new().append(true).create_new(true).open(path);
    file.map_err(|error| failed(path, "create", error))
}

/// Sees to it that the names in a directory are on the disk, where the system has a way to do so.
fn sync_directory(path: &Path) {
    if let Ok(directory) = File::open(path) {
        let _ = directory.sync_all();
    }
}

/// The files in a directory whose names end so, in the order of their names. One that is not there has none.
pub(crate) fn list(directory: &Path, ending: &str) -> Result<Vec<PathBuf>, StoreError> {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(directory, "read", error)),
    };
    let is_wanted = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Devices have nothing to say, and might not stop saying it.
        !name.starts_with('.') && name.ends_with(ending) && path.is_file()
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_wanted).collect();
    paths.sort();
    Ok(paths)
}

/// The SHA-256 of these bytes, as hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
