//! Machine integers are words of bits, with the operators of SMT-LIB that Kind 2 uses; and division as C has it, for LustreC.

use super::super::syntax::{At, BinaryOp, Id, Machine};
use super::{
    lowering::{Lowering, UNKNOWN},
    types::Resolved,
};
use crate::InputError;
use dashu_int::{IBig, ops::RemEuclid};
use propcov_ir::{BinaryOp as Op, ExprId, TernaryOp, UnaryOp, Value};

impl Lowering<'_> {
    /// The machine integer that an expression is, if it is one.
    pub(super) fn machine_of(&self, id: Id) -> Option<Machine> {
        let names = &self.inlined.names;
        match names.types.get(names.of(id)) {
            Resolved::Machine(machine) => Some(*machine),
            _ => None,
        }
    }

    /// An operator of two machine integers, other than equality and `->`.
    pub(super) fn machine_operator(
        &mut self,
        machine: Machine,
        op: BinaryOp,
        (a, b): (ExprId, ExprId),
        id: Id,
    ) -> Result<ExprId, InputError> {
        let at = &self.inlined.names.program.expr(id).at;
        let by_sign = |signed: Op, unsigned: Op| if machine.signed { signed } else { unsigned };
        let core = match op {
            BinaryOp::Plus => Op::Add,
            BinaryOp::Minus => Op::Sub,
            BinaryOp::Times => Op::Mul,
            BinaryOp::Div | BinaryOp::Divide => by_sign(Op::Sdiv, Op::Udiv),
            BinaryOp::Mod => by_sign(Op::Srem, Op::Urem),
            BinaryOp::BitAnd => Op::And,
            BinaryOp::BitOr => Op::Or,
            BinaryOp::ShiftLeft => Op::Shl,
            BinaryOp::ShiftRight => by_sign(Op::Ashr, Op::Lshr),
            BinaryOp::Less => by_sign(Op::Slt, Op::Ult),
            BinaryOp::LessEqual => by_sign(Op::Sle, Op::Ule),
            BinaryOp::Greater => return self.binary(by_sign(Op::Slt, Op::Ult), b, a, at),
            BinaryOp::GreaterEqual => return self.binary(by_sign(Op::Sle, Op::Ule), b, a, at),
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Arrow
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Implies => {
                return Err(self.error(at, "this operator is not defined on machine integers"));
            }
        };
        self.binary(core, a, b, at)
    }

    /// A constant modulo the number of values, or a machine integer with more or fewer bits.
    pub(super) fn machine_cast(
        &mut self,
        machine: Machine,
        from: Id,
        value: ExprId,
        at: &At,
    ) -> Result<ExprId, InputError> {
        if value == UNKNOWN {
            return Ok(UNKNOWN);
        }
        if let Some(before) = self.machine_of(from) {
            let op = match (before.width, machine.width) {
                (from, to) if from == to => return Ok(value),
                (from, to) if from > to => UnaryOp::Extract { high: to - 1, low: 0 },
                (from, to) if before.signed => UnaryOp::SignExtend(to - from),
                (from, to) => UnaryOp::ZeroExtend(to - from),
            };
            return self.unary(op, value, at);
        }
        let Some(Value::Int(number)) = self.literal(value) else {
            return Err(self.error(at, format!("expected a constant to convert to {machine}")));
        };
        let bits = propcov_ir::Bits::new(
            machine.width,
            number.clone().rem_euclid(IBig::ONE << machine.width as usize),
        );
        Ok(self.system.exprs.constant(Value::Bits(bits)))
    }

    /// The number that a machine integer is: the sum of its bits' weights.
    pub(super) fn machine_to_int(&mut self, from: Id, value: ExprId, at: &At) -> Result<ExprId, InputError> {
        let Some(machine) = self.machine_of(from).filter(|_| value != UNKNOWN) else { return Ok(UNKNOWN) };
        let zero = self.system.exprs.constant(Value::Int(IBig::ZERO));
        let mut sum = zero;
        for bit in 0..machine.width {
            let weight = IBig::ONE << bit as usize;
            let is_sign = machine.signed && bit + 1 == machine.width;
            let weight = self.system.exprs.constant(Value::Int(if is_sign { -weight } else { weight }));
            let is_set = self.unary(UnaryOp::Extract { high: bit, low: bit }, value, at)?;
            let part = self.system.exprs.ternary(TernaryOp::Ite, is_set, weight, zero);
            let part = part.map_err(|error| self.error(at, error.to_string()))?;
            sum = self.binary(Op::Add, sum, part, at)?;
        }
        Ok(sum)
    }

    /// Division of integers as C has it, rounded towards zero: `if a >= 0 then a div b else -(-a div b)`, and the remainder with the sign of the dividend.
    pub(super) fn truncating_division(
        &mut self,
        op: BinaryOp,
        (a, b): (ExprId, ExprId),
        id: Id,
    ) -> Result<ExprId, InputError> {
        let at = &self.inlined.names.program.expr(id).at;
        let core = if op == BinaryOp::Mod { Op::IntMod } else { Op::IntDiv };
        self.warn_of_zero(b, id);
        let zero = self.system.exprs.constant(Value::Int(IBig::ZERO));
        let is_positive = self.binary(Op::Le, zero, a, at)?;
        let plain = self.binary(core, a, b, at)?;
        let negated = self.unary(UnaryOp::Neg, a, at)?;
        let of_negated = self.binary(core, negated, b, at)?;
        let otherwise = self.unary(UnaryOp::Neg, of_negated, at)?;
        match self.literal(is_positive).and_then(Value::as_bool) {
            Some(true) => Ok(plain),
            Some(false) => Ok(otherwise),
            None => {
                let chosen = self.system.exprs.ternary(TernaryOp::Ite, is_positive, plain, otherwise);
                chosen.map_err(|error| self.error(at, error.to_string()))
            }
        }
    }
}
