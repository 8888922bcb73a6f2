//! What sorts, values and single expression nodes are made of.

use crate::{Digest, Digester, EnumSort, ExprId, ExprPool, Node, Sort, System, UnaryOp, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Describes parts of expressions. Enumerations may have thousands of variants, and each constant refers to one: each is looked at once.
#[derive(Default)]
pub(super) struct Contents {
    /// By address. Holding them keeps their addresses from being used for others.
    enumerations: FxHashMap<usize, (Arc<EnumSort>, Digest)>,
}

impl Contents {
    fn enumeration(&mut self, sort: &Arc<EnumSort>) -> Digest {
        let known = self.enumerations.entry(Arc::as_ptr(sort).addr()).or_insert_with(|| {
            let mut digester = Digester::new("enum");
            digester.text(&sort.name);
            sort.variants.iter().for_each(|variant| digester.text(variant));
            (Arc::clone(sort), digester.finish())
        });
        known.1
    }

    pub(super) fn sort(&mut self, digester: &mut Digester, sort: &Sort) {
        match sort {
            Sort::BitVec(width) => {
                digester.text("bits");
                digester.number(u64::from(*width));
            }
            Sort::Int => digester.text("int"),
            Sort::Real => digester.text("real"),
            Sort::Enum(sort) => {
                digester.text("enum");
                digester.digest(self.enumeration(sort));
            }
            Sort::Array(array) => {
                digester.text("array");
                self.sort(digester, &array.index);
                self.sort(digester, &array.element);
            }
        }
    }

    fn value(&mut self, digester: &mut Digester, value: &Value) {
        match value {
            Value::Bits(bits) => {
                digester.text("bits");
                digester.number(u64::from(bits.width()));
                digester.bytes(&bits.unsigned().to_le_bytes());
            }
            Value::Int(number) => {
                digester.text("int");
                digester.text(&number.to_string());
            }
            Value::Real(number) => {
                digester.text("real");
                digester.text(&number.to_string());
            }
            Value::Enum(sort, position) => {
                digester.text("enum");
                digester.digest(self.enumeration(sort));
                digester.number(u64::from(*position));
            }
            Value::Array(array) => {
                digester.text("array");
                self.sort(digester, &Sort::Array(array.sort().clone()));
                self.value(digester, array.default_value());
                for (index, value) in array.elements() {
                    digester.text("at");
                    self.value(digester, index);
                    self.value(digester, value);
                }
            }
        }
    }

    /// An operator or constant, with what its operands are known by. Signals are the caller's.
    pub(super) fn node(&mut self, kind: &str, node: &Node, operand: impl Fn(ExprId) -> Digest) -> Digest {
        let mut digester = Digester::new(kind);
        match node {
            Node::Signal(_) | Node::Next(_) => {}
            Node::Const(value) => {
                digester.text("const");
                self.value(&mut digester, value);
            }
            Node::Unary(op, a) => {
                digester.text(op.word());
                match op {
                    UnaryOp::Extract { high, low } => {
                        digester.number(u64::from(*high));
                        digester.number(u64::from(*low));
                    }
                    UnaryOp::ZeroExtend(by) | UnaryOp::SignExtend(by) => digester.number(u64::from(*by)),
                    UnaryOp::ConstArray(sort) | UnaryOp::Variant(sort) => self.sort(&mut digester, sort),
                    _ => {}
                }
                digester.digest(operand(*a));
            }
            Node::Binary(op, a, b) => {
                digester.text(op.word());
                [a, b].into_iter().for_each(|part| digester.digest(operand(*part)));
            }
            Node::Ternary(op, a, b, c) => {
                digester.text(op.word());
                [a, b, c].into_iter().for_each(|part| digester.digest(operand(*part)));
            }
        }
        digester.finish()
    }

    /// A signal as an expression reads it, by name.
    pub(super) fn reference(&mut self, kind: &str, name: &str, sort: &Sort) -> Digest {
        let mut digester = Digester::new(kind);
        digester.text(name);
        self.sort(&mut digester, sort);
        digester.finish()
    }
}

/// For each expression of a pool, what it says: operators and operands, down to the names and sorts of signals. Expressions of different
/// pools, over different systems, have the same digest exactly if they are written in the same way.
pub fn shapes(system: &System, pool: &ExprPool) -> Vec<Digest> {
    let mut contents = Contents::default();
    let mut shapes: Vec<Digest> = Vec::with_capacity(pool.len());
    for expr in (0..pool.len() as u32).map(ExprId) {
        let name =
            |signal: &crate::SignalId| system.signals().get(signal.0 as usize).map(|s| s.name.as_str());
        let shape = match pool.node(expr) {
            Node::Signal(signal) => {
                contents.reference("read", name(signal).unwrap_or_default(), pool.sort(expr))
            }
            Node::Next(signal) => {
                contents.reference("next", name(signal).unwrap_or_default(), pool.sort(expr))
            }
            node => contents.node("expr", node, |operand| shapes[operand.0 as usize]),
        };
        shapes.push(shape);
    }
    shapes
}
