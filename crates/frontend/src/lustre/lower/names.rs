//! What names mean, and the type of each expression: one pass over the expressions of each node, operands first.
//!
//! The program has been checked, so this only finds out what is needed to lower it. An expression belongs to one node, so both are the same in all
//! instances of the node.

use super::super::syntax::{BinaryOp, ExprKind, Id, Node, Program, UnaryOp, Variable};
use super::types::{Resolved, TypeId, Types};
use crate::{InputError, text::Input};
use rustc_hash::FxHashMap;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The variable at this position of the node: inputs, outputs, locals.
    Variable(u32),
    /// The constant at this position of the program.
    Constant(u32),
    /// A value of an enumeration.
    Value(TypeId, u32),
    /// A node or function, of the position given.
    Node(u32),
    Function(u32),
    /// This is no name.
    Nothing,
}

/// A program whose names are resolved.
pub(super) struct Names<'p> {
    pub(super) program: &'p Program,
    pub(super) types: Types,
    /// The type of each expression.
    of: Vec<TypeId>,
    meanings: Vec<Meaning>,
    /// Whether there is a `pre` or `->` in the expression, calls of nodes aside.
    temporal: Vec<bool>,
    /// The types of each node's variables: inputs, outputs, locals.
    pub(super) variables: Vec<Vec<TypeId>>,
    symbols: Vec<FxHashMap<&'p str, u32>>,
    nodes: FxHashMap<&'p str, u32>,
    functions: FxHashMap<&'p str, u32>,
    constants: FxHashMap<&'p str, u32>,
    /// The result of each node and function.
    node_results: Vec<TypeId>,
    function_results: Vec<TypeId>,
    /// The types of each function's arguments.
    pub(super) function_inputs: Vec<Vec<TypeId>>,
    /// The types of each function's results.
    pub(super) function_outputs: Vec<Vec<TypeId>>,
}

/// A node's variables: inputs, outputs, locals.
pub(super) fn variables(node: &Node) -> impl Iterator<Item = &Variable> {
    node.inputs.iter().chain(&node.outputs).chain(&node.locals)
}

/// The operands of an expression, in JKind's order of visiting them.
pub(super) fn each_operand(kind: &ExprKind, mut visit: impl FnMut(Id)) {
    match kind {
        ExprKind::Record(_, fields) => {
            let mut fields: Vec<_> =
                fields.iter().map(|(name, value)| (name.text.as_str(), *value)).collect();
            fields.sort_by(|(a, _), (b, _)| super::types::natural_order(a, b));
            fields.into_iter().for_each(|(_, value)| visit(value));
        }
        kind => super::super::check::operands(kind, visit),
    }
}

/// The [operands](each_operand) as a list.
pub(super) fn operands(kind: &ExprKind) -> Vec<Id> {
    let mut all = Vec::new();
    each_operand(kind, |operand| all.push(operand));
    all
}

/// All expressions under the roots, operands first.
pub(super) fn under(program: &Program, roots: impl IntoIterator<Item = Id>) -> Vec<Id> {
    let mut stack: Vec<Id> = roots.into_iter().collect();
    let mut found = Vec::new();
    while let Some(id) = stack.pop() {
        found.push(id);
        each_operand(&program.expr(id).kind, |operand| stack.push(operand));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The expressions that a node is made of.
pub(super) fn roots(node: &Node) -> impl Iterator<Item = Id> {
    let equations = node.equations.iter().map(|equation| equation.value);
    let properties = node.properties.iter().map(|property| property.expr);
    equations.chain(node.assertions.iter().copied()).chain(properties)
}

impl<'p> Names<'p> {
    pub(super) fn new(input: &Input<'_>, program: &'p Program) -> Result<Names<'p>, InputError> {
        let mut types = Types::new(input, program)?;
        let mut build = |variables: &mut dyn Iterator<Item = &Variable>| {
            variables.map(|variable| types.build(input, &variable.of, None)).collect::<Result<Vec<_>, _>>()
        };
        let (mut all, mut node_outputs) = (Vec::new(), Vec::new());
        for node in &program.nodes {
            all.push(build(&mut variables(node))?);
            node_outputs.push(build(&mut node.outputs.iter())?);
        }
        let (mut function_inputs, mut function_outputs) = (Vec::new(), Vec::new());
        for function in &program.functions {
            function_inputs.push(build(&mut function.inputs.iter())?);
            function_outputs.push(build(&mut function.outputs.iter())?);
        }
        let node_results = node_outputs.iter().map(|outputs| types.tuple(outputs)).collect();
        let function_results = function_outputs.iter().map(|outputs| types.tuple(outputs)).collect();
        let symbols = program.nodes.iter().map(|node| {
            variables(node).zip(0..).map(|(variable, at)| (variable.name.text.as_str(), at)).collect()
        });
        let mut names = Names {
            program,
            types,
            of: vec![Types::BOOL; program.exprs.len()],
            meanings: vec![Meaning::Nothing; program.exprs.len()],
            temporal: vec![false; program.exprs.len()],
            variables: all,
            symbols: symbols.collect(),
            nodes: program.nodes.iter().zip(0..).map(|(node, at)| (node.name.text.as_str(), at)).collect(),
            functions: program.functions.iter().zip(0..).map(|(f, at)| (f.name.text.as_str(), at)).collect(),
            constants: program.constants.iter().zip(0..).map(|(c, at)| (c.name.text.as_str(), at)).collect(),
            node_results,
            function_results,
            function_inputs,
            function_outputs,
        };
        names.infer_constants(input)?;
        for (at, node) in program.nodes.iter().enumerate() {
            for id in under(program, roots(node)) {
                names.infer(input, id, Some(at))?;
            }
        }
        Ok(names)
    }

    /// The type of an expression.
    pub(super) fn of(&self, id: Id) -> TypeId {
        self.of[id.0 as usize]
    }

    /// What the name in an expression, or of what it calls, stands for.
    pub(super) fn meaning(&self, id: Id) -> Meaning {
        self.meanings[id.0 as usize]
    }

    /// Whether there is a `pre` or `->` in the expression, calls of nodes aside.
    pub(super) fn is_temporal(&self, id: Id) -> bool {
        self.temporal[id.0 as usize]
    }

    /// The position of a variable in its node.
    pub(super) fn variable(&self, node: usize, name: &str) -> Option<u32> {
        self.symbols[node].get(name).copied()
    }

    /// The constants, each after those that it is made of.
    fn infer_constants(&mut self, input: &Input<'_>) -> Result<(), InputError> {
        let program = self.program;
        let count = program.constants.len();
        let (mut open, mut done) = (vec![false; count], vec![false; count]);
        for start in 0..count {
            let mut stack = vec![start];
            while let Some(&at) = stack.last() {
                if done[at] {
                    stack.pop();
                    continue;
                }
                let constant = &program.constants[at];
                let exprs = under(program, [constant.value]);
                let used = exprs.iter().filter_map(|id| match &program.expr(*id).kind {
                    ExprKind::Name(name) => self.constants.get(name.as_str()).map(|at| *at as usize),
                    _ => None,
                });
                let missing: Vec<usize> = used.filter(|at| !done[*at]).collect();
                if missing.is_empty() {
                    exprs.into_iter().try_for_each(|id| self.infer(input, id, None))?;
                    done[at] = true;
                } else if std::mem::replace(&mut open[at], true) {
                    let message = format!("the constant `{}` is defined by itself", constant.name.text);
                    return Err(input.error(constant.name.at.clone(), message));
                } else {
                    stack.extend(missing);
                }
            }
        }
        Ok(())
    }

    fn infer(&mut self, input: &Input<'_>, id: Id, node: Option<usize>) -> Result<(), InputError> {
        let expr = self.program.expr(id);
        let error = |message: String| input.error(expr.at.clone(), message);
        let mut temporal = false;
        each_operand(&expr.kind, |operand| temporal |= self.is_temporal(operand));
        let of = match &expr.kind {
            ExprKind::Name(name) => {
                let meaning =
                    self.find(name, node).ok_or_else(|| error(format!("`{name}` is not declared")))?;
                self.meanings[id.0 as usize] = meaning;
                self.type_of(meaning, node)
            }
            ExprKind::Int(_) | ExprKind::Floor(_) => Types::INT,
            ExprKind::Real(_) | ExprKind::ToReal(_) => Types::REAL,
            ExprKind::Bool(_) => Types::BOOL,
            ExprKind::Cast(machine, _) => self.types.machine(*machine),
            ExprKind::Call(name, _)
            | ExprKind::Condact { node: name, .. }
            | ExprKind::Restart { node: name, .. } => {
                let meaning = self.callee(&name.text);
                self.meanings[id.0 as usize] = meaning;
                temporal &= matches!(meaning, Meaning::Function(_));
                if meaning == Meaning::Nothing {
                    return Err(error(format!("there is no node or function `{}`", name.text)));
                }
                self.type_of(meaning, node)
            }
            ExprKind::Field(record, field) => {
                let found = self.types.field(self.of(*record), &field.text);
                found.ok_or_else(|| error(format!("there is no field `{}`", field.text)))?.1
            }
            ExprKind::Element(array, _) => match self.types.get(self.of(*array)) {
                Resolved::Array(element, count) if *count > 0 => *element,
                _ => return Err(error("expected an array with elements".to_owned())),
            },
            ExprKind::FieldUpdate(a, ..) | ExprKind::ElementUpdate(a, ..) | ExprKind::If(_, a, _) => {
                self.of(*a)
            }
            ExprKind::Unary(op, a) => {
                temporal |= *op == UnaryOp::Pre;
                self.of(*a)
            }
            ExprKind::Binary(op, a, _) => {
                temporal |= *op == BinaryOp::Arrow;
                match op {
                    BinaryOp::Plus
                    | BinaryOp::Minus
                    | BinaryOp::Times
                    | BinaryOp::Arrow
                    | BinaryOp::Div
                    | BinaryOp::Mod
                    | BinaryOp::Divide
                    | BinaryOp::BitAnd
                    | BinaryOp::BitOr
                    | BinaryOp::ShiftLeft
                    | BinaryOp::ShiftRight => self.of(*a),
                    _ => Types::BOOL,
                }
            }
            ExprKind::Record(name, _) => {
                let found = self.types.named(&name.text);
                found.ok_or_else(|| error(format!("unknown type `{}`", name.text)))?
            }
            ExprKind::Array(elements) => {
                let first = elements.first().map(|element| self.of(*element));
                let element = first.ok_or_else(|| error("an array has at least one element".to_owned()))?;
                self.types.array(element, elements.len())
            }
            ExprKind::Tuple(parts) => {
                let parts: Vec<TypeId> = parts.iter().map(|part| self.of(*part)).collect();
                self.types.tuple(&parts)
            }
            ExprKind::Power(..)
            | ExprKind::When(..)
            | ExprKind::Merge(..)
            | ExprKind::Activate { .. }
            | ExprKind::Any(..)
            | ExprKind::Mode(_)
            | ExprKind::Last(_) => return Err(error("this construct is not supported here".to_owned())),
        };
        self.of[id.0 as usize] = of;
        self.temporal[id.0 as usize] = temporal;
        Ok(())
    }

    fn find(&self, name: &str, node: Option<usize>) -> Option<Meaning> {
        let variable = node.and_then(|node| self.variable(node, name)).map(Meaning::Variable);
        variable
            .or_else(|| self.constants.get(name).map(|at| Meaning::Constant(*at)))
            .or_else(|| self.types.value(name).map(|(of, position)| Meaning::Value(of, position)))
    }

    fn callee(&self, name: &str) -> Meaning {
        match (self.nodes.get(name), self.functions.get(name)) {
            (Some(node), _) => Meaning::Node(*node),
            (None, Some(function)) => Meaning::Function(*function),
            (None, None) => Meaning::Nothing,
        }
    }

    fn type_of(&self, meaning: Meaning, node: Option<usize>) -> TypeId {
        match meaning {
            Meaning::Variable(at) => node.map_or(Types::BOOL, |node| self.variables[node][at as usize]),
            Meaning::Constant(at) => self.of(self.program.constants[at as usize].value),
            Meaning::Value(of, _) => of,
            Meaning::Node(at) => self.node_results[at as usize],
            Meaning::Function(at) => self.function_results[at as usize],
            Meaning::Nothing => Types::BOOL,
        }
    }
}
