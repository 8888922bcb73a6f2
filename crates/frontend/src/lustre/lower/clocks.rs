//! Calls with a clock or a reset become plain calls of nodes that are made for them.
//!
//! A node may activate one that restarts another, and the other way round. So nodes are done one after the other, each after those that it calls: what a node is made from has
//! neither clocks nor resets any more.

use super::super::syntax::{Expr, ExprKind, Id, Program};
use super::names::{roots, under};
use super::{condact, restart};
use crate::{InputError, text::Input};
use rustc_hash::FxHashMap;

/// The program without clocks and resets, if it has any.
pub(super) fn remove(input: &Input<'_>, program: &Program) -> Result<Option<Program>, InputError> {
    let is_condact = |expr: &Expr| matches!(expr.kind, ExprKind::Condact { .. });
    let is_restart = |expr: &Expr| matches!(expr.kind, ExprKind::Restart { .. });
    if !program.exprs.iter().any(is_restart) {
        return match program.exprs.iter().any(is_condact) {
            true => condact::remove(input, program, (0..program.exprs.len() as u32).map(Id)).map(Some),
            false => Ok(None),
        };
    }
    let mut result = program.clone();
    for node in order(program) {
        input.check_budget()?;
        let exprs = under(&result, roots(&result.nodes[node]));
        if exprs.iter().any(|id| is_restart(result.expr(*id))) {
            restart::remove(input, &mut result, &exprs)?;
        }
        if exprs.iter().any(|id| is_condact(result.expr(*id))) {
            result = condact::remove(input, &result, exprs.into_iter())?;
        }
    }
    Ok(Some(result))
}

/// The nodes, each after those that it calls. There is no circle: that has been checked.
fn order(program: &Program) -> Vec<usize> {
    let positions: FxHashMap<&str, usize> =
        program.nodes.iter().enumerate().map(|(at, node)| (node.name.text.as_str(), at)).collect();
    let mut done = vec![false; program.nodes.len()];
    let mut open = vec![false; program.nodes.len()];
    let mut sorted = Vec::with_capacity(program.nodes.len());
    for start in 0..program.nodes.len() {
        let mut stack = vec![start];
        while let Some(&at) = stack.last() {
            if done[at] {
                stack.pop();
                continue;
            }
            if std::mem::replace(&mut open[at], true) {
                done[at] = true;
                sorted.push(at);
                stack.pop();
                continue;
            }
            for id in under(program, roots(&program.nodes[at])) {
                if let ExprKind::Call(name, _)
                | ExprKind::Condact { node: name, .. }
                | ExprKind::Restart { node: name, .. } = &program.expr(id).kind
                    && let Some(callee) = positions.get(name.text.as_str())
                    && !open[*callee]
                {
                    stack.push(*callee);
                }
            }
        }
    }
    sorted
}
