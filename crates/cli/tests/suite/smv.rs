//! CTL properties of SMV models, from outside.

use crate::common::{Run, Workspace, check_text, stable_text, values};
use serde_json::{Value, json};

fn text(model: &str, arguments: &[&str]) -> Run {
    let mut run = check_text("model.smv", model, arguments);
    run.stdout = stable_text(&run.stdout);
    run
}

fn document(model: &str, arguments: &[&str]) -> (i32, Value) {
    let run = check_text("model.smv", model, &[&["--format", "json"], arguments].concat());
    (run.code, run.document())
}

macro_rules! snapshot {
    ($name:literal, $text:expr) => {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}

/// Red, green, yellow, red and so on; a button decides how long it stays red. There is only one way to do anything here, so that runs do
/// not depend on the order of variables.
const LIGHT: &str = "
MODULE main
VAR light : {red, green, yellow};
    off   : boolean;
ASSIGN
  init(light) := red;
  init(off) := FALSE;
  next(light) := case
    off            : light;
    light = red    : green;
    light = green  : yellow;
    TRUE           : red;
  esac;
  next(off) := case
    light = yellow : {FALSE, TRUE};
    TRUE           : off;
  esac;
";

#[test]
fn a_property_that_needs_several_paths_is_shown_by_several_runs() {
    let model = format!("{LIGHT}SPEC !EF (light = yellow & EX off & EX !off)\n");
    let run = text(&model, &[]);
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    snapshot!("ctl@branches", run.stdout);
}

#[test]
fn a_lasso_says_where_it_goes_back_to() {
    let model = format!("{LIGHT}SPEC AF off\nSPEC NAME it_stays := AG (off -> AG off)\n");
    let run = text(&model, &[]);
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    snapshot!("ctl@lasso", run.stdout);
}

#[test]
fn release_is_the_dual_of_until() {
    let (f, g) = ("off", "light != yellow");
    for fairness in ["", "FAIRNESS off\n"] {
        let model = format!(
            "{LIGHT}{fairness}SPEC AG (A [{f} R {g}] <-> !E [!({f}) U !({g})])\n\
             SPEC AG (E [{f} R {g}] <-> !A [!({f}) U !({g})])\n\
             SPEC EF A [{f} R {g}] & EF !A [{f} R {g}] & EF E [{f} R {g}] & EF !E [{f} R {g}]\n"
        );
        let (code, document) = document(&model, &[]);
        let verdicts: Vec<&Value> = document["properties"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|verdict| &verdict["verdict"])
            .collect();
        assert_eq!((code, verdicts), (0, vec![&json!("proved"); 3]), "{document:#}");
    }
}

#[test]
fn a_witness_is_shown_for_what_holds_on_some_path() {
    let model = format!(
        "{LIGHT}SPEC EF (light = red & off)\nINVARSPEC off -> light = red\nINVARSPEC light != yellow\n"
    );
    let run = text(&model, &["--engine", "portfolio"]);
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    snapshot!("ctl@witness", run.stdout);
}

/// Bits that never change, and a counter that may stop at three.
const COUNT: &str = "
MODULE main
VAR x : array 0..29 of boolean; a : boolean; b : boolean; count : 0..3;
DEFINE late := count > 1;
INIT a & !b
ASSIGN
  next(a) := a;
  init(count) := 0;
  next(count) := case count = 3 : 3; count = 2 : {0, 3}; TRUE : count + 1; esac;
";

/// What is printed between the table of verdicts and the explanation of the tables of runs.
fn runs(specs: &str, arguments: &[&str]) -> String {
    let run = text(&format!("{COUNT}{specs}"), arguments);
    let after = run.stdout.split_once("\n\n").and_then(|(_, rest)| rest.split_once("\n\n"));
    let (_, after) = after.expect("runs after the table");
    after.split_once("  A dot is").expect("runs").0.to_owned()
}

#[test]
fn a_failure_that_no_run_shows_is_shown_by_its_initial_state() {
    let shown = runs("SPEC a -> b\n", &[]);
    assert!(
        shown.starts_with(
            "SPEC1 fails in this initial state: a -> b\n  step  0\n  a     1\n  b     0\n  others: "
        ),
        "{shown}"
    );
    let shown = runs("SPEC EF b & EG count = 3\n", &[]);
    let about =
        "EF b & EG count = 3\n  That is about all paths from there, and no run shows it.\n  step   0\n";
    assert!(shown.starts_with(&format!("SPEC1 fails in this initial state: {about}")), "{shown}");
}

#[test]
fn what_a_run_cannot_show_is_said() {
    let shown = runs("SPEC AG EF count = 0\n", &[]);
    let expected = "Counterexample to SPEC1: AG EF count = 0
  The run leads to step 3, where AG !(count = 0) holds: that is about all paths,
    and no run shows it.
  step   0  1  2  3
  count  0  1  2  3
  always: ";
    assert!(shown.starts_with(expected), "{shown}");
}

#[test]
fn what_the_property_reads_comes_first_with_definitions() {
    let shown = runs("SPEC AG !(late & a)\n", &[]);
    let expected = "Counterexample to SPEC1: AG !(late & a)
  step   0  1  2
  late   0  .  1
  a      1  .  .
  count  0  1  2
  always: ";
    assert!(shown.starts_with(expected), "{shown}");
    let (_, document) = document(&format!("{COUNT}SPEC AG !(late & a)\n"), &[]);
    let property = &document["properties"][0];
    assert_eq!(values(property, "late"), ["0", "0", "1"]);
    let signals = property["trace"]["signals"].as_array().expect("signals");
    assert!(signals.iter().all(|row| row["kind"] != "input"), "what next(count) chooses is no input");
}

/// A text without its lines.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_holds_on_all_paths_has_no_witness() {
    // Sets of states would show both, but not under compassion.
    let run = text(&format!("{COUNT}COMPASSION (TRUE, TRUE)\nSPEC AG EF count = 3\n"), &[]);
    let expected = "by decision diagrams alone: compassion Not certified: see `propcov help ctl`.";
    assert!(words(&run.stdout).contains(expected), "{}", run.stdout);
    assert!(!run.stdout.contains("step"), "{}", run.stdout);
    let run = text(&format!("{COUNT}COMPASSION (TRUE, TRUE)\nSPEC EF count = 3\n"), &[]);
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("shown from one of several initial states"), "{}", run.stdout);
}

#[test]
fn fairness_makes_the_difference() {
    let model = format!("{LIGHT}SPEC AF off\n");
    assert_eq!(document(&model, &[]).0, 2);
    let fair = model.replace("SPEC", "FAIRNESS off\nSPEC");
    let (code, fair) = document(&fair, &[]);
    let property = &fair["properties"][0];
    assert_eq!((code, &property["verdict"], &property["certified"]), (0, &json!("proved"), &json!(true)));
}

#[test]
fn the_document_has_the_run_and_how_to_read_it() {
    let (_, document) = document(&format!("{LIGHT}SPEC AF off\n"), &["--stats"]);
    let property = &document["properties"][0];
    assert_eq!((&property["kind"], &property["engine"]), (&json!("ctl"), &json!("bdd")));
    assert_eq!((&property["verdict"], &property["certified"]), (&json!("falsified"), &json!(true)));
    let shows = json!({ "claim": "EG !off", "whole": true, "essential": 3, "loop_to": 0 });
    assert_eq!(property["trace"]["shows"], shows);
    assert_eq!(values(property, "light"), ["red", "green", "yellow"]);
    assert_eq!(document["stats"]["states"], json!({ "reachable": "4", "fair": "4", "diameter": 4 }));
    assert!(document["stats"]["diagrams"]["peak_nodes"].as_u64().expect("a number") > 0);
}

#[test]
fn branches_are_in_the_document_too() {
    let (_, document) = document(&format!("{LIGHT}SPEC EF (light = yellow & EX off & EX !off)\n"), &[]);
    let branch = &document["properties"][0]["trace"]["shows"]["branches"][0];
    assert_eq!((&branch["step"], &branch["trace"]["shows"]["claim"]), (&json!(2), &json!("EX !off")));
    assert_eq!(values(branch, "light")[0], "yellow");
}

#[test]
fn states_are_counted_when_asked_for() {
    let model = "MODULE main\nVAR bits : array 0..99 of boolean;\nSPEC EF bits[0]\n";
    let run = check_text("model.smv", model, &["--stats"]);
    let line = run.stdout.lines().find(|line| line.contains("reachable states")).expect("a line");
    assert!(line.ends_with(" 1.27e30"), "{line}");
    let (_, with) = document(model, &["--stats"]);
    assert_eq!(with["stats"]["states"]["reachable"], "1267650600228229401496703205376");
    let (_, without) = document(model, &[]);
    assert_eq!(without["stats"].get("states"), None);
}

/// Nothing comes after two.
const DEAD: &str = "
MODULE main
VAR count : 0..2;
INIT count = 0
TRANS next(count) = count + 1 & count < 2
SPEC AG FALSE
SPEC EF TRUE
";

#[test]
fn without_a_fair_initial_state_everything_is_vacuous() {
    let run = text(DEAD, &[]);
    assert_eq!(run.code, 4);
    snapshot!("ctl@dead", run.stdout);
    let (code, document) = document(DEAD, &[]);
    assert_eq!((code, &document["gate"]["vacuous"]), (4, &json!(["SPEC1", "SPEC2"])));
}

#[test]
fn a_fairness_constraint_that_cannot_be_met_is_warned_about() {
    let run = text(&format!("{LIGHT}FAIRNESS off & light = green\nSPEC AG light = red\n"), &[]);
    assert_eq!(run.code, 4);
    let warning = "WARNING: no initial state is fair: every run violates a fairness constraint.";
    assert!(run.stdout.contains(warning), "{}", run.stdout);
    assert!(run.stdout.contains("proved (vacuous)"), "{}", run.stdout);
}

#[test]
fn a_reachable_deadlock_is_noted() {
    let model = "MODULE main\nVAR x : 0..2;\nINIT x = 0\nTRANS x < 2 & (x = 1 -> next(x) = 1)\nSPEC AG x < 2\nINVARSPEC x < 2\n";
    let run = text(model, &["--engine", "bdd", "--property", "SPEC1"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(run.stdout.contains("note: some reachable state has no successor"), "{}", run.stdout);
}

#[test]
fn an_antecedent_that_never_holds_is_warned_about() {
    let specs = "SPEC NAME never := AG (light = yellow & off -> AX light = red)
SPEC NAME plain := AG (light = yellow & off -> light = red)
SPEC NAME sound := AG (light = yellow -> !off)\n";
    let (code, document) = document(&format!("{LIGHT}{specs}"), &[]);
    assert_eq!((code, &document["gate"]["vacuous"]), (0, &json!(["never", "plain"])));
    let run = text(&format!("{LIGHT}{specs}"), &[]);
    assert!(run.stdout.contains("WARNING: never is vacuous: its antecedent never holds."), "{}", run.stdout);
    assert!(run.stdout.contains("3 properties: 3 proved (2 vacuous)"), "{}", run.stdout);
}

#[test]
fn engines_decide_what_they_are_for() {
    let model = format!(
        "{LIGHT}SPEC AG !(off & light = green)\nSPEC AF off\nSPEC AG !off\nINVARSPEC off -> light = red\n"
    );
    let found = |engine: &str| {
        let (_, document) = document(&model, &["--engine", engine]);
        let verdict = |property: &Value| property["verdict"].as_str().expect("a verdict").to_owned();
        let all = document["properties"].as_array().expect("properties").iter();
        all.map(verdict).collect::<Vec<_>>()
    };
    assert_eq!(found("portfolio"), ["proved", "falsified", "falsified", "proved"]);
    assert_eq!(found("bdd"), ["proved", "falsified", "falsified", "unknown"]);
    assert_eq!(found("ic3"), ["proved", "unknown", "falsified", "proved"]);
    let (_, by_ic3) = document(&model, &["--engine", "ic3"]);
    assert_eq!(
        by_ic3["properties"][1]["reason"],
        "not supported: ic3 decides invariants, and this CTL property is none"
    );
    let shown = &by_ic3["properties"][2];
    assert_eq!((&shown["kind"], &shown["trace"]["shows"]["claim"]), (&json!("ctl"), &json!("EF !!off")));
}

#[test]
fn a_run_that_is_not_fair_refutes_nothing() {
    // The only way to `lost` is a trap that fairness forbids.
    let model = "MODULE main\nVAR at : {home, lost};\nASSIGN init(at) := home;\nnext(at) := case at = home : {home, lost}; TRUE : at; esac;
FAIRNESS at = home\nSPEC AG at = home\nINVARSPEC at = home\n";
    let (_, by_diagrams) = document(model, &[]);
    let verdicts: Vec<&Value> = (0..2).map(|at| &by_diagrams["properties"][at]["verdict"]).collect();
    assert_eq!(verdicts, ["proved", "falsified"]);
    assert_eq!(by_diagrams["properties"][0]["certified"], true);
    for arguments in [&["--engine", "ic3"][..], &["--engine", "bmc", "--bound", "5"]] {
        let (_, by_solver) = document(model, arguments);
        assert_eq!(by_solver["properties"][0]["verdict"], "unknown");
        let reason = by_solver["properties"][0]["reason"].as_str().expect("a reason");
        assert!(reason.starts_with("a run violates it, but fairness"), "{reason}");
        let run = text(model, &[arguments, &["--property", "SPEC1"]].concat());
        let title =
            "Not a counterexample yet to SPEC1: a run that may not go on for ever\n  step     0     1\n";
        assert!(run.stdout.contains(title), "{}", run.stdout);
    }
    let covered = Workspace::new("model.smv", model)
        .run("cover", &["-m", "mutation", "--no-out", "--property", "SPEC1"]);
    assert_eq!(covered.code, 4, "{}", covered.stdout);
    let words = covered.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("a run violates it, but fairness or constraints may keep"), "{}", covered.stdout);
}

#[test]
fn what_was_not_certified_is_said_to_be_so() {
    // Thirty bits that may do anything: too many states to list, and no run shows `AG EF`. Under compassion there are no sets with ranks.
    let model =
        "MODULE main\nVAR bits : array 0..29 of boolean;\nSPEC AG EF bits[3]\nCOMPASSION (TRUE, TRUE)\n";
    let run = text(model, &[]);
    assert_eq!(run.code, 0);
    assert!(words(&run.stdout).contains("by decision diagrams alone: compassion"), "{}", run.stdout);
    let (_, document) = document(model, &[]);
    let property = &document["properties"][0];
    assert_eq!((&property["verdict"], &property["certified"]), (&json!("proved"), &json!(false)));
    assert_eq!(property["reason"], "by decision diagrams alone: compassion");
}

#[test]
fn reachable_states_are_a_proof_with_a_core() {
    let model = "MODULE main\nVAR a : boolean; b : array 0..39 of boolean;
ASSIGN init(a) := FALSE; next(a) := a & b[0];\nSPEC AG !a\n";
    let (code, document) = document(model, &["--core"]);
    assert_eq!((code, &document["properties"][0]["engine"]), (0, &json!("bdd")));
    assert_eq!(document["properties"][0]["certified"], true);
    let core = document["properties"][0]["core"].as_array().expect("a core");
    let mut elements = document["elements"].as_array().expect("elements").iter();
    assert!(elements.any(|element| element["name"] == "a" && core.contains(&element["id"])), "{core:?}");
}

#[test]
fn the_time_limit_holds_for_diagrams_too() {
    let (code, document) = document(&format!("{LIGHT}SPEC AF off\n"), &["--timeout", "0ms"]);
    assert_eq!((code, &document["properties"][0]["reason"]), (4, &json!("out of time")));
}

#[test]
fn what_is_read_but_not_checked_is_said() {
    let run = text(&format!("{LIGHT}PSLSPEC always {{off; off}}\nSPEC EF off\n"), &[]);
    assert_eq!(run.code, 0);
    assert_eq!(
        run.stderr,
        "warning: DIR/model.smv:18:1: 1 PSLSPEC is not checked: sequences, clocks, abort, forall and rows of one operator are not supported\n"
    );
}

/// From 0 one may go on to 3, and stay; or come back from 2. Nothing leads to 4.
const WALK: &str = "MODULE main\nVAR n : 0..4;\nASSIGN init(n) := 0;\n  next(n) := case n = 2 : {0, 3}; n < 2 : n + 1; TRUE : n; esac;\n";

#[test]
fn distances_are_computed_and_certified() {
    let asked = "COMPUTE MIN [n = 0, n = 3]\nCOMPUTE MAX [n = 0, n = 2]\nCOMPUTE MAX [n = 0, n = 3]\nCOMPUTE MIN [n = 3, n = 0]\n\
        COMPUTE NAME nowhere := MAX [n = 4, n = 0]\nCOMPUTE MIN [n = 1, n = 1]\nCOMPUTE MAX [n = 1, EX n = 3]\nSPEC EF n = 3\n";
    let model = format!("{WALK}{asked}");
    let (code, document) = document(&model, &[]);
    let rows: Vec<(String, String, bool, bool)> = (document["distances"]
        .as_array()
        .expect("distances")
        .iter())
    .map(|row| {
        let steps =
            row["steps"].as_u64().map_or_else(|| row["length"].to_string(), |steps| steps.to_string());
        let is_certified = row["certified"] == json!(true);
        (row["name"].as_str().expect("a name").to_owned(), steps, is_certified, row["place"]["line"].is_u64())
    })
    .collect();
    let expected = [
        ("COMPUTE1", "3"),
        ("COMPUTE2", "2"),
        ("COMPUTE3", "\"infinite\""),
        ("COMPUTE4", "\"infinite\""),
        ("nowhere", "\"undefined\""),
        ("COMPUTE6", "0"),
        ("COMPUTE7", "1"),
    ];
    let expected = expected.map(|(name, steps)| (name.to_owned(), steps.to_owned(), true, true));
    assert_eq!(rows, expected);
    assert_eq!(code, 0);
    let run = text(&model, &[]);
    assert!(
        run.stdout.contains("Distances, in steps\n  COMPUTE1: MIN [n = 0, n = 3] = 3\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("  COMPUTE3: MAX [n = 0, n = 3] = infinity\n"), "{}", run.stdout);
    // Coming back again and again is not fair.
    let (_, fair) = self::document(&format!("{WALK}JUSTICE n = 3\nCOMPUTE MAX [n = 0, n = 3]\n"), &[]);
    let row = &fair["distances"][0];
    assert_eq!(
        (&row["length"], &row["certified"]),
        (&json!("infinite"), &json!(false)),
        "no number of steps is enough"
    );
    assert_eq!(row["reason"], json!("not certified: under fairness, no formula of CTL says so"));
    let (_, late) = self::document(&model, &["--timeout", "0ms"]);
    assert_eq!(late["distances"][0]["reason"], json!("out of time"));
}

#[test]
fn implications_of_linear_time_that_are_never_put_to_the_test_are_vacuous() {
    let asked = "LTLSPEC NAME never := G (n = 4 -> F n = 0)\nLTLSPEC NAME whole := G (n = 4 -> n = 0)\n\
        LTLSPEC NAME tested := G (n = 2 -> X (n = 0 | n = 3))\nLTLSPEC NAME first := n = 1 -> F n = 4\n\
        LTLSPEC NAME over_time := G ((n = 3 & X n = 0) -> F n = 4)\nLTLSPEC NAME half := G (n = 4 -> X n = 4) & G (n = 1 -> X n = 2)\n";
    let (code, found) = document(&format!("{WALK}{asked}"), &[]);
    assert_eq!(code, 0, "{found}");
    let rows: Vec<(&str, bool)> = (found["properties"].as_array().expect("properties").iter())
        .map(|row| {
            assert_eq!((&row["verdict"], &row["certified"]), (&json!("proved"), &json!(true)), "{row}");
            (row["name"].as_str().expect("a name"), row["vacuous"] == json!(true))
        })
        .collect();
    let expected = [
        ("never", true),
        ("whole", true),
        ("tested", false),
        ("first", true),
        ("over_time", true),
        ("half", false),
    ];
    assert_eq!(rows, expected);
    let unmet = |at: usize| found["properties"][at]["unmet"][0]["text"].clone();
    assert_eq!((unmet(0), unmet(3)), (json!("(n = 4)"), json!("(n = 1)")));
    assert_eq!(unmet(5), json!("(n = 4)"), "in part");
    assert!(found["properties"][2]["tested"].is_object(), "{found}");
    assert_eq!(found["gate"]["untested"], json!(["never", "whole", "first", "over_time"]));
    // Runs that come back for ever are not fair: then 1 is reached, but what comes after 2 only once.
    let (_, fair) = document(&format!("{WALK}JUSTICE n = 0\nLTLSPEC G (n = 3 -> n = 0)\n"), &[]);
    assert_eq!(fair["properties"][0]["vacuous"], json!(true), "n = 3 is reached, but on no fair run: {fair}");
}

#[test]
fn a_counter_is_decided_by_decision_diagrams() {
    let model = "MODULE main\nVAR w : unsigned word[7];\nASSIGN init(w) := 0ud7_0; next(w) := w + 0ud7_1;\n\
        LTLSPEC G F w = 0ud7_3\nLTLSPEC F G w = 0ud7_3\nCOMPASSION (w = 0ud7_1, w = 0ud7_2)\n";
    let (code, found) = document(model, &["--engine", "bdd"]);
    assert_eq!(code, 2, "{found}");
    let rows: Vec<_> = (found["properties"].as_array().expect("properties").iter())
        .map(|row| (row["verdict"].clone(), row["engine"].clone(), row["certified"].clone()))
        .collect();
    let row = |verdict: &str| (json!(verdict), json!("bdd"), json!(true));
    assert_eq!(rows, [row("proved"), row("falsified")]);
    assert!(found["properties"][1]["trace"]["shows"]["loop_to"].is_u64(), "{found}");
}

#[test]
fn states_and_transitions_of_formulas_of_linear_time_are_measured() {
    let measured = |specification: &str, metric: &str| {
        let model = format!("{WALK}DEFINE end := n = 3;\n{specification}\n");
        let workspace = Workspace::new("model.smv", &model);
        let run = workspace.run("cover", &["-m", metric, "--observe", "end", "--no-out", "--format", "json"]);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        run.document()["shares"][0].clone()
    };
    for metric in ["state", "transition"] {
        let (linear, branching) =
            (measured("LTLSPEC G (n < 3 -> !end)", metric), measured("SPEC AG (n < 3 -> !end)", metric));
        assert_eq!(linear, branching);
        assert_eq!(linear["certified"], json!(true));
    }
    // On each run that gets there, it stays: what CTL cannot say.
    let stays = measured("LTLSPEC F G end | G !end", "state");
    assert_eq!((&stays["covered"], &stays["certified"]), (&json!("3"), &json!(null)), "{stays}");
}

#[test]
fn a_run_is_written_as_a_waveform_with_its_loop() {
    let workspace = Workspace::new(
        "model.smv",
        &format!("{LIGHT}SPEC NAME goes_off := AF off\nSPEC AG (off -> light = red)\n"),
    );
    let run = workspace.run("check", &["--certificate", "evidence"]);
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    let read =
        |name: &str| std::fs::read_to_string(workspace.path().join("evidence").join(name)).expect(name);
    let dump = read("goes_off.vcd");
    assert!(dump.contains("after step 2 it goes on with step 0"), "{dump}");
    assert!(dump.contains("#6"), "the loop is shown twice: {dump}");
    assert!(read("SPEC2.invariant.txt").starts_with("# Why SPEC2 holds"));
}

#[test]
fn mutation_measures_invariants_and_says_what_it_leaves_out() {
    let model =
        format!("{LIGHT}SPEC AG (off -> light = red)\nINVARSPEC light != green | !off\nSPEC AF off\n");
    let workspace = Workspace::new("model.smv", &model);
    let run = workspace.run("cover", &["-m", "mutation", "--no-out"]);
    let note = "note: 1 property is not an invariant, skipped: SPEC2 (try --metric state)\n";
    assert_eq!(run.stderr, note);
    assert_eq!(run.code, 0, "{}", run.stdout);
    snapshot!("ctl@cover", stable_text(&run.stdout));
    let explained = workspace.run("explain", &["light", "--no-out", "--edit", "free"]);
    assert_eq!(explained.code, 0, "{}", explained.stdout);
    assert!(explained.stdout.contains("fails in step"), "{}", explained.stdout);
}

#[test]
fn state_coverage_is_not_advised_where_numbers_have_no_bounds() {
    let model = "MODULE main\nVAR x : integer;\nASSIGN init(x) := 0; next(x) := x;\nSPEC EF x = 5\n";
    let run = Workspace::new("model.smv", model).run("cover", &["-m", "mutation", "--no-out"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(run.stderr.starts_with("error: ") && !run.stderr.contains("--metric state"), "{}", run.stderr);
}

#[test]
fn mutation_of_nothing_but_other_properties_is_an_error() {
    let workspace = Workspace::new("model.smv", &format!("{LIGHT}SPEC AF off\nSPEC EF off\n"));
    let run = workspace.run("cover", &["-m", "mutation", "--no-out"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert_eq!(
        run.stderr,
        "error: mutation coverage is about invariants, and there are none: 2 properties are not invariants (SPEC1, SPEC2). \
         Try: --metric state\n"
    );
    let chosen = workspace.run("cover", &["--no-out", "-p", "SPEC2"]);
    assert_eq!((chosen.code, chosen.stderr.as_str()), (0, ""), "without a metric there is an answer");
    assert!(chosen.stdout.contains("State coverage of 1 property"), "{}", chosen.stdout);
}
