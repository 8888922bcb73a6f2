//! The formats that a result can be rendered in: one row each.

use crate::json::write_json;
use crate::material::Material;
use crate::overview::{self, Entry};
use crate::shorten::shortened;
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
    /// How it takes the results of several designs, or of several tasks.
    pub several: Several,
}

/// What becomes of several results.
#[derive(Clone, Copy)]
pub enum Several {
    /// They are written one after the other: readers take documents, records or sections in turn.
    InTurn,
    /// They are one document.
    Together(fn(&[Entry<'_>]) -> String),
    /// A document is about one.
    Apart,
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
            let result = shortened(it.result);
            to.write_all(text(&result, it.options, it.style).as_bytes())?;
            to.write_all(crate::text::formalised(&result, it.material, it.style).as_bytes())
        },
        several: Several::InTurn,
    },
    Format {
        name: "json",
        summary: "everything, as one document (docs/result.schema.json)",
        is_text: true,
        with_material: false,
        write: |it, to| write_json(it.result, to),
        several: Several::InTurn,
    },
    Format {
        name: "facts",
        summary: "what is true, a line each in a fixed order, without who found it and how: equal facts are equal bytes",
        is_text: true,
        with_material: false,
        write: |it, to| facts::write(it.result, to),
        several: Several::InTurn,
    },
    Format {
        name: "html",
        summary: "the report: one page with source, properties, waveforms, for any browser and without network",
        is_text: true,
        with_material: true,
        write: |it, to| html::write(it.result, it.material, to),
        several: Several::Together(overview::html),
    },
    Format {
        name: "csv",
        summary: "findings, a row each, for spreadsheets and scripts; of `cores`, the matrix of properties and elements",
        is_text: true,
        with_material: false,
        write: |it, to| to.write_all(csv::csv(&shortened(it.result)).as_bytes()),
        several: Several::Together(|all| tables(all, |it| csv::csv(&shortened(it.result)))),
    },
    Format {
        name: "stats-csv",
        summary: "what the run took (--stats), a row for each number, for figures of many runs",
        is_text: true,
        with_material: false,
        write: |it, to| to.write_all(statistics::csv(it.result).as_bytes()),
        several: Several::Together(|all| tables(all, |it| statistics::csv(it.result))),
    },
    Format {
        name: "audit-csv",
        summary: "for audits: tool, files, assumptions, verdicts, evidence, what is open, what does not count",
        is_text: true,
        with_material: true,
        write: |it, to| to.write_all(audit::csv(&shortened(it.result), it.material).as_bytes()),
        several: Several::Together(|all| tables(all, |it| audit::csv(&shortened(it.result), it.material))),
    },
    Format {
        name: "xlsx",
        summary: "a workbook for audits and reviews: the same, with properties, findings, and of cores the matrix",
        is_text: false,
        with_material: true,
        write: |it, to| {
            to.write_all(&xlsx::workbook_with(&shortened(it.result), it.material).map_err(io::Error::other)?)
        },
        several: Several::Apart,
    },
    Format {
        name: "lcov",
        summary: "coverage by line and element, for genhtml",
        is_text: true,
        with_material: false,
        write: |it, to| to.write_all(lcov::lcov(it.result).as_bytes()),
        several: Several::InTurn,
    },
    Format {
        name: "cobertura",
        summary: "the same as XML, for GitLab, Jenkins and others",
        is_text: true,
        with_material: false,
        write: |it, to| to.write_all(cobertura::cobertura(it.result).as_bytes()),
        several: Several::Together(|all| cobertura::united(&results(all))),
    },
    Format {
        name: "junit",
        summary: "properties as tests",
        is_text: true,
        with_material: false,
        write: |it, to| to.write_all(junit::junit(&shortened(it.result)).as_bytes()),
        several: Several::Together(junits),
    },
    Format {
        name: "sarif",
        summary: "holes, dead code and failed properties at their places, for code scanning",
        is_text: true,
        with_material: true,
        write: |it, to| to.write_all(sarif::sarif(&shortened(it.result), it.material).as_bytes()),
        several: Several::Together(sarifs),
    },
    Format {
        name: "markdown",
        summary: "a summary, for the step summary of a GitHub workflow",
        is_text: true,
        with_material: false,
        write: |it, to| to.write_all(markdown::markdown(it.result, it.material).as_bytes()),
        several: Several::InTurn,
    },
    Format {
        name: "reqif",
        summary: "requirements, properties and what proofs rest on, for tools that manage requirements",
        is_text: true,
        with_material: true,
        write: |it, to| to.write_all(reqif::reqif(&shortened(it.result), it.material).as_bytes()),
        several: Several::Apart,
    },
    Format {
        name: "jkind-xml",
        summary: "verdicts and cores as JKind writes them",
        is_text: true,
        with_material: false,
        write: |it, to| to.write_all(jkind::document(it.result).as_bytes()),
        several: Several::Apart,
    },
];

/// The format with this name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

fn results<'r>(all: &[Entry<'r>]) -> Vec<&'r RunResult> {
    all.iter().map(|entry| entry.result).collect()
}

fn junits(all: &[Entry<'_>]) -> String {
    let short: Vec<_> = all.iter().map(|entry| shortened(entry.result)).collect();
    junit::united(&short.iter().map(AsRef::as_ref).collect::<Vec<_>>())
}

fn sarifs(all: &[Entry<'_>]) -> String {
    let short: Vec<_> = all.iter().map(|entry| shortened(entry.result)).collect();
    let entries: Vec<_> = all.iter().zip(&short).map(|(entry, result)| Entry { result, ..*entry }).collect();
    sarif::united(&entries)
}

/// Tables one below the other; a heading that was there already is not repeated.
fn tables(all: &[Entry<'_>], table: impl Fn(&Entry<'_>) -> String) -> String {
    let (mut text, mut last) = (String::new(), String::new());
    for entry in all {
        let table = table(entry);
        let (head, rows) = table.split_at(table.find('\n').map_or(table.len(), |at| at + 1));
        if head != last {
            text.push_str(head);
            last = head.to_owned();
        }
        text.push_str(rows);
    }
    text
}
