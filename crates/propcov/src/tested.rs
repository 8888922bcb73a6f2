//! Whether implications over time are ever put to the test.
//!
//! `req |-> ##[1:3] ack` holds on a design where `req` never comes, and then says nothing. So of each that holds, the opposite of what puts it to the test is decided as well: that
//! the end of its antecedent is never reached. If this holds, the property is vacuous; if not, the run that shows it is kept.
//!
//! This is a part of the sanity check of every command. Whoever measures coverage asks before measuring, because what a vacuous property covers means nothing.

use crate::Control;
use crate::cover::scene::part_of;
use propcov_engine::{Limits, Stats};
use propcov_ir::{Proof, PropertyId, PropertyKind, System, UnknownReason};
use propcov_result::{Property, RunResult, Verdict};
use propcov_verify::{Client, Options, Outcome, Verifier, record};

/// Of the time that is left, those who measure give one of so many parts to this.
const PARTS: usize = 8;

/// What is known of implications that hold.
pub(crate) struct Tests<'t> {
    system: &'t System,
    options: Options,
    control: &'t Control<'t>,
    /// Of each that was asked about, what came of it.
    known: Vec<(PropertyId, Property)>,
}

impl<'t> Tests<'t> {
    pub(crate) fn new(system: &'t System, options: Options, control: &'t Control<'t>) -> Tests<'t> {
        let options = Options { with_core: false, smooth: false, with_counts: false, ..options };
        Tests { system, options, control, known: Vec::new() }
    }

    /// Decides about those that hold, and were not asked about before.
    pub(crate) fn decide(&mut self, outcomes: &[Outcome], limits: Limits, is_brief: bool) {
        let mut asked = self.system.clone();
        let mut questions: Vec<(PropertyId, PropertyId)> = Vec::new();
        for outcome in outcomes.iter().filter(|outcome| outcome.answer.is_proved()) {
            let known = self.system.property(outcome.property);
            let is_new = self.known.iter().all(|(property, _)| *property != outcome.property);
            if let Some(tested) = known.tested.filter(|_| is_new) {
                let never = asked.exprs.not(tested);
                let name = format!("{} is never put to the test", known.name);
                let question = asked.add_property(name, PropertyKind::Invariant(never), known.span);
                questions.push((outcome.property, question));
            }
        }
        if questions.is_empty() {
            return;
        }
        let (options, control) = (self.options.clone(), self.control);
        let mut verifier =
            Verifier::new(&asked, options, limits, control.progress).with_panics(control.panics.clone());
        if is_brief {
            verifier = verifier.briefly();
        }
        let ids: Vec<PropertyId> = questions.iter().map(|(_, question)| *question).collect();
        let answers = verifier.decide(&ids, &mut |_| {});
        for (property, question) in questions {
            if let Some(answer) = answers.outcomes.iter().find(|outcome| outcome.property == question) {
                self.known.push((property, record::property(&asked, answer)));
            }
        }
    }

    /// Adds to the result which properties are never put to the test, and runs that do for the others.
    pub(crate) fn add_to(&self, result: &mut RunResult) {
        for (property, found) in &self.known {
            let name = &self.system.property(*property).name;
            let Some(known) = result.properties.iter_mut().find(|known| known.name == *name) else {
                continue;
            };
            match found.verdict {
                Verdict::Proved => {
                    known.vacuous = true;
                    if let Some(gate) = &mut result.gate {
                        gate.vacuous.extend((!gate.vacuous.contains(name)).then(|| name.clone()));
                        gate.untested.push(name.clone());
                    }
                }
                Verdict::Falsified => known.tested.clone_from(&found.trace),
                _ => {}
            }
        }
    }
}

/// A client that has its proofs looked at first.
pub(crate) struct Testing<'c, 't> {
    pub(crate) tests: &'c mut Tests<'t>,
    pub(crate) client: &'c mut dyn Client,
}

impl Client for Testing<'_, '_> {
    fn attempt(
        &mut self,
        property: PropertyId,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<(propcov_ir::Verdict, &'static str)> {
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
        self.client.heard(outcome);
    }

    fn work(&mut self, outcomes: &[Outcome], limits: &Limits) {
        // The bound is for those who prove.
        self.tests.decide(outcomes, part_of(limits, PARTS).with_depth(None), true);
        self.client.work(outcomes, limits);
    }
}
