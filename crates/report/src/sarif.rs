//! SARIF 2.1.0 (OASIS, 2020): holes, dead code and failed properties at their places, as code scanners report such things. There are no fixes: what a property should say is for people to decide.
//!
//! One result for each element. Its fingerprint is its key ([`propcov_result::Keys`]): name, digest of its source text, and number among equals, so that it is its own and survives edits elsewhere in the file.

use crate::grades::{Grade, Graded, graded};
use crate::material::Material;
use crate::mutants::Standing;
use crate::overview::Entry;
use crate::terminal::printable;
use crate::text::hole_sentence;
use propcov_result::{Place, RunResult, Verdict, Waiver};
use serde_json::{Value, json};
use std::collections::HashMap;

/// A kind of result: identifier, level, what it is, and what to do.
struct Rule {
    id: &'static str,
    level: &'static str,
    short: &'static str,
    full: &'static str,
}

const FAILED: usize = 0;
const HOLE: usize = 1;
const OPEN: usize = 2;
const DEAD: usize = 3;

const RULES: [Rule; 4] = [
    Rule {
        id: "failed-property",
        level: "error",
        short: "A property fails",
        full: "There is a run of the design on which the property does not hold.",
    },
    Rule {
        id: "hole",
        level: "warning",
        short: "No property notices a change here",
        full: "All properties still hold when this part of the design is changed. Strengthen a property, or add one that depends on it.",
    },
    Rule {
        id: "undecided",
        level: "note",
        short: "Not decided whether a property notices a change here",
        full: "The effort did not suffice, or properties are only known up to a bound.",
    },
    Rule {
        id: "dead",
        level: "note",
        short: "No reachable state executes this",
        full: "Whatever stands here, no run of the design shows it.",
    },
];

/// The document, indented.
pub fn sarif(result: &RunResult, material: &Material) -> String {
    document(&[run(result, material)])
}

/// One document with a run for each result. Each has an identifier: code scanning takes runs of the same tool only if they are told apart.
pub fn united(entries: &[Entry<'_>]) -> String {
    let named = |entry: &Entry<'_>| {
        let mut run = run(entry.result, entry.material);
        run["automationDetails"] = json!({ "id": format!("propcov/{}/", printable(entry.name)) });
        run
    };
    document(&entries.iter().map(named).collect::<Vec<_>>())
}

fn document(runs: &[Value]) -> String {
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": runs,
    });
    let mut bytes = Vec::new();
    let written = crate::json::write_visible(&document, &mut bytes);
    debug_assert!(written.is_ok(), "memory takes everything");
    String::from_utf8(bytes).unwrap_or_default()
}

fn run(result: &RunResult, material: &Material) -> Value {
    let keys = result.keys(&|path| material.text(path));
    let elements: HashMap<u32, &str> = result
        .elements
        .iter()
        .map(|element| element.id)
        .zip(keys.elements.iter().map(String::as_str))
        .collect();
    let properties = || result.properties.iter().zip(&keys.properties);
    let mut results: Vec<Value> = Vec::new();
    for (property, key) in properties().filter(|(one, _)| one.verdict == Verdict::Falsified) {
        let attempt = property.attempt.as_ref();
        let how = attempt.map(|attempt| format!(": {}", attempt.sentence())).unwrap_or_default();
        let text = format!("{} fails{how}", property.name);
        let mut value = one(FAILED, &text, (&property.name, key), property.place.as_slice(), &json!({}));
        let parts = attempt.into_iter().flat_map(|attempt| &attempt.parts);
        let related: Vec<Value> = parts
            .filter_map(|part| {
                let text = printable(&part.sentence());
                let place = part.place.as_ref()?;
                Some(json!({ "physicalLocation": physical(place), "message": { "text": text } }))
            })
            .collect();
        if !related.is_empty() {
            value["relatedLocations"] = json!(related);
        }
        results.push(value);
    }
    for (property, key) in properties().filter(|(one, _)| one.verdict == Verdict::Unreachable) {
        let text = format!("No run reaches the cover {}", property.name);
        results.push(one(FAILED, &text, (&property.name, key), property.place.as_slice(), &json!({})));
    }
    for one in graded(result) {
        let key = elements.get(&one.element.id).copied().unwrap_or_default();
        results.extend(about(result, &one, key));
    }
    let rules: Vec<Value> = RULES
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id,
                "shortDescription": { "text": rule.short },
                "fullDescription": { "text": rule.full },
                "defaultConfiguration": { "level": rule.level },
            })
        })
        .collect();
    let files = result.design.iter().flat_map(|design| &design.files);
    let mut artifacts: Vec<Value> = Vec::new();
    for file in files {
        let artifact =
            json!({ "location": { "uri": uri(&file.path) }, "hashes": { "sha-256": file.sha256 } });
        // The schema has each of them once.
        if !artifacts.contains(&artifact) {
            artifacts.push(artifact);
        }
    }
    let mut invocation = json!({
        "executionSuccessful": result.run.internal_errors.is_empty(),
        "arguments": result.run.arguments.iter().map(|argument| printable(argument)).collect::<Vec<_>>(),
    });
    if let Some(date) = result.run.date.as_ref().filter(|date| crate::date::seconds(date).is_some()) {
        invocation["startTimeUtc"] = json!(date);
    }
    json!({
        "tool": { "driver": {
            "name": "propcov",
            "version": printable(&result.run.version),
            "informationUri": env!("CARGO_PKG_REPOSITORY"),
            "rules": rules,
        } },
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "artifacts": artifacts,
        "results": results,
    })
}

/// What is to be said about an element, if anything.
fn about(result: &RunResult, graded: &Graded<'_>, key: &str) -> Option<Value> {
    let element = graded.element;
    let edits = |standing: Standing| -> Vec<&str> {
        graded.mutants.iter().filter(|mutant| mutant.standing == standing).map(|mutant| mutant.edit).collect()
    };
    let (rule, text, edits) = match graded.grade {
        Grade::Hole | Grade::Partly => {
            let edits = edits(Standing::Uncovered);
            let how = if edits.is_empty() { String::new() } else { format!(" ({})", edits.join(", ")) };
            let witnesses = graded.mutants.iter().filter(|mutant| mutant.standing == Standing::Uncovered);
            let shown = witnesses.filter_map(|mutant| hole_sentence(mutant.witness()?.1)).next();
            let shown = shown.map(|sentence| format!(". Unnoticed bug: {sentence}")).unwrap_or_default();
            (HOLE, format!("No property notices a change of {}{how}{shown}", element.name), edits)
        }
        Grade::Bounded => {
            let text = format!("No property notices a change of {} up to its bound", element.name);
            (OPEN, text, edits(Standing::Bounded))
        }
        Grade::Unknown => {
            let text = format!("Whether a property notices a change of {} is not decided", element.name);
            (OPEN, text, edits(Standing::Unknown))
        }
        Grade::Dead => (DEAD, format!("No reachable state executes {}", element.name), edits(Standing::Dead)),
        Grade::Waived => {
            let text = format!("No property is known to notice a change of {}", element.name);
            (HOLE, text, edits(Standing::Waived))
        }
        Grade::Covered | Grade::NoEffect | Grade::None => return None,
    };
    let more = json!({ "kind": element.kind, "instance": printable(&element.scope), "edits": edits });
    let mut value = one(rule, &text, (element.stem(), key), &element.places, &more);
    // What is waived is said, and who waived it: readers of this format show it on request.
    let waivers = graded.mutants.iter().filter_map(|mutant| mutant.waiver(result)).take(1);
    if graded.grade == Grade::Waived {
        let suppressions: Vec<Value> = waivers.map(suppression).collect();
        value["suppressions"] = json!(suppressions);
    }
    Some(value)
}

/// A waiver as a suppression: accepted, by somebody, for a reason.
fn suppression(waiver: &Waiver) -> Value {
    let author = waiver.author.as_ref().map(|author| format!(" ({author})")).unwrap_or_default();
    let mut value = json!({
        "kind": "external",
        "status": "accepted",
        "justification": printable(&format!("{}{author}", waiver.reason)),
    });
    if let Some(place) = &waiver.place {
        value["location"] = json!({ "physicalLocation": physical(place) });
    }
    value
}

fn one(rule: usize, text: &str, (name, key): (&str, &str), places: &[Place], properties: &Value) -> Value {
    let logical = json!([{ "fullyQualifiedName": printable(name) }]);
    let mut locations: Vec<Value> = places
        .iter()
        .take(1)
        .map(|place| json!({ "physicalLocation": physical(place), "logicalLocations": logical }))
        .collect();
    if locations.is_empty() {
        locations.push(json!({ "logicalLocations": logical }));
    }
    let mut value = json!({
        "ruleId": RULES[rule].id,
        "ruleIndex": rule,
        "level": RULES[rule].level,
        "message": { "text": printable(text) },
        "locations": locations,
        "partialFingerprints": { "propcovKey/v2": format!("{}:{}", RULES[rule].id, printable(key)) },
        "properties": properties,
    });
    let related: Vec<Value> =
        places.iter().skip(1).map(|place| json!({ "physicalLocation": physical(place) })).collect();
    if !related.is_empty() {
        value["relatedLocations"] = json!(related);
    }
    value
}

/// Columns count from 1 in both; the end is the column behind the last one.
fn physical(place: &Place) -> Value {
    json!({
        "artifactLocation": { "uri": uri(&place.file) },
        "region": {
            "startLine": place.line.max(1),
            "startColumn": place.column.max(1),
            "endLine": place.end_line.max(place.line).max(1),
            "endColumn": place.end_column.saturating_add(1).max(2),
        },
    })
}

/// A path as a relative reference (RFC 3986): what is not plain is given byte by byte.
pub(crate) fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}
