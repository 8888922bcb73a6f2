//! The schema file in `docs/` is that of the types, and documents conform to it. `PROPCOV_UPDATE=1` writes it.
//!
//! The validator here knows just the keywords that schemars writes, and panics on any other: the crates that know all of JSON Schema take four CPU minutes to build.

use crate::cases;
use propcov_testkit::random_result;
use serde_json::Value;
use std::path::Path;

const FILE: &str = "../../docs/result.schema.json";

#[test]
fn the_schema_in_docs_is_generated_from_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let generated = serde_json::to_string_pretty(&propcov_result::schema()).expect("written") + "\n";
    if std::env::var_os("PROPCOV_UPDATE").is_some() {
        std::fs::write(&path, &generated).expect("docs/ is writable");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let hint = "PROPCOV_UPDATE=1 cargo test -p propcov-result schema";
    assert!(kept == generated, "docs/result.schema.json is out of date: {hint}");
}

#[test]
fn random_results_conform_to_the_schema() {
    let schema = propcov_result::schema();
    for seed in cases(300) {
        let document = serde_json::to_value(random_result(seed)).expect("written");
        if let Err(place) = validate(&schema, &schema, &document, "") {
            panic!("seed {seed}: {place}");
        }
    }
}

#[test]
fn a_document_with_a_wrong_field_does_not_conform() {
    let schema = propcov_result::schema();
    let good = serde_json::to_value(random_result(3)).expect("written");
    let conforms = |document: &Value| validate(&schema, &schema, document, "").is_ok();
    assert!(conforms(&good));
    for (place, wrong) in [
        ("/run/seed", Value::from("seven")),
        ("/run/seconds", Value::Null),
        ("/schema", Value::from(2)),
        ("/stats", Value::from(Vec::<u8>::new())),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).expect("it is there") = wrong;
        assert!(!conforms(&bad), "{place}");
    }
    let mut without = good;
    without.as_object_mut().expect("an object").remove("run");
    assert!(!conforms(&without));
}

/// Whether a value conforms; otherwise where it does not.
fn validate(root: &Value, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let keywords = match schema {
        Value::Bool(true) => return Ok(()),
        Value::Object(keywords) => keywords,
        other => panic!("no schema: {other}"),
    };
    let wrong = |what: &str| Err(format!("{place}: {what}: {value}"));
    for (keyword, argument) in keywords {
        match keyword.as_str() {
            "$ref" => {
                let target =
                    argument.as_str().and_then(|name| root.pointer(&name[1..])).expect("a definition");
                validate(root, target, value, place)?;
            }
            "type" => {
                let names = match argument {
                    Value::Array(names) => names.iter().collect(),
                    name => vec![name],
                };
                if !names.iter().any(|name| is_of_type(value, name.as_str().expect("a name"))) {
                    return wrong("type");
                }
            }
            "properties" => {
                for (name, schema) in argument.as_object().expect("schemas") {
                    if let Some(member) = value.get(name) {
                        validate(root, schema, member, &format!("{place}/{name}"))?;
                    }
                }
            }
            "required" => {
                let mut names = argument.as_array().expect("names").iter().filter_map(Value::as_str);
                if value.is_object() && !names.all(|name| value.get(name).is_some()) {
                    return wrong("required");
                }
            }
            // Names that match a pattern are checked there.
            "additionalProperties" if keywords.contains_key("patternProperties") => {}
            "additionalProperties" if argument == &Value::Bool(false) => {
                let known = keywords.get("properties").and_then(Value::as_object);
                let mut names = value.as_object().into_iter().flat_map(|object| object.keys());
                if names.any(|name| known.is_none_or(|known| !known.contains_key(name))) {
                    return wrong("additional");
                }
            }
            "additionalProperties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    let known = keywords.get("properties").and_then(|known| known.get(name));
                    if known.is_none() {
                        validate(root, argument, member, &format!("{place}/{name}"))?;
                    }
                }
            }
            "items" => {
                let first = keywords.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
                for (at, item) in value.as_array().into_iter().flatten().enumerate().skip(first) {
                    validate(root, argument, item, &format!("{place}/{at}"))?;
                }
            }
            "prefixItems" => {
                let schemas = argument.as_array().expect("schemas");
                for (schema, item) in schemas.iter().zip(value.as_array().into_iter().flatten()) {
                    validate(root, schema, item, place)?;
                }
            }
            "minItems" | "maxItems" => {
                let count = value.as_array().map(|items| items.len() as u64);
                let limit = argument.as_u64().expect("a number");
                if count
                    .is_some_and(|count| if keyword == "minItems" { count < limit } else { count > limit })
                {
                    return wrong(keyword);
                }
            }
            "minimum" => {
                if value.as_f64().is_some_and(|number| number < argument.as_f64().unwrap_or(0.0)) {
                    return wrong("minimum");
                }
            }
            "maximum" => {
                if value.as_f64().is_some_and(|number| number > argument.as_f64().unwrap_or(0.0)) {
                    return wrong("maximum");
                }
            }
            "const" if value != argument => return wrong("const"),
            "enum" if !argument.as_array().expect("values").contains(value) => return wrong("enum"),
            "anyOf" | "oneOf" => {
                let schemas = argument.as_array().expect("schemas");
                let fitting =
                    schemas.iter().filter(|schema| validate(root, schema, value, place).is_ok()).count();
                if fitting == 0 || (keyword == "oneOf" && fitting > 1) {
                    return wrong(keyword);
                }
            }
            "patternProperties" => {
                let mut names = value.as_object().into_iter().flat_map(|object| object.keys());
                let schemas = argument.as_object().expect("schemas");
                assert!(schemas.keys().all(|pattern| pattern == r"^\d+$"), "{argument}");
                if names.any(|name| !name.bytes().all(|byte| byte.is_ascii_digit())) {
                    return wrong("pattern of names");
                }
            }
            "pattern" => {
                assert_eq!(argument, "^[0-9]+$", "the only pattern there is");
                let is_number =
                    |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                if value.as_str().is_some_and(|text| !is_number(text)) {
                    return wrong("pattern");
                }
            }
            "const" | "enum" | "$schema" | "title" | "description" | "format" | "$defs" | "default" => {}
            other => panic!("the validator does not know `{other}`"),
        }
    }
    Ok(())
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        other => panic!("no type: {other}"),
    }
}
