//! Coverage of states and transitions as a part of the JSON document.

use crate::cover::states::StateCoverage;
use crate::cover::states::evidence::Judgement;
use crate::cover::states::holes_text::hole_text;
use crate::cover::states::measure::{Part, Row, Standing};
use crate::cover::states::observed::signals;
use crate::cover::states::runs::{HoleRun, first_signals};
use crate::document::{self, Document, finely_rounded, rounded};
use crate::reads;
use propcov_coverage::ctl::{Flip, Implication, Place, Semantics};
use propcov_symbolic::cubes::{CubeLiteral, StateCube, Values};

impl StateCoverage<'_> {
    /// The document.
    pub(crate) fn document(&self, seed: u64) -> Document {
        let mut document = self.verdicts.document("cover", seed);
        let rows = self.rows.iter().enumerate();
        document.states = Some(rows.map(|(at, (row, runs))| self.row_document(at, row, runs)).collect());
        document.stats = Some(self.stats_document());
        document
    }

    fn row_document(&self, at: usize, row: &Row, runs: &[HoleRun]) -> document::StateRow {
        let counts = self.counts.as_ref().ok();
        let share = row.share.as_ref().ok();
        let holes = row.holes.as_ref().ok();
        let listed = |count: usize| holes.map_or(&[][..], |holes| &holes.list[..count.min(holes.list.len())]);
        let reason = row.share.as_ref().err().or_else(|| row.doubts.first());
        document::StateRow {
            metric: match self.manner.place {
                Place::State => "state",
                Place::Transition => "transition",
            },
            observed: row.observed.as_ref().map(|observed| observed.name.clone()),
            semantics: match self.manner.semantics {
                Semantics::Observability => "observability",
                Semantics::Mutation => "mutation",
            },
            flip: match self.manner.flip {
                Flip::Any => "any",
                Flip::All => "all",
            },
            implication: match self.manner.implication {
                Implication::Split => "split",
                Implication::Whole => "whole",
            },
            reachable: counts.map(|counts| counts.reachable.to_string()),
            excluded: counts.map(|counts| counts.excluded.to_string()),
            unfair: counts.map(|counts| counts.unfair.to_string()),
            total: counts.map(|counts| counts.total.to_string()),
            covered: share.map(|share| share.low.to_string()),
            percent: share.and_then(|share| share.percent()),
            reason: reason.map(ToString::to_string),
            certified: self.certified.rows.get(at) == Some(&Judgement::Confirmed),
            properties: row.parts.iter().map(|part| self.part_document(part)).collect(),
            smallest: row.smallest.as_ref().map(|(properties, exact)| document::Smallest {
                properties: properties.iter().map(|id| self.property_name(*id)).collect(),
                exact: *exact,
            }),
            uncovered: holes
                .map(|_| listed(self.listed).iter().map(|hole| self.hole_document(hole)).collect()),
            uncovered_rest: holes.map(|holes| {
                let unlisted = holes.list.iter().skip(self.listed);
                unlisted.fold(holes.rest.clone(), |sum, hole| sum + &hole.count).to_string()
            }),
            trace: runs.iter().map(|run| self.run_document(row, run)).collect(),
        }
    }

    fn property_name(&self, property: propcov_ir::PropertyId) -> String {
        self.verdicts.system().property(property).name.clone()
    }

    fn part_document(&self, part: &Part) -> document::StatePart {
        let contribution = match &part.standing {
            Standing::Covers(contribution) => Some(contribution),
            _ => None,
        };
        let nothing = matches!(part.standing, Standing::Unrelated).then(|| "0".to_owned());
        let reason = match &part.standing {
            Standing::Covers(_) => None,
            Standing::Unrelated => Some("does not mention it".to_owned()),
            Standing::NotAcceptable => Some("observability is not defined for it".to_owned()),
            Standing::Failed => Some("it fails".to_owned()),
            Standing::Unproved(reason) | Standing::Unknown(reason) => Some(reason.to_string()),
        };
        document::StatePart {
            property: self.property_name(part.property),
            covered: contribution.map(|part| part.covered.to_string()).or_else(|| nothing.clone()),
            only: contribution.map(|part| part.only.to_string()).or(nothing),
            redundant: contribution.map(|part| part.is_redundant),
            verdict: self.verdict_of(part.property),
            reason,
        }
    }

    fn verdict_of(&self, property: propcov_ir::PropertyId) -> &'static str {
        let outcome = self.verdicts.outcomes.iter().find(|outcome| outcome.property == property);
        outcome.map_or("unknown", |outcome| outcome.answer.name())
    }

    fn hole_document(&self, hole: &StateCube) -> document::StateHole {
        let literal = |literal: &CubeLiteral| document::HoleLiteral {
            name: literal.label.clone(),
            values: values(&literal.values),
        };
        document::StateHole {
            cube: hole_text(hole, self.manner.place),
            literals: hole.literals.iter().map(literal).collect(),
            count: hole.count.to_string(),
        }
    }

    fn run_document(&self, row: &Row, run: &HoleRun) -> document::HoleTrace {
        let system = self.verdicts.system();
        let read = row.observed.as_ref().map(|observed| signals(system, &[observed.expr]));
        let mut shown = read.unwrap_or_default();
        let hole = row.holes.as_ref().ok().and_then(|holes| holes.list.get(run.hole.checked_sub(1)?));
        if let Some(hole) = hole {
            shown = first_signals(hole, &shown);
        }
        let wires = reads::wires(system, &shown);
        document::HoleTrace {
            hole: run.hole,
            steps: run.trace.as_ref().ok().map(|trace| document::steps(system, &trace.steps, &wires)),
            reason: run.trace.as_ref().err().map(ToString::to_string),
            vcd: run.vcd.as_ref().map(|path| path.display().to_string()),
        }
    }

    /// What it took.
    pub(crate) fn stats_document(&self) -> document::Stats {
        let mut stats = self.verdicts.stats_document();
        stats.coverage_seconds = Some(finely_rounded(self.times.coverage));
        stats.holes_seconds = Some(finely_rounded(self.times.holes));
        stats.evidence_seconds = Some(finely_rounded(self.times.evidence));
        if let (Some(diagrams), Some(took)) = (&mut stats.diagrams, &self.stats) {
            diagrams.variables = took.variables;
            diagrams.nodes = took.nodes;
            diagrams.peak_nodes = took.peak_nodes;
            diagrams.reorderings = took.reorderings;
            diagrams.reordering_seconds = rounded(took.reordering_seconds);
        }
        stats
    }
}

/// Values as in steps of a trace; `low..high` for a range, and `1??0` for words of which some bits do not matter.
fn values(values: &Values) -> Vec<String> {
    match values {
        Values::Among(values) => values.iter().map(ToString::to_string).collect(),
        Values::Range(low, high) => vec![format!("{low}..{high}")],
        Values::Pattern(bits) => {
            let digit = |bit: &Option<bool>| bit.map_or('?', |bit| if bit { '1' } else { '0' });
            vec![bits.iter().rev().map(digit).collect()]
        }
    }
}
