//! From the bytes of a database to what it says.

use crate::error::{Malformed, StoreError};
use crate::evidence::{Evidence, Statement};
use crate::hole::Hole;
use crate::identity::Identity;
use crate::record::Record;
use propcov_ir::{Finding, Mutant, Proof, PropertyId, System};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::Arc;

/// What a database says. Nobody has checked it.
#[derive(Debug, Default)]
pub struct Loaded {
    /// Properties that hold in the design as written.
    pub proved: Vec<Proved>,
    /// What became of mutants, the latest word on each.
    pub findings: Vec<Finding>,
    /// What uncovered mutants could do, the latest word on each question.
    pub holes: Vec<Hole>,
    /// What the user should know: why nothing could be taken over, or that the end of the file was cut off.
    pub notes: Vec<String>,
}

/// A property that holds in the design as written.
#[derive(Clone, Debug)]
pub struct Proved {
    /// The property.
    pub property: PropertyId,
    /// Why it holds.
    pub proof: Arc<Proof>,
    /// The engine that proved it.
    pub engine: String,
    /// How deep it had to go.
    pub depth: Option<u32>,
    /// How long it took.
    pub seconds: f64,
}

/// The bytes of a file, seen as lines.
pub(crate) struct Lines<'b> {
    /// Lines that end as they should.
    complete: Vec<&'b [u8]>,
    /// How many bytes these are.
    pub(crate) length: usize,
    /// Whether something follows them.
    pub(crate) is_torn: bool,
}

impl<'b> Lines<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Lines<'b> {
        let length = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let complete = bytes[..length].split_inclusive(|byte| *byte == b'\n').collect();
        Lines { complete, length, is_torn: length < bytes.len() }
    }

    /// What the first line says the file is about; `None` when there is no line.
    pub(crate) fn identity(&self, path: &Path) -> Result<Option<Identity>, StoreError> {
        let Some(line) = self.complete.first() else { return Ok(None) };
        let identity = serde_json::from_slice(line).map_err(|error| {
            corrupt(path, 1, format!("this is no database of propcov: {}", reason(&error)))
        })?;
        Ok(Some(identity))
    }

    /// What the other lines say.
    pub(crate) fn statements<'s>(
        &self,
        path: &Path,
        system: &'s System,
    ) -> Result<(Loaded, Evidence<'s>), StoreError> {
        let mut evidence = Evidence::new(system);
        let mut loaded = Loaded::default();
        let mut latest: FxHashMap<(PropertyId, Mutant), usize> = FxHashMap::default();
        let mut asked: FxHashMap<(Mutant, String), usize> = FxHashMap::default();
        for (line, number) in self.complete.iter().zip(1..).skip(1) {
            let record: Record =
                serde_json::from_slice(line).map_err(|error| corrupt(path, number, reason(&error)))?;
            let statement =
                evidence.read(&record).map_err(|Malformed(message)| corrupt(path, number, message))?;
            match statement {
                None => {}
                Some(Statement::Hole(hole)) => {
                    let next = loaded.holes.len();
                    let at = *asked.entry((hole.mutant, hole.question.clone())).or_insert(next);
                    match loaded.holes.get_mut(at) {
                        Some(earlier) => *earlier = hole,
                        None => loaded.holes.push(hole),
                    }
                }
                Some(Statement::Proved(proved)) => {
                    loaded.proved.retain(|earlier| earlier.property != proved.property);
                    loaded.proved.push(proved);
                }
                Some(Statement::Finding(finding)) => {
                    let next = loaded.findings.len();
                    let at = *latest.entry((finding.property, finding.mutant)).or_insert(next);
                    match loaded.findings.get_mut(at) {
                        Some(earlier) => *earlier = finding,
                        None => loaded.findings.push(finding),
                    }
                }
            }
        }
        if self.is_torn {
            let last = self.complete.len() + 1;
            loaded.notes.push(format!("{}: line {last} was cut off, and is left out", path.display()));
        }
        Ok((loaded, evidence))
    }
}

pub(crate) fn corrupt(path: &Path, line: usize, message: String) -> StoreError {
    StoreError::Corrupt { path: path.to_owned(), line, message }
}

/// What the parser says, without its own idea of the line: it has seen only one.
pub(crate) fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place) {
        Some(text) => format!("{text} (column {})", error.column()),
        None => text,
    }
}
