//! What all methods share: who is undecided, when to stop, and that nothing is found without accepted evidence.

use super::{Options, Outcome, Target};
use propcov_budget::{Budget, Effort};
use propcov_certify::{self as certify, Rejection};
use propcov_engine::finite::{Arrays, UNDECIDED_BY_ARRAYS};
use propcov_engine::{Limits, Stats};
use propcov_ir::{Finding, Kill, Mutant, Mutation, PropertyId, Status, Stimulus, System, UnknownReason};
use propcov_result::ELSEWHERE;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

/// Who is told of findings while they are made. Must be cheap.
pub trait Listener: Sync {
    /// Mutants of one property were decided, all at once; their evidence has been accepted.
    fn found(&self, findings: &[Finding]);
    /// A technique is at work on a property.
    fn progress(&self, property: PropertyId, technique: &'static str, decided: usize, total: usize);
}

/// Nobody listens.
pub struct Silent;

impl Listener for Silent {
    fn found(&self, _: &[Finding]) {}
    fn progress(&self, _: PropertyId, _: &'static str, _: usize, _: usize) {}
}

/// What a search for one mutant is worth at least before it is given up on, in ticks (some seconds), and how many times the proof.
pub(super) const MOST: u64 = 40_000_000;
pub(super) const MOST_PROOFS: u64 = 4;

/// How many stimuli are kept.
const STIMULI: usize = 256;

/// The state of a run.
pub(crate) struct Session<'a> {
    pub(crate) system: &'a System,
    pub(crate) targets: &'a [Target],
    pub(crate) mutants: &'a [Mutant],
    pub(crate) options: &'a Options,
    pub(crate) stats: Stats,
    listener: &'a dyn Listener,
    /// For each target and mutant.
    findings: Vec<Vec<Option<Finding>>>,
    decided: usize,
    /// Why some will never be decided.
    reasons: FxHashMap<(usize, usize), UnknownReason>,
    certifiers: Vec<Option<certify::Family<'a>>>,
    /// Where a mutant is in the list.
    position_of: FxHashMap<Mutant, usize>,
    /// What killed somebody: tried on the mutants of all properties that come later.
    stimuli: Vec<Arc<Stimulus>>,
    internal_errors: Vec<String>,
    /// Some mutants were given up on because they took more than the effort allows.
    pub(crate) out_of_effort: bool,
    /// How arrays are represented.
    pub(crate) arrays: Arrays,
    /// What nothing can be said about as long as arrays are represented so.
    passed_over: FxHashSet<(usize, usize)>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        system: &'a System,
        targets: &'a [Target],
        mutants: &'a [Mutant],
        known: &[Finding],
        options: &'a Options,
        listener: &'a dyn Listener,
    ) -> Session<'a> {
        let position_of: FxHashMap<Mutant, usize> =
            mutants.iter().enumerate().map(|(position, mutant)| (*mutant, position)).collect();
        let mut session = Session {
            system,
            targets,
            mutants,
            options,
            stats: Stats::default(),
            listener,
            findings: targets.iter().map(|_| vec![None; mutants.len()]).collect(),
            decided: 0,
            reasons: FxHashMap::default(),
            certifiers: targets.iter().map(|_| None).collect(),
            stimuli: options.advice.stimuli.iter().take(STIMULI).cloned().collect(),
            position_of,
            internal_errors: Vec::new(),
            out_of_effort: false,
            arrays: Arrays::default(),
            passed_over: FxHashSet::default(),
        };
        for finding in known.iter().filter(|finding| !matches!(finding.status, Status::Unknown(_))) {
            let target = targets.iter().position(|target| target.property == finding.property);
            if let (Some(target), Some(&mutant)) = (target, session.position_of.get(&finding.mutant))
                && targets[target].counts(&finding.status)
            {
                if let Status::Covered(kill) = &finding.status {
                    session.remember(kill);
                }
                session.decided += usize::from(session.findings[target][mutant].is_none());
                session.findings[target][mutant] = Some(finding.clone());
            }
        }
        session
    }

    /// Positions of the mutants that are undecided for a target, and not left to others.
    pub(crate) fn undecided(&self, target: usize) -> Vec<usize> {
        (0..self.mutants.len()).filter(|mutant| !self.is_decided(target, *mutant)).collect()
    }

    /// Whether there is nothing left to find out here.
    pub(crate) fn is_decided(&self, target: usize, mutant: usize) -> bool {
        self.findings[target][mutant].is_some()
            || self.is_elsewhere(target, mutant)
            || self.passed_over.contains(&(target, mutant))
    }

    /// Nothing can be said about a mutant with arrays as they are represented now: a run that kills it is none of the design.
    pub(crate) fn pass_over(&mut self, target: usize, mutant: usize) {
        self.passed_over.insert((target, mutant));
    }

    /// From now on, arrays are represented so, and those that were passed over are looked at again.
    pub(crate) fn look_again(&mut self, arrays: Arrays) {
        self.arrays = arrays;
        self.passed_over.clear();
        self.reasons.retain(|_, reason| !matches!(reason, UnknownReason::Incomplete(_)));
    }

    /// Says of those that were passed over why there is no answer.
    pub(crate) fn leave_to_memories(&mut self) {
        let passed_over = std::mem::take(&mut self.passed_over);
        let reason = || UnknownReason::Incomplete(UNDECIDED_BY_ARRAYS.to_owned());
        self.reasons.extend(passed_over.into_iter().map(|at| (at, reason())));
    }

    /// What is known of a mutant.
    pub(crate) fn status(&self, target: usize, mutant: usize) -> Option<&Status> {
        self.findings[target][mutant].as_ref().map(|finding| &finding.status)
    }

    fn is_elsewhere(&self, target: usize, mutant: usize) -> bool {
        let elsewhere = &self.options.elsewhere;
        !elsewhere.is_empty() && elsewhere.contains(&(self.targets[target].property, self.mutants[mutant]))
    }

    /// The mutant of the same element that is mutated in another way, if it is in the list and undecided.
    pub(crate) fn undecided_sibling(
        &self,
        target: usize,
        mutant: usize,
        mutation: Mutation,
    ) -> Option<usize> {
        let sibling = Mutant { mutation, ..self.mutants[mutant] };
        self.position_of.get(&sibling).copied().filter(|sibling| !self.is_decided(target, *sibling))
    }

    /// Records findings whose evidence was accepted.
    pub(crate) fn decide(
        &mut self,
        target: usize,
        decided: impl IntoIterator<Item = (usize, Status)>,
        by: &'static str,
    ) {
        let mut findings = Vec::new();
        for (mutant, status) in decided {
            if self.findings[target][mutant].is_some() {
                continue;
            }
            if let Status::Covered(kill) = &status {
                self.remember(kill);
            }
            let finding = Finding {
                property: self.targets[target].property,
                mutant: self.mutants[mutant],
                status,
                by: Cow::Borrowed(by),
            };
            self.decided += 1;
            self.findings[target][mutant] = Some(finding.clone());
            findings.push(finding);
        }
        if !findings.is_empty() {
            self.listener.found(&findings);
        }
    }

    /// Keeps a stimulus that killed somebody, unless it is the last one kept or there are many already.
    fn remember(&mut self, kill: &Kill) {
        let is_last = self.stimuli.last().is_some_and(|last| Arc::ptr_eq(last, &kill.stimulus));
        if !is_last && self.stimuli.len() < STIMULI {
            self.stimuli.push(Arc::clone(&kill.stimulus));
        }
    }

    /// Stimuli that killed mutants, for this property or others.
    pub(crate) fn stimuli(&self) -> Vec<Arc<Stimulus>> {
        self.stimuli.clone()
    }

    pub(crate) fn progress(&self, target: usize, technique: &'static str) {
        let total = self.targets.len() * self.mutants.len();
        self.listener.progress(self.targets[target].property, technique, self.decided, total);
    }

    /// Notes a bug: evidence that was not accepted.
    pub(crate) fn reject(&mut self, target: usize, mutant: usize, by: &str, why: &str) {
        // What is read from a memory is guessed, and may have been something else; and a proof may need the whole of it.
        if self.arrays.watch(self.system) {
            self.stats.count("claims about memories that were not accepted", 1);
            return;
        }
        let mutated = self.mutants[mutant];
        self.internal_errors.push(format!(
            "{}, {} of {}: evidence of {by} rejected: {why}",
            self.system.property(self.targets[target].property).name,
            mutated.mutation.name(),
            self.system.element(mutated.element).name,
        ));
    }

    /// Notes that nothing can be said about a property's mutants.
    pub(crate) fn give_up(&mut self, target: usize, why: &str) {
        let reason = UnknownReason::Unsupported(why.to_owned());
        for mutant in self.undecided(target) {
            self.give_up_on(target, mutant, reason.clone());
        }
    }

    /// Notes that nothing can be said about one mutant.
    pub(crate) fn give_up_on(&mut self, target: usize, mutant: usize, reason: UnknownReason) {
        self.reasons.insert((target, mutant), reason);
    }

    /// The independent checker of a property's mutants: made when it is first needed.
    pub(crate) fn certifier(&mut self, target: usize) -> Result<&mut certify::Family<'a>, Rejection> {
        if self.certifiers[target].is_none() {
            let property = self.targets[target].property;
            let undecided: Vec<Mutant> =
                self.undecided(target).into_iter().map(|mutant| self.mutants[mutant]).collect();
            self.certifiers[target] = Some(certify::Family::new(self.system, property, &undecided)?);
        }
        self.certifiers[target].as_mut().ok_or(Rejection::Undecided)
    }

    /// Whether the run has to end, or has decided as much as was asked for.
    pub(crate) fn is_over(&self) -> bool {
        let total = self.targets.len() * self.mutants.len();
        self.options.interrupt.is_raised()
            || self.options.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.options.accuracy.is_some_and(|share| self.decided as f64 >= share * total as f64)
    }

    /// What one query may spend.
    pub(crate) fn budget(&self) -> Budget {
        Budget { conflicts: None, deadline: self.options.deadline, interrupt: self.options.interrupt.clone() }
    }

    /// What one engine run may spend.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.deadline = self.options.deadline;
        limits.interrupt = self.options.interrupt.clone();
        limits
    }

    /// What a search for one mutant is worth, in ticks.
    pub(crate) fn worth(&self, target: usize) -> u64 {
        match self.options.effort {
            Effort::Default => MOST.max(self.targets[target].ticks.saturating_mul(MOST_PROOFS)),
            Effort::Max => u64::MAX,
        }
    }

    /// What all work on one mutant may spend.
    pub(crate) fn limits_of_one(&self, target: usize) -> Limits {
        self.limits().for_one(self.worth(target), None)
    }

    /// Notes that a search ended without an answer, though there was time.
    pub(crate) fn note_effort(&mut self) {
        self.out_of_effort |= self.options.effort == Effort::Default && !self.is_over();
    }

    /// Why a mutant is undecided in the end.
    fn reason_of(&self, target: usize, mutant: usize, general: &UnknownReason) -> UnknownReason {
        match self.reasons.get(&(target, mutant)) {
            Some(reason) => reason.clone(),
            None if self.is_elsewhere(target, mutant) => UnknownReason::Incomplete(ELSEWHERE.to_owned()),
            None => general.clone(),
        }
    }

    fn reason(&self) -> UnknownReason {
        if self.options.interrupt.is_out_of_memory() {
            UnknownReason::Memory
        } else if self.options.interrupt.is_cancelled() {
            UnknownReason::Cancelled
        } else if self.options.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            UnknownReason::Timeout
        } else if self.out_of_effort {
            UnknownReason::Incomplete("the default effort was used up".to_owned())
        } else {
            UnknownReason::Incomplete("not decided by the techniques chosen".to_owned())
        }
    }

    /// The result: what is undecided becomes unknown.
    pub(crate) fn finish(mut self) -> Outcome {
        let reason = self.reason();
        let mut findings = Vec::with_capacity(self.targets.len() * self.mutants.len());
        for (target, row) in std::mem::take(&mut self.findings).into_iter().enumerate() {
            for (mutant, finding) in row.into_iter().enumerate() {
                findings.push(finding.unwrap_or_else(|| Finding {
                    property: self.targets[target].property,
                    mutant: self.mutants[mutant],
                    status: Status::Unknown(self.reason_of(target, mutant, &reason)),
                    by: Cow::Borrowed(""),
                }));
            }
        }
        let Session { stats, out_of_effort, internal_errors, .. } = self;
        Outcome { findings, stats, out_of_effort, internal_errors }
    }
}
