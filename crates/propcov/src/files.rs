//! Files that appear complete or not at all: they are written under another name and then renamed.

use propcov_result::{Note, NoteKind};
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// A file that could not be written.
#[derive(Debug)]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot write {}: {}", self.path.display(), self.error)
    }
}

impl WriteError {
    /// As a part of a result.
    pub fn note(&self) -> Note {
        Note { kind: NoteKind::Error, text: self.to_string(), place: None }
    }
}

/// Whether [`write_atomically`] would succeed, as far as that can be seen without touching what is there.
pub fn try_writing(path: &Path) -> io::Result<()> {
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
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = temporary(path);
    let result = std::fs::write(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, path));
    if result.is_err() {
        // It may not even exist; the error to report is the one above.
        let _ = std::fs::remove_file(&temporary);
    }
    result
}

/// What a design is called in the names of files that belong to it.
pub fn design_stem(path: &str) -> String {
    let stem = Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.filter(|_| !path.starts_with('<')).unwrap_or_else(|| "stdin".to_owned())
}

/// File names without what file systems dislike, all different even where case does not count.
#[derive(Default)]
pub struct Stems(HashSet<String>);

impl Stems {
    /// A stem has no dot, so that stem and ending together are different as well.
    pub fn stem(&mut self, name: &str) -> String {
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
