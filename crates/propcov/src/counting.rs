//! What is decided so far, told as it is decided: an interval that narrows.

use propcov_ir::{Finding, Mutant, PropertyId, Role, Status, System};
use propcov_verify::{Outcome, Progress, SoFar};
use rustc_hash::{FxHashMap, FxHashSet};

/// Properties with and without a verdict.
pub(crate) struct Verdicts<'c> {
    progress: &'c dyn Progress,
    system: &'c System,
    so_far: SoFar<'c>,
}

impl<'c> Verdicts<'c> {
    /// So many are to be decided.
    pub(crate) fn new(progress: &'c dyn Progress, system: &'c System, total: usize) -> Verdicts<'c> {
        Verdicts { progress, system, so_far: SoFar { what: "properties", total, ..SoFar::default() } }
    }

    /// One of them is.
    pub(crate) fn heard(&mut self, outcome: &Outcome) {
        self.so_far.good += usize::from(outcome.answer.is_proved());
        self.so_far.bad += usize::from(outcome.answer.is_falsified());
        self.so_far.property = Some(&self.system.property(outcome.property).name);
        self.so_far.technique = outcome.engine;
        self.progress.so_far(&self.so_far);
    }
}

/// Mutants of the design's own logic: some property notices them, none does, or that is not known yet.
pub(crate) struct Mutants {
    properties: usize,
    total: usize,
    noticed: FxHashSet<Mutant>,
    /// By how many properties they are certainly not noticed.
    survived: FxHashMap<Mutant, usize>,
    unnoticed: usize,
}

impl Mutants {
    /// So many properties look at these mutants, and something is known of them.
    pub(crate) fn new(system: &System, properties: usize, mutants: &[Mutant], known: &[Finding]) -> Mutants {
        let counts = |mutant: &&Mutant| system.element(mutant.element).role != Role::Checker;
        let total = mutants.iter().filter(counts).count();
        let mut counting = Mutants {
            properties,
            total,
            noticed: FxHashSet::default(),
            survived: FxHashMap::default(),
            unnoticed: 0,
        };
        counting.found(system, known);
        counting
    }

    /// More is known.
    pub(crate) fn found(&mut self, system: &System, findings: &[Finding]) {
        for finding in findings {
            if system.element(finding.mutant.element).role == Role::Checker {
                continue;
            }
            match finding.status {
                Status::Covered(_) => {
                    self.noticed.insert(finding.mutant);
                }
                Status::Uncovered(_) => {
                    let count = self.survived.entry(finding.mutant).or_default();
                    *count += 1;
                    self.unnoticed += usize::from(*count == self.properties);
                }
                _ => {}
            }
        }
    }

    /// What is known when nobody is at work any more.
    pub(crate) fn in_the_end(&self) -> SoFar<'static> {
        let (good, bad, total) = (self.noticed.len(), self.unnoticed, self.total);
        SoFar { what: "mutants", good, bad, total, ..SoFar::default() }
    }

    /// What is known, with who is at work.
    pub(crate) fn so_far<'s>(
        &self,
        system: &'s System,
        property: PropertyId,
        technique: &'static str,
    ) -> SoFar<'s> {
        SoFar {
            what: "mutants",
            good: self.noticed.len(),
            bad: self.unnoticed,
            total: self.total,
            property: Some(&system.property(property).name),
            technique: Some(technique),
        }
    }
}
