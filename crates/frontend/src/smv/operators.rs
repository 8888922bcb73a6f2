//! The operators of NuSMV on truth values, integers and words.
//!
//! Integers are computed in as many bits as their interval needs, so nothing ever overflows. Division truncates and the
//! remainder has the sign of the dividend, as in C and in NuSMV since version 2.4. A divisor of zero is an error where it
//! can happen.

use super::{
    hazard::Hazard,
    lowering::Lowering,
    operand::Operand,
    syntax::{BinaryOp, Place, UnaryOp},
    types::{Interval, Scalar},
};
use crate::InputError;
use propcov_ir::{BinaryOp as Op, ExprId, UnaryOp as One};

/// A value and where it is written.
type Written<'o> = (&'o Operand, &'o Place);

impl Lowering<'_> {
    pub(super) fn apply_unary(
        &mut self,
        op: UnaryOp,
        a: &Operand,
        place: &Place,
    ) -> Result<Operand, InputError> {
        match (op, a) {
            (UnaryOp::Not, Operand::Word(signed, expr)) => {
                Ok(Operand::Word(*signed, self.unary(One::Not, *expr)))
            }
            (UnaryOp::Not, _) => {
                let a = self.boolean(a, place)?;
                Ok(Operand::Boolean(self.not(a)))
            }
            (UnaryOp::Minus, Operand::Word(signed, expr)) => {
                Ok(Operand::Word(*signed, self.unary(One::Neg, *expr)))
            }
            (UnaryOp::Minus, _) => {
                let zero = Operand::Constant(Scalar::Integer(0));
                self.arithmetic(BinaryOp::Minus, (&zero, place), (a, place), place)
            }
        }
    }

    pub(super) fn apply_binary(
        &mut self,
        op: BinaryOp,
        a: Written<'_>,
        b: Written<'_>,
        place: &Place,
    ) -> Result<Operand, InputError> {
        use BinaryOp as B;
        match op {
            B::And | B::Or | B::Xor | B::Xnor | B::Implies | B::Iff => self.logical(op, a, b),
            B::Equal => Ok(Operand::Boolean(self.equal(a.0, b.0, place)?)),
            B::NotEqual => {
                let same = self.equal(a.0, b.0, place)?;
                Ok(Operand::Boolean(self.not(same)))
            }
            B::Less => self.compare(Op::Slt, a, b),
            B::LessEqual => self.compare(Op::Sle, a, b),
            B::Greater => self.compare(Op::Slt, b, a),
            B::GreaterEqual => self.compare(Op::Sle, b, a),
            B::Plus | B::Minus | B::Times | B::Divide | B::Modulo => self.arithmetic(op, a, b, place),
            B::ShiftLeft | B::ShiftRight => self.shift(op, a, b),
            B::Concat => {
                let (x, y) = (self.word(a)?.1, self.word(b)?.1);
                Ok(Operand::Word(false, self.binary(Op::Concat, x, y)))
            }
            // Both are about sets, and treated where sets are known.
            B::In | B::Union => Err(self.error(place, "expected a value, found a set")),
        }
    }

    /// The word and whether it is signed.
    pub(super) fn word(&mut self, (a, place): Written<'_>) -> Result<(bool, ExprId), InputError> {
        match a {
            Operand::Word(signed, expr) => Ok((*signed, *expr)),
            _ => {
                let found = self.describe(a);
                Err(self.error(place, format!("expected a word, found {found}")))
            }
        }
    }

    /// Two words of one type.
    fn words(&mut self, a: Written<'_>, b: Written<'_>) -> Result<(bool, ExprId, ExprId), InputError> {
        let ((signed, x), (other, y)) = (self.word(a)?, self.word(b)?);
        if signed == other && self.width(x) == self.width(y) {
            return Ok((signed, x, y));
        }
        let (first, second) = (self.type_of_operand(a.0), self.type_of_operand(b.0));
        Err(self.error(b.1, format!("expected a value of type {first}, found one of type {second}")))
    }

    fn logical(&mut self, op: BinaryOp, a: Written<'_>, b: Written<'_>) -> Result<Operand, InputError> {
        if matches!(a.0, Operand::Word(..)) {
            let (signed, x, y) = self.words(a, b)?;
            let expr = match op {
                BinaryOp::And => self.binary(Op::And, x, y),
                BinaryOp::Or => self.binary(Op::Or, x, y),
                BinaryOp::Xor => self.binary(Op::Xor, x, y),
                BinaryOp::Implies => {
                    let not_x = self.unary(One::Not, x);
                    self.binary(Op::Or, not_x, y)
                }
                _ => {
                    let differ = self.binary(Op::Xor, x, y);
                    self.unary(One::Not, differ)
                }
            };
            return Ok(Operand::Word(signed, expr));
        }
        let (x, y) = (self.boolean(a.0, a.1)?, self.boolean(b.0, b.1)?);
        let expr = match op {
            BinaryOp::And => self.and(x, y),
            BinaryOp::Or => self.or(x, y),
            BinaryOp::Implies => {
                let not_x = self.not(x);
                self.or(not_x, y)
            }
            BinaryOp::Xor => {
                let same = self.same(x, y);
                self.not(same)
            }
            _ => self.same(x, y),
        };
        Ok(Operand::Boolean(expr))
    }

    /// `a < b` or `a <= b`.
    fn compare(&mut self, op: Op, a: Written<'_>, b: Written<'_>) -> Result<Operand, InputError> {
        if matches!(a.0, Operand::Word(..)) || matches!(b.0, Operand::Word(..)) {
            let (signed, x, y) = self.words(a, b)?;
            let op = match op {
                Op::Slt if !signed => Op::Ult,
                Op::Sle if !signed => Op::Ule,
                signed => signed,
            };
            return Ok(Operand::Boolean(self.binary(op, x, y)));
        }
        if is_number(a.0) || is_number(b.0) {
            return self.compare_numbers(op, a, b);
        }
        let ((range_a, x), (range_b, y)) = (self.integer(a.0, a.1)?, self.integer(b.0, b.1)?);
        let (certain, excluded) = match op {
            Op::Slt => (range_a.high < range_b.low, range_a.low >= range_b.high),
            _ => (range_a.high <= range_b.low, range_a.low > range_b.high),
        };
        if certain || excluded {
            return Ok(Operand::Boolean(self.truth(certain)));
        }
        let width = range_a.hull(range_b).width();
        let (x, y) = (self.sign_extended(x, width), self.sign_extended(y, width));
        Ok(Operand::Boolean(self.binary(op, x, y)))
    }

    pub(super) fn arithmetic(
        &mut self,
        op: BinaryOp,
        a: Written<'_>,
        b: Written<'_>,
        place: &Place,
    ) -> Result<Operand, InputError> {
        if matches!(a.0, Operand::Word(..)) || matches!(b.0, Operand::Word(..)) {
            return self.word_arithmetic(op, a, b);
        }
        if is_number(a.0) || is_number(b.0) {
            return self.number_arithmetic(op, a, b);
        }
        let ((range_a, x), (range_b, y)) = (self.integer(a.0, a.1)?, self.integer(b.0, b.1)?);
        let divides = matches!(op, BinaryOp::Divide | BinaryOp::Modulo);
        let mut zero = None;
        if divides && may_be_zero(b.0, range_b) {
            zero = self.possible_zero(y, b.1)?;
            if range_b.low == range_b.high {
                return Ok(Operand::Constant(Scalar::Integer(0)));
            }
        }
        let Some(mut range) = interval(op, range_a, range_b) else {
            return Err(self.error(place, "integers beyond 62 bits are not supported"));
        };
        if zero.is_some() {
            range = range.hull(Interval { low: 0, high: 0 });
        }
        if range.low == range.high {
            return Ok(Operand::Constant(Scalar::Integer(range.low)));
        }
        let width = range.hull(range_a).hull(range_b).width();
        let (x, y) = (self.sign_extended(x, width), self.sign_extended(y, width));
        let op = match op {
            BinaryOp::Plus => Op::Add,
            BinaryOp::Minus => Op::Sub,
            BinaryOp::Times => Op::Mul,
            BinaryOp::Divide => Op::Sdiv,
            _ => Op::Srem,
        };
        let mut expr = self.binary(op, x, y);
        if let Some(zero) = zero {
            let nothing = self.bits(width, 0);
            expr = self.ite(zero, nothing, expr);
        }
        Ok(self.narrowed(range, expr))
    }

    /// When a divisor is zero, unless that is known not to happen where it is read. An error where it is known to.
    fn possible_zero(&mut self, divisor: ExprId, place: &Place) -> Result<Option<ExprId>, InputError> {
        let zero = self.bits(self.width(divisor), 0);
        let when = self.same(divisor, zero);
        let (what, instead) = ("the divisor is 0", "the result is 0");
        let safe = self.must_not_happen(Hazard { when, place: place.clone(), what, instead })?;
        Ok((!safe).then_some(when))
    }

    /// The integer in as many bits as its interval needs.
    pub(super) fn narrowed(&mut self, range: Interval, expr: ExprId) -> Operand {
        let width = range.width();
        let expr = if self.width(expr) == width {
            expr
        } else {
            self.unary(One::Extract { high: width - 1, low: 0 }, expr)
        };
        Operand::Integer(range, expr)
    }

    fn word_arithmetic(
        &mut self,
        op: BinaryOp,
        a: Written<'_>,
        b: Written<'_>,
    ) -> Result<Operand, InputError> {
        let (signed, x, y) = self.words(a, b)?;
        let op = match (op, signed) {
            (BinaryOp::Plus, _) => Op::Add,
            (BinaryOp::Minus, _) => Op::Sub,
            (BinaryOp::Times, _) => Op::Mul,
            (BinaryOp::Divide, true) => Op::Sdiv,
            (BinaryOp::Divide, false) => Op::Udiv,
            (_, true) => Op::Srem,
            (_, false) => Op::Urem,
        };
        if matches!(op, Op::Sdiv | Op::Udiv | Op::Srem | Op::Urem) && !self.warned_division {
            let zero = self.bits(self.width(y), 0);
            if !self.is_other_constant(y, zero) {
                self.warned_division = true;
                let message = "where a word is divided by zero, the quotient is as in SMT-LIB (all bits set) and the remainder the dividend";
                self.report.warn(b.1, message);
            }
        }
        Ok(Operand::Word(signed, self.binary(op, x, y)))
    }

    fn is_other_constant(&self, expr: ExprId, than: ExprId) -> bool {
        matches!(self.system.exprs.node(expr), propcov_ir::Node::Const(_)) && expr != than
    }

    /// Shifts fill with zeros, but a signed word keeps its sign to the right.
    fn shift(&mut self, op: BinaryOp, a: Written<'_>, b: Written<'_>) -> Result<Operand, InputError> {
        let (signed, x) = self.word(a)?;
        let width = self.width(x);
        let amount = match b.0 {
            Operand::Word(false, amount) => *amount,
            Operand::Word(true, _) => {
                return Err(self.error(b.1, "expected an integer or an unsigned word, found a signed word"));
            }
            _ => {
                let (range, amount) = self.integer(b.0, b.1)?;
                if range.low < 0 || range.high > i64::from(width) {
                    let message =
                        format!("a word of {width} bits can be shifted by 0 to {width}, found {range}");
                    return Err(self.error(b.1, message));
                }
                amount
            }
        };
        let wide = width.max(self.width(amount)) + 1;
        let extend = |by| if signed { One::SignExtend(by) } else { One::ZeroExtend(by) };
        let x = self.unary(extend(wide - width), x);
        let by = wide - self.width(amount);
        let amount = self.unary(One::ZeroExtend(by), amount);
        let op = match op {
            BinaryOp::ShiftLeft => Op::Shl,
            _ if signed => Op::Ashr,
            _ => Op::Lshr,
        };
        let shifted = self.binary(op, x, amount);
        Ok(Operand::Word(signed, self.unary(One::Extract { high: width - 1, low: 0 }, shifted)))
    }
}

fn is_number(operand: &Operand) -> bool {
    matches!(operand, Operand::Number(..))
}

fn may_be_zero(operand: &Operand, range: Interval) -> bool {
    match operand {
        Operand::Finite(values, _) => values.contains(&Scalar::Integer(0)),
        _ => range.contains(0),
    }
}

/// The values that an operator can have on two intervals.
fn interval(op: BinaryOp, a: Interval, b: Interval) -> Option<Interval> {
    let wide = |range: Interval| (i128::from(range.low), i128::from(range.high));
    let ((a_low, a_high), (b_low, b_high)) = (wide(a), wide(b));
    let hull = |ends: &[i128]| {
        let (low, high) = (ends.iter().min()?, ends.iter().max()?);
        Interval::new(*low, *high)
    };
    match op {
        BinaryOp::Plus => Interval::new(a_low + b_low, a_high + b_high),
        BinaryOp::Minus => Interval::new(a_low - b_high, a_high - b_low),
        BinaryOp::Times => hull(&[a_low * b_low, a_low * b_high, a_high * b_low, a_high * b_high]),
        BinaryOp::Divide => {
            // The divisor's ends, and those next to zero.
            let divisors = [b_low, b_high, -1, 1];
            let divisors = divisors.into_iter().filter(|d| *d != 0 && (b_low..=b_high).contains(d));
            let ends: Vec<i128> = divisors.flat_map(|d| [a_low / d, a_high / d]).collect();
            hull(&ends)
        }
        _ => {
            let most = b_low.abs().max(b_high.abs()) - 1;
            let low = if a_low < 0 { (-most).max(a_low) } else { 0 };
            let high = if a_high > 0 { most.min(a_high) } else { 0 };
            // Exact where both are constants.
            if a_low == a_high && b_low == b_high {
                return Interval::new(a_low % b_low, a_low % b_low);
            }
            Interval::new(low, high)
        }
    }
}
