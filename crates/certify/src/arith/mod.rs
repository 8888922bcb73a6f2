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

use propcov_ir::{ExprId, ExprPool, System};

/// Whether something in the system has a sort that circuits do not have.
pub(crate) fn is_needed_for(system: &System) -> bool {
    system.signals().iter().any(|signal| signal.sort.is_unbounded()) || is_needed_in(&system.exprs)
}

/// Whether some expression has a sort that circuits do not have.
pub(crate) fn is_needed_in(pool: &ExprPool) -> bool {
    (0..pool.len() as u32).any(|expr| pool.sort(ExprId(expr)).is_unbounded())
}
