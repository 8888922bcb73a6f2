//! Sizes at which something quadratic, or a recursion as deep as a graph, would be noticed.

use super::{covered, options, pair, with_status};
use propcov_budget::Budget;
use propcov_coverage::refine::{Algorithm, FlipStatus, Stats, criteria, study, unmatched_transitions};
use propcov_ir::{Graph, GraphBuilder, Label, LabelFlip};
use std::time::{Duration, Instant};

/// How long the chains are.
const LENGTH: u32 = 20_000;

/// A chain in which q holds, up to a loop at its end.
fn chain(length: u32, back: u32) -> Graph {
    let mut builder = GraphBuilder::new(vec!["q".to_owned()]);
    for number in 0..length {
        builder.add_state(number.to_string(), Label::True);
        builder.add_transition(number, if number + 1 == length { back } else { number + 1 });
    }
    builder.set_initial(0);
    builder.finish()
}

/// q always holds, or holds until it is open for ever.
fn specification(open: bool) -> Graph {
    let mut builder = GraphBuilder::new(vec!["q".to_owned()]);
    builder.add_state("always", Label::True);
    builder.add_state("then", if open { Label::Open } else { Label::True });
    for (from, to) in [(0, 0), (0, 1), (1, 1)] {
        builder.add_transition(from, to);
    }
    builder.set_initial(0);
    builder.finish()
}

fn flips() -> Vec<LabelFlip> {
    (0..LENGTH).map(|state| LabelFlip { state, proposition: 0 }).collect()
}

#[test]
fn long_chains_are_no_problem() {
    for back in [LENGTH - 1, LENGTH / 2, 0] {
        let pair = pair(&chain(LENGTH, back), &specification(true));
        let coverage = covered(&pair, &flips(), &options(Algorithm::Divide, 1, 2)).unwrap();
        assert_eq!(with_status(&coverage, FlipStatus::Covered), [LabelFlip { state: 0, proposition: 0 }]);
        assert_eq!(with_status(&coverage, FlipStatus::Uncovered).len(), LENGTH as usize - 1);
        criteria(&pair, &Budget::default(), &mut Stats::default()).unwrap();
    }
}

/// However far the question got that was stopped, the next one gets the right answer.
#[test]
fn criteria_that_are_stopped_leave_nothing_behind() {
    let pair = pair(&chain(LENGTH, 0), &specification(false));
    let expected = criteria(&pair, &Budget::default(), &mut Stats::default()).unwrap();
    let unmatched = unmatched_transitions(&pair, &Budget::default()).unwrap();
    assert_eq!(expected.unimplemented_transitions, [(0, 0), (0, 1), (1, 1)]);
    for microseconds in (0..12).map(|power| (1 << power) - 1) {
        study(&pair, &Budget::default(), &mut Stats::default(), |found| {
            let mut simulated = found.expect("it is simulated");
            let deadline = Instant::now() + Duration::from_micros(microseconds);
            let budget = Budget { deadline: Some(deadline), ..Budget::default() };
            if let Ok(found) = simulated.criteria(&budget, &mut Stats::default()) {
                assert_eq!(found, expected);
            }
            assert_eq!(simulated.unmatched_transitions(&Budget::default()).as_ref(), Ok(&unmatched));
            assert_eq!(simulated.criteria(&Budget::default(), &mut Stats::default()).as_ref(), Ok(&expected));
        })
        .unwrap();
    }
}

#[test]
fn where_each_flip_is_covered_little_is_done_for_each() {
    for back in [LENGTH - 1, LENGTH / 2, 0] {
        let pair = pair(&chain(LENGTH, back), &specification(false));
        let coverage = covered(&pair, &flips(), &options(Algorithm::Divide, 1, 2)).unwrap();
        assert_eq!(with_status(&coverage, FlipStatus::Covered).len(), LENGTH as usize);
        assert!(coverage.stats.counter_updates < 50 * u64::from(LENGTH), "{:?}", coverage.stats);
    }
}
