//! Results as a JSON document.

use crate::document::{
    Document, ExplainedLabel, LabelCount, LabelHole, Merged, PairOfStates, Refinement, RefinementFigures,
    RefinementModel, SpecificationStep, StateLabel, Stats, Tree, TreeNode, TreeStep, UnsimulatedState, steps,
};
use crate::refine::explicit::Explicit;
use crate::refine::passage::passage;
use crate::refine::reading::{Body, Model};
use crate::refine::results::{Results, Row, Size, Verdict};
use crate::refine::text::named_figures;
use crate::refine::tree::{self, word};
use dashu_int::UBig;
use propcov_coverage::refine::{Answer, Explanation, FlipStatus, UnmatchedTransition};
use propcov_ir::{Distinction, Graph, Label, LabelFlip, StatePair};
use propcov_symbolic::simulation::Unsimulated;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Results {
    /// The document.
    pub(crate) fn document(&self) -> Document {
        let mut document = Document::new("refine", self.seed);
        let (simulates, certified, reason) = match &self.verdict {
            Verdict::Yes { certified } => (Some(true), *certified, None),
            Verdict::No { certified } => (Some(false), *certified, None),
            Verdict::Unknown(reason) => (None, false, Some(reason.clone())),
        };
        let reason = reason.or_else(|| self.rows.iter().find_map(|row| row.reason.clone()));
        let reason = reason.or_else(|| self.unfinished.first().cloned());
        let mut counts: Vec<LabelCount> =
            self.rows.iter().map(|row| count(Some(row.proposition.clone()), row)).collect();
        if counts.len() > 1 {
            counts.push(count(None, &self.together()));
        }
        let holes = self.rows.iter().flat_map(|row| {
            row.holes.iter().map(|hole| LabelHole {
                proposition: row.proposition.clone(),
                states: hole.states.clone(),
                count: hole.count.to_string(),
            })
        });
        let mut refinement = Refinement {
            implementation: model(&self.models.implementation, &self.implementation),
            specification: model(&self.models.specification, &self.specification),
            propositions: self.models.propositions.clone(),
            ignored: self.models.extra.iter().chain(&self.models.left_out).cloned().collect(),
            algorithm: self.algorithm,
            simulates,
            certified: certified && self.rows.iter().all(|row| row.certified),
            reason,
            observed: self.rows.iter().map(|row| row.proposition.clone()).collect(),
            counts,
            covered: None,
            uncovered: None,
            unknown: None,
            unreachable: None,
            holes: holes.collect(),
            unimplemented_start_states: None,
            unimplemented_states: None,
            unimplemented_transitions: None,
            many_to_one: None,
            relation: None,
            distinction: None,
            unsimulated: self.unsimulated.as_ref().map(|unsimulated| self.unsimulated_state(unsimulated)),
            explanations: Vec::new(),
        };
        if let Some(explicit) = &self.explicit {
            explicit.fill(&mut refinement);
        }
        document.refinement = Some(refinement);
        document.stats = Some(self.stats());
        document
    }

    fn unsimulated_state(&self, unsimulated: &Unsimulated) -> UnsimulatedState {
        let trace = match (&unsimulated.run, &self.models.implementation.body) {
            (Some(run), Body::System { system, .. }) => Some(steps(system, &run.steps, &[])),
            _ => None,
        };
        UnsimulatedState { state: unsimulated.state.clone(), trace }
    }

    fn stats(&self) -> Stats {
        let work = &self.work;
        let of = |stats| by_name(&named_figures(stats));
        Stats {
            proof_seconds: self.times.simulation,
            coverage_seconds: Some(self.times.coverage),
            refinement: Some(RefinementFigures {
                reading_seconds: self.times.reading,
                criteria_seconds: self.times.criteria,
                figures: by_name(&self.all_figures()),
                simulation_figures: self.explicit.as_ref().map(|_| of(&work.simulation)),
                coverage_figures: self.explicit.as_ref().map(|_| of(&work.coverage)),
                criteria_figures: self.explicit.as_ref().map(|_| of(&work.criteria)),
            }),
            ..Stats::default()
        }
    }
}

/// Figures, with names that are easy to type.
fn by_name(figures: &[(&'static str, u64)]) -> BTreeMap<String, u64> {
    figures.iter().map(|(name, value)| (name.replace(' ', "_"), *value)).collect()
}

fn count(proposition: Option<String>, row: &Row) -> LabelCount {
    LabelCount {
        proposition,
        covered: row.covered.to_string(),
        uncovered: row.uncovered.to_string(),
        unknown: row.unknown.to_string(),
        total: row.total().to_string(),
        unreachable: row.unreachable.to_string(),
        percent: row.share().percent(),
        certified: row.certified,
    }
}

fn model(model: &Model, size: &Size) -> RefinementModel {
    let text = |count: &Option<UBig>| count.as_ref().map(UBig::to_string);
    RefinementModel {
        path: model.path.clone(),
        format: model.format,
        states: text(&size.states),
        transitions: text(&size.transitions),
        initial: text(&size.initial),
    }
}

/// Names of states and propositions. Each may be in the document many times, but is in memory once.
struct Names {
    implementation: Vec<Arc<str>>,
    specification: Vec<Arc<str>>,
    propositions: Vec<Arc<str>>,
}

impl Names {
    fn new(explicit: &Explicit) -> Names {
        let of = |graph: &Graph| graph.states().map(|state| Arc::from(graph.name(state))).collect();
        let (implementation, specification) = (explicit.pair.implementation(), explicit.pair.specification());
        let propositions = implementation.propositions().iter().map(|name| Arc::from(name.as_str()));
        Names {
            implementation: of(implementation),
            specification: of(specification),
            propositions: propositions.collect(),
        }
    }

    fn label(&self, flip: LabelFlip) -> StateLabel {
        StateLabel {
            state: Arc::clone(&self.implementation[flip.state as usize]),
            proposition: Arc::clone(&self.propositions[flip.proposition as usize]),
        }
    }

    fn relation(&self, pairs: &[StatePair]) -> Vec<PairOfStates> {
        let pair = |(state, partner): &StatePair| PairOfStates {
            implementation: Arc::clone(&self.implementation[*state as usize]),
            specification: Arc::clone(&self.specification[*partner as usize]),
        };
        pairs.iter().map(pair).collect()
    }
}

impl Explicit {
    /// What is known of single states.
    fn fill(&self, refinement: &mut Refinement) {
        let (implementation, specification) = (self.pair.implementation(), self.pair.specification());
        let all = Names::new(self);
        match &self.answer {
            Some(Answer::Simulated(simulation)) => {
                refinement.relation = Some(all.relation(&simulation.pairs));
            }
            Some(Answer::Distinguished(distinction)) => {
                refinement.distinction = Some(distinguishing(distinction, implementation, specification));
                return;
            }
            None => return,
        }
        let labels = |wanted: FlipStatus| {
            let chosen = self.findings.iter().filter(|(_, status)| *status == wanted);
            Some(chosen.map(|(flip, _)| all.label(*flip)).collect())
        };
        refinement.covered = labels(FlipStatus::Covered);
        refinement.uncovered = labels(FlipStatus::Uncovered);
        refinement.unknown = labels(FlipStatus::Unknown);
        refinement.unreachable = labels(FlipStatus::Unreachable);
        if let Some(criteria) = &self.criteria {
            let step = |(from, to): &(u32, u32)| SpecificationStep {
                from: specification.name(*from).to_owned(),
                to: specification.name(*to).to_owned(),
                implementation_from: None,
                implementation_to: None,
                count: None,
            };
            let merged = |(state, simulated): &(u32, Vec<u32>)| Merged {
                state: specification.name(*state).to_owned(),
                implementation: simulated
                    .iter()
                    .map(|state| Arc::clone(&all.implementation[*state as usize]))
                    .collect(),
            };
            refinement.unimplemented_start_states =
                Some(names(specification, &criteria.unimplemented_start_states));
            refinement.unimplemented_states = Some(names(specification, &criteria.unimplemented_states));
            refinement.unimplemented_transitions =
                Some(criteria.unimplemented_transitions.iter().map(step).collect());
            refinement.many_to_one = Some(criteria.many_to_one.iter().map(merged).collect());
        }
        if let Some(unmatched) = &self.unmatched {
            let step = |unmatched: &UnmatchedTransition| SpecificationStep {
                from: specification.name(unmatched.transition.0).to_owned(),
                to: specification.name(unmatched.transition.1).to_owned(),
                implementation_from: Some(implementation.name(unmatched.example.0).to_owned()),
                implementation_to: Some(implementation.name(unmatched.example.1).to_owned()),
                count: Some(unmatched.count),
            };
            refinement.unimplemented_transitions = Some(unmatched.iter().map(step).collect());
        }
        let explanations = self.explanations.iter();
        refinement.explanations = explanations.map(|(flip, why)| self.explained(*flip, why, &all)).collect();
    }

    fn explained(&self, flip: LabelFlip, why: &Explanation, all: &Names) -> ExplainedLabel {
        let (implementation, specification) = (self.pair.implementation(), self.pair.specification());
        let mut run = None;
        let (verdict, distinction, partners, shown) = match why {
            Explanation::Covered(distinction) => {
                let mutant = implementation.flipped(flip);
                ("covered", Some(distinguishing(distinction, &mutant, specification)), None, None)
            }
            Explanation::Uncovered { simulation, partners } => {
                let pairs = passage(implementation, specification, simulation, flip);
                run = Some(all.relation(&pairs));
                let shown = all.relation(&simulation.pairs);
                ("uncovered", None, Some(names(specification, partners)), Some(shown))
            }
            Explanation::Unreachable => ("unreachable", None, None, None),
        };
        let StateLabel { state, proposition } = all.label(flip);
        ExplainedLabel { state, proposition, verdict, distinction, partners, run, relation: shown }
    }
}

fn names(graph: &Graph, states: &[u32]) -> Vec<String> {
    states.iter().map(|state| graph.name(*state).to_owned()).collect()
}

fn distinguishing(distinction: &Distinction, implementation: &Graph, specification: &Graph) -> Tree {
    let possible = tree::Tree { implementation, specification, distinction, flipped: None }.possible();
    let step = |(state, set): (&u32, &Vec<u32>)| TreeStep {
        state: implementation.name(*state).to_owned(),
        labels: labels(implementation, *state),
        specification: names(specification, set),
    };
    let node = |refutation: &propcov_ir::Refutation| TreeNode {
        implementation: implementation.name(refutation.pair.0).to_owned(),
        specification: specification.name(refutation.pair.1).to_owned(),
        step: implementation.name(refutation.step).to_owned(),
    };
    Tree {
        run: distinction.run.iter().zip(&possible).map(step).collect(),
        refutations: distinction.refutations.iter().map(node).collect(),
    }
}

/// What holds in a state, and what is open.
fn labels(graph: &Graph, state: u32) -> Vec<String> {
    let named = graph.propositions().iter().zip(graph.labels(state));
    named.filter(|(_, label)| **label != Label::False).map(|(name, label)| word(name, *label)).collect()
}
