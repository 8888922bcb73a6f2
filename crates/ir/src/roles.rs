//! What is checked, and what only checks.
//!
//! In many designs the logic of the checks stands beside the logic that is checked: a register that remembers what the
//! last request was, a definition that only a property reads. To mutate a checker says nothing about how well the design
//! is checked, so reports list it apart.
//!
//! An element *feeds* what reads the signal that it defines, in the same step or a later one, and all that this feeds. The
//! role of an element is
//!
//! - *environment*, if it is an [assumption](ElementKind::Assumption);
//! - *design*, if it feeds something that is observed;
//! - *checker*, if it feeds a property, a constraint or a fairness condition, but nothing that is observed;
//! - *design* else: what nobody reads was not written to check anything.
//!
//! Many designs have no outputs, and in some everything feeds properties alone. So what is *observed* is the first of these
//! that some element feeds or is:
//!
//! 1. The outputs, but for those that are properties (or the negation of one, as in AIGER 1.0, where the outputs are the bad
//!    states; and in Lustre, where `p` of `--%PROPERTY p` may be an output of the main node). Where properties are written down apart from
//!    outputs, [all outputs](System::all_outputs_count) count: that an assertion names a port does not make the port less of one.
//! 2. The registers: then a register is always of the design, and combinational logic between registers and properties is
//!    a checker. A state that a front end [added](Origin::Helper) to remember a property, and that nothing else than
//!    properties read, is not observed: `ok = true -> pre ok and x > 0` is a checker, whatever it remembers of itself.
//! 3. All wires but those that are properties, with the parts of their definitions: what is left of a design without outputs
//!    and registers.
//!
//! A constraint that a definition was written as (an element that is no assumption, such as `init(x) := {a, b}` in SMV)
//! feeds the states that it mentions. So do constraints on first values and on transitions whoever wrote them, as that
//! is what `INIT` and `TRANS` of SMV are for: those on transitions feed the states whose next value they mention.
//! Constraints that hold in every step feed nothing.
//!
//! What a front end has said to be a checker stays one, and none of its registers is observed: the states of a monitor that
//! was made of a temporal property are no design, even where a design has no outputs.

use crate::{
    Constraint, ConstraintId, ConstraintKind, Element, ElementKind, ExprId, Fairness, Node, Origin, Parent,
    PropertyId, PropertyKind, Role, SignalId, SignalKind, Site, System,
};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

impl System {
    /// Gives each element its role; see [`roles()`]. To be called when a system is complete.
    pub fn classify_roles(&mut self) {
        for (id, role) in self.element_ids().zip(roles(self)).collect::<Vec<_>>() {
            self.set_role(id, role);
        }
    }
}

/// The role of each element, by what it feeds. Takes time in the size of the system.
pub fn roles(system: &System) -> Vec<Role> {
    let feeding = Feeding::new(system);
    let checked = feeding.behind(feeding.checks());
    let observed = feeding.observed();
    system.elements().iter().map(|element| feeding.role(element, &observed, &checked)).collect()
}

/// What feeds what.
struct Feeding<'s> {
    system: &'s System,
    /// The constraints that feed a state.
    constraints: FxHashMap<SignalId, Vec<ConstraintId>>,
    /// The states that each constraint feeds.
    states: Vec<Vec<SignalId>>,
    /// The wires that are a property, or the negation of one.
    own: FxHashSet<SignalId>,
}

impl<'s> Feeding<'s> {
    fn new(system: &'s System) -> Feeding<'s> {
        let constraints = system.constraints().iter().zip(0..);
        let states: Vec<Vec<SignalId>> =
            constraints.map(|(constraint, id)| fed(system, constraint, ConstraintId(id))).collect();
        let mut by_state: FxHashMap<SignalId, Vec<ConstraintId>> = FxHashMap::default();
        for (fed, id) in states.iter().zip(0..) {
            fed.iter().for_each(|state| by_state.entry(*state).or_default().push(ConstraintId(id)));
        }
        let properties = (0..system.properties().len() as u32).map(PropertyId);
        let own = properties.filter_map(|id| system.driver(system.invariant(id)?));
        let own = own.filter(|signal| matches!(system.signal(*signal).kind, SignalKind::Wire { .. }));
        Feeding { system, constraints: by_state, states, own: own.collect() }
    }

    fn role(&self, element: &Element, observed: &FixedBitSet, checked: &FixedBitSet) -> Role {
        if element.kind == ElementKind::Assumption {
            return Role::Environment;
        }
        if element.role == Role::Checker {
            return Role::Checker;
        }
        let has = |set: &FixedBitSet, signal: SignalId| set.contains(signal.0 as usize);
        let is_checker = match element.site {
            Site::Wire(signal) | Site::Next(signal) | Site::Init(signal) => {
                has(checked, signal) && !has(observed, signal)
            }
            Site::Constraint(id) => {
                let states = &self.states[id.0 as usize];
                !states.is_empty() && states.iter().all(|state| !has(observed, *state))
            }
        };
        if is_checker { Role::Checker } else { Role::Design }
    }

    /// All that something is checked of.
    fn checks(&self) -> Vec<ExprId> {
        let constraints = self.system.constraints().iter().map(|constraint| constraint.expr);
        let mut exprs: Vec<ExprId> = constraints.collect();
        for property in self.system.properties() {
            match &property.kind {
                PropertyKind::Invariant(expr) => exprs.push(*expr),
                PropertyKind::Justice(all) => exprs.extend(all),
                PropertyKind::Ctl(formula) => exprs.extend(formula.atoms()),
                PropertyKind::Ltl(formula) => exprs.extend(formula.atoms()),
            }
        }
        for fairness in &self.system.fairness {
            match fairness {
                Fairness::Justice(expr) => exprs.push(*expr),
                Fairness::Compassion(often, then) => exprs.extend([*often, *then]),
            }
        }
        exprs
    }

    /// The signals that are observed, or feed what is.
    fn observed(&self) -> FixedBitSet {
        let by_outputs = self.behind(self.outputs());
        if self.has_element(&by_outputs) {
            return by_outputs;
        }
        let by_registers = self.behind_signals(self.registers());
        if self.has_element(&by_registers) {
            return by_registers;
        }
        self.behind_signals(self.wires())
    }

    fn has_element(&self, signals: &FixedBitSet) -> bool {
        let is_in = |signal: SignalId| signals.contains(signal.0 as usize);
        self.system.elements().iter().any(|element| match element.site {
            Site::Wire(signal) | Site::Next(signal) | Site::Init(signal) => is_in(signal),
            Site::Constraint(id) => {
                element.kind != ElementKind::Assumption
                    && self.states[id.0 as usize].iter().any(|state| is_in(*state))
            }
        })
    }

    /// The outputs that are no properties, unless all count.
    fn outputs(&self) -> Vec<ExprId> {
        let positive = |expr: ExprId| match self.system.exprs.node(expr) {
            Node::Unary(crate::UnaryOp::Not, operand) => *operand,
            _ => expr,
        };
        let properties = (0..self.system.properties().len() as u32).map(PropertyId);
        let properties: FxHashSet<ExprId> =
            properties.filter_map(|id| self.system.invariant(id)).map(positive).collect();
        let outputs = self.system.outputs.iter().map(|output| output.expr);
        let counts = |expr: &ExprId| self.system.all_outputs_count || !properties.contains(&positive(*expr));
        outputs.filter(counts).collect()
    }

    /// The states that count as registers of the design.
    fn registers(&self) -> Vec<SignalId> {
        let memories = self.memories_of_properties();
        let is_checker = |state: SignalId| {
            let elements = [Site::Next(state), Site::Init(state)].map(|site| self.system.element_at(site));
            elements.into_iter().flatten().any(|id| self.system.element(id).role == Role::Checker)
        };
        let states = self.system.states().iter().copied();
        states.filter(|state| !memories.contains(state) && !is_checker(*state)).collect()
    }

    /// The states in which a front end keeps the last value of a property, if that feeds properties alone.
    fn memories_of_properties(&self) -> FxHashSet<SignalId> {
        let is_copy = |state: &SignalId| {
            let signal = self.system.signal(*state);
            let SignalKind::State { next: Some(next), .. } = signal.kind else { return false };
            let copied = match self.system.exprs.node(next) {
                Node::Signal(copied) => self.own.contains(copied),
                _ => false,
            };
            copied && signal.origin == Origin::Helper && !self.constraints.contains_key(state)
        };
        let mut copies: FxHashSet<SignalId> = self.system.states().iter().copied().filter(is_copy).collect();
        if copies.is_empty() {
            return copies;
        }
        // What other states are made of is more than a memory, and so is what it is made of in turn.
        let others = self.system.states().iter().copied().filter(|state| !copies.contains(state));
        let read = self.behind_signals(others.collect());
        copies.retain(|state| !read.contains(state.0 as usize));
        copies
    }

    /// The wires that are no properties, nor parts of their definitions.
    fn wires(&self) -> Vec<SignalId> {
        let parent = |wire: SignalId| -> Option<Parent> {
            self.system.element(self.system.element_at(Site::Wire(wire))?).parent
        };
        let parents: FxHashSet<Parent> = self.own.iter().filter_map(|wire| parent(*wire)).collect();
        let is_part = |wire: SignalId| parent(wire).is_some_and(|parent| parents.contains(&parent));
        let wires = self.system.wires().iter().copied();
        wires.filter(|wire| !self.own.contains(wire) && !is_part(*wire)).collect()
    }

    /// The signals, and all that feed them.
    fn behind_signals(&self, signals: Vec<SignalId>) -> FixedBitSet {
        let mut walk = Walk::new(self);
        signals.into_iter().for_each(|signal| walk.reach(signal));
        walk.finish()
    }

    /// All signals that feed these expressions.
    fn behind(&self, exprs: Vec<ExprId>) -> FixedBitSet {
        let mut walk = Walk::new(self);
        walk.open = exprs;
        walk.finish()
    }
}

/// The states that a constraint feeds.
fn fed(system: &System, constraint: &Constraint, id: ConstraintId) -> Vec<SignalId> {
    let element = system.element_at(Site::Constraint(id)).map(|element| system.element(element).kind);
    let is_definition = element.is_some_and(|kind| kind != ElementKind::Assumption);
    let (now, next) = match constraint.kind {
        _ if is_definition => (true, true),
        ConstraintKind::Initial => (true, true),
        ConstraintKind::Transition => (false, true),
        ConstraintKind::Always => return Vec::new(),
    };
    let mut states = FxHashSet::default();
    let (mut open, mut seen) = (vec![constraint.expr], FxHashSet::default());
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match system.exprs.node(expr) {
            Node::Next(state) if next => states.insert(*state),
            Node::Signal(signal) if now => {
                matches!(system.signal(*signal).kind, SignalKind::State { .. }) && states.insert(*signal)
            }
            _ => {
                open.extend(system.exprs.operands(expr));
                false
            }
        };
    }
    let mut states: Vec<SignalId> = states.into_iter().collect();
    states.sort_unstable();
    states
}

/// A walk from readers to what they read.
struct Walk<'f, 's> {
    feeding: &'f Feeding<'s>,
    reached: FixedBitSet,
    seen: FixedBitSet,
    open: Vec<ExprId>,
}

impl<'f, 's> Walk<'f, 's> {
    fn new(feeding: &'f Feeding<'s>) -> Walk<'f, 's> {
        let (signals, exprs) = (feeding.system.signals().len(), feeding.system.exprs.len());
        let (reached, seen) = (FixedBitSet::with_capacity(signals), FixedBitSet::with_capacity(exprs));
        Walk { feeding, reached, seen, open: Vec::new() }
    }

    fn reach(&mut self, signal: SignalId) {
        if self.reached.put(signal.0 as usize) {
            return;
        }
        let system = self.feeding.system;
        match system.signal(signal).kind {
            SignalKind::Input => {}
            SignalKind::Wire { definition } => self.open.push(definition),
            SignalKind::State { init, next } => self.open.extend(init.into_iter().chain(next)),
        }
        for id in self.feeding.constraints.get(&signal).into_iter().flatten() {
            self.open.push(system.constraints()[id.0 as usize].expr);
        }
    }

    fn finish(mut self) -> FixedBitSet {
        let exprs = &self.feeding.system.exprs;
        while let Some(expr) = self.open.pop() {
            if self.seen.put(expr.0 as usize) {
                continue;
            }
            match exprs.node(expr) {
                Node::Signal(signal) | Node::Next(signal) => self.reach(*signal),
                _ => self.open.extend(exprs.operands(expr)),
            }
        }
        self.reached
    }
}
