//! What a [`Survey`] found out as records of a result: names instead of numbers, and evidence that can be read without the graphs.
//!
//! Labels are findings of the metric `simulation`, one each, and counted by proposition. A label in a state that nothing leads to is dead: nothing can cover it, and it is no hole. What
//! decision diagrams count without listing it comes into a result by [`add_share`] and [`add_hole`].

mod distinction;
mod explanation;
mod figures;
mod names;

use super::{Answer, FlipStatus, Survey, Transitions, UnmatchedTransition};
pub use names::word;
use names::{Names, states};
use propcov_ir::{Graph, LabelFlip};
use propcov_result::{
    Count, Criteria, Finding, FindingVerdict, Label, Merged, Model, Note, NoteKind, Refinement, RunResult,
    Scope, Share, SpecificationStep, Subject, Tally, Threshold,
};
use std::sync::Arc;

/// The name of the metric.
pub const METRIC: &str = "simulation";

/// What is done to a label.
const EDIT: &str = "flipped";

impl Survey {
    /// Adds all that is known of single states, and what it took. The relation by which an implementation is simulated is listed only if that is wanted: it has as many pairs as there are states.
    pub fn add_to(&self, result: &mut RunResult, with_relation: bool) {
        let names = Names::new(&self.pair);
        self.add_findings(result, &names);
        self.add_work(&mut result.stats);
        result.run.internal_errors.extend(self.internal_errors.iter().cloned());
        let refinement = result.refinement.get_or_insert_default();
        let (implementation, specification) = (self.pair.implementation(), self.pair.specification());
        count(&mut refinement.implementation, implementation);
        count(&mut refinement.specification, specification);
        match &self.answer {
            Ok(Answer::Simulated(simulation)) => {
                refinement.pairs = Some(simulation.pairs.len());
                if with_relation {
                    refinement.relation = names.relation(&simulation.pairs);
                }
            }
            Ok(Answer::Distinguished(distinction)) => {
                refinement.distinction =
                    Some(distinction::record(distinction, implementation, specification));
            }
            Err(reason) => undecided(refinement, reason),
        }
        if self.findings.iter().any(|(_, status)| *status == FlipStatus::Unknown) {
            undecided(refinement, &self.reason);
        }
        self.add_criteria(refinement, &names);
        for (flip, explanation) in &self.explanations {
            match explanation {
                Ok(explanation) => {
                    refinement.explanations.push(self.explained(*flip, explanation, &names));
                }
                Err(reason) => {
                    let label = names.label(*flip);
                    let text = format!("--explain {} {}: {reason}", label.state, label.proposition);
                    undecided(refinement, &text);
                    result.notes.push(Note { kind: NoteKind::Note, text, place: None });
                }
            }
        }
    }

    /// The labels of each observed proposition, counted.
    pub fn tallies(&self) -> Vec<(u32, Tally)> {
        let one = Count::from(1_usize);
        let mut tallies: Vec<(u32, Tally)> =
            self.questions.observed.iter().map(|proposition| (*proposition, Tally::default())).collect();
        for (flip, status) in &self.findings {
            let tally = tallies.iter_mut().find(|(proposition, _)| *proposition == flip.proposition);
            if let Some((_, tally)) = tally {
                tally.add(verdict(*status), &one);
            }
        }
        tallies
    }

    fn add_findings(&self, result: &mut RunResult, names: &Names) {
        let implementation = self.pair.implementation();
        let (metric, edit): (Arc<str>, Arc<str>) = (METRIC.into(), EDIT.into());
        let by: Arc<str> = self.questions.options.algorithm.name().into();
        let reason: Arc<str> = self.reason.as_str().into();
        let finding = |(flip, status): &(LabelFlip, FlipStatus)| {
            let is_open = *status == FlipStatus::Unknown;
            let mut label = names.label(*flip);
            if *status == FlipStatus::Uncovered {
                label.labels = Some(names.labels(implementation, flip.state));
            }
            Finding {
                metric: metric.clone(),
                subject: Subject::Label(label),
                edit: edit.clone(),
                property: None,
                verdict: verdict(*status),
                reason: is_open.then(|| reason.clone()),
                bound: None,
                by: (!is_open).then(|| by.clone()),
                certified: !is_open,
                evidence: None,
                witness: None,
                count: None,
                waiver: None,
            }
        };
        result.findings.extend(self.findings.iter().map(finding));
    }

    fn add_criteria(&self, refinement: &mut Refinement, names: &Names) {
        let (Some(form), Some(found)) = (self.questions.criteria, &self.criteria) else { return };
        let form = form.name().to_owned();
        let (criteria, transitions) = match found {
            Ok(found) => found,
            Err(reason) => {
                undecided(refinement, reason);
                refinement.criteria =
                    Some(Criteria { form, reason: Some(reason.clone()), ..Criteria::default() });
                return;
            }
        };
        let (implementation, specification) = (self.pair.implementation(), self.pair.specification());
        let removable = |(from, to): &(u32, u32)| SpecificationStep {
            from: specification.name(*from).to_owned(),
            to: specification.name(*to).to_owned(),
            implementation: None,
            count: None,
        };
        let unmatched = |unmatched: &UnmatchedTransition| {
            let (from, to) = unmatched.example;
            SpecificationStep {
                implementation: Some((
                    implementation.name(from).to_owned(),
                    implementation.name(to).to_owned(),
                )),
                count: Some(unmatched.count.into()),
                ..removable(&unmatched.transition)
            }
        };
        let merged = |(state, simulated): &(u32, Vec<u32>)| Merged {
            state: specification.name(*state).to_owned(),
            implementation: simulated.iter().map(|state| names.implementation(*state)).collect(),
        };
        refinement.criteria = Some(Criteria {
            form,
            reason: None,
            unimplemented_start_states: Some(states(specification, &criteria.unimplemented_start_states)),
            unimplemented_states: Some(states(specification, &criteria.unimplemented_states)),
            unimplemented_transitions: Some(match transitions {
                Transitions::Removable => criteria.unimplemented_transitions.iter().map(removable).collect(),
                Transitions::Unmatched(found) => found.iter().map(unmatched).collect(),
            }),
            many_to_one: Some(criteria.many_to_one.iter().map(merged).collect()),
        });
    }
}

/// Says how large a graph is.
fn count(model: &mut Model, graph: &Graph) {
    model.states = Some(graph.state_count().into());
    model.transitions = Some(graph.transition_count().into());
    model.initial = Some(graph.initial().len().into());
}

/// That something was asked for and is not known. The first reason is kept.
pub fn undecided(refinement: &mut Refinement, reason: &str) {
    refinement.reason.get_or_insert_with(|| reason.to_owned());
}

/// Adds how many labels of a proposition are covered.
pub fn add_share(result: &mut RunResult, proposition: &str, tally: Tally, certified: bool) {
    result.shares.push(Share::new(METRIC, Scope::Proposition(proposition.to_owned()), tally, certified));
}

/// Adds states, given by a condition or a name, in which the label of a proposition is uncovered.
pub fn add_hole(result: &mut RunResult, proposition: &str, states: &str, count: Count, by: &str) {
    result.findings.push(Finding {
        metric: METRIC.into(),
        subject: Subject::Label(Label {
            state: states.into(),
            proposition: proposition.into(),
            labels: None,
        }),
        edit: EDIT.into(),
        property: None,
        verdict: FindingVerdict::Uncovered,
        reason: None,
        bound: None,
        by: Some(by.into()),
        certified: false,
        evidence: None,
        witness: None,
        count: Some(count),
        waiver: None,
    });
}

/// Adds the headline, which is about all propositions together, and whether it is below a threshold.
pub fn add_headline(result: &mut RunResult, threshold: Option<f64>) {
    let own = |share: &&Share| share.metric == METRIC && matches!(share.scope, Scope::Proposition(_));
    let mut tally = Tally::default();
    for share in result.shares.iter().filter(own) {
        let part = &share.tally;
        for (verdict, count) in [
            (FindingVerdict::Covered, &part.covered),
            (FindingVerdict::Uncovered, &part.uncovered),
            (FindingVerdict::Dead, &part.dead),
            (FindingVerdict::Unknown, &part.unknown),
        ] {
            tally.add(verdict, count);
        }
        tally.waived += &part.waived;
    }
    let certified = result.shares.iter().filter(own).all(|share| share.certified);
    result.shares.insert(0, Share::new(METRIC, Scope::All, tally, certified));
    let thresholds: Vec<Threshold> = threshold.into_iter().map(Threshold::of_each).collect();
    result.judge(&thresholds);
}

fn verdict(status: FlipStatus) -> FindingVerdict {
    match status {
        FlipStatus::Covered => FindingVerdict::Covered,
        FlipStatus::Uncovered => FindingVerdict::Uncovered,
        FlipStatus::Unreachable => FindingVerdict::Dead,
        FlipStatus::Unknown => FindingVerdict::Unknown,
    }
}
