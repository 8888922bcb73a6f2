//! Cores of real systems against the definition: all subsets of the elements in question of random systems, explored state by state; and the examples of the thesis.
//!
//! `PROPCOV_CASES=n` for longer runs, `PROPCOV_SEED=n` for a single case.

mod ask;
mod depths;
mod lustre;
mod oracle;
mod products;
mod proofs_at_hand;
mod remembered;
mod repeated;
mod several;
mod statements;
mod stopped;
mod systems;
mod thesis;

use ask::{Question, Way, check_found, options, ways};
use oracle::Truth;
use propcov_testkit::{
    Random, Scope, Validity, ValidityCase, for_random_arith_validity, for_random_validity,
};
use std::cell::Cell;
use systems::{is_decided, some_of};

/// How many systems were asked about, and how many were not because engines do not decide all of their slices.
#[derive(Debug, Default)]
struct Counts {
    asked: Cell<usize>,
    left_out: Cell<usize>,
}

fn enough(counts: &Counts) {
    if std::env::var("PROPCOV_SEED").is_err() {
        assert!(counts.left_out.get() <= 2 + counts.asked.get() / 5, "{counts:?}");
    }
}

/// Each goal by each algorithm, and by default.
fn every_way_is_right(counts: &Counts, case: &ValidityCase<'_>) -> Result<(), String> {
    let universe = some_of(case);
    let validity = Validity::decide(case.system, case.property, &universe)?;
    if !is_decided(case.system, case.property, &validity) {
        counts.left_out.set(counts.left_out.get() + 1);
        return Ok(());
    }
    counts.asked.set(counts.asked.get() + 1);
    let truth = Truth::of(&[&validity], &universe, Scope::Always);
    let properties = [case.property];
    let question = Question { system: case.system, universe: &universe, properties: &properties };
    // All of them for one system in eight, a few for the others.
    let mut random = Random::new(case.seed ^ 0x7761_7973);
    let all = ways();
    let some: Vec<Way> =
        if case.seed.is_multiple_of(8) { all } else { (0..4).map(|_| *random.pick(&all)).collect() };
    for way in some {
        one_way_is_right(&question, &truth, way, case.seed)
            .map_err(|problem| format!("{way:?}, {}: {problem}", statements::set(&universe)))?;
    }
    Ok(())
}

fn one_way_is_right(question: &Question<'_>, truth: &Truth, way: Way, seed: u64) -> Result<(), String> {
    let (analysis, log) = question.ask(&options(way, seed));
    for cores in &analysis.properties {
        question.check_holds(truth, cores, None)?;
        check_found(truth, way, cores, &log)?;
    }
    if analysis.properties.len() != 1 || analysis.together.is_some() {
        return Err("one property was asked about".to_owned());
    }
    Ok(())
}

#[test]
fn every_algorithm_is_right_about_finite_systems() {
    let counts = Counts::default();
    for_random_validity(300, 1_000_000, |case| every_way_is_right(&counts, case));
    enough(&counts);
}

#[test]
fn every_algorithm_is_right_about_systems_with_ints() {
    let counts = Counts::default();
    for_random_arith_validity(40, 1_010_000, |case| every_way_is_right(&counts, case));
    enough(&counts);
}
