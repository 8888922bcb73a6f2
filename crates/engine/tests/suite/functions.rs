//! Functions of which nothing is known, products, quotients and floors in Lustre models: what the engines say about them, with evidence.

use crate::evidence::judge;
use propcov_budget::Budget;
use propcov_engine::gate::{self, Assumptions};
use propcov_engine::{Config, ENGINES, Limits, Report, Silent, Stats, check, infinite};
use propcov_ir::{Edits, PropertyId, System, UnknownReason, Verdict};
use propcov_testkit::Outcome;

const DEPTH: u32 = 8;
const TICKS: u64 = 5_000_000;
const HOLDS: Outcome = Outcome::Holds { reachable: 0, diameter: 0 };

fn read(text: &str) -> System {
    propcov_frontend::read("model.lus", text.as_bytes()).expect("a model").system
}

/// All answers about a property, by its name. None is wrong.
fn answers(system: &System, name: &str, expected: &Outcome) -> Vec<Report> {
    let property = system.properties().iter().position(|property| property.name == name).expect(name);
    let (id, edits, config) = (PropertyId(property as u32), Edits::none(), Config::default());
    let limits = || {
        let mut limits = Limits::default();
        limits.depth = Some(DEPTH);
        limits.interrupt.limit_ticks(TICKS);
        limits
    };
    let mut answers: Vec<Report> =
        infinite::portfolio::check(system, &edits, &[id], &config, &limits(), &Silent)
            .into_iter()
            .map(|(_, report)| report)
            .collect();
    for engine in ENGINES.iter().filter(|engine| engine.infinite.is_some()) {
        answers.push(check(engine, system, &edits, id, &config, &limits(), &Silent));
    }
    for report in &answers {
        if !matches!(report.verdict, Verdict::Unknown(UnknownReason::Cancelled)) {
            judge(system, &edits, id, report, expected, &Budget::default()).expect(name);
        }
    }
    answers
}

fn is_decided(report: &Report) -> bool {
    !matches!(report.verdict, Verdict::Unknown(_))
}

/// All engines decide the property, other than bmc, which never proves.
fn all_decide(text: &str, name: &str, expected: &Outcome) {
    for report in answers(&read(text), name, expected) {
        assert!(
            is_decided(&report) || report.engine == "bmc",
            "{name}: {}: {:?}",
            report.engine,
            report.verdict
        );
    }
}

/// The portfolio and k-induction decide it; IC3 need not.
fn induction_decides(text: &str, name: &str, expected: &Outcome) {
    let answers = answers(&read(text), name, expected);
    assert!(is_decided(&answers[0]), "{name}: {:?}", answers[0].verdict);
    let induction = answers.iter().find(|report| report.engine == "kinduction" && is_decided(report));
    assert!(induction.is_some(), "{name}");
}

const MEMORY: &str = "
    function f(x: int; b: bool) returns (y: int; r: real);
    node main(i: int; b: bool) returns (same, equal, other: bool);
    var first, v: int; flag: bool; w: real; y: int; r: real;
    let
      (y, r) = f(i, b);
      first = i -> pre first;
      flag = b -> pre flag;
      v = y -> pre v;
      w = r -> pre w;
      -- What f said first it would say again.
      same = if i = first and b = flag then y = v and r = w else true;
      -- Without the Boolean argument that is wrong.
      equal = if i = first then y = v else true;
      other = if i = first and b = flag then r = real(y) else true;
      --%PROPERTY same;
      --%PROPERTY equal;
      --%PROPERTY other;
    tel;";

#[test]
fn a_function_says_the_same_of_the_same_arguments_in_all_steps() {
    // What was said first is not known of paths that start anywhere.
    answers(&read(MEMORY), "same", &HOLDS);
    all_decide(MEMORY, "equal", &Outcome::Violated { depth: 1 });
    all_decide(MEMORY, "other", &Outcome::Violated { depth: 0 });
}

const REMEMBERED: &str = "
    type mode = enum { low, high };
    function f(x: int; m: mode) returns (y: int);
    node main(i: int; m: mode) returns (kept, wrong: bool);
    var first, v: int; mode0: mode;
    let
      first = i -> pre first;
      mode0 = m -> pre mode0;
      v = f(i, m) -> pre v;
      kept = f(first, mode0) = v;
      wrong = f(first, m) = v;
      --%PROPERTY kept;
      --%PROPERTY wrong;
    tel;";

#[test]
fn a_remembered_value_of_a_function_is_proved_by_induction() {
    induction_decides(REMEMBERED, "kept", &HOLDS);
    all_decide(REMEMBERED, "wrong", &Outcome::Violated { depth: 1 });
}

#[test]
fn a_function_that_is_applied_again_and_again_has_a_run() {
    // 0, f(0), f(f(0)), f(f(f(0))): all different until the fourth, which is the first again.
    let model = "
        function f(x: int) returns (y: int);
        node main() returns (ok, cycle: bool);
        var x, c: int;
        let
          c = 0 -> pre c + 1;
          x = 0 -> f(pre x);
          ok = not (c = 3 and x = 0 and f(x) = 7);
          cycle = not (c = 3 and x = 0 and f(x) <> f(0));
          --%PROPERTY ok;
          --%PROPERTY cycle;
        tel;";
    all_decide(model, "ok", &Outcome::Violated { depth: 3 });
    answers(&read(model), "cycle", &HOLDS);
}

#[test]
fn a_function_without_arguments_is_a_number_that_never_changes() {
    let model = "
        function limit() returns (n: int);
        node main(up: bool) returns (ok, wrong: bool);
        var c, l: int;
        let
          assert limit() >= 2;
          l = limit() -> pre l;
          c = 0 -> if up and pre c < limit() then pre c + 1 else pre c;
          ok = c <= limit() and l = limit();
          wrong = c < limit();
          --%PROPERTY ok;
          --%PROPERTY wrong;
        tel;";
    induction_decides(model, "ok", &HOLDS);
    all_decide(model, "wrong", &Outcome::Violated { depth: 2 });
}

#[test]
fn functions_of_reals_and_of_functions_agree_where_arguments_do() {
    let model = "
        function f(x: real) returns (y: real);
        function g(x: real) returns (b: bool);
        node main(a, b: real; i, j: int) returns (nested, scaled, two, whole: bool);
        let
          nested = (a = b) => (f(f(a)) = f(f(b)));
          scaled = (a + a = 2.0 * b) => (g(a) = g(b));
          two = f(a) = f(b) => a = b;
          whole = (i = j + 1) => f(real(i)) = f(real(j) + 1.0);
          --%PROPERTY nested;
          --%PROPERTY scaled;
          --%PROPERTY two;
          --%PROPERTY whole;
        tel;";
    for name in ["nested", "scaled", "whole"] {
        all_decide(model, name, &HOLDS);
    }
    all_decide(model, "two", &Outcome::Violated { depth: 0 });
}

#[test]
fn what_is_not_linear_is_answered_rightly_or_not_at_all() {
    let model = "
        node main(i, j: int; x, y: real) returns (square, six, swapped, quotient, half, falls, linear: bool);
        var s, t: int;
        let
          square = i * i >= 0;
          six = i * j <> 6;
          swapped = i * j = j * i;
          quotient = (j <> 0) => i = j * (i div j) + i mod j;
          half = (y <> 0.0) => (x / y) * y = x;
          s = 1 -> pre s * (if i > 0 then 2 else 1);
          falls = s >= 1;
          t = 1 -> pre t * (3 - 1);
          linear = t > 0;
          --%PROPERTY square;
          --%PROPERTY six;
          --%PROPERTY swapped;
          --%PROPERTY quotient;
          --%PROPERTY half;
          --%PROPERTY falls;
          --%PROPERTY linear;
        tel;";
    let system = read(model);
    for name in ["square", "swapped", "quotient", "half", "falls"] {
        answers(&system, name, &HOLDS);
    }
    answers(&system, "six", &Outcome::Violated { depth: 0 });
    all_decide(model, "linear", &HOLDS);
}

#[test]
fn quotients_by_negative_constants_are_euclidean() {
    for divisor in [-7, -3, -2, -1, 1, 3] {
        for value in -8i32..=8 {
            let (quotient, rest) = (value.div_euclid(divisor), value.rem_euclid(divisor));
            let model = format!(
                "node main(i: int) returns (right, wrong, all: bool);
                 var d, m: int;
                 let
                   d = i div ({divisor});
                   m = i mod ({divisor});
                   right = (i = {value}) => (d = {quotient} and m = {rest});
                   wrong = (i = {value}) => (d = {quotient} + 1 or m <> {rest});
                   all = i = ({divisor}) * d + m and m >= 0;
                   --%PROPERTY right;
                   --%PROPERTY wrong;
                   --%PROPERTY all;
                 tel;"
            );
            all_decide(&model, "right", &HOLDS);
            all_decide(&model, "wrong", &Outcome::Violated { depth: 0 });
            all_decide(&model, "all", &HOLDS);
        }
    }
}

#[test]
fn floors_of_sums_of_ints_and_reals_are_exact() {
    let model = "
        node main(i: int; x: real) returns (shift, half, third, near, above: bool);
        let
          assert 0.0 <= x and x < 1.0;
          shift = floor(real(i) + x) = i;
          half = floor(real(i) / 2.0) = i div 2;
          third = floor(real(-i) / 3.0) = (-i) div 3;
          near = floor(x + x) <= 1;
          above = floor(x + x) = 0;
          --%PROPERTY shift;
          --%PROPERTY half;
          --%PROPERTY third;
          --%PROPERTY near;
          --%PROPERTY above;
        tel;";
    for name in ["shift", "half", "third", "near"] {
        all_decide(model, name, &HOLDS);
    }
    all_decide(model, "above", &Outcome::Violated { depth: 0 });
}

#[test]
fn assumptions_that_are_not_linear_are_consistent_only_with_a_run() {
    for (assumption, is_consistent) in
        [("i * i < 0", false), ("i * j >= 0", true), ("i * j < i * j", false), ("i > 0 and i < 0", false)]
    {
        let model = format!(
            "node main(i, j: int) returns (ok: bool);
             let
               assert {assumption};
               ok = i = i;
               --%PROPERTY ok;
             tel;"
        );
        let (system, edits) = (read(&model), Edits::none());
        let inspected = gate::inspect(&system, &edits, &[], &Limits::default(), &mut Stats::default());
        let answer = inspected.assumptions;
        assert_eq!(answer == Assumptions::Consistent, is_consistent, "{assumption}: {answer:?}");
    }
}
