//! Values of expressions. slang has resolved names and widths: each operand has the width that its operator needs, and conversions are explicit.

use super::machine::{Chosen, Machine};
use super::record::{At, ExprKind, ExprRef, PropertyKind, PropertyRef};
use super::types::MAX_BITS;
use super::wording::in_words;
use crate::{Granularity, InputError};
use propcov_ir::{BinaryOp, Bits, ElementKind, ExprId, UnaryOp, Value};

impl Machine<'_> {
    /// The value of an expression, a word as wide as its type.
    pub(super) fn eval(&mut self, expr: ExprRef) -> Result<ExprId, InputError> {
        self.go_on()?;
        let export = self.export;
        let (at, ty) = (export.expr(expr).at, export.type_of(expr));
        if ty.width == 0 && !has_value(&export.expr(expr).what) {
            return self.error(at, format!("{} is not supported", self.describe(expr)));
        }
        if ty.width > MAX_BITS {
            return self.error(at, format!("a value of more than {MAX_BITS} bits"));
        }
        let value = self.shape(expr)?;
        if ty.width != 0 && self.width(value) != ty.width {
            let found = self.width(value);
            return self.error(at, format!("a value of {found} bits, expected {}", ty.width));
        }
        Ok(value)
    }

    /// The word for an expression in messages.
    fn describe(&self, expr: ExprRef) -> String {
        match (&self.export.expr(expr).what, &self.export.type_of(expr).shape) {
            (ExprKind::Other(kind), _) => in_words(kind),
            (_, super::record::Shape::Other(kind)) => format!("type {kind}"),
            _ => "a value without bits".to_owned(),
        }
    }

    fn shape(&mut self, expr: ExprRef) -> Result<ExprId, InputError> {
        let export = self.export;
        let (at, width) = (export.expr(expr).at, export.type_of(expr).width);
        match &export.expr(expr).what {
            ExprKind::Const(digits) => self.literal(digits, width, at),
            ExprKind::Value(symbol) => self.read(*symbol),
            ExprKind::Unary(operator, operand) => self.unary_operator(operator, *operand, expr),
            ExprKind::Binary(operator, a, b) => {
                let value = self.binary_operator(operator, *a, *b, at)?;
                Ok(self.operator_element(operator, at, value))
            }
            ExprKind::Conditional(conditions, a, b) => self.conditional(conditions, *a, *b),
            ExprKind::Assign(target, value, non_blocking) => {
                self.assign(*target, *value, *non_blocking, export.expr(expr).at)
            }
            ExprKind::Concat(parts) | ExprKind::Pattern(parts) => self.joined(parts, at),
            ExprKind::Replicate(count, operand) => self.replicated(*count, *operand, at),
            ExprKind::Element(..) => self.element_value(expr),
            ExprKind::Range(..) | ExprKind::Member(..) => self.part_value(expr),
            ExprKind::Convert(operand, kind) => self.converted(*operand, kind, expr),
            ExprKind::System(name, arguments) => self.system_call(name, arguments, expr),
            ExprKind::Load(load) => self.load(load, at),
            ExprKind::Call(routine, arguments) => self.call(*routine, arguments, at),
            ExprKind::Inside(a, sets) => self.inside(*a, sets),
            ExprKind::Stream(size, parts) => self.streamed(*size, parts, at),
            ExprKind::Target => match self.target {
                Some(value) => Ok(value),
                None => self.error(at, "there is no target to refer to"),
            },
            ExprKind::Empty => match self.incoming {
                Some(value) => Ok(value),
                None => self.error(at, "an argument is left out"),
            },
            ExprKind::Property(property, _) => self.boolean_property(*property, at),
            ExprKind::Unbounded => self.error(at, "`$` is not supported here"),
            ExprKind::Clock(_) => self.error(at, "a clock is not supported here"),
            ExprKind::Between(..) => self.error(at, "a range is not supported here"),
            ExprKind::Other(kind) => self.error(at, format!("{} is not supported", in_words(kind))),
        }
    }

    /// A value as a Boolean.
    pub(super) fn condition(&mut self, expr: ExprRef) -> Result<ExprId, InputError> {
        let value = self.eval(expr)?;
        Ok(self.truth(value))
    }

    /// Several conditions that all have to hold.
    pub(super) fn conditions(&mut self, exprs: &[ExprRef]) -> Result<ExprId, InputError> {
        let mut all = self.bool(true);
        for expr in exprs {
            let condition = self.condition(*expr)?;
            all = self.and(all, condition);
        }
        Ok(all)
    }

    /// A literal; its `x` and `z` are any value in each step.
    pub(super) fn literal(&mut self, digits: &str, width: u32, at: At) -> Result<ExprId, InputError> {
        if digits.len() as u64 > u64::from(width) {
            return self.error(at, "a constant has more digits than bits");
        }
        let digit = |wanted: fn(u8) -> bool| {
            Bits::from_bits(
                digits
                    .bytes()
                    .rev()
                    .map(wanted)
                    .chain(std::iter::repeat_n(false, width as usize - digits.len())),
            )
        };
        let ones = self.system.exprs.constant(Value::Bits(digit(|digit| digit == b'1')));
        let unknown = digit(|digit| digit != b'0' && digit != b'1');
        if !unknown.is_nonzero() {
            return Ok(ones);
        }
        let mask = self.system.exprs.constant(Value::Bits(unknown));
        let any = self.undefined_at(width, at);
        let any = self.and(any, mask);
        Ok(self.or(ones, any))
    }

    /// The digits of a constant, one for each bit, the most significant first; for comparisons that know wildcards.
    pub(super) fn digits(&self, expr: ExprRef) -> Option<String> {
        match &self.export.expr(expr).what {
            ExprKind::Const(digits) => {
                let width = self.export.type_of(expr).width as usize;
                Some("0".repeat(width.saturating_sub(digits.len())) + digits)
            }
            ExprKind::Convert(operand, _)
                if self.export.type_of(*operand).width == self.export.type_of(expr).width =>
            {
                self.digits(*operand)
            }
            _ => None,
        }
    }

    /// Makes an operator an element, where operators are.
    fn operator_element(&mut self, operator: &str, at: At, value: ExprId) -> ExprId {
        if self.granularity == Granularity::Equation || !self.has_elements() || self.constant(value).is_some()
        {
            return value;
        }
        let name = self.placed_name(operator, at);
        self.element(ElementKind::Operator, name, at, value).0
    }

    fn unary_operator(
        &mut self,
        operator: &str,
        operand: ExprRef,
        expr: ExprRef,
    ) -> Result<ExprId, InputError> {
        if operator.ends_with("crement") {
            return self.step(operator, operand, expr);
        }
        let a = self.eval(operand)?;
        let at = self.export.expr(expr).at;
        let value = match operator {
            "Plus" => return Ok(a),
            "Minus" => self.unary(UnaryOp::Neg, a),
            "BitwiseNot" => self.not(a),
            "BitwiseAnd" => self.unary(UnaryOp::ReduceAnd, a),
            "BitwiseOr" => self.unary(UnaryOp::ReduceOr, a),
            "BitwiseXor" => self.unary(UnaryOp::ReduceXor, a),
            "BitwiseNand" => self.negated_reduction(UnaryOp::ReduceAnd, a),
            "BitwiseNor" => self.negated_reduction(UnaryOp::ReduceOr, a),
            "BitwiseXnor" => self.negated_reduction(UnaryOp::ReduceXor, a),
            "LogicalNot" => self.negated_reduction(UnaryOp::ReduceOr, a),
            _ => return self.error(at, format!("operator {operator} is not supported")),
        };
        Ok(self.operator_element(operator, at, value))
    }

    fn negated_reduction(&mut self, op: UnaryOp, a: ExprId) -> ExprId {
        let reduced = self.unary(op, a);
        self.not(reduced)
    }

    /// `i++` and its like.
    fn step(&mut self, operator: &str, operand: ExprRef, expr: ExprRef) -> Result<ExprId, InputError> {
        let before = self.eval(operand)?;
        let one = self.bits(self.width(before), 1);
        let op = if operator.ends_with("increment") { BinaryOp::Add } else { BinaryOp::Sub };
        let after = self.binary(op, before, one);
        self.store(operand, after, false, self.export.expr(expr).at)?;
        Ok(if operator.starts_with("Post") { before } else { after })
    }

    fn binary_operator(
        &mut self,
        operator: &str,
        a: ExprRef,
        b: ExprRef,
        at: At,
    ) -> Result<ExprId, InputError> {
        let is_wild =
            matches!(operator, "WildcardEquality" | "WildcardInequality" | "CaseEquality" | "CaseInequality");
        if let Some(digits) = self.digits(b).filter(|digits| is_wild && digits.contains(['x', 'z'])) {
            let left = self.eval(a)?;
            let equal = match operator {
                "WildcardEquality" | "WildcardInequality" => self.matches(left, &digits, at)?,
                // Values are never unknown here.
                _ => self.bool(false),
            };
            return Ok(if operator.ends_with("Inequality") { self.not(equal) } else { equal });
        }
        let signed = self.export.type_of(a).signed;
        let (left, right) = (self.eval(a)?, self.eval(b)?);
        if let Some(value) = self.logical(operator, left, right) {
            return Ok(value);
        }
        if let Some(value) = self.shift(operator, left, right, signed) {
            return Ok(value);
        }
        if operator == "Power" {
            return self.power(left, right, self.export.type_of(b).signed, at);
        }
        if self.width(left) != self.width(right) {
            return self.error(at, "operands of different widths");
        }
        match self.arithmetic(operator, left, right, signed, at) {
            Some(value) => Ok(value),
            None => self.error(at, format!("operator {operator} is not supported")),
        }
    }

    fn logical(&mut self, operator: &str, a: ExprId, b: ExprId) -> Option<ExprId> {
        if !operator.starts_with("Logical") || operator.contains("Shift") {
            return None;
        }
        let (a, b) = (self.truth(a), self.truth(b));
        Some(match operator {
            "LogicalAnd" => self.and(a, b),
            "LogicalOr" => self.or(a, b),
            "LogicalImplication" => {
                let not = self.not(a);
                self.or(not, b)
            }
            "LogicalEquivalence" => self.eq(a, b),
            _ => return None,
        })
    }

    /// Shifts: the amount has a width of its own, and is never negative.
    fn shift(&mut self, operator: &str, a: ExprId, amount: ExprId, signed: bool) -> Option<ExprId> {
        let op = match operator {
            "LogicalShiftLeft" | "ArithmeticShiftLeft" => BinaryOp::Shl,
            "LogicalShiftRight" => BinaryOp::Lshr,
            "ArithmeticShiftRight" if signed => BinaryOp::Ashr,
            "ArithmeticShiftRight" => BinaryOp::Lshr,
            _ => return None,
        };
        let has = self.width(a);
        let width = has.max(self.width(amount));
        let wide = self.resized(a, width, op == BinaryOp::Ashr);
        let amount = self.resized(amount, width, false);
        let shifted = self.binary(op, wide, amount);
        Some(self.slice(shifted, 0, has))
    }

    fn arithmetic(&mut self, operator: &str, a: ExprId, b: ExprId, signed: bool, at: At) -> Option<ExprId> {
        let (less, at_most) =
            if signed { (BinaryOp::Slt, BinaryOp::Sle) } else { (BinaryOp::Ult, BinaryOp::Ule) };
        Some(match operator {
            "Add" => self.binary(BinaryOp::Add, a, b),
            "Subtract" => self.binary(BinaryOp::Sub, a, b),
            "Multiply" => self.binary(BinaryOp::Mul, a, b),
            "Divide" => self.divided(if signed { BinaryOp::Sdiv } else { BinaryOp::Udiv }, a, b, at),
            "Mod" => self.divided(if signed { BinaryOp::Srem } else { BinaryOp::Urem }, a, b, at),
            "BinaryAnd" => self.and(a, b),
            "BinaryOr" => self.or(a, b),
            "BinaryXor" => self.binary(BinaryOp::Xor, a, b),
            "BinaryXnor" => {
                let xor = self.binary(BinaryOp::Xor, a, b);
                self.not(xor)
            }
            "Equality" | "CaseEquality" | "WildcardEquality" => self.eq(a, b),
            "Inequality" | "CaseInequality" | "WildcardInequality" => {
                let equal = self.eq(a, b);
                self.not(equal)
            }
            "LessThan" => self.binary(less, a, b),
            "LessThanEqual" => self.binary(at_most, a, b),
            "GreaterThan" => self.binary(less, b, a),
            "GreaterThanEqual" => self.binary(at_most, b, a),
            _ => return None,
        })
    }

    /// A quotient or remainder; by zero it is undefined.
    fn divided(&mut self, op: BinaryOp, a: ExprId, b: ExprId, at: At) -> ExprId {
        let value = self.binary(op, a, b);
        match self.constant(b).map(Bits::is_nonzero) {
            Some(true) => value,
            Some(false) => self.undefined_at(self.width(a), at),
            None => {
                let undefined = self.undefined_at(self.width(a), at);
                let defined = self.truth(b);
                self.ite(defined, value, undefined)
            }
        }
    }

    /// A power, by squaring: `b ** 5` is `b ** 4 * b ** 1`. What a negative exponent means is not supported.
    fn power(
        &mut self,
        base: ExprId,
        exponent: ExprId,
        is_signed: bool,
        at: At,
    ) -> Result<ExprId, InputError> {
        let mut digits = self.width(exponent);
        if is_signed {
            match self.constant(exponent) {
                Some(bits) if !bits.bit(digits - 1) => digits -= 1,
                _ => return self.error(at, "`**` with an exponent that may be negative is not supported"),
            }
        }
        let one = self.bits(self.width(base), 1);
        let (mut value, mut square) = (one, base);
        for digit in 0..digits {
            let is_set = self.slice(exponent, digit, 1);
            let factor = self.ite(is_set, square, one);
            value = if value == one { factor } else { self.binary(BinaryOp::Mul, value, factor) };
            square = self.binary(BinaryOp::Mul, square, square);
        }
        Ok(value)
    }

    fn conditional(&mut self, conditions: &[ExprRef], a: ExprRef, b: ExprRef) -> Result<ExprId, InputError> {
        let condition = self.conditions(conditions)?;
        let at = self.export.expr(*conditions.first().unwrap_or(&a)).at;
        if self.export.type_of(a).width != self.export.type_of(b).width {
            return self.error(at, "two values of different widths");
        }
        let condition = self.branch_element("?:", at, condition);
        let chosen = self.choose(condition, |machine| machine.eval(a), |machine| machine.eval(b))?;
        Ok(match chosen {
            Chosen::One(value) => value,
            Chosen::Both(a, b) => self.ite(condition, a, b),
        })
    }

    /// Values one behind the other, the first in the high bits. What has no bits is left out.
    fn joined(&mut self, parts: &[ExprRef], at: At) -> Result<ExprId, InputError> {
        let mut value = None;
        for part in parts {
            if self.is_empty(*part) {
                continue;
            }
            let part = self.eval(*part)?;
            value = Some(match value {
                None => part,
                Some(high) => self.concat(high, part),
            });
        }
        match value {
            Some(value) => Ok(value),
            None => self.error(at, "a value without bits"),
        }
    }

    /// A replication by zero, which is allowed beside other values.
    fn is_empty(&self, expr: ExprRef) -> bool {
        matches!(self.export.expr(expr).what, ExprKind::Replicate(..)) && self.export.type_of(expr).width == 0
    }

    fn replicated(&mut self, count: ExprRef, operand: ExprRef, at: At) -> Result<ExprId, InputError> {
        let count = self.eval(count)?;
        let count = self.constant(count).and_then(|bits| u32::try_from(bits.unsigned()).ok());
        let value = self.eval(operand)?;
        let fits = |count: &u32| {
            *count > 0 && count.checked_mul(self.width(value)).is_some_and(|bits| bits <= MAX_BITS)
        };
        let Some(count) = count.filter(fits) else { return self.error(at, "expected a constant count") };
        let mut all = value;
        for _ in 1..count {
            all = self.concat(all, value);
        }
        Ok(all)
    }

    fn element_value(&mut self, expr: ExprRef) -> Result<ExprId, InputError> {
        let Some(access) = self.memory_access(expr)? else { return self.part_value(expr) };
        let memory = self.read(access.symbol)?;
        let value = self.binary(BinaryOp::Read, memory, access.address);
        if self.certain(access.exists) == Some(true) {
            return Ok(value);
        }
        let undefined = self.undefined_at(access.memory.element, self.export.expr(expr).at);
        Ok(self.ite(access.exists, value, undefined))
    }

    fn part_value(&mut self, expr: ExprRef) -> Result<ExprId, InputError> {
        let at = self.export.expr(expr).at;
        let Some((base, part)) = self.part(expr)? else { return self.error(at, "expected a selection") };
        let word = self.eval(base)?;
        Ok(self.select(word, part))
    }

    /// A value as one of another type. Where the type comes from the context of an operator, it also says how to extend (IEEE 1800, 11.8.2).
    fn converted(&mut self, operand: ExprRef, kind: &str, expr: ExprRef) -> Result<ExprId, InputError> {
        let value = self.eval(operand)?;
        let (from, to) = (self.export.type_of(operand), self.export.type_of(expr));
        let (signed, width) = (if kind == "Propagated" { to.signed } else { from.signed }, to.width);
        if kind == "StreamingConcat" && self.width(value) < width {
            // A stream fills its target from the left.
            let zeros = self.bits(width - self.width(value), 0);
            return Ok(self.concat(value, zeros));
        }
        Ok(self.resized(value, width, signed))
    }

    fn inside(&mut self, a: ExprRef, sets: &[ExprRef]) -> Result<ExprId, InputError> {
        let value = self.eval(a)?;
        let signed = self.export.type_of(a).signed;
        let mut found = self.bool(false);
        for set in sets {
            let here = self.in_set(value, signed, *set)?;
            found = self.or(found, here);
        }
        Ok(found)
    }

    /// Whether a value is in one set of `inside`: a range, an array, or a value with wildcards.
    pub(super) fn in_set(&mut self, value: ExprId, signed: bool, set: ExprRef) -> Result<ExprId, InputError> {
        let export = self.export;
        let at = export.expr(set).at;
        if let ExprKind::Between(low, high) = export.expr(set).what {
            return self.between(value, signed, low, high);
        }
        if let Some(digits) = self.digits(set) {
            return self.matches(value, &digits, at);
        }
        let all = self.eval(set)?;
        let width = self.width(value);
        let is_array = export.type_of(set).unpacked_element().is_some();
        if self.width(all) != width && !(is_array && self.width(all).is_multiple_of(width)) {
            return self.error(at, "a value of another width");
        }
        let mut found = self.bool(false);
        for position in 0..self.width(all) / width {
            let element = self.slice(all, position * width, width);
            let equal = self.eq(value, element);
            found = self.or(found, equal);
        }
        Ok(found)
    }

    fn between(
        &mut self,
        value: ExprId,
        signed: bool,
        low: ExprRef,
        high: ExprRef,
    ) -> Result<ExprId, InputError> {
        let at_most = if signed { BinaryOp::Sle } else { BinaryOp::Ule };
        let mut within = self.bool(true);
        for (bound, is_low) in [(low, true), (high, false)] {
            if self.is_unbounded(bound) {
                continue;
            }
            let limit = self.eval(bound)?;
            if self.width(limit) != self.width(value) {
                return self.error(self.export.expr(bound).at, "a bound of another width");
            }
            let holds =
                if is_low { self.binary(at_most, limit, value) } else { self.binary(at_most, value, limit) };
            within = self.and(within, holds);
        }
        Ok(within)
    }

    /// Whether a bound is `$`.
    fn is_unbounded(&self, bound: ExprRef) -> bool {
        match self.export.expr(bound).what {
            ExprKind::Unbounded => true,
            ExprKind::Convert(inner, _) => self.is_unbounded(inner),
            _ => false,
        }
    }

    /// Whether a value has these digits; `x` and `z` stand for any bit.
    pub(super) fn matches(&mut self, value: ExprId, digits: &str, at: At) -> Result<ExprId, InputError> {
        if digits.len() as u32 != self.width(value) {
            return self.error(at, "a pattern of another width");
        }
        let digit = |wanted: fn(u8) -> bool| Value::Bits(Bits::from_bits(digits.bytes().rev().map(wanted)));
        let ones = self.system.exprs.constant(digit(|digit| digit == b'1'));
        let mask = self.system.exprs.constant(digit(|digit| matches!(digit, b'0' | b'1')));
        let masked = self.and(value, mask);
        Ok(self.eq(masked, ones))
    }

    /// A stream: slices of so many bits in the opposite order, or all as they are.
    fn streamed(&mut self, size: u64, parts: &[ExprRef], at: At) -> Result<ExprId, InputError> {
        let value = self.joined(parts, at)?;
        Ok(self.in_slices(size, value))
    }

    /// The slices of a word, each of so many bits, in the opposite order.
    pub(super) fn in_slices(&mut self, size: u64, value: ExprId) -> ExprId {
        let (Ok(size), width) = (u32::try_from(size), self.width(value)) else { return value };
        if size == 0 {
            return value;
        }
        let mut low = size.min(width);
        let mut result = self.slice(value, 0, low);
        while low < width {
            let next = size.min(width - low);
            let slice = self.slice(value, low, next);
            result = self.concat(result, slice);
            low += next;
        }
        result
    }

    /// A named sequence or property that is only a Boolean.
    fn boolean_property(&mut self, property: PropertyRef, at: At) -> Result<ExprId, InputError> {
        match self.export.property(property).what {
            PropertyKind::Simple(expr, None) => self.condition(expr),
            _ => self.error(at, "only a Boolean is supported here"),
        }
    }
}

/// Whether an expression may have a value although its type has no bits: routines have effects, and streams have the type of what they are assigned to.
fn has_value(what: &ExprKind) -> bool {
    matches!(
        what,
        ExprKind::Call(..)
            | ExprKind::System(..)
            | ExprKind::Load(_)
            | ExprKind::Stream(..)
            | ExprKind::Assign(..)
    )
}
