//! Holes as records of a result: a finding for each, with its condition in words, and the run that leads there if one was asked for.

use super::Place;
use super::mentions::signals;
use super::record::{Recorder, one_line};
use super::rows::Row;
use super::runs::{HoleRun, first_signals};
use propcov_result::{Cube, Finding, FindingVerdict, Literal, Subject, Witness};
use propcov_symbolic::cubes::{CubeLiteral, StateCube, Values, When};
use propcov_verify::record;
use std::sync::Arc;

/// What is done to a signal.
const EDIT: &str = "flipped";
/// Who finds out.
const TECHNIQUE: &str = "bdd";

impl Recorder<'_> {
    /// What is not covered, largest first, with the runs that lead there.
    pub(super) fn findings(&self, row: &Row) -> Vec<Finding> {
        let Ok(holes) = &row.holes else { return Vec::new() };
        let observed: Option<Arc<str>> = row.observed.as_ref().map(|observed| observed.name.as_str().into());
        let reason: Option<Arc<str>> = row.reason().map(|reason| one_line(reason).into());
        let finding = |(at, hole): (usize, &StateCube)| Finding {
            metric: self.metric().into(),
            subject: Subject::Cube(Cube {
                observed: observed.clone(),
                text: text(hole, self.place()),
                literals: hole.literals.iter().map(literal).collect(),
            }),
            edit: EDIT.into(),
            property: None,
            // What is certainly covered is in no hole, but what is perhaps covered may be.
            verdict: if reason.is_none() { FindingVerdict::Uncovered } else { FindingVerdict::Unknown },
            reason: reason.clone(),
            bound: None,
            by: Some(TECHNIQUE.into()),
            // Counts are certified, not which states they are of.
            certified: false,
            evidence: None,
            witness: row
                .runs
                .iter()
                .find(|run| run.hole == at + 1)
                .map(|run| Box::new(self.witness(row, hole, run))),
            count: Some(hole.count.clone().into()),
            waiver: None,
        };
        holes.list.iter().take(self.listed).enumerate().map(finding).collect()
    }

    fn witness(&self, row: &Row, hole: &StateCube, run: &HoleRun) -> Witness {
        let observed = row.observed.as_ref().map(|observed| signals(self.system, &[observed.expr]));
        let first = first_signals(hole, &observed.unwrap_or_default());
        match &run.trace {
            Err(reason) => Witness { reason: Some(one_line(reason)), ..Witness::default() },
            Ok(trace) => Witness {
                design: Some(record::run_about(self.system, &trace.steps, &first)),
                depth: Some(trace.depth()),
                shortest: Some(true),
                file: run.waveform.clone(),
                ..Witness::default()
            },
        }
    }
}

fn literal(literal: &CubeLiteral) -> Literal {
    Literal { name: literal.label.clone(), values: values(&literal.values) }
}

/// Values as in a run; `low..high` for a range, and `1??0` for words of which some bits do not matter.
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

/// A hole in words; that of transitions says which part is about the source, and which about the target.
fn text(hole: &StateCube, place: Place) -> String {
    if hole.literals.is_empty() {
        return match place {
            Place::State => "any state".to_owned(),
            Place::Transition => "any transition".to_owned(),
        };
    }
    if place == Place::State {
        return hole.to_string();
    }
    let part = |when: When| {
        let literals = hole.literals.iter().filter(|literal| literal.when == when);
        let words: Vec<String> = literals.map(ToString::to_string).collect();
        if words.is_empty() { "any state".to_owned() } else { words.join(" & ") }
    };
    format!("{} -> {}", part(When::Now), part(When::Next))
}
