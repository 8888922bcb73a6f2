//! A smallest core, by implicit hitting sets.
//!
//! Each adequate set has an element outside each inadequate set: it hits the complements. So no core is smaller than a smallest set that hits the complements of all inadequate sets known so far, and if that set is itself
//! adequate, it is a smallest core. If not, it is grown (Algorithm 12), and there is one more complement to hit. The thesis takes the smallest of all minimal cores instead.
//!
//! Smallest hitting sets come from a solver with a counter whose bound only ever rises: each "unsatisfiable" is a better lower bound, which is kept if the search is stopped. MUST comes first: those elements are hit for
//! certain and need not be counted. Cores that turn up while sets are grown are upper bounds; the search ends when both meet.
//!
//! # References
//! - A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva: Smallest MUS extraction with minimal hitting set dualization. CP 2015.

use super::exploration::{Answer, Exploration};
use super::grow::grow;
use super::must::must;
use super::totalizer::Totalizer;
use propcov_budget::Budget;
use propcov_ir::{ElementId, ElementSet};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver, Var};
use rustc_hash::FxHashMap;

/// Conflicts of the solver after which the clock is looked at.
const SLICE: u64 = 20_000;

/// Finds a smallest core: the smallest one that is known afterwards, if the lower bound is that high.
pub(super) fn minimum(search: &mut Exploration<'_>) {
    must(search);
    let mut hitting = HittingSets::new();
    while !search.stopped {
        let Some(best) = search.explored.cores().map(ElementSet::len).min() else { return };
        hitting.learn(search);
        if !hitting.has_gaps {
            search.at_least = search.at_least.max(search.explored.lower_bound());
        }
        if search.at_least >= best {
            return;
        }
        let Some(set) = hitting.smallest(search, best) else { return };
        match search.ask(&set) {
            Answer::Adequate(_) | Answer::Over => {}
            Answer::Inadequate(grown) => drop(grow(search, &grown)),
            Answer::Unknown => hitting.leave_out(search, &set),
        }
    }
}

/// The sets that hit all complements of inadequate sets.
struct HittingSets {
    solver: Cadical,
    variables: FxHashMap<ElementId, Var>,
    /// In every hitting set, and not counted.
    forced: ElementSet,
    counter: Totalizer,
    uncounted: Vec<Lit>,
    /// How many counted elements a hitting set has at least.
    size: usize,
    /// How many sets of the map were looked at.
    learnt: usize,
    /// Sets without an answer were left out: what is found from now on is no lower bound.
    has_gaps: bool,
}

impl HittingSets {
    fn new() -> HittingSets {
        HittingSets {
            solver: Cadical::new(CadicalConfig { inprocessing: false, seed: 0 }),
            variables: FxHashMap::default(),
            forced: ElementSet::new(),
            counter: Totalizer::default(),
            uncounted: Vec::new(),
            size: 0,
            learnt: 0,
            has_gaps: false,
        }
    }

    /// Takes over inadequate sets that are new in the map.
    fn learn(&mut self, search: &Exploration<'_>) {
        if self.learnt == 0 {
            self.forced = search.explored.must();
        }
        for missing in search.explored.missing_from(self.learnt) {
            self.learnt += 1;
            if let Some(missing) = missing {
                self.add(&missing);
            }
        }
    }

    fn add(&mut self, missing: &[ElementId]) {
        if missing.iter().any(|element| self.forced.contains(*element)) {
            return;
        }
        let clause: Vec<Lit> = missing.iter().map(|element| self.literal(*element)).collect();
        self.solver.add_clause(&clause);
    }

    fn literal(&mut self, element: ElementId) -> Lit {
        if let Some(variable) = self.variables.get(&element) {
            return variable.positive();
        }
        let variable = self.solver.new_var();
        self.solver.set_phase(!variable.positive());
        self.variables.insert(element, variable);
        self.uncounted.push(variable.positive());
        variable.positive()
    }

    /// Never proposes this set, nor a subset, again.
    fn leave_out(&mut self, search: &Exploration<'_>, set: &ElementSet) {
        self.has_gaps = true;
        let outside: Vec<ElementId> = search.universe.difference(set).iter().collect();
        self.add(&outside);
    }

    /// A smallest hitting set; `None` if there is none with fewer elements than the best core, or if it would not help to know it.
    fn smallest(&mut self, search: &mut Exploration<'_>, best: usize) -> Option<ElementSet> {
        self.size = self.size.max(search.at_least.saturating_sub(self.forced.len()));
        loop {
            let size = self.forced.len() + self.size;
            if !self.has_gaps {
                search.at_least = search.at_least.max(size);
            }
            // With gaps, only a core as small as the lower bound is worth looking for.
            if size >= best || size > search.at_least {
                return None;
            }
            self.counter.add(&std::mem::take(&mut self.uncounted));
            let at_most: Vec<Lit> = self.counter.at_most(&mut self.solver, self.size).into_iter().collect();
            let budget = Budget { conflicts: Some(SLICE), ..Budget::default() };
            match self.solver.solve(&at_most, &budget) {
                Outcome::Sat => return Some(self.model()),
                Outcome::Unsat => self.size += 1,
                Outcome::Unknown if search.is_over() => return None,
                Outcome::Unknown => {}
            }
        }
    }

    fn model(&self) -> ElementSet {
        let mut set = self.forced.clone();
        for (element, variable) in &self.variables {
            if self.solver.holds(variable.positive()) {
                set.insert(*element);
            }
        }
        set
    }
}
