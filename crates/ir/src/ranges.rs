//! Values of which only bounds are known, and what operators make of them.
//!
//! A [`Range`] stands for a set of values. Operators are over-approximated: what they return contains every result of values in their operands. So an expression whose range is the one value
//! *false* is false for all values in the ranges that it was made of. Bounds are those of interval arithmetic: how two operands depend on each other is not seen.

use crate::evaluate::{EvaluationError, evaluate_binary, evaluate_ternary, evaluate_unary};
use crate::{BinaryOp, TernaryOp, UnaryOp, Value};
use dashu_ratio::RBig;
use std::fmt;

/// A set of values of one sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Range {
    /// One value.
    One(Value),
    /// Numbers from a least to a greatest one, both included; without one there is no limit.
    Between(Bounds),
    /// Any value of the sort.
    Any,
}

/// Limits of ints or reals. Those of ints are whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The least number.
    pub low: Option<RBig>,
    /// The greatest number.
    pub high: Option<RBig>,
    /// Whether these are ints.
    pub whole: bool,
}

impl Range {
    /// The only value, if it is one.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Range::One(value) => Some(value),
            Range::Between(_) | Range::Any => None,
        }
    }

    /// The truth value, if it is known.
    pub fn truth(&self) -> Option<bool> {
        self.value().and_then(Value::as_bool)
    }

    /// The numbers between two limits, which are in order.
    pub fn between(low: Option<RBig>, high: Option<RBig>, whole: bool) -> Range {
        match (&low, &high) {
            (Some(one), Some(other)) if one == other => Range::One(number(one.clone(), whole)),
            _ => Range::Between(Bounds { low, high, whole }),
        }
    }

    /// Whether a value is in it.
    pub fn contains(&self, value: &Value) -> bool {
        match (self, amount(value)) {
            (Range::One(one), _) => one == value,
            (Range::Any, _) => true,
            (Range::Between(Bounds { low, high, .. }), Some((amount, _))) => {
                low.as_ref().is_none_or(|low| *low <= amount)
                    && high.as_ref().is_none_or(|high| amount <= *high)
            }
            (Range::Between(_), None) => false,
        }
    }

    /// Limits of numbers; `None` of what is not known to be a number.
    fn bounds(&self) -> Option<Bounds> {
        match self {
            Range::One(value) => {
                let (amount, whole) = amount(value)?;
                Some(Bounds { low: Some(amount.clone()), high: Some(amount), whole })
            }
            Range::Between(bounds) => Some(bounds.clone()),
            Range::Any => None,
        }
    }

    /// A range that contains both.
    fn join(&self, other: &Range) -> Range {
        if self == other {
            return self.clone();
        }
        let (Some(one), Some(two)) = (self.bounds(), other.bounds()) else { return Range::Any };
        let low = one.low.zip(two.low).map(|(one, two)| one.min(two));
        let high = one.high.zip(two.high).map(|(one, two)| one.max(two));
        numbers(low, high, one.whole)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::One(value) => write!(f, "{value}"),
            Range::Any => f.write_str("*"),
            Range::Between(Bounds { low: Some(low), high: Some(high), .. }) => write!(f, "[{low}, {high}]"),
            Range::Between(Bounds { low: Some(low), high: None, .. }) => write!(f, "[{low}, inf)"),
            Range::Between(Bounds { low: None, high: Some(high), .. }) => write!(f, "(-inf, {high}]"),
            Range::Between(Bounds { low: None, high: None, .. }) => f.write_str("*"),
        }
    }
}

/// A number and whether it is an int.
fn amount(value: &Value) -> Option<(RBig, bool)> {
    match value {
        Value::Int(value) => Some((RBig::from(value.clone()), true)),
        Value::Real(value) => Some((value.clone(), false)),
        Value::Bits(_) | Value::Array(_) | Value::Enum(..) => None,
    }
}

fn number(amount: RBig, whole: bool) -> Value {
    if whole { Value::Int(amount.floor()) } else { Value::Real(amount) }
}

/// Without any limit it may be any number.
fn numbers(low: Option<RBig>, high: Option<RBig>, whole: bool) -> Range {
    if low.is_none() && high.is_none() { Range::Any } else { Range::between(low, high, whole) }
}

/// What an operator of one operand makes of a range.
///
/// # Errors
/// When the operand does not fit.
pub fn range_of_unary(op: &UnaryOp, a: &Range) -> Result<Range, EvaluationError> {
    if let Range::One(value) = a {
        return Ok(Range::One(evaluate_unary(op, value)?));
    }
    let Some(Bounds { low, high, whole }) = a.bounds() else { return Ok(Range::Any) };
    Ok(match op {
        UnaryOp::Neg => numbers(high.map(|high| -high), low.map(|low| -low), whole),
        UnaryOp::ToReal => numbers(low, high, false),
        UnaryOp::Floor => {
            let floor = |bound: RBig| RBig::from(bound.floor());
            numbers(low.map(floor), high.map(floor), true)
        }
        _ => Range::Any,
    })
}

/// What an operator of two operands makes of ranges.
///
/// # Errors
/// When the operands do not fit.
pub fn range_of_binary(op: BinaryOp, a: &Range, b: &Range) -> Result<Range, EvaluationError> {
    if let (Range::One(a), Range::One(b)) = (a, b) {
        return Ok(Range::One(evaluate_binary(op, a, b)?));
    }
    // One truth value may decide.
    let decides = match op {
        BinaryOp::And => Some(false),
        BinaryOp::Or => Some(true),
        _ => None,
    };
    if decides.is_some() && (a.truth() == decides || b.truth() == decides) {
        return Ok(Range::One(Value::bool(op == BinaryOp::Or)));
    }
    let (Some(one), Some(two)) = (a.bounds(), b.bounds()) else { return Ok(remainder(op, b)) };
    let sum = |one: &Option<RBig>, two: &Option<RBig>| Some(one.as_ref()? + two.as_ref()?);
    let difference = |one: &Option<RBig>, two: &Option<RBig>| Some(one.as_ref()? - two.as_ref()?);
    let whole = one.whole;
    Ok(match op {
        BinaryOp::Add => numbers(sum(&one.low, &two.low), sum(&one.high, &two.high), whole),
        BinaryOp::Sub => numbers(difference(&one.low, &two.high), difference(&one.high, &two.low), whole),
        BinaryOp::Mul => product(&one, &two),
        BinaryOp::Lt => truth(below(&one.high, &two.low, false), below(&two.high, &one.low, true)),
        BinaryOp::Le => truth(below(&one.high, &two.low, true), below(&two.high, &one.low, false)),
        BinaryOp::Eq => truth(false, below(&one.high, &two.low, false) || below(&two.high, &one.low, false)),
        BinaryOp::RealDiv => match positive(b) {
            Some(divisor) => {
                let scaled = |bound: Option<RBig>| bound.map(|bound| bound / &divisor);
                numbers(scaled(one.low), scaled(one.high), false)
            }
            None => Range::Any,
        },
        BinaryOp::IntDiv => match positive(b) {
            Some(divisor) => {
                let quotient =
                    |bound: Option<RBig>| bound.map(|bound| RBig::from((bound / &divisor).floor()));
                numbers(quotient(one.low), quotient(one.high), true)
            }
            None => Range::Any,
        },
        BinaryOp::IntMod => modulo(&one, b),
        _ => Range::Any,
    })
}

/// What an operator of three operands makes of ranges.
///
/// # Errors
/// When the operands do not fit.
pub fn range_of_ternary(op: TernaryOp, a: &Range, b: &Range, c: &Range) -> Result<Range, EvaluationError> {
    match (op, a.truth()) {
        (TernaryOp::Ite, Some(true)) => Ok(b.clone()),
        (TernaryOp::Ite, Some(false)) => Ok(c.clone()),
        (TernaryOp::Ite, None) => Ok(b.join(c)),
        (TernaryOp::Write, _) => match (a, b, c) {
            (Range::One(a), Range::One(b), Range::One(c)) => Ok(Range::One(evaluate_ternary(op, a, b, c)?)),
            _ => Ok(Range::Any),
        },
    }
}

/// A remainder has bounds, whatever is divided.
fn remainder(op: BinaryOp, divisor: &Range) -> Range {
    match (op, positive(divisor)) {
        (BinaryOp::IntMod, Some(divisor)) => numbers(Some(RBig::ZERO), Some(divisor - RBig::ONE), true),
        _ => Range::Any,
    }
}

fn modulo(dividend: &Bounds, divisor: &Range) -> Range {
    let (Some(by), Some(low), Some(high)) = (positive(divisor), &dividend.low, &dividend.high) else {
        return remainder(BinaryOp::IntMod, divisor);
    };
    let quotient = |bound: &RBig| (bound / &by).floor();
    if quotient(low) != quotient(high) {
        return remainder(BinaryOp::IntMod, divisor);
    }
    let multiple = RBig::from(quotient(low)) * &by;
    numbers(Some(low - &multiple), Some(high - multiple), true)
}

/// A divisor that is one positive number.
fn positive(range: &Range) -> Option<RBig> {
    let (amount, _) = amount(range.value()?)?;
    (amount > RBig::ZERO).then_some(amount)
}

fn product(one: &Bounds, two: &Bounds) -> Range {
    let all = [&one.low, &one.high, &two.low, &two.high];
    if let [Some(a), Some(b), Some(c), Some(d)] = all {
        let corners = [a * c, a * d, b * c, b * d];
        let (low, high) = (corners.iter().min().cloned(), corners.iter().max().cloned());
        return numbers(low, high, one.whole);
    }
    // A constant factor keeps limits that are missing missing.
    let factor = |bounds: &Bounds| bounds.low.clone().filter(|low| bounds.high.as_ref() == Some(low));
    let (factor, other) = match (factor(one), factor(two)) {
        (Some(factor), _) => (factor, two),
        (None, Some(factor)) => (factor, one),
        (None, None) => return Range::Any,
    };
    let scaled = |bound: &Option<RBig>| bound.as_ref().map(|bound| bound * &factor);
    if factor == RBig::ZERO {
        Range::One(number(RBig::ZERO, one.whole))
    } else if factor > RBig::ZERO {
        numbers(scaled(&other.low), scaled(&other.high), one.whole)
    } else {
        numbers(scaled(&other.high), scaled(&other.low), one.whole)
    }
}

/// Whether everything up to `high` is below everything from `low` on, or equal to it.
fn below(high: &Option<RBig>, low: &Option<RBig>, or_equal: bool) -> bool {
    match (high, low) {
        (Some(high), Some(low)) => high < low || (or_equal && high == low),
        _ => false,
    }
}

fn truth(is_true: bool, is_false: bool) -> Range {
    match (is_true, is_false) {
        (true, _) => Range::One(Value::bool(true)),
        (_, true) => Range::One(Value::bool(false)),
        (false, false) => Range::Any,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_int::IBig;

    fn whole(amount: i64) -> RBig {
        RBig::from(IBig::from(amount))
    }

    fn ints(low: Option<i64>, high: Option<i64>) -> Range {
        numbers(low.map(whole), high.map(whole), true)
    }

    #[test]
    fn limits_of_results_contain_the_results_of_all_values() {
        let ranges = [
            ints(Some(-3), Some(2)),
            ints(Some(0), None),
            ints(None, Some(-1)),
            ints(Some(2), Some(2)),
            ints(Some(-2), Some(-2)),
            ints(Some(0), Some(0)),
            ints(Some(5), Some(9)),
            Range::Any,
        ];
        let values: Vec<Value> = (-12..=12).map(|value| Value::Int(IBig::from(value))).collect();
        let operators = [
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::Lt,
            BinaryOp::Le,
            BinaryOp::Eq,
            BinaryOp::IntDiv,
            BinaryOp::IntMod,
        ];
        let mut decided = 0;
        for (a, b) in ranges.iter().flat_map(|a| ranges.iter().map(move |b| (a, b))) {
            for op in operators {
                let result = range_of_binary(op, a, b).expect("ints fit");
                decided += usize::from(result != Range::Any);
                for x in values.iter().filter(|x| a.contains(x)) {
                    for y in values.iter().filter(|y| b.contains(y)) {
                        let exact = evaluate_binary(op, x, y).expect("ints fit");
                        assert!(
                            result.contains(&exact),
                            "{a} {op:?} {b} = {result}, but {x}, {y} give {exact}"
                        );
                    }
                }
            }
        }
        assert!(decided > 150, "only {decided} results have limits");
    }

    #[test]
    fn one_operand_may_decide_what_is_not_known() {
        let (yes, no) = (Range::One(Value::bool(true)), Range::One(Value::bool(false)));
        assert_eq!(range_of_binary(BinaryOp::And, &Range::Any, &no), Ok(no.clone()));
        assert_eq!(range_of_binary(BinaryOp::Or, &yes, &Range::Any), Ok(yes.clone()));
        assert_eq!(range_of_binary(BinaryOp::And, &Range::Any, &yes), Ok(Range::Any));
        let joined =
            range_of_ternary(TernaryOp::Ite, &Range::Any, &ints(Some(1), Some(1)), &ints(Some(4), None));
        assert_eq!(joined, Ok(ints(Some(1), None)));
    }

    #[test]
    fn ranges_are_written_as_intervals() {
        assert_eq!(ints(Some(1), Some(3)).to_string(), "[1, 3]");
        assert_eq!(ints(Some(1), Some(1)).to_string(), "1");
        assert_eq!(ints(None, Some(3)).to_string(), "(-inf, 3]");
        assert_eq!(ints(Some(1), None).to_string(), "[1, inf)");
        assert_eq!(ints(None, None).to_string(), "*");
    }
}
