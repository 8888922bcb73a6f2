//! Roles by definition: an explicit graph of what feeds what, in which all paths are walked. And small systems to try them on,
//! with all that matters: outputs that are properties, states that front ends add, definitions by constraints.

use crate::Random;
use propcov_ir::{
    ConstraintId, ConstraintKind, Ctl, Element, ElementKind, ExprId, Fairness, Node, Origin, Output, Parent,
    PropertyId, PropertyKind, Role, Scope, SignalId, SignalKind, Site, Sort, System, UnaryOp, Whole,
};

/// What can feed or be fed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    Signal(SignalId),
    Constraint(ConstraintId),
    Output(usize),
    Check,
}

/// The role of each element, as the documentation of [`propcov_ir::roles()`] has it.
pub fn roles_by_paths(system: &System) -> Vec<Role> {
    let graph = Graph::new(system);
    let stages: [&dyn Fn(Thing) -> bool; 3] = [
        &|thing| matches!(thing, Thing::Output(at) if system.all_outputs_count || !graph.is_property(system.outputs[at].expr)),
        &|thing| matches!(thing, Thing::Signal(state) if graph.is_register(state)),
        &|thing| matches!(thing, Thing::Signal(wire) if graph.is_plain_wire(wire)),
    ];
    let is_fed = |is_observed: &&&dyn Fn(Thing) -> bool| {
        let elements = system.elements().iter().filter(|element| element.kind != ElementKind::Assumption);
        elements.into_iter().any(|element| graph.feeds(start(element), **is_observed))
    };
    let is_observed = stages.iter().find(is_fed).unwrap_or(&stages[2]);
    let role = |element: &Element| match element {
        Element { kind: ElementKind::Assumption, .. } => Role::Environment,
        Element { role: Role::Checker, .. } => Role::Checker,
        element if graph.feeds(start(element), *is_observed) => Role::Design,
        Element { site: Site::Constraint(id), .. } if graph.states_of(*id).is_empty() => Role::Design,
        element if graph.feeds(start(element), |thing| thing == Thing::Check) => Role::Checker,
        _ => Role::Design,
    };
    system.elements().iter().map(role).collect()
}

fn start(element: &Element) -> Thing {
    match element.site {
        Site::Wire(signal) | Site::Next(signal) | Site::Init(signal) => Thing::Signal(signal),
        Site::Constraint(id) => Thing::Constraint(id),
    }
}

struct Graph<'s> {
    system: &'s System,
    edges: Vec<(Thing, Thing)>,
}

impl<'s> Graph<'s> {
    fn new(system: &'s System) -> Graph<'s> {
        let mut graph = Graph { system, edges: Vec::new() };
        for (signal, id) in system.signals().iter().zip(0..) {
            let reader = Thing::Signal(SignalId(id));
            match signal.kind {
                SignalKind::Input => {}
                SignalKind::Wire { definition } => graph.reads(reader, definition),
                SignalKind::State { init, next } => {
                    init.into_iter().chain(next).for_each(|expr| graph.reads(reader, expr));
                }
            }
        }
        for (constraint, id) in system.constraints().iter().zip(0..) {
            let own = Thing::Constraint(ConstraintId(id));
            graph.reads(own, constraint.expr);
            graph.edges.push((own, Thing::Check));
            for state in graph.states_of(ConstraintId(id)) {
                graph.edges.push((own, Thing::Signal(state)));
            }
        }
        for (output, at) in system.outputs.iter().zip(0..) {
            graph.reads(Thing::Output(at), output.expr);
        }
        for property in system.properties() {
            match &property.kind {
                PropertyKind::Invariant(expr) => graph.reads(Thing::Check, *expr),
                PropertyKind::Justice(exprs) => {
                    exprs.iter().for_each(|expr| graph.reads(Thing::Check, *expr));
                }
                PropertyKind::Ctl(formula) => {
                    formula.atoms().into_iter().for_each(|expr| graph.reads(Thing::Check, expr));
                }
                PropertyKind::Ltl(formula) => {
                    formula.atoms().into_iter().for_each(|expr| graph.reads(Thing::Check, expr));
                }
            }
        }
        for fairness in &system.fairness {
            match fairness {
                Fairness::Justice(expr) => graph.reads(Thing::Check, *expr),
                Fairness::Compassion(a, b) => {
                    [*a, *b].into_iter().for_each(|expr| graph.reads(Thing::Check, expr));
                }
            }
        }
        graph
    }

    fn reads(&mut self, reader: Thing, expr: ExprId) {
        let mentioned = mentioned(self.system, expr);
        self.edges.extend(mentioned.into_iter().map(|(signal, _)| (Thing::Signal(signal), reader)));
    }

    /// Whether there is a path to such a thing.
    fn feeds(&self, from: Thing, is_goal: impl Fn(Thing) -> bool) -> bool {
        self.path_from(from, &is_goal, &mut Vec::new())
    }

    fn path_from(&self, at: Thing, is_goal: &dyn Fn(Thing) -> bool, path: &mut Vec<Thing>) -> bool {
        if is_goal(at) {
            return true;
        }
        path.push(at);
        let next = self.edges.iter().filter(|(from, _)| *from == at).map(|(_, to)| *to);
        let found = next.into_iter().any(|to| !path.contains(&to) && self.path_from(to, is_goal, path));
        path.pop();
        found
    }

    /// The states that a constraint feeds.
    fn states_of(&self, id: ConstraintId) -> Vec<SignalId> {
        let constraint = &self.system.constraints()[id.0 as usize];
        let element =
            self.system.element_at(Site::Constraint(id)).map(|element| self.system.element(element));
        let is_definition = element.is_some_and(|element| element.kind != ElementKind::Assumption);
        let is_fed = |signal: SignalId, is_next: bool| match constraint.kind {
            ConstraintKind::Always => is_definition && self.is_state(signal),
            ConstraintKind::Initial => self.is_state(signal),
            ConstraintKind::Transition => is_next || is_definition && self.is_state(signal),
        };
        let mentioned = mentioned(self.system, constraint.expr).into_iter();
        mentioned.filter(|(signal, is_next)| is_fed(*signal, *is_next)).map(|(signal, _)| signal).collect()
    }

    fn is_state(&self, signal: SignalId) -> bool {
        matches!(self.system.signal(signal).kind, SignalKind::State { .. })
    }

    /// Whether an expression is a property, or the negation of one.
    fn is_property(&self, expr: ExprId) -> bool {
        let negates = |a: ExprId, b: ExprId| *self.system.exprs.node(a) == Node::Unary(UnaryOp::Not, b);
        let ids = (0..self.system.properties().len() as u32).map(PropertyId);
        let mut properties = ids.filter_map(|id| self.system.invariant(id));
        properties.any(|property| expr == property || negates(expr, property) || negates(property, expr))
    }

    fn is_own(&self, wire: SignalId) -> bool {
        let is_wire = matches!(self.system.signal(wire).kind, SignalKind::Wire { .. });
        let mut system = self.system.clone();
        let read = system.read(wire);
        is_wire && self.is_property(read)
    }

    fn is_plain_wire(&self, wire: SignalId) -> bool {
        let parent = |wire: SignalId| -> Option<Parent> {
            self.system.element(self.system.element_at(Site::Wire(wire))?).parent
        };
        let mut others = self.system.wires().iter().copied();
        let shares = |other: SignalId| parent(wire).is_some() && parent(wire) == parent(other);
        self.system.wires().contains(&wire)
            && !self.is_own(wire)
            && !others.any(|other| self.is_own(other) && shares(other))
    }

    fn is_register(&self, state: SignalId) -> bool {
        let is_checker = [Site::Next(state), Site::Init(state)].into_iter().any(|site| {
            self.system.element_at(site).is_some_and(|id| self.system.element(id).role == Role::Checker)
        });
        let is_memory = self.copies_a_property(state)
            && !self.feeds(Thing::Signal(state), |thing| match thing {
                Thing::Signal(other) => self.is_state(other) && !self.copies_a_property(other),
                _ => false,
            });
        self.is_state(state) && !is_checker && !is_memory
    }

    fn copies_a_property(&self, state: SignalId) -> bool {
        let signal = self.system.signal(state);
        let SignalKind::State { next: Some(next), .. } = signal.kind else { return false };
        let is_constrained = self
            .edges
            .iter()
            .any(|edge| matches!(edge, (Thing::Constraint(_), to) if *to == Thing::Signal(state)));
        let Node::Signal(copied) = self.system.exprs.node(next) else { return false };
        signal.origin == Origin::Helper && self.is_own(*copied) && !is_constrained
    }
}

/// The signals in an expression, each with whether it is read in the next step.
fn mentioned(system: &System, expr: ExprId) -> Vec<(SignalId, bool)> {
    match system.exprs.node(expr) {
        Node::Signal(signal) => vec![(*signal, false)],
        Node::Next(signal) => vec![(*signal, true)],
        _ => system.exprs.operands(expr).flat_map(|operand| mentioned(system, operand)).collect(),
    }
}

/// A small system whose elements have all roles; no two seeds need to have anything in common.
pub fn role_system(seed: u64) -> System {
    Draft { random: Random::new(seed), system: System::new(), states: Vec::new(), readable: Vec::new() }
        .finish()
}

struct Draft {
    random: Random,
    system: System,
    states: Vec<SignalId>,
    /// What can be read without making a loop.
    readable: Vec<ExprId>,
}

impl Draft {
    fn finish(mut self) -> System {
        for at in 0..self.random.below(3) {
            let input = self.system.add_input(format!("i{at}"), Sort::BOOL);
            let read = self.system.read(input);
            self.readable.push(read);
        }
        for at in 0..self.random.below(4) {
            let state = self.system.add_state(format!("s{at}"), Sort::BOOL);
            let read = self.system.read(state);
            self.readable.push(read);
            self.states.push(state);
        }
        self.wires();
        self.properties();
        self.definitions_of_states();
        self.constraints();
        self.outputs();
        self.system
    }

    fn wires(&mut self) {
        let whole = Whole {
            name: "whole".to_owned(),
            kind: ElementKind::Equation,
            defines: Vec::new(),
            scope: Scope::TOP,
            spans: Vec::new(),
            parent: None,
        };
        let whole = Parent::Whole(self.system.add_whole(whole));
        for at in 0..self.random.below(5) {
            let definition = self.expr();
            let wire = self.system.add_wire(format!("w{at}"), definition);
            let element =
                self.system.add_element(format!("w{at}"), ElementKind::Equation, Site::Wire(wire), None);
            if self.random.percent(10) {
                self.system.set_role(element, Role::Checker);
            }
            if self.random.percent(20) {
                self.system.set_parent(element, whole);
            }
            let read = self.system.read(wire);
            self.readable.push(read);
        }
    }

    /// Something of at most two signals, often a single one.
    fn expr(&mut self) -> ExprId {
        let Some(first) = self.pick() else { return self.system.exprs.bool(true) };
        let first = if self.random.percent(30) { self.system.exprs.not(first) } else { first };
        match self.pick().filter(|_| self.random.percent(60)) {
            Some(second) => self.system.exprs.and(first, second),
            None => first,
        }
    }

    fn pick(&mut self) -> Option<ExprId> {
        let later = self.readable.len().saturating_sub(3);
        let late = self.random.percent(50);
        let choices = if late { self.readable[later..].to_vec() } else { self.readable.clone() };
        (!choices.is_empty()).then(|| *self.random.pick(&choices))
    }

    fn properties(&mut self) {
        for at in 0..self.random.below(3) {
            let expr = self.expr();
            let kind = match self.random.below(8) {
                0 => PropertyKind::Ctl(Ctl::Atom(expr)),
                1 => PropertyKind::Justice(vec![expr]),
                _ => PropertyKind::Invariant(expr),
            };
            self.system.add_property(format!("p{at}"), kind, None);
        }
        if self.random.percent(15) {
            let expr = self.expr();
            self.system.fairness.push(Fairness::Justice(expr));
        }
    }

    fn definitions_of_states(&mut self) {
        for (at, state) in self.states.clone().into_iter().enumerate() {
            if self.random.percent(30) {
                self.system.set_origin(state, Origin::Helper);
            }
            if self.random.percent(80) {
                let next = self.expr();
                self.system.set_next(state, next);
                if self.random.percent(80) {
                    let site = Site::Next(state);
                    let element =
                        self.system.add_element(format!("s{at}"), ElementKind::Register, site, None);
                    if self.random.percent(10) {
                        self.system.set_role(element, Role::Checker);
                    }
                }
            }
            if self.random.percent(40) {
                let yes = self.system.exprs.bool(true);
                self.system.set_init(state, yes);
                self.system.add_element(format!("s{at}.init"), ElementKind::Init, Site::Init(state), None);
            }
        }
    }

    fn constraints(&mut self) {
        for at in 0..self.random.below(3) {
            let kinds = [ConstraintKind::Always, ConstraintKind::Initial, ConstraintKind::Transition];
            let kind = *self.random.pick(&kinds);
            let mut expr = self.expr();
            if kind == ConstraintKind::Transition && !self.states.is_empty() {
                let state = *self.random.pick(&self.states);
                let next = self.system.exprs.next(state, Sort::BOOL);
                expr = self.system.exprs.and(expr, next);
            }
            let constraint = self.system.add_constraint(format!("c{at}"), kind, expr);
            let kinds = [None, Some(ElementKind::Assumption), Some(ElementKind::Equation)];
            if let Some(kind) = *self.random.pick(&kinds) {
                self.system.add_element(format!("c{at}"), kind, Site::Constraint(constraint), None);
            }
        }
    }

    fn outputs(&mut self) {
        self.system.all_outputs_count = self.random.percent(30);
        for at in 0..self.random.below(3) {
            let property = self.system.properties().iter().find_map(|property| match property.kind {
                PropertyKind::Invariant(expr) => Some(expr),
                _ => None,
            });
            let expr = match property.filter(|_| self.random.percent(60)) {
                Some(property) if self.random.percent(50) => self.system.exprs.not(property),
                Some(property) => property,
                None => self.expr(),
            };
            self.system.outputs.push(Output { name: format!("o{at}"), expr });
        }
    }
}
