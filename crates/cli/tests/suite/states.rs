//! State and transition coverage of CTL properties, from outside.

use crate::common::{Run, Workspace, root, run, stable_text};
use serde_json::{Value, json};

macro_rules! snapshot {
    ($name:literal, $text:expr) => {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}

/// Coverage of an example, with nothing written.
fn example(name: &str, metric: &str, arguments: &[&str]) -> Run {
    let path = format!("examples/{name}");
    run(&[&["cover", &path, "--metric", metric, "--no-out"], arguments].concat())
}

/// Coverage of a model, with nothing written.
fn model(text: &str, metric: &str, arguments: &[&str]) -> Run {
    let arguments = [&["--metric", metric, "--no-out"], arguments].concat();
    Workspace::new("model.smv", &format!("MODULE main\n{text}")).run("cover", &arguments)
}

/// The counts of a signal in a document, or of all together.
fn share<'d>(document: &'d Value, observed: Option<&str>) -> &'d Value {
    let scope = observed.map_or(json!("all"), |observed| json!({ "observed": observed }));
    let shares = document["shares"].as_array().expect("shares");
    shares.iter().find(|share| share["scope"] == scope).expect("a share of this scope")
}

/// What is not covered, in order.
fn holes(document: &Value) -> Vec<Value> {
    document["findings"].as_array().cloned().unwrap_or_default()
}

/// What is covered, and how much there is, of one signal of an example.
fn counts(name: &str, metric: &str, observed: &str, arguments: &[&str]) -> (String, String) {
    let all = [&["--observe", observed, "--format", "json", "--quiet"], arguments].concat();
    let run = example(name, metric, &all);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name} {observed}");
    let document = run.document();
    let row = &document["states"][0];
    assert_eq!((&row["metric"], &row["observed"]), (&json!(metric), &json!(observed)));
    let share = share(&document, Some(observed));
    assert_eq!(share["metric"], json!(metric));
    let text = |field: &str| share[field].as_str().expect("a decimal string").to_owned();
    (text("covered"), text("total"))
}

/// The text without its first paragraph, which is as wide as the path of the design makes it.
fn after_heading(run: &Run) -> &str {
    run.stdout.split_once("\n\n").map_or("", |(_, rest)| rest)
}

/// A counter of two bits, and a flag that nothing checks.
const COUNTER: &str = "VAR count : 0..3; odd : boolean;
ASSIGN init(count) := 0; next(count) := (count + 1) mod 4;
init(odd) := FALSE; next(odd) := !odd;
";

#[test]
fn the_three_circuits_of_hoskote_et_al_have_the_coverage_that_was_worked_out_for_them() {
    let of = |name: &str, observed: &str, arguments: &[&str]| {
        ["state", "transition"].map(|metric| {
            let (covered, total) = counts(name, metric, observed, arguments);
            format!("{covered}/{total}")
        })
    };
    assert_eq!(of("priority_buffer.smv", "lo", &[]), ["504/522", "8964/9396"]);
    assert_eq!(of("priority_buffer.smv", "hi", &[])[0], "522/522");
    assert_eq!(of("circular_queue.smv", "wrap", &[]), ["1024/1792", "40576/57344"]);
    assert_eq!(of("circular_queue.smv", "full", &[])[0], "1792/1792");
    assert_eq!(of("circular_queue.smv", "empty", &[])[0], "1792/1792");
    assert_eq!(of("pipeline.smv", "out", &["--dont-care", "left = 0"]), ["144/432", "768/3072"]);
}

#[test]
fn holes_of_a_queue_are_few_and_there_is_a_way_into_each() {
    let workspace = Workspace::example("circular_queue.smv");
    let run = workspace.cover(&["--metric", "state", "--observe", "wrap", "--trace", "1,2"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    snapshot!("states@queue", stable_text(after_heading(&run)));
    for hole in [1, 2] {
        let start = format!("circular_queue-state-wrap-hole{hole}-");
        let traces = std::fs::read_dir(workspace.out().join("traces")).expect("a directory").flatten();
        let mut traces = traces.filter(|entry| entry.file_name().to_string_lossy().starts_with(&start));
        let path = traces.next().expect("a waveform").path();
        let waveform = std::fs::read_to_string(&path).expect("a waveform");
        assert!(waveform.starts_with("$version") && waveform.contains(" wrap $end"), "{waveform}");
        assert!(!waveform.contains("wrap?"), "what propcov added is not shown: {waveform}");
    }
}

#[test]
fn waveforms_of_designs_with_the_same_name_do_not_displace_each_other() {
    let text = format!("MODULE main\n{COUNTER}SPEC AG (count = 1 -> odd)\n");
    let workspace = Workspace::new("model.smv", &text);
    let other = workspace.path().join("other");
    std::fs::create_dir(&other).expect("a directory");
    std::fs::write(other.join("model.smv"), &text).expect("written");
    let path_of = |path: &str| {
        let run = assert_cmd::Command::new(env!("CARGO_BIN_EXE_propcov"))
            .current_dir(workspace.path())
            .args(["cover", path, "--out", "out", "--format", "json", "--metric", "state"])
            .args(["--observe", "odd", "--trace", "1"])
            .output()
            .expect("runs");
        assert_eq!(String::from_utf8_lossy(&run.stderr), "");
        let document: Value = serde_json::from_slice(&run.stdout).expect("JSON");
        let path = document["findings"][0]["witness"]["file"].as_str().expect("a path").to_owned();
        std::fs::read(workspace.path().join(&path)).expect("a waveform");
        path
    };
    let first = path_of("model.smv");
    assert_eq!(path_of("other/model.smv"), first, "the same content is one file");
    let changed = text.replace("MODULE main\n", "MODULE main\nVAR extra : boolean;\n");
    std::fs::write(other.join("model.smv"), changed).expect("written");
    let second = path_of("other/model.smv");
    assert_ne!(second, first);
    for path in [first, second] {
        assert!(workspace.path().join(&path).exists(), "{path} is gone");
    }
}

#[test]
fn two_signals_are_measured_each_by_itself_and_together() {
    let run = example("priority_buffer.smv", "state", &["--observe", "hi,lo", "--trace", "1"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    snapshot!("states@buffer", stable_text(&run.stdout));
}

#[test]
fn dont_cares_do_not_count() {
    let arguments = ["--observe", "out", "--dont-care", "left = 0", "--trace", "1"];
    let run = example("pipeline.smv", "state", &arguments);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    snapshot!("states@pipeline", stable_text(&run.stdout));
}

#[test]
fn holes_of_transitions_have_two_ends() {
    let run = example("priority_buffer.smv", "transition", &["--observe", "lo", "--trace", "1"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    snapshot!("transitions@buffer", stable_text(&run.stdout));
}

#[test]
fn without_observe_everything_that_is_mentioned_is_observed() {
    let run = example("circular_queue.smv", "state", &[]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    snapshot!("states@everything", stable_text(&run.stdout));
}

#[test]
fn a_property_that_fails_is_said_and_the_others_are_measured() {
    let text = format!(
        "{COUNTER}SPEC NAME wrong := AG count < 3\nSPEC NAME right := AG (!odd -> count in {{0, 2}})\n"
    );
    let run = model(&text, "state", &["--observe", "count", "--observe", "odd"]);
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    snapshot!("states@failing", stable_text(&run.stdout));
}

#[test]
fn without_a_proof_nothing_is_measured() {
    let text = format!("{COUNTER}SPEC NAME wrong := AG count < 3\n");
    let run = model(&text, "state", &["--observe", "count"]);
    assert_eq!(run.code, 2);
    assert!(run.stdout.contains("no property is proved: there is no coverage to measure"), "{}", run.stdout);
    assert!(run.stdout.contains("\ncoverage: not measured ("), "{}", run.stdout);
    let run = model(&text, "state", &["--observe", "count", "--format", "json"]);
    let document = run.document();
    assert_eq!(document["states"][0]["reachable"], json!("4"));
    assert_eq!(document.get("shares"), None, "no share is better than one from 0 to 100");
}

#[test]
fn what_observability_is_not_defined_for_is_said_and_mutation_is() {
    let text = format!("{COUNTER}SPEC NAME can := EF count = 2\n");
    let run = model(&text, "state", &["--observe", "count"]);
    assert_eq!(run.code, 0);
    let expected =
        "  can is not measured: observability is not defined for it (try --semantics\n    mutation)\n";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    let document =
        model(&text, "state", &["--observe", "count", "--semantics", "mutation", "--format", "json"])
            .document();
    let share = share(&document, Some("count"));
    assert_eq!((&share["covered"], &share["total"]), (&json!("1"), &json!("4")));
    assert_eq!(document["states"][0]["semantics"], json!("mutation"));
    assert_eq!(holes(&document)[0]["subject"]["cube"]["text"], json!("count != 2"));
}

#[test]
fn flips_and_implications_can_be_read_in_two_ways() {
    let text = format!("{COUNTER}SPEC AG (odd -> count in {{1, 3}})\n");
    let covered = |observed: &str, arguments: &[&str]| {
        let all = [&["--observe", observed, "--format", "json"], arguments].concat();
        let document = model(&text, "state", &all).document();
        let share = share(&document, Some(observed));
        assert_eq!(share["certified"], json!(true));
        share["covered"].as_str().expect("a decimal string").to_owned()
    };
    // Where it is odd, 0 and 2 are noticed, but the other odd number is not.
    assert_eq!(covered("count", &[]), "2");
    assert_eq!(covered("count", &["--flip", "all"]), "0");
    // As an antecedent, `odd` is not checked. In a whole proposition it is where the count is even.
    assert_eq!(covered("odd", &[]), "0");
    assert_eq!(covered("odd", &["--implication", "whole"]), "2");
}

#[test]
fn invariants_count_as_ctl_properties() {
    let with = |property: &str| {
        let text = format!("{COUNTER}{property}\n");
        let run = model(&text, "state", &["--observe", "odd", "--format", "json"]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{property}");
        let document = run.document();
        let share = share(&document, None);
        (share["covered"].clone(), share["certified"].clone())
    };
    let expected = (json!("4"), json!(true));
    assert_eq!(with("SPEC AG (odd = (count in {1, 3}))"), expected);
    assert_eq!(with("INVARSPEC odd = (count in {1, 3})"), expected);
}

#[test]
fn an_expression_can_be_observed_and_commas_inside_of_it_separate_nothing() {
    let text = format!("{COUNTER}SPEC AG (max(count, 1) > 0 & (count in {{1, 3}}) = odd)\n");
    let run = model(&text, "state", &["--observe", "max(count, 1), odd", "--format", "json"]);
    let document = run.document();
    let observed: Vec<&Value> =
        document["states"].as_array().expect("rows").iter().map(|row| &row["observed"]).collect();
    assert_eq!(observed, [&json!("max(count, 1)"), &json!("odd"), &Value::Null], "and all together");
}

#[test]
fn of_what_is_only_read_by_definitions_these_are_named() {
    let run = example("circular_queue.smv", "state", &["--observe", "rd"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let expected = "\nrd: 0.00 % (0 of 1792 states)\n  No property mentions it.\n  \
        Definitions that read it are mentioned; observe these: full, empty, reads,\n    writes, rd_wraps, wr_wraps\n";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
}

#[test]
fn what_cannot_be_observed_is_an_error_that_shows_it() {
    let mut messages = String::new();
    for arguments in [
        ["--observe", "nobody"],
        ["--observe", "count +"],
        ["--observe", "TRUE"],
        ["--observe", "never"],
        ["--observe", "go"],
        ["--dont-care", "count"],
        ["--trace", "0"],
        ["--flip", "some"],
    ] {
        let text = format!("IVAR go : boolean;\n{COUNTER}DEFINE never := FALSE;\nSPEC AG count < 4\n");
        let run = model(&text, "state", &arguments);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{arguments:?}");
        messages.push_str(&run.stderr);
    }
    snapshot!("states@errors", messages);
}

#[test]
fn options_of_another_metric_are_noted() {
    let run = example("pipeline.smv", "state", &["--bits", "--witness", "--observe", "out"]);
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (0, "note: --witness, --bits do nothing with --metric state\n")
    );
    let other = crate::common::run(&["cover", "examples/arbiter.aag", "--no-out", "--flip", "all"]);
    assert_eq!(other.stderr, "note: --flip does nothing with --metric cone,core,mutation\n");
}

#[test]
fn without_time_coverage_is_unknown_and_no_number() {
    let arguments = ["--observe", "wrap", "--timeout", "0"];
    let run = example("circular_queue.smv", "state", &arguments);
    assert_eq!(run.code, 4);
    assert!(run.stdout.contains("\ncoverage: not measured ("), "{}", run.stdout);
    let run = example("circular_queue.smv", "state", &[&arguments[..], &["--format", "json"]].concat());
    let document = run.document();
    assert_eq!((run.code, document.get("shares")), (4, None));
    assert_eq!(document["states"][0]["reason"], json!("out of time"));
}

#[test]
fn what_others_prove_is_not_measured_if_the_diagrams_are_too_large() {
    let text = "VAR a : unsigned word[64]; b : unsigned word[64]; flag : boolean;
        ASSIGN init(flag) := TRUE; next(flag) := flag; next(a) := a * b; next(b) := b * b + a;
        INVARSPEC NAME easy := flag\n";
    let run = model(text, "state", &["--observe", "flag", "--timeout", "2"]);
    assert_eq!((run.code, run.stderr.as_str()), (4, ""));
    assert!(!run.stdout.contains("not proved"), "{}", run.stdout);
    assert!(run.stdout.contains("State coverage of 1 property,"), "{}", run.stdout);
    assert!(run.stdout.contains("  Nothing is known about coverage: out of time.\n"), "{}", run.stdout);
}

#[test]
fn a_threshold_is_for_each_signal_that_is_named() {
    let queue = |arguments: &[&str]| example("circular_queue.smv", "state", arguments);
    assert_eq!(queue(&["--observe", "wrap", "--threshold", "57%"]).code, 0);
    let below = queue(&["--observe", "full,wrap", "--threshold", "58%"]);
    assert_eq!(below.code, 3);
    assert!(below.stdout.contains("\ncoverage of wrap: 57.14 %, below 58 % ("), "{}", below.stdout);
    assert_eq!(queue(&["--threshold", "100%"]).code, 0, "all together");
}

#[test]
fn without_a_fair_initial_state_there_is_nothing_to_cover() {
    let run = model(&format!("{COUNTER}FAIRNESS FALSE\nSPEC AG odd\n"), "state", &["--observe", "odd"]);
    assert_eq!(run.code, 4);
    assert!(run.stdout.contains("no initial state is fair"), "{}", run.stdout);
    assert!(
        run.stdout.contains("There is nothing to cover: none of the 4 states is fair.\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("\ncoverage: not measured ("), "{}", run.stdout);
}

#[test]
fn coverage_of_a_vacuous_proof_comes_with_a_warning() {
    let text = format!("{COUNTER}SPEC NAME hollow := AG (count > 3 -> odd)\nSPEC AG (count = 1 -> odd)\n");
    let run = model(&text, "state", &["--observe", "odd"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stdout.contains("WARNING: hollow is vacuous: what it covers means nothing.\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("\nodd: 25.00 % (1 of 4 states), certified\n"), "{}", run.stdout);
}

#[test]
fn states_that_no_fair_path_leaves_do_not_count() {
    let text = "VAR x : 0..3; q : boolean;
        ASSIGN init(x) := 0; next(x) := case x = 0 : {0, 1, 2}; TRUE : x; esac;
        init(q) := TRUE; next(q) := TRUE;
        FAIRNESS x != 2\nSPEC AG q\n";
    let run = model(text, "state", &["--observe", "q", "--dont-care", "x = 1"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let expected = "  3 states reachable; not counted: 1 without a fair path, 1 by --dont-care.\n";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    assert!(run.stdout.contains("\nq: 100.00 % (1 of 1 state), certified\n"), "{}", run.stdout);
}

/// The last line, however wide, without the seconds.
fn last_line(run: &Run) -> String {
    let paragraph = run.stdout.trim_end().rsplit("\n\n").next().unwrap_or_default();
    let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    line.rsplit_once(" (").map_or(line.as_str(), |(start, _)| start).to_owned()
}

#[test]
fn the_last_line_names_the_worst_signal() {
    let line = |name: &str, arguments: &[&str]| last_line(&example(name, "state", arguments));
    let expected = "coverage: 20.00 % (full) to 100.00 %; all together 100.00 %";
    assert_eq!(line("queue.btor2", &[]), expected);
    assert_eq!(line("queue.btor2", &["--observe", "full"]), "coverage of full: 20.00 %");
    assert_eq!(line("queue.btor2", &["--observe", "count,overflow"]), "coverage: 100.00 %");
    let expected = "coverage: 20.00 %; all together 40.00 %";
    assert_eq!(line("queue.btor2", &["--observe", "full,empty"]), expected);
    // The threshold is for what was named, or else for all together.
    let expected = "coverage: 20.00 % (full) to 100.00 %, at least 10 %; all together 100.00 %";
    assert_eq!(line("queue.btor2", &["--observe", "count,full", "--threshold", "10%"]), expected);
    let expected = "coverage: 20.00 % (full) to 100.00 %; all together 100.00 %, at least 90 %";
    assert_eq!(line("queue.btor2", &["--threshold", "90%"]), expected);
    let expected = "coverage of full: 20.00 %, below 90 %";
    assert_eq!(line("queue.btor2", &["--observe", "count,full", "--threshold", "90%"]), expected);
}

#[test]
fn what_was_not_measured_at_all_is_told_from_what_is_not_covered() {
    let run = example("lift.smv", "state", &[]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    snapshot!("states@lift", stable_text(&run.stdout));
    let text = format!("{COUNTER}SPEC NAME wrong := AG odd\nSPEC NAME right := AG count < 4\n");
    let run = model(&text, "state", &["--observe", "odd"]);
    let expected = "\nodd: 0.00 % (0 of 4 states); no property that mentions it was measured\n  \
        wrong is not measured: it fails\n";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
}

#[test]
fn a_hole_that_is_everything_has_a_name() {
    let text = format!("{COUNTER}SPEC AG (odd -> count in {{1, 3}})\n");
    for (metric, expected) in
        [("state", "4 states  any state"), ("transition", "4 transitions  any transition")]
    {
        let run = model(&text, metric, &["--observe", "odd"]);
        assert_eq!(run.code, 0);
        assert!(run.stdout.contains(&format!("\n    1.  {expected}\n")), "{}", run.stdout);
        assert!(run.stdout.contains("\nTo see how to get into hole 1: the same"), "{}", run.stdout);
    }
}

#[test]
fn what_to_observe_for_a_run_is_quoted_for_shells() {
    let text = format!("{COUNTER}SPEC AG (max(count, 1) > 0 & (odd -> count in {{1, 3}}))\n");
    let run = model(&text, "state", &["--observe", "max(count, 1)", "--observe", "count", "--flip", "all"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let expected = "\nTo see how to get into hole 1 of max(count, 1): the same command with\n  \
        --observe 'max(count, 1)' --trace 1\n";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    assert!(!run.stdout.contains("nowhere:"), "some values are noticed: {}", run.stdout);
}

#[test]
fn properties_that_use_a_signal_in_conditions_only_are_told_from_superfluous_ones() {
    let text = format!(
        "{COUNTER}SPEC NAME strong := AG (odd = (count in {{1, 3}}))\nSPEC NAME weak := AG (count = 1 -> odd)\n\
         SPEC NAME idle := AG (odd -> count in {{1, 3}})\nSPEC NAME idler := AG (odd -> count > 0)\n"
    );
    let covered = |properties: &[&str]| {
        let selected = properties.iter().flat_map(|property| ["--property", *property]);
        let arguments: Vec<&str> = ["--observe", "odd"].into_iter().chain(selected).collect();
        model(&text, "state", &arguments).stdout
    };
    let (superfluous, only) = ("Adds nothing to what the others cover: weak\n", "checks it nowhere: idle\n");
    let all = covered(&["strong", "weak", "idle"]);
    assert!(all.contains(superfluous) && all.contains(only), "{all}");
    assert!(all.contains("  A smallest set that covers as much: strong\n"), "{all}");
    let alone = covered(&["strong", "idle", "idler"]);
    assert!(alone.contains("  Mention it, but check it nowhere: idle, idler\n"), "{alone}");
    assert!(!alone.contains("add") && !alone.contains("smallest"), "nothing is superfluous: {alone}");
}

#[test]
fn what_is_checked_in_initial_states_only_is_checked_after_no_transition() {
    let text = format!("{COUNTER}SPEC NAME begin := !odd\nSPEC NAME later := AX odd\n");
    let run = model(&text, "transition", &["--observe", "odd"]);
    assert!(
        run.stdout.contains("  Mentions it, but checks it after no transition: begin\n"),
        "{}",
        run.stdout
    );
    let run = model(&text, "state", &["--observe", "odd"]);
    assert!(!run.stdout.contains("nowhere"), "the initial state is checked: {}", run.stdout);
}

#[test]
fn every_other_value_may_be_noticed_by_another_property() {
    let text = "VAR n : 0..2; b : boolean;
        ASSIGN init(n) := 0; next(n) := (n + 1) mod 3; init(b) := FALSE; next(b) := !b;
        SPEC NAME not_one := n != 1\nSPEC NAME not_two := n != 2\nSPEC NAME other := AG (n = 0 & !b -> AX b)\n";
    let run = model(text, "state", &["--flip", "all", "--observe", "n,b"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    snapshot!("states@every_other_value", stable_text(&run.stdout));
}

#[test]
fn why_something_is_not_certified_is_said() {
    let run = example("circular_queue.smv", "state", &["--observe", "wrap"]);
    let expected = " (1024 of 1792 states), not certified: too many to list\n";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    let run = example("priority_buffer.smv", "transition", &["--observe", "lo"]);
    let expected = " (8964 of 9396 transitions), not certified: too many changes to try\n";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
}

#[test]
fn holes_beside_states_that_are_left_out_may_speak_of_them() {
    let remark = "    These may also speak of what is left out, which is not counted.\n";
    let holes = |arguments: &[&str]| {
        let all = [&["--observe", "out"], arguments].concat();
        example("pipeline.smv", "state", &all).stdout
    };
    assert!(holes(&["--dont-care", "left = 0"]).contains(remark));
    assert!(!holes(&[]).contains(remark));
    assert!(!holes(&["--dont-care", "left = 0", "--holes", "0"]).contains(remark));
}

#[test]
fn the_document_has_rows_shares_findings_and_rankings() {
    let arguments = ["--observe", "wrap", "--trace", "1,2", "--holes", "2", "--format", "json"];
    let document = example("circular_queue.smv", "state", &arguments).document();
    assert_eq!((&document["schema"], &document["run"]["command"]), (&json!("propcov/2"), &json!("cover")));
    assert_eq!(document["run"]["metrics"], json!(["state"]));
    let row = &document["states"][0];
    assert_eq!(
        (&row["reachable"], &row["excluded"], &row["unfair"]),
        (&json!("1792"), &json!("0"), &json!("0"))
    );
    assert_eq!((&row["rest"], row.get("reason")), (&json!("0"), None));
    assert_eq!(row["not_certified"], json!("too many to list"));
    for name in [Some("wrap"), None] {
        let share = share(&document, name);
        assert_eq!(share["percent"], json!([57.14, 57.14]));
        assert_eq!((&share["uncovered"], &share["unknown"]), (&json!("768"), &json!("0")));
    }
    let ranked: Vec<&Value> =
        document["rankings"][0]["properties"].as_array().expect("properties").iter().collect();
    let parts = row["properties"].as_array().expect("properties").iter();
    let measured: Vec<&Value> = parts.filter(|part| part["mentions"] == json!(true)).collect();
    assert_eq!(ranked.len(), measured.len());
    for (ranked, part) in ranked.iter().zip(measured) {
        assert_eq!((&ranked["covered"], &ranked["unique"]), (&part["covered"], &part["unique"]));
    }
    let holes = holes(&document);
    assert_eq!(holes.len(), 2);
    let cube = |hole: usize| &holes[hole]["subject"]["cube"];
    assert_eq!((&cube(0)["observed"], &cube(0)["text"]), (&json!("wrap"), &json!("answer = retry")));
    assert_eq!(cube(0)["literals"], json!([{ "name": "answer", "values": ["retry"] }]));
    assert_eq!((&holes[0]["count"], &holes[0]["verdict"]), (&json!("640"), &json!("uncovered")));
    // A definition is a literal as a Boolean variable is, and runs have its value.
    let literals =
        json!([{ "name": "full", "values": ["1"] }, { "name": "answer", "values": ["none", "retry"] }]);
    assert_eq!(cube(1)["literals"], literals);
    let last = |hole: usize, name: &str| {
        let signals = holes[hole]["witness"]["design"]["signals"].as_array().expect("signals");
        let signal = signals.iter().find(|signal| signal["name"] == json!(name)).expect("a signal");
        assert_eq!(signal["focus"], json!(true));
        signal["values"].as_array().and_then(|values| values.last()).cloned().expect("a value")
    };
    assert_eq!((last(0, "answer"), last(1, "full")), (json!("retry"), json!("1")));
    for phase in ["coverage", "holes", "evidence"] {
        assert!(document["stats"]["seconds"][phase].is_number(), "{phase}");
    }
}

#[test]
fn anchors_computed_with_another_model_checker_are_reproduced() {
    let directory = root().join("../shared/benchmarks/smv");
    let Ok(anchors) = std::fs::read_to_string(directory.join("coverage_anchors.json")) else {
        eprintln!("skipped: ../shared/benchmarks/smv is not here");
        return;
    };
    let anchors: Value = serde_json::from_str(&anchors).expect("JSON");
    for anchor in anchors.as_array().expect("a list") {
        let text = |field: &str| anchor[field].as_str().expect("text");
        let design = std::fs::read_to_string(directory.join(text("model"))).expect("a model");
        let added = format!("\nDEFINE {}\nCTLSPEC NAME anchor := {}\n", text("define"), text("ctl"));
        let design = in_main(&design, &added);
        for (semantics, expected) in
            [("observability", "covered_observability"), ("mutation", "covered_mutation")]
        {
            let arguments = ["--metric", "state", "--no-out", "--quiet", "--property", "anchor", "--observe"];
            let more = [text("observe"), "--semantics", semantics, "--format", "json"];
            let run = Workspace::new("model.smv", &design).run("cover", &[&arguments[..], &more].concat());
            let document = run.document();
            let title = format!("{} {} by {semantics}: {}", text("model"), text("ctl"), run.stderr);
            assert_eq!(share(&document, None)["covered"], json!(anchor[expected].to_string()), "{title}");
            assert_eq!(document["states"][0]["reachable"], json!(anchor["reachable"].to_string()), "{title}");
        }
    }
}

/// A model with declarations added to the module `main`.
fn in_main(design: &str, added: &str) -> String {
    let start = design.find("MODULE main").expect("a main module");
    let end = design[start + 6..].find("MODULE ").map_or(design.len(), |at| start + 6 + at);
    format!("{}{added}{}", &design[..end], &design[end..])
}

#[test]
fn beside_formulas_that_branch_inputs_stay_inputs() {
    // As a part of the state, i would make the first formula false.
    let text = "IVAR i : boolean;\nVAR x : boolean; z : boolean;
ASSIGN init(x) := FALSE; next(x) := i; init(z) := FALSE; next(z) := FALSE;
INVARSPEC !(z & i)\n";
    let with_both = model(&format!("{text}SPEC AG (EX x & EX !x)\n"), "state", &["--observe", "z"]);
    assert!(!with_both.stderr.contains("part of the state"), "{}", with_both.stderr);
    assert!(with_both.stdout.contains("a proposition reads inputs"), "{}", with_both.stdout);
    assert!(!with_both.stdout.contains("falsified"), "{}", with_both.stdout);
    let alone = model(text, "state", &["--observe", "z"]);
    assert!(alone.stderr.contains("part of the state: i"), "{}", alone.stderr);
    assert!(alone.stdout.contains("2 of 4 states"), "{}", alone.stdout);
}

#[test]
fn a_bounded_operator_checks_what_it_mentions_however_much_slack_it_has() {
    let text = "VAR f : 0..3;\nASSIGN init(f) := 0; next(f) := f = 3 ? 3 : f + 1;\nDEFINE b := f = 2;\n";
    for formula in
        ["AF b", "ABF 0..2 b", "ABF 0..3 b", "ABF 0..9 b", "A [TRUE BU 0..5 b]", "AX AX (AX b | b)"]
    {
        let run = model(
            &format!("{text}CTLSPEC {formula}\n"),
            "state",
            &["--observe", "b", "--format", "json", "--quiet"],
        );
        let document = run.document();
        assert_eq!(share(&document, None)["covered"], json!("1"), "{formula}");
        assert_eq!(share(&document, None)["certified"], json!(true), "{formula}");
    }
}
