//! Evidence as files that other tools can check: `--certificate DIR`.
//!
//! Each file appears complete or not at all: it is written under another name and then renamed.

use crate::vcd;
use propcov_frontend::{Design, EvidenceFile};
use propcov_ir::{Demonstration, Invariant, Proof, PropertyId, System, Trace};
use propcov_verify::Outcome;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// A file that could not be written.
#[derive(Debug)]
pub(crate) struct WriteError {
    pub(crate) path: PathBuf,
    pub(crate) error: io::Error,
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot write {}: {}", self.path.display(), self.error)
    }
}

/// A directory for evidence.
pub(crate) struct Directory {
    path: PathBuf,
}

/// What was written, and what could not be.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub(crate) files: Vec<PathBuf>,
    /// Evidence that has no form in the format of the design.
    pub(crate) notes: Vec<String>,
    pub(crate) errors: Vec<WriteError>,
}

impl Directory {
    /// The directory, made if need be.
    pub(crate) fn create(path: &Path) -> Result<Directory, WriteError> {
        match std::fs::create_dir_all(path) {
            Ok(()) => Ok(Directory { path: path.to_owned() }),
            Err(error) => Err(WriteError { path: path.to_owned(), error }),
        }
    }

    /// Writes the evidence for all verdicts.
    pub(crate) fn write_all(&self, design: &Design, outcomes: &[Outcome]) -> Written {
        let mut written = Written::default();
        let mut stems = Stems::default();
        for outcome in outcomes {
            let stem = stems.stem(&design.system.property(outcome.property).name);
            let mut evidence =
                Evidence { design, property: outcome.property, files: Vec::new(), notes: Vec::new() };
            if let Some(proof) = outcome.answer.proof() {
                evidence.proof(proof);
            }
            if let Some(trace) = outcome.answer.trace() {
                evidence.counterexample(trace);
            }
            if let Some(shown) = outcome.answer.demonstration() {
                evidence.demonstration(shown, outcome.answer.is_falsified());
            }
            for (ending, bytes) in evidence.files {
                let path = self.path.join(format!("{stem}{ending}"));
                match write_atomically(&path, &bytes) {
                    Ok(()) => written.files.push(path),
                    Err(error) => written.errors.push(WriteError { path, error }),
                }
            }
            written.notes.append(&mut evidence.notes);
        }
        written
    }
}

/// Whether [`write_atomically`] would succeed, as far as that can be seen without touching what is there.
pub(crate) fn try_writing(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let temporary = temporary(path);
    std::fs::write(&temporary, []).and_then(|()| std::fs::remove_file(&temporary))
}

/// The file next to a path that becomes it when it is complete.
fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

/// Writes a file that is either complete or not there.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = temporary(path);
    let result = std::fs::write(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, path));
    if result.is_err() {
        // It may not even exist; the error to report is the one above.
        let _ = std::fs::remove_file(&temporary);
    }
    result
}

/// The files for one property, each as ending and contents.
struct Evidence<'d> {
    design: &'d Design,
    property: PropertyId,
    files: Vec<(&'static str, Vec<u8>)>,
    notes: Vec<String>,
}

impl Evidence<'_> {
    fn system(&self) -> &System {
        &self.design.system
    }

    fn name(&self) -> &str {
        &self.design.system.property(self.property).name
    }

    fn note(&mut self, what: &str, why: impl std::fmt::Display) {
        let name = self.name();
        self.notes.push(format!("no {what} for {name}: {why}"));
    }

    fn proof(&mut self, proof: &Proof) {
        let write = self.design.frontend.certificate;
        match write.map(|write| write(self.design, self.property, proof)) {
            Some(Ok(files)) => return files.into_iter().for_each(|file| self.push(file)),
            Some(Err(none)) => self.note(none.what, format!("{none}; its invariant is written instead")),
            None => {}
        }
        let text = invariant_text(self.system(), self.property, proof);
        self.files.push((".invariant.txt", text.into_bytes()));
    }

    fn push(&mut self, EvidenceFile { ending, bytes }: EvidenceFile) {
        self.files.push((ending, bytes));
    }

    fn counterexample(&mut self, trace: &Trace) {
        let write = self.design.frontend.witness;
        match write.map(|write| write(self.design, self.property, trace)) {
            Some(Ok(file)) => self.push(file),
            Some(Err(error)) => self.note("witness", error),
            None => {}
        }
        let comment = format!("counterexample to {}; time is the step", self.name());
        self.waveform(&comment, trace);
    }

    /// The main run only: what branches off it has no place in a waveform. A loop is gone through twice.
    fn demonstration(&mut self, shown: &Demonstration, fails: bool) {
        let what = if fails { "counterexample to" } else { "run that shows" };
        let mut comment = format!("{what} {}; time is the step", self.name());
        let mut steps = shown.steps.clone();
        if let Some(to) = shown.loop_to {
            let last = steps.len().saturating_sub(1);
            comment.push_str(&format!(
                "; after step {last} it goes on with step {to}, and so for ever: shown once more"
            ));
            steps.extend_from_slice(shown.steps.get(to..).unwrap_or_default());
        }
        self.waveform(&comment, &Trace { steps });
    }

    fn waveform(&mut self, comment: &str, trace: &Trace) {
        match vcd::dump(self.system(), self.property, trace, comment) {
            Ok(bytes) => self.files.push((".vcd", bytes)),
            Err(error) => self.note("waveform", error),
        }
    }
}

/// A proof in words.
fn invariant_text(system: &System, property: PropertyId, proof: &Proof) -> String {
    let name = &system.property(property).name;
    let (lemmas, k) = (proof.invariant.lemmas.len(), proof.k);
    let mut text = format!("# Why {name} holds: together with these {lemmas} lemmas it is {k}-inductive");
    text.push_str(if proof.simple_path { " on paths of pairwise different states.\n" } else { ".\n" });
    for line in lemma_lines(system, &proof.invariant) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// The lemmas of a proof, each on one line.
pub(crate) fn lemma_lines(system: &System, invariant: &Invariant) -> Vec<String> {
    if invariant.lemmas.is_empty() {
        return Vec::new();
    }
    // Lemmas have expressions of their own over the signals of the system; printing asks a system for both.
    let mut view = system.clone();
    view.exprs = invariant.exprs.clone();
    invariant.lemmas.iter().map(|lemma| view.show(*lemma).to_string()).collect()
}

/// File names without what file systems dislike, all different even where case does not count.
#[derive(Default)]
pub(crate) struct Stems(HashSet<String>);

impl Stems {
    /// A stem has no dot, so that stem and ending together are different as well.
    pub(crate) fn stem(&mut self, name: &str) -> String {
        let fits = |c: char| if c.is_ascii_alphanumeric() || "_-+".contains(c) { c } else { '_' };
        let mut plain: String = name.chars().take(100).map(fits).collect();
        if plain.is_empty() || plain.starts_with('-') {
            plain.insert(0, '_');
        }
        let mut stem = plain.clone();
        let mut suffix = 2;
        while !self.0.insert(stem.to_ascii_lowercase()) {
            stem = format!("{plain}-{suffix}");
            suffix += 1;
        }
        stem
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_harmless_and_all_different() {
        let mut stems = Stems::default();
        let names = ["a/b", "a:b", "A_B", "", "..", "-rf", "a_b-2", "ä", "no.overflow", &"x".repeat(300)];
        let made: Vec<String> = names.iter().map(|name| stems.stem(name)).collect();
        assert_eq!(made[..9], ["a_b", "a_b-2", "A_B-3", "_", "__", "_-rf", "a_b-2-2", "_-2", "no_overflow"]);
        assert_eq!(made[9].len(), 100);
    }

    #[test]
    fn a_file_that_cannot_be_renamed_leaves_nothing_behind() {
        let directory = tempfile::tempdir().expect("a directory");
        let target = directory.path().join("taken");
        std::fs::create_dir_all(target.join("inside")).expect("a directory in the way");
        assert!(write_atomically(&target, b"contents").is_err());
        let names: Vec<_> = std::fs::read_dir(directory.path()).expect("readable").flatten().collect();
        assert_eq!(names.len(), 1, "{names:?}");
    }
}
