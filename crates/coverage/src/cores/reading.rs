//! What the expression of a property mentions: a proof that rests on none of it is suspicious.

use propcov_ir::{
    BinaryOp, ElementKind, ElementSet, ExprId, Node, Origin, Parent, PropertyId, SignalId, SignalKind, Site,
    System, UnaryOp,
};
use rustc_hash::FxHashSet;

/// What a property mentions.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Its own equation, where it has one; all pieces, if equations were taken apart.
    pub own: ElementSet,
    /// Definitions that it mentions in the antecedent of an implication.
    pub antecedent: ElementSet,
    /// Definitions that it mentions elsewhere.
    pub consequent: ElementSet,
    /// Whether an input or a state is in its cone of influence.
    pub changes: bool,
}

/// Reads the expression of an invariant, or the right-hand side of its equation if it is a variable with one.
pub fn of_property(system: &System, property: PropertyId) -> Reading {
    let Some(root) = system.invariant(property) else { return Reading::default() };
    let mut reading = Reading { changes: changes(system, root), ..Reading::default() };
    let mut expr = root;
    if let Node::Signal(signal) = system.exprs.node(root)
        && let SignalKind::Wire { definition } = system.signal(*signal).kind
    {
        reading.own = whole_equations(system, &system.element_at(Site::Wire(*signal)).into_iter().collect());
        expr = definition;
    }
    match implication(system, expr) {
        Some((antecedent, consequent)) => {
            reading.antecedent = mentioned(system, antecedent);
            reading.consequent = mentioned(system, consequent);
        }
        None => reading.consequent = mentioned(system, expr),
    }
    reading
}

/// `a => b` is `not a or b` by now; looks through operators that were split off.
fn implication(system: &System, expr: ExprId) -> Option<(ExprId, ExprId)> {
    let Node::Binary(BinaryOp::Or, left, right) = system.exprs.node(inlined(system, expr)) else {
        return None;
    };
    let negated = |expr: ExprId| match system.exprs.node(inlined(system, expr)) {
        Node::Unary(UnaryOp::Not, operand) => Some(*operand),
        _ => None,
    };
    // Operands may have been put in another order.
    (negated(*left).map(|antecedent| (antecedent, *right)))
        .or_else(|| negated(*right).map(|antecedent| (antecedent, *left)))
}

/// What stands where an operator was split off.
fn inlined(system: &System, mut expr: ExprId) -> ExprId {
    while let Node::Signal(signal) = system.exprs.node(expr)
        && let Some(definition) = split_off(system, *signal)
    {
        expr = definition;
    }
    expr
}

/// The definition of a wire that is but an operator in a larger expression.
fn split_off(system: &System, signal: SignalId) -> Option<ExprId> {
    let element = system.element(system.element_at(Site::Wire(signal))?);
    let is_part = element.kind == ElementKind::Operator && system.signal(signal).origin == Origin::Helper;
    match system.signal(signal).kind {
        SignalKind::Wire { definition } if is_part => Some(definition),
        _ => None,
    }
}

/// The definitions that an expression mentions itself.
fn mentioned(system: &System, root: ExprId) -> ElementSet {
    let mut found = ElementSet::new();
    walk(system, root, |signal| {
        let definition = split_off(system, signal);
        if definition.is_none() {
            let sites = [Site::Wire(signal), Site::Next(signal)];
            sites.into_iter().filter_map(|site| system.element_at(site)).for_each(|element| {
                found.insert(element);
            });
        }
        definition.map(|definition| [Some(definition), None]).unwrap_or_default()
    });
    found
}

/// Whether an input or a state is behind an expression.
fn changes(system: &System, root: ExprId) -> bool {
    let mut is_changing = false;
    walk(system, root, |signal| match system.signal(signal).kind {
        SignalKind::Wire { definition } => [Some(definition), None],
        SignalKind::Input | SignalKind::State { .. } => {
            is_changing = true;
            [None, None]
        }
    });
    is_changing
}

/// The elements, with all pieces of the equations that they are pieces of.
fn whole_equations(system: &System, elements: &ElementSet) -> ElementSet {
    let equation = |element| Some(system.parts(Parent::Whole(system.whole_of(element)?)));
    let pieces = elements.iter().filter_map(equation).flatten();
    pieces.chain(elements.iter()).collect()
}

/// Visits each signal below an expression, and then what it leads to.
fn walk(system: &System, root: ExprId, mut follow: impl FnMut(SignalId) -> [Option<ExprId>; 2]) {
    let (mut open, mut seen) = (vec![root], FxHashSet::default());
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match system.exprs.node(expr) {
            Node::Signal(signal) | Node::Next(signal) => open.extend(follow(*signal).into_iter().flatten()),
            _ => open.extend(system.exprs.operands(expr)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(model: &str) -> (Vec<String>, Vec<String>, bool, bool) {
        let design = propcov_frontend::read("model.lus", model.as_bytes()).expect("well-formed");
        let reading = of_property(&design.system, PropertyId(0));
        let names = |set: &ElementSet| -> Vec<String> {
            set.iter().map(|id| design.system.element(id).name.clone()).collect()
        };
        (names(&reading.antecedent), names(&reading.consequent), reading.changes, !reading.own.is_empty())
    }

    #[test]
    fn antecedent_and_consequent_are_told_apart() {
        let model = "node main(x: int) returns (p: bool);\nvar a, b: bool;\nlet\n  a = x > 3;\n  b = a or x > 2;\n  \
                     p = a => b;\n  --%PROPERTY p;\ntel;\n";
        let name = |name: &str| vec![name.to_owned()];
        assert_eq!(reading(model), (name("a"), name("b"), true, true));
    }

    #[test]
    fn a_statement_about_constants_changes_nothing() {
        let model = "node main(x: int) returns (p: bool);\nvar a: int;\nlet\n  a = 3;\n  p = a > 2;\n  --%PROPERTY p;\ntel;\n";
        assert_eq!(reading(model), (vec![], vec!["a".to_owned()], false, true));
    }
}
