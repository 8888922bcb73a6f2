//! Design and mutant side by side as one system, whose runs are the pairs of runs that hole witnesses are about.
//!
//! The product is the design with a second copy of everything that the mutation can reach; the mutant's edit is laid over the
//! mutated definition of that copy. Inputs are shared. A state of the copy whose initial value the design leaves open
//! starts as its original does, and one whose next value is open gets what its original gets: an input that both read.
//! Constraints and properties are assumed of both.
//!
//! **Why it is enough to copy what the mutation can reach.** Let A be the signals whose definition, initial or next value
//! reads, directly or through others, the mutated signal; that one is in A too. Take any pair of runs that agree on inputs,
//! open initial and open next values. Then all signals outside A agree in each step: in the first, by induction along the
//! order in which initial values and wires can be evaluated, for their definitions are not mutated and read signals outside A
//! only, and where there is no definition the two runs agree by assumption; and in each step from the one before, in the
//! same way. So one copy serves both runs, and whoever reads no signal in A has the same value in both. Conversely a run of
//! the product is such a pair by construction. The depth of a run is the same on both sides.

use super::affected::affected;
use propcov_ir::{
    ConstraintKind, Edits, ElementId, ExprId, ExprPool, Mutant, Node, PropertyId, PropertyKind, SignalId,
    SignalKind, Site, Step, System, SystemError, Trace, Variants,
};
use rustc_hash::FxHashMap;

/// Design and mutant side by side.
#[derive(Clone, Debug)]
pub struct Product {
    /// The design, with second copies of what the mutation can reach.
    pub system: System,
    /// The mutation of the second copy. Without its [edits](Product::edits) the two copies do the same.
    pub mutant: Mutant,
    /// All that is observed is the same in both copies.
    pub property: PropertyId,
    /// The element of the design.
    element: ElementId,
    /// For each signal of the design, the one that has its value in the mutant.
    copies: Vec<SignalId>,
    /// Positions among the product's states of the design's in the mutant.
    states: Vec<usize>,
    /// How many inputs the design has: in the product they come first.
    inputs: usize,
    /// Whether anything that is observed can be reached at all.
    is_observable: bool,
}

impl Product {
    /// The product for a mutant of a system, under the properties that are assumed of both copies.
    ///
    /// # Errors
    /// When the system has no meaning.
    pub fn new(
        system: &System,
        properties: &[ExprId],
        mutant: Mutant,
        observed: &[ExprId],
    ) -> Result<Product, SystemError> {
        let site = system.element(mutant.element).site;
        let copies = match site {
            Site::Wire(signal) | Site::Next(signal) => Some(signal),
            Site::Init(_) | Site::Constraint(_) => None,
        };
        let affected =
            copies.map_or_else(|| vec![false; system.signals().len()], |from| affected(system, from));
        let mut builder = Builder {
            from: system,
            to: system.clone(),
            site,
            keeps_definition: system.variant(mutant.element, mutant.mutation).is_some(),
            copies: (0..system.signals().len() as u32).map(SignalId).collect(),
            cache: FxHashMap::default(),
        };
        builder.signals(&affected)?;
        let element = builder.element(mutant);
        builder.assumptions(properties);
        let (property, is_observable) = builder.agreement(observed);
        let Builder { to, copies, .. } = builder;
        let position: FxHashMap<SignalId, usize> =
            to.states().iter().enumerate().map(|(at, state)| (*state, at)).collect();
        Ok(Product {
            mutant: Mutant { element, ..mutant },
            property,
            element: mutant.element,
            states: system.states().iter().map(|state| position[&copies[state.0 as usize]]).collect(),
            inputs: system.inputs().len(),
            is_observable,
            copies,
            system: to,
        })
    }

    /// The mutant's overlay.
    pub fn edits(&self) -> Edits {
        self.mutant.edits(&self.system)
    }

    /// Whether anything that is observed depends on the mutated element at all.
    pub fn is_observable(&self) -> bool {
        self.is_observable
    }

    /// States of the design that have a second copy, with that copy.
    pub fn pairs(&self) -> impl Iterator<Item = (SignalId, SignalId)> + '_ {
        let states = self.states.len();
        let pairs =
            self.system.states()[..states].iter().map(|state| (*state, self.copies[state.0 as usize]));
        pairs.filter(|(state, copy)| state != copy)
    }

    /// The signal that the mutation is about, in the design's copy.
    pub(super) fn mutated(&self) -> Option<SignalId> {
        match self.system.element(self.element).site {
            Site::Wire(signal) | Site::Next(signal) => Some(signal),
            Site::Init(_) | Site::Constraint(_) => None,
        }
    }

    /// The runs of the design and of the mutant that a run of the product is made of.
    pub fn project(&self, trace: &Trace) -> (Trace, Trace) {
        let original = |step: &Step| Step {
            inputs: step.inputs[..self.inputs].to_vec(),
            states: step.states[..self.states.len()].to_vec(),
            free: Default::default(),
        };
        let mutated = |step: &Step| Step {
            inputs: step.inputs[..self.inputs].to_vec(),
            states: self.states.iter().map(|at| step.states[*at].clone()).collect(),
            free: step
                .free
                .get(&self.mutant.element)
                .map(|value| (self.element, value.clone()))
                .into_iter()
                .collect(),
        };
        let all = |step: &dyn Fn(&Step) -> Step| Trace { steps: trace.steps.iter().map(step).collect() };
        (all(&original), all(&mutated))
    }
}

struct Builder<'s> {
    from: &'s System,
    to: System,
    site: Site,
    /// Whether the mutant makes something of what was written.
    keeps_definition: bool,
    /// For each signal of the design, the one that has its value in the mutant.
    copies: Vec<SignalId>,
    /// For expressions of the design, the same over the mutant's signals.
    cache: FxHashMap<ExprId, ExprId>,
}

impl Builder<'_> {
    /// The expression over the mutant's signals. All wires that it reads have been copied.
    fn copy(&mut self, expr: ExprId) -> ExprId {
        let copies = &self.copies;
        self.to.exprs.import(&self.from.exprs, expr, &mut self.cache, |pool: &mut ExprPool, node, sort| {
            match node {
                Node::Next(state) => pool.next(copies[state.0 as usize], sort.clone()),
                Node::Signal(signal) => pool.signal(copies[signal.0 as usize], sort.clone()),
                // Only leaves are asked for.
                Node::Const(_) | Node::Unary(..) | Node::Binary(..) | Node::Ternary(..) => expr,
            }
        })
    }

    fn name(&self, signal: SignalId) -> String {
        format!("{}'", self.from.signal(signal).name)
    }

    fn signals(&mut self, affected: &[bool]) -> Result<(), SystemError> {
        let is_affected = |signal: &&SignalId| affected[signal.0 as usize];
        for state in self.from.states().iter().filter(is_affected) {
            let sort = self.from.signal(*state).sort.clone();
            self.copies[state.0 as usize] = self.to.add_state(self.name(*state), sort);
        }
        for wire in self.from.wire_order()?.iter().filter(is_affected) {
            let SignalKind::Wire { definition } = self.from.signal(*wire).kind else { continue };
            // The edit hides what stands here, unless it changes it. Without it, both copies are to do the same.
            let definition = if self.site == Site::Wire(*wire) && !self.keeps_definition {
                self.to.read(*wire)
            } else {
                self.copy(definition)
            };
            self.copies[wire.0 as usize] = self.to.add_wire(self.name(*wire), definition);
        }
        for state in self.from.states().iter().filter(is_affected) {
            let SignalKind::State { init, next } = self.from.signal(*state).kind else { continue };
            let copy = self.copies[state.0 as usize];
            let init = match init {
                Some(init) => self.copy(init),
                None => self.to.read(*state),
            };
            self.to.set_init(copy, init);
            let next = match next {
                Some(next) if self.site == Site::Next(*state) && !self.keeps_definition => next,
                Some(next) => self.copy(next),
                None => {
                    let signal = self.from.signal(*state);
                    let choice = self.to.add_input(format!("{}.next", signal.name), signal.sort.clone());
                    let choice = self.to.read(choice);
                    self.to.set_next(*state, choice);
                    choice
                }
            };
            self.to.set_next(copy, next);
        }
        Ok(())
    }

    /// The element of the mutated definition in the second copy.
    fn element(&mut self, mutant: Mutant) -> ElementId {
        let element = self.from.element(mutant.element);
        let copy = |signal: SignalId| self.copies[signal.0 as usize];
        let site = match element.site {
            Site::Wire(signal) => Site::Wire(copy(signal)),
            Site::Next(signal) => Site::Next(copy(signal)),
            // No mutant: nothing is copied, and the element is the design's own.
            Site::Init(_) | Site::Constraint(_) => return mutant.element,
        };
        let (name, spans) = (format!("{}'", element.name), element.spans.iter().copied());
        let added = self.to.add_element(name, element.kind, site, spans);
        if let Some(variants) = self.from.variants(mutant.element) {
            let (off_by_one, stale) = (self.copy(variants.off_by_one), self.copy(variants.stale));
            self.to.set_variants(added, Variants { off_by_one, stale });
        }
        added
    }

    fn assumptions(&mut self, properties: &[ExprId]) {
        for constraint in self.from.constraints() {
            let copy = self.copy(constraint.expr);
            if copy != constraint.expr {
                self.to.add_constraint(format!("{}'", constraint.name), constraint.kind, copy);
            }
        }
        for property in properties {
            let copy = self.copy(*property);
            self.to.add_constraint("property", ConstraintKind::Always, *property);
            if copy != *property {
                self.to.add_constraint("property'", ConstraintKind::Always, copy);
            }
        }
    }

    /// The property that the copies agree, and whether that is in question.
    fn agreement(&mut self, observed: &[ExprId]) -> (PropertyId, bool) {
        let mut equalities = Vec::new();
        for expr in observed {
            let copy = self.copy(*expr);
            if copy != *expr {
                equalities.push(self.to.exprs.eq(*expr, copy));
            }
        }
        let is_observable = !equalities.is_empty();
        let agree = self.to.exprs.conjunction(equalities);
        (self.to.add_property("no difference", PropertyKind::Invariant(agree), None), is_observable)
    }
}
