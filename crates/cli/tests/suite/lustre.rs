//! Lustre models: ints, reals and enumerations, from the file to certified answers.

use crate::common::{Run, Workspace, check_text, stable_text, values};
use serde_json::{Value, json};

/// Two properties that hold, one that fails, with all kinds of values.
const MIXED: &str = "\
type mode = enum { off, slow, fast };
node main(up: bool; x: real) returns (count: int; m: mode; never_negative, grows, small: bool);
var half: real;
let
  count = 0 -> if up then pre count + 1 else pre count;
  half = x / 2.0;
  m = if count > 1 then fast else if count > 0 then slow else off;
  never_negative = count >= 0;
  grows = true -> count >= pre count;
  small = not (m = fast) or half < 0.25 or half > 0.25;
  --%PROPERTY never_negative;
  --%PROPERTY grows;
  --%PROPERTY small;
tel;
";

/// Needs a lemma: the two counters are equal.
const TWINS: &str = "\
node main(up: bool) returns (a, b: int; ok: bool);
let
  a = 0 -> if up then pre a + 1 else pre a;
  b = 0 -> if up then pre b + 1 else pre b;
  ok = a < 7 or b >= 7;
  --%PROPERTY ok;
tel;
";

/// One property that is easy, and one that fails too late for anyone to see.
const SLOW: &str = "\
node main(up: bool) returns (n: int; easy, late: bool);
let
  n = 0 -> if up then pre n + 1 else pre n;
  easy = n >= 0;
  late = n < 100000000;
  --%PROPERTY easy;
  --%PROPERTY late;
tel;
";

fn json_of(run: &Run) -> Value {
    run.document()
}

fn verdicts(document: &Value) -> Vec<(String, String, bool)> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let properties = document["properties"].as_array().expect("properties").iter();
    properties
        .map(|p| (text(&p["name"]), text(&p["verdict"]), p["certified"].as_bool().expect("known")))
        .collect()
}

#[test]
fn several_properties_are_decided_together_and_each_answer_is_certified() {
    let run = check_text("mixed.lus", MIXED, &["--format", "json", "--stats"]);
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    let document = json_of(&run);
    assert_eq!(document["design"]["format"], "lustre");
    let expected = [("never_negative", "proved"), ("grows", "proved"), ("small", "falsified")];
    let expected = expected.map(|(name, verdict)| (name.to_owned(), verdict.to_owned(), true));
    assert_eq!(verdicts(&document), expected);
    let failed = &document["properties"][2];
    assert_eq!(failed["depth"], 2);
    let last = |name: &str| values(failed, name)[2];
    assert_eq!([last("x"), last("half"), last("m"), last("count")], ["1/2", "1/4", "fast", "2"]);
    let seconds = |value: &Value| value.as_f64().expect("seconds");
    let longest = (0..3).map(|at| seconds(&document["properties"][at]["seconds"])).fold(0.0, f64::max);
    let sum = seconds(&document["stats"]["seconds"]["proof"]);
    assert!(sum >= longest - 0.002, "{sum} and {longest}");
}

#[test]
fn a_counterexample_is_a_table_of_inputs_outputs_and_locals() {
    let run = check_text("mixed.lus", MIXED, &["--property", "small", "--smooth"]);
    let expected = "\
small fails in step 2:
  step      0     1      2
  inputs
  up     true     .      .
  x       0.5     .      .
  outputs
  count     0     1      2
  m       off  slow   fast
  small  true     .  false
  locals
  half   0.25     .      .
";
    let text = stable_text(&run.stdout);
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("  Inputs never change ("), "{text}");
    assert!(text.contains("no run of this length needs fewer"), "{text}");
    assert!(!text.contains("pre count") && !text.contains("%first"), "{text}");
    assert!(
        text.contains("A dot is the value of the step before.") && !text.contains("hexadecimal"),
        "{text}"
    );
}

#[test]
fn waveforms_have_integers_and_reals_and_text_for_what_does_not_fit() {
    let model = "\
node main(x: real; n: int) returns (third, tenth: real; big: int; ok: bool);
let
  third = x / 3.0;
  tenth = x / 10.0;
  big = 1000000000000000000000 * n;
  ok = not (x = 1.0 and n = 5);
  --%PROPERTY ok;
tel;
";
    let workspace = Workspace::new("numbers.lus", model);
    let run = workspace.run("check", &["--certificate", "evidence", "-q"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
    let dump = std::fs::read_to_string(workspace.path().join("evidence/ok.vcd")).expect("a waveform");
    for expected in
        ["$var integer 64 ", "$var real 64 ", "$var string 1 ", "s1/3 ", "s0.1 ", "s5000000000000000000000 "]
    {
        assert!(dump.contains(expected), "{expected}:\n{dump}");
    }
    assert!(dump.contains(&format!("b{}101 ", "0".repeat(61))), "{dump}");
}

#[test]
fn a_proof_is_written_down_with_its_lemmas() {
    let workspace = Workspace::new("twins.lus", TWINS);
    let run = workspace.run("check", &["--certificate", "evidence", "--core", "-q"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let text = std::fs::read_to_string(workspace.path().join("evidence/ok.invariant.txt")).expect("lemmas");
    let lemmas: Vec<&str> = text.lines().skip(1).collect();
    assert!(!lemmas.is_empty() && lemmas.iter().any(|lemma| lemma.contains('b')), "{text}");
    assert!(run.stdout.contains("The proof of ok uses 3 of 3 elements:\n  a, b, ok\n"), "{}", run.stdout);
}

#[test]
fn lemmas_of_one_run_are_checked_and_used_by_the_next() {
    let workspace = Workspace::new("twins.lus", TWINS);
    let arguments = ["--advice", "twins.advice", "--format", "json"];
    let first = json_of(&workspace.run("check", &arguments));
    assert_eq!((&first["advice"]["read"], &first["advice"]["dropped"]), (&json!(0), &json!(0)));
    let stored = first["advice"]["stored"].as_u64().expect("a number");
    assert!(stored >= 2, "the property and a lemma: {first}");
    let second = workspace.run("check", &arguments);
    let document = json_of(&second);
    assert_eq!(
        (&document["advice"]["read"], &document["advice"]["holding"]),
        (&json!(stored), &json!(stored))
    );
    assert_eq!(document["properties"][0]["engine"], "advice");
    assert_eq!(document["properties"][0]["certified"], true);
    let text = workspace.run("check", &["--advice", "twins.advice"]).stdout;
    let line =
        format!("Advice: {stored} lemmas read, {stored} hold, 0 dropped; {stored} stored in twins.advice");
    assert!(text.contains(&line), "{text}");
}

/// A lemma that is not true: a is at least n.
fn sabotage(n: u32) -> String {
    let nodes = json!(["a", ["const", { "int": n.to_string() }], ["le", 2, 1]]);
    let line = json!({ "lemma": "x", "for": ["ok"], "k": 1, "signals": { "a": "int" }, "nodes": nodes });
    format!("{line}\n")
}

#[test]
fn a_lemma_that_does_not_hold_is_dropped_and_forgotten() {
    let workspace = Workspace::new("twins.lus", TWINS);
    let path = workspace.path().join("twins.advice");
    let arguments = ["--advice", "twins.advice", "--format", "json"];
    let stored = json_of(&workspace.run("check", &arguments))["advice"]["stored"].as_u64().expect("a number");
    let text = std::fs::read_to_string(&path).expect("advice");
    // The one fails in the first step, the other one is not inductive by itself.
    std::fs::write(&path, text + &sabotage(3) + &sabotage(0)).expect("written");
    let document = json_of(&workspace.run("check", &arguments));
    assert_eq!(document["advice"]["dropped"], 1, "{document}");
    assert_eq!(document["properties"][0]["verdict"], "proved");
    let text = std::fs::read_to_string(&path).expect("advice");
    assert!(!text.contains("{\"int\":\"3\"}"), "{text}");
    assert_eq!(json_of(&workspace.run("check", &arguments))["advice"]["read"], stored + 1);
}

#[test]
fn advice_of_another_model_is_not_used_and_not_lost() {
    let workspace = Workspace::new("mixed.lus", MIXED);
    let path = workspace.path().join("shared.advice");
    let first = json_of(&workspace.run("check", &["--advice", "shared.advice", "--format", "json"]));
    let stored = first["advice"]["stored"].as_u64().expect("a number");
    std::fs::write(workspace.path().join("twins.lus"), TWINS).expect("written");
    let run = workspace.run("check", &["--advice", "shared.advice", "--format", "json"]);
    assert_eq!(run.stderr, "");
    let mut other = std::process::Command::new(env!("CARGO_BIN_EXE_propcov"));
    let other = other.current_dir(workspace.path()).args(["check", "twins.lus", "--advice", "shared.advice"]);
    let run: Run = other.output().expect("propcov starts").into();
    assert_eq!(run.code, 0, "{}", run.stdout);
    let note =
        format!("note: shared.advice: {stored} lemmas are about signals that the design does not have\n");
    assert_eq!(run.stderr, note);
    let text = std::fs::read_to_string(&path).expect("advice");
    assert!(text.contains("\"for\":[\"grows\"]") && text.contains("\"for\":[\"ok\"]"), "{text}");
}

#[test]
fn a_file_that_is_no_advice_is_an_error_with_its_place_and_stays_as_it_is() {
    let heading = "{\"schema\":\"propcov-advice/1\",\"version\":\"0\",\"design\":\"x\"}\n";
    let other = heading.replace("/1", "/9");
    let cut_off = format!("{heading}{{\"lemma\":\"x\",\n");
    let no_expression = format!("{heading}{}", sabotage(3).replace("\"le\"", "\"sigh\""));
    let not_boolean = format!("{heading}{}", sabotage(3).replace(",[\"le\",2,1]", ""));
    for (text, expected) in [
        (TWINS, "line 1: this is no advice of propcov: expected ident (column 2)"),
        ("", "line 1: this is no advice of propcov: the file is empty"),
        (other.as_str(), "line 1: the form is `propcov-advice/9`, and `propcov-advice/1` is expected"),
        (cut_off.as_str(), "line 2: EOF while parsing"),
        (no_expression.as_str(), "line 2: [\"sigh\",2,1] is no expression"),
        (not_boolean.as_str(), "line 2: the lemma is not Boolean"),
    ] {
        let workspace = Workspace::new("twins.lus", TWINS);
        let path = workspace.path().join("other.txt");
        std::fs::write(&path, text).expect("written");
        let run = workspace.run("check", &["--advice", "other.txt"]);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{text}");
        assert!(run.stderr.starts_with(&format!("error: other.txt, {expected}")), "{}", run.stderr);
        assert_eq!(std::fs::read_to_string(&path).expect("still there"), text);
    }
}

#[test]
fn advice_for_a_finite_model_is_a_proof_that_is_checked_again() {
    let workspace = Workspace::example("counter.btor2");
    let arguments = ["--advice", "counter.advice", "--format", "json"];
    assert_eq!(workspace.run("check", &arguments).code, 0);
    let document = json_of(&workspace.run("check", &arguments));
    for property in document["properties"].as_array().expect("properties") {
        assert_eq!((&property["engine"], &property["certified"]), (&json!("advice"), &json!(true)));
    }
}

#[test]
fn smooth_counterexamples_change_inputs_no_more_often_than_they_must() {
    // Three changes are needed: a must be on in steps 0 and 2, off in step 1, and b must be on at the end only.
    let model = "\
node main(a, b: bool; n: int) returns (seen: int; ok: bool);
let
  seen = (if a then 1 else 0) -> if a = (pre seen mod 2 = 1) then 0 else pre seen + 1;
  ok = seen < 3 or not b or n < 10;
  --%PROPERTY ok;
  assert true -> not pre b;
tel;
";
    let run = check_text("pulses.lus", model, &["--smooth", "--format", "json"]);
    let document = json_of(&run);
    let property = &document["properties"][0];
    assert_eq!((&property["verdict"], &property["depth"]), (&json!("falsified"), &json!(2)), "{document}");
    assert_eq!((&property["smooth"]["after"], &property["smooth"]["fewest"]), (&json!(3), &json!(true)));
    assert_eq!(values(property, "a"), ["1", "0", "1"]);
    assert_eq!(values(property, "b"), ["0", "0", "1"]);
    assert_eq!(values(property, "n")[0], values(property, "n")[2]);
}

#[test]
fn words_cannot_be_smoothed_and_that_is_said() {
    let run = crate::common::run(&["check", "examples/broken_counter.btor2", "--smooth"]);
    assert_eq!(run.code, 2);
    assert!(run.stdout.contains("The run was not made smoother: not supported: "), "{}", run.stdout);
}

#[test]
fn what_depends_on_a_product_of_variables_is_unknown() {
    let model = "\
node main(x, y: int) returns (p: int; square, zero: bool);
let
  p = x * y;
  square = p >= 0 or x < 0 or y < 0;
  zero = p * 0 = 0;
  --%PROPERTY square;
  --%PROPERTY zero;
tel;
";
    let run = check_text("product.lus", model, &["--format", "json", "--timeout", "20"]);
    let document = json_of(&run);
    assert_eq!(run.code, 4, "{document}");
    assert_eq!(document["properties"][0]["verdict"], "unknown");
    let reason = document["properties"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("beyond linear arithmetic"), "{reason}");
    assert_eq!(document["properties"][1]["verdict"], "proved");
}

#[test]
fn a_timeout_keeps_what_was_decided_before() {
    let run = check_text("slow.lus", SLOW, &["--format", "json", "--timeout", "1"]);
    assert_eq!(run.code, 4);
    let document = json_of(&run);
    let expected = [("easy", "proved", true), ("late", "unknown", false)];
    assert_eq!(verdicts(&document), expected.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c)));
    let reason = document["properties"][1]["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("out of time; no violation up to depth "), "{reason}");
}

#[test]
fn a_bound_is_not_a_proof() {
    let run = check_text("slow.lus", SLOW, &["--format", "json", "--engine", "bmc", "--bound", "5"]);
    let document = json_of(&run);
    for property in document["properties"].as_array().expect("properties") {
        assert_eq!((&property["verdict"], &property["depth"]), (&json!("bounded"), &json!(5)));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_decided_before() {
    let workspace = Workspace::new("slow.lus", SLOW);
    let mut command = workspace.command("check", &["--format", "json"]);
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn();
    let child = child.expect("propcov starts");
    std::thread::sleep(std::time::Duration::from_millis(1000));
    let kill = std::process::Command::new("kill").arg("-INT").arg(child.id().to_string()).status();
    assert!(kill.expect("kill runs").success());
    let run: Run = child.wait_with_output().expect("output").into();
    assert_eq!(run.code, 4);
    let expected = [("easy", "proved", true), ("late", "unknown", false)];
    assert_eq!(verdicts(&json_of(&run)), expected.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c)));
}

#[test]
fn coverage_of_numbers_and_of_booleans_is_measured() {
    let workspace = Workspace::new("twins.lus", TWINS);
    let chosen = workspace.run("cover", &["--no-out", "--format", "json"]);
    assert_eq!((chosen.code, &chosen.document()["run"]["metrics"]), (0, &json!(["must", "may", "mutation"])));
    let explained = workspace.run("explain", &["a", "--no-out"]);
    assert_eq!(explained.code, 0, "{}", explained.stderr);
    for edit in ["free (left open", "zero (stuck", "off-by-one (greater by one)", "stale (what it was"] {
        assert!(explained.stdout.contains(edit), "{edit}: {}", explained.stdout);
    }
    let run = workspace.run("cover", &["--metric", "state", "--out", "out"]);
    let expected = "error: state coverage of int is not supported (`a`, line 3). Try: --metric may\n";
    assert_eq!((run.code, run.stderr.as_str()), (1, expected));
    let model = "\
node main(set: bool) returns (on, spare, ok: bool);
let
  on = false -> pre on or set;
  spare = set;
  ok = true -> not pre on or on;
  --%PROPERTY ok;
tel;
";
    let workspace = Workspace::new("latch.lus", model);
    let run = workspace.cover(&["--format", "json"]);
    let document = json_of(&run);
    let free = |name: &str| {
        let findings = crate::common::findings(&document);
        findings.into_iter().find(|f| f[1] == name && f[2] == "free").map(|f| f[3].clone())
    };
    assert_eq!(free("on").as_deref(), Some("covered"), "{document}");
    assert_eq!(free("spare").as_deref(), Some("uncovered"));
    let run = workspace.run("explain", &["on", "--out", "out"]);
    assert!(run.code != 1 && run.code != 5 && run.stdout.contains("on: equation"), "{}", run.stderr);
}

#[test]
fn a_pre_that_nothing_guards_has_a_value_of_its_own_in_kind_2_and_one_for_all_in_jkind() {
    let node = |body: &str| {
        format!("node main(i: int) returns (ok: bool);\nlet\n  ok = {body};\n  --%PROPERTY ok;\ntel;\n")
    };
    let code = |body: &str, dialect: &str| check_text("main.lus", &node(body), &["--dialect", dialect]).code;
    assert_eq!((code("pre i = pre i", "jkind"), code("pre i = pre i", "kind2")), (0, 2));
    assert_eq!((code("pre 1 = 1", "jkind"), code("pre 1 = 1", "kind2")), (0, 1));
    for dialect in ["jkind", "kind2"] {
        assert_eq!(code("true -> pre i = pre i", dialect), 0, "guarded");
        assert_eq!(code("true -> pre 1 = 1", dialect), 0, "guarded");
        assert_eq!(code("true -> (pre i = pre i or pre true)", dialect), 0, "guarded, in brackets");
    }
    // The second one is not guarded by what guards the first one.
    assert_eq!(
        (code("true -> pre (pre i = pre i)", "jkind"), code("true -> pre (pre i = pre i)", "kind2")),
        (0, 2)
    );
}

/// What a timer shows is found by division, as generated models do it: `div 1`, `div 60` and `div 10` of the same number.
const TIMER: &str = "
node timer(start: bool; typed: int) returns (minutes, tens, units: int);
var steps, left, middle, right, seconds: int; running: bool;
let
  --%MAIN
  assert 0 <= typed and typed <= 5;
  running = start -> (start or pre running) and pre steps > 0;
  right = if running then 0 -> pre right else typed;
  middle = if running then 0 -> pre middle else 0 -> pre right;
  left = if running then 0 -> pre left else 0 -> pre middle;
  steps = 0 -> if pre running then pre steps - 1 else (pre right * 1 + pre middle * 10 + pre left * 60) * 1;
  seconds = steps div 1;
  minutes = seconds div 60;
  tens = (seconds - minutes * 60) div 10;
  units = (seconds - (seconds div 60) * 60) - ((seconds - (seconds div 60) * 60) div 10) * 10;
  check \"what is left is shown\" minutes * 60 + tens * 10 + units = steps;
  check \"what was typed is shown\"
    true -> pre running or (minutes = pre left and tens = pre middle and units = pre right);
  check \"digits are digits\" 0 <= tens and tens <= 5 and 0 <= units and units <= 9;
  check \"a minute ends at zero\" true -> not pre running or minutes = pre minutes or (pre tens = 0 and pre units = 0);
  check \"mod says the same\" units = (steps mod 60) mod 10 and steps div (-1) = - steps and steps mod 1 = 0;
tel;
";

#[test]
fn a_timer_that_divides_by_constants_is_proved() {
    let run = check_text("timer.lus", TIMER, &["--format", "json", "--timeout", "60"]);
    let properties = run.document()["properties"].as_array().cloned().expect("properties");
    assert_eq!(properties.len(), 5);
    for property in properties {
        assert_eq!(
            (property["verdict"].as_str(), property["certified"].as_bool()),
            (Some("proved"), Some(true)),
            "{property}"
        );
    }
}
