//! What users do to a design between two runs.

use crate::{Expressions, Random};
use propcov_ir::{
    ConstraintId, ConstraintKind, ElementKind, ExprId, ExprPool, Fairness, Node, Output, PropertyKind,
    SignalId, SignalKind, Site, Sort, System,
};
use rustc_hash::FxHashMap;

/// One change of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DesignEdit {
    /// Everything is written in another order.
    Order,
    /// One property more, called `added`.
    Property,
    /// One register more that nothing reads, called `added`.
    Register,
    /// One assumption more.
    Constraint,
    /// The signal has another definition, next or initial value.
    Definition(String),
}

/// The design after a change; `None` where that change makes no sense.
pub fn edit_design(random: &mut Random, system: &System) -> Option<(System, DesignEdit)> {
    let mut edited = system.clone();
    let edit = match random.below(5) {
        0 => {
            edited = reordered(random, system);
            DesignEdit::Order
        }
        1 => {
            let leaves = leaves(&mut edited, |_| true);
            let good = Expressions::new(random, &mut edited.exprs, &leaves).expr(&Sort::BOOL, 3);
            edited.add_property("added", PropertyKind::Invariant(good), None);
            DesignEdit::Property
        }
        2 => {
            let leaves = leaves(&mut edited, |_| true);
            let state = edited.add_state("added", Sort::BitVec(2));
            let next = Expressions::new(random, &mut edited.exprs, &leaves).expr(&Sort::BitVec(2), 3);
            edited.set_next(state, next);
            edited.add_element("added", ElementKind::Register, Site::Next(state), None);
            DesignEdit::Register
        }
        3 => {
            let leaves = leaves(&mut edited, |_| true);
            let expr = Expressions::new(random, &mut edited.exprs, &leaves).expr(&Sort::BOOL, 2);
            edited.add_constraint("added", ConstraintKind::Always, expr);
            DesignEdit::Constraint
        }
        _ => {
            let signals: Vec<SignalId> = system.states().iter().chain(system.wires()).copied().collect();
            if signals.is_empty() {
                return None;
            }
            let changed = *random.pick(&signals);
            edited = Copier::new(system).copy(random, Some(changed));
            DesignEdit::Definition(system.signal(changed).name.clone())
        }
    };
    edited.validate().is_ok().then_some((edited, edit))
}

/// The same design, written in another order.
pub fn reordered(random: &mut Random, system: &System) -> System {
    Copier::new(system).copy(random, None)
}

/// Signals as expressions.
fn leaves(system: &mut System, wanted: impl Fn(SignalId) -> bool) -> Vec<ExprId> {
    let signals: Vec<SignalId> = (0..system.signals().len() as u32).map(SignalId).collect();
    signals.into_iter().filter(|signal| wanted(*signal)).map(|signal| system.read(signal)).collect()
}

/// Writes a system down again.
struct Copier<'s> {
    from: &'s System,
    to: System,
    signals: FxHashMap<SignalId, SignalId>,
    cache: FxHashMap<ExprId, ExprId>,
}

impl<'s> Copier<'s> {
    fn new(from: &'s System) -> Copier<'s> {
        Copier { from, to: System::new(), signals: FxHashMap::default(), cache: FxHashMap::default() }
    }

    fn expr(&mut self, expr: ExprId) -> ExprId {
        let signals = &self.signals;
        self.to.exprs.import(&self.from.exprs, expr, &mut self.cache, |pool: &mut ExprPool, node, sort| {
            match node {
                Node::Next(signal) => pool.next(signals[signal], sort.clone()),
                Node::Signal(signal) => pool.signal(signals[signal], sort.clone()),
                _ => unreachable!("only signals are leaves"),
            }
        })
    }

    /// In a random order, with another definition for one of the signals.
    fn copy(mut self, random: &mut Random, changed: Option<SignalId>) -> System {
        let from = self.from;
        self.to.files = from.files.clone();
        let order = |random: &mut Random, count: usize| {
            let mut order: Vec<usize> = (0..count).collect();
            for at in (1..count).rev() {
                order.swap(at, random.below(at + 1));
            }
            order
        };
        let sources: Vec<SignalId> = from.inputs().iter().chain(from.states()).copied().collect();
        for at in order(random, sources.len()) {
            let signal = from.signal(sources[at]);
            let copy = match signal.kind {
                SignalKind::Input => self.to.add_input(signal.name.clone(), signal.sort.clone()),
                _ => self.to.add_state(signal.name.clone(), signal.sort.clone()),
            };
            self.signals.insert(sources[at], copy);
        }
        for wire in from.wire_order().unwrap_or_default() {
            let SignalKind::Wire { definition } = from.signal(wire).kind else { continue };
            let definition = if changed == Some(wire) {
                self.another(random, &from.signal(wire).sort)
            } else {
                self.expr(definition)
            };
            let copy = self.to.add_wire(from.signal(wire).name.clone(), definition);
            self.signals.insert(wire, copy);
        }
        for at in order(random, from.states().len()) {
            self.state(random, from.states()[at], changed);
        }
        let mut constraints = FxHashMap::default();
        for at in order(random, from.constraints().len()) {
            let constraint = &from.constraints()[at];
            let expr = self.expr(constraint.expr);
            let copy = self.to.add_constraint(constraint.name.clone(), constraint.kind, expr);
            constraints.insert(ConstraintId(at as u32), copy);
        }
        for at in order(random, from.properties().len()) {
            let property = &from.properties()[at];
            let kind = match &property.kind {
                PropertyKind::Invariant(expr) => PropertyKind::Invariant(self.expr(*expr)),
                PropertyKind::Justice(exprs) => {
                    PropertyKind::Justice(exprs.iter().rev().map(|expr| self.expr(*expr)).collect())
                }
                PropertyKind::Ctl(formula) => {
                    PropertyKind::Ctl(formula.with_atoms(&mut |atom| self.expr(atom)))
                }
                PropertyKind::Ltl(formula) => {
                    PropertyKind::Ltl(formula.with_atoms(&mut |atom| self.expr(atom)))
                }
            };
            self.to.add_property(property.name.clone(), kind, None);
        }
        for output in &from.outputs {
            let expr = self.expr(output.expr);
            self.to.outputs.push(Output { name: output.name.clone(), expr });
        }
        for condition in from.fairness.iter().rev() {
            let condition = match *condition {
                Fairness::Justice(expr) => Fairness::Justice(self.expr(expr)),
                Fairness::Compassion(a, b) => Fairness::Compassion(self.expr(a), self.expr(b)),
            };
            self.to.fairness.push(condition);
        }
        for at in order(random, from.elements().len()) {
            let element = &from.elements()[at];
            let site = match element.site {
                Site::Wire(signal) => Site::Wire(self.signals[&signal]),
                Site::Next(signal) => Site::Next(self.signals[&signal]),
                Site::Init(signal) => Site::Init(self.signals[&signal]),
                Site::Constraint(id) => Site::Constraint(constraints[&id]),
            };
            self.to.add_element(element.name.clone(), element.kind, site, element.span());
        }
        self.to
    }

    fn state(&mut self, random: &mut Random, state: SignalId, changed: Option<SignalId>) {
        let SignalKind::State { init, next } = self.from.signal(state).kind else { return };
        let (copy, sort) = (self.signals[&state], &self.from.signal(state).sort);
        // Initial values are constants then: these never depend on each other.
        let changes_init = changed == Some(state) && init.is_some() && random.percent(30);
        let init = match changes_init {
            true => Some(Expressions::new(random, &mut self.to.exprs, &[]).constant(sort)),
            false => init.map(|init| self.expr(init)),
        };
        let next = match changed == Some(state) && !changes_init && next.is_some() {
            true => Some(self.another(random, sort)),
            false => next.map(|next| self.expr(next)),
        };
        init.into_iter().for_each(|init| self.to.set_init(copy, init));
        next.into_iter().for_each(|next| self.to.set_next(copy, next));
    }

    /// An expression over what is there already.
    fn another(&mut self, random: &mut Random, sort: &Sort) -> ExprId {
        let leaves = leaves(&mut self.to, |_| true);
        Expressions::new(random, &mut self.to.exprs, &leaves).expr(sort, 3)
    }
}
