//! Listens to a run over mutants: every finding is kept at once, and remembered in case the run crashes.

use crate::counting::Mutants;
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
    counting: Mutex<Mutants>,
}

impl<'r, 's> Recorder<'r, 's> {
    /// Keeps what it hears, and counts it.
    pub(crate) fn new(
        keeper: &'r Keeper<'s>,
        progress: &'r dyn Progress,
        system: &'r System,
        milestones: Milestones,
        counting: Mutants,
    ) -> Recorder<'r, 's> {
        let (milestones, counting) = (Mutex::new(milestones), Mutex::new(counting));
        Recorder { keeper, progress, system, found: Mutex::default(), milestones, counting }
    }

    /// What was found, and when.
    pub(crate) fn finish(self) -> (Vec<Finding>, Milestones) {
        let counting = self.counting.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.progress.so_far(&counting.in_the_end());
        let found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        (found, self.milestones.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Listener for Recorder<'_, '_> {
    fn found(&self, findings: &[Finding]) {
        self.keeper.keep_findings(findings);
        self.found.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(findings);
        self.milestones.lock().unwrap_or_else(PoisonError::into_inner).decided(findings.len());
        self.counting.lock().unwrap_or_else(PoisonError::into_inner).found(self.system, findings);
    }

    fn progress(&self, property: PropertyId, technique: &'static str, _: usize, _: usize) {
        let counting = self.counting.lock().unwrap_or_else(PoisonError::into_inner);
        self.progress.so_far(&counting.so_far(self.system, property, technique));
    }
}
