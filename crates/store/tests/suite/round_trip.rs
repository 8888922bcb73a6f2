//! What is written is read, on random systems.

use crate::common::{identity, random_findings, random_proof, same_finding, same_proof};
use propcov_engine::{Config, Limits, Silent, portfolio};
use propcov_ir::{
    Difference, Edits, Mutant, Mutation, PropertyId, SignalId, Site, Status, Step, System, Trace, Value,
    Verdict,
};
use propcov_store::{Database, Hole, ProductProof, Proved, Witness};
use propcov_testkit::{Random, for_random_systems, random_value};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

fn open<'s>(path: &Path, system: &'s System) -> Result<propcov_store::Opened<'s>, String> {
    Database::open(path, &identity(b""), system, false).map_err(|error| error.to_string())
}

#[test]
fn findings_and_proofs_are_read_as_they_were_written_in_several_sittings() {
    for_random_systems(300, 41_000, |seed, system| {
        let random = &mut Random::new(seed);
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = directory.path().join("x.jsonl");
        let findings = random_findings(random, system);
        let sittings: Vec<_> = findings.chunks(findings.len() / 3 + 1).collect();
        let mut written = 0;
        for sitting in sittings {
            let mut opened = open(&path, system)?;
            if opened.loaded.findings.len() != written {
                return Err(format!("{} instead of {written} findings", opened.loaded.findings.len()));
            }
            sitting.iter().for_each(|finding| opened.database.add_finding(finding));
            // What was loaded and is written again needs no new evidence.
            let length = std::fs::metadata(&path).map_err(|error| error.to_string())?.len();
            if let Some(known) = opened.loaded.findings.first() {
                opened.database.add_finding(known);
                let more = std::fs::metadata(&path).map_err(|error| error.to_string())?.len() - length;
                if more > 400 {
                    return Err(format!("{more} bytes for a finding whose evidence is there"));
                }
            }
            if let Some(error) = opened.database.failure() {
                return Err(error.to_string());
            }
            written += sitting.len();
        }
        let loaded = open(&path, system)?.loaded;
        if loaded.findings.len() != findings.len() {
            return Err(format!("{} instead of {} findings", loaded.findings.len(), findings.len()));
        }
        findings.iter().zip(&loaded.findings).try_for_each(|(a, b)| same_finding(system, a, b))
    });
}

#[test]
fn what_engines_prove_is_read_as_it_was_written() {
    for_random_systems(150, 42_000, |_, system| {
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = directory.path().join("x.jsonl");
        let mut proved = Vec::new();
        let mut opened = open(&path, system)?;
        for property in (0..system.properties().len() as u32).map(PropertyId) {
            let report = portfolio::check(
                system,
                &Edits::none(),
                property,
                &Config::default(),
                &Limits::default(),
                &Silent,
            );
            let Verdict::Proved(proof) = report.verdict else { continue };
            let proof = Arc::new(proof);
            let engine = report.engine.to_owned();
            proved.push(Proved { property, proof, engine, depth: Some(3), seconds: 0.125 });
            opened.database.add_proved(&proved[proved.len() - 1]);
        }
        drop(opened);
        let loaded = open(&path, system)?.loaded.proved;
        if loaded.len() != proved.len() {
            return Err(format!("{} instead of {} proofs", loaded.len(), proved.len()));
        }
        for (a, b) in proved.iter().zip(&loaded) {
            if (a.property, &a.engine, a.depth, a.seconds) != (b.property, &b.engine, b.depth, b.seconds) {
                return Err(format!("{a:?} became {b:?}"));
            }
            same_proof(&a.proof, &b.proof)?;
        }
        Ok(())
    });
}

#[test]
fn of_two_words_on_the_same_mutant_the_later_one_counts() {
    let system = propcov_testkit::random_system(6);
    let random = &mut Random::new(3);
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("x.jsonl");
    let findings = random_findings(random, &system);
    let mut opened = open(&path, &system).expect("a database");
    findings.iter().for_each(|finding| opened.database.add_finding(finding));
    let mut changed = findings[0].clone();
    changed.by = "somebody else".into();
    changed.status = Status::Uncovered(Arc::new(random_proof(random, &system)));
    opened.database.add_finding(&changed);
    drop(opened);
    let loaded = open(&path, &system).expect("a database").loaded;
    assert_eq!(loaded.findings.len(), findings.len());
    same_finding(&system, &changed, &loaded.findings[0]).expect("the later one");
}

#[test]
fn shared_lemmas_are_written_once() {
    let system = propcov_testkit::random_system(11);
    let random = &mut Random::new(5);
    let proof = std::iter::repeat_with(|| random_proof(random, &system))
        .find(|proof| proof.invariant.lemmas.len() > 3)
        .expect("endless");
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("x.jsonl");
    let mut opened = open(&path, &system).expect("a database");
    let length = || std::fs::metadata(&path).expect("a file").len();
    let mut grown = Vec::new();
    for _ in 0..3 {
        let before = length();
        let proof = Arc::new(proof.clone());
        opened.database.add_proved(&Proved {
            property: PropertyId(0),
            proof,
            engine: "ic3".to_owned(),
            depth: None,
            seconds: 0.0,
        });
        grown.push(length() - before);
    }
    assert!(grown[1] < grown[0] && grown[1] < 250, "{grown:?}");
    assert_eq!(grown[1], grown[2]);
}

#[test]
fn holes_are_read_as_they_were_written() {
    for_random_systems(200, 43_000, |seed, system| {
        let random = &mut Random::new(seed);
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = directory.path().join("x.jsonl");
        let mutants: Vec<_> = system.element_ids().flat_map(|element| system.mutants_of(element)).collect();
        let holes: Vec<Hole> = mutants.iter().map(|mutant| random_hole(random, system, *mutant)).collect();
        let mut opened = open(&path, system)?;
        holes.iter().for_each(|hole| opened.database.add_hole(hole));
        drop(opened);
        let loaded = open(&path, system)?.loaded.holes;
        if loaded.len() != holes.len() {
            return Err(format!("{} instead of {} holes", loaded.len(), holes.len()));
        }
        for (a, b) in holes.iter().zip(&loaded) {
            let same = match (&a.witness, &b.witness) {
                (
                    Witness::Differs { difference, shortest },
                    Witness::Differs { difference: other, shortest: as_short },
                ) => difference == other && shortest == as_short,
                (Witness::NoEffect(proof), Witness::NoEffect(other)) => {
                    let decoded = (proof.proof(system), other.proof(system));
                    let (Some(left), Some(right)) = decoded else { return Err("no proof".to_owned()) };
                    same_proof(&left, &right)?;
                    true
                }
                _ => false,
            };
            if !same || (a.mutant, &a.question) != (b.mutant, &b.question) {
                return Err(format!("{a:?} became {b:?}"));
            }
        }
        Ok(())
    });
}

fn random_hole(random: &mut Random, system: &System, mutant: Mutant) -> Hole {
    let question = format!("question {}", random.below(3));
    if random.percent(40) {
        let proof = ProductProof::new(system, &random_proof(random, system));
        return Hole { mutant, question, witness: Witness::NoEffect(proof) };
    }
    let steps = random.between(1, 3);
    let values = |random: &mut Random, signals: &[SignalId]| -> Vec<Value> {
        signals.iter().map(|signal| random_value(random, &system.signal(*signal).sort)).collect()
    };
    let (mut original, mut mutated) = (Trace::default(), Trace::default());
    let is_wire = matches!(system.element(mutant.element).site, Site::Wire(_));
    for _ in 0..steps {
        let inputs = values(random, system.inputs());
        let mut free = BTreeMap::new();
        if let (true, Mutation::Free, Some(sort)) =
            (is_wire, mutant.mutation, system.mutable_sort(mutant.element))
        {
            free.insert(mutant.element, random_value(random, sort));
        }
        let states = values(random, system.states());
        original.steps.push(Step { inputs: inputs.clone(), states, free: BTreeMap::new() });
        mutated.steps.push(Step { inputs, states: values(random, system.states()), free });
    }
    let difference = Difference { original, mutated, observed: vec!["somewhere".to_owned()] };
    Hole { mutant, question, witness: Witness::Differs { difference, shortest: random.percent(50) } }
}
