//! `propcov cores` and the metrics of cores, as users and scripts see them.

use crate::common::{HARD_MUTANTS, Run, Workspace, run, stable_text};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};

/// Sets of names, whatever the order in which they were found.
type Sets = BTreeSet<BTreeSet<String>>;

/// The elements of a document, by number.
fn element_names(document: &Value) -> HashMap<u64, String> {
    let elements = document["elements"].as_array().expect("elements").iter();
    let pair = |element: &Value| (element["id"].as_u64().expect("a number"), text(&element["name"]));
    elements.map(pair).collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("text").to_owned()
}

fn set(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn sets(texts: &[&str]) -> Sets {
    texts.iter().map(|text| set(text)).collect()
}

/// What a document says about the cores of a property, or of all together.
struct Entry {
    row: Value,
    names: HashMap<u64, String>,
}

impl Entry {
    /// The elements of a list of numbers; an empty one is left out.
    fn names(&self, what: &str) -> BTreeSet<String> {
        self.named(&self.row[what])
    }

    fn named(&self, ids: &Value) -> BTreeSet<String> {
        let ids = ids.as_array().map(Vec::as_slice).unwrap_or_default().iter();
        ids.map(|id| self.names[&id.as_u64().expect("a number")].clone()).collect()
    }

    fn cores(&self) -> Sets {
        let cores = self.row["cores"].as_array().map(Vec::as_slice).unwrap_or_default();
        cores.iter().map(|core| self.named(&core["elements"])).collect()
    }

    fn count(&self) -> usize {
        self.row["cores"].as_array().map_or(0, Vec::len)
    }
}

impl std::ops::Index<&str> for Entry {
    type Output = Value;

    fn index(&self, what: &str) -> &Value {
        &self.row[what]
    }
}

/// What the document says about the cores of a property, or of all together.
fn entry(document: &Value, property: Option<&str>) -> Entry {
    let entries = document["cores"].as_array().expect("cores");
    let found = entries.iter().find(|entry| entry["property"].as_str() == property);
    let row = found.unwrap_or_else(|| panic!("no cores of {property:?} in {document:#}")).clone();
    Entry { row, names: element_names(document) }
}

fn document(arguments: &[&str]) -> Value {
    let run = run(&[arguments, &["--format", "json"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments:?}");
    let document = run.document();
    assert_eq!(document["schema"], "propcov/2");
    document
}

/// A count of a share, which is text.
fn number(value: &Value) -> u64 {
    value.as_str().and_then(|text| text.parse().ok()).expect("a count")
}

/// How much each scope covers, in the order of the document.
fn covered(document: &Value) -> Vec<(String, u64)> {
    let scope = |value: &Value| match value.as_str() {
        Some(scope) => scope.to_owned(),
        None => text(&value["property"]),
    };
    let shares = document["shares"].as_array().expect("shares").iter();
    shares.map(|share| (scope(&share["scope"]), number(&share["covered"]))).collect()
}

#[test]
fn the_altitude_switch_has_the_two_cores_of_the_thesis() {
    // Figure 4.10.
    let document = document(&["cores", "examples/asw.lus"]);
    let p = entry(&document, Some("p"));
    assert_eq!(p.cores(), sets(&["a1_below below doi_on p", "a2_below below doi_on p"]));
    assert_eq!((&p["complete"], &p["stopped"]), (&json!(true), &json!(false)));
    assert!((0..2).all(|at| p["cores"][at]["minimal"] == "minimal"), "{}", p.row);
    assert_eq!(p.names("must"), set("below doi_on p"));
    assert_eq!(p.names("may"), set("a1_below a2_below below doi_on p"));
    assert!(p.cores().contains(&p.names("minimum")), "{}", p.row);
    assert_eq!((&p["at_least"], &p["undecided"]), (&json!(4), &Value::Null));
}

#[test]
fn the_first_property_set_rests_on_three_equations() {
    // Figure 6.3: computed variables in antecedents.
    let document = document(&["cores", "examples/asw_1.lus"]);
    for (property, core) in [
        (Some("on_p"), "below doi_on"),
        (Some("off_p"), "d1 doi_on"),
        (Some("all_p"), "below d1 doi_on"),
        (None, "below d1 doi_on"),
    ] {
        assert_eq!(entry(&document, property).cores(), sets(&[core]), "{property:?}");
    }
}

#[test]
fn the_second_property_set_has_two_cores() {
    let document = document(&["cores", "examples/asw_2.lus"]);
    let all = entry(&document, Some("all_p"));
    assert_eq!(all.cores(), sets(&["a1_below below d1 doi_on", "a2_below below d1 doi_on"]));
    assert_eq!(all.names("must"), set("below d1 doi_on"));
    assert_eq!(entry(&document, None).cores(), all.cores(), "the conjunction is the same property");
}

#[test]
fn the_last_property_set_needs_every_equation() {
    // Figure 6.4, and what the text says about the set before it.
    let everything = "a1_above a1_below a2_above a2_below above_hyst below d1 d2 doi_on";
    let third = document(&["cores", "examples/asw_3.lus", "-p", "all_p"]);
    let without_d2 = everything.replace(" d2", "");
    assert_eq!(entry(&third, Some("all_p")).cores(), sets(&[&without_d2]));
    let last = document(&["cores", "examples/asw_4.lus"]);
    for (property, core) in [("off_p", without_d2.as_str()), ("hyst_p", everything), ("all_p", everything)] {
        assert_eq!(entry(&last, Some(property)).cores(), sets(&[core]), "{property}");
    }
}

#[test]
fn each_goal_answers_what_was_asked() {
    let of = |goal: &str| {
        let document = document(&["cores", "examples/asw.lus", goal]);
        let entry = entry(&document, Some("p"));
        assert_eq!((&entry["goal"], &entry["answered"]), (&json!(goal.trim_matches('-')), &json!(true)));
        entry
    };
    let minimal = sets(&["a1_below below doi_on p", "a2_below below doi_on p"]);
    let one = of("--one").cores();
    assert!(one.iter().any(|core| minimal.iter().any(|minimal| minimal.is_subset(core))), "{one:?}");
    let found = of("--minimal").cores();
    assert!(found.len() == 1 && found.is_subset(&minimal), "{found:?}");
    assert!(minimal.contains(&of("--minimum").names("minimum")));
    assert_eq!(of("--must").names("must"), set("below doi_on p"));
    assert_eq!(of("--may").names("may"), set("a1_below a2_below below doi_on p"));
}

#[test]
fn every_algorithm_finds_what_it_is_for() {
    let minimal = sets(&["a1_below below doi_on p", "a2_below below doi_on p"]);
    for algorithm in ["uc", "bf", "ucbf", "must", "marco", "online-marco", "grow-shrink"] {
        let document = document(&["cores", "examples/asw.lus", "--algorithm", algorithm]);
        let entry = entry(&document, Some("p"));
        assert_eq!((&entry["algorithm"], &entry["answered"]), (&json!(algorithm), &json!(true)));
        match algorithm {
            "uc" => assert_eq!(entry.count(), 1),
            "bf" | "ucbf" => assert!(entry.cores().is_subset(&minimal)),
            "must" => assert_eq!(entry.names("must"), set("below doi_on p")),
            _ => assert_eq!(entry.cores(), minimal, "{algorithm}"),
        }
    }
}

#[test]
fn bounded_cores_are_listed_by_depth() {
    let document = document(&["cores", "examples/two_counters.lus", "--algorithm", "bvc", "--depth", "6"]);
    let entry = entry(&document, Some("OK"));
    let depths: Vec<u64> =
        entry["by_depth"].as_array().expect("depths").iter().filter_map(|at| at["depth"].as_u64()).collect();
    assert_eq!(depths, [0, 1, 2, 3, 4, 5, 6]);
    for at in entry["by_depth"].as_array().expect("depths") {
        assert!(entry.named(&at["up_to"]).contains("OK") && entry.named(&at["at"]).contains("OK"), "{at}");
    }
    assert_eq!(document["properties"][0]["verdict"], "bounded", "bounded is not proved");
}

#[test]
fn elements_and_assumptions_choose_what_is_in_question() {
    let elements = |arguments: &[&str]| {
        let document = document(&[&["cores", "examples/asw_1.lus", "-p", "all_p"], arguments].concat());
        document["elements"].as_array().expect("elements").len()
    };
    assert_eq!(elements(&[]), 9, "those of --%IVC");
    assert_eq!(elements(&["--elements", "annotated"]), 9);
    assert_eq!(elements(&["--elements", "all"]), 12);
    assert!(elements(&["--granularity", "operator"]) > 20);
    let run = run(&["cores", "examples/counter.btor2", "--elements", "annotated"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.starts_with("error: examples/counter.btor2: "), "{}", run.stderr);
    let with = document(&["cores", "examples/counter.btor2", "--assumptions", "--one"]);
    let without = document(&["cores", "examples/counter.btor2", "--one"]);
    let count = |document: &Value| document["elements"].as_array().map(Vec::len);
    assert_eq!(count(&with), count(&without).map(|count| count + 1));
}

#[test]
fn hardware_has_cores_as_well() {
    let aiger = document(&["cores", "examples/arbiter.aag"]);
    let grant = entry(&aiger, Some("one_grant_at_a_time"));
    let rest = "grant0 grant1 and8 and9 and10 and11 and12";
    let either = [format!("grant0.init {rest}"), format!("grant1.init {rest}")];
    assert_eq!(grant.cores(), either.iter().map(|core| set(core)).collect());
    assert_eq!(entry(&aiger, None)["complete"], json!(true));
    let btor2 = document(&["cores", "examples/counter.btor2"]);
    let credits = entry(&btor2, Some("credits_at_most_eight"));
    assert_eq!(credits.count(), 1);
    assert!(!credits.names("may").contains("n29") && credits.names("must").contains("credits"));
}

#[test]
fn text_has_numbered_cores_then_what_follows_from_them() {
    for name in ["asw", "asw_1", "asw_2", "two_counters"] {
        let path = format!("examples/{name}.lus");
        let run = run(&["cores", &path, "--algorithm", "online-marco"]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
        insta::with_settings!({ snapshot_suffix => name, prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!("cores", stable_text(&run.stdout));
        });
    }
}

#[test]
fn statistics_are_there_when_asked_for() {
    let run = run(&["cores", "examples/asw.lus", "--stats"]);
    for row in ["proof seconds", "cores seconds", "certify seconds", "solver calls, "] {
        assert!(run.stdout.contains(row), "{row} is missing in {}", run.stdout);
    }
}

#[test]
fn a_property_that_fails_has_no_cores() {
    let run = run(&["cores", "examples/broken_counter.btor2"]);
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    assert!(
        run.stdout.contains("below_ten: it FAILS: there is no proof to have a core.\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("below_ten fails in step 10:\n"), "{}", run.stdout);
    let document =
        crate::common::run(&["cores", "examples/broken_counter.btor2", "--format", "json"]).document();
    let entry = entry(&document, Some("below_ten"));
    assert_eq!((entry.count(), &entry["complete"]), (0, &json!(false)));
    assert_eq!(document["properties"][0]["verdict"], "falsified");
}

/// A property each that rests on an equation, fails, rests on a constant, and on nothing.
const LITTLE: &str = "\
node main(x: int) returns (p, q, r, s: bool);
var y, limit, low: int;
let
  limit = 10;
  low = 3;
  y = if x > limit then limit else x;
  p = y <= limit;
  q = y < 5;
  r = (x > 3) or limit > 5;
  s = x + 0 = x;
  --%PROPERTY p;
  --%PROPERTY q;
  --%PROPERTY r;
  --%PROPERTY s;
tel;
";

#[test]
fn properties_that_rest_on_little_are_worth_a_look() {
    let run = Workspace::new("little.lus", LITTLE).run("cores", &[]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let (_, remarks) = run.stdout.split_once("Worth a look:\n").expect("remarks");
    let words: Vec<&str> = remarks.split_whitespace().collect();
    let text = words.join(" ");
    for remark in [
        "p can be proved from its own equation and y alone: look whether it says as much as it should.",
        "r can be proved from its own equation and the constant limit alone: it holds whatever",
        "s needs no element in question besides its own equation: look whether it is a tautology",
    ] {
        assert!(text.contains(remark), "{remark} is missing in {text}");
    }
    assert!(run.stdout.contains("Needed by no property that holds (1): low\n"), "{}", run.stdout);
}

#[test]
fn a_violation_is_in_the_xml_with_its_values() {
    let run = Workspace::new("little.lus", LITTLE).run("cores", &["-p", "q", "--format", "jkind-xml"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    for part in [
        "<Answer source=\"bmc\">falsifiable</Answer>",
        "<Signal name=\"x\" type=\"int\">",
        "<Signal name=\"q\" type=\"bool\">\n        <Value time=\"0\">0</Value>",
    ] {
        assert!(run.stdout.contains(part), "{part} is missing in {}", run.stdout);
    }
}

#[test]
fn a_run_that_may_not_go_on_for_ever_is_no_failure() {
    let design = "MODULE main\nVAR x : boolean;\nASSIGN init(x) := FALSE;\nFAIRNESS !x\nSPEC AG !x\n";
    let workspace = Workspace::new("fair.smv", design);
    let run = workspace.run("cores", &["--quiet"]);
    assert_eq!(run.code, 4, "{}", run.stdout);
    assert!(
        run.stdout.contains("a run violates it: there is no proof of an invariant to have a core.\n"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("FAILS"), "{}", run.stdout);
    let csv = workspace.run("cores", &["--quiet", "--format", "csv"]);
    assert!(csv.stdout.contains(",unknown,0,no,"), "{}", csv.stdout);
}

#[test]
fn elements_that_are_not_must_are_not_undecided() {
    let run = run(&["cores", "examples/asw.lus", "--must"]);
    assert!(!run.stdout.contains("UNDECIDED") && !run.stdout.contains("UNKNOWN"), "{}", run.stdout);
    assert!(run.stdout.contains("MUST, in every core (3): doi_on, below, p\n"), "{}", run.stdout);
    let xml = crate::common::run(&["cores", "examples/asw.lus", "--must", "--format", "jkind-xml"]);
    assert!(!xml.stdout.contains("Undecided"), "{}", xml.stdout);
}

#[test]
fn a_design_without_properties_says_so() {
    let design = "node main(x: int) returns (y: int);\nlet\n  y = x + 1;\ntel;\n";
    let run = Workspace::new("none.lus", design).run("cores", &[]);
    assert_eq!(run.code, 4);
    assert!(run.stdout.contains("WARNING: there is no property: nothing was proved.\n"), "{}", run.stdout);
    assert!(!run.stdout.contains("Asked for"), "{}", run.stdout);
}

#[test]
fn depths_with_the_same_core_are_one_line() {
    let run = run(&["cores", "examples/two_counters.lus", "--algorithm", "bvc", "--depth", "4"]);
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains("OK up to depth 4: 1 minimal core, for each depth"), "{}", run.stdout);
    assert!(run.stdout.contains("  each depth from "), "{}", run.stdout);
    assert!(
        run.stdout.contains("1 property: 1 holds up to depth 4; a minimal core for each depth found"),
        "{}",
        run.stdout
    );
}

#[test]
fn operator_granularity_is_refused_or_explained_where_it_does_nothing() {
    let smv = run(&["cores", "examples/lift.smv", "--granularity", "operator"]);
    assert_eq!((smv.code, smv.stdout.as_str()), (1, ""));
    assert!(
        smv.stderr.contains("operator granularity is available for AIGER, BTOR2, Lustre"),
        "{}",
        smv.stderr
    );
    let aiger = run(&["cores", "examples/arbiter.aag", "--one", "--granularity", "operator"]);
    assert_eq!(aiger.code, 0);
    assert_eq!(
        aiger.stderr,
        "note: each node is an element already: --granularity operator changes nothing here\n"
    );
}

#[test]
fn operators_are_named_by_place_and_separated_by_commas() {
    let run = run(&["cores", "examples/asw.lus", "--granularity", "operator", "--must"]);
    assert_eq!(run.code, 0);
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("doi_on@22:12 if, doi_on@22:15 below, "), "{}", run.stdout);
    let document = document(&["cores", "examples/asw.lus", "--granularity", "operator", "--one"]);
    let elements = document["elements"].as_array().expect("elements").iter();
    let not = elements.filter(|element| element["name"] == "doi_on@22:25 not").collect::<Vec<_>>();
    assert_eq!(not.len(), 1);
    let place = &not[0]["places"][0];
    assert_eq!(
        (&place["line"], &place["column"], &place["end_column"]),
        (&json!(22), &json!(25), &json!(27))
    );
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_said_once_and_costs_no_matrix() {
    let workspace = Workspace::example("asw_2.lus");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
    let output =
        workspace.command("cores", &["--matrix", "matrix.csv"]).stdout(full).output().expect("starts");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert_eq!(stderr.matches("cannot write to standard output").count(), 1, "{stderr}");
    let matrix = std::fs::read_to_string(workspace.path().join("matrix.csv")).expect("written");
    assert!(matrix.contains("all_p,proved,2,yes,must,may,may,"), "{matrix}");
}

#[test]
fn cores_under_conflicting_assumptions_come_with_a_warning() {
    let run = run(&["cores", "examples/conflict.btor2"]);
    assert_eq!(run.code, 4);
    assert!(run.stdout.contains("WARNING: the assumptions conflict"), "{}", run.stdout);
    assert!(run.stdout.contains("proved (vacuous)"), "{}", run.stdout);
}

#[test]
fn properties_that_are_no_invariants_are_left_out() {
    let run = run(&["cores", "examples/mutex.smv", "--one"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stderr.contains(" not invariants, skipped: ") && run.stderr.contains("everybody_gets_in"),
        "{}",
        run.stderr
    );
    let only = crate::common::run(&["cores", "examples/mutex.smv", "-p", "both_can_wait"]);
    assert_eq!((only.code, only.stdout.as_str()), (1, ""));
    assert!(
        only.stderr.starts_with("error: only invariants have cores, and there is none among both_can_wait"),
        "{}",
        only.stderr
    );
}

#[test]
fn a_ctl_property_that_is_an_invariant_has_cores() {
    // Fairness and constraints: runs of slices may not go on for ever, and violate p all the same.
    let run = run(&["cores", "examples/mutex.smv", "--format", "json"]);
    let document = run.document();
    assert_eq!((run.code, &document["properties"][0]["kind"]), (0, &json!("ctl")), "{}", run.stderr);
    let entries = document["cores"].as_array().expect("cores");
    assert!(entries.iter().all(|entry| entry["complete"] == true), "{document:#}");
}

#[test]
fn when_the_time_is_up_what_was_found_is_reported_as_incomplete() {
    let workspace = Workspace::new("hard.btor2", HARD_MUTANTS);
    let run = workspace.run("cores", &["--timeout", "4", "--check-timeout", "1h"]);
    assert_eq!(run.code, 4, "{}", run.stdout);
    assert!(run.stdout.contains("  core 1 (3 elements, "), "{}", run.stdout);
    assert!(run.stdout.contains("core, INCOMPLETE: out of time"), "{}", run.stdout);
    assert!(run.stdout.contains("1 property: 1 proved; cores INCOMPLETE for 1"), "{}", run.stdout);
    let run = workspace.run("cores", &["--timeout", "4", "--check-timeout", "1h", "--format", "json"]);
    let document = run.document();
    let entry = entry(&document, Some("never_both"));
    assert_eq!((run.code, &entry["complete"], &entry["answered"]), (4, &json!(false), &json!(false)));
    assert_eq!(entry["stopped"], json!(true), "{}", entry.row);
    assert_eq!(entry.cores(), sets(&["locked locked.init n21"]));
}

#[test]
fn a_check_without_answer_makes_an_element_neither_necessary_nor_unnecessary() {
    let workspace = Workspace::new("hard.btor2", HARD_MUTANTS);
    let run = workspace
        .run("cores", &["--must", "--check-timeout", "300ms", "--timeout", "60", "--format", "json"]);
    let document = run.document();
    let entry = entry(&document, Some("never_both"));
    assert_eq!((run.code, &entry["answered"]), (4, &json!(false)), "{}", entry.row);
    // On a busy machine even n21 may be too much to ask.
    let (must, unknown) = (entry.names("must"), entry.names("must_unknown"));
    assert!(must.is_subset(&set("n21")) && unknown.is_superset(&set("locked locked.init")), "{}", entry.row);
    assert_eq!(&must | &unknown, set("locked locked.init n21"));
    assert!(entry["undecided"].is_object());
}

#[test]
fn the_matrix_is_written_as_its_extension_says() {
    let workspace = Workspace::example("asw_2.lus");
    for extension in ["csv", "json", "txt", "xlsx"] {
        let file = format!("matrix.{extension}");
        let run = workspace.run("cores", &["--matrix", &file, "--quiet", "--no-out"]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{extension}");
        let bytes = std::fs::read(workspace.path().join(&file)).expect("written");
        let text = String::from_utf8_lossy(&bytes);
        match extension {
            "csv" => assert!(text.contains("all_p,proved,2,yes,must,may,may,"), "{text}"),
            "json" => {
                let matrix: Value = serde_json::from_str(&text).expect("JSON");
                let row = &matrix["properties"][2];
                assert_eq!((&row["property"], &row["marks"][1]), (&json!("all_p"), &json!("may")));
                let argument = &row["argument"];
                assert_eq!(argument["robustness"], "single-points", "{argument}");
                assert_eq!(argument["alternatives"].as_array().map(Vec::len), Some(2), "{argument}");
            }
            "txt" => assert!(text.contains("\na1_below     o      .      o         o\n"), "{text}"),
            _ => assert!(bytes.starts_with(b"PK"), "a zip archive"),
        }
    }
    let left: Vec<_> = std::fs::read_dir(workspace.path()).expect("readable").flatten().collect();
    assert_eq!(left.len(), 5, "the design and four matrices: {left:?}");
}

#[test]
fn the_extension_of_a_matrix_is_looked_at_first() {
    let unknown = run(&["cores", "examples/asw.lus", "--matrix", "matrix.pdf"]);
    assert_eq!((unknown.code, unknown.stdout.as_str()), (1, ""));
    assert!(unknown.stderr.contains(".csv, .xlsx, .json, .txt"), "{}", unknown.stderr);
}

#[test]
fn csv_goes_to_standard_output_alone() {
    let run = run(&["cores", "examples/asw_1.lus", "--format", "csv"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.starts_with("property,verdict,cores,complete,doi_on,a1_below,"), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 5, "{}", run.stdout);
}

#[test]
fn jkind_xml_has_the_elements_of_the_thesis() {
    let xml = |arguments: &[&str]| {
        let run = run(&[&["cores", "examples/asw.lus", "--format", "jkind-xml"], arguments].concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments:?}");
        assert!(run.stdout.starts_with("<?xml version=\"1.0\"?>\n<R"), "{}", run.stdout);
        run.stdout
    };
    let all = xml(&[]);
    for part in [
        "<NumberOfIVCs>2</NumberOfIVCs>",
        "<MustElem>below</MustElem>",
        "<IvcSet number=\"2\">",
        "<Ivc>p</Ivc>",
    ] {
        assert!(all.contains(part), "{part} is missing in {all}");
    }
    assert!(xml(&["--one"]).contains("<IVC>below</IVC>"));
    assert!(xml(&["--must"]).contains("<Must>doi_on</Must>"));
    assert!(xml(&["--minimal"]).contains("<MinimalIvc property=\"[p]\">"));
    assert!(xml(&["--algorithm", "bvc", "--depth", "2"]).contains("<Depth>2</Depth>"));
}

#[test]
fn wrong_arguments_are_errors_that_say_what_to_do() {
    let error = |arguments: &[&str]| {
        let Run { code, stdout, stderr } = run(&[&["cores", "examples/asw.lus"], arguments].concat());
        assert_eq!((code, stdout.as_str()), (1, ""), "{arguments:?}");
        stderr
    };
    assert!(error(&["--one", "--may"]).contains("cannot be used with"));
    assert!(error(&["--algorithm", "magic"]).contains("grow-shrink"));
    assert!(
        error(&["--algorithm", "uc", "--all"])
            .contains("for --all choose marco, online-marco or grow-shrink")
    );
    assert!(error(&["--algorithm", "bvc"]).contains("--depth 10"));
    assert!(error(&["-p", "q"]).contains("no property is called `q`"));
    assert!(error(&["--format", "xml"]).contains("jkind-xml"));
    let missing = run(&["cores", "no-such-file.lus"]);
    assert_eq!(missing.code, 1);
}

#[test]
fn metrics_of_the_second_property_set() {
    let summary = |metric: &str| covered(&document(&["cover", "examples/asw_2.lus", "--metric", metric]));
    let row = |scope: &str, count: u64| (scope.to_owned(), count);
    assert_eq!(
        summary("must"),
        [row("all", 3), row("conjunction", 3), row("on_p", 2), row("off_p", 2), row("all_p", 3)]
    );
    assert_eq!(
        summary("may"),
        [row("all", 5), row("conjunction", 5), row("on_p", 4), row("off_p", 2), row("all_p", 5)]
    );
    assert_eq!(summary("model"), [row("all", 5)]);
    let core = summary("core");
    assert_eq!(&core[1..], [row("conjunction", 4), row("on_p", 3), row("off_p", 2), row("all_p", 4)]);
    assert!((4..=5).contains(&core[0].1), "cores of two properties may differ: {core:?}");
}

#[test]
fn findings_say_what_is_covered_and_by_what() {
    let document = document(&["cover", "examples/asw.lus", "--metric", "must"]);
    let names = element_names(&document);
    let found: Vec<(&str, &str, &str)> = document["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .map(|finding| {
            assert_eq!((&finding["metric"], &finding["property"]), (&json!("must"), &json!("p")));
            let id = finding["subject"]["element"].as_u64().expect("a number");
            let word = |what: &str| finding[what].as_str().expect("a word");
            (names[&id].as_str(), word("edit"), word("verdict"))
        })
        .collect();
    assert_eq!(found.len(), 10);
    assert!(found.contains(&("below", "dropped", "covered")), "{found:?}");
    assert!(found.contains(&("a1_below", "dropped", "uncovered")), "{found:?}");
    let by = |verdict: &str| {
        let findings = document["findings"].as_array().expect("findings").iter();
        findings
            .filter(|finding| finding["verdict"] == verdict)
            .map(|finding| finding["by"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(by("covered"), vec![json!("run without it"); 3]);
    assert_eq!(by("uncovered"), vec![json!("core without it"); 7]);
}

#[test]
fn coverage_below_the_threshold_has_its_own_exit_code() {
    let at =
        |threshold: &str| run(&["cover", "examples/asw_2.lus", "--metric", "may", "--threshold", threshold]);
    assert_eq!(at("55%").code, 0);
    let below = at("60%");
    assert_eq!(below.code, 3);
    assert!(below.stdout.contains("coverage: 55.56 %, below 60 %"), "{}", below.stdout);
}

#[test]
fn text_of_coverage_lists_what_is_not_covered_with_its_place() {
    for (name, arguments) in [
        ("must", &["examples/asw_2.lus", "--metric", "must"][..]),
        ("model", &["examples/asw_2.lus", "--metric", "model"]),
        (
            "operator",
            &["examples/asw_4.lus", "-p", "hyst_p", "--metric", "must", "--granularity", "operator"],
        ),
    ] {
        let run = run(&[&["cover"], arguments].concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
        insta::with_settings!({ snapshot_suffix => name, prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!("cover_cores", stable_text(&run.stdout));
        });
    }
}

#[test]
fn unknown_elements_make_coverage_an_interval() {
    let workspace = Workspace::new("hard.btor2", HARD_MUTANTS);
    let options = ["--metric", "must", "--check-timeout", "300ms", "--timeout", "60"];
    let run = workspace.run("cover", &[&options[..], &["--format", "json"]].concat());
    let document = run.document();
    let summary = document["shares"][0].clone();
    // What reaches nothing but the property is apart.
    let shares = document["shares"].as_array().expect("shares").iter();
    let headlines: Vec<&Value> =
        shares.filter(|share| share["scope"] == "all" || share["scope"] == "checker").collect();
    let count = |what: &str| headlines.iter().map(|share| number(&share[what])).sum::<u64>();
    assert_eq!((run.code, count("covered") + count("unknown")), (4, 3), "{summary}");
    assert!(count("unknown") >= 2, "{summary}");
    assert!(summary["percent"][0].as_f64() < summary["percent"][1].as_f64(), "{summary}");
}

#[test]
fn options_of_other_metrics_are_noted_and_elements_are_named() {
    let idle = run(&["cover", "examples/asw.lus", "--metric", "may", "--bits", "--flip", "any"]);
    assert_eq!((idle.code, idle.stderr.as_str()), (0, "note: --flip does nothing with --metric may\n"));
    let other =
        run(&["cover", "examples/counter.btor2", "-m", "mutation", "--no-out", "--granularity", "operator"]);
    assert_eq!(other.stderr, "note: --granularity does nothing with --metric mutation\n");
    let named = document(&["cover", "examples/asw.lus", "--metric", "may", "--elements", "*below"]);
    let names: Vec<&Value> =
        named["elements"].as_array().expect("elements").iter().map(|element| &element["name"]).collect();
    assert_eq!(names, ["a1_below", "a2_below", "below"]);
}

#[test]
fn checker_logic_is_counted_apart() {
    let document = document(&["cover", "examples/asw.lus", "--metric", "may"]);
    assert_eq!(
        covered(&document),
        [("all", 4), ("p", 4), ("checker", 1)].map(|(scope, count)| (scope.to_owned(), count))
    );
    assert_eq!(number(&document["shares"][0]["total"]), 9, "the equation of p is no part of the design");
}
