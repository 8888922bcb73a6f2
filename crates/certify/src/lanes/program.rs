//! What is evaluated in a step, and in which order.
//!
//! A depth-first search from the property and the constraints, through operands, from a wire to its definition, in the first step
//! from a state to its initial value; and, since a state that matters now mattered before, to the next-state functions of all
//! states found.

use crate::cone::constraints;
use propcov_ir::{
    BinaryOp, ConstraintId, ConstraintKind, ExprId, Node, SignalId, SignalKind, Sort, System, TernaryOp,
    UnaryOp,
};

/// Position of a value among those of a step.
pub(super) type Slot = usize;

/// How a value follows from earlier ones.
#[derive(Clone, Copy)]
pub(super) enum Op {
    Constant(bool),
    /// By position among the inputs.
    Input(usize),
    /// By position among the states: the value at the beginning of the step.
    State(usize),
    /// What others read of a wire whose definition has this value.
    Wire(SignalId, Slot),
    /// What a state (by position) will be, if its next-state function has this value.
    Next(usize, Slot),
    /// What a state without a next-state function (by position) will be.
    Choice(usize),
    Not(Slot),
    And(Slot, Slot),
    Or(Slot, Slot),
    Xor(Slot, Slot),
    Eq(Slot, Slot),
    Ite(Slot, Slot, Slot),
}

/// Which step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    First,
    Later,
}

/// All that matters in one step, in the order of evaluation.
pub(super) struct Program {
    pub(super) ops: Vec<Op>,
    pub(super) property: Slot,
    pub(super) always: Vec<(ConstraintId, Slot)>,
    pub(super) initial: Vec<(ConstraintId, Slot)>,
    pub(super) transition: Vec<(ConstraintId, Slot)>,
    /// The states that matter in the next step, by position.
    pub(super) successors: Vec<(usize, Slot)>,
}

/// Where each input is among the inputs, and each state among the states.
pub(super) struct Positions(Vec<usize>);

impl Positions {
    pub(super) fn new(system: &System) -> Positions {
        let mut positions = vec![0; system.signals().len()];
        for signals in [system.inputs(), system.states()] {
            for (position, signal) in signals.iter().enumerate() {
                positions[signal.0 as usize] = position;
            }
        }
        Positions(positions)
    }

    pub(super) fn of(&self, signal: SignalId) -> usize {
        self.0[signal.0 as usize]
    }
}

/// Whose value is asked for.
#[derive(Clone, Copy)]
enum Key {
    Expr(ExprId),
    Signal(SignalId),
    Next(SignalId),
}

/// Brings what matters in a step into an order.
struct Compiler<'a> {
    system: &'a System,
    positions: &'a Positions,
    moment: Moment,
    ops: Vec<Op>,
    exprs: Vec<Option<Slot>>,
    signals: Vec<Option<Slot>>,
    nexts: Vec<Option<Slot>>,
    /// The states whose value at the beginning of the step is read, by position.
    read: Vec<usize>,
}

impl<'a> Compiler<'a> {
    fn new(system: &'a System, positions: &'a Positions, moment: Moment) -> Compiler<'a> {
        Compiler {
            system,
            positions,
            moment,
            ops: Vec::new(),
            exprs: vec![None; system.exprs.len()],
            signals: vec![None; system.signals().len()],
            nexts: vec![None; system.signals().len()],
            read: Vec::new(),
        }
    }

    fn slot(&self, key: Key) -> Option<Slot> {
        match key {
            Key::Expr(expr) => self.exprs[expr.0 as usize],
            Key::Signal(signal) => self.signals[signal.0 as usize],
            Key::Next(signal) => self.nexts[signal.0 as usize],
        }
    }

    /// The slot of a value, after those that it follows from; `None` if something is no single bit, or an operator is
    /// not one of single bits. The system has been validated: there are no loops.
    fn compile(&mut self, root: Key) -> Option<Slot> {
        let mut open = vec![(root, false)];
        while let Some((key, entered)) = open.pop() {
            if self.slot(key).is_some() {
                continue;
            }
            if !entered {
                open.push((key, true));
                self.for_each_dependency(key, |dependency| open.push((dependency, false)))?;
                continue;
            }
            let slot = Some(self.emit(key)?);
            match key {
                Key::Expr(expr) => self.exprs[expr.0 as usize] = slot,
                Key::Signal(signal) => self.signals[signal.0 as usize] = slot,
                Key::Next(signal) => self.nexts[signal.0 as usize] = slot,
            }
        }
        self.slot(root)
    }

    fn definition(&self, signal: SignalId) -> Option<ExprId> {
        match self.system.signal(signal).kind {
            SignalKind::Wire { definition } => Some(definition),
            SignalKind::State { init, .. } if self.moment == Moment::First => init,
            SignalKind::State { .. } | SignalKind::Input => None,
        }
    }

    fn next(&self, signal: SignalId) -> Option<ExprId> {
        match self.system.signal(signal).kind {
            SignalKind::State { next, .. } => next,
            SignalKind::Wire { .. } | SignalKind::Input => None,
        }
    }

    fn for_each_dependency(&self, key: Key, mut visit: impl FnMut(Key)) -> Option<()> {
        match key {
            Key::Signal(signal) => {
                self.definition(signal).into_iter().for_each(|expr| visit(Key::Expr(expr)));
            }
            Key::Next(signal) => self.next(signal).into_iter().for_each(|expr| visit(Key::Expr(expr))),
            Key::Expr(expr) => match self.system.exprs.node(expr) {
                Node::Signal(signal) => visit(Key::Signal(*signal)),
                Node::Next(signal) => visit(Key::Next(*signal)),
                _ => {
                    for operand in self.system.exprs.operands(expr) {
                        if operand >= expr {
                            return None;
                        }
                        visit(Key::Expr(operand));
                    }
                }
            },
        }
        Some(())
    }

    /// Evaluates what follows from values that have been evaluated.
    fn emit(&mut self, key: Key) -> Option<Slot> {
        let expr = match key {
            Key::Signal(signal) => return self.emit_signal(signal),
            Key::Next(signal) => {
                let state = self.state(signal)?;
                return Some(match self.next(signal) {
                    Some(next) => self.push(Op::Next(state, self.slot(Key::Expr(next))?)),
                    None => self.push(Op::Choice(state)),
                });
            }
            Key::Expr(expr) => expr,
        };
        let operand = |expr: ExprId| self.slot(Key::Expr(expr));
        let op = match self.system.exprs.node(expr) {
            Node::Signal(signal) => return self.slot(Key::Signal(*signal)),
            Node::Next(signal) => return self.slot(Key::Next(*signal)),
            Node::Const(value) => Op::Constant(value.as_bool()?),
            Node::Unary(UnaryOp::Not, a) => Op::Not(operand(*a)?),
            Node::Binary(BinaryOp::And, a, b) => Op::And(operand(*a)?, operand(*b)?),
            Node::Binary(BinaryOp::Or, a, b) => Op::Or(operand(*a)?, operand(*b)?),
            Node::Binary(BinaryOp::Xor, a, b) => Op::Xor(operand(*a)?, operand(*b)?),
            Node::Binary(BinaryOp::Eq, a, b) => Op::Eq(operand(*a)?, operand(*b)?),
            Node::Ternary(TernaryOp::Ite, a, b, c) => Op::Ite(operand(*a)?, operand(*b)?, operand(*c)?),
            Node::Unary(..) | Node::Binary(..) | Node::Ternary(..) => return None,
        };
        Some(self.push(op))
    }

    fn emit_signal(&mut self, signal: SignalId) -> Option<Slot> {
        if self.system.signal(signal).sort != Sort::BOOL {
            return None;
        }
        let position = self.positions.of(signal);
        Some(match (self.system.signal(signal).kind, self.definition(signal)) {
            (SignalKind::Input, _) => self.push(Op::Input(position)),
            (SignalKind::Wire { .. }, definition) => {
                self.push(Op::Wire(signal, self.slot(Key::Expr(definition?))?))
            }
            // An initial value is no element that is mutated.
            (SignalKind::State { .. }, Some(init)) => self.slot(Key::Expr(init))?,
            (SignalKind::State { .. }, None) => {
                self.read.push(position);
                self.push(Op::State(position))
            }
        })
    }

    fn state(&self, signal: SignalId) -> Option<usize> {
        let declared = self.system.signal(signal);
        let is_state = matches!(declared.kind, SignalKind::State { .. }) && declared.sort == Sort::BOOL;
        is_state.then(|| self.positions.of(signal))
    }

    fn push(&mut self, op: Op) -> Slot {
        self.ops.push(op);
        self.ops.len() - 1
    }

    fn constraints(&mut self, kind: ConstraintKind) -> Option<Vec<(ConstraintId, Slot)>> {
        constraints(self.system, kind)
            .map(|id| {
                let expr = self.system.constraints()[id.0 as usize].expr;
                Some((id, self.compile(Key::Expr(expr))?))
            })
            .collect()
    }

    /// All of a step. These states, by position, matter after the first step. After a later one those do that it reads itself,
    /// for another one like it may follow.
    fn program(mut self, property: ExprId, states: Vec<usize>) -> Option<Program> {
        let property = self.compile(Key::Expr(property))?;
        let always = self.constraints(ConstraintKind::Always)?;
        let initial = match self.moment {
            Moment::First => self.constraints(ConstraintKind::Initial)?,
            Moment::Later => Vec::new(),
        };
        if self.nexts.iter().any(Option::is_some) {
            // The next step is read where there may be none.
            return None;
        }
        let transition = self.constraints(ConstraintKind::Transition)?;
        let mut successors = Vec::new();
        for state in states {
            successors.push((state, self.compile(Key::Next(self.system.states()[state]))?));
        }
        if self.moment == Moment::Later {
            while let Some(&state) = self.read.get(successors.len()) {
                successors.push((state, self.compile(Key::Next(self.system.states()[state]))?));
            }
        }
        Some(Program { ops: self.ops, property, always, initial, transition, successors })
    }
}

/// The first step and any later one; `None` if something that matters is no single bit.
pub(super) fn compile(
    system: &System,
    positions: &Positions,
    property: ExprId,
) -> Option<(Program, Program)> {
    let later = Compiler::new(system, positions, Moment::Later).program(property, Vec::new())?;
    let states = later.successors.iter().map(|(state, _)| *state).collect();
    let first = Compiler::new(system, positions, Moment::First).program(property, states)?;
    Some((first, later))
}
