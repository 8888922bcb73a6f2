//! The paper's own examples, and what cannot be compared.

use super::{covered, options, pair, with_status};
use propcov_budget::Budget;
use propcov_coverage::refine::{Algorithm, Criteria, FlipStatus, Pair, Stats, criteria};
use propcov_ir::{Graph, GraphBuilder, Label, LabelFlip};

/// A graph with one proposition, which holds in some states and is open in others.
fn graph(labels: &[Label], initial: &[u32], transitions: &[(u32, u32)]) -> Graph {
    let mut builder = GraphBuilder::new(vec!["q".to_owned()]);
    for (number, label) in labels.iter().enumerate() {
        builder.add_state(format!("s{number}"), *label);
    }
    initial.iter().for_each(|state| builder.set_initial(*state));
    transitions.iter().for_each(|(from, to)| builder.add_transition(*from, *to));
    builder.finish()
}

#[test]
fn figure_4_meets_all_criteria_and_covers_nothing() {
    let both = graph(&[Label::True, Label::False], &[0, 1], &[(0, 0), (1, 1)]);
    let pair = pair(&both, &both);
    let found = criteria(&pair, &Budget::default(), &mut Stats::default()).unwrap();
    assert_eq!(found, Criteria::default());
    let flips = [LabelFlip { state: 0, proposition: 0 }, LabelFlip { state: 1, proposition: 0 }];
    for algorithm in Algorithm::ALL {
        let coverage = covered(&pair, &flips, &options(algorithm, 0, 1)).unwrap();
        assert_eq!(with_status(&coverage, FlipStatus::Uncovered), flips);
    }
}

#[test]
fn figure_5_covers_everything_although_two_states_have_one_partner() {
    let implementation = graph(&[Label::True, Label::True], &[0], &[(0, 1), (1, 1)]);
    let specification = graph(&[Label::True], &[0], &[(0, 0)]);
    let pair = pair(&implementation, &specification);
    let found = criteria(&pair, &Budget::default(), &mut Stats::default()).unwrap();
    assert_eq!(found, Criteria { many_to_one: vec![(0, vec![0, 1])], ..Criteria::default() });
    let flips = [LabelFlip { state: 0, proposition: 0 }, LabelFlip { state: 1, proposition: 0 }];
    for algorithm in Algorithm::ALL {
        let coverage = covered(&pair, &flips, &options(algorithm, 0, 1)).unwrap();
        assert_eq!(with_status(&coverage, FlipStatus::Covered), flips);
    }
}

#[test]
fn graphs_that_cannot_be_compared_are_refused_by_name() {
    let good = graph(&[Label::True], &[0], &[(0, 0)]);
    let dead = graph(&[Label::True, Label::True], &[0], &[(0, 1)]);
    let nowhere = graph(&[Label::True], &[], &[(0, 0)]);
    let other = good.with_false_proposition("r");
    let message = |implementation: &Graph, specification: &Graph| {
        Pair::new(implementation.clone(), specification.clone()).unwrap_err().to_string()
    };
    assert_eq!(message(&other, &good), "the implementation is over q, r, the specification over q");
    assert_eq!(
        message(&good.projected(&[]), &good),
        "the implementation is over no propositions, the specification over q"
    );
    assert_eq!(message(&nowhere, &good), "the implementation has no initial state");
    assert_eq!(message(&good, &nowhere), "the specification has no initial state");
    assert_eq!(message(&dead, &good), "state s1 of the implementation has no successor");
    assert_eq!(message(&good, &dead), "state s1 of the specification has no successor");
}

#[test]
fn what_has_no_mutant_or_is_not_simulated_is_an_error() {
    let open = graph(&[Label::Open], &[0], &[(0, 0)]);
    let closed = graph(&[Label::True], &[0], &[(0, 0)]);
    let flip = LabelFlip { state: 0, proposition: 0 };
    let ask = |pair: &Pair, flip| covered(pair, &[flip], &options(Algorithm::Divide, 0, 1)).unwrap_err();
    assert_eq!(ask(&pair(&open, &open), flip), "proposition 0 of state 0 has no mutant");
    let far = LabelFlip { state: 1, proposition: 0 };
    assert_eq!(ask(&pair(&closed, &open), far), "proposition 0 of state 1 has no mutant");
    let opposite = graph(&[Label::False], &[0], &[(0, 0)]);
    assert_eq!(ask(&pair(&closed, &opposite), flip), "coverage of an implementation that is not simulated");
}
