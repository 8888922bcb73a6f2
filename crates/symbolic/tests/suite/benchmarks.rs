//! NuSMV's own models: verdicts, numbers of states and diameters are those that NuSMV found.

use propcov_budget::Budget;
use propcov_ir::{CtlVerdict, PropertyId, PropertyKind};
use propcov_symbolic::{Checker, Options, Silent};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A number as NuSMV prints it: with six digits.
fn as_printed(count: &str) -> String {
    let number: f64 = count.parse().unwrap_or(f64::NAN);
    if count.len() <= 6 { count.to_owned() } else { format!("{number:.5e}") }
}

/// The same from a table, whatever zeros it leaves out.
fn as_recorded(field: &str) -> String {
    match field.split_once('e') {
        Some(_) => format!("{:.5e}", field.parse::<f64>().unwrap_or(f64::NAN)),
        None => field.to_owned(),
    }
}

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/benchmarks/smv");
    folder.join("RESULTS.tsv").exists().then_some(folder)
}

#[test]
fn answers_are_those_of_nusmv() {
    let Some(folder) = folder() else {
        eprintln!("skipped: ../shared/benchmarks/smv is not here");
        return;
    };
    let table = std::fs::read_to_string(folder.join("RESULTS.tsv")).expect("a table");
    let verdicts = std::fs::read_to_string(folder.join("ctl_verdicts.json")).expect("verdicts");
    let verdicts: BTreeMap<String, Vec<(String, String)>> =
        serde_json::from_str(&verdicts).expect("verdicts");
    let (mut models, mut compared) = (0, 0);
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let (file, reachable, fair, diameter) = (fields[0], fields[6], fields[7], fields[8]);
        // NuSMV did not finish, or rejected it.
        if reachable.is_empty() {
            continue;
        }
        let bytes = std::fs::read(folder.join(file)).expect("a model");
        let design = propcov_frontend::read(file, &bytes).unwrap_or_else(|error| panic!("{error}"));
        let system = &design.system;
        let deadline = Some(Instant::now() + Duration::from_secs(120));
        let budget = Budget { deadline, ..Budget::default() };
        let options = Options { demonstrate: false, ..Options::default() };
        let mut checker =
            Checker::new(system, options, &budget, &Silent).unwrap_or_else(|why| panic!("{file}: {why}"));
        let counts = checker.count_states().unwrap_or_else(|why| panic!("{file}: {why}"));
        assert_eq!(as_printed(&counts.reachable.to_string()), as_recorded(reachable), "{file}: reachable");
        assert_eq!(as_printed(&counts.fair.to_string()), as_recorded(fair), "{file}: fair");
        assert_eq!(counts.diameter.to_string(), diameter, "{file}: diameter");
        // What is CTL in the words of PSL is not in the record.
        let is_ctl = |id: &PropertyId| {
            let property = system.property(*id);
            matches!(property.kind, PropertyKind::Ctl(_)) && !property.name.contains("PSLSPEC")
        };
        let properties = (0..system.properties().len() as u32).map(PropertyId).filter(is_ctl);
        let found: Vec<&str> = properties
            .map(|property| match checker.check(property) {
                CtlVerdict::Holds(_) => "true",
                CtlVerdict::Fails(_) => "false",
                CtlVerdict::Unknown(why) => panic!("{file}: {why}"),
            })
            .collect();
        if let Some(expected) = verdicts.get(file) {
            let expected: Vec<&str> = expected.iter().map(|(_, verdict)| verdict.as_str()).collect();
            assert_eq!(found, expected, "{file}");
            compared += found.len();
        }
        models += 1;
    }
    assert!(models > 50 && compared > 100, "{models} models, {compared} verdicts");
}
