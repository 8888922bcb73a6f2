//! Listens to a run over mutants: every finding is kept at once, and remembered in case the run crashes.

use crate::cover::milestones::Milestones;
use crate::keeper::Keeper;
use propcov_coverage::mutation::Listener;
use propcov_ir::{Finding, PropertyId, System};
use propcov_verify::Progress;
use std::sync::{Mutex, PoisonError};

/// The listener.
pub(crate) struct Recorder<'r, 's> {
    keeper: &'r Keeper<'s>,
    progress: &'r dyn Progress,
    system: &'r System,
    found: Mutex<Vec<Finding>>,
    milestones: Mutex<Milestones>,
}

impl<'r, 's> Recorder<'r, 's> {
    /// Keeps what it hears, and counts it.
    pub(crate) fn new(
        keeper: &'r Keeper<'s>,
        progress: &'r dyn Progress,
        system: &'r System,
        milestones: Milestones,
    ) -> Recorder<'r, 's> {
        Recorder { keeper, progress, system, found: Mutex::default(), milestones: Mutex::new(milestones) }
    }

    /// What was found, and when.
    pub(crate) fn finish(self) -> (Vec<Finding>, Milestones) {
        let found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        (found, self.milestones.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Listener for Recorder<'_, '_> {
    fn found(&self, findings: &[Finding]) {
        self.keeper.keep_findings(findings);
        self.found.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(findings);
        self.milestones.lock().unwrap_or_else(PoisonError::into_inner).decided(findings.len());
    }

    fn progress(&self, property: PropertyId, technique: &'static str, decided: usize, total: usize) {
        let name = &self.system.property(property).name;
        self.progress.detail(&format!("{decided} of {total} decided; {technique}, {name}"));
    }
}
