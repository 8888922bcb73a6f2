//! Each core as soon as it is found, for people who wait.

use propcov_coverage::cores::{Core, Observer};
use propcov_ir::{PropertyId, System};
use propcov_report::text::core_news;
use propcov_verify::Progress;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Tells of cores.
pub(super) struct Announcer<'a> {
    system: &'a System,
    progress: &'a dyn Progress,
    /// How many were told of, by property.
    counts: Mutex<HashMap<Option<PropertyId>, usize>>,
}

impl<'a> Announcer<'a> {
    pub(super) fn new(system: &'a System, progress: &'a dyn Progress) -> Announcer<'a> {
        Announcer { system, progress, counts: Mutex::default() }
    }

    fn name(&self, property: PropertyId) -> &str {
        &self.system.property(property).name
    }
}

impl Observer for Announcer<'_> {
    fn progress(&self, property: PropertyId, stage: &str, cores: usize, checks: u64) {
        let name = self.name(property);
        self.progress.detail(&format!("{name}: {stage}, cores: {cores}, checks: {checks}"));
    }

    fn core(&self, property: Option<PropertyId>, core: &Core) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let number = counts.entry(property).or_default();
        *number += 1;
        let names: Vec<String> =
            core.elements.iter().map(|element| self.system.element(element).name.clone()).collect();
        self.progress.news(&core_news(property.map(|property| self.name(property)), *number, &names));
    }
}
