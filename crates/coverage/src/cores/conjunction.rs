//! Judges for several properties together. A set is adequate for all of them if it is adequate for each.
//!
//! [`Lists`] needs no proofs: if all minimal cores of each property are known, so is the judgement of every set. [`InTurn`] asks a judge for each property, if lists are not complete.

use super::{Judge, Judgement};
use propcov_ir::ElementSet;

/// Knows all minimal cores of each property.
pub struct Lists {
    universe: ElementSet,
    properties: Vec<Vec<ElementSet>>,
}

impl Lists {
    /// For each property, all of its minimal cores. A property without cores does not hold.
    pub fn new(universe: &ElementSet, mut properties: Vec<Vec<ElementSet>>) -> Lists {
        // Small ones first: then the first that fits is a good choice.
        properties.iter_mut().for_each(|cores| cores.sort());
        Lists { universe: universe.clone(), properties }
    }

    /// The set and as many other elements as do not complete a core.
    fn grow(&self, cores: &[ElementSet], set: &ElementSet) -> ElementSet {
        let mut grown = self.universe.clone();
        // A core leaves the set with its last element that was not asked about: what is left lacks an element of each core, but could have too few.
        let mut dropped = ElementSet::new();
        for core in cores.iter().filter(|core| !core.is_empty()) {
            if core.is_subset(&grown)
                && let Some(element) = core.difference(set).iter().last()
            {
                grown.remove(element);
                dropped.insert(element);
            }
        }
        // So those are put back that do no harm.
        for element in dropped.iter() {
            let with = grown.with(element);
            let harms = |core: &ElementSet| core.contains(element) && core.is_subset(&with);
            if !cores.iter().any(harms) {
                grown = with;
            }
        }
        grown
    }
}

impl Judge for Lists {
    fn judge(&mut self, kept: &ElementSet) -> Judgement {
        let mut union = ElementSet::new();
        for cores in &self.properties {
            let new = |core: &&ElementSet| core.difference(&union).len();
            match cores.iter().filter(|core| core.is_subset(kept)).min_by_key(new) {
                Some(core) => union = union.union(core),
                None => return Judgement::Inadequate(self.grow(cores, kept)),
            }
        }
        Judgement::Adequate(union)
    }
}

/// Asks a judge for each property.
pub struct InTurn<'a> {
    judges: Vec<&'a mut dyn Judge>,
    /// Whom to ask first: those who found sets inadequate last.
    order: Vec<usize>,
}

impl<'a> InTurn<'a> {
    /// A judge for each property, all with the same universe.
    pub fn new(judges: Vec<&'a mut dyn Judge>) -> InTurn<'a> {
        let order = (0..judges.len()).collect();
        InTurn { judges, order }
    }
}

impl Judge for InTurn<'_> {
    fn judge(&mut self, kept: &ElementSet) -> Judgement {
        self.judge_all(std::slice::from_ref(kept)).pop().unwrap_or(Judgement::Adequate(ElementSet::new()))
    }

    fn judge_all(&mut self, sets: &[ElementSet]) -> Vec<Judgement> {
        let mut answers = vec![Judgement::Adequate(ElementSet::new()); sets.len()];
        let mut first = Vec::new();
        let mut last = Vec::new();
        for &index in &self.order {
            let is_open = |at: &usize| !matches!(answers[*at], Judgement::Inadequate(_));
            let open: Vec<usize> = (0..sets.len()).filter(is_open).collect();
            let asked: Vec<ElementSet> = open.iter().map(|at| sets[*at].clone()).collect();
            let mut has_refuted = false;
            if !asked.is_empty() {
                for (at, judgement) in open.into_iter().zip(self.judges[index].judge_all(&asked)) {
                    has_refuted |= matches!(judgement, Judgement::Inadequate(_));
                    combine(&mut answers[at], judgement);
                }
            }
            if has_refuted { first.push(index) } else { last.push(index) }
        }
        first.append(&mut last);
        self.order = first;
        answers
    }

    fn set_round(&mut self, round: u32) -> bool {
        let mut is_worth_more = false;
        for judge in &mut self.judges {
            is_worth_more |= judge.set_round(round);
        }
        is_worth_more
    }

    fn width(&self) -> usize {
        self.judges.iter().map(|judge| judge.width()).max().unwrap_or(1)
    }

    fn prefers_small(&self) -> bool {
        self.judges.iter().any(|judge| judge.prefers_small())
    }

    fn is_over(&self) -> bool {
        self.judges.iter().any(|judge| judge.is_over())
    }
}

/// One property that is violated is enough; one without an answer leaves the set open.
fn combine(answer: &mut Judgement, judgement: Judgement) {
    match (&mut *answer, judgement) {
        (Judgement::Adequate(union), Judgement::Adequate(core)) => *union = union.union(&core),
        (Judgement::Unknown(_), Judgement::Adequate(_) | Judgement::Unknown(_)) => {}
        (_, judgement) => *answer = judgement,
    }
}
