//! When the budget does not suffice, there may be less of an answer, but never a wrong one.

use super::measured::{Failed, Found, Question, settings};
use super::structures::structure;
use propcov_coverage::ctl::{Flip, Implication};
use propcov_ir::Edits;
use propcov_symbolic::Options;
use propcov_testkit::{ExplicitCtl, Random, is_whole_run, seeds};

#[test]
fn what_is_sure_is_covered_and_what_is_covered_is_possible() {
    // No measurement at all, none of a property, an interval, an exact answer.
    let mut outcomes = [0; 4];
    for seed in seeds(120, 750_000) {
        let mut random = Random::new(seed);
        let Some(structure) = structure(&mut random, 3) else { continue };
        let system = &structure.model.system;
        let edits = Edits::none();
        let explicit = ExplicitCtl::new(system, &edits).expect("small");
        // The label itself, and the place, which has several other values.
        let mut with_place = system.clone();
        let observed = [structure.model.labels["q"], with_place.read(structure.model.place)];
        let implication = *random.pick(&[Implication::Split, Implication::Whole]);
        for setting in settings(*random.pick(&[Flip::Any, Flip::All]), implication) {
            let options = Options { demonstrate: false, reorder_at: None, ..Options::default() };
            let (ticks, most_nodes) = match random.below(5) {
                0 => (Some(0), options.most_nodes),
                1 | 2 => (Some(random.between(1, 8000) as u64), options.most_nodes),
                _ => (None, random.between(20, 150)),
            };
            let options = Options { most_nodes, ..options };
            let dont_care = &structure.dont_care[..];
            let question =
                Question { system, setting, observed: &observed, dont_care, waived: &[], options, ticks };
            let answer = match question.ask(&explicit) {
                Err(Failed::Reason(_)) => {
                    outcomes[0] += 1;
                    continue;
                }
                answer => answer.unwrap_or_else(|failed| panic!("seed {seed}: {failed}")),
            };
            for (at, found) in answer[0].iter().enumerate() {
                let formula = question.formula(at).expect("a formula");
                let truth = question.definition(&explicit, &formula, observed[0]).expect("it holds");
                let truth = truth.expect("acceptable");
                match found {
                    Found::Unknown(_) => outcomes[1] += 1,
                    Found::Covered { sure, possible, is_exact } => {
                        assert!(sure.is_subset(&truth), "seed {seed}: {sure:?}, but {truth:?} {setting:?}");
                        assert!(truth.is_subset(possible), "seed {seed}: {possible:?}, but {truth:?}");
                        assert!(!is_exact || sure == possible, "seed {seed}");
                        outcomes[if *is_exact { 3 } else { 2 }] += 1;
                    }
                    Found::Unrelated => assert!(truth.is_empty(), "seed {seed}"),
                    Found::Fails | Found::NotAcceptable => panic!("seed {seed}: no measurement"),
                }
            }
        }
    }
    if is_whole_run() {
        assert!(outcomes.iter().all(|count| *count > 10), "{outcomes:?}");
    }
}
