//! How far the search for cores is, and each core as soon as it is found, for people who wait.

use propcov_coverage::cores::{Core, Memory, Observer};
use propcov_ir::{PropertyId, System};
use propcov_report::text::core_news;
use propcov_verify::Progress;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Tells how far the search is.
pub(crate) struct Watcher<'a> {
    system: &'a System,
    progress: &'a dyn Progress,
    memory: &'a dyn Memory,
}

impl<'a> Watcher<'a> {
    pub(crate) fn new(system: &'a System, progress: &'a dyn Progress, memory: &'a dyn Memory) -> Watcher<'a> {
        Watcher { system, progress, memory }
    }

    fn name(&self, property: PropertyId) -> &str {
        &self.system.property(property).name
    }
}

impl Observer for Watcher<'_> {
    fn progress(&self, property: PropertyId, stage: &str, cores: usize, checks: u64) {
        let name = self.name(property);
        self.progress.detail(&format!("{name}: {stage}, cores: {cores}, checks: {checks}"));
    }

    fn core(&self, _: Option<PropertyId>, _: &Core) {}

    fn memory(&self) -> Option<&dyn Memory> {
        Some(self.memory)
    }
}

/// Tells of cores, too.
pub(super) struct Announcer<'a> {
    watcher: Watcher<'a>,
    /// How many were told of, by property.
    counts: Mutex<HashMap<Option<PropertyId>, usize>>,
}

impl<'a> Announcer<'a> {
    pub(super) fn new(watcher: Watcher<'a>) -> Announcer<'a> {
        Announcer { watcher, counts: Mutex::default() }
    }
}

impl Observer for Announcer<'_> {
    fn progress(&self, property: PropertyId, stage: &str, cores: usize, checks: u64) {
        self.watcher.progress(property, stage, cores, checks);
    }

    fn core(&self, property: Option<PropertyId>, core: &Core) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let number = counts.entry(property).or_default();
        *number += 1;
        let Watcher { system, progress, .. } = &self.watcher;
        let names: Vec<String> =
            core.elements.iter().map(|element| system.element(element).name.clone()).collect();
        let name = property.map(|property| self.watcher.name(property));
        progress.news(&core_news(name, *number, &names));
    }

    fn memory(&self) -> Option<&dyn Memory> {
        self.watcher.memory()
    }
}
