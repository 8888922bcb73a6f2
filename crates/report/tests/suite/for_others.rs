//! Files that other programs read: whatever a result says, they are well-formed, they refer only to what is there, and their sums are right. These are the constraints of the formats' schemas that programs rely on.

use calamine::{Reader, Xlsx};
use propcov_report::diff::Compared;
use propcov_report::overview::{Entry, names};
use propcov_report::terminal::printable;
use propcov_report::{DIFF_FORMATS, FORMATS, Several};
use propcov_report::{Material, Rendering, Text, audit, format, terminal::Style, text::TextOptions};
use propcov_result::{
    Diff, Element, Finding, FindingVerdict, Place, RunResult, Scope, Share, Subject, Tally, Verdict, Witness,
};
use propcov_testkit::random_result;
use quick_xml::events::Event;
use quick_xml::{Reader as XmlReader, XmlVersion};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

/// A result in a format, with these texts.
fn bytes(name: &str, result: &RunResult, texts: &[(&str, &str)]) -> Vec<u8> {
    let text = |(path, text): &(&str, &str)| Text { path: (*path).to_owned(), text: (*text).to_owned() };
    let material = Material { texts: texts.iter().map(text).collect(), ..Material::default() };
    let (options, style) = (TextOptions::default(), Style::default());
    let rendering = Rendering { result, material: &material, options: &options, style: &style };
    let mut bytes = Vec::new();
    (format(name).expect("a format").write)(&rendering, &mut bytes).expect("memory takes everything");
    bytes
}

pub(crate) fn rendered(name: &str, result: &RunResult) -> String {
    String::from_utf8(bytes(name, result, &[("a.sv", "// req: R-1 says so\nassert p;\n")])).expect("text")
}

/// A small design: line 3 is covered by p, line 4 in part, line 5 a hole, line 6 open; line 7 has no effect.
fn small() -> RunResult {
    let mut result = RunResult::new("cover", 0);
    result.run.date = Some("2026-11-18T02:03:04Z".to_owned());
    result.run.metrics = vec!["mutation".to_owned()];
    let place = |line| Place { file: "a.sv".to_owned(), line, column: 1, end_line: line, end_column: 9 };
    result.properties = vec![crate::results::property("p", Verdict::Proved)];
    result.properties[0].place = Some(place(2));
    let names = ["whole", "partly", "hole", "open", "silent"];
    for (id, name) in (0..).zip(names) {
        result.elements.push(Element {
            id,
            name: name.to_owned(),
            kind: "register".to_owned(),
            places: vec![place(id + 3)],
            ..Element::default()
        });
    }
    use FindingVerdict::{Covered, NoEffect, Uncovered, Unknown};
    let found = [
        (0, "zero", Covered),
        (1, "zero", Covered),
        (1, "one", Uncovered),
        (2, "zero", Uncovered),
        (3, "zero", Unknown),
        (4, "zero", NoEffect),
    ];
    for (id, edit, verdict) in found {
        let witness = Witness { observed: vec!["out".to_owned()], depth: Some(2), ..Witness::default() };
        result.findings.push(Finding {
            metric: "mutation".into(),
            subject: Subject::Element(id),
            edit: edit.into(),
            property: Some("p".into()),
            verdict,
            reason: None,
            bound: None,
            by: Some("ic3".into()),
            certified: true,
            evidence: None,
            witness: (verdict == Uncovered).then(|| Box::new(witness)),
            count: None,
            waiver: None,
        });
    }
    let tally = Tally {
        covered: 2_usize.into(),
        uncovered: 2_usize.into(),
        unknown: 1_usize.into(),
        no_effect: 1_usize.into(),
        ..Tally::default()
    };
    result.shares.push(Share::new("mutation", Scope::All, tally, true));
    result.climb();
    result
}

#[test]
fn lcov_has_a_line_for_each_that_counts() {
    let text = rendered("lcov", &small());
    let expected = "TN:propcov\nSF:a.sv\nBRDA:3,0,0,1\nBRDA:4,0,0,1\nBRDA:4,0,1,0\nBRDA:5,0,0,0\nBRDA:6,0,0,-\nBRF:5\nBRH:2\n\
                    DA:3,1\nDA:4,0\nDA:5,0\nDA:6,0\nLF:4\nLH:1\nend_of_record\n";
    assert_eq!(text, expected);
}

#[test]
fn lcov_of_any_result_has_right_sums_and_one_record_a_line() {
    for seed in 0..300 {
        let text = rendered("lcov", &random_result(seed));
        let (mut lines, mut hit, mut branches, mut taken) = (0, 0, 0, 0);
        for line in text.lines() {
            let (kind, rest) = line.split_once(':').unwrap_or((line, ""));
            let last = rest.rsplit(',').next().unwrap_or_default();
            match kind {
                "DA" => {
                    lines += 1;
                    hit += usize::from(last != "0");
                }
                "BRDA" => {
                    branches += 1;
                    taken += usize::from(last != "0" && last != "-");
                }
                "LF" => assert_eq!(std::mem::take(&mut lines).to_string(), rest, "seed {seed}"),
                "LH" => assert_eq!(std::mem::take(&mut hit).to_string(), rest, "seed {seed}"),
                "BRF" => assert_eq!(std::mem::take(&mut branches).to_string(), rest, "seed {seed}"),
                "BRH" => assert_eq!(std::mem::take(&mut taken).to_string(), rest, "seed {seed}"),
                "TN" | "SF" | "end_of_record" => {}
                other => panic!("seed {seed}: {other}"),
            }
        }
    }
}

/// An element of a document: its attributes, its text, and what is in it.
#[derive(Debug, Default)]
struct Node {
    name: String,
    attributes: BTreeMap<String, String>,
    text: String,
    children: Vec<Node>,
}

impl Node {
    fn all<'n>(&'n self, name: &str, found: &mut Vec<&'n Node>) {
        if self.name == name {
            found.push(self);
        }
        self.children.iter().for_each(|child| child.all(name, found));
    }

    fn named(&self, name: &str) -> Vec<&Node> {
        let mut found = Vec::new();
        self.all(name, &mut found);
        found
    }

    fn attribute(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }

    fn number(&self, name: &str) -> usize {
        self.attribute(name).parse().unwrap_or_else(|_| panic!("{name} of {}", self.name))
    }
}

/// Reads a document with a parser that is not ours.
fn parse(text: &str) -> Node {
    let mut reader = XmlReader::from_str(text);
    let mut open = vec![Node::default()];
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Start(start) => open.push(node(&start)),
            Event::Empty(start) => {
                let node = node(&start);
                open.last_mut().expect("a parent").children.push(node);
            }
            Event::End(_) => {
                let node = open.pop().expect("it was opened");
                open.last_mut().expect("a parent").children.push(node);
            }
            Event::Text(text) => {
                open.last_mut().expect("a parent").text.push_str(text.as_ref());
            }
            Event::GeneralRef(reference) => {
                let character = match reference.as_ref() {
                    "lt" => '<',
                    "gt" => '>',
                    "amp" => '&',
                    "quot" => '"',
                    number => {
                        let number = number.strip_prefix('#').and_then(|digits| digits.parse().ok());
                        number.and_then(char::from_u32).expect("a character by its number")
                    }
                };
                open.last_mut().expect("a parent").text.push(character);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(open.len(), 1, "everything is closed");
    open.remove(0).children.remove(0)
}

fn node(start: &quick_xml::events::BytesStart<'_>) -> Node {
    let name = start.name().as_ref().to_owned();
    let attributes = start.attributes().map(|attribute| {
        let attribute = attribute.expect("an attribute, and each once");
        let value = attribute.normalized_value(XmlVersion::Explicit1_0).expect("known entities").into_owned();
        (attribute.key.as_ref().to_owned(), value)
    });
    Node { name, attributes: attributes.collect(), ..Node::default() }
}

#[test]
fn cobertura_keeps_to_its_document_type() {
    // What is in what, and the attributes that have to be there.
    let allowed: &[(&str, &[&str], &[&str])] = &[
        (
            "coverage",
            &["sources", "packages"],
            &[
                "line-rate",
                "branch-rate",
                "lines-covered",
                "lines-valid",
                "branches-covered",
                "branches-valid",
                "complexity",
                "version",
                "timestamp",
            ],
        ),
        ("sources", &["source"], &[]),
        ("source", &[], &[]),
        ("packages", &["package"], &[]),
        ("package", &["classes"], &["name", "line-rate", "branch-rate", "complexity"]),
        ("classes", &["class"], &[]),
        ("class", &["methods", "lines"], &["name", "filename", "line-rate", "branch-rate", "complexity"]),
        ("methods", &[], &[]),
        ("lines", &["line"], &[]),
        ("line", &[], &["number", "hits", "branch", "condition-coverage"]),
    ];
    fn check(node: &Node, allowed: &[(&str, &[&str], &[&str])]) {
        let (_, children, attributes) =
            allowed.iter().find(|(name, ..)| *name == node.name).expect("a known element");
        assert_eq!(
            node.attributes.keys().map(String::as_str).collect::<BTreeSet<_>>(),
            attributes.iter().copied().collect()
        );
        for child in &node.children {
            assert!(children.contains(&child.name.as_str()), "{} in {}", child.name, node.name);
            check(child, allowed);
        }
        if ["coverage", "package", "class"].contains(&node.name.as_str()) {
            for rate in ["line-rate", "branch-rate"] {
                let rate: f64 = node.attribute(rate).parse().expect("a number");
                assert!((0.0..=1.0).contains(&rate));
            }
        }
    }
    for seed in 0..300 {
        let document = parse(&rendered("cobertura", &random_result(seed)));
        check(&document, allowed);
        let hit = document.named("line").iter().filter(|line| line.number("hits") > 0).count();
        assert_eq!(document.number("lines-covered"), hit, "seed {seed}");
        assert_eq!(document.number("lines-valid"), document.named("line").len(), "seed {seed}");
    }
    let document = parse(&rendered("cobertura", &small()));
    assert_eq!(document.attribute("timestamp"), "1794967384000");
    assert_eq!(document.attribute("line-rate"), "0.2500");
    assert_eq!(document.named("line")[1].attribute("condition-coverage"), "50% (1/2)");
}

#[test]
fn junit_counts_what_it_lists_and_never_passes_what_is_not_proved() {
    for seed in 0..300 {
        let result = random_result(seed);
        let document = parse(&rendered("junit", &result));
        let suite = document.named("testsuite")[0];
        let cases = document.named("testcase");
        assert_eq!(suite.number("tests"), cases.len(), "seed {seed}");
        for (count, element) in [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")] {
            assert_eq!(suite.number(count), document.named(element).len(), "seed {seed}, {count}");
        }
        for (property, case) in result.properties.iter().zip(&cases) {
            let passed = case.children.iter().all(|child| child.name == "system-out");
            // Where it stands is said of every test, and first of what went wrong.
            let place = property.place.as_ref();
            let place =
                place.map(|place| format!("{}:{}:{}", printable(&place.file), place.line, place.column));
            let said = case.named("system-out").first().map(|out| out.text.clone());
            assert_eq!(said, place, "seed {seed}");
            for wrong in case.children.iter().filter(|child| child.name != "system-out") {
                let start = place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
                assert!(wrong.attribute("message").starts_with(&start), "seed {seed}");
            }
            let is_good = match property.verdict {
                Verdict::Proved => !property.vacuous,
                verdict => verdict == Verdict::Reached,
            };
            assert_eq!(passed, is_good, "seed {seed}");
        }
        let extra = result.run.thresholds.len();
        assert_eq!(cases.len(), result.properties.len() + extra, "seed {seed}");
    }
}

/// Several results in a format that makes one document of them.
pub(crate) fn united(name: &str, results: &[RunResult]) -> String {
    let Several::Together(unite) = format(name).expect("a format").several else { panic!("{name}") };
    let (names, none) = (names(&results.iter().collect::<Vec<_>>()), Material::default());
    let entries = results.iter().zip(&names).map(|(result, name)| Entry {
        name,
        has_page: false,
        result,
        material: &none,
    });
    unite(&entries.collect::<Vec<_>>())
}

/// Hits of each line, from records of lcov: those of the same file are added up, as genhtml does.
fn hits(records: &str) -> BTreeMap<(String, u32), usize> {
    let (mut hits, mut file) = (BTreeMap::new(), String::new());
    for line in records.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            file = path.to_owned();
        } else if let Some((number, count)) = line.strip_prefix("DA:").and_then(|line| line.split_once(',')) {
            let number: u32 = number.parse().expect("a number");
            *hits.entry((file.clone(), number)).or_default() += count.parse::<usize>().expect("a number");
        }
    }
    hits
}

#[test]
fn several_results_are_one_document_with_everything_that_each_says() {
    for seed in 0..150_u64 {
        let several: Vec<RunResult> = (0..seed % 3 + 2).map(|at| random_result(seed * 7 + at)).collect();
        let each = |name: &str| several.iter().map(|one| rendered(name, one)).collect::<Vec<_>>();
        // Cobertura knows of each line what records of lcov say one after the other.
        let document = parse(&united("cobertura", &several));
        let mut counted = BTreeMap::new();
        for class in document.named("class") {
            for line in class.named("line") {
                let at = (class.attribute("filename").to_owned(), line.number("number") as u32);
                assert!(counted.insert(at, line.number("hits")).is_none(), "seed {seed}: a line twice");
            }
        }
        assert_eq!(counted, hits(&each("lcov").concat()), "seed {seed}");
        // JUnit has a suite of each, with a name of its own.
        let document = parse(&united("junit", &several));
        let suites = document.named("testsuite");
        let named: BTreeSet<&str> = suites.iter().map(|suite| suite.attribute("name")).collect();
        assert_eq!((suites.len(), named.len()), (several.len(), several.len()), "seed {seed}");
        let alone = each("junit").iter().map(|text| parse(text).named("testcase").len()).sum::<usize>();
        assert_eq!(document.named("testcase").len(), alone, "seed {seed}");
        // SARIF has a run of each, which code scanning can tell from the others.
        let document: Value = serde_json::from_str(&united("sarif", &several)).expect("JSON");
        let runs = document["runs"].as_array().expect("runs");
        let ids: BTreeSet<&str> =
            runs.iter().filter_map(|run| run["automationDetails"]["id"].as_str()).collect();
        assert_eq!((runs.len(), ids.len()), (several.len(), several.len()), "seed {seed}");
        // Tables have all rows, and a heading where the columns change.
        for name in ["csv", "stats-csv"] {
            let rows =
                |text: &str| text.split_inclusive("\r\n").skip(1).map(str::to_owned).collect::<Vec<_>>();
            let heads = |text: &String| text.split_inclusive("\r\n").next().map(str::to_owned);
            let each = each(name);
            let mut heads: Vec<String> = each.iter().filter_map(heads).collect();
            let mut expected = Vec::new();
            let mut last = None;
            for text in &each {
                let head = heads.remove(0);
                if last.as_ref() != Some(&head) {
                    expected.push(head.clone());
                    last = Some(head);
                }
                expected.extend(rows(text));
            }
            assert_eq!(united(name, &several), expected.concat(), "seed {seed}, {name}");
        }
    }
}

#[test]
fn a_name_of_a_megabyte_is_carried_once_if_at_all() {
    for seed in 0..12 {
        let mut result = random_result(seed);
        let long = "name".repeat(1 << 18);
        for (at, element) in result.elements.iter_mut().enumerate() {
            element.name = format!("{long}{at}");
        }
        for (at, property) in result.properties.iter_mut().enumerate() {
            property.name = format!("{long}p{at}");
        }
        for finding in result.findings.iter_mut().filter(|finding| finding.property.is_some()) {
            finding.property = Some(format!("{long}p0").into());
        }
        for format in FORMATS.iter().filter(|format| !["json", "facts", "jkind-xml"].contains(&format.name)) {
            let size = bytes(format.name, &result, &[]).len();
            assert!(size < 1 << 20, "seed {seed}, {}: {size} bytes", format.name);
        }
        let mut before = result.clone();
        before.elements.iter_mut().for_each(|element| element.name.push_str("old"));
        before.properties.clear();
        let diff = Diff::between(&before, &result, (&|_| None, &|_| None));
        let material = Material { before: Some(Box::new(before)), ..Material::default() };
        for format in DIFF_FORMATS.iter().filter(|format| format.name != "json") {
            let mut bytes = Vec::new();
            let compared =
                Compared { result: &result, material: &material, diff: &diff, style: &Style::default() };
            (format.write)(&compared, &mut bytes).expect("memory takes everything");
            assert!(bytes.len() < 1 << 20, "seed {seed}, {}: {} bytes", format.name, bytes.len());
        }
        // Whoever is a property of its own still is.
        let document = parse(&rendered("junit", &result));
        let names: BTreeSet<&str> =
            document.named("testcase").iter().map(|one| one.attribute("name")).collect();
        let thresholds: BTreeSet<String> =
            result.run.thresholds.iter().map(|one| format!("{one:?}")).collect();
        assert!(names.len() >= result.properties.len() + usize::from(!thresholds.is_empty()), "seed {seed}");
    }
}

#[test]
fn sarif_has_what_its_schema_asks_for() {
    for seed in 0..300 {
        let text = rendered("sarif", &random_result(seed));
        let document: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(document["version"], "2.1.0");
        let run = &document["runs"][0];
        assert_eq!(run["tool"]["driver"]["name"], "propcov");
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        for result in run["results"].as_array().expect("results") {
            let rule = &rules[result["ruleIndex"].as_u64().expect("a number") as usize];
            assert_eq!(rule["id"], result["ruleId"], "seed {seed}");
            assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("a level")));
            assert!(!result["message"]["text"].as_str().expect("a text").is_empty());
            assert!(result.get("fixes").is_none());
            for location in result["locations"].as_array().expect("locations") {
                let physical = &location["physicalLocation"];
                if physical.is_null() {
                    assert!(location["logicalLocations"].is_array());
                    continue;
                }
                let uri = physical["artifactLocation"]["uri"].as_str().expect("a reference");
                assert!(uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte)));
                let region = &physical["region"];
                for key in ["startLine", "startColumn", "endLine", "endColumn"] {
                    assert!(region[key].as_u64().expect("a number") >= 1, "seed {seed}");
                }
                assert!(region["endLine"].as_u64() >= region["startLine"].as_u64());
            }
        }
    }
    let document: Value = serde_json::from_str(&rendered("sarif", &small())).expect("JSON");
    let results = document["runs"][0]["results"].as_array().expect("results");
    let said: Vec<(&str, &str)> = results
        .iter()
        .map(|result| {
            (
                result["ruleId"].as_str().unwrap_or_default(),
                result["message"]["text"].as_str().unwrap_or_default(),
            )
        })
        .collect();
    let expected = [
        ("hole", "No property notices a change of partly (one). Unnoticed bug: out differs in step 2"),
        ("hole", "No property notices a change of hole (zero). Unnoticed bug: out differs in step 2"),
        ("undecided", "Whether a property notices a change of open is not decided"),
    ];
    assert_eq!(said, expected);
}

#[test]
fn fingerprints_are_unique_and_stay_when_lines_move() {
    let fingerprints = |above: u32| -> Vec<String> {
        let text = "//\n".repeat(above as usize) + "if (a) x <= 1;\nif (b) x <= 1;\nif (a) x <= 1;\n";
        let mut result = small();
        result.elements.truncate(3);
        for (element, line) in result.elements.iter_mut().zip(above + 1..) {
            element.name = format!("if@{line}:5");
            element.places =
                vec![Place { file: "b.sv".to_owned(), line, column: 5, end_line: line, end_column: 5 }];
        }
        for finding in &mut result.findings {
            finding.verdict = FindingVerdict::Uncovered;
        }
        let text = String::from_utf8(bytes("sarif", &result, &[("b.sv", &text)])).expect("text");
        let document: Value = serde_json::from_str(&text).expect("JSON");
        let results = document["runs"][0]["results"].as_array().expect("results").clone();
        results.iter().map(|one| one["partialFingerprints"]["propcovKey/v2"].to_string()).collect()
    };
    let first = fingerprints(0);
    assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), 3, "{first:?}");
    assert_eq!(first, fingerprints(7));
    for seed in 0..300 {
        let document: Value = serde_json::from_str(&rendered("sarif", &random_result(seed))).expect("JSON");
        let results = document["runs"][0]["results"].as_array().expect("results");
        let all: BTreeSet<String> =
            results.iter().map(|one| one["partialFingerprints"].to_string()).collect();
        assert_eq!(all.len(), results.len(), "seed {seed}");
    }
}

/// What is in no core that was found is a hole in every list, and not unknown in some.
#[test]
fn an_element_has_the_same_grade_in_every_format() {
    let mut result = small();
    for finding in &mut result.findings {
        finding.metric = "core".into();
        finding.edit = propcov_result::DROPPED.into();
        finding.witness = None;
    }
    result.findings.retain(|finding| finding.verdict != FindingVerdict::Covered);
    result.run.metrics = vec!["core".to_owned()];
    for element in &mut result.elements {
        element.status = Some(propcov_result::Ladder::Unknown);
    }
    // Elements: whole is unknown, partly and hole are in no core, open is not decided.
    let lcov = rendered("lcov", &result);
    for line in ["BRDA:3,0,0,-", "BRDA:4,0,0,0", "BRDA:5,0,0,0", "BRDA:6,0,0,-"] {
        assert!(lcov.contains(line), "{lcov}");
    }
    let sarif: Value = serde_json::from_str(&rendered("sarif", &result)).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let rules: Vec<&str> = results.iter().filter_map(|one| one["ruleId"].as_str()).collect();
    assert_eq!(rules, ["undecided", "hole", "hole", "undecided", "undecided"]);
    let page = rendered("html", &result);
    let data =
        page.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("data");
    let data: Value = serde_json::from_str(data).expect("JSON");
    let grade = |at: &Value| data["grades"][at.as_u64().expect("a number") as usize].clone();
    let grades: Vec<Value> =
        data["elements"]["grade"].as_array().expect("several").iter().map(grade).collect();
    assert_eq!(grades, ["unknown", "hole", "hole", "unknown", "unknown"]);
    let audit = rendered("audit-csv", &result);
    assert!(audit.contains("not covered,core dropped of hole,no proof needs it"), "{audit}");
}

#[test]
fn reqif_refers_only_to_what_it_has() {
    for seed in 0..300 {
        let document = parse(&rendered("reqif", &random_result(seed)));
        let mut kinds: BTreeMap<&str, &str> = BTreeMap::new();
        identifiers(&document, &mut kinds);
        references(&document, &kinds, seed);
    }
    let document = parse(&rendered("reqif", &small()));
    let values = document.named("ATTRIBUTE-VALUE-STRING");
    let values: Vec<&str> = values.iter().map(|value| value.attribute("THE-VALUE")).collect();
    assert!(
        values.contains(&"R-1") && values.contains(&"says so") && values.contains(&"proved"),
        "{values:?}"
    );
    assert_eq!(document.named("SPEC-RELATION").len(), 1);
}

fn identifiers<'n>(node: &'n Node, kinds: &mut BTreeMap<&'n str, &'n str>) {
    if let Some(id) = node.attributes.get("IDENTIFIER") {
        assert!(id.starts_with('_') && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
        assert!(kinds.insert(id, &node.name).is_none(), "{id} is there twice");
    }
    node.children.iter().for_each(|child| identifiers(child, kinds));
}

/// What ends in `-REF` is the identifier of something of that kind.
fn references(node: &Node, kinds: &BTreeMap<&str, &str>, seed: u64) {
    if let Some(kind) = node.name.strip_suffix("-REF") {
        assert_eq!(kinds.get(node.text.as_str()), Some(&kind), "seed {seed}");
    }
    node.children.iter().for_each(|child| references(child, kinds, seed));
}

#[test]
fn the_summary_in_markdown_has_no_markup_of_names() {
    for seed in 0..300 {
        let text = rendered("markdown", &random_result(seed));
        for line in text.lines() {
            // Outside of code spans, all that is left is ours.
            let mut outside = String::new();
            let mut rest = line;
            while let Some(at) = rest.find('`') {
                outside.push_str(&rest[..at]);
                let fence: String = rest[at..].chars().take_while(|c| *c == '`').collect();
                let inside = &rest[at + fence.len()..];
                let end = inside.find(&fence).unwrap_or_else(|| panic!("seed {seed}: {line}"));
                rest = &inside[end + fence.len()..];
            }
            outside.push_str(rest);
            let ours = ["<details><summary>", "</summary>", "</details>", "<sub>", "</sub>"];
            let outside = ours.iter().fold(outside, |text, tag| text.replace(tag, ""));
            assert!(!outside.contains(['<', '&', '\u{1b}']), "seed {seed}: {line}");
        }
    }
    assert!(
        rendered("markdown", &small())
            .contains("| `mutation` | **40.00 to 60.00 %** | 2 | 2 | 1 | 0 | 0 | 0 | 1 |")
    );
}

#[test]
fn an_audit_finds_everything_in_table_and_workbook() {
    let result = small();
    let text = rendered("audit-csv", &result);
    for expected in [
        "run,tool,propcov ",
        "run,date,2026-11-18T02:03:04Z",
        "requirement,R-1,says so,,,p a.sv:1:1",
        "property,p,proved",
        "coverage,mutation,40.00 to 60.00 %,yes",
        "left out of the count,mutation zero of silent,no effect,yes",
        "not covered,mutation zero of hole,no property notices,yes,,p: uncovered by ic3",
        "not covered,mutation zero of open,not decided,yes,,p: unknown by ic3",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let workbook = bytes("xlsx", &result, &[]);
    let mut workbook = Xlsx::new(Cursor::new(workbook)).expect("a workbook that another library can read");
    assert_eq!(workbook.sheet_names(), ["Audit", "Findings"]);
    let rows = workbook.worksheet_range("Audit").expect("the sheet").height();
    assert_eq!(rows, audit::csv(&result, &Material::default()).lines().count());
    assert_eq!(workbook.worksheet_range("Findings").expect("the sheet").height(), 1 + result.findings.len());
    for seed in 0..60 {
        let result = random_result(seed);
        let workbook = bytes("xlsx", &result, &[]);
        let mut workbook = Xlsx::new(Cursor::new(workbook)).expect("a workbook");
        for name in workbook.sheet_names() {
            workbook.worksheet_range(&name).expect("a sheet");
        }
    }
}
