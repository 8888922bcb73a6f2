//! Designs that are wrong, odd, or come from elsewhere.

use crate::common::{LIVENESS, check_text, propcov, root, run, stable_text};
use serde_json::json;

#[test]
fn standard_input_is_read_for_a_dash() {
    let design = std::fs::read(root().join("examples/broken_counter.btor2")).expect("example");
    let output = propcov(&["check", "-", "--format", "json"]).write_stdin(design).output().expect("runs");
    assert_eq!(output.status.code(), Some(2));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["design"]["files"][0]["path"], "<stdin>");
    assert_eq!(document["design"]["format"], "btor2");
}

#[test]
fn messages_about_malformed_designs() {
    let designs = [
        ("sort.btor2", "; a comment\n1 sort bitvec 1\n2 input 7 a\n"),
        ("keyword.btor2", "1 sort bitvec 1\n2 frobnicate 1 1\n"),
        ("header.aag", "aag 1 2\n"),
        ("huge.aag", "aag 4000000000 4000000000 0 0 0\n"),
        ("literal.aag", "aag 1 1 0 1 0\n2\nx\n"),
        ("empty.txt", ""),
        ("unknown.txt", "module top; endmodule\n"),
        ("long.btor2", &format!("1 sort bitvec 1\n2 input 1 {} surplus\n", "n".repeat(150))),
    ];
    let mut messages = String::new();
    for (name, design) in designs {
        let run = check_text(name, design, &[]);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{name}: {}", run.stderr);
        messages.push_str(&run.stderr);
        messages.push('\n');
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("malformed", messages);
    });
}

#[test]
fn a_file_that_is_not_there_and_a_directory_are_named_in_the_message() {
    let missing = run(&["check", "examples/no_such_file.aag"]);
    assert_eq!((missing.code, missing.stdout.as_str()), (1, ""));
    assert!(
        missing.stderr.starts_with("error: cannot read examples/no_such_file.aag: "),
        "{}",
        missing.stderr
    );
    let directory = run(&["check", "examples"]);
    assert_eq!(directory.code, 1);
    assert!(directory.stderr.starts_with("error: cannot read examples: "), "{}", directory.stderr);
}

#[test]
fn a_design_without_properties_proves_nothing() {
    let design = "1 sort bitvec 1\n2 input 1 a\n";
    let text = check_text("none.btor2", design, &[]);
    assert_eq!(text.code, 4);
    assert!(text.stdout.contains("WARNING: there is no property: nothing was proved."), "{}", text.stdout);
    let document = check_text("none.btor2", design, &["--format", "json"]);
    assert_eq!((document.code, &document.document()["gate"]["obligations"]), (4, &json!(0)));
    assert_eq!(document.document().get("properties"), None);
}

#[test]
fn a_constant_property_is_warned_about_and_vacuous_if_true() {
    let design = "1 sort bitvec 1\n2 zero 1\n3 bad 2 never\n4 bad -2 ever\n";
    let run = check_text("constant.btor2", design, &[]);
    assert_eq!(run.code, 2);
    assert!(run.stdout.contains("WARNING: never is the constant true: it checks nothing."), "{}", run.stdout);
    assert!(run.stdout.contains("WARNING: ever is the constant false: it cannot hold."), "{}", run.stdout);
    assert!(stable_text(&run.stdout).contains("never  proved (vacuous)  ENGINE"), "{}", run.stdout);
    let only_true = check_text("constant.btor2", design, &["--property", "never", "--format", "json"]);
    assert_eq!((only_true.code, &only_true.document()["gate"]["vacuous"]), (0, &json!(["never"])));
}

#[test]
fn a_property_that_the_design_makes_true_in_every_state_is_not_vacuous() {
    // Addition commutes: folding shows it, but it is the two adders that make it so.
    let design = "1 sort bitvec 1\n2 sort bitvec 4\n3 input 2 a\n4 input 2 b\n5 add 2 3 4 implementation\n\
                  6 add 2 4 3 specification\n7 neq 1 5 6\n8 bad 7 equivalent\n";
    let run = check_text("miter.btor2", design, &["--format", "json"]);
    let document = run.document();
    assert_eq!((run.code, document["gate"].get("vacuous")), (0, None));
    assert_eq!(document["properties"][0]["verdict"], "proved");
}

#[test]
fn an_operator_too_wide_to_be_checked_is_unsupported_and_not_an_internal_error() {
    let design = "1 sort bitvec 1\n2 sort bitvec 8000\n3 input 2 a\n4 mul 2 3 3\n5 redor 1 4\n6 bad 5 wide\n";
    let run = check_text("wide.btor2", design, &["--format", "json"]);
    let reason = run.document()["properties"][0]["reason"].clone();
    assert_eq!((run.code, reason), (4, json!("not supported: mul of 8000 bits (the limit is 1024)")));
}

#[test]
fn a_counterexample_under_conflicting_assumptions_still_counts() {
    // No run reaches step 2, but the property fails in step 1.
    let design = "1 sort bitvec 1\n2 sort bitvec 2\n3 zero 2\n4 state 2 s\n5 init 2 4 3\n6 inc 2 4\n7 next 2 4 6\n\
                  8 constd 2 2\n9 neq 1 4 8\n10 constraint 9 not_two\n11 one 2\n12 eq 1 4 11\n13 bad 12 not_one\n";
    let run = check_text("late.btor2", design, &["--format", "json"]);
    let document = run.document();
    assert_eq!(document["gate"]["assumptions"], "conflicting");
    let conflict = document["gate"]["conflict"].as_array().expect("a conflict");
    assert_eq!((conflict.len(), &conflict[0]["name"]), (1, &json!("not_two")));
    assert_eq!(conflict[0]["place"]["line"], 10);
    assert_eq!((run.code, &document["properties"][0]["verdict"]), (2, &json!("falsified")));
}

#[test]
fn a_justice_property_fails_on_a_run_that_repeats_itself() {
    let run = check_text("live.aag", LIVENESS, &["--format", "json"]);
    assert_eq!(run.code, 2);
    let property = run.document()["properties"][0].clone();
    assert_eq!((&property["kind"], &property["verdict"]), (&json!("justice"), &json!("falsified")));
    assert_eq!((&property["certified"], &property["trace"]["shows"]["loop_to"]), (&json!(true), &json!(0)));
    let run = check_text("live.aag", LIVENESS, &[]);
    assert!(run.stdout.contains("loop: step 0 again and again"), "{}", run.stdout);
}

#[test]
fn a_design_with_a_loop_of_wires_is_refused() {
    let run = check_text("loop.aag", "aag 2 0 0 1 2\n2\n2 4 4\n4 2 2\n", &[]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.starts_with("error: DIR/loop.aag"), "{}", run.stderr);
}
