//! The matrix of properties and elements as a file: one row for each format, by the extension of the file.

use crate::argument::Argument;
use crate::model::Traceability;
use crate::terminal::Style;
use crate::text::{self, MatrixOptions};
use crate::{csv, xlsx};
use propcov_result::RunResult;
use serde::Serialize;

/// A format of files with the matrix.
pub struct MatrixFormat {
    /// The extension of such files, without the dot.
    pub extension: &'static str,
    /// The bytes of the file, or why there are none.
    pub bytes: fn(&RunResult) -> Result<Vec<u8>, String>,
}

/// All of them.
pub const MATRIX_FORMATS: &[MatrixFormat] = &[
    MatrixFormat { extension: "csv", bytes: |result| Ok(csv::matrix(result).into_bytes()) },
    MatrixFormat {
        extension: "xlsx",
        bytes: |result| xlsx::workbook(result).map_err(|error| error.to_string()),
    },
    MatrixFormat { extension: "json", bytes: |result| Ok(matrix_json(result).into_bytes()) },
    MatrixFormat {
        extension: "txt",
        bytes: |result| Ok(text::matrix(result, &MatrixOptions::default(), &Style::default()).into_bytes()),
    },
];

/// The matrix as JSON.
pub fn matrix_json(result: &RunResult) -> String {
    let text = serde_json::to_string_pretty(&Matrix::new(&Traceability::new(result)));
    debug_assert!(text.is_ok(), "all keys are strings");
    text.unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct Matrix<'m> {
    schema: &'static str,
    design: &'m str,
    elements: Vec<Column>,
    properties: Vec<Line<'m>>,
}

#[derive(Serialize)]
struct Column {
    id: u32,
    name: String,
    kind: Option<String>,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
}

#[derive(Serialize)]
struct Line<'m> {
    /// `null`: all properties together.
    property: Option<&'m str>,
    verdict: &'static str,
    /// How many were found.
    cores: usize,
    /// Whether these are all minimal cores.
    complete: bool,
    /// One for each element, in the order of `elements`.
    marks: Vec<&'static str>,
    /// Why the property holds, without its own equation; `null` if it has no proof, or all properties together.
    argument: Option<Reasons>,
}

#[derive(Serialize)]
struct Reasons {
    /// Sets of elements, by number: any one suffices.
    alternatives: Vec<Vec<u32>>,
    /// `redundant`: no element is in all of them; `single-points`; `unknown`; `nothing-needed`.
    robustness: &'static str,
    /// The elements that are in every core.
    needed: Vec<u32>,
    /// Those that may be.
    perhaps_needed: Vec<u32>,
}

impl From<Argument> for Reasons {
    fn from(argument: Argument) -> Reasons {
        let (needed, open) = argument.robustness.needed();
        Reasons {
            robustness: argument.robustness.name(),
            needed: needed.to_vec(),
            perhaps_needed: open.to_vec(),
            alternatives: argument.alternatives,
        }
    }
}

impl<'m> Matrix<'m> {
    fn new(matrix: &'m Traceability<'_>) -> Matrix<'m> {
        let column = |id: &u32| {
            let element = matrix.element(*id);
            let place = element.and_then(|element| element.places.first());
            Column {
                id: *id,
                name: matrix.name(*id),
                kind: element.map(|element| element.kind.clone()),
                file: place.map(|place| place.file.clone()),
                line: place.map(|place| place.line),
                column: place.map(|place| place.column),
                end_line: place.map(|place| place.end_line),
                end_column: place.map(|place| place.end_column),
            }
        };
        let line = |row: &crate::model::Row<'m>| Line {
            property: row.known.property.as_deref(),
            verdict: row.verdict.name(),
            cores: row.known.cores.len(),
            complete: row.known.complete,
            marks: matrix.elements.iter().map(|id| row.mark(*id).name()).collect(),
            argument: row.known.property.as_ref().and_then(|_| Argument::of(row)).map(Reasons::from),
        };
        Matrix {
            schema: "propcov/matrix/1",
            design: matrix.design(),
            elements: matrix.elements.iter().map(column).collect(),
            properties: matrix.rows().map(line).collect(),
        }
    }
}
