//! The engine for coverage by simulation against the definitions, on many random pairs of graphs.
//!
//! `PROPCOV_CASES=n` checks n pairs in each test, `PROPCOV_SEED=n` only the one with this seed.

use propcov_certify::RefinementChecker;
use propcov_coverage::refine::{
    Algorithm, Answer, Criteria, Explanation, FlipStatus, Observer, Options, Pair, Stats, Stopped, cover,
    criteria, explain, simulate, unmatched_transitions,
};
use propcov_ir::{Graph, Label, LabelFlip, StatePair};
use propcov_sat::{Budget, Interrupt};
use propcov_testkit::{
    GraphPair, PairSizes, Random, all_flips, covered_flips, for_pairs, for_random_pairs, graph_criteria,
    graph_pair, is_whole_run, pair_families, random_pair, seeds, simulates,
};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn text(problem: impl std::fmt::Display) -> String {
    problem.to_string()
}

fn engine_pair(pair: &GraphPair) -> Result<Pair, String> {
    Pair::new(pair.implementation.clone(), pair.specification.clone()).map_err(text)
}

fn checker<'g>(implementation: &'g Graph, specification: &'g Graph) -> Result<RefinementChecker<'g>, String> {
    RefinementChecker::new(implementation, specification).map_err(text)
}

/// That the verdict is the right one, and its evidence shows it to a checker that has seen nothing else.
fn check_verdict(pair: &GraphPair) -> Result<bool, String> {
    let expected = simulates(&pair.implementation, &pair.specification);
    let answer = simulate(&engine_pair(pair)?, &Budget::default(), &mut Stats::default()).map_err(text)?;
    let mut checker = checker(&pair.implementation, &pair.specification)?;
    match answer {
        Answer::Simulated(simulation) if expected => checker.accept_simulation(simulation).map_err(text)?,
        Answer::Distinguished(distinction) if !expected => {
            checker.check_distinction(None, &distinction).map_err(text)?;
        }
        _ => return Err(format!("simulated should be {expected}, but the engine says {answer:?}")),
    }
    Ok(expected)
}

/// What the findings should be, by definition.
fn expected_findings(pair: &GraphPair, flips: &[LabelFlip]) -> Vec<(LabelFlip, FlipStatus)> {
    let covered = covered_flips(&pair.implementation, &pair.specification);
    let reachable = pair.implementation.reachable();
    let status = |flip: &LabelFlip| {
        if !reachable[flip.state as usize] {
            FlipStatus::Unreachable
        } else if covered.contains(flip) {
            FlipStatus::Covered
        } else {
            FlipStatus::Uncovered
        }
    };
    flips.iter().map(|flip| (*flip, status(flip))).collect()
}

/// That each of these ways to go about it finds what is expected.
fn check_coverage(
    pair: &GraphPair,
    flips: &[LabelFlip],
    ways: &[(Algorithm, usize)],
    seed: u64,
) -> Result<(), String> {
    let expected = expected_findings(pair, flips);
    let engine_pair = engine_pair(pair)?;
    for (algorithm, threads) in ways {
        let options = Options { algorithm: *algorithm, threads: *threads, seed, ..Options::default() };
        let found = cover(&engine_pair, flips, &options, &()).map_err(text)?.findings;
        if found != expected {
            let wrong: Vec<_> =
                found.iter().zip(&expected).filter(|(found, expected)| found != expected).collect();
            return Err(format!(
                "{} with {threads} threads: {} findings for {} flips, found and expected {wrong:?}",
                algorithm.name(),
                found.len(),
                flips.len()
            ));
        }
    }
    Ok(())
}

/// That the explanation of each flip says what is expected, and shows it to a checker that has seen nothing else.
fn check_explanations(pair: &GraphPair, flips: &[LabelFlip]) -> Result<(), String> {
    let engine_pair = engine_pair(pair)?;
    for (flip, status) in expected_findings(pair, flips) {
        let mutant = pair.implementation.flipped(flip);
        match (status, explain(&engine_pair, flip, &Budget::default()).map_err(text)?) {
            (FlipStatus::Unreachable, Explanation::Unreachable) => {}
            (FlipStatus::Covered, Explanation::Covered(distinction)) => {
                let with_flip = checker(&pair.implementation, &pair.specification)?;
                with_flip.check_distinction(Some(flip), &distinction).map_err(text)?;
                let as_graph = checker(&mutant, &pair.specification)?;
                as_graph.check_distinction(None, &distinction).map_err(text)?;
            }
            (FlipStatus::Uncovered, Explanation::Uncovered { simulation, partners }) => {
                let of_flipped =
                    simulation.pairs.iter().filter(|pair| pair.0 == flip.state).map(|pair| pair.1);
                let of_flipped: Vec<u32> = of_flipped.collect();
                if partners.is_empty() || partners != of_flipped {
                    return Err(format!("{flip:?}: partners {partners:?} instead of {of_flipped:?}"));
                }
                checker(&mutant, &pair.specification)?.accept_simulation(simulation).map_err(text)?;
            }
            (status, explanation) => {
                return Err(format!("{flip:?} is {status:?}, but the explanation is {explanation:?}"));
            }
        }
    }
    Ok(())
}

fn check_criteria(pair: &GraphPair) -> Result<(), String> {
    let engine_pair = engine_pair(pair)?;
    let found = criteria(&engine_pair, &Budget::default(), &mut Stats::default()).map_err(text)?;
    let by_definition = graph_criteria(&pair.implementation, &pair.specification);
    let expected = Criteria {
        unimplemented_start_states: by_definition.unimplemented_start_states,
        unimplemented_states: by_definition.unimplemented_states,
        unimplemented_transitions: by_definition.unimplemented_transitions,
        many_to_one: by_definition.many_to_one,
    };
    if found != expected {
        return Err(format!("the criteria are {found:?}, and should be {expected:?}"));
    }
    let found: BTreeSet<(StatePair, StatePair)> =
        unmatched_transitions(&engine_pair, &Budget::default()).map_err(text)?.into_iter().collect();
    let expected = propcov_testkit::unmatched_transitions(&pair.implementation, &pair.specification);
    if found != expected {
        return Err(format!("unmatched transitions are {found:?}, and should be {expected:?}"));
    }
    Ok(())
}

const ALL_WAYS: [(Algorithm, usize); 6] = [
    (Algorithm::Divide, 1),
    (Algorithm::Divide, 2),
    (Algorithm::Figure3, 1),
    (Algorithm::Figure3, 2),
    (Algorithm::Naive, 1),
    (Algorithm::Naive, 2),
];

#[test]
fn verdicts_and_coverage_are_those_of_the_definition() {
    let simulated = Cell::new(0);
    for_random_pairs(12_000, 8_400_000, |seed, pair| {
        if !check_verdict(pair)? {
            return Ok(());
        }
        simulated.set(simulated.get() + 1);
        let flips = all_flips(&pair.implementation);
        // Threads cost more than these graphs: one of the ways with two of them for each pair.
        let ways = [ALL_WAYS[0], ALL_WAYS[2], ALL_WAYS[4], ALL_WAYS[1 + 2 * (seed as usize % 3)]];
        check_coverage(pair, &flips, &ways, seed)
    });
    assert!(!is_whole_run() || simulated.get() > 6000, "{} are simulated", simulated.get());
}

#[test]
fn random_mutant_vectors_are_answered_in_their_order() {
    for_random_pairs(2000, 8_420_000, |seed, pair| {
        let random = &mut Random::new(seed);
        let flips = all_flips(&pair.implementation);
        if flips.is_empty() || !simulates(&pair.implementation, &pair.specification) {
            return Ok(());
        }
        // Some twice, some not at all.
        let vector: Vec<LabelFlip> =
            (0..random.below(2 * flips.len())).map(|_| *random.pick(&flips)).collect();
        check_coverage(pair, &vector, &ALL_WAYS, seed)
    });
}

#[test]
fn explanations_show_what_they_say() {
    for_random_pairs(3000, 8_430_000, |_, pair| {
        if !simulates(&pair.implementation, &pair.specification) {
            return Ok(());
        }
        check_explanations(pair, &all_flips(&pair.implementation))
    });
}

#[test]
fn criteria_are_those_of_the_definition() {
    for_random_pairs(4000, 8_440_000, |_, pair| {
        if !simulates(&pair.implementation, &pair.specification) {
            return Ok(());
        }
        check_criteria(pair)
    });
}

/// Everything about a larger pair, explanations of some flips.
fn check_all(seed: u64, pair: &GraphPair) -> Result<(), String> {
    if !check_verdict(pair)? {
        return Ok(());
    }
    let flips = all_flips(&pair.implementation);
    check_coverage(pair, &flips, &ALL_WAYS, seed)?;
    let random = &mut Random::new(seed);
    let some: Vec<LabelFlip> = flips.iter().copied().filter(|_| random.percent(15)).collect();
    check_explanations(pair, &some)?;
    if pair.specification.transition_count() < 60 { check_criteria(pair) } else { Ok(()) }
}

#[test]
fn larger_random_pairs_are_answered_as_well() {
    let sizes = PairSizes { least_states: 7, most_states: 30, propositions: 3, open: 40 };
    for_pairs(|seed| random_pair(&mut Random::new(seed), sizes), 60, 8_450_000, check_all);
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

/// Budgets that end at once, soon, or in between: what is said is right, and the rest is not known.
#[test]
fn what_is_said_within_a_small_budget_is_right() {
    let (unknown, known) = (Cell::new(0), Cell::new(0));
    for_random_pairs(600, 8_470_000, |seed, pair| {
        if !simulates(&pair.implementation, &pair.specification) {
            return Ok(());
        }
        let engine_pair = engine_pair(pair)?;
        let flips = all_flips(&pair.implementation);
        let expected = expected_findings(pair, &flips);
        let raised = Interrupt::default();
        raised.raise();
        let now = Instant::now();
        let budgets = [
            Budget { interrupt: raised, ..Budget::default() },
            Budget { deadline: Some(now), ..Budget::default() },
            Budget { deadline: Some(now + Duration::from_micros(seed % 300)), ..Budget::default() },
        ];
        for (index, budget) in budgets.into_iter().enumerate() {
            let (algorithm, threads) = ALL_WAYS[(seed as usize + index) % ALL_WAYS.len()];
            let options = Options { algorithm, threads, seed, budget: budget.clone() };
            match cover(&engine_pair, &flips, &options, &()) {
                Ok(coverage) => {
                    if coverage.findings.len() != expected.len() {
                        return Err(format!("{} findings", coverage.findings.len()));
                    }
                    for (found, expected) in coverage.findings.iter().zip(&expected) {
                        let is_known = found.1 != FlipStatus::Unknown;
                        let count = if is_known { &known } else { &unknown };
                        count.set(count.get() + 1);
                        if found.0 != expected.0 || (is_known && found != expected) {
                            return Err(format!("{found:?} instead of {expected:?}"));
                        }
                    }
                }
                Err(Stopped::Budget) => unknown.set(unknown.get() + 1),
                Err(Stopped::Internal(problem)) => return Err(problem),
            }
            let stopped = [
                simulate(&engine_pair, &budget, &mut Stats::default()).err(),
                criteria(&engine_pair, &budget, &mut Stats::default()).err(),
                unmatched_transitions(&engine_pair, &budget).err(),
                flips.first().and_then(|flip| explain(&engine_pair, *flip, &budget).err()),
            ];
            for stopped in stopped.into_iter().flatten() {
                if stopped != Stopped::Budget {
                    return Err(stopped.to_string());
                }
            }
        }
        Ok(())
    });
    assert!(!is_whole_run() || unknown.get() > 100, "{} and {}", unknown.get(), known.get());
}

/// Raises the interrupt when so many flips are decided.
struct InterruptAfter {
    decided: usize,
    interrupt: Interrupt,
    last: AtomicUsize,
}

impl Observer for InterruptAfter {
    fn decided(&self, done: usize, total: usize) {
        assert!(done <= total, "{done} of {total}");
        self.last.fetch_max(done, Ordering::Relaxed);
        if done >= self.decided {
            self.interrupt.raise();
        }
    }
}

#[test]
fn what_is_decided_before_an_interrupt_is_kept() {
    let sizes = PairSizes { least_states: 4, most_states: 12, ..PairSizes::default() };
    let kept = Cell::new(0);
    for_pairs(
        |seed| random_pair(&mut Random::new(seed), sizes),
        300,
        8_480_000,
        |seed, pair| {
            if !simulates(&pair.implementation, &pair.specification) {
                return Ok(());
            }
            let engine_pair = engine_pair(pair)?;
            let flips = all_flips(&pair.implementation);
            let expected = expected_findings(pair, &flips);
            for (algorithm, threads) in ALL_WAYS {
                let interrupt = Interrupt::default();
                let observer = InterruptAfter {
                    decided: seed as usize % (flips.len() + 2),
                    interrupt: interrupt.clone(),
                    last: AtomicUsize::new(0),
                };
                let budget = Budget { interrupt, ..Budget::default() };
                let options = Options { algorithm, threads, seed, budget };
                let findings = match cover(&engine_pair, &flips, &options, &observer) {
                    Ok(coverage) => coverage.findings,
                    Err(Stopped::Budget) => continue,
                    Err(stopped) => return Err(stopped.to_string()),
                };
                let known = findings.iter().filter(|(_, status)| *status != FlipStatus::Unknown).count();
                let last = observer.last.load(Ordering::Relaxed);
                kept.set(kept.get() + usize::from(known < flips.len()));
                if known < last {
                    return Err(format!("{last} were decided, but {known} are known"));
                }
                for (found, expected) in findings.iter().zip(&expected) {
                    if found.1 != FlipStatus::Unknown && found != expected {
                        return Err(format!("{found:?} instead of {expected:?}"));
                    }
                }
            }
            Ok(())
        },
    );
    assert!(!is_whole_run() || kept.get() > 10, "{} runs were interrupted", kept.get());
}

/// Coverage depends on nothing that should not matter: neither on the seed of the divisions nor on what else is asked.
#[test]
fn each_flip_alone_gets_the_answer_that_it_gets_among_others() {
    for seed in seeds(300, 8_490_000) {
        let pair = graph_pair(seed);
        if !simulates(&pair.implementation, &pair.specification) {
            continue;
        }
        let engine_pair = engine_pair(&pair).expect("a pair");
        let flips = all_flips(&pair.implementation);
        for (flip, status) in expected_findings(&pair, &flips) {
            for divisions in 0..2 {
                let options = Options { seed: seed + divisions, ..Options::default() };
                let findings = cover(&engine_pair, &[flip], &options, &()).expect("no limits").findings;
                assert_eq!(findings, [(flip, status)], "seed {seed}\n{}", pair.show());
            }
        }
        let nothing = cover(&engine_pair, &[], &Options::default(), &()).expect("no limits");
        assert!(nothing.findings.is_empty());
    }
}

/// The callers' mistakes are errors, not panics.
#[test]
fn questions_without_meaning_are_errors() {
    for seed in seeds(200, 8_495_000) {
        let pair = graph_pair(seed);
        let engine_pair = engine_pair(&pair).expect("a pair");
        // Coverage is about simulated pairs, and about labels that have a value.
        let is_simulated = simulates(&pair.implementation, &pair.specification);
        let flips = if is_simulated {
            let states = pair.implementation.state_count() as u32;
            let propositions = pair.implementation.propositions().len() as u32;
            let open = pair
                .implementation
                .states()
                .flat_map(|state| (0..propositions).map(move |proposition| LabelFlip { state, proposition }));
            let is_open =
                |flip: &LabelFlip| pair.implementation.label(flip.state, flip.proposition) == Label::Open;
            let wrong = [
                LabelFlip { state: states, proposition: 0 },
                LabelFlip { state: 0, proposition: propositions },
                LabelFlip { state: u32::MAX, proposition: u32::MAX },
            ];
            open.filter(is_open).chain(wrong).map(|flip| vec![flip]).collect()
        } else {
            vec![all_flips(&pair.implementation)]
        };
        for flips in flips {
            for (algorithm, threads) in ALL_WAYS {
                let options = Options { algorithm, threads, ..Options::default() };
                let answer = cover(&engine_pair, &flips, &options, &());
                let what = format!("seed {seed}, {flips:?}: {:?}", answer.as_ref().map(|c| &c.findings));
                assert!(matches!(answer, Err(Stopped::Internal(_))), "{what}");
            }
            if is_simulated && let [flip] = flips[..] {
                let answer = explain(&engine_pair, flip, &Budget::default());
                assert!(matches!(answer, Err(Stopped::Internal(_))), "seed {seed}, {flip:?}: {answer:?}");
            }
        }
    }
}
