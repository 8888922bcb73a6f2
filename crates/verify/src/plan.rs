//! Who works on what, in turn: proofs of earlier runs, decision diagrams, other engines.
//!
//! Those of CTL come first, by decision diagrams. What these cannot decide goes the way of invariants if it is one, `AG p`. If all
//! of them are, diagrams and the other engines each get a limited effort first: which of the two is quick cannot be told from
//! a model.

use crate::choice::EngineChoice;
use crate::client::{Client, Listener};
use crate::ctl::{self, Checked, Decided, Effort, Symbolic};
use crate::invariants;
use crate::limits::part_of_time;
use crate::liveness::{self, Rounds};
use crate::outcome::Outcome;
use crate::verifier::Verifier;
use propcov_ir::{Edits, Proof, PropertyId, UnknownReason};
use propcov_symbolic::Subject;
use rustc_hash::{FxHashMap, FxHashSet};

/// Decision diagrams get this many ticks for the reachable states, some seconds, before other engines have tried what they can decide as
/// well.
const FIRST_TICKS: u64 = 5_000_000;
/// And those engines get this many conflicts before the diagrams have another try without that limit.
const FIRST_CONFLICTS: u64 = 20_000;

/// What came of properties.
#[derive(Debug)]
pub struct Verdicts {
    /// Each property, in the order in which they were asked for.
    pub outcomes: Vec<Outcome>,
    /// What decision diagrams found out, if they were needed.
    pub symbolic: Option<Symbolic>,
    /// The positions of those of the lemmas given that hold, if somebody has looked.
    pub holding: Option<Vec<usize>>,
}

impl<'a> Verifier<'a> {
    /// Decides properties of all kinds. Whoever listens hears of each once, as soon as nothing more will be tried.
    pub fn decide(&self, properties: &[PropertyId], heard: &mut dyn FnMut(&Outcome)) -> Verdicts {
        let mut listener = Listener(heard);
        let mut plan = Plan::new(self, properties, &mut listener);
        plan.recall(self);
        let by_diagrams: Vec<PropertyId> = match self.options.engine {
            EngineChoice::One(_) => Vec::new(),
            _ => plan.open(|property| ctl::is_ctl(self, property)),
        };
        if by_diagrams.is_empty() {
            plan.engines(None);
            return plan.finish(None);
        }
        let may_go_on = |property: &PropertyId| plan.may_go_on(*property);
        let (some, all) = (plan.open(|_| true).iter().any(may_go_on), by_diagrams.iter().all(may_go_on));
        let mut symbolic = if all {
            let effort = Effort { deadline: part_of_time(&self.limits, 1, 2), ticks: Some(FIRST_TICKS) };
            let symbolic = plan.diagrams(&by_diagrams, &effort);
            plan.engines(Some(FIRST_CONFLICTS));
            symbolic
        } else {
            // Time is only kept back for what could use it.
            let deadline = if some { part_of_time(&self.limits, 3, 4) } else { self.limits.deadline };
            plan.diagrams(&by_diagrams, &Effort { deadline, ticks: None })
        };
        let open: Vec<PropertyId> =
            by_diagrams.into_iter().filter(|property| plan.is_open(*property)).collect();
        if all && !open.is_empty() {
            let deadline = part_of_time(&self.limits, 1, 2);
            symbolic = plan.diagrams(&open, &Effort { deadline, ticks: None });
        }
        plan.engines(None);
        plan.finish(Some(symbolic))
    }

    /// Decides properties of all kinds, and hands out the checker that has decided those of CTL, for those who have more
    /// questions: it is made even if there is no CTL property. What it cannot decide goes the way of invariants if it is one.
    pub fn decide_about(
        &self,
        subject: Subject<'_>,
        properties: &[PropertyId],
        heard: &mut dyn FnMut(&Outcome),
    ) -> Decided<'a> {
        let mut listener = Listener(heard);
        let mut plan = Plan::new(self, properties, &mut listener);
        plan.recall(self);
        let by_diagrams = plan.open(|property| ctl::is_ctl(self, property));
        // Time is only kept back for what could use it.
        let is_theirs = |property: &PropertyId| self.system.invariant(*property).is_some();
        let deadline = if properties.iter().any(is_theirs) {
            part_of_time(&self.limits, 3, 4)
        } else {
            self.limits.deadline
        };
        let effort = Effort { deadline, ticks: None };
        let Checked { outcomes, symbolic, checker } = ctl::decide(self, subject, &by_diagrams, &effort);
        outcomes.into_iter().for_each(|outcome| plan.note(outcome));
        plan.engines(None);
        Decided { verdicts: plan.finish(Some(symbolic)), checker }
    }
}

/// Who works on what, in turn.
pub(crate) struct Plan<'p, 'a> {
    verifier: &'p Verifier<'a>,
    properties: &'p [PropertyId],
    pub(crate) client: &'p mut dyn Client,
    found: FxHashMap<PropertyId, Outcome>,
    /// What was tried before, and is to be counted.
    earlier: FxHashMap<PropertyId, Outcome>,
    holding: Option<Vec<usize>>,
    /// What was proved before, by others than this plan.
    given: Vec<(PropertyId, Proof)>,
}

impl<'p, 'a> Plan<'p, 'a> {
    pub(crate) fn new(
        verifier: &'p Verifier<'a>,
        properties: &'p [PropertyId],
        client: &'p mut dyn Client,
    ) -> Plan<'p, 'a> {
        let (found, earlier) = (FxHashMap::default(), FxHashMap::default());
        Plan { verifier, properties, client, found, earlier, holding: None, given: Vec::new() }
    }

    /// Makes a proof known that is of no property of this plan.
    pub(crate) fn give(&mut self, property: PropertyId, proof: Proof) {
        self.given.push((property, proof));
    }

    /// Everything that is proved so far, in the order of the properties.
    pub(crate) fn proved(&self) -> Vec<(PropertyId, &Proof)> {
        let found =
            self.found.iter().filter_map(|(property, outcome)| Some((*property, outcome.answer.proof()?)));
        let mut proved: Vec<_> =
            self.given.iter().map(|(property, proof)| (*property, proof)).chain(found).collect();
        proved.sort_by_key(|(property, _)| *property);
        proved
    }

    /// Counts what was tried before.
    pub(crate) fn resume(&mut self, earlier: Outcome) {
        self.earlier.insert(earlier.property, earlier);
    }

    /// Has proofs of earlier runs checked again; the first that is accepted for a property counts.
    pub(crate) fn recall(&mut self, verifier: &Verifier<'_>) {
        for known in verifier.known {
            if !self.properties.contains(&known.property) || self.found.contains_key(&known.property) {
                continue;
            }
            let outcome = verifier.recall(known);
            if outcome.answer.is_decided() {
                self.note(outcome);
            } else {
                self.resume(outcome);
            }
        }
    }

    /// Whether other engines than diagrams may decide a CTL property.
    fn may_go_on(&self, property: PropertyId) -> bool {
        matches!(self.verifier.options.engine, EngineChoice::Portfolio)
            && self.verifier.system.invariant(property).is_some()
    }

    /// Whether a property is decided by a search for infinite runs. `G p` is an invariant where every run goes on; diagrams alone know no other way.
    fn is_liveness(&self, property: PropertyId) -> bool {
        let Verifier { system, options, .. } = self.verifier;
        let is_invariant =
            system.invariant(property).is_some() && !matches!(options.engine, EngineChoice::Bdd);
        liveness::is_liveness(system, property) && !is_invariant
    }

    fn is_open(&self, property: PropertyId) -> bool {
        self.found.get(&property).is_none_or(Outcome::is_open)
    }

    /// Those of the open properties that somebody is concerned with.
    fn open(&self, concerns: impl Fn(PropertyId) -> bool) -> Vec<PropertyId> {
        let open = |property: &PropertyId| self.is_open(*property) && concerns(*property);
        let mut asked = FxHashSet::default();
        self.properties.iter().copied().filter(|property| asked.insert(*property) && open(property)).collect()
    }

    fn diagrams(&mut self, properties: &[PropertyId], effort: &Effort) -> Symbolic {
        let checked = ctl::decide(self.verifier, Subject::default(), properties, effort);
        checked.outcomes.into_iter().for_each(|outcome| self.note(outcome));
        checked.symbolic
    }

    /// Has the other engines try what is open.
    pub(crate) fn engines(&mut self, conflicts: Option<u64>) {
        let open = self.open(|property| !self.found.contains_key(&property) || self.may_go_on(property));
        let (live, open): (Vec<PropertyId>, Vec<PropertyId>) =
            open.into_iter().partition(|property| self.is_liveness(*property));
        let edits = Edits::none();
        let mut rounds = None;
        if conflicts.is_none() && !live.is_empty() {
            let mut first = Rounds::new(self.verifier, &live, &edits, self);
            if !open.is_empty() {
                first.first(self.verifier, self);
            }
            rounds = Some(first);
        }
        let refuted = if conflicts.is_none() { self.glance(&open, &edits) } else { Vec::new() };
        let open: Vec<PropertyId> = open.into_iter().filter(|property| self.is_open(*property)).collect();
        if !open.is_empty() {
            let mut limits = self.verifier.limits.clone();
            if let Some(conflicts) = conflicts {
                limits.conflicts = Some(limits.conflicts.map_or(conflicts, |own| own.min(conflicts)));
                limits.deadline = part_of_time(&limits, 1, 2);
            } else if rounds.as_ref().is_some_and(|rounds| !rounds.is_empty()) {
                limits.deadline = part_of_time(&limits, 1, 2);
            }
            let verifier = self.verifier.with_limits(limits);
            let holding = invariants::decide(&verifier, &open, self);
            self.holding = holding.or(self.holding.take());
        }
        // What others refute by a shorter run stays as they have it.
        for outcome in refuted {
            if self.is_open(outcome.property) {
                self.note(outcome);
            }
        }
        if let Some(rounds) = rounds {
            rounds.finish(self.verifier, self);
        }
    }

    /// Has decision diagrams look at `G p`, which is an invariant for the other engines. What they prove is noted, and what they refute is returned.
    fn glance(&mut self, open: &[PropertyId], edits: &Edits) -> Vec<Outcome> {
        let system = self.verifier.system;
        let linear: Vec<PropertyId> =
            open.iter().copied().filter(|property| liveness::is_liveness(system, *property)).collect();
        if linear.is_empty() || !matches!(self.verifier.options.engine, EngineChoice::Portfolio) {
            return Vec::new();
        }
        let found = Rounds::new(self.verifier, &linear, edits, self).glance(self.verifier);
        let (proved, refuted): (Vec<Outcome>, Vec<Outcome>) =
            found.into_iter().partition(|outcome| !outcome.answer.is_falsified());
        proved.into_iter().for_each(|outcome| self.note(outcome));
        refuted
    }

    pub(crate) fn note(&mut self, mut outcome: Outcome) {
        match self.found.get(&outcome.property).or_else(|| self.earlier.get(&outcome.property)) {
            // A second try that knows no better than the first says less about why.
            Some(earlier) if outcome.is_open() && !earlier.is_open() => return,
            Some(earlier) => outcome.add_attempt(earlier),
            None => {}
        }
        if !outcome.is_open() {
            self.client.heard(&outcome);
        }
        self.found.insert(outcome.property, outcome);
    }

    /// All outcomes. Of those that stayed open somebody hears now.
    pub(crate) fn finish(mut self, symbolic: Option<Symbolic>) -> Verdicts {
        let mut outcomes: Vec<Outcome> = Vec::with_capacity(self.properties.len());
        for property in self.properties {
            let outcome = match self.found.remove(property) {
                Some(outcome) => {
                    if outcome.is_open() {
                        self.client.heard(&outcome);
                    }
                    outcome
                }
                // It may have been asked about twice.
                None => {
                    let before = outcomes.iter().find(|outcome| outcome.property == *property).cloned();
                    before.unwrap_or_else(|| Outcome::unknown(*property, UnknownReason::Cancelled))
                }
            };
            outcomes.push(outcome);
        }
        Verdicts { outcomes, symbolic, holding: self.holding }
    }
}
