//! What follows from sets that are known to be adequate or inadequate, by monotonicity alone.
//!
//! T is the universe. Supersets of adequate sets are adequate, and subsets of inadequate sets are inadequate (see `cores` for why). A *minimal core* is an adequate set of which every
//! proper subset is inadequate; each adequate set contains one, because T is finite.

use super::smallest;
use crate::Rejection;
use propcov_budget::Budget;
use propcov_ir::{ElementId, ElementSet};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use rustc_hash::FxHashMap;

/// Certified facts about the slices of one property, or of several together. Only evidence that was accepted makes a fact: see [`CoreChecker`](crate::CoreChecker).
#[derive(Clone, Debug)]
pub struct Facts {
    universe: ElementSet,
    adequate: Vec<ElementSet>,
    inadequate: Vec<ElementSet>,
}

impl Facts {
    pub(super) fn new(universe: &ElementSet) -> Facts {
        Facts { universe: universe.clone(), adequate: Vec::new(), inadequate: Vec::new() }
    }

    pub(super) fn insert_adequate(&mut self, set: &ElementSet) {
        if !self.is_adequate(set) {
            self.adequate.push(set.clone());
        }
    }

    pub(super) fn insert_inadequate(&mut self, set: &ElementSet) {
        if !self.is_inadequate(set) {
            self.inadequate.push(set.clone());
        }
    }

    /// What is known of several properties together, of which a set is adequate for all if it is for each. A set that is inadequate for one is inadequate for all of them. Of the
    /// `sets`, those are adequate that are so for each property; that is known of nothing else.
    ///
    /// # Errors
    /// When there are no properties, or they are not about the same universe.
    pub fn together<'f>(
        properties: &[&'f Facts],
        sets: impl IntoIterator<Item = &'f ElementSet>,
    ) -> Result<Facts, Rejection> {
        let Some((first, others)) = properties.split_first() else {
            return Err(Rejection::Malformed("no properties".to_owned()));
        };
        if others.iter().any(|other| other.universe != first.universe) {
            return Err(Rejection::Malformed("other elements are in question".to_owned()));
        }
        let mut facts = Facts::new(&first.universe);
        for set in sets.into_iter().filter(|set| properties.iter().all(|facts| facts.is_adequate(set))) {
            facts.check_member(set)?;
            facts.insert_adequate(set);
        }
        for set in properties.iter().flat_map(|facts| &facts.inadequate) {
            facts.insert_inadequate(set);
        }
        Ok(facts)
    }

    /// The elements in question.
    pub fn universe(&self) -> &ElementSet {
        &self.universe
    }

    /// The sets that are known to be inadequate, and so are all of their subsets.
    pub fn inadequate(&self) -> &[ElementSet] {
        &self.inadequate
    }

    /// Whether the set is known to be adequate.
    pub fn is_adequate(&self, set: &ElementSet) -> bool {
        self.adequate.iter().any(|adequate| adequate.is_subset(set))
    }

    /// Whether the set is known to be inadequate.
    pub fn is_inadequate(&self, set: &ElementSet) -> bool {
        self.inadequate.iter().any(|inadequate| set.is_subset(inadequate))
    }

    pub(super) fn check_member(&self, set: &ElementSet) -> Result<(), Rejection> {
        match set.iter().find(|element| !self.universe.contains(*element)) {
            None => Ok(()),
            Some(stranger) => Err(Rejection::Malformed(format!("element {} is not in question", stranger.0))),
        }
    }

    /// Accepts that a set is adequate.
    ///
    /// # Errors
    /// When that does not follow from the facts.
    pub fn check_adequate(&self, set: &ElementSet) -> Result<(), Rejection> {
        self.check_member(set)?;
        if self.is_adequate(set) { Ok(()) } else { Err(Rejection::Unexplored(set.clone())) }
    }

    /// Which elements of an adequate set it can do without as far as is known: those for which it is not known that the rest is inadequate.
    pub fn not_known_to_be_needed(&self, core: &ElementSet) -> ElementSet {
        let mut open = core.clone();
        for inadequate in &self.inadequate {
            let mut missing = core.iter().filter(|element| !inadequate.contains(*element));
            // The set contains the core without that element.
            if let (Some(needed), None) = (missing.next(), missing.next()) {
                open.remove(needed);
            }
        }
        open
    }

    /// Accepts that a set is a minimal core: it is adequate, and without any one of its elements it is inadequate, and so is every smaller subset.
    ///
    /// # Errors
    /// When that does not follow from the facts.
    pub fn check_minimal(&self, core: &ElementSet) -> Result<(), Rejection> {
        self.check_adequate(core)?;
        match self.not_known_to_be_needed(core).iter().next() {
            None => Ok(()),
            Some(element) => Err(Rejection::Unexplored(core.without(element))),
        }
    }

    /// Accepts that every adequate set contains one of these, which are adequate. If each of them is minimal, these are all minimal cores: a minimal core contains one of them, and is then equal to
    /// it.
    ///
    /// The clauses say of a set S that it contains none of the cores, and is contained in no inadequate set. A solver that has never seen anything else finds no such
    /// set; so each S contains a core or is inadequate.
    ///
    /// # Errors
    /// When that does not follow from the facts.
    pub fn check_complete(&self, cores: &[ElementSet], budget: &Budget) -> Result<Complete, Rejection> {
        self.refute_others(cores, budget)?;
        Ok(Complete { cores: cores.to_vec() })
    }

    fn refute_others(&self, cores: &[ElementSet], budget: &Budget) -> Result<(), Rejection> {
        cores.iter().try_for_each(|core| self.check_adequate(core))?;
        let mut solver = Cadical::new(CadicalConfig::default());
        let chosen: FxHashMap<ElementId, Lit> =
            self.universe.iter().map(|element| (element, solver.new_var().positive())).collect();
        let literals = |set: &ElementSet| -> Option<Vec<Lit>> {
            set.iter().map(|element| chosen.get(&element).copied()).collect()
        };
        let stranger = || Rejection::Malformed("an element that is not in question".to_owned());
        for core in cores {
            let some_missing: Vec<Lit> =
                literals(core).ok_or_else(stranger)?.into_iter().map(|kept| !kept).collect();
            // The empty set is adequate, and every set contains it.
            if some_missing.is_empty() {
                return Ok(());
            }
            solver.add_clause(&some_missing);
        }
        for inadequate in &self.inadequate {
            let some_more = literals(&self.universe.difference(inadequate)).ok_or_else(stranger)?;
            // Every set is inadequate.
            if some_more.is_empty() {
                return Ok(());
            }
            solver.add_clause(&some_more);
        }
        match solver.solve(&[], budget) {
            Outcome::Unsat => Ok(()),
            Outcome::Unknown => Err(Rejection::Undecided),
            Outcome::Sat => {
                let kept = |element: &ElementId| solver.value(chosen[element]) == Some(true);
                Err(Rejection::Unexplored(self.universe.iter().filter(kept).collect()))
            }
        }
    }

    /// Accepts that every adequate set has at least so many elements: no smaller set has an element outside each inadequate set.
    ///
    /// # Errors
    /// When that does not follow from the facts.
    pub fn check_at_least(&self, size: usize, budget: &Budget) -> Result<(), Rejection> {
        let complements = self.inadequate.iter().map(|set| self.universe.difference(set)).collect();
        smallest::check_hitting_sets(complements, size, budget)
    }

    /// Accepts that a set is an adequate one with as few elements as any.
    ///
    /// # Errors
    /// When that does not follow from the facts.
    pub fn check_minimum(&self, core: &ElementSet, budget: &Budget) -> Result<(), Rejection> {
        self.check_adequate(core)?;
        self.check_at_least(core.len(), budget)
    }

    /// Accepts that an element is in every adequate set: without it, even all others are inadequate.
    ///
    /// # Errors
    /// When that does not follow from the facts.
    pub fn check_must(&self, element: ElementId) -> Result<(), Rejection> {
        self.check_member(&ElementSet::from_iter([element]))?;
        let others = self.universe.without(element);
        if self.is_inadequate(&others) { Ok(()) } else { Err(Rejection::Unexplored(others)) }
    }

    /// Accepts that an element is not in every adequate set: all others are adequate.
    ///
    /// # Errors
    /// When that does not follow from the facts.
    pub fn check_not_must(&self, element: ElementId) -> Result<(), Rejection> {
        self.check_member(&ElementSet::from_iter([element]))?;
        self.check_adequate(&self.universe.without(element))
    }

    /// Accepts that an element is in some minimal core: some adequate set is inadequate without it. A minimal core within that set has the element, for otherwise the set without it
    /// would be adequate.
    ///
    /// # Errors
    /// When that does not follow from the facts.
    pub fn check_may(&self, element: ElementId) -> Result<(), Rejection> {
        self.check_member(&ElementSet::from_iter([element]))?;
        let with_it = || self.adequate.iter().filter(|set| set.contains(element));
        if with_it().any(|set| self.is_inadequate(&set.without(element))) {
            return Ok(());
        }
        Err(Rejection::Unexplored(with_it().next().unwrap_or(&self.universe).without(element)))
    }
}

/// Adequate sets of which every adequate set contains one: see [`Facts::check_complete`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complete {
    cores: Vec<ElementSet>,
}

impl Complete {
    /// Whether it follows that the element is in no minimal core. A minimal core contains one of the cores, and is equal to it because that is adequate; so it is enough that none of
    /// them has the element.
    pub fn is_in_no_core(&self, element: ElementId) -> bool {
        self.cores.iter().all(|core| !core.contains(element))
    }

    /// Whether it follows that every adequate set has at least so many elements: it contains one of the cores.
    pub fn is_at_least(&self, size: usize) -> bool {
        self.cores.iter().all(|core| core.len() >= size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_testkit::Random;

    const ELEMENTS: u32 = 6;

    fn set_of(code: u32) -> ElementSet {
        (0..ELEMENTS).filter(|at| code >> at & 1 != 0).map(ElementId).collect()
    }

    /// A random monotone notion of adequacy: the sets that contain one of the cores. Sets are bit patterns.
    struct Truth {
        /// Minimal cores.
        cores: Vec<u32>,
        /// Maximal inadequate sets.
        inadequate: Vec<u32>,
    }

    fn is_subset(a: u32, b: u32) -> bool {
        a & !b == 0
    }

    impl Truth {
        fn random(random: &mut Random) -> Truth {
            let all = 0..1u32 << ELEMENTS;
            let drawn: Vec<u32> = (0..random.below(5))
                .map(|_| random.below(1 << ELEMENTS) as u32 & random.below(1 << ELEMENTS) as u32)
                .collect();
            let is_adequate = |set: u32| drawn.iter().any(|core| is_subset(*core, set));
            let single = |at: u32| 1u32 << at;
            let cores = all.clone().filter(|set| {
                is_adequate(*set)
                    && (0..ELEMENTS).all(|at| set & single(at) == 0 || !is_adequate(set & !single(at)))
            });
            let inadequate = all.filter(|set| {
                !is_adequate(*set)
                    && (0..ELEMENTS).all(|at| set & single(at) != 0 || is_adequate(set | single(at)))
            });
            Truth { cores: cores.collect(), inadequate: inadequate.collect() }
        }

        /// Facts that follow from the truth: all of it, or some sets below and above.
        fn facts(&self, everything: bool, random: &mut Random) -> Facts {
            let mut facts = Facts::new(&set_of(u32::MAX));
            for core in &self.cores {
                if everything {
                    facts.insert_adequate(&set_of(*core));
                } else if random.percent(80) {
                    facts.insert_adequate(&set_of(core | 1 << random.below(ELEMENTS as usize)));
                }
            }
            for inadequate in &self.inadequate {
                if everything {
                    facts.insert_inadequate(&set_of(*inadequate));
                } else if random.percent(80) {
                    facts.insert_inadequate(&set_of(inadequate & !(1 << random.below(ELEMENTS as usize))));
                }
            }
            facts
        }

        fn is_adequate(&self, set: u32) -> bool {
            self.cores.iter().any(|core| is_subset(*core, set))
        }
    }

    /// Asks every question about a notion of adequacy; `judge` is told whether the claim is true, and whether it was accepted.
    fn ask(truth: &Truth, facts: &Facts, mut judge: impl FnMut(bool, bool)) {
        let budget = Budget::default();
        let all = (1u32 << ELEMENTS) - 1;
        let (adequate, cores): (Vec<ElementSet>, &Vec<u32>) =
            (truth.cores.iter().map(|core| set_of(*core)).collect(), &truth.cores);
        for set in 0..=all {
            judge(truth.is_adequate(set), facts.check_adequate(&set_of(set)).is_ok());
            judge(cores.contains(&set), facts.check_minimal(&set_of(set)).is_ok());
            let is_minimum =
                truth.is_adequate(set) && cores.iter().all(|core| core.count_ones() >= set.count_ones());
            judge(is_minimum, facts.check_minimum(&set_of(set), &budget).is_ok());
        }
        for size in 0..=ELEMENTS as usize + 1 {
            let holds = cores.iter().all(|core| core.count_ones() as usize >= size);
            judge(holds, facts.check_at_least(size, &budget).is_ok());
            let complete = facts.check_complete(&adequate, &budget);
            judge(holds, complete.is_ok_and(|complete| complete.is_at_least(size)));
        }
        for at in 0..ELEMENTS {
            let element = ElementId(at);
            let without = |core: &&u32| **core >> at & 1 == 0;
            judge(cores.iter().find(without).is_none(), facts.check_must(element).is_ok());
            judge(cores.iter().find(without).is_some(), facts.check_not_must(element).is_ok());
            let in_none = cores.iter().all(|core| without(&core));
            judge(!in_none, facts.check_may(element).is_ok());
            let complete = facts.check_complete(&adequate, &budget);
            judge(in_none, complete.is_ok_and(|complete| complete.is_in_no_core(element)));
        }
        judge(true, facts.check_complete(&adequate, &budget).is_ok());
        for left_out in 0..adequate.len() {
            let mut some = adequate.clone();
            some.remove(left_out);
            judge(false, facts.check_complete(&some, &budget).is_ok());
        }
    }

    #[test]
    fn with_all_facts_claims_are_accepted_exactly_when_they_are_true() {
        let (mut right, mut wrong) = (0, 0);
        for seed in 0..60 {
            let random = &mut Random::new(seed);
            let truth = Truth::random(random);
            let facts = truth.facts(true, random);
            ask(&truth, &facts, |claim, accepted| {
                assert_eq!(claim, accepted, "seed {seed}: {:?}", truth.cores);
                *if claim { &mut right } else { &mut wrong } += 1;
            });
        }
        assert!(right > 1000 && wrong > 1000, "{right} {wrong}: a lopsided test");
    }

    #[test]
    fn with_some_facts_nothing_false_is_accepted() {
        let (mut accepted_claims, mut open) = (0, 0);
        for seed in 1000..1060 {
            let random = &mut Random::new(seed);
            let truth = Truth::random(random);
            let facts = truth.facts(false, random);
            ask(&truth, &facts, |claim, accepted| {
                assert!(claim || !accepted, "seed {seed}: {:?}", truth.cores);
                accepted_claims += usize::from(accepted);
                open += usize::from(claim && !accepted);
            });
        }
        assert!(accepted_claims > 500 && open > 200, "{accepted_claims} {open}: a lopsided test");
    }

    #[test]
    fn a_set_that_nothing_is_known_of_is_named() {
        let facts = Facts::new(&set_of(0b11));
        let answer = facts.check_complete(&[], &Budget::default());
        assert!(matches!(answer, Err(Rejection::Unexplored(_))), "{answer:?}");
        assert_eq!(facts.check_must(ElementId(0)), Err(Rejection::Unexplored(set_of(0b10))));
    }
}
