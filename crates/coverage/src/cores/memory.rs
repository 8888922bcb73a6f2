//! What earlier runs found out about slices, and where the evidence of this one goes as soon as it is accepted.
//!
//! Nobody believes what is remembered: each piece takes the same way through the independent checker as evidence of engines, before the search begins. So a question that was answered before is answered by
//! checks alone, and what is left of an answer is where the search begins.
//!
//! A run of a large system says much that does not matter once elements are freed. What is kept is only what the violation may depend on; all other values are zero.

use crate::mutation::Standing;
use propcov_ir::{
    ElementSet, ExprId, Node, Proof, PropertyId, SignalId, SignalKind, Site, Step, System, Trace, Value,
};
use std::time::Duration;

/// Who is said to have decided what comes from an earlier run.
pub(super) const EARLIER: &str = "earlier run";

/// What the check of one piece may take in any case, and that of all pieces that are not accepted.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// So many times as long as the longest check that was successful, others may take.
pub(super) const SIMILAR: u32 = 10;

/// Evidence of an earlier run about one slice.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The elements in question that are kept.
    pub kept: ElementSet,
    /// Whether they suffice, and why.
    pub witness: Witness,
}

/// Why a set suffices, or does not.
#[derive(Clone, Debug)]
pub enum Witness {
    /// It does.
    Proof(Proof),
    /// It does not: this run violates the property in its last step.
    Run(Trace),
}

/// Somebody who remembers.
pub trait Memory: Sync {
    /// Has everything checked that is known about slices and a property, in the order in which it was found. Runs are large: one piece after the other is made for that.
    fn recall(&self, property: PropertyId, check: &mut dyn FnMut(Piece) -> Standing);
    /// A set suffices: the proof was accepted. Before it, the search had come to so many.
    fn adequate(&self, property: PropertyId, kept: &ElementSet, order: usize, proof: &Proof);
    /// A set does not suffice: the run was accepted. What does not matter for that is zero.
    fn inadequate(&self, property: PropertyId, kept: &ElementSet, run: &Trace);
}

/// The run with nothing but the values that the violation may depend on while these elements are freed.
pub(super) fn what_matters(system: &System, invariant: ExprId, freed: &ElementSet, trace: &Trace) -> Trace {
    let matters = cone(system, invariant, freed);
    let row = |signals: &[SignalId], values: &[Value]| -> Vec<Value> {
        let kept = |(signal, value): (&SignalId, &Value)| match matters[signal.0 as usize] {
            true => value.clone(),
            false => Value::zero(&system.signal(*signal).sort),
        };
        signals.iter().zip(values).map(kept).collect()
    };
    let step = |step: &Step| {
        let free = step.free.iter().filter(|(element, _)| match system.element(**element).site {
            Site::Wire(signal) => matters[signal.0 as usize],
            _ => false,
        });
        Step {
            inputs: row(system.inputs(), &step.inputs),
            states: row(system.states(), &step.states),
            free: free.map(|(element, value)| (*element, value.clone())).collect(),
        }
    };
    Trace { steps: trace.steps.iter().map(step).collect() }
}

/// The signals that are read, step by step, by the property and the constraints of a slice.
fn cone(system: &System, invariant: ExprId, freed: &ElementSet) -> Vec<bool> {
    let is_kept = |site: Site| system.element_at(site).is_none_or(|element| !freed.contains(element));
    let constraints = (0u32..).zip(system.constraints());
    let constraints = constraints.filter(|(id, _)| is_kept(Site::Constraint(propcov_ir::ConstraintId(*id))));
    let mut open: Vec<ExprId> = constraints.map(|(_, constraint)| constraint.expr).collect();
    open.push(invariant);
    let mut seen = vec![false; system.exprs.len()];
    let mut cone = vec![false; system.signals().len()];
    while let Some(expr) = open.pop() {
        if std::mem::replace(&mut seen[expr.0 as usize], true) {
            continue;
        }
        let (Node::Signal(signal) | Node::Next(signal)) = *system.exprs.node(expr) else {
            open.extend(system.exprs.operands(expr));
            continue;
        };
        if std::mem::replace(&mut cone[signal.0 as usize], true) {
            continue;
        }
        match system.signal(signal).kind {
            SignalKind::Input => {}
            SignalKind::State { init, next } => {
                open.extend(init.filter(|_| is_kept(Site::Init(signal))));
                open.extend(next.filter(|_| is_kept(Site::Next(signal))));
            }
            SignalKind::Wire { definition } => {
                open.extend(Some(definition).filter(|_| is_kept(Site::Wire(signal))));
            }
        }
    }
    cone
}
