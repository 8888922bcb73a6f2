//! `propcov verify`: what a directory claims, without any engine.

use crate::common::{Run, Workspace, findings, forge, records, run, segments};
use serde_json::{Value, json};

fn verify(workspace: &Workspace, arguments: &[&str]) -> (Run, Value) {
    let output = workspace.verify(&[&["out"], arguments, &["--format", "json"]].concat());
    let document = output.document();
    assert_eq!((&document["schema"], &document["run"]["command"]), (&json!("propcov/2"), &json!("verify")));
    (output, document["verification"].clone())
}

/// How many claims of all kinds hold.
fn holding(document: &Value) -> u64 {
    document["holding"].as_object().expect("counts").values().filter_map(Value::as_u64).sum()
}

#[test]
fn everything_that_was_kept_holds_and_the_directory_alone_suffices() {
    let workspace = Workspace::example("fifo.btor2");
    let words = workspace.cover(&["-m", "mutation", "--witness", "--format", "json"]).document();
    let bits = workspace.cover(&["-m", "mutation", "--bits", "--format", "json", "--fresh"]).document();
    std::fs::remove_file(workspace.path().join("fifo.btor2")).expect("removed");
    let (run, document) = verify(&workspace, &[]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{document:#}");
    let (words, bits) = (findings(&words).len(), findings(&bits).len());
    let count = |kind: &str| document["holding"][kind].as_u64().unwrap_or_default() as usize;
    assert_eq!(count("covered mutants") + count("uncovered mutants"), words + bits);
    assert_eq!(count("proved properties"), 4, "two, once for words and once for bits");
    assert!(count("mutants compared with the design") > 2);
    assert_eq!(
        (&document["failing"], &document["unchecked"], &document["elsewhere"]),
        (&Value::Null, &Value::Null, &0.into())
    );
    let text = workspace.verify(&["out"]);
    assert!(text.stdout.starts_with(&format!("{} claims hold\n", holding(&document))), "{}", text.stdout);
}

#[test]
fn what_does_not_hold_is_named() {
    let workspace = Workspace::example("fifo.btor2");
    assert_eq!(workspace.cover(&["-m", "mutation"]).code, 0);
    let (_, honest) = verify(&workspace, &[]);
    let runs: Vec<Value> = records(&workspace.out(), "findings")
        .iter()
        .map(|record| record["killed"]["run"].clone())
        .filter(|run| !run.is_null())
        .collect();
    let mut is_first = true;
    forge(&workspace.out(), "findings", &mut |record| {
        if record.get("killed").is_some() && std::mem::take(&mut is_first) {
            // A run that is too short for anything.
            let mutants = record["killed"]["mutants"].as_object_mut().expect("mutants");
            for kills in mutants.values_mut().filter_map(Value::as_object_mut) {
                kills.values_mut().for_each(|kill| *kill = 0.into());
            }
        }
    });
    assert!(runs.len() > 2);
    let (run, document) = verify(&workspace, &[]);
    assert_eq!(run.code, 1);
    let failing = document["failing"].as_array().expect("a list");
    assert!(
        !failing.is_empty()
            && failing
                .iter()
                .all(|claim| claim["claim"].as_str().is_some_and(|text| text.contains(" notices ")))
    );
    assert_eq!(holding(&document) + failing.len() as u64, holding(&honest));
    let text = workspace.verify(&["out"]);
    assert_eq!(text.code, 1);
    assert!(text.stdout.contains("not hold:\n"), "{}", text.stdout);
}

#[test]
fn what_could_not_be_checked_is_not_called_wrong() {
    let workspace = Workspace::example("fifo.btor2");
    assert_eq!(workspace.cover(&["-m", "mutation"]).code, 0);
    let (_, honest) = verify(&workspace, &[]);
    let (run, document) = verify(&workspace, &["--timeout", "0"]);
    assert_eq!((run.code, holding(&document), &document["failing"]), (4, 0, &Value::Null));
    let unchecked = document["unchecked"].as_array().expect("a list");
    assert_eq!(unchecked.len() as u64, holding(&honest));
    assert!(unchecked.iter().all(|claim| claim["reason"] == "out of time"));
    let evidence = segments(&workspace.out(), "evidence");
    evidence.iter().for_each(|path| std::fs::remove_file(path).expect("removed"));
    let (run, document) = verify(&workspace, &[]);
    assert_eq!((run.code, holding(&document), &document["failing"]), (4, 0, &Value::Null));
    let unchecked = document["unchecked"].as_array().expect("a list");
    assert!(
        !unchecked.is_empty()
            && unchecked.iter().all(|claim| claim["reason"] == "its evidence is missing or damaged")
    );
}

#[test]
fn a_design_may_be_given_and_claims_about_others_are_left() {
    let workspace = Workspace::example("fifo.btor2");
    assert_eq!(workspace.cover(&["-m", "mutation"]).code, 0);
    let (_, honest) = verify(&workspace, &[]);
    let (run, document) = verify(&workspace, &["fifo.btor2"]);
    assert_eq!((run.code, holding(&document)), (0, holding(&honest)));
    let arbiter = crate::common::root().join("examples/arbiter.aag");
    let (run, document) = verify(&workspace, &[arbiter.to_str().expect("UTF-8")]);
    assert_eq!((run.code, holding(&document)), (0, 0));
    assert_eq!(document["elsewhere"], records(&workspace.out(), "findings").len() - 1);
    // Without the design that it kept, nothing can be checked.
    let designs = workspace.out().join("designs");
    for design in std::fs::read_dir(&designs).expect("a directory").flatten() {
        std::fs::write(design.path(), "something else").expect("written");
    }
    let (run, document) = verify(&workspace, &[]);
    assert_eq!((run.code, holding(&document)), (4, 0));
    assert!(
        run.stderr.starts_with("note: out: the design ")
            && run.stderr.ends_with("fifo.btor2 is missing or damaged\n")
    );
}

#[test]
fn what_is_no_directory_is_an_error() {
    let run = run(&["verify", "no-such-directory"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, "error: no-such-directory is no directory\n"));
}
