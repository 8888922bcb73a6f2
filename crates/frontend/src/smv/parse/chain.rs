//! Operands in a row: `a & b & c` leans to the left. A long row of one associative operator becomes a balanced tree
//! instead: models that were generated have rows of ten thousands, and a tree that deep could not be walked, compared or
//! dropped by recursion.

use super::{
    super::syntax::{BinaryOp, Expr, ExprKind, Place},
    MAX_DEPTH, Parser, Tree,
};
use crate::InputError;

/// Rows up to this length look as they would in any other parser.
const SHORT: usize = 64;

/// Whether the operands of a row may be grouped in any way.
fn is_associative(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Xnor
            | BinaryOp::Iff
            | BinaryOp::Plus
            | BinaryOp::Times
            | BinaryOp::Concat
            | BinaryOp::Union
    )
}

impl Parser<'_> {
    /// An expression above its parts, of which the deepest is this deep.
    pub(super) fn node(&self, kind: ExprKind, place: Place, below: u32) -> Result<Tree, InputError> {
        if below >= MAX_DEPTH {
            let message = format!("this expression is nested more than {MAX_DEPTH} deep");
            return Err(self.error(place.start..place.start + 1, message));
        }
        Ok(Tree { expr: Expr { kind, place }, depth: below + 1 })
    }

    fn binary(&self, op: BinaryOp, left: Tree, right: Tree) -> Result<Tree, InputError> {
        let place = left.expr.place.start..right.expr.place.end;
        let below = left.depth.max(right.depth);
        self.node(ExprKind::Binary(op, Box::new(left.expr), Box::new(right.expr)), place, below)
    }

    /// `a -> b -> c` is `a -> (b -> c)`.
    #[inline(never)]
    pub(super) fn right_chain(
        &self,
        op: BinaryOp,
        before: Vec<Tree>,
        last: Tree,
    ) -> Result<Tree, InputError> {
        before.into_iter().rev().try_fold(last, |right, left| self.binary(op, left, right))
    }

    /// Operators of the same level: `a op b op c` is `(a op b) op c`.
    #[inline(never)]
    pub(super) fn left_chain(&self, first: Tree, rest: Vec<(BinaryOp, Tree)>) -> Result<Tree, InputError> {
        let mut result = first;
        let mut rest = rest.into_iter().peekable();
        while let Some((op, operand)) = rest.next() {
            let mut row = vec![operand];
            while let Some((_, operand)) = rest.next_if(|(next, _)| *next == op) {
                row.push(operand);
            }
            result = self.row(op, result, row)?;
        }
        Ok(result)
    }

    /// Operands with the same operator between them.
    fn row(&self, op: BinaryOp, first: Tree, mut rest: Vec<Tree>) -> Result<Tree, InputError> {
        let mut first = first;
        // Neighbours become one until the row is short.
        while is_associative(op) && rest.len() >= SHORT {
            let mut operands = rest.into_iter();
            if let Some(second) = operands.next() {
                first = self.binary(op, first, second)?;
            }
            let mut pairs = Vec::with_capacity(operands.len().div_ceil(2));
            while let Some(left) = operands.next() {
                pairs.push(match operands.next() {
                    Some(right) => self.binary(op, left, right)?,
                    None => left,
                });
            }
            rest = pairs;
        }
        rest.into_iter().try_fold(first, |left, right| self.binary(op, left, right))
    }

    /// `c ? a : d ? b : e`: conditions with their values, then the value of last resort. Many of them are a `case`.
    #[inline(never)]
    pub(super) fn conditional(&self, branches: Vec<(Tree, Tree)>, last: Tree) -> Result<Tree, InputError> {
        if branches.len() <= SHORT {
            let mut result = last;
            for (condition, value) in branches.into_iter().rev() {
                let place = condition.expr.place.start..result.expr.place.end;
                let below = condition.depth.max(value.depth).max(result.depth);
                let [condition, value, other] = [condition, value, result].map(|tree| Box::new(tree.expr));
                result = self.node(ExprKind::Conditional(condition, value, other), place, below)?;
            }
            return Ok(result);
        }
        let start = branches.first().map_or(0, |(condition, _)| condition.expr.place.start);
        let place = start..last.expr.place.end;
        let always = Expr { kind: ExprKind::Boolean(true), place: last.expr.place.clone() };
        let mut below = last.depth;
        let mut cases = Vec::with_capacity(branches.len() + 1);
        for (condition, value) in branches {
            below = below.max(condition.depth).max(value.depth);
            cases.push((condition.expr, value.expr));
        }
        cases.push((always, last.expr));
        self.node(ExprKind::Case(cases), place, below)
    }
}
