//! What `propcov cores` says, and does not say: no more than was asked, and no more than is known.

use crate::common::{HARD_MUTANTS, Workspace, run};

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
        assert!(run.stdout.contains("unknown") && run.stdout.contains(why), "{}", run.stdout);
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
            "ok, core 1 (2 elements, minimal): ok a\n",
            "ok: 1 minimal core, INCOMPLETE: 1 check undecided (",
            why,
            "  MUST, in every core (1): ok\n    UNKNOWN whether also (1): a\n",
            "  MAY, in some minimal core (2): ok a\n    UNKNOWN whether also (1): b\n",
        ] {
            assert!(run.stdout.contains(part), "{part} is missing in {}", run.stdout);
        }
    }
}

#[test]
fn nobody_is_told_of_a_smallest_core_that_was_not_asked_for() {
    for goal in ["--must", "--may", "--one", "--minimal"] {
        let run = run(&["cores", "examples/asw.lus", goal]);
        assert!(run.code == 0 && !run.stdout.contains("minimum: not known"), "{}", run.stdout);
    }
    let workspace = Workspace::new("products.lus", IRRATIONAL);
    let run = workspace.run("cores", &["--minimum"]);
    assert!(
        run.stdout.contains("  minimum: not known; every core has at least 1 element\n"),
        "{}",
        run.stdout
    );
    assert!(!workspace.run("cores", &["--must"]).stdout.contains("minimum:"));
}

#[test]
fn cores_that_nobody_looked_for_are_not_counted() {
    let run = run(&["cores", "examples/counter.btor2", "--must"]);
    assert_eq!(run.code, 0);
    assert!(!run.stdout.contains("0 minimal cores"), "{}", run.stdout);
    let together = "\nall together: MUST elements are known\n  MUST, in every core (18):\n";
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
    assert_eq!(sure, ["locked.init", "locked"]);
    assert!(sure.iter().all(|element| must(None).contains(element)), "{:?}", must(None));
}
