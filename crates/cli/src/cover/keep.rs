//! The run directory of a run: what earlier runs left, and where this one's findings go as they are made.

use crate::cover::arguments::KeepArguments;
use crate::cover::milestones::Milestones;
use crate::exit::ExitCode;
use crate::input::Input;
use crate::progress::Progress;
use crate::session::Session;
use propcov_coverage::mutation::Listener;
use propcov_ir::{Digest, Finding, Kill, Meanings, Mutant, Proof, PropertyId, Stimulus, System};
use propcov_store::{
    Archive, DesignFile, Journal, Question, Recalled, StoreError, Subject, Wanted, keep_trace,
};
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A run directory, or none.
pub(crate) struct Keeper<'s> {
    system: &'s System,
    pub(crate) meanings: Arc<Meanings>,
    /// What earlier runs left.
    archive: Archive,
    journal: Mutex<Option<Journal<'s>>>,
    arguments: KeepArguments,
    /// How opening it went.
    pub(crate) code: ExitCode,
}

/// What a run does with its directory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// Goes on from what is there.
    GoOn,
    /// Ignores what is there.
    Fresh,
    /// Goes on, and makes no directory where there is none.
    IfThere,
}

impl<'s> Keeper<'s> {
    /// Opens the directory that the arguments ask for. When it cannot be used the run goes on without.
    pub(crate) fn open(
        arguments: &KeepArguments,
        use_it: Use,
        input: &'s Input,
        bits: bool,
        session: &mut Session,
    ) -> Keeper<'s> {
        let system = &input.design.system;
        let mut keeper = Keeper {
            system,
            meanings: Arc::new(Meanings::new(system)),
            archive: Archive::default(),
            journal: Mutex::new(None),
            arguments: arguments.clone(),
            code: ExitCode::Good,
        };
        let Some(path) = arguments.directory().filter(|path| use_it != Use::IfThere || path.exists()) else {
            return keeper;
        };
        let opened = match use_it {
            Use::Fresh => Ok(Archive::default()),
            Use::GoOn | Use::IfThere => Archive::read(path),
        };
        let files = vec![DesignFile { path: &input.path, bytes: &input.bytes }];
        let subject = Subject { files, options: json!({ "bits": bits }) };
        let opened = opened.and_then(|archive| {
            keeper.archive = archive;
            Journal::start(path, &subject, system, Arc::clone(&keeper.meanings))
        });
        match opened {
            Ok(journal) => keeper.journal = Mutex::new(Some(journal)),
            // Whoever only reads need not be able to write.
            Err(_) if use_it == Use::IfThere => {}
            Err(error) => keeper.code = keeper.failed(&error, "findings will not be kept", session),
        }
        keeper
    }

    /// Says that something could not be kept.
    pub(crate) fn failed(&self, error: &StoreError, what: &str, session: &mut Session) -> ExitCode {
        self.arguments.failed(error, what, session)
    }

    fn journal(&self) -> MutexGuard<'_, Option<Journal<'s>>> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What earlier runs have to say. Nobody has checked it.
    pub(crate) fn recall(&self, properties: &[PropertyId], mutants: &[Mutant]) -> Recalled {
        let wanted = Wanted { properties, mutants, candidates: true };
        let recalled = self.archive.recall(self.system, &self.meanings, &wanted);
        if let Some(journal) = self.journal().as_mut() {
            journal.know(&recalled);
        }
        recalled
    }

    /// What users should know about the files of earlier runs.
    pub(crate) fn notes(&self, recalled: &Recalled) -> Vec<String> {
        let mut notes = self.archive.notes().to_vec();
        let missing = match recalled.without_evidence.len() {
            0 => return notes,
            1 => "1 record of an earlier run has".to_owned(),
            count => format!("{count} records of earlier runs have"),
        };
        notes.push(format!("{}: {missing} no evidence; ignored", self.archive.path().display()));
        notes
    }

    /// What earlier runs left.
    pub(crate) fn archive(&self) -> &Archive {
        &self.archive
    }

    /// Where it is.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        self.journal().as_ref().map(|journal| journal.directory().to_owned())
    }

    /// Keeps a property that was proved.
    pub(crate) fn keep_proved(&self, property: PropertyId, proof: &Arc<Proof>, by: &str, seconds: f64) {
        if let Some(journal) = self.journal().as_mut() {
            journal.add_proved(property, proof, by, seconds);
        }
    }

    /// Keeps a property that fails, and a run on which it does.
    pub(crate) fn keep_violated(&self, property: PropertyId, run: &Arc<Stimulus>, by: &str, seconds: f64) {
        if let Some(journal) = self.journal().as_mut() {
            journal.add_violated(property, run, run.inputs.len(), by, seconds);
        }
    }

    /// Keeps choices on which an uncovered mutant and the design differ.
    pub(crate) fn keep_difference(
        &self,
        meaning: Digest,
        question: &Question<'_>,
        mutant: Mutant,
        kill: &Kill,
    ) {
        if let Some(journal) = self.journal().as_mut() {
            journal.add_difference(meaning, question, mutant, kill);
        }
    }

    /// Keeps why an uncovered mutant and the design do not differ.
    pub(crate) fn keep_no_effect(
        &self,
        meaning: Digest,
        question: &Question<'_>,
        mutant: Mutant,
        (product, proof): (&System, &Proof),
    ) {
        if let Some(journal) = self.journal().as_mut() {
            journal.add_no_effect(meaning, question, mutant, product, proof);
        }
    }

    /// Keeps findings.
    pub(crate) fn keep_findings(&self, findings: &[Finding]) {
        if let Some(journal) = self.journal().as_mut() {
            journal.add_findings(findings);
        }
    }

    /// Keeps a waveform; `None` when nothing is kept.
    pub(crate) fn keep_waveform(&self, stem: &str, bytes: &[u8]) -> Option<Result<PathBuf, StoreError>> {
        self.path().map(|directory| keep_trace(&directory, stem, "vcd", bytes))
    }

    /// The name of the evidence of a finding.
    pub(crate) fn reference(&self, finding: &Finding) -> Option<String> {
        self.journal().as_ref().and_then(|journal| journal.evidence(finding)).map(|name| name.to_string())
    }

    /// Says why not everything was kept, if it was not.
    pub(crate) fn complain(&self, session: &mut Session) -> ExitCode {
        match self.journal().as_ref().and_then(Journal::failure) {
            Some(failure) => self.failed(failure, "not all findings were kept", session),
            None => ExitCode::Good,
        }
    }
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
    fn found(&self, findings: &[Finding]) {
        self.keeper.keep_findings(findings);
        self.found.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(findings);
        self.milestones.lock().unwrap_or_else(PoisonError::into_inner).decided(findings.len());
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
    use propcov_ir::{ElementSet, Invariant, Mutation, Status};
    use propcov_verify::PanicLog;

    const TOGGLE: &[u8] = b"aag 1 0 1 0 0 1\n2 3\n2\nl0 toggle\nb0 low\n";

    #[test]
    fn a_finding_is_in_the_file_at_once_and_is_remembered_when_the_run_crashes() {
        let directory = tempfile::tempdir().expect("a directory");
        let design = propcov_frontend::read("toggle.aag", TOGGLE).expect("well-formed");
        let (path, bytes) = ("toggle.aag".to_owned(), TOGGLE.into());
        let input = Input { path, bytes, design, strengthened: Vec::new() };
        let arguments = KeepArguments { out: Some(directory.path().to_owned()), no_out: false };
        let mut session = Session {
            interrupt: Interrupt::default(),
            end_now: || unreachable!("nobody presses Ctrl-C"),
            panics: PanicLog::default(),
            terminal: Terminal::detect(),
        };
        let system = &input.design.system;
        let keeper = Keeper::open(&arguments, Use::GoOn, &input, false, &mut session);
        let progress = Progress::new(false);
        let milestones = Mutex::new(Milestones::new(std::time::Instant::now(), 1));
        let found = Mutex::default();
        let recorder = Recorder { keeper: &keeper, progress: &progress, system, found, milestones };
        let element = system.element_ids().find(|element| !system.mutants_of(*element).is_empty());
        let mutant = Mutant { element: element.expect("a register"), mutation: Mutation::Zero };
        let (invariant, core) = (Invariant::default(), ElementSet::new());
        let proof = Arc::new(Proof { invariant, k: 1, simple_path: false, core });
        let status = Status::Uncovered(proof);
        let finding = Finding { property: PropertyId(0), mutant, status, by: "test".into() };
        let crashed: Option<()> = session.panics.guard(|| {
            recorder.found(std::slice::from_ref(&finding));
            panic!("expected by this test");
        });
        assert!(crashed.is_none());
        let other = Keeper::open(&arguments, Use::IfThere, &input, false, &mut session);
        let recalled = other.recall(&[PropertyId(0)], &[mutant]);
        assert_eq!(recalled.findings.len(), 1, "it is in the file before anything is closed");
        let found = recorder.found.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!((found.len(), found[0].mutant), (1, mutant));
    }
}
