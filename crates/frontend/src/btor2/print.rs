//! Systems as BTOR2: [`read`](super::read) of what is printed here behaves as the system does.
//!
//! Inputs, states, wires, properties and constraints keep their names. Expressions within definitions become nodes of
//! their own, and so elements, when the text is read again; what [`lower`](super::lower) adds is added; an array that
//! is constant everywhere becomes a state that never changes, as BTOR2 only has such arrays as initial values.

use super::lower::{is_constant, lower};
use propcov_ir::{
    ArrayValue, BinaryOp, ConstraintKind, ExprId, Fairness, Node, PropertyKind, SignalId, SignalKind, Sort,
    System, TernaryOp, UnaryOp, Value,
};
use rustc_hash::FxHashMap;
use std::fmt::Display;
use thiserror::Error;

/// Something in a system that BTOR2 has no words for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("BTOR2 cannot express {0}")]
pub struct Unprintable(String);

/// The system as a BTOR2 file.
///
/// # Errors
/// When it has sorts other than bit-vectors and arrays of bit-vectors, properties in CTL, compassion, arrays made from
/// a value that is no constant, or wires in a loop.
pub fn print(system: &System) -> Result<String, Unprintable> {
    let lowered = lower(system);
    let mut printer = Printer {
        system: &lowered,
        text: String::new(),
        last: 0,
        sorts: FxHashMap::default(),
        exprs: FxHashMap::default(),
        signals: FxHashMap::default(),
    };
    printer.inputs()?;
    printer.states()?;
    printer.wires()?;
    printer.next_values()?;
    printer.constraints()?;
    printer.properties()?;
    Ok(printer.text)
}

struct Printer<'s> {
    system: &'s System,
    text: String,
    /// The last id used.
    last: u64,
    sorts: FxHashMap<Sort, u64>,
    exprs: FxHashMap<ExprId, u64>,
    signals: FxHashMap<SignalId, u64>,
}

impl Printer<'_> {
    /// Writes a line; its id is the result.
    fn line(&mut self, rest: impl Display) -> u64 {
        self.last += 1;
        self.text.push_str(&format!("{} {rest}\n", self.last));
        self.last
    }

    fn sort(&mut self, sort: &Sort) -> Result<u64, Unprintable> {
        if let Some(id) = self.sorts.get(sort) {
            return Ok(*id);
        }
        let id = match sort {
            Sort::BitVec(width) => self.line(format_args!("sort bitvec {width}")),
            Sort::Array(array) => {
                let (index, element) = (self.sort(&array.index)?, self.sort(&array.element)?);
                self.line(format_args!("sort array {index} {element}"))
            }
            _ => return Err(Unprintable(format!("the sort {sort}"))),
        };
        self.sorts.insert(sort.clone(), id);
        Ok(id)
    }

    fn inputs(&mut self) -> Result<(), Unprintable> {
        for input in self.system.inputs() {
            let signal = self.system.signal(*input);
            let sort = self.sort(&signal.sort)?;
            let id = self.line(format_args!("input {sort} {}", symbol(&signal.name)));
            self.signals.insert(*input, id);
        }
        Ok(())
    }

    /// States with their constant initial values, which have to come first.
    fn states(&mut self) -> Result<(), Unprintable> {
        for state in self.system.states() {
            let signal = self.system.signal(*state);
            let SignalKind::State { init, .. } = signal.kind else { continue };
            let sort = self.sort(&signal.sort)?;
            let init = init.filter(|init| is_constant(self.system, *init));
            let value = init.map(|init| self.initial_value(init)).transpose()?;
            let id = self.line(format_args!("state {sort} {}", symbol(&signal.name)));
            self.signals.insert(*state, id);
            if let Some(value) = value {
                self.line(format_args!("init {sort} {id} {value}"));
            }
        }
        Ok(())
    }

    /// The value itself; of an array that is the same everywhere, what it holds.
    fn initial_value(&mut self, init: ExprId) -> Result<u64, Unprintable> {
        match self.system.exprs.node(init) {
            Node::Unary(UnaryOp::ConstArray(_), element) => self.expr(*element),
            Node::Const(value) => match value.as_ref() {
                Value::Array(array) if array.elements().next().is_none() => self.value(array.default_value()),
                _ => self.expr(init),
            },
            _ => self.expr(init),
        }
    }

    fn wires(&mut self) -> Result<(), Unprintable> {
        let order = self.system.wire_order().map_err(|error| Unprintable(error.to_string()))?;
        for wire in order {
            let signal = self.system.signal(wire);
            let SignalKind::Wire { definition } = signal.kind else { continue };
            let name = symbol(&signal.name);
            // The outermost operator gets a line of its own even where another wire has the same definition.
            let id = match self.system.exprs.node(definition) {
                Node::Signal(_) | Node::Next(_) | Node::Const(_) | Node::Unary(UnaryOp::ConstArray(_), _) => {
                    let (value, sort) = (self.expr(definition)?, self.sort(&signal.sort)?);
                    if signal.sort.width().is_some() {
                        self.line(format_args!("uext {sort} {value} 0 {name}"))
                    } else {
                        let yes = self.value(&Value::bool(true))?;
                        self.line(format_args!("ite {sort} {yes} {value} {value} {name}"))
                    }
                }
                _ => {
                    for operand in self.system.exprs.operands(definition) {
                        self.expr(operand)?;
                    }
                    self.operator(definition, &name)?
                }
            };
            self.signals.insert(wire, id);
        }
        Ok(())
    }

    fn next_values(&mut self) -> Result<(), Unprintable> {
        for state in self.system.states() {
            let signal = self.system.signal(*state);
            let SignalKind::State { next: Some(next), .. } = signal.kind else { continue };
            let (sort, value) = (self.sort(&signal.sort)?, self.expr(next)?);
            let id = self.signals[state];
            self.line(format_args!("next {sort} {id} {value}"));
        }
        Ok(())
    }

    fn constraints(&mut self) -> Result<(), Unprintable> {
        for constraint in self.system.constraints() {
            if constraint.kind == ConstraintKind::Always {
                let expr = self.expr(constraint.expr)?;
                self.line(format_args!("constraint {expr} {}", symbol(&constraint.name)));
            }
        }
        for fairness in &self.system.fairness {
            match fairness {
                Fairness::Justice(expr) => {
                    let expr = self.expr(*expr)?;
                    self.line(format_args!("fair {expr}"));
                }
                Fairness::Compassion(..) => return Err(Unprintable("compassion".to_owned())),
            }
        }
        Ok(())
    }

    fn properties(&mut self) -> Result<(), Unprintable> {
        for output in &self.system.outputs {
            let expr = self.expr(output.expr)?;
            self.line(format_args!("output {expr} {}", symbol(&output.name)));
        }
        for property in self.system.properties() {
            let name = symbol(&property.name);
            match &property.kind {
                PropertyKind::Invariant(good) => {
                    // `bad -5` is correct too, but btorsim does not read it.
                    let bad = match self.system.exprs.node(*good) {
                        Node::Unary(UnaryOp::Not, bad) => self.expr(*bad)?,
                        _ => {
                            let (sort, good) = (self.sort(&Sort::BOOL)?, self.expr(*good)?);
                            self.line(format_args!("not {sort} {good}"))
                        }
                    };
                    self.line(format_args!("bad {bad} {name}"));
                }
                PropertyKind::Justice(conditions) => {
                    let conditions = conditions.iter().map(|condition| self.expr(*condition));
                    let mut conditions: Vec<u64> = conditions.collect::<Result<_, _>>()?;
                    if conditions.is_empty() {
                        // The format wants at least one.
                        conditions.push(self.value(&Value::bool(true))?);
                    }
                    let words: String = conditions.iter().map(|condition| format!(" {condition}")).collect();
                    self.line(format_args!("justice {}{words} {name}", conditions.len()));
                }
                PropertyKind::Ltl(_) => return Err(Unprintable(format!("the LTL property {name}"))),
                PropertyKind::Ctl(_) => return Err(Unprintable(format!("the CTL property {name}"))),
            }
        }
        Ok(())
    }

    /// The node of an expression, printed with all that it needs. Iterative: depth is no limit.
    fn expr(&mut self, root: ExprId) -> Result<u64, Unprintable> {
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            if self.exprs.contains_key(&expr) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let operands = self.system.exprs.operands(expr);
            stack.extend(operands.filter(|operand| !self.exprs.contains_key(operand)));
            if stack.len() == before {
                stack.pop();
                let id = match self.system.exprs.node(expr) {
                    Node::Signal(signal) => self.signals[signal],
                    Node::Const(value) => self.value(value)?,
                    _ => self.operator(expr, "")?,
                };
                self.exprs.insert(expr, id);
            }
        }
        Ok(self.exprs[&root])
    }

    /// A line for an operator whose operands are printed.
    fn operator(&mut self, expr: ExprId, name: &str) -> Result<u64, Unprintable> {
        let sort = self.sort(self.system.exprs.sort(expr))?;
        let operands: Vec<u64> =
            self.system.exprs.operands(expr).map(|operand| self.exprs[&operand]).collect();
        let words = operands.iter().map(|operand| format!(" {operand}")).collect::<String>();
        let (keyword, indices) = match self.system.exprs.node(expr) {
            Node::Unary(UnaryOp::ConstArray(array), element) => {
                let (Node::Const(element), Sort::Array(array)) = (self.system.exprs.node(*element), array)
                else {
                    return Err(Unprintable("an array filled with a value that varies".to_owned()));
                };
                return self
                    .value(&Value::Array(ArrayValue::constant(array.clone(), element.as_ref().clone())));
            }
            Node::Unary(op, _) => unary_keyword(op),
            Node::Binary(op, ..) => (binary_keyword(*op), String::new()),
            Node::Ternary(TernaryOp::Ite, ..) => (Some("ite"), String::new()),
            Node::Ternary(TernaryOp::Write, ..) => (Some("write"), String::new()),
            Node::Signal(_) | Node::Next(_) | Node::Const(_) => (None, String::new()),
        };
        let Some(keyword) = keyword else {
            return Err(Unprintable(format!("{:?}", self.system.exprs.node(expr))));
        };
        let space = if name.is_empty() { "" } else { " " };
        Ok(self.line(format_args!("{keyword} {sort}{words}{indices}{space}{name}")))
    }

    fn value(&mut self, value: &Value) -> Result<u64, Unprintable> {
        let sort = self.sort(&value.sort())?;
        match value {
            Value::Bits(bits) => Ok(self.line(format_args!("const {sort} {bits}"))),
            Value::Array(array) => {
                let default = self.value(array.default_value())?;
                let mut id = self.line(format_args!("state {sort}"));
                self.line(format_args!("init {sort} {id} {default}"));
                self.line(format_args!("next {sort} {id} {id}"));
                for (index, element) in array.elements() {
                    let (index, element) = (self.value(index)?, self.value(element)?);
                    id = self.line(format_args!("write {sort} {id} {index} {element}"));
                }
                Ok(id)
            }
            _ => Err(Unprintable(format!("the value {value}"))),
        }
    }
}

/// Names are single words in BTOR2, and do not look like comments.
fn symbol(name: &str) -> String {
    let word: String = name.chars().map(|c| if c.is_whitespace() || c == ';' { '_' } else { c }).collect();
    if word.is_empty() { "_".to_owned() } else { word }
}

fn unary_keyword(op: &UnaryOp) -> (Option<&'static str>, String) {
    let keyword = match op {
        UnaryOp::Not => "not",
        UnaryOp::Neg => "neg",
        UnaryOp::ReduceAnd => "redand",
        UnaryOp::ReduceOr => "redor",
        UnaryOp::ReduceXor => "redxor",
        UnaryOp::Extract { high, low } => return (Some("slice"), format!(" {high} {low}")),
        UnaryOp::ZeroExtend(by) => return (Some("uext"), format!(" {by}")),
        UnaryOp::SignExtend(by) => return (Some("sext"), format!(" {by}")),
        UnaryOp::ConstArray(_)
        | UnaryOp::ToReal
        | UnaryOp::Floor
        | UnaryOp::Position
        | UnaryOp::Variant(_) => return (None, String::new()),
    };
    (Some(keyword), String::new())
}

fn binary_keyword(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
        BinaryOp::Eq => "eq",
        BinaryOp::Ult => "ult",
        BinaryOp::Ule => "ulte",
        BinaryOp::Slt => "slt",
        BinaryOp::Sle => "slte",
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::Udiv => "udiv",
        BinaryOp::Urem => "urem",
        BinaryOp::Sdiv => "sdiv",
        BinaryOp::Srem => "srem",
        BinaryOp::Smod => "smod",
        BinaryOp::Shl => "sll",
        BinaryOp::Lshr => "srl",
        BinaryOp::Ashr => "sra",
        BinaryOp::Rol => "rol",
        BinaryOp::Ror => "ror",
        BinaryOp::Concat => "concat",
        BinaryOp::Read => "read",
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::RealDiv | BinaryOp::IntDiv | BinaryOp::IntMod => return None,
    })
}
