//! The callers' mistakes are errors, not panics.

use super::{options, pair};
use propcov_budget::Budget;
use propcov_coverage::refine::{Algorithm, Stopped, cover, explain};
use propcov_ir::{Label, LabelFlip};
use propcov_testkit::{GraphPair, all_flips, graph_pair, seeds, simulates};

/// Labels without a value, and labels that do not exist.
fn no_mutants(case: &GraphPair) -> Vec<LabelFlip> {
    let graph = &case.implementation;
    let (states, propositions) = (graph.state_count() as u32, graph.propositions().len() as u32);
    let all = graph
        .states()
        .flat_map(|state| (0..propositions).map(move |proposition| LabelFlip { state, proposition }));
    let open = all.filter(|flip| graph.label(flip.state, flip.proposition) == Label::Open);
    let wrong = [
        LabelFlip { state: states, proposition: 0 },
        LabelFlip { state: 0, proposition: propositions },
        LabelFlip { state: u32::MAX, proposition: u32::MAX },
    ];
    open.chain(wrong).collect()
}

#[test]
fn questions_without_meaning_are_errors() {
    for seed in seeds(200, 8_495_000) {
        let case = graph_pair(seed);
        let pair = pair(&case.implementation, &case.specification);
        // Coverage is about simulated pairs, and about labels that have a value.
        let is_simulated = simulates(&case.implementation, &case.specification);
        let questions: Vec<Vec<LabelFlip>> = match is_simulated {
            true => no_mutants(&case).into_iter().map(|flip| vec![flip]).collect(),
            false => vec![all_flips(&case.implementation)],
        };
        for flips in questions {
            for (algorithm, threads) in Algorithm::ALL.into_iter().flat_map(|way| [(way, 1), (way, 2)]) {
                let answer = cover(&pair, &flips, &options(algorithm, 0, threads), &());
                let what = format!("seed {seed}, {flips:?}: {:?}", answer.as_ref().map(|c| &c.findings));
                assert!(matches!(answer, Err(Stopped::Internal(_))), "{what}");
            }
            if is_simulated && let [flip] = flips[..] {
                let answer = explain(&pair, flip, &Budget::default());
                assert!(matches!(answer, Err(Stopped::Internal(_))), "seed {seed}, {flip:?}: {answer:?}");
            }
        }
    }
}
