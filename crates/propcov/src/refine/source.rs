//! A file that may be a graph or a design.

use super::usage;
use crate::read::{display_name, file_bytes, read_bytes};
use crate::{Design, Error, ReadOptions};
use propcov_budget::Budget;
use propcov_coverage::ctl::reads_inputs;
use propcov_frontend::graph::{self, GRAPH_FORMATS, GraphFile, GraphOptions};
use propcov_frontend::{Extra, is_recognised};
use propcov_ir::{SignalKind, System};
use std::path::Path;
use std::sync::Arc;

/// A file in memory.
pub(super) struct Source {
    /// What it is called in messages.
    pub(super) path: String,
    pub(super) bytes: Arc<[u8]>,
    /// The other half, of formats that have two files.
    companion: Option<(String, Vec<u8>)>,
    budget: Budget,
}

impl Source {
    pub(super) fn open(file: &Path, budget: &Budget) -> Result<Source, Error> {
        let path = display_name(file);
        let bytes = bytes(file)?.into();
        let companion = match graph::companion(&path) {
            Some(other) => {
                let bytes = bytes_of(&other).map_err(|error| {
                    error.with_hint(format!("It has the labels of the states of {path}."))
                })?;
                Some((other, bytes))
            }
            None => None,
        };
        Ok(Source { path, bytes, companion, budget: budget.clone() })
    }

    pub(super) fn is_graph(&self) -> bool {
        graph::is_graph(&self.path, &self.bytes)
    }

    pub(super) fn graph(&self, options: &GraphOptions) -> Result<GraphFile, Error> {
        let companion = self.companion.as_ref().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
        Ok(graph::read(&self.path, &self.bytes, companion, options)?)
    }

    /// The design, with the values of expressions in its scope, which have to be about states and Boolean.
    pub(super) fn design(&self, extras: &[Extra]) -> Result<Design, Error> {
        let (extras_owned, budget) = (extras.to_vec(), self.budget.clone());
        let options = ReadOptions { extras: extras_owned, budget, ..ReadOptions::default() };
        let design = read_bytes(&self.path, Arc::clone(&self.bytes), &options).map_err(|error| {
            if is_recognised(&self.path, &self.bytes) {
                return error;
            }
            let graphs = GRAPH_FORMATS.iter().flat_map(|format| format.extensions).copied();
            let graphs: Vec<&str> = graphs.collect();
            error.with_hint(format!("or a graph: .{}; see `propcov help graphs`", graphs.join(", .")))
        })?;
        let system = design.system();
        finite(system, &self.path)?;
        for (extra, value) in extras.iter().zip(design.extras()) {
            if !system.exprs.sort(*value).is_bool() {
                return Err(extra.error("expected a Boolean expression: a proposition holds or not").into());
            }
            if reads_inputs(system, *value) {
                return Err(extra.error("expected something that is known of a state, not of inputs").into());
            }
        }
        Ok(design)
    }
}

/// A file, or standard input.
pub(super) fn bytes(file: &Path) -> Result<Vec<u8>, Error> {
    file_bytes(file).map_err(|error| Error::Read { path: display_name(file), error })
}

fn bytes_of(file: &str) -> Result<Vec<u8>, Error> {
    bytes(Path::new(file))
}

/// Simulation is between states that can be counted.
fn finite(system: &System, path: &str) -> Result<(), Error> {
    let unbounded = || system.signals().iter().filter(|signal| signal.sort.is_unbounded());
    // What `pre` keeps has no name that the user gave it.
    let named = unbounded().find(|signal| !matches!(signal.kind, SignalKind::State { .. }));
    let Some(signal) = named.or_else(|| unbounded().next()) else { return Ok(()) };
    Err(usage(format!(
        "{path}: refine compares finite designs, and `{}` is of sort {}",
        signal.name, signal.sort
    )))
}
