//! Going through expressions without recursion.

use super::super::syntax::{ExprKind, Id, Program};

/// Calls a function for each operand, in the order in which they are written.
pub(in super::super) fn operands(kind: &ExprKind, mut visit: impl FnMut(Id)) {
    match kind {
        // What `any` is about has a name that is known only there.
        ExprKind::Name(_)
        | ExprKind::Int(_)
        | ExprKind::Real(_)
        | ExprKind::Bool(_)
        | ExprKind::Any(..)
        | ExprKind::Mode(_)
        | ExprKind::Last(_) => {}
        ExprKind::ToReal(a)
        | ExprKind::Floor(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Field(a, _)
        | ExprKind::Cast(_, a) => visit(*a),
        ExprKind::FieldUpdate(a, _, b)
        | ExprKind::Element(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Power(a, b)
        | ExprKind::When(a, b) => {
            visit(*a);
            visit(*b);
        }
        ExprKind::ElementUpdate(a, b, c) | ExprKind::If(a, b, c) => {
            [a, b, c].into_iter().for_each(|a| visit(*a));
        }
        ExprKind::Call(_, all) | ExprKind::Array(all) | ExprKind::Tuple(all) => {
            all.iter().for_each(|a| visit(*a));
        }
        ExprKind::Record(_, fields) => fields.iter().for_each(|(_, a)| visit(*a)),
        ExprKind::Condact { clock, arguments, defaults, .. } => {
            std::iter::once(clock).chain(arguments).chain(defaults).for_each(|a| visit(*a));
        }
        ExprKind::Restart { reset, arguments, .. } => {
            std::iter::once(reset).chain(arguments).for_each(|a| visit(*a));
        }
        ExprKind::Merge(clock, cases) => {
            visit(*clock);
            cases.iter().for_each(|(_, a)| visit(*a));
        }
        ExprKind::Activate { clock, arguments, defaults, reset, .. } => {
            let defaults = defaults.iter().flatten();
            std::iter::once(clock).chain(arguments).chain(defaults).chain(reset).for_each(|a| visit(*a));
        }
    }
}

/// An expression and all that is in it, operands first.
pub(super) fn subtree(program: &Program, root: Id) -> Vec<Id> {
    let (mut all, mut stack) = (Vec::new(), vec![root]);
    while let Some(id) = stack.pop() {
        all.push(id);
        operands(&program.expr(id).kind, |operand| stack.push(operand));
    }
    all.sort_unstable();
    all
}
