//! Exit codes, from results made by hand.

use crate::results::{fifo, finding, property, result, share};
use propcov_report::{ExitCode, exit_code};
use propcov_result::*;

fn checked(verdicts: &[Verdict]) -> RunResult {
    let mut result = result("check", "a.btor2", "btor2");
    result.properties = verdicts.iter().map(|verdict| property("p", *verdict)).collect();
    result
}

#[test]
fn the_worst_verdict_counts() {
    use Verdict::{Bounded, Falsified, Proved, Unknown};
    for (verdicts, code) in [
        (&[Proved, Proved][..], ExitCode::Good),
        (&[Proved, Unknown], ExitCode::Undecided),
        (&[Proved, Bounded], ExitCode::Undecided),
        (&[Unknown, Falsified, Proved], ExitCode::Failed),
        (&[], ExitCode::Undecided),
    ] {
        assert_eq!(exit_code(&checked(verdicts)), code, "{verdicts:?}");
    }
}

#[test]
fn verdicts_about_nothing_are_undecided() {
    let mut result = checked(&[Verdict::Proved]);
    result.gate.as_mut().expect("a gate").assumptions = Assumptions::Conflicting;
    assert_eq!(exit_code(&result), ExitCode::Undecided);
    let mut result = checked(&[Verdict::Proved]);
    let fairness = Fairness { start: Some(false), deadlock: None, constrained: true };
    result.gate.as_mut().expect("a gate").fairness = Some(fairness);
    assert_eq!(exit_code(&result), ExitCode::Undecided);
    result.gate.as_mut().expect("a gate").assumptions = Assumptions::Unknown;
    result.gate.as_mut().expect("a gate").fairness = None;
    assert_eq!(exit_code(&result), ExitCode::Good, "a proof is a proof");
}

#[test]
fn errors_outweigh_verdicts_and_bugs_outweigh_errors() {
    let mut result = checked(&[Verdict::Falsified]);
    let note = |kind| Note { kind, text: "text".to_owned(), place: None };
    result.notes = vec![note(NoteKind::Warning)];
    assert_eq!(exit_code(&result), ExitCode::Failed);
    result.notes.push(note(NoteKind::Error));
    assert_eq!(exit_code(&result), ExitCode::BadInput);
    result.run.internal_errors.push("crashed".to_owned());
    assert_eq!(exit_code(&result), ExitCode::Internal);
}

#[test]
fn what_was_left_undecided_as_asked_is_good() {
    let mut result = fifo();
    assert_eq!(exit_code(&result), ExitCode::Good);
    result.findings.push(finding(3, "one", "p", FindingVerdict::Unknown));
    result.shares = vec![share("mutation", Scope::All, [3, 4, 0, 0, 0, 0, 1])];
    for (stop, code) in [
        (Some(Stop::Accuracy), ExitCode::Good),
        (Some(Stop::Budget), ExitCode::Good),
        (Some(Stop::Timeout), ExitCode::Undecided),
        (Some(Stop::Interrupted), ExitCode::Undecided),
        (Some(Stop::Effort), ExitCode::Undecided),
        (Some(Stop::Techniques), ExitCode::Undecided),
        (None, ExitCode::Undecided),
    ] {
        result.run.stop = stop;
        assert_eq!(exit_code(&result), code, "{stop:?}");
    }
    result.run.stop = Some(Stop::Budget);
    result.properties.push(property("p", Verdict::Unknown));
    assert_eq!(
        exit_code(&result),
        ExitCode::Undecided,
        "a property without a verdict is not what was asked for"
    );
}

#[test]
fn a_missed_threshold_outweighs_what_is_undecided() {
    let mut result = fifo();
    result.run.stop = Some(Stop::Timeout);
    result.judge(&[Threshold::of_each(80.0)]);
    assert_eq!(exit_code(&result), ExitCode::BelowThreshold);
    result.judge(&[Threshold::of_each(8.0)]);
    assert_eq!(exit_code(&result), ExitCode::Undecided);
}

#[test]
fn cores_have_to_answer_the_question_and_a_bound_that_was_asked_for_is_good() {
    let mut result = checked(&[Verdict::Bounded]);
    let row = |answered, depth| CoreRow {
        property: Some("p".to_owned()),
        holds: true,
        answered,
        depth,
        ..CoreRow::default()
    };
    for (answered, depth, code) in [
        (true, Some(5), ExitCode::Good),
        (false, Some(5), ExitCode::Undecided),
        (true, None, ExitCode::Undecided),
    ] {
        result.cores = vec![row(answered, depth)];
        assert_eq!(exit_code(&result), code, "{answered} {depth:?}");
    }
    result.properties = vec![property("p", Verdict::Falsified)];
    result.cores = vec![CoreRow { holds: false, ..row(false, None) }];
    assert_eq!(exit_code(&result), ExitCode::Failed, "what fails has no cores");
}

#[test]
fn states_that_could_not_be_counted_and_runs_that_could_not_be_found_are_undecided() {
    let mut result = checked(&[Verdict::Proved]);
    result.states = vec![StateRow::default()];
    assert_eq!(exit_code(&result), ExitCode::Good);
    result.states[0].reason = Some("out of time".to_owned());
    assert_eq!(exit_code(&result), ExitCode::Undecided);
    result.states[0].reason = None;
    result.states[0].not_listed = Some("out of time".to_owned());
    assert_eq!(exit_code(&result), ExitCode::Undecided);
    result.states[0].not_listed = None;
    let cube = Cube { observed: Some("x".into()), text: "x = 1".to_owned(), literals: Vec::new() };
    let witness = Witness { reason: Some("out of time".to_owned()), ..Witness::default() };
    let mut missing = finding(0, "flipped", "", FindingVerdict::Uncovered);
    (missing.subject, missing.witness) = (Subject::Cube(cube), Some(Box::new(witness)));
    result.findings = vec![missing];
    assert_eq!(exit_code(&result), ExitCode::Undecided);
}

#[test]
fn a_specification_that_does_not_simulate_is_a_failure() {
    let mut result = RunResult::new("refine", 0);
    for (simulates, reason, code) in [
        (Some(true), None, ExitCode::Good),
        (Some(true), Some("criteria were not computed"), ExitCode::Undecided),
        (Some(false), None, ExitCode::Failed),
        (None, Some("out of time"), ExitCode::Undecided),
    ] {
        let reason = reason.map(str::to_owned);
        result.refinement = Some(Refinement { simulates, reason, ..Refinement::default() });
        assert_eq!(exit_code(&result), code, "{simulates:?}");
    }
}
