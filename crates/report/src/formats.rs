//! The formats that a result can be rendered in: one row each.

use crate::json::write_json;
use crate::material::Material;
use crate::terminal::Style;
use crate::text::{TextOptions, text};
use crate::{
    audit, cobertura, csv, facts, html, jkind, junit, lcov, markdown, reqif, sarif, statistics, xlsx,
};
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
    /// Whether it shows what is in the [`Material`].
    pub with_material: bool,
    /// Writes a result.
    pub write: fn(&Rendering<'_>, &mut dyn io::Write) -> io::Result<()>,
}

/// What is rendered, and how it is to look.
#[derive(Clone, Copy, Debug)]
pub struct Rendering<'r> {
    /// The result.
    pub result: &'r RunResult,
    /// What there is besides.
    pub material: &'r Material,
    /// What the text is to say.
    pub options: &'r TextOptions,
    /// How it is to look.
    pub style: &'r Style,
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
        with_material: false,
        write: |it, to| {
            to.write_all(text(it.result, it.options, it.style).as_bytes())?;
            to.write_all(crate::text::formalised(it.result, it.material, it.style).as_bytes())
        },
    },
    Format {
        name: "json",
        summary: "everything, as one document (docs/result.schema.json)",
        is_text: true,
        with_material: false,
        write: |it, to| write_json(it.result, to),
    },
    Format {
        name: "facts",
        summary: "what is true, a line each in a fixed order, without who found it and how: equal facts are equal bytes",
        is_text: true,
        with_material: false,
        write: |it, to| facts::write(it.result, to),
    },
    Format {
        name: "html",
        summary: "the report: one page with source, properties, waveforms, for any browser and without network",
        is_text: true,
        with_material: true,
        write: |it, to| html::write(it.result, it.material, to),
    },
    Format {
        name: "csv",
        summary: "findings, a row each, for spreadsheets and scripts; of `cores`, the matrix of properties and elements",
        is_text: true,
        with_material: false,
        write: |it, to| to.write_all(csv::csv(it.result).as_bytes()),
    },
    Format {
        name: "stats-csv",
        summary: "what the run took (--stats), a row for each number, for figures of many runs",
        is_text: true,
        with_material: false,
        write: |it, to| to.write_all(statistics::csv(it.result).as_bytes()),
    },
    Format {
        name: "audit-csv",
        summary: "for audits: tool, files, assumptions, verdicts, evidence, what is open, what does not count",
        is_text: true,
        with_material: true,
        write: |it, to| to.write_all(audit::csv(it.result, it.material).as_bytes()),
    },
    Format {
        name: "xlsx",
        summary: "a workbook for audits and reviews: the same, with properties, findings, and of cores the matrix",
        is_text: false,
        with_material: true,
        write: |it, to| to.write_all(&xlsx::workbook_with(it.result, it.material).map_err(io::Error::other)?),
    },
    Format {
        name: "lcov",
        summary: "coverage by line and element, for genhtml",
        is_text: true,
        with_material: false,
        write: |it, to| to.write_all(lcov::lcov(it.result).as_bytes()),
    },
    Format {
        name: "cobertura",
        summary: "the same as XML, for GitLab, Jenkins and others",
        is_text: true,
        with_material: false,
        write: |it, to| to.write_all(cobertura::cobertura(it.result).as_bytes()),
    },
    Format {
        name: "junit",
        summary: "properties as tests",
        is_text: true,
        with_material: false,
        write: |it, to| to.write_all(junit::junit(it.result).as_bytes()),
    },
    Format {
        name: "sarif",
        summary: "holes, dead code and failed properties at their places, for code scanning",
        is_text: true,
        with_material: true,
        write: |it, to| to.write_all(sarif::sarif(it.result, it.material).as_bytes()),
    },
    Format {
        name: "markdown",
        summary: "a summary, for the step summary of a GitHub workflow",
        is_text: true,
        with_material: false,
        write: |it, to| to.write_all(markdown::markdown(it.result, it.material).as_bytes()),
    },
    Format {
        name: "reqif",
        summary: "requirements, properties and what proofs rest on, for tools that manage requirements",
        is_text: true,
        with_material: true,
        write: |it, to| to.write_all(reqif::reqif(it.result, it.material).as_bytes()),
    },
    Format {
        name: "jkind-xml",
        summary: "verdicts and cores as JKind writes them",
        is_text: true,
        with_material: false,
        write: |it, to| to.write_all(jkind::document(it.result).as_bytes()),
    },
];

/// The format with this name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}
