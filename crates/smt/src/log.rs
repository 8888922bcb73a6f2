//! The log of theory lemmas, without repetitions.

use crate::numeric::Rational;
use crate::{Reason, TheoryLemma};
use propcov_sat::Lit;
use rustc_hash::FxHashSet;

/// The lemmas so far.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) lemmas: Vec<TheoryLemma>,
    known: FxHashSet<Box<[Lit]>>,
}

impl Log {
    /// Notes that literals which hold refute each other.
    pub(crate) fn add<'a>(&mut self, refuted: impl Iterator<Item = (Lit, &'a Rational)> + Clone) {
        let clause: Vec<Lit> = refuted.clone().map(|(lit, _)| !lit).collect();
        let mut key = clause.clone();
        key.sort_unstable();
        if self.known.insert(key.into_boxed_slice()) {
            let multipliers = refuted.map(|(_, multiplier)| multiplier.to_big()).collect();
            self.lemmas.push(TheoryLemma { clause, reason: Reason::Farkas(multipliers) });
        }
    }
}
