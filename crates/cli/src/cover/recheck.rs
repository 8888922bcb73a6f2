//! Findings of earlier runs, believed only after their evidence was accepted again: a file is no authority.

use propcov_budget::Budget;
use propcov_certify::{Family, check_kills};
use propcov_ir::{Finding, Kill, Mutant, Proof, PropertyId, Status, System};
use propcov_verify::PanicLog;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// How many runs are replayed before the clock is looked at.
const BATCH: usize = 1024;

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
        let mut accepted = self.kills(known);
        accepted.extend(self.survivors(known));
        accepted
    }

    /// Runs are replayed, many at once.
    fn kills(&self, known: &[&Finding]) -> Vec<Finding> {
        let killed = known.iter().filter_map(|finding| match &finding.status {
            Status::Covered(kill) => Some((*finding, kill.as_ref())),
            _ => None,
        });
        let killed: Vec<(&Finding, &Kill)> = killed.collect();
        let mut accepted = Vec::new();
        for batch in killed.chunks(BATCH) {
            if self.limits.is_exhausted() {
                break;
            }
            let claims: Vec<(Mutant, &Kill)> =
                batch.iter().map(|(finding, kill)| (finding.mutant, *kill)).collect();
            let answers = check_kills(self.system, self.property, &claims);
            let passed = batch.iter().zip(answers).filter(|(_, answer)| answer.is_ok());
            accepted.extend(passed.map(|((finding, _), _)| (*finding).clone()));
        }
        accepted
    }

    /// What one proof shows for many mutants is checked for all of them at once.
    fn survivors(&self, known: &[&Finding]) -> Vec<Finding> {
        let mut by_proof: BTreeMap<usize, (&Arc<Proof>, Vec<&Finding>)> = BTreeMap::new();
        for finding in known {
            if let Status::Uncovered(proof) | Status::NoEffect(proof) = &finding.status {
                by_proof.entry(Arc::as_ptr(proof).addr()).or_insert((proof, Vec::new())).1.push(finding);
            }
        }
        let members = |findings: &[&Finding]| -> Vec<Mutant> {
            findings.iter().map(|finding| finding.mutant).collect()
        };
        let all: Vec<Mutant> = by_proof.values().flat_map(|(_, findings)| members(findings)).collect();
        let mut accepted = Vec::new();
        let Ok(mut family) = Family::new(self.system, self.property, &all) else { return accepted };
        for (proof, findings) in by_proof.values() {
            let passed = family.accepted(proof, &members(findings), self.limits);
            let passed: HashSet<Mutant> = passed.into_iter().collect();
            let findings = findings.iter().filter(|finding| passed.contains(&finding.mutant));
            accepted.extend(findings.map(|finding| (*finding).clone()));
        }
        accepted
    }
}
