//! Judges that contradict themselves: nothing can be said about the answers, but there have to be some.

use super::function::Function;
use super::ways;
use propcov_coverage::cores::{Judge, Judgement, Start, search};
use propcov_ir::{ElementSet, UnknownReason};
use propcov_testkit::{Random, seeds};

struct Oracle {
    random: Random,
    function: Function,
    questions: usize,
}

impl Judge for Oracle {
    fn judge(&mut self, kept: &ElementSet) -> Judgement {
        self.questions += 1;
        let any = self.function.set(self.random.next() as u32 & self.function.everything());
        match self.random.below(7) {
            0 => Judgement::Adequate(any),
            1 => Judgement::Adequate(any.intersection(kept)),
            2 | 3 => Judgement::Inadequate(any),
            4 | 5 => Judgement::Inadequate(any.union(kept)),
            _ => Judgement::Unknown(UnknownReason::Conflicts),
        }
    }

    fn width(&self) -> usize {
        3
    }
}

#[test]
fn a_judge_that_contradicts_itself_is_not_asked_forever() {
    for seed in seeds(300, 970_000) {
        let size = 1 + (seed % 8) as usize;
        for way in ways() {
            let function = Function::new(size, &[]);
            let universe = function.universe();
            let mut oracle = Oracle { random: Random::new(seed), function, questions: 0 };
            search(&mut oracle, &universe, way.0, way.1, &Start::default(), &mut ());
            assert!(oracle.questions <= 40 << size, "seed {seed}, {way:?}: {} questions", oracle.questions);
        }
    }
}

/// Adequate without the third element, inadequate with it.
struct Moody;

impl Judge for Moody {
    fn judge(&mut self, kept: &ElementSet) -> Judgement {
        let odd = kept.len() == 2;
        if odd || kept.len() == 4 {
            Judgement::Adequate(kept.clone())
        } else {
            Judgement::Inadequate(kept.clone())
        }
    }
}

#[test]
fn contradictions_are_never_complete() {
    let function = Function::new(4, &[]);
    let inadequate =
        vec![function.set(0b0111), function.set(0b1110), function.set(0b1101), function.set(0b1011)];
    for way in ways() {
        let found = search(&mut Moody, &function.universe(), way.0, way.1, &Start::default(), &mut ());
        let contradicted = !found.undecided.is_empty();
        assert!(!contradicted || !found.complete, "{way:?}: {found:?}");
        // All triples are inadequate, so that no pair is adequate, whatever the judge says now.
        let start = Start { adequate: Vec::new(), inadequate: inadequate.clone(), ..Start::default() };
        let found = search(&mut Moody, &function.universe(), way.0, way.1, &start, &mut ());
        assert!(found.cores.iter().all(|core| core.elements.len() == 4), "{way:?}: {found:?}");
    }
}
