//! What SMV models mean: small ones whose states and transitions can be worked out by hand, and what is wrong with others.

pub(crate) use crate::malformed::show;
use propcov_frontend::{Design, read};
use propcov_ir::{
    Bits, ConstraintKind, Ctl, Edits, ElementKind, Fairness, Interpreter, PropertyId, PropertyKind,
    Quantifier, Region, Sort, Step, System, Value,
};
use propcov_testkit::{Explicit, Outcome};
use std::collections::BTreeSet;

pub(crate) fn smv(text: &str) -> Design {
    let design = read("test.smv", text.as_bytes()).unwrap_or_else(|error| panic!("{}", show(&error)));
    design.system.validate().unwrap();
    design
}

/// All values of a sort.
fn values(sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::BitVec(width) => {
            (0..1u64 << width).map(|value| Value::Bits(Bits::from_u64(*width, value))).collect()
        }
        Sort::Enum(variants) => (0..variants.variants.len() as u32)
            .map(|position| Value::Enum(variants.clone(), position))
            .collect(),
        _ => panic!("{sort} cannot be enumerated"),
    }
}

/// All ways to choose a value of each sort.
fn products(sorts: &[Sort]) -> Vec<Vec<Value>> {
    sorts.iter().fold(vec![Vec::new()], |rows, sort| {
        let extend = |row: &Vec<Value>| {
            values(sort)
                .into_iter()
                .map(|value| row.iter().cloned().chain([value]).collect())
                .collect::<Vec<_>>()
        };
        rows.iter().flat_map(extend).collect()
    })
}

fn text(state: &[Value]) -> String {
    let one = |value: &Value| match value.as_bool() {
        Some(true) => "T".to_owned(),
        Some(false) => "F".to_owned(),
        None => value.to_string(),
    };
    state.iter().map(one).collect::<Vec<_>>().join(",")
}

/// The reachable part of a system by definition: initial states, then the successors of each state, one line each. A
/// state is the values of all state signals in order.
fn graph(system: &System) -> String {
    let edits = Edits::none();
    let interpreter = Interpreter::new(system, &edits).unwrap();
    let sorts_of = |signals: &[propcov_ir::SignalId]| -> Vec<Sort> {
        signals.iter().map(|signal| system.signal(*signal).sort.clone()).collect()
    };
    let states = products(&sorts_of(system.states()));
    let inputs = products(&sorts_of(system.inputs()));
    let step = |state: &[Value], input: &[Value]| Step {
        inputs: input.to_vec(),
        states: state.to_vec(),
        free: Default::default(),
    };
    let allowed = |state: &[Value], kinds: &[ConstraintKind]| {
        inputs.iter().any(|input| {
            let step = step(state, input);
            let mut frame = interpreter.frame(&step).unwrap();
            let init = frame.initial_values().unwrap();
            let starts =
                init.iter().zip(state).all(|(init, value)| init.as_ref().is_none_or(|init| init == value));
            (starts || !kinds.contains(&ConstraintKind::Initial))
                && kinds.iter().all(|kind| frame.violated_constraint(*kind).unwrap().is_none())
        })
    };
    let invariant: Vec<&Vec<Value>> =
        states.iter().filter(|state| allowed(state, &[ConstraintKind::Always])).collect();
    let successors = |state: &[Value]| -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for input in &inputs {
            let step = step(state, input);
            for next in &invariant {
                let mut frame = interpreter.frame(&step).unwrap();
                if frame.violated_constraint(ConstraintKind::Always).unwrap().is_some() {
                    continue;
                }
                let asked = frame.successor_values().unwrap();
                let fits = asked.iter().zip(next.iter()).all(|(a, b)| a.as_ref().is_none_or(|a| a == b));
                frame.set_next(next).unwrap();
                if fits && frame.violated_constraint(ConstraintKind::Transition).unwrap().is_none() {
                    found.insert(text(next));
                }
            }
        }
        found
    };
    let start: BTreeSet<String> = invariant
        .iter()
        .filter(|state| allowed(state, &[ConstraintKind::Always, ConstraintKind::Initial]))
        .map(|state| text(state))
        .collect();
    let mut lines = vec![format!("start {}", start.iter().cloned().collect::<Vec<_>>().join(" "))];
    let (mut seen, mut open) = (start.clone(), start);
    let mut edges = BTreeSet::new();
    while let Some(state) = open.pop_first() {
        let values = states.iter().find(|values| text(values) == state).unwrap();
        let next = successors(values);
        edges.insert(format!("{state} > {}", next.iter().cloned().collect::<Vec<_>>().join(" ")));
        open.extend(next.iter().filter(|next| !seen.contains(*next)).cloned());
        seen.extend(next);
    }
    lines.extend(edges);
    lines.join("\n")
}

/// Compares the graph of a model with the lines expected.
pub(crate) fn assert_graph(model: &str, expected: &[&str]) {
    let design = smv(model);
    assert_eq!(graph(&design.system), expected.join("\n"), "{model}");
    let explored = Explicit::explore(&design.system, &Edits::none()).unwrap();
    assert_eq!(explored.reachable(), expected.len() - 1, "{model}");
}

/// Each of these holds in all states of a model with these variables.
fn assert_invariants(variables: &str, invariants: &[&str]) {
    for invariant in invariants {
        let design = smv(&format!("MODULE main\n{variables}\nINVARSPEC {invariant}\n"));
        let explored = Explicit::explore(&design.system, &Edits::none()).unwrap();
        assert!(matches!(explored.outcome(PropertyId(0)), Outcome::Holds { .. }), "{invariant}");
        // The negation fails, so this was no empty promise.
        let design = smv(&format!("MODULE main\n{variables}\nINVARSPEC !({invariant})\n"));
        let explored = Explicit::explore(&design.system, &Edits::none()).unwrap();
        assert!(matches!(explored.outcome(PropertyId(0)), Outcome::Violated { .. }), "!({invariant})");
    }
}

#[test]
fn a_counter_counts() {
    assert_graph(
        "MODULE main VAR x : 0..2; ASSIGN init(x) := 0; next(x) := (x + 1) mod 3;",
        &["start 0", "0 > 1", "1 > 2", "2 > 0"],
    );
}

#[test]
fn a_guard_keeps_a_value_in_range() {
    assert_graph(
        "MODULE main VAR x : -1..1; ASSIGN init(x) := -1; next(x) := case x < 1 : x + 1; TRUE : x; esac;",
        &["start -1", "-1 > 0", "0 > 1", "1 > 1"],
    );
}

#[test]
fn sets_are_choices() {
    assert_graph(
        "MODULE main VAR s : {a, b, c}; ASSIGN init(s) := {a, b};
         next(s) := case s = a : {b, c}; s = b : {a, b, c}; TRUE : c; esac;",
        &["start a b", "a > b c", "b > a b c", "c > c"],
    );
    let design = smv("MODULE main VAR s : {a, b, c}; ASSIGN next(s) := {b, c};");
    let choice = design.system.signal(design.system.inputs()[0]);
    assert_eq!((choice.name.as_str(), choice.sort.to_string().as_str()), ("next(s)?", "{b, c}"));
}

#[test]
fn sets_may_hold_expressions_conditions_and_other_sets() {
    assert_graph(
        "MODULE main VAR x : 0..3; ASSIGN init(x) := 0;
         next(x) := case x = 0 : {x + 1, 3}; x = 1 : {2, {x, 3}}; TRUE : 0; esac;",
        &["start 0", "0 > 1 3", "1 > 1 2 3", "2 > 0", "3 > 0"],
    );
    // One choice decides the outer and the inner set.
    assert_graph(
        "MODULE main VAR x : 0..3; ASSIGN init(x) := 0;
         next(x) := (case x = 0 : {1, 2}; TRUE : {0, x}; esac) union 3;",
        &["start 0", "0 > 1 2 3", "1 > 0 1 3", "2 > 0 2 3", "3 > 0 3"],
    );
}

#[test]
fn a_range_is_a_set() {
    assert_graph(
        "MODULE main VAR x : 0..3; ASSIGN init(x) := 1..2; next(x) := x;",
        &["start 1 2", "1 > 1", "2 > 2"],
    );
}

#[test]
fn a_current_value_is_a_wire_or_any_value_of_a_set() {
    assert_graph(
        "MODULE main VAR x : 0..1; y : boolean; z : {p, q, r};
         ASSIGN init(x) := 0; next(x) := 1 - x; y := x = 1; z := case y : {p, q}; TRUE : r; esac;",
        &["start 0,r", "0,r > 1,p 1,q", "1,p > 0,r", "1,q > 0,r"],
    );
}

#[test]
fn what_is_never_assigned_goes_anywhere() {
    assert_graph(
        "MODULE main VAR a : boolean; b : boolean; ASSIGN init(a) := TRUE; next(b) := a; INIT !b",
        &["start T,F", "F,F > F,F T,F", "F,T > F,F T,F", "T,F > F,T T,T", "T,T > F,T T,T"],
    );
}

#[test]
fn constraints_restrict_start_states_and_transitions() {
    assert_graph(
        "MODULE main VAR x : 0..3; INIT x in {0, 1} INVAR x != 2 TRANS next(x) = x + 1 | next(x) = 0",
        &["start 0 1", "0 > 0 1", "1 > 0"],
    );
}

#[test]
fn frozen_variables_stay_and_inputs_are_of_transitions() {
    assert_graph(
        "MODULE main FROZENVAR f : boolean; IVAR i : boolean; VAR x : boolean;
         ASSIGN init(x) := FALSE; next(x) := i & f;",
        &["start F,F T,F", "F,F > F,F", "T,F > T,F T,T", "T,T > T,F T,T"],
    );
}

#[test]
fn parameters_are_other_names_even_to_assign_to() {
    assert_graph(
        "MODULE main VAR x : 0..2; m : step(x, x = 2);
         MODULE step(value, done) ASSIGN init(value) := 0; next(value) := done ? 0 : value + 1;",
        &["start 0", "0 > 1", "1 > 2", "2 > 0"],
    );
}

#[test]
fn modules_as_parameters_self_and_definitions_for_others() {
    // As in the arbiter examples: a ring in which each defines its neighbour's input.
    assert_graph(
        "MODULE main VAR c1 : cell(c2, TRUE); c2 : cell(self, FALSE); DEFINE c1.feed := feed;
         MODULE cell(above, start) VAR t : boolean; ASSIGN init(t) := start; next(t) := feed; DEFINE above.feed := t;",
        &["start T,F", "F,T > T,F", "T,F > F,T"],
    );
}

#[test]
fn isa_includes_the_items_of_another_module() {
    assert_graph(
        "MODULE main VAR p : both; MODULE both ISA one ISA two
         MODULE one VAR x : boolean; ASSIGN init(x) := FALSE; MODULE two ASSIGN next(x) := !x;",
        &["start F", "F > T", "T > F"],
    );
}

#[test]
fn one_process_runs_at_a_time() {
    // Whoever does not run keeps its value; main runs, too, and then nothing happens.
    assert_graph(
        "MODULE main VAR a : process flip; b : process flip;
         MODULE flip VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := !x;",
        &["start F,F", "F,F > F,F F,T T,F", "F,T > F,F F,T T,T", "T,F > F,F T,F T,T", "T,T > F,T T,F T,T"],
    );
}

#[test]
fn two_processes_may_assign_one_variable() {
    assert_graph(
        "MODULE main VAR v : 0..3; a : process set(v, 1); b : process set(v, 2); ASSIGN init(v) := 0;
         MODULE set(v, n) ASSIGN next(v) := n;",
        &["start 0", "0 > 0 1 2", "1 > 1 2", "2 > 1 2"],
    );
}

#[test]
fn a_submodule_of_a_process_runs_with_it_and_current_values_do_not_wait() {
    assert_graph(
        "MODULE main VAR p : process outer;
         MODULE outer VAR i : inner; w : boolean; ASSIGN w := !i.x;
         MODULE inner VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := running;",
        &["start F", "F > F T", "T > T"],
    );
    let design = smv("MODULE main VAR p : process m; q : process m; FAIRNESS running
         MODULE m VAR x : boolean; FAIRNESS running COMPASSION(x, running)");
    let kinds: Vec<bool> =
        design.system.fairness.iter().map(|fairness| matches!(fairness, Fairness::Justice(_))).collect();
    assert_eq!(kinds, [true, true, false, true, false]);
    let selector = design.system.signal(design.system.inputs()[0]);
    assert_eq!(
        (selector.name.as_str(), selector.sort.to_string().as_str()),
        ("_process_selector_", "{main, p, q}")
    );
}

#[test]
fn without_processes_main_always_runs() {
    assert_invariants("VAR b : boolean;", &["running"]);
}

#[test]
fn next_reaches_through_definitions() {
    assert_graph(
        "MODULE main VAR x : 0..2; ok : boolean; DEFINE last := x = 2; grows := next(x) > x;
         INIT x = 0 & ok TRANS next(last) -> last TRANS next(ok) = (grows & ok)",
        // From 0 and 1 the value 2 cannot be reached.
        &["start 0,T", "0,F > 0,F 1,F", "0,T > 0,F 1,T", "1,F > 0,F 1,F", "1,T > 0,F 1,F"],
    );
}

#[test]
fn next_values_may_depend_on_next_values() {
    let model = "MODULE main VAR x : boolean; y : boolean; ASSIGN init(x) := FALSE; init(y) := FALSE;
                 next(x) := next(y); next(y) := !y;";
    assert_graph(model, &["start F,F", "F,F > T,T", "T,T > F,F"]);
    assert!(smv(model).system.constraints().is_empty());
    // An open next value leaves a constraint.
    let model = "MODULE main VAR x : boolean; y : boolean; INIT x = y ASSIGN next(x) := !next(y);";
    assert_graph(
        model,
        &["start F,F T,T", "F,F > F,T T,F", "F,T > F,T T,F", "T,F > F,T T,F", "T,T > F,T T,F"],
    );
    // A current value has its next value by its definition.
    assert_graph(
        "MODULE main VAR x : boolean; w : boolean; y : boolean; ASSIGN init(x) := FALSE; init(y) := FALSE;
         w := !x; next(x) := !x; next(y) := next(w);",
        &["start F,F", "F,F > T,F", "F,T > T,F", "T,F > F,T"],
    );
}

#[test]
fn arrays_have_one_variable_for_each_element() {
    assert_graph(
        "MODULE main VAR a : array 1..2 of boolean; i : 1..2;
         ASSIGN init(a[1]) := TRUE; init(a[2]) := FALSE; init(i) := 1; next(i) := 3 - i;
         next(a[1]) := a[i]; next(a[2]) := !a[i];",
        &["start T,F,1", "F,T,1 > F,T,2", "F,T,2 > T,F,1", "T,F,1 > T,F,2", "T,F,2 > F,T,1"],
    );
    let design = smv("MODULE main VAR a : array 0..1 of array 2..3 of boolean;");
    let names: Vec<&str> =
        design.system.states().iter().map(|state| design.system.signal(*state).name.as_str()).collect();
    assert_eq!(names, ["a[0][2]", "a[0][3]", "a[1][2]", "a[1][3]"]);
}

#[test]
fn arrays_of_definitions_and_indices_that_vary_twice() {
    assert_invariants(
        "VAR i : 0..1; j : 0..1; DEFINE t := [3, i + 5]; ASSIGN i := 1; j := 0;",
        &["t[0] = 3", "t[1] = 6", "t[i] = 6", "t[j] = 3"],
    );
    assert_invariants(
        "VAR m : array 0..1 of array 0..1 of 0..9; i : 0..1; j : 0..1;
         ASSIGN m[0][0] := 1; m[0][1] := 2; m[1][0] := 3; m[1][1] := 4; i := 1; j := 0;",
        &["m[i][j] = 3", "m[j][i] = 2", "m[i][1] = 4", "m[1][j] = 3"],
    );
}

#[test]
fn integers_are_exact() {
    assert_invariants(
        "FROZENVAR x : -8..7; y : {1, 5, 9}; VAR b : boolean;",
        &[
            "(x / 3) * 3 + x mod 3 = x",
            "x < 0 -> x mod 3 <= 0",
            "x >= 0 -> x mod 3 >= 0",
            "x mod 3 > -3 & x mod 3 < 3",
            "x mod -3 = x mod 3",
            "-7 / 2 = -3 & -7 mod 2 = -1 & 7 / -2 = -3 & 7 mod -2 = 1",
            "x = -8 -> x / 5 = -1",
            "x * x >= 0 & x * x <= 64",
            "-x - x * 2 + 3 * x = 0",
            "y + 1 in {2, 6, 10}",
            "y - 1 != 1",
            "(y > 1) = (y in {5, 9})",
            "y * y in {1, 25, 81}",
            "x in -8..7",
            "abs(x) >= 0 & max(x, 3) >= 3 & min(x, 3) <= 3",
            "count(b, !b, x > 8) = 1",
            "toint(b) in {0, 1}",
            "(b ? 3 : x) <= 7",
            "x <= 7 & 7 >= x & !(x > 7) & !(x < -8)",
        ],
    );
}

#[test]
fn words_wrap_around() {
    assert_invariants(
        "FROZENVAR w : unsigned word[3]; s : signed word[3];",
        &[
            "0ud4_9 + 0ud4_9 = 0ud4_2",
            "0sd4_7 + 0sd4_1 = -0sd4_8",
            "w + 0ud3_1 - 0ud3_1 = w",
            "-w + w = 0ud3_0",
            "w[2:1] :: w[0:0] = w",
            "(w << 1)[0:0] = 0ub1_0 & (w >> 1)[2:2] = 0ub1_0",
            "(s >> 1)[1:1] = s[2:2]",
            "(w << 3) = 0ud3_0",
            "extend(w, 2)[4:3] = 0ub2_00",
            "toint(extend(s, 2)) = toint(s)",
            "toint(w) >= 0 & toint(w) <= 7 & toint(s) >= -4 & toint(s) <= 3",
            "signed(unsigned(s)) = s",
            "resize(w, 2) = w[1:0] & resize(s, 5) = extend(s, 2)",
            "(w & !w) = 0ub3_000 & (w | !w) = 0ub3_111 & (w xor w) = 0ub3_000 & (w xnor w) = 0ub3_111",
            "bool(w[0:0]) <-> (w mod 0ud3_2 = 0ud3_1)",
            "word1(w = w) = 0ub1_1",
            "uwconst(5, 3) = 0ub3_101 & swconst(-1, 3) = -0sd3_1",
            "0ud3_7 > 0ud3_1 & -0sd3_1 < 0sd3_1",
            "sizeof(w :: s) = 6",
            "(w / 0ud3_3) * 0ud3_3 + w mod 0ud3_3 = w",
        ],
    );
}

#[test]
fn enumerations_compare_through_their_common_values() {
    assert_invariants(
        "VAR a : {x, y}; b : {y, z, 3, TRUE}; r : 0..5; q : 3..9; t : boolean;
         ASSIGN a := y; b := a; r := 4; q := r; t := q = r;",
        &[
            "a = b",
            "b = y",
            "b != z",
            "r = q",
            "t",
            "q + r = 8",
            "a in {y, z}",
            "!(a = z)",
            "b != 3",
            "b != TRUE",
        ],
    );
}

#[test]
fn zero_and_one_are_truth_values_where_these_are_expected() {
    let model = "MODULE main VAR b : boolean; n : 0..5; ASSIGN init(b) := 0; next(b) := {0, 1};
                 n := case 1 : b + b; esac; INVARSPEC b = 1 -> n = 2 INVARSPEC 1 INVARSPEC n in {0, 2}";
    let design = smv(model);
    assert_eq!(design.warnings.len(), 1);
    assert_eq!(
        design.warnings[0].message,
        "0 and 1 are taken as FALSE and TRUE, here and elsewhere in this file"
    );
    let explored = Explicit::explore(&design.system, &Edits::none()).unwrap();
    assert_eq!(explored.reachable(), 2);
    assert!((0..3).all(|at| matches!(explored.outcome(PropertyId(at)), Outcome::Holds { .. })));
}

#[test]
fn lists_of_branches_without_true_may_be_exhaustive() {
    assert_graph(
        "MODULE main VAR x : 0..2; b : boolean; DEFINE low := x < 2;
         ASSIGN init(x) := 0; b := x = 1; next(x) := case b : 2; low & !b : 1; !low : 0; esac;",
        &["start 0", "0 > 1", "1 > 2", "2 > 0"],
    );
}

#[test]
fn elements_are_what_the_user_wrote() {
    let design = smv("MODULE main
VAR x : boolean; y : boolean; z : boolean; s : sub;
ASSIGN init(x) := TRUE; next(x) := y;
  y := {TRUE, x};
  z := x;
DEFINE d := x & y;
  limit := 3;
INIT x TRANS next(y) INVAR d
MODULE sub VAR v : boolean; ASSIGN init(v) := {TRUE, FALSE}; INVAR v");
    let elements: Vec<(&str, ElementKind)> =
        design.system.elements().iter().map(|element| (element.name.as_str(), element.kind)).collect();
    use ElementKind as K;
    assert_eq!(
        elements,
        [
            ("y", K::Equation),
            ("d", K::Equation),
            ("z", K::Equation),
            ("init(x)", K::Init),
            ("x", K::Register),
            ("init(s.v)", K::Init),
            ("INIT1", K::Assumption),
            ("TRANS1", K::Assumption),
            ("INVAR1", K::Assumption),
            ("s.INVAR1", K::Assumption),
        ]
    );
    let span = design.system.elements()[4].span().unwrap();
    assert_eq!(span.region, Region::Text { line: 3, column: 25, end_line: 3, end_column: 37 });
}

#[test]
fn specifications_are_in_the_order_of_nusmv_and_named() {
    let design = smv("MODULE main VAR x : boolean; a : sub(x); b : sub(!x); SPEC AG x SPEC NAME top := EF !x
         MODULE sub(p) SPEC EX p INVARSPEC p LTLSPEC G p");
    let names: Vec<&str> = design.system.properties().iter().map(|property| property.name.as_str()).collect();
    let below = ["a.SPEC1", "a.INVARSPEC1", "a.LTLSPEC1", "b.SPEC1", "b.INVARSPEC1", "b.LTLSPEC1"];
    assert_eq!(names, [&below[..], &["SPEC1", "top"]].concat());
    assert!(design.warnings.is_empty());
}

/// The text of an LTLSPEC over p, q and r, as it was understood.
fn linear(formula: &str) -> String {
    let design =
        smv(&format!("MODULE main VAR p : boolean; q : boolean; r : boolean; n : 0..3; LTLSPEC {formula}"));
    match &design.system.property(PropertyId(0)).kind {
        PropertyKind::Ltl(formula) => design.system.show_ltl(formula).to_string(),
        kind => panic!("{kind:?}"),
    }
}

#[test]
fn formulas_of_linear_time_are_grouped_as_nusmv_does() {
    for (written, meant) in [
        ("G p & q", "(G p & q)"),
        ("G F p", "G F p"),
        ("! X p", "!X p"),
        ("p U q U r", "((p U q) U r)"),
        ("p U q & r", "((p U q) & r)"),
        ("X p U q", "(X p U q)"),
        ("p S q T r", "((p S q) T r)"),
        ("p U !q V r", "((p U !q) V r)"),
        ("G p -> F q", "(!G p | F q)"),
        ("p -> q U r", "(!p | (q U r))"),
        ("Y Z p", "Y Z p"),
        ("O p | H q", "(O p | H q)"),
        ("F [1, 2] p", "X (p | X p)"),
        ("G [0, 1] p", "(p & X p)"),
        ("O [0, 1] p", "(p | Y p)"),
        ("H [1, 2] p", "Z (p & Z p)"),
        ("(p <-> X q)", "((p & X q) | (!p & !X q))"),
        ("p R q", "(p V q)"),
    ] {
        assert_eq!(linear(written), meant, "{written}");
    }
    assert_eq!(linear("G n = 2 U p"), linear("(G (n = 2)) U p"));
    assert_eq!(linear("G n = 2 -> F p"), linear("(G (n = 2)) -> (F p)"));
}

#[test]
fn formulas_become_ctl() {
    let design = smv(
        "MODULE main VAR p : boolean; q : boolean; SPEC AG (p & !q -> AF q) SPEC E [p U q] SPEC EBF 1..2 p
         SPEC A [p BU 0..1 q] SPEC !(EG p <-> q) SPEC A [p R q] SPEC E [p R q]",
    );
    // The least and the greatest part without temporal operators is one atom.
    let shape = |position: u32| match &design.system.property(PropertyId(position)).kind {
        PropertyKind::Ctl(formula) => plain(formula),
        other => panic!("{other:?}"),
    };
    let (all, exists) = (Quantifier::All, Quantifier::Exists);
    let bx = |formula: &Ctl| Box::new(formula.clone());
    let p = Ctl::Atom(propcov_ir::ExprId(0));
    let eventually = Ctl::Until(all, bx(&p), bx(&p));
    let implication = Ctl::Or(Box::new(Ctl::Not(bx(&p))), Box::new(eventually));
    assert_eq!(shape(0), Ctl::Release(all, bx(&p), Box::new(implication)));
    assert_eq!(shape(1), Ctl::Until(exists, bx(&p), bx(&p)));
    let next = |quantifier, formula: Ctl| Ctl::Next(quantifier, Box::new(formula));
    let within = Ctl::Or(bx(&p), Box::new(next(exists, p.clone())));
    assert_eq!(shape(2), next(exists, within));
    let step = Ctl::And(bx(&p), Box::new(next(all, p.clone())));
    assert_eq!(shape(3), Ctl::Or(bx(&p), Box::new(step)));
    let globally = Ctl::Release(exists, bx(&p), bx(&p));
    let both = Ctl::And(bx(&globally), bx(&p));
    let neither = Ctl::And(Box::new(Ctl::Not(bx(&globally))), Box::new(Ctl::Not(bx(&p))));
    assert_eq!(shape(4), Ctl::Not(Box::new(Ctl::Or(Box::new(both), Box::new(neither)))));
    assert_eq!(shape(5), Ctl::Release(all, bx(&p), bx(&p)));
    assert_eq!(shape(6), Ctl::Release(exists, bx(&p), bx(&p)));
}

/// The formula with all atoms the same.
fn plain(formula: &Ctl) -> Ctl {
    let inner = |formula: &Ctl| Box::new(plain(formula));
    match formula {
        Ctl::Atom(_) => Ctl::Atom(propcov_ir::ExprId(0)),
        Ctl::Not(a) => Ctl::Not(inner(a)),
        Ctl::Next(quantifier, a) => Ctl::Next(*quantifier, inner(a)),
        Ctl::And(a, b) => Ctl::And(inner(a), inner(b)),
        Ctl::Or(a, b) => Ctl::Or(inner(a), inner(b)),
        Ctl::Until(quantifier, a, b) => Ctl::Until(*quantifier, inner(a), inner(b)),
        Ctl::Release(quantifier, a, b) => Ctl::Release(*quantifier, inner(a), inner(b)),
    }
}

#[test]
fn what_cannot_be_checked_is_left_out_with_a_warning() {
    let variables: String = (0..20).map(|index| format!("v{index} : boolean; ")).collect();
    let parity: Vec<String> = (0..20).map(|index| format!("v{index}")).collect();
    let model = format!(
        "MODULE main VAR x : 0..3; {variables} ASSIGN init(x) := 0;
         next(x) := case {} : x + 1; TRUE : 0; esac;",
        parity.join(" xor ")
    );
    let design = smv(&model);
    assert_eq!(design.warnings.len(), 1, "{:?}", design.warnings);
    assert_eq!(
        design.warnings[0].message,
        "it is not known whether this is always a value of x : 0..3; runs where it is not are left out"
    );
    assert_eq!(design.system.constraints()[0].kind, ConstraintKind::Transition);
}

#[test]
fn long_chains_of_definitions_are_no_problem() {
    let mut model = "MODULE main VAR b : boolean; DEFINE d0 := b;\n".to_owned();
    for index in (1..20_000).rev() {
        model += &format!("d{index} := !d{};\n", index - 1);
    }
    model += "TRANS next(d19999) INVARSPEC d19999 = !b";
    let design = smv(&model);
    assert_eq!(design.system.wires().len(), 20_000);
}

#[test]
fn models_without_a_meaning_are_explained() {
    let cases: &[(&str, &str)] = &[
        ("no main", "MODULE other VAR x : boolean;"),
        ("main with parameters", "MODULE main(p) VAR x : boolean;"),
        ("two modules of one name", "MODULE main VAR x : boolean;\nMODULE a\nMODULE a"),
        ("a module that does not exist", "MODULE main VAR a : missing;"),
        ("a module within itself", "MODULE main VAR a : m;\nMODULE m VAR b : n;\nMODULE n VAR c : m;"),
        ("a module that includes itself", "MODULE main ISA m\nMODULE m ISA m"),
        ("too few arguments", "MODULE main VAR a : m(TRUE);\nMODULE m(p, q)"),
        ("an instance as an input", "MODULE main IVAR a : m;\nMODULE m"),
        ("a name that is not defined", "MODULE main VAR x : boolean;\nASSIGN next(x) := y;"),
        ("a name that is not defined in a submodule", "MODULE main VAR a : m;\nINVAR a.x\nMODULE m"),
        ("a part of what has no parts", "MODULE main VAR x : boolean;\nINVAR x.y"),
        ("a variable declared twice", "MODULE main VAR x : boolean;\nVAR x : 0..3;"),
        ("a definition of a variable", "MODULE main VAR x : boolean;\nDEFINE x := TRUE;"),
        (
            "a definition for a submodule that has one",
            "MODULE main VAR a : m;\nDEFINE a.d := TRUE;\nMODULE m DEFINE d := FALSE;",
        ),
        ("a variable named as a parameter", "MODULE main VAR a : m(TRUE);\nMODULE m(p) VAR p : boolean;"),
        ("definitions in a circle", "MODULE main VAR x : boolean;\nDEFINE a := b & x; b := !c;\nc := a;"),
        (
            "current values in a circle",
            "MODULE main VAR x : boolean; y : boolean;\nASSIGN x := !y;\ny := {x, TRUE};",
        ),
        (
            "initial values in a circle",
            "MODULE main VAR x : boolean; y : boolean;\nASSIGN init(x) := y; init(y) := x;",
        ),
        (
            "next values in a circle",
            "MODULE main VAR x : boolean; y : boolean;\nASSIGN next(x) := next(y); next(y) := next(x);",
        ),
        ("parameters in a circle", "MODULE main VAR a : m(b.p); b : m(a.p);\nMODULE m(p) INVAR p"),
        (
            "an array of definitions that reads itself",
            "MODULE main VAR p : 0..1;\nDEFINE t := [1, t[p] + 1];\nINVAR t[p] = 1",
        ),
        ("an element that is itself", "MODULE main VAR p : 0..1;\nDEFINE t := [t[0], 1];\nINVAR t[0] = 1"),
        ("two initial values", "MODULE main VAR x : boolean;\nASSIGN init(x) := TRUE;\ninit(x) := FALSE;"),
        ("two next values", "MODULE main VAR x : boolean;\nASSIGN next(x) := TRUE;\nnext(x) := FALSE;"),
        (
            "two next values through a parameter",
            "MODULE main VAR x : boolean; a : m(x); b : m(x);\nMODULE m(p) ASSIGN next(p) := TRUE;",
        ),
        ("a current and a next value", "MODULE main VAR x : boolean;\nASSIGN next(x) := TRUE;\nx := FALSE;"),
        (
            "a next value after a current one",
            "MODULE main VAR x : boolean;\nASSIGN x := TRUE; next(x) := FALSE;",
        ),
        ("an input assigned", "MODULE main IVAR x : boolean;\nASSIGN init(x) := TRUE;"),
        ("a frozen variable that moves", "MODULE main FROZENVAR x : boolean;\nASSIGN next(x) := !x;"),
        ("a definition assigned", "MODULE main VAR x : boolean; DEFINE d := x;\nASSIGN next(d) := TRUE;"),
        (
            "an expression assigned",
            "MODULE main VAR x : boolean; a : m(!x);\nMODULE m(p) ASSIGN next(p) := TRUE;",
        ),
        ("a symbol for a truth value", "MODULE main VAR x : boolean; s : {a, b};\nASSIGN next(x) := a;"),
        ("a symbol of another type", "MODULE main VAR s : {a, b}; t : {c};\nASSIGN next(s) := c;"),
        ("a value out of range", "MODULE main VAR x : 0..3;\nASSIGN next(x) := x + 1;"),
        ("a constant out of range", "MODULE main VAR x : 0..3;\nASSIGN init(x) := 4;"),
        ("a set out of range", "MODULE main VAR x : 0..3; y : 2..3;\nASSIGN next(x) := {0, y + 1};"),
        (
            "a branch out of range",
            "MODULE main VAR x : 0..3; b : boolean;\nASSIGN next(x) := case b : x; x < 3 : x + 2; TRUE : 0; esac;",
        ),
        ("a range without a common value", "MODULE main VAR x : 0..3; y : 5..7;\nASSIGN next(x) := y;"),
        ("another range", "MODULE main VAR x : 0..3; y : 2..5;\nASSIGN x := y;"),
        ("a case without a branch", "MODULE main VAR x : 0..3;\nASSIGN next(x) := case x < 3 : 0; esac;"),
        ("arithmetic on symbols", "MODULE main VAR s : {a, b};\nINVAR s + 1 = 2"),
        ("an order of symbols", "MODULE main VAR s : {a, b};\nINVAR s < b"),
        ("a number as a condition", "MODULE main VAR x : 0..3;\nINVAR x"),
        ("a truth value compared with a symbol", "MODULE main VAR x : boolean; s : {a, b};\nINVAR x = a"),
        ("a set as a condition", "MODULE main VAR x : 0..3;\nINVAR x = {1, 2}"),
        ("division by zero", "MODULE main VAR x : 0..3;\nINVAR 3 / 0 = 1"),
        ("a divisor that may be zero", "MODULE main VAR x : 0..3;\nINVAR 3 mod x = 1"),
        ("words of two widths", "MODULE main VAR v : word[3]; w : word[4];\nINVAR v + w = v"),
        ("a word and a number", "MODULE main VAR v : word[3];\nINVAR v = 3"),
        (
            "a signed and an unsigned word",
            "MODULE main VAR v : word[3]; w : signed word[3];\nASSIGN next(v) := w;",
        ),
        ("bits that a word has not", "MODULE main VAR v : word[3];\nINVAR v[3:1] = 0ub3_000"),
        ("a shift too far", "MODULE main VAR v : word[3];\nINVAR v << 4 = v"),
        ("a word of no bits", "MODULE main VAR v : word[0];"),
        ("an index out of range", "MODULE main VAR a : array 1..3 of boolean;\nINVAR a[0]"),
        (
            "an index that may be out of range",
            "MODULE main VAR a : array 1..3 of boolean; i : 0..3;\nINVAR a[i]",
        ),
        ("an index of no array", "MODULE main VAR a : boolean;\nINVAR a[0]"),
        ("an array as a value", "MODULE main VAR a : array 1..3 of boolean;\nINVAR a"),
        ("an array assigned", "MODULE main VAR a : array 1..3 of boolean;\nASSIGN next(a) := TRUE;"),
        ("an instance as a value", "MODULE main VAR a : m;\nINVAR a\nMODULE m"),
        ("an empty range", "MODULE main VAR x : 3..1;"),
        ("a range that is no constant", "MODULE main VAR x : 0..3; y : 0..x;"),
        ("a value listed twice", "MODULE main VAR x : {a, b, a};"),
        ("a type of time", "MODULE main VAR x : clock;"),
        ("a range too large", "MODULE main VAR x : 0..1000000;"),
        ("next of an input", "MODULE main IVAR i : boolean; VAR x : boolean;\nTRANS next(i) = x"),
        ("next within next", "MODULE main VAR x : boolean;\nTRANS next(next(x))"),
        ("next in INVAR", "MODULE main VAR x : boolean;\nINVAR next(x)"),
        ("next in an initial value", "MODULE main VAR x : boolean;\nASSIGN init(x) := next(x);"),
        ("next in a specification", "MODULE main VAR x : boolean;\nSPEC AG next(x)"),
        ("an input in INIT", "MODULE main IVAR i : boolean;\nINIT i"),
        ("an input in a current value", "MODULE main IVAR i : boolean; VAR x : boolean;\nASSIGN x := i;"),
        ("an input in a specification", "MODULE main IVAR i : boolean;\nSPEC AG i"),
        ("running in a specification", "MODULE main VAR p : process m;\nSPEC AG p.running\nMODULE m"),
        ("a temporal operator in INVAR", "MODULE main VAR x : boolean;\nINVAR AG x"),
        ("a temporal operator as a number", "MODULE main VAR x : boolean;\nSPEC (AG x) + 1 = 2"),
        ("bounds upside down", "MODULE main VAR x : boolean;\nSPEC EBF 3..2 x"),
        ("bounds too large", "MODULE main VAR x : boolean;\nSPEC ABG 0..100000 x"),
        ("too many arguments of a function", "MODULE main VAR x : boolean;\nINVAR bool(x, x)"),
        ("integers too large", "MODULE main VAR x : 0..3;\nINVAR x = 99999999999999999999"),
        ("integers that grow too large", "MODULE main VAR x : 0..65535;\nINVAR x * x * x * x = 0"),
    ];
    let mut report = String::new();
    for (title, model) in cases {
        match read("test.smv", model.as_bytes()) {
            Err(error) => report += &format!("{title}\n{}\n", show(&error)),
            Ok(_) => panic!("{title}: no error"),
        }
    }
    insta::assert_snapshot!(report);
}

#[test]
fn a_few_lines_cannot_ask_for_everything() {
    let mut model = "MODULE main VAR a : m0; b : m0;\n".to_owned();
    for index in 0..40 {
        model += &format!("MODULE m{index} VAR a : m{}; b : m{};\n", index + 1, index + 1);
    }
    model += "MODULE m40 VAR x : boolean;";
    let error = read("test.smv", model.as_bytes()).unwrap_err();
    assert_eq!(error.message, "the instances of all modules have more than 1048576 entries");
    let nested: String = (0..300).map(|index| format!("MODULE m{index} VAR a : m{};\n", index + 1)).collect();
    let error =
        read("test.smv", format!("MODULE main VAR a : m0;\n{nested}MODULE m300").as_bytes()).unwrap_err();
    assert_eq!(error.message, "instances are nested more than 200 deep");
}

#[test]
fn doubling_parameters_do_not_double_the_work() {
    let mut model = "MODULE main VAR b : boolean; a : m0(b);\n".to_owned();
    for index in 0..60 {
        model += &format!("MODULE m{index}(p) VAR a : m{}(p xor p);\n", index + 1);
    }
    model += "MODULE m60(p) INVAR !p";
    smv(&model);
}

#[test]
fn deep_parameters_are_refused_before_the_stack_ends() {
    let deep = |operator: &str, depth: usize| format!("{}p{}", operator.repeat(depth), ")".repeat(depth));
    let mut model = "MODULE main VAR b : boolean; a : m0(b);\n".to_owned();
    for index in 0..100 {
        model += &format!("MODULE m{index}(p) VAR a : m{}({});\n", index + 1, deep("!(", 40));
    }
    model += "MODULE m100(p) INVAR !p";
    let error = read("test.smv", model.as_bytes()).unwrap_err();
    assert_eq!(error.message, "this expression is nested too deep, parameters included");
    // As deep as the parser allows.
    let model = format!("MODULE main VAR p : boolean;\nSPEC {}", deep("EX (", 200));
    assert_eq!(smv(&model).system.properties().len(), 1);
    let model = format!("MODULE main VAR p : boolean;\nINVAR {}", deep("(p ? p : ", 300));
    smv(&model);
}

#[test]
fn an_invariant_may_speak_of_inputs() {
    let design =
        smv("MODULE main VAR x : boolean; IVAR i : boolean; ASSIGN init(x) := FALSE; next(x) := i & x;
         INVARSPEC i -> !x INVARSPEC i -> x");
    let explicit = Explicit::explore(&design.system, &Edits::none()).expect("small");
    assert!(matches!(explicit.outcome(PropertyId(0)), Outcome::Holds { .. }));
    assert_eq!(explicit.outcome(PropertyId(1)), Outcome::Violated { depth: 0 });
}
