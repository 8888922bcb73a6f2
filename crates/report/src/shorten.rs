//! Names of any length, for formats that people look at. A name of a megabyte stands in a hundred places of a page; nobody reads it, and every copy has to be carried.
//!
//! A long name is replaced by its beginning, a digest and its length: the same name by the same text everywhere, so that links, fingerprints and comparisons still work, and different names by different texts. Formats for
//! programs (JSON, CSV) have names as they are.

use propcov_result::{RunResult, Trace, Witness};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// Names of up to so many bytes are left alone: no tool writes longer ones on purpose.
const LONGEST: usize = 1_000;

/// So many characters of a longer one are kept.
const KEPT: usize = 160;

/// What is no name: paths, by which texts are found, and values, which have a radix.
const NO_NAMES: [&str; 4] = ["path", "file", "directory", "values"];

/// The result with short names.
pub(crate) fn shortened(result: &RunResult) -> Cow<'_, RunResult> {
    if !has_long_names(result) {
        return Cow::Borrowed(result);
    }
    let short = serde_json::to_value(result).and_then(|mut value| {
        shorten(&mut value);
        serde_json::from_value(value)
    });
    short.map_or(Cow::Borrowed(result), Cow::Owned)
}

fn has_long_names(result: &RunResult) -> bool {
    let is_long = |name: &str| name.len() > LONGEST;
    let in_trace = |trace: &Trace| trace.signals.iter().any(|signal| is_long(&signal.name));
    let in_witness = |witness: &Witness| witness.design.iter().chain(&witness.mutant).any(in_trace);
    result.elements.iter().any(|one| is_long(&one.name) || is_long(&one.scope))
        || result.properties.iter().any(|one| {
            is_long(&one.name)
                || one.formula.as_deref().is_some_and(is_long)
                || [&one.trace, &one.tested, &one.stray].into_iter().flatten().any(in_trace)
        })
        || result.findings.iter().filter_map(|one| one.witness.as_deref()).any(in_witness)
        || result.notes.iter().any(|note| is_long(&note.text))
        || result.run.arguments.iter().any(|one| is_long(one))
}

fn shorten(value: &mut Value) {
    match value {
        Value::String(text) if text.len() > LONGEST && text.bytes().any(|byte| !byte.is_ascii_digit()) => {
            *text = short(text);
        }
        Value::Array(values) => values.iter_mut().for_each(shorten),
        Value::Object(entries) => {
            let named = entries.iter_mut().filter(|(key, _)| !NO_NAMES.contains(&key.as_str()));
            named.for_each(|(_, value)| shorten(value));
        }
        _ => {}
    }
}

/// A text with a name in it, by itself.
pub(crate) fn brief(text: &str) -> Cow<'_, str> {
    if text.len() > LONGEST { Cow::Owned(short(text)) } else { Cow::Borrowed(text) }
}

fn short(text: &str) -> String {
    let digest = Sha256::digest(text);
    let digits: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let begin: String = text.chars().take(KEPT).collect();
    format!("{begin}…~{digits} ({} characters)", text.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_result::Element;

    #[test]
    fn equal_names_stay_equal_others_stay_apart_and_the_rest_is_as_it_was() {
        let mut result = RunResult::new("cover", 0);
        let long = "long".repeat(1 << 18);
        for name in [long.clone(), format!("{long}er"), long.clone(), "short".to_owned()] {
            result.elements.push(Element { name, scope: "top".to_owned(), ..Element::default() });
        }
        result.run.directory = Some(long);
        let short = shortened(&result);
        let names: Vec<&str> = short.elements.iter().map(|one| one.name.as_str()).collect();
        assert!(names[0] == names[2] && names[0] != names[1] && names[3] == "short", "{names:?}");
        assert!(names[0].len() < 250 && names[0].ends_with("(1048576 characters)"), "{}", names[0]);
        assert_eq!((&short.run.directory, short.elements.len()), (&result.run.directory, 4));
        result.elements.clear();
        assert!(matches!(shortened(&result), Cow::Borrowed(_)), "paths are no names");
    }
}
