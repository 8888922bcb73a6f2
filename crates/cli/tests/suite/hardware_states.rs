//! State and transition coverage of hardware (AIGER, BTOR2): gates without names are written out, inputs that properties read are part of the state.

use crate::common::{Workspace, run, stable_text};
use serde_json::{Value, json};

macro_rules! snapshot {
    ($name:literal, $text:expr) => {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}

/// `done` follows `busy` by one step, and `busy` follows `go`, but not twice in a row. Only when `go` is there again are both looked at.
const READS_INPUT: &str = "\
1 sort bitvec 1
2 zero 1
3 input 1 go
4 state 1 busy
5 init 1 4 2
6 state 1 done
7 init 1 6 2
8 not 1 4
9 and 1 3 8
10 next 1 4 9
11 next 1 6 4
12 and 1 4 6
13 and 1 12 3
14 bad 13 not_both_on_go
";

/// Each observed signal of an example with what is covered and what there is; all together is `*`.
fn counts(name: &str, metric: &str) -> Vec<String> {
    let path = format!("examples/{name}");
    let run = run(&["cover", &path, "--metric", metric, "--no-out", "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
    rows(&run.document())
}

fn rows(document: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let row = |share: &Value| {
        assert_eq!(share["certified"], json!(true), "{share}");
        let name = share["scope"]["observed"].as_str().unwrap_or("*");
        format!("{name} {}/{}", text(&share["covered"]), text(&share["total"]))
    };
    document["shares"].as_array().expect("shares").iter().map(row).collect()
}

#[test]
fn what_properties_read_through_gates_without_names_is_observed() {
    assert_eq!(counts("counter.btor2", "state"), ["credits 9/9", "in_flight 9/9", "* 9/9"]);
    let expected = ["count 20/20", "full 4/20", "empty 4/20", "overflow 20/20", "* 20/20"];
    assert_eq!(counts("queue.btor2", "state"), expected);
    assert_eq!(counts("arbiter.aag", "state"), ["grant0 1/5", "grant1 2/5", "starved1 5/5", "* 5/5"]);
    let expected = ["grant0 5/17", "grant1 7/17", "starved1 17/17", "* 17/17"];
    assert_eq!(counts("arbiter.aag", "transition"), expected);
}

#[test]
fn an_arbiter_is_shown_with_the_names_of_its_latches() {
    let run = run(&["cover", "examples/arbiter.aag", "--metric", "state", "--no-out"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    snapshot!("states@arbiter", stable_text(&run.stdout));
}

#[test]
fn an_input_that_a_property_reads_is_part_of_the_state_and_of_runs() {
    let workspace = Workspace::new("design.btor2", READS_INPUT);
    let cover = |arguments: &[&str]| {
        workspace.run("cover", &[&["--metric", "state", "--no-out"], arguments].concat())
    };
    // Three states of `busy` and `done`, with and without `go`; each is noticed where the other one and `go` are up.
    let run = cover(&["--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, "note: read by properties, so part of the state: go\n"));
    assert_eq!(rows(&run.document()), ["go 0/6", "busy 1/6", "done 1/6", "* 2/6"]);
    assert_eq!(cover(&["--quiet"]).stderr, "");
    let run = cover(&["--observe", "busy", "--trace", "2", "--quiet"]);
    assert_eq!(run.code, 0);
    // The first paragraph is as wide as the path of the design makes it.
    let text = run.stdout.split_once("\n\n").map_or("", |(_, rest)| rest);
    snapshot!("states@reads_input", stable_text(text));
}

#[test]
fn an_input_that_only_the_design_reads_is_no_part_of_the_state() {
    let without = READS_INPUT.replace("14 bad 13", "14 bad 12");
    let workspace = Workspace::new("design.btor2", &without);
    let run = workspace.run("cover", &["--metric", "state", "--no-out", "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(rows(&run.document()), ["busy 1/3", "done 1/3", "* 2/3"]);
}
