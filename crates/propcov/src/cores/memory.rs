//! Evidence about cores in the run directory: what earlier runs left, and where this one's goes.
//!
//! What is exact should be accepted; what is not is worth a try, and if it is accepted it is exact from now on.

use crate::cover::earlier::Fate;
use crate::keeper::Keeper;
use propcov_coverage::cores::{Memory, Piece, Witness};
use propcov_coverage::mutation::Standing;
use propcov_ir::{ElementSet, Proof, PropertyId, Trace};
use propcov_result::RunResult;
use propcov_store::{RecalledSlices, SliceClaim, SliceWitness};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// So many bytes of runs are kept for one property; sets that do not suffice are then found anew.
const MOST_BYTES: usize = 32 << 20;

/// Evidence of earlier runs, and a place for new evidence.
pub(crate) struct CoreMemory<'k, 's> {
    keeper: &'k Keeper<'s>,
    universe: &'k ElementSet,
    recalled: RecalledSlices,
    /// Bytes of runs, by property.
    bytes: Mutex<FxHashMap<PropertyId, usize>>,
    /// What became of the claims about each property.
    fates: Mutex<BTreeMap<PropertyId, Fate>>,
    /// How many were accepted.
    reused: Mutex<BTreeMap<PropertyId, usize>>,
}

impl<'k, 's> CoreMemory<'k, 's> {
    /// What the directory has to say about these properties.
    pub(crate) fn new(
        keeper: &'k Keeper<'s>,
        universe: &'k ElementSet,
        properties: &[PropertyId],
    ) -> CoreMemory<'k, 's> {
        let recalled = keeper.recall_slices(properties);
        keeper.note_missing(recalled.without_evidence.len());
        CoreMemory {
            keeper,
            universe,
            recalled,
            bytes: Mutex::default(),
            fates: Mutex::default(),
            reused: Mutex::default(),
        }
    }

    /// Whether the claim should be accepted. A run in which more is freed than is in question need not be one in which less is.
    fn is_exact(&self, claim: &SliceClaim) -> bool {
        let is_proof = matches!(claim.witness, SliceWitness::Proof(_));
        claim.is_exact && (is_proof || claim.freed.is_subset(self.universe))
    }

    /// What a claim says about the elements in question.
    fn piece(&self, claim: &SliceClaim) -> Option<Piece> {
        let witness = match &claim.witness {
            SliceWitness::Proof(proof) => Witness::Proof(Proof::clone(proof)),
            SliceWitness::Run(run) => Witness::Run(run.on(self.keeper.system, &claim.freed)?),
        };
        Some(Piece { kept: self.universe.difference(&claim.freed), witness })
    }

    /// Keeps a claim that turned out to be true of the design as it is now: it is found at once next time.
    fn renew(&self, claim: &SliceClaim) {
        match self.piece(claim) {
            Some(Piece { kept, witness: Witness::Proof(proof) }) => {
                self.adequate(claim.property, &kept, claim.order, &proof);
            }
            Some(Piece { kept, witness: Witness::Run(run) }) => self.inadequate(claim.property, &kept, &run),
            None => {}
        }
    }

    /// Tells the user what could not be used, and returns how many pieces could.
    pub(crate) fn finish(&self) -> usize {
        let mut all = Fate::default();
        let fates = self.fates.lock().unwrap_or_else(PoisonError::into_inner);
        fates.values().for_each(|fate| all.add(fate));
        all.note(self.keeper, "set of elements of an earlier run", "sets of elements of earlier runs");
        self.reused.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }
}

/// Says how much of what a run found out comes from earlier ones.
pub(crate) fn note_reused(result: &mut RunResult, reused: usize) {
    if reused > 0 {
        result.stats.counts.insert("sets of elements of earlier runs".to_owned(), reused as u64);
    }
}

impl Memory for CoreMemory<'_, '_> {
    fn recall(&self, property: PropertyId, check: &mut dyn FnMut(Piece) -> Standing) {
        let (mut fate, mut reused) = (Fate::default(), 0);
        for claim in self.recalled.claims.iter().filter(|claim| claim.property == property) {
            let is_exact = self.is_exact(claim);
            let standing = match self.piece(claim) {
                Some(piece) => check(piece),
                None => Standing::Rejected,
            };
            match standing {
                Standing::Accepted => reused += 1,
                Standing::Rejected => fate.rejected += usize::from(is_exact),
                Standing::Postponed => fate.postponed += usize::from(is_exact),
            }
            let is_written = claim.is_same && (is_exact || matches!(claim.witness, SliceWitness::Proof(_)));
            if standing == Standing::Accepted && !is_written {
                self.renew(claim);
            }
        }
        self.fates.lock().unwrap_or_else(PoisonError::into_inner).insert(property, fate);
        self.reused.lock().unwrap_or_else(PoisonError::into_inner).insert(property, reused);
    }

    fn adequate(&self, property: PropertyId, kept: &ElementSet, order: usize, proof: &Proof) {
        self.keeper.keep_adequate(property, self.universe, kept, order, proof);
    }

    fn inadequate(&self, property: PropertyId, kept: &ElementSet, run: &Trace) {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = bytes.entry(property).or_default();
        if *bytes < MOST_BYTES {
            *bytes += self.keeper.keep_inadequate(property, self.universe, kept, run);
        }
    }
}
