//! Claims of earlier runs, believed only after their evidence was accepted again: a file is no authority.
//!
//! Runs are replayed, many at once. A proof is checked on all mutants that it is said to be about, in one query where that is possible. What a claim says is all that
//! is asked for: that a mutant has no effect is not a matter of findings, and needs a proof of its own ([`difference`](crate::difference)).
//!
//! **How long.** A file may say that a proof is an induction over a thousand steps, and to find out that it is wrong, or right, may take hours. So proofs are checked in
//! the order of their size, and as long as more time goes into those that are accepted than into others: what is spent in vain is at most what was spent well, and an
//! *allowance* besides, which the caller makes as long as similar proofs took. What there is no time for is postponed. That is no verdict: nothing is ever called
//! rejected because time ran out.

use propcov_budget::Budget;
use propcov_certify::{Family, Rejection, check_kills, check_proof, check_suite, check_trace};
use propcov_ir::{Edits, Finding, Kill, Mutant, Proof, PropertyId, Status, Stimulus, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many runs are replayed before the clock is looked at.
const BATCH: usize = 1024;

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its evidence was accepted.
    Accepted,
    /// Its evidence shows something else, or nothing.
    Rejected,
    /// There was no time to find out.
    Postponed,
}

/// Checks claims about mutants and one property.
pub struct Recheck<'a> {
    /// The design.
    pub system: &'a System,
    /// The property, an invariant.
    pub property: PropertyId,
    /// Until when.
    pub limits: &'a Budget,
    /// What may be spent in vain.
    pub allowance: Duration,
}

impl Recheck<'_> {
    /// The standing of each of the claims.
    pub fn each(&self, claims: &[&Finding]) -> Vec<Standing> {
        let mut standings = vec![Standing::Rejected; claims.len()];
        self.kills(claims, &mut standings);
        self.survivors(claims, &mut standings);
        standings
    }

    /// For each mutant that there are claims about, the first one that is accepted: others are looked at only where those before were not. `None` for claims
    /// that nobody had to look at.
    pub fn first(&self, claims: &[&Finding]) -> Vec<Option<Standing>> {
        let mut waiting: FxHashMap<Mutant, std::vec::IntoIter<usize>> = FxHashMap::default();
        let mut lists: FxHashMap<Mutant, Vec<usize>> = FxHashMap::default();
        for (at, claim) in claims.iter().enumerate() {
            lists.entry(claim.mutant).or_default().push(at);
        }
        waiting.extend(lists.into_iter().map(|(mutant, list)| (mutant, list.into_iter())));
        let mut standings = vec![None; claims.len()];
        loop {
            let mut round: Vec<usize> = waiting.values_mut().filter_map(Iterator::next).collect();
            if round.is_empty() {
                return standings;
            }
            round.sort_unstable();
            let asked: Vec<&Finding> = round.iter().map(|at| claims[*at]).collect();
            for (at, standing) in round.iter().zip(self.each(&asked)) {
                standings[*at] = Some(standing);
                if standing == Standing::Accepted {
                    waiting.remove(&claims[*at].mutant);
                }
            }
        }
    }

    /// Runs are replayed.
    fn kills(&self, claims: &[&Finding], standings: &mut [Standing]) {
        let killed = claims.iter().enumerate().filter_map(|(at, finding)| match &finding.status {
            Status::Covered(kill) => Some((at, finding.mutant, kill.as_ref())),
            _ => None,
        });
        let killed: Vec<(usize, Mutant, &Kill)> = killed.collect();
        for batch in killed.chunks(BATCH) {
            if self.limits.is_exhausted() {
                batch.iter().for_each(|(at, ..)| standings[*at] = Standing::Postponed);
                continue;
            }
            let kills: Vec<(Mutant, &Kill)> =
                batch.iter().map(|(_, mutant, kill)| (*mutant, *kill)).collect();
            let answers = check_kills(self.system, self.property, &kills);
            for ((at, ..), answer) in batch.iter().zip(answers) {
                standings[*at] = standing(&answer);
            }
        }
    }

    /// What one proof shows for many mutants is checked for all of them at once.
    fn survivors(&self, claims: &[&Finding], standings: &mut [Standing]) {
        let mut positions: FxHashMap<usize, usize> = FxHashMap::default();
        let mut groups: Vec<(&Arc<Proof>, Vec<usize>)> = Vec::new();
        for (at, finding) in claims.iter().enumerate() {
            if let Status::Uncovered(proof) | Status::NoEffect(proof) = &finding.status {
                let next = groups.len();
                let position = *positions.entry(Arc::as_ptr(proof).addr()).or_insert(next);
                if position == next {
                    groups.push((proof, Vec::new()));
                }
                groups[position].1.push(at);
            }
        }
        // The shortest first: what others cost is known then.
        groups.sort_by_key(|(proof, _)| (proof.k, proof.simple_path, proof.invariant.lemmas.len()));
        let all: Vec<Mutant> =
            groups.iter().flat_map(|(_, group)| group.iter().map(|at| claims[*at].mutant)).collect();
        let Ok(mut family) = Family::new(self.system, self.property, &all) else { return };
        let (mut well, mut in_vain) = (Duration::ZERO, Duration::ZERO);
        for (proof, group) in &groups {
            let start = Instant::now();
            let patience = self.allowance.saturating_add(well).saturating_sub(in_vain);
            let limits = within(self.limits, start, patience);
            let members: Vec<Mutant> = group.iter().map(|at| claims[*at].mutant).collect();
            let (mut accepted, mut undecided) = (FxHashSet::default(), FxHashSet::default());
            if limits.is_exhausted() {
                undecided.extend(members);
            } else {
                let examined = family.examine(proof, &members, &limits);
                accepted.extend(examined.accepted);
                undecided.extend(examined.undecided);
            }
            for at in group {
                let mutant = claims[*at].mutant;
                standings[*at] = match (accepted.contains(&mutant), undecided.contains(&mutant)) {
                    (true, _) => Standing::Accepted,
                    (false, true) => Standing::Postponed,
                    (false, false) => Standing::Rejected,
                };
            }
            let spent = if accepted.is_empty() { &mut in_vain } else { &mut well };
            *spent += start.elapsed();
        }
    }
}

/// Whether a proof proves a property of the design as written. It is given so much time.
pub fn recheck_proof(
    system: &System,
    property: PropertyId,
    proof: &Proof,
    limits: &Budget,
    patience: Duration,
) -> Standing {
    let limits = within(limits, Instant::now(), patience);
    if limits.is_exhausted() {
        return Standing::Postponed;
    }
    standing(&check_proof(system, &Edits::none(), property, proof, &limits))
}

/// As [`recheck_proof`] of each, but what proofs have in common is looked at once; it takes as long as it takes.
pub fn recheck_proofs(system: &System, proofs: &[(PropertyId, &Proof)], limits: &Budget) -> Vec<Standing> {
    match check_suite(system, &Edits::none(), proofs, limits) {
        Ok(answers) => answers.iter().map(standing).collect(),
        Err(rejection) => vec![standing(&Err(rejection)); proofs.len()],
    }
}

/// Whether a run of the design as written, given by its choices, violates a property in its last step.
pub fn recheck_violation(system: &System, property: PropertyId, run: &Stimulus, steps: usize) -> Standing {
    match run.trace(system, steps) {
        Ok(trace) => standing(&check_trace(system, &Edits::none(), property, &trace)),
        Err(_) => Standing::Rejected,
    }
}

fn standing(answer: &Result<(), Rejection>) -> Standing {
    match answer {
        Ok(()) => Standing::Accepted,
        Err(Rejection::Undecided) => Standing::Postponed,
        Err(_) => Standing::Rejected,
    }
}

/// The limits, and no longer than that.
fn within(limits: &Budget, start: Instant, patience: Duration) -> Budget {
    let end = start.checked_add(patience);
    Budget { deadline: [limits.deadline, end].into_iter().flatten().min(), ..limits.clone() }
}
