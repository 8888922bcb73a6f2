//! Next values that depend on other next values.
//!
//! `next(x) := next(y)` is a function of this step where next(y) is: its function is put in its place. Where next(y) is open
//! there is no such function, and the assignment is a constraint on transitions.

use super::{lowering::Lowering, scope::InstanceId, syntax::Place};
use crate::InputError;
use propcov_ir::{ConstraintKind, ElementKind, ExprId, Node, SignalId, SignalKind, Site};
use rustc_hash::{FxHashMap, FxHashSet};

/// The value of a state in the next step, which reads next values of others.
pub(super) struct Pending {
    pub(super) state: SignalId,
    pub(super) value: ExprId,
    /// The instance that the state is in.
    pub(super) home: InstanceId,
    /// Where it is assigned, once or more.
    pub(super) places: Vec<Place>,
}

enum Step {
    Enter(usize),
    Finish(usize),
}

impl Lowering<'_> {
    /// Gives each of these states its next value, or a constraint.
    pub(super) fn settle(&mut self, pending: &[Pending]) -> Result<(), InputError> {
        let position: FxHashMap<SignalId, usize> =
            pending.iter().enumerate().map(|(at, pending)| (pending.state, at)).collect();
        let mut open = FxHashSet::default();
        let mut done = FxHashSet::default();
        let mut steps: Vec<Step> = (0..pending.len()).rev().map(Step::Enter).collect();
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(at) if done.contains(&at) => {}
                Step::Enter(at) => {
                    if !open.insert(at) {
                        return Err(self.next_circle(pending, at, &steps));
                    }
                    steps.push(Step::Finish(at));
                    let reads = self.next_values(pending[at].value);
                    steps.extend(
                        reads.iter().filter_map(|state| position.get(state)).map(|at| Step::Enter(*at)),
                    );
                }
                Step::Finish(at) => {
                    self.settle_one(&pending[at]);
                    open.remove(&at);
                    done.insert(at);
                }
            }
        }
        Ok(())
    }

    fn next_circle(&self, pending: &[Pending], at: usize, steps: &[Step]) -> InputError {
        let name = |at: usize| format!("next({})", self.system.signal(pending[at].state).name);
        let path = steps.iter().filter_map(|step| match step {
            Step::Finish(open) => Some(*open),
            Step::Enter(_) => None,
        });
        let names: Vec<String> = path.skip_while(|open| *open != at).map(name).chain([name(at)]).collect();
        self.error(&pending[at].places[0], format!("assignments in a circle: {}", names.join(" -> ")))
    }

    fn settle_one(&mut self, pending: &Pending) {
        let reads = self.next_values(pending.value);
        let known = reads.iter().all(|state| self.next_of(*state).is_some());
        if known {
            let value = self.with_next_values(pending.value);
            self.set_next(pending.state, value, pending.home, &pending.places);
            return;
        }
        let sort = self.system.signal(pending.state).sort.clone();
        let next = self.system.exprs.next(pending.state, sort);
        let equation = self.same(next, pending.value);
        let name = self.system.signal(pending.state).name.clone();
        let constraint =
            self.system.add_constraint(format!("next({name})"), ConstraintKind::Transition, equation);
        let site = Site::Constraint(constraint);
        self.element(name, ElementKind::Register, site, pending.home, &pending.places);
    }

    fn next_of(&self, state: SignalId) -> Option<ExprId> {
        match self.system.signal(state).kind {
            SignalKind::State { next, .. } => next,
            _ => None,
        }
    }

    /// The states whose next values an expression reads.
    fn next_values(&mut self, expr: ExprId) -> Vec<SignalId> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            if !seen.insert(expr) || !self.reads(expr).next {
                continue;
            }
            match self.system.exprs.node(expr) {
                Node::Next(state) => found.push(*state),
                _ => stack.extend(self.system.exprs.operands(expr)),
            }
        }
        found.sort_unstable();
        found
    }

    /// The expression with each next value replaced by its function.
    fn with_next_values(&mut self, root: ExprId) -> ExprId {
        let mut replaced: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            if replaced.contains_key(&expr) {
                stack.pop();
                continue;
            }
            let operands: Vec<ExprId> = self.system.exprs.operands(expr).collect();
            let before = stack.len();
            stack.extend(operands.iter().filter(|operand| !replaced.contains_key(operand)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let new = match self.system.exprs.node(expr).clone() {
                Node::Next(state) => self.next_of(state).unwrap_or(expr),
                Node::Unary(op, a) => self.unary(op, replaced[&a]),
                Node::Binary(op, a, b) => self.binary(op, replaced[&a], replaced[&b]),
                Node::Ternary(_, a, b, c) => self.ite(replaced[&a], replaced[&b], replaced[&c]),
                Node::Signal(_) | Node::Const(_) => expr,
            };
            replaced.insert(expr, new);
        }
        replaced[&root]
    }
}
