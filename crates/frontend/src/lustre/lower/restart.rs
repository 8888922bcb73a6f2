//! Resets: `(restart f every r)(x)` is `f` that begins anew whenever r holds.
//!
//! Such a call becomes a plain call `f~restarted(r, x)` of a node that is made for it: in it `a -> b` is `if ~begin then a else b`, where `~begin = true -> ~reset`, and calls are of nodes
//! that are restarted, too. A `pre` that is not on the right of `->` may have any value in a step in which the node begins, as in the first step of a run.

use super::super::elaborate::map_operands;
use super::super::syntax::{
    At, BinaryOp, Equation, Expr, ExprKind, Id, Name, Node, Program, PropertyDeclaration, Sugar, Type,
    TypeKind, UnaryOp, Variable,
};
use super::names::{roots, under, variables};
use crate::{InputError, text::Input};
use rustc_hash::{FxHashMap, FxHashSet};

/// Replaces the calls with resets among these expressions. The nodes that they call have neither clocks nor resets.
pub(super) fn remove(input: &Input<'_>, program: &mut Program, exprs: &[Id]) -> Result<(), InputError> {
    for id in exprs {
        let ExprKind::Restart { reset, node, arguments } = program.expr(*id).kind.clone() else { continue };
        let name = restarted(input, program, &node)?;
        let arguments = std::iter::once(reset).chain(arguments).collect();
        program.exprs[id.0 as usize].kind = ExprKind::Call(name, arguments);
    }
    Ok(())
}

fn name_of(node: &Name) -> Name {
    Name { text: format!("{}~restarted", node.text), at: node.at.clone() }
}

/// Makes the node that begins anew, and those that it calls.
fn restarted(input: &Input<'_>, program: &mut Program, node: &Name) -> Result<Name, InputError> {
    let mut wanted = vec![node.text.clone()];
    while let Some(text) = wanted.pop() {
        let made = format!("{text}~restarted");
        if program.nodes.iter().any(|node| node.name.text == made) {
            continue;
        }
        let Some(original) = program.nodes.iter().find(|node| node.name.text == text).cloned() else {
            return Err(input.error(node.at.clone(), format!("there is no node `{text}`")));
        };
        let nodes: FxHashSet<String> = program.nodes.iter().map(|node| node.name.text.clone()).collect();
        // A node that was made here itself has such variables already.
        let level = match original.name.text.matches("~restart").count() {
            0 => String::new(),
            level => format!("~{level}"),
        };
        let (reset, begin) = (format!("~reset{level}"), format!("~begin{level}"));
        let (calls, any) = (Vec::new(), Vec::new());
        let copy = Copy { input, program, original: &original, nodes, calls, any, reset, begin };
        let calls = copy.build()?;
        wanted.extend(calls);
    }
    Ok(name_of(node))
}

struct Copy<'c> {
    input: &'c Input<'c>,
    program: &'c mut Program,
    original: &'c Node,
    nodes: FxHashSet<String>,
    /// Nodes that are called.
    calls: Vec<String>,
    /// Variables for what is not known when the node begins.
    any: Vec<Variable>,
    reset: String,
    begin: String,
}

fn boolean(name: &str, at: &At) -> Variable {
    Variable {
        name: Name { text: name.to_owned(), at: at.clone() },
        of: Type { kind: TypeKind::Bool, at: at.clone() },
        constant: false,
    }
}

impl Copy<'_> {
    /// Adds the node, and says which ones it calls.
    fn build(mut self) -> Result<Vec<String>, InputError> {
        let original = self.original;
        let at = original.name.at.clone();
        let new = self.copy()?;
        let mut equations: Vec<Equation> = original.equations.clone();
        equations.iter_mut().for_each(|equation| equation.value = new[&equation.value]);
        // ~begin = true -> ~reset
        let (yes, reset) = (
            self.program.add(ExprKind::Bool(true), &at),
            self.program.add(ExprKind::Name(self.reset.clone()), &at),
        );
        let value = self.program.add(ExprKind::Binary(BinaryOp::Arrow, yes, reset), &at);
        let begin = boolean(&self.begin, &at);
        equations.push(Equation { targets: vec![begin.name.clone()], value, at: at.clone() });
        let properties = original.properties.iter();
        let properties =
            properties.map(|property| PropertyDeclaration { expr: new[&property.expr], ..property.clone() });
        let mut inputs = vec![boolean(&self.reset, &at)];
        inputs.extend(original.inputs.iter().cloned());
        let mut free = original.free.clone();
        free.extend(self.any.iter().map(|variable| variable.name.text.clone()));
        let mut locals = original.locals.clone();
        locals.push(begin);
        locals.append(&mut self.any);
        let node = Node {
            name: name_of(&original.name),
            inputs,
            outputs: original.outputs.clone(),
            locals,
            equations,
            assertions: original.assertions.iter().map(|assertion| new[assertion]).collect(),
            properties: properties.collect(),
            ivc: original.ivc.clone(),
            main: None,
            realizable: None,
            free,
            is_abstract: original.is_abstract,
            is_function: original.is_function,
            sugar: Sugar::default(),
        };
        self.program.nodes.push(node);
        Ok(self.calls)
    }

    /// Copies the node's expressions; says which copy each has.
    fn copy(&mut self) -> Result<FxHashMap<Id, Id>, InputError> {
        let all = under(self.program, roots(self.original));
        let unguarded = self.unguarded();
        let mut new: FxHashMap<Id, Id> = FxHashMap::default();
        for id in all {
            let Expr { mut kind, at, token } = self.program.expr(id).clone();
            map_operands(&mut kind, |operand| new[&operand]);
            kind = match kind {
                ExprKind::Binary(BinaryOp::Arrow, first, later) => {
                    let begin = self.program.add(ExprKind::Name(self.begin.clone()), &at);
                    ExprKind::If(begin, first, later)
                }
                ExprKind::Call(name, arguments) if self.nodes.contains(&name.text) => {
                    let reset = self.program.add(ExprKind::Name(self.begin.clone()), &at);
                    let callee = name_of(&name);
                    self.calls.push(name.text);
                    ExprKind::Call(callee, std::iter::once(reset).chain(arguments).collect())
                }
                ExprKind::Unary(UnaryOp::Pre, operand) if unguarded.contains(&id) => {
                    match self.any_for(operand, &at)? {
                        Some(any) => {
                            let pre = self.program.add(ExprKind::Unary(UnaryOp::Pre, operand), &at);
                            let reset = self.program.add(ExprKind::Name(self.reset.clone()), &at);
                            ExprKind::If(reset, any, pre)
                        }
                        None => ExprKind::Unary(UnaryOp::Pre, operand),
                    }
                }
                kind => kind,
            };
            self.program.exprs.push(Expr { kind, at, token });
            new.insert(id, Id(self.program.exprs.len() as u32 - 1));
        }
        Ok(new)
    }

    /// A variable with any value, of the type of the operand of a `pre`; nothing for a constant.
    fn any_for(&mut self, operand: Id, at: &At) -> Result<Option<Id>, InputError> {
        let ExprKind::Name(name) = &self.program.expr(operand).kind else {
            let message = "an unguarded `pre` of an expression in a node that is restarted is not supported";
            return Err(self.input.error(at.clone(), message));
        };
        let Some(variable) = variables(self.original).find(|variable| variable.name.text == *name) else {
            let message = "an unguarded `pre` of a constant in a node that is restarted is not supported";
            return Err(self.input.error(at.clone(), message));
        };
        let text = format!("~at{}{}", self.begin, self.any.len());
        let name = Name { text: text.clone(), at: at.clone() };
        self.any.push(Variable { name, of: variable.of.clone(), constant: false });
        Ok(Some(self.program.add(ExprKind::Name(text), at)))
    }

    /// Whether a condition is a variable that holds whenever the node begins.
    fn is_beginning(&self, condition: Id) -> bool {
        let ExprKind::Name(name) = &self.program.expr(condition).kind else { return false };
        ["~begin", "~init"].iter().any(|made| {
            let rest = name.strip_prefix(made);
            rest.is_some_and(|rest| {
                rest.is_empty() || rest.starts_with('~') && rest.matches('~').count() == 1
            })
        })
    }

    /// Each `pre` that may be looked at in the step in which the node begins.
    fn unguarded(&self) -> FxHashSet<Id> {
        let mut found = FxHashSet::default();
        let mut stack: Vec<(Id, bool)> = roots(self.original).map(|root| (root, false)).collect();
        while let Some((id, guarded)) = stack.pop() {
            match &self.program.expr(id).kind {
                ExprKind::Unary(UnaryOp::Pre, operand) => {
                    if !guarded {
                        found.insert(id);
                    }
                    stack.push((*operand, false));
                }
                ExprKind::Binary(BinaryOp::Arrow, first, later) => {
                    stack.extend([(*first, guarded), (*later, true)]);
                }
                // What `->` has become in a node that was made for a clock or a reset.
                ExprKind::If(condition, first, later) if self.is_beginning(*condition) => {
                    stack.extend([(*first, guarded), (*later, true)]);
                }
                ExprKind::Call(name, arguments) if self.nodes.contains(&name.text) => {
                    stack.extend(arguments.iter().map(|argument| (*argument, false)));
                }
                kind => super::super::check::operands(kind, |operand| stack.push((operand, guarded))),
            }
        }
        found
    }
}
