//! Arithmetic as linear sums.
//!
//! What a sum cannot say is a new number with what defines it: the floor n of r by n ≤ r < n + 1, and a choice by
//! being equal to one or the other. Euclidean quotients by constants are floors. What division by zero yields is fixed by the interpreter: 0, and
//! the dividend for the remainder.

use super::terms::{Term, Terms, boolean};
use crate::Rejection;
use dashu_ratio::RBig;
use propcov_ir::BinaryOp;
use propcov_sat::Lit;
use propcov_smt::{Bound, Linear, NumberKind, Relation};
use std::rc::Rc;

/// An operation that is not linear.
pub(super) type NonLinear = (BinaryOp, NumberKind, Rc<Linear>, Rc<Linear>);

impl Terms {
    /// A number of which nothing is known.
    pub(super) fn fresh_number(&mut self, kind: NumberKind) -> Term {
        Term::Number(kind, self.fresh_sum(kind))
    }

    fn fresh_sum(&mut self, kind: NumberKind) -> Rc<Linear> {
        Rc::new(Linear::number(self.gates.solver.new_number(kind)))
    }

    /// Whether the sum is at most zero, or below.
    fn compared(&mut self, sum: Linear, relation: Relation) -> Lit {
        match sum.as_constant() {
            Some(constant) => self.gates.constant(match relation {
                Relation::AtMost => *constant <= RBig::ZERO,
                Relation::Below => *constant < RBig::ZERO,
            }),
            None => self.gates.solver.literal(&Bound { sum, relation }),
        }
    }

    /// a ≤ b.
    fn at_most(&mut self, a: &Linear, b: &Linear) -> Lit {
        self.compared(a.plus(b, &RBig::from(-1)), Relation::AtMost)
    }

    /// a < b.
    fn less(&mut self, a: &Linear, b: &Linear) -> Lit {
        self.compared(a.plus(b, &RBig::from(-1)), Relation::Below)
    }

    pub(super) fn equal_numbers(&mut self, a: &Linear, b: &Linear) -> Lit {
        let (below, above) = (self.at_most(a, b), self.at_most(b, a));
        self.gates.and(below, above)
    }

    pub(super) fn binary_numbers(
        &mut self,
        op: BinaryOp,
        kind: NumberKind,
        a: &Rc<Linear>,
        b: &Rc<Linear>,
    ) -> Result<Term, Rejection> {
        let sum = match (op, kind) {
            (BinaryOp::Lt, _) => return Ok(boolean(self.less(a, b))),
            (BinaryOp::Le, _) => return Ok(boolean(self.at_most(a, b))),
            (BinaryOp::Add, _) => Rc::new(a.plus(b, &RBig::ONE)),
            (BinaryOp::Sub, _) => Rc::new(a.plus(b, &RBig::from(-1))),
            (BinaryOp::Mul, _) => match (a.as_constant(), b.as_constant()) {
                (_, Some(times)) => Rc::new(a.scaled(times)),
                (Some(times), _) => Rc::new(b.scaled(times)),
                (None, None) => self.non_linear(op, kind, a, b),
            },
            (BinaryOp::RealDiv, NumberKind::Real) => match b.as_constant() {
                Some(divisor) if divisor.is_zero() => Rc::default(),
                Some(divisor) => Rc::new(a.scaled(&(RBig::ONE / divisor))),
                None => self.non_linear(op, kind, a, b),
            },
            (BinaryOp::IntDiv, NumberKind::Int) => match b.as_constant() {
                Some(divisor) if divisor.is_zero() => Rc::default(),
                Some(divisor) => self.quotient(a, divisor),
                None => self.non_linear(op, kind, a, b),
            },
            (BinaryOp::IntMod, NumberKind::Int) => match b.as_constant() {
                Some(divisor) if divisor.is_zero() => Rc::clone(a),
                Some(divisor) => {
                    let quotient = self.quotient(a, divisor);
                    Rc::new(a.plus(&quotient, &-divisor.clone()))
                }
                None => self.non_linear(op, kind, a, b),
            },
            _ => return Err(Rejection::operands(op)),
        };
        Ok(Term::Number(kind, sum))
    }

    /// A number of which nothing is known but that the same operation yields it again.
    fn non_linear(&mut self, op: BinaryOp, kind: NumberKind, a: &Rc<Linear>, b: &Rc<Linear>) -> Rc<Linear> {
        let operation = (op, kind, Rc::clone(a), Rc::clone(b));
        let swapped = (op, kind, Rc::clone(b), Rc::clone(a));
        if op == BinaryOp::Mul
            && let Some(known) = self.opaque.get(&swapped)
        {
            return Rc::clone(known);
        }
        if let Some(known) = self.opaque.get(&operation) {
            return Rc::clone(known);
        }
        let number = self.fresh_sum(kind);
        self.opaque.insert(operation, Rc::clone(&number));
        number
    }

    /// The Euclidean quotient of an int by a constant that is not zero. By a positive one it is the quotient of rationals, rounded down; by a negative
    /// one it has the opposite sign.
    fn quotient(&mut self, dividend: &Linear, divisor: &RBig) -> Rc<Linear> {
        if *divisor < RBig::ZERO {
            let opposite = self.floor(&dividend.scaled(&(RBig::from(-1) / divisor)));
            Rc::new(opposite.scaled(&RBig::from(-1)))
        } else {
            self.floor(&dividend.scaled(&(RBig::ONE / divisor)))
        }
    }

    /// The greatest int not above a real. What is an integer whatever the variables are is taken out first: ⌊(x + 2) / 2⌋ is ⌊x / 2⌋ + 1,
    /// so that it is the same number that counters are compared by in all steps.
    pub(super) fn floor(&mut self, real: &Linear) -> Rc<Linear> {
        let mut whole = Linear::constant(RBig::from(real.offset().floor()));
        for (number, coefficient) in real.terms() {
            if self.gates.solver.kind(number) == Some(NumberKind::Int) {
                whole.add(&Linear::number(number), &RBig::from(coefficient.floor()));
            }
        }
        let rest = real.plus(&whole, &RBig::from(-1));
        if rest.as_constant().is_some() {
            return Rc::new(whole);
        }
        if let Some(known) = self.floors.get(&rest) {
            return Rc::new(whole.plus(known, &RBig::ONE));
        }
        let floor = Linear::number(self.gates.solver.new_number(NumberKind::Int));
        let not_above = self.at_most(&floor, &rest);
        let near = self.less(&rest, &floor.plus(&Linear::constant(RBig::ONE), &RBig::ONE));
        self.gates.clause(&[not_above]);
        self.gates.clause(&[near]);
        let sum = Rc::new(whole.plus(&floor, &RBig::ONE));
        self.floors.insert(rest, floor);
        sum
    }

    /// One number or the other.
    pub(super) fn choice(
        &mut self,
        condition: Lit,
        kind: NumberKind,
        then: &Rc<Linear>,
        otherwise: &Rc<Linear>,
    ) -> Rc<Linear> {
        if condition == self.gates.constant(true) || then == otherwise {
            return Rc::clone(then);
        }
        if condition == self.gates.constant(false) {
            return Rc::clone(otherwise);
        }
        let chosen = self.fresh_sum(kind);
        for (excuse, value) in [(!condition, then), (condition, otherwise)] {
            self.require_equal(&[excuse], &chosen, value);
        }
        chosen
    }

    /// Requires that two numbers are equal, or one of the literals.
    pub(super) fn require_equal(&mut self, excuses: &[Lit], a: &Linear, b: &Linear) {
        for bound in [self.at_most(a, b), self.at_most(b, a)] {
            let clause: Vec<Lit> = excuses.iter().copied().chain([bound]).collect();
            self.gates.clause(&clause);
        }
    }
}
