//! `pre` that no `->` guards: in the first step it has a value that nobody has defined.
//!
//! In JKind, equal expressions have equal values there too, and `pre` of a constant is the constant. In Kind 2 each such `pre` may have any value, whatever the others have: so each is given one of
//! its own, `any -> pre x`.

use super::Builder;
use crate::InputError;
use crate::lustre::check::operands;
use crate::lustre::syntax::{BinaryOp, Expr, ExprKind, Id, Program, UnaryOp};
use rustc_hash::FxHashSet;

/// The occurrences of `pre` that are not on the right of an `->`, or that are in another `pre` there.
pub(super) fn unguarded(program: &Program) -> FxHashSet<Id> {
    let mut inner: FxHashSet<Id> = FxHashSet::default();
    for expr in &program.exprs {
        operands(&expr.kind, |operand| {
            inner.insert(operand);
        });
    }
    let ids = (0..program.exprs.len()).map(|at| Id(at as u32));
    let mut open: Vec<(Id, bool)> = ids.filter(|id| !inner.contains(id)).map(|id| (id, false)).collect();
    let (mut unguarded, mut seen) = (FxHashSet::default(), FxHashSet::default());
    while let Some((id, is_guarded)) = open.pop() {
        if !seen.insert((id, is_guarded)) {
            continue;
        }
        match &program.expr(id).kind {
            ExprKind::Binary(BinaryOp::Arrow, first, then) => {
                open.extend([(*first, is_guarded), (*then, true)]);
            }
            ExprKind::Unary(UnaryOp::Pre, of) => {
                if !is_guarded {
                    unguarded.insert(id);
                }
                open.push((*of, false));
            }
            other => operands(other, |operand| open.push((operand, is_guarded))),
        }
    }
    unguarded
}

impl Builder<'_, '_> {
    /// A `pre` whose operand has been copied, with a value of its own in the first step where nothing else is said about that.
    pub(super) fn previous(&mut self, id: Id, expr: Expr) -> Result<Id, InputError> {
        if !self.elaborator.unguarded.contains(&id) {
            return Ok(self.elaborator.add_written(expr));
        }
        let from = self.elaborator.from;
        let at = expr.at.clone();
        let variable = match &from.expr(id).kind {
            ExprKind::Unary(_, of) => match &from.expr(*of).kind {
                ExprKind::Name(name) if !self.bindings.contains_key(name) => self.declared.get(name).cloned(),
                _ => None,
            },
            _ => None,
        };
        let Some(of) = variable else {
            let what = "a `pre` of an expression or a constant without a value for the first step (write `e -> pre x`)";
            return Err(self.not_supported(&at, what));
        };
        let start = self.open(of, &at);
        let start = self.name(&start, &at);
        let previous = self.elaborator.add_written(expr);
        Ok(self.add(ExprKind::Binary(BinaryOp::Arrow, start, previous), &at))
    }
}
