//! CTL formulas. What has no temporal operator in it is one proposition; bounded operators are written out.

use super::{
    implication::Implications,
    lowering::Lowering,
    scope::InstanceId,
    syntax::{BinaryOp, Expr, ExprKind, PathQuantifier, Place, TemporalOp, UnaryOp},
};
use crate::InputError;
use propcov_ir::{Ctl, ExprId, Quantifier};

/// The most operators of a formula once bounded operators are written out.
const MAX_SIZE: usize = 100_000;

/// The highest bound: formulas get as deep as this.
pub(super) const MAX_BOUND: u32 = 400;

impl<'a> Lowering<'a> {
    /// A specification in an instance.
    pub(super) fn ctl(
        &mut self,
        expr: &'a Expr,
        scope: InstanceId,
        implications: Implications,
    ) -> Result<Ctl, InputError> {
        if !is_temporal(expr) {
            return match implications {
                Implications::Apart => self.proposition_apart(expr, scope),
                Implications::Whole | Implications::Below => {
                    let condition = self.prepared_condition(expr, scope)?;
                    self.atom(condition, &expr.place)
                }
            };
        }
        let place = &expr.place;
        let (apart, below) = (implications.apart(), implications.below());
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, a) => Ok(not(self.ctl(a, scope, below)?)),
            ExprKind::Binary(op, a, b) => {
                let first = if *op == BinaryOp::And { apart } else { below };
                let second = if matches!(op, BinaryOp::And | BinaryOp::Implies) { apart } else { below };
                let (a, b) = (self.ctl(a, scope, first)?, self.ctl(b, scope, second)?);
                self.combined(*op, a, b, place)
            }
            ExprKind::Temporal(op, a) => {
                let a = self.ctl(a, scope, apart)?;
                Ok(self.temporal(*op, a))
            }
            ExprKind::Until(quantifier, a, b) => {
                let (a, b) = (self.ctl(a, scope, apart)?, self.ctl(b, scope, apart)?);
                Ok(Ctl::Until(of(*quantifier), Box::new(a), Box::new(b)))
            }
            ExprKind::Release(quantifier, a, b) => {
                let (a, b) = (self.ctl(a, scope, apart)?, self.ctl(b, scope, apart)?);
                Ok(Ctl::Release(of(*quantifier), Box::new(a), Box::new(b)))
            }
            ExprKind::Bounded(op, low, high, a) => {
                let a = self.ctl(a, scope, apart)?;
                self.bounded(*op, *low, *high, &a, place)
            }
            ExprKind::BoundedUntil(quantifier, a, low, high, b) => {
                let (a, b) = (self.ctl(a, scope, apart)?, self.ctl(b, scope, apart)?);
                self.bounded_until(of(*quantifier), &a, (*low, *high), &b, place)
            }
            ExprKind::Linear(..) | ExprKind::LinearPair(..) => {
                Err(self.error(place, "this is linear time, which an LTLSPEC may have"))
            }
            _ => Err(self.error(place, "temporal operators can only be combined by truth functions")),
        }
    }

    /// Formulas combined by a truth function.
    fn combined(&self, op: BinaryOp, a: Ctl, b: Ctl, place: &Place) -> Result<Ctl, InputError> {
        let formula = match op {
            BinaryOp::And => and(a, b),
            BinaryOp::Or => or(a, b),
            BinaryOp::Implies => or(not(a), b),
            // Both are written out: an atom or a formula twice.
            BinaryOp::Iff | BinaryOp::Xnor | BinaryOp::Equal => {
                or(and(a.clone(), b.clone()), and(not(a), not(b)))
            }
            BinaryOp::Xor | BinaryOp::NotEqual => or(and(a.clone(), not(b.clone())), and(not(a), b)),
            _ => {
                return Err(
                    self.error(place, "expected a truth value, found a formula with temporal operators")
                );
            }
        };
        self.not_too_large(formula, place)
    }

    /// A condition as a proposition, which is about states.
    pub(super) fn atom(&mut self, condition: ExprId, place: &Place) -> Result<Ctl, InputError> {
        let reads = self.reads(condition);
        if reads.next {
            return Err(self.error(place, "a SPEC cannot refer to the next step by next(…): use AX or EX"));
        }
        if reads.input {
            return Err(
                self.error(place, "a SPEC is about states, and cannot depend on inputs (IVAR, running)")
            );
        }
        Ok(Ctl::Atom(condition))
    }

    fn temporal(&mut self, op: TemporalOp, a: Ctl) -> Ctl {
        let (all, exists) = (Quantifier::All, Quantifier::Exists);
        let (yes, no) = (Ctl::Atom(self.truth(true)), Ctl::Atom(self.truth(false)));
        let until = |quantifier, a| Ctl::Until(quantifier, Box::new(yes), Box::new(a));
        let release = |quantifier, a| Ctl::Release(quantifier, Box::new(no), Box::new(a));
        match op {
            TemporalOp::ExistsNext => Ctl::Next(exists, Box::new(a)),
            TemporalOp::AllNext => Ctl::Next(all, Box::new(a)),
            TemporalOp::ExistsFinally => until(exists, a),
            TemporalOp::AllFinally => until(all, a),
            TemporalOp::ExistsGlobally => release(exists, a),
            TemporalOp::AllGlobally => release(all, a),
        }
    }

    /// In some (all) of the steps `low` to `high` from here.
    fn bounded(
        &mut self,
        op: TemporalOp,
        low: u32,
        high: u32,
        a: &Ctl,
        place: &Place,
    ) -> Result<Ctl, InputError> {
        self.check_bounds(low, high, size(a), place)?;
        let (quantifier, join): (Quantifier, fn(Ctl, Ctl) -> Ctl) = match op {
            TemporalOp::ExistsFinally | TemporalOp::ExistsNext => (Quantifier::Exists, or),
            TemporalOp::AllFinally | TemporalOp::AllNext => (Quantifier::All, or),
            TemporalOp::ExistsGlobally => (Quantifier::Exists, and),
            TemporalOp::AllGlobally => (Quantifier::All, and),
        };
        let next = |inner: Ctl| Ctl::Next(quantifier, Box::new(inner));
        let window = (low..high).fold(a.clone(), |rest, _| join(a.clone(), next(rest)));
        Ok((0..low).fold(window, |rest, _| next(rest)))
    }

    /// The second within the steps `low` to `high` from here, the first until then.
    fn bounded_until(
        &mut self,
        quantifier: Quantifier,
        a: &Ctl,
        (low, high): (u32, u32),
        b: &Ctl,
        place: &Place,
    ) -> Result<Ctl, InputError> {
        self.check_bounds(low, high, size(a) + size(b), place)?;
        let go_on = |rest: Ctl| and(a.clone(), Ctl::Next(quantifier, Box::new(rest)));
        let window = (low..high).fold(b.clone(), |rest, _| or(b.clone(), go_on(rest)));
        Ok((0..low).fold(window, |rest, _| go_on(rest)))
    }

    fn check_bounds(&self, low: u32, high: u32, size: usize, place: &Place) -> Result<(), InputError> {
        if high < low {
            return Err(self.error(place, format!("the bounds {low}..{high} are empty")));
        }
        if high > MAX_BOUND || (high as usize + 1) * (size + 2) > MAX_SIZE {
            let message = format!(
                "the bounds {low}..{high} are too large (at most {MAX_BOUND}, and {MAX_SIZE} operators)"
            );
            return Err(self.error(place, message));
        }
        Ok(())
    }

    fn not_too_large(&self, formula: Ctl, place: &Place) -> Result<Ctl, InputError> {
        if size(&formula) > MAX_SIZE {
            return Err(self
                .error(place, format!("this formula has more than {MAX_SIZE} operators when written out")));
        }
        Ok(formula)
    }
}

fn of(quantifier: PathQuantifier) -> Quantifier {
    match quantifier {
        PathQuantifier::Exists => Quantifier::Exists,
        PathQuantifier::All => Quantifier::All,
    }
}

pub(super) fn not(a: Ctl) -> Ctl {
    Ctl::Not(Box::new(a))
}

pub(super) fn and(a: Ctl, b: Ctl) -> Ctl {
    Ctl::And(Box::new(a), Box::new(b))
}

pub(super) fn or(a: Ctl, b: Ctl) -> Ctl {
    Ctl::Or(Box::new(a), Box::new(b))
}

/// How many operators and propositions a formula has.
fn size(formula: &Ctl) -> usize {
    match formula {
        Ctl::Atom(_) => 1,
        Ctl::Not(a) | Ctl::Next(_, a) => 1 + size(a),
        Ctl::And(a, b) | Ctl::Or(a, b) | Ctl::Until(_, a, b) | Ctl::Release(_, a, b) => 1 + size(a) + size(b),
    }
}

/// Whether there is a temporal operator in an expression.
pub(super) fn is_temporal(expr: &Expr) -> bool {
    let mut found = false;
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        found |= matches!(
            expr.kind,
            ExprKind::Temporal(..)
                | ExprKind::Until(..)
                | ExprKind::Release(..)
                | ExprKind::Bounded(..)
                | ExprKind::BoundedUntil(..)
                | ExprKind::Linear(..)
                | ExprKind::LinearPair(..)
        );
        if found {
            break;
        }
        super::definition::operands(expr, &mut |operand| stack.push(operand));
    }
    found
}

/// Whether there is an operator of CTL in an expression.
pub(super) fn is_branching(expr: &Expr) -> bool {
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        if matches!(
            expr.kind,
            ExprKind::Temporal(..)
                | ExprKind::Until(..)
                | ExprKind::Release(..)
                | ExprKind::Bounded(..)
                | ExprKind::BoundedUntil(..)
        ) {
            return true;
        }
        super::definition::operands(expr, &mut |operand| stack.push(operand));
    }
    false
}
