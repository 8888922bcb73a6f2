//! `propcov refine`: what users see of simulation and the labels that it covers.

use crate::common::{Run, root, run};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The pairs of `examples/refine/`.
const EXAMPLES: &[(&str, &str)] = &[
    ("server.dot", "protocol.dot"),
    ("figure4.dot", "figure4.dot"),
    ("figure5_i2.dot", "figure5_s2.dot"),
    ("figure5_i3.dot", "figure5_s3.dot"),
    ("die.tra", "rolling.json"),
    ("bus.smv", "bus_spec.smv"),
];

pub(crate) fn example(name: &str) -> String {
    format!("examples/refine/{name}")
}

/// Runs it on a pair of examples.
pub(crate) fn refine(implementation: &str, specification: &str, options: &[&str]) -> Run {
    let (implementation, specification) = (example(implementation), example(specification));
    run(&[&["refine", implementation.as_str(), specification.as_str()], options].concat())
}

pub(crate) fn document(implementation: &str, specification: &str, options: &[&str]) -> Value {
    refine(implementation, specification, &[options, &["--format", "json"]].concat()).document()
}

/// Files in a directory of their own.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a directory"));
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs it on files of the folder, which is called DIR in what it says.
    pub(crate) fn refine(&self, arguments: &[&str]) -> Run {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_propcov"));
        command.current_dir(self.path()).arg("refine").args(arguments);
        command.output().expect("propcov starts").into()
    }
}

/// An implementation `a → b → a` with p in a, and another proposition.
const IMPLEMENTATION: &str =
    r#"digraph { a [props="p, extra", initial=true]; b [props=""]; a -> b; b -> a; }"#;

/// It and no other.
const SPECIFICATION: &str = r#"digraph { x [props="p", initial=true]; y [props="!p"]; x -> y; y -> x; }"#;

/// The labels that are covered, uncovered, …: state and proposition.
pub(crate) fn labels(document: &Value, verdict: &str) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let findings = document["findings"].as_array().cloned().unwrap_or_default();
    let wanted = findings.iter().filter(|finding| finding["verdict"] == verdict);
    let label = |finding: &Value| finding["subject"]["label"].clone();
    wanted.map(label).map(|label| (text(&label["state"]), text(&label["proposition"]))).collect()
}

/// The counts of a proposition, or of all together.
pub(crate) fn share(document: &Value, proposition: Option<&str>) -> Value {
    let scope = proposition.map_or(json!("all"), |name| json!({ "proposition": name }));
    let shares = document["shares"].as_array().cloned().unwrap_or_default();
    shares.into_iter().find(|share| share["scope"] == scope).unwrap_or_default()
}

pub(crate) fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(state, proposition)| ((*state).to_owned(), (*proposition).to_owned())).collect()
}

/// Text without seconds.
fn stable(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if let Some(last) = lines.last_mut()
        && let Some((start, _)) = last.rsplit_once(" (")
    {
        *last = format!("{start} (#.## seconds)");
    }
    lines.join("\n") + "\n"
}

#[test]
fn every_graph_of_the_examples_is_in_a_pair_and_shows_its_command() {
    let mut names: Vec<String> = std::fs::read_dir(root().join("examples/refine"))
        .expect("examples")
        .map(|entry| entry.expect("readable").file_name().into_string().expect("UTF-8"))
        // The labels of die.tra.
        .filter(|name| name != "die.lab")
        .collect();
    names.sort();
    let mut known: Vec<&str> = EXAMPLES.iter().flat_map(|(one, other)| [*one, *other]).collect();
    known.sort_unstable();
    known.dedup();
    assert_eq!(names, known);
    // This format has no comments; its partner shows the command.
    for name in names.iter().filter(|name| *name != "die.tra") {
        let text = std::fs::read_to_string(root().join(example(name))).expect("text");
        assert!(text.contains("propcov refine examples/refine/"), "{name} does not show its use");
    }
}

#[test]
fn text_of_every_pair() {
    for (implementation, specification) in EXAMPLES {
        let run = refine(implementation, specification, &[]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{implementation}");
        let suffix = implementation.replace('.', "_");
        insta::with_settings!({ snapshot_suffix => suffix, prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!("refine", stable(&run.stdout));
        });
    }
}

#[test]
fn all_algorithms_and_numbers_of_threads_say_the_same() {
    for (implementation, specification) in EXAMPLES {
        let expected = document(implementation, specification, &[]);
        for options in [
            &["--algorithm", "figure3"][..],
            &["--naive"],
            &["--algorithm", "symbolic"],
            &["--threads", "1", "--seed", "7"],
        ] {
            let found = document(implementation, specification, options);
            for field in ["simulates", "certified", "observed", "criteria", "pairs"] {
                let (found, expected) = (&found["refinement"][field], &expected["refinement"][field]);
                assert_eq!(found, expected, "{field} of {implementation} with {options:?}");
            }
            assert_eq!(found["shares"], expected["shares"], "{implementation} with {options:?}");
            for verdict in ["covered", "uncovered", "dead", "unknown"] {
                assert_eq!(
                    labels(&found, verdict),
                    labels(&expected, verdict),
                    "{verdict} of {implementation} with {options:?}"
                );
            }
        }
    }
}

#[test]
fn figure_4_has_empty_criteria_and_nothing_covered() {
    let document = document("figure4.dot", "figure4.dot", &[]);
    for criterion in
        ["unimplemented_start_states", "unimplemented_states", "unimplemented_transitions", "many_to_one"]
    {
        assert_eq!(document["refinement"]["criteria"][criterion], json!([]), "{criterion}");
    }
    assert_eq!(labels(&document, "covered"), pairs(&[]));
    assert_eq!(labels(&document, "uncovered"), pairs(&[("on", "q"), ("off", "q")]));
}

#[test]
fn figure_5_has_everything_covered_and_criteria_that_are_not_empty() {
    let second = document("figure5_i2.dot", "figure5_s2.dot", &[]);
    assert_eq!(labels(&second, "uncovered"), pairs(&[]));
    assert_eq!(labels(&second, "covered").len(), 4);
    let criteria = &second["refinement"]["criteria"];
    assert_eq!(criteria["unimplemented_start_states"], json!(["s4"]));
    assert_eq!(criteria["unimplemented_states"], json!(["s4"]));
    let transitions = criteria["unimplemented_transitions"].as_array().expect("transitions");
    assert!(transitions.contains(&json!({ "from": "s0", "to": "s3" })), "{transitions:?}");
    assert_eq!(criteria["many_to_one"], json!([]));
    let third = document("figure5_i3.dot", "figure5_s3.dot", &[]);
    assert_eq!(labels(&third, "uncovered"), pairs(&[]));
    let merged = json!([{ "state": "t", "implementation": ["u0", "u1"] }]);
    assert_eq!(third["refinement"]["criteria"]["many_to_one"], merged);
}

#[test]
fn an_explanation_shows_the_tree_or_how_it_passes() {
    let options = ["--explain", "fresh", "grant", "--explain", "cleanup", "req"];
    let text = refine("server.dot", "protocol.dot", &options).stdout;
    assert!(text.contains("fresh with !grant instead: covered"), "{text}");
    assert!(text.contains("waiting cannot follow fresh to cleanup {}:"), "{text}");
    assert!(text.contains("cleanup with req instead: uncovered"), "{text}");
    let explanations = document("server.dot", "protocol.dot", &options)["refinement"]["explanations"].clone();
    let last = |entry: &Value| entry["distinction"]["run"].as_array().and_then(|run| run.last().cloned());
    assert_eq!(explanations[0]["verdict"], "covered");
    assert_eq!(last(&explanations[0]).expect("a run")["state"], "fresh");
    let refutation = &explanations[0]["distinction"]["refutations"][0];
    let of_refutation = ["implementation", "specification", "step"].map(|field| refutation[field].clone());
    assert_eq!(of_refutation, ["fresh", "waiting", "cleanup"]);
    assert_eq!(
        (&explanations[1]["verdict"], &explanations[1]["partners"]),
        (&json!("uncovered"), &json!(["closing"]))
    );
    let run = explanations[1]["run"].as_array().expect("a run");
    let step = json!({
        "implementation": "cleanup", "labels": ["req"], "specification": "closing", "needs": ["?req"]
    });
    assert!(run.contains(&step), "{run:?}");
}

#[test]
fn what_is_not_simulated_is_shown_by_a_run_and_fails() {
    let folder = Folder::new(&[
        ("impl.dot", r#"digraph { a [props="p", initial=true]; b [props=""]; a -> { a b }; b -> b; }"#),
        ("spec.dot", r#"digraph { x [props="p", initial=true]; x -> x; }"#),
    ]);
    let run = folder.refine(&["impl.dot", "spec.dot"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stdout.contains("does not simulate the implementation (divide, certified)"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout
            .contains("No state that the specification could go to accepts these labels:\n    x needs p"),
        "{}",
        run.stdout
    );
    let document = folder.refine(&["impl.dot", "spec.dot", "--format", "json"]).document();
    assert_eq!(
        (&document["refinement"]["simulates"], &document["shares"], &document["findings"]),
        (&json!(false), &Value::Null, &Value::Null)
    );
    assert_eq!(
        document["refinement"]["distinction"]["run"][1],
        json!({ "state": "b", "labels": [], "specification": [] })
    );
}

#[test]
fn only_what_both_have_is_compared_and_nothing_is_left_out_silently() {
    let folder = Folder::new(&[("impl.dot", IMPLEMENTATION), ("spec.dot", SPECIFICATION)]);
    let text = folder.refine(&["impl.dot", "spec.dot"]).stdout;
    assert!(
        text.contains("compared:       p\nnot compared:   only in the implementation: extra\n"),
        "{text}"
    );
    let other_way = folder.refine(&["spec.dot", "impl.dot"]);
    assert_eq!(other_way.code, 1);
    assert_eq!(
        other_way.stderr,
        "error: spec.dot has no proposition `extra`, which impl.dot has; there is p\n  \
         If it never holds in the implementation, say --false extra; if it is not to be compared, --ignore extra.\n"
    );
    assert_eq!(folder.refine(&["spec.dot", "impl.dot", "--ignore", "extra"]).code, 0);
    assert_eq!(folder.refine(&["spec.dot", "impl.dot", "--propositions", "p"]).code, 0);
    assert_eq!(folder.refine(&["spec.dot", "impl.dot", "--false", "extra"]).code, 2);
    let wrong = folder.refine(&["impl.dot", "spec.dot", "--ignore", "q"]);
    assert_eq!(
        (wrong.code, wrong.stderr.as_str()),
        (1, "error: --ignore q: spec.dot has no such proposition; did you mean p?\n")
    );
    let nothing = folder.refine(&["impl.dot", "spec.dot", "--ignore", "p"]);
    assert!(
        nothing.code == 1 && nothing.stderr.contains("there is no proposition to compare"),
        "{}",
        nothing.stderr
    );
}

#[test]
fn a_state_without_successor_is_an_error_or_gets_a_loop() {
    let folder = Folder::new(&[
        ("impl.dot", "digraph {\n  a [props=\"p\", initial=true];\n  b [props=\"p\"];\n  a -> b;\n}\n"),
        ("spec.dot", r#"digraph { x [props="p", initial=true]; x -> x; }"#),
        ("impl.smv", "MODULE main\nVAR p : boolean;\nINIT p\nTRANS p & !next(p)\n"),
    ]);
    let run = folder.refine(&["impl.dot", "spec.dot"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.starts_with("error: impl.dot:3:3: ") && run.stderr.contains("`b`"), "{}", run.stderr);
    assert_eq!(folder.refine(&["impl.dot", "spec.dot", "--complete"]).code, 0);
    for options in [&[][..], &["--algorithm", "symbolic"]] {
        let run = folder.refine(&[&["impl.smv", "spec.dot"], options].concat());
        assert_eq!(run.code, 1, "{}", run.stdout);
        assert!(run.stderr.contains("impl.smv: the state `p=FALSE` has no successor"), "{}", run.stderr);
        // With a loop there it is a run that the specification does not have.
        let run = folder.refine(&[&["impl.smv", "spec.dot", "--complete"], options].concat());
        assert_eq!(run.code, 2, "{}", run.stderr);
    }
}

#[test]
fn mutants_of_a_graph_are_listed_and_those_of_a_design_described() {
    let folder = Folder::new(&[
        ("graph.csv", "state,proposition\ncleanup,req\nfresh,*\n"),
        ("design.txt", "-- two regions\nbusy: phase = address\nbusy: tries = 3\n"),
        ("wrong.txt", "bussy: tries = 3\n"),
    ]);
    let path = |name: &str| folder.path().join(name).display().to_string();
    let listed = document("server.dot", "protocol.dot", &["--mutants", &path("graph.csv")]);
    assert_eq!(labels(&listed, "covered"), pairs(&[("fresh", "req"), ("fresh", "grant")]));
    assert_eq!(labels(&listed, "uncovered"), pairs(&[("cleanup", "req")]));
    for algorithm in ["divide", "symbolic"] {
        let file = path("design.txt");
        let document = document("bus.smv", "bus_spec.smv", &["--mutants", &file, "--algorithm", algorithm]);
        assert_eq!(document["refinement"]["observed"], json!(["busy"]));
        let counts = share(&document, Some("busy"));
        assert_eq!((&counts["total"], &counts["uncovered"]), (&json!("28"), &json!("4")), "{algorithm}");
    }
    let run = refine("bus.smv", "bus_spec.smv", &["--mutants", &path("wrong.txt")]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr
            .contains("wrong.txt:1:1: no proposition that is compared is called `bussy`; did you mean busy?"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_is_observed_can_be_chosen() {
    let one = document("server.dot", "protocol.dot", &["--observe", "grant"]);
    assert_eq!(one["refinement"]["observed"], json!(["grant"]));
    assert_eq!(share(&one, None)["total"], share(&one, Some("grant"))["total"]);
    let both = document("server.dot", "protocol.dot", &["--observe", "grant,req"]);
    assert_eq!(both["refinement"]["observed"], json!(["grant", "req"]));
    let all = document("server.dot", "protocol.dot", &["--all"]);
    assert_eq!(all["refinement"]["observed"], json!(["req", "grant"]));
    let wrong = refine("server.dot", "protocol.dot", &["--observe", "cache"]);
    assert_eq!(
        wrong.stderr,
        "error: --observe cache: no proposition that is compared is called so; there are req, grant\n"
    );
}

#[test]
fn expressions_of_designs_are_propositions() {
    let options = ["--propositions", "busy, done & busy"];
    let refinement = document("bus.smv", "bus_spec.smv", &options)["refinement"].clone();
    assert_eq!(refinement["propositions"], json!(["busy", "done & busy"]));
    assert_eq!(refinement["simulates"], json!(true));
    let wrong = refine("bus.smv", "bus_spec.smv", &["--propositions", "at"]);
    assert!(wrong.code == 1 && wrong.stderr.contains("expected a Boolean expression"), "{}", wrong.stderr);
}

#[test]
fn a_threshold_that_is_missed_has_its_exit_code() {
    let run = refine("server.dot", "protocol.dot", &["--threshold", "80%"]);
    assert_eq!(run.code, 3);
    assert!(run.stdout.contains("covered: 75.00 %, below 80 %"), "{}", run.stdout);
    assert_eq!(refine("server.dot", "protocol.dot", &["--threshold", "75%"]).code, 0);
}

#[test]
fn pictures_are_drawn_where_they_can_be_looked_at() {
    let folder = Folder::new(&[]);
    let file = |name: &str| -> (PathBuf, String) {
        let path = folder.path().join(name);
        let text = path.display().to_string();
        (path, text)
    };
    let (path, shown) = file("server.svg");
    assert_eq!(refine("server.dot", "protocol.dot", &["--picture", &shown]).code, 0);
    let text = std::fs::read_to_string(path).expect("a picture");
    assert!(text.contains("<svg") && text.contains("cleanup"), "{text}");
    // What is drawn is the implementation over the propositions that are compared.
    let (path, shown) = file("server.dot");
    assert_eq!(refine("server.dot", "protocol.dot", &["--picture", &shown]).code, 0);
    let specification = root().join(example("protocol.dot")).display().to_string();
    let again = run(&["refine", &path.display().to_string(), &specification, "--format", "json"]).document();
    assert_eq!(again["shares"], document("server.dot", "protocol.dot", &[])["shares"]);
    let wrong = refine("server.dot", "protocol.dot", &["--picture", "server.png"]);
    assert_eq!(wrong.stderr, "error: --picture server.png: expected a name that ends in .dot or .svg\n");
}

#[test]
fn a_time_limit_leaves_what_is_not_known_unknown() {
    let run = refine("bus.smv", "bus_spec.smv", &["--timeout", "0", "--format", "json"]);
    assert_eq!(run.code, 4, "{}", run.stderr);
    let refinement = run.document()["refinement"].clone();
    assert_eq!((&refinement["simulates"], &refinement["certified"]), (&Value::Null, &json!(false)));
    assert!(refinement["reason"].as_str().is_some_and(|reason| !reason.is_empty()));
}

#[test]
fn a_design_with_too_many_states_to_list_is_measured_symbolically() {
    let run = refine("bus.smv", "bus_spec.smv", &["--most-states", "10"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("note: more than 10 states, so sets of states are computed"),
        "{}",
        run.stderr
    );
    assert!(run.stdout.contains("(symbolic, not certified)"), "{}", run.stdout);
    assert!(run.stdout.contains("phase = address & tries = 0  4 states"), "{}", run.stdout);
}

#[test]
fn a_design_that_is_not_simulated_is_shown_by_a_run_where_states_are_not_listed() {
    // A specification that is never done.
    let text = std::fs::read_to_string(root().join(example("bus_spec.smv"))).expect("text");
    let folder = Folder::new(&[("never.smv", &text.replace("done  := at = over", "done  := FALSE"))]);
    let bus = root().join(example("bus.smv")).display().to_string();
    let run = folder.refine(&[&bus, "never.smv", "--most-states", "10"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stdout.contains("(symbolic, not certified)"), "{}", run.stdout);
    assert!(run.stdout.contains("can do from phase=transfer, tries=0"), "{}", run.stdout);
    assert!(run.stdout.contains("phase"), "{}", run.stdout);
    let listed = folder.refine(&[&bus, "never.smv"]);
    assert_eq!(listed.code, 2);
    assert!(
        listed.stdout.contains("No state that the specification could go to accepts these labels"),
        "{}",
        listed.stdout
    );
}

#[test]
fn names_that_do_not_exist_are_told_with_what_was_meant() {
    let explain = |state: &str, proposition: &str| {
        let run = refine("server.dot", "protocol.dot", &["--explain", state, proposition]);
        assert_eq!(run.code, 1);
        run.stderr
    };
    assert_eq!(
        explain("freshh", "req"),
        "error: --explain: the implementation has no state `freshh`; did you mean fresh?\n"
    );
    assert_eq!(
        explain("fresh", "cache"),
        "error: --explain: no proposition `cache` is compared; there are req, grant\n"
    );
    let both = run(&["refine", "-", "-"]);
    assert_eq!(both.stderr, "error: only one of the two models can come from standard input\n");
}
