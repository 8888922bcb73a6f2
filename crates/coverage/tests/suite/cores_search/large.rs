//! As many elements and cores as real designs have.

use propcov_coverage::cores::{Goal, Judge, Judgement, Start, search};
use propcov_ir::{ElementId, ElementSet};

/// Needs an element of each pair, and all of the shared elements. What is inadequate is grown, as runs of real designs do.
struct Pairs {
    universe: ElementSet,
    pairs: u32,
    shared: u32,
    questions: usize,
}

impl Judge for Pairs {
    fn judge(&mut self, kept: &ElementSet) -> Judgement {
        self.questions += 1;
        let shared = 2 * self.pairs..2 * self.pairs + self.shared;
        let mut core = ElementSet::new();
        for element in shared.map(ElementId) {
            if !kept.contains(element) {
                return Judgement::Inadequate(self.universe.without(element));
            }
            core.insert(element);
        }
        for pair in 0..self.pairs {
            let pair = [2 * pair, 2 * pair + 1].map(ElementId);
            match pair.into_iter().find(|element| kept.contains(*element)) {
                Some(element) => core.insert(element),
                None => {
                    let lacking = self.universe.without(pair[0]).without(pair[1]);
                    return Judgement::Inadequate(lacking);
                }
            };
        }
        Judgement::Adequate(core)
    }
}

#[test]
fn thousands_of_cores_among_ten_thousand_elements() {
    let universe: ElementSet = (0..11_000).map(ElementId).collect();
    let mut judge = Pairs { universe: universe.clone(), pairs: 11, shared: 200, questions: 0 };
    let found = search(&mut judge, &universe, Goal::All, None, &Start::default(), &mut ());
    assert!(found.complete);
    assert_eq!((found.cores.len(), found.at_least), (2048, 211));
    // Each core and each maximal inadequate set once: 2048 + 200 + 11.
    assert!(judge.questions <= 2400, "{} questions", judge.questions);
}

#[test]
fn a_smallest_core_among_millions() {
    let universe: ElementSet = (0..11_000).map(ElementId).collect();
    let mut judge = Pairs { universe: universe.clone(), pairs: 200, shared: 30, questions: 0 };
    let found = search(&mut judge, &universe, Goal::Minimum, None, &Start::default(), &mut ());
    assert_eq!((found.minimum.map(|core| core.len()), found.at_least), (Some(230), 230));
}
