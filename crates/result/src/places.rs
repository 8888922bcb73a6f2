//! Shares by file and by instance, counted from findings about elements. What a result counts itself is taken from there.

use crate::{Finding, FindingVerdict, Role, RunResult, Scope, Share, Standing, Subject, Tally};
use std::collections::BTreeMap;

impl RunResult {
    /// The shares of files and instances by a metric, in the order of names. Checker logic is not counted.
    pub fn shares_by_place(&self, metric: &str) -> Vec<Share> {
        let is_counted = |scope: &Scope| matches!(scope, Scope::File(_) | Scope::Instance(_));
        let own: Vec<Share> = self
            .shares
            .iter()
            .filter(|share| share.metric == metric && is_counted(&share.scope))
            .cloned()
            .collect();
        if !own.is_empty() {
            return own;
        }
        let mut edits: BTreeMap<(u32, &str), Vec<&Finding>> = BTreeMap::new();
        for finding in self.findings.iter().filter(|finding| &*finding.metric == metric) {
            if let Subject::Element(id) = finding.subject {
                edits.entry((id, &finding.edit)).or_default().push(finding);
            }
        }
        let mut files: BTreeMap<&str, Group> = BTreeMap::new();
        let mut instances: BTreeMap<&str, Group> = BTreeMap::new();
        for ((id, _), findings) in &edits {
            let Some(element) = self.element(*id).filter(|element| element.role != Role::Checker) else {
                continue;
            };
            instances.entry(&element.scope).or_default().add(findings);
            if let Some(place) = element.places.first() {
                files.entry(&place.file).or_default().add(findings);
            }
        }
        let share =
            |scope: Scope, group: Group| Share::new(metric, scope, group.tally, group.open_certificates == 0);
        let files = files.into_iter().map(|(name, group)| share(Scope::File(name.to_owned()), group));
        let instances =
            instances.into_iter().map(|(name, group)| share(Scope::Instance(name.to_owned()), group));
        files.chain(instances).collect()
    }
}

/// What is counted together.
#[derive(Default)]
struct Group {
    tally: Tally,
    /// How much that is decided has no certificate.
    open_certificates: usize,
}

impl Group {
    fn add(&mut self, findings: &[&Finding]) {
        let standing = Standing::of(findings);
        self.tally.add_standing(standing);
        // Nobody has found out whether it has an effect: there is a reason instead of a difference.
        let has_reason =
            |finding: &&&Finding| finding.witness.as_ref().is_some_and(|witness| witness.reason.is_some());
        let is_open =
            findings.iter().filter(|one| one.verdict != FindingVerdict::Covered).any(|one| has_reason(&one));
        if standing == Standing::Uncovered && is_open {
            self.tally.unclassified += 1;
        }
        let is_decided = |verdict: FindingVerdict| verdict != FindingVerdict::Unknown;
        if findings.iter().any(|finding| is_decided(finding.verdict) && !finding.certified) {
            self.open_certificates += 1;
        }
    }
}
