//! Verdicts and findings of all algorithms are those of the definition.

use super::criteria::check_criteria;
use super::explanations::check_explanations;
use super::{checker, counts, covered, expected, is_evidence, options, pair, same, text};
use propcov_budget::Budget;
use propcov_coverage::refine::{Algorithm, Answer, FlipStatus, Stats, cover, simulate};
use propcov_ir::LabelFlip;
use propcov_testkit::{
    GraphPair, PairSizes, Random, all_flips, for_pairs, for_random_pairs, graph_pair, is_whole_run,
    pair_families, random_pair, seeds, simulates,
};
use std::cell::Cell;

/// That the verdict is the right one, and its evidence shows it by definition, and to a checker that has seen nothing else.
fn check_verdict(case: &GraphPair) -> Result<bool, String> {
    let (implementation, specification) = (&case.implementation, &case.specification);
    let expected = simulates(implementation, specification);
    let pair = pair(implementation, specification);
    let answer = simulate(&pair, &Budget::default(), &mut Stats::default()).map_err(text)?;
    let mut checker = checker(implementation, specification)?;
    match answer {
        Answer::Simulated(simulation) if expected => {
            let shows = is_evidence(implementation, specification, &simulation.pairs);
            same("the relation is a simulation", &shows, &true)?;
            checker.accept_simulation(simulation).map_err(text)?;
        }
        Answer::Distinguished(distinction) if !expected => {
            same("the run begins", &implementation.initial().contains(&distinction.run[0]), &true)?;
            checker.check_distinction(None, &distinction).map_err(text)?;
        }
        _ => return Err(format!("simulated should be {expected}, but the engine says {answer:?}")),
    }
    Ok(expected)
}

/// That all algorithms say what is true, and those of `on_two` also on two threads, with the same counts.
fn check_coverage(
    case: &GraphPair,
    flips: &[LabelFlip],
    seed: u64,
    on_two: &[Algorithm],
) -> Result<Vec<(LabelFlip, FlipStatus)>, String> {
    let expected = expected(case, flips);
    let pair = pair(&case.implementation, &case.specification);
    for algorithm in Algorithm::ALL {
        let alone = covered(&pair, flips, &options(algorithm, seed, 1))?;
        same(algorithm.name(), &alone.findings, &expected)?;
        if on_two.contains(&algorithm) {
            let together = covered(&pair, flips, &options(algorithm, seed, 2))?;
            let what = |what| format!("{what} of {} on two threads", algorithm.name());
            same(&what("findings"), &together.findings, &expected)?;
            same(&what("counts"), &counts(&together.stats), &counts(&alone.stats))?;
        }
    }
    Ok(expected)
}

#[test]
fn verdicts_and_coverage_are_those_of_the_definition() {
    let (simulated, covered, uncovered) = (Cell::new(0), Cell::new(0), Cell::new(0));
    for_random_pairs(16_000, 8_400_000, |seed, case| {
        if !check_verdict(case)? {
            return Ok(());
        }
        simulated.set(simulated.get() + 1);
        // Threads cost more than these graphs: one algorithm on two of them for each pair.
        let on_two = Algorithm::ALL[seed as usize % Algorithm::ALL.len()];
        let findings = check_coverage(case, &all_flips(&case.implementation), seed, &[on_two])?;
        for (count, status) in [(&covered, FlipStatus::Covered), (&uncovered, FlipStatus::Uncovered)] {
            count.set(count.get() + findings.iter().filter(|finding| finding.1 == status).count());
        }
        Ok(())
    });
    // Each algorithm has met more than 10,000 pairs that are simulated, so that there is coverage to speak of.
    if is_whole_run() {
        assert!((10_000..15_600).contains(&simulated.get()), "{} simulated", simulated.get());
        assert!(covered.get().min(uncovered.get()) > 12_000, "{covered:?} {uncovered:?}");
    }
}

#[test]
fn any_mutant_vector_is_answered_in_its_order() {
    for_random_pairs(3_000, 8_420_000, |seed, case| {
        let all = all_flips(&case.implementation);
        if all.is_empty() || !simulates(&case.implementation, &case.specification) {
            return Ok(());
        }
        // Some twice, some not at all.
        let random = &mut Random::new(seed);
        let vector: Vec<LabelFlip> = (0..random.below(2 * all.len())).map(|_| *random.pick(&all)).collect();
        check_coverage(case, &vector, seed, &Algorithm::ALL).map(drop)
    });
}

/// Everything about a larger pair, explanations of some flips.
fn check_all(seed: u64, case: &GraphPair) -> Result<(), String> {
    if !check_verdict(case)? {
        return Ok(());
    }
    let flips = all_flips(&case.implementation);
    check_coverage(case, &flips, seed, &Algorithm::ALL)?;
    let random = &mut Random::new(seed);
    let some: Vec<LabelFlip> = flips.iter().copied().filter(|_| random.percent(15)).collect();
    check_explanations(case, &some)?;
    if case.specification.transition_count() < 60 { check_criteria(case) } else { Ok(()) }
}

#[test]
fn larger_random_pairs_are_answered_as_well() {
    let sizes = PairSizes { least_states: 7, most_states: 30, propositions: 3, open: 40 };
    for_pairs(|seed| random_pair(&mut Random::new(seed), sizes), 60, 8_450_000, check_all);
}

#[test]
fn other_divisions_of_larger_pairs_say_the_same() {
    let sizes = PairSizes { least_states: 12, most_states: 40, propositions: 2, ..PairSizes::default() };
    let generate = |seed| random_pair(&mut Random::new(seed), sizes);
    for_pairs(generate, 150, 8_455_000, |seed, case| {
        if !simulates(&case.implementation, &case.specification) {
            return Ok(());
        }
        let flips = all_flips(&case.implementation);
        (seed..seed + 3).try_for_each(|seed| check_coverage(case, &flips, seed, &Algorithm::ALL).map(drop))
    });
}

#[test]
fn pairs_of_unusual_shapes_are_answered_as_well() {
    for (_, family) in pair_families() {
        let generate = |seed: u64| {
            let random = &mut Random::new(seed);
            let states = if seed.is_multiple_of(8) { random.between(30, 60) } else { random.between(2, 20) };
            family(random, states)
        };
        for_pairs(generate, 16, 8_460_000, check_all);
    }
}

/// Coverage depends on nothing that should not matter: neither on the seed of the divisions nor on what else is asked.
#[test]
fn each_flip_alone_gets_the_answer_that_it_gets_among_others() {
    for seed in seeds(300, 8_490_000) {
        let case = graph_pair(seed);
        if !simulates(&case.implementation, &case.specification) {
            continue;
        }
        let pair = pair(&case.implementation, &case.specification);
        for (flip, status) in expected(&case, &all_flips(&case.implementation)) {
            for divisions in 0..2 {
                let options = options(Algorithm::Divide, seed + divisions, 1);
                let findings = cover(&pair, &[flip], &options, &()).expect("no limits").findings;
                assert_eq!(findings, [(flip, status)], "seed {seed}\n{}", case.show());
            }
        }
        let nothing = cover(&pair, &[], &options(Algorithm::Divide, 0, 1), &()).expect("no limits");
        assert!(nothing.findings.is_empty());
    }
}
