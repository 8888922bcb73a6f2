//! Impact: where an old proof is said to stand, the property holds in the changed system.

use propcov_coverage::cores::impact::{Obstacle, stands};
use propcov_ir::{Edit, Edits, ElementSet, Site, Sort, System, Value, Wordings};
use propcov_testkit::{Explicit, Outcome};
use propcov_testkit::{Scope, for_random_validity};
use std::cell::Cell;

/// The system with some definitions changed, each to something else.
fn changed(system: &System, random: &mut fastrand::Rng) -> (System, ElementSet) {
    let mut edits = Edits::none();
    let mut elements = ElementSet::new();
    for element in system.element_ids() {
        let site = system.element(element).site;
        let sort = match site {
            Site::Wire(signal) | Site::Next(signal) | Site::Init(signal) => &system.signal(signal).sort,
            Site::Constraint(_) => continue,
        };
        if random.u8(..4) > 0 || *sort != Sort::BOOL {
            continue;
        }
        edits.insert(
            element,
            match random.u8(..3) {
                0 => Edit::Invert,
                1 => Edit::Const(Value::bool(random.bool())),
                _ => Edit::Free,
            },
        );
        elements.insert(element);
    }
    (system.edited(&edits), elements)
}

#[test]
fn a_proof_that_stands_is_one_of_the_changed_system() {
    let (stand, lost) = (Cell::new(0), Cell::new(0));
    for_random_validity(400, 7_000_000, |case| {
        let mut random = fastrand::Rng::with_seed(case.seed);
        let words = Wordings::new(case.system);
        for _ in 0..4 {
            let (new, edited) = changed(case.system, &mut random);
            let new_words = Wordings::new(&new);
            for core in case.truth.cores(Scope::Always) {
                let kept = |element| core.contains(element) || !case.universe.contains(element);
                match stands((case.system, &words), (&new, &new_words), case.property, &kept) {
                    Ok(()) => {
                        stand.set(stand.get() + 1);
                        let Ok(explicit) = Explicit::explore(&new, &Edits::none()) else { continue };
                        if let Outcome::Violated { depth } = explicit.outcome(case.property) {
                            return Err(format!(
                                "the proof from {core:?} is said to stand after {edited:?} changed, but the property fails after {depth} steps"
                            ));
                        }
                    }
                    // What did not change is no reason.
                    Err(Obstacle::Element(element)) if !edited.contains(element) => {
                        return Err(format!("{element:?} did not change"));
                    }
                    Err(Obstacle::Gone | Obstacle::Property) => {
                        return Err("the property did not change".to_owned());
                    }
                    Err(_) => lost.set(lost.get() + 1),
                }
            }
        }
        Ok(())
    });
    assert!(stand.get() > 100 && lost.get() > 100, "{} stand, {} do not", stand.get(), lost.get());
}

#[test]
fn every_proof_stands_in_the_same_system() {
    for_random_validity(100, 7_100_000, |case| {
        let words = Wordings::new(case.system);
        let same = (case.system, &words);
        stands(same, same, case.property, &|_| true).map_err(|obstacle| format!("{obstacle:?}"))
    });
}
