//! What users see for the designs in `examples/`.

use crate::common::{root, run, stable_document, stable_text};

const EXAMPLES: &[(&str, i32)] = &[
    ("arbiter.aag", 0),
    ("asw.lus", 0),
    ("asw_1.lus", 0),
    ("asw_2.lus", 0),
    ("asw_3.lus", 0),
    ("asw_4.lus", 0),
    ("broken_counter.btor2", 2),
    ("circular_queue.smv", 0),
    ("circular_queue_full.smv", 0),
    ("coffee.smv", 2),
    ("conflict.btor2", 4),
    ("counter.btor2", 0),
    ("cruise_control.lus", 0),
    ("elevator.lus", 0),
    ("fifo.btor2", 0),
    ("lift.smv", 0),
    ("mutex.smv", 2),
    ("pipeline.smv", 0),
    ("pipeline_full.smv", 0),
    ("priority_buffer.smv", 0),
    ("priority_buffer_full.smv", 0),
    ("queue.btor2", 0),
    ("queue_checked.btor2", 0),
    ("stopwatch.lus", 0),
    ("stuck.smv", 2),
    ("tank.lus", 0),
    ("timer.lus", 0),
    ("transmitter.btor2", 0),
    ("two_counters.lus", 0),
    ("two_counters_3.lus", 0),
];

/// The shortest counterexample is the same whatever becomes of the engines.
fn arguments<'a>(path: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let engine = if path.contains("broken") { "bmc" } else { "portfolio" };
    [&["check", path, "--engine", engine, "--bound", "50"], more].concat()
}

#[test]
fn every_example_says_what_it_is_and_has_a_snapshot() {
    let mut names: Vec<String> = std::fs::read_dir(root().join("examples"))
        .expect("examples")
        .map(|entry| entry.expect("readable"))
        // Those of `refine` are pairs, with tests of their own.
        .filter(|entry| entry.file_type().expect("a type").is_file())
        .map(|entry| entry.file_name().into_string().expect("UTF-8"))
        .filter(|name| !name.ends_with(".md"))
        .collect();
    names.sort();
    let known: Vec<&str> = EXAMPLES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, known);
    for name in names {
        let text = std::fs::read_to_string(root().join("examples").join(&name)).expect("text");
        let shows = |command: &str| text.contains(&format!("propcov {command} examples/{name}"));
        assert!(
            ["check", "cores", "cover"].into_iter().any(shows),
            "{name} has no comment that shows its use"
        );
    }
}

#[test]
fn text_of_every_example() {
    for (name, code) in EXAMPLES {
        let path = format!("examples/{name}");
        let run = run(&arguments(&path, &[]));
        assert_eq!((run.code, run.stderr.as_str()), (*code, ""), "{name}");
        insta::with_settings!({ snapshot_suffix => *name, prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!("text", stable_text(&run.stdout));
        });
    }
}

#[test]
fn document_of_every_example() {
    for (name, code) in EXAMPLES {
        let path = format!("examples/{name}");
        let run = run(&arguments(&path, &["--format", "json"]));
        assert_eq!((run.code, run.stderr.as_str()), (*code, ""), "{name}");
        let document = serde_json::to_string_pretty(&stable_document(run.document())).expect("printable");
        insta::with_settings!({ snapshot_suffix => *name, prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!("document", document);
        });
    }
}

#[test]
fn two_runs_differ_in_seconds_only() {
    for (name, _) in EXAMPLES {
        let path = format!("examples/{name}");
        let document = || {
            let mut document = run(&["check", &path, "--format", "json", "--core"]).document();
            for property in document["properties"].as_array_mut().expect("properties") {
                property["seconds"] = 0.into();
            }
            // Solver calls of the engines that lost the race depend on when they were stopped.
            document["stats"] = document["stats"]["decided_by"].clone();
            (document["run"]["seconds"], document["run"]["date"]) = (0.into(), "".into());
            document
        };
        assert_eq!(document(), document(), "{name}");
    }
}
