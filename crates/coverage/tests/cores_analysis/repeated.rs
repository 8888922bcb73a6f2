//! The same question has the same answer: the second time, and with another number of threads.

use super::ask::{Question, default_ways, options, ways};
use super::systems::{is_decided, some_of, with_claims};
use propcov_coverage::cores::{Algorithm, Goal, Options};
use propcov_ir::PropertyId;
use propcov_testkit::{Random, Validity, ValidityCase, for_random_arith_validity, for_random_validity};

fn answers_are_the_same(case: &ValidityCase<'_>) -> Result<(), String> {
    let mut random = Random::new(case.seed ^ 0x7265_7065_6174);
    let universe = some_of(case);
    let (system, properties) = with_claims(&mut random, case.system, 1);
    let decide = |property: &PropertyId| Validity::decide(&system, *property, &universe);
    let Ok(validities) = properties.iter().map(decide).collect::<Result<Vec<_>, _>>() else { return Ok(()) };
    let mut decided = properties.iter().zip(&validities);
    if !decided.all(|(property, validity)| is_decided(&system, *property, validity)) {
        return Ok(());
    }
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
