//! Many mutants of a system in one path: each has a literal that picks it, and at most one is picked.
//!
//! A definition that can be mutated gets a variable of its own in each step. While no mutant of it is picked, the variable equals what is written; a mutant that is picked says what it equals
//! instead, or nothing if the definition is left open. So nothing is encoded twice: what is written, and what is off by one, is the same row of the tableau with other bounds.

use super::unroll::Unrolling;
use super::word::{NotRepresentable, Word};
use propcov_ir::{
    Definition, ElementId, ExprId, ExprPool, Kill, Mutant, Mutation, SignalId, SignalKind, Site, Stimulus,
};
use propcov_sat::{Lit, Solver};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The mutants that can be picked, and the literals of those on which something depends that was encoded.
#[derive(Default)]
pub(super) struct Family {
    mutants: FxHashMap<ElementId, Vec<Mutant>>,
    picks: Vec<(Mutant, Lit)>,
    pick_of: FxHashMap<Mutant, Lit>,
    /// Holds while an element is as written.
    written: FxHashMap<ElementId, Lit>,
    /// Holds if one of the literals so far does.
    some: Option<Lit>,
}

impl Unrolling<'_> {
    /// Lets these mutants be picked. To be called before anything is encoded, and not together with [`Unrolling::make_selectable`] for the same elements.
    pub fn make_mutable(&mut self, mutants: &[Mutant]) {
        for mutant in mutants {
            self.family.mutants.entry(mutant.element).or_default().push(*mutant);
        }
    }

    /// The mutants on which something depends that was encoded so far, each with the literal that picks it. More are added at the end. Of all of these at most one holds.
    pub fn picks(&self) -> &[(Mutant, Lit)] {
        &self.family.picks
    }

    /// The literal that picks a mutant, if something depends on it.
    pub fn pick_of(&self, mutant: Mutant) -> Option<Lit> {
        self.family.pick_of.get(&mutant).copied()
    }

    /// What is assumed where no mutant is picked. `None` while there is none to pick.
    pub fn none_picked(&self) -> Option<Lit> {
        self.family.some.map(|some| !some)
    }

    /// The mutant that the solver's model picks.
    pub fn picked(&self) -> Option<Mutant> {
        let is_picked = |(_, pick): &&(Mutant, Lit)| self.gates.solver.holds(*pick);
        self.family.picks.iter().find(is_picked).map(|(mutant, _)| *mutant)
    }

    /// Whether something can be mutated at a site.
    pub(super) fn is_mutable(&self, site: Site) -> bool {
        !self.family.mutants.is_empty()
            && self.system.element_at(site).is_some_and(|element| self.family.mutants.contains_key(&element))
    }

    /// The expressions that may replace the definition at a site.
    pub(super) fn replacements(&self, site: Site) -> Vec<ExprId> {
        if self.family.mutants.is_empty() {
            return Vec::new();
        }
        let mutants = self.system.element_at(site).and_then(|element| self.family.mutants.get(&element));
        let replaced = |mutant: &Mutant| self.system.variant(mutant.element, mutant.mutation);
        mutants.into_iter().flatten().filter_map(replaced).collect()
    }

    /// A variable that equals what is written, or what the mutant that is picked makes of it. `at` is the step in which definitions are evaluated.
    pub(super) fn mutable_leaf(
        &mut self,
        exprs: &ExprPool,
        step: usize,
        signal: SignalId,
        (at, site): (usize, Site),
        written: &Word,
    ) -> Result<Word, NotRepresentable> {
        let own = self.leaf(step, signal)?;
        let Some(element) = self.system.element_at(site) else { return Ok(own) };
        let keep = self.written(element);
        self.require_equal(Some(!keep), &own, written)?;
        let sort = &self.system.signal(signal).sort;
        for mutant in self.family.mutants.get(&element).cloned().unwrap_or_default() {
            let value = match mutant.mutation {
                Mutation::Free => continue,
                Mutation::OffByOne | Mutation::Stale => {
                    let replaced = self.system.variant(element, mutant.mutation);
                    let expr = replaced.ok_or_else(|| NotRepresentable::operator(mutant.mutation.name()))?;
                    self.word(exprs, at, expr)?
                }
                Mutation::Zero | Mutation::One => {
                    let constant = mutant.mutation.constant(sort);
                    let constant =
                        constant.ok_or_else(|| NotRepresentable::operator(mutant.mutation.name()))?;
                    self.constant_word(&constant)?
                }
            };
            let pick = self.family.pick_of[&mutant];
            self.require_equal(Some(!pick), &own, &value)?;
        }
        Ok(own)
    }

    /// The literal that holds while an element is as written: unless one of its mutants is picked.
    fn written(&mut self, element: ElementId) -> Lit {
        if let Some(written) = self.family.written.get(&element) {
            return *written;
        }
        let written = self.gates.fresh();
        let mut clause = vec![written];
        for mutant in self.family.mutants.get(&element).cloned().unwrap_or_default() {
            clause.push(self.new_pick(mutant));
        }
        self.gates.clause(&clause);
        self.family.written.insert(element, written);
        written
    }

    /// The literal of one more mutant, which excludes all others: a chain of literals that say whether one of those so far holds.
    fn new_pick(&mut self, mutant: Mutant) -> Lit {
        let pick = self.gates.fresh();
        let some = self.gates.fresh();
        self.gates.clause(&[!pick, some]);
        if let Some(before) = self.family.some {
            self.gates.clause(&[!before, !pick]);
            self.gates.clause(&[!before, some]);
        }
        self.family.some = Some(some);
        self.family.picks.push((mutant, pick));
        self.family.pick_of.insert(mutant, pick);
        pick
    }

    /// The run of a mutant that the solver's model describes, from the beginning up to a step, as the choices it makes.
    pub fn kill(&self, mutant: Mutant, last: usize) -> Kill {
        let system = self.system;
        let is_open = |state: &SignalId| {
            matches!(system.signal(*state).kind, SignalKind::State { .. })
                && system.definition(self.edits, Site::Next(*state)) == Definition::Open
        };
        let row = |signals: &[SignalId], step: usize| {
            signals.iter().map(|signal| self.leaf_value(step, *signal)).collect()
        };
        let choices = if system.states().iter().any(is_open) {
            (1..=last).map(|step| row(system.states(), step)).collect()
        } else {
            Vec::new()
        };
        let stimulus = Stimulus {
            start: row(system.states(), 0),
            inputs: (0..=last).map(|step| row(system.inputs(), step)).collect(),
            choices,
        };
        let free = match (mutant.mutation, system.element(mutant.element).site) {
            (Mutation::Free, Site::Wire(signal)) => {
                (0..=last).map(|step| self.leaf_value(step, signal)).collect()
            }
            (Mutation::Free, Site::Next(signal)) => {
                (1..=last).map(|step| self.leaf_value(step, signal)).collect()
            }
            _ => Vec::new(),
        };
        Kill { stimulus: Arc::new(stimulus), steps: last + 1, free }
    }
}
