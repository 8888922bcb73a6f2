//! Implications between propositions, taken apart.
//!
//! A proposition is one atom of a formula, whatever it consists of. That loses which part of `a -> b` is the condition and which
//! part is claimed, and measures of coverage tell them apart. So a property has its formula a second time
//! ([`Property::as_written`](propcov_ir::Property::as_written)), in which `a -> b` is the disjunction of two atoms.

use super::{
    ctl::{and, is_temporal, not, or},
    lowering::{Lowering, Time},
    scope::InstanceId,
    syntax::{BinaryOp, Expr, ExprKind, LinearOp, LinearPair},
};
use crate::InputError;
use propcov_ir::{Ctl, ExprId, Ltl, Quantifier};

/// What becomes of an implication between propositions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Implications {
    /// It stays whole, like any other proposition.
    Whole,
    /// It is taken apart.
    Apart,
    /// It stays whole here, and is taken apart below temporal operators.
    Below,
}

impl Implications {
    /// For the operands of temporal operators and of `&`, and for what an implication claims.
    pub(super) fn apart(self) -> Implications {
        if self == Implications::Whole { self } else { Implications::Apart }
    }

    /// For the operands of other operators.
    pub(super) fn below(self) -> Implications {
        if self == Implications::Whole { self } else { Implications::Below }
    }
}

impl<'a> Lowering<'a> {
    /// A formula of CTL with its implications taken apart, if that makes it another one than `whole`.
    pub(super) fn as_written(&mut self, formula: &'a Expr, scope: InstanceId, whole: &Ctl) -> Option<Ctl> {
        // The formula is right as a whole. What can be wrong with its parts is that they are too many, or that one reads an input
        // that does not matter (`i -> TRUE`). Then it just stays whole.
        let apart = self.ctl(formula, scope, Implications::Apart).ok()?;
        (apart != *whole).then_some(apart)
    }

    /// The same for a formula of linear time that [can be said in CTL](propcov_ir::System::branching).
    pub(super) fn linear_as_written(
        &mut self,
        formula: &'a Expr,
        scope: InstanceId,
        whole: &Ltl,
    ) -> Option<Ctl> {
        let whole = self.system.branching(whole)?;
        let apart = self.linear_apart(formula, scope)?;
        (apart != whole).then_some(apart)
    }

    fn linear_apart(&mut self, expr: &'a Expr, scope: InstanceId) -> Option<Ctl> {
        if !is_temporal(expr) {
            return self.proposition_apart(expr, scope).ok();
        }
        let (all, next) = (Quantifier::All, |a| Ctl::Next(Quantifier::All, a));
        Some(match &expr.kind {
            ExprKind::Binary(BinaryOp::And, a, b) => {
                and(self.linear_apart(a, scope)?, self.linear_apart(b, scope)?)
            }
            ExprKind::Binary(BinaryOp::Implies, a, b) if !is_temporal(a) => {
                let antecedent = self.prepared_condition(a, scope).ok()?;
                let antecedent = self.atom(antecedent, &a.place).ok()?;
                or(not(antecedent), self.linear_apart(b, scope)?)
            }
            ExprKind::Linear(LinearOp::Next, None, a) => next(Box::new(self.linear_apart(a, scope)?)),
            ExprKind::Linear(LinearOp::Globally, None, a) => {
                let never = Ctl::Atom(self.truth(false));
                Ctl::Release(all, Box::new(never), Box::new(self.linear_apart(a, scope)?))
            }
            ExprKind::Linear(LinearOp::Finally, None, a) => {
                let always = Ctl::Atom(self.truth(true));
                Ctl::Until(all, Box::new(always), Box::new(self.linear_apart(a, scope)?))
            }
            ExprKind::LinearPair(pair @ (LinearPair::Until | LinearPair::Releases), a, b) => {
                let operator = if *pair == LinearPair::Until { Ctl::Until } else { Ctl::Release };
                let (a, b) = (self.linear_apart(a, scope)?, self.linear_apart(b, scope)?);
                operator(all, Box::new(a), Box::new(b))
            }
            _ => return None,
        })
    }

    /// The same for an invariant p, as `AG p`.
    pub(super) fn invariant_as_written(&mut self, invariant: &'a Expr, scope: InstanceId) -> Option<Ctl> {
        match self.proposition_apart(invariant, scope).ok()? {
            Ctl::Atom(_) => None,
            apart => {
                let never = Ctl::Atom(self.truth(false));
                Some(Ctl::Release(Quantifier::All, Box::new(never), Box::new(apart)))
            }
        }
    }

    /// A proposition with its implications taken apart.
    pub(super) fn proposition_apart(&mut self, expr: &'a Expr, scope: InstanceId) -> Result<Ctl, InputError> {
        self.prepare(expr, scope, Time::Now)?;
        self.path.clear();
        Ok(self.parts(expr, scope)?.0)
    }

    /// The parts of a proposition, and all of it. A part is read under the same conditions as within the whole.
    fn parts(&mut self, expr: &'a Expr, scope: InstanceId) -> Result<(Ctl, ExprId), InputError> {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Implies, a, b) => {
                let antecedent = self.condition(a, scope, Time::Now)?;
                let (consequent, claim) = self.under((antecedent, true), |this| this.parts(b, scope))?;
                let formula = or(not(self.atom(antecedent, &a.place)?), consequent);
                let otherwise = self.not(antecedent);
                Ok((formula, self.or(otherwise, claim)))
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                let (first, x) = self.parts(a, scope)?;
                let (second, y) = self.under((x, true), |this| this.parts(b, scope))?;
                let both = self.and(x, y);
                match (&first, &second) {
                    (Ctl::Atom(_), Ctl::Atom(_)) => Ok((self.atom(both, &expr.place)?, both)),
                    _ => Ok((and(first, second), both)),
                }
            }
            _ => {
                let condition = self.condition(expr, scope, Time::Now)?;
                Ok((self.atom(condition, &expr.place)?, condition))
            }
        }
    }
}
