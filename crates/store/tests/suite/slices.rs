//! What suffices for a property and what does not: what is written is read, damage costs what was said there, and the numbers in a file are not trusted.

use crate::common::{archive, files, journal, properties, random_proof, same_proof, scratch};
use propcov_ir::{ElementSet, Meanings, Proof, PropertyId, Site, Step, System, Trace, Value};
use propcov_store::{RecalledSlices, SliceClaim, SliceWitness};
use propcov_testkit::{Random, for_random_systems, random_system, random_value};
use std::path::Path;
use std::sync::Arc;

enum Said {
    Adequate(Proof),
    Inadequate(Trace),
}

/// A claim as somebody makes it.
struct Claim {
    property: PropertyId,
    kept: ElementSet,
    said: Said,
}

fn random_set(random: &mut Random, of: &ElementSet) -> ElementSet {
    of.iter().filter(|_| random.percent(50)).collect()
}

/// Values for all that a run of a slice leaves open, many of them zero.
fn random_trace(random: &mut Random, system: &System, freed: &ElementSet) -> Trace {
    let mut value = |signal: propcov_ir::SignalId| -> Value {
        let sort = &system.signal(signal).sort;
        if random.percent(40) { random_value(random, sort) } else { Value::zero(sort) }
    };
    let wires: Vec<_> = freed
        .iter()
        .filter_map(|element| match system.element(element).site {
            Site::Wire(signal) => Some((element, signal)),
            _ => None,
        })
        .collect();
    let mut step = || Step {
        inputs: system.inputs().iter().map(|signal| value(*signal)).collect(),
        states: system.states().iter().map(|signal| value(*signal)).collect(),
        free: wires.iter().map(|(element, signal)| (*element, value(*signal))).collect(),
    };
    Trace { steps: (0..3).map(|_| step()).collect() }
}

fn random_claims(random: &mut Random, system: &System, universe: &ElementSet) -> Vec<Claim> {
    let mut claims = Vec::new();
    for property in properties(system) {
        for _ in 0..3 {
            let kept = random_set(random, universe);
            let said = match random.below(2) {
                0 => Said::Adequate(random_proof(random, system)),
                _ => Said::Inadequate(random_trace(random, system, &universe.difference(&kept))),
            };
            claims.push(Claim { property, kept, said });
        }
    }
    claims
}

fn write(directory: &Path, system: &System, universe: &ElementSet, claims: &[Claim]) {
    let mut journal = journal(directory, system);
    for (order, claim) in claims.iter().enumerate() {
        match &claim.said {
            Said::Adequate(proof) => {
                journal.add_adequate(claim.property, universe, &claim.kept, order, proof);
            }
            Said::Inadequate(trace) => {
                journal.add_inadequate(claim.property, universe, &claim.kept, trace);
            }
        }
    }
    assert!(journal.failure().is_none());
}

fn recall(directory: &Path, system: &System) -> RecalledSlices {
    archive(directory).recall_slices(system, &Meanings::new(system), &properties(system), true)
}

fn is_said(system: &System, universe: &ElementSet, claim: &Claim, read: &SliceClaim) -> bool {
    let same = match (&claim.said, &read.witness) {
        (Said::Adequate(proof), SliceWitness::Proof(read)) => same_proof(proof, read).is_ok(),
        (Said::Inadequate(trace), SliceWitness::Run(kept)) => {
            kept.on(system, &read.freed).as_ref() == Some(trace)
        }
        _ => false,
    };
    same && read.property == claim.property && read.freed == universe.difference(&claim.kept)
}

#[test]
fn claims_about_slices_are_read_as_they_were_written() {
    for_random_systems(150, 44_000, |seed, system| {
        let random = &mut Random::new(seed);
        let directory = scratch();
        let universe = random_set(random, &system.element_ids().collect());
        let claims = random_claims(random, system, &universe);
        write(directory.path(), system, &universe, &claims);
        let recalled = recall(directory.path(), system);
        if !recalled.without_evidence.is_empty() || !archive(directory.path()).notes().is_empty() {
            return Err(format!("{:?}", recalled.without_evidence));
        }
        for claim in &claims {
            if !recalled.claims.iter().any(|read| is_said(system, &universe, claim, read)) {
                return Err(format!("{:?} of {:?} became {recalled:?}", claim.kept, claim.property));
            }
        }
        let is_made_up =
            |read: &&SliceClaim| !claims.iter().any(|claim| is_same_meaning(system, &universe, claim, read));
        match recalled.claims.iter().find(is_made_up) {
            Some(read) => Err(format!("nobody said {read:?}")),
            None => Ok(()),
        }
    });
}

/// What is said about one property is said about all that mean the same.
#[test]
fn a_run_of_a_slice_does_not_stand_for_one_of_the_design_that_looks_the_same() {
    for_random_systems(20, 45_000, |_, system| {
        let directory = scratch();
        let zeros = |signals: &[propcov_ir::SignalId]| -> Vec<Value> {
            signals.iter().map(|signal| Value::zero(&system.signal(*signal).sort)).collect()
        };
        let step =
            Step { inputs: zeros(system.inputs()), states: zeros(system.states()), free: Default::default() };
        let stimulus = Arc::new(propcov_ir::Stimulus {
            start: zeros(system.states()),
            inputs: vec![zeros(system.inputs())],
            choices: vec![zeros(system.states())],
        });
        let universe: ElementSet = system.element_ids().collect();
        let mut journal = journal(directory.path(), system);
        let property = properties(system)[0];
        journal.add_inadequate(property, &universe, &universe, &Trace { steps: vec![step] });
        let name = journal.add_run(&stimulus);
        let texts =
            files(directory.path()).into_iter().map(|file| std::fs::read_to_string(file).unwrap_or_default());
        let is_there = texts.collect::<String>().contains(&format!("\"run\":{{\"id\":\"{name}\""));
        if is_there { Ok(()) } else { Err(format!("the run {name} is not there")) }
    });
}

fn is_same_meaning(system: &System, universe: &ElementSet, claim: &Claim, read: &SliceClaim) -> bool {
    let meanings = Meanings::new(system);
    let read = SliceClaim { property: claim.property, ..read.clone() };
    let meaning = |property: PropertyId| meanings.property(property);
    meaning(read.property) == meaning(claim.property) && is_said(system, universe, claim, &read)
}

struct Example {
    directory: tempfile::TempDir,
    system: System,
    whole: usize,
}

impl Example {
    fn new() -> Example {
        let (directory, system) = (scratch(), random_system(8));
        let random = &mut Random::new(3);
        let universe: ElementSet = system.element_ids().collect();
        let claims = random_claims(random, &system, &universe);
        write(directory.path(), &system, &universe, &claims);
        let whole = recall(directory.path(), &system).claims.len();
        assert!(whole >= 3);
        Example { directory, system, whole }
    }

    /// What is left while a file has another content.
    fn with(&self, file: &Path, bytes: &[u8]) -> RecalledSlices {
        let original = std::fs::read(file).expect("readable");
        std::fs::write(file, bytes).expect("written");
        let recalled = recall(self.directory.path(), &self.system);
        std::fs::write(file, original).expect("written");
        recalled
    }

    fn segments(&self) -> Vec<std::path::PathBuf> {
        let is_segment = |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "jsonl");
        files(self.directory.path()).into_iter().filter(is_segment).collect()
    }
}

#[test]
fn damage_costs_what_was_said_there_and_what_rests_on_it() {
    let example = Example::new();
    for file in example.segments() {
        let text = std::fs::read_to_string(&file).expect("text");
        for (at, line) in text.lines().enumerate().skip(1) {
            let mut bytes = text.clone().into_bytes();
            let start: usize = text.lines().take(at).map(|line| line.len() + 1).sum();
            bytes[start + line.len() / 2] ^= 1;
            let left = example.with(&file, &bytes);
            let is_claim = line.contains("adequate\":{");
            assert!(left.claims.len() < example.whole, "{line}");
            assert_eq!(left.without_evidence.is_empty(), is_claim, "{line}");
            if is_claim {
                assert!(
                    left.claims.len() + 2 >= example.whole,
                    "one line, for each property that means the same"
                );
            }
            let cut = example.with(&file, &text.as_bytes()[..start + line.len() / 2]);
            assert!(cut.claims.len() < example.whole);
        }
    }
}

#[test]
fn numbers_of_elements_that_nobody_has_are_not_followed() {
    let example = Example::new();
    for ranges in ["[[0,99999999999]]", "[[5,2]]", "[[0,1],[0,1]]", "[[0,18446744073709551615]]"] {
        for file in example.segments().into_iter().filter(|file| file.to_string_lossy().contains("findings"))
        {
            let text = std::fs::read_to_string(&file).expect("text");
            let forged: String = text.lines().map(|line| resealed(line, ranges)).collect();
            let left = example.with(&file, forged.as_bytes());
            assert!(left.claims.is_empty() && !left.without_evidence.is_empty(), "{ranges}");
        }
    }
}

/// A line with other elements, as somebody would write it who knows how to make lines that look right.
fn resealed(line: &str, ranges: &str) -> String {
    let Some((_, content)) = line.split_once("\",").filter(|(_, rest)| rest.contains("\"freed\":")) else {
        return format!("{line}\n");
    };
    let (before, rest) = content.split_once("\"freed\":").expect("elements");
    let end = rest.find(",\"proof\"").or(rest.find(",\"trace\"")).expect("evidence");
    let content = format!("{before}\"freed\":{ranges}{}", &rest[end..]);
    let mut digester = propcov_ir::Digester::new("propcov-run/1");
    digester.bytes(content.as_bytes());
    format!("{{\"check\":\"{}\",{content}\n", &digester.finish().to_string()[..16])
}

#[test]
fn evidence_that_is_there_is_not_written_again() {
    let example = Example::new();
    let recalled = recall(example.directory.path(), &example.system);
    let mut journal = journal(example.directory.path(), &example.system);
    journal.know_slices(&recalled);
    let universe: ElementSet = example.system.element_ids().collect();
    for claim in &recalled.claims {
        let kept = universe.difference(&claim.freed);
        match &claim.witness {
            SliceWitness::Proof(proof) => {
                journal.add_adequate(claim.property, &universe, &kept, 0, &Arc::clone(proof));
            }
            SliceWitness::Run(run) => {
                let run = run.on(&example.system, &claim.freed).expect("a run");
                assert_eq!(journal.add_inadequate(claim.property, &universe, &kept, &run), 0);
            }
        }
    }
    drop(journal);
    let evidence = |file: &std::path::PathBuf| file.to_string_lossy().contains("evidence");
    assert_eq!(example.segments().into_iter().filter(evidence).count(), 1);
    let again = recall(example.directory.path(), &example.system);
    assert_eq!(again.claims.len(), recalled.claims.len(), "said twice is said once");
}
