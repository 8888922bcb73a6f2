//! What puts a formula of linear time to the test: antecedents of implications.
//!
//! `G (p -> q)` says nothing on a design where no fair run ever has p, and `p -> q` where none begins with it; p and q may be formulas of time themselves. An implication arrives here as a disjunction whose first part is a
//! negation. A conjunction says nothing when all of its parts say nothing. What has another form always says something.

use propcov_ir::{
    BinaryOp, ExprId, Ltl, Node, PropertyKind, System, Test, TestKind, Tests, UnaryOp, Vacuity,
};

/// What puts a property to the test, and for each test the property that it never happens.
#[derive(Clone, Debug, Default)]
pub(super) struct Antecedents {
    pub(super) tests: Tests,
    pub(super) never: Vec<PropertyKind>,
}

impl Antecedents {
    /// Those of a formula. The system gets expressions.
    pub(super) fn of(system: &mut System, formula: &Ltl) -> Antecedents {
        let mut found = Antecedents::default();
        found.tests.vacuity = found.read(system, formula, false);
        found
    }

    /// When a part of a formula says nothing that has to hold in the first step, or always.
    fn read(&mut self, system: &mut System, formula: &Ltl, always: bool) -> Vacuity {
        if let Some(inner) = system.globally(formula) {
            let inner = inner.clone();
            return self.read(system, &inner, true);
        }
        match formula {
            Ltl::And(a, b) => Vacuity::all([self.read(system, a, always), self.read(system, b, always)]),
            Ltl::Or(first, _) => match (&**first, negated(system, first)) {
                (Ltl::Not(antecedent), _) => self.add(system, antecedent, always),
                (_, Some(antecedent)) => self.add(system, &Ltl::Atom(antecedent), always),
                _ => Vacuity::Never,
            },
            Ltl::Atom(expr) => match *system.exprs.node(*expr) {
                Node::Binary(BinaryOp::And, a, b) => {
                    let parts = [Ltl::Atom(a), Ltl::Atom(b)];
                    let parts = parts.map(|part| self.read(system, &part, always));
                    Vacuity::all(parts)
                }
                Node::Binary(BinaryOp::Or, first, _) => match not_of(system, first) {
                    Some(antecedent) => self.add(system, &Ltl::Atom(antecedent), always),
                    None => Vacuity::Never,
                },
                _ => Vacuity::Never,
            },
            _ => Vacuity::Never,
        }
    }

    fn add(&mut self, system: &mut System, antecedent: &Ltl, always: bool) -> Vacuity {
        let not = Ltl::Not(Box::new(antecedent.clone()));
        let false_ = system.exprs.bool(false);
        let never = match (antecedent, always) {
            // Where every run goes on, what no run does in any step no infinite run does.
            (Ltl::Atom(expr), true) if system.is_unconstrained() => {
                PropertyKind::Invariant(system.exprs.not(*expr))
            }
            (_, true) => PropertyKind::Ltl(Ltl::Release(Box::new(Ltl::Atom(false_)), Box::new(not))),
            (_, false) => PropertyKind::Ltl(not),
        };
        let happens = match antecedent {
            Ltl::Atom(expr) => *expr,
            _ => false_,
        };
        let text = Some(system.show_ltl(antecedent).to_string());
        self.tests.all.push(Test { kind: TestKind::Antecedent, happens, text, span: None, before: None });
        self.never.push(never);
        Vacuity::Unmet(self.never.len() - 1)
    }
}

/// What a proposition is the negation of.
fn negated(system: &System, formula: &Ltl) -> Option<ExprId> {
    match formula {
        Ltl::Atom(expr) => not_of(system, *expr),
        _ => None,
    }
}

fn not_of(system: &System, expr: ExprId) -> Option<ExprId> {
    match system.exprs.node(expr) {
        Node::Unary(UnaryOp::Not, positive) => Some(*positive),
        _ => None,
    }
}
