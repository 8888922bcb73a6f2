//! The findings database of a run: what earlier runs left, and where this one's findings go as they are made.

use crate::cover::arguments::KeepArguments;
use crate::cover::milestones::Milestones;
use crate::exit::ExitCode;
use crate::input::{Complaint, Input};
use crate::progress::Progress;
use crate::session::Session;
use propcov::waveform;
use propcov_coverage::mutation::Listener;
use propcov_ir::{Finding, PropertyId, System};
use propcov_store::{
    Database, Hole, Identity, Loaded, Proved, SCHEMA, StoreError, fingerprint, identity_at, load,
};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What standard input is called in messages.
const STDIN: &str = "<stdin>";

/// What distinguishes one database of a design from another.
pub(crate) struct Subject<'a> {
    pub(crate) input: &'a Input,
    pub(crate) metric: &'a str,
    /// Whether words are taken apart.
    pub(crate) bits: bool,
}

impl Subject<'_> {
    fn identity(&self) -> Identity {
        Identity {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            design: self.input.path.clone(),
            place: self.place(),
            fingerprint: fingerprint(&self.input.bytes),
            metric: self.metric.to_owned(),
            granularity: if self.bits { "bits" } else { "elements" }.to_owned(),
        }
    }

    /// Where the design is, whatever it is called.
    fn place(&self) -> Option<String> {
        let place = Path::new(&self.input.path).canonicalize().ok();
        place.filter(|_| self.input.path != STDIN).map(|place| place.to_string_lossy().into_owned())
    }

    /// `DIR/design.btor2.mutation.jsonl`: with the ending, as a design may be there in several formats. Where that is about a design
    /// of the same name in another directory, `DIR/design.btor2-2.mutation.jsonl`, and so on.
    fn path(&self, directory: &Path) -> PathBuf {
        let name = Path::new(&self.input.path).file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.filter(|_| self.input.path != STDIN).unwrap_or_else(|| "stdin".to_owned());
        let bits = if self.bits { ".bits" } else { "" };
        let numbered = |number: u32| {
            let number = if number > 1 { format!("-{number}") } else { String::new() };
            directory.join(format!("{name}{number}.{}{bits}.jsonl", self.metric))
        };
        let identity = self.identity();
        let is_elsewhere =
            |path: &PathBuf| identity_at(path).is_some_and(|other| identity.is_elsewhere(&other));
        (1..u32::MAX).map(numbered).find(|path| !is_elsewhere(path)).unwrap_or_else(|| numbered(1))
    }
}

/// A database, or none.
pub(crate) struct Keeper<'s> {
    database: Mutex<Option<Database<'s>>>,
    /// What earlier runs left. Nobody has checked it yet.
    pub(crate) loaded: Loaded,
    /// How opening it went.
    pub(crate) code: ExitCode,
}

impl<'s> Keeper<'s> {
    /// Opens the database that the arguments ask for. When it cannot be used the run goes on without, but does not end well.
    pub(crate) fn open(
        arguments: &KeepArguments,
        fresh: bool,
        subject: &Subject<'_>,
        system: &'s System,
        session: &mut Session,
    ) -> Result<Keeper<'s>, Complaint> {
        if arguments.no_out {
            return Ok(Keeper::none(ExitCode::Good));
        }
        let path = subject.path(&arguments.out);
        match Database::open(&path, &subject.identity(), system, fresh) {
            Ok(opened) => {
                if opened.started_over {
                    remove_waveforms(&waveforms(&path));
                }
                let database = Mutex::new(Some(opened.database));
                Ok(Keeper { database, loaded: opened.loaded, code: ExitCode::Good })
            }
            Err(error @ StoreError::Corrupt { .. }) => {
                let hint = "  `propcov cover --fresh` puts this file aside and starts over; --no-out does without it\n";
                Err(Complaint(format!("error: {error}\n{hint}")))
            }
            Err(error) => {
                session.complain(&format!("error: {error}; findings will not be kept\n"));
                Ok(Keeper::none(ExitCode::BadInput))
            }
        }
    }

    /// The database of an earlier run, if there is one: nothing is made that was not there.
    pub(crate) fn open_existing(
        arguments: &KeepArguments,
        subject: &Subject<'_>,
        system: &'s System,
        session: &mut Session,
    ) -> Result<Keeper<'s>, Complaint> {
        let path = subject.path(&arguments.out);
        if arguments.no_out || !path.exists() {
            return Ok(Keeper::none(ExitCode::Good));
        }
        let loaded = load(&path, &subject.identity(), system);
        match loaded.as_ref().map(|loaded| loaded.notes.is_empty()) {
            // It is about this design, and complete: what is found out now may be added.
            Ok(true) => match Database::open(&path, &subject.identity(), system, false) {
                Ok(opened) => {
                    let database = Mutex::new(Some(opened.database));
                    Ok(Keeper { database, loaded: opened.loaded, code: ExitCode::Good })
                }
                Err(_) => Ok(Keeper { loaded: loaded.unwrap_or_default(), ..Keeper::none(ExitCode::Good) }),
            },
            Ok(false) => Ok(Keeper { loaded: loaded.unwrap_or_default(), ..Keeper::none(ExitCode::Good) }),
            Err(_) => Keeper::open(arguments, false, subject, system, session),
        }
    }

    fn none(code: ExitCode) -> Keeper<'s> {
        Keeper { database: Mutex::new(None), loaded: Loaded::default(), code }
    }

    fn database(&self) -> MutexGuard<'_, Option<Database<'s>>> {
        self.database.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        self.database().as_ref().map(|database| database.path().to_owned())
    }

    /// The directory for waveforms that belong to it.
    pub(crate) fn waveforms(&self) -> Option<PathBuf> {
        self.path().map(|path| waveforms(&path))
    }

    /// Keeps a property that was proved.
    pub(crate) fn keep_proved(&self, proved: &Proved) {
        if let Some(database) = self.database().as_mut() {
            database.add_proved(proved);
        }
    }

    /// Keeps what an uncovered mutant could do.
    pub(crate) fn keep_hole(&self, hole: &Hole) {
        if let Some(database) = self.database().as_mut() {
            database.add_hole(hole);
        }
    }

    fn keep_finding(&self, finding: &Finding) {
        if let Some(database) = self.database().as_mut() {
            database.add_finding(finding);
        }
    }

    /// Where the evidence of a finding is kept.
    pub(crate) fn reference(&self, finding: &Finding) -> Option<String> {
        self.database().as_ref().and_then(|database| database.reference(finding))
    }

    /// Why not everything was kept, if it was not.
    pub(crate) fn failure(&self) -> Option<String> {
        self.database().as_ref().and_then(|database| database.failure().map(ToString::to_string))
    }
}

fn waveforms(database: &Path) -> PathBuf {
    database.with_extension("holes")
}

/// Removes the waveforms that propcov wrote into a directory, and the directory if nothing else is in it. What cannot be removed is
/// left: it is in nobody's way.
fn remove_waveforms(directory: &Path) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.extension().is_some_and(|ending| ending == "vcd") && waveform::is_own(&path) {
            let _ = std::fs::remove_file(&path);
        }
    }
    // This fails unless it is empty.
    let _ = std::fs::remove_dir(directory);
}

/// Listens to a run: every finding is kept at once, and remembered in case the run crashes.
pub(crate) struct Recorder<'r, 's> {
    pub(crate) keeper: &'r Keeper<'s>,
    pub(crate) progress: &'r Progress,
    pub(crate) system: &'s System,
    pub(crate) found: Mutex<Vec<Finding>>,
    pub(crate) milestones: Mutex<Milestones>,
}

impl Listener for Recorder<'_, '_> {
    fn found(&self, finding: &Finding) {
        self.keeper.keep_finding(finding);
        self.found.lock().unwrap_or_else(PoisonError::into_inner).push(finding.clone());
        self.milestones.lock().unwrap_or_else(PoisonError::into_inner).decided(1);
    }

    fn progress(&self, property: PropertyId, technique: &'static str, decided: usize, total: usize) {
        let name = &self.system.property(property).name;
        self.progress.message(|| format!("{decided} of {total} decided; {technique}, {name}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Terminal;
    use propcov_budget::Interrupt;
    use propcov_budget::Interrupt;
    use propcov_ir::{ElementSet, Invariant, Mutant, Mutation, Proof, Status};
    use propcov_verify::PanicLog;
    use std::sync::Arc;

    const TOGGLE: &[u8] = b"aag 1 0 1 0 0 1\n2 3\n2\nl0 toggle\nb0 low\n";

    #[test]
    fn a_finding_is_in_the_file_at_once_and_is_remembered_when_the_run_crashes() {
        let directory = tempfile::tempdir().expect("a directory");
        let design = propcov_frontend::read("toggle.aag", TOGGLE).expect("well-formed");
        let (path, bytes) = ("toggle.aag".to_owned(), TOGGLE.into());
        let input = Input { path, bytes, design, strengthened: Vec::new() };
        let subject = Subject { input: &input, metric: "mutation", bits: false };
        let arguments = KeepArguments { out: directory.path().to_owned(), no_out: false };
        let mut session = Session {
            interrupt: Interrupt::default(),
            end_now: || unreachable!("nobody presses Ctrl-C"),
            panics: PanicLog::default(),
            terminal: Terminal::detect(),
        };
        let system = &input.design.system;
        let Ok(keeper) = Keeper::open(&arguments, false, &subject, system, &mut session) else {
            panic!("a database");
        };
        let progress = Progress::new(false);
        let milestones = Mutex::new(Milestones::new(std::time::Instant::now(), 1));
        let found = Mutex::default();
        let recorder = Recorder { keeper: &keeper, progress: &progress, system, found, milestones };
        let element = system.element_ids().find(|element| !system.mutants_of(*element).is_empty());
        let mutant = Mutant { element: element.expect("a register"), mutation: Mutation::Zero };
        let (invariant, core) = (Invariant::default(), ElementSet::new());
        let proof = Arc::new(Proof { invariant, k: 1, simple_path: false, core });
        let finding =
            Finding { property: PropertyId(0), mutant, status: Status::Uncovered(proof), by: "test".into() };
        let crashed: Option<()> = session.panics.guard(|| {
            recorder.found(&finding);
            panic!("expected by this test");
        });
        assert!(crashed.is_none());
        let path = subject.path(directory.path());
        let loaded = load(&path, &subject.identity(), system).expect("readable while it is open");
        assert_eq!(loaded.findings.len(), 1, "it is in the file before anything is closed");
        let found = recorder.found.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!((found.len(), found[0].mutant), (1, mutant));
    }
}
