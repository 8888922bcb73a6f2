//! What a run adds to a directory: two files of its own, one of evidence and one of claims, and whole files besides.
//!
//! A claim is written as soon as it is made, after its evidence, and with one write each. Nobody else writes these files, and nothing that is there is ever
//! changed: so any number of runs may work in one directory, and whatever ends a run, all that it said before is there.

use crate::archive::{EVIDENCE, FINDINGS};
use crate::error::StoreError;
use crate::files::{create, failed, make_directory, make_last};
use crate::kept::{self, DesignFile};
use crate::line::{self, FORMAT};
use crate::names;
use crate::packed::Packed;
use crate::proofs::{Clauses, Written};
use crate::recall::Recalled;
use crate::record::{self, Id, Record};
use crate::runs;
use crate::segment::{Header, HeaderFile, run_name};
use crate::sync::Syncer;
use propcov_ir::{
    Digest, Digester, ElementSet, Finding, Kill, Meanings, Mutant, Mutation, Proof, PropertyId, Status,
    Stimulus, System,
};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most mutants in one line: what a damaged line costs.
const BATCH: usize = 256;

/// A run that adds to a directory.
pub struct Journal<'s> {
    directory: PathBuf,
    header: Header,
    pub(crate) system: &'s System,
    pub(crate) meanings: Arc<Meanings>,
    evidence: Sink,
    findings: Sink,
    /// Evidence and questions that need not be written.
    pub(crate) known: FxHashSet<Id>,
    /// Runs in which elements are freed, apart from the others: one of each may have the same name.
    pub(crate) known_traces: FxHashSet<Id>,
    /// The elements that were in question last.
    pub(crate) elements: Option<(ElementSet, Id)>,
    written: Written,
    /// By address. Holding them keeps their addresses from being used for others.
    proofs: FxHashMap<usize, (Arc<Proof>, Id)>,
    runs: FxHashMap<usize, (Arc<Stimulus>, Id)>,
    /// The evidence of verdicts.
    verdicts: FxHashMap<PropertyId, Id>,
    /// Why something is not written that should be.
    failure: Option<StoreError>,
    syncer: Syncer,
}

/// What a run is about.
#[derive(Clone, Debug)]
pub struct Subject<'d> {
    /// The files of the design.
    pub files: Vec<DesignFile<'d>>,
    /// How they were read: whatever it takes to read them in the same way again.
    pub options: Json,
}

/// A file that is made when there is something to write.
struct Sink {
    path: PathBuf,
    file: Option<Arc<File>>,
    /// What could not be written yet: the disk may be full, or away for a moment.
    pending: Vec<u8>,
    /// When that was tried last.
    tried: Option<Instant>,
}

/// How long to wait before something is tried again, while others are waiting for it.
const PAUSE: Duration = Duration::from_secs(1);

/// So much is remembered that could not be written; what comes then is lost.
const MOST: usize = 256 << 20;

impl<'s> Journal<'s> {
    /// Begins a run. Directories are made, and the design is put there; other files come with what they hold.
    ///
    /// # Errors
    /// When the directory cannot be written.
    pub fn start(
        directory: &Path,
        subject: &Subject<'_>,
        system: &'s System,
        meanings: Arc<Meanings>,
    ) -> Result<Journal<'s>, StoreError> {
        make_directory(directory)?;
        Journal::start_there(directory, subject, system, meanings)
    }

    /// The same in a directory that is there: if it is not, its file system is away, and nothing is made in its place.
    ///
    /// # Errors
    /// When the directory is not there, or cannot be written.
    pub fn start_there(
        directory: &Path,
        subject: &Subject<'_>,
        system: &'s System,
        meanings: Arc<Meanings>,
    ) -> Result<Journal<'s>, StoreError> {
        let run = run_name();
        for part in [EVIDENCE, FINDINGS] {
            make_last(&directory.join(part))?;
        }
        let mut files = Vec::with_capacity(subject.files.len());
        for file in &subject.files {
            let sha256 = kept::keep_design(directory, file.bytes)?;
            files.push(HeaderFile { path: file.path.to_owned(), sha256 });
        }
        // What people wrote, where a program made something else of it for the front end: reports show it.
        for file in &system.files {
            kept::keep_design(directory, &file.bytes)?;
        }
        let sink = |part: &str| {
            let path = directory.join(part).join(format!("{run}.jsonl"));
            Sink { path, file: None, pending: Vec::new(), tried: None }
        };
        Ok(Journal {
            directory: directory.to_owned(),
            evidence: sink(EVIDENCE),
            findings: sink(FINDINGS),
            header: Header {
                format: FORMAT.to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                run,
                files,
                options: subject.options.clone(),
            },
            system,
            meanings,
            known: FxHashSet::default(),
            known_traces: FxHashSet::default(),
            elements: None,
            written: Written::default(),
            proofs: FxHashMap::default(),
            runs: FxHashMap::default(),
            verdicts: FxHashMap::default(),
            failure: None,
            syncer: Syncer::new(),
        })
    }

    /// Says what the run is about, even if it has nothing to say about that.
    pub fn introduce(&mut self) {
        self.write_lines(&[]);
    }

    /// Tries for so long to write what could not be written yet.
    pub fn settle(&mut self, patience: Duration) {
        let start = Instant::now();
        while self.failure.is_some() {
            (self.evidence.tried, self.findings.tried) = (None, None);
            self.flush();
            if start.elapsed() >= patience {
                break;
            }
            if self.failure.is_some() {
                std::thread::sleep(PAUSE.min(patience));
            }
        }
    }

    /// Writes what is waiting: evidence, then what is claimed because of it.
    fn flush(&mut self) {
        // What has failed a moment ago is not tried again now.
        if self.evidence.is_waiting() || self.findings.is_waiting() {
            return;
        }
        let evidence = self.evidence.flush(&self.syncer);
        self.failure = evidence.and_then(|()| self.findings.flush(&self.syncer)).err();
    }

    fn write_lines(&mut self, lines: &[u8]) {
        self.findings.add(&self.header, lines);
        self.flush();
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What tells this run from others; it begins with the time.
    pub fn run(&self) -> &str {
        &self.header.run
    }

    /// Why not everything is there, if it is not.
    pub fn failure(&self) -> Option<&StoreError> {
        self.failure.as_ref()
    }

    /// Adds what was found out about mutants. What is undecided is left out, and what is only known up to a bound: to check it is to find it out.
    /// That a mutant has no effect is not added: that is an [effect](Journal::add_no_effect).
    pub fn add_findings(&mut self, findings: &[Finding]) {
        let mut lines = Vec::new();
        let mut batches: BTreeMap<(PropertyId, Id), Batch> = BTreeMap::new();
        for finding in findings {
            let id = match &finding.status {
                Status::Unknown(_) | Status::Bounded(_) => continue,
                Status::Covered(kill) => self.run_id(&kill.stimulus),
                Status::Uncovered(proof) | Status::NoEffect(proof) => self.proof_id(proof),
            };
            let batch = batches.entry((finding.property, id)).or_default();
            batch.add(self.system, finding);
            if batch.count >= BATCH {
                let batch = std::mem::take(batch);
                lines.extend(self.batch(finding.property, id, batch));
            }
        }
        for ((property, id), batch) in batches {
            lines.extend(self.batch(property, id, batch));
        }
        self.write_claim(&lines);
    }

    /// Adds a property that holds.
    pub fn add_proved(&mut self, property: PropertyId, proof: &Arc<Proof>, by: &str, seconds: f64) {
        let proof = self.proof_id(proof);
        self.verdicts.insert(property, proof);
        let (meaning, property) = self.about(property);
        let proved = record::Proved { meaning, property, proof, by: by.to_owned(), seconds };
        self.write_claim(&line::seal(FORMAT, &Record::Proved(proved)));
    }

    /// Adds a property that fails in the last of so many steps of a run of the design as written.
    pub fn add_violated(
        &mut self,
        property: PropertyId,
        run: &Arc<Stimulus>,
        steps: usize,
        by: &str,
        seconds: f64,
    ) {
        let run = self.run_id(run);
        self.verdicts.insert(property, run);
        let (meaning, property) = self.about(property);
        let violated = record::Violated { meaning, property, run, steps, by: by.to_owned(), seconds };
        self.write_claim(&line::seal(FORMAT, &Record::Violated(violated)));
    }

    /// Adds choices on which an uncovered mutant and the design differ. `meaning` is all that the answer depends on.
    pub fn add_difference(&mut self, meaning: Digest, question: &Question<'_>, mutant: Mutant, kill: &Kill) {
        let question = self.question_id(question);
        let run = self.run_id(&kill.stimulus);
        let kill = written_kill(self.system, mutant, kill);
        let mutant = names::of_mutant(self.system, mutant);
        let differs = record::Differs { meaning: Id(meaning), question, mutant, run, kill };
        self.write_claim(&line::seal(FORMAT, &Record::Differs(differs)));
    }

    /// Adds a proof, about the product of design and mutant, that an uncovered mutant and the design do not differ.
    pub fn add_no_effect(
        &mut self,
        meaning: Digest,
        question: &Question<'_>,
        mutant: Mutant,
        product: &System,
        proof: &Proof,
    ) {
        let question = self.question_id(question);
        let proof = self.keep_proof(product, proof);
        let mutant = names::of_mutant(self.system, mutant);
        let no_effect = record::NoEffect { meaning: Id(meaning), question, mutant, proof };
        self.write_claim(&line::seal(FORMAT, &Record::NoEffect(no_effect)));
    }

    /// Adds anything else, for [`Archive::facts`](crate::Archive::facts). It may refer to evidence by name.
    pub fn add_fact(&mut self, kind: &str, meaning: Digest, body: Json) {
        let fact = record::Fact { meaning: Id(meaning), kind: kind.to_owned(), body };
        self.write_claim(&line::seal(FORMAT, &Record::Fact(fact)));
    }

    /// Keeps a proof about the system as written; its name.
    pub fn add_proof(&mut self, proof: &Arc<Proof>) -> Digest {
        self.proof_id(proof).0
    }

    /// Keeps the choices of a run; their name.
    pub fn add_run(&mut self, run: &Arc<Stimulus>) -> Digest {
        self.run_id(run).0
    }

    /// The name of the evidence of a finding that is kept.
    pub fn evidence(&self, finding: &Finding) -> Option<Digest> {
        let known = match &finding.status {
            Status::Unknown(_) | Status::Bounded(_) => None,
            Status::Covered(kill) => self.runs.get(&address(&kill.stimulus)).map(|(_, id)| *id),
            Status::Uncovered(proof) | Status::NoEffect(proof) => {
                self.proofs.get(&address(proof)).map(|(_, id)| *id)
            }
        };
        known.map(|id| id.0)
    }

    /// The name of the evidence of a verdict, if it is kept. Whether what an archive had to say was accepted is for the caller to know.
    pub fn evidence_of(&self, property: PropertyId) -> Option<Digest> {
        self.verdicts.get(&property).map(|id| id.0)
    }

    /// What an archive of this directory had to say need not be written again.
    pub fn know(&mut self, recalled: &Recalled) {
        for proved in &recalled.proved {
            self.know_proof(&proved.proof, proved.evidence);
            self.verdicts.insert(proved.property, Id(proved.evidence));
        }
        for violated in &recalled.violated {
            self.know_run(&violated.run, violated.evidence);
            self.verdicts.insert(violated.property, Id(violated.evidence));
        }
        for claimed in &recalled.findings {
            match &claimed.finding.status {
                Status::Covered(kill) => self.know_run(&kill.stimulus, claimed.evidence),
                Status::Uncovered(proof) | Status::NoEffect(proof) => {
                    self.know_proof(proof, claimed.evidence);
                }
                Status::Unknown(_) | Status::Bounded(_) => {}
            }
        }
    }

    fn know_proof(&mut self, proof: &Arc<Proof>, name: Digest) {
        self.known.insert(Id(name));
        self.proofs.insert(address(proof), (Arc::clone(proof), Id(name)));
    }

    fn know_run(&mut self, run: &Arc<Stimulus>, name: Digest) {
        self.known.insert(Id(name));
        self.runs.insert(address(run), (Arc::clone(run), Id(name)));
    }

    pub(crate) fn about(&self, property: PropertyId) -> (Id, String) {
        (Id(self.meanings.property(property)), self.system.property(property).name.clone())
    }

    /// The line of a batch.
    fn batch(&self, property: PropertyId, id: Id, batch: Batch) -> Vec<u8> {
        let (meaning, property) = self.about(property);
        let mut line = Vec::new();
        if !batch.killed.is_empty() {
            let (by, mutants) = (batch.by.clone(), batch.killed);
            let killed = record::Killed { meaning, property: property.clone(), run: id, by, mutants };
            line.extend(line::seal(FORMAT, &Record::Killed(killed)));
        }
        if !batch.survived.is_empty() {
            let survived =
                record::Survived { meaning, property, proof: id, by: batch.by, mutants: batch.survived };
            line.extend(line::seal(FORMAT, &Record::Survived(survived)));
        }
        line
    }

    /// The name of a stimulus, which is written if it is new.
    fn run_id(&mut self, stimulus: &Arc<Stimulus>) -> Id {
        if let Some((_, id)) = self.runs.get(&address(stimulus)) {
            return *id;
        }
        let run = runs::write(self.system, stimulus);
        let id = run.id;
        self.runs.insert(address(stimulus), (Arc::clone(stimulus), id));
        if self.known.insert(id) {
            self.write_evidence(&Record::Run(run));
        }
        id
    }

    fn proof_id(&mut self, proof: &Arc<Proof>) -> Id {
        if let Some((_, id)) = self.proofs.get(&address(proof)) {
            return *id;
        }
        let id = self.keep_proof(self.system, proof);
        self.proofs.insert(address(proof), (Arc::clone(proof), id));
        id
    }

    pub(crate) fn keep_proof(&mut self, system: &System, proof: &Proof) -> Id {
        let clauses = Clauses::new(system, proof);
        if self.known.insert(clauses.id) {
            let record = clauses.record(system, proof, &mut self.written);
            self.write_evidence(&Record::Proof(record));
        }
        clauses.id
    }

    fn question_id(&mut self, question: &Question<'_>) -> Id {
        let name = |id: &PropertyId| self.system.property(*id).name.clone();
        let properties: Vec<String> = question.properties.iter().map(name).collect();
        let mut digester = Digester::new("question");
        digester.number(properties.len() as u64);
        properties.iter().chain(question.observe).for_each(|name| digester.text(name));
        let id = Id(digester.finish());
        if self.known.insert(id) {
            let observe = question.observe.to_vec();
            self.write_evidence(&Record::Question(record::Question { id, properties, observe }));
        }
        id
    }

    /// Writes a piece of evidence; how many bytes it takes.
    pub(crate) fn write_evidence(&mut self, record: &Record) -> usize {
        let line = line::seal(FORMAT, record);
        self.evidence.add(&self.header, &line);
        self.flush();
        line.len()
    }

    pub(crate) fn write_claim(&mut self, lines: &[u8]) {
        if !lines.is_empty() {
            self.write_lines(lines);
        }
    }
}

/// What is asked about uncovered mutants.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The properties that look on.
    pub properties: &'q [PropertyId],
    /// What is observed, as the user would say it.
    pub observe: &'q [String],
}

/// Mutants with the same property and evidence.
#[derive(Default)]
struct Batch {
    by: String,
    count: usize,
    killed: BTreeMap<String, BTreeMap<String, record::Kill>>,
    survived: BTreeMap<String, Vec<String>>,
}

impl Batch {
    fn add(&mut self, system: &System, finding: &Finding) {
        let (kind, signal) = names::of_mutant(system, finding.mutant);
        match &finding.status {
            Status::Covered(kill) => {
                let kill = written_kill(system, finding.mutant, kill);
                self.killed.entry(kind).or_default().insert(signal, kill);
            }
            _ => self.survived.entry(kind).or_default().push(signal),
        }
        self.by = finding.by.to_string();
        self.count += 1;
    }
}

fn written_kill(system: &System, mutant: Mutant, kill: &Kill) -> record::Kill {
    match system.mutable_sort(mutant.element) {
        Some(sort) if mutant.mutation == Mutation::Free => {
            record::Kill::Open(kill.steps, kill.free.len(), Packed::new(sort, kill.free.iter()))
        }
        _ => record::Kill::Steps(kill.steps),
    }
}

fn address<T>(shared: &Arc<T>) -> usize {
    Arc::as_ptr(shared).addr()
}

impl Sink {
    /// Has lines written with the next flush.
    fn add(&mut self, header: &Header, lines: &[u8]) {
        if self.file.is_none() && self.pending.is_empty() {
            self.pending = header.line();
        }
        if self.pending.len() < MOST {
            self.pending.extend(lines);
        }
    }

    /// Whether something has failed a moment ago.
    fn is_waiting(&self) -> bool {
        self.tried.is_some_and(|tried| tried.elapsed() < PAUSE)
    }

    /// Writes what is waiting.
    fn flush(&mut self, syncer: &Syncer) -> Result<(), StoreError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        self.tried = Some(Instant::now());
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => {
                let file = Arc::new(create(&self.path)?);
                self.file = Some(Arc::clone(&file));
                syncer.add(Arc::clone(&file));
                // Its name, too.
                if let Some(directory) = self.path.parent().and_then(|path| File::open(path).ok()) {
                    syncer.add(Arc::new(directory));
                }
                file
            }
        };
        self.append(&file, &self.pending)?;
        (self.pending, self.tried) = (Vec::new(), None);
        syncer.written();
        Ok(())
    }

    fn append(&self, mut file: &File, lines: &[u8]) -> Result<(), StoreError> {
        let length = file.metadata().map(|metadata| metadata.len());
        file.write_all(lines).map_err(|error| {
            // A part of a line may be there. If it cannot be removed, readers ignore it, and what follows.
            let _ = length.and_then(|length| file.set_len(length));
            failed(&self.path, "write", error)
        })
    }
}
