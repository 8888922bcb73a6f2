//! A hard property does not cost the others their verdicts, nor what these are for.

use super::systems::{EQUAL, LOW, STILL_LOW, hard_and_easy, verifier, within};
use propcov_engine::Limits;
use propcov_ir::UnknownReason;
use propcov_verify::{Client, Outcome};
use std::time::{Duration, Instant};

const TIME: Duration = Duration::from_secs(2);

#[test]
fn a_hard_property_leaves_time_for_an_easy_one() {
    let design = hard_and_easy();
    let verdicts = verifier(&design.system, within(TIME)).decide(&[EQUAL, LOW], &mut |_| ());
    let [equal, low] = &verdicts.outcomes[..] else { panic!("two") };
    assert_eq!(equal.answer.reason(), Some(&UnknownReason::Timeout));
    assert!(low.answer.is_proved() && low.certified);
}

/// Notes when it was to work, on how many proofs, and until when.
#[derive(Default)]
struct Diary {
    heard: Vec<Outcome>,
    work: Vec<(usize, Duration)>,
}

impl Client for Diary {
    fn heard(&mut self, outcome: &Outcome) {
        self.heard.push(outcome.clone());
    }

    fn work(&mut self, outcomes: &[Outcome], limits: &Limits) {
        let proved = outcomes.iter().filter(|outcome| outcome.answer.is_proved()).count();
        let left = limits.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        self.work.push((proved, left.unwrap_or(Duration::MAX)));
    }
}

#[test]
fn what_is_proved_is_worked_on_before_the_rest_is_tried_again() {
    let design = hard_and_easy();
    let mut diary = Diary::default();
    let verdicts = verifier(&design.system, within(TIME)).prove(&[EQUAL, LOW], &mut diary);
    let [(first, time), (last, rest)] = diary.work[..] else { panic!("twice: {:?}", diary.work) };
    assert_eq!((first, last), (1, 1));
    assert!(time > TIME / 5 && rest < TIME / 5, "{time:?}, then {rest:?}");
    let [equal, low] = &verdicts.outcomes[..] else { panic!("two") };
    assert!(low.answer.is_proved() && equal.is_timeout());
    assert!(equal.seconds > TIME.as_secs_f64() / 2.0, "both attempts count: {}", equal.seconds);
    let heard: Vec<_> = diary.heard.iter().map(|outcome| outcome.property).collect();
    assert_eq!(heard, [LOW, EQUAL], "each once, when nothing more will be tried");
}

#[test]
fn a_property_that_is_asked_about_twice_has_two_outcomes_and_is_heard_of_once() {
    let design = hard_and_easy();
    let mut heard = Vec::new();
    let verdicts = verifier(&design.system, Limits::default())
        .decide(&[LOW, STILL_LOW, LOW], &mut |outcome| heard.push(outcome.property));
    assert!(verdicts.outcomes.iter().all(|outcome| outcome.answer.is_proved()));
    assert_eq!((verdicts.outcomes.len(), heard), (3, vec![LOW, STILL_LOW]));
}

#[test]
fn where_nothing_is_hard_there_is_one_turn_with_all_the_time() {
    let design = hard_and_easy();
    let mut diary = Diary::default();
    verifier(&design.system, Limits::default()).prove(&[LOW, STILL_LOW], &mut diary);
    assert_eq!(diary.work, [(2, Duration::MAX)]);
}
