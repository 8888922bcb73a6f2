//! Operators of the format as expressions of the system.

use super::{
    Operator,
    derived::{self, Built},
    operator::Shape,
};
use propcov_ir::{BinaryOp, ExprId, ExprPool, TernaryOp, UnaryOp};

/// Applies an operator to as many operands and indices as its shape has.
pub(super) fn apply(pool: &mut ExprPool, operator: Operator, operands: &[ExprId], indices: &[u32]) -> Built {
    let keyword = operator.keyword();
    match (operator.shape(), operands, indices) {
        (Shape::Slice, [a], [high, low]) => pool.unary(UnaryOp::Extract { high: *high, low: *low }, *a),
        // An extension by nothing is how Yosys gives a node a second name.
        (Shape::Extend, [a], [0]) => Ok(*a),
        (Shape::Extend, [a], [by]) if keyword == "uext" => pool.unary(UnaryOp::ZeroExtend(*by), *a),
        (Shape::Extend, [a], [by]) => pool.unary(UnaryOp::SignExtend(*by), *a),
        (Shape::Ite, [a, b, c], _) => pool.ternary(TernaryOp::Ite, *a, *b, *c),
        (Shape::Write, [a, b, c], _) => pool.ternary(TernaryOp::Write, *a, *b, *c),
        (_, [a], _) => unary(pool, keyword, *a),
        (_, [a, b], _) => binary(pool, keyword, *a, *b),
        _ => Err(propcov_ir::SortError {
            operator: keyword.to_owned(),
            expected: format!("{} operands", operator.shape().arity().0),
            found: operands.len().to_string(),
        }),
    }
}

fn unary(pool: &mut ExprPool, keyword: &str, a: ExprId) -> Built {
    match keyword {
        "not" => derived::not(pool, a),
        "neg" => pool.unary(UnaryOp::Neg, a),
        "inc" => derived::increment(pool, a),
        "dec" => derived::decrement(pool, a),
        "redand" => pool.unary(UnaryOp::ReduceAnd, a),
        "redor" => pool.unary(UnaryOp::ReduceOr, a),
        _ => {
            debug_assert_eq!(keyword, "redxor");
            pool.unary(UnaryOp::ReduceXor, a)
        }
    }
}

fn binary(pool: &mut ExprPool, keyword: &str, a: ExprId, b: ExprId) -> Built {
    let core = match keyword {
        "add" => BinaryOp::Add,
        "and" => BinaryOp::And,
        "concat" => BinaryOp::Concat,
        "eq" | "iff" => BinaryOp::Eq,
        "mul" => BinaryOp::Mul,
        "or" => BinaryOp::Or,
        "read" => BinaryOp::Read,
        "rol" => BinaryOp::Rol,
        "ror" => BinaryOp::Ror,
        "sdiv" => BinaryOp::Sdiv,
        "sll" => BinaryOp::Shl,
        "slt" => BinaryOp::Slt,
        "slte" => BinaryOp::Sle,
        "smod" => BinaryOp::Smod,
        "sra" => BinaryOp::Ashr,
        "srem" => BinaryOp::Srem,
        "srl" => BinaryOp::Lshr,
        "sub" => BinaryOp::Sub,
        "udiv" => BinaryOp::Udiv,
        "ult" => BinaryOp::Ult,
        "ulte" => BinaryOp::Ule,
        "urem" => BinaryOp::Urem,
        "xor" => BinaryOp::Xor,
        "sgt" => return pool.binary(BinaryOp::Slt, b, a),
        "sgte" => return pool.binary(BinaryOp::Sle, b, a),
        "ugt" => return pool.binary(BinaryOp::Ult, b, a),
        "ugte" => return pool.binary(BinaryOp::Ule, b, a),
        "implies" => return derived::implies(pool, a, b),
        "nand" => return derived::negated(pool, BinaryOp::And, a, b),
        "neq" => return derived::negated(pool, BinaryOp::Eq, a, b),
        "nor" => return derived::negated(pool, BinaryOp::Or, a, b),
        "xnor" => return derived::negated(pool, BinaryOp::Xor, a, b),
        "saddo" => return derived::signed_add_overflows(pool, a, b),
        "sdivo" => return derived::signed_divide_overflows(pool, a, b),
        "smulo" => return derived::signed_multiply_overflows(pool, a, b),
        "ssubo" => return derived::signed_subtract_overflows(pool, a, b),
        "uaddo" => return derived::unsigned_add_overflows(pool, a, b),
        "umulo" => return derived::unsigned_multiply_overflows(pool, a, b),
        _ => {
            debug_assert_eq!(keyword, "usubo");
            return derived::unsigned_subtract_overflows(pool, a, b);
        }
    };
    pool.binary(core, a, b)
}
