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
    let all = ["schema", "command", "version", "seed", "design", "gate", "properties", "cores", "stats"];
    assert_eq!(keys(&document), sorted(all));
    assert_eq!((&document["schema"], &document["command"]), (&json!("propcov/1"), &json!("check")));
    assert_eq!(keys(&document["design"]), sorted(["path", "format", "inputs", "states", "elements"]));
    assert_eq!(
        keys(&document["gate"]),
        sorted(["assumptions", "steps", "conflict", "vacuous", "obligations"])
    );
    let of_property =
        ["name", "kind", "verdict", "reason", "engine", "depth", "certified", "seconds", "trace", "shows"];
    for property in document["properties"].as_array().expect("properties") {
        assert_eq!(keys(property), sorted(of_property));
        assert_eq!((&property["certified"], &property["reason"]), (&json!(true), &Value::Null));
    }
    assert_eq!(
        keys(&document["cores"][0]),
        sorted(["property", "algorithm", "minimal", "complete", "cores"])
    );
    assert_eq!(
        keys(&document["stats"]),
        sorted(["proof_seconds", "engine_seconds", "certify_seconds", "solver_calls", "decided_by"])
    );
}

#[test]
fn the_schema_comes_first() {
    let text = run(&["check", "examples/arbiter.aag", "--format", "json"]).stdout;
    assert!(text.starts_with("{\n  \"schema\": \"propcov/1\",\n  \"command\": \"check\",\n"), "{text}");
    assert!(text.ends_with("}\n"));
}

#[test]
fn a_trace_is_a_list_of_steps_with_named_values() {
    let run = check_text("toggle.aag", TOGGLE, &["--format", "json"]);
    let property = run.document()["properties"][0].clone();
    assert_eq!((&property["name"], &property["depth"]), (&json!("stays.low"), &json!(1)));
    let step = |value: &str| json!({ "inputs": {}, "states": { "toggle": value } });
    assert_eq!(property["trace"], json!([step("0"), step("1")]));
}
