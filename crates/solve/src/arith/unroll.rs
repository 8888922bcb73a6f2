//! Steps of a system, one after the other, in one solver.
//!
//! Everything is encoded when it is asked for: a question about step k pulls in what it depends on, through the definitions of earlier steps, and nothing else.

use super::family::Family;
use super::gates::Gates;
use super::word::{NotRepresentable, Word};
use propcov_budget::{Budget, Meter};
use propcov_ir::{
    ConstraintId, ConstraintKind, Definition, Edits, ElementId, ElementSet, ExprId, ExprPool, SignalId,
    SignalKind, Site, Sort, System,
};
use propcov_sat::Lit;
use propcov_smt::{ArithSolver, Linear, Number};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Where the first step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the beginning of a run.
    Initial,
    /// Anywhere: states have any value.
    Anywhere,
}

/// How a state gets its value from the step before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// It *is* the value of its next function: no variables.
    Functional,
    /// It is a variable of its own that equals it: no constraint then mentions variables of steps that are not neighbours, and in two neighbours only
    /// the states of the later one. Interpolation needs that.
    Explicit,
}

/// Whose a number variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The step.
    pub step: usize,
    /// The state that it is the value of, if it is one.
    pub state: Option<SignalId>,
}

/// A path of steps in a solver.
pub struct Unrolling<'s> {
    pub(super) system: &'s System,
    pub(super) edits: &'s Edits,
    pub(super) start: Start,
    link: Link,
    pub(super) gates: Gates,
    pub(super) steps: Vec<Step>,
    /// Whose each number variable is.
    pub(super) owners: FxHashMap<Number, Owner>,
    /// Applications of functions about which nothing is known.
    pub(super) applications: Vec<Application>,
    /// Products of two variables, of which only what [`Unrolling::correct_products`] said is known.
    pub(super) products: Vec<Product>,
    /// Whether something was left open that the system does not leave open.
    pub(super) opaque: bool,
    /// Which elements can be dropped.
    selectable: ElementSet,
    /// The literal that keeps an element, for those of them on which something depends that was encoded; in the order in which that was.
    selectors: Vec<(ElementId, Lit)>,
    selector_of: FxHashMap<ElementId, Lit>,
    /// Which mutants there may be.
    pub(super) family: Family,
    pub(super) meter: Meter,
}

/// What is known of one step.
#[derive(Default)]
pub(super) struct Step {
    pub(super) words: FxHashMap<ExprId, Word>,
    /// Values that nothing determines: inputs, freed wires, open states.
    pub(super) leaves: FxHashMap<SignalId, Word>,
    /// Quotient and remainder by dividend and divisor.
    pub(super) quotients: FxHashMap<(Word, Linear), (Word, Word)>,
}

/// One application of a function.
pub(super) struct Application {
    pub(super) function: SignalId,
    pub(super) arguments: Vec<Word>,
    pub(super) result: Word,
}

/// A number that stands for the product of two others.
pub(super) struct Product {
    pub(super) factors: [Rc<Linear>; 2],
    pub(super) result: Rc<Linear>,
}

impl<'s> Unrolling<'s> {
    /// No step yet.
    pub fn new(system: &'s System, edits: &'s Edits, start: Start, link: Link) -> Unrolling<'s> {
        Unrolling {
            system,
            edits,
            start,
            link,
            gates: Gates::new(),
            steps: Vec::new(),
            owners: FxHashMap::default(),
            applications: Vec::new(),
            products: Vec::new(),
            opaque: false,
            selectable: ElementSet::new(),
            selectors: Vec::new(),
            selector_of: FxHashMap::default(),
            family: Family::default(),
            meter: Meter::default(),
        }
    }

    /// The same path, encoded within a budget: encoding fails when that is used up.
    #[must_use]
    pub fn within(self, budget: Budget) -> Unrolling<'s> {
        Unrolling { meter: Meter::new(budget), ..self }
    }

    /// Lets these elements be dropped: each is kept while its literal is assumed. To be called before anything is encoded.
    pub fn make_selectable(&mut self, elements: &ElementSet) {
        self.selectable = elements.clone();
    }

    /// The elements that can be dropped and on which something depends that was encoded so far, each with the literal that keeps it. More are added at the end.
    pub fn selectors(&self) -> &[(ElementId, Lit)] {
        &self.selectors
    }

    /// Keeps all clauses from now on, for [`Unrolling::clauses`].
    pub fn keep_clauses(&mut self) {
        self.gates.clauses = Some(Vec::new());
        self.gates.solver.keep_lemmas();
    }

    /// The clauses that were kept.
    pub fn clauses(&self) -> &[Vec<Lit>] {
        self.gates.clauses.as_deref().unwrap_or_default()
    }

    /// The solver.
    pub fn solver(&mut self) -> &mut ArithSolver {
        &mut self.gates.solver
    }

    /// The solver, to look at.
    pub fn solved(&self) -> &ArithSolver {
        &self.gates.solver
    }

    /// Whether every model is a run: nothing was left open for lack of a linear description.
    pub fn is_exact(&self) -> bool {
        !self.opaque
    }

    /// Whose a number variable is.
    pub fn owner(&self, number: Number) -> Option<Owner> {
        self.owners.get(&number).copied()
    }

    /// Whether the signal is a variable in this step: something that was encoded depends on it, and nothing determines it.
    pub fn is_open(&self, step: usize, signal: SignalId) -> bool {
        self.steps.get(step).is_some_and(|known| known.leaves.contains_key(&signal))
    }

    /// Adds a clause.
    pub fn clause(&mut self, clause: &[Lit]) {
        self.gates.clause(clause);
    }

    /// A fresh Boolean.
    pub fn fresh(&mut self) -> Lit {
        self.gates.fresh()
    }

    /// The conjunction of literals, as a literal.
    pub fn conjunction(&mut self, literals: impl IntoIterator<Item = Lit>) -> Lit {
        self.gates.conjunction(literals)
    }

    /// The literal of a Boolean expression in a step. The pool is that of the system, to which expressions may have been added.
    ///
    /// # Errors
    /// When it depends on something that cannot be represented.
    pub fn literal(&mut self, exprs: &ExprPool, step: usize, expr: ExprId) -> Result<Lit, NotRepresentable> {
        let word = self.word(exprs, step, expr)?;
        word.as_bit().ok_or_else(|| NotRepresentable::sort("Boolean", exprs.sort(expr)))
    }

    /// Requires what holds in a step: constraints, those of the transition from the step before, and initial ones in the first step.
    ///
    /// # Errors
    /// When a constraint depends on something that cannot be represented.
    pub fn require_constraints(&mut self, exprs: &ExprPool, step: usize) -> Result<(), NotRepresentable> {
        self.constrain(exprs, step, None)
    }

    /// The same under an assumption, which is returned: the step is part of the path while it is assumed. A path that ends earlier owes later steps nothing; whoever asks about
    /// paths of several lengths in one solver must not require of a short one that it goes on.
    ///
    /// # Errors
    /// When a constraint depends on something that cannot be represented.
    pub fn constrained(&mut self, exprs: &ExprPool, step: usize) -> Result<Lit, NotRepresentable> {
        if self.system.constraints().is_empty() {
            return Ok(self.gates.constant(true));
        }
        let on = self.gates.fresh();
        self.constrain(exprs, step, Some(on))?;
        Ok(on)
    }

    fn constrain(&mut self, exprs: &ExprPool, step: usize, on: Option<Lit>) -> Result<(), NotRepresentable> {
        for (index, constraint) in self.system.constraints().iter().enumerate() {
            let at = match constraint.kind {
                ConstraintKind::Always => step,
                ConstraintKind::Initial if step == 0 && self.start == Start::Initial => 0,
                ConstraintKind::Transition if step > 0 => step - 1,
                ConstraintKind::Initial | ConstraintKind::Transition => continue,
            };
            self.require_constraint(exprs, at, ConstraintId(index as u32), on)?;
        }
        Ok(())
    }

    /// Requires one constraint in a step, while the assumption holds.
    fn require_constraint(
        &mut self,
        exprs: &ExprPool,
        step: usize,
        id: ConstraintId,
        on: Option<Lit>,
    ) -> Result<(), NotRepresentable> {
        let site = Site::Constraint(id);
        let holds = match self.system.definition(self.edits, site) {
            Definition::Open => return Ok(()),
            Definition::Const(value) => self.gates.constant(value.as_bool() == Some(true)),
            Definition::Expr(expr) => self.literal(exprs, step, expr)?,
            Definition::Inverted(expr) => !self.literal(exprs, step, expr)?,
        };
        let keep = self.selector(site);
        let clause: Vec<Lit> =
            [on, keep].into_iter().flatten().map(|excuse| !excuse).chain([holds]).collect();
        self.clause(&clause);
        Ok(())
    }

    /// The literal under which states have their initial values in the first step, and initial constraints hold. For paths that start anywhere.
    ///
    /// # Errors
    /// When an initial value cannot be represented.
    pub fn initial(&mut self, exprs: &ExprPool) -> Result<Lit, NotRepresentable> {
        let mut all = Vec::new();
        for state in self.system.states() {
            let Some(value) = self.defined(exprs, 0, Site::Init(*state))? else { continue };
            if matches!(self.system.signal(*state).sort, Sort::Array(_)) {
                return Err(NotRepresentable::sort("a scalar", &self.system.signal(*state).sort));
            }
            let own = self.leaf(0, *state)?;
            all.push(self.equal_words(&own, &value)?);
        }
        for (index, constraint) in self.system.constraints().iter().enumerate() {
            let site = Site::Constraint(ConstraintId(index as u32));
            if constraint.kind == ConstraintKind::Initial
                && let Some(Word::Bit(holds)) = self.defined(exprs, 0, site)?
            {
                all.push(holds);
            }
        }
        Ok(self.gates.conjunction(all))
    }

    /// The value that a definition gives in a step.
    pub(super) fn defined(
        &mut self,
        exprs: &ExprPool,
        step: usize,
        site: Site,
    ) -> Result<Option<Word>, NotRepresentable> {
        Ok(match self.system.definition(self.edits, site) {
            Definition::Open => None,
            Definition::Const(value) => Some(self.constant_word(value)?),
            Definition::Expr(expr) => Some(self.word(exprs, step, expr)?),
            Definition::Inverted(expr) => match self.word(exprs, step, expr)? {
                Word::Bit(lit) => Some(Word::Bit(!lit)),
                _ => return Err(NotRepresentable::sort("Boolean", exprs.sort(expr))),
            },
        })
    }

    /// The literal that keeps the definition at a site, if it can be dropped.
    pub(super) fn selector(&mut self, site: Site) -> Option<Lit> {
        let element = self.droppable(site)?;
        if let Some(keep) = self.selector_of.get(&element) {
            return Some(*keep);
        }
        let keep = self.gates.fresh();
        self.selector_of.insert(element, keep);
        self.selectors.push((element, keep));
        Some(keep)
    }

    /// The element at a site, if it can be dropped.
    fn droppable(&self, site: Site) -> Option<ElementId> {
        if self.selectable.is_empty() {
            return None;
        }
        self.system.element_at(site).filter(|element| self.selectable.contains(*element))
    }

    /// Whether the state is a function of which nothing is known: it starts anywhere and stays as it is, also under edits and whatever is dropped.
    pub(super) fn is_rigid(&self, state: SignalId) -> bool {
        let SignalKind::State { init: None, next: Some(next) } = self.system.signal(state).kind else {
            return false;
        };
        let site = Site::Next(state);
        *self.system.exprs.node(next) == propcov_ir::Node::Signal(state)
            && self.system.definition(self.edits, site) == Definition::Expr(next)
            && self.system.definition(self.edits, Site::Init(state)) == Definition::Open
            && self.droppable(site).is_none()
            && !self.is_mutable(site)
    }

    pub(super) fn step(&mut self, step: usize) -> &mut Step {
        while self.steps.len() <= step {
            self.steps.push(Step::default());
        }
        &mut self.steps[step]
    }

    /// Where a state's value in a step comes from: a definition, in which step it is evaluated. `None` where it is a leaf.
    pub(super) fn source(&self, step: usize, state: SignalId) -> Option<(usize, Site)> {
        let (at, site) = match step.checked_sub(1) {
            Some(before) => (before, Site::Next(state)),
            None if self.start == Start::Initial => (0, Site::Init(state)),
            None => return None,
        };
        (self.system.definition(self.edits, site) != Definition::Open).then_some((at, site))
    }

    /// Whether a state whose value is known gets a variable of its own all the same.
    pub(super) fn is_explicit(&self, step: usize) -> bool {
        self.link == Link::Explicit && step > 0
    }
}
