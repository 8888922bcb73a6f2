//! Operators on scalars and on lists of them. What is made of literals only is evaluated at once: solvers multiply and divide by literals.

use super::super::syntax::{At, BinaryOp, Dialect, ExprKind, Id};
use super::{
    expression::Flat,
    lowering::{Lowering, UNKNOWN},
    types::Resolved,
};
use crate::InputError;
use propcov_ir::{
    BinaryOp as Op, ExprId, Node, Sort, SortError, TernaryOp, UnaryOp, Value, evaluate_binary, evaluate_unary,
};

impl Lowering<'_> {
    /// The value of an expression that is a literal.
    pub(super) fn literal(&self, expr: ExprId) -> Option<&Value> {
        if expr == UNKNOWN {
            return None;
        }
        match self.system.exprs.node(expr) {
            Node::Const(value) => Some(value),
            _ => None,
        }
    }

    fn sorted(&self, result: Result<ExprId, SortError>, at: &At) -> Result<ExprId, InputError> {
        result.map_err(|error| self.error(at, error.to_string()))
    }

    pub(super) fn unary(&mut self, op: UnaryOp, a: ExprId, at: &At) -> Result<ExprId, InputError> {
        if a == UNKNOWN {
            return Ok(UNKNOWN);
        }
        if let Some(value) = self.literal(a).and_then(|a| evaluate_unary(&op, a).ok()) {
            return Ok(self.system.exprs.constant(value));
        }
        let result = self.system.exprs.unary(op, a);
        self.sorted(result, at)
    }

    pub(super) fn binary(&mut self, op: Op, a: ExprId, b: ExprId, at: &At) -> Result<ExprId, InputError> {
        if a == UNKNOWN || b == UNKNOWN {
            return Ok(UNKNOWN);
        }
        if let (Some(x), Some(y)) = (self.literal(a), self.literal(b))
            && x.sort() == y.sort()
            && !(is_division(op) && is_zero(y))
            && let Ok(value) = evaluate_binary(op, x, y)
        {
            return Ok(self.system.exprs.constant(value));
        }
        let result = self.system.exprs.binary(op, a, b);
        self.sorted(result, at)
    }

    /// An operator of two scalars, other than equality and `->`.
    pub(super) fn operator(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        id: Id,
    ) -> Result<ExprId, InputError> {
        let program = self.inlined.names.program;
        let at = &program.expr(id).at;
        if let ExprKind::Binary(_, left, _) = &program.expr(id).kind
            && let Some(machine) = self.machine_of(*left)
        {
            return self.machine_operator(machine, op, (a, b), id);
        }
        let whole = b != UNKNOWN && *self.system.exprs.sort(b) == Sort::Int;
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Mod) || op == BinaryOp::Divide && whole;
        if divides && program.dialect == Dialect::LustreC && a != UNKNOWN && b != UNKNOWN {
            return self.truncating_division(op, (a, b), id);
        }
        let core = match op {
            BinaryOp::Plus => Op::Add,
            BinaryOp::Minus => Op::Sub,
            BinaryOp::Times => Op::Mul,
            BinaryOp::Divide if whole => Op::IntDiv,
            BinaryOp::Divide => Op::RealDiv,
            BinaryOp::Div => Op::IntDiv,
            BinaryOp::Mod => Op::IntMod,
            BinaryOp::Less => Op::Lt,
            BinaryOp::LessEqual => Op::Le,
            BinaryOp::Greater => return self.binary(Op::Lt, b, a, at),
            BinaryOp::GreaterEqual => return self.binary(Op::Le, b, a, at),
            BinaryOp::And => Op::And,
            BinaryOp::Or => Op::Or,
            BinaryOp::Xor => Op::Xor,
            BinaryOp::Implies => {
                let not = self.unary(UnaryOp::Not, a, at)?;
                return self.binary(Op::Or, not, b, at);
            }
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                return Err(self.error(at, "expected machine integers"));
            }
            BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::Arrow => Op::Eq,
        };
        if is_division(core) {
            self.warn_of_zero(b, id);
        }
        self.binary(core, a, b, at)
    }

    /// Tells the user once if a divisor may be zero.
    pub(super) fn warn_of_zero(&mut self, divisor: ExprId, id: Id) {
        if divisor != UNKNOWN && self.literal(divisor).is_none_or(is_zero) {
            self.warn_once(id, "the divisor may be zero; what a quotient by zero is, is left open");
        }
    }

    /// Whether all scalars are equal.
    pub(super) fn equal(&mut self, a: &Flat, b: &Flat, at: &At) -> Result<ExprId, InputError> {
        self.same_length(a, b, at)?;
        let mut all = None;
        for (x, y) in a.scalars().iter().zip(b.scalars()) {
            let equal = self.binary(Op::Eq, *x, *y, at)?;
            all = Some(match all {
                Some(all) => self.binary(Op::And, all, equal, at)?,
                None => equal,
            });
        }
        Ok(all.unwrap_or_else(|| self.system.exprs.bool(true)))
    }

    fn same_length(&self, a: &Flat, b: &Flat, at: &At) -> Result<(), InputError> {
        match a.scalars().len() == b.scalars().len() {
            true => Ok(()),
            false => Err(self.error(at, "the operands have different types")),
        }
    }

    /// If-then-else, scalar by scalar.
    pub(super) fn choose(
        &mut self,
        condition: ExprId,
        then: &Flat,
        otherwise: &Flat,
        at: &At,
    ) -> Result<Flat, InputError> {
        self.same_length(then, otherwise, at)?;
        let mut chosen = Vec::with_capacity(then.scalars().len());
        for (x, y) in then.scalars().iter().zip(otherwise.scalars()) {
            if [condition, *x, *y].contains(&UNKNOWN) {
                chosen.push(UNKNOWN);
                continue;
            }
            let result = self.system.exprs.ternary(TernaryOp::Ite, condition, *x, *y);
            chosen.push(self.sorted(result, at)?);
        }
        Ok(Flat::from(chosen))
    }

    /// Some of the scalars.
    pub(super) fn slice(
        &self,
        value: &Flat,
        offset: usize,
        size: usize,
        at: &At,
    ) -> Result<Flat, InputError> {
        let scalars = value.scalars().get(offset..offset + size);
        let scalars = scalars.ok_or_else(|| self.error(at, "a value with fewer scalars than its type"))?;
        Ok(Flat::from(scalars.to_vec()))
    }

    /// The value with some scalars replaced.
    pub(super) fn replaced(
        &self,
        value: &Flat,
        offset: usize,
        new: &Flat,
        at: &At,
    ) -> Result<Flat, InputError> {
        let mut scalars = value.scalars().to_vec();
        let Some(part) = scalars.get_mut(offset..offset + new.scalars().len()) else {
            return Err(self.error(at, "a value with fewer scalars than its type"));
        };
        part.copy_from_slice(new.scalars());
        Ok(Flat::from(scalars))
    }

    /// How many elements an array has, and how many scalars each of them.
    pub(super) fn shape(&self, array: Id, at: &At) -> Result<(usize, usize), InputError> {
        let names = &self.inlined.names;
        match names.types.get(names.of(array)) {
            Resolved::Array(element, count) if *count > 0 => Ok((*count, names.types.size(*element))),
            _ => Err(self.error(at, "expected an array with elements")),
        }
    }

    /// The position that a literal index says, if it is one of the array.
    pub(super) fn position(&self, index: ExprId, count: usize) -> Option<usize> {
        match self.literal(index)? {
            Value::Int(index) => usize::try_from(index).ok().filter(|index| *index < count),
            _ => None,
        }
    }

    fn index_is(&mut self, index: ExprId, position: usize, at: &At) -> Result<ExprId, InputError> {
        let literal = self.system.exprs.constant(Value::Int(position.into()));
        self.binary(Op::Eq, index, literal, at)
    }

    /// An element of an array: the last one where the index is out of range.
    pub(super) fn element(
        &mut self,
        array: Id,
        value: &Flat,
        index: ExprId,
        at: &At,
    ) -> Result<Flat, InputError> {
        let (count, size) = self.shape(array, at)?;
        if let Some(position) = self.position(index, count) {
            return self.slice(value, position * size, size, at);
        }
        let mut result = self.slice(value, (count - 1) * size, size, at)?;
        for position in (0..count - 1).rev() {
            let here = self.index_is(index, position, at)?;
            let element = self.slice(value, position * size, size, at)?;
            result = self.choose(here, &element, &result, at)?;
        }
        Ok(result)
    }

    /// The array with another element: unchanged where the index is out of range.
    pub(super) fn element_update(
        &mut self,
        array: Id,
        value: &Flat,
        index: ExprId,
        new: &Flat,
        at: &At,
    ) -> Result<Flat, InputError> {
        let (count, size) = self.shape(array, at)?;
        if let Some(position) = self.position(index, count) {
            return self.replaced(value, position * size, new, at);
        }
        let mut scalars = Vec::with_capacity(count * size);
        for position in 0..count {
            let here = self.index_is(index, position, at)?;
            let old = self.slice(value, position * size, size, at)?;
            scalars.extend_from_slice(self.choose(here, new, &old, at)?.scalars());
        }
        Ok(Flat::from(scalars))
    }
}

fn is_division(op: Op) -> bool {
    matches!(op, Op::RealDiv | Op::IntDiv | Op::IntMod)
}

pub(super) fn is_zero(value: &Value) -> bool {
    *value == Value::zero(&value.sort())
}
