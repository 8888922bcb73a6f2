//! Which definitions of the user holes may speak of: the Boolean ones that properties mention by name.

use propcov_ir::{ElementKind, ExprId, Node, SignalId, SignalKind, Site, System};
use rustc_hash::FxHashSet;

/// No more than so many: each is one more word that every product is tried with.
const MOST: usize = 16;

/// The first Boolean wires in these expressions, in the order of reading, with the expressions that read them.
pub(super) fn mentioned(system: &System, roots: &[ExprId]) -> Vec<(SignalId, ExprId)> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open: Vec<ExprId> = roots.iter().rev().copied().collect();
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        if let Node::Signal(signal) = system.exprs.node(expr)
            && is_definition(system, *signal)
        {
            found.push((*signal, expr));
            if found.len() == MOST {
                break;
            }
        }
        let operands: Vec<ExprId> = system.exprs.operands(expr).collect();
        open.extend(operands.into_iter().rev());
    }
    found
}

/// Whether this is a Boolean wire with a name that a user gave it.
fn is_definition(system: &System, signal: SignalId) -> bool {
    let element = system.element_at(Site::Wire(signal)).map(|element| system.element(element).kind);
    let wire = system.signal(signal);
    matches!(wire.kind, SignalKind::Wire { .. }) && wire.sort.is_bool() && element != Some(ElementKind::Gate)
}
