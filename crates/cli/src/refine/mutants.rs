//! The mutant vector: which labels are in question.
//!
//! Of a graph, the front end reads pairs of states and propositions. Of a design nobody could list them, so they are given by expressions: each line
//! of the file is `PROPOSITION: EXPRESSION`, and stands for the label of the proposition in all states where the expression holds.

use crate::diagnostics::input_error;
use crate::input::{Complaint, display_name, hint, read_bytes};
use crate::refine::arguments::RefineArguments;
use propcov_frontend::{Extra, graph};
use propcov_ir::{ExprId, Graph, Label, LabelFlip};
use std::path::Path;

/// Labels of one proposition in states of a design.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// The position of the proposition among those compared.
    pub(crate) proposition: u32,
    /// Where: an expression, as it was written.
    pub(crate) extra: Extra,
    /// Its value, once the design is read.
    pub(crate) states: Option<ExprId>,
}

/// The labels in question, as a file gives them.
#[derive(Clone, Debug)]
pub(crate) enum Vector {
    /// Of a design.
    Regions(Vec<Region>),
    /// Of a graph.
    Listed(Vec<LabelFlip>),
}

impl Vector {
    /// Whether labels of this proposition are in question. Those of a region may be labels of no state.
    pub(crate) fn is_about(&self, proposition: u32) -> bool {
        match self {
            Vector::Regions(regions) => regions.iter().any(|region| region.proposition == proposition),
            Vector::Listed(flips) => flips.iter().any(|flip| flip.proposition == proposition),
        }
    }

    /// Those that are given by expressions.
    pub(crate) fn regions(&self) -> &[Region] {
        match self {
            Vector::Regions(regions) => regions,
            Vector::Listed(_) => &[],
        }
    }
}

/// Reads the regions of a file.
pub(crate) fn regions(file: &Path, propositions: &[String]) -> Result<Vec<Region>, Complaint> {
    let path = display_name(file);
    let bytes = read_bytes(file, &path)?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let all: Vec<&str> = propositions.iter().map(String::as_str).collect();
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
        let wrong = |message: String| Complaint(input_error(&placed(line, 0).error(message)));
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
        return Err(Complaint(format!(
            "error: {path}: there are no mutants in it; expected PROPOSITION: EXPRESSION\n"
        )));
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

/// Reads the mutant vector of a graph.
pub(crate) fn listed(file: &Path, graph: &Graph) -> Result<Vec<LabelFlip>, Complaint> {
    let path = display_name(file);
    let bytes = read_bytes(file, &path)?;
    graph::read_flips(&path, &bytes, graph).map_err(|error| Complaint(input_error(&error)))
}

/// The propositions that are observed, by position: those named, or else all.
pub(crate) fn observed(propositions: &[String], arguments: &RefineArguments) -> Result<Vec<u32>, Complaint> {
    let named = arguments.observed();
    if named.is_empty() {
        return Ok((0..propositions.len() as u32).collect());
    }
    let all: Vec<&str> = propositions.iter().map(String::as_str).collect();
    let mut positions = Vec::new();
    for name in &named {
        let Some(position) = all.iter().position(|known| known == name) else {
            let hint = hint(name, &all, "propositions that are compared");
            return Err(Complaint(format!(
                "error: --observe {name}: no proposition that is compared is called so; {hint}\n"
            )));
        };
        if !positions.contains(&(position as u32)) {
            positions.push(position as u32);
        }
    }
    Ok(positions)
}

/// The labels of these propositions in all states, as far as they say something.
pub(crate) fn all_labels(graph: &Graph, observed: &[u32]) -> Vec<LabelFlip> {
    let of = |proposition: &u32| {
        let proposition = *proposition;
        let flips = graph.states().map(move |state| LabelFlip { state, proposition });
        flips.filter(|flip| graph.label(flip.state, flip.proposition) != Label::Open)
    };
    observed.iter().flat_map(of).collect()
}
