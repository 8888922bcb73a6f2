//! Random systems with words, enumerations, inputs and all kinds of fairness.

use super::measured::{Compared, Question, Setting, options};
use propcov_coverage::ctl::{Flip, Implication, Place, Semantics};
use propcov_ir::ExprId;
use propcov_testkit::{Random, for_random_coverage_systems, is_whole_run, observable_expressions};
use std::cell::Cell;

/// All that occurs in the test is observed at once, so that one measurement has several observed signals.
fn check_random(count: u64, first_seed: u64, place: Place) -> Compared {
    let compared = Cell::new(Compared::default());
    for_random_coverage_systems(count, first_seed, |seed, system, observed| {
        let mut random = Random::new(seed ^ 0x5eed);
        let is_boolean = |expr: &ExprId| system.exprs.sort(*expr).is_bool();
        let conditions: Vec<ExprId> = observable_expressions(system).into_iter().filter(is_boolean).collect();
        let dont_care: Vec<ExprId> = match random.below(3) {
            0 if !conditions.is_empty() => vec![*random.pick(&conditions)],
            _ => Vec::new(),
        };
        let waived: Vec<ExprId> = match conditions.is_empty() {
            true => Vec::new(),
            false => (0..random.below(3)).map(|_| *random.pick(&conditions)).collect(),
        };
        let setting = Setting {
            place,
            semantics: *random.pick(&[Semantics::Observability, Semantics::Mutation]),
            flip: *random.pick(&[Flip::Any, Flip::All]),
            implication: *random.pick(&[Implication::Split, Implication::Split, Implication::Whole]),
        };
        let options = options(&mut random);
        let question = Question {
            system,
            setting,
            observed,
            dont_care: &dont_care,
            waived: &waived,
            options,
            ticks: None,
        };
        let mut sum = compared.get();
        sum += question.compare()?;
        compared.set(sum);
        Ok(())
    });
    compared.get()
}

fn has_something_to_compare(compared: Compared) {
    // A single system may have nothing.
    if is_whole_run() {
        assert!(compared.covering * 20 > compared.all, "{compared:?}");
    }
}

#[test]
fn covered_states_are_those_of_the_definition() {
    has_something_to_compare(check_random(400, 700_000, Place::State));
}

#[test]
fn covered_transitions_are_those_of_the_definition() {
    has_something_to_compare(check_random(300, 710_000, Place::Transition));
}
