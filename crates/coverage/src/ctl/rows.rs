//! From proved properties to what they cover of each observed signal, and of all of them together.

use super::asker::Asker;
use super::covered::Covered;
use super::holes::Holes;
use super::measure::{Measured, Space};
use super::mentions::{atoms, mentions, signals};
use super::observed::Observed;
use super::runs::HoleRun;
use super::summary::Contribution;
use dashu_int::UBig;
use propcov_ir::{ExprId, PropertyId, SignalId, System, UnknownReason};
use propcov_result::{Count, Tally};
use propcov_verify::Outcome;

/// What could be covered.
#[derive(Clone, Debug)]
pub struct Counts {
    /// All of them.
    pub reachable: Count,
    /// Nobody cares for these.
    pub excluded: Count,
    /// No fair path starts there.
    pub unfair: Count,
    /// Those that count.
    pub total: Count,
}

/// What is covered of one observed signal, or of all together.
pub struct Row {
    /// `None`: all together.
    pub observed: Option<Observed>,
    /// What each property has to say, in the order of the properties.
    pub parts: Vec<Part>,
    /// How much is covered, or why that is not known.
    pub tally: Result<Tally, UnknownReason>,
    /// A smallest set of properties that covers as much, and whether that is certain.
    pub smallest: Option<(Vec<PropertyId>, bool)>,
    /// What is not covered, once somebody has looked.
    pub holes: Result<Holes, UnknownReason>,
    /// Runs into those of the holes that were asked for.
    pub runs: Vec<HoleRun>,
    /// What conditions waive of what is not covered.
    pub waived: Waived,
    /// What is covered, for those who look for holes.
    pub(super) covered: Option<Covered>,
}

/// How much is waived of what is not covered.
#[derive(Clone, Debug, Default)]
pub struct Waived {
    /// Of what is certainly not covered.
    pub uncovered: Count,
    /// Of all that is not certainly covered.
    pub all: Count,
    /// Of each condition, how many it waives, and how many it holds in.
    pub each: Vec<(Count, Count)>,
}

impl Row {
    /// What it is called.
    pub fn name(&self) -> &str {
        self.observed.as_ref().map_or("all together", |observed| observed.name.as_str())
    }

    /// Why something is not known, if anything is not.
    pub fn reason(&self) -> Option<&UnknownReason> {
        match &self.tally {
            Err(reason) => Some(reason),
            Ok(tally) if tally.unknown.is_zero() => None,
            Ok(_) => self.parts.iter().find_map(|part| part.doubt.as_ref()),
        }
    }

    /// Whether some property was measured.
    pub fn is_measured(&self) -> bool {
        self.parts.iter().any(|part| matches!(part.standing, Standing::Covers(_)))
    }

    /// Counts apart what is waived.
    pub(super) fn apply_waivers(&mut self) {
        if let Ok(tally) = &mut self.tally {
            // Where anything may be covered, nothing is certainly uncovered.
            let uncovered = self.waived.uncovered.clone().min(tally.uncovered.clone());
            let unknown = (&self.waived.all - &uncovered).min(tally.unknown.clone());
            tally.uncovered = &tally.uncovered - &uncovered;
            tally.unknown = &tally.unknown - &unknown;
            tally.waived = &uncovered + &unknown;
        }
    }

    /// Makes all of it unknown.
    pub(super) fn forget(&mut self, reason: &UnknownReason) {
        for part in &mut self.parts {
            if matches!(part.standing, Standing::Covers(_)) {
                part.standing = Standing::Unknown(reason.clone());
            }
        }
        self.tally = Err(reason.clone());
        self.smallest = None;
        self.holes = Err(reason.clone());
        self.runs.clear();
        self.waived = Waived::default();
        self.covered = None;
    }
}

/// One property and one observed signal.
pub struct Part {
    /// The property.
    pub property: PropertyId,
    /// What it says.
    pub standing: Standing,
    /// Why not all of that is known, if it is not.
    pub doubt: Option<UnknownReason>,
}

/// What a property has to say about an observed signal.
#[derive(Clone, Debug)]
pub enum Standing {
    /// It does not mention it.
    Unrelated,
    /// The semantics is not defined for it.
    NotAcceptable,
    /// It fails.
    Failed,
    /// Whether it holds is not known.
    Unproved(UnknownReason),
    /// It holds, but what it covers is not known.
    Unknown(UnknownReason),
    /// It covers this.
    Covers(Contribution),
}

/// The same with sets instead of counts.
enum Found {
    Standing(Standing),
    /// With a reason if something is missing, and whether what is missing may be anything.
    Covered(Covered, Option<(UnknownReason, bool)>),
}

/// What is measured.
pub(super) struct Task<'t> {
    pub(super) observed: &'t [Observed],
    /// The properties that can be measured, and what came of each.
    pub(super) outcomes: &'t [Outcome],
    pub(super) space: &'t Space,
}

impl Task<'_> {
    /// A row for each signal, and if there are several, one for all of them together.
    pub(super) fn rows(&self, asker: &mut Asker<'_, '_>) -> Vec<Row> {
        let mut all: Vec<Vec<Found>> = Vec::new();
        let mut rows = Vec::new();
        for (at, observed) in self.observed.iter().enumerate() {
            let found: Vec<Found> =
                (0..self.outcomes.len()).map(|property| self.one(at, property, asker)).collect();
            rows.push(self.row(Some(observed.clone()), &found, asker));
            all.push(found);
        }
        if self.observed.len() > 1 {
            asker.progress.stage("all together".to_owned());
            let found: Vec<Found> =
                (0..self.outcomes.len()).map(|property| together(&all, property, asker)).collect();
            let mut row = self.row(None, &found, asker);
            judge_by_signals(&mut row, &rows);
            rows.push(row);
        }
        rows
    }

    fn one(&self, observed: usize, property: usize, asker: &mut Asker<'_, '_>) -> Found {
        let outcome = &self.outcomes[property];
        if !outcome.answer.is_proved() {
            let is_related = mentions(asker.system, outcome.property, self.observed[observed].expr);
            return Found::Standing(match outcome.answer.reason() {
                _ if !is_related => Standing::Unrelated,
                Some(reason) => Standing::Unproved(reason.clone()),
                None => Standing::Failed,
            });
        }
        let (signal, name) = (&self.observed[observed].name, &asker.system.property(outcome.property).name);
        asker.progress.stage(format!("{signal}: {}/{} {name}", property + 1, self.outcomes.len()));
        match asker.ask(|measurement| Ok(measurement.measure(self.space, observed, property))) {
            Ok(Measured::Unrelated) => Found::Standing(Standing::Unrelated),
            Ok(Measured::NotAcceptable) => Found::Standing(Standing::NotAcceptable),
            Ok(Measured::Covered(covered, reason)) => {
                Found::Covered(covered, reason.map(|reason| (reason, false)))
            }
            Ok(Measured::Unknown(reason)) | Err(reason) => Found::Standing(Standing::Unknown(reason)),
        }
    }

    fn row(&self, observed: Option<Observed>, found: &[Found], asker: &mut Asker<'_, '_>) -> Row {
        let sets: Vec<Covered> = found.iter().filter_map(Found::covered).cloned().collect();
        let covering: Vec<usize> =
            (0..found.len()).filter(|property| found[*property].covered().is_some()).collect();
        let summary = asker.ask(|measurement| measurement.summary(&sets));
        let covered = asker.ask(|measurement| measurement.union(&sets)).ok();
        let is_wide = found.iter().any(Found::may_be_anything);
        let tally = summary.as_ref().map(|summary| {
            let most = if is_wide { &self.space.total } else { &summary.possible };
            tally(&summary.covered, most, &self.space.total)
        });
        let id = |position: &usize| self.outcomes[covering[*position]].property;
        let smallest = summary.as_ref().ok().and_then(|summary| summary.smallest.as_ref());
        let smallest = smallest.map(|cover| (cover.properties.iter().map(id).collect(), cover.is_smallest));
        let mut contributions = summary.as_ref().map_or(&[][..], |summary| &summary.properties).iter();
        let standing = |found: &Found| match found {
            Found::Standing(standing) => standing.clone(),
            Found::Covered(..) => match (contributions.next(), &summary) {
                (Some(contribution), _) => Standing::Covers(contribution.clone()),
                (None, Err(reason)) => Standing::Unknown(reason.clone()),
                (None, Ok(_)) => Standing::Unrelated,
            },
        };
        let standings: Vec<Standing> = found.iter().map(standing).collect();
        let parts = self.outcomes.iter().zip(standings).zip(found);
        let part = |((outcome, standing), found): ((&Outcome, Standing), &Found)| Part {
            property: outcome.property,
            standing,
            doubt: found.doubt().cloned(),
        };
        Row {
            observed,
            parts: parts.map(part).collect(),
            tally: tally.map_err(Clone::clone),
            smallest,
            holes: Err(UnknownReason::Cancelled),
            runs: Vec::new(),
            waived: Waived::default(),
            covered,
        }
    }
}

/// So many of a total are covered at least, and so many at most.
fn tally(least: &UBig, most: &UBig, total: &UBig) -> Tally {
    let [least, most, total] = [least, most, total].map(|number| Count::from(number.clone()));
    Tally { uncovered: &total - &most, unknown: &most - &least, covered: least, ..Tally::default() }
}

/// Of all signals together, a property adds nothing only if it does so for each of them. That two properties cover the same states, each for another
/// signal, makes neither superfluous.
fn judge_by_signals(together: &mut Row, rows: &[Row]) {
    together.smallest = None;
    for (at, part) in together.parts.iter_mut().enumerate() {
        if let Standing::Covers(contribution) = &mut part.standing {
            contribution.is_redundant = rows.iter().all(|row| match &row.parts[at].standing {
                Standing::Covers(contribution) => contribution.is_redundant,
                standing => matches!(standing, Standing::Unrelated | Standing::NotAcceptable),
            });
        }
    }
}

/// Rows that say that nothing is known.
pub(super) fn unknown_rows(observed: &[Observed], outcomes: &[Outcome], reason: &UnknownReason) -> Vec<Row> {
    let unknown = |observed: Option<Observed>| {
        let part = |outcome: &Outcome| Part {
            property: outcome.property,
            standing: Standing::Unknown(reason.clone()),
            doubt: Some(reason.clone()),
        };
        Row {
            observed,
            parts: outcomes.iter().map(part).collect(),
            tally: Err(reason.clone()),
            smallest: None,
            holes: Err(reason.clone()),
            runs: Vec::new(),
            waived: Waived::default(),
            covered: None,
        }
    };
    let together = (observed.len() > 1).then_some(None);
    observed.iter().cloned().map(Some).chain(together).map(unknown).collect()
}

impl Found {
    fn covered(&self) -> Option<&Covered> {
        match self {
            Found::Covered(covered, _) => Some(covered),
            Found::Standing(_) => None,
        }
    }

    fn doubt(&self) -> Option<&UnknownReason> {
        match self {
            Found::Covered(_, Some((reason, _)))
            | Found::Standing(Standing::Unproved(reason) | Standing::Unknown(reason)) => Some(reason),
            _ => None,
        }
    }

    /// Whether it might cover whatever there is.
    fn may_be_anything(&self) -> bool {
        matches!(
            self,
            Found::Covered(_, Some((_, true)))
                | Found::Standing(Standing::Unproved(_) | Standing::Unknown(_))
        )
    }
}

/// What a property covers of any of the signals.
fn together(all: &[Vec<Found>], property: usize, asker: &mut Asker<'_, '_>) -> Found {
    let parts: Vec<&Found> = all.iter().filter_map(|found| found.get(property)).collect();
    let sets: Vec<&Covered> = parts.iter().filter_map(|found| found.covered()).collect();
    let doubt = parts.iter().find_map(|found| found.doubt()).cloned();
    let anything = parts.iter().any(|found| found.may_be_anything());
    if !sets.is_empty() {
        return match asker.ask(|measurement| measurement.union(sets.iter().copied())) {
            Ok(union) => Found::Covered(union, doubt.map(|reason| (reason, anything))),
            Err(reason) => Found::Standing(Standing::Unknown(reason)),
        };
    }
    let rank = |standing: &Standing| match standing {
        Standing::Unrelated => 0,
        Standing::NotAcceptable => 1,
        Standing::Covers(_) | Standing::Failed => 2,
        Standing::Unproved(_) | Standing::Unknown(_) => 3,
    };
    let standings = parts.iter().filter_map(|found| match found {
        Found::Standing(standing) => Some(standing),
        Found::Covered(..) => None,
    });
    Found::Standing(standings.max_by_key(|standing| rank(standing)).cloned().unwrap_or(Standing::Unrelated))
}

/// The signals that holes had better speak of: what the properties that mention the signal read, and the signal.
pub(super) fn preferred(system: &System, observed: &[Observed], properties: &[PropertyId]) -> Vec<SignalId> {
    let mut roots: Vec<ExprId> = observed.iter().map(|observed| observed.expr).collect();
    for property in properties {
        if observed.iter().any(|observed| mentions(system, *property, observed.expr)) {
            roots.extend(atoms(system, *property));
        }
    }
    signals(system, &roots)
}
