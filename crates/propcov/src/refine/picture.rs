//! The implementation as a picture. States and transitions are those of the graph, marks those of the result.

use super::usage;
use crate::Error;
use crate::files::{try_writing as can_write, write_atomically};
use propcov_coverage::refine::Survey;
use propcov_coverage::refine::record::word;
use propcov_ir::Graph;
use propcov_report::picture::{self, Mark, Picture, PictureState};
use propcov_result::RunResult;
use std::path::Path;

/// What a picture is written as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Dot,
    Svg,
}

fn kind(path: &Path) -> Result<Kind, Error> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("dot" | "gv") => Ok(Kind::Dot),
        Some("svg") => Ok(Kind::Svg),
        _ => Err(usage(format!("--picture {}: expected a name that ends in .dot or .svg", path.display()))),
    }
}

/// Whether the picture could be written, as far as that can be seen beforehand.
pub(super) fn try_writing(path: &Path) -> Result<(), Error> {
    kind(path)?;
    can_write(path).map_err(|error| Error::Write { path: path.display().to_string(), error })
}

/// Draws the implementation, or says why not.
pub(super) fn write(path: &Path, result: &RunResult, survey: Option<&Survey>) -> Result<(), String> {
    let Some(survey) = survey else {
        return Err("no picture was drawn: the states are not listed".to_owned());
    };
    let picture = draw(survey.pair.implementation(), result);
    let text = match kind(path) {
        Ok(Kind::Svg) => picture::svg(&picture)
            .map_err(|why| format!("no picture was drawn: {why}; .dot has no such limit"))?,
        // Another ending was refused before anything was read.
        Ok(Kind::Dot) | Err(_) => picture::dot(&picture),
    };
    write_atomically(path, text.as_bytes()).map_err(|error| format!("it cannot be written: {error}"))
}

/// The implementation as a picture, if it is small enough to be looked at.
pub(super) fn small(result: &RunResult, survey: &Survey) -> Option<Picture> {
    let graph = survey.pair.implementation();
    let is_small = graph.states().len() <= picture::LARGEST;
    is_small.then(|| draw(graph, result))
}

fn draw(graph: &Graph, result: &RunResult) -> Picture {
    let title = result.refinement.as_ref().map(|refinement| {
        format!("{}, as {} constrains it", refinement.implementation.path, refinement.specification.path)
    });
    let mut picture = Picture {
        title: title.unwrap_or_default(),
        propositions: graph.propositions().to_vec(),
        states: graph.states().map(|state| plain(graph, state)).collect(),
        transitions: graph.transitions().collect(),
        legend: Vec::new(),
    };
    picture.mark_labels(result);
    picture
}

/// A state about which nothing is known.
fn plain(graph: &Graph, state: u32) -> PictureState {
    let labels = graph.propositions().iter().zip(graph.labels(state));
    PictureState {
        name: graph.name(state).to_owned(),
        labels: labels.map(|(name, label)| word(name, *label)).collect(),
        is_initial: graph.initial().contains(&state),
        mark: Mark::Plain,
        uncovered: Vec::new(),
    }
}
