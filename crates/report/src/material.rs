//! What a result does not say itself, and whoever has the design or its run directory can add: texts of files, the run before, requirements, a picture.
//!
//! A result is about a design, and does not repeat it. Pages that show the source need it, and this crate opens no files: so they are handed in. Every format renders a result
//! without any of it.

use crate::picture::Picture;
use crate::requirements::Requirement;
use propcov_result::RunResult;

/// What there is besides a result. All of it may be missing.
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// The files of the design that are text.
    pub texts: Vec<Text>,
    /// What metrics ask, by name.
    pub metrics: Vec<(String, String)>,
    /// The result of the run before, of the same design.
    pub before: Option<Box<RunResult>>,
    /// The files of the design as that run saw them.
    pub texts_before: Vec<Text>,
    /// Whether somebody asked for a comparison with just that run.
    pub is_compared: bool,
    /// Requirements that are kept outside of the design. Those in its comments are found in [`Material::texts`].
    pub requirements: Vec<Requirement>,
    /// The implementation of a refinement.
    pub picture: Option<Picture>,
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// The path, as results have it.
    pub path: String,
    /// What is in it.
    pub text: String,
}

impl Text {
    /// A file that people can read; `None` if its bytes are no text. A byte order mark is no part of it: lines and columns are counted without.
    pub fn new(path: &str, bytes: &[u8]) -> Option<Text> {
        let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Some(Text { path: path.to_owned(), text: text.to_owned() })
    }
}

impl Material {
    /// The text of a file, as the run before saw it.
    pub fn text_before(&self, path: &str) -> Option<&str> {
        self.texts_before.iter().find(|text| text.path == path).map(|text| text.text.as_str())
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.texts.iter().find(|text| text.path == path).map(|text| text.text.as_str())
    }
}
