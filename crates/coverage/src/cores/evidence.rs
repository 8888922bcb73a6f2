//! The evidence for what was found about cores, and its way through the independent checker: only what it accepts is reported.
//!
//! Runs are replayed as soon as they come: that costs less than to find them, and a run of a large system takes too much memory to be kept. Proofs are kept until somebody
//! relies on them: of the adequate sets that a search goes through, all but the last few contain another one.
//!
//! Claims are then checked against what was accepted, and nothing else ([`Facts`]). When a claim does not follow, the checker names a set about which it lacks a fact. If
//! there is an unchecked proof about that set, it is checked, and the claim again. So what nobody asks about is never checked.
//!
//! What the checker cannot follow is undecided, and no problem. That is the rule rather than the exception where variables are multiplied: engines may know more of products than the checker, and may take something for a run
//! that is none. There proofs are checked as soon as they come, so that a search never builds on what will not be accepted.

use super::memory::what_matters;
use super::{Core, Found, Memory, Minimality, Parts, Piece, Witness};
use crate::mutation::Standing;
use propcov_budget::Budget;
use propcov_certify::{Complete, CoreChecker, Facts, Rejection, is_linear};
use propcov_engine::infinite::base::not_linear;
use propcov_ir::{ElementId, ElementSet, Proof, PropertyId, System, Trace, UnknownReason};
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// What is known about the slices of one property, with the evidence for it.
pub struct Ledger<'a> {
    checker: CoreChecker<'a>,
    budget: Budget,
    is_linear: bool,
    /// Adequate sets whose evidence has not been checked.
    unchecked: Vec<Claimed>,
    /// Sets whose evidence the checker cannot follow, and why.
    beyond: Vec<(ElementSet, String)>,
    /// Proofs that were accepted, of sets without accepted subsets.
    proofs: Vec<(ElementSet, Proof)>,
    problems: Vec<String>,
    spent: Duration,
    /// How many sets were said to be adequate.
    order: usize,
    /// Who keeps evidence that was accepted.
    memory: Option<(&'a dyn Memory, PropertyId)>,
}

/// A set that is said to be adequate.
struct Claimed {
    set: ElementSet,
    /// Why; `None` where only some steps are in question, about which the checker asks a solver itself.
    proof: Option<Proof>,
    /// How many others were before.
    order: usize,
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
        Ledger {
            budget,
            is_linear: is_linear(checker.system()),
            checker,
            unchecked: Vec::new(),
            beyond: Vec::new(),
            proofs: Vec::new(),
            problems: Vec::new(),
            spent: Duration::ZERO,
            order: 0,
            memory: None,
        }
    }

    /// The same with somebody who keeps all evidence that is accepted.
    #[must_use]
    pub fn remembered(self, memory: &'a dyn Memory, property: PropertyId) -> Ledger<'a> {
        Ledger { memory: Some((memory, property)), ..self }
    }

    /// Checks evidence of an earlier run, exactly as that of this one; but it is no problem if it is not accepted.
    pub fn recall(&mut self, piece: &Piece, budget: &Budget) -> Standing {
        let start = Instant::now();
        let answer = match &piece.witness {
            Witness::Proof(proof) => self.checker.adequate(&piece.kept, proof, budget),
            Witness::Run(run) => self.checker.inadequate(&piece.kept, run),
        };
        self.spent += start.elapsed();
        match (answer, &piece.witness) {
            (Ok(()), Witness::Proof(proof)) => {
                self.order += 1;
                self.add_proof(piece.kept.clone(), proof.clone());
                Standing::Accepted
            }
            (Ok(()), Witness::Run(_)) => Standing::Accepted,
            (Err(Rejection::Undecided), _) => Standing::Postponed,
            (Err(_), _) => Standing::Rejected,
        }
    }

    fn add_proof(&mut self, set: ElementSet, proof: Proof) {
        self.proofs.retain(|(other, _)| !set.is_subset(other));
        self.proofs.push((set, proof));
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
    ///
    /// # Errors
    /// Why nothing is known of the set, where the evidence was checked at once and not accepted.
    pub fn adequate(&mut self, set: ElementSet, proof: Option<Proof>) -> Result<(), UnknownReason> {
        if self.facts().is_adequate(&set) || self.unchecked.iter().any(|other| other.set.is_subset(&set)) {
            return Ok(());
        }
        let claimed = Claimed { set, proof, order: self.order };
        self.order += 1;
        if self.is_linear {
            self.unchecked.retain(|other| !claimed.set.is_subset(&other.set));
            self.unchecked.push(claimed);
            return Ok(());
        }
        let start = Instant::now();
        let answer = self.check(claimed);
        self.spent += start.elapsed();
        answer.map_err(|rejection| self.reason(&rejection))
    }

    /// Checks the run that shows a set to be inadequate.
    ///
    /// # Errors
    /// Why nothing is known of the set: the run was not accepted. That is a problem, unless it had to be expected.
    pub fn inadequate(&mut self, set: &ElementSet, trace: &Trace) -> Result<(), UnknownReason> {
        let start = Instant::now();
        let is_new = !self.facts().is_inadequate(set);
        let answer = self.checker.inadequate(set, trace);
        self.spent += start.elapsed();
        if let (Ok(()), true, Some((memory, property))) = (&answer, is_new, self.memory) {
            let (system, freed) = (self.checker.system(), self.facts().universe().difference(set));
            if let Some(invariant) = system.invariant(property) {
                memory.inadequate(property, set, &what_matters(system, invariant, &freed, trace));
            }
        }
        answer.map_err(|rejection| {
            if undecided(&rejection, self.is_linear).is_none() {
                let left_out = counted(self.facts().universe().difference(set).len());
                let words = self.words(&rejection);
                self.problems.push(format!("a run without {left_out}: {words}"));
            }
            self.reason(&rejection)
        })
    }

    /// Checks the evidence for an adequate set.
    fn check(&mut self, claimed: Claimed) -> Result<(), Rejection> {
        let Claimed { set, proof, order } = claimed;
        let answer = match &proof {
            Some(proof) => self.checker.adequate(&set, proof, &self.budget),
            None => self.checker.adequate_in_steps(&set, &self.budget),
        };
        match &answer {
            Ok(()) => {
                if let Some(proof) = proof {
                    if let Some((memory, property)) = self.memory {
                        memory.adequate(property, &set, order, &proof);
                    }
                    self.add_proof(set, proof);
                } else {
                    self.proofs.retain(|(other, _)| !set.is_subset(other));
                }
            }
            Err(Rejection::Undecided) => {}
            Err(Rejection::Unsupported(what)) => self.beyond.push((set, what.clone())),
            Err(rejection) => {
                let size = counted(set.len());
                let words = self.words(rejection);
                self.problems.push(format!("a core of {size}: {words}"));
            }
        }
        answer
    }

    /// Why something is not known.
    pub(super) fn reason(&self, rejection: &Rejection) -> UnknownReason {
        undecided(rejection, self.is_linear)
            .unwrap_or_else(|| UnknownReason::NotCertified(self.words(rejection)))
    }

    /// Why engines have no answer. Where something is multiplied, what they take for a run need not be one.
    pub(super) fn without_answer(&self, reason: UnknownReason) -> UnknownReason {
        match reason {
            UnknownReason::NotCertified(_) if !self.is_linear => not_linear(),
            reason => reason,
        }
    }

    /// What went wrong so far, and was not returned before.
    pub(super) fn take_problems(&mut self) -> Vec<String> {
        std::mem::take(&mut self.problems)
    }

    /// A proof that was accepted for a core.
    pub(super) fn proof(&self, core: &ElementSet) -> Option<&Proof> {
        self.proofs.iter().find(|(set, _)| set.is_subset(core)).map(|(_, proof)| proof)
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
    /// to check something, or no way to, does not count.
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

    fn system(&self) -> &System;

    /// Sets whose evidence the checker cannot follow, and why.
    fn beyond(&self) -> Vec<(ElementSet, String)>;

    /// A rejection with the names of elements.
    fn words(&self, rejection: &Rejection) -> String {
        match rejection {
            Rejection::Unexplored(set) => {
                format!("not established for the elements {}", named(self.system(), set))
            }
            rejection => rejection.to_string(),
        }
    }

    /// Checks evidence about the set that has not been checked. Whether that led to a new fact; if there is only evidence that the checker cannot follow, that is an error.
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

    fn system(&self) -> &System {
        self.checker.system()
    }

    fn beyond(&self) -> Vec<(ElementSet, String)> {
        self.beyond.clone()
    }

    fn learn_about(&mut self, set: &ElementSet) -> Result<bool, Rejection> {
        while let Some(at) = self.unchecked.iter().position(|claimed| claimed.set.is_subset(set)) {
            if self.budget.is_exhausted() {
                return Err(Rejection::Undecided);
            }
            let claimed = self.unchecked.swap_remove(at);
            match self.check(claimed) {
                Ok(()) => return Ok(true),
                Err(Rejection::Undecided) => return Err(Rejection::Undecided),
                // There may be other evidence.
                Err(_) => {}
            }
        }
        match self.beyond.iter().find(|(other, _)| other.is_subset(set)) {
            Some((_, what)) => Err(Rejection::Unsupported(what.clone())),
            None => Ok(false),
        }
    }
}

/// What is known about several properties together, from the ledger of each. A set is adequate for all of them if it is for each.
pub struct Together<'l, 'a> {
    system: &'a System,
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
        let Some(first) = ledgers.first() else {
            return Err(Rejection::Malformed("no properties".to_owned()));
        };
        Ok(Together { system: first.checker.system(), ledgers, sets: Vec::new(), facts })
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
        for set in &self.sets {
            match learn_all(&mut self.ledgers, set) {
                Ok(_) | Err(Rejection::Undecided | Rejection::Unsupported(_)) => {}
                Err(rejection) => problems.push(self.words(&rejection)),
            }
        }
        match together(&self.ledgers, &self.sets) {
            Ok(facts) => self.facts = facts,
            Err(rejection) => problems.push(self.words(&rejection)),
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

    fn system(&self) -> &System {
        self.system
    }

    fn beyond(&self) -> Vec<(ElementSet, String)> {
        self.ledgers.iter().flat_map(|ledger| ledger.beyond()).collect()
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
    /// Whether something was not accepted because the checker cannot follow.
    is_beyond: bool,
}

impl<B: Books> Review<'_, B> {
    fn of(books: &mut B, found: &mut Found) -> Vec<String> {
        let mut review = Review { books, problems: Vec::new(), is_beyond: false };
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
        if review.is_beyond {
            let why = |(set, what): (ElementSet, String)| (set, unsupported(&what));
            found.undecided.extend(review.books.beyond().into_iter().map(why));
        }
        review.problems
    }

    /// Whether the claim was accepted. If not, that is a problem, unless there was no time, or no way to check it.
    fn accepts<T>(&mut self, what: impl Fn() -> String, answer: Result<T, Rejection>) -> Option<T> {
        match answer {
            Ok(accepted) => return Some(accepted),
            Err(Rejection::Undecided) => {}
            Err(Rejection::Unsupported(_)) => self.is_beyond = true,
            Err(rejection) => self.problems.push(format!("{}: {}", what(), self.books.words(&rejection))),
        }
        None
    }

    fn name(&self, element: ElementId) -> String {
        self.books.system().element(element).name.clone()
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
            let name = self.name(element);
            if self.accepts(|| format!("{name} and all cores"), answer).is_none() {
                must.sure.remove(element);
                must.unknown.insert(element);
            }
        }
    }

    /// Elements that are in some core.
    fn may_be_sure(&mut self, may: &mut Parts, universe: &ElementSet, in_cores: &ElementSet) {
        for element in may.sure.difference(in_cores).iter() {
            let answer = self.is_in_some_core(element, universe);
            let name = self.name(element);
            if self.accepts(|| format!("{name} and some core"), answer).is_none() {
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
            let name = self.name(element);
            if self.accepts(|| format!("{name} and no core"), answer).is_none() {
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

/// Why nothing is known where the checker rejected nothing, but could not follow. `None` if it has rejected something.
pub(super) fn undecided(rejection: &Rejection, is_linear: bool) -> Option<UnknownReason> {
    match rejection {
        Rejection::Undecided => Some(UnknownReason::Conflicts),
        Rejection::Unsupported(what) => Some(unsupported(what)),
        Rejection::Trace(_) if !is_linear => Some(not_linear()),
        _ => None,
    }
}

fn unsupported(what: &str) -> UnknownReason {
    UnknownReason::Unsupported(format!("certifying {what}"))
}

/// The most elements that a message names.
const NAMED: usize = 24;

fn named(system: &System, set: &ElementSet) -> String {
    let names: Vec<&str> = set.iter().take(NAMED).map(|id| system.element(id).name.as_str()).collect();
    let more = if set.len() > NAMED { format!(" and {} more", set.len() - NAMED) } else { String::new() };
    format!("{{{}{more}}}", names.join(", "))
}

fn counted(elements: usize) -> String {
    if elements == 1 { "1 element".to_owned() } else { format!("{elements} elements") }
}
