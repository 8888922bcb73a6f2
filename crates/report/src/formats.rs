//! The formats that a result can be rendered in: one row each.

use crate::csv;
use crate::json::write_json;
use crate::terminal::Style;
use crate::text::{TextOptions, text};
use propcov_result::RunResult;
use std::io;

/// A format.
pub struct Format {
    /// What users call it: `--format NAME`.
    pub name: &'static str,
    /// What it is for, in a clause.
    pub summary: &'static str,
    /// Writes a result. Only text asks how it is to look.
    pub write: fn(&RunResult, &TextOptions, &Style, &mut dyn io::Write) -> io::Result<()>,
}

/// All formats, the one that people get without asking first.
pub const FORMATS: &[Format] = &[
    Format {
        name: "text",
        summary: "for people at a terminal",
        write: |result, options, style, to| to.write_all(text(result, options, style).as_bytes()),
    },
    Format {
        name: "json",
        summary: "everything, as one document (docs/result.schema.json)",
        write: |result, _, _, to| write_json(result, to),
    },
    Format {
        name: "csv",
        summary: "findings, a row each, for spreadsheets and scripts",
        write: |result, _, _, to| to.write_all(csv::findings(result).as_bytes()),
    },
];

/// The format with this name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}
