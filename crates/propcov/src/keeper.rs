//! The run directory of a run: what earlier runs left, and where this one's findings go as they are made.

use crate::files::{WriteError, write_atomically};
use crate::verify_directory::{before, texts};
use crate::{Design, material};
use propcov_ir::{
    Digest, ElementSet, Finding, Kill, Meanings, Mutant, Proof, PropertyId, Stimulus, System, Trace,
};
use propcov_report::{Material, html};
use propcov_result::{Note, NoteKind, RunResult};
use propcov_store::{
    Archive, DesignFile, Journal, Question, Recalled, RecalledSlices, StoreError, Subject, Wanted, keep_trace,
};
use propcov_verify::Outcome;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Facts about work that was not enough.
const IN_VAIN: &str = "effect in vain";

/// How long to wait before a result is written again.
const PAUSE: Duration = Duration::from_secs(1);

/// The report in a run directory: of the newest run.
pub const PAGE: &str = "report.html";

/// Where a run keeps what it finds.
#[derive(Clone, Debug, Default)]
pub struct Keep {
    /// The run directory; without one nothing is kept, and nothing is known.
    pub directory: Option<PathBuf>,
    /// Directories of other runs, which are read as if they were part of it, and not written.
    pub others: Vec<PathBuf>,
    /// What is done with it.
    pub usage: Usage,
    /// Whether it is an error if it cannot be written, and not just a warning: somebody asked for it by name.
    pub is_required: bool,
    /// How long to try, in the end, to write what could not be written: the disk may be full or away for a moment.
    pub patience: Duration,
    /// Whether the directory has been made already: where it is not to be seen, its file system is away, and it is not made again.
    pub is_made: bool,
    /// Whether a report is made of the result, as a page. Nobody looks at that of a share.
    pub without_page: bool,
    /// What is to be said in the result besides what the run finds to say.
    pub notes: Vec<Note>,
}

/// What a run does with its directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Usage {
    /// Goes on from what is there.
    #[default]
    GoOn,
    /// Ignores what is there.
    Fresh,
    /// Goes on, and makes no directory where there is none.
    IfThere,
}

impl Keep {
    /// Keeps findings in a directory, and goes on from those that are there.
    pub fn in_directory(directory: impl Into<PathBuf>) -> Keep {
        Keep { directory: Some(directory.into()), is_required: true, ..Keep::default() }
    }
}

/// A run directory, or none.
pub(crate) struct Keeper<'s> {
    pub(crate) system: &'s System,
    pub(crate) meanings: Arc<Meanings>,
    /// What earlier runs left.
    archive: Archive,
    journal: Mutex<Option<Journal<'s>>>,
    is_required: bool,
    patience: Duration,
    without_page: bool,
    /// What the user should know about it.
    notes: Mutex<Vec<Note>>,
}

impl<'s> Keeper<'s> {
    /// Opens the directory. When it cannot be used the run goes on without. `options` are what it takes to read the design in
    /// the same way again.
    pub(crate) fn open(
        keep: &Keep,
        design: &Design,
        system: &'s System,
        options: serde_json::Value,
    ) -> Keeper<'s> {
        let mut keeper = Keeper {
            system,
            meanings: Arc::new(Meanings::new(system)),
            archive: Archive::default(),
            journal: Mutex::new(None),
            is_required: keep.is_required,
            patience: keep.patience,
            without_page: keep.without_page,
            notes: Mutex::new(keep.notes.clone()),
        };
        let directory = keep.directory.as_deref();
        let Some(path) = directory.filter(|path| keep.usage != Usage::IfThere || path.exists()) else {
            return keeper;
        };
        let opened = match keep.usage {
            Usage::Fresh => Ok(Archive::default()),
            Usage::GoOn | Usage::IfThere => Archive::read_all(path, &keep.others),
        };
        let files = design.sources.files();
        let files = files.map(|file| DesignFile { path: &file.path, bytes: &file.bytes }).collect();
        let opened = opened.and_then(|archive| {
            keeper.archive = archive;
            let (subject, start) = (Subject { files, options }, Instant::now());
            loop {
                let meanings = Arc::clone(&keeper.meanings);
                let started = match keep.is_made {
                    true => Journal::start_there(path, &subject, system, meanings),
                    false => Journal::start(path, &subject, system, meanings),
                };
                match started {
                    Err(_) if start.elapsed() < keep.patience => std::thread::sleep(PAUSE),
                    settled => return settled,
                }
            }
        });
        for note in keeper.archive.notes() {
            keeper.note(NoteKind::Note, note.clone());
        }
        match opened {
            Ok(journal) => keeper.journal = Mutex::new(Some(journal)),
            // Whoever only reads need not be able to write.
            Err(_) if keep.usage == Usage::IfThere => {}
            Err(error) => keeper.failed(&error, "findings will not be kept"),
        }
        keeper
    }

    /// Says what this run is about, for those who unite what several have found.
    pub(crate) fn introduce(&self) {
        if let Some(journal) = self.journal().as_mut() {
            journal.introduce();
        }
    }

    /// Notes that something could not be kept.
    pub(crate) fn failed(&self, error: &StoreError, what: &str) {
        let kind = if self.is_required { NoteKind::Error } else { NoteKind::Warning };
        self.note(kind, format!("{error}; {what}"));
    }

    /// Notes what the user should know about the directory.
    pub(crate) fn note(&self, kind: NoteKind, text: String) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        // What is looked at twice is told once.
        if notes.iter().all(|known| known.text != text) {
            notes.push(Note { kind, text, place: None });
        }
    }

    /// What the user should know, once.
    pub(crate) fn take_notes(&self) -> Vec<Note> {
        std::mem::take(&mut *self.notes.lock().unwrap_or_else(PoisonError::into_inner))
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

    /// What earlier runs have to say about what suffices for properties, and what does not. Nobody has checked it.
    pub(crate) fn recall_slices(&self, properties: &[PropertyId]) -> RecalledSlices {
        let recalled = self.archive.recall_slices(self.system, &self.meanings, properties, true);
        if let Some(journal) = self.journal().as_mut() {
            journal.know_slices(&recalled);
        }
        recalled
    }

    /// Keeps that some of the elements in question suffice for a property.
    pub(crate) fn keep_adequate(
        &self,
        property: PropertyId,
        universe: &ElementSet,
        kept: &ElementSet,
        order: usize,
        proof: &Proof,
    ) {
        if let Some(journal) = self.journal().as_mut() {
            journal.add_adequate(property, universe, kept, order, proof);
        }
    }

    /// Keeps that they do not; how many bytes that takes.
    pub(crate) fn keep_inadequate(
        &self,
        property: PropertyId,
        universe: &ElementSet,
        kept: &ElementSet,
        run: &Trace,
    ) -> usize {
        self.journal().as_mut().map_or(0, |journal| journal.add_inadequate(property, universe, kept, run))
    }

    /// Notes how many records have no evidence.
    pub(crate) fn note_missing(&self, missing: usize) {
        let missing = match missing {
            0 => return,
            1 => "1 record of an earlier run has".to_owned(),
            count => format!("{count} records of earlier runs have"),
        };
        let place = self.archive.path().display();
        self.note(NoteKind::Note, format!("{place}: {missing} no evidence; ignored"));
    }

    /// Where earlier runs left what they found.
    pub(crate) fn archive_path(&self) -> &Path {
        self.archive.path()
    }

    /// Where this run's findings go.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        self.journal().as_ref().map(|journal| journal.directory().to_owned())
    }

    /// Keeps a verdict with its evidence.
    pub(crate) fn keep_outcome(&self, outcome: &Outcome) {
        let engine = outcome.engine.unwrap_or_default();
        if let Some(proof) = outcome.answer.proof() {
            self.keep_proved(outcome.property, &Arc::new(proof.clone()), engine, outcome.seconds);
        } else if let (true, Some(trace)) = (outcome.certified, outcome.answer.trace()) {
            let run = Arc::new(Stimulus::of(self.system, trace));
            self.keep_violated(outcome.property, &run, engine, outcome.seconds);
        }
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

    /// Keeps that a statement is executed in the last of so many steps of a run: the property that it never is, fails there.
    pub(crate) fn keep_reached(&self, property: PropertyId, run: &Arc<Stimulus>, steps: usize, by: &str) {
        if let Some(journal) = self.journal().as_mut() {
            journal.add_violated(property, run, steps, by, 0.0);
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

    /// Keeps that so much work was not enough to find out what an uncovered mutant can do.
    pub(crate) fn keep_in_vain(&self, meaning: Digest, ticks: u64) {
        if let Some(journal) = self.journal().as_mut() {
            journal.add_fact(IN_VAIN, meaning, ticks.into());
        }
    }

    /// How much work earlier runs have done in vain.
    pub(crate) fn in_vain(&self, meaning: Digest) -> Option<u64> {
        self.archive.facts(IN_VAIN, meaning).iter().filter_map(serde_json::Value::as_u64).max()
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

    /// Adds to a result where it is kept and what went wrong with that, and keeps it.
    pub(crate) fn keep_result(&self, result: &mut RunResult) {
        if let Some(journal) = self.journal().as_mut() {
            journal.settle(self.patience);
        }
        if let Some(failure) = self.journal().as_ref().and_then(Journal::failure) {
            self.failed(failure, "not all findings were kept");
        }
        result.run.directory = self.path().map(|path| path.display().to_string());
        self.name_evidence(result);
        result.notes.extend(self.take_notes());
        let is_known = !self.archive.path().as_os_str().is_empty();
        let before = is_known.then(|| before(&self.archive, None, result)).flatten();
        let written = self.journal().as_ref().map(|journal| {
            let document = serde_json::to_value(&*result).unwrap_or_default();
            let start = Instant::now();
            loop {
                match journal.write_result(&document) {
                    Err(_) if start.elapsed() < self.patience => std::thread::sleep(PAUSE),
                    settled => return settled,
                }
            }
        });
        if let Some(Err(error)) = written {
            self.failed(&error, "the result was not kept");
        }
        if let Some(directory) = self.path().filter(|_| !self.without_page) {
            let texts_before = before.as_ref().map(|before| texts(&self.archive, before)).unwrap_or_default();
            let material = Material { before, texts_before, ..material::of_system(self.system) };
            self.write_page(&directory.join(PAGE), result, &material);
        }
        result.notes.extend(self.take_notes());
    }

    /// Notes where the evidence of verdicts is.
    fn name_evidence(&self, result: &mut RunResult) {
        let journal = self.journal();
        let Some(journal) = journal.as_ref() else { return };
        for property in result.properties.iter_mut().filter(|property| property.certified) {
            let id = self.system.properties().iter().position(|other| other.name == property.name);
            let id = id.and_then(|id| u32::try_from(id).ok()).map(PropertyId);
            let kept = id.and_then(|id| journal.evidence_of(id)).map(|name| name.to_string());
            property.evidence = property.evidence.take().or(kept);
        }
    }

    /// Renders the result as a page beside the evidence.
    fn write_page(&self, path: &Path, result: &RunResult, material: &Material) {
        let mut page = Vec::new();
        let written = html::write(result, material, &mut page).and_then(|()| write_atomically(path, &page));
        if let Err(error) = written {
            let kind = if self.is_required { NoteKind::Error } else { NoteKind::Warning };
            self.note(kind, WriteError { path: path.to_owned(), error }.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cover::{Milestones, Recorder};
    use propcov_coverage::mutation::Listener;
    use propcov_ir::{ElementSet, Invariant, Mutation, Status};
    use propcov_verify::{PanicLog, Silent};

    const TOGGLE: &[u8] = b"aag 1 0 1 0 0 1\n2 3\n2\nl0 toggle\nb0 low\n";

    #[test]
    fn a_finding_is_in_the_file_at_once_and_is_remembered_when_the_run_crashes() {
        let directory = tempfile::tempdir().expect("a directory");
        let design = crate::read_bytes("toggle.aag", TOGGLE, &crate::ReadOptions::default());
        let design = design.expect("well-formed");
        let system = design.system();
        let keep = Keep::in_directory(directory.path());
        let keeper = Keeper::open(&keep, &design, system, serde_json::Value::Null);
        let counting = crate::counting::Mutants::new(system, 1, &[], &[]);
        let milestones = Milestones::new(Instant::now(), 1);
        let recorder = Recorder::new(&keeper, &Silent, system, milestones, counting);
        let element = system.element_ids().find(|element| !system.mutants_of(*element).is_empty());
        let mutant = Mutant { element: element.expect("a register"), mutation: Mutation::Zero };
        let (invariant, core) = (Invariant::default(), ElementSet::new());
        let proof = Arc::new(Proof { invariant: invariant.into(), k: 1, simple_path: false, core });
        let status = Status::Uncovered(proof);
        let finding = Finding { property: PropertyId(0), mutant, status, by: "test".into() };
        let crashed: Option<()> = PanicLog::default().guard(|| {
            recorder.found(std::slice::from_ref(&finding));
            panic!("expected by this test");
        });
        assert!(crashed.is_none());
        let keep = Keep { usage: Usage::IfThere, ..keep };
        let other = Keeper::open(&keep, &design, system, serde_json::Value::Null);
        let recalled = other.recall(&[PropertyId(0)], &[mutant]);
        assert_eq!(recalled.findings.len(), 1, "it is in the file before anything is closed");
        let (found, _) = recorder.finish();
        assert_eq!((found.len(), found[0].mutant), (1, mutant));
    }
}
