//! Systems with numbers: integers, rationals, and functions of which nothing is known.
//!
//! This encoder is the certifier's own, as that of circuits is. A Boolean, a bit-vector, an enumeration and a finite array are what they are there: words
//! of literals. A number is a linear sum over number variables. A function is a name that is applied to arguments, and any two
//! applications of it agree where their arguments do (Ackermann 1954). Whatever is not linear, a product or a quotient of two variables, is a number
//! of which nothing is known: that proves less, and nothing wrong.
//!
//! **Who is believed.** Each clause is given to two solvers, [`ArithSolver`](propcov_smt::ArithSolver) and CaDiCaL. The former searches for a model in
//! numbers. When it finds none, it says which facts about numbers it used, and with which multipliers inequalities add up to a
//! contradiction. Each of these facts is checked here by adding them up, in exact arithmetic (`farkas`). Then it is a clause for CaDiCaL, which
//! knows nothing of numbers and has to confirm that clauses and facts together have no model. So the arithmetic solver is believed nothing but its models,
//! and those only lead to rejections. Its sums ([`Linear`](propcov_smt::Linear)) are used as a data structure.
//!
//! # References
//!
//! Ackermann: Solvable Cases of the Decision Problem. North-Holland, 1954.

mod farkas;
mod functions;
mod numbers;
mod solvers;
mod terms;

pub(crate) use terms::Terms;

use propcov_ir::{BinaryOp, ExprId, ExprPool, Node, System};

/// Whether something in the system has a sort that circuits do not have.
pub(crate) fn is_needed_for(system: &System) -> bool {
    system.signals().iter().any(|signal| signal.sort.is_unbounded()) || is_needed_in(&system.exprs)
}

/// Whether all that is said of numbers is linear, whichever definitions are freed: nothing is multiplied, and nothing divides, but what is a constant where it is written. If it is not, solvers know products by name
/// only: a model of theirs need not be a run, and nothing that rests on the meaning of products can be checked.
pub fn is_linear(system: &System) -> bool {
    let pool = &system.exprs;
    let is_constant = |expr: &ExprId| matches!(pool.node(*expr), Node::Const(_));
    let is_linear = |expr: u32| match pool.node(ExprId(expr)) {
        Node::Binary(BinaryOp::Mul, a, b) if pool.sort(*a).is_unbounded() => is_constant(a) || is_constant(b),
        Node::Binary(BinaryOp::RealDiv | BinaryOp::IntDiv | BinaryOp::IntMod, _, b) => is_constant(b),
        _ => true,
    };
    (0..pool.len() as u32).all(is_linear)
}

/// Whether some expression has a sort that circuits do not have.
pub(crate) fn is_needed_in(pool: &ExprPool) -> bool {
    (0..pool.len() as u32).any(|expr| pool.sort(ExprId(expr)).is_unbounded())
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_ir::{SignalId, Sort, Value};

    #[test]
    fn what_is_multiplied_with_a_constant_is_linear() {
        let is_linear_with = |op: BinaryOp, swap: bool, constant: bool| {
            let mut system = System::default();
            let pool = &mut system.exprs;
            let x = pool.signal(SignalId(0), Sort::Int);
            let other = match constant {
                true => pool.constant(Value::Int(3.into())),
                false => pool.signal(SignalId(1), Sort::Int),
            };
            let (a, b) = if swap { (other, x) } else { (x, other) };
            pool.binary(op, a, b).expect("two ints");
            is_linear(&system)
        };
        assert!(is_linear_with(BinaryOp::Add, false, false));
        for swap in [false, true] {
            assert!(is_linear_with(BinaryOp::Mul, swap, true) && !is_linear_with(BinaryOp::Mul, swap, false));
        }
        for op in [BinaryOp::IntDiv, BinaryOp::IntMod] {
            assert!(is_linear_with(op, false, true) && !is_linear_with(op, false, false));
            assert!(!is_linear_with(op, true, true), "a constant divided by a variable");
        }
    }

    #[test]
    fn products_of_words_are_circuits() {
        let mut system = System::default();
        let (a, b) = (
            system.exprs.signal(SignalId(0), Sort::BitVec(4)),
            system.exprs.signal(SignalId(1), Sort::BitVec(4)),
        );
        system.exprs.binary(BinaryOp::Mul, a, b).expect("two words");
        assert!(is_linear(&system));
    }
}
