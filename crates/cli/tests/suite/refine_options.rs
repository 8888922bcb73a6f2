//! `propcov refine`: options, what cannot be done, and what is stopped.

use crate::common::root;
use crate::refine::{Folder, document, example, labels, pairs, refine, share};
use serde_json::{Value, json};

fn absolute(name: &str) -> String {
    root().join(example(name)).display().to_string()
}

#[test]
fn each_form_of_the_third_criterion_has_its_words() {
    let removable = refine("server.dot", "protocol.dot", &[]).stdout;
    assert!(
        removable.contains("unimplemented transitions (each can be removed): served -> served\n"),
        "{removable}"
    );
    let unmatched = refine("server.dot", "protocol.dot", &["--criteria", "kgg99"]).stdout;
    // Lines may end anywhere in a list.
    let unmatched = unmatched.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(unmatched.contains("idle -> waiting (but not idle -> looking)"), "{unmatched}");
    assert!(!unmatched.contains("can be removed"), "{unmatched}");
    let none = refine("server.dot", "protocol.dot", &["--criteria", "none"]).stdout;
    assert!(!none.contains("unimplemented"), "{none}");
    let documents =
        ["kgg99", "none"].map(|form| document("server.dot", "protocol.dot", &["--criteria", form]));
    let criteria = &documents[0]["refinement"]["criteria"];
    assert_eq!(criteria["form"], "kgg99");
    let steps = criteria["unimplemented_transitions"].as_array().expect("a list");
    let looking =
        json!({ "from": "idle", "to": "waiting", "implementation": ["idle", "looking"], "count": "1" });
    assert!(steps.contains(&looking), "{steps:?}");
    assert_eq!(documents[1]["refinement"]["criteria"], Value::Null);
}

#[test]
fn so_many_holes_are_listed_as_asked_for() {
    let text = refine("die.tra", "rolling.json", &["--holes", "3"]).stdout;
    assert!(text.contains("  7  {done}\n  … and 5 more states (--holes N lists more)\n"), "{text}");
    // A document has all of them where states are listed, and as many conditions as asked for where they are not.
    assert_eq!(labels(&document("die.tra", "rolling.json", &["--holes", "3"]), "uncovered").len(), 8);
    let options = ["--most-states", "10", "--holes", "0"];
    assert_eq!(labels(&document("bus.smv", "bus_spec.smv", &options), "uncovered"), pairs(&[]));
}

#[test]
fn figures_are_shown_when_asked_for() {
    let text = refine("server.dot", "protocol.dot", &["--stats"]).stdout;
    for name in [
        "counter updates",
        "runs of similarity",
        "answers looked for",
        "pairs in evidence",
        "bytes of memory",
    ] {
        assert!(text.contains(name), "{name} is not in {text}");
    }
    let text = refine("bus.smv", "bus_spec.smv", &["--stats", "--algorithm", "symbolic"]).stdout;
    assert!(text.contains("rounds of ternary relations"), "{text}");
}

#[test]
fn labels_of_aldebaran_files_are_found_as_asked_for() {
    let folder = Folder::new(&[
        ("loops.aut", "des (0, 4, 2)\n(0, \"p\", 0)\n(0, \"i\", 1)\n(1, \"q\", 1)\n(1, \"i\", 0)\n"),
        ("sources.aut", "des (0, 2, 2)\n(0, \"p\", 1)\n(1, \"q\", 0)\n"),
        ("spec.dot", r#"digraph { x [props="p, !q", initial=true]; y [props="q, !p"]; x -> y; y -> x; }"#),
    ]);
    for (file, how) in [("loops.aut", "loops"), ("sources.aut", "sources")] {
        let run = folder.refine(&[file, "spec.dot", "--state-labels", how, "--format", "json"]);
        assert_eq!(run.code, 0, "{file}: {}", run.stderr);
        let document = run.document();
        let implementation = &document["refinement"]["implementation"];
        assert_eq!((&implementation["format"], &implementation["states"]), (&json!("aut"), &json!("2")));
        assert_eq!(
            labels(&document, "covered"),
            pairs(&[("0", "p"), ("1", "p"), ("0", "q"), ("1", "q")]),
            "{file}"
        );
    }
    // Read the other way, the same file says something else.
    let run = folder.refine(&["sources.aut", "spec.dot", "--state-labels", "loops"]);
    assert_ne!(run.code, 0, "{}", run.stdout);
}

#[test]
fn a_proposition_of_a_design_is_not_made_false_and_names_are_checked() {
    let both = [absolute("bus.smv"), absolute("bus_spec.smv")];
    let folder = Folder::new(&[]);
    let complaint = |options: &[&str]| {
        let run = folder.refine(&[&[both[0].as_str(), both[1].as_str()], options].concat());
        assert_eq!(run.code, 1, "{options:?}: {}", run.stdout);
        run.stderr
    };
    let text = complaint(&["--propositions", "busy, done | error", "--false", "done | error"]);
    assert!(text.contains("has this proposition"), "{text}");
    assert_eq!(
        complaint(&["--false", "busy"]),
        format!("error: --false busy: {} has this proposition\n", both[0])
    );
    assert_eq!(
        complaint(&["--propositions", "busy", "--ignore", "bussy"]),
        "error: --ignore bussy: --propositions has no such proposition; did you mean busy?\n"
    );
    let run = folder.refine(&[&both[0], &absolute("protocol.dot")]);
    assert!(run.code == 1 && run.stderr.contains("`req` is not defined"), "{}", run.stderr);
    assert!(
        run.stderr.ends_with("say --false req; if it is not to be compared, --ignore req.\n"),
        "{}",
        run.stderr
    );
    for algorithm in ["divide", "symbolic"] {
        let text = complaint(&["--algorithm", algorithm, "--explain", "nowhere", "busy"]);
        assert!(text.starts_with("error: --explain: the implementation has no state `nowhere`; "), "{text}");
    }
}

#[test]
fn what_is_left_out_is_told_apart_from_what_only_the_implementation_has() {
    let text = refine("server.dot", "protocol.dot", &["--propositions", "req"]).stdout;
    assert!(
        text.contains(
            "compared:       req\nnot compared:   only in the implementation: cache\nnot compared:   left out: grant\n"
        ),
        "{text}"
    );
    let text = refine("protocol.dot", "server.dot", &["--ignore", "cache"]).stdout;
    assert!(text.contains("compared:       req, grant\nnot compared:   left out: cache\n"), "{text}");
    let refinement = document("server.dot", "protocol.dot", &["--ignore", "grant"])["refinement"].clone();
    assert_eq!((&refinement["extra"], &refinement["left_out"]), (&json!(["cache"]), &json!(["grant"])));
}

#[test]
fn places_in_files_of_mutants_are_those_of_the_file() {
    let folder = Folder::new(&[
        ("value.txt", "done: TRUE\n  busy: phase = nosuch\n"),
        ("form.txt", "\nbusy phase = rest\n"),
        ("empty.txt", "# nothing\n"),
        ("empty.csv", "state,proposition\n"),
    ]);
    let complaint = |implementation: &str, specification: &str, file: &str| {
        let run = folder.refine(&[&absolute(implementation), &absolute(specification), "--mutants", file]);
        assert_eq!(run.code, 1, "{file}: {}", run.stdout);
        run.stderr
    };
    let text = complaint("bus.smv", "bus_spec.smv", "value.txt");
    assert!(text.contains("value.txt:2:17: "), "{text}");
    let text = complaint("bus.smv", "bus_spec.smv", "form.txt");
    assert!(text.starts_with("error: form.txt:2:1: expected PROPOSITION: EXPRESSION\n"), "{text}");
    assert!(text.contains("busy phase = rest"), "{text}");
    let text = complaint("bus.smv", "bus_spec.smv", "empty.txt");
    assert!(text.starts_with("error: empty.txt: there are no mutants in it"), "{text}");
    let text = complaint("server.dot", "protocol.dot", "empty.csv");
    assert!(text.starts_with("error: empty.csv"), "{text}");
}

#[test]
fn a_proposition_with_a_colon_has_mutants() {
    let folder = Folder::new(&[("mutants.txt", "busy ? done : error: TRUE\n")]);
    let options = ["--propositions", "busy ? done : error", "--mutants", "mutants.txt", "--format", "json"];
    let run =
        folder.refine(&[&[absolute("bus.smv").as_str(), &absolute("bus_spec.smv")], &options[..]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(share(&run.document(), None)["total"], "56");
}

#[test]
fn mutants_that_no_state_has_are_counted_and_certified_by_both_ways() {
    let folder = Folder::new(&[("none.txt", "busy: phase = rest & tries = 3\ndone: phase = wait\n")]);
    let both = [absolute("bus.smv"), absolute("bus_spec.smv")];
    let counts = ["divide", "symbolic"].map(|algorithm| {
        let run = folder.refine(&[
            &both[0],
            &both[1],
            "-a",
            algorithm,
            "--mutants",
            "none.txt",
            "--format",
            "json",
        ]);
        run.document()
    });
    assert_eq!(counts[0]["shares"], counts[1]["shares"]);
    let busy = share(&counts[0], Some("busy"));
    assert_eq!((&busy["total"], &busy["certified"]), (&json!("0"), &json!(true)));
}

/// Regression: the file was read twice, and from a pipe nothing was left for the second time.
#[cfg(unix)]
#[test]
fn mutants_may_come_from_a_pipe_whatever_the_algorithm() {
    let command = format!(
        "printf 'cleanup,req\\nfresh,*\\n' | {} refine {} {} --mutants /dev/stdin -a symbolic --format json",
        env!("CARGO_BIN_EXE_propcov"),
        absolute("server.dot"),
        absolute("protocol.dot")
    );
    let run: crate::common::Run =
        std::process::Command::new("sh").args(["-c", &command]).output().expect("a shell").into();
    assert_eq!(run.code, 0, "{}", run.stderr);
    let document = run.document();
    assert_eq!(labels(&document, "covered"), pairs(&[("fresh", "req"), ("fresh", "grant")]));
    assert_eq!(document["refinement"]["certified"], json!(true));
    assert_eq!(share(&document, None)["certified"], json!(true));
}

#[test]
fn a_design_without_initial_state_simulates_nothing_and_is_simulated_by_nothing() {
    let folder = Folder::new(&[
        ("none.smv", "MODULE main\nVAR p : boolean;\nINIT p & !p\n"),
        ("free.smv", "MODULE main\nVAR p : boolean;\n"),
    ]);
    for algorithm in ["divide", "symbolic"] {
        for files in [["none.smv", "free.smv"], ["free.smv", "none.smv"]] {
            let run = folder.refine(&[files[0], files[1], "--algorithm", algorithm]);
            assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{algorithm} {files:?}");
            assert_eq!(run.stderr, "error: none.smv: there is no initial state\n", "{algorithm} {files:?}");
        }
    }
}

#[test]
fn fairness_is_left_out_with_a_word() {
    let folder = Folder::new(&[("fair.smv", "MODULE main\nVAR p : boolean;\nFAIRNESS p\n")]);
    let run = folder.refine(&["fair.smv", "fair.smv"]);
    let warning =
        "warning: fair.smv: fairness is left out: simulation compares all transitions, fair or not\n";
    assert_eq!((run.code, run.stderr.as_str()), (0, warning));
}

#[test]
fn a_picture_that_is_not_drawn_is_an_error() {
    let states: Vec<String> =
        (0..201).map(|state| format!(r#"{{"name": "s{state}", "labels": ["p"]}}"#)).collect();
    let steps: Vec<String> =
        (0..201).map(|state| format!(r#"["s{state}", "s{}"]"#, (state + 1) % 201)).collect();
    let text = format!(
        r#"{{"propositions": ["p"], "initial": ["s0"], "states": [{}], "transitions": [{}]}}"#,
        states.join(", "),
        steps.join(", ")
    );
    let folder = Folder::new(&[("ring.json", &text)]);
    let run = folder.refine(&["ring.json", "ring.json", "--picture", "ring.svg"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.starts_with("error: --picture ring.svg: no picture was drawn: "), "{}", run.stderr);
    assert!(run.stdout.contains("simulated; "), "the rest is there: {}", run.stdout);
    assert!(!folder.path().join("ring.svg").exists());
    assert_eq!(folder.refine(&["ring.json", "ring.json", "--picture", "ring.dot"]).code, 0);
}

#[test]
fn there_is_nothing_to_explain_where_nothing_is_simulated() {
    let run = refine("protocol.dot", "server.dot", &["--ignore", "cache", "--explain", "idle", "req"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert_eq!(run.stderr, "note: --explain is about coverage, and there is none to explain\n");
}

/// A cycle with which the naive way takes very long. Its labels are p, or not, in turn, and the specification does not say more.
fn long() -> Folder {
    let states = 100_000;
    let mut transitions = format!("{states} {states}\n");
    let mut labels = "0=\"init\" 1=\"p\"\n0: 0 1\n".to_owned();
    for state in 0..states {
        transitions.push_str(&format!("{state} {} 1\n", (state + 1) % states));
        if state > 0 && state % 2 == 0 {
            labels.push_str(&format!("{state}: 1\n"));
        }
    }
    let specification = r#"digraph { x [props="p", initial=true]; y [props=""]; x -> y; y -> x; }"#;
    Folder::new(&[("long.tra", &transitions), ("long.lab", &labels), ("spec.dot", specification)])
}

#[test]
fn when_the_time_is_over_what_is_missing_is_told() {
    let run = long().refine(&["long.tra", "spec.dot", "--naive", "--timeout", "2", "--explain", "7", "p"]);
    assert_eq!(run.code, 4, "{}", run.stderr);
    for missing in [
        "  Undecided: out of time.\n",
        "What of the specification is not implemented is not known: out of time.\n",
    ] {
        assert!(run.stdout.contains(missing), "{missing} is not in {}", run.stdout);
    }
    assert_eq!(run.stderr, "note: --explain 7 p: out of time\n");
}

#[cfg(unix)]
#[test]
fn what_was_found_before_control_c_is_kept() {
    use std::process::{Command, Stdio};
    let folder = long();
    let mut command = Command::new(env!("CARGO_BIN_EXE_propcov"));
    command.current_dir(folder.path()).args([
        "refine",
        "long.tra",
        "spec.dot",
        "--naive",
        "--criteria",
        "none",
        "--format",
        "json",
    ]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("propcov starts");
    std::thread::sleep(std::time::Duration::from_secs(3));
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("kill runs").success());
    let run: crate::common::Run = child.wait_with_output().expect("it ends").into();
    assert_eq!(run.code, 4, "{}", run.stderr);
    let document = run.document();
    let refinement = &document["refinement"];
    assert_eq!(
        (&refinement["simulates"], &refinement["reason"], &document["run"]["stop"]),
        (&json!(true), &json!("interrupted"), &json!("interrupted"))
    );
    let share = share(&document, Some("p"));
    let count =
        |name: &str| -> u64 { share[name].as_str().and_then(|text| text.parse().ok()).expect("a count") };
    assert_eq!(
        (count("covered") + count("uncovered") + count("unknown"), count("total")),
        (100_000, 100_000)
    );
    assert!(count("covered") > 0 && count("unknown") > 0, "{share}");
}

/// Regression: it was a note, and the exit code said that everything was fine.
#[test]
fn what_cannot_be_explained_because_states_are_not_listed_is_an_error() {
    let state = "phase=rest, tries=0, go=TRUE, slave=TRUE";
    let run = refine("bus.smv", "bus_spec.smv", &["--most-states", "10", "--explain", state, "busy"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    let expected =
        format!("error: --explain {state} busy: only listed states are explained: more than 10 states");
    assert!(run.stderr.contains(&expected), "{}", run.stderr);
    assert!(run.stdout.contains("simulated; "), "the rest is there: {}", run.stdout);
}

/// Regression: removable transitions were computed with evidence, and then not shown.
#[test]
fn only_the_form_of_the_third_criterion_that_is_asked_for_is_computed() {
    let checked = |form: &str| {
        let document = document("server.dot", "protocol.dot", &["--criteria", form]);
        document["stats"]["counts"]["criteria: pieces of evidence checked"].clone()
    };
    assert!(checked("removable").as_u64() > Some(0), "each removable transition has evidence");
    assert_eq!(checked("kgg99"), Value::Null);
}

#[test]
fn a_document_is_valid_and_names_cannot_harm_a_terminal() {
    let folder = Folder::new(&[
        (
            "impl.dot",
            "digraph { \"a\u{1b}[31m\" [props=\"p\", initial=true]; \"a\u{1b}[31m\" -> \"a\u{1b}[31m\"; }",
        ),
        ("spec.dot", r#"digraph { x [props="?p", initial=true]; x -> x; }"#),
    ]);
    for options in [&[][..], &["--format", "json"], &["--explain", "a\u{1b}[31m", "p"]] {
        let run = folder.refine(&[&["impl.dot", "spec.dot"], options].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("[31m") && !run.stdout.contains('\u{1b}'), "{}", run.stdout);
    }
}
