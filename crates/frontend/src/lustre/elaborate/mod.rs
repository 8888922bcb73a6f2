//! From the language that Kind 2 and LustreC read to the smaller one that is checked and lowered: each construct that JKind does not have is written in terms of
//! those that it has.
//!
//! Each node is built anew, once for each list of values of its constant parameters, beginning with those that have none. Expressions are copied with
//! constants and indices in place of their names (`rewrite`), sizes become numbers and bounds become claims (`types`), blocks become equations (`blocks`,
//! `automata`), sampled streams become plain ones (`clocks`), and contracts become claims with roles (`contracts`). What remains of an element is the place where the user
//! wrote it.
//!
//! What cannot be said in the smaller language is refused by its name.

mod automata;
mod blocks;
mod clocks;
mod contracts;
mod guards;
mod rewrite;
mod types;

pub(super) use contracts::ASSUMED;

use super::{
    check::{Value, operands},
    report::Report,
    syntax::{
        At, Constant, Equation, ExprKind, Function, Id, Name, Node, Program, PropertyDeclaration, Role, Type,
        TypeDefinition, TypeKind, Variable,
    },
};
use crate::{InputError, text::Input};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many nodes there may be, with all values of constant parameters.
const MAX_NODES: usize = 10_000;

/// What a name stands for in a copy.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// A number or a Boolean.
    Literal(Value),
    /// Another name.
    Name(String),
    /// A function without arguments: any value, the same in all steps.
    Open(String),
}

/// What names stand for.
pub(super) type Bindings = FxHashMap<String, Binding>;

/// What to do with a program.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted<'a> {
    /// The node to check, if the user said.
    pub(super) main: Option<&'a str>,
    /// Whether calls of nodes with contracts see nothing but those.
    pub(super) compositional: bool,
}

/// The program in the smaller language.
pub(super) fn elaborate(
    input: Input<'_>,
    mut program: Program,
    wanted: Wanted<'_>,
) -> Result<Program, InputError> {
    automata::expand(&Report::new(input), &mut program)?;
    let out = Program {
        dialect: program.dialect,
        functions: program.functions.clone(),
        notes: program.notes.clone(),
        ..Program::default()
    };
    let mut elaborator = Elaborator {
        report: Report::new(input),
        nodes: program.nodes.iter().enumerate().map(|(at, node)| (node.name.text.clone(), at)).collect(),
        from: &program,
        out,
        values: Vec::new(),
        constants: FxHashMap::default(),
        variants: FxHashMap::default(),
        queue: Vec::new(),
        unguarded: guards::unguarded(&program),
        wanted,
    };
    elaborator.constants()?;
    elaborator.types()?;
    elaborator.functions()?;
    let main = elaborator.main()?;
    for at in 0..program.nodes.len() {
        let parameters = program.nodes[at].inputs.iter().any(|input| input.constant);
        if !parameters || at == main {
            elaborator.variant(at, Vec::new());
        }
    }
    let mut next = 0;
    while let Some((node, values, name)) = elaborator.queue.get(next).cloned() {
        if next >= MAX_NODES {
            return Err(
                elaborator.error(&program.nodes[node].name.at, "too many values of constant parameters")
            );
        }
        let built = Builder::new(&mut elaborator, node, &values, name, node == main)?.build()?;
        elaborator.out.nodes.push(built);
        next += 1;
    }
    elaborator.tell_unchecked(main);
    Ok(elaborator.out)
}

/// The node that an expression calls.
fn callee(kind: &ExprKind) -> Option<&Name> {
    match kind {
        ExprKind::Call(name, _)
        | ExprKind::Condact { node: name, .. }
        | ExprKind::Restart { node: name, .. }
        | ExprKind::Activate { node: name, .. } => Some(name),
        _ => None,
    }
}

/// What to say about two main nodes.
pub(super) fn two_main_nodes(first: &str, second: &str) -> String {
    format!(
        "there are two main nodes; the first one is `{first}`: choose with `--main {first}` or `--main {second}`"
    )
}

/// What to say about claims that are not among those of the main node.
pub(super) fn unchecked(parts: &[String]) -> String {
    format!("not checked: {}. Try: --main NODE", parts.join(", "))
}

/// A copy of an expression in the same program. Iterative: depth is no limit.
pub(super) fn copy(program: &mut Program, root: Id) -> Id {
    let mut new: FxHashMap<Id, Id> = FxHashMap::default();
    for id in under(program, root) {
        let mut expr = program.expr(id).clone();
        map_operands(&mut expr.kind, |operand| new.get(&operand).copied().unwrap_or(operand));
        program.exprs.push(expr);
        new.insert(id, Id(program.exprs.len() as u32 - 1));
    }
    new[&root]
}

/// An expression and all that is in it, operands first, each once.
fn under(program: &Program, root: Id) -> Vec<Id> {
    let (mut found, mut stack) = (FxHashSet::default(), vec![root]);
    while let Some(id) = stack.pop() {
        if found.insert(id) {
            operands(&program.expr(id).kind, |operand| stack.push(operand));
        }
    }
    let mut found: Vec<Id> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// Replaces the operands of an expression.
pub(super) fn map_operands(kind: &mut ExprKind, mut new: impl FnMut(Id) -> Id) {
    let mut change = |id: &mut Id| *id = new(*id);
    match kind {
        ExprKind::Name(_)
        | ExprKind::Int(_)
        | ExprKind::Real(_)
        | ExprKind::Bool(_)
        | ExprKind::Mode(_)
        | ExprKind::Last(_)
        | ExprKind::Any(..) => {}
        ExprKind::ToReal(a)
        | ExprKind::Floor(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Field(a, _)
        | ExprKind::Cast(_, a) => change(a),
        ExprKind::FieldUpdate(a, _, b)
        | ExprKind::Element(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Power(a, b)
        | ExprKind::When(a, b) => [a, b].into_iter().for_each(change),
        ExprKind::ElementUpdate(a, b, c) | ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(change),
        ExprKind::Call(_, all) | ExprKind::Array(all) | ExprKind::Tuple(all) => {
            all.iter_mut().for_each(change);
        }
        ExprKind::Record(_, fields) => fields.iter_mut().for_each(|(_, a)| change(a)),
        ExprKind::Condact { clock, arguments, defaults, .. } => {
            std::iter::once(clock).chain(arguments).chain(defaults).for_each(change);
        }
        ExprKind::Restart { reset, arguments, .. } => {
            std::iter::once(reset).chain(arguments).for_each(change);
        }
        ExprKind::Merge(clock, cases) => {
            change(clock);
            cases.iter_mut().for_each(|(_, a)| change(a));
        }
        ExprKind::Activate { clock, arguments, defaults, reset, .. } => {
            let defaults = defaults.iter_mut().flatten();
            std::iter::once(clock).chain(arguments).chain(defaults).chain(reset).for_each(change);
        }
    }
}

/// A node, the values of its constant parameters as far as they are known, and its name.
type Queued = (usize, Vec<Option<Value>>, String);

struct Elaborator<'p> {
    report: Report<'p>,
    from: &'p Program,
    out: Program,
    /// The values of expressions of the new program that are constant.
    values: Vec<Option<Value>>,
    /// The values of constants of the program.
    constants: FxHashMap<String, Value>,
    nodes: FxHashMap<String, usize>,
    /// Names of nodes that there are or will be.
    variants: FxHashMap<(usize, String), String>,
    queue: Vec<Queued>,
    /// `pre` whose value in the first step is seen.
    unguarded: FxHashSet<Id>,
    wanted: Wanted<'p>,
}

impl<'p> Elaborator<'p> {
    fn error(&self, at: &At, message: impl Into<String>) -> InputError {
        self.report.error(at, message)
    }

    fn not_supported(&self, at: &At, what: &str) -> InputError {
        self.error(at, format!("{what} is not supported"))
    }

    /// The node to be checked: the one that the user names, or that says so; else the last one that has a body and that no other calls, or the last one.
    fn main(&mut self) -> Result<usize, InputError> {
        let nodes = &self.from.nodes;
        if let Some(wanted) = self.wanted.main {
            return nodes.iter().position(|node| node.name.text == wanted).ok_or_else(|| {
                let near =
                    crate::extra::did_you_mean(wanted, nodes.iter().map(|node| node.name.text.as_str()));
                self.error(&(0..0), format!("there is no node `{wanted}`{near}"))
            });
        }
        let mut called: FxHashSet<&str> = FxHashSet::default();
        for expr in &self.from.exprs {
            if let Some(name) = callee(&expr.kind) {
                called.insert(&name.text);
            }
        }
        let marked: Vec<usize> = (0..nodes.len()).filter(|at| nodes[*at].main.is_some()).collect();
        let is_top = |at: &usize| !called.contains(nodes[*at].name.text.as_str());
        let with_body: Vec<usize> = (0..nodes.len())
            .filter(|at| !nodes[*at].is_abstract && !nodes[*at].is_function && is_top(at))
            .collect();
        let candidates = if marked.is_empty() { with_body } else { marked };
        let Some(main) = candidates.last().copied().or_else(|| nodes.len().checked_sub(1)) else {
            return Err(self.error(&(0..0), "expected a node, found none in this file"));
        };
        let others: Vec<&str> =
            candidates.iter().filter(|at| **at != main).map(|at| nodes[*at].name.text.as_str()).collect();
        // Who writes that about two nodes wants both, and no answer about one is one about the other.
        if let (Some(again), [other, ..]) = (&nodes[main].main, others.as_slice()) {
            return Err(self.error(again, two_main_nodes(other, &nodes[main].name.text)));
        }
        if !others.is_empty() {
            let names = others.iter().map(|name| format!("`{name}`")).collect::<Vec<String>>().join(", ");
            let message =
                format!("`{}` is checked, and not {names}: choose with `--main`", nodes[main].name.text);
            self.out.notes.push((nodes[main].name.at.clone(), message));
        }
        Ok(main)
    }

    /// Says whose claims nothing is known about after the main node was checked: those of nodes that it does not call, and of those whose calls see the contract only.
    fn tell_unchecked(&mut self, main: usize) {
        let positions: FxHashMap<&str, usize> =
            self.out.nodes.iter().enumerate().map(|(at, node)| (node.name.text.as_str(), at)).collect();
        let mut seen = vec![false; self.out.nodes.len()];
        // Some nodes are made up, and stand for none that is written.
        let written: FxHashMap<&str, usize> =
            self.queue.iter().map(|(at, _, name)| (name.as_str(), *at)).collect();
        let source = |at: usize| written.get(self.out.nodes[at].name.text.as_str()).copied();
        let mut stack: Vec<usize> =
            (0..self.out.nodes.len()).filter(|at| source(*at) == Some(main)).collect();
        while let Some(at) = stack.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            let node = &self.out.nodes[at];
            let equations = node.equations.iter().map(|equation| equation.value);
            let properties = node.properties.iter().map(|property| property.expr);
            for root in equations.chain(properties).chain(node.assertions.iter().copied()) {
                stack.extend(
                    under(&self.out, root).into_iter().filter_map(|id| {
                        positions.get(callee(&self.out.expr(id).kind)?.text.as_str()).copied()
                    }),
                );
            }
        }
        let mut reached = vec![false; self.from.nodes.len()];
        for at in (0..seen.len()).filter(|at| seen[*at]).filter_map(source) {
            reached[at] = true;
        }
        let mut parts = Vec::new();
        for (at, node) in self.from.nodes.iter().enumerate().filter(|(_, node)| !node.is_abstract) {
            let by_contract = self.wanted.compositional && node.sugar.contract.is_some() && at != main;
            if reached[at] && !by_contract {
                continue;
            }
            let name = &node.name.text;
            if node.sugar.contract.is_some() {
                parts.push(format!("the contract of `{name}`"));
            }
            if node.properties.iter().any(|property| property.role == Role::Property) {
                parts.push(format!("properties of `{name}`"));
            }
        }
        if !parts.is_empty() {
            self.out.notes.push((self.from.nodes[main].name.at.clone(), unchecked(&parts)));
        }
    }

    /// The name of a node with these values of its constant parameters.
    fn variant(&mut self, node: usize, values: Vec<Option<Value>>) -> String {
        let shown: Vec<String> = values.iter().flatten().map(show).collect();
        let open: String = values.iter().map(|value| if value.is_some() { '1' } else { '0' }).collect();
        let key = (node, format!("{open}:{}", shown.join(",")));
        if let Some(name) = self.variants.get(&key) {
            return name.clone();
        }
        let written = &self.from.nodes[node].name.text;
        let name = match shown.is_empty() {
            true if values.is_empty() => written.clone(),
            true => format!("{written}<>"),
            false => format!("{written}<{}>", shown.join(",")),
        };
        self.variants.insert(key, name.clone());
        self.queue.push((node, values, name.clone()));
        name
    }

    /// Functions that are constants without value, and those without body and contract.
    fn functions(&mut self) -> Result<(), InputError> {
        let functions = self.out.functions.clone();
        self.out.functions.clear();
        for mut function in functions {
            for variable in function.inputs.iter_mut().chain(&mut function.outputs) {
                if self.is_bounded(&variable.of) {
                    let what = "a constant without value whose type is a subrange";
                    return Err(self.not_supported(&variable.of.at, what));
                }
                variable.of = self.plain_type(&variable.of, &Bindings::default())?;
            }
            self.out.functions.push(function);
        }
        Ok(())
    }

    /// Evaluates the constants of the program, each after those that it refers to; what depends on anything else keeps its expression.
    fn constants(&mut self) -> Result<(), InputError> {
        let from = self.from;
        let positions: FxHashMap<&str, usize> = from
            .constants
            .iter()
            .enumerate()
            .map(|(at, constant)| (constant.name.text.as_str(), at))
            .collect();
        let mut open: Vec<bool> = vec![false; from.constants.len()];
        let mut done: Vec<bool> = vec![false; from.constants.len()];
        for start in 0..from.constants.len() {
            let mut stack = vec![start];
            while let Some(&at) = stack.last() {
                let constant = &from.constants[at];
                if done[at] {
                    stack.pop();
                    continue;
                }
                let mentioned =
                    under(from, constant.value).into_iter().filter_map(|id| match &from.expr(id).kind {
                        ExprKind::Name(name) => positions.get(name.as_str()).copied(),
                        _ => None,
                    });
                let missing: Vec<usize> = mentioned.filter(|at| !done[*at]).collect();
                if !missing.is_empty() {
                    if std::mem::replace(&mut open[at], true) {
                        let message = format!("the constant `{}` is defined by itself", constant.name.text);
                        return Err(self.error(&constant.name.at, message));
                    }
                    stack.extend(missing);
                    continue;
                }
                done[at] = true;
                stack.pop();
                let value = self.rewrite_constant(constant.value)?;
                if let Some(known) = self.values[value.0 as usize].clone() {
                    self.constants.insert(constant.name.text.clone(), known);
                }
                if let Some(of) = &constant.of {
                    self.within_bounds(of, value, &constant.name)?;
                }
                let of = match &constant.of {
                    Some(of) => Some(self.plain_type(of, &Bindings::default())?),
                    None => None,
                };
                self.out.constants.push(Constant { name: constant.name.clone(), of, value });
            }
        }
        Ok(())
    }

    fn types(&mut self) -> Result<(), InputError> {
        for definition in &self.from.types {
            let plain = self.plain_type(&definition.definition, &Bindings::default())?;
            self.out.types.push(TypeDefinition { name: definition.name.clone(), definition: plain });
        }
        Ok(())
    }
}

/// A value as a part of a name.
fn show(value: &Value) -> String {
    match value {
        Value::Int(value) => value.to_string(),
        Value::Real(value) => value.to_string(),
        Value::Bool(value) => value.to_string(),
        _ => "?".to_owned(),
    }
}

/// A node in the making.
struct Builder<'e, 'p> {
    elaborator: &'e mut Elaborator<'p>,
    written: &'p Node,
    node: Node,
    bindings: Bindings,
    /// The types of the node's variables, as they are in the new program.
    declared: FxHashMap<String, Type>,
    /// How many variables were made up.
    fresh: usize,
    /// Initial values of the variables of the frame that is being read.
    frame: FxHashMap<String, Option<Id>>,
    /// `when` that are where they may be: in a case of `merge`.
    sampled: FxHashSet<Id>,
    /// Modes of contracts, by their paths, and the variables that say whether they are active.
    modes: FxHashMap<String, String>,
    is_main: bool,
}

impl<'e, 'p> Builder<'e, 'p> {
    fn new(
        elaborator: &'e mut Elaborator<'p>,
        node: usize,
        values: &[Option<Value>],
        name: String,
        is_main: bool,
    ) -> Result<Builder<'e, 'p>, InputError> {
        let from = elaborator.from;
        let written = &from.nodes[node];
        let mut bindings = Bindings::default();
        let parameters = written.inputs.iter().filter(|input| input.constant);
        for (parameter, value) in parameters.zip(values) {
            if let Some(value) = value {
                bindings.insert(parameter.name.text.clone(), Binding::Literal(value.clone()));
            }
        }
        let name = Name { text: name, at: written.name.at.clone() };
        let node = Node {
            ivc: written.ivc.clone(),
            main: is_main.then(|| written.name.at.clone()),
            is_abstract: written.is_abstract,
            is_function: written.is_function,
            ..Node::new(name, Vec::new(), Vec::new())
        };
        Ok(Builder {
            elaborator,
            written,
            node,
            bindings,
            declared: FxHashMap::default(),
            fresh: 0,
            frame: FxHashMap::default(),
            sampled: FxHashSet::default(),
            modes: FxHashMap::default(),
            is_main,
        })
    }

    fn error(&self, at: &At, message: impl Into<String>) -> InputError {
        self.elaborator.error(at, message)
    }

    fn not_supported(&self, at: &At, what: &str) -> InputError {
        self.elaborator.not_supported(at, what)
    }

    fn add(&mut self, kind: ExprKind, at: &At) -> Id {
        self.elaborator.add(kind, at)
    }

    fn name(&mut self, name: &str, at: &At) -> Id {
        self.add(ExprKind::Name(name.to_owned()), at)
    }

    fn build(mut self) -> Result<Node, InputError> {
        let written = self.written;
        self.local_constants(&written.sugar.constants)?;
        for input in &written.inputs {
            match self.bindings.get(&input.name.text) {
                Some(Binding::Literal(_)) => {}
                _ if input.constant && self.is_main => self.open_constant(&input.name, &input.of)?,
                _ => {
                    let variable = self.declare(input, Role::Assumption)?;
                    self.node.inputs.push(variable);
                }
            }
        }
        for output in &written.outputs {
            let variable = self.declare(output, Role::Guarantee)?;
            self.node.outputs.push(variable);
        }
        let by_contract = self.elaborator.wanted.compositional
            && !self.is_main
            && written.sugar.contract.is_some()
            && !written.is_abstract;
        if by_contract {
            self.node.is_abstract = true;
        }
        self.contract()?;
        if self.node.is_abstract {
            self.abstract_outputs()?;
        } else {
            for local in &written.locals {
                let variable = self.declare(local, Role::Property)?;
                self.node.locals.push(variable);
            }
            self.blocks(&written.sugar.blocks)?;
            for property in &written.properties {
                let expr = self.rewrite(property.expr)?;
                self.node.properties.push(PropertyDeclaration { expr, ..property.clone() });
            }
        }
        self.assumed();
        Ok(self.node)
    }

    /// Declares a variable; the bounds of its type become claims.
    fn declare(&mut self, variable: &Variable, role: Role) -> Result<Variable, InputError> {
        let of = self.elaborator.plain_type(&variable.of, &self.bindings)?;
        self.declared.insert(variable.name.text.clone(), of.clone());
        self.bounds(variable, role)?;
        Ok(Variable { name: variable.name.clone(), of, constant: false })
    }

    /// A constant whose value is not known: a function without arguments.
    fn open_constant(&mut self, name: &Name, of: &Type) -> Result<(), InputError> {
        if self.elaborator.is_bounded(of) {
            return Err(self.not_supported(&of.at, "a constant without value whose type is a subrange"));
        }
        let of = self.elaborator.plain_type(of, &self.bindings)?;
        let text = format!("{}.{}", self.node.name.text, name.text);
        let output = Variable { name: name.clone(), of, constant: false };
        let name = Name { text: text.clone(), at: name.at.clone() };
        self.elaborator.out.functions.push(Function {
            name,
            inputs: Vec::new(),
            outputs: vec![output.clone()],
        });
        self.bindings.insert(output.name.text, Binding::Open(text));
        Ok(())
    }

    fn local_constants(&mut self, constants: &[super::syntax::LocalConstant]) -> Result<(), InputError> {
        for constant in constants {
            let Some(value) = constant.value else {
                let Some(of) = &constant.of else { continue };
                self.open_constant(&constant.name, of)?;
                continue;
            };
            let expr = self.rewrite(value)?;
            match (self.elaborator.value(expr), &constant.of) {
                (Some(value), _) => {
                    self.bindings.insert(constant.name.text.clone(), Binding::Literal(value));
                }
                (None, Some(of)) => {
                    let variable = Variable { name: constant.name.clone(), of: of.clone(), constant: false };
                    let variable = self.declare(&variable, Role::Property)?;
                    self.define(variable, expr, &constant.name.at);
                }
                (None, None) => {
                    let what = "a constant without type whose value is not a number";
                    return Err(self.not_supported(&constant.name.at, what));
                }
            }
        }
        Ok(())
    }

    /// A local variable with its equation.
    fn define(&mut self, variable: Variable, value: Id, at: &At) {
        let targets = vec![variable.name.clone()];
        self.declared.insert(variable.name.text.clone(), variable.of.clone());
        self.node.locals.push(variable);
        self.node.equations.push(Equation { targets, value, at: at.clone() });
    }

    /// A local variable that may have any value in each step.
    fn open(&mut self, of: Type, at: &At) -> String {
        let text = format!("~any{}", self.fresh);
        self.fresh += 1;
        let name = Name { text: text.clone(), at: at.clone() };
        self.declared.insert(text.clone(), of.clone());
        self.node.locals.push(Variable { name, of, constant: false });
        self.node.free.push(text.clone());
        text
    }

    /// Outputs of which only the contract is known: any values; of a function the same ones for the same arguments.
    fn abstract_outputs(&mut self) -> Result<(), InputError> {
        if !self.written.is_function {
            self.node.free = self.node.outputs.iter().map(|output| output.name.text.clone()).collect();
            return Ok(());
        }
        let at = self.node.name.at.clone();
        let name = Name { text: format!("{}~function", self.node.name.text), at: at.clone() };
        let (inputs, outputs) = (self.node.inputs.clone(), self.node.outputs.clone());
        let arguments: Vec<Id> = inputs.iter().map(|input| self.name(&input.name.text, &at)).collect();
        let targets = outputs.iter().map(|output| output.name.clone()).collect();
        self.elaborator.out.functions.push(Function { name: name.clone(), inputs, outputs });
        let value = self.add(ExprKind::Call(name, arguments), &at);
        self.node.equations.push(Equation { targets, value, at });
        Ok(())
    }

    /// Types that are bools.
    fn bool_type(at: &At) -> Type {
        Type { kind: TypeKind::Bool, at: at.clone() }
    }
}
