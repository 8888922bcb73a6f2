//! The metrics, one row each, and which of them fit a design.

use crate::Error;
use crate::cover::effects;
use crate::cover::run::Measure;
use crate::cover::scene::Scene;

/// A metric.
pub struct Metric {
    /// The name users type.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// How it is measured.
    pub(crate) run: Run,
}

impl std::fmt::Debug for Metric {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// How a metric is measured.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// On the proofs of invariants.
    Proofs(Begin),
}

/// Begins to measure. The names of all metrics of the run are there as well: where one of them does the work of another, the other has nothing to do.
pub(crate) type Begin =
    for<'a, 's> fn(&'a Scene<'a, 's>, &'static Metric) -> Result<Option<Box<dyn Measure + 'a>>, Error>;

/// All metrics.
pub static METRICS: &[Metric] = &[Metric {
    name: "mutation",
    summary: "does a property fail when an element is left open, or stuck at zero or one?",
    run: Run::Proofs(effects::begin),
}];

/// The metric with this name.
pub fn metric(name: &str) -> Option<&'static Metric> {
    METRICS.iter().find(|metric| metric.name == name)
}
