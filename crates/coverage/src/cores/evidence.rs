//! The evidence for what was found about cores, and its way through the independent checker: only what it accepts is reported.
//!
//! Runs are replayed as soon as they come: that costs less than to find them, and a run of a large system takes too much memory to be kept. Proofs are kept until somebody
//! relies on them: of the adequate sets that a search goes through, all but the last few contain another one.
//!
//! Claims are then checked against what was accepted, and nothing else ([`Facts`]). When a claim does not follow, the checker names a set about which it lacks a fact. If
//! there is an unchecked proof about that set, it is checked, and the claim again. So what nobody asks about is never checked.

use super::{Core, Found, Minimality, Parts};
use propcov_certify::{Complete, CoreChecker, Facts, Rejection};
use propcov_ir::{ElementId, ElementSet, Proof, PropertyId, System, Trace};
use propcov_sat::Budget;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// What is known about the slices of one property, with the evidence for it.
pub struct Ledger<'a> {
    checker: CoreChecker<'a>,
    budget: Budget,
    /// Adequate sets whose evidence has not been checked.
    unchecked: Vec<Claimed>,
    problems: Vec<String>,
    spent: Duration,
}

/// A set that is said to be adequate.
struct Claimed {
    set: ElementSet,
    /// Why; `None` where only some steps are in question, about which the checker asks a solver itself.
    proof: Option<Proof>,
}

impl<'a> Ledger<'a> {
    /// About the slices that keep a subset of the universe, and all other elements.
    ///
    /// # Errors
    /// When the system or the universe has no meaning, or the property is no invariant.
    pub fn new(
        system: &'a System,
        universe: &ElementSet,
        property: PropertyId,
        budget: Budget,
    ) -> Result<Ledger<'a>, Rejection> {
        Ok(Ledger::over(CoreChecker::new(system, universe, property)?, budget))
    }

    /// The same where only these steps of runs are in question.
    ///
    /// # Errors
    /// As [`Ledger::new`]; and when there are no steps.
    pub fn bounded(
        system: &'a System,
        universe: &ElementSet,
        property: PropertyId,
        steps: RangeInclusive<u32>,
        budget: Budget,
    ) -> Result<Ledger<'a>, Rejection> {
        Ok(Ledger::over(CoreChecker::bounded(system, universe, property, steps)?, budget))
    }

    fn over(checker: CoreChecker<'a>, budget: Budget) -> Ledger<'a> {
        Ledger { checker, budget, unchecked: Vec::new(), problems: Vec::new(), spent: Duration::ZERO }
    }

    /// What the checker has accepted so far.
    pub fn facts(&self) -> &Facts {
        self.checker.facts()
    }

    /// How long checking has taken.
    pub fn spent(&self) -> Duration {
        self.spent
    }

    /// Counts time that was spent elsewhere.
    pub fn add_spent(&mut self, spent: Duration) {
        self.spent += spent;
    }

    /// Keeps the evidence that a set is adequate. Without a proof the checker will look for itself, where only some steps are in question.
    pub fn adequate(&mut self, set: ElementSet, proof: Option<Proof>) {
        if self.facts().is_adequate(&set) || self.unchecked.iter().any(|other| other.set.is_subset(&set)) {
            return;
        }
        self.unchecked.retain(|other| !set.is_subset(&other.set));
        self.unchecked.push(Claimed { set, proof });
    }

    /// Checks the run that shows a set to be inadequate. Whether it was accepted; if it was not, that is a problem, and nothing is known of the set.
    pub fn inadequate(&mut self, set: &ElementSet, trace: &Trace) -> bool {
        let start = Instant::now();
        let answer = self.checker.inadequate(set, trace);
        self.spent += start.elapsed();
        if let Err(rejection) = &answer {
            let left_out = counted(self.facts().universe().difference(set).len());
            self.problems.push(format!("a run without {left_out}: {rejection}"));
        }
        answer.is_ok()
    }

    /// Accepts a core: that it is adequate, and as minimal as it says.
    ///
    /// # Errors
    /// What the checker lacks; [`Rejection::Undecided`] if there was no time to look.
    pub fn certify_core(&mut self, core: &Core) -> Result<(), Rejection> {
        let start = Instant::now();
        let answer = certify_core(self, core);
        self.spent += start.elapsed();
        answer
    }

    /// Checks everything that was found. What is not accepted is taken back: cores that are not adequate are removed, what was sure is unknown. What went wrong is returned: that there was no time
    /// to check something does not count.
    pub fn certify(&mut self, found: &mut Found) -> Vec<String> {
        let start = Instant::now();
        let mut problems = std::mem::take(&mut self.problems);
        problems.extend(Review::of(self, found));
        problems.append(&mut self.problems);
        self.spent += start.elapsed();
        problems
    }
}

/// Certified facts, and where to get more.
trait Books {
    fn facts(&self) -> &Facts;

    fn budget(&self) -> Budget;

    /// Checks evidence about the set that has not been checked. Whether that led to a new fact.
    fn learn_about(&mut self, set: &ElementSet) -> Result<bool, Rejection>;

    /// Checks until the claim is accepted, or nothing is left that could help.
    fn settle<T>(&mut self, check: impl Fn(&Facts, &Budget) -> Result<T, Rejection>) -> Result<T, Rejection> {
        loop {
            match check(self.facts(), &self.budget()) {
                Err(Rejection::Unexplored(set)) => {
                    if !self.learn_about(&set)? {
                        return Err(Rejection::Unexplored(set));
                    }
                }
                answer => return answer,
            }
        }
    }
}

impl Books for Ledger<'_> {
    fn facts(&self) -> &Facts {
        self.checker.facts()
    }

    fn budget(&self) -> Budget {
        self.budget.clone()
    }

    fn learn_about(&mut self, set: &ElementSet) -> Result<bool, Rejection> {
        while let Some(at) = self.unchecked.iter().position(|claimed| claimed.set.is_subset(set)) {
            if self.budget.is_exhausted() {
                return Err(Rejection::Undecided);
            }
            let claimed = self.unchecked.swap_remove(at);
            let answer = match &claimed.proof {
                Some(proof) => self.checker.adequate(&claimed.set, proof, &self.budget),
                None => self.checker.adequate_in_steps(&claimed.set, &self.budget),
            };
            match answer {
                Ok(()) => return Ok(true),
                Err(Rejection::Undecided) => return Err(Rejection::Undecided),
                Err(rejection) => {
                    let size = counted(claimed.set.len());
                    self.problems.push(format!("a core of {size}: {rejection}"));
                }
            }
        }
        Ok(false)
    }
}

/// What is known about several properties together, from the ledger of each. A set is adequate for all of them if it is for each.
pub struct Together<'l, 'a> {
    ledgers: Vec<&'l mut Ledger<'a>>,
    /// Sets that were asked about.
    sets: Vec<ElementSet>,
    facts: Facts,
}

impl<'l, 'a> Together<'l, 'a> {
    /// Of ledgers that are about the same universe, at least one.
    ///
    /// # Errors
    /// When they are not.
    pub fn new(ledgers: Vec<&'l mut Ledger<'a>>) -> Result<Together<'l, 'a>, Rejection> {
        let facts = together(&ledgers, &[])?;
        Ok(Together { ledgers, sets: Vec::new(), facts })
    }

    /// As [`Ledger::certify_core`].
    ///
    /// # Errors
    /// What the checker lacks; [`Rejection::Undecided`] if there was no time to look.
    pub fn certify_core(&mut self, core: &Core) -> Result<(), Rejection> {
        certify_core(self, core)
    }

    /// As [`Ledger::certify`].
    pub fn certify(&mut self, found: &mut Found) -> Vec<String> {
        let mut problems = Vec::new();
        // All at once: facts are not put together again for each core.
        let cores = found.cores.iter().map(|core| &core.elements).chain(&found.minimum);
        self.sets.extend(cores.cloned());
        let learnt = (self.sets.iter())
            .try_for_each(|set| learn_all(&mut self.ledgers, set).map(|_| ()))
            .and_then(|()| together(&self.ledgers, &self.sets));
        match learnt {
            Ok(facts) => self.facts = facts,
            Err(Rejection::Undecided) => {}
            Err(rejection) => problems.push(rejection.to_string()),
        }
        problems.extend(Review::of(self, found));
        self.ledgers.iter_mut().for_each(|ledger| problems.append(&mut ledger.problems));
        problems
    }
}

/// Lets all properties know that a set is adequate, as far as it is.
fn learn_all(ledgers: &mut [&mut Ledger<'_>], set: &ElementSet) -> Result<bool, Rejection> {
    for ledger in ledgers {
        match ledger.settle(|facts, _| facts.check_adequate(set)) {
            Ok(()) => {}
            Err(Rejection::Unexplored(_)) => return Ok(false),
            Err(rejection) => return Err(rejection),
        }
    }
    Ok(true)
}

fn together(ledgers: &[&mut Ledger<'_>], sets: &[ElementSet]) -> Result<Facts, Rejection> {
    let facts: Vec<&Facts> = ledgers.iter().map(|ledger| ledger.facts()).collect();
    Facts::together(&facts, sets)
}

impl Books for Together<'_, '_> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn budget(&self) -> Budget {
        self.ledgers.first().map_or_else(Budget::default, |ledger| ledger.budget.clone())
    }

    fn learn_about(&mut self, set: &ElementSet) -> Result<bool, Rejection> {
        if self.facts.is_adequate(set) || self.facts.is_inadequate(set) {
            return Ok(false);
        }
        if !learn_all(&mut self.ledgers, set)? {
            return Ok(false);
        }
        self.sets.push(set.clone());
        self.facts = together(&self.ledgers, &self.sets)?;
        Ok(true)
    }
}

fn certify_core(books: &mut impl Books, core: &Core) -> Result<(), Rejection> {
    let elements = &core.elements;
    books.settle(|facts, _| facts.check_adequate(elements))?;
    let open = match &core.minimal {
        Minimality::Unchecked => return Ok(()),
        Minimality::Minimal => return books.facts().check_minimal(elements),
        Minimality::Undecided(open) => open,
    };
    match books.facts().not_known_to_be_needed(elements).difference(open).iter().next() {
        None => Ok(()),
        Some(element) => Err(Rejection::Unexplored(elements.without(element))),
    }
}

/// One pass over everything that was found.
struct Review<'b, B> {
    books: &'b mut B,
    problems: Vec<String>,
}

impl<B: Books> Review<'_, B> {
    fn of(books: &mut B, found: &mut Found) -> Vec<String> {
        let mut review = Review { books, problems: Vec::new() };
        let is_claimed_complete = found.complete;
        review.cores(found);
        let complete = review.completeness(found);
        let universe = review.books.facts().universe().clone();
        if let Some(must) = &mut found.must {
            review.must(must, &universe);
        }
        let in_cores = found
            .cores
            .iter()
            .filter(|core| core.minimal == Minimality::Minimal)
            .fold(ElementSet::new(), |all, core| all.union(&core.elements));
        if let Some(may) = &mut found.may {
            review.may_be_sure(may, &universe, &in_cores);
            let answer = match &complete {
                None if is_claimed_complete => Err(Rejection::Undecided),
                complete => Ok(complete.as_ref()),
            };
            review.in_no_core(may, &universe, &answer);
        }
        review.sizes(found, complete.as_ref());
        review.problems
    }

    /// Whether the claim was accepted. If not, that is a problem, unless there was no time.
    fn accepts<T>(&mut self, what: impl Fn() -> String, answer: Result<T, Rejection>) -> Option<T> {
        match answer {
            Ok(accepted) => Some(accepted),
            Err(Rejection::Undecided) => None,
            Err(rejection) => {
                self.problems.push(format!("{}: {rejection}", what()));
                None
            }
        }
    }

    fn cores(&mut self, found: &mut Found) {
        let before = found.cores.len();
        found.cores.retain_mut(|core| {
            let answer = certify_core(self.books, core);
            let what = || format!("a core of {}", counted(core.elements.len()));
            if self.accepts(what, answer).is_some() {
                return true;
            }
            if core.minimal != Minimality::Unchecked {
                core.minimal =
                    Minimality::Undecided(self.books.facts().not_known_to_be_needed(&core.elements));
            }
            self.books.facts().is_adequate(&core.elements)
        });
        let all_minimal = found.cores.iter().all(|core| core.minimal == Minimality::Minimal);
        found.complete &= found.cores.len() == before && all_minimal;
    }

    fn completeness(&mut self, found: &mut Found) -> Option<Complete> {
        if !found.complete {
            return None;
        }
        let cores: Vec<ElementSet> = found.cores.iter().map(|core| core.elements.clone()).collect();
        let answer = self.books.settle(|facts, budget| facts.check_complete(&cores, budget));
        let complete = self.accepts(|| format!("{} cores as all there are", cores.len()), answer);
        found.complete = complete.is_some();
        complete
    }

    fn must(&mut self, must: &mut Parts, universe: &ElementSet) {
        for element in universe.iter().filter(|element| !must.unknown.contains(*element)).collect::<Vec<_>>()
        {
            let answer = if must.sure.contains(element) {
                self.books.settle(|facts, _| facts.check_must(element))
            } else {
                self.books.settle(|facts, _| facts.check_not_must(element))
            };
            if self.accepts(|| format!("element {} and all cores", element.0), answer).is_none() {
                must.sure.remove(element);
                must.unknown.insert(element);
            }
        }
    }

    /// Elements that are in some core.
    fn may_be_sure(&mut self, may: &mut Parts, universe: &ElementSet, in_cores: &ElementSet) {
        for element in may.sure.difference(in_cores).iter() {
            let answer = self.is_in_some_core(element, universe);
            if self.accepts(|| format!("element {} and some core", element.0), answer).is_none() {
                may.sure.remove(element);
                may.unknown.insert(element);
            }
        }
    }

    /// Elements that are in no core: that takes a complete list. If a list was said to be complete and is not known to be, that has been reported if it is a problem.
    fn in_no_core(
        &mut self,
        may: &mut Parts,
        universe: &ElementSet,
        complete: &Result<Option<&Complete>, Rejection>,
    ) {
        for element in universe.difference(&may.sure).difference(&may.unknown).iter() {
            let answer = complete.clone().and_then(|complete| match complete {
                Some(complete) if complete.is_in_no_core(element) => Ok(()),
                _ => Err(Rejection::Unexplored(ElementSet::from_iter([element]))),
            });
            if self.accepts(|| format!("element {} and no core", element.0), answer).is_none() {
                may.unknown.insert(element);
            }
        }
    }

    /// Any adequate set may have it: if those that were checked do not show it, all others are checked, too.
    fn is_in_some_core(&mut self, element: ElementId, universe: &ElementSet) -> Result<(), Rejection> {
        loop {
            let answer = self.books.facts().check_may(element);
            if !matches!(answer, Err(Rejection::Unexplored(_))) || !self.books.learn_about(universe)? {
                return answer;
            }
        }
    }

    fn sizes(&mut self, found: &mut Found, complete: Option<&Complete>) {
        let follows = |size: usize| complete.is_some_and(|complete| complete.is_at_least(size));
        if let Some(core) = &found.minimum {
            let size = core.len();
            let answer = self.books.settle(|facts, budget| {
                if follows(size) { facts.check_adequate(core) } else { facts.check_minimum(core, budget) }
            });
            if self.accepts(|| format!("a smallest core of {}", counted(size)), answer).is_none() {
                found.minimum = None;
            }
        }
        let size = found.at_least;
        if follows(size) || found.minimum.as_ref().is_some_and(|core| core.len() >= size) {
            return;
        }
        let answer = self.books.settle(|facts, budget| facts.check_at_least(size, budget));
        if self.accepts(|| format!("no core of less than {}", counted(size)), answer).is_none() {
            found.at_least = found.must.as_ref().map_or(0, |must| must.sure.len());
        }
    }
}

fn counted(elements: usize) -> String {
    if elements == 1 { "1 element".to_owned() } else { format!("{elements} elements") }
}
