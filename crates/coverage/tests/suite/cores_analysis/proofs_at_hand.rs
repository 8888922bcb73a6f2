//! Proofs that did not pass through the search for cores: recalled from an earlier run, or checked by somebody else. Its cores are the same.

use super::ask::{Log, Question, check_found, options};
use super::oracle::Truth;
use super::systems::is_decided;
use propcov_coverage::cores::{self, Analysis, Goal, analyse, analyse_with};
use propcov_engine::Limits;
use propcov_ir::UnknownReason;
use propcov_testkit::{Scope, ValidityCase, for_random_arith_validity, for_random_validity};
use propcov_verify::{Client, Known, Outcome, Silent, Verifier};
use std::sync::Arc;

/// Wants nothing.
struct Nobody;

impl Client for Nobody {}

/// All minimal cores are asked for.
const WAY: (Goal, Option<cores::Algorithm>) = (Goal::All, None);

fn asked() -> cores::Options {
    let (goal, algorithm) = WAY;
    cores::Options {
        goal,
        algorithm,
        depth: None,
        threads: 1,
        together: false,
        check_time: None,
        part: cores::Part::Everything,
    }
}

fn is_as_it_should_be(case: &ValidityCase<'_>, analysis: &Analysis, log: &Log) -> Result<(), String> {
    let properties = [case.property];
    let question = Question { system: case.system, universe: case.universe, properties: &properties };
    let truth = Truth::of(&[case.truth], case.universe, Scope::Always);
    let cores = analysis.properties.first().ok_or("nothing about the property")?;
    question.check_holds(&truth, cores, None)?;
    if truth.holds() { check_found(&truth, WAY, cores, log) } else { Ok(()) }
}

fn proofs_of_others_have_the_same_cores(case: &ValidityCase<'_>) -> Result<(), String> {
    if !is_decided(case.system, case.property, case.truth) {
        return Ok(());
    }
    let properties = [case.property];
    let verifier = Verifier::new(
        case.system,
        propcov_verify::Options::default(),
        options(WAY, case.seed).limits,
        &Silent,
    );
    let outcomes = verifier.prove(&properties, &mut Nobody).outcomes;

    // Nobody asked the client anything.
    let log = Log::default();
    let at_hand = analyse_with(&verifier, case.universe, &properties, &asked(), &log, |_| outcomes.clone());
    is_as_it_should_be(case, &at_hand, &log).map_err(|problem| format!("at hand: {problem}"))?;

    // Somebody else had them checked.
    let log = Log::default();
    let checked = analyse_with(&verifier, case.universe, &properties, &asked(), &log, |client| {
        let outcomes = verifier.prove(&properties, &mut Nobody).outcomes;
        client.work(&outcomes, verifier.limits());
        outcomes
    });
    is_as_it_should_be(case, &checked, &log).map_err(|problem| format!("checked by others: {problem}"))?;

    // An earlier run had found them.
    let known = |outcome: &Outcome| {
        let proof = Arc::new(outcome.answer.proof()?.clone());
        Some(Known { property: outcome.property, proof, engine: None, depth: None, seconds: None })
    };
    let known: Vec<Known> = outcomes.iter().filter_map(known).collect();
    let verifier = verifier.with_known(&known);
    let log = Log::default();
    let recalled = analyse(&verifier, case.universe, &properties, &asked(), &log);
    is_as_it_should_be(case, &recalled, &log).map_err(|problem| format!("recalled: {problem}"))
}

#[test]
fn proofs_of_others_about_finite_systems_have_the_same_cores() {
    for_random_validity(40, 1_080_000, proofs_of_others_have_the_same_cores);
}

#[test]
fn proofs_of_others_about_systems_with_ints_have_the_same_cores() {
    for_random_arith_validity(10, 1_090_000, proofs_of_others_have_the_same_cores);
}

/// A property that somebody has proved holds, also where there is no time to look for its cores.
#[test]
fn a_proof_at_hand_stays_one_when_the_time_is_up() {
    for_random_validity(10, 1_095_000, |case| {
        let properties = [case.property];
        let whole =
            Verifier::new(case.system, propcov_verify::Options::default(), Limits::default(), &Silent);
        let outcomes = whole.prove(&properties, &mut Nobody).outcomes;
        if !outcomes[0].answer.is_proved() {
            return Ok(());
        }
        let limits = Limits::default();
        limits.interrupt.raise();
        let hurried = Verifier::new(case.system, propcov_verify::Options::default(), limits, &Silent);
        let analysis =
            analyse_with(&hurried, case.universe, &properties, &asked(), &Log::default(), |_| outcomes);
        let cores = &analysis.properties[0];
        if !cores.outcome.answer.is_proved() || !cores.outcome.internal_errors.is_empty() {
            return Err(format!("it is not proved any more: {:?}", cores.outcome.answer));
        }
        let is_stopped =
            |reason: &UnknownReason| matches!(reason, UnknownReason::Cancelled | UnknownReason::Timeout);
        if !cores.found.complete && !cores.found.stopped {
            return Err("it claims to have come to an end".to_owned());
        }
        match cores.found.undecided.iter().find(|(_, reason)| !is_stopped(reason)) {
            Some((_, reason)) => Err(format!("undecided for another reason: {reason}")),
            None => Ok(()),
        }
    });
}
