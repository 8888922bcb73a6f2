//! The formats that a result can be rendered in: one row each.

use crate::json::write_json;
use crate::terminal::Style;
use crate::text::{TextOptions, text};
use crate::{csv, jkind, xlsx};
use propcov_result::RunResult;
use std::io;

/// A format.
pub struct Format {
    /// What users call it: `--format NAME`.
    pub name: &'static str,
    /// What it is for, in a clause.
    pub summary: &'static str,
    /// Whether it is text, and not bytes that only other programs can show.
    pub is_text: bool,
    /// Writes a result. Only text asks how it is to look.
    pub write: fn(&RunResult, &TextOptions, &Style, &mut dyn io::Write) -> io::Result<()>,
}

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All formats, the one that people get without asking first.
pub const FORMATS: &[Format] = &[
    Format {
        name: "text",
        summary: "for people at a terminal",
        is_text: true,
        write: |result, options, style, to| to.write_all(text(result, options, style).as_bytes()),
    },
    Format {
        name: "json",
        summary: "everything, as one document (docs/result.schema.json)",
        is_text: true,
        write: |result, _, _, to| write_json(result, to),
    },
    Format {
        name: "csv",
        summary: "findings, a row each, for spreadsheets and scripts; of `cores`, the matrix of properties and elements",
        is_text: true,
        write: |result, _, _, to| to.write_all(csv::csv(result).as_bytes()),
    },
    Format {
        name: "xlsx",
        summary: "cores as a workbook for reviews: matrix, cores, elements, unused elements",
        is_text: false,
        write: |result, _, _, to| to.write_all(&xlsx::workbook(result).map_err(io::Error::other)?),
    },
    Format {
        name: "jkind-xml",
        summary: "verdicts and cores as JKind writes them",
        is_text: true,
        write: |result, _, _, to| to.write_all(jkind::document(result).as_bytes()),
    },
];

/// The format with this name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}
