//! The map: which sets of elements are known to be adequate or inadequate, and which are still unexplored (thesis, §3.3.1 and "Symbolic Representation of Unexplored Subsets" in §3.3.2).
//!
//! A set is a valuation of one Boolean variable per element. An adequate set blocks its supersets by the clause that one of its elements is false, an inadequate set blocks its subsets by the clause that one of the
//! elements outside it is true. Models of the clauses are the unexplored sets.
//!
//! Departures from the thesis:
//! - *Maximal* models are not left to a MaxSAT solver. Clauses of inadequate sets stay true when an element is added, so any model grows into a subset-maximal one by adding element after element, unless that
//!   completes a known adequate set. That takes no solver, and time linear in the known adequate sets.
//! - *Elements outside all known adequate sets* are in every maximal model. They get a variable when an adequate set first has them; until then no clause of an inadequate set without them is needed. A system
//!   with ten thousand elements and cores of a hundred has a map of a few hundred variables. The same goes for elements that every core needs: their clause has one literal.
//! - *Sets without an answer* are blocked like inadequate ones, as in the thesis, but by clauses that can be switched off: [`Explored::is_everything_known`] asks whether they hide anything. They never count as
//!   inadequate.
//! - Whether a given set is explored, and as what, is looked up in lists; the solver is asked for new sets only.

use propcov_budget::Budget;
use propcov_ir::{ElementId, ElementSet};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver, Var};
use rustc_hash::FxHashMap;

/// Conflicts of the solver after which the clock is looked at.
const SLICE: u64 = 20_000;

/// What the map says about a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// It has an adequate subset.
    Adequate,
    /// It has an inadequate superset.
    Inadequate,
    /// Neither, but a superset of it was asked about without an answer.
    Unanswered,
    /// Nothing.
    Unexplored,
}

/// An unexplored set, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A subset-maximal unexplored set.
    Set(ElementSet),
    /// All sets are explored.
    Exhausted,
    /// The time was up.
    Interrupted,
}

/// Several unexplored sets, and why there are no more.
pub(super) struct Batch {
    /// Distinct subset-maximal unexplored sets.
    pub(super) sets: Vec<ElementSet>,
    /// What the search for one more ended with; no set if there are as many as were asked for.
    pub(super) end: Option<Next>,
}

/// What is known about the subsets of a universe.
pub(super) struct Explored {
    universe: ElementSet,
    solver: Cadical,
    /// Assumed wherever sets without an answer are to be left alone.
    leave_unanswered: Lit,
    /// Of elements that are in some adequate set, in the order in which they got there.
    variables: FxHashMap<ElementId, Var>,
    active: Vec<ElementId>,
    adequate: Vec<AdequateSet>,
    /// Which adequate sets have an element.
    occurrences: FxHashMap<ElementId, Vec<u32>>,
    /// Sets that block their subsets.
    below: Vec<Below>,
    /// Those of `below` whose clause waits for an element to get a variable.
    waiting: FxHashMap<ElementId, Vec<usize>>,
    /// Assumed where only sets that belong to us are looked for.
    region: Option<Lit>,
}

struct AdequateSet {
    elements: ElementSet,
    /// A proper subset is known to be adequate.
    superseded: bool,
    /// It was found to be minimal.
    minimal: bool,
}

struct Below {
    missing: Missing,
    /// Whether it is inadequate, or has no answer.
    answered: bool,
    /// It has no answer, and may be asked about again.
    forgotten: bool,
}

/// The elements outside a set: few of them for the large sets that traces lead to, otherwise a set itself.
enum Missing {
    Few(Box<[ElementId]>),
    Many(ElementSet),
}

/// How many elements two sets have in common.
enum Common {
    None,
    One(ElementId),
    More,
}

impl Missing {
    fn new(universe: &ElementSet, set: &ElementSet) -> Missing {
        let missing = universe.difference(set);
        let few = missing.len() * 32 <= universe.len().max(256);
        if few { Missing::Few(missing.iter().collect()) } else { Missing::Many(missing) }
    }

    fn iter(&self) -> Box<dyn Iterator<Item = ElementId> + '_> {
        match self {
            Missing::Few(elements) => Box::new(elements.iter().copied()),
            Missing::Many(elements) => Box::new(elements.iter()),
        }
    }

    fn len(&self) -> usize {
        match self {
            Missing::Few(elements) => elements.len(),
            Missing::Many(elements) => elements.len(),
        }
    }

    fn common(&self, set: &ElementSet) -> Common {
        fn first_two(mut elements: impl Iterator<Item = ElementId>) -> Common {
            match (elements.next(), elements.next()) {
                (None, _) => Common::None,
                (Some(element), None) => Common::One(element),
                (Some(_), Some(_)) => Common::More,
            }
        }
        match self {
            Missing::Few(elements) => first_two(elements.iter().copied().filter(|x| set.contains(*x))),
            Missing::Many(elements) => first_two(set.iter().filter(|x| elements.contains(*x))),
        }
    }
}

impl Explored {
    /// Nothing is known about any subset.
    pub(super) fn new(universe: &ElementSet) -> Explored {
        let mut solver = Cadical::new(CadicalConfig { inprocessing: false, seed: 0 });
        let leave_unanswered = solver.new_var().positive();
        Explored {
            universe: universe.clone(),
            solver,
            leave_unanswered,
            variables: FxHashMap::default(),
            active: Vec::new(),
            adequate: Vec::new(),
            occurrences: FxHashMap::default(),
            below: Vec::new(),
            waiting: FxHashMap::default(),
            region: None,
        }
    }

    /// From here on, models are sets that lack some of these elements, the first of which belongs to us: the elements of a known adequate set in an order, each with whether it does.
    pub(super) fn divide(&mut self, guide: &[(ElementId, bool)]) {
        let region = self.solver.new_var().positive();
        let mut firsts = vec![!region];
        // That the set has all elements so far.
        let mut so_far: Option<Lit> = None;
        for (element, is_own) in guide {
            let has = self.activate(*element);
            if *is_own {
                let is_first = self.solver.new_var().positive();
                self.solver.add_clause(&[!is_first, !has]);
                so_far.iter().for_each(|earlier| self.solver.add_clause(&[!is_first, *earlier]));
                firsts.push(is_first);
            }
            let next = self.solver.new_var().positive();
            self.solver.add_clause(&[!next, has]);
            so_far.iter().for_each(|earlier| self.solver.add_clause(&[!next, *earlier]));
            so_far = Some(next);
        }
        self.solver.add_clause(&firsts);
        self.region = Some(region);
    }

    /// Whether some sets are left to others.
    pub(super) fn is_divided(&self) -> bool {
        self.region.is_some()
    }

    /// What is known about a set.
    pub(super) fn status(&self, set: &ElementSet) -> Status {
        if self.adequate.iter().any(|known| !known.superseded && known.elements.is_subset(set)) {
            return Status::Adequate;
        }
        let mut status = Status::Unexplored;
        for known in self.below.iter().filter(|known| !known.forgotten) {
            if matches!(known.missing.common(set), Common::None) {
                if known.answered {
                    return Status::Inadequate;
                }
                status = Status::Unanswered;
            }
        }
        status
    }

    /// Blocks an adequate set and its supersets. Nothing happens if that is known already.
    pub(super) fn block_up(&mut self, set: &ElementSet) {
        if self.adequate.iter().any(|known| !known.superseded && known.elements.is_subset(set)) {
            return;
        }
        for known in &mut self.adequate {
            known.superseded |= !known.minimal && set.is_subset(&known.elements);
        }
        let mut clause = Vec::new();
        for element in set.iter() {
            clause.push(!self.activate(element));
            self.occurrences.entry(element).or_default().push(self.adequate.len() as u32);
        }
        self.solver.add_clause(&clause);
        self.adequate.push(AdequateSet { elements: set.clone(), superseded: false, minimal: false });
    }

    /// Blocks an inadequate set and its subsets.
    pub(super) fn block_down(&mut self, set: &ElementSet) {
        self.block_below(set, true);
    }

    /// Blocks a set that has no answer, and its subsets: there is nothing to be found out in this way.
    pub(super) fn leave_out(&mut self, set: &ElementSet) {
        self.block_below(set, false);
    }

    fn block_below(&mut self, set: &ElementSet, answered: bool) {
        self.below.push(Below { missing: Missing::new(&self.universe, set), answered, forgotten: false });
        self.add_or_wait(self.below.len() - 1);
    }

    /// Sets without an answer are unexplored again.
    pub(super) fn forget_unanswered(&mut self) {
        for known in &mut self.below {
            known.forgotten |= !known.answered;
        }
        self.solver.add_clause(&[!self.leave_unanswered]);
        self.leave_unanswered = self.solver.new_var().positive();
    }

    /// Adds a clause once all of its elements have variables.
    fn add_or_wait(&mut self, index: usize) {
        let known = &self.below[index];
        if known.forgotten {
            return;
        }
        if let Some(element) = known.missing.iter().find(|element| !self.variables.contains_key(element)) {
            self.waiting.entry(element).or_default().push(index);
            return;
        }
        let mut clause: Vec<Lit> =
            known.missing.iter().map(|element| self.variables[&element].positive()).collect();
        if !known.answered {
            clause.push(!self.leave_unanswered);
        }
        self.solver.add_clause(&clause);
    }

    /// The literal that is true in sets with this element.
    fn activate(&mut self, element: ElementId) -> Lit {
        if let Some(variable) = self.variables.get(&element) {
            return variable.positive();
        }
        let variable = self.solver.new_var();
        self.solver.set_phase(variable.positive());
        self.variables.insert(element, variable);
        self.active.push(element);
        for index in self.waiting.remove(&element).unwrap_or_default() {
            self.add_or_wait(index);
        }
        variable.positive()
    }

    /// Adds elements to an unexplored set until it is a maximal one.
    pub(super) fn grow(&self, set: &ElementSet) -> ElementSet {
        let lacks = |known: &AdequateSet| known.elements.iter().filter(|x| !set.contains(*x)).count();
        let mut missing: Vec<usize> = self.adequate.iter().map(lacks).collect();
        let mut grown = set.clone();
        for element in self.universe.difference(set).iter() {
            let sets = self.occurrences.get(&element).map_or(&[][..], Vec::as_slice);
            if sets.iter().all(|index| missing[*index as usize] > 1) {
                grown.insert(element);
                for index in sets {
                    missing[*index as usize] -= 1;
                }
            }
        }
        grown
    }

    /// A maximal unexplored set.
    pub(super) fn maximal(&mut self, over: &dyn Fn() -> bool) -> Next {
        self.model(&[], over)
    }

    /// A maximal unexplored superset of a set.
    pub(super) fn maximal_superset(&mut self, set: &ElementSet, over: &dyn Fn() -> bool) -> Next {
        match self.status(set) {
            Status::Unexplored => Next::Set(self.grow(set)),
            Status::Adequate => Next::Exhausted,
            Status::Inadequate | Status::Unanswered => {
                let inside: Vec<Lit> = self
                    .active
                    .iter()
                    .filter(|element| set.contains(**element))
                    .map(|element| self.variables[element].positive())
                    .collect();
                self.model(&inside, over)
            }
        }
    }

    /// Up to so many distinct maximal unexplored sets; if `lacking` is given, each lacks one of these elements, as far as they have variables.
    pub(super) fn maximal_sets(
        &mut self,
        count: usize,
        lacking: Option<&ElementSet>,
        over: &dyn Fn() -> bool,
    ) -> Batch {
        let for_now = self.solver.new_var().positive();
        if let Some(lacking) = lacking {
            let lacks = self.active.iter().filter(|element| lacking.contains(**element));
            let clause: Vec<Lit> = lacks.map(|element| !self.variables[element].positive()).collect();
            self.add_for_now(for_now, clause);
        }
        let mut batch = Batch { sets: Vec::new(), end: None };
        while batch.sets.len() < count {
            match self.model(&[for_now], over) {
                Next::Set(set) => {
                    let outside = self.active.iter().filter(|element| !set.contains(**element));
                    let clause = outside.map(|element| self.variables[element].positive()).collect();
                    self.add_for_now(for_now, clause);
                    batch.sets.push(set);
                }
                end => {
                    batch.end = Some(end);
                    break;
                }
            }
        }
        self.solver.add_clause(&[!for_now]);
        batch
    }

    fn add_for_now(&mut self, for_now: Lit, mut clause: Vec<Lit>) {
        clause.push(!for_now);
        self.solver.add_clause(&clause);
    }

    fn model(&mut self, assumptions: &[Lit], over: &dyn Fn() -> bool) -> Next {
        let mut all = vec![self.leave_unanswered];
        all.extend(self.region);
        all.extend(assumptions);
        match self.solve(&all, over) {
            Outcome::Unsat => Next::Exhausted,
            Outcome::Unknown => Next::Interrupted,
            Outcome::Sat => {
                let lacks = self.active.iter().filter(|x| !self.solver.holds(self.variables[x].positive()));
                let lacking: ElementSet = lacks.copied().collect();
                Next::Set(self.grow(&self.universe.difference(&lacking)))
            }
        }
    }

    fn solve(&mut self, assumptions: &[Lit], over: &dyn Fn() -> bool) -> Outcome {
        loop {
            let budget = Budget { conflicts: Some(SLICE), ..Budget::default() };
            match self.solver.solve(assumptions, &budget) {
                Outcome::Unknown if !over() => {}
                outcome => return outcome,
            }
        }
    }

    /// Whether each set is known to be adequate or inadequate, those that were left out included.
    pub(super) fn is_everything_known(&mut self, over: &dyn Fn() -> bool) -> bool {
        self.solve(&[], over) == Outcome::Unsat
    }

    /// Whether sets were left out.
    pub(super) fn has_left_out(&self) -> bool {
        self.below.iter().any(|known| !known.answered && !known.forgotten)
    }

    /// The elements that a set is known to need: without any one of them it is inadequate.
    pub(super) fn needed(&self, set: &ElementSet) -> ElementSet {
        let mut needed = ElementSet::new();
        for known in self.below.iter().filter(|known| known.answered) {
            if let Common::One(element) = known.missing.common(set) {
                needed.insert(element);
            }
        }
        needed
    }

    /// The elements that every adequate set is known to have.
    pub(super) fn must(&self) -> ElementSet {
        let single = self.below.iter().filter(|known| known.answered && known.missing.len() == 1);
        single.flat_map(|known| known.missing.iter()).collect()
    }

    /// The elements that all known adequate sets have.
    pub(super) fn in_all_adequate(&self) -> ElementSet {
        self.cores().fold(self.universe.clone(), |all, core| all.intersection(core))
    }

    /// The known adequate sets without known adequate subsets, in the order in which they were found.
    pub(super) fn cores(&self) -> impl Iterator<Item = &ElementSet> {
        self.adequate.iter().filter(|known| !known.superseded).map(|known| &known.elements)
    }

    /// A smallest known adequate set among the subsets of a set.
    pub(super) fn smallest_within(&self, set: &ElementSet) -> Option<&ElementSet> {
        self.cores().filter(|core| core.is_subset(set)).min_by_key(|core| core.len())
    }

    /// Notes that an adequate set is minimal, so that nobody has to look again.
    pub(super) fn set_minimal(&mut self, core: &ElementSet) {
        if let Some(known) = self.adequate.iter_mut().rev().find(|known| known.elements == *core) {
            known.minimal = true;
        }
    }

    /// The known adequate sets that nobody has called minimal, in the order in which they were found.
    pub(super) fn unsettled(&self) -> impl Iterator<Item = &ElementSet> {
        let open = self.adequate.iter().filter(|known| !known.superseded && !known.minimal);
        open.map(|known| &known.elements)
    }

    /// For each inadequate set from this one on, the elements outside it. All adequate sets have one of them.
    pub(super) fn missing_from(&self, first: usize) -> impl Iterator<Item = Option<Vec<ElementId>>> {
        let rest = self.below.iter().skip(first);
        rest.map(|known| known.answered.then(|| known.missing.iter().collect()))
    }

    /// So many elements every adequate set has, as can be seen from inadequate sets that have no missing element in common.
    pub(super) fn lower_bound(&self) -> usize {
        let mut sets: Vec<&Missing> =
            self.below.iter().filter(|known| known.answered).map(|known| &known.missing).collect();
        sets.sort_by_key(|missing| missing.len());
        let mut hit = ElementSet::new();
        let mut count = 0;
        for missing in sets {
            if missing.len() > 0 && matches!(missing.common(&hit), Common::None) {
                hit = missing.iter().fold(hit, |mut hit, element| {
                    hit.insert(element);
                    hit
                });
                count += 1;
            }
        }
        count
    }
}
