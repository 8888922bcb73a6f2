//! Shares by file and by instance, counted from findings about elements. What a result counts itself is taken from there.

use crate::mutants::{Mutant, Standing, mutants};
use propcov_result::{FindingVerdict, RunResult, Scope, Share, Tally};
use std::collections::BTreeMap;

/// The shares of files and instances, metric by metric, in the order of names.
pub(crate) fn by_place(result: &RunResult, metric: &str) -> Vec<Share> {
    let is_counted = |scope: &Scope| matches!(scope, Scope::File(_) | Scope::Instance(_));
    if result.shares.iter().any(|share| share.metric == metric && is_counted(&share.scope)) {
        return Vec::new();
    }
    let mut files: BTreeMap<&str, Group> = BTreeMap::new();
    let mut instances: BTreeMap<&str, Group> = BTreeMap::new();
    for mutant in mutants(result, metric).iter().filter(|mutant| mutant.counts()) {
        let Some(element) = mutant.element else { continue };
        instances.entry(&element.scope).or_default().add(mutant);
        if let Some(place) = element.places.first() {
            files.entry(&place.file).or_default().add(mutant);
        }
    }
    let share =
        |scope: Scope, group: Group| Share::new(metric, scope, group.tally, group.open_certificates == 0);
    let files = files.into_iter().map(|(name, group)| share(Scope::File(name.to_owned()), group));
    let instances = instances.into_iter().map(|(name, group)| share(Scope::Instance(name.to_owned()), group));
    files.chain(instances).collect()
}

/// What is counted together.
#[derive(Default)]
struct Group {
    tally: Tally,
    /// How much that is decided has no certificate.
    open_certificates: usize,
}

impl Group {
    fn add(&mut self, mutant: &Mutant<'_>) {
        let tally = &mut self.tally;
        tally.add_standing(mutant.standing);
        // Nobody has found out whether it has an effect: there is a reason instead of a difference.
        let is_open = mutant.witness().is_some_and(|(_, witness)| witness.reason.is_some());
        if mutant.standing == Standing::Uncovered && is_open {
            tally.unclassified += 1;
        }
        let is_decided = |verdict: FindingVerdict| verdict != FindingVerdict::Unknown;
        if mutant.findings.iter().any(|finding| is_decided(finding.verdict) && !finding.certified) {
            self.open_certificates += 1;
        }
    }
}
