//! The explanation of a flip shows what it says.

use super::{checker, expected, is_evidence, pair, same, text};
use propcov_budget::Budget;
use propcov_coverage::refine::{Explanation, FlipStatus, explain};
use propcov_ir::LabelFlip;
use propcov_testkit::{GraphPair, all_flips, for_random_pairs, simulates};

/// That the explanation of each flip says what is expected, and shows it by definition, and to a checker that has seen nothing else.
pub(crate) fn check_explanations(case: &GraphPair, flips: &[LabelFlip]) -> Result<(), String> {
    let (implementation, specification) = (&case.implementation, &case.specification);
    let pair = pair(implementation, specification);
    for (flip, status) in expected(case, flips) {
        let mutant = implementation.flipped(flip);
        match (status, explain(&pair, flip, &Budget::default()).map_err(text)?) {
            (FlipStatus::Unreachable, Explanation::Unreachable) => {}
            (FlipStatus::Covered, Explanation::Covered(distinction)) => {
                let with_flip = checker(implementation, specification)?;
                with_flip.check_distinction(Some(flip), &distinction).map_err(text)?;
                let as_graph = checker(&mutant, specification)?;
                as_graph.check_distinction(None, &distinction).map_err(text)?;
            }
            (FlipStatus::Uncovered, Explanation::Uncovered { simulation, partners }) => {
                let shows = is_evidence(&mutant, specification, &simulation.pairs);
                same("the relation is a simulation", &shows, &true)?;
                let of_flipped = simulation.pairs.iter().filter(|pair| pair.0 == flip.state);
                let of_flipped: Vec<u32> = of_flipped.map(|pair| pair.1).collect();
                same("there are partners", &partners.is_empty(), &false)?;
                same("partners", &partners, &of_flipped)?;
                checker(&mutant, specification)?.accept_simulation(simulation).map_err(text)?;
            }
            (status, explanation) => {
                return Err(format!("{flip:?} is {status:?}, but the explanation is {explanation:?}"));
            }
        }
    }
    Ok(())
}

#[test]
fn explanations_show_what_they_say() {
    for_random_pairs(4_000, 8_430_000, |_, case| {
        if !simulates(&case.implementation, &case.specification) {
            return Ok(());
        }
        check_explanations(case, &all_flips(&case.implementation))
    });
}
