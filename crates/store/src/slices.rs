//! What suffices for a property, and what does not: claims about *slices*, in which some elements are freed, and their way to a directory and back.
//!
//! A claim says which elements are freed, and not which are kept: so it means the same whatever else is in question, and whatever is added to the design.

use crate::archive::{Archive, Kind};
use crate::elements::{self, Sites};
use crate::journal::Journal;
use crate::library::Library;
use crate::line::{self, FORMAT};
use crate::recall::{ClaimId, is_inside};
use crate::record::{self, Id, Record};
use crate::traces::{self, KeptTrace};
use propcov_ir::{Digest, ElementSet, Meanings, Proof, PropertyId, System, Trace};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The most claims that are not exact about one property: the newest ones.
const CANDIDATES: usize = 256;

impl Journal<'_> {
    /// Adds that a property holds while all elements in question but these are freed. `order` is how many such sets the search had come to before: it says nothing about the design, but
    /// lets the next run list them as this one does.
    pub fn add_adequate(
        &mut self,
        property: PropertyId,
        universe: &ElementSet,
        kept: &ElementSet,
        order: usize,
        proof: &Proof,
    ) {
        let proof = self.keep_proof(self.system, proof);
        let elements = self.elements_id(universe);
        let freed = elements::numbers(universe, &universe.difference(kept));
        let (meaning, property) = self.about(property);
        let adequate = record::Adequate { meaning, property, elements, freed, proof, order };
        self.write_claim(&line::seal(FORMAT, &Record::Adequate(adequate)));
    }

    /// Adds that a property fails in the last step of a run in which all elements in question but these are freed; how many bytes the run takes.
    pub fn add_inadequate(
        &mut self,
        property: PropertyId,
        universe: &ElementSet,
        kept: &ElementSet,
        trace: &Trace,
    ) -> usize {
        let written = traces::write(self.system, trace);
        let (id, mut bytes) = (written.id, 0);
        if self.known_traces.insert(id) {
            bytes = self.write_evidence(&Record::Trace(written));
        }
        let elements = self.elements_id(universe);
        let freed = elements::numbers(universe, &universe.difference(kept));
        let (meaning, property) = self.about(property);
        let inadequate = record::Inadequate { meaning, property, elements, freed, trace: id };
        self.write_claim(&line::seal(FORMAT, &Record::Inadequate(inadequate)));
        bytes
    }

    /// What an archive of this directory had to say need not be written again.
    pub fn know_slices(&mut self, recalled: &RecalledSlices) {
        for claim in &recalled.claims {
            self.known.insert(Id(claim.elements));
            match claim.witness {
                SliceWitness::Proof(_) => self.known.insert(Id(claim.evidence)),
                SliceWitness::Run(_) => self.known_traces.insert(Id(claim.evidence)),
            };
        }
    }

    /// The name of the elements in question, which are written if they are new.
    fn elements_id(&mut self, universe: &ElementSet) -> Id {
        if let Some((_, id)) = self.elements.as_ref().filter(|(known, _)| known == universe) {
            return *id;
        }
        let written = Sites::new(self.system, &self.meanings).write(universe);
        let id = written.id;
        self.elements = Some((universe.clone(), id));
        if self.known.insert(id) {
            self.write_evidence(&Record::Elements(written));
        }
        id
    }
}

/// What a directory has to say about slices. Nobody has checked it.
#[derive(Debug, Default)]
pub struct RecalledSlices {
    /// The claims, in the order in which earlier runs came to them.
    pub claims: Vec<SliceClaim>,
    /// Exact claims without evidence: it was damaged, or is in a file that is missing.
    pub without_evidence: Vec<ClaimId>,
    /// Exact claims that others make as well, with the same evidence.
    pub repeated: Vec<ClaimId>,
}

/// What is said about a property while some elements are freed.
#[derive(Clone, Debug)]
pub struct SliceClaim {
    /// The property.
    pub property: PropertyId,
    /// The elements that are freed, as far as the system has them.
    pub freed: ElementSet,
    /// Whether the property still holds, and why.
    pub witness: SliceWitness,
    /// Whether it is about what the property means now. It need not be exact: a proof may speak of what the property does not depend on, which may have changed.
    pub is_same: bool,
    /// Whether it means the same now.
    pub is_exact: bool,
    /// The name of the proof or the run.
    pub evidence: Digest,
    /// The name of the elements that were in question.
    pub elements: Digest,
    /// How many sets that suffice the search had come to before.
    pub order: usize,
    /// Where that is said.
    pub claim: ClaimId,
}

/// A proof, or a run that violates the property.
#[derive(Clone, Debug)]
pub enum SliceWitness {
    /// It holds.
    Proof(Arc<Proof>),
    /// It fails in the last step.
    Run(KeptTrace),
}

impl Archive {
    /// What the directory has to say about slices and these properties; of properties that have been changed, too, if candidates are wanted.
    pub fn recall_slices(
        &self,
        system: &System,
        meanings: &Meanings,
        properties: &[PropertyId],
        candidates: bool,
    ) -> RecalledSlices {
        let mut by_meaning: FxHashMap<Id, Vec<PropertyId>> = FxHashMap::default();
        for property in properties {
            by_meaning.entry(Id(meanings.property(*property))).or_default().push(*property);
        }
        let mut reader = Reader {
            library: Library::new(self, system),
            sites: Sites::new(system, meanings),
            system,
            cones: FxHashMap::default(),
            seen: FxHashSet::default(),
        };
        let mut recalled = RecalledSlices::default();
        let mut places: Vec<(usize, usize)> = Vec::new();
        let mut offered: FxHashMap<PropertyId, usize> = FxHashMap::default();
        // Of those that are not exact, the newest.
        let claims = self.claims().iter().enumerate().rev().filter(|(_, claim)| claim.kind == Kind::Slice);
        for (at, claim) in claims {
            let exact = by_meaning.get(&claim.meaning);
            let Some(record) = self.claim(claim).filter(|_| exact.is_some() || candidates) else { continue };
            let about = match exact {
                Some(properties) => properties.clone(),
                None => reader.namesake(&record).into_iter().filter(|id| properties.contains(id)).collect(),
            };
            for property in about {
                if exact.is_none() {
                    let count = offered.entry(property).or_default();
                    *count += 1;
                    if *count > CANDIDATES {
                        continue;
                    }
                }
                match reader.claim(&record, property, ClaimId(at), exact.is_some()) {
                    Some(Some(found)) => {
                        places.push((claim.segment(), found.order));
                        recalled.claims.push(found);
                    }
                    Some(None) if exact.is_some() => recalled.repeated.push(ClaimId(at)),
                    Some(None) => {}
                    None if exact.is_some() => recalled.without_evidence.push(ClaimId(at)),
                    None => {}
                }
            }
        }
        recalled.in_order(&places);
        recalled
    }
}

impl RecalledSlices {
    /// Oldest runs first, and each in its own order.
    fn in_order(&mut self, places: &[(usize, usize)]) {
        let mut order: Vec<usize> = (0..self.claims.len()).rev().collect();
        order.sort_by_key(|at| places[*at]);
        self.claims = order.into_iter().map(|at| self.claims[at].clone()).collect();
    }
}

struct Reader<'a> {
    library: Library<'a>,
    sites: Sites<'a>,
    system: &'a System,
    cones: FxHashMap<PropertyId, Vec<bool>>,
    /// Said twice is said once.
    seen: FxHashSet<(PropertyId, Digest, ElementSet)>,
}

impl Reader<'_> {
    /// The property of the name that a claim is about.
    fn namesake(&self, record: &Record) -> Option<PropertyId> {
        let name = match record {
            Record::Adequate(adequate) => &adequate.property,
            Record::Inadequate(inadequate) => &inadequate.property,
            _ => return None,
        };
        self.library.names().property(name)
    }

    /// What a record says about a property, unless that is known; `None` when its evidence is not there.
    fn claim(
        &mut self,
        record: &Record,
        property: PropertyId,
        claim: ClaimId,
        is_exact: bool,
    ) -> Option<Option<SliceClaim>> {
        let (elements, freed, evidence) = match record {
            Record::Adequate(adequate) => (adequate.elements, &adequate.freed, adequate.proof),
            Record::Inadequate(inadequate) => (inadequate.elements, &inadequate.freed, inadequate.trace),
            _ => return Some(None),
        };
        let all = self.library.elements(elements, &self.sites)?;
        let freed = elements::with_numbers(&all, freed)?;
        let key = (property, evidence.0, freed.clone());
        if self.seen.contains(&key) {
            return Some(None);
        }
        let is_same = is_exact;
        let (witness, is_exact, order) = match record {
            Record::Adequate(adequate) if is_exact => {
                let proof = self.library.proof(evidence.0)?;
                let cone = self.cones.entry(property).or_insert_with(|| self.system.cone_of(property));
                let is_exact = is_inside(cone, &proof);
                (SliceWitness::Proof(proof), is_exact, adequate.order)
            }
            // What is left of it may be enough.
            Record::Adequate(adequate) => {
                (SliceWitness::Proof(self.library.remains(evidence.0)?), false, adequate.order)
            }
            _ => (SliceWitness::Run(self.library.trace(evidence)?), is_exact, 0),
        };
        self.seen.insert(key);
        let (evidence, elements) = (evidence.0, elements.0);
        Some(Some(SliceClaim {
            property,
            freed,
            witness,
            is_same,
            is_exact,
            evidence,
            elements,
            order,
            claim,
        }))
    }
}
