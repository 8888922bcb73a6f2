//! The document: its schema, and that nothing is lost on the way through JSON.

mod diffs;
mod made;
mod schema;
mod waivers;

use propcov_result::RunResult;
use propcov_testkit::random_result;

/// The seed of a run of the tests, and how many cases: `PROPCOV_SEED` and `PROPCOV_CASES`, as everywhere.
fn cases(default: u64) -> impl Iterator<Item = u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("PROPCOV_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("PROPCOV_CASES").unwrap_or(default),
    }
}

#[test]
fn random_results_survive_json() {
    for seed in cases(2000) {
        let result = random_result(seed);
        let text = serde_json::to_string(&result).expect("written");
        let back: RunResult = serde_json::from_str(&text).expect("read");
        assert_eq!(back, result, "seed {seed}: {text}");
    }
}

#[test]
fn an_empty_document_says_only_what_is_known() {
    let text = serde_json::to_value(RunResult::new("check", 7)).expect("written");
    let keys: Vec<&String> = text.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["run", "schema", "stats"]);
    assert_eq!(text["schema"], "propcov/2");
}
