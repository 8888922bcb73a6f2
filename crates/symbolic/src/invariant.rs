//! A set of states as an invariant: a lemma that a checker without decision diagrams can read.

use crate::model::Model;
use propcov_bdd::{Bdd, Var};
use propcov_ir::{ExprId, Invariant, System};
use propcov_solve::state_bit;
use rustc_hash::FxHashMap;

/// The set as one lemma over the states, a multiplexer for each node; `None` if it has more nodes than that.
pub(crate) fn of_set(model: &Model, system: &System, set: &Bdd, most_nodes: usize) -> Option<Invariant> {
    if set.node_count() > most_nodes {
        return None;
    }
    let mut invariant = Invariant::default();
    let bit_of: FxHashMap<Var, ExprId> = (set.support().into_iter())
        .filter_map(|var| {
            let origin = model.netlist.latches[*model.latch_of.get(&var)?].origin;
            let sort = system.signal(origin.state).sort.clone();
            let exprs = &mut invariant.exprs;
            let state = exprs.signal(origin.state, sort.clone());
            Some((var, state_bit(exprs, state, &sort, origin.index)))
        })
        .collect();
    let mut known: FxHashMap<Bdd, ExprId> = FxHashMap::default();
    let mut open = vec![set.clone()];
    while let Some(node) = open.last().cloned() {
        if known.contains_key(&node) {
            open.pop();
            continue;
        }
        let Some((var, otherwise, then)) = node.top() else {
            let constant = invariant.exprs.bool(node.is_true());
            known.insert(node, constant);
            continue;
        };
        match (known.get(&then).copied(), known.get(&otherwise).copied()) {
            (Some(then), Some(otherwise)) => {
                let condition = *bit_of.get(&var)?;
                let expr = invariant.exprs.ite(condition, then, otherwise);
                known.insert(node, expr);
            }
            _ => open.extend([then, otherwise]),
        }
    }
    invariant.lemmas.push(known[set]);
    Some(invariant)
}
