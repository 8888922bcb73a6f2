//! Coverage of states and transitions as records of a result: a row and a share for each observed signal. Holes are in `hole_record`.

use super::confirm::Judgement;
use super::mentions::readers;
use super::question::Question;
use super::rows::{Part, Row, Standing};
use super::study::Studied;
use super::{Flip, Implication, Place, Semantics};
use propcov_ir::{PropertyId, System, UnknownReason};
use propcov_result::{
    Contribution, Count, Ranking, RunResult, Scope, Share, Smallest, StatePart, StateRow, Tally, Verdict,
};
use propcov_verify::record;

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

/// Makes records of what a study found out.
pub(super) struct Recorder<'r> {
    studied: &'r Studied,
    pub(super) system: &'r System,
    question: &'r Question<'r>,
    /// How many holes are listed.
    pub(super) listed: usize,
}

impl Recorder<'_> {
    pub(super) fn place(&self) -> Place {
        self.question.manner.place
    }

    pub(super) fn metric(&self) -> &'static str {
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
}

/// The first line of a reason.
pub(super) fn one_line(reason: &UnknownReason) -> String {
    reason.to_string().lines().next().unwrap_or_default().to_owned()
}
