//! The transition system.
//!
//! Semantics. A run is a sequence of steps. In each step every input has some value, every wire has the value of its
//! definition in that step, and every [`Always`](ConstraintKind::Always) constraint holds. In the first step each state
//! with an `init` equals it and each [`Initial`](ConstraintKind::Initial) constraint holds. From one step to the next,
//! each state with a `next` takes the value that expression had in the former step, and each
//! [`Transition`](ConstraintKind::Transition) constraint holds between the two. A state without `init` starts anywhere; a
//! state without `next` goes anywhere.
//!
//! So constraints hold in the last step of a counterexample, too, and a state without successor ends a run and violates nothing.
//! Initial values may depend on other signals of the first step, but not on each other in a circle: otherwise a state outside
//! a property's cone could rule out every run, and cones of influence would be unsound.

mod lookup;
mod names;
mod sites;
mod split;
mod variants;
mod written_out;

pub use split::{Split, SplitOrigin};
pub use variants::Variants;

use crate::{
    Ctl, Edit, Edits, Element, ElementId, ElementKind, Execution, ExprId, ExprPool, Fairness, FileId, Goal,
    Ltl, Node, Origin, Parent, Property, PropertyId, PropertyKind, Role, Runs, Scope, Signal, SignalId,
    SignalKind, Site, Sort, SourceFile, Span, Tests, UnaryOp, Whole, WholeId,
};
use fixedbitset::FixedBitSet;
use names::{Kind, Names};
use rustc_hash::FxHashMap;
use sites::Sites;
use thiserror::Error;

/// Index of a constraint in its system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstraintId(pub u32);

/// A Boolean assumption on runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The user's name, or one made by the front end.
    pub name: String,
    /// When it has to hold.
    pub kind: ConstraintKind,
    /// What has to hold.
    pub expr: ExprId,
}

/// When a constraint has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConstraintKind {
    /// In every step.
    Always,
    /// In the first step.
    Initial,
    /// From each step to the next; the only place for [`Node::Next`].
    Transition,
}

/// An expression that the outside can observe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The user's name for it.
    pub name: String,
    /// What is observed.
    pub expr: ExprId,
}

/// A word-level synchronous transition system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The files it was read from.
    pub files: Vec<SourceFile>,
    /// Owns every expression below.
    pub exprs: ExprPool,
    /// What the outside observes.
    pub outputs: Vec<Output>,
    /// Whether somebody observes every output, also one that is a property: so in languages that do not write properties down as outputs.
    pub all_outputs_count: bool,
    /// Which infinite runs count.
    pub fairness: Vec<Fairness>,
    /// How its author looks at runs.
    pub runs: Runs,
    signals: Vec<Signal>,
    inputs: Vec<SignalId>,
    states: Vec<SignalId>,
    wires: Vec<SignalId>,
    constraints: Vec<Constraint>,
    properties: Vec<Property>,
    elements: Vec<Element>,
    wholes: Vec<Whole>,
    executions: Vec<Execution>,
    element_of: Sites,
    /// What mutated definitions of numbers are replaced by.
    variants: FxHashMap<ElementId, Variants>,
    names: Names,
}

/// A system that has no meaning.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SystemError {
    /// Wires that define each other within one step.
    #[error("combinational loop through {}", .0.join(" -> "))]
    CombinationalLoop(Vec<String>),
    /// Initial values that depend on each other.
    #[error("initial values depend on each other: {}", .0.join(" -> "))]
    InitialLoop(Vec<String>),
    /// An expression of the wrong sort.
    #[error("{what} has sort {found}, expected {expected}")]
    Sort {
        /// Which definition.
        what: String,
        /// Its sort.
        found: Sort,
        /// What it should be.
        expected: Sort,
    },
    /// A next-state value outside a transition constraint.
    #[error("{0} refers to a next-state value")]
    NextOutsideTransition(String),
}

impl System {
    /// A system with nothing in it.
    pub fn new() -> System {
        System::default()
    }

    /// Makes room for so many more signals and elements, for those who know how many will come.
    pub fn reserve(&mut self, signals: usize, elements: usize) {
        self.signals.reserve(signals);
        self.elements.reserve(elements);
        self.names.reserve(signals.max(elements));
        self.element_of.reserve(signals);
    }

    /// Registers a source file.
    pub fn add_file(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId(self.files.len() as u32 - 1)
    }

    fn add_signal(&mut self, name: String, sort: Sort, kind: SignalKind) -> SignalId {
        let name = self.names.unique(Kind::Signal, name);
        self.signals.push(Signal { name, sort, kind, origin: Origin::User, aliases: Vec::new() });
        SignalId(self.signals.len() as u32 - 1)
    }

    /// Adds an input. A name that is taken gets a suffix.
    pub fn add_input(&mut self, name: impl Into<String>, sort: Sort) -> SignalId {
        let signal = self.add_signal(name.into(), sort, SignalKind::Input);
        self.inputs.push(signal);
        signal
    }

    /// Adds a state without init and next. A name that is taken gets a suffix.
    pub fn add_state(&mut self, name: impl Into<String>, sort: Sort) -> SignalId {
        let signal = self.add_signal(name.into(), sort, SignalKind::State { init: None, next: None });
        self.states.push(signal);
        signal
    }

    /// Adds a wire. A name that is taken gets a suffix.
    pub fn add_wire(&mut self, name: impl Into<String>, definition: ExprId) -> SignalId {
        let sort = self.exprs.sort(definition).clone();
        let signal = self.add_signal(name.into(), sort, SignalKind::Wire { definition });
        self.wires.push(signal);
        signal
    }

    /// Adds a wire whose definition comes later, by [`System::define_wire`]: in some languages definitions may refer to each other in any
    /// order. Until then it is zero. A name that is taken gets a suffix.
    pub fn declare_wire(&mut self, name: impl Into<String>, width: u32) -> SignalId {
        let zero = self.exprs.bits(width, 0);
        self.add_wire(name, zero)
    }

    /// Gives a wire its definition, instead of the one it has.
    ///
    /// # Panics
    /// When the signal is no wire, or of another sort.
    pub fn define_wire(&mut self, wire: SignalId, expr: ExprId) {
        let signal = &mut self.signals[wire.0 as usize];
        assert_eq!(signal.sort, *self.exprs.sort(expr), "define_wire: sort of {}", signal.name);
        match &mut signal.kind {
            SignalKind::Wire { definition } => *definition = expr,
            kind => panic!("define_wire on {kind:?}"),
        }
    }

    /// Says who has asked for a signal; at first it is the user.
    pub fn set_origin(&mut self, signal: SignalId, origin: Origin) {
        self.signals[signal.0 as usize].origin = origin;
    }

    /// Gives a signal one more name. Names of others come first when one is looked up.
    pub fn add_alias(&mut self, signal: SignalId, alias: impl Into<String>) {
        let (signal, alias) = (&mut self.signals[signal.0 as usize], alias.into());
        if signal.name != alias && !signal.aliases.contains(&alias) {
            signal.aliases.push(alias);
        }
    }

    /// Makes an input a state that starts anywhere and goes anywhere, which has the same runs. Properties of states can then speak of it: from a machine with
    /// inputs this makes its Kripke structure. Formulas that branch may have another meaning there, because a state has chosen its input.
    ///
    /// # Panics
    /// When the signal is no input.
    pub fn make_state(&mut self, input: SignalId) {
        let kind = &mut self.signals[input.0 as usize].kind;
        assert_eq!(*kind, SignalKind::Input, "make_state");
        *kind = SignalKind::State { init: None, next: None };
        self.inputs.retain(|other| *other != input);
        self.states.push(input);
    }

    /// Gives a state its initial value, which may refer to any signal of the first step.
    ///
    /// # Panics
    /// When the signal is no state.
    pub fn set_init(&mut self, state: SignalId, value: ExprId) {
        match &mut self.signals[state.0 as usize].kind {
            SignalKind::State { init, .. } => *init = Some(value),
            kind => panic!("set_init on {kind:?}"),
        }
    }

    /// Gives a state its next value.
    ///
    /// # Panics
    /// When the signal is no state.
    pub fn set_next(&mut self, state: SignalId, value: ExprId) {
        match &mut self.signals[state.0 as usize].kind {
            SignalKind::State { next, .. } => *next = Some(value),
            kind => panic!("set_next on {kind:?}"),
        }
    }

    /// Adds a constraint.
    pub fn add_constraint(
        &mut self,
        name: impl Into<String>,
        kind: ConstraintKind,
        expr: ExprId,
    ) -> ConstraintId {
        self.constraints.push(Constraint { name: name.into(), kind, expr });
        ConstraintId(self.constraints.len() as u32 - 1)
    }

    /// Adds a property.
    pub fn add_property(
        &mut self,
        name: impl Into<String>,
        kind: PropertyKind,
        span: Option<Span>,
    ) -> PropertyId {
        let name = self.names.unique(Kind::Property, name.into());
        let goal = Goal::Hold;
        let (formula, as_written, tests) = (None, None, Tests::default());
        self.properties.push(Property { name, kind, goal, span, formula, as_written, tests });
        PropertyId(self.properties.len() as u32 - 1)
    }

    /// Adds something that is to be reached: a step in which the condition holds. As a property it says that there is none.
    pub fn add_cover(
        &mut self,
        name: impl Into<String>,
        condition: ExprId,
        span: Option<Span>,
    ) -> PropertyId {
        let never = self.exprs.not(condition);
        let cover = self.add_property(name, PropertyKind::Invariant(never), span);
        self.properties[cover.0 as usize].goal = Goal::Reach;
        cover
    }

    /// Adds something that is to be reached by a run without an end: one that makes each of these true infinitely often. As a property it says that there is none.
    pub fn add_endless_cover(
        &mut self,
        name: impl Into<String>,
        conditions: Vec<ExprId>,
        span: Option<Span>,
    ) -> PropertyId {
        let cover = self.add_property(name, PropertyKind::Justice(conditions), span);
        self.properties[cover.0 as usize].goal = Goal::Reach;
        cover
    }

    /// Makes a property say something else.
    pub fn set_kind(&mut self, property: PropertyId, kind: PropertyKind) {
        self.properties[property.0 as usize].kind = kind;
    }

    /// Says where that which a property says is written.
    pub fn set_formula(&mut self, property: PropertyId, span: Span) {
        self.properties[property.0 as usize].formula = Some(span);
    }

    /// Says how the formula of a property was [written](Property::as_written).
    pub fn set_as_written(&mut self, property: PropertyId, formula: Ctl) {
        self.properties[property.0 as usize].as_written = Some(formula);
    }

    /// Says what puts a property to the [test](Property::tests).
    pub fn set_tests(&mut self, property: PropertyId, tests: Tests) {
        self.properties[property.0 as usize].tests = tests;
    }

    /// Adds an element, with the places where it is written. It is in the scope of the top, and a part of nothing; an
    /// assumption is of the environment, all else of the design. A name that is taken gets a suffix.
    ///
    /// # Panics
    /// When the site already belongs to an element.
    pub fn add_element(
        &mut self,
        name: impl Into<String>,
        kind: ElementKind,
        site: Site,
        spans: impl IntoIterator<Item = Span>,
    ) -> ElementId {
        let name = self.names.unique(Kind::Element, name.into());
        let id = ElementId(self.elements.len() as u32);
        let role = if kind == ElementKind::Assumption { Role::Environment } else { Role::Design };
        let (scope, spans) = (Scope::TOP, spans.into_iter().collect());
        self.elements.push(Element { name, kind, site, scope, role, spans, parent: None });
        let earlier = self.element_of.insert(site, id);
        assert!(earlier.is_none(), "{site:?} belongs to two elements");
        id
    }

    /// Says in which instance an element is.
    pub fn set_scope(&mut self, element: ElementId, scope: Scope) {
        self.elements[element.0 as usize].scope = scope;
    }

    /// Says which side an element is on. What is said to be a checker [stays one](System::classify_roles).
    pub fn set_role(&mut self, element: ElementId, role: Role) {
        self.elements[element.0 as usize].role = role;
    }

    /// Says what an element is a part of.
    pub fn set_parent(&mut self, element: ElementId, parent: Parent) {
        self.elements[element.0 as usize].parent = Some(parent);
    }

    /// Adds something that was taken apart. Elements become its parts by [`System::set_parent`].
    pub fn add_whole(&mut self, whole: Whole) -> WholeId {
        self.wholes.push(whole);
        WholeId(self.wholes.len() as u32 - 1)
    }

    /// Says when an element is executed, in one of the ways in which it can be.
    pub fn add_execution(&mut self, execution: Execution) {
        self.executions.push(execution);
    }

    /// When elements are executed, in the order in which it was said; empty where a format has nothing that is executed.
    pub fn executions(&self) -> &[Execution] {
        &self.executions
    }

    /// A signal.
    pub fn signal(&self, id: SignalId) -> &Signal {
        &self.signals[id.0 as usize]
    }

    /// All signals, in order of their ids.
    pub fn signals(&self) -> &[Signal] {
        &self.signals
    }

    /// The signal as an expression.
    pub fn read(&mut self, id: SignalId) -> ExprId {
        let sort = self.signals[id.0 as usize].sort.clone();
        self.exprs.signal(id, sort)
    }

    /// The inputs, in the order they were added.
    pub fn inputs(&self) -> &[SignalId] {
        &self.inputs
    }

    /// The states, in the order they were added.
    pub fn states(&self) -> &[SignalId] {
        &self.states
    }

    /// The wires, in the order they were added.
    pub fn wires(&self) -> &[SignalId] {
        &self.wires
    }

    /// The constraints; a [`ConstraintId`] is a position here.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The properties; a [`PropertyId`] is a position here.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// A property.
    pub fn property(&self, id: PropertyId) -> &Property {
        &self.properties[id.0 as usize]
    }

    /// What a property says of every step, if it is an invariant: that of an [invariant](PropertyKind::Invariant), or the `p`
    /// of a CTL formula `AG p`.
    ///
    /// For the latter this is the whole truth only where [every run goes on](System::is_unconstrained): `AG p` says nothing about states from which
    /// no fair path starts. So a proof that p is invariant always proves it, but a run to a violation need not refute it.
    pub fn invariant(&self, id: PropertyId) -> Option<ExprId> {
        match &self.properties.get(id.0 as usize)?.kind {
            PropertyKind::Invariant(expr) => Some(*expr),
            PropertyKind::Ctl(formula) => match self.always(formula)? {
                Ctl::Atom(always) => Some(*always),
                _ => None,
            },
            // A run that violates p has to go on, and fairly.
            PropertyKind::Ltl(formula) if self.is_unconstrained() => match self.globally(formula)? {
                Ltl::Atom(always) => Some(*always),
                _ => None,
            },
            PropertyKind::Justice(_) | PropertyKind::Ltl(_) => None,
        }
    }

    /// Makes each CTL property `AG p` the invariant p. That says more where [something may keep runs from going
    /// on](System::is_unconstrained): it speaks of all steps, not only of those on fair paths. Returns the properties that were changed.
    pub fn strengthen_to_invariants(&mut self) -> Vec<PropertyId> {
        let ids = (0..self.properties.len() as u32).map(PropertyId);
        let is_ctl = |id: &PropertyId| matches!(self.property(*id).kind, PropertyKind::Ctl(_));
        let found: Vec<(PropertyId, ExprId)> =
            ids.filter(is_ctl).filter_map(|id| Some((id, self.invariant(id)?))).collect();
        for (id, always) in &found {
            self.properties[id.0 as usize].kind = PropertyKind::Invariant(*always);
        }
        found.into_iter().map(|(id, _)| id).collect()
    }

    /// Whether every run can go on for ever and is fair, for lack of anything that could forbid it: fairness conditions, and
    /// constraints on steps or transitions.
    pub fn is_unconstrained(&self) -> bool {
        let only_initial =
            self.constraints.iter().all(|constraint| constraint.kind == ConstraintKind::Initial);
        self.fairness.is_empty() && only_initial
    }

    /// The elements; an [`ElementId`] is a position here.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// An element.
    pub fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.0 as usize]
    }

    /// All element ids.
    pub fn element_ids(&self) -> impl Iterator<Item = ElementId> + use<> {
        (0..self.elements.len() as u32).map(ElementId)
    }

    /// What was taken apart; a [`WholeId`] is a position here.
    pub fn wholes(&self) -> &[Whole] {
        &self.wholes
    }

    /// What an element is a part of, if that was taken apart.
    pub fn whole_of(&self, element: ElementId) -> Option<WholeId> {
        match self.elements.get(element.0 as usize)?.parent? {
            Parent::Whole(whole) => Some(whole),
            Parent::Element(_) => None,
        }
    }

    /// The elements that are parts of the same thing, in order. Takes time in the number of all elements.
    pub fn parts(&self, parent: Parent) -> impl Iterator<Item = ElementId> {
        self.element_ids().filter(move |id| self.element(*id).parent == Some(parent))
    }

    /// The inputs that the user has written, in the order they were added.
    pub fn user_inputs(&self) -> impl Iterator<Item = SignalId> {
        self.inputs.iter().copied().filter(|input| self.signal(*input).origin == Origin::User)
    }

    /// The element that a definition belongs to.
    pub fn element_at(&self, site: Site) -> Option<ElementId> {
        self.element_of.get(site)
    }

    /// The edit that applies at a definition.
    pub fn edit_at<'e>(&self, edits: &'e Edits, site: Site) -> Option<&'e Edit> {
        if edits.is_empty() {
            return None;
        }
        self.element_at(site).and_then(|element| edits.get(element))
    }

    /// Checks what every user of a system relies on: sorts fit, no wire depends on itself, and neither does an initial
    /// value.
    pub fn validate(&self) -> Result<(), SystemError> {
        let expect = |what: String, expr: ExprId, expected: &Sort| {
            let found = self.exprs.sort(expr);
            if found == expected {
                Ok(())
            } else {
                Err(SystemError::Sort { what, found: found.clone(), expected: expected.clone() })
            }
        };
        for signal in &self.signals {
            if let SignalKind::State { init, next } = signal.kind {
                init.map_or(Ok(()), |init| expect(format!("init of {}", signal.name), init, &signal.sort))?;
                next.map_or(Ok(()), |next| expect(format!("next of {}", signal.name), next, &signal.sort))?;
            }
        }
        for constraint in &self.constraints {
            expect(format!("constraint {}", constraint.name), constraint.expr, &Sort::BOOL)?;
        }
        for property in &self.properties {
            let what = || format!("property {}", property.name);
            match &property.kind {
                PropertyKind::Invariant(expr) => expect(what(), *expr, &Sort::BOOL)?,
                PropertyKind::Justice(exprs) => {
                    exprs.iter().try_for_each(|expr| expect(what(), *expr, &Sort::BOOL))?;
                }
                PropertyKind::Ctl(formula) => {
                    formula.atoms().into_iter().try_for_each(|atom| expect(what(), atom, &Sort::BOOL))?;
                }
                PropertyKind::Ltl(formula) => {
                    formula.atoms().into_iter().try_for_each(|atom| expect(what(), atom, &Sort::BOOL))?;
                }
            }
        }
        self.check_next_only_in_transitions()?;
        self.wire_order()?;
        self.initial_order().map(|_| ())
    }

    fn check_next_only_in_transitions(&self) -> Result<(), SystemError> {
        let mut has_next = FixedBitSet::with_capacity(self.exprs.len());
        for index in 0..self.exprs.len() {
            let expr = ExprId(index as u32);
            let here = matches!(self.exprs.node(expr), Node::Next(_));
            if here || self.exprs.operands(expr).any(|operand| has_next.contains(operand.0 as usize)) {
                has_next.insert(index);
            }
        }
        let offends = |expr: Option<ExprId>| expr.is_some_and(|expr| has_next.contains(expr.0 as usize));
        for signal in &self.signals {
            let bad = match signal.kind {
                SignalKind::Input => false,
                SignalKind::State { init, next } => offends(init) || offends(next),
                SignalKind::Wire { definition } => offends(Some(definition)),
            };
            if bad {
                return Err(SystemError::NextOutsideTransition(signal.name.clone()));
            }
        }
        for constraint in &self.constraints {
            if constraint.kind != ConstraintKind::Transition && offends(Some(constraint.expr)) {
                return Err(SystemError::NextOutsideTransition(constraint.name.clone()));
            }
        }
        Ok(())
    }

    /// The system with the edits written into it, and without elements at the edited sites. A freed wire becomes an
    /// input of the same name; everything keeps its [`SignalId`], but inputs that were wires come last in
    /// [`System::inputs`].
    pub fn edited(&self, edits: &Edits) -> System {
        let mut system = self.clone();
        for (element, edit) in edits.iter() {
            system.apply(self.element(element).site, edit);
            system.element_of.remove(self.element(element).site);
        }
        system
    }

    /// The constraints that somebody assumes: all but those that a definition was written as.
    pub fn assumptions(&self) -> Vec<ConstraintId> {
        let ids = (0..self.constraints.len() as u32).map(ConstraintId);
        let kind = |id: ConstraintId| Some(self.element(self.element_at(Site::Constraint(id))?).kind);
        ids.filter(|id| kind(*id).is_none_or(|kind| kind == ElementKind::Assumption)).collect()
    }

    /// The system without these constraints. All else is as it was, and has the same numbers.
    pub fn without(&self, constraints: &[ConstraintId]) -> System {
        let mut system = self.clone();
        let holds = system.exprs.bool(true);
        for id in constraints {
            system.constraints[id.0 as usize].expr = holds;
        }
        system
    }

    fn apply(&mut self, site: Site, edit: &Edit) {
        let replaced = |exprs: &mut ExprPool, old: Option<ExprId>| match edit {
            Edit::Free => None,
            Edit::Const(value) => Some(exprs.constant(value.clone())),
            Edit::Replace(expr) => Some(*expr),
            Edit::Invert => old.map(|old| match exprs.unary(UnaryOp::Not, old) {
                Ok(inverted) => inverted,
                Err(error) => panic!("{error}"),
            }),
        };
        match site {
            Site::Wire(id) => {
                let SignalKind::Wire { definition } = self.signals[id.0 as usize].kind else { return };
                match replaced(&mut self.exprs, Some(definition)) {
                    Some(definition) => self.signals[id.0 as usize].kind = SignalKind::Wire { definition },
                    None => {
                        self.signals[id.0 as usize].kind = SignalKind::Input;
                        self.wires.retain(|wire| *wire != id);
                        self.inputs.push(id);
                    }
                }
            }
            Site::Next(id) => {
                if let SignalKind::State { init, next } = self.signals[id.0 as usize].kind {
                    let next = replaced(&mut self.exprs, next);
                    self.signals[id.0 as usize].kind = SignalKind::State { init, next };
                }
            }
            Site::Init(id) => {
                if let SignalKind::State { init, next } = self.signals[id.0 as usize].kind {
                    let init = replaced(&mut self.exprs, init);
                    self.signals[id.0 as usize].kind = SignalKind::State { init, next };
                }
            }
            Site::Constraint(id) => {
                let old = self.constraints[id.0 as usize].expr;
                let new = replaced(&mut self.exprs, Some(old)).unwrap_or_else(|| self.exprs.bool(true));
                self.constraints[id.0 as usize].expr = new;
            }
        }
    }
}
