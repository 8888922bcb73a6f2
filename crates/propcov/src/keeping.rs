//! Proofs on their way between the run directory and whoever works on them: those of earlier runs serve as new ones do, and new ones are kept as they come.

use crate::counting;
use crate::cover::earlier::Earlier;
use crate::keeper::Keeper;
use propcov_engine::{Limits, Stats};
use propcov_ir::{Proof, PropertyId, UnknownReason, Verdict};
use propcov_result::ELSEWHERE;
use propcov_store::EARLIER;
use propcov_verify::{Client, Outcome, Progress, Verifier};

/// A client whose proofs are kept.
pub(crate) struct Keeping<'a, 's> {
    keeper: &'a Keeper<'s>,
    properties: &'a [PropertyId],
    /// Those that somebody else proves.
    elsewhere: Vec<PropertyId>,
    /// What earlier runs found out about properties, checked again.
    earlier: Vec<Outcome>,
    client: &'a mut dyn Client,
    counting: counting::Verdicts<'a>,
}

impl<'a, 's> Keeping<'a, 's> {
    pub(crate) fn new(
        keeper: &'a Keeper<'s>,
        earlier: Earlier,
        properties: &'a [PropertyId],
        client: &'a mut dyn Client,
        progress: &'a dyn Progress,
    ) -> Keeping<'a, 's> {
        let earlier: Vec<Outcome> = earlier.outcomes.into_values().collect();
        let mut counting = counting::Verdicts::new(progress, keeper.system, properties.len());
        earlier.iter().for_each(|outcome| counting.heard(outcome));
        Keeping { keeper, properties, elsewhere: Vec::new(), earlier, client, counting }
    }

    /// Leaves some properties to others, unless earlier runs have decided them.
    pub(crate) fn leaving(mut self, is_elsewhere: impl Fn(PropertyId) -> bool) -> Keeping<'a, 's> {
        let is_open = |property: &PropertyId| self.earlier.iter().all(|other| other.property != *property);
        let open = self.properties.iter().copied().filter(is_open);
        self.elsewhere = open.filter(|property| is_elsewhere(*property)).collect();
        self
    }

    /// Has those properties proved that earlier runs have not decided; what came of all.
    pub(crate) fn prove(mut self, verifier: &Verifier<'_>) -> Vec<Outcome> {
        let is_open = |property: &PropertyId| self.earlier.iter().all(|other| other.property != *property);
        let open = self.properties.iter().copied().filter(is_open);
        let open: Vec<PropertyId> = open.filter(|property| !self.elsewhere.contains(property)).collect();
        let new = verifier.prove(&open, &mut self).outcomes;
        self.together(&new)
    }

    /// All outcomes, in the order of the properties.
    fn together(&self, new: &[Outcome]) -> Vec<Outcome> {
        let of = |property: &PropertyId| {
            let mut outcomes = self.earlier.iter().chain(new);
            let known = outcomes.find(|outcome| outcome.property == *property).cloned();
            let is_elsewhere = self.elsewhere.contains(property);
            let unknown = || Outcome::unknown(*property, UnknownReason::Incomplete(ELSEWHERE.to_owned()));
            known.or_else(|| is_elsewhere.then(unknown))
        };
        self.properties.iter().filter_map(of).collect()
    }
}

impl Client for Keeping<'_, '_> {
    fn attempt(
        &mut self,
        property: PropertyId,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<(Verdict, &'static str)> {
        self.client.attempt(property, limits, stats)
    }

    fn check(
        &mut self,
        property: PropertyId,
        proof: &Proof,
        ticks: u64,
    ) -> Option<Result<(), UnknownReason>> {
        self.client.check(property, proof, ticks)
    }

    fn heard(&mut self, outcome: &Outcome) {
        if outcome.engine != Some(EARLIER) {
            self.keeper.keep_outcome(outcome);
        }
        self.counting.heard(outcome);
        self.client.heard(outcome);
    }

    fn work(&mut self, outcomes: &[Outcome], limits: &Limits) {
        self.client.work(&self.together(outcomes), limits);
    }
}
