//! From a directory to claims about a design: what earlier runs said about the same question, and what they said about others that may help.
//!
//! A claim is *exact* if what it is about means the same now: it was true then, and if propcov is right it is true now. Others are about a property of the
//! same name that has been changed, or a mutant of it; they are worth a try. Neither is believed before it is checked.

use crate::archive::{Archive, Kind};
use crate::library::{KeptProof, Library};
use crate::record::{self, Id, Record};
use propcov_ir::{
    Digest, ExprId, Finding, Kill, Meanings, Mutant, Mutation, Node, Proof, PropertyId, Status, Stimulus,
    System,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::sync::Arc;

/// Who is said to have decided what comes from a directory.
pub const EARLIER: &str = "earlier run";

/// The most claims that are not exact about one mutant: the newest ones.
const CANDIDATES: usize = 2;

/// The most runs and proofs that are offered besides.
const OFFERED: usize = 256;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'w> {
    /// Claims about these properties.
    pub properties: &'w [PropertyId],
    /// And these mutants.
    pub mutants: &'w [Mutant],
    /// Whether those that are not exact are wanted.
    pub candidates: bool,
}

/// What a directory has to say, the best of each kind first. Nobody has checked it.
#[derive(Debug, Default)]
pub struct Recalled {
    /// Properties that are said to hold.
    pub proved: Vec<Proved>,
    /// Properties that are said to fail.
    pub violated: Vec<Violated>,
    /// What is said about mutants. There may be several claims about one.
    pub findings: Vec<Claimed>,
    /// What uncovered mutants are said to do.
    pub effects: Vec<Effect>,
    /// Runs of claims that are not exact, or no longer about anything: stimuli to begin with.
    pub runs: Vec<Arc<Stimulus>>,
    /// Proofs of such claims, as far as the system has their signals: lemmas to begin with.
    pub proofs: Vec<Arc<Proof>>,
    /// Exact claims without evidence: it was damaged, or is in a file that is missing.
    pub without_evidence: Vec<ClaimId>,
    /// All claims about properties that mean the same now, whether or not they could be taken over.
    pub exact: Vec<ClaimId>,
    /// Claims that say again, in part at least, what others say with the same evidence: runs that know nothing of each other do.
    pub repeated: Vec<ClaimId>,
}

/// A record that claims something, by its position in the [`Archive`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClaimId(pub(crate) usize);

/// A property that is said to hold in the design as written.
#[derive(Clone, Debug)]
pub struct Proved {
    /// The property.
    pub property: PropertyId,
    /// Why.
    pub proof: Arc<Proof>,
    /// How long it is said to have taken to find that out.
    pub seconds: f64,
    /// Whether it is about what the property means now. It need not be exact: a proof may speak of what the property does not depend on, which may have changed.
    pub is_same: bool,
    /// Whether it means the same now.
    pub is_exact: bool,
    /// The name of the proof.
    pub evidence: Digest,
    /// Where that is said.
    pub claim: ClaimId,
}

/// A property that is said to fail in the design as written.
#[derive(Clone, Debug)]
pub struct Violated {
    /// The property.
    pub property: PropertyId,
    /// The choices of a run.
    pub run: Arc<Stimulus>,
    /// The property fails in the last of so many steps.
    pub steps: usize,
    /// How long it is said to have taken to find that out.
    pub seconds: f64,
    /// Whether it means the same now.
    pub is_exact: bool,
    /// The name of the run.
    pub evidence: Digest,
    /// Where that is said.
    pub claim: ClaimId,
}

/// What is said about a mutant and a property.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// The claim. Decided by [`EARLIER`].
    pub finding: Finding,
    /// Whether it is about what the property means now. It need not be exact: a proof may speak of what the property does not depend on, which may have changed.
    pub is_same: bool,
    /// Whether it means the same now.
    pub is_exact: bool,
    /// The name of its evidence.
    pub evidence: Digest,
    /// Where that is said.
    pub claim: ClaimId,
}

/// What an uncovered mutant is said to do.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The mutant.
    pub mutant: Mutant,
    /// What the answer depends on: whoever asks has to compare.
    pub meaning: Digest,
    /// The properties that look on, by name.
    pub properties: Vec<String>,
    /// What is observed, as the user would say it.
    pub observe: Vec<String>,
    /// The answer.
    pub witness: Witness,
    /// Where that is said.
    pub claim: ClaimId,
}

/// Two runs that differ, or a proof that none do.
#[derive(Clone, Debug)]
pub enum Witness {
    /// They differ when they make these choices.
    Differs(Kill),
    /// They cannot.
    NoEffect(KeptProof),
}

impl Archive {
    /// What the directory has to say about a system.
    pub fn recall(&self, system: &System, meanings: &Meanings, wanted: &Wanted<'_>) -> Recalled {
        let mut properties: FxHashMap<Id, Vec<PropertyId>> = FxHashMap::default();
        for property in wanted.properties {
            properties.entry(Id(meanings.property(*property))).or_default().push(*property);
        }
        let mut recaller = Recaller {
            archive: self,
            library: Library::new(self, system),
            system,
            properties,
            asked: wanted.properties.iter().copied().collect(),
            mutants: wanted.mutants.iter().copied().collect(),
            cones: FxHashMap::default(),
            seen: FxHashSet::default(),
            found: FxHashMap::default(),
            recalled: Recalled::default(),
        };
        // The newest first.
        let claims = || self.claims().iter().enumerate().rev().map(|(at, claim)| (ClaimId(at), claim));
        for (id, claim) in claims() {
            if claim.kind == Kind::Effect {
                if recaller.effect(id).is_none() {
                    recaller.recalled.without_evidence.push(id);
                }
            } else if claim.kind != Kind::Slice && recaller.is_exact(claim.meaning) {
                recaller.exact(id);
            }
        }
        if wanted.candidates {
            for (id, claim) in claims() {
                if !recaller.is_exact(claim.meaning) {
                    recaller.candidate(id);
                }
            }
        }
        recaller.recalled
    }
}

struct Recaller<'a> {
    archive: &'a Archive,
    library: Library<'a>,
    system: &'a System,
    /// By meaning.
    properties: FxHashMap<Id, Vec<PropertyId>>,
    asked: FxHashSet<PropertyId>,
    mutants: FxHashSet<Mutant>,
    cones: FxHashMap<PropertyId, Vec<bool>>,
    /// Proofs and runs about properties that are there: said twice is said once.
    seen: FxHashSet<(PropertyId, Digest)>,
    /// The positions of claims about a mutant.
    found: FxHashMap<(PropertyId, Mutant), Vec<usize>>,
    recalled: Recalled,
}

/// Where something is said, whether that is about the same question, and whether all of it means the same now.
#[derive(Clone, Copy)]
struct Origin {
    claim: ClaimId,
    is_same: bool,
    is_exact: bool,
}

impl Recaller<'_> {
    fn is_exact(&self, meaning: Id) -> bool {
        self.properties.contains_key(&meaning)
    }

    fn exact(&mut self, claim: ClaimId) {
        let found = &self.archive.claims()[claim.0];
        let properties = self.properties.get(&found.meaning).cloned().unwrap_or_default();
        let Some(record) = self.archive.claim(found) else { return };
        self.recalled.exact.push(claim);
        let origin = Origin { claim, is_same: true, is_exact: true };
        let mut is_complete = true;
        for property in properties {
            is_complete &= self.claim(&record, property, origin).is_some();
        }
        if !is_complete {
            self.recalled.without_evidence.push(claim);
        }
    }

    /// What is said about a property of the same name, or a run or proof that may be of use.
    fn candidate(&mut self, claim: ClaimId) {
        let Some(record) = self.archive.claim(&self.archive.claims()[claim.0]) else { return };
        let (name, run, proof) = match &record {
            Record::Proved(proved) => (&proved.property, None, Some(proved.proof)),
            Record::Violated(violated) => (&violated.property, Some(violated.run), None),
            Record::Killed(killed) => (&killed.property, Some(killed.run), None),
            Record::Survived(survived) => (&survived.property, None, Some(survived.proof)),
            _ => return,
        };
        if let Some(property) = self.library.names().property(name).filter(|id| self.asked.contains(id)) {
            self.claim(&record, property, Origin { claim, is_same: false, is_exact: false });
        }
        self.offer(run, proof);
    }

    fn offer(&mut self, run: Option<Id>, proof: Option<Id>) {
        if let Some(Id(run)) = run
            && self.recalled.runs.len() < OFFERED
            && let Some(run) = self.library.run(run)
            && !self.recalled.runs.iter().any(|known| Arc::ptr_eq(known, &run))
        {
            self.recalled.runs.push(run);
        }
        if let Some(Id(proof)) = proof
            && self.recalled.proofs.len() < OFFERED
            && let Some(proof) = self.library.remains(proof)
            && !proof.invariant.lemmas.is_empty()
            && !self.recalled.proofs.iter().any(|known| Arc::ptr_eq(known, &proof))
        {
            self.recalled.proofs.push(proof);
        }
    }

    /// Takes over what a record says about a property; `None` when its evidence is not there.
    fn claim(&mut self, record: &Record, property: PropertyId, origin: Origin) -> Option<()> {
        match record {
            Record::Proved(proved) => self.proved(proved, property, origin),
            Record::Violated(violated) => self.violated(violated, property, origin),
            Record::Survived(survived) => self.survived(survived, property, origin),
            Record::Killed(killed) => self.killed(killed, property, origin),
            _ => Some(()),
        }
    }

    fn proved(&mut self, proved: &record::Proved, property: PropertyId, origin: Origin) -> Option<()> {
        let (evidence, seconds, claim) = (proved.proof.0, proved.seconds, origin.claim);
        let proof = self.library.proof(evidence)?;
        if self.seen.insert((property, evidence)) {
            let is_exact = origin.is_exact && self.is_inside(property, &proof);
            self.recalled.proved.push(Proved {
                property,
                proof,
                seconds,
                is_same: origin.is_same,
                is_exact,
                evidence,
                claim,
            });
        } else {
            self.recalled.repeated.push(claim);
        }
        Some(())
    }

    fn violated(&mut self, violated: &record::Violated, property: PropertyId, origin: Origin) -> Option<()> {
        let (evidence, steps, seconds) = (violated.run.0, violated.steps, violated.seconds);
        let Origin { claim, is_exact, .. } = origin;
        let run = self.library.run(evidence).filter(|run| steps <= run.inputs.len())?;
        if self.seen.insert((property, evidence)) {
            self.recalled.violated.push(Violated {
                property,
                run,
                steps,
                seconds,
                is_exact,
                evidence,
                claim,
            });
        } else {
            self.recalled.repeated.push(claim);
        }
        Some(())
    }

    fn survived(&mut self, survived: &record::Survived, property: PropertyId, origin: Origin) -> Option<()> {
        let named =
            survived.mutants.iter().flat_map(|(kind, signals)| signals.iter().map(move |name| (kind, name)));
        let mutants: Vec<Mutant> = named.filter_map(|(kind, name)| self.wanted(kind, name)).collect();
        if mutants.is_empty() {
            return Some(());
        }
        let proof = self.library.proof(survived.proof.0)?;
        let is_exact = origin.is_exact && self.is_inside(property, &proof);
        for mutant in mutants {
            let status = Status::Uncovered(Arc::clone(&proof));
            self.found(property, mutant, status, Origin { is_exact, ..origin }, survived.proof.0);
        }
        Some(())
    }

    fn killed(&mut self, killed: &record::Killed, property: PropertyId, origin: Origin) -> Option<()> {
        let named = killed.mutants.iter();
        let named = named.flat_map(|(kind, kills)| kills.iter().map(move |(name, kill)| (kind, name, kill)));
        let mutants: Vec<(Mutant, &record::Kill)> =
            named.filter_map(|(kind, name, kill)| Some((self.wanted(kind, name)?, kill))).collect();
        if mutants.is_empty() {
            return Some(());
        }
        let run = self.library.run(killed.run.0)?;
        for (mutant, kill) in mutants {
            if let Some(kill) = self.kill(mutant, kill, &run) {
                self.found(property, mutant, Status::Covered(Arc::new(kill)), origin, killed.run.0);
            }
        }
        Some(())
    }

    fn wanted(&self, kind: &str, signal: &str) -> Option<Mutant> {
        self.library.names().mutant(kind, signal).filter(|mutant| self.mutants.contains(mutant))
    }

    fn kill(&self, mutant: Mutant, kill: &record::Kill, run: &Arc<Stimulus>) -> Option<Kill> {
        let (steps, free) = match kill {
            record::Kill::Steps(steps) => (*steps, None),
            record::Kill::Open(steps, count, free) => (*steps, Some((*count, free))),
        };
        let free = match (free, self.system.mutable_sort(mutant.element)) {
            (Some((count, free)), Some(sort)) if mutant.mutation == Mutation::Free => {
                free.values(sort, count).ok()?
            }
            _ => Vec::new(),
        };
        (steps <= run.inputs.len()).then(|| Kill { stimulus: Arc::clone(run), steps, free })
    }

    fn found(
        &mut self,
        property: PropertyId,
        mutant: Mutant,
        status: Status,
        Origin { claim, is_same, is_exact }: Origin,
        evidence: Digest,
    ) {
        let others = self.found.entry((property, mutant)).or_default();
        let is_known = |other: &usize| {
            let other = &self.recalled.findings[*other];
            match (&other.finding.status, &status) {
                (Status::Covered(a), Status::Covered(b)) => {
                    other.evidence == evidence && (a.steps, &a.free) == (b.steps, &b.free)
                }
                _ => other.evidence == evidence,
            }
        };
        if others.iter().any(is_known) {
            return self.recalled.repeated.push(claim);
        }
        if !is_same && others.len() >= CANDIDATES {
            return;
        }
        others.push(self.recalled.findings.len());
        let finding = Finding { property, mutant, status, by: Cow::Borrowed(EARLIER) };
        self.recalled.findings.push(Claimed { finding, is_same, is_exact, evidence, claim });
    }

    /// Whether a proof speaks of nothing but what the property depends on. What else it speaks of may have changed.
    fn is_inside(&mut self, property: PropertyId, proof: &Proof) -> bool {
        let cone = self.cones.entry(property).or_insert_with(|| self.system.cone_of(property));
        is_inside(cone, proof)
    }

    /// Takes over what is said about an uncovered mutant; `None` when its evidence is not there.
    fn effect(&mut self, claim: ClaimId) -> Option<()> {
        let record = self.archive.claim(&self.archive.claims()[claim.0])?;
        let (meaning, question, (kind, signal)) = match &record {
            Record::Differs(differs) => (differs.meaning, differs.question, &differs.mutant),
            Record::NoEffect(no_effect) => (no_effect.meaning, no_effect.question, &no_effect.mutant),
            _ => return Some(()),
        };
        let Some(mutant) = self.wanted(kind, signal) else { return Some(()) };
        let question = self.archive.named(question).find_map(|(_, record)| match record {
            Record::Question(found) if found.id == question => Some(found),
            _ => None,
        })?;
        let witness = match &record {
            Record::Differs(differs) => {
                let run = self.library.run(differs.run.0)?;
                Witness::Differs(self.kill(mutant, &differs.kill, &run)?)
            }
            Record::NoEffect(no_effect) => Witness::NoEffect(self.library.kept_proof(no_effect.proof)?),
            _ => return Some(()),
        };
        let record::Question { properties, observe, .. } = question;
        self.recalled.effects.push(Effect {
            mutant,
            meaning: meaning.0,
            properties,
            observe,
            witness,
            claim,
        });
        Some(())
    }
}

/// Whether a proof speaks of no other signals than those of a cone.
pub(crate) fn is_inside(cone: &[bool], proof: &Proof) -> bool {
    let pool = &proof.invariant.exprs;
    (0..pool.len() as u32).map(ExprId).all(|expr| match pool.node(expr) {
        Node::Signal(signal) | Node::Next(signal) => cone[signal.0 as usize],
        _ => true,
    })
}
