//! Whether an implication is ever put to the test.
//!
//! `AG (p -> q)` holds on a design where p never does, and then says nothing about q (Beer, Ben-David, Eisner and Rodeh, *Efficient
//! detection of vacuity in ACTL formulas*, CAV 1997, in its simplest and most frequent case). An implication arrives here as a disjunction whose
//! first part is a negation.

use propcov_ir::{BinaryOp, Ctl, ExprId, Node, System, UnaryOp};

/// The p of a formula `AG (p -> q)`.
pub(crate) fn antecedent(system: &System, formula: &Ctl) -> Option<Ctl> {
    match system.always(formula)? {
        Ctl::Or(first, _) => match &**first {
            Ctl::Not(antecedent) => Some((**antecedent).clone()),
            Ctl::Atom(expr) => negated(system, *expr).map(Ctl::Atom),
            _ => None,
        },
        Ctl::Atom(expr) => match system.exprs.node(*expr) {
            Node::Binary(BinaryOp::Or, first, _) => negated(system, *first).map(Ctl::Atom),
            _ => None,
        },
        _ => None,
    }
}

/// What an expression is the negation of.
fn negated(system: &System, expr: ExprId) -> Option<ExprId> {
    match system.exprs.node(expr) {
        Node::Unary(UnaryOp::Not, positive) => Some(*positive),
        _ => None,
    }
}
