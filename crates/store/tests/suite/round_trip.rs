//! What is written is read, on random systems.

use crate::common::{
    archive, journal, properties, random_findings, random_proof, random_stimulus, recall, same_finding,
    same_proof, scratch, size,
};
use propcov_engine::{Config, Limits, Silent, portfolio};
use propcov_ir::{Digest, Edits, Finding, Kill, Meanings, Mutation, Proof, PropertyId, Status, Verdict};
use propcov_store::{Claimed, EARLIER, Library, Question, Witness};
use propcov_testkit::{Random, all_mutants, for_random_systems, random_system};
use std::collections::BTreeMap;
use std::sync::Arc;

type Result = std::result::Result<(), String>;

fn same_findings(system: &propcov_ir::System, written: &[Finding], read: &[Claimed]) -> Result {
    if written.len() != read.len() {
        return Err(format!("{} instead of {} findings", read.len(), written.len()));
    }
    let key = |finding: &Finding| (finding.property, finding.mutant);
    let read: BTreeMap<_, _> = read.iter().map(|claimed| (key(&claimed.finding), claimed)).collect();
    for finding in written {
        let claimed = read.get(&key(finding)).ok_or_else(|| format!("{finding:?} is missing"))?;
        // Proofs that speak of more than the property depends on are not exact; neither are they wrong.
        let is_kill = matches!(finding.status, Status::Covered(_));
        if claimed.finding.by != EARLIER || is_kill && !claimed.is_exact {
            return Err(format!("{claimed:?}"));
        }
        same_finding(system, finding, &claimed.finding)?;
    }
    Ok(())
}

#[test]
fn findings_are_read_as_they_were_written_in_several_sittings() {
    for_random_systems(150, 41_000, |seed, system| {
        let random = &mut Random::new(seed);
        let directory = scratch();
        let findings = random_findings(random, system);
        // What has the same meaning gets the same findings.
        let meanings = Meanings::new(system);
        let is_first = |finding: &Finding| {
            let same = |other: &PropertyId| meanings.property(*other) == meanings.property(finding.property);
            properties(system).iter().find(|id| same(id)) == Some(&finding.property)
                && properties(system).iter().filter(|id| same(id)).count() == 1
        };
        let findings: Vec<Finding> = findings.into_iter().filter(is_first).collect();
        let mut written = 0;
        for sitting in findings.chunks(findings.len() / 3 + 1) {
            let known = recall(directory.path(), system, false);
            same_findings(system, &findings[..written], &known.findings)?;
            let mut journal = journal(directory.path(), system);
            journal.know(&known);
            journal.add_findings(sitting);
            if let Some(error) = journal.failure() {
                return Err(error.to_string());
            }
            written += sitting.len();
        }
        let recalled = recall(directory.path(), system, true);
        if !recalled.without_evidence.is_empty() || !archive(directory.path()).notes().is_empty() {
            return Err(format!("{:?}", recalled.without_evidence));
        }
        same_findings(system, &findings, &recalled.findings)
    });
}

#[test]
fn what_engines_prove_and_refute_is_read_as_it_was_written() {
    for_random_systems(150, 42_000, |_, system| {
        let directory = scratch();
        let mut journal = journal(directory.path(), system);
        let (mut proved, mut violated) = (BTreeMap::new(), BTreeMap::new());
        for property in properties(system) {
            let (config, limits) = (Config::default(), Limits::default());
            let report = portfolio::check(system, &Edits::none(), property, &config, &limits, &Silent);
            match report.verdict {
                Verdict::Proved(proof) => {
                    let proof = Arc::new(proof);
                    journal.add_proved(property, &proof, report.engine, 0.125);
                    proved.insert(property, proof);
                }
                Verdict::Falsified(trace) => {
                    let run = Arc::new(propcov_ir::Stimulus::of(system, &trace));
                    journal.add_violated(property, &run, trace.steps.len(), report.engine, 0.5);
                    violated.insert(property, trace);
                }
                Verdict::Unknown(_) => {}
            }
        }
        drop(journal);
        let recalled = recall(directory.path(), system, false);
        for (property, proof) in &proved {
            let kept = recalled.proved.iter().filter(|kept| kept.property == *property);
            let found =
                kept.clone().any(|kept| same_proof(proof, &kept.proof).is_ok() && kept.seconds == 0.125);
            if !found || !kept.clone().all(|kept| kept.is_exact) {
                return Err(format!("{proof:?} became {:?}", kept.collect::<Vec<_>>()));
            }
        }
        for (property, trace) in &violated {
            let mut kept = recalled.violated.iter().filter(|kept| kept.property == *property);
            if !kept.any(|kept| kept.run.trace(system, kept.steps).as_ref() == Ok(trace)) {
                return Err(format!("{trace:?} of {property:?} is missing"));
            }
        }
        Ok(())
    });
}

#[test]
fn what_uncovered_mutants_do_is_read_as_it_was_written() {
    for_random_systems(150, 43_000, |seed, system| {
        let random = &mut Random::new(seed);
        let directory = scratch();
        let (properties, observe) = (properties(system), vec!["registers".to_owned()]);
        let question = Question { properties: &properties, observe: &observe };
        let mut journal = journal(directory.path(), system);
        let mut written = BTreeMap::new();
        for mutant in all_mutants(system) {
            let meaning = Digest::of(format!("{mutant:?}").as_bytes());
            if random.percent(40) {
                let proof = random_proof(random, system);
                journal.add_no_effect(meaning, &question, mutant, system, &proof);
                written.insert(mutant, (meaning, Err(proof)));
            } else {
                let kill = random_kill(random, system, mutant);
                journal.add_difference(meaning, &question, mutant, &kill);
                written.insert(mutant, (meaning, Ok(kill)));
            }
        }
        drop(journal);
        let recalled = recall(directory.path(), system, false);
        if recalled.effects.len() != written.len() {
            return Err(format!("{} instead of {} effects", recalled.effects.len(), written.len()));
        }
        for effect in &recalled.effects {
            let (meaning, answer) = &written[&effect.mutant];
            let names: Vec<&str> =
                system.properties().iter().map(|property| property.name.as_str()).collect();
            if (effect.meaning, &effect.observe) != (*meaning, &observe) || effect.properties != names {
                return Err(format!("{effect:?}"));
            }
            match (answer, &effect.witness) {
                (Ok(kill), Witness::Differs(read)) => {
                    let runs = (kill.trace(system, effect.mutant), read.trace(system, effect.mutant));
                    if runs.0 != runs.1 {
                        return Err(format!("{kill:?} became {read:?}"));
                    }
                }
                (Err(proof), Witness::NoEffect(read)) => {
                    same_proof(proof, &read.on(system).ok_or("no proof about this system")?)?;
                }
                _ => return Err(format!("{effect:?}")),
            }
        }
        Ok(())
    });
}

fn random_kill(random: &mut Random, system: &propcov_ir::System, mutant: propcov_ir::Mutant) -> Kill {
    let stimulus = Arc::new(random_stimulus(random, system));
    let steps = stimulus.inputs.len();
    let free = match (mutant.mutation, system.mutable_sort(mutant.element)) {
        (Mutation::Free, Some(sort)) => {
            (0..steps).map(|_| propcov_testkit::random_value(random, sort)).collect()
        }
        _ => Vec::new(),
    };
    Kill { stimulus, steps, free }
}

#[test]
fn facts_and_evidence_of_others_are_kept_for_them() {
    let system = random_system(7);
    let random = &mut Random::new(7);
    let directory = scratch();
    let mut journal = journal(directory.path(), &system);
    let proof = Arc::new(random_proof(random, &system));
    let run = Arc::new(random_stimulus(random, &system));
    let names = (journal.add_proof(&proof), journal.add_run(&run));
    let about = Digest::of(b"something");
    for number in 0..3 {
        let body = serde_json::json!({ "number": number, "proof": names.0.to_string(), "check": "{" });
        journal.add_fact("core", about, body);
    }
    journal.add_fact("other", about, serde_json::Value::Null);
    drop(journal);
    let archive = archive(directory.path());
    let numbers: Vec<_> = archive.facts("core", about).iter().map(|fact| fact["number"].clone()).collect();
    assert_eq!(numbers, [2, 1, 0], "the newest first");
    assert!(archive.facts("core", Digest::of(b"else")).is_empty());
    assert_eq!(archive.claim_ids().count(), 0, "facts are not claims that anybody else could check");
    let mut library = Library::new(&archive, &system);
    same_proof(&proof, &library.proof(names.0).expect("a proof")).expect("the same");
    assert_eq!(library.run(names.1).expect("a run").inputs, run.inputs);
    assert!(library.proof(names.1).is_none() && library.run(names.0).is_none());
}

#[test]
fn shared_lemmas_are_written_once() {
    let system = random_system(11);
    let random = &mut Random::new(5);
    let proof = std::iter::repeat_with(|| random_proof(random, &system))
        .find(|proof| proof.invariant.lemmas.len() > 3)
        .expect("endless");
    let directory = scratch();
    let mut journal = journal(directory.path(), &system);
    let mut grown = Vec::new();
    for k in [1, 2, 2, 3] {
        let before = size(directory.path());
        journal.add_proof(&Arc::new(Proof { k, ..proof.clone() }));
        grown.push(size(directory.path()) - before);
    }
    assert!(grown[1] < grown[0] && grown[1] < 200, "{grown:?}");
    assert_eq!((grown[2], grown[3]), (0, grown[1]));
}

#[test]
fn evidence_that_is_there_is_not_written_again() {
    let system = random_system(8);
    let findings = random_findings(&mut Random::new(1), &system);
    let directory = scratch();
    journal(directory.path(), &system).add_findings(&findings);
    let evidence = directory.path().join("evidence");
    let before = size(&evidence);
    let recalled = recall(directory.path(), &system, false);
    let mut journal = journal(directory.path(), &system);
    journal.know(&recalled);
    for claimed in &recalled.findings {
        assert_eq!(journal.evidence(&claimed.finding), Some(claimed.evidence));
    }
    let again: Vec<Finding> = recalled.findings.iter().map(|claimed| claimed.finding.clone()).collect();
    journal.add_findings(&again);
    // The same by content, though not the same piece of memory.
    journal.add_findings(&findings);
    assert!(journal.failure().is_none());
    drop(journal);
    assert_eq!(size(&evidence), before);
    assert_eq!(recall(directory.path(), &system, false).findings.len(), recalled.findings.len());
}

#[test]
fn what_is_undecided_is_not_kept_and_no_effect_is_only_uncovered() {
    let system = random_system(8);
    let directory = scratch();
    let mut findings = random_findings(&mut Random::new(1), &system);
    let proof = Arc::new(random_proof(&mut Random::new(2), &system));
    for finding in &mut findings {
        finding.status = match finding.mutant.mutation {
            Mutation::Free => Status::Unknown(propcov_ir::UnknownReason::Timeout),
            _ => Status::NoEffect(Arc::clone(&proof)),
        };
    }
    journal(directory.path(), &system).add_findings(&findings);
    let recalled = recall(directory.path(), &system, true);
    let undecided = findings.iter().filter(|finding| finding.mutant.mutation == Mutation::Free).count();
    assert_eq!(recalled.findings.len(), findings.len() - undecided);
    assert!(recalled.findings.iter().all(|claimed| claimed.finding.status.name() == "uncovered"));
}
