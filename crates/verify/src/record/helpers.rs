//! Whose help a proof took: the properties that are among its lemmas.

use crate::Outcome;
use propcov_ir::{ExprId, ExprPool, Invariant, PropertyId, PropertyKind, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Finds properties among lemmas. Proofs that share their lemmas are looked at once.
pub(crate) struct Helpers<'s> {
    system: &'s System,
    seen: Vec<(Arc<Invariant>, Vec<PropertyId>)>,
    by_address: FxHashMap<usize, usize>,
}

impl<'s> Helpers<'s> {
    pub(crate) fn new(system: &'s System) -> Helpers<'s> {
        Helpers { system, seen: Vec::new(), by_address: FxHashMap::default() }
    }

    /// The other properties whose statements the proof of this one uses, in order.
    pub(crate) fn of(&mut self, outcome: &Outcome) -> Vec<PropertyId> {
        let Some(proof) = outcome.answer.proof().filter(|proof| !proof.invariant.lemmas.is_empty()) else {
            return Vec::new();
        };
        let address = Arc::as_ptr(&proof.invariant) as usize;
        let found = *self.by_address.entry(address).or_insert_with(|| {
            self.seen.push((Arc::clone(&proof.invariant), among(self.system, &proof.invariant)));
            self.seen.len() - 1
        });
        let own = self.system.invariant(outcome.property);
        let is_other = |property: &PropertyId| self.system.invariant(*property) != own;
        self.seen[found].1.iter().copied().filter(is_other).collect()
    }
}

/// The properties whose expressions are lemmas.
fn among(system: &System, invariant: &Invariant) -> Vec<PropertyId> {
    let lemmas: FxHashSet<ExprId> = invariant.lemmas.iter().copied().collect();
    // Expressions are hash-consed: one that is there already gets no new number.
    let mut pool: ExprPool = invariant.exprs.clone();
    let mut cache = FxHashMap::default();
    let ids = (0..system.properties().len() as u32).map(PropertyId);
    let invariants = ids.filter_map(|id| match system.property(id).kind {
        PropertyKind::Invariant(expr) => Some((id, expr)),
        _ => None,
    });
    let mut is_lemma = |expr: ExprId| lemmas.contains(&pool.copy(&system.exprs, expr, &mut cache));
    invariants.filter(|(_, expr)| is_lemma(*expr)).map(|(id, _)| id).collect()
}
