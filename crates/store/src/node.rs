//! One expression node as JSON: a string is a signal, `[3, 7]` is bit 7 of expression 3, and anything else is the operator's name, its
//! parameters and its operands. Expressions are numbered from 1, so that a clause can negate them by a sign.

use crate::error::Malformed;
use crate::names::Names;
use crate::value::{WIDEST, sort_from_json, sort_to_json, value_from_json, value_to_json};
use propcov_ir::{BinaryOp, ExprId, ExprPool, Node, SignalId, Sort, SortError, System, TernaryOp, UnaryOp};
use serde_json::{Value as Json, json};

/// An expression of a pool whose operands have been written.
pub(crate) fn to_json(system: &System, pool: &ExprPool, expr: ExprId) -> Json {
    let number = |expr: &ExprId| expr.0 as u64 + 1;
    match pool.node(expr) {
        Node::Signal(signal) => json!(system.signal(*signal).name),
        Node::Next(signal) => json!(["next", system.signal(*signal).name]),
        Node::Const(value) => json!(["const", value_to_json(value)]),
        Node::Unary(op, a) => {
            let a = number(a);
            match op {
                UnaryOp::Extract { high, low } if high == low => json!([a, low]),
                UnaryOp::Extract { high, low } => json!(["extract", high, low, a]),
                UnaryOp::ZeroExtend(by) => json!(["zero-extend", by, a]),
                UnaryOp::SignExtend(by) => json!(["sign-extend", by, a]),
                UnaryOp::ConstArray(sort) => json!(["const-array", sort_to_json(sort), a]),
                UnaryOp::Variant(sort) => json!(["variant", sort_to_json(sort), a]),
                plain => json!([plain.word(), a]),
            }
        }
        Node::Binary(op, a, b) => json!([op.word(), number(a), number(b)]),
        Node::Ternary(op, a, b, c) => json!([op.word(), number(a), number(b), number(c)]),
    }
}

/// Adds the expression that was written to a pool. Operands are numbers in the list of those that were read before, some of which may have no meaning.
pub(crate) fn from_json(
    names: &Names<'_>,
    pool: &mut ExprPool,
    before: &[Option<ExprId>],
    json: &Json,
) -> Result<ExprId, Malformed> {
    let unknown = || Malformed::new(format!("{json} is no expression"));
    let parts = match json {
        Json::String(name) => {
            let (signal, sort) = signal(names, name)?;
            return Ok(pool.signal(signal, sort));
        }
        Json::Array(parts) => parts.as_slice(),
        _ => return Err(unknown()),
    };
    let operand = |json: &Json| {
        let position = json.as_u64().and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
        position.and_then(|position| before.get(position).copied().flatten()).ok_or_else(unknown)
    };
    let parameter = |json: &Json| match json.as_u64() {
        Some(number) if number <= u64::from(WIDEST) => Ok(number as u32),
        _ => Err(unknown()),
    };
    let made: Result<ExprId, SortError> = match parts {
        [Json::Number(_), Json::Number(_)] => {
            let bit = parameter(&parts[1])?;
            pool.unary(UnaryOp::Extract { high: bit, low: bit }, operand(&parts[0])?)
        }
        [Json::String(name), rest @ ..] => match (name.as_str(), rest) {
            ("next", [Json::String(name)]) => {
                let (signal, sort) = signal(names, name)?;
                Ok(pool.next(signal, sort))
            }
            ("const", [value]) => Ok(pool.constant(value_from_json(value)?)),
            ("extract", [high, low, a]) => {
                let (high, low) = (parameter(high)?, parameter(low)?);
                pool.unary(UnaryOp::Extract { high, low }, operand(a)?)
            }
            ("zero-extend", [by, a]) => pool.unary(UnaryOp::ZeroExtend(parameter(by)?), operand(a)?),
            ("sign-extend", [by, a]) => pool.unary(UnaryOp::SignExtend(parameter(by)?), operand(a)?),
            ("const-array", [sort, a]) => pool.unary(UnaryOp::ConstArray(sort_from_json(sort)?), operand(a)?),
            ("variant", [sort, a]) => pool.unary(UnaryOp::Variant(sort_from_json(sort)?), operand(a)?),
            (name, [a]) => {
                pool.unary(named(&UnaryOp::PLAIN, UnaryOp::word, name).ok_or_else(unknown)?, operand(a)?)
            }
            (name, [a, b]) => {
                let op = named(&BinaryOp::ALL, |op| op.word(), name).ok_or_else(unknown)?;
                pool.binary(op, operand(a)?, operand(b)?)
            }
            (name, [a, b, c]) => {
                let op = named(&TernaryOp::ALL, |op| op.word(), name).ok_or_else(unknown)?;
                pool.ternary(op, operand(a)?, operand(b)?, operand(c)?)
            }
            _ => return Err(unknown()),
        },
        _ => return Err(unknown()),
    };
    let made = made.map_err(|error| Malformed::new(format!("{json}: {error}")))?;
    if pool.sort(made).width().is_some_and(|width| width > WIDEST) { Err(unknown()) } else { Ok(made) }
}

fn signal(names: &Names<'_>, name: &str) -> Result<(SignalId, Sort), Malformed> {
    let found = names.signal(name).map(|(signal, sort)| (signal, sort.clone()));
    found.ok_or_else(|| Malformed::new(format!("the design has no signal `{name}`")))
}

fn named<T: Clone>(all: &[T], name_of: impl Fn(&T) -> &'static str, name: &str) -> Option<T> {
    all.iter().find(|op| name_of(op) == name).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_ir::Value;

    /// A system with one state of each sort, and each operator applied to them where that has a meaning.
    fn every_operator() -> (System, Vec<ExprId>) {
        let mut system = System::new();
        let sorts =
            [Sort::BOOL, Sort::BitVec(5), Sort::array(Sort::BitVec(5), Sort::BOOL), Sort::Int, Sort::Real];
        let states: Vec<SignalId> = sorts
            .iter()
            .zip(0..)
            .map(|(sort, n)| system.add_state(format!("s {n}.\""), sort.clone()))
            .collect();
        let leaves: Vec<ExprId> = states.iter().map(|state| system.read(*state)).collect();
        let mut made = leaves.clone();
        let pool = &mut system.exprs;
        let array = pool.sort(leaves[2]).clone();
        let with_parameter = [
            UnaryOp::Extract { high: 3, low: 1 },
            UnaryOp::Extract { high: 2, low: 2 },
            UnaryOp::ZeroExtend(3),
            UnaryOp::SignExtend(1),
            UnaryOp::ConstArray(array),
        ];
        for op in UnaryOp::PLAIN.iter().chain(&with_parameter) {
            made.extend(leaves.iter().filter_map(|a| pool.unary(op.clone(), *a).ok()));
        }
        for (op, a) in BinaryOp::ALL.iter().flat_map(|op| leaves.iter().map(move |a| (op, a))) {
            made.extend(leaves.iter().filter_map(|b| pool.binary(*op, *a, *b).ok()));
        }
        made.extend(pool.ternary(TernaryOp::Ite, leaves[0], leaves[3], leaves[3]));
        made.extend(pool.ternary(TernaryOp::Write, leaves[2], leaves[1], leaves[0]));
        made.push(pool.next(states[1], Sort::BitVec(5)));
        made.push(pool.constant(Value::zero(&Sort::Int)));
        (system, made)
    }

    #[test]
    fn every_operator_is_read_as_it_was_written() {
        let (system, made) = every_operator();
        let names = Names::new(&system);
        let (mut copy, mut before) = (ExprPool::new(), Vec::new());
        for number in 0..system.exprs.len() as u32 {
            let json = to_json(&system, &system.exprs, ExprId(number));
            assert_eq!(from_json(&names, &mut copy, &before, &json), Ok(ExprId(number)), "{json}");
            before.push(Some(ExprId(number)));
            assert_eq!(copy.node(ExprId(number)), system.exprs.node(ExprId(number)));
        }
        let applied = |op: &BinaryOp| {
            made.iter().any(|expr| matches!(system.exprs.node(*expr), Node::Binary(other, ..) if other == op))
        };
        assert!(BinaryOp::ALL.iter().all(applied), "an operator is not in this test");
    }

    #[test]
    fn what_is_no_expression_is_an_error() {
        let (system, _) = every_operator();
        let names = Names::new(&system);
        for text in [
            "\"no such signal\"",
            "7",
            "[]",
            "[1]",
            "[1,5]",
            "[0,0]",
            "[99,0]",
            "[2,0]",
            "[\"and\",1]",
            "[\"and\",1,-1]",
            "[\"frobnicate\",1,1]",
            "[\"read\",1,1]",
            "[\"zero-extend\",99999999,1]",
            "[\"const\"]",
        ] {
            let mut pool = ExprPool::new();
            let json: Json = serde_json::from_str("\"s 1.\\\"\"").expect("JSON");
            assert_eq!(from_json(&names, &mut pool, &[], &json), Ok(ExprId(0)));
            let json: Json = serde_json::from_str(text).expect("JSON");
            assert!(from_json(&names, &mut pool, &[Some(ExprId(0)), None], &json).is_err(), "{text}");
        }
    }
}
