//! Static checks, in the order in which they rely on each other: what passes them has a meaning. They are those of JKind, but that a combinational loop is
//! an error here.

mod constant;
mod globals;
mod loops;
mod node;
mod order;
mod scope;
mod types;
mod typing;
mod value;
mod walk;
mod warn;

use super::{
    elaborate::{two_main_nodes, unchecked},
    report::Report,
    syntax::{ExprKind, Name, Program},
};
use crate::{Diagnostic, InputError, text::Input};
use globals::{Callable, Globals, circular};
use loops::{Loops, Summary};
use scope::Scope;
use typing::Typing;
pub(super) use value::{Value, binary, unary};
pub(super) use walk::operands;

/// How many equations the main node may have after inlining: a chain of nodes that call each other twice doubles them each time.
const MAX_EQUATIONS: u64 = 10_000_000;

/// Checks a file, and gives what the user should know although it is right.
pub(super) fn check(input: Input<'_>, program: &Program) -> Result<Vec<Diagnostic>, InputError> {
    let mut report = Report::new(input);
    let main = main_node(&report, program)?;
    let mut typing = Typing::new(&report, Globals::new(&report, program)?);
    typing.constants()?;
    check_nodes(&mut typing, main)?;
    let unchecked_nodes = unchecked_nodes(&typing, main);
    for (at, message) in &program.notes {
        report.warn(at, message.as_str());
    }
    if !unchecked_nodes.is_empty() {
        report.warn(&program.nodes[main].name.at, unchecked(&unchecked_nodes));
    }
    warn::warn(&mut report, program);
    Ok(report.warnings)
}

/// The position of the node with `--%MAIN`, else of the last one.
fn main_node(report: &Report<'_>, program: &Program) -> Result<usize, InputError> {
    let mut marked =
        program.nodes.iter().enumerate().filter_map(|(at, node)| Some((at, node.main.as_ref()?)));
    match (marked.next(), marked.next()) {
        (Some((first, _)), Some((second, again))) => {
            let [first, second] = [first, second].map(|at| program.nodes[at].name.text.as_str());
            Err(report.error(again, two_main_nodes(first, second)))
        }
        (Some((main, _)), None) => Ok(main),
        (None, _) => match program.nodes.len().checked_sub(1) {
            Some(last) => Ok(last),
            None => Err(report.error(&(0..0), "expected a node, found none in this file")),
        },
    }
}

fn check_nodes(typing: &mut Typing<'_, '_>, main: usize) -> Result<(), InputError> {
    let program = typing.globals.program;
    let mut checked = Vec::with_capacity(program.nodes.len());
    for node in &program.nodes {
        let scope = Scope::of_node(typing.report, &mut typing.globals, node)?;
        let definitions = typing.node(&scope, node)?;
        checked.push((scope, definitions));
    }
    let sorted = order_of_calls(typing)?;
    must_be_inlinable(typing, &sorted, main)?;
    let mut summaries: Vec<Option<Summary>> = vec![None; program.nodes.len()];
    for at in sorted {
        let (scope, definitions) = &checked[at];
        let loops = Loops { typing, scope, node: &program.nodes[at], definitions, summaries: &summaries };
        let summary = loops.check()?;
        summaries[at] = Some(summary);
    }
    Ok(())
}

/// The nodes that a node calls, as often as it does.
fn calls(typing: &Typing<'_, '_>, at: usize) -> Vec<usize> {
    let program = typing.globals.program;
    let node = &program.nodes[at];
    let equations = node.equations.iter().map(|equation| equation.value);
    let properties = node.properties.iter().map(|property| property.expr);
    let roots = equations.chain(node.assertions.iter().copied()).chain(properties);
    let called = |name: &Name| match typing.globals.callables.get(name.text.as_str()) {
        Some(Callable::Node(at)) => Some(*at),
        _ => None,
    };
    roots
        .flat_map(|root| walk::subtree(program, root))
        .filter_map(|id| match &program.expr(id).kind {
            ExprKind::Call(name, _)
            | ExprKind::Condact { node: name, .. }
            | ExprKind::Restart { node: name, .. } => called(name),
            _ => None,
        })
        .collect()
}

/// Whose properties nobody looks at, because the main node does not call them. (Of other dialects that has been said.)
fn unchecked_nodes(typing: &Typing<'_, '_>, main: usize) -> Vec<String> {
    let program = typing.globals.program;
    if program.dialect.is_extended() {
        return Vec::new();
    }
    let mut reached = vec![false; program.nodes.len()];
    let mut stack = vec![main];
    while let Some(at) = stack.pop() {
        if !std::mem::replace(&mut reached[at], true) {
            stack.extend(calls(typing, at));
        }
    }
    let open = program
        .nodes
        .iter()
        .zip(reached)
        .filter(|(node, is_reached)| !is_reached && !node.properties.is_empty());
    open.map(|(node, _)| format!("properties of `{}`", node.name.text)).collect()
}

/// All nodes, each after those it calls.
fn order_of_calls(typing: &Typing<'_, '_>) -> Result<Vec<usize>, InputError> {
    let program = typing.globals.program;
    order::order(program.nodes.len(), |at| calls(typing, at)).map_err(|circle| {
        let names: Vec<&Name> = circle.iter().map(|at| &program.nodes[*at].name).collect();
        circular(typing.report, "node", &names)
    })
}

fn must_be_inlinable(typing: &Typing<'_, '_>, sorted: &[usize], main: usize) -> Result<(), InputError> {
    let program = typing.globals.program;
    let mut equations = vec![0u64; program.nodes.len()];
    for at in sorted {
        let node = &program.nodes[*at];
        let own = (node.equations.len() + node.inputs.len()) as u64;
        equations[*at] =
            calls(typing, *at).iter().fold(own, |sum, called| sum.saturating_add(equations[*called]));
    }
    if equations[main] > MAX_EQUATIONS {
        let message = format!("inlining all calls of this node gives more than {MAX_EQUATIONS} equations");
        return Err(typing.error(&program.nodes[main].name.at, message));
    }
    Ok(())
}
