//! Every shared SMV model is read, but for those that NuSMV rejects, too.

use crate::common;
use propcov_frontend::read;
use propcov_ir::{Edits, Property, PropertyKind, words};
use propcov_testkit::Explicit;
use std::collections::HashMap;

/// Models that are no SMV, and what is wrong with them.
const REJECTED: &[(&str, &str)] = &[
    ("nusmv__m4__modcounter.m4.smv", "has to go through m4 first"),
    ("nusmv__m4__non_selective.m4.smv", "has to go through m4 first"),
];

#[test]
fn every_shared_smv_model_is_read_with_as_many_specifications_as_nusmv_checks() {
    let Some(files) = common::benchmarks("smv", "smv") else { return };
    let checked = ctl_checked();
    let mut problems = Vec::new();
    for (name, bytes) in &files {
        let rejected = REJECTED.iter().any(|(rejected, _)| rejected == name);
        let design = match read(name, bytes) {
            Ok(_) if rejected => {
                problems.push(format!("{name} is read although NuSMV rejects it"));
                continue;
            }
            Ok(design) => design,
            Err(_) if rejected => continue,
            Err(error) => {
                problems.push(error.to_string());
                continue;
            }
        };
        if let Err(error) = design.system.validate() {
            problems.push(format!("{name}: {error}"));
        }
        // What is CTL in the words of PSL is not in the record.
        let is_ctl = |property: &&Property| {
            matches!(property.kind, PropertyKind::Ctl(_)) && !property.name.contains("PSLSPEC")
        };
        let ctl = design.system.properties().iter().filter(is_ctl).count();
        match checked.get(name) {
            Some(0) | None => {}
            Some(expected) if *expected == ctl => {}
            Some(expected) => {
                problems.push(format!("{name}: {ctl} specifications, but NuSMV checks {expected}"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn small_models_have_as_many_reachable_states_as_nusmv_counts() {
    let Some(files) = common::benchmarks("smv", "smv") else { return };
    let rows = common::rows("smv", "RESULTS.tsv", '\t');
    let mut compared = 0;
    for (name, bytes) in &files {
        let Ok(design) = read(name, bytes) else { continue };
        let system = &design.system;
        let bits: u64 = (system.states().iter().chain(system.inputs()))
            .map(|signal| words::bit_count(&system.signal(*signal).sort).unwrap())
            .sum();
        // Larger ones are for decision diagrams.
        if bits > 20 {
            continue;
        }
        let row = rows.iter().find(|row| row[0] == *name).unwrap();
        let explored = Explicit::explore(system, &Edits::none()).unwrap();
        assert_eq!(explored.reachable().to_string(), row[6], "{name}");
        // NuSMV counts the first layer, too.
        assert_eq!((explored.diameter() + 1).to_string(), row[8], "{name}");
        compared += 1;
    }
    assert!(compared >= 20, "only {compared} models are small");
}

/// How many CTL specifications NuSMV checked in each model; none where it ran out of time.
fn ctl_checked() -> HashMap<String, usize> {
    let rows = common::rows("smv", "RESULTS.tsv", '\t');
    rows.into_iter().map(|row| (row[0].clone(), row[9].parse().unwrap())).collect()
}
