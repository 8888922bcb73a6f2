//! Whether two properties of two designs ask the same, by definition: walk through both, side by side, as a reader would.

use propcov_ir::{Ctl, ExprId, Fairness, Ltl, Node, PropertyId, PropertyKind, SignalId, SignalKind, System};
use rustc_hash::FxHashSet;

/// Whether the property p of one system is the property q of the other: the same words about signals of the same names, which are defined in the same way, under
/// the same constraints, and, unless it is an invariant, the same fairness conditions. Nothing is computed from the definitions; they are compared.
pub fn means_the_same(a: &System, p: PropertyId, b: &System, q: PropertyId) -> bool {
    let kinds = (&a.property(p).kind, &b.property(q).kind);
    let is_invariant = matches!(kinds.0, PropertyKind::Invariant(_));
    let constraints = |x: &System, y: &System| {
        x.constraints().iter().all(|one| {
            y.constraints().iter().any(|other| one.kind == other.kind && same(x, one.expr, y, other.expr))
        })
    };
    let fairness = |x: &System, y: &System| {
        x.fairness.iter().all(|one| {
            y.fairness.iter().any(|other| match (one, other) {
                (Fairness::Justice(one), Fairness::Justice(other)) => same(x, *one, y, *other),
                (Fairness::Compassion(a, b), Fairness::Compassion(c, d)) => {
                    same(x, *a, y, *c) && same(x, *b, y, *d)
                }
                _ => false,
            })
        })
    };
    let properties = match kinds {
        (PropertyKind::Invariant(one), PropertyKind::Invariant(other)) => same(a, *one, b, *other),
        (PropertyKind::Ctl(one), PropertyKind::Ctl(other)) => same_formula(a, one, b, other),
        (PropertyKind::Ltl(one), PropertyKind::Ltl(other)) => same_linear(a, one, b, other),
        (PropertyKind::Justice(ones), PropertyKind::Justice(others)) => {
            let within = |x: &System, ones: &[ExprId], y: &System, others: &[ExprId]| {
                ones.iter().all(|one| others.iter().any(|other| same(x, *one, y, *other)))
            };
            within(a, ones, b, others) && within(b, others, a, ones)
        }
        _ => false,
    };
    properties && constraints(a, b) && constraints(b, a) && (is_invariant || fairness(a, b) && fairness(b, a))
}

/// Whether two expressions say the same of signals that are the same.
fn same(a: &System, one: ExprId, b: &System, other: ExprId) -> bool {
    let mut seen: FxHashSet<(ExprId, ExprId)> = FxHashSet::default();
    let mut open = vec![(one, other)];
    while let Some((one, other)) = open.pop() {
        if !seen.insert((one, other)) {
            continue;
        }
        if a.exprs.sort(one) != b.exprs.sort(other) {
            return false;
        }
        let fits = match (a.exprs.node(one), b.exprs.node(other)) {
            (Node::Signal(x), Node::Signal(y)) | (Node::Next(x), Node::Next(y)) => {
                match definitions(a, *x, b, *y) {
                    Some(definitions) => open.extend(definitions),
                    None => return false,
                }
                true
            }
            (Node::Const(x), Node::Const(y)) => x == y,
            (Node::Unary(x, _), Node::Unary(y, _)) => x == y,
            (Node::Binary(x, ..), Node::Binary(y, ..)) => x == y,
            (Node::Ternary(x, ..), Node::Ternary(y, ..)) => x == y,
            _ => false,
        };
        if !fits {
            return false;
        }
        open.extend(a.exprs.operands(one).zip(b.exprs.operands(other)));
    }
    true
}

/// What has to be the same for two signals to be; `None` if they are not anyway.
fn definitions(a: &System, x: SignalId, b: &System, y: SignalId) -> Option<Vec<(ExprId, ExprId)>> {
    let (one, other) = (a.signal(x), b.signal(y));
    if (&one.name, &one.sort) != (&other.name, &other.sort) {
        return None;
    }
    let both = |one: Option<ExprId>, other: Option<ExprId>| match (one, other) {
        (None, None) => Some(Vec::new()),
        (Some(one), Some(other)) => Some(vec![(one, other)]),
        _ => None,
    };
    match (one.kind, other.kind) {
        (SignalKind::Input, SignalKind::Input) => Some(Vec::new()),
        (SignalKind::Wire { definition: one }, SignalKind::Wire { definition: other }) => {
            Some(vec![(one, other)])
        }
        (SignalKind::State { init: i, next: n }, SignalKind::State { init: j, next: m }) => {
            Some(both(i, j)?.into_iter().chain(both(n, m)?).collect())
        }
        _ => None,
    }
}

fn same_linear(a: &System, one: &Ltl, b: &System, other: &Ltl) -> bool {
    match (one, other) {
        (Ltl::Atom(x), Ltl::Atom(y)) => same(a, *x, b, *y),
        _ => {
            std::mem::discriminant(one) == std::mem::discriminant(other)
                && one.operands().zip(other.operands()).all(|(x, y)| same_linear(a, x, b, y))
        }
    }
}

fn same_formula(a: &System, one: &Ctl, b: &System, other: &Ctl) -> bool {
    let both =
        |x: &(&Ctl, &Ctl), y: &(&Ctl, &Ctl)| same_formula(a, x.0, b, y.0) && same_formula(a, x.1, b, y.1);
    match (one, other) {
        (Ctl::Atom(x), Ctl::Atom(y)) => same(a, *x, b, *y),
        (Ctl::Not(x), Ctl::Not(y)) => same_formula(a, x, b, y),
        (Ctl::And(x, y), Ctl::And(u, v)) | (Ctl::Or(x, y), Ctl::Or(u, v)) => both(&(x, y), &(u, v)),
        (Ctl::Next(p, x), Ctl::Next(q, y)) => p == q && same_formula(a, x, b, y),
        (Ctl::Until(p, x, y), Ctl::Until(q, u, v)) | (Ctl::Release(p, x, y), Ctl::Release(q, u, v)) => {
            p == q && both(&(x, y), &(u, v))
        }
        _ => false,
    }
}
