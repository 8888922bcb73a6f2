//! The matrix of properties and elements as a file, and what goes to standard output instead of text.

use crate::cores::study::Study;
use crate::cover::text::WIDTH;
use crate::input::Complaint;
use propcov::files::{try_writing, write_atomically};
use propcov_coverage::cores::{Algorithm, Goal, Options};
use propcov_report::terminal::Style;
use propcov_report::text::MatrixOptions;
use propcov_report::{Traceability, csv, jkind, text, xlsx};
use serde::Serialize;
use std::path::Path;

/// What a matrix can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatrixFormat {
    Csv,
    Xlsx,
    Json,
    Text,
}

impl MatrixFormat {
    /// All of them, each with the extension of its files.
    const ALL: [(MatrixFormat, &'static str); 4] = [
        (MatrixFormat::Csv, "csv"),
        (MatrixFormat::Xlsx, "xlsx"),
        (MatrixFormat::Json, "json"),
        (MatrixFormat::Text, "txt"),
    ];

    /// The format that a file's extension asks for.
    pub(crate) fn of(path: &Path) -> Result<MatrixFormat, Complaint> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let known = MatrixFormat::ALL.iter().find(|(_, name)| *name == extension);
        known.map(|(format, _)| *format).ok_or_else(|| {
            let names: Vec<String> = MatrixFormat::ALL.iter().map(|(_, name)| format!(".{name}")).collect();
            let names = names.join(", ");
            Complaint(format!("error: --matrix {}: the extension has to be one of {names}\n", path.display()))
        })
    }

    fn bytes(self, matrix: &Traceability) -> Result<Vec<u8>, String> {
        match self {
            MatrixFormat::Csv => Ok(csv::matrix(matrix).into_bytes()),
            MatrixFormat::Xlsx => xlsx::workbook(matrix).map_err(|error| error.to_string()),
            MatrixFormat::Json => {
                let text = serde_json::to_string_pretty(&Matrix::new(matrix));
                text.map(|text| format!("{text}\n").into_bytes()).map_err(|error| error.to_string())
            }
            MatrixFormat::Text => {
                let style = Style { width: WIDTH, colour: false };
                Ok(text::matrix(matrix, &MatrixOptions::default(), &style).into_bytes())
            }
        }
    }
}

/// Whether the matrix can be written there, as far as that can be seen before there is one. Leaves everything as it is.
pub(crate) fn try_matrix(path: &Path) -> Result<(), String> {
    try_writing(path).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Writes the matrix, or nothing.
pub(crate) fn write_matrix(path: &Path, matrix: &Traceability) -> Result<(), String> {
    let format = MatrixFormat::of(path).map_err(|Complaint(message)| message)?;
    let bytes = format.bytes(matrix)?;
    write_atomically(path, &bytes).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

impl Study<'_> {
    /// What JKind would have written.
    pub(crate) fn jkind_xml(&self, matrix: &Traceability) -> String {
        jkind::document(matrix, form(&self.options))
    }
}

/// Which of JKind's engines would have been asked.
fn form(options: &Options) -> jkind::Form {
    match (options.algorithm, options.goal) {
        (Some(Algorithm::Bvc), _) => jkind::Form::Bounded,
        (_, Goal::One) => jkind::Form::Uc,
        (_, Goal::Minimal | Goal::Minimum) => jkind::Form::Minimal,
        (_, Goal::Must) => jkind::Form::Must,
        (_, Goal::All | Goal::May) => jkind::Form::All,
    }
}

/// The matrix as JSON.
#[derive(Serialize)]
struct Matrix<'m> {
    schema: &'static str,
    design: &'m str,
    elements: Vec<Column<'m>>,
    properties: Vec<Row<'m>>,
}

#[derive(Serialize)]
struct Column<'m> {
    name: &'m str,
    kind: &'m str,
    file: Option<&'m str>,
    line: Option<usize>,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
}

#[derive(Serialize)]
struct Row<'m> {
    /// `null`: all properties together.
    property: Option<&'m str>,
    verdict: &'static str,
    /// How many were found.
    cores: usize,
    /// Whether these are all minimal cores.
    complete: bool,
    /// One for each element, in the order of `elements`.
    marks: Vec<&'static str>,
}

impl<'m> Matrix<'m> {
    fn new(matrix: &'m Traceability) -> Matrix<'m> {
        let elements = matrix.elements.iter().map(|element| Column {
            name: &element.name,
            kind: &element.kind,
            file: element.place.as_ref().map(|place| place.file.as_str()),
            line: element.place.as_ref().map(|place| place.line),
            column: element.place.as_ref().map(|place| place.column),
            end_line: element.place.as_ref().map(|place| place.end_line),
            end_column: element.place.as_ref().map(|place| place.end_column),
        });
        let row = |row: &'m propcov_report::Property, is_one: bool| Row {
            property: is_one.then_some(row.name.as_str()),
            verdict: row.verdict.name(),
            cores: row.cores.len(),
            complete: row.complete,
            marks: row.marks.iter().map(|mark| mark.name()).collect(),
        };
        Matrix {
            schema: "propcov/matrix/1",
            design: &matrix.design,
            elements: elements.collect(),
            properties: matrix
                .properties
                .iter()
                .map(|property| row(property, true))
                .chain(matrix.together.iter().map(|together| row(together, false)))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_says_what_is_written() {
        let of = |path: &str| MatrixFormat::of(Path::new(path)).map_err(|Complaint(message)| message);
        assert_eq!(of("a/b.csv"), Ok(MatrixFormat::Csv));
        assert_eq!(of("b.XLSX"), Ok(MatrixFormat::Xlsx));
        assert_eq!(of("b.json"), Ok(MatrixFormat::Json));
        assert_eq!(of("b.c.txt"), Ok(MatrixFormat::Text));
        for wrong in ["matrix", "matrix.xls", "csv", ".csv"] {
            let message = of(wrong).expect_err("no such format");
            assert!(message.contains(".csv, .xlsx, .json, .txt"), "{message}");
        }
    }
}
