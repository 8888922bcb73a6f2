//! The page: whatever names there are, there is one block of data, one script and one style sheet, and the policy knows the digests of both. What browsers make of it: `scripts/test-report`.

use propcov_report::{Material, Text, html};
use propcov_result::{Element, RunResult};
use propcov_testkit::random_result;
use sha2::{Digest, Sha256};

fn page(result: &RunResult, material: &Material) -> String {
    let mut bytes = Vec::new();
    html::write(result, material, &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("text")
}

/// What stands between two marks, the first of which occurs once.
fn between<'p>(page: &'p str, from: &str, to: &str) -> &'p str {
    let mut parts = page.split(from);
    let rest = parts.nth(1).unwrap_or_else(|| panic!("{from} is missing"));
    assert!(parts.next().is_none(), "{from} is there twice");
    rest.split(to).next().expect("something")
}

const DATA: &str = "<script type=\"application/json\" id=\"data\">";

#[test]
fn any_result_gives_a_page_with_one_block_of_inert_data() {
    for seed in 0..300 {
        let (result, before) = (random_result(seed), random_result(seed + 1000));
        let material = Material { before: Some(Box::new(before)), ..Material::default() };
        let page = page(&result, &material);
        let data = between(&page, DATA, "</script>");
        assert!(!data.contains(['<', '>', '&']), "seed {seed}");
        let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
        let rows = data["lengths"]["rows"].as_u64().expect("a number");
        assert!(rows <= result.findings.len() as u64, "seed {seed}");
        assert_eq!(data["lengths"]["findings"], result.findings.len() as u64, "seed {seed}: none is lost");
        assert_eq!(data["lengths"]["elements"], result.elements.len() as u64, "seed {seed}");
        assert_eq!(data["properties"].as_array().map(Vec::len), Some(result.properties.len()), "seed {seed}");
        assert_eq!(page.matches("</script>").count(), 2, "seed {seed}");
    }
}

#[test]
fn hostile_names_and_texts_are_data() {
    let hostile = "</script><script>alert(1)</script><!--\u{2028}\u{202e}\u{0}";
    let mut result = RunResult::new("cover", 0);
    result.elements = vec![Element { name: hostile.to_owned(), ..Element::default() }];
    let text = Text { path: hostile.to_owned(), text: hostile.to_owned() };
    let page = page(&result, &Material { texts: vec![text], ..Material::default() });
    assert_eq!(page.matches("<script").count(), 2);
    let data: serde_json::Value = serde_json::from_str(between(&page, DATA, "</script>")).expect("JSON");
    assert!(data["words"].as_array().expect("words").iter().any(|word| word == hostile));
}

#[test]
fn the_policy_allows_this_script_and_this_style_sheet_and_nothing_else() {
    let page = page(&RunResult::new("check", 0), &Material::default());
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
    for (from, to) in [("<script>", "</script>"), ("<style>", "</style>")] {
        let digest = Sha256::digest(between(&page, from, to));
        // Base64 in the other direction: the policy names the same bytes.
        let bits: String = digest.iter().map(|byte| format!("{byte:08b}")).collect();
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let sextets = bits.as_bytes().chunks(6).map(|six| format!("{:0<6}", String::from_utf8_lossy(six)));
        let text: String = sextets
            .map(|six| usize::from_str_radix(&six, 2).expect("bits"))
            .filter_map(|at| alphabet.chars().nth(at))
            .collect();
        assert!(policy.contains(&format!("'sha256-{text}='")), "{policy}");
    }
}
