//! The file: opening it, starting it over, and adding to it.

use crate::error::StoreError;
use crate::evidence::Evidence;
use crate::hole::{self, Hole};
use crate::identity::Identity;
use crate::reader::{Lines, Loaded, Proved};
use crate::record::Record;
use propcov_ir::{Finding, System};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// A database that is open for adding. While it is, no other process can open it.
pub struct Database<'s> {
    path: PathBuf,
    /// `None` after a failure: a file that could not be written once is left alone.
    file: Option<File>,
    failure: Option<StoreError>,
    evidence: Evidence<'s>,
}

/// A database, and what it said when it was opened.
pub struct Opened<'s> {
    /// To add to.
    pub database: Database<'s>,
    /// To be checked.
    pub loaded: Loaded,
    /// Whether an earlier database was put aside.
    pub started_over: bool,
}

/// What the database at a path is about; `None` when there is none, or none that says so.
pub fn identity_at(path: &Path) -> Option<Identity> {
    // Devices are no databases, and might never end a line.
    if !path.is_file() {
        return None;
    }
    let mut line = Vec::new();
    BufReader::new(File::open(path).ok()?).read_until(b'\n', &mut line).ok()?;
    serde_json::from_slice(&line).ok()
}

/// What the database at a path says, if it is about this identity. That there is none is no error.
///
/// # Errors
/// When the file cannot be read, or has a line that means nothing.
pub fn load(path: &Path, identity: &Identity, system: &System) -> Result<Loaded, StoreError> {
    let bytes = match File::open(path) {
        Ok(mut file) => contents(path, &mut file)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Loaded::default()),
        Err(error) => return Err(failed(path, "read", error)),
    };
    let lines = Lines::new(&bytes);
    match lines.identity(path)? {
        None => Ok(Loaded::default()),
        Some(found) => match identity.difference(&found) {
            None => Ok(lines.statements(path, system)?.0),
            Some(why) => {
                let notes = vec![format!("{} is not used: {why}", path.display())];
                Ok(Loaded { notes, ..Loaded::default() })
            }
        },
    }
}

impl<'s> Database<'s> {
    /// Opens the database at a path, and makes it, and the directory, if need be. A file about something else, or any file when a
    /// fresh start is asked for, is renamed: `.old` is added to its name. Only a file about the same design at the same place
    /// is replaced by that; otherwise a number is added too.
    ///
    /// # Errors
    /// When the file or directory cannot be used, when another process uses it, or when it has a line that means nothing.
    pub fn open(
        path: &Path,
        identity: &Identity,
        system: &'s System,
        fresh: bool,
    ) -> Result<Opened<'s>, StoreError> {
        if let Some(directory) = path.parent() {
            std::fs::create_dir_all(directory).map_err(|error| failed(directory, "create", error))?;
        }
        let mut file = locked(path)?;
        let bytes = contents(path, &mut file)?;
        let lines = Lines::new(&bytes);
        let mut notes = Vec::new();
        let why = if fresh {
            (!bytes.is_empty()).then(String::new)
        } else {
            lines.identity(path)?.and_then(|found| identity.difference(&found))
        };
        if let Some(why) = why {
            let old = aside(path)?;
            file = locked(path)?;
            if !why.is_empty() {
                notes.push(format!(
                    "{}: {why}; starting over, the old file is {}",
                    path.display(),
                    old.display()
                ));
            }
            let opened = Database::start(path, file, identity, system, notes)?;
            return Ok(Opened { started_over: true, ..opened });
        }
        if lines.length == 0 {
            if lines.is_torn {
                truncate(path, &file, 0)?;
            }
            return Database::start(path, file, identity, system, notes);
        }
        let (loaded, evidence) = lines.statements(path, system)?;
        if lines.is_torn {
            truncate(path, &file, lines.length)?;
        }
        let database = Database { path: path.to_owned(), file: Some(file), failure: None, evidence };
        Ok(Opened { database, loaded, started_over: false })
    }

    fn start(
        path: &Path,
        file: File,
        identity: &Identity,
        system: &'s System,
        notes: Vec<String>,
    ) -> Result<Opened<'s>, StoreError> {
        let evidence = Evidence::new(system);
        let mut database = Database { path: path.to_owned(), file: Some(file), failure: None, evidence };
        database.write(&line(identity));
        match database.failure.take() {
            None => {
                let loaded = Loaded { notes, ..Loaded::default() };
                Ok(Opened { database, loaded, started_over: false })
            }
            Some(error) => Err(error),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a finding, unless it is undecided. When that fails, [`Database::failure`] says why, and nothing more is added.
    pub fn add_finding(&mut self, finding: &Finding) {
        let records = self.evidence.write_finding(finding);
        self.add(&records);
    }

    /// Adds a property that holds.
    pub fn add_proved(&mut self, proved: &Proved) {
        let records = self.evidence.write_proved(proved);
        self.add(&records);
    }

    /// Adds what an uncovered mutant could do.
    pub fn add_hole(&mut self, hole: &Hole) {
        let record = hole::write(self.evidence.system(), hole);
        self.add(&[Record::Hole(record)]);
    }

    /// Why the file is not complete, if it is not.
    pub fn failure(&self) -> Option<&StoreError> {
        self.failure.as_ref()
    }

    /// Where the evidence of a finding is, in words: `stimulus 3`, `proof 7`.
    pub fn reference(&self, finding: &Finding) -> Option<String> {
        self.evidence.reference(finding)
    }

    /// One write for all of it, so that evidence and finding come together and nothing waits in a buffer.
    fn add(&mut self, records: &[Record]) {
        let text: Vec<u8> = records.iter().flat_map(line).collect();
        if !text.is_empty() {
            self.write(&text);
        }
    }

    fn write(&mut self, text: &[u8]) {
        let Some(file) = &mut self.file else { return };
        let length = file.metadata().map(|metadata| metadata.len());
        if let Err(error) = file.write_all(text) {
            // A part of a line may be there; without it, the rest of the file is good. If it cannot be removed now, whoever
            // opens the file next does so.
            let _ = length.and_then(|length| file.set_len(length));
            self.failure = Some(failed(&self.path, "write", error));
            self.file = None;
        }
    }
}

fn failed(path: &Path, action: &'static str, error: io::Error) -> StoreError {
    StoreError::Io { path: path.to_owned(), action, error }
}

/// The file, open for reading and adding, and for nobody else.
fn locked(path: &Path) -> Result<File, StoreError> {
    let file = OpenOptions::new().read(true).append(true).create(true).open(path);
    let file = file.map_err(|error| failed(path, "open", error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse { path: path.to_owned() }),
        // Some file systems have no locks. Then users have to take care themselves.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(failed(path, "lock", error)),
    }
}

/// What is in it. Devices have nothing to say, and might not stop saying it.
fn contents(path: &Path, file: &mut File) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    let is_file = file.metadata().map_err(|error| failed(path, "read", error))?.is_file();
    if is_file {
        file.read_to_end(&mut bytes).map_err(|error| failed(path, "read", error))?;
    }
    Ok(bytes)
}

fn truncate(path: &Path, file: &File, length: usize) -> Result<(), StoreError> {
    file.set_len(length as u64).map_err(|error| failed(path, "truncate", error))
}

/// Renames the file.
fn aside(path: &Path) -> Result<PathBuf, StoreError> {
    let named = |number: u32| {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".old");
        if number > 1 {
            name.push(format!("-{number}"));
        }
        path.with_file_name(name)
    };
    let place = |path: &Path| identity_at(path).and_then(|identity| identity.place);
    let own = place(path);
    // Of one design, the last one is enough.
    let is_free = |old: &PathBuf| !old.exists() || (own.is_some() && place(old) == own);
    let old = (1..u32::MAX).map(named).find(is_free).unwrap_or_else(|| named(u32::MAX));
    std::fs::rename(path, &old).map_err(|error| failed(path, "rename", error))?;
    Ok(old)
}

/// A line of JSON.
fn line(value: &impl serde::Serialize) -> Vec<u8> {
    // Records are strings, numbers and lists of them: there is nothing that JSON could not say.
    let mut text = serde_json::to_vec(value).unwrap_or_default();
    text.push(b'\n');
    text
}
