//! Clients that help with proofs: what they say is certified like what engines say.

use super::systems::{LOW, hard_and_easy, verifier};
use propcov_engine::{Limits, Stats};
use propcov_ir::{ElementSet, Invariant, Proof, PropertyId, Trace, UnknownReason, Verdict};
use propcov_verify::{Client, Outcome};

/// Says what it is told to say.
struct Told {
    verdict: Option<Verdict>,
    check: Option<Result<(), UnknownReason>>,
    checked: usize,
}

impl Client for Told {
    fn attempt(&mut self, _: PropertyId, _: &Limits, _: &mut Stats) -> Option<(Verdict, &'static str)> {
        self.verdict.take().map(|verdict| (verdict, "hearsay"))
    }

    fn check(&mut self, _: PropertyId, _: &Proof, _: u64) -> Option<Result<(), UnknownReason>> {
        self.checked += 1;
        self.check.clone()
    }
}

fn ask(verdict: Option<Verdict>, check: Option<Result<(), UnknownReason>>) -> (Outcome, usize) {
    let design = hard_and_easy();
    let mut client = Told { verdict, check, checked: 0 };
    let mut verdicts = verifier(&design.system, Limits::default()).prove(&[LOW], &mut client);
    (verdicts.outcomes.pop().expect("one property"), client.checked)
}

fn proof(k: u32) -> Verdict {
    let (invariant, core) = (Invariant::default(), ElementSet::new());
    Verdict::Proved(Proof { invariant: invariant.into(), k, simple_path: false, core })
}

#[test]
fn an_answer_that_is_right_is_certified() {
    let (outcome, checked) = ask(Some(proof(1)), None);
    assert!(outcome.answer.is_proved() && outcome.certified);
    assert_eq!((outcome.engine, checked), (Some("hearsay"), 1));
}

#[test]
fn an_answer_that_is_wrong_is_an_internal_error() {
    for wrong in [proof(0), Verdict::Falsified(Trace { steps: Vec::new() })] {
        let (outcome, _) = ask(Some(wrong), None);
        assert!(matches!(outcome.answer.reason(), Some(UnknownReason::NotCertified(_))), "{outcome:?}");
        assert!(!outcome.certified && outcome.internal_errors.len() == 1);
    }
}

#[test]
fn what_the_client_leaves_engines_decide_and_the_client_may_have_it_checked() {
    let (outcome, checked) = ask(None, Some(Ok(())));
    assert!(outcome.answer.is_proved() && outcome.engine != Some("hearsay") && checked == 1);
    let (outcome, _) = ask(None, Some(Err(UnknownReason::Conflicts)));
    assert_eq!(outcome.answer.reason(), Some(&UnknownReason::Conflicts));
    assert!(outcome.internal_errors.is_empty());
}

#[test]
fn a_reason_for_not_knowing_is_an_answer() {
    let (outcome, _) = ask(Some(Verdict::Unknown(UnknownReason::Bounded(4))), None);
    assert_eq!(outcome.answer.reason(), Some(&UnknownReason::Bounded(4)));
    assert_eq!(outcome.depth, Some(4));
}
