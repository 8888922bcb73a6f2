//! The document that `--format json` prints: its parts and their fields, from the JSON Schema that is made from the types.

use super::rows;
use serde_json::Value;

/// The page.
pub(super) fn page() -> String {
    let schema = propcov::result::schema();
    let mut text = "\
The document of --format json, the same for every command (\"schema\": \"propcov/2\"). Parts and fields that
a command has nothing to say about are left out. Counts are decimal strings. The JSON Schema, with the
meaning of every field, is docs/result.schema.json in the sources.

"
    .to_owned();
    let parts = schema["properties"].as_object().into_iter().flatten();
    rows(&mut text, parts.map(|(name, part)| (name.clone(), described(&schema, part))));
    text
}

/// What a part is, and the fields of its entries.
fn described(schema: &Value, part: &Value) -> String {
    let meaning = part["description"].as_str().unwrap_or_default();
    let fields = definition(schema, part).map(fields).unwrap_or_default();
    if fields.is_empty() { meaning.to_owned() } else { format!("{meaning} [{}]", fields.join(", ")) }
}

/// The type that a part, or each of its entries, has.
fn definition<'s>(schema: &'s Value, part: &Value) -> Option<&'s Value> {
    let alternatives = part["anyOf"].as_array().into_iter().flatten();
    let reference = std::iter::once(part)
        .chain([&part["items"]])
        .chain(alternatives)
        .find_map(|place| place["$ref"].as_str())?;
    schema["$defs"].get(reference.strip_prefix("#/$defs/")?)
}

fn fields(definition: &Value) -> Vec<String> {
    definition["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
}
