//! Whole files of a run directory: designs, results and waveforms. All of them have their content's digest in their name, so that nothing is ever replaced by something
//! else, copies of one directory can be put on top of another, and damage is noticed.

use crate::archive::Archive;
use crate::error::StoreError;
use crate::files::{failed, list, sha256, write_for_later, write_whole};
use crate::journal::Journal;
use crate::line;
use crate::segment::{Header, HeaderFile};
use propcov_ir::Digest;
use serde_json::Value as Json;
use std::io;
use std::path::{Path, PathBuf};

pub(crate) const DESIGNS: &str = "designs";
const RESULTS: &str = "results";
pub(crate) const TRACES: &str = "traces";

/// A file of a design.
#[derive(Clone, Copy, Debug)]
pub struct DesignFile<'d> {
    /// What the user calls it.
    pub path: &'d str,
    /// What is in it.
    pub bytes: &'d [u8],
}

/// A design that runs were about.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptDesign {
    /// Its files: what the user called them, and what is in them.
    pub files: Vec<(String, Vec<u8>)>,
    /// How they were read.
    pub options: Json,
}

/// A result that was kept.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptResult {
    /// The run, which begins with the time.
    pub run: String,
    /// Where it is.
    pub path: PathBuf,
    /// The document.
    pub document: Json,
}

/// Puts a file of a design into the directory, unless it is there; its SHA-256.
pub(crate) fn keep_design(directory: &Path, bytes: &[u8]) -> Result<String, StoreError> {
    let name = sha256(bytes);
    let path = directory.join(DESIGNS).join(&name);
    // What was damaged is written again. So it does not matter when it gets to the disk.
    if std::fs::read(&path).is_ok_and(|kept| kept == bytes) {
        return Ok(name);
    }
    write_for_later(&path, bytes)?;
    Ok(name)
}

impl Journal<'_> {
    /// Keeps the whole result of the run.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_result(&self, document: &Json) -> Result<PathBuf, StoreError> {
        let bytes = serde_json::to_vec(document).unwrap_or_default();
        let name = format!("{}.{}.json", self.run(), line::check(RESULTS, &bytes));
        let path = self.directory().join(RESULTS).join(name);
        write_whole(&path, &bytes)?;
        Ok(path)
    }
}

/// Keeps a waveform, or anything else for people to look at, in a run directory: under a name that they recognise, and its content's digest.
///
/// # Errors
/// When it cannot be written.
pub fn keep_trace(directory: &Path, stem: &str, ending: &str, bytes: &[u8]) -> Result<PathBuf, StoreError> {
    let digits = Digest::of(bytes).to_string();
    let path = directory.join(TRACES).join(format!("{stem}-{}.{ending}", &digits[..12]));
    if !std::fs::read(&path).is_ok_and(|kept| kept == bytes) {
        write_whole(&path, bytes)?;
    }
    Ok(path)
}

impl Archive {
    /// The designs that runs were about, those of the newest runs first; those that are missing or damaged are named by the second list.
    pub fn designs(&self) -> (Vec<KeptDesign>, Vec<String>) {
        let (mut designs, mut missing): (Vec<KeptDesign>, Vec<String>) = (Vec::new(), Vec::new());
        let mut seen: Vec<(Vec<&str>, &Json)> = Vec::new();
        let mut headers: Vec<&Header> = self.headers().collect();
        headers.sort_by(|a, b| b.run.cmp(&a.run));
        for header in headers {
            let contents: Vec<&str> = header.files.iter().map(|file| file.sha256.as_str()).collect();
            if contents.is_empty() || seen.contains(&(contents.clone(), &header.options)) {
                continue;
            }
            seen.push((contents, &header.options));
            match self.kept(header) {
                Some(design) => designs.push(design),
                None => missing.extend(header.files.first().map(|file| file.path.clone())),
            }
        }
        (designs, missing)
    }

    /// The design that a run was about; `None` if it is missing or damaged.
    pub fn design_of(&self, run: &str) -> Option<KeptDesign> {
        self.headers().find(|header| header.run == run).and_then(|header| self.kept(header))
    }

    fn kept(&self, header: &Header) -> Option<KeptDesign> {
        let files: Option<Vec<_>> = header.files.iter().map(|file| self.design_file(file)).collect();
        Some(KeptDesign { files: files?, options: header.options.clone() })
    }

    fn design_file(&self, file: &HeaderFile) -> Option<(String, Vec<u8>)> {
        Some((file.path.clone(), self.source(&file.sha256)?))
    }

    /// A file that a design was read from, by its SHA-256; `None` if it is missing or damaged.
    pub fn source(&self, digest: &str) -> Option<Vec<u8>> {
        // Nothing but a digest is a name here.
        let is_digest = digest.len() == 64 && digest.bytes().all(|digit| digit.is_ascii_hexdigit());
        let path = self.path().join(DESIGNS).join(Some(digest).filter(|_| is_digest)?);
        std::fs::read(path).ok().filter(|bytes| sha256(bytes) == digest)
    }

    /// All results that are intact, the newest first. Each is read when it is asked for.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn results(&self) -> Result<impl Iterator<Item = KeptResult> + use<>, StoreError> {
        let paths = list(&self.path().join(RESULTS), ".json")?;
        Ok(paths.into_iter().rev().filter_map(|path| read_result(&path).ok().flatten()))
    }

    /// Results that are damaged.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn damaged_results(&self) -> Result<Vec<PathBuf>, StoreError> {
        let paths = list(&self.path().join(RESULTS), ".json")?;
        Ok(paths.into_iter().filter(|path| !matches!(read_result(path), Ok(Some(_)))).collect())
    }
}

/// The result in a file; `None` if it is not what its name says.
fn read_result(path: &Path) -> Result<Option<KeptResult>, StoreError> {
    let bytes = std::fs::read(path).map_err(|error: io::Error| failed(path, "read", error))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let parts = name.strip_suffix(".json").and_then(|stem| stem.rsplit_once('.'));
    let Some((run, _)) = parts.filter(|(_, check)| *check == line::check(RESULTS, &bytes)) else {
        return Ok(None);
    };
    let document = serde_json::from_slice(&bytes).ok();
    Ok(document.map(|document| KeptResult { run: run.to_owned(), path: path.to_owned(), document }))
}
