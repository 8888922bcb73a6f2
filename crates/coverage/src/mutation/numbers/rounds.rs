//! The rest: all engines on each mutant that is left, in rounds of growing effort, and in between what costs less for all of them together.
//!
//! A round has so much work for each mutant, in solver ticks; the next one four times as much. What one search proves is tried on all others at once: its lemmas whole, by family induction,
//! and at the end of the round in part, by repair. Then family BMC goes deeper.

use super::Pursuit;
use crate::mutation::Technique;
use crate::mutation::session::Session;
use propcov_engine::Silent;
use propcov_engine::infinite::portfolio;
use propcov_ir::{Kill, UnknownReason, Verdict};

/// The work of a search in the first round: the half of what the proof took, and so many ticks at least.
const LEAST: u64 = 400_000;
/// From round to round so many times as much.
const GROWTH: u64 = 4;
/// Family BMC has the effort of so many searches.
const BMC_SEARCHES: u64 = 4;
/// Nobody looks deeper.
const DEEPEST: usize = 400;

/// Rounds, until nobody is left or the effort is used up.
pub(super) fn run(session: &mut Session<'_>, pursuits: &mut [Pursuit<'_>], techniques: &[Technique]) {
    let mut open: Vec<usize> = (0..pursuits.len()).collect();
    let mut factor: u64 = 1;
    while !open.is_empty() {
        open.retain(|at| !session.is_over() && round(session, &mut pursuits[*at], techniques, factor));
        factor = factor.saturating_mul(GROWTH);
    }
}

/// One round for the mutants of one property. Whether another one makes sense.
fn round(
    session: &mut Session<'_>,
    pursuit: &mut Pursuit<'_>,
    techniques: &[Technique],
    factor: u64,
) -> bool {
    let has = |technique: Technique| techniques.contains(&technique);
    let left = pursuit.undecided(session);
    if left.is_empty() {
        return false;
    }
    let unit = (session.targets[pursuit.target].ticks / 2).max(LEAST);
    let ticks = unit.saturating_mul(factor);
    if ticks > session.worth(pursuit.target) && factor > 1 {
        session.out_of_effort = true;
        return false;
    }
    if let Some(bound) = pursuit.bound {
        if !has(Technique::FamilyBmc) {
            return false;
        }
        let all = ticks.saturating_mul(left.len() as u64);
        if pursuit.bmc(session, bound as usize + 1, all) {
            let ground = session.targets[pursuit.target].ground.clone();
            let left = pursuit.undecided(session);
            session.survive(pursuit.target, &left, &ground, Technique::FamilyBmc.name());
            return false;
        }
        return !session.is_over();
    }
    if !has(Technique::Ic3) {
        return false;
    }
    let known = pursuit.family.lemma_count();
    for member in left {
        if session.is_over() {
            return false;
        }
        if !session.is_decided(pursuit.target, member) && !pursuit.hopeless.contains(&member) {
            search(session, pursuit, member, ticks);
        }
    }
    if has(Technique::Repair) && pursuit.family.lemma_count() > known {
        pursuit.repair(session);
    }
    if has(Technique::FamilyBmc) && pursuit.cleared < DEEPEST && !session.is_over() {
        pursuit.bmc(session, DEEPEST, ticks.saturating_mul(BMC_SEARCHES));
    }
    let left = pursuit.undecided(session);
    left.iter().any(|member| !pursuit.hopeless.contains(member))
}

/// All engines on one mutant.
fn search(session: &mut Session<'_>, pursuit: &mut Pursuit<'_>, member: usize, ticks: u64) {
    session.progress(pursuit.target, Technique::Ic3.name());
    let (system, mutant) = (session.system, session.mutants[member]);
    let edits = mutant.edits(system);
    let limits = pursuit.limits(session, ticks);
    let advice = pursuit.family.advice();
    let together = portfolio::check_with(system, &edits, &[pursuit.property], &advice, &limits, &Silent);
    session.stats.merge(&together.stats);
    let Some(settled) = together.settled.into_iter().next() else { return };
    match settled.verdict {
        Verdict::Proved(proof) => pursuit.proved(session, &[member], proof, Technique::Ic3),
        Verdict::Falsified(trace) => {
            let kill = Kill::of(system, mutant, &trace);
            pursuit.killed(session, member, kill, Technique::Ic3);
        }
        Verdict::Unknown(reason @ (UnknownReason::Unsupported(_) | UnknownReason::Incomplete(_))) => {
            pursuit.hopeless.insert(member);
            session.give_up_on(pursuit.target, member, reason);
        }
        Verdict::Unknown(_) => {}
    }
}
