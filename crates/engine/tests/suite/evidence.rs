//! What an engine says is compared with the oracle, and its evidence is checked.

use propcov_budget::Budget;
use propcov_certify::{Rejection, check_proof, check_trace};
use propcov_engine::Report;
use propcov_ir::{Edits, Node, Proof, PropertyId, System, UnknownReason, Verdict};
use propcov_testkit::Outcome;

/// Compares a verdict with the oracle's and has its evidence checked.
pub(crate) fn judge(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    report: &Report,
    expected: &Outcome,
    budget: &Budget,
) -> Result<(), String> {
    let fail = |what: String| Err(format!("{}, {}: {what}", report.engine, system.property(property).name));
    match (&report.verdict, expected) {
        (Verdict::Proved(proof), Outcome::Holds { .. }) => {
            check_proof(system, edits, property, proof, budget).or_else(|rejection| match rejection {
                // Without a limit there is always an answer.
                Rejection::Undecided if budget.conflicts.is_some() => Ok(()),
                rejection => fail(format!("proof rejected: {rejection}")),
            })
        }
        (Verdict::Falsified(trace), Outcome::Violated { depth }) => {
            if trace.depth() < *depth {
                return fail(format!("trace of {} transitions, the shortest has {depth}", trace.depth()));
            }
            if report.engine == "bmc" && trace.depth() > *depth {
                return fail(format!("trace of {} transitions is not shortest ({depth})", trace.depth()));
            }
            check_trace(system, edits, property, trace)
                .or_else(|rejection| fail(format!("trace rejected: {rejection}")))
        }
        (Verdict::Unknown(UnknownReason::Bounded(bound)), Outcome::Violated { depth })
            if *bound as usize >= *depth =>
        {
            fail(format!("claims no violation up to {bound}, there is one at {depth}"))
        }
        (Verdict::Unknown(UnknownReason::Bounded(_) | UnknownReason::Incomplete(_)), _) => Ok(()),
        (_, expected) => fail(format!("found {}, the oracle {expected:?}", describe(system, report))),
    }
}

/// Everything about a report that a user could see.
pub(crate) fn describe(system: &System, report: &Report) -> String {
    match &report.verdict {
        Verdict::Proved(proof) => {
            format!("{}: k = {}, {:?}", report.engine, proof.k, show(system, proof))
        }
        verdict => format!("{}: {verdict:?}", report.engine),
    }
}

fn show(system: &System, proof: &Proof) -> Vec<String> {
    let mut pool = system.clone();
    let mut cache = rustc_hash::FxHashMap::default();
    let lemmas = proof.invariant.lemmas.iter().map(|lemma| {
        let copy =
            pool.exprs.import(&proof.invariant.exprs, *lemma, &mut cache, |pool, node, sort| match node {
                Node::Signal(signal) => pool.signal(*signal, sort.clone()),
                _ => unreachable!("lemmas are about one step"),
            });
        pool.show(copy).to_string()
    });
    lemmas.collect()
}
