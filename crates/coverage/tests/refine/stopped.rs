//! What is decided when the budget runs out is kept.

use crate::{options, pair};
use propcov_coverage::refine::{Algorithm, FlipStatus, Observer, Options, Stats, Stopped, cover, simulate};
use propcov_sat::{Budget, Interrupt};
use propcov_testkit::{PairSizes, Random, all_flips, random_pair, seeds, simulates};

/// Raises the flag once so many flips are decided.
struct Impatient {
    interrupt: Interrupt,
    patience: usize,
}

impl Observer for Impatient {
    fn decided(&self, done: usize, total: usize) {
        assert!(done <= total);
        if done >= self.patience {
            self.interrupt.raise();
        }
    }
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

#[test]
fn what_is_decided_before_the_interrupt_is_kept_and_right() {
    let sizes = PairSizes { least_states: 150, most_states: 250, propositions: 2, ..PairSizes::default() };
    let (mut decided, mut unknown) = (0, 0);
    for seed in seeds(12, 7_000_000) {
        let case = random_pair(&mut Random::new(seed), sizes);
        if !simulates(&case.implementation, &case.specification) {
            continue;
        }
        let pair = pair(&case.implementation, &case.specification);
        let flips = all_flips(&case.implementation);
        for algorithm in Algorithm::ALL {
            let full = options(algorithm, seed, 2);
            let expected = cover(&pair, &flips, &full, &()).unwrap();
            let budget = Budget::default();
            let observer = Impatient { interrupt: budget.interrupt.clone(), patience: 10 };
            let stopped = cover(&pair, &flips, &Options { budget, ..full }, &observer).unwrap();
            for (part, whole) in stopped.findings.iter().zip(&expected.findings) {
                assert!(part == whole || *part == (whole.0, FlipStatus::Unknown), "{part:?} {whole:?}");
                *(if part.1 == FlipStatus::Unknown { &mut unknown } else { &mut decided }) += 1;
            }
        }
    }
    assert!(decided > 100 && unknown > 100, "{decided} decided, {unknown} unknown");
}
