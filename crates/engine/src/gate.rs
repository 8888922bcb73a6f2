//! The sanity gate: what is said before any verdict, because a verdict about it would mislead.
//!
//! A proof under assumptions that exclude every run proves nothing, a property that is the constant true checks nothing, and
//! no property at all is no verification. Assumptions are tried for the first steps of a run: when no run gets that far,
//! they conflict, and a minimal set of them that does is found by leaving out one after the other. Runs that all end later
//! than that are not noticed: consistency is a bounded claim, and reports say how far it goes.

use crate::limits::{Limits, Stats};
use crate::{finite, infinite};
use propcov_ir::{ConstraintId, Edits, ElementId, PropertyId, Site, System, UnknownReason};
use propcov_sat::Lit;
use propcov_solve::Unsupported;

/// How many steps a run must be able to take for the assumptions to count as consistent.
pub const STEPS: u32 = 8;

/// What the gate found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Whether there are runs at all.
    pub assumptions: Assumptions,
    /// Properties that nothing in the design has an influence on, and their value.
    pub constant: Vec<(PropertyId, bool)>,
    /// How many properties there are to prove.
    pub obligations: usize,
}

/// Whether the assumptions leave any run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumptions {
    /// There is a run of [`STEPS`] steps (or there are no assumptions).
    Consistent,
    /// No run gets beyond `step`, because of these: a minimal set. It is empty when there is no initial state.
    Conflicting {
        /// The first step that no run reaches, counting from 0.
        step: u32,
        /// Which assumptions are to blame.
        conflict: Vec<ConstraintId>,
    },
    /// Not decided.
    Unknown(UnknownReason),
}

/// Looks for reasons not to trust a verdict on these properties.
pub fn inspect(
    system: &System,
    edits: &Edits,
    properties: &[PropertyId],
    limits: &Limits,
    stats: &mut Stats,
) -> Gate {
    let assumptions = match finite::gate::assumptions(system, edits, limits, stats) {
        Ok(assumptions) => assumptions,
        Err(error @ Unsupported::Stopped(_)) => Assumptions::Unknown(error.into()),
        Err(_) if infinite::concerns(system) => infinite::gate::assumptions(system, edits, limits, stats),
        Err(error) => Assumptions::Unknown(error.into()),
    };
    let constant = constant_properties(system, properties, limits);
    Gate { assumptions, constant, obligations: properties.len() }
}

/// Properties that no element of the design has any influence on: they keep their value when every definition is freed.
/// That a property *can be shown* constant by folding is another matter: then the design makes it so, and is checked by it.
fn constant_properties(
    system: &System,
    properties: &[PropertyId],
    limits: &Limits,
) -> Vec<(PropertyId, bool)> {
    let is_invariant = |id: &PropertyId| system.invariant(*id).is_some();
    let invariants: Vec<PropertyId> = properties.iter().copied().filter(is_invariant).collect();
    match finite::gate::constant_properties(system, &invariants, limits) {
        Ok(constant) => constant,
        Err(Unsupported::Stopped(_)) => Vec::new(),
        Err(_) => infinite::gate::constant_properties(system, &invariants),
    }
}

/// Leaves out one assumption after the other for as long as the rest conflicts: `conflict_in` then says which of it do.
pub(crate) fn minimal_conflict(
    system: &System,
    mut conflict: Vec<(ElementId, Lit)>,
    mut conflict_in: impl FnMut(&[(ElementId, Lit)]) -> Option<Vec<(ElementId, Lit)>>,
) -> Vec<ConstraintId> {
    let mut index = 0;
    while index < conflict.len() {
        let mut rest = conflict.clone();
        rest.remove(index);
        match conflict_in(&rest) {
            Some(smaller) => conflict = smaller,
            None => index += 1,
        }
    }
    let mut sites: Vec<ConstraintId> = conflict
        .into_iter()
        .filter_map(|(element, _)| match system.element(element).site {
            Site::Constraint(id) => Some(id),
            _ => None,
        })
        .collect();
    sites.sort_unstable();
    sites
}
