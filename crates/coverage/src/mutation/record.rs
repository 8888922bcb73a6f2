//! Findings about mutants as records of a result: one by one, counted, and what each property contributes.
//!
//! Only logic of the design counts. Mutants of checkers are found out like any other, and counted apart.

use crate::difference::{Answer, Observation};
use crate::mutation::Killing;
use crate::ranking::{Ranking, rank};
use fixedbitset::FixedBitSet;
use propcov_ir::{ElementSet, Finding, Mutant, Mutation, PropertyId, Role, Status, System};
use propcov_result::{Count, FindingVerdict, RunResult, Scope, Share, Subject, Tally, Witness};
use propcov_verify::record;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The name of the metric.
pub const METRIC: &str = "mutation";

/// What was found out about mutants.
pub struct Measured<'a> {
    /// The system.
    pub system: &'a System,
    /// The properties that are proved, and so measured.
    pub properties: &'a [PropertyId],
    /// The mutants.
    pub mutants: &'a [Mutant],
    /// One for each property and mutant, by property, then by mutant.
    pub findings: &'a [Finding],
    /// What uncovered mutants could do, where somebody looked.
    pub holes: &'a [Hole],
    /// The name of the evidence of a finding in the run directory.
    pub evidence: &'a dyn Fn(&Finding) -> Option<String>,
    /// Runs that kill mutants, to be shown to people.
    pub killings: &'a [Killing],
    /// What is to be shown of runs.
    pub runs: Runs,
    /// Elements that no run executes, by number, where that is proved: what becomes of their mutants is no hole.
    pub dead: &'a BTreeSet<u32>,
}

/// Which runs are in the result. All of them together can be many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// Those that show what uncovered mutants can do, as long as they have no more values than that together.
    Few(usize),
    /// All of these.
    Holes,
    /// Also those that kill mutants.
    All,
}

/// What an uncovered mutant could do.
#[derive(Clone, Debug)]
pub struct Hole {
    /// The mutant.
    pub mutant: Mutant,
    /// Whether somebody could notice.
    pub answer: Answer,
    /// Where somebody looked, in words.
    pub observation: String,
    /// The waveform, once it is written.
    pub waveform: Option<String>,
}

impl Hole {
    /// What was found where somebody looked.
    pub fn new(mutant: Mutant, answer: Answer, observation: &Observation) -> Hole {
        Hole { mutant, answer, observation: observation.words.clone(), waveform: None }
    }
}

impl Measured<'_> {
    /// Adds elements, findings, shares and the ranking to a result.
    pub fn add_to(&self, result: &mut RunResult) {
        let elements: ElementSet = self.mutants.iter().map(|mutant| mutant.element).collect();
        result.add_elements(record::elements(self.system, &elements));
        self.add_findings(result);
        self.add_shares(result);
        result.rankings.push(self.ranking_record());
        for finding in self.findings.iter().filter(|finding| !matches!(finding.status, Status::Unknown(_))) {
            *result.stats.decided_by.entry(finding.by.to_string()).or_default() += 1;
        }
    }

    fn name(&self, property: PropertyId) -> &str {
        &self.system.property(property).name
    }

    fn add_findings(&self, result: &mut RunResult) {
        let metric: Arc<str> = METRIC.into();
        let names: FxHashMap<PropertyId, Arc<str>> =
            self.properties.iter().map(|property| (*property, self.name(*property).into())).collect();
        let mut words: FxHashMap<String, Arc<str>> = FxHashMap::default();
        let mut shared =
            |text: &str| -> Arc<str> { words.entry(text.to_owned()).or_insert_with(|| text.into()).clone() };
        for finding in self.findings {
            let reason = match &finding.status {
                Status::Unknown(reason) => Some(shared(&reason.to_string())),
                _ => None,
            };
            let Standing { verdict, bound } = self.standing_of(finding);
            result.findings.push(propcov_result::Finding {
                metric: metric.clone(),
                subject: Subject::Element(finding.mutant.element.0),
                edit: shared(finding.mutant.mutation.name()),
                property: names.get(&finding.property).cloned(),
                verdict,
                reason,
                bound,
                by: (!finding.by.is_empty()).then(|| shared(&finding.by)),
                certified: !matches!(finding.status, Status::Unknown(_)),
                evidence: (self.evidence)(finding).map(Into::into),
                witness: self.killing_run(finding),
                count: None,
                waiver: None,
            });
        }
        let bounds = self.bounds();
        let mut room = match self.runs {
            Runs::Few(values) => values,
            Runs::Holes | Runs::All => usize::MAX,
        };
        for hole in self.holes {
            let verdict = match &hole.answer {
                Answer::NoEffect(_) => FindingVerdict::NoEffect,
                Answer::Differs { .. } | Answer::Unknown(_) => FindingVerdict::Uncovered,
            };
            result.findings.push(propcov_result::Finding {
                metric: metric.clone(),
                subject: Subject::Element(hole.mutant.element.0),
                edit: shared(hole.mutant.mutation.name()),
                property: None,
                verdict,
                reason: None,
                bound: bounds.get(&hole.mutant).copied(),
                by: None,
                certified: true,
                evidence: None,
                witness: Some(Box::new(self.witness(hole, &mut room))),
                count: None,
                waiver: None,
            });
        }
    }

    fn killing_run(&self, finding: &Finding) -> Option<Box<Witness>> {
        let Status::Covered(kill) = &finding.status else { return None };
        let is_its =
            |killing: &&Killing| (killing.mutant, killing.property) == (finding.mutant, finding.property);
        let (trace, shortest) = match self.killings.iter().find(is_its) {
            Some(killing) => (killing.trace.clone(), Some(killing.shortest)),
            None if self.runs == Runs::All => (kill.trace(self.system, finding.mutant).ok()?, None),
            None => return None,
        };
        let edits = finding.mutant.edits(self.system);
        let run = record::run(self.system, &edits, &trace.steps, Some(finding.property));
        Some(Box::new(Witness {
            mutant: Some(run),
            depth: Some(trace.depth()),
            shortest,
            ..Witness::default()
        }))
    }

    /// What shows a hole; its runs take as many values as there is room for.
    fn witness(&self, hole: &Hole, room: &mut usize) -> Witness {
        let mut witness = Witness {
            observation: Some(hole.observation.clone()),
            file: hole.waveform.clone(),
            ..Witness::default()
        };
        match &hole.answer {
            Answer::Unknown(reason) => witness.reason = Some(reason.to_string()),
            Answer::NoEffect(_) => {}
            Answer::Differs { difference, shortest } => {
                witness.observed.clone_from(&difference.observed);
                witness.depth = Some(difference.original.depth());
                witness.shortest = Some(*shortest);
                let signals = self.system.inputs().len() + self.system.states().len() + 1;
                let values = 2 * difference.original.steps.len().saturating_mul(signals);
                if let Some(left) = room.checked_sub(values) {
                    *room = left;
                    let (design, mutant) = record::pair(self.system, hole.mutant, difference);
                    (witness.design, witness.mutant) = (Some(design), Some(mutant));
                }
            }
        }
        witness
    }

    /// How far mutants are known not to be noticed, where that is not known of all runs.
    fn bounds(&self) -> FxHashMap<Mutant, u32> {
        let mut bounds: FxHashMap<Mutant, u32> = FxHashMap::default();
        for finding in self.findings {
            if let Status::Bounded(bound) = finding.status {
                bounds.entry(finding.mutant).and_modify(|least| *least = bound.min(*least)).or_insert(bound);
            }
        }
        bounds
    }

    /// What a property has to say on each mutant.
    fn row(&self, property: usize) -> &[Finding] {
        let width = self.mutants.len();
        self.findings.get(property * width..(property + 1) * width).unwrap_or_default()
    }

    /// How a mutant stands with all properties together.
    fn standing(&self, mutant: usize) -> Standing {
        let column = self.findings.iter().skip(mutant).step_by(self.mutants.len().max(1));
        column.map(|finding| self.standing_of(finding)).reduce(Standing::and).unwrap_or(Standing::UNKNOWN)
    }

    /// How a mutant stands with one property. What is never executed makes no difference in any run.
    fn standing_of(&self, finding: &Finding) -> Standing {
        let standing = Standing::of(&finding.status);
        let is_survivor = matches!(standing.verdict, FindingVerdict::Uncovered | FindingVerdict::NoEffect);
        match is_survivor && self.dead.contains(&finding.mutant.element.0) {
            true => Standing { verdict: FindingVerdict::Dead, bound: None },
            false => standing,
        }
    }

    fn is_checker(&self, mutant: &Mutant) -> bool {
        self.system.element(mutant.element).role == Role::Checker
    }

    fn add_shares(&self, result: &mut RunResult) {
        // Without a property nothing was measured, and no share is better than one from 0 to 100.
        if self.properties.is_empty() {
            return;
        }
        let standings: Vec<Standing> = (0..self.mutants.len()).map(|mutant| self.standing(mutant)).collect();
        let one = Count::from(1_usize);
        let is_open = |hole: &&Hole| matches!(hole.answer, Answer::Unknown(_));
        let unclassified: FxHashSet<Mutant> =
            self.holes.iter().filter(is_open).map(|hole| hole.mutant).collect();
        let mut share =
            |scope: Scope, wanted: &dyn Fn(&Mutant) -> bool, standing: &dyn Fn(usize) -> Standing| {
                let mut tally = Tally::default();
                for (at, mutant) in self.mutants.iter().enumerate().filter(|(_, mutant)| wanted(mutant)) {
                    let Standing { verdict, bound } = standing(at);
                    if verdict == FindingVerdict::Uncovered && bound.is_some() {
                        tally.bounded += &one;
                        continue;
                    }
                    tally.add(verdict, &one);
                    if verdict == FindingVerdict::Uncovered && unclassified.contains(mutant) {
                        tally.unclassified += 1;
                    }
                }
                if scope != Scope::Checker || !tally.total().is_zero() {
                    result.shares.push(Share::new(METRIC, scope, tally, true));
                }
            };
        let counts = |mutant: &Mutant| !self.is_checker(mutant);
        let together = |at: usize| standings[at];
        share(Scope::All, &counts, &together);
        for mutation in self.mutations() {
            let edit = Scope::Edit(mutation.name().to_owned());
            share(edit, &|mutant| counts(mutant) && mutant.mutation == mutation, &together);
        }
        for (position, property) in self.properties.iter().enumerate() {
            let (row, name) = (self.row(position), self.name(*property));
            let alone =
                |at: usize| row.get(at).map_or(Standing::UNKNOWN, |finding| self.standing_of(finding));
            share(Scope::Property(name.to_owned()), &counts, &alone);
            for mutation in self.mutations() {
                let scope = Scope::PropertyEdit(name.to_owned(), mutation.name().to_owned());
                share(scope, &|mutant| counts(mutant) && mutant.mutation == mutation, &alone);
            }
        }
        share(Scope::Checker, &|mutant| self.is_checker(mutant), &together);
    }

    /// The mutations that occur, in their usual order.
    fn mutations(&self) -> Vec<Mutation> {
        let occurs = |mutation: &Mutation| self.mutants.iter().any(|mutant| mutant.mutation == *mutation);
        Mutation::ALL.into_iter().filter(occurs).collect()
    }

    /// What each property contributes to what counts.
    fn ranking(&self) -> Ranking {
        let counts: Vec<bool> = self.mutants.iter().map(|mutant| !self.is_checker(mutant)).collect();
        let with = |is_meant: fn(&Status) -> bool| -> Vec<FixedBitSet> {
            let row = |property: usize| {
                let row = self.row(property);
                (0..row.len()).filter(|mutant| counts[*mutant] && is_meant(&row[*mutant].status)).collect()
            };
            (0..self.properties.len()).map(row).collect()
        };
        let kills = with(|status| matches!(status, Status::Covered(_)));
        rank(&kills, &with(|status| matches!(status, Status::Unknown(_))))
    }

    fn ranking_record(&self) -> propcov_result::Ranking {
        let names: Vec<&str> = self.properties.iter().map(|property| self.name(*property)).collect();
        self.ranking().record(METRIC, &names)
    }
}

/// What is known of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Standing {
    verdict: FindingVerdict,
    /// It is uncovered in runs of so many transitions, and nothing is known beyond.
    bound: Option<u32>,
}

impl Standing {
    const UNKNOWN: Standing = Standing { verdict: FindingVerdict::Unknown, bound: None };

    fn of(status: &Status) -> Standing {
        let (verdict, bound) = match status {
            Status::Covered(_) => (FindingVerdict::Covered, None),
            Status::Uncovered(_) => (FindingVerdict::Uncovered, None),
            Status::NoEffect(_) => (FindingVerdict::NoEffect, None),
            Status::Bounded(bound) => (FindingVerdict::Uncovered, Some(*bound)),
            Status::Unknown(_) => (FindingVerdict::Unknown, None),
        };
        Standing { verdict, bound }
    }

    /// What two properties make of a mutant: covered if one notices it; otherwise what is less certain counts.
    fn and(self, other: Standing) -> Standing {
        let weight = |standing: &Standing| match (standing.verdict, standing.bound) {
            (FindingVerdict::Covered, _) => (4, 0),
            (FindingVerdict::Unknown, _) => (3, 0),
            // Up to the least bound.
            (_, Some(bound)) => (2, u32::MAX - bound),
            (FindingVerdict::NoEffect | FindingVerdict::Dead, None) => (1, 0),
            (FindingVerdict::Uncovered, None) => (0, 0),
        };
        if weight(&other) > weight(&self) { other } else { self }
    }
}
