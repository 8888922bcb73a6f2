//! Evidence by name, for one system: each piece is read once, when it is first asked for.

use crate::archive::Archive;
use crate::elements::{self, Sites};
use crate::names::Names;
use crate::proofs::{self, Clauses, Source};
use crate::record::{self, Id, Record};
use crate::runs;
use crate::traces::{self, KeptTrace};
use propcov_ir::{Digest, ElementId, Proof, Stimulus, System};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The evidence of a directory, as far as it is about the signals of a system. Nobody has checked it.
pub struct Library<'a> {
    archive: &'a Archive,
    system: &'a System,
    names: Names<'a>,
    runs: FxHashMap<Id, Option<Arc<Stimulus>>>,
    proofs: FxHashMap<Id, Option<ReadProof>>,
    sources: FxHashMap<(usize, Id), Option<Arc<Source>>>,
    elements: FxHashMap<Id, Option<Arc<Vec<Option<ElementId>>>>>,
    traces: FxHashMap<Id, Option<KeptTrace>>,
}

#[derive(Clone)]
struct ReadProof {
    proof: Arc<Proof>,
    is_complete: bool,
}

impl<'a> Library<'a> {
    /// Nothing is read yet.
    pub fn new(archive: &'a Archive, system: &'a System) -> Library<'a> {
        Library {
            archive,
            system,
            names: Names::new(system),
            runs: FxHashMap::default(),
            proofs: FxHashMap::default(),
            sources: FxHashMap::default(),
            elements: FxHashMap::default(),
            traces: FxHashMap::default(),
        }
    }

    pub(crate) fn names(&self) -> &Names<'a> {
        &self.names
    }

    /// The choices of that name. Inputs that the system no longer has are left out, and those that it did not have are zero.
    pub fn run(&mut self, name: Digest) -> Option<Arc<Stimulus>> {
        let id = Id(name);
        let (archive, system, names) = (self.archive, self.system, &self.names);
        let found = self.runs.entry(id).or_insert_with(|| {
            let runs = archive.named(id).filter_map(|(_, record)| match record {
                Record::Run(run) if run.id == id && Id(runs::content(&run)) == id => Some(run),
                _ => None,
            });
            runs.filter_map(|run| runs::read(system, names, &run).ok()).next().map(Arc::new)
        });
        found.clone()
    }

    /// The elements of that name, as far as the system has them.
    pub(crate) fn elements(&mut self, id: Id, sites: &Sites<'a>) -> Option<Arc<Vec<Option<ElementId>>>> {
        let archive = self.archive;
        let found = self.elements.entry(id).or_insert_with(|| {
            let found = archive.named(id).find_map(|(_, record)| match record {
                Record::Elements(record) if record.id == id && elements::content(&record) == id => {
                    Some(record)
                }
                _ => None,
            })?;
            Some(Arc::new(found.sites.iter().map(|site| sites.element(&self.names, site)).collect()))
        });
        found.clone()
    }

    /// The run of that name, in which elements are freed.
    pub(crate) fn trace(&mut self, id: Id) -> Option<KeptTrace> {
        let archive = self.archive;
        let found = self.traces.entry(id).or_insert_with(|| {
            archive.named(id).find_map(|(_, record)| match record {
                Record::Trace(trace) if trace.id == id && traces::content(&trace) == id => {
                    Some(KeptTrace(Arc::new(trace)))
                }
                _ => None,
            })
        });
        found.clone()
    }

    /// The proof of that name, if the system has all signals that it speaks of.
    pub fn proof(&mut self, name: Digest) -> Option<Arc<Proof>> {
        self.read_proof(Id(name)).filter(|read| read.is_complete).map(|read| read.proof)
    }

    /// The proof of that name without the lemmas about signals that the system does not have.
    pub fn remains(&mut self, name: Digest) -> Option<Arc<Proof>> {
        self.read_proof(Id(name)).map(|read| read.proof)
    }

    fn read_proof(&mut self, id: Id) -> Option<ReadProof> {
        if let Some(known) = self.proofs.get(&id) {
            return known.clone();
        }
        let archive = self.archive;
        let found = archive.named(id).find_map(|(segment, record)| match record {
            Record::Proof(record) if record.id == id => self.decode(segment, &record),
            _ => None,
        });
        self.proofs.insert(id, found.clone());
        found
    }

    /// A proof whose content is what its name says, as far as that can be told.
    fn decode(&mut self, segment: usize, record: &record::Proof) -> Option<ReadProof> {
        let own = Arc::new(Source::new(&self.names, record));
        let read = proofs::read(self.system, record, |of| match of {
            None => Some(Arc::clone(&own)),
            Some(id) => self.source(segment, id),
        })?;
        let is_right = |proof: &Proof| Clauses::new(self.system, proof).id == record.id;
        if read.is_complete && !is_right(&read.proof) {
            return None;
        }
        Some(ReadProof { proof: Arc::new(read.proof), is_complete: read.is_complete })
    }

    fn source(&mut self, segment: usize, id: Id) -> Option<Arc<Source>> {
        let (archive, names) = (self.archive, &self.names);
        let found =
            self.sources.entry((segment, id)).or_insert_with(|| match archive.named_in(segment, id) {
                Some(Record::Proof(record)) => Some(Arc::new(Source::new(names, &record))),
                _ => None,
            });
        found.clone()
    }

    /// A proof about a system that is not this one.
    pub(crate) fn kept_proof(&self, id: Id) -> Option<KeptProof> {
        let record = |(segment, record): (usize, Record)| match record {
            Record::Proof(record) if record.id == id => Some((segment, record)),
            _ => None,
        };
        let (segment, record) = self.archive.named(id).find_map(record)?;
        let others = record.lemmas.iter().filter_map(|part| part.of);
        let source = |id: Id| match self.archive.named_in(segment, id)? {
            Record::Proof(record) => Some((id, record)),
            _ => None,
        };
        let sources = others.map(source).collect::<Option<_>>()?;
        Some(KeptProof { record, sources })
    }
}

/// A proof that was kept, about a system that is made from the design: the product of design and mutant.
#[derive(Clone, Debug)]
pub struct KeptProof {
    record: record::Proof,
    sources: FxHashMap<Id, record::Proof>,
}

impl KeptProof {
    /// The proof, if it is one about this system.
    pub fn on(&self, product: &System) -> Option<Proof> {
        let names = Names::new(product);
        let read = proofs::read(product, &self.record, |of| {
            let record = of.map_or(Some(&self.record), |id| self.sources.get(&id))?;
            Some(Arc::new(Source::new(&names, record)))
        })?;
        let is_right = || Clauses::new(product, &read.proof).id == self.record.id;
        (read.is_complete && is_right()).then_some(read.proof)
    }

    /// Its name.
    pub fn name(&self) -> Digest {
        self.record.id.0
    }
}
