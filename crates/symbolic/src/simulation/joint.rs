//! Both models in one manager, and what can be said of pairs of their states.
//!
//! w and u are a state of the implementation and its successor, w' and u' those of the specification, and v is the state whose label is changed.

use super::half::{Half, Variables};
use super::order::{ItemKind, Side, interleaved};
use super::source::Prepared;
use super::{RefinementError, SymbolicOptions};
use propcov_bdd::{Bdd, Manager, Stop, Swap, Var};
use propcov_budget::Budget;

/// Both models.
pub(super) struct Joint {
    pub(super) manager: Manager,
    pub(super) implementation: Half,
    pub(super) specification: Half,
    /// From a set of w to the same set of v, and back.
    pub(super) mirror: Swap,
    /// From pairs (w, w') to pairs (u, u'), and back.
    pub(super) step: Swap,
    /// Where w = v.
    pub(super) is_mutant: Bdd,
}

impl Joint {
    pub(super) fn new(
        implementation: &mut Prepared<'_>,
        specification: &mut Prepared<'_>,
        options: &SymbolicOptions,
        budget: Budget,
    ) -> Result<Joint, RefinementError> {
        let manager = Manager::new();
        manager.set_budget(budget);
        manager.set_node_limit(Some(options.most_nodes));
        manager.set_automatic_reordering(options.reorder_at.is_some());
        manager.set_smallest_reordering(options.reorder_at.unwrap_or(usize::MAX));
        let order = interleaved(&implementation.items(), &specification.items());
        let (mut own, mut other) = (unset(implementation), unset(specification));
        let mut copies = own.current.clone();
        let mut groups = Vec::new();
        for (side, kind) in order {
            let variables = if side == Side::Implementation { &mut own } else { &mut other };
            match kind {
                ItemKind::Input(at) => variables.inputs[at] = manager.add_variable(),
                ItemKind::State(at) => {
                    variables.current[at] = manager.add_variable();
                    variables.next[at] = manager.add_variable();
                    let mut group = vec![variables.current[at], variables.next[at]];
                    if side == Side::Implementation {
                        copies[at] = manager.add_variable();
                        group.push(copies[at]);
                    }
                    groups.push(group);
                }
            }
        }
        manager.set_groups(groups);
        let pairs = |one: &[Var], other: &[Var]| -> Vec<(Var, Var)> {
            one.iter().copied().zip(other.iter().copied()).collect()
        };
        let mirrored = pairs(&own.current, &copies);
        let mut steps = pairs(&own.current, &own.next);
        steps.extend(pairs(&other.current, &other.next));
        // From the bottom up; nothing was reordered yet.
        let mut bits = mirrored.clone();
        bits.sort_unstable_by_key(|(own, _)| std::cmp::Reverse(*own));
        let is_mutant = bits.into_iter().try_fold(manager.constant(true), |same, (own, copy)| {
            same.and(&manager.variable(own).iff(&manager.variable(copy))?)
        })?;
        Ok(Joint {
            implementation: Half::new(&manager, implementation, Side::Implementation, own, options)?,
            specification: Half::new(&manager, specification, Side::Specification, other, options)?,
            mirror: manager.swap(&mirrored),
            step: manager.swap(&steps),
            is_mutant,
            manager,
        })
    }

    /// Pairs of reached states in which the specification accepts all labels, of which one may be left out.
    pub(super) fn fitting(&self, without: Option<usize>) -> Result<Bdd, Stop> {
        let mut fitting = self.implementation.reached.and(&self.specification.reached)?;
        for proposition in (0..self.implementation.labels.len()).filter(|at| Some(*at) != without) {
            fitting = fitting.and(&self.accepting(proposition, false)?)?;
        }
        Ok(fitting)
    }

    /// Pairs in which the specification accepts a label, or its contrary.
    pub(super) fn accepting(&self, proposition: usize, flipped: bool) -> Result<Bdd, Stop> {
        self.specification.labels[proposition].accepts(&self.implementation.labels[proposition], flipped)
    }
}

/// Room for the variables.
fn unset(prepared: &Prepared<'_>) -> Variables {
    let states = vec![Var(0); prepared.state_bits()];
    Variables { current: states.clone(), next: states, inputs: vec![Var(0); prepared.input_bits()] }
}
