//! Random pairs of graphs are of many kinds, and what fails gets small.

use propcov_ir::Label;
use propcov_testkit::{
    GraphPair, Random, all_flips, covered_flips, graph_criteria, graph_pair, greatest_simulation,
    is_simulation, pair_families, random_graph, reachable_simulation, shrink_pair, simulates, weakened,
};

fn share(of: impl Fn(&GraphPair) -> bool) -> usize {
    (0..1000).filter(|seed| of(&graph_pair(*seed))).count() / 10
}

#[test]
fn graphs_are_total_with_initial_states_over_the_same_propositions() {
    for seed in 0..1000 {
        let pair = graph_pair(seed);
        assert_eq!(pair.implementation.propositions(), pair.specification.propositions());
        for graph in [pair.implementation, pair.specification] {
            assert_eq!(graph.dead_end(), None);
            assert!(!graph.initial().is_empty());
        }
    }
}

#[test]
fn most_pairs_are_simulated_and_cover_some_labels_but_not_all() {
    let simulated = share(|pair| simulates(&pair.implementation, &pair.specification));
    assert!((55..90).contains(&simulated), "{simulated}% are simulated");
    let some = share(|pair| {
        let covered = covered_flips(&pair.implementation, &pair.specification).len();
        let reachable = pair.implementation.reachable();
        let flips = all_flips(&pair.implementation);
        let counted = flips.iter().filter(|flip| reachable[flip.state as usize]).count();
        simulates(&pair.implementation, &pair.specification) && 0 < covered && covered < counted
    });
    assert!(some > 25, "{some}% are covered in part");
    let open = share(|pair| {
        let graph = &pair.implementation;
        graph.states().any(|state| graph.labels(state).contains(&Label::Open))
    });
    assert!((10..50).contains(&open), "{open}% have open labels");
    let unreachable = share(|pair| pair.implementation.reachable().contains(&false));
    assert!((20..80).contains(&unreachable), "{unreachable}% have unreachable states");
    let unneeded = share(|pair| {
        let criteria = graph_criteria(&pair.implementation, &pair.specification);
        simulates(&pair.implementation, &pair.specification)
            && !criteria.unimplemented_transitions.is_empty()
            && !criteria.many_to_one.is_empty()
    });
    assert!(unneeded > 10, "{unneeded}% are of interest for the criteria");
}

#[test]
fn a_weakened_graph_simulates_the_one_it_comes_from() {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let states = random.between(1, 12);
        let open = random.below(40);
        let graph = random_graph(&mut random, states, 2, open);
        assert!(simulates(&graph, &weakened(&mut random, &graph, open)), "seed {seed}");
    }
}

#[test]
fn the_greatest_simulation_is_one_and_has_all_others() {
    for seed in 0..300 {
        let pair = graph_pair(seed);
        let (implementation, specification) = (&pair.implementation, &pair.specification);
        let greatest = greatest_simulation(implementation, specification);
        assert!(is_simulation(implementation, specification, &greatest));
        assert!(reachable_simulation(implementation, specification).is_subset(&greatest));
        if implementation.state_count() * specification.state_count() <= 12 {
            // No other pair is in any simulation.
            let pairs: Vec<_> =
                implementation.states().flat_map(|w| specification.states().map(move |v| (w, v))).collect();
            for subset in 0_u32..1 << pairs.len() {
                let chosen = (0..pairs.len()).filter(|index| subset >> index & 1 == 1);
                let relation = chosen.map(|index| pairs[index]).collect();
                assert!(
                    !is_simulation(implementation, specification, &relation) || relation.is_subset(&greatest)
                );
            }
        }
    }
}

#[test]
fn pairs_of_all_families_are_pairs() {
    for (name, generate) in pair_families() {
        let mut simulated = 0;
        for seed in 0..20 {
            let pair = generate(&mut Random::new(seed), 15);
            assert_eq!(pair.implementation.propositions(), pair.specification.propositions(), "{name}");
            assert_eq!(pair.implementation.dead_end(), None, "{name}");
            assert_eq!(pair.specification.dead_end(), None, "{name}");
            simulated += u32::from(simulates(&pair.implementation, &pair.specification));
        }
        assert!(simulated >= 15, "{simulated} of 20 of {name} are simulated");
    }
}

#[test]
fn what_fails_gets_small() {
    let is_not_simulated = |pair: &GraphPair| !simulates(&pair.implementation, &pair.specification);
    let pair = (0..).map(graph_pair).find(is_not_simulated).expect("there is one");
    let small = shrink_pair(&pair, is_not_simulated);
    assert!(is_not_simulated(&small));
    assert_eq!((small.implementation.state_count(), small.specification.state_count()), (1, 1));
    assert_eq!(small.implementation.propositions().len(), 1);
    let is_covered_in_part = |pair: &GraphPair| {
        let covered = covered_flips(&pair.implementation, &pair.specification).len();
        simulates(&pair.implementation, &pair.specification)
            && 0 < covered
            && covered < all_flips(&pair.implementation).len()
    };
    let pair = (0..).map(graph_pair).find(is_covered_in_part).expect("there is one");
    let small = shrink_pair(&pair, is_covered_in_part);
    assert!(is_covered_in_part(&small) && small.implementation.state_count() <= 2, "{}", small.show());
}
