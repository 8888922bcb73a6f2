//! Coverage up to a bound, as users see it.

use crate::common::{number, of_mutants, run, share, stable_text};
use propcov_testkit::check_lrat;
use serde_json::{Value, json};

const QUEUE: &str = "examples/queue.btor2";

fn cover(arguments: &[&str]) -> crate::common::Run {
    run(&[&["cover", QUEUE, "-m", "mutation", "--no-out"], arguments].concat())
}

#[test]
fn what_is_not_proved_is_measured_up_to_the_bound_and_stands_apart() {
    let run = cover(&["--engine", "bmc", "--bound", "4"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(stable_text(&run.stdout));
}

#[test]
fn the_document_has_the_bound_and_no_mutant_is_uncovered_for_good() {
    let document = cover(&["--engine", "bmc", "--bound", "4", "--format", "json"]).document();
    for property in document["properties"].as_array().expect("properties") {
        assert_eq!((&property["verdict"], &property["certified"]), (&json!("bounded"), &json!(true)));
    }
    let mutants = of_mutants(&document);
    let is_uncovered = |finding: &&Value| finding["verdict"] == "uncovered";
    assert!(mutants.iter().filter(is_uncovered).all(|finding| finding["bound"] == 4));
    let all = share(&document, "mutation", &json!("all"));
    assert!(number(&all, "bounded") > 0 && number(&all, "uncovered") == 0, "{all}");
}

#[test]
fn a_longer_bound_covers_as_much_or_more_and_a_proof_no_less() {
    let covered = |arguments: &[&str]| {
        let document = cover(&[arguments, &["--format", "json"]].concat()).document();
        number(&share(&document, "mutation", &json!("all")), "covered")
    };
    let by_bound: Vec<u64> = ["0", "1", "2", "4", "6", "9"]
        .iter()
        .map(|bound| covered(&["--engine", "bmc", "--bound", bound]))
        .collect();
    assert!(by_bound.is_sorted() && by_bound[0] < by_bound[3], "{by_bound:?}");
    let (proved, last) = (covered(&[]), by_bound[by_bound.len() - 1]);
    assert!(by_bound[3] < proved && last <= proved, "{by_bound:?}, proved {proved}");
}

#[test]
fn what_is_proved_within_the_bound_is_measured_as_a_proof() {
    let document = cover(&["--bound", "30", "--format", "json"]).document();
    let all = share(&document, "mutation", &json!("all"));
    assert_eq!((number(&all, "bounded"), number(&all, "unknown")), (0, 0), "{all}");
    assert!(number(&all, "uncovered") > 0, "{all}");
}

#[test]
fn who_never_proves_needs_a_bound() {
    let run = cover(&["--engine", "bmc"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("--bound 20"), "{}", run.stderr);
    let run = cover(&["--certificate", "somewhere"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("--bound"), "{}", run.stderr);
}

#[test]
fn refutations_are_written_for_other_tools() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().to_str().expect("a name");
    let refuted = |name: &str| {
        let read = |ending: &str| {
            std::fs::read_to_string(place.path().join(format!("{name}.{ending}"))).expect("a file")
        };
        let (formula, proof) = (read("cnf"), read("lrat"));
        check_lrat(&formula, &proof).expect("a refutation");
        formula
    };
    let run = run(&["check", QUEUE, "--engine", "bmc", "--bound", "4", "--certificate", path]);
    assert_eq!(run.stderr, "");
    assert!(!refuted("at_most_four").contains("selects"));
    assert_eq!(cover(&["--engine", "bmc", "--bound", "4", "--certificate", path]).code, 0);
    let formula = refuted("at_most_four");
    assert!(formula.lines().any(|line| line.ends_with("selects the mutant zero of full")), "{formula}");
    assert!(!formula.lines().any(|line| line.ends_with("selects the mutant one of count")), "it is killed");
}
