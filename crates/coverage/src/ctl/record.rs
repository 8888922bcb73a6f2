//! Coverage of states and transitions as records of a result: a row and a share for each observed signal, a finding for each hole.

use super::confirm::Judgement;
use super::mentions::{readers, signals};
use super::question::Question;
use super::rows::{Part, Row, Standing};
use super::runs::{HoleRun, first_signals};
use super::study::Studied;
use super::{Flip, Implication, Place, Semantics};
use propcov_ir::{PropertyId, System, UnknownReason};
use propcov_result::{
    Contribution, Count, Cube, Finding, FindingVerdict, Literal, Ranking, RunResult, Scope, Share, Smallest,
    StatePart, StateRow, Subject, Tally, Verdict, Witness,
};
use propcov_symbolic::cubes::{CubeLiteral, StateCube, Values, When};
use propcov_verify::record;
use std::sync::Arc;

/// What is done to a signal.
const EDIT: &str = "flipped";
/// Who finds out.
const TECHNIQUE: &str = "bdd";

impl Studied {
    /// Adds verdicts, rows, shares, holes, rankings and what it took to a result, which may have those of other metrics. At most so many holes of each row
    /// are listed.
    pub fn add_to(&self, system: &System, question: &Question<'_>, listed: usize, result: &mut RunResult) {
        record::join_verdicts(result, system, &self.inspection, &self.verdicts);
        result.run.internal_errors.extend(self.internal_errors.iter().cloned());
        let recorder = Recorder { studied: self, system, question, listed };
        for (at, row) in self.rows.iter().enumerate() {
            recorder.add_row(at, row, result);
        }
        if let Some(unmentioned) = &question.subjects.unmentioned {
            result.unmentioned = Some(unmentioned.clone());
        }
        self.add_stats(result);
    }

    fn add_stats(&self, result: &mut RunResult) {
        let seconds = &mut result.stats.seconds;
        let times = [
            ("coverage", self.times.coverage),
            ("holes", self.times.holes),
            ("evidence", self.times.evidence),
        ];
        for (phase, more) in times {
            let sum = seconds.entry(phase.to_owned()).or_default();
            *sum = record::finely_rounded(*sum + more);
        }
        if let (Some(diagrams), Some(took)) = (&mut result.stats.diagrams, &self.stats) {
            diagrams.variables = took.variables;
            diagrams.nodes = took.nodes;
            diagrams.peak_nodes = took.peak_nodes;
            diagrams.reorderings = took.reorderings;
            seconds.insert("reordering".to_owned(), record::finely_rounded(took.reordering_seconds));
        }
    }
}

struct Recorder<'r> {
    studied: &'r Studied,
    system: &'r System,
    question: &'r Question<'r>,
    listed: usize,
}

impl Recorder<'_> {
    fn place(&self) -> Place {
        self.question.manner.place
    }

    fn metric(&self) -> &'static str {
        self.place().metric()
    }

    fn name(&self, property: PropertyId) -> String {
        self.system.property(property).name.clone()
    }

    fn add_row(&self, at: usize, row: &Row, result: &mut RunResult) {
        let is_only = self.studied.rows.len() == 1;
        let certified = self.judgement(at) == Some(&Judgement::Confirmed);
        if let Some(tally) = self.tally(row) {
            let scopes = [
                row.observed.as_ref().map(|observed| Scope::Observed(observed.name.clone())),
                (is_only || row.observed.is_none()).then_some(Scope::All),
            ];
            let share = |scope: Scope| Share::new(self.metric(), scope, tally.clone(), certified);
            result.shares.extend(scopes.into_iter().flatten().map(share));
        }
        result.states.push(self.row(at, row));
        result.findings.extend(self.findings(row));
        if row.is_measured() {
            result.rankings.push(self.ranking(row));
        }
    }

    fn judgement(&self, at: usize) -> Option<&Judgement> {
        self.studied.certified.rows.get(at)
    }

    /// How much is covered; all of it may be where that is not known. Nothing if nothing was measured.
    fn tally(&self, row: &Row) -> Option<Tally> {
        let is_proved = |outcome: &propcov_verify::Outcome| outcome.answer.is_proved();
        let counts = self.studied.counts.as_ref().ok()?;
        match &row.tally {
            Ok(tally) => Some(tally.clone()),
            Err(_) if !self.studied.verdicts.outcomes.iter().any(is_proved) => None,
            Err(_) => Some(Tally { unknown: counts.total.clone(), ..Tally::default() }),
        }
    }

    fn row(&self, at: usize, row: &Row) -> StateRow {
        let counts = self.studied.counts.as_ref().ok();
        let manner = self.question.manner;
        let is_silent = row.parts.iter().all(|part| matches!(part.standing, Standing::Unrelated));
        let readers = |expr| readers(self.system, self.question.properties, expr);
        StateRow {
            metric: self.metric().to_owned(),
            observed: row.observed.as_ref().map(|observed| observed.name.clone()),
            semantics: match manner.semantics {
                Semantics::Observability => "observability",
                Semantics::Mutation => "mutation",
            }
            .to_owned(),
            flip: match manner.flip {
                Flip::Any => "any",
                Flip::All => "all",
            }
            .to_owned(),
            implication: match manner.implication {
                Implication::Split => "split",
                Implication::Whole => "whole",
            }
            .to_owned(),
            reachable: counts.map(|counts| counts.reachable.clone()),
            excluded: counts.map(|counts| counts.excluded.clone()),
            unfair: counts.map(|counts| counts.unfair.clone()),
            reason: row.reason().map(one_line),
            not_certified: match self.judgement(at) {
                Some(Judgement::Open(why)) => Some((*why).to_owned()),
                Some(Judgement::Refuted(why)) => Some(why.clone()),
                Some(Judgement::Confirmed | Judgement::Nothing) | None => None,
            },
            properties: row.parts.iter().map(|part| self.part(part)).collect(),
            rest: row.holes.as_ref().ok().map(|holes| {
                let unlisted = holes.list.iter().skip(self.listed);
                Count::from(unlisted.fold(holes.rest.clone(), |sum, hole| sum + &hole.count))
            }),
            not_listed: row.holes.as_ref().err().map(one_line),
            readers: row
                .observed
                .as_ref()
                .filter(|_| is_silent)
                .map(|one| readers(one.expr))
                .unwrap_or_default(),
        }
    }

    fn part(&self, part: &Part) -> StatePart {
        let (covered, unique, redundant) = match &part.standing {
            Standing::Covers(contribution) => (
                Some(Count::from(contribution.covered.clone())),
                Some(Count::from(contribution.only.clone())),
                Some(contribution.is_redundant),
            ),
            Standing::Unrelated => (Some(Count::ZERO), Some(Count::ZERO), None),
            _ => (None, None, None),
        };
        let reason = match &part.standing {
            Standing::Covers(_) => part.doubt.as_ref().map(one_line),
            Standing::Unrelated => None,
            Standing::NotAcceptable => {
                Some("observability is not defined for it (try --semantics mutation)".to_owned())
            }
            Standing::Failed => Some("it fails".to_owned()),
            Standing::Unproved(reason) => Some(format!("whether it holds is unknown: {}", one_line(reason))),
            Standing::Unknown(reason) => Some(format!("unknown: {}", one_line(reason))),
        };
        StatePart {
            property: self.name(part.property),
            verdict: self.verdict(part.property),
            mentions: !matches!(part.standing, Standing::Unrelated),
            covered,
            unique,
            redundant,
            reason,
        }
    }

    fn verdict(&self, property: PropertyId) -> Verdict {
        let outcome = self.studied.verdicts.outcomes.iter().find(|outcome| outcome.property == property);
        match outcome.map(|outcome| &outcome.answer) {
            Some(answer) if answer.is_proved() => Verdict::Proved,
            Some(answer) if answer.is_falsified() => Verdict::Falsified,
            _ => Verdict::Unknown,
        }
    }

    fn ranking(&self, row: &Row) -> Ranking {
        let covering = || {
            row.parts.iter().filter_map(|part| match &part.standing {
                Standing::Covers(contribution) => Some((self.name(part.property), contribution)),
                _ => None,
            })
        };
        let redundant = covering().filter(|(_, contribution)| contribution.is_redundant);
        Ranking {
            metric: self.metric().to_owned(),
            observed: row.observed.as_ref().map(|observed| observed.name.clone()),
            properties: covering()
                .map(|(property, contribution)| Contribution {
                    property,
                    covered: contribution.covered.clone().into(),
                    unique: contribution.only.clone().into(),
                })
                .collect(),
            redundant: redundant.map(|(property, _)| property).collect(),
            greedy: Vec::new(),
            smallest: row.smallest.as_ref().map(|(properties, exact)| Smallest {
                properties: properties.iter().map(|property| self.name(*property)).collect(),
                exact: *exact,
            }),
        }
    }

    /// What is not covered, largest first, with the runs that lead there.
    fn findings(&self, row: &Row) -> Vec<Finding> {
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

/// The first line of a reason.
fn one_line(reason: &UnknownReason) -> String {
    reason.to_string().lines().next().unwrap_or_default().to_owned()
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
