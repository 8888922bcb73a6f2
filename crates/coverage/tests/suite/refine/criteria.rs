//! The criteria of Katz, Grumberg and Geist are those of the definition.

use super::{pair, same, text};
use propcov_budget::Budget;
use propcov_coverage::refine::{Stats, UnmatchedTransition, criteria, unmatched_transitions};
use propcov_testkit::{GraphPair, for_random_pairs, graph_criteria, simulates};
use std::collections::BTreeMap;

pub(crate) fn check_criteria(case: &GraphPair) -> Result<(), String> {
    let (implementation, specification) = (&case.implementation, &case.specification);
    let pair = pair(implementation, specification);
    let budget = Budget::default();
    let found = criteria(&pair, &budget, &mut Stats::default()).map_err(text)?;
    let expected = graph_criteria(implementation, specification);
    same("start states", &found.unimplemented_start_states, &expected.unimplemented_start_states)?;
    same("states", &found.unimplemented_states, &expected.unimplemented_states)?;
    same("transitions", &found.unimplemented_transitions, &expected.unimplemented_transitions)?;
    same("many to one", &found.many_to_one, &expected.many_to_one)?;
    let unmatched = unmatched_transitions(&pair, &budget).map_err(text)?;
    let mut expected: BTreeMap<(u32, u32), Vec<(u32, u32)>> = BTreeMap::new();
    for ((w, v), (u, answer)) in propcov_testkit::unmatched_transitions(implementation, specification) {
        expected.entry((v, answer)).or_default().push((w, u));
    }
    let expected = expected.into_iter().map(|(transition, steps)| UnmatchedTransition {
        transition,
        example: steps.iter().copied().min().expect("not empty"),
        count: steps.len() as u64,
    });
    same("unmatched", &unmatched, &expected.collect())
}

#[test]
fn criteria_are_those_of_the_definition() {
    for_random_pairs(5_000, 8_440_000, |_, case| {
        if !simulates(&case.implementation, &case.specification) {
            return Ok(());
        }
        check_criteria(case)
    });
}
