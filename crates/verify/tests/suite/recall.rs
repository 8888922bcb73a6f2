//! Proofs of earlier runs: tried first, believed only after a check, and never called wrong because there was no time.

use super::systems::{EQUAL, LOW, hard_and_easy, verifier, within};
use propcov_engine::Limits;
use propcov_ir::{ElementSet, Proof, PropertyId, UnknownReason};
use propcov_verify::{Known, Outcome, Recall};
use std::sync::Arc;
use std::time::Duration;

/// That a property is inductive by itself.
fn known(property: PropertyId) -> Known {
    let proof = Proof { invariant: Default::default(), k: 1, simple_path: false, core: ElementSet::new() };
    Known { property, proof: Arc::new(proof), engine: Some("ic3"), depth: Some(7), seconds: Some(2.5) }
}

/// One step of a counter that is not where the proof says it stays.
const TOGGLE: &str = "1 sort bitvec 1\n2 zero 1\n3 state 1 s\n4 init 1 3 2\n5 next 1 3 -3\n6 bad 3 low\n";

fn decide(known: &[Known], property: PropertyId, limits: Limits) -> Outcome {
    let design = hard_and_easy();
    let verifier = verifier(&design.system, limits).with_known(known);
    let mut heard = 0;
    let mut verdicts = verifier.decide(&[property], &mut |_| heard += 1);
    assert_eq!(heard, 1);
    verdicts.outcomes.pop().expect("one property")
}

#[test]
fn a_proof_that_is_accepted_is_the_verdict_with_what_it_took_then() {
    let outcome = decide(&[known(LOW)], LOW, Limits::default());
    assert!(outcome.answer.is_proved() && outcome.certified);
    assert_eq!(outcome.recall, Some(Recall::Accepted));
    assert_eq!((outcome.engine, outcome.depth, outcome.seconds), (Some("ic3"), Some(7), 2.5));
}

#[test]
fn a_proof_that_is_rejected_is_no_verdict_and_no_bug_and_the_property_is_decided_anew() {
    let design = super::systems::design("toggle.btor2", TOGGLE);
    let known = [known(PropertyId(0))];
    let verifier = verifier(&design.system, Limits::default()).with_known(&known);
    let mut verdicts = verifier.decide(&[PropertyId(0)], &mut |_| ());
    let outcome = verdicts.outcomes.pop().expect("one property");
    assert!(outcome.answer.is_falsified() && outcome.certified && outcome.internal_errors.is_empty());
    assert!(matches!(outcome.recall, Some(Recall::Rejected(_))), "{:?}", outcome.recall);
}

#[test]
fn a_proof_that_there_is_no_time_to_check_is_not_called_wrong() {
    let interrupted = Limits::default();
    interrupted.interrupt.raise();
    for (limits, expected) in
        [(within(Duration::ZERO), UnknownReason::Timeout), (interrupted, UnknownReason::Cancelled)]
    {
        for property in [EQUAL, LOW] {
            let outcome = decide(&[known(property)], property, limits.clone());
            assert_eq!(outcome.recall, Some(Recall::Postponed));
            assert_eq!(outcome.answer.reason(), Some(&expected));
            assert!(!outcome.certified && outcome.internal_errors.is_empty());
        }
    }
}

#[test]
fn the_first_proof_that_is_accepted_counts() {
    let mut wrong = known(LOW);
    wrong.proof = Arc::new(Proof { k: 0, ..Proof::clone(&wrong.proof) });
    let outcome = decide(&[wrong, known(LOW)], LOW, Limits::default());
    assert!(outcome.answer.is_proved());
    assert_eq!(outcome.recall, Some(Recall::Accepted));
}
