//! The mutant vector: which labels are in question.
//!
//! Of a graph, the front end reads pairs of states and propositions. Of a design nobody could list them, so they are given by expressions: each line
//! of the file is `PROPOSITION: EXPRESSION`, and stands for the label of the proposition in all states where the expression holds.

use super::propositions::texts;
use super::source::bytes;
use super::usage;
use crate::Error;
use crate::read::{display_name, hint};
use propcov_frontend::{Extra, graph};
use propcov_ir::{ExprId, Graph, LabelFlip};
use std::path::Path;

/// Labels of one proposition in states of a design.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// The position of the proposition among those compared.
    pub(super) proposition: u32,
    /// Where: an expression, as it was written.
    pub(super) extra: Extra,
    /// Its value, once the design is read.
    pub(super) states: Option<ExprId>,
}

/// The labels in question, as a file gives them.
#[derive(Clone, Debug)]
pub(super) enum Vector {
    /// Of a design.
    Regions(Vec<Region>),
    /// Of a graph.
    Listed(Vec<LabelFlip>),
}

impl Vector {
    /// Whether labels of this proposition are in question. Those of a region may be labels of no state.
    pub(super) fn is_about(&self, proposition: u32) -> bool {
        match self {
            Vector::Regions(regions) => regions.iter().any(|region| region.proposition == proposition),
            Vector::Listed(flips) => flips.iter().any(|flip| flip.proposition == proposition),
        }
    }

    /// Those that are given by expressions.
    pub(super) fn regions(&self) -> &[Region] {
        match self {
            Vector::Regions(regions) => regions,
            Vector::Listed(_) => &[],
        }
    }
}

/// Reads the mutant vector of a graph.
pub(super) fn listed(file: &Path, graph: &Graph) -> Result<Vec<LabelFlip>, Error> {
    Ok(graph::read_flips(&display_name(file), &bytes(file)?, graph)?)
}

/// Reads the regions of a file.
pub(super) fn regions(file: &Path, propositions: &[String]) -> Result<Vec<Region>, Error> {
    let path = display_name(file);
    let bytes = bytes(file)?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let all = texts(propositions);
    let mut regions = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split("--").next().unwrap_or_default();
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        // Lines and columns of messages are those of the file, so what is before the text is left blank.
        let placed = |text: &str, from: usize| Extra {
            origin: path.clone(),
            text: format!("{}{}{}", "\n".repeat(number), blank(&line[..from]), text.trim_end()),
        };
        let wrong = |message: String| Error::from(placed(line, 0).error(message));
        let start = line.len() - line.trim_start().len();
        let Some((proposition, length)) = named(&line[start..], &all) else {
            let Some((name, _)) = line.split_once(':') else {
                return Err(wrong("expected PROPOSITION: EXPRESSION".to_owned()));
            };
            let hint = hint(name.trim(), &all, "propositions that are compared");
            return Err(wrong(format!(
                "no proposition that is compared is called `{}`; {hint}",
                name.trim()
            )));
        };
        let from = start + length;
        let extra = placed(&line[from..], from);
        regions.push(Region { proposition: proposition as u32, extra, states: None });
    }
    if regions.is_empty() {
        return Err(usage(format!("{path}: there are no mutants in it; expected PROPOSITION: EXPRESSION")));
    }
    Ok(regions)
}

/// The proposition that a line begins with, and where the expression begins. A proposition may have colons in it, so the longest is taken.
fn named(line: &str, propositions: &[&str]) -> Option<(usize, usize)> {
    let is_here = |name: &str| {
        let rest = line.strip_prefix(name)?.trim_start().strip_prefix(':')?;
        Some(line.len() - rest.len())
    };
    let here = propositions.iter().enumerate().filter_map(|(number, name)| Some((number, is_here(name)?)));
    here.max_by_key(|(_, length)| *length)
}

/// As many blanks as there are characters.
fn blank(text: &str) -> String {
    " ".repeat(text.chars().count())
}
