//! What a run directory has: all lines of all segments, found by what they are about.
//!
//! Lines are checked when the directory is read. What they say is looked at when somebody asks for it.

use crate::error::StoreError;
use crate::files::{failed, list};
use crate::line;
use crate::recall::ClaimId;
use crate::record::{self, Id, Record};
use crate::segment::{Header, Segment};
use propcov_ir::Digest;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Where evidence is.
pub(crate) const EVIDENCE: &str = "evidence";
/// Where claims are.
pub(crate) const FINDINGS: &str = "findings";

/// A run directory, as it was when it was read.
#[derive(Default)]
pub struct Archive {
    path: PathBuf,
    segments: Vec<Segment>,
    /// Evidence and questions by name. There may be several copies.
    named: FxHashMap<Id, Vec<Place>>,
    /// What is claimed, the oldest first.
    claims: Vec<Claim>,
    notes: Vec<String>,
}

/// A line.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    segment: usize,
    content: Range<usize>,
}

/// A line that says something about a design.
pub(crate) struct Claim {
    pub(crate) kind: Kind,
    pub(crate) meaning: Id,
    place: Place,
}

impl Claim {
    /// The segment that it is in: those of later runs have greater numbers.
    pub(crate) fn segment(&self) -> usize {
        self.place.segment
    }
}

/// What kind of thing a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Proved,
    Violated,
    Killed,
    Survived,
    Effect,
    /// What suffices for a property, and what does not.
    Slice,
    Fact,
}

impl Archive {
    /// Reads a directory. One that does not exist is empty.
    ///
    /// # Errors
    /// When the directory cannot be read. What is wrong with single files is a [note](Archive::notes).
    pub fn read(path: &Path) -> Result<Archive, StoreError> {
        Archive::read_all(path, &[])
    }

    /// Reads a directory, and the evidence and claims of others as if they were there too.
    ///
    /// # Errors
    /// When one of the directories cannot be read.
    pub fn read_all(path: &Path, others: &[PathBuf]) -> Result<Archive, StoreError> {
        let mut archive = Archive { path: path.to_owned(), ..Archive::default() };
        let mut files: Vec<PathBuf> = Vec::new();
        // Another process may be at work, which writes evidence first: whatever claims are read here, theirs is there.
        for part in [FINDINGS, EVIDENCE] {
            let mut of_part = list(&path.join(part), ".jsonl")?;
            for other in others {
                of_part.extend(list(&other.join(part), ".jsonl")?);
            }
            // Runs are named by the time, so that the oldest come first, wherever they are. What is there twice counts twice, which does no harm.
            of_part.sort_by(|a, b| (a.file_name(), a).cmp(&(b.file_name(), b)));
            files.extend(of_part);
        }
        for file in files {
            match std::fs::read(&file).map_err(|error| failed(&file, "read", error)) {
                Ok(bytes) => archive.add(&file, bytes),
                Err(error) => archive.notes.push(format!("{error}; ignored")),
            }
        }
        Ok(archive)
    }

    fn add(&mut self, file: &Path, bytes: Vec<u8>) {
        let mut segment = match Segment::read(file, bytes) {
            Ok(segment) => segment,
            Err(format) => {
                let note = format!(
                    "{}: in the format `{format}`, which this version does not know; ignored",
                    file.display()
                );
                return self.notes.push(note);
            }
        };
        let at = self.segments.len();
        for content in std::mem::take(&mut segment.lines) {
            let place = Place { segment: at, content };
            match subject(&segment.bytes[place.content.clone()]) {
                Some((Subject::Named, id)) => self.named.entry(id).or_default().push(place),
                Some((Subject::Claim(kind), meaning)) => self.claims.push(Claim { kind, meaning, place }),
                None => segment.damaged += 1,
            }
        }
        if segment.damaged > 0 {
            let lines = if segment.damaged == 1 { "line" } else { "lines" };
            self.notes.push(format!("{}: {} damaged {lines} ignored", file.display(), segment.damaged));
        }
        self.segments.push(segment);
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What users should know about files that could not be used.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether nothing is claimed.
    pub fn is_empty(&self) -> bool {
        self.claims.is_empty()
    }

    /// All claims but [facts](Archive::facts), which others have to check.
    pub fn claim_ids(&self) -> impl Iterator<Item = ClaimId> + '_ {
        let claims = self.claims.iter().enumerate().filter(|(_, claim)| claim.kind != Kind::Fact);
        claims.map(|(position, _)| ClaimId(position))
    }

    /// What a claim is about, in words, and the file that it is in.
    pub fn describe(&self, id: ClaimId) -> Option<(String, &Path)> {
        let claim = self.claims.get(id.0)?;
        let mutants =
            |count: usize| if count == 1 { "1 mutant".to_owned() } else { format!("{count} mutants") };
        let elements = |ranges: &[(usize, usize)]| {
            let size = |(first, last): &(usize, usize)| last.saturating_sub(*first).saturating_add(1);
            match ranges.iter().map(size).fold(0, usize::saturating_add) {
                1 => "1 element".to_owned(),
                count => format!("{count} elements"),
            }
        };
        let words = match self.claim(claim)? {
            Record::Proved(proved) => format!("{} holds", proved.property),
            Record::Violated(violated) => format!("{} fails", violated.property),
            Record::Killed(killed) => {
                let count = killed.mutants.values().map(BTreeMap::len).sum();
                format!("{} notices {}", killed.property, mutants(count))
            }
            Record::Survived(survived) => {
                let count = survived.mutants.values().map(Vec::len).sum();
                format!("{} does not notice {}", survived.property, mutants(count))
            }
            Record::Differs(record::Differs { mutant: (kind, signal), .. }) => {
                format!("{kind} {signal} can be told from the design")
            }
            Record::NoEffect(record::NoEffect { mutant: (kind, signal), .. }) => {
                format!("{kind} {signal} has no effect")
            }
            Record::Adequate(adequate) => {
                format!("{} holds without {}", adequate.property, elements(&adequate.freed))
            }
            Record::Inadequate(inadequate) => {
                format!("{} fails without {}", inadequate.property, elements(&inadequate.freed))
            }
            Record::Fact(fact) => fact.kind,
            Record::Run(_)
            | Record::Proof(_)
            | Record::Question(_)
            | Record::Elements(_)
            | Record::Trace(_) => return None,
        };
        Some((words, &self.segments.get(claim.place.segment)?.path))
    }

    /// The first lines of all segments, the oldest first.
    pub(crate) fn headers(&self) -> impl Iterator<Item = &Header> {
        self.segments.iter().filter_map(|segment| segment.header.as_ref())
    }

    /// What the lines of a name say, each with the segment that it is in.
    pub(crate) fn named(&self, id: Id) -> impl Iterator<Item = (usize, Record)> + '_ {
        let places = self.named.get(&id).into_iter().flatten();
        places.filter_map(|place| Some((place.segment, self.record(place)?)))
    }

    /// The same in one segment: what two runs write under one name need not be cut into clauses in the same way.
    pub(crate) fn named_in(&self, segment: usize, id: Id) -> Option<Record> {
        let place = self.named.get(&id)?.iter().find(|place| place.segment == segment)?;
        self.record(place)
    }

    /// All claims, the oldest first.
    pub(crate) fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// What a claim says.
    pub(crate) fn claim(&self, claim: &Claim) -> Option<Record> {
        self.record(&claim.place)
    }

    /// What was kept by [`Journal::add_fact`](crate::Journal::add_fact) for others to check, the newest first.
    pub fn facts(&self, kind: &str, meaning: Digest) -> Vec<serde_json::Value> {
        let asked = |claim: &&Claim| claim.kind == Kind::Fact && claim.meaning.0 == meaning;
        let body = |claim: &Claim| match self.claim(claim)? {
            Record::Fact(fact) if fact.kind == kind => Some(fact.body),
            _ => None,
        };
        self.claims.iter().rev().filter(asked).filter_map(body).collect()
    }

    fn record(&self, place: &Place) -> Option<Record> {
        line::parse(&self.segments.get(place.segment)?.bytes[place.content.clone()])
    }
}

/// What a line is to be found by.
enum Subject {
    /// Its own name.
    Named,
    /// The meaning of what it is about.
    Claim(Kind),
}

/// Reads as much of a line as is needed to find it: its kind and its first field.
fn subject(content: &[u8]) -> Option<(Subject, Id)> {
    let start = std::str::from_utf8(content.get(..content.len().min(64))?).or_else(|error| {
        // Names follow, which may be cut in the middle of a character.
        std::str::from_utf8(&content[..error.valid_up_to()])
    });
    let (kind, rest) = start.ok()?.strip_prefix('"')?.split_once("\":{\"")?;
    let (field, rest) = rest.split_once("\":\"")?;
    let id = Id(rest.get(..32)?.parse().ok()?);
    let subject = match (kind, field) {
        ("run" | "proof" | "question" | "elements" | "trace", "id") => Subject::Named,
        ("proved", "meaning") => Subject::Claim(Kind::Proved),
        ("violated", "meaning") => Subject::Claim(Kind::Violated),
        ("killed", "meaning") => Subject::Claim(Kind::Killed),
        ("survived", "meaning") => Subject::Claim(Kind::Survived),
        ("differs" | "no-effect", "meaning") => Subject::Claim(Kind::Effect),
        ("adequate" | "inadequate", "meaning") => Subject::Claim(Kind::Slice),
        ("fact", "meaning") => Subject::Claim(Kind::Fact),
        _ => return None,
    };
    Some((subject, id))
}
