//! The implementation as a picture, with uncovered states marked.

use crate::exit::ExitCode;
use crate::input::Complaint;
use crate::refine::explicit::Explicit;
use crate::refine::results::Results;
use crate::refine::tree::word;
use crate::session::Session;
use propcov::files::{try_writing as can_write, write_atomically};
use propcov_coverage::refine::FlipStatus;
use propcov_ir::Graph;
use propcov_report::picture::{self, Mark, Picture, PictureState};
use std::path::Path;

/// What a picture is written as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Dot,
    Svg,
}

fn kind(path: &Path) -> Result<Kind, Complaint> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("dot" | "gv") => Ok(Kind::Dot),
        Some("svg") => Ok(Kind::Svg),
        _ => Err(Complaint(format!(
            "error: --picture {}: expected a name that ends in .dot or .svg\n",
            path.display()
        ))),
    }
}

/// Whether the picture could be written, as far as that can be seen beforehand.
pub(crate) fn try_writing(path: &Path) -> Result<(), Complaint> {
    kind(path)?;
    can_write(path).map_err(|error| Complaint(format!("error: cannot write {}: {error}\n", path.display())))
}

/// Draws the implementation.
pub(crate) fn write(path: &Path, results: &Results, session: &mut Session) -> ExitCode {
    draw(path, results).unwrap_or_else(|why| {
        session.complain(&format!("error: --picture {}: {why}\n", path.display()));
        ExitCode::BadInput
    })
}

fn draw(path: &Path, results: &Results) -> Result<ExitCode, String> {
    let Some(explicit) = &results.explicit else {
        return Err("no picture was drawn: the states are not listed".to_owned());
    };
    let title = format!(
        "{}, as {} constrains it",
        results.models.implementation.path, results.models.specification.path
    );
    let picture = explicit.picture(title);
    let text = match kind(path) {
        Ok(Kind::Svg) => picture::svg(&picture)
            .map_err(|why| format!("no picture was drawn: {why}; .dot has no such limit"))?,
        // Another ending was refused before anything was read.
        Ok(Kind::Dot) | Err(_) => picture::dot(&picture),
    };
    write_atomically(path, text.as_bytes()).map_err(|error| format!("it cannot be written: {error}"))?;
    Ok(ExitCode::Good)
}

impl Explicit {
    fn picture(&self, title: String) -> Picture {
        let graph = self.pair.implementation();
        let mut states: Vec<PictureState> = graph.states().map(|state| plain(graph, state)).collect();
        let mut covered = vec![0_usize; states.len()];
        let mut marks: Vec<Option<Mark>> = vec![None; states.len()];
        for (flip, status) in &self.findings {
            let position = flip.state as usize;
            match status {
                FlipStatus::Covered => covered[position] += 1,
                FlipStatus::Uncovered => {
                    states[position].uncovered.push(graph.propositions()[flip.proposition as usize].clone());
                }
                FlipStatus::Unreachable => marks[position] = Some(Mark::Unreachable),
                FlipStatus::Unknown => marks[position] = Some(Mark::Unknown),
            }
        }
        for ((state, covered), mark) in states.iter_mut().zip(covered).zip(marks) {
            state.mark = mark.unwrap_or(match (covered, state.uncovered.len()) {
                (0, 0) => Mark::Plain,
                (_, 0) => Mark::Covered,
                (0, _) => Mark::Uncovered,
                (_, _) => Mark::PartlyCovered,
            });
        }
        Picture {
            title,
            propositions: graph.propositions().to_vec(),
            states,
            transitions: graph.transitions().collect(),
            legend: Vec::new(),
        }
    }
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
