//! Refutations that many mutants share.
//!
//! Most of what refutes a mutant has nothing to do with the flipped label. So what holds for all mutants of a proposition is accepted once, and evidence about one of them need not repeat it.
//!
//! A refutation is accepted for all mutants of a proposition if it is right whatever this proposition is in the states of the implementation, except where its label is open: that is never
//! flipped. Then, by induction over their order, no pair that was accepted is in a simulation of the implementation or of such a mutant.

use super::{RefinementChecker, malformed};
use crate::Rejection;
use propcov_ir::{Label, Refutation, StatePair};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::RwLock;

/// By proposition, the pairs that are refuted in all of its mutants.
#[derive(Debug, Default)]
pub(super) struct Common {
    refuted: RwLock<FxHashMap<u32, FxHashSet<StatePair>>>,
}

impl Common {
    /// Whether a pair is refuted in all mutants of a proposition, as far as that was accepted.
    pub(super) fn contains(&self, proposition: Option<u32>, pair: StatePair) -> bool {
        let Some(proposition) = proposition else { return false };
        let refuted = self.refuted.read();
        refuted.is_ok_and(|refuted| refuted.get(&proposition).is_some_and(|pairs| pairs.contains(&pair)))
    }
}

impl RefinementChecker<'_> {
    /// Accepts refutations for all mutants of a proposition, each resting on earlier ones or on what was accepted before. From now on, evidence about such mutants may rest on them.
    ///
    /// # Errors
    /// If one of them does not follow. Those before it are accepted nevertheless.
    pub fn accept_common(&self, proposition: u32, refutations: &[Refutation]) -> Result<(), Rejection> {
        if proposition as usize >= self.specification.propositions().len() {
            return Err(malformed(format!("no proposition {proposition}")));
        }
        let mut all = self.common.refuted.write().map_err(|_| malformed("a checker that was interrupted"))?;
        let refuted = all.entry(proposition).or_default();
        for refutation in refutations {
            self.check_refutation(refutation, |next, answer| {
                self.may_accept(next, answer, proposition) && !refuted.contains(&(next, answer))
            })?;
            refuted.insert(refutation.pair);
        }
        Ok(())
    }

    /// Whether a state of the specification accepts the labels of one of the implementation, in some mutant of the proposition or in none.
    fn may_accept(&self, state: u32, specified: u32, proposition: u32) -> bool {
        let labels = self.implementation.labels(state).iter().zip(self.specification.labels(specified));
        (0..).zip(labels).all(|(number, (promised, specified))| {
            let is_any = number == proposition && *promised != Label::Open;
            is_any || specified.accepts(*promised)
        })
    }
}
