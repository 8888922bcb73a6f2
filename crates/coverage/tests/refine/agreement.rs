//! All algorithms agree with the definition, on random pairs.

use crate::{counts, covered, options, pair};
use propcov_coverage::refine::{
    Algorithm, Answer, Explanation, FlipStatus, Stats, criteria, explain, simulate, unmatched_transitions,
};
use propcov_ir::{Graph, LabelFlip, StatePair};
use propcov_sat::Budget;
use propcov_testkit::{
    GraphPair, PairSizes, Random, all_flips, covered_flips, for_pairs, for_random_pairs, graph_criteria,
    is_simulation, is_whole_run, random_pair, simulates,
};
use std::cell::Cell;
use std::collections::BTreeSet;

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?} instead of {expected:?}")) }
}

fn is_evidence(graph: &Graph, specification: &Graph, pairs: &[StatePair]) -> bool {
    let relation: BTreeSet<StatePair> = pairs.iter().copied().collect();
    let starts = |w: &u32| specification.initial().iter().any(|t| relation.contains(&(*w, *t)));
    relation.len() == pairs.len()
        && pairs.is_sorted()
        && is_simulation(graph, specification, &relation)
        && graph.initial().iter().all(starts)
}

/// What is true of these flips.
fn expected(case: &GraphPair, flips: &[LabelFlip]) -> Vec<(LabelFlip, FlipStatus)> {
    let covered = covered_flips(&case.implementation, &case.specification);
    let reachable = case.implementation.reachable();
    let status = |flip: &LabelFlip| match () {
        () if !reachable[flip.state as usize] => FlipStatus::Unreachable,
        () if covered.contains(flip) => FlipStatus::Covered,
        () => FlipStatus::Uncovered,
    };
    flips.iter().map(|flip| (*flip, status(flip))).collect()
}

/// All algorithms say what is true, with the same counts on one thread and on two.
fn check_coverage(case: &GraphPair, flips: &[LabelFlip], seeds: &[u64]) -> Result<(), String> {
    let pair = pair(&case.implementation, &case.specification);
    let expected = expected(case, flips);
    for algorithm in Algorithm::ALL {
        for seed in seeds {
            let alone = covered(&pair, flips, &options(algorithm, *seed, 1))?;
            same(algorithm.name(), &alone.findings, &expected)?;
            let together = covered(&pair, flips, &options(algorithm, *seed, 2))?;
            same("findings on two threads", &together.findings, &expected)?;
            same("counts on two threads", &counts(&together.stats), &counts(&alone.stats))?;
        }
    }
    Ok(())
}

#[test]
fn verdicts_are_those_of_the_definition() {
    let simulated = Cell::new(0);
    for_random_pairs(4_000, 1_000_000, |_, case| {
        let pair = pair(&case.implementation, &case.specification);
        let expected = simulates(&case.implementation, &case.specification);
        let mut stats = Stats::default();
        match simulate(&pair, &Budget::default(), &mut stats).map_err(|stopped| stopped.to_string())? {
            Answer::Simulated(simulation) => {
                let shows = is_evidence(&case.implementation, &case.specification, &simulation.pairs);
                same("the relation is a simulation", &shows, &true)?;
                simulated.set(simulated.get() + 1);
                same("simulated", &true, &expected)
            }
            Answer::Distinguished(distinction) => {
                same("the run begins", &case.implementation.initial().contains(&distinction.run[0]), &true)?;
                same("simulated", &false, &expected)
            }
        }
    });
    assert!(!is_whole_run() || (1_000..3_900).contains(&simulated.get()), "{} simulated", simulated.get());
}

#[test]
fn all_flips_are_covered_as_defined() {
    let (covered, uncovered) = (Cell::new(0), Cell::new(0));
    for_random_pairs(3_000, 2_000_000, |seed, case| {
        if !simulates(&case.implementation, &case.specification) {
            return Ok(());
        }
        let flips = all_flips(&case.implementation);
        let count = covered_flips(&case.implementation, &case.specification).len();
        covered.set(covered.get() + count);
        uncovered.set(uncovered.get() + flips.len() - count);
        check_coverage(case, &flips, &[seed])
    });
    assert!(!is_whole_run() || covered.get().min(uncovered.get()) > 4_000, "{covered:?} {uncovered:?}");
}

#[test]
fn any_mutant_vector_works() {
    for_random_pairs(2_000, 3_000_000, |seed, case| {
        let all = all_flips(&case.implementation);
        if all.is_empty() || !simulates(&case.implementation, &case.specification) {
            return Ok(());
        }
        let mut random = Random::new(seed);
        let length = random.below(2 * all.len());
        let flips: Vec<LabelFlip> = (0..length).map(|_| all[random.below(all.len())]).collect();
        check_coverage(case, &flips, &[seed])
    });
}

#[test]
fn larger_pairs_and_other_divisions_say_the_same() {
    let sizes = PairSizes { least_states: 12, most_states: 40, propositions: 2, ..PairSizes::default() };
    let generate = |seed| random_pair(&mut Random::new(seed), sizes);
    for_pairs(generate, 150, 4_000_000, |seed, case| {
        if !simulates(&case.implementation, &case.specification) {
            return Ok(());
        }
        check_coverage(case, &all_flips(&case.implementation), &[seed, seed + 1, seed + 2])
    });
}

#[test]
fn criteria_are_those_of_the_definition() {
    for_random_pairs(2_000, 5_000_000, |_, case| {
        let (implementation, specification) = (&case.implementation, &case.specification);
        if !simulates(implementation, specification) {
            return Ok(());
        }
        let pair = pair(implementation, specification);
        let budget = Budget::default();
        let found = criteria(&pair, &budget, &mut Stats::default()).map_err(|stopped| stopped.to_string())?;
        let expected = graph_criteria(implementation, specification);
        same("start states", &found.unimplemented_start_states, &expected.unimplemented_start_states)?;
        same("states", &found.unimplemented_states, &expected.unimplemented_states)?;
        same("transitions", &found.unimplemented_transitions, &expected.unimplemented_transitions)?;
        same("many to one", &found.many_to_one, &expected.many_to_one)?;
        let unmatched = unmatched_transitions(&pair, &budget).map_err(|stopped| stopped.to_string())?;
        let expected = propcov_testkit::unmatched_transitions(implementation, specification);
        same("unmatched", &unmatched, &expected.into_iter().collect())
    });
}

#[test]
fn a_flip_is_explained() {
    for_random_pairs(1_000, 6_000_000, |_, case| {
        let (implementation, specification) = (&case.implementation, &case.specification);
        if !simulates(implementation, specification) {
            return Ok(());
        }
        let pair = pair(implementation, specification);
        for (flip, status) in expected(case, &all_flips(implementation)) {
            let explained =
                explain(&pair, flip, &Budget::default()).map_err(|stopped| stopped.to_string())?;
            match (&explained, status) {
                (Explanation::Covered(_), FlipStatus::Covered)
                | (Explanation::Unreachable, FlipStatus::Unreachable) => {}
                (Explanation::Uncovered { simulation, partners }, FlipStatus::Uncovered) => {
                    let shows = is_evidence(&implementation.flipped(flip), specification, &simulation.pairs);
                    same("the relation is a simulation", &shows, &true)?;
                    same("there are partners", &partners.is_empty(), &false)?;
                }
                _ => return Err(format!("{flip:?} is {status:?}, but: {explained:?}")),
            }
        }
        Ok(())
    });
}
