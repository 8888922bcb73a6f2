//! The same question has the same answer: the second time, and with another number of threads.

use super::ask::{Options, Question, default_ways, options, ways};
use super::systems::{Several, several};
use propcov_coverage::cores::{Algorithm, Goal};
use propcov_testkit::{Random, ValidityCase, for_random_arith_validity, for_random_validity};

fn answers_are_the_same(case: &ValidityCase<'_>) -> Result<(), String> {
    let mut random = Random::new(case.seed ^ 0x7265_7065_6174);
    let Some(Several { universe, system, properties, .. }) = several(case, &mut random, 1) else {
        return Ok(());
    };
    let question = Question { system: &system, universe: &universe, properties: &properties };
    let by_depth = (Goal::Minimal, Some(Algorithm::Bvc));
    let ways = [*random.pick(&default_ways()), *random.pick(&ways()), by_depth];
    for way in ways {
        let depth = (way == by_depth || random.percent(20)).then_some(3);
        let options = Options { together: true, depth, ..options(way, case.seed) };
        let first = question.fingerprint(&options);
        for threads in [1, 2] {
            let again = question.fingerprint(&Options { threads, ..options.clone() });
            if first != again {
                return Err(format!("{way:?}, {threads} threads:\n{again}\nfirst it was\n{first}"));
            }
        }
    }
    Ok(())
}

#[test]
fn answers_about_finite_systems_are_the_same_again() {
    for_random_validity(40, 1_060_000, answers_are_the_same);
}

#[test]
fn answers_about_systems_with_ints_are_the_same_again() {
    for_random_arith_validity(15, 1_070_000, answers_are_the_same);
}
