//! A property that cannot be proved in time costs the others neither their proofs nor their coverage.

use crate::common::{Run, Workspace, findings};
use serde_json::{Value, json};

/// Sums of products are equal whatever the order of factors, which is hard for every engine; and a bit stays low, which is not.
const HARD_AND_EASY: &str = "1 sort bitvec 24\n2 sort bitvec 1\n3 input 1 x\n4 input 1 y\n5 zero 1\n6 zero 2\n\
    7 state 1 p\n8 state 1 q\n9 state 2 bit\n10 init 1 7 5\n11 init 1 8 5\n12 init 2 9 6\n13 mul 1 3 4\n14 mul 1 4 3\n\
    15 add 1 7 13\n16 add 1 8 14\n17 next 1 7 15\n18 next 1 8 16\n19 next 2 9 9\n20 neq 2 7 8\n21 bad 20 equal\n22 bad 9 low\n";

/// Asks, for two seconds.
fn ask(command: &str, arguments: &[&str]) -> Value {
    let workspace = Workspace::new("hard.btor2", HARD_AND_EASY);
    let time = ["--timeout", "2s", "--format", "json"];
    let run: Run = workspace.run(command, &[arguments, &time].concat());
    assert_eq!((run.code, run.stderr.as_str()), (4, ""), "{}", run.stdout);
    let document = run.document();
    let verdicts: Vec<&Value> =
        document["properties"].as_array().expect("two").iter().map(|one| &one["verdict"]).collect();
    assert_eq!(verdicts, [&json!("unknown"), &json!("proved")], "{command} {arguments:?}");
    document
}

#[test]
fn check_proves_what_is_easy() {
    ask("check", &[]);
}

#[test]
fn cores_of_what_is_easy_are_found() {
    let document = ask("cores", &["--minimal"]);
    let easy = document["cores"].as_array().expect("cores").iter().find(|one| one["property"] == "low");
    let easy = easy.expect("a core");
    assert_eq!(
        (&easy["cores"][0]["minimal"], &easy["answered"]),
        (&json!("minimal"), &json!(true)),
        "{document:#}"
    );
}

#[test]
fn coverage_by_cores_is_measured_for_what_is_easy() {
    let document = ask("cover", &["--no-out", "--metric", "core"]);
    let rows = document["shares"].as_array().expect("shares");
    let easy = rows.iter().find(|row| row["scope"]["property"] == "low").expect("a row");
    assert_eq!((&easy["unknown"], easy["covered"] != "0"), (&json!("0"), true), "{document:#}");
}

#[test]
fn coverage_by_mutation_is_measured_for_what_is_easy() {
    let document = ask("cover", &["--no-out", "--metric", "mutation"]);
    let found = findings(&document);
    assert!(
        !found.is_empty()
            && found.iter().all(|[property, _, _, verdict]| { property == "low" && verdict != "unknown" }),
        "{found:?}"
    );
    let has = |edit: &str, verdict: &str| {
        found.iter().any(|row| [&row[1], &row[2], &row[3]] == ["bit", edit, verdict])
    };
    assert!(has("one", "covered") && has("zero", "uncovered"), "{found:?}");
}
