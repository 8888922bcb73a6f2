//! Proofs, and what is done with them, in turn: what is cheap is done for all properties before what is dear is begun for one.
//!
//! First there is a brief attempt at each property. If some take longer, half of the time that is left is for work on those that
//! were proved; then all of the rest is for the others, and for work on these. So a property that cannot be proved costs the
//! others neither their proofs nor what these are for.

use crate::client::Client;
use crate::limits::{part_of_time, until};
use crate::outcome::Outcome;
use crate::plan::{Plan, Verdicts};
use crate::schedule::Patience;
use crate::verifier::Verifier;
use propcov_engine::{Limits, Stats};
use propcov_ir::{Proof, PropertyId, UnknownReason, Verdict};

impl Verifier<'_> {
    /// Proves invariants, for a client that has work to do with them.
    pub fn prove(&self, properties: &[PropertyId], client: &mut dyn Client) -> Verdicts {
        // A single property has nobody to wait for.
        let patience = if properties.len() > 1 { Patience::Brief } else { Patience::Full };
        let brief = Verifier { patience, ..self.clone() };
        let mut first = Patient(client);
        let mut plan = Plan::new(&brief, properties, &mut first);
        plan.recall(self);
        plan.engines(None);
        let mut verdicts = plan.finish(None);
        if !verdicts.outcomes.iter().any(Outcome::is_timeout) {
            client.work(&verdicts.outcomes, &self.limits);
            return verdicts;
        }
        // What holds up to a bound has nobody to wait for, either.
        let holds = |outcome: &Outcome| outcome.answer.is_proved() || outcome.answer.bound().is_some();
        if verdicts.outcomes.iter().any(holds) {
            client.work(&verdicts.outcomes, &until(&self.limits, part_of_time(&self.limits, 1, 2)));
        }
        self.go_on(&mut verdicts, client);
        client.work(&verdicts.outcomes, &self.limits);
        verdicts
    }

    /// Tries again what ran out of time.
    fn go_on(&self, verdicts: &mut Verdicts, client: &mut dyn Client) {
        let proof = |outcome: &Outcome| Some((outcome.property, outcome.answer.proof()?.clone()));
        let given: Vec<(PropertyId, Proof)> = verdicts.outcomes.iter().filter_map(proof).collect();
        let is_open = |outcome: &&mut Outcome| outcome.is_timeout();
        let mut open: Vec<&mut Outcome> = verdicts.outcomes.iter_mut().filter(is_open).collect();
        let properties: Vec<PropertyId> = open.iter().map(|outcome| outcome.property).collect();
        let mut plan = Plan::new(self, &properties, client);
        given.into_iter().for_each(|(property, proof)| plan.give(property, proof));
        for outcome in &mut open {
            let unknown = Outcome::unknown(outcome.property, UnknownReason::Timeout);
            plan.resume(std::mem::replace(outcome, unknown));
        }
        plan.engines(None);
        let again = plan.finish(None);
        for (outcome, new) in open.into_iter().zip(again.outcomes) {
            *outcome = new;
        }
        verdicts.holding = again.holding.or(verdicts.holding.take());
    }
}

/// Does not hear of what will be tried again.
struct Patient<'c>(&'c mut dyn Client);

impl Client for Patient<'_> {
    fn attempt(
        &mut self,
        property: PropertyId,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<(Verdict, &'static str)> {
        self.0.attempt(property, limits, stats)
    }

    fn check(
        &mut self,
        property: PropertyId,
        proof: &Proof,
        ticks: u64,
    ) -> Option<Result<(), UnknownReason>> {
        self.0.check(property, proof, ticks)
    }

    fn heard(&mut self, outcome: &Outcome) {
        if !outcome.is_timeout() {
            self.0.heard(outcome);
        }
    }
}
