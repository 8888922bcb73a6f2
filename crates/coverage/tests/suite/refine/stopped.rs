//! What is decided when the budget runs out is kept and right, and the rest is not known.

use super::{expected, options, pair};
use propcov_budget::{Budget, Interrupt};
use propcov_coverage::refine::{
    Algorithm, Coverage, FlipStatus, Observer, Options, Stats, Stopped, cover, criteria, explain, simulate,
    unmatched_transitions,
};
use propcov_ir::LabelFlip;
use propcov_testkit::{
    PairSizes, Random, all_flips, for_pairs, for_random_pairs, is_whole_run, random_pair, seeds, simulates,
};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Raises the flag once so many flips are decided.
struct Impatient {
    interrupt: Interrupt,
    patience: usize,
    /// How many were decided when it last heard of that.
    last: AtomicUsize,
}

impl Impatient {
    fn new(budget: &Budget, patience: usize) -> Impatient {
        Impatient { interrupt: budget.interrupt.clone(), patience, last: AtomicUsize::new(0) }
    }
}

impl Observer for Impatient {
    fn decided(&self, done: usize, total: usize) {
        assert!(done <= total, "{done} of {total}");
        self.last.fetch_max(done, Ordering::Relaxed);
        if done >= self.patience {
            self.interrupt.raise();
        }
    }
}

/// All algorithms on one thread and on two.
fn ways() -> Vec<(Algorithm, usize)> {
    Algorithm::ALL.into_iter().flat_map(|algorithm| [(algorithm, 1), (algorithm, 2)]).collect()
}

/// How many flips are known and how many are not, if each has what is expected or is not known.
fn known_and_unknown(
    coverage: &Coverage,
    expected: &[(LabelFlip, FlipStatus)],
) -> Result<(usize, usize), String> {
    if coverage.findings.len() != expected.len() {
        return Err(format!("{} findings", coverage.findings.len()));
    }
    for (found, expected) in coverage.findings.iter().zip(expected) {
        if found != expected && *found != (expected.0, FlipStatus::Unknown) {
            return Err(format!("{found:?} instead of {expected:?}"));
        }
    }
    let unknown = coverage.findings.iter().filter(|finding| finding.1 == FlipStatus::Unknown).count();
    Ok((expected.len() - unknown, unknown))
}

#[test]
fn nothing_is_said_without_time() {
    let sizes = PairSizes { least_states: 5, most_states: 9, ..PairSizes::default() };
    let case = random_pair(&mut Random::new(1), sizes);
    let budget = Budget::default();
    budget.interrupt.raise();
    let pair = pair(&case.implementation, &case.specification);
    assert_eq!(simulate(&pair, &budget, &mut Stats::default()), Err(Stopped::Budget));
}

/// Budgets that end at once, soon, or in between.
#[test]
fn what_is_said_within_a_small_budget_is_right() {
    let (unknown, known) = (Cell::new(0), Cell::new(0));
    for_random_pairs(600, 8_470_000, |seed, case| {
        if !simulates(&case.implementation, &case.specification) {
            return Ok(());
        }
        let pair = pair(&case.implementation, &case.specification);
        let flips = all_flips(&case.implementation);
        let expected = expected(case, &flips);
        let raised = Interrupt::default();
        raised.raise();
        let now = Instant::now();
        let budgets = [
            Budget { interrupt: raised, ..Budget::default() },
            Budget { deadline: Some(now), ..Budget::default() },
            Budget { deadline: Some(now + Duration::from_micros(seed % 300)), ..Budget::default() },
        ];
        for (index, budget) in budgets.into_iter().enumerate() {
            let (algorithm, threads) = ways()[(seed as usize + index) % ways().len()];
            let options = Options { algorithm, threads, seed, budget: budget.clone() };
            match cover(&pair, &flips, &options, &()) {
                Ok(coverage) => {
                    let counts = known_and_unknown(&coverage, &expected)?;
                    known.set(known.get() + counts.0);
                    unknown.set(unknown.get() + counts.1);
                }
                Err(Stopped::Budget) => unknown.set(unknown.get() + 1),
                Err(Stopped::Internal(problem) | Stopped::TooLarge(problem)) => return Err(problem),
            }
            let stopped = [
                simulate(&pair, &budget, &mut Stats::default()).err(),
                criteria(&pair, &budget, &mut Stats::default()).err(),
                unmatched_transitions(&pair, &budget).err(),
                flips.first().and_then(|flip| explain(&pair, *flip, &budget).err()),
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

#[test]
fn what_is_decided_before_an_interrupt_is_kept() {
    let sizes = PairSizes { least_states: 4, most_states: 12, ..PairSizes::default() };
    let interrupted = Cell::new(0);
    for_pairs(
        |seed| random_pair(&mut Random::new(seed), sizes),
        300,
        8_480_000,
        |seed, case| {
            if !simulates(&case.implementation, &case.specification) {
                return Ok(());
            }
            let pair = pair(&case.implementation, &case.specification);
            let flips = all_flips(&case.implementation);
            let expected = expected(case, &flips);
            for (algorithm, threads) in ways() {
                let budget = Budget::default();
                let observer = Impatient::new(&budget, seed as usize % (flips.len() + 2));
                let options = Options { algorithm, threads, seed, budget };
                let coverage = match cover(&pair, &flips, &options, &observer) {
                    Ok(coverage) => coverage,
                    Err(Stopped::Budget) => continue,
                    Err(stopped) => return Err(stopped.to_string()),
                };
                let (known, unknown) = known_and_unknown(&coverage, &expected)?;
                interrupted.set(interrupted.get() + usize::from(unknown > 0));
                let last = observer.last.load(Ordering::Relaxed);
                if known < last {
                    return Err(format!("{last} were decided, but {known} are known"));
                }
            }
            Ok(())
        },
    );
    assert!(!is_whole_run() || interrupted.get() > 10, "{} runs were interrupted", interrupted.get());
}

/// Where there is more to decide, interrupts come in the middle. These pairs are too large for the definition: what is right is what the same algorithm says with all the time.
#[test]
fn what_is_decided_of_large_pairs_before_an_interrupt_is_kept() {
    let sizes = PairSizes { least_states: 150, most_states: 250, propositions: 2, ..PairSizes::default() };
    let (mut known, mut unknown) = (0, 0);
    for seed in seeds(12, 8_485_000) {
        let case = random_pair(&mut Random::new(seed), sizes);
        if !simulates(&case.implementation, &case.specification) {
            continue;
        }
        let pair = pair(&case.implementation, &case.specification);
        let flips = all_flips(&case.implementation);
        for algorithm in Algorithm::ALL {
            let full = options(algorithm, seed, 2);
            let expected = cover(&pair, &flips, &full, &()).expect("no limits").findings;
            let budget = Budget::default();
            let observer = Impatient::new(&budget, 10);
            let stopped = cover(&pair, &flips, &Options { budget, ..full }, &observer);
            let counts = known_and_unknown(&stopped.expect("what was decided"), &expected);
            let (more_known, more_unknown) =
                counts.unwrap_or_else(|problem| panic!("seed {seed}: {problem}"));
            (known, unknown) = (known + more_known, unknown + more_unknown);
        }
    }
    assert!(!is_whole_run() || (known > 100 && unknown > 100), "{known} known, {unknown} unknown");
}
