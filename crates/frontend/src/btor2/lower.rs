//! Systems in the terms that BTOR2 has, which lacks constraints on the first step, constraints from one step to the next,
//! and initial values that depend on inputs.
//!
//! Each of these becomes a constraint on every step. A state `first` tells whether this is the first one; what a
//! transition constraint says about this step and the next is said one step later, about the step before and this one,
//! with extra states to remember. So the runs stay the same also where they end: a last step need not have a successor.

use propcov_ir::{ConstraintKind, ExprId, Node, SignalId, SignalKind, Sort, System};
use rustc_hash::{FxHashMap, FxHashSet};

/// The system with constraints on every step added for what BTOR2 cannot say. What they replace is still there: it
/// is for the printer to leave it out.
pub(super) fn lower(system: &System) -> System {
    let mut lowering =
        Lowering { old: system, new: system.clone(), first: None, before: FxHashMap::default() };
    for state in system.states() {
        if let SignalKind::State { init: Some(init), .. } = system.signal(*state).kind
            && !is_constant(system, init)
        {
            let value = lowering.new.read(*state);
            let equal = lowering.new.exprs.eq(value, init);
            lowering.add(format!("{}.init", system.signal(*state).name), equal, true);
        }
    }
    for constraint in system.constraints() {
        match constraint.kind {
            ConstraintKind::Always => {}
            ConstraintKind::Initial => lowering.add(constraint.name.clone(), constraint.expr, true),
            ConstraintKind::Transition => {
                let expr = lowering.one_step_later(constraint.expr);
                lowering.add(constraint.name.clone(), expr, false);
            }
        }
    }
    lowering.new
}

/// Whether an initial value refers to no signal.
pub(super) fn is_constant(system: &System, init: ExprId) -> bool {
    leaves(system, init).is_empty()
}

/// The signals and next-state values in an expression, in a fixed order.
fn leaves(system: &System, root: ExprId) -> Vec<Node> {
    let (mut found, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![root]);
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr) {
            continue;
        }
        if let node @ (Node::Signal(_) | Node::Next(_)) = system.exprs.node(expr) {
            found.push(node.clone());
        }
        stack.extend(system.exprs.operands(expr));
    }
    found
}

struct Lowering<'s> {
    old: &'s System,
    new: System,
    /// Whether this is the first step.
    first: Option<ExprId>,
    /// States that have the value which a signal had in the step before.
    before: FxHashMap<SignalId, SignalId>,
}

impl Lowering<'_> {
    /// Adds what has to hold in the first step, or in all others.
    fn add(&mut self, name: String, expr: ExprId, in_first: bool) {
        let first = match self.first {
            Some(first) => first,
            None => {
                let state = self.new.add_state("first", Sort::BOOL);
                let (yes, no) = (self.new.exprs.bool(true), self.new.exprs.bool(false));
                self.new.set_init(state, yes);
                self.new.set_next(state, no);
                *self.first.insert(self.new.read(state))
            }
        };
        let exempt = if in_first { self.new.exprs.not(first) } else { first };
        let expr = self.new.exprs.or(exempt, expr);
        self.new.add_constraint(name, ConstraintKind::Always, expr);
    }

    fn one_step_later(&mut self, expr: ExprId) -> ExprId {
        for leaf in leaves(self.old, expr) {
            let Node::Signal(signal) = leaf else { continue };
            if !self.before.contains_key(&signal) {
                let declared = self.old.signal(signal);
                let state = self.new.add_state(format!("{}.before", declared.name), declared.sort.clone());
                let value = self.new.read(signal);
                self.new.set_next(state, value);
                self.before.insert(signal, state);
            }
        }
        let before = &self.before;
        let mut cache = FxHashMap::default();
        self.new.exprs.import(&self.old.exprs, expr, &mut cache, |pool, node, sort| match node {
            Node::Next(signal) => pool.signal(*signal, sort.clone()),
            Node::Signal(signal) => pool.signal(before[signal], sort.clone()),
            // Only signals and next-state values are leaves.
            _ => pool.bool(false),
        })
    }
}
