//! What was found out about properties, as a part of the JSON document.

use crate::document::{self, Document, finely_rounded, kind_name, rounded};
use crate::reads;
use crate::report::{Verdicts, reason};
use propcov_engine::gate::Assumptions;
use propcov_ir::Runs;
use propcov_verify::{Outcome, Smoothness, Symbolic};

impl Verdicts<'_> {
    /// The document.
    pub(crate) fn document(&self, command: &'static str, seed: u64) -> Document {
        let system = self.system();
        let mut document = Document::new(command, seed);
        document.design = Some(document::Design {
            path: self.path.to_owned(),
            format: self.design.format(),
            inputs: system.user_inputs().count(),
            states: system.states().len(),
            elements: system.elements().len(),
        });
        document.gate = Some(self.gate_document());
        document.properties =
            Some(self.outcomes.iter().map(|outcome| self.property_document(outcome)).collect());
        document.stats = Some(self.stats_document());
        document
    }

    fn gate_document(&self) -> document::Gate {
        let (assumptions, conflict) = match &self.inspection.gate.assumptions {
            Assumptions::Consistent => (document::Assumptions::Consistent, Vec::new()),
            Assumptions::Unknown(_) => (document::Assumptions::Unknown, Vec::new()),
            Assumptions::Conflicting { conflict, .. } => {
                let name =
                    |id: &propcov_ir::ConstraintId| self.system().constraints()[id.0 as usize].name.clone();
                (document::Assumptions::Conflicting, conflict.iter().map(name).collect())
            }
        };
        let vacuous = self.outcomes.iter().filter(|outcome| self.is_vacuous(outcome));
        let vacuous = vacuous.map(|outcome| self.name(outcome).to_owned()).collect();
        document::Gate {
            assumptions,
            steps: propcov_engine::gate::STEPS,
            conflict,
            vacuous,
            obligations: self.inspection.gate.obligations,
        }
    }

    fn property_document(&self, outcome: &Outcome) -> document::Property {
        let shown = outcome.answer.demonstration();
        let wires = match self.design.system.runs {
            Runs::Variables => reads::variables(self.system(), outcome.property).wires(),
            Runs::States => reads::wires(self.system(), &reads::of_property(self.system(), outcome.property)),
        };
        let run = outcome.answer.trace().map(|trace| &trace.steps).or(shown.map(|shown| &shown.steps));
        document::Property {
            name: self.name(outcome).to_owned(),
            kind: kind_name(&self.system().property(outcome.property).kind),
            verdict: outcome.answer.name(),
            reason: reason(outcome),
            engine: outcome.engine,
            depth: outcome.depth,
            certified: outcome.certified,
            seconds: rounded(outcome.seconds),
            trace: run.map(|steps| document::steps(self.system(), steps, &wires)),
            shows: shown.map(|shown| document::shows(self.system(), shown, &wires)),
            smooth: outcome.smoothness.as_ref().map(smooth_document),
        }
    }

    pub(crate) fn stats_document(&self) -> document::Stats {
        let mut stats = document::Stats::default();
        let all = self.total_stats();
        stats.solver_calls = all.solver_calls;
        let shared = self.symbolic.as_ref().map_or(0.0, |symbolic| symbolic.seconds);
        let proof =
            self.outcomes.iter().fold(shared, |sum, outcome| sum + outcome.seconds - outcome.shared_seconds);
        let certify: f64 = self.outcomes.iter().map(|outcome| outcome.certify_seconds).sum();
        stats.proof_seconds = rounded(proof);
        stats.certify_seconds = Some(finely_rounded(certify));
        stats.engine_seconds = Some(finely_rounded((proof - certify).max(0.0)));
        if let Some(symbolic) = &self.symbolic {
            add_symbolic(&mut stats, symbolic);
        }
        for outcome in self.outcomes.iter().filter(|outcome| outcome.answer.is_decided()) {
            if let Some(engine) = outcome.engine {
                *stats.decided_by.entry(engine.to_owned()).or_default() += 1;
            }
        }
        stats
    }
}

fn smooth_document(smoothness: &Smoothness) -> document::Smooth {
    match smoothness {
        Smoothness::Known { before, after, is_fewest } => {
            document::Smooth { before: Some(*before), after: Some(*after), fewest: *is_fewest, reason: None }
        }
        Smoothness::Failed(why) => {
            document::Smooth { before: None, after: None, fewest: false, reason: Some(why.clone()) }
        }
    }
}

fn add_symbolic(stats: &mut document::Stats, symbolic: &Symbolic) {
    stats.states = symbolic.counts.as_ref().map(|counts| document::States {
        reachable: counts.reachable.to_string(),
        fair: counts.fair.to_string(),
        diameter: counts.diameter,
    });
    let took = &symbolic.stats;
    stats.diagrams = Some(document::Diagrams {
        variables: took.variables,
        nodes: took.nodes,
        peak_nodes: took.peak_nodes,
        reorderings: took.reorderings,
        reordering_seconds: rounded(took.reordering_seconds),
        parts: took.parts,
        reachability_seconds: finely_rounded(symbolic.seconds),
        verdict_seconds: finely_rounded(symbolic.verdict_seconds),
        relation_seconds: finely_rounded(symbolic.relation_seconds),
        fair_seconds: finely_rounded(symbolic.fair_seconds),
    });
}
