//! The JSON document has exactly the fields that DESIGN gives it.

use crate::common::{TOGGLE, check_text, run};
use serde_json::{Value, json};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn sorted<const N: usize>(mut names: [&str; N]) -> Vec<&str> {
    names.sort_unstable();
    names.to_vec()
}

#[test]
fn the_document_of_check_has_these_fields_and_no_others() {
    let document =
        run(&["check", "examples/counter.btor2", "--format", "json", "--core", "--stats"]).document();
    let all = ["schema", "run", "design", "gate", "properties", "elements", "stats"];
    assert_eq!(keys(&document), sorted(all));
    assert_eq!((&document["schema"], &document["run"]["command"]), (&json!("propcov/2"), &json!("check")));
    let of_run = ["command", "arguments", "version", "seed", "seconds", "date"];
    assert_eq!(keys(&document["run"]), sorted(of_run));
    let of_design = ["files", "format", "inputs", "states", "elements", "assumptions", "properties"];
    assert_eq!(keys(&document["design"]), sorted(of_design));
    // What there is nothing to say about is left out.
    assert_eq!(keys(&document["gate"]), sorted(["assumptions", "steps", "obligations"]));
    let of_property = ["name", "kind", "place", "verdict", "engine", "depth", "certified", "seconds", "core"];
    for property in document["properties"].as_array().expect("properties") {
        assert_eq!(keys(property), sorted(of_property));
        assert_eq!(property["certified"], json!(true));
    }
    assert_eq!(
        keys(&document["stats"]),
        sorted(["seconds", "solver_calls", "ticks", "counts", "decided_by"])
    );
    assert_eq!(keys(&document["stats"]["seconds"]), sorted(["proof", "engine", "certify"]));
}

#[test]
fn the_document_of_cores_has_these_parts() {
    let document =
        run(&["cores", "examples/asw_2.lus", "--format", "json", "--algorithm", "online-marco"]).document();
    let all = ["schema", "run", "design", "gate", "properties", "elements", "cores", "stats"];
    assert_eq!(keys(&document), sorted(all));
    assert_eq!((&document["schema"], &document["run"]["command"]), (&json!("propcov/2"), &json!("cores")));
    let entries = document["cores"].as_array().expect("cores");
    assert_eq!(entries.len(), 4, "three properties, and all of them together");
    for entry in entries {
        assert_eq!((&entry["algorithm"], &entry["goal"]), (&json!("online-marco"), &json!("all")));
    }
    assert_eq!((&entries[3]["property"], &entries[3]["seconds"]), (&Value::Null, &Value::Null));
    assert_eq!(keys(&entries[0]["cores"][0]), sorted(["elements", "minimal"]));
    assert_eq!(keys(&entries[0]["seconds"]), sorted(["proof", "cores", "certify"]));
}

#[test]
fn the_document_of_metrics_of_cores_has_findings_and_shares_as_well() {
    let document = run(&["cover", "examples/asw.lus", "--metric", "may", "--format", "json"]).document();
    let all = [
        "schema",
        "run",
        "design",
        "gate",
        "properties",
        "elements",
        "findings",
        "shares",
        "rankings",
        "cores",
        "stats",
    ];
    assert_eq!(keys(&document), sorted(all));
    assert_eq!(document["run"]["metrics"], json!(["may"]));
    let of_finding = ["metric", "subject", "property", "edit", "verdict", "by", "certified"];
    assert_eq!(keys(&document["findings"][0]), sorted(of_finding));
}

#[test]
fn the_document_of_refinement_has_all_its_fields() {
    let files = ["examples/refine/server.dot", "examples/refine/protocol.dot"];
    let options = ["--explain", "fresh", "grant", "--format", "json"];
    let document = run(&[&["refine"], &files[..], &options].concat()).document();
    assert_eq!(keys(&document), sorted(["schema", "run", "findings", "shares", "refinement", "stats"]));
    let refinement = &document["refinement"];
    let all = [
        "implementation",
        "specification",
        "propositions",
        "extra",
        "algorithm",
        "simulates",
        "certified",
        "observed",
        "criteria",
        "pairs",
        "relation",
        "explanations",
    ];
    assert_eq!(keys(refinement), sorted(all));
    let of_model = ["path", "sha256", "format", "states", "transitions", "initial"];
    assert_eq!(keys(&refinement["implementation"]), sorted(of_model));
    let of_share = ["metric", "scope", "covered", "uncovered", "unknown", "total", "percent", "certified"];
    assert_eq!(keys(&document["shares"][0]), sorted(of_share));
    let of_finding = ["metric", "subject", "edit", "verdict", "by", "certified"];
    assert_eq!(keys(&document["findings"][0]), sorted(of_finding));
    let label = &document["findings"][0]["subject"]["label"];
    assert_eq!(keys(label), sorted(["state", "proposition"]));
    let of_criteria = [
        "form",
        "unimplemented_start_states",
        "unimplemented_states",
        "unimplemented_transitions",
        "many_to_one",
    ];
    let criteria = &refinement["criteria"];
    assert_eq!(keys(criteria), sorted(of_criteria));
    assert_eq!(keys(&criteria["unimplemented_transitions"][0]), sorted(["from", "to"]));
    assert_eq!(keys(&criteria["many_to_one"][0]), sorted(["state", "implementation"]));
    assert_eq!(keys(&refinement["relation"][0]), sorted(["implementation", "specification"]));
    let explanation = &refinement["explanations"][0];
    let of_explanation = ["state", "proposition", "flipped", "verdict", "distinction"];
    assert_eq!(keys(explanation), sorted(of_explanation));
    assert_eq!(keys(&explanation["distinction"]), sorted(["run", "refutations"]));
    assert_eq!(keys(&explanation["distinction"]["run"][0]), sorted(["state", "labels", "specification"]));
    let of_refutation = ["implementation", "specification", "step", "answers"];
    assert_eq!(keys(&explanation["distinction"]["refutations"][0]), sorted(of_refutation));
    assert_eq!(keys(&document["stats"]), sorted(["seconds", "ticks", "counts"]));
}

#[test]
fn the_schema_comes_first() {
    let text = run(&["check", "examples/arbiter.aag", "--format", "json"]).stdout;
    assert!(text.starts_with("{\n  \"schema\": \"propcov/2\",\n  \"run\": {\n"), "{text}");
    assert!(text.ends_with("}\n"));
}

#[test]
fn a_trace_has_a_row_for_each_signal() {
    let run = check_text("toggle.aag", TOGGLE, &["--format", "json"]);
    let property = run.document()["properties"][0].clone();
    assert_eq!((&property["name"], &property["depth"]), (&json!("stays.low"), &json!(1)));
    let row =
        json!({ "name": "toggle", "kind": "state", "sort": "bool", "focus": true, "values": ["0", "1"] });
    assert_eq!(property["trace"], json!({ "steps": 2, "signals": [row] }));
}
