//! What `propcov cores` says, and does not say: no more than was asked, and no more than is known.

use crate::common::{HARD_MUTANTS, Workspace, run};
use serde_json::Value;

/// Engines prove it, but not in a way that can be checked.
const SQUARE: &str = "node n(x: int) returns (ok: bool);
var b: int;
let
  b = x * x;
  ok = b >= 0;
  --%PROPERTY ok;
tel;
";

/// A linear proof, and one that needs the square.
const EITHER: &str = "node n(x: int) returns (ok: bool);
var a, b: int;
let
  a = if x > 0 then x else 0;
  b = x * x;
  ok = a >= 0 or b >= 0;
  --%PROPERTY ok;
tel;
";

/// A linear proof. There is no violation without it, either, but solvers find something that looks like one.
const IRRATIONAL: &str = "node n(x, y: int) returns (ok: bool);
var a, b: int;
let
  a = if x > 0 then x else 0;
  b = x * x - 2 * y * y;
  ok = a >= 0 or x = 0 or b <> 0;
  --%PROPERTY ok;
tel;
";

#[test]
fn a_proof_beyond_linear_arithmetic_is_unknown_as_in_check() {
    let workspace = Workspace::new("square.lus", SQUARE);
    let why = "the answer depends on a product of two variables or a quotient by one, which is beyond linear arithmetic";
    for command in ["check", "cores"] {
        let run = workspace.run(command, &[]);
        assert_eq!((run.code, run.stderr.as_str()), (4, ""), "{command}");
        let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("unknown") && words.contains(why), "{}", run.stdout);
    }
}

#[test]
fn slices_beyond_linear_arithmetic_are_undecided() {
    for (model, why) in [
        (EITHER, "not supported: certifying products or quotients of variables"),
        (IRRATIONAL, "which is beyond linear arithmetic"),
    ] {
        let run = Workspace::new("products.lus", model).run("cores", &[]);
        assert_eq!((run.code, run.stderr.as_str()), (4, ""), "{}", run.stdout);
        for part in [
            "  core 1 (2 elements, minimal): ok, a\n",
            "  MUST, in every core (1): ok\n    UNKNOWN whether also (1): a\n",
            "  MAY, in some minimal core (2): ok, a\n    UNKNOWN whether also (1): b\n",
        ] {
            assert!(run.stdout.contains(part), "{part} is missing in {}", run.stdout);
        }
        let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("ok: 1 minimal core, INCOMPLETE: 1 check undecided ("), "{}", run.stdout);
        assert!(words.contains(why), "{}", run.stdout);
    }
}

#[test]
fn nobody_is_told_of_a_smallest_core_that_was_not_asked_for() {
    for goal in ["--must", "--may", "--one", "--minimal"] {
        let run = run(&["cores", "examples/asw.lus", goal]);
        assert!(run.code == 0 && !run.stdout.contains("Smallest core: not known"), "{}", run.stdout);
    }
    let workspace = Workspace::new("products.lus", IRRATIONAL);
    let run = workspace.run("cores", &["--minimum"]);
    assert!(
        run.stdout.contains("  Smallest core: not known; every core has at least 1 element\n"),
        "{}",
        run.stdout
    );
    assert!(!workspace.run("cores", &["--must"]).stdout.contains("Smallest core:"));
}

#[test]
fn cores_that_nobody_looked_for_are_not_counted() {
    let run = run(&["cores", "examples/counter.btor2", "--must"]);
    assert_eq!(run.code, 0);
    assert!(!run.stdout.contains("0 minimal cores"), "{}", run.stdout);
    let together = "\nall together: MUST elements are known\n  MUST, in every core (18): ";
    assert!(run.stdout.contains(together), "{}", run.stdout);
}

#[test]
fn what_one_of_several_properties_does_not_need_others_may() {
    let of = |properties: &[&str]| run(&[&["cores", "examples/asw_3.lus"], properties].concat()).stdout;
    let one = of(&["-p", "on_p"]);
    assert!(one.contains("\nNot needed by on_p (5): a1_above, a2_above, above_hyst, d1, d2\n"), "{one}");
    let two = of(&["-p", "on_p", "-p", "off_p"]);
    assert!(two.contains("\nNeeded by none of these properties ("), "{two}");
    assert!(of(&[]).contains("\nNeeded by no property ("));
}

#[test]
fn each_core_in_the_xml_has_the_invariants_of_its_proof() {
    // Figure 4.13.
    let all = run(&["cores", "examples/asw.lus", "--format", "jkind-xml"]);
    let set = |number: u32| {
        format!("<IvcSet number=\"{number}\">\n      <Invariant>p</Invariant>\n      <Ivc>doi_on</Ivc>")
    };
    assert!(all.stdout.contains(&set(1)) && all.stdout.contains(&set(2)), "{}", all.stdout);
    let lemma = run(&["cores", "examples/tank.lus", "--one", "--format", "jkind-xml"]);
    assert_eq!(lemma.code, 0, "{}", lemma.stderr);
    let sets = lemma.stdout.matches("<Property ").count();
    assert!(lemma.stdout.matches("<Invariant>").count() >= sets && sets > 1, "{}", lemma.stdout);
    // Bounded is not proved.
    let bounded = run(&["cores", "examples/asw.lus", "--depth", "3", "--format", "jkind-xml"]);
    assert!(bounded.code == 0 && !bounded.stdout.contains("<Invariant>"), "{}", bounded.stdout);
}

#[test]
fn what_is_sure_of_one_property_is_sure_of_all_together_when_the_time_is_up() {
    let model = HARD_MUTANTS.replace("22 bad ", "22 bad 6 never_locked\n23 bad ");
    let workspace = Workspace::new("hard.btor2", &model);
    let run = workspace.run("cores", &["--timeout", "3", "--check-timeout", "1h", "--format", "json"]);
    assert_eq!(run.code, 4, "{}", run.stderr);
    let document = run.document();
    let must = |property: Option<&str>| {
        let mut entries = document["cores"].as_array().expect("cores").iter();
        let entry = entries.find(|entry| entry["property"].as_str() == property).expect("an entry");
        entry["must"].as_array().expect("MUST").clone()
    };
    let sure = must(Some("never_locked"));
    let elements = document["elements"].as_array().expect("elements");
    let name =
        |id: &Value| &elements.iter().find(|element| element["id"] == *id).expect("an element")["name"];
    assert_eq!(sure.iter().map(name).collect::<Vec<_>>(), ["locked.init", "locked"]);
    assert!(sure.iter().all(|element| must(None).contains(element)), "{:?}", must(None));
}

/// The mark of each property for an element, in CSV.
fn marks(csv: &str, element: &str) -> Vec<String> {
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heading = lines.next().expect("a heading");
    let column = heading.iter().position(|name| *name == element).expect("a column");
    lines.map(|fields| fields[column].to_owned()).collect()
}

#[test]
fn what_is_outside_the_cores_that_were_found_may_be_needed() {
    // on_p needs a1_below or a2_below, and one core has one of them.
    for goal in ["--one", "--minimal", "--minimum", "--must"] {
        let text = run(&["cores", "examples/asw_2.lus", goal]).stdout;
        assert!(!text.contains("Needed by no property ("), "{goal}: {text}");
        assert!(text.contains("? = not known"), "{goal}: {text}");
        let csv = run(&["cores", "examples/asw_2.lus", goal, "--format", "csv"]).stdout;
        for element in ["a1_below", "a2_below"] {
            assert_ne!(marks(&csv, element)[0], "", "{goal}: {csv}");
        }
    }
    let text = run(&["cores", "examples/asw_2.lus", "--one"]).stdout;
    assert!(text.contains("\nIn no core that was found, perhaps needed ("), "{text}");
    let all = run(&["cores", "examples/asw_2.lus"]).stdout;
    assert!(all.contains("\nNeeded by no property (4): ") && !all.contains("In no core that"), "{all}");
}

#[test]
fn must_elements_of_all_together_do_not_contradict_those_of_each() {
    let csv = run(&["cores", "examples/asw_1.lus", "--must", "--format", "csv"]).stdout;
    // Each property has one core, so all is known of each.
    assert_eq!(marks(&csv, "d1"), ["", "must", "must", "must"], "{csv}");
    assert_eq!(marks(&csv, "d2"), ["", "", "", ""], "{csv}");
    let text = run(&["cores", "examples/asw_1.lus", "--must"]).stdout;
    assert!(text.contains("Needed by no property (6): ") && !text.contains('?'), "{text}");
    // One of two cores: what is open for a property is open for all together.
    let csv = run(&["cores", "examples/asw_2.lus", "--must", "--format", "csv"]).stdout;
    assert_eq!(marks(&csv, "a1_above"), ["unknown", "", "unknown", "unknown"], "{csv}");
}

#[test]
fn undecided_elements_are_in_the_xml_of_all_cores_as_well() {
    for goal in ["--all", "--may"] {
        let arguments = ["cores", "examples/tank.lus", "-p", "fits", goal, "--check-timeout", "0"];
        let xml = run(&[&arguments[..], &["--format", "jkind-xml"]].concat());
        assert_eq!(xml.code, 4, "{}", xml.stderr);
        assert!(xml.stdout.contains("      <Undecided>"), "{goal}: {}", xml.stdout);
    }
    let decided = run(&["cores", "examples/asw_2.lus", "--format", "jkind-xml"]);
    assert!(decided.code == 0 && !decided.stdout.contains("Undecided"), "{}", decided.stdout);
}

#[test]
fn the_last_line_counts_what_failed_and_what_is_unknown() {
    let model = "node n(x: int) returns (p, q, r: bool);\nvar a, b: int;\nlet\n  a = if x > 0 then x else 0;\n  \
                 b = x * x;\n  p = a >= 0;\n  q = a > 0;\n  r = b >= 0;\n  --%PROPERTY p;\n  --%PROPERTY q;\n  \
                 --%PROPERTY r;\ntel;\n";
    let workspace = Workspace::new("three.lus", model);
    let run = workspace.run("cores", &[]);
    let line = "\n3 properties: 1 proved, 1 failed, 1 unknown; all minimal cores found (";
    assert!(run.stdout.contains(line), "{}", run.stdout);
    let run = workspace.run("cores", &["-p", "p", "-p", "q"]);
    assert!(
        run.stdout.contains("\n2 properties: 1 proved, 1 failed; all minimal cores found ("),
        "{}",
        run.stdout
    );
}

#[test]
fn vacuous_proofs_are_called_so_everywhere() {
    let text = run(&["cores", "examples/conflict.btor2"]).stdout;
    assert!(text.contains(" vacuous); all minimal cores found"), "{text}");
    for goal in ["--all", "--one", "--must"] {
        let xml = run(&["cores", "examples/conflict.btor2", goal, "--format", "jkind-xml"]).stdout;
        assert!(xml.contains("<Vacuous>yes</Vacuous>"), "{goal}: {xml}");
    }
    let sound = run(&["cores", "examples/asw.lus", "--format", "jkind-xml"]).stdout;
    assert!(!sound.contains("Vacuous"), "{sound}");
}

#[test]
fn an_equation_of_a_property_on_which_another_rests_is_in_the_matrix() {
    let model = "node n(x: int) returns (ok, twice: bool);\nvar a: int;\nlet\n  a = if x > 0 then x else 0;\n  \
                 ok = a >= 0;\n  twice = ok and ok;\n  --%PROPERTY ok;\n  --%PROPERTY twice;\ntel;\n";
    let run = Workspace::new("twice.lus", model).run("cores", &[]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let matrix = run.stdout.split_once("rests on which element:\n").expect("a matrix").1;
    let row = |number: usize| {
        let line = matrix.lines().nth(number).unwrap_or_default();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!([row(0), row(1), row(2)].map(|row| row.matches("ok").count()), [1, 1, 0], "{matrix}");
    assert_eq!(row(2), "twice X X", "{matrix}");
    assert!(matrix.contains("The property's own equation is not shown.\n"), "{matrix}");
}

#[test]
fn a_matrix_that_cannot_be_written_is_noticed_before_the_search() {
    let workspace = Workspace::example("asw.lus");
    std::fs::create_dir(workspace.path().join("directory.csv")).expect("a directory");
    for path in ["no/such/directory/matrix.csv", "directory.csv"] {
        let run = workspace.run("cores", &["--matrix", path]);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{path}");
        assert!(run.stderr.starts_with(&format!("error: cannot write {path}: ")), "{}", run.stderr);
    }
    // What is there stays as it is where the run ends early.
    std::fs::write(workspace.path().join("old.csv"), "old").expect("writable");
    let run = workspace.run("cores", &["--matrix", "old.csv", "-p", "nobody"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(workspace.path().join("old.csv")).expect("readable"), "old");
    assert_eq!(std::fs::read_dir(workspace.path()).expect("readable").count(), 3);
}
