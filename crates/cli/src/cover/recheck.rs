//! Findings of earlier runs, believed only after their evidence was accepted again: a file is no authority.

use crate::panics::PanicLog;
use propcov_certify::{Family, check_trace};
use propcov_ir::{Finding, Kill, Mutant, Proof, PropertyId, Status, System};
use propcov_sat::Budget;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// What became of findings.
#[derive(Debug, Default)]
pub(crate) struct Rechecked {
    /// Those that were accepted.
    pub(crate) accepted: Vec<Finding>,
    /// How many were not.
    pub(crate) rejected: usize,
    /// How many there was no time for.
    pub(crate) postponed: usize,
}

/// Checks those findings that are about these properties and mutants; the others are left out.
pub(crate) fn recheck(
    system: &System,
    properties: &[PropertyId],
    mutants: &[Mutant],
    findings: &[Finding],
    limits: &Budget,
    panics: &PanicLog,
) -> Rechecked {
    let wanted: HashSet<Mutant> = mutants.iter().copied().collect();
    let mut result = Rechecked::default();
    for property in properties {
        let known: Vec<&Finding> = (findings.iter())
            .filter(|finding| finding.property == *property && wanted.contains(&finding.mutant))
            .collect();
        let checker = Checker { system, property: *property, limits };
        let accepted = panics.guard(|| checker.accepted(&known)).unwrap_or_default();
        let missing = known.len() - accepted.len();
        if limits.is_exhausted() {
            result.postponed += missing;
        } else {
            result.rejected += missing;
        }
        result.accepted.extend(accepted);
    }
    result
}

struct Checker<'a> {
    system: &'a System,
    property: PropertyId,
    limits: &'a Budget,
}

impl Checker<'_> {
    fn accepted(&self, known: &[&Finding]) -> Vec<Finding> {
        let mut accepted = Vec::new();
        // What one proof shows for many mutants is checked for all of them at once.
        let mut by_proof: BTreeMap<usize, (&Arc<Proof>, Vec<&Finding>)> = BTreeMap::new();
        for finding in known {
            match &finding.status {
                Status::Covered(kill) if !self.limits.is_exhausted() && self.kills(finding.mutant, kill) => {
                    accepted.push((*finding).clone());
                }
                Status::Uncovered(proof) | Status::NoEffect(proof) => {
                    by_proof.entry(Arc::as_ptr(proof).addr()).or_insert((proof, Vec::new())).1.push(finding);
                }
                Status::Covered(_) | Status::Unknown(_) => {}
            }
        }
        let survivors: Vec<Mutant> = by_proof
            .values()
            .flat_map(|(_, findings)| findings.iter().map(|finding| finding.mutant))
            .collect();
        let Ok(mut family) = Family::new(self.system, self.property, &survivors) else { return accepted };
        for (proof, findings) in by_proof.values() {
            let members: Vec<Mutant> = findings.iter().map(|finding| finding.mutant).collect();
            let passed: HashSet<Mutant> = family.accepted(proof, &members, self.limits).into_iter().collect();
            accepted.extend(
                findings.iter().filter(|finding| passed.contains(&finding.mutant)).map(|f| (*f).clone()),
            );
        }
        accepted
    }

    fn kills(&self, mutant: Mutant, kill: &Kill) -> bool {
        let Ok(trace) = kill.trace(self.system, mutant) else { return false };
        check_trace(self.system, &mutant.edits(self.system), self.property, &trace).is_ok()
    }
}
