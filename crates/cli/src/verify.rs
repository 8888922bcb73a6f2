//! What every command does first: the sanity gate, and a certified verdict on each property.

use crate::args::EngineChoice;
use crate::ctl::{self, Decided, Effort, Symbolic};
use crate::joint;
use crate::panics::PanicLog;
use crate::progress::Progress;
use crate::prove::{Outcome, Prover, stopped, until};
use crate::report::Inspection;
use crate::schedule::{self, Attempt};
use propcov_engine::gate::{self, Assumptions, Gate};
use propcov_engine::{Limits, Stats};
use propcov_ir::{Edits, PropertyId, System, UnknownReason};
use propcov_symbolic::Subject;
use rustc_hash::FxHashMap;
use std::time::Instant;

/// The share of the time that the sanity gate may take.
const GATE_SHARE: u32 = 4;

/// Looks for reasons not to trust a verdict. It may take only a part of the time.
pub(crate) fn inspect(
    system: &System,
    properties: &[PropertyId],
    limits: &Limits,
    panics: &PanicLog,
) -> Inspection {
    let now = Instant::now();
    let share = |deadline: Instant| now + deadline.saturating_duration_since(now) / GATE_SHARE;
    let limits = until(limits, limits.deadline.map(share));
    let mut stats = Stats::default();
    let found = panics.guard(|| gate::inspect(system, &Edits::none(), properties, &limits, &mut stats));
    let gate = found.unwrap_or_else(|| Gate {
        assumptions: Assumptions::Unknown(UnknownReason::Incomplete("internal error".to_owned())),
        constant: Vec::new(),
        obligations: properties.len(),
    });
    Inspection { gate, stats, internal_errors: panics.take() }
}

/// Decision diagrams get this many ticks for the reachable states, some seconds, before other engines have tried what they can decide as
/// well.
const FIRST_TICKS: u64 = 5_000_000;
/// And those engines get this many conflicts before the diagrams have another try without that limit.
const FIRST_CONFLICTS: u64 = 20_000;

/// Decides properties of all kinds. Those of CTL come first, by decision diagrams. What these cannot decide goes the way of invariants if it is
/// one, `AG p`. If all of them are, diagrams and the other engines each get a limited effort first: which of the two is
/// quick cannot be told from a model.
pub(crate) fn decide(
    prover: &Prover<'_>,
    properties: &[PropertyId],
    with_counts: bool,
    progress: &Progress,
) -> (Vec<Outcome>, Option<Symbolic>) {
    let by_diagrams: Vec<PropertyId> = match prover.engine {
        EngineChoice::One(_) => Vec::new(),
        _ => properties.iter().copied().filter(|property| ctl::is_ctl(prover, *property)).collect(),
    };
    if by_diagrams.is_empty() {
        return (decide_invariants(prover, properties, progress), None);
    }
    let mut plan = Plan { prover, properties, with_counts, progress, known: FxHashMap::default() };
    let may_go_on = |property: &PropertyId| plan.may_go_on(*property);
    let (some, all) = (properties.iter().any(may_go_on), by_diagrams.iter().all(may_go_on));
    let mut symbolic = if all {
        let effort = Effort { deadline: plan.part_of_time(1, 2), ticks: Some(FIRST_TICKS) };
        let symbolic = plan.diagrams(&by_diagrams, &effort);
        plan.engines(Some(FIRST_CONFLICTS));
        symbolic
    } else {
        // Time is only kept back for what could use it.
        let deadline = if some { plan.part_of_time(3, 4) } else { prover.limits.deadline };
        plan.diagrams(&by_diagrams, &Effort { deadline, ticks: None })
    };
    if all && by_diagrams.iter().any(|property| plan.is_open(property)) {
        let open: Vec<PropertyId> =
            by_diagrams.into_iter().filter(|property| plan.is_open(property)).collect();
        symbolic = plan.diagrams(&open, &Effort { deadline: plan.part_of_time(1, 2), ticks: None });
    }
    plan.engines(None);
    let mut known = plan.known;
    (properties.iter().filter_map(|property| known.remove(property)).collect(), Some(symbolic))
}

/// Decides properties of all kinds, and hands out the checker that has decided those of CTL, for those who have more questions: it is made even if
/// there is no CTL property. What it cannot decide goes the way of invariants if it is one.
pub(crate) fn decide_about<'a>(
    prover: &Prover<'a>,
    subject: Subject<'_>,
    properties: &[PropertyId],
    with_counts: bool,
    progress: &Progress,
) -> Decided<'a> {
    let mut plan = Plan { prover, properties, with_counts, progress, known: FxHashMap::default() };
    let by_diagrams: Vec<PropertyId> =
        properties.iter().copied().filter(|property| ctl::is_ctl(prover, *property)).collect();
    // Time is only kept back for what could use it.
    let is_theirs = |property: &PropertyId| prover.system.invariant(*property).is_some();
    let deadline =
        if properties.iter().any(is_theirs) { plan.part_of_time(3, 4) } else { prover.limits.deadline };
    let effort = Effort { deadline, ticks: None };
    let decided = ctl::decide(prover, subject, &by_diagrams, &effort, with_counts, progress);
    decided.outcomes.into_iter().for_each(|outcome| plan.note(outcome));
    plan.engines(None);
    let mut known = plan.known;
    let outcome = |property: &PropertyId| {
        known.remove(property).unwrap_or_else(|| Outcome::unknown(*property, UnknownReason::Cancelled))
    };
    let outcomes = properties.iter().map(outcome).collect();
    Decided { outcomes, ..decided }
}

/// Who works on what, in turn.
struct Plan<'p, 'a> {
    prover: &'p Prover<'a>,
    properties: &'p [PropertyId],
    with_counts: bool,
    progress: &'p Progress,
    known: FxHashMap<PropertyId, Outcome>,
}

impl Plan<'_, '_> {
    /// Whether other engines than diagrams may decide a CTL property.
    fn may_go_on(&self, property: PropertyId) -> bool {
        matches!(self.prover.engine, EngineChoice::Portfolio)
            && self.prover.system.invariant(property).is_some()
    }

    fn is_open(&self, property: &PropertyId) -> bool {
        self.known.get(property).is_none_or(Outcome::is_open)
    }

    /// The moment when such a part of the time that is left will be over.
    fn part_of_time(&self, part: u32, of: u32) -> Option<Instant> {
        let now = Instant::now();
        self.prover.limits.deadline.map(|deadline| now + deadline.saturating_duration_since(now) * part / of)
    }

    fn diagrams(&mut self, properties: &[PropertyId], effort: &Effort) -> Symbolic {
        let subject = Subject::default();
        let decided = ctl::decide(self.prover, subject, properties, effort, self.with_counts, self.progress);
        decided.outcomes.into_iter().for_each(|outcome| self.note(outcome));
        decided.symbolic
    }

    /// Has the other engines try what is open.
    fn engines(&mut self, conflicts: Option<u64>) {
        let is_theirs = |property: &PropertyId| match self.known.get(property) {
            Some(outcome) => outcome.is_open() && self.may_go_on(*property),
            None => true,
        };
        let open: Vec<PropertyId> = self.properties.iter().copied().filter(is_theirs).collect();
        if open.is_empty() {
            return;
        }
        let outcomes = match conflicts {
            None => decide_invariants(self.prover, &open, self.progress),
            Some(conflicts) => {
                let mut limits = self.prover.limits.clone();
                limits.conflicts = Some(limits.conflicts.map_or(conflicts, |own| own.min(conflicts)));
                limits.deadline = self.part_of_time(1, 2);
                decide_invariants(&self.prover.with_limits(limits), &open, self.progress)
            }
        };
        outcomes.into_iter().for_each(|outcome| self.note(outcome));
    }

    fn note(&mut self, mut outcome: Outcome) {
        match self.known.get(&outcome.property) {
            // A second try that knows no better than the first says less about why.
            Some(earlier) if outcome.is_open() && !earlier.is_open() => {}
            Some(earlier) => {
                outcome.add_attempt(earlier);
                self.known.insert(outcome.property, outcome);
            }
            None => {
                self.known.insert(outcome.property, outcome);
            }
        }
    }
}

/// Decides invariants, which share the time fairly. Those of infinite systems are decided together, the others one by one.
pub(crate) fn decide_invariants(
    prover: &Prover<'_>,
    properties: &[PropertyId],
    progress: &Progress,
) -> Vec<Outcome> {
    let together = joint::concerned(prover, properties);
    let mut known: FxHashMap<PropertyId, Outcome> = FxHashMap::default();
    if !together.is_empty() {
        let deadline = prover.limits.deadline.map(|deadline| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now).mul_f64(part(together.len(), properties.len()))
        });
        let outcomes = joint::decide(prover, &together, deadline, progress);
        known.extend(outcomes.into_iter().map(|outcome| (outcome.property, outcome)));
    }
    let single: Vec<PropertyId> =
        properties.iter().copied().filter(|property| !known.contains_key(property)).collect();
    let outcomes = decide_one_by_one(prover, &single, progress);
    known.extend(outcomes.into_iter().map(|outcome| (outcome.property, outcome)));
    properties.iter().filter_map(|property| known.remove(property)).collect()
}

fn part(some: usize, all: usize) -> f64 {
    some as f64 / all.max(1) as f64
}

fn decide_one_by_one(prover: &Prover<'_>, properties: &[PropertyId], progress: &Progress) -> Vec<Outcome> {
    let mut outcomes: Vec<Option<Outcome>> = properties.iter().map(|_| None).collect();
    schedule::share(properties.len(), prover.limits.deadline, |job, deadline| {
        let name = &prover.system.property(properties[job]).name;
        progress.stage(format!("{}/{} {name}:", job + 1, properties.len()));
        let first = outcomes[job].is_none();
        let recalled = if first { recall(prover, properties[job]) } else { None };
        let mut outcome = recalled.unwrap_or_else(|| prover.decide(properties[job], deadline));
        if let Some(earlier) = &outcomes[job] {
            outcome.add_attempt(earlier);
        }
        let attempt = if outcome.is_timeout() { Attempt::OutOfTime } else { Attempt::Final };
        outcomes[job] = Some(outcome);
        attempt
    });
    outcomes.into_iter().flatten().collect()
}

/// What the advice of an earlier run proves.
fn recall(prover: &Prover<'_>, property: PropertyId) -> Option<Outcome> {
    let may = matches!(prover.engine, EngineChoice::Portfolio) && stopped(&prover.limits).is_none();
    if may { prover.recall_advice(property) } else { None }
}
