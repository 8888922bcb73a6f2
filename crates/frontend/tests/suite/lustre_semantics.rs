//! The meaning of Lustre: streams that were computed by hand.

use propcov_frontend::{lustre, read};
use propcov_ir::{
    Bits, ConstraintKind, Edits, ElementKind, Interpreter, PropertyKind, SignalKind, Sort, Step, System,
    Value,
};
use std::collections::BTreeMap;

pub(crate) fn system(text: &str) -> System {
    match read("test.lus", text.as_bytes()) {
        Ok(design) => {
            assert_eq!(design.system.validate(), Ok(()));
            design.system
        }
        Err(error) => panic!("{error}\n{text}"),
    }
}

fn parsed(text: &str, sort: &Sort) -> Value {
    match sort {
        Sort::BitVec(1) => Value::bool(text == "true" || text == "1"),
        Sort::BitVec(width) => Value::Bits(Bits::from_signed(*width, &text.parse().expect("a number"))),
        Sort::Int => Value::Int(text.parse().expect("an int")),
        Sort::Real => Value::Real(text.parse().expect("a real")),
        Sort::Enum(names) => {
            let at = names.variants.iter().position(|name| name == text).expect("a variant");
            Value::Enum(names.clone(), at as u32)
        }
        Sort::Array(_) => Value::zero(sort),
    }
}

/// A run: what each signal is in each step. States without initial value start at zero unless `start` says otherwise.
pub(crate) struct Run {
    streams: BTreeMap<String, Vec<String>>,
    /// In which steps all constraints hold.
    pub(crate) allowed: Vec<bool>,
}

pub(crate) fn run(system: &System, inputs: &[(&str, &str)], start: &[(&str, &str)], steps: usize) -> Run {
    let edits = Edits::none();
    let interpreter = Interpreter::new(system, &edits).expect("no loops");
    let given = |list: &[(&str, &str)], name: &str, at: usize, sort: &Sort| {
        let found = list.iter().find(|(given, _)| *given == name);
        found.map(|(_, text)| parsed(text.split_whitespace().nth(at).expect("a value"), sort))
    };
    let mut states: Vec<Value> = Vec::new();
    for state in system.states() {
        let signal = system.signal(*state);
        let value = given(start, &signal.name, 0, &signal.sort);
        states.push(value.unwrap_or_else(|| Value::zero(&signal.sort)));
    }
    let mut run = Run { streams: BTreeMap::new(), allowed: Vec::new() };
    for at in 0..steps {
        let values = system.inputs().iter().map(|input| {
            let signal = system.signal(*input);
            // What only the translation reads may be anything.
            let made_up = signal.origin == propcov_ir::Origin::Choice;
            given(inputs, &signal.name, at, &signal.sort)
                .or_else(|| made_up.then(|| Value::zero(&signal.sort)))
                .unwrap_or_else(|| panic!("no input {}", signal.name))
        });
        let mut step = Step { inputs: values.collect(), states: states.clone(), ..Step::default() };
        if at == 0 {
            interpreter.start(&mut step, |_| true).expect("fits");
        }
        let mut frame = interpreter.frame(&step).expect("fits");
        for (position, signal) in system.signals().iter().enumerate() {
            let value = frame.signal(propcov_ir::SignalId(position as u32)).expect("known").to_string();
            run.streams.entry(signal.name.clone()).or_default().push(value);
        }
        let mut allowed = frame.violated_constraint(ConstraintKind::Always).expect("fits").is_none();
        if at == 0 {
            allowed &= frame.violated_constraint(ConstraintKind::Initial).expect("fits").is_none();
        }
        run.allowed.push(allowed);
        states =
            frame.successor_values().expect("fits").into_iter().map(|value| value.expect("a next")).collect();
    }
    run
}

impl Run {
    pub(crate) fn of(&self, name: &str) -> String {
        self.streams.get(name).unwrap_or_else(|| panic!("no {name} in {:?}", self.streams.keys())).join(" ")
    }
}

/// Runs a node and compares streams.
pub(crate) fn check(text: &str, inputs: &[(&str, &str)], expected: &[(&str, &str)]) {
    let system = system(text);
    let steps = expected[0].1.split_whitespace().count();
    let run = run(&system, inputs, &[], steps);
    for (name, stream) in expected {
        assert_eq!(run.of(name), *stream, "{name}\n{text}");
    }
}

#[test]
fn operators_of_ints_are_those_of_arithmetic_and_quotients_are_euclidean() {
    check(
        "node main(x, y: int) returns (sum, difference, product, negated, quotient, rest, by3, rest3: int);
         let sum = x + y; difference = x - y; product = x * 3; negated = -x;
             quotient = x div 2; rest = x mod 2; by3 = (x + y) div 3; rest3 = (x - y) mod 3; tel",
        &[("x", "7 -7 -1 0"), ("y", "2 -4 5 -9")],
        &[
            ("sum", "9 -11 4 -9"),
            ("difference", "5 -3 -6 9"),
            ("product", "21 -21 -3 0"),
            ("negated", "-7 7 1 0"),
            ("quotient", "3 -4 -1 0"),
            ("rest", "1 1 1 0"),
            ("by3", "3 -4 1 -3"),
            ("rest3", "2 0 0 0"),
        ],
    );
}

#[test]
fn operators_of_reals_are_exact() {
    check(
        "node main(x: real; n: int) returns (sum, third, product, cast: real; down, cut: int; less: bool);
         let sum = x + 0.1; third = x / 3.0; product = x * 2.5; cast = real(n) / 2.0; down = floor(x);
             cut = floor(real(n) / 2.0); less = x < 0.5; tel",
        &[("x", "1/2 -7/4 3"), ("n", "3 -3 0")],
        &[
            ("sum", "3/5 -33/20 31/10"),
            ("third", "1/6 -7/12 1"),
            ("product", "5/4 -35/8 15/2"),
            ("cast", "3/2 -3/2 0"),
            ("down", "0 -2 3"),
            ("cut", "1 -2 0"),
            ("less", "0 1 0"),
        ],
    );
}

#[test]
fn comparisons_and_connectives() {
    check(
        "node main(a, b: bool; x, y: int) returns
           (conj, disj, ex, imp, eq, neq, neg, lt, le, gt, ge, same, other, chosen: bool);
         let conj = a and b; disj = a or b; ex = a xor b; imp = a => b; eq = (a = b); neq = (a <> b); neg = not a;
             lt = x < y; le = x <= y; gt = x > y; ge = x >= y; same = (x = y); other = (x <> y);
             chosen = if a then b else not b; tel",
        &[("a", "0 0 1 1"), ("b", "0 1 0 1"), ("x", "1 2 3 -1"), ("y", "1 3 2 0")],
        &[
            ("conj", "0 0 0 1"),
            ("disj", "0 1 1 1"),
            ("ex", "0 1 1 0"),
            ("imp", "1 1 0 1"),
            ("eq", "1 0 0 1"),
            ("neq", "0 1 1 0"),
            ("neg", "1 1 0 0"),
            ("lt", "0 1 0 1"),
            ("le", "1 1 0 1"),
            ("gt", "0 0 1 0"),
            ("ge", "1 0 1 0"),
            ("same", "1 0 0 0"),
            ("other", "0 1 1 1"),
            ("chosen", "1 0 0 1"),
        ],
    );
}

#[test]
fn pre_is_the_value_of_the_step_before_and_arrow_chooses_in_the_first() {
    check(
        "node main(x: int) returns (n, last, two, summed, nested: int);
         let n = 0 -> pre n + x; last = x -> pre x; two = 0 -> (0 -> pre (pre x));
             summed = 0 -> pre (x + n); nested = 0 -> pre (1 -> pre x); tel",
        &[("x", "5 7 -1 2 0")],
        &[
            ("n", "0 7 6 8 8"),
            ("last", "5 5 7 -1 2"),
            ("two", "0 0 5 7 -1"),
            ("summed", "0 5 14 5 10"),
            ("nested", "0 1 5 7 -1"),
        ],
    );
}

#[test]
fn an_unguarded_pre_is_free_in_the_first_step_and_distributes_over_operators() {
    let system = system(
        "node main(x: int; b: bool) returns (y, z, c: int; d: bool; deep: int);
         let y = pre x; z = pre (x + 2 * x); c = pre 3; d = pre (b or not b); deep = pre pre x; tel",
    );
    let names: Vec<&str> = system.states().iter().map(|state| system.signal(*state).name.as_str()).collect();
    assert_eq!(names, ["pre x", "pre b", "pre ~flatten0"]);
    for state in system.states() {
        let SignalKind::State { init, next } = system.signal(*state).kind else { unreachable!("a state") };
        assert!(init.is_none() && next.is_some());
    }
    let start = [("pre x", "10"), ("pre b", "1"), ("pre ~flatten0", "-4")];
    let run = run(&system, &[("x", "1 2 3"), ("b", "0 1 0")], &start, 3);
    assert_eq!(run.of("y"), "10 1 2");
    assert_eq!(run.of("z"), "30 3 6");
    assert_eq!(run.of("c"), "3 3 3");
    assert_eq!(run.of("d"), "1 1 1");
    assert_eq!(run.of("deep"), "-4 10 1");
}

#[test]
fn first_is_a_state_only_where_it_is_needed() {
    let without = system("node main(x: int) returns (y: int); let y = x; tel");
    assert!(without.states().is_empty());
    let with = system("node main(x: int) returns (y, z: int); let y = 0 -> x; z = 1 -> pre y; tel");
    let names: Vec<&str> = with.states().iter().map(|state| with.signal(*state).name.as_str()).collect();
    assert_eq!(names, ["%first", "pre y"]);
    let run = run(&with, &[("x", "8 9 7")], &[], 3);
    assert_eq!(run.of("%first"), "1 0 0");
    assert_eq!((run.of("y"), run.of("z")), ("0 9 7".to_owned(), "1 0 9".to_owned()));
}

#[test]
fn calls_are_inlined_breadth_first_with_jkinds_names_and_equal_calls_are_merged() {
    let text = "
        node add(a, b: int) returns (c: int); let c = a + b; tel
        node count(step: int) returns (n: int); var old: int; let old = 0 -> pre n; n = add(old, step); tel
        node main(x: int) returns (p, q, r, s: int);
        let p = count(x) + count(x); q = count(x + 1); r = add(add(x, 1), 2); s = pre count(x); tel";
    let system = system(text);
    let elements: Vec<&str> = system.elements().iter().map(|element| element.name.as_str()).collect();
    assert_eq!(
        elements,
        [
            "p",
            "q",
            "r",
            "s",
            "count~0.step",
            "count~0.n",
            "count~0.old",
            "count~1.step",
            "count~1.n",
            "count~1.old",
            "add~0.a",
            "add~0.b",
            "add~0.c",
            "count~0.add~0.a",
            "count~0.add~0.b",
            "count~0.add~0.c",
            "count~1.add~0.a",
            "count~1.add~0.b",
            "count~1.add~0.c",
            "add~1.a",
            "add~1.b",
            "add~1.c",
        ]
    );
    let run = run(&system, &[("x", "1 2 3")], &[], 3);
    assert_eq!(run.of("p"), "2 6 12");
    assert_eq!(run.of("q"), "2 5 9");
    assert_eq!(run.of("r"), "4 5 6");
    assert_eq!(run.of("s"), "0 1 3");
    assert_eq!(run.of("add~0.a"), run.of("add~1.c"));
}

#[test]
fn calls_in_assertions_are_inlined_first() {
    let text = "
        node id(a: bool) returns (b: bool); let b = a; tel
        node main(x, y: bool) returns (p: bool); let p = id(x); assert id(y); assert x or y; tel";
    let system = system(text);
    let elements: Vec<&str> = system.elements().iter().map(|element| element.name.as_str()).collect();
    assert_eq!(elements, ["p", "id~0.a", "id~0.b", "id~1.a", "id~1.b", "assert~0", "assert~1"]);
    let kinds: Vec<ElementKind> = system.elements().iter().map(|element| element.kind).collect();
    assert_eq!(kinds[5..], [ElementKind::Assumption; 2]);
    let run = run(&system, &[("x", "1 0 1"), ("y", "1 1 0")], &[], 3);
    assert_eq!(run.of("id~0.b"), "1 1 0");
    assert_eq!(run.of("id~1.b"), "1 0 1");
    assert_eq!(run.allowed, [true, true, false]);
}

#[test]
fn assertions_of_called_nodes_are_ignored_with_a_warning_and_their_properties_are_not() {
    let text = "
        node f(a: int) returns (b: int); var ok: bool; let b = a; ok = b = a; assert a > 0; --%PROPERTY ok;
        tel
        node main(x: int) returns (p: bool); let p = f(x) = f(x + 1); --%PROPERTY p;
        tel";
    let design = read("test.lus", text.as_bytes()).expect("fits");
    assert!(design.system.constraints().is_empty());
    let names: Vec<&str> = design.system.properties().iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names, ["p", "f~0.ok", "f~1.ok"]);
    let ignored = design.warnings.iter().filter(|warning| warning.message.contains("assertions of `f`"));
    assert_eq!(ignored.count(), 1);
}

#[test]
fn tuples_are_assigned_and_compared_part_by_part() {
    check(
        "node two(a: int) returns (b, c: int); let b = a + 1; c = a * 2; tel
         node main(x: int; on: bool) returns (p, q, r, s: int; same: bool);
         let p, q = two(x); r, s = if on then (x, 1) else two(x); same = (two(x) = (3, x * 2)); tel",
        &[("x", "2 3"), ("on", "1 0")],
        &[("p", "3 4"), ("q", "4 6"), ("r", "2 4"), ("s", "1 6"), ("same", "1 0")],
    );
    check(
        "node two(a: int) returns (b, c: int); let b = a + 1; c = a * 2; tel
         node main(x: int) returns (p, q: int); let p, q = (0, 1) -> pre two(x); tel",
        &[("x", "2 3 4")],
        &[("p", "0 3 4"), ("q", "1 4 6")],
    );
}

#[test]
fn records_are_flattened_field_by_field() {
    check(
        "type point = struct { y: int; x: int }; type pair = struct { first: point; on: bool };
         node main(a: pair; k: int) returns (b: pair; c: point; d: int; same: bool);
         let b = a{ first := point { x = k; y = a.first.y } }; c = a.first{ y := k };
             d = 0 -> pre (a.first).x + c.y; same = a.first = c; tel",
        &[("a.first.x", "1 2 3"), ("a.first.y", "4 5 6"), ("a.on", "1 0 1"), ("k", "7 8 6")],
        &[
            ("b.first.x", "7 8 6"),
            ("b.first.y", "4 5 6"),
            ("b.on", "1 0 1"),
            ("c.x", "1 2 3"),
            ("c.y", "7 8 6"),
            ("d", "0 9 8"),
            ("same", "0 0 1"),
        ],
    );
}

#[test]
fn arrays_are_flattened_and_indices_out_of_range_read_the_last_element_and_write_nothing() {
    check(
        "node main(a: int[3]; i, v: int) returns (b, c: int[3]; d, e: int; f: int[2][2]; g: int);
         let b = a[i := v]; c = a[1 := v]; d = a[i]; e = a[2] + a[1 + 1 - 1]; f = [[1, 2], [i, v]]; g = f[1][i]; tel",
        &[("a[0]", "10 20 30 40"), ("a[1]", "11 21 31 41"), ("a[2]", "12 22 32 42"), ("i", "0 2 3 -1"), ("v", "5 6 7 8")],
        &[
            ("b[0]", "5 20 30 40"),
            ("b[1]", "11 21 31 41"),
            ("b[2]", "12 6 32 42"),
            ("c[0]", "10 20 30 40"),
            ("c[1]", "5 6 7 8"),
            ("d", "10 22 32 42"),
            ("e", "23 43 63 83"),
            ("f[1][0]", "0 2 3 -1"),
            ("g", "0 6 7 8"),
        ],
    );
}

#[test]
fn a_record_may_read_its_own_fields_and_a_tuple_its_own_parts_as_long_as_no_scalar_does() {
    check(
        "type pair = struct { a: int; b: int };
         node cross(x, y: int) returns (p, q: int); let p = x; q = y; tel
         node main(x: int) returns (r: pair; t: int[3]; u, v, w, z: int);
         let r = pair { a = r.b + 1; b = x }; t = [t[1] * 2, t[2] * 2, r.a]; u, v = (v + 1, x);
             w, z = cross(x, w + 1); tel",
        &[("x", "1 5")],
        &[
            ("r.a", "2 6"),
            ("r.b", "1 5"),
            ("t[0]", "8 24"),
            ("t[1]", "4 12"),
            ("t[2]", "2 6"),
            ("u", "2 6"),
            ("v", "1 5"),
            ("w", "1 5"),
            ("z", "2 6"),
        ],
    );
    for text in ["x = y; y = x;", "x = if x then y else y; y = x;", "x = not x; y = true;"] {
        let text = format!("node main(i: bool) returns (x, y: bool); let {text} tel");
        assert!(read("test.lus", text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn enumerations_have_a_sort_of_their_own() {
    check(
        "type colour = enum { red, green, blue };
         node main(c: colour) returns (d: colour; is: bool);
         let d = red -> if pre c = red then green else pre c; is = (c <> blue); tel",
        &[("c", "red blue green blue")],
        &[("d", "red green blue green"), ("is", "1 0 1 0")],
    );
}

#[test]
fn subranges_are_assumed_of_all_variables_and_of_pre_in_the_first_step() {
    let text = "node main(x: subrange [0, 3] of int) returns (y: subrange [0, 3] of int; z: int);
        let y = pre x; z = x + 1; tel";
    let system = system(text);
    let names: Vec<&str> = system.constraints().iter().map(|constraint| constraint.name.as_str()).collect();
    assert_eq!(names, ["range of pre x", "range of x", "range of y"]);
    assert!(system.elements().iter().all(|element| element.kind == ElementKind::Equation));
    let allowed = run(&system, &[("x", "3 4 0 -1")], &[("pre x", "2")], 4).allowed;
    assert_eq!(allowed, [true, false, false, false]);
    assert_eq!(run(&system, &[("x", "1")], &[("pre x", "5")], 1).allowed, [false]);
}

#[test]
fn constants_are_literals_in_whatever_order_they_are_written() {
    let text = "const c: int = b * 2; const b = 3 + 1; const t = [b, c];
        node main(x: int) returns (y, z: int); let y = x * c; z = t[x]; tel";
    check(text, &[("x", "1 0 7")], &[("y", "8 0 56"), ("z", "8 4 8")]);
    let system = system(text);
    assert!(system.exprs.len() < 20 && system.wires().len() == 2);
}

#[test]
fn a_function_is_a_table_that_never_changes() {
    let text = "function f(x: int; b: bool) returns (r: real; s: int);
        node main(x: int; b: bool) returns (y: real; n: int; same: bool);
        let y, n = f(x, b); same = (0.0, 0) -> pre f(x, b) = f(pre x, pre b); tel";
    let text = text.replace(
        "same = (0.0, 0) -> pre f(x, b) = f(pre x, pre b);",
        "same = true -> pre f(x, b) = f(pre x, pre b);",
    );
    let system = system(&text);
    let tables: Vec<(String, String)> = (system.states().iter().map(|state| system.signal(*state)))
        .filter(|state| state.name.starts_with("f."))
        .map(|state| (state.name.clone(), state.sort.to_string()))
        .collect();
    assert_eq!(
        tables,
        [
            ("f.r".to_owned(), "array of array of real by bool by int".to_owned()),
            ("f.s".to_owned(), "array of array of int by bool by int".to_owned())
        ]
    );
    let run = run(&system, &[("x", "1 2 3"), ("b", "0 1 0")], &[], 3);
    assert_eq!((run.of("same"), run.of("y")), ("1 1 1".to_owned(), "0 0 0".to_owned()));
}

#[test]
fn condact_runs_a_node_at_the_steps_of_its_clock_and_keeps_its_outputs_between() {
    let text = "
        node count(x: int) returns (n: int); var ok: bool;
        let n = x -> pre n + x; ok = n > 0; --%PROPERTY ok;
        tel
        node main(clock: bool; x: int) returns (y: int); let y = condact(clock, count(x), -1); tel";
    // The node sees x = 2, 4, 5 at the steps of its clock.
    check(text, &[("clock", "0 1 0 1 1 0"), ("x", "1 2 3 4 5 6")], &[("y", "-1 2 2 6 11 11")]);
    let system = system(text);
    let elements: Vec<&str> = system.elements().iter().map(|element| element.name.as_str()).collect();
    let own = "~clock x n~default n~clocked ok ~state0 ~init n ok~clocked_property";
    let expected: Vec<String> = own.split(' ').map(|name| format!("count~condact~0.{name}")).collect();
    assert_eq!(elements[0], "y");
    assert_eq!(elements[1..], expected.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(system.properties()[0].name, "count~condact~0.ok~clocked_property");
}

#[test]
fn calls_inside_a_clocked_node_have_its_clock() {
    let text = "
        node last(x: int) returns (y: int); let y = 0 -> pre x; tel
        node both(x: int) returns (a, b: int);
        let a = last(x); b = condact(x > 2, last(x), 100) -> pre (pre x) + a; tel
        node main(clock: bool; x: int) returns (p, q: int); let p, q = condact(clock, both(x), 7, 8); tel";
    // At the steps of the clock x is 1, 3, 4, 5: a is 0, 1, 3, 4. In the first one b is 100, later the x of two steps of
    // the clock before plus a; the second such is free and starts at 0 here.
    check(
        text,
        &[("clock", "1 0 1 1 0 1"), ("x", "1 9 3 4 9 5")],
        &[("p", "0 0 1 3 3 4"), ("q", "100 100 1 4 4 7")],
    );
}

#[test]
fn a_condact_whose_clock_is_true_is_a_call() {
    let text = "const always = true; node id(x: int) returns (y: int); let y = x; tel
        node main(x: int) returns (p: int); let p = condact(always, id(x), 0); tel";
    let system = system(text);
    let elements: Vec<&str> = system.elements().iter().map(|element| element.name.as_str()).collect();
    assert_eq!(elements, ["p", "id~0.x", "id~0.y"]);
}

#[test]
fn properties_are_invariants_of_wires_and_ivc_lines_name_inlined_variables() {
    let text = "
        type pair = struct { a: int; b: int };
        node f(x: int) returns (r: pair); let r = pair { a = x; b = x + 1 }; --%IVC r;
        tel
        node main(x: int) returns (p: bool); var v: pair; let v = f(x); p = v.b > v.a; --%PROPERTY p; --%IVC p;
        tel";
    let design = read("test.lus", text.as_bytes()).expect("fits");
    let system = &design.system;
    let PropertyKind::Invariant(expr) = system.properties()[0].kind else { panic!("no invariant") };
    let wire = system.wires().iter().find(|wire| system.signal(**wire).name == "p").expect("a wire");
    assert_eq!(*system.exprs.node(expr), propcov_ir::Node::Signal(*wire));
    let facts = lustre::facts_of(&design).expect("Lustre");
    assert_eq!(facts.main, "main");
    let ivc: Vec<&str> = facts.ivc.iter().flatten().map(String::as_str).collect();
    assert_eq!(ivc, ["p", "f~0.r.a", "f~0.r.b"]);
}

#[test]
fn the_main_node_is_the_one_that_says_so_or_the_last_one() {
    let nodes = |mark: &str| {
        format!("node a() returns (x: int); let {mark} x = 1; tel node b() returns (y: int); let y = 2; tel")
    };
    assert_eq!(system(&nodes("")).elements()[0].name, "y");
    assert_eq!(system(&nodes("--%MAIN;\n")).elements()[0].name, "x");
}

#[test]
fn a_divisor_that_may_be_zero_is_warned_about() {
    let warnings = |expr: &str| {
        let text = format!("node main(x, y: int) returns (z: int); let z = {expr}; tel");
        let design = read("test.lus", text.as_bytes()).expect("fits");
        design.warnings.iter().filter(|warning| warning.message.contains("zero")).count()
    };
    assert_eq!(warnings("x div 3 + x mod 2"), 0);
    assert_eq!(warnings("x div y + x mod (y + 1)"), 2);
}

#[test]
fn depth_is_no_limit() {
    let depth = 20_000;
    let chain: String = (0..depth).map(|_| " + x").collect();
    check(
        &format!("node main(x: int) returns (y: int); let y = x{chain}; tel"),
        &[("x", "1 2")],
        &[("y", &format!("{} {}", depth + 1, 2 * (depth + 1)))],
    );
    let mut text = "node main(x: int) returns (y: int); var ".to_owned();
    let names: Vec<String> = (0..depth).map(|at| format!("v{at}")).collect();
    text.push_str(&format!("{}: int; let y = v{};", names.join(", "), depth - 1));
    for at in (1..depth).rev() {
        text.push_str(&format!("v{at} = v{} + 1;", at - 1));
    }
    text.push_str("v0 = x; tel");
    check(&text, &[("x", "1")], &[("y", &depth.to_string())]);
}
