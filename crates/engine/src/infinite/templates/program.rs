//! Expressions as straight-line programs over small numbers, for fast runs of a system.
//!
//! A wire is the value of its definition, so nothing is computed twice. In the first step of a run states with an initial value are that value:
//! that is a program of its own.

use super::small::Small;
use crate::infinite::Problem;
use propcov_ir::{
    BinaryOp, Definition, ExprId, Node, SignalId, SignalKind, Site, Sort, System, TernaryOp, UnaryOp,
};
use rustc_hash::FxHashMap;

/// Position of a value.
type Slot = u32;

#[derive(Clone, Copy, Debug)]
enum Operation {
    Constant(Small),
    Leaf(SignalId),
    Not(Slot),
    Neg(Slot),
    Same(Slot),
    Floor(Slot),
    Binary(BinaryOp, Slot, Slot),
    /// A function applied to an argument. The value of a function, and of one that is applied in part, is a hash.
    Apply(Slot, Slot, Range),
    Ite(Slot, Slot, Slot),
}

/// Which values something unknown has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    Bool,
    Int,
    Real,
    Variants(u32),
    Function,
}

impl Range {
    pub(super) fn of(sort: &Sort) -> Option<Range> {
        match sort {
            Sort::BitVec(1) => Some(Range::Bool),
            Sort::BitVec(_) => None,
            Sort::Int => Some(Range::Int),
            Sort::Real => Some(Range::Real),
            Sort::Enum(of) => Some(Range::Variants(of.variants.len() as u32)),
            Sort::Array(_) => Some(Range::Function),
        }
    }
}

/// A program that computes expressions from the values of leaves: inputs, states, and wires without definition.
#[derive(Debug, Default)]
pub(super) struct Program {
    operations: Vec<Operation>,
    slots: FxHashMap<ExprId, Slot>,
    /// The signals that it reads, in order of appearance.
    pub(super) leaves: Vec<SignalId>,
    first: bool,
}

/// What an expression's value is, once its operands are known.
enum Source<'a> {
    Leaf(SignalId),
    Constant(&'a propcov_ir::Value),
    Same(ExprId),
    Inverted(ExprId),
}

impl Program {
    /// An empty program, for the first step of runs or for the later ones.
    pub(super) fn new(first: bool) -> Program {
        Program { first, ..Program::default() }
    }

    /// Adds an expression, unless it contains something that small numbers cannot do.
    pub(super) fn add(&mut self, problem: &Problem<'_>, root: ExprId) -> Option<usize> {
        let exprs = &problem.exprs;
        let mut open = vec![root];
        while let Some(&expr) = open.last() {
            if self.slots.contains_key(&expr) {
                open.pop();
                continue;
            }
            let before = open.len();
            match exprs.node(expr) {
                Node::Signal(signal) => match self.source(problem, *signal) {
                    Source::Same(other) | Source::Inverted(other) if !self.slots.contains_key(&other) => {
                        open.push(other);
                    }
                    _ => {}
                },
                _ => open.extend(exprs.operands(expr).filter(|operand| !self.slots.contains_key(operand))),
            }
            if open.len() == before {
                open.pop();
                let operation = self.operation(problem, expr)?;
                let slot = self.operations.len() as Slot;
                self.operations.push(operation);
                self.slots.insert(expr, slot);
            }
        }
        self.slots.get(&root).map(|slot| *slot as usize)
    }

    fn source<'p>(&self, problem: &'p Problem<'_>, signal: SignalId) -> Source<'p> {
        let system: &System = problem.system;
        let site = match system.signal(signal).kind {
            SignalKind::Wire { .. } => Site::Wire(signal),
            SignalKind::State { .. } if self.first => Site::Init(signal),
            SignalKind::Input | SignalKind::State { .. } => return Source::Leaf(signal),
        };
        match system.definition(problem.edits, site) {
            Definition::Open => Source::Leaf(signal),
            Definition::Expr(expr) => Source::Same(expr),
            Definition::Inverted(expr) => Source::Inverted(expr),
            Definition::Const(value) => Source::Constant(value),
        }
    }

    /// The operation of an expression whose operands are there.
    fn operation(&mut self, problem: &Problem<'_>, expr: ExprId) -> Option<Operation> {
        let exprs = &problem.exprs;
        let slot = |operand: &ExprId| self.slots[operand];
        Some(match exprs.node(expr) {
            Node::Signal(signal) => match self.source(problem, *signal) {
                Source::Leaf(signal) => {
                    Range::of(exprs.sort(expr))?;
                    self.leaves.push(signal);
                    Operation::Leaf(signal)
                }
                Source::Constant(value) => Operation::Constant(Small::of(value)?),
                Source::Same(other) => Operation::Same(slot(&other)),
                Source::Inverted(other) => Operation::Not(slot(&other)),
            },
            Node::Next(_) => return None,
            Node::Const(value) => Operation::Constant(Small::of(value)?),
            Node::Unary(op, a) => match op {
                UnaryOp::Not if exprs.sort(*a).is_bool() => Operation::Not(slot(a)),
                UnaryOp::Neg if !matches!(exprs.sort(*a), Sort::BitVec(_)) => Operation::Neg(slot(a)),
                UnaryOp::ToReal => Operation::Same(slot(a)),
                UnaryOp::Floor => Operation::Floor(slot(a)),
                _ => return None,
            },
            Node::Binary(BinaryOp::Read, a, b) => {
                Operation::Apply(slot(a), slot(b), Range::of(exprs.sort(expr))?)
            }
            Node::Binary(op, a, b) => {
                let wide = |operand: &ExprId| Range::of(exprs.sort(*operand)).is_none();
                if wide(a) || wide(b) {
                    return None;
                }
                Operation::Binary(*op, slot(a), slot(b))
            }
            Node::Ternary(TernaryOp::Ite, c, a, b) => Operation::Ite(slot(c), slot(a), slot(b)),
            Node::Ternary(..) => return None,
        })
    }

    /// Computes everything. `None` when a number is too big, or an operator is unknown.
    pub(super) fn run(&self, leaves: &[Small], values: &mut Vec<Small>) -> Option<()> {
        values.clear();
        for operation in &self.operations {
            let at = |slot: Slot| values[slot as usize];
            let value = match *operation {
                Operation::Constant(value) => value,
                Operation::Leaf(signal) => leaves[signal.0 as usize],
                Operation::Not(a) => Small::bool(!at(a).is_true()),
                Operation::Neg(a) => at(a).negated(),
                Operation::Same(a) => at(a),
                Operation::Floor(a) => at(a).floor(),
                Operation::Binary(op, a, b) => binary(op, at(a), at(b))?,
                Operation::Apply(function, argument, range) => apply(at(function), at(argument), range),
                Operation::Ite(c, a, b) => {
                    if at(c).is_true() {
                        at(a)
                    } else {
                        at(b)
                    }
                }
            };
            values.push(value);
        }
        Some(())
    }
}

fn binary(op: BinaryOp, a: Small, b: Small) -> Option<Small> {
    Some(match op {
        BinaryOp::And => Small::bool(a.is_true() && b.is_true()),
        BinaryOp::Or => Small::bool(a.is_true() || b.is_true()),
        BinaryOp::Xor => Small::bool(a != b),
        BinaryOp::Eq => Small::bool(a == b),
        BinaryOp::Lt | BinaryOp::Ult => Small::bool(a < b),
        BinaryOp::Le | BinaryOp::Ule => Small::bool(a <= b),
        BinaryOp::Add => a.plus(b)?,
        BinaryOp::Sub => a.minus(b)?,
        BinaryOp::Mul => a.times(b)?,
        BinaryOp::RealDiv => a.over(b)?,
        BinaryOp::IntDiv if b == Small::ZERO => Small::ZERO,
        BinaryOp::IntDiv => Small::int(a.numerator.checked_div_euclid(b.numerator)?),
        BinaryOp::IntMod if b == Small::ZERO => a,
        BinaryOp::IntMod => Small::int(a.numerator.checked_rem_euclid(b.numerator)?),
        _ => return None,
    })
}

/// Some function: its value at an argument depends on nothing else.
fn apply(function: Small, argument: Small, range: Range) -> Small {
    let mut hash = (function.numerator as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ argument.numerator as u64 ^ (argument.denominator as u64) << 32)
        .wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash ^= hash >> 29;
    Small::int(match range {
        Range::Bool => (hash & 1) as i64,
        Range::Int | Range::Real => (hash % 7) as i64 - 2,
        Range::Variants(count) => (hash % u64::from(count.max(1))) as i64,
        Range::Function => (hash >> 2) as i64,
    })
}
