//! What users see of `propcov explain`.

use crate::common::{MIXED, Workspace, findings, holes};
use serde_json::{Value, json};

#[test]
fn a_covered_mutant_is_explained_by_a_short_run_and_an_uncovered_one_by_two() {
    let workspace = Workspace::example("fifo.btor2");
    let run = workspace.run("explain", &["read_pointer", "--out", "out"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let text = &run.stdout;
    assert!(text.starts_with("read_pointer: register, DIR/fifo.btor2:"), "{text}");
    assert!(
        text.contains("\nfree (left open: any value in any step): covered by at_most_four, data_is_kept\n"),
        "{text}"
    );
    assert!(text.contains(" of this run of the mutant (shortest run):\n    step "), "{text}");
    assert!(text.contains("\nzero (stuck at zero): NOT covered\n  2 properties still hold: "), "{text}");
    assert!(text.contains("\n  Unnoticed bug: watcher.active differs in step 3 (shortest run)\n"), "{text}");
    assert!(
        text.contains("    watcher.active, design  ") && text.contains("    watcher.active, mutant  "),
        "{text}"
    );
    assert!(!workspace.out().exists(), "explain keeps nothing of its own");
}

#[test]
fn what_cover_has_found_is_not_looked_for_again_and_what_it_has_not_is_added() {
    let workspace = Workspace::example("fifo.btor2");
    assert_eq!(workspace.cover(&["--elements", "*_pointer"]).code, 0);
    let reused = |element: &str| {
        let run = workspace.run("explain", &[element, "--out", "out", "--format", "json"]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{element}");
        run.document()["stats"]["reused"].clone()
    };
    assert_eq!(reused("read_pointer"), 6);
    assert_eq!(reused("memory"), 0);
    assert_eq!(reused("memory"), 6);
}

#[test]
fn the_document_has_runs_that_differ_where_it_says() {
    let workspace = Workspace::example("arbiter.aag");
    let arguments = ["and13", "--edit", "free", "--format", "json", "--vcd", "hole.vcd"];
    let run = workspace.run("explain", &arguments);
    let document = run.document();
    assert_eq!((run.code, &document["run"]["command"]), (0, &json!("explain")));
    assert!(findings(&document).iter().all(|[.., verdict]| verdict == "uncovered"), "{document}");
    let hole = &holes(&document)[0];
    let witness = &hole["witness"];
    assert_eq!((&hole["verdict"], &witness["file"]), (&json!("uncovered"), &json!("hole.vcd")), "{hole}");
    let last = |run: &str, name: &str| {
        let signals = witness[run]["signals"].as_array().expect("signals").iter();
        let row = signals.into_iter().find(|signal| signal["name"] == name).expect("the signal");
        row["values"].as_array().expect("values").last().expect("a value").clone()
    };
    for name in witness["observed"].as_array().expect("names") {
        let name = name.as_str().expect("a name");
        assert_ne!(last("design", name), last("mutant", name), "{hole}");
    }
    let waveform = std::fs::read(workspace.path().join("hole.vcd")).expect("a waveform");
    let mut parser = vcd::Parser::new(waveform.as_slice());
    let header = parser.parse_header().expect("a header");
    for scope in ["design", "mutant"] {
        assert!(header.find_var(&[scope, "and13"]).is_some(), "the mutated gate is shown in {scope}");
        assert!(header.find_var(&[scope, "properties", "one_grant_at_a_time"]).is_some(), "{scope}");
    }
}

#[test]
fn several_edits_have_a_waveform_each() {
    let workspace = Workspace::example("fifo.btor2");
    let run = workspace.run("explain", &["read_pointer", "--vcd", "w.vcd"]);
    assert_eq!(run.code, 0);
    for edit in ["free", "zero", "one"] {
        let text =
            std::fs::read_to_string(workspace.path().join(format!("w-{edit}.vcd"))).expect("a waveform");
        assert_eq!(text.contains("$scope module design $end"), edit != "free", "{edit}");
        assert!(text.contains("$scope module mutant $end"), "{edit}");
    }
    let blocked = workspace.run("explain", &["read_pointer", "--edit", "zero", "--vcd", "no/such/place.vcd"]);
    assert_eq!(blocked.code, 1);
    assert!(blocked.stderr.starts_with("error: cannot write no/such/place.vcd: "), "{}", blocked.stderr);
}

#[test]
fn what_has_no_effect_depends_on_where_somebody_looks() {
    let workspace = Workspace::example("arbiter.aag");
    let zero = |observe: &[&str]| {
        let run =
            workspace.run("explain", &[&["grant0", "--edit", "zero", "--format", "json"], observe].concat());
        holes(&run.document())[0].clone()
    };
    // Nothing reads the grant: it is there to be looked at.
    let by_default = zero(&[]);
    assert_eq!(
        (&by_default["verdict"], &by_default["witness"]["observed"]),
        (&json!("uncovered"), &json!(["grant0"]))
    );
    let elsewhere = zero(&["--observe", "registers"]);
    assert_eq!(elsewhere["verdict"], "no-effect", "{elsewhere}");
    let words = elsewhere["witness"]["observation"].as_str().expect("words");
    assert!(words.contains("other than grant0"), "{words}");
    let at_the_grant = zero(&["--observe", "grant0"]);
    assert_eq!(
        (&at_the_grant["verdict"], &at_the_grant["witness"]["observed"]),
        (&json!("uncovered"), &json!(["grant0"]))
    );
    let arguments = ["grant0", "--edit", "zero", "--observe", "registers"];
    let text = workspace.run("explain", &arguments).stdout;
    assert!(text.contains("zero (stuck at zero): no effect\n"), "{text}");
}

#[test]
fn an_element_that_does_not_exist_is_an_error_that_names_what_was_meant() {
    let workspace = Workspace::example("counter.btor2");
    for (name, expected) in [
        ("credit", "error: no element is called `credit`; did you mean "),
        (
            "credits[2]",
            "error: no element is called `credits[2]`; the bits of credits are there with --bits\n",
        ),
        ("credits.init", "error: credits.init is an initial value, and those are not mutated\n"),
        (
            "answers_are_asked_for",
            "error: answers_are_asked_for is an assumption, and those are not mutated\n",
        ),
    ] {
        let run = workspace.run("explain", &[name]);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{name}");
        assert!(run.stderr.starts_with(expected), "{name}: {}", run.stderr);
    }
    let bit = workspace.run("explain", &["credits[2]", "--bits", "--format", "json"]);
    let elements: Vec<Value> = bit.document()["elements"].as_array().expect("elements").clone();
    assert_eq!((bit.code, elements.len(), &elements[0]["name"]), (0, 1, &json!("credits[2]")));
}

#[test]
fn without_a_proof_there_is_nothing_to_explain() {
    let workspace = Workspace::new("mixed.btor2", MIXED);
    let run = workspace.run("explain", &["toggle", "--property", "stays_low"]);
    assert_eq!(run.code, 2);
    assert!(run.stdout.contains("no property is proved"), "{}", run.stdout);
}
