//! The matrix of properties and elements as a file. Whether it can be written is looked at before the search.

use crate::Error;
use crate::files::{WriteError, try_writing, write_atomically};
use crate::read::display_name;
use propcov_report::{MATRIX_FORMATS, MatrixFormat};
use propcov_result::RunResult;
use std::io;
use std::path::Path;

/// A file that will have the matrix.
pub(super) struct MatrixFile<'p> {
    path: &'p Path,
    format: &'static MatrixFormat,
}

impl<'p> MatrixFile<'p> {
    /// Leaves everything as it is.
    pub(super) fn new(path: &'p Path) -> Result<MatrixFile<'p>, Error> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let format = MATRIX_FORMATS.iter().find(|format| format.extension == extension).ok_or_else(|| {
            let names: Vec<String> =
                MATRIX_FORMATS.iter().map(|format| format!(".{}", format.extension)).collect();
            let (path, names) = (path.display(), names.join(", "));
            Error::Usage(format!("--matrix {path}: the extension has to be one of {names}"))
        })?;
        try_writing(path).map_err(|error| Error::Write { path: display_name(path), error })?;
        Ok(MatrixFile { path, format })
    }

    /// Writes the matrix of a result, or nothing, which is noted there.
    pub(super) fn write(&self, result: &mut RunResult) {
        let bytes = (self.format.bytes)(result).map_err(io::Error::other);
        let written = bytes.and_then(|bytes| write_atomically(self.path, &bytes));
        if let Err(error) = written {
            result.notes.push(WriteError { path: self.path.to_owned(), error }.note());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_says_what_is_written() {
        let directory = tempfile::tempdir().expect("a directory");
        for (name, extension) in
            [("b.csv", "csv"), ("b.XLSX", "xlsx"), ("b.json", "json"), ("b.c.txt", "txt")]
        {
            let path = directory.path().join(name);
            let file = MatrixFile::new(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(file.format.extension, extension);
        }
        for wrong in ["matrix", "matrix.xls", "csv", ".csv"] {
            let message = MatrixFile::new(Path::new(wrong)).err().expect("no such format").to_string();
            assert!(message.contains(".csv, .xlsx, .json, .txt"), "{message}");
        }
        assert_eq!(std::fs::read_dir(directory.path()).expect("readable").count(), 0);
    }
}
