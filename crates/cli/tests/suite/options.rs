//! Each option does what its help text says.

use crate::common::{HARD, LOOP, check_text, run};
use propcov_coverage::mutation::Technique;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn verdicts(document: &Value) -> Vec<(&str, &str)> {
    let properties = document["properties"].as_array().expect("properties").iter();
    properties.map(|p| (p["name"].as_str().expect("name"), p["verdict"].as_str().expect("verdict"))).collect()
}

#[test]
fn property_selects_by_name_in_the_order_of_the_design() {
    let one = run(&[
        "check",
        "examples/counter.btor2",
        "--format",
        "json",
        "--property",
        "in_flight_at_most_eight",
    ]);
    assert_eq!(verdicts(&one.document()), [("in_flight_at_most_eight", "proved")]);
    assert_eq!(one.document()["gate"]["obligations"], 1);
    let arguments = [
        "check",
        "examples/arbiter.aag",
        "--format",
        "json",
        "-p",
        "nobody_waits_twice",
        "-p",
        "one_grant_at_a_time",
    ];
    let both = run(&arguments).document();
    assert_eq!(verdicts(&both), [("one_grant_at_a_time", "proved"), ("nobody_waits_twice", "proved")]);
}

#[test]
fn an_unknown_property_is_an_error_that_names_what_was_meant() {
    let run = run(&["check", "examples/arbiter.aag", "--property", "nobody_wait_twice"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert_eq!(
        run.stderr,
        "error: no property is called `nobody_wait_twice`; did you mean nobody_waits_twice?\n"
    );
}

#[test]
fn an_unknown_property_that_resembles_nothing_is_answered_with_what_there_is() {
    let run = run(&["check", "examples/broken_counter.btor2", "--property", "zzzzzz"]);
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (1, "error: no property is called `zzzzzz`; there is below_ten\n")
    );
}

#[test]
fn engine_decides_which_engine_answers() {
    for (engine, verdict, code) in [
        ("ic3", "proved", 0),
        ("kinduction", "proved", 0),
        ("interpolation", "proved", 0),
        ("bmc", "bounded", 4),
    ] {
        let run =
            run(&["check", "examples/arbiter.aag", "--engine", engine, "--bound", "20", "--format", "json"]);
        assert_eq!(run.code, code, "{engine}");
        for property in run.document()["properties"].as_array().expect("properties") {
            assert_eq!((&property["engine"], &property["verdict"]), (&json!(engine), &json!(verdict)));
        }
    }
}

#[test]
fn an_unknown_engine_is_an_error_that_lists_the_engines() {
    let run = run(&["check", "examples/arbiter.aag", "--engine", "magic"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    for engine in ["portfolio", "ic3", "kinduction", "interpolation", "bmc"] {
        assert!(run.stderr.contains(engine), "{}", run.stderr);
    }
}

#[test]
fn a_bound_that_is_too_small_is_no_proof() {
    let at = |bound: &str| {
        run(&[
            "check",
            "examples/broken_counter.btor2",
            "--engine",
            "bmc",
            "--bound",
            bound,
            "--format",
            "json",
        ])
    };
    let below = at("9");
    assert_eq!(below.code, 4);
    let property = &below.document()["properties"][0];
    assert_eq!(property["verdict"], "bounded");
    assert_eq!((&property["reason"], &property["depth"]), (&json!("no violation up to depth 9"), &json!(9)));
    assert_eq!((property["certified"].as_bool(), &property["trace"]), (Some(true), &Value::Null));
    assert_eq!(at("10").code, 2);
}

#[test]
fn bmc_without_any_limit_is_warned_about() {
    let run = run(&["check", "examples/broken_counter.btor2", "--engine", "bmc"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("bmc never proves"), "{}", run.stderr);
}

#[test]
fn timeout_ends_the_whole_run_and_what_was_decided_is_reported() {
    let start = Instant::now();
    let run = check_text("hard.btor2", HARD, &["--timeout", "2s", "--format", "json"]);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    assert_eq!(run.code, 4);
    let document = run.document();
    assert_eq!(verdicts(&document), [("easy", "proved"), ("hard", "unknown")]);
    assert_eq!(document["properties"][1]["reason"], "out of time");
}

#[test]
fn a_hard_property_does_not_starve_those_behind_it() {
    let hard_first = HARD.replace("9 bad 6 easy\n", "") + "20 bad 6 easy\n";
    let document = check_text("hard.btor2", &hard_first, &["--timeout", "3", "--format", "json"]).document();
    assert_eq!(verdicts(&document), [("hard", "unknown"), ("easy", "proved")]);
    let spent = document["properties"][0]["seconds"].as_f64().expect("seconds");
    assert!(spent > 2.0, "what the easy one left over was not used: {spent}");
}

#[test]
fn a_malformed_timeout_is_a_usage_error() {
    let run = run(&["check", "examples/arbiter.aag", "--timeout", "soon"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("unknown unit `soon`"), "{}", run.stderr);
}

#[test]
fn conflicts_limit_the_work_on_a_property() {
    let arguments =
        ["--engine", "bmc", "--bound", "3", "--conflicts", "20", "--property", "hard", "--format", "json"];
    let run = check_text("hard.btor2", HARD, &arguments);
    assert_eq!((run.code, &run.document()["properties"][0]["reason"]), (4, &json!("out of conflicts")));
}

#[test]
fn simple_paths_let_induction_prove_what_it_cannot_otherwise() {
    let check = |more: &[&str]| {
        let arguments =
            [&["--engine", "kinduction", "--bound", "20", "--format", "json", "--core"], more].concat();
        check_text("loop.aag", LOOP, &arguments)
    };
    assert_eq!(check(&[]).code, 4);
    let with = check(&["--simple-path"]);
    assert_eq!((with.code, verdicts(&with.document())), (0, vec![("b_is_never_set", "proved")]));
    let property = &with.document()["properties"][0];
    assert_eq!(
        (property.get("core"), &property["core_reason"]),
        (None, &json!("the proof is over simple paths"))
    );
}

#[test]
fn the_seed_is_used_and_reported() {
    let run = run(&["check", "examples/counter.btor2", "--seed", "18446744073709551615", "--format", "json"]);
    assert_eq!((run.code, run.document()["run"]["seed"].as_u64()), (0, Some(u64::MAX)));
}

#[test]
fn stats_are_printed_when_asked_for() {
    let plain = run(&["check", "examples/arbiter.aag"]);
    assert!(!plain.stdout.contains("Statistics"), "{}", plain.stdout);
    let with = run(&["check", "examples/arbiter.aag", "--stats", "--engine", "kinduction"]);
    assert!(with.stdout.contains("\nStatistics:\n"), "{}", with.stdout);
    assert!(
        with.stdout.lines().any(|line| line.starts_with("  decided by kinduction") && line.ends_with(" 2"))
    );
    assert!(with.stdout.lines().any(|line| line.starts_with("  solver calls, bmc")), "{}", with.stdout);
}

#[test]
fn core_names_the_elements_that_a_proof_uses() {
    let text = run(&["check", "examples/conflict.btor2", "--core"]).stdout;
    assert!(text.contains("The proof of never_interrupted uses "), "{text}");
    let document = run(&["check", "examples/conflict.btor2", "--core", "--format", "json"]).document();
    let core = document["properties"][0]["core"].as_array().expect("a core");
    let elements = document["elements"].as_array().expect("elements").iter();
    let names: Vec<&str> = elements
        .filter(|element| core.contains(&element["id"]))
        .filter_map(|element| element["name"].as_str())
        .collect();
    assert!(names.contains(&"always_requests") && names.contains(&"no_request_while_busy"), "{names:?}");
    assert!(!names.contains(&"tag_is_small"), "{names:?}");
    let without = run(&["check", "examples/conflict.btor2", "--format", "json"]).document();
    assert_eq!((without["properties"][0].get("core"), without.get("elements")), (None, None));
}

#[test]
fn quiet_hides_warnings_but_not_results() {
    let model = "MODULE main\nVAR x : boolean;\nSPEC EF x\nPSLSPEC always {x; x}\n";
    let loud = check_text("model.smv", model, &[]);
    assert_eq!(
        loud.stderr,
        "warning: DIR/model.smv:4:1: 1 PSLSPEC is not checked: sequences, clocks, abort, forall and rows of one operator are not supported\n"
    );
    let quiet = check_text("model.smv", model, &["--quiet"]);
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""));
    assert!(quiet.stdout.contains("SPEC1"), "{}", quiet.stdout);
}

#[test]
fn help_is_data_and_ends_well() {
    for arguments in [
        &["help"][..],
        &["help", "check"],
        &["check", "--help"],
        &["help", "cover"],
        &["explain", "--help"],
        &["help", "exit-codes"],
        &["help", "engines"],
        &["--version"],
    ] {
        let run = run(arguments);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments:?}");
        assert!(!run.stdout.is_empty(), "{arguments:?}");
    }
    assert_eq!(run(&["help", "nonsense"]).code, 1);
    assert!(run(&["--version"]).stdout.starts_with("propcov "));
}

#[test]
fn help_texts() {
    for topic in [
        "check",
        "cover",
        "explain",
        "ctl",
        "edits",
        "exit-codes",
        "engines",
        "formats",
        "graphs",
        "json",
        "lustre",
        "metrics",
        "out",
        "refine",
        "state",
        "transition",
        "verify",
    ] {
        insta::with_settings!({ snapshot_suffix => topic, prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!("help", run(&["help", topic]).stdout);
        });
    }
}

#[test]
fn every_test_of_both_algorithms_has_a_line_of_help() {
    let page = run(&["help", "tests"]).stdout;
    for technique in Technique::PIPELINE.into_iter().chain(Technique::ALGORITHM_1) {
        let is_line = |line: &str| line.split_whitespace().next() == Some(technique.name());
        assert!(page.lines().any(is_line), "{}: {page}", technique.name());
    }
}

#[test]
fn wrong_usage_is_exit_code_1_and_nothing_on_standard_output() {
    for arguments in
        [&[][..], &["check", "a", "--reset-cycles", "2"], &["frobnicate"], &["check", "a", "--bound", "-1"]]
    {
        let run = run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{arguments:?}");
        assert!(run.stderr.contains("Usage"), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn completions_and_a_manual_page_can_be_made() {
    for shell in ["bash", "zsh", "fish"] {
        let run = run(&["completions", shell]);
        assert_eq!(run.code, 0);
        assert!(run.stdout.contains("kinduction"), "{shell}: engines are not completed");
        assert!(run.stdout.contains("mutation"), "{shell}: metrics are not completed");
    }
    assert!(run(&["man"]).stdout.contains(".TH propcov"));
}
