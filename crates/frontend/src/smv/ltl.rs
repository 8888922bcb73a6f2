//! Formulas of linear time. What has no temporal operator in it is one proposition; bounded operators are written out.

use super::{
    ctl::{MAX_BOUND, is_temporal},
    lowering::Lowering,
    scope::InstanceId,
    syntax::{BinaryOp, Expr, ExprKind, LinearOp, LinearPair, Place, UnaryOp},
};
use crate::InputError;
use propcov_ir::Ltl;

/// The most operators of a formula once bounded operators are written out.
const MAX_SIZE: usize = 20_000;

impl<'a> Lowering<'a> {
    /// A specification in an instance.
    pub(super) fn ltl(&mut self, expr: &'a Expr, scope: InstanceId, name: &str) -> Result<Ltl, InputError> {
        let place = &expr.place;
        if !is_temporal(expr) {
            let condition = self.prepared_condition(expr, scope)?;
            if self.reads(condition).next {
                // What is so of a step is known after it.
                let held = self.held(condition, name);
                return Ok(Ltl::Next(Box::new(Ltl::Atom(held))));
            }
            return Ok(Ltl::Atom(condition));
        }
        let formula = match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, a) => Ltl::Not(Box::new(self.ltl(a, scope, name)?)),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.ltl(a, scope, name)?, self.ltl(b, scope, name)?);
                self.combination(*op, a, b, place)?
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.ltl(condition, scope, name)?;
                let (then, otherwise) = (self.ltl(then, scope, name)?, self.ltl(otherwise, scope, name)?);
                or(and(condition.clone(), then), and(not(condition), otherwise))
            }
            ExprKind::Linear(op, bounds, a) => {
                let a = self.ltl(a, scope, name)?;
                match bounds {
                    Some(bounds) => self.within(*op, *bounds, &a, place)?,
                    None => self.linear(*op, a),
                }
            }
            ExprKind::LinearPair(pair, a, b) => {
                let (a, b) = (Box::new(self.ltl(a, scope, name)?), Box::new(self.ltl(b, scope, name)?));
                match pair {
                    LinearPair::Until => Ltl::Until(a, b),
                    LinearPair::Releases => Ltl::Release(a, b),
                    LinearPair::Since => Ltl::Since(a, b),
                    LinearPair::Triggered => Ltl::Triggered(a, b),
                }
            }
            ExprKind::Temporal(..)
            | ExprKind::Until(..)
            | ExprKind::Release(..)
            | ExprKind::Bounded(..)
            | ExprKind::BoundedUntil(..) => {
                return Err(self.error(place, "an LTLSPEC is about single runs, and has no path quantifiers"));
            }
            _ => return Err(self.error(place, "temporal operators can only be combined by truth functions")),
        };
        if formula.size() > MAX_SIZE {
            let message = format!("this formula has more than {MAX_SIZE} operators when written out");
            return Err(self.error(place, message));
        }
        Ok(formula)
    }

    /// Formulas combined by a truth function.
    fn combination(&self, op: BinaryOp, a: Ltl, b: Ltl, place: &Place) -> Result<Ltl, InputError> {
        Ok(match op {
            BinaryOp::And => and(a, b),
            BinaryOp::Or => or(a, b),
            BinaryOp::Implies => or(not(a), b),
            // Both are written out: a formula twice.
            BinaryOp::Iff | BinaryOp::Xnor | BinaryOp::Equal => {
                or(and(a.clone(), b.clone()), and(not(a), not(b)))
            }
            BinaryOp::Xor | BinaryOp::NotEqual => or(and(a.clone(), not(b.clone())), and(not(a), b)),
            _ => {
                return Err(
                    self.error(place, "expected a truth value, found a formula with temporal operators")
                );
            }
        })
    }

    fn linear(&mut self, op: LinearOp, a: Ltl) -> Ltl {
        let a = Box::new(a);
        let constant = |this: &mut Self, value| Box::new(Ltl::Atom(this.truth(value)));
        match op {
            LinearOp::Next => Ltl::Next(a),
            LinearOp::Previous => Ltl::Previous(a),
            LinearOp::WeakPrevious => Ltl::WeakPrevious(a),
            LinearOp::Finally => Ltl::Until(constant(self, true), a),
            LinearOp::Globally => Ltl::Release(constant(self, false), a),
            LinearOp::Once => Ltl::Since(constant(self, true), a),
            LinearOp::Historically => Ltl::Triggered(constant(self, false), a),
        }
    }

    /// In some (all) of the steps `low` to `high` from here, or before.
    fn within(
        &mut self,
        op: LinearOp,
        (low, high): (u32, u32),
        a: &Ltl,
        place: &Place,
    ) -> Result<Ltl, InputError> {
        if high < low {
            return Err(self.error(place, format!("the bounds [{low}, {high}] are empty")));
        }
        if high > MAX_BOUND || (high as usize + 1) * (a.size() + 2) > MAX_SIZE {
            let message = format!(
                "the bounds [{low}, {high}] are too large (at most {MAX_BOUND}, and {MAX_SIZE} operators)"
            );
            return Err(self.error(place, message));
        }
        type Join = fn(Ltl, Ltl) -> Ltl;
        type Shift = fn(Box<Ltl>) -> Ltl;
        let (join, step): (Join, Shift) = match op {
            LinearOp::Globally => (and, Ltl::Next),
            // What would be before the first step is no exception to anything.
            LinearOp::Historically => (and, Ltl::WeakPrevious),
            LinearOp::Once => (or, Ltl::Previous),
            _ => (or, Ltl::Next),
        };
        let window = (low..high).fold(a.clone(), |rest, _| join(a.clone(), step(Box::new(rest))));
        Ok((0..low).fold(window, |rest, _| step(Box::new(rest))))
    }
}

fn not(a: Ltl) -> Ltl {
    Ltl::Not(Box::new(a))
}

fn and(a: Ltl, b: Ltl) -> Ltl {
    Ltl::And(Box::new(a), Box::new(b))
}

fn or(a: Ltl, b: Ltl) -> Ltl {
    Ltl::Or(Box::new(a), Box::new(b))
}
