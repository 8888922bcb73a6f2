//! Random findings and proofs, and how to compare them.

use propcov_ir::{
    ElementSet, ExprId, ExprPool, Finding, Invariant, Kill, Meanings, Mutant, Mutation, Proof, PropertyId,
    SignalKind, Site, Sort, Status, Stimulus, System, Value,
};
use propcov_store::{Archive, Claimed, DesignFile, Journal, Recalled, Subject, Wanted};
use propcov_testkit::{Expressions, Random, all_mutants, random_value};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What tests say a run is about.
pub(crate) const DESIGN: &[u8] = b"a design";

/// A directory for a test: in memory where that is possible, for disks are slow to confirm that they have what they were given.
pub(crate) fn scratch() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.or_else(|_| tempfile::tempdir()).expect("a directory")
}

/// A run in a directory.
pub(crate) fn journal<'s>(directory: &Path, system: &'s System) -> Journal<'s> {
    let files = vec![DesignFile { path: "design.btor2", bytes: DESIGN }];
    let subject = Subject { files, options: serde_json::json!({ "bits": false }) };
    let meanings = Arc::new(Meanings::new(system));
    match Journal::start(directory, &subject, system, meanings) {
        Ok(journal) => journal,
        Err(error) => panic!("{error}"),
    }
}

/// What a directory has to say about all properties and mutants of a system.
pub(crate) fn recall(directory: &Path, system: &System, candidates: bool) -> Recalled {
    let archive = archive(directory);
    let (properties, mutants) = (properties(system), all_mutants(system));
    let wanted = Wanted { properties: &properties, mutants: &mutants, candidates };
    archive.recall(system, &Meanings::new(system), &wanted)
}

/// A directory as it is.
pub(crate) fn archive(directory: &Path) -> Archive {
    match Archive::read(directory) {
        Ok(archive) => archive,
        Err(error) => panic!("{error}"),
    }
}

/// All properties.
pub(crate) fn properties(system: &System) -> Vec<PropertyId> {
    (0..system.properties().len() as u32).map(PropertyId).collect()
}

/// All files of a directory and below, by name.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(path) = open.pop() {
        for entry in std::fs::read_dir(path).expect("a directory").flatten() {
            if entry.path().is_dir() { open.push(entry.path()) } else { files.push(entry.path()) }
        }
    }
    files.sort();
    files
}

/// How many bytes they have.
pub(crate) fn size(directory: &Path) -> u64 {
    files(directory).iter().map(|file| std::fs::metadata(file).expect("a file").len()).sum()
}

/// What a claim says, in a form that can be compared: property, mutant and verdict by name, and the name of the evidence.
pub(crate) fn said(system: &System, claimed: &Claimed) -> [String; 5] {
    let finding = &claimed.finding;
    [
        system.property(finding.property).name.clone(),
        system.element(finding.mutant.element).name.clone(),
        finding.mutant.mutation.name().to_owned(),
        finding.status.name().to_owned(),
        claimed.evidence.to_string(),
    ]
}

/// A proof of nothing in particular: clauses over bits of states, and other expressions over states.
pub(crate) fn random_proof(random: &mut Random, system: &System) -> Proof {
    let mut exprs = ExprPool::new();
    let states = system.states().iter();
    let leaves: Vec<ExprId> =
        states.map(|state| exprs.signal(*state, system.signal(*state).sort.clone())).collect();
    let mut lemmas = Vec::new();
    for _ in 0..random.below(6) {
        let mut literals = Vec::new();
        for _ in 0..random.below(4) {
            let depth = random.below(3);
            let bit = Expressions::new(random, &mut exprs, &leaves).expr(&Sort::BOOL, depth);
            literals.push(if random.percent(50) { exprs.not(bit) } else { bit });
        }
        lemmas.push(exprs.disjunction(literals));
    }
    let core: ElementSet = system.element_ids().filter(|_| random.percent(60)).collect();
    let k = random.between(1, 3) as u32;
    Proof { invariant: (Invariant { exprs, lemmas }).into(), k, simple_path: random.percent(20), core }
}

/// Choices for a few steps.
pub(crate) fn random_stimulus(random: &mut Random, system: &System) -> Stimulus {
    let steps = random.between(1, 4);
    let mut values = |signals: &[propcov_ir::SignalId]| -> Vec<Value> {
        signals.iter().map(|signal| random_value(random, &system.signal(*signal).sort)).collect()
    };
    let start = values(system.states());
    let inputs = (0..steps).map(|_| values(system.inputs())).collect();
    let is_open = |state: &propcov_ir::SignalId| {
        matches!(system.signal(*state).kind, SignalKind::State { next: None, .. })
    };
    let choices = match system.states().iter().any(is_open) {
        true => (0..steps).map(|_| values(system.states())).collect(),
        false => Vec::new(),
    };
    Stimulus { start, inputs, choices }
}

/// Findings that share some of their evidence.
pub(crate) fn random_findings(random: &mut Random, system: &System) -> Vec<Finding> {
    let mutants: Vec<Mutant> = system.element_ids().flat_map(|element| system.mutants_of(element)).collect();
    let stimuli: Vec<Arc<Stimulus>> = (0..2).map(|_| Arc::new(random_stimulus(random, system))).collect();
    let proofs: Vec<Arc<Proof>> = (0..3).map(|_| Arc::new(random_proof(random, system))).collect();
    let mut findings = Vec::new();
    for (property, mutant) in
        (0..system.properties().len() as u32).flat_map(|p| mutants.iter().map(move |m| (p, *m)))
    {
        if random.percent(30) {
            continue;
        }
        let status = match random.below(3) {
            0 => {
                let stimulus = random.pick(&stimuli).clone();
                Status::Covered(Arc::new(kill(random, system, mutant, &stimulus)))
            }
            1 => Status::Uncovered(random.pick(&proofs).clone()),
            _ => Status::Uncovered(Arc::clone(&proofs[0])),
        };
        findings.push(Finding { property: PropertyId(property), mutant, status, by: "somebody".into() });
    }
    findings
}

fn kill(random: &mut Random, system: &System, mutant: Mutant, stimulus: &Arc<Stimulus>) -> Kill {
    let steps = random.between(1, stimulus.inputs.len());
    let free = match (mutant.mutation, system.mutable_sort(mutant.element)) {
        (Mutation::Free, Some(sort)) => {
            let is_register = matches!(system.element(mutant.element).site, Site::Next(_));
            (0..steps - usize::from(is_register)).map(|_| random_value(random, sort)).collect()
        }
        _ => Vec::new(),
    };
    Kill { stimulus: Arc::clone(stimulus), steps, free }
}

/// Whether two proofs are the same, expression by expression. What they say that they use is not kept, and order has no meaning.
pub(crate) fn same_proof(a: &Proof, b: &Proof) -> Result<(), String> {
    if (a.k, a.simple_path) != (b.k, b.simple_path) {
        return Err(format!("{a:?} and {b:?} differ in k or kind of path"));
    }
    let mut pool = ExprPool::new();
    let mut copy = |proof: &Proof| -> Vec<ExprId> {
        let mut cache = FxHashMap::default();
        let mut seen = Vec::new();
        for lemma in &proof.invariant.lemmas {
            let lemma = pool.copy(&proof.invariant.exprs, *lemma, &mut cache);
            // A lemma that is there twice is written once.
            if !seen.contains(&lemma) {
                seen.push(lemma);
            }
        }
        seen.sort_unstable();
        seen
    };
    let (left, right) = (copy(a), copy(b));
    if left == right { Ok(()) } else { Err(format!("lemmas {left:?} became {right:?}")) }
}

/// Whether two findings say the same, with evidence that means the same.
pub(crate) fn same_finding(system: &System, a: &Finding, b: &Finding) -> Result<(), String> {
    if (a.property, a.mutant, a.status.name()) != (b.property, b.mutant, b.status.name()) {
        return Err(format!("{a:?} became {b:?}"));
    }
    match (&a.status, &b.status) {
        (Status::Covered(left), Status::Covered(right)) => {
            let runs = (left.trace(system, a.mutant), right.trace(system, b.mutant));
            if runs.0 == runs.1 { Ok(()) } else { Err(format!("{left:?} became {right:?}")) }
        }
        (
            Status::Uncovered(left) | Status::NoEffect(left),
            Status::Uncovered(right) | Status::NoEffect(right),
        ) => same_proof(left, right),
        _ => Err("different verdicts".to_owned()),
    }
}
