//! The names and numbers of elements are JKind's: its published cores can be read as sets of our elements.

use crate::common;
use propcov_frontend::read;
use propcov_ir::ElementKind;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The names in the published cores and MUST sets of each model.
fn published() -> BTreeMap<String, BTreeSet<String>> {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/benchmarks/lustre/published_cores.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let cores = row["cores"].as_array().unwrap().iter().flat_map(|core| core.as_array().unwrap());
        let all = cores.chain(row["must"].as_array().unwrap()).map(|name| name.as_str().unwrap().to_owned());
        names.entry(row["model"].as_str().unwrap().to_owned()).or_default().extend(all);
    }
    names
}

#[test]
fn every_name_in_a_published_core_is_an_element() {
    let Some(files) = common::benchmarks("lustre/models", "lus") else { return };
    let published = published();
    let mut problems = Vec::new();
    for (name, bytes) in &files {
        let design = match read(name, bytes) {
            Ok(design) => design,
            Err(error) => {
                problems.push(error.to_string());
                continue;
            }
        };
        let elements: BTreeSet<&str> =
            design.system.elements().iter().map(|element| element.name.as_str()).collect();
        let missing: Vec<&String> = published
            .get(name)
            .into_iter()
            .flatten()
            .filter(|name| !elements.contains(name.as_str()))
            .collect();
        if !missing.is_empty() {
            problems.push(format!("{name} has no {missing:?}"));
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn there_are_as_many_equations_as_jkind_counts() {
    let Some(files) = common::benchmarks("lustre/models", "lus") else { return };
    let rows = common::rows("lustre", "published_results.csv", ',');
    let counts: HashMap<&str, usize> =
        rows.iter().filter_map(|row| Some((row[0].as_str(), row[2].parse().ok()?))).collect();
    assert!(counts.len() > 430, "only {} counts", counts.len());
    let mut problems = Vec::new();
    for (name, bytes) in &files {
        let Ok(design) = read(name, bytes) else { continue };
        let elements = design.system.elements().iter();
        let equations = elements.filter(|element| element.kind == ElementKind::Equation).count();
        if let Some(count) = counts.get(name.as_str())
            && equations != *count
        {
            problems.push(format!("{name}: {equations} equations, but JKind counts {count}"));
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn every_shared_model_is_a_valid_system_with_a_property() {
    for folder in ["lustre/models", "lustre/sefm18"] {
        let Some(files) = common::benchmarks(folder, "lus") else { return };
        for (name, bytes) in &files {
            let design = read(name, bytes).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(design.system.validate(), Ok(()), "{name}");
            assert!(!design.system.properties().is_empty(), "{name}");
            assert!(design.system.elements().iter().all(|element| element.span().is_some()), "{name}");
        }
    }
}
