//! An old invariant for a design that has changed: IC3 starts from the lemmas of proofs that are no longer accepted, and keeps those that still hold. Most edits break a few.

use super::Advice;
use super::family::Family;
use propcov_budget::Budget;
use propcov_certify::check_proof;
use propcov_engine::finite::{Arrays, ic3};
use propcov_engine::{Limits, Silent, Stats};
use propcov_ir::{Edits, Invariant, Proof, PropertyId, System, Verdict};

/// What IC3 may spend, in solver ticks: seconds. After that other engines should have a chance.
const TICKS: u64 = 40_000_000;

/// A proof of the property, made from what is known of others. It was accepted by the independent checker.
pub fn renew(
    system: &System,
    property: PropertyId,
    advice: &Advice,
    limits: &Limits,
    seed: u64,
    stats: &mut Stats,
) -> Option<Proof> {
    if advice.proofs.is_empty() {
        return None;
    }
    let family =
        Family::new(system, property, &Invariant::default(), &advice.proofs, &[], &[], Arrays::default())
            .ok()?;
    let warm = family.literals_of(&family.advised());
    if warm.is_empty() {
        return None;
    }
    let mut limited = limits.clone();
    limited.interrupt = limits.interrupt.child();
    limited.interrupt.limit_ticks(TICKS.min(limits.interrupt.tick_limit()));
    let config = ic3::Config { seed, warm, ..ic3::Config::default() };
    let (answer, _) = ic3::run(&family.problem, &config, &limited, &Silent, stats);
    let Verdict::Proved(proof) = family.problem.conclude(answer) else { return None };
    let budget = Budget { conflicts: None, deadline: limits.deadline, interrupt: limits.interrupt.clone() };
    check_proof(system, &Edits::none(), property, &proof, &budget).ok()?;
    Some(proof)
}
