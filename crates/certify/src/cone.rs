//! Which signals an edited system reads, directly and through definitions.
//!
//! Callers have checked that expressions and signals exist.

use propcov_ir::{
    ConstraintId, ConstraintKind, Definition, Edits, ExprId, Invariant, Node, SignalId, SignalKind, Site,
    System,
};
use rustc_hash::FxHashSet;

/// A search through the definitions of a system.
struct Cone<'a> {
    system: &'a System,
    edits: &'a Edits,
    expressions: FxHashSet<ExprId>,
    signals: FxHashSet<SignalId>,
    open: Vec<ExprId>,
}

impl<'a> Cone<'a> {
    fn new(system: &'a System, edits: &'a Edits) -> Cone<'a> {
        let (expressions, signals, open) = (FxHashSet::default(), FxHashSet::default(), Vec::new());
        Cone { system, edits, expressions, signals, open }
    }

    fn add_site(&mut self, site: Site) {
        if let Definition::Expr(expr) | Definition::Inverted(expr) = self.system.definition(self.edits, site)
        {
            self.open.push(expr);
        }
    }

    fn add_signal(&mut self, signal: SignalId) {
        if self.signals.insert(signal) {
            match self.system.signal(signal).kind {
                SignalKind::Wire { .. } => self.add_site(Site::Wire(signal)),
                SignalKind::State { .. } => self.add_site(Site::Next(signal)),
                SignalKind::Input => {}
            }
        }
    }

    /// Every signal that can be reached from what was added.
    fn signals(mut self) -> FxHashSet<SignalId> {
        while let Some(expr) = self.open.pop() {
            if self.expressions.insert(expr) {
                match *self.system.exprs.node(expr) {
                    Node::Signal(signal) | Node::Next(signal) => self.add_signal(signal),
                    _ => self.open.extend(self.system.exprs.operands(expr)),
                }
            }
        }
        self.signals
    }
}

/// Whether something that a step chooses, an input or a freed wire, is read by the expressions in the step itself.
pub(crate) fn reads_choices(system: &System, edits: &Edits, exprs: impl IntoIterator<Item = ExprId>) -> bool {
    let mut seen = FxHashSet::default();
    let mut open: Vec<ExprId> = exprs.into_iter().collect();
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        let Node::Signal(signal) = *system.exprs.node(expr) else {
            open.extend(system.exprs.operands(expr));
            continue;
        };
        match system.signal(signal).kind {
            SignalKind::Input => return true,
            SignalKind::State { .. } => {}
            SignalKind::Wire { .. } => match system.definition(edits, Site::Wire(signal)) {
                Definition::Open => return true,
                Definition::Expr(expr) | Definition::Inverted(expr) => open.push(expr),
                Definition::Const(_) => {}
            },
        }
    }
    false
}

/// The constraints of a kind.
pub(crate) fn constraints(
    system: &System,
    kind: ConstraintKind,
) -> impl Iterator<Item = ConstraintId> + use<'_> {
    let all = (0u32..).map(ConstraintId).zip(system.constraints());
    all.filter(move |(_, constraint)| constraint.kind == kind).map(|(id, _)| id)
}

/// The states in which two steps must differ for a path to count as simple, and agree for one to stand for the other: those that the property, a lemma or a
/// constraint depends on, and whose value a transition restricts.
pub(crate) fn compared_states(
    system: &System,
    edits: &Edits,
    property: impl IntoIterator<Item = ExprId>,
    invariant: &Invariant,
) -> Vec<SignalId> {
    let mut cone = Cone::new(system, edits);
    cone.open.extend(property);
    for kind in [ConstraintKind::Always, ConstraintKind::Transition] {
        constraints(system, kind).for_each(|id| cone.add_site(Site::Constraint(id)));
    }
    let (mut seen, mut open) = (FxHashSet::default(), invariant.lemmas.clone());
    while let Some(expr) = open.pop() {
        if seen.insert(expr) {
            match *invariant.exprs.node(expr) {
                Node::Signal(signal) => cone.add_signal(signal),
                _ => open.extend(invariant.exprs.operands(expr)),
            }
        }
    }
    let cone = cone.signals();
    let by_constraint = next_read_by_constraints(system, edits);
    let restricted = |state: SignalId| {
        system.definition(edits, Site::Next(state)) != Definition::Open || by_constraint.contains(&state)
    };
    system.states().iter().copied().filter(|state| cone.contains(state) && restricted(*state)).collect()
}

/// The states whose next value a transition constraint reads.
fn next_read_by_constraints(system: &System, edits: &Edits) -> FxHashSet<SignalId> {
    let mut seen = FxHashSet::default();
    let mut open: Vec<ExprId> = constraints(system, ConstraintKind::Transition)
        .filter_map(|id| match system.definition(edits, Site::Constraint(id)) {
            Definition::Expr(expr) | Definition::Inverted(expr) => Some(expr),
            Definition::Open | Definition::Const(_) => None,
        })
        .collect();
    let mut states = FxHashSet::default();
    while let Some(expr) = open.pop() {
        if seen.insert(expr) {
            match *system.exprs.node(expr) {
                Node::Next(state) => {
                    states.insert(state);
                }
                _ => open.extend(system.exprs.operands(expr)),
            }
        }
    }
    states
}
