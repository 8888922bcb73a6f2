//! Coverage as a part of the JSON document.

use crate::cover::Coverage;
use crate::cover::tally::Count;
use crate::cover::witness::Hole;
use crate::document::{self, Document, finely_rounded};
use propcov_coverage::difference::Answer;
use propcov_ir::{ElementId, Finding, Mutation, PropertyId, Region, Status, System};
use std::collections::{BTreeMap, BTreeSet};

/// The metric that these findings are of.
const METRIC: &str = "mutation";

impl Coverage<'_> {
    /// The document.
    pub(crate) fn document(&self, command: &'static str, seed: u64, with_traces: bool) -> Document {
        let mut document = self.measured.verdicts.document(command, seed);
        let tally = &self.measured.tally;
        let elements: BTreeSet<ElementId> = tally.mutants.iter().map(|mutant| mutant.element).collect();
        document.elements = Some(elements.into_iter().map(|id| element(tally.system, id)).collect());
        let finding = |finding: &Finding| self.finding(finding, with_traces);
        document.findings = Some(tally.findings.iter().map(finding).collect());
        document.summary = Some(self.summaries());
        document.ranking = Some(self.ranking_document());
        let hole = |hole: &Hole| self.hole(hole, with_traces);
        document.holes = self.holes.as_ref().map(|holes| holes.iter().map(hole).collect());
        document.stats = Some(self.stats());
        document
    }

    fn property_name(&self, property: PropertyId) -> String {
        self.measured.tally.system.property(property).name.clone()
    }

    fn finding(&self, finding: &Finding, with_traces: bool) -> document::Finding {
        let system = self.measured.tally.system;
        let trace = match &finding.status {
            Status::Covered(kill) if with_traces => kill.trace(system, finding.mutant).ok(),
            _ => None,
        };
        document::Finding {
            metric: METRIC,
            element: finding.mutant.element.0,
            property: self.property_name(finding.property),
            edit: finding.mutant.mutation.name(),
            verdict: finding.status.name(),
            reason: match &finding.status {
                Status::Unknown(reason) => Some(reason.to_string()),
                _ => None,
            },
            by: (!finding.by.is_empty()).then(|| finding.by.to_string()),
            trace: trace.map(|trace| document::steps(system, &trace.steps, &[])),
            evidence: self.keeper.reference(finding),
        }
    }

    fn summaries(&self) -> Vec<document::Summary> {
        let tally = &self.measured.tally;
        // Without a property nothing was measured, and no share is better than one from 0 to 100.
        let is_measured = !tally.properties.is_empty();
        let counted = |count: Count| document::Count {
            percent: count
                .percent()
                .filter(|_| is_measured)
                .map(|(low, high)| (four_digits(low), four_digits(high))),
            covered: count.covered,
            uncovered: count.uncovered,
            no_effect: count.no_effect,
            unknown: count.unknown,
            total: count.total(),
        };
        let summary = |property: Option<PropertyId>, count: &dyn Fn(Option<Mutation>) -> Count| {
            let edits = tally.mutations().into_iter();
            document::Summary {
                metric: METRIC,
                scope: None,
                property: property.map(|property| self.property_name(property)),
                count: counted(count(None)),
                edits: edits.map(|edit| (edit.name(), counted(count(Some(edit))))).collect(),
            }
        };
        let together = summary(None, &|edit| tally.together(edit));
        let alone = tally.properties.iter().enumerate();
        let alone = alone.map(|(at, property)| summary(Some(*property), &|edit| tally.alone(at, edit)));
        std::iter::once(together).chain(alone).collect()
    }

    fn ranking_document(&self) -> document::Ranking {
        let ranking = &self.ranking;
        let name = |property: &usize| self.property_name(self.measured.tally.properties[*property]);
        let contribution = |property: usize| document::Contribution {
            property: name(&property),
            kills: ranking.kills[property],
            only: ranking.only[property],
        };
        let pick = |pick: &propcov_coverage::ranking::Pick| document::Pick {
            property: name(&pick.property),
            gained: pick.gained,
            covered: pick.covered,
        };
        document::Ranking {
            properties: (0..ranking.kills.len()).map(contribution).collect(),
            redundant: ranking.redundant.iter().map(name).collect(),
            greedy: ranking.greedy.iter().map(pick).collect(),
            smallest: document::Smallest {
                properties: ranking.smallest.properties.iter().map(name).collect(),
                exact: ranking.smallest.is_smallest,
            },
        }
    }

    fn hole(&self, hole: &Hole, with_traces: bool) -> document::Hole {
        let system = self.measured.tally.system;
        let mut document = document::Hole {
            element: hole.mutant.element.0,
            edit: hole.mutant.mutation.name(),
            verdict: "unknown",
            reason: None,
            observation: hole.observation.clone(),
            observed: Vec::new(),
            depth: None,
            shortest: None,
            trace: None,
            vcd: hole.vcd.as_ref().map(|path| path.display().to_string()),
        };
        match &hole.answer {
            Answer::Unknown(reason) => document.reason = Some(reason.to_string()),
            Answer::NoEffect(_) => document.verdict = "no-effect",
            Answer::Differs { difference, shortest } => {
                document.verdict = "differs";
                document.observed.clone_from(&difference.observed);
                document.depth = Some(difference.original.depth());
                document.shortest = Some(*shortest);
                document.trace = with_traces.then(|| document::PairOfRuns {
                    design: document::steps(system, &difference.original.steps, &[]),
                    mutant: document::steps(system, &difference.mutated.steps, &[]),
                });
            }
        }
        document
    }

    /// What it took: all solver calls, but only the techniques that decided mutants.
    pub(crate) fn stats(&self) -> document::Stats {
        let mut calls = self.measured.verdicts.total_stats();
        calls.merge(&self.measured.stats);
        let mut decided_by: BTreeMap<String, u64> = BTreeMap::new();
        for finding in &self.measured.tally.findings {
            if !matches!(finding.status, Status::Unknown(_)) {
                *decided_by.entry(finding.by.to_string()).or_default() += 1;
            }
        }
        let decided_at = self.measured.decided_at.iter();
        document::Stats {
            proof_seconds: finely_rounded(self.measured.proof_seconds),
            coverage_seconds: Some(finely_rounded(self.measured.coverage_seconds)),
            decided_at: Some(decided_at.map(|(share, at)| (*share, finely_rounded(*at))).collect()),
            solver_calls: calls.solver_calls,
            decided_by,
            reused: Some(self.measured.reused),
            ..document::Stats::default()
        }
    }
}

pub(crate) fn four_digits(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}

/// An element and where it is written.
pub(crate) fn element(system: &System, id: ElementId) -> document::Element {
    let element = system.element(id);
    let file = element.span().and_then(|span| system.files.get(span.file.0 as usize));
    let text = element.span().and_then(|span| match span.region {
        Region::Text { line, column, end_line, end_column } => Some((line, column, end_line, end_column)),
        Region::Bytes { .. } => None,
    });
    document::Element {
        id: id.0,
        name: element.name.clone(),
        kind: element.kind.name(),
        file: file.map(|file| file.path.clone()),
        line: text.map(|text| text.0),
        column: text.map(|text| text.1),
        end_line: text.map(|text| text.2),
        end_column: text.map(|text| text.3),
    }
}
