//! What Kind 2 and LustreC read beyond JKind: streams that were computed by hand, and random programs against their definition.

use crate::lustre_semantics::{check, run, system};
use propcov_frontend::{lustre, read};
use propcov_ir::{
    Bits, ConstraintKind, Edits, Interpreter, PropertyKind, SignalId, Sort, Step, System, Value,
};
use propcov_testkit::{
    Random,
    dialects::{self, Datum, Program, Streams, Type},
    is_whole_run,
};
use std::cell::Cell;
use std::collections::HashMap;

fn bits(values: &[i64]) -> String {
    values
        .iter()
        .map(|value| Bits::from_signed(8, &(*value).into()).to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

fn refused(text: &str) -> String {
    match read("test.lus", text.as_bytes()) {
        Ok(_) => panic!("read, but should not be\n{text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn machine_integers_wrap_around() {
    check(
        "node main(x, y: int8; u, w: uint8) returns (sum, product, quotient, rest, left, right, negated: int8; minus, shifted, both: uint8; less, below: bool);
         let sum = x + y; product = x * y; quotient = x div y; rest = x mod y; left = x lsh (uint8 1); right = x rsh (uint8 1);
             negated = -x; minus = u - w; shifted = u rsh (uint8 1); both = (u && w) || !w; less = x < y; below = u < w; tel",
        &[("x", "127 -128 -7"), ("y", "1 -1 2"), ("u", "0 200 -1"), ("w", "1 100 -128")],
        &[
            ("sum", &bits(&[-128, 127, -5])),
            ("product", &bits(&[127, -128, -14])),
            ("quotient", &bits(&[127, -128, -3])),
            ("rest", &bits(&[0, 0, -1])),
            ("left", &bits(&[-2, 0, -14])),
            ("right", &bits(&[63, -64, -4])),
            ("negated", &bits(&[-127, -128, 7])),
            ("minus", &bits(&[-1, 100, 127])),
            ("shifted", &bits(&[0, 100, 127])),
            ("both", &bits(&[-2, (200 & 100) | (255 - 100), -1])),
            ("less", "0 1 1"),
            ("below", "1 0 0"),
        ],
    );
}

#[test]
fn conversions_of_machine_integers_keep_what_fits() {
    let sixteen = |values: &[i64]| {
        let shown = values.iter().map(|value| Bits::from_signed(16, &(*value).into()).to_string());
        shown.collect::<Vec<_>>().join(" ")
    };
    check(
        "node main(x: int8; u: uint8) returns (wide: int16; far: uint16; narrow: int8; number, other: int; large: uint8);
         let wide = int16 x; far = uint16 u; narrow = int8 (wide * (int16 2)); number = int x; other = int u; large = uint8 300; tel",
        &[("x", "-3 100"), ("u", "255 7")],
        &[
            ("wide", &sixteen(&[-3, 100])),
            ("far", &sixteen(&[255, 7])),
            ("narrow", &bits(&[-6, -56])),
            ("number", "-3 100"),
            ("other", "255 7"),
            ("large", &bits(&[44, 44])),
        ],
    );
    assert!(refused("node main(x: int8) returns (y: uint8); let y = uint8 x; tel").contains("has a sign"));
    assert!(refused("node main(x: int) returns (y: uint8); let y = uint8 x; tel").contains("not constant"));
}

#[test]
fn a_minus_takes_a_whole_product_in_kind_2() {
    // With a tight minus, as in JKind, -7 div 2 is -4.
    check(
        "node main(x: int) returns (y: int; k: uint8); let y = - x div 2; k = uint8 1; tel",
        &[("x", "7")],
        &[("y", "-3")],
    );
    check("node main(x: int) returns (y: int); let y = - x div 2; tel", &[("x", "7")], &[("y", "-4")]);
}

#[test]
fn division_of_integers_is_euclidean_in_kind_2_and_that_of_c_in_lustrec() {
    let body = "node main(x, y: int) returns (q, r, s: int); let q = x / y; r = x mod y; s = x div y; tel";
    let inputs = [("x", "7 -7 7 -7 -8"), ("y", "2 2 -2 -2 2")];
    let kind2 = format!("-- propcov: dialect=kind2\n{body}");
    check(&kind2, &inputs, &[("q", "3 -4 -3 4 -4"), ("r", "1 1 1 1 0"), ("s", "3 -4 -3 4 -4")]);
    let lustrec = format!("#open <conv>\n{body}");
    check(&lustrec, &inputs, &[("q", "3 -3 -3 3 -4"), ("r", "1 -1 1 -1 0"), ("s", "3 -3 -3 3 -4")]);
}

#[test]
fn a_restarted_node_begins_anew_in_the_step_of_the_reset() {
    // The run in Kind 2's documentation.
    check(
        "node counter(const max: int) returns (t: int); let t = 0 -> if pre t = max then 0 else pre t + 1; tel
         node top(reset: bool) returns (c: int); let c = (restart counter every reset)(3); tel",
        &[("reset", "0 0 0 0 1 0 0 1 1 0")],
        &[("c", "0 1 2 3 0 1 2 0 0 1")],
    );
}

#[test]
fn an_activated_node_keeps_its_state_and_merge_chooses() {
    check(
        "node sum_ge_10(i: int) returns (out: bool); var sum: int; let sum = i + (0 -> pre sum); out = sum >= 10; tel
         node example(i: int) returns (safe: bool); var pos, before: bool;
         let pos = i >= 0; before = false -> pre safe;
             safe = merge(pos; (activate sum_ge_10 every pos)(i when pos); before when not pos); tel",
        &[("i", "3 2 -1 2 -7 35 -2")],
        &[("safe", "0 0 0 0 0 1 1")],
    );
    assert!(
        refused("node main(c: bool; x: int) returns (y: int); let y = x when c; tel")
            .contains("outside of `merge`")
    );
}

#[test]
fn arrays_are_defined_by_their_indices_and_sizes_are_constants() {
    check(
        "node sum(const n: int; a: int ^ n) returns (s: int); var cumulated: int ^ n;
         let cumulated[i] = if i = 0 then a[0] else a[i] + cumulated[i - 1]; s = cumulated[n - 1]; tel
         const k = 2;
         node main(x: int) returns (three, four: int; m: int ^ 2 ^ k);
         let three = sum(3, [x, 1, 2]); four = sum(k + 2, x ^ 4); m[i][j] = 10 * i + j + x; tel",
        &[("x", "5 7")],
        &[("three", "8 10"), ("four", "20 28"), ("m[1][0]", "15 17"), ("m[0][1]", "6 8")],
    );
    assert!(
        refused("const n: int; node main(a: int ^ n) returns (x: int); let x = a[0]; tel")
            .contains("not known")
    );
}

#[test]
fn frames_hold_and_if_blocks_choose() {
    check(
        "node counter() returns (y: int); let y = 0 -> pre y + 1; tel
         node main() returns (a, b, c: int);
         let frame (a, b, c) a = 10; b = 100; c = 7;
           let if counter() < 2 then a = counter(); else b = counter() * 2; fi tel tel",
        &[],
        &[("a", "0 1 1 1"), ("b", "100 100 4 6"), ("c", "7 7 7 7")],
    );
    let open = "node main(c: bool) returns (x: int); let if c then x = 1; fi tel";
    assert!(refused(open).contains("not defined in all branches"));
}

#[test]
fn automata_have_strong_and_weak_transitions_and_memories() {
    check(
        "node main(go, back: bool) returns (x: int);
         let automaton a
           state Idle: let x = 0 -> pre x + 1; tel until go resume Busy
           state Busy: unless back restart Idle let x = 100 -> pre x + 1; tel until go restart Busy
         tel",
        &[("go", "0 1 0 0 0 0 1 0 1 0"), ("back", "0 0 0 0 1 0 0 0 0 0")],
        // Idle 0 1, Busy 100 101, back to Idle anew 0 1 2, Busy goes on 102 103, begins anew 100.
        &[("x", "0 1 100 101 0 1 2 102 103 100")],
    );
}

#[test]
fn contracts_are_claims() {
    let text = "contract spec(u: int) returns (v: int);
         let guarantee \"positive\" v > 0; mode small (require u < 5; ensure \"little\" v < 10;); tel
         node child(x: int) returns (y: int);
         (*@contract assume \"given\" x >= 0; import spec(x) returns (y); mode large (require not ::spec::small;); *)
         let y = x + 1; tel
         node main(i: int) returns (o: int);
         (*@contract assume i > -3; guarantee o > 0; *)
         let o = child(i); tel";
    let system = system(text);
    let names: Vec<&str> = system.properties().iter().map(|property| property.name.as_str()).collect();
    assert_eq!(
        names,
        ["guarantee[l7c37]", "child~0.given", "child~0.spec::positive", "child~0.spec::small.little"]
    );
    let constraints: Vec<&str> =
        system.constraints().iter().map(|constraint| constraint.name.as_str()).collect();
    assert_eq!(constraints, ["assume[l7c22]"]);
    let run = run(&system, &[("i", "1 -1 2 -5")], &[], 4);
    assert_eq!(run.allowed, [true, true, true, false]);
    // After the assumption has failed once, nothing is guaranteed any more.
    assert_eq!(run.of("child~0.~assumed"), "1 0 0 0");
}

#[test]
fn of_an_imported_node_only_the_contract_is_known() {
    let text =
        "node imported rnd(x: int) returns (y: int); (*@contract assume x > 0; guarantee \"more\" y > x; *)
         node main(i: int) returns (a, b: int); let a = rnd(i); b = rnd(i); check a > 0; tel";
    let system = system(text);
    let inputs: Vec<&str> = system.inputs().iter().map(|input| system.signal(*input).name.as_str()).collect();
    // Two calls are two: nothing says that they agree.
    assert_eq!(inputs, ["i", "rnd~0.y", "rnd~1.y"]);
    let run = run(&system, &[("i", "1 1 -1"), ("rnd~0.y", "2 0 0"), ("rnd~1.y", "3 3 0")], &[], 3);
    assert_eq!(run.allowed, [true, false, true]);
}

#[test]
fn bounds_of_inputs_are_assumed_and_those_of_other_variables_are_proved() {
    let text = "const top = 7; type small = subrange [0, top] of int;
         node main(x: small; y: subrange [*, 3] of int) returns (z: small); let z = x + y; tel";
    let system = system(text);
    let names = |all: Vec<&str>| all.join(", ");
    let constraints = names(system.constraints().iter().map(|constraint| constraint.name.as_str()).collect());
    let properties = names(system.properties().iter().map(|property| property.name.as_str()).collect());
    assert_eq!((constraints.as_str(), properties.as_str()), ("range of x, range of y", "range of z"));
    let run = run(&system, &[("x", "7 8 0"), ("y", "3 0 4")], &[], 3);
    assert_eq!(run.allowed, [true, false, false]);
}

#[test]
fn what_is_left_open_is_an_input() {
    let text = "const c: int;
         node main(x: int) returns (y: int); let y = any { k: int | k > x } + c; check y > x; tel";
    let system = system(text);
    let inputs: Vec<&str> = system.inputs().iter().map(|input| system.signal(*input).name.as_str()).collect();
    assert_eq!(inputs, ["x", "~any0"]);
    let run = run(&system, &[("x", "1 1"), ("~any0", "2 1")], &[("c.c", "40")], 2);
    assert_eq!(run.of("y"), "42 41");
    assert_eq!(run.allowed, [true, false]);
}

#[test]
fn the_dialect_is_guessed_and_said() {
    for (text, dialect, says) in [
        ("node main(x: int) returns (y: int); let y = x; tel", lustre::Dialect::JKind, None),
        (
            "node main(x: int8) returns (y: int8); let y = x; tel",
            lustre::Dialect::Kind2,
            Some("read as Kind 2"),
        ),
        (
            "#open <conv>\nnode main(x: int) returns (y: real); let y = int_to_real(x); tel",
            lustre::Dialect::LustreC,
            Some("read as LustreC"),
        ),
    ] {
        let design = read("test.lus", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(lustre::facts_of(&design).map(|facts| facts.dialect), Some(dialect));
        let first = design.warnings.first().map(|warning| warning.message.clone()).unwrap_or_default();
        match says {
            Some(says) => assert!(first.starts_with(says), "{first}"),
            None => assert_eq!(first, ""),
        }
    }
}

/// What is said about a file besides.
fn warnings(text: &str) -> Vec<String> {
    let design = read("test.lus", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    design.warnings.into_iter().map(|warning| warning.message).collect()
}

#[test]
fn it_is_said_whose_properties_and_contracts_are_not_checked() {
    let said = warnings(
        "node A(x: int) returns (y: int); let y = x + 1; check \"pa\" y > x; tel\n\
         node B(x: int) returns (y: int); (*@contract guarantee y > x + 1; *) let y = x + 1; tel\n\
         node D(const n: int; x: int) returns (y: int); (*@contract guarantee y > n; *) let y = x; tel\n\
         node E(x: int) returns (y: int); (*@contract guarantee y = x; *) let y = x; tel\n\
         node C(x: int) returns (y: int); (*@contract guarantee y > x; *) let y = E(x) + 1; tel\n",
    );
    let expected =
        "not checked: properties of `A`, the contract of `B`, the contract of `D`. Try: --main NODE";
    assert!(said.iter().any(|said| said == expected), "{said:?}");
    // In the dialect that knows no contracts as well; all that is called is checked, or JKind does not check it either.
    let said = warnings(
        "node a(x: int) returns (y: int); let y = x; --%PROPERTY y = x;\ntel\n\
         node b(x: int) returns (y: int); let y = x; tel\n\
         node c(x: int) returns (y: int); let y = b(x); --%PROPERTY y = x;\ntel\n",
    );
    assert_eq!(said, ["not checked: properties of `a`. Try: --main NODE"]);
}

#[test]
fn a_contract_that_stands_for_its_node_is_said_to_be_unchecked() {
    let said = warnings(
        "node E(x: int) returns (y: int); (*@contract guarantee y = x; *) let y = x + 1; tel\n\
         node C(x: int) returns (y: int); let y = E(x); check y = x; tel\n-- propcov: dialect=kind2 compositional\n",
    );
    assert_eq!(said, ["not checked: the contract of `E`. Try: --main NODE"]);
}

#[test]
fn of_two_main_nodes_none_is_chosen() {
    for dialect in ["jkind", "kind2"] {
        let text = format!(
            "node a(x: int) returns (y: int); let y = x; --%MAIN\ntel\n\
             node b(x: int) returns (y: int); let y = x; --%MAIN\ntel\n-- propcov: dialect={dialect}"
        );
        let expected = "there are two main nodes; the first one is `a`: choose with `--main a` or `--main b`";
        assert!(refused(&text).contains(expected), "{}", refused(&text));
        assert!(read("test.lus", format!("{text} main=a\n").as_bytes()).is_ok());
    }
}

#[test]
fn an_error_says_which_dialect_reads_the_file() {
    let text = "type range = subrange [0, 10] of int;\n\
                node main(y: range; b: bool) returns (o: range); let o = if b then y else y + 1; tel\n";
    let found = refused(text);
    assert!(found.ends_with("found int; Kind 2 reads this file: --dialect kind2"), "{found}");
    let found = refused("node main(y: int) returns (o: int); let o = y and; tel\n");
    assert!(!found.contains("--dialect"), "{found}");
}

#[test]
fn a_conversion_without_parentheses_is_explained() {
    let found = refused("node main(a: int32) returns (s: int32); let s = int32 0 -> pre s + int32 1; tel");
    assert!(found.contains("so it needs parentheses, as in `(int32 0) + x`"), "{found}");
}

#[test]
fn checks_of_reachability_are_left_out_and_that_is_said() {
    for dialect in ["jkind", "kind2"] {
        let text = format!(
            "node main(x: bool) returns (o: int); let o = 0 -> if x then pre o + 1 else pre o;\n\
             check reachable \"r\" o = 7; check reachable o < 0 from 1 within 5; check reachable \"b\" o = 3 at 3;\n\
             check \"ok\" o >= 0; tel\n-- propcov: dialect={dialect}\n"
        );
        let design = read("test.lus", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let ignored =
            design.warnings.iter().filter(|warning| warning.message.starts_with("`reachable` is ignored"));
        assert_eq!((design.system.properties().len(), ignored.count()), (1, 3));
    }
    // A variable of that name is one.
    let text = "node main(reachable: bool) returns (o: bool); let o = reachable; check reachable => o; tel";
    assert_eq!(warnings(text), [""; 0]);
}

#[test]
fn constants_in_double_brackets_are_parameters() {
    check(
        "const N = 2;\n\
         node add<<const n: int>>(x: int) returns (y: int); let y = x + n; tel\n\
         node last<<const n: int; const up: bool>>(a: int ^ n) returns (y: int);\n\
         let y = if up then a[n - 1] else a[0]; tel\n\
         node main(x: int) returns (p, q, r: int);\n\
         let p = add<<N>>(x) + add<<(N + 1)>>(x); q = last<<3, true>>([x, 7, 9]); r = last<<N, false>>([x, 7]); tel\n",
        &[("x", "1 5")],
        &[("p", "7 15"), ("q", "9 9"), ("r", "1 5")],
    );
}

#[test]
fn a_call_needs_the_arguments_in_double_brackets_that_the_node_asks_for() {
    let main = |call: &str| {
        refused(&format!(
            "node f<<const n: int>>(x: int) returns (y: int); let y = x + n; tel\n\
             node g(const n: int; x: int) returns (y: int); let y = x + n; tel\n\
             node main(x: int) returns (y: int); let y = {call}; tel\n"
        ))
    };
    for (call, expected) in [
        ("f(3, x)", "expected 1 argument in `<<…>>` for `f`, found 0"),
        ("f<<3, 4>>(x)", "expected 1 argument in `<<…>>` for `f`, found 2"),
        ("g<<3>>(x)", "expected 0 arguments in `<<…>>` for `g`, found 1"),
        ("f<<3 + 1>>(x)", "an expression needs parentheses"),
        ("(restart f every x > 0)(3, x)", "expected 1 argument in `<<…>>` for `f`, found 0"),
    ] {
        assert!(main(call).contains(expected), "{}", main(call));
    }
}

#[test]
fn what_is_not_supported_is_called_by_its_name() {
    for (text, expected) in [
        (
            "datatype t = A(int) | B; node main(x: int) returns (y: int); let y = x; tel",
            "a datatype whose values have parts",
        ),
        ("node main(x: int) returns (y: subtype { k: int | k > 0 }); let y = x; tel", "the type `subtype`"),
        (
            "-- propcov: dialect=kind2\nnode main<T>(x: T) returns (y: T); let y = x; tel",
            "parameters (`<…>`)",
        ),
        ("node f<<type t>>(x: t) returns (y: t); let y = x; tel", "types or nodes as parameters"),
        ("node f<<const n: int; type t>>(x: int) returns (y: int); let y = x; tel", "no `const`"),
        ("node main(a: int8) returns (y: bool); let y = forall (i: int) a = a; tel", "quantifier `forall`"),
        ("node main(a: int8) returns (y: int8); let y = current a; tel", "`current`"),
        ("include \"other.lus\"\nnode main(a: int8) returns (y: int8); let y = a; tel", "`include`"),
    ] {
        let found = refused(text);
        assert!(found.contains(expected) && found.contains("not supported"), "{found}\n{text}");
    }
}

/// A value of the definition as one of the system.
fn value(datum: &Datum) -> Value {
    match datum {
        Datum::Bool(value) => Value::bool(*value),
        other => Value::Bits(Bits::from_u64(8, other.bits())),
    }
}

fn input(random: &mut Random, of: Type) -> Datum {
    match of {
        Type::Bool => Datum::Bool(random.percent(50)),
        Type::Machine { signed } => {
            let small = random.percent(50);
            let number = if small { random.below(6) as i64 } else { random.below(256) as i64 };
            Datum::Machine(signed, if signed && number >= 128 { number - 256 } else { number })
        }
        Type::Array => Datum::Array(Vec::new()),
    }
}

/// The system's values by name and step, and those of its properties.
type Lowered = HashMap<String, Vec<Value>>;

fn lowered(system: &System, inputs: &Streams, random: &mut Random) -> Result<Lowered, String> {
    let edits = Edits::none();
    let interpreter = Interpreter::new(system, &edits).map_err(|error| error.to_string())?;
    let mut anything = |sort: &Sort| match sort {
        Sort::BitVec(width) => Value::Bits(Bits::from_u64(*width, random.next() % (1 << width))),
        other => Value::zero(other),
    };
    let mut states: Vec<Value> =
        system.states().iter().map(|state| anything(&system.signal(*state).sort)).collect();
    let mut found = Lowered::new();
    for (at, row) in inputs.iter().enumerate() {
        let values = system.inputs().iter().map(|input| {
            let signal = system.signal(*input);
            let position = signal.name.strip_prefix('v').and_then(|rest| rest.parse::<usize>().ok());
            // What is left open is never looked at.
            position.and_then(|at| row.get(at)).map_or_else(|| anything(&signal.sort), value)
        });
        let mut step = Step { inputs: values.collect(), states: states.clone(), ..Step::default() };
        if at == 0 {
            interpreter.start(&mut step, |_| true).map_err(|error| error.to_string())?;
        }
        let mut frame = interpreter.frame(&step).map_err(|error| error.to_string())?;
        for (position, signal) in system.signals().iter().enumerate() {
            let value = frame.signal(SignalId(position as u32)).cloned().ok_or("a signal without value")?;
            found.entry(signal.name.clone()).or_default().push(value);
        }
        let mut claims: Vec<(String, propcov_ir::ExprId)> = Vec::new();
        for property in system.properties() {
            if let PropertyKind::Invariant(expr) = &property.kind {
                claims.push((format!("property {}", property.name), *expr));
            }
        }
        for constraint in system.constraints() {
            if constraint.kind == ConstraintKind::Always {
                claims.push((format!("constraint {}", constraint.name), constraint.expr));
            }
        }
        for (name, expr) in claims {
            let value = frame.value(expr).map_err(|error| error.to_string())?;
            found.entry(name).or_default().push(value);
        }
        let next = frame.successor_values().map_err(|error| error.to_string())?;
        states =
            next.into_iter().map(|value| value.ok_or("a state without next")).collect::<Result<_, _>>()?;
    }
    Ok(found)
}

fn same(found: &Lowered, name: &str, expected: &[Datum]) -> Result<(), String> {
    let expected: Vec<Value> = expected.iter().map(value).collect();
    match found.get(name) {
        Some(values) if *values == expected => Ok(()),
        Some(values) => Err(format!("{name} is {values:?}, by definition {expected:?}")),
        None => Err(format!("there is no {name}")),
    }
}

/// The claims of a node's contract in an instance, given its inputs.
fn same_claims(
    program: &Program,
    node: usize,
    inputs: &Streams,
    found: &Lowered,
    prefix: &str,
) -> Result<(), String> {
    let Some(contract) = &program.nodes[node].contract else { return Ok(()) };
    let of = |expr| dialects::values(program, node, inputs, expr);
    let is_true = |datum: &Datum| *datum == Datum::Bool(true);
    let (assumption, guarantee) = (of(&contract.assumption), of(&contract.guarantee));
    let (require, ensure) = (of(&contract.mode.0), of(&contract.mode.1));
    let ensured = require.iter().zip(&ensure).map(|(r, e)| Datum::Bool(!is_true(r) || is_true(e)));
    let is_main = prefix.is_empty();
    let held = |step: usize| is_main || assumption[..=step].iter().all(is_true);
    let claimed = |values: Vec<Datum>| -> Vec<Datum> {
        values.iter().enumerate().map(|(step, value)| Datum::Bool(!held(step) || is_true(value))).collect()
    };
    let kind = if is_main { "constraint" } else { "property" };
    same(found, &format!("{kind} {prefix}a{node}"), &assumption)?;
    same(found, &format!("property {prefix}g{node}"), &claimed(guarantee))?;
    same(found, &format!("property {prefix}mine.e{node}"), &claimed(ensured.collect()))?;
    if is_main {
        same(found, "property one mode active", &vec![Datum::Bool(true); inputs.len()])?;
    }
    Ok(())
}

/// A node that is called without clock and reset, all the way down: `f0~1.`, `f2<3>~0.f0~0.`.
fn plain_instances(program: &Program, found: &Lowered) -> Vec<(usize, String)> {
    let mut all: Vec<(usize, String)> = Vec::new();
    for name in found.keys() {
        let Some((prefix, _)) = name.rsplit_once('.').filter(|_| !name.contains(' ')) else { continue };
        let part = |part: &str| -> Option<usize> {
            let (node, number) = part.strip_prefix('f')?.split_once('~')?;
            number.parse::<usize>().ok()?;
            node.split('<').next()?.parse().ok()
        };
        let parts: Option<Vec<usize>> = prefix.split('.').map(part).collect();
        let prefix = format!("{prefix}.");
        if let Some(parts) = parts
            && let Some(node) = parts.last().filter(|node| **node < program.nodes.len())
            && all.iter().all(|(_, known)| *known != prefix)
        {
            all.push((*node, prefix));
        }
    }
    all
}

fn datum(value: &Value, of: Type) -> Datum {
    let bits = value.as_bits().cloned().unwrap_or_else(|| Bits::zero(1));
    match of {
        Type::Bool => Datum::Bool(bits.is_nonzero()),
        Type::Machine { signed } => {
            let number = if signed { bits.signed() } else { bits.unsigned().clone().into() };
            Datum::Machine(signed, i64::try_from(&number).unwrap_or(0))
        }
        Type::Array => Datum::Array(Vec::new()),
    }
}

#[test]
fn random_programs_mean_what_their_definition_says() {
    let (compared, claims) = (Cell::new(0u64), Cell::new(0u64));
    dialects::for_random_dialects(200, 620_000, |seed, program| {
        let text = program.text();
        let design =
            read("test.lus", text.as_bytes()).map_err(|error| format!("refused: {error}\n{text}"))?;
        let main = &program.nodes[program.nodes.len() - 1];
        let mut random = Random::new(seed ^ 0x5eed);
        let steps = 6;
        let inputs: Streams = (0..steps)
            .map(|_| main.variables[..main.inputs].iter().map(|of| input(&mut random, *of)).collect())
            .collect();
        let expected = dialects::streams(program, &inputs);
        let found = lowered(&design.system, &inputs, &mut random)?;
        for (at, of) in main.variables.iter().enumerate() {
            let column: Vec<Datum> = expected.iter().map(|row| row[at].clone()).collect();
            if *of != Type::Array {
                same(&found, &format!("v{at}"), &column)?;
                continue;
            }
            for index in 0..3 {
                let elements = column.iter().filter_map(|array| match array {
                    Datum::Array(elements) => elements.get(index).cloned(),
                    _ => None,
                });
                same(&found, &format!("v{at}[{index}]"), &elements.collect::<Vec<_>>())?;
            }
        }
        same_claims(program, program.nodes.len() - 1, &inputs, &found, "")?;
        for (node, prefix) in plain_instances(program, &found) {
            let types = &program.nodes[node].variables[..program.nodes[node].inputs];
            let row = |step: usize| -> Option<Vec<Datum>> {
                let value = |(at, of): (usize, &Type)| {
                    Some(datum(found.get(&format!("{prefix}v{at}"))?.get(step)?, *of))
                };
                types.iter().enumerate().map(value).collect()
            };
            let Some(inputs) = (0..steps).map(row).collect::<Option<Streams>>() else { continue };
            same_claims(program, node, &inputs, &found, &prefix)?;
            claims.set(claims.get() + u64::from(program.nodes[node].contract.is_some()));
        }
        compared.set(compared.get() + 1);
        Ok(())
    });
    if is_whole_run() {
        assert!(compared.get() == 200 && claims.get() > 20, "{} {}", compared.get(), claims.get());
    }
}
