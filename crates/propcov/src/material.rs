//! What formats show besides a result: the design's own files, what metrics ask, and the run before.

use crate::{Design, METRICS};
use propcov_ir::System;
use propcov_report::{Material, Text};

impl Design {
    /// What formats show besides a result of this design.
    pub fn material(&self) -> Material {
        of_system(self.system())
    }
}

/// The texts of the files that a system was read from.
pub(crate) fn of_system(system: &System) -> Material {
    let texts = system.files.iter().filter_map(|file| Text::new(&file.path, &file.bytes));
    Material { texts: texts.collect(), ..empty() }
}

/// What is the same for all results.
pub(crate) fn empty() -> Material {
    let metrics = METRICS.iter().map(|metric| (metric.name.to_owned(), metric.summary.to_owned()));
    Material { metrics: metrics.collect(), ..Material::default() }
}
