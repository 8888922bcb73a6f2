//! What looks wrong and is an error only where it can happen: values out of range, divisors that are zero. NuSMV 2.5.4
//! accepts and rejects the same models.

use crate::smv_semantics::{assert_graph, show, smv};
use propcov_frontend::read;
use propcov_ir::{Bits, Edits, Interpreter, PropertyId, PropertyKind, SignalId, Sort, Step, Value};

/// The message about a model that has no meaning.
fn message(model: &str) -> String {
    match read("test.smv", model.as_bytes()) {
        Ok(_) => panic!("no error: {model}"),
        Err(error) => show(&error),
    }
}

#[test]
fn an_alternative_that_never_fits_matters_only_where_it_is_taken() {
    assert_graph(
        "MODULE main VAR w : 1..5; ASSIGN init(w) := 5;
         next(w) := case ((w - -1) * (-2 - w)) in 1..5 : ((w - -1) * (-2 - w)); TRUE : 2; esac;",
        &["start 5", "2 > 2", "5 > 2"],
    );
    assert_graph(
        "MODULE main VAR w : 0..1; FROZENVAR y : 5..6; ASSIGN init(w) := 0; next(w) := y < 5 ? y : 1 - w; INIT y = 5",
        &["start 0,5", "0,5 > 1,5", "1,5 > 0,5"],
    );
    assert_graph(
        "MODULE main VAR s : {a, b}; FROZENVAR t : {c, d}; ASSIGN init(s) := {a, case t = a : t; TRUE : b; esac};
         next(s) := t in {c, d} ? s : t; INIT t = c",
        &["start a,c b,c", "a,c > a,c", "b,c > b,c"],
    );
    let taken = message("MODULE main VAR w : 0..1; y : 5..6; ASSIGN next(w) := y > 5 ? y : w;");
    assert!(taken.contains("cannot assign 6 to w : 0..1, for instance when y = 6"), "{taken}");
    // Another kind of value is an error in any case.
    let other = message("MODULE main VAR s : {a, b}; y : 5..6; ASSIGN next(s) := y < 5 ? y : s;");
    assert!(other.contains("expected a value of type {a, b}, found a value of type 5..6"), "{other}");
}

#[test]
fn an_alternative_that_never_fits_is_left_out_where_nobody_knows_whether_it_is_taken() {
    let variables: String = (0..20).map(|index| format!("v{index} : boolean; ")).collect();
    let parity: Vec<String> = (0..20).map(|index| format!("v{index}")).collect();
    let parity = parity.join(" xor ");
    let design =
        smv(&format!("MODULE main VAR x : 0..3; y : 5..7; {variables} ASSIGN next(x) := {parity} ? y : 0;"));
    assert_eq!(design.warnings.len(), 1, "{:?}", design.warnings);
    assert_eq!(
        design.warnings[0].message,
        "it is not known whether this is always a value of x : 0..3; runs where it is not are left out"
    );
}

#[test]
fn a_name_is_not_both_a_symbol_and_something_else() {
    let twice = "`b` is also a symbol of an enumeration (line 1)";
    for model in [
        "MODULE main VAR a : {b, c};\nVAR b : boolean;",
        "MODULE main VAR a : array 0..1 of {b, c};\nDEFINE b := a[0] = c;",
        "MODULE main VAR a : {b, c}; m : M;\nMODULE M VAR b : boolean;",
        "MODULE main CONSTANTS b; VAR m : M;\nMODULE M DEFINE b := TRUE;",
        // A parameter, where it is read.
        "MODULE main VAR a : {b, c}; m : M(a);\nMODULE M(b) INVAR b = c",
    ] {
        let message = message(model);
        assert!(message.contains(twice) && message.starts_with("test.smv:2:"), "{model}\n{message}");
    }
    let other_way = message("MODULE main VAR m : M; b : boolean;\nMODULE M VAR a : {b, c};");
    assert!(
        other_way.starts_with("test.smv:1:24: `b` is also a symbol of an enumeration (line 2)"),
        "{other_way}"
    );
    // A parameter that is not read, one that stands for the symbol, and a symbol of a module that is not used.
    smv("MODULE main VAR a : {b, c}; m : M(a); n : N(b); c1 : boolean;
         MODULE M(b) VAR q : {b, d}; INVAR q = d MODULE N(b) VAR q : {b, d}; INVAR q = b
         MODULE unused VAR x : {c1, c2};");
}

#[test]
fn a_divisor_of_zero_is_an_error_only_where_it_can_happen() {
    assert_graph(
        "MODULE main VAR x : 0..3; FROZENVAR y : 0..2; ASSIGN init(x) := 3;
         next(x) := case y != 0 : x / y; TRUE : 0; esac;",
        &["start 3,0 3,1 3,2", "0,0 > 0,0", "0,2 > 0,2", "1,2 > 0,2", "3,0 > 0,0", "3,1 > 3,1", "3,2 > 1,2"],
    );
    assert_graph(
        "MODULE main VAR x : {0, 2, 4}; INVAR x = 0 | 4 mod x = 0 & 4 / x > 1 ASSIGN next(x) := x = 0 ? 2 : 0;",
        &["start 0 2", "0 > 2", "2 > 0"],
    );
    for guarded in [
        "INVAR y != 0 & x / y = 1",
        "INVAR y > 0 -> x mod y < 3",
        "INVAR (y = 0 ? 0 : x / y) = 1",
        "INVAR y > 3 -> 3 / 0 = 1",
        "INVAR case y = 0 : TRUE; x / y = 1 : FALSE; TRUE : TRUE; esac",
        "INVAR x / (y + 1) = 1",
        // What is defined or passed along is asked about where it is read.
        "DEFINE d := x / y; INVAR y != 0 -> d = 1",
        "DEFINE d := x / y; e := d + 1; f := y = 1 ? e + d : 0; INVAR f < 7",
        "DEFINE unused := x / y;",
        "DEFINE t := [x / y, 3 / x]; INVAR y != 0 -> t[0] = 1",
        "VAR m : M(x mod y); MODULE M(p) INVAR main_y -> p = 1 DEFINE main_y := FALSE;",
        "DEFINE d := case x < 3 : 0; esac; INVAR x < 2 -> d = 0",
    ] {
        let design = smv(&format!("MODULE main VAR x : 0..3; y : 0..3; {guarded}"));
        assert!(design.warnings.is_empty(), "{guarded}: {:?}", design.warnings);
    }
    for (unguarded, expected) in [
        ("INVAR x / y = 1", "the divisor is 0, for instance when y = 0"),
        ("INVAR y != 1 & x / y = 1", "the divisor is 0, for instance when y = 0"),
        ("INVAR x / y = 1 & y != 0", "the divisor is 0, for instance when y = 0"),
        ("INVAR x = 1 | 3 / 0 = 1", "the divisor is 0, for instance when x = 0"),
        ("DEFINE d := x / y; INVAR y < 2 -> d = 1", "the divisor is 0, for instance when y = 0"),
        ("DEFINE d := x / y; e := y = 1 ? d : -d; INVAR e = 1", "the divisor is 0, for instance when y = 0"),
        ("VAR m : M(x mod y); MODULE M(p) INVAR p = 1", "the divisor is 0, for instance when y = 0"),
        (
            "DEFINE d := case x < 3 : 0; esac; INVAR d = 0",
            "no condition of this case holds, for instance when x = 3",
        ),
    ] {
        let message = message(&format!("MODULE main VAR x : 0..3; y : 0..3; {unguarded}"));
        assert!(message.contains(expected), "{unguarded}\n{message}");
    }
}

#[test]
fn a_division_by_what_may_be_zero_is_zero_where_nobody_knows() {
    let variables: String = (0..20).map(|index| format!("v{index} : boolean; ")).collect();
    let parity: Vec<String> = (0..20).map(|index| format!("v{index}")).collect();
    let model = |result: i64| {
        let parity = parity.join(" xor ");
        format!("MODULE main VAR x : 4..5; y : 0..1; {variables} INVARSPEC !({parity}) | x / y = {result}")
    };
    let design = smv(&model(0));
    assert_eq!(design.warnings.len(), 1, "{:?}", design.warnings);
    assert_eq!(
        design.warnings[0].message,
        "it is not known whether the divisor is 0 in some state; then the result is 0"
    );
    // In a state where x = 5, y is 0 or 1, and the parity is odd.
    let holds = |result: i64, divisor: u32| {
        let system = smv(&model(result)).system;
        let value = |(at, state): (usize, &SignalId)| match &system.signal(*state).sort {
            Sort::Enum(sort) => Value::Enum(sort.clone(), if at == 0 { 1 } else { divisor }),
            _ => Value::Bits(Bits::from_u64(1, u64::from(at == 2))),
        };
        let states = system.states().iter().enumerate().map(value).collect();
        let step = Step { inputs: Vec::new(), states, free: Default::default() };
        let PropertyKind::Invariant(root) = system.property(PropertyId(0)).kind else {
            panic!("an invariant")
        };
        let edits = Edits::none();
        let interpreter = Interpreter::new(&system, &edits).unwrap();
        interpreter.frame(&step).unwrap().value(root).unwrap().as_bool().unwrap()
    };
    assert!(holds(0, 0) && !holds(5, 0) && holds(5, 1) && !holds(0, 1));
}

#[test]
fn definitions_that_divide_do_not_collect_without_end() {
    let mut model = "MODULE main VAR x : 0..1; b : boolean; DEFINE d0 := 1 / x;\n".to_owned();
    for index in 1..200 {
        model += &format!("d{index} := b ? d{} : 1 - d{};\n", index - 1, index - 1);
    }
    smv(&format!("{model} INVAR x = 1 -> d199 = 1"));
}

#[test]
fn what_is_left_aside_is_told() {
    let design = smv(
        "MODULE main VAR x : boolean; a : m; b : m; MIRROR x PRED NAME p := x; PSLSPEC always {x; x} PRED x
         MODULE m VAR y : boolean; PARSYNTH y LTLSPEC G y",
    );
    let messages: Vec<&str> = design.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "2 PARSYNTH are ignored",
            "1 MIRROR is ignored",
            "2 PRED are ignored",
            "1 PSLSPEC is not checked: sequences, clocks, abort, forall and rows of one operator are not supported",
        ]
    );
}

#[test]
fn distances_are_read_with_their_instances_and_names() {
    let design = smv(
        "MODULE main VAR x : boolean; a : m;\nCOMPUTE NAME far := MAX [x,\n  EX !x]\nCOMPUTE MIN [y, EX y] IN a\n\
         MODULE m VAR y : boolean; COMPUTE MIN [y, !y];",
    );
    let found: Vec<(&str, bool, &str)> = (design.distances().iter())
        .map(|distance| (distance.name.as_str(), distance.longest, distance.text.as_str()))
        .collect();
    let expected = [
        ("a.COMPUTE1", false, "MIN [y, !y]"),
        ("far", true, "MAX [x, EX !x]"),
        ("COMPUTE2", false, "MIN [y, EX y]"),
    ];
    assert_eq!(found, expected);
    for (wrong, message) in [
        ("COMPUTE MEAN [x, x]", "`MIN` or `MAX` after `COMPUTE`"),
        ("COMPUTE MIN x", "`[` and two formulas"),
        ("COMPUTE MIN [x]", "`,` and another formula"),
        ("COMPUTE MIN [x, F x]", "linear temporal logic"),
    ] {
        let text = format!("MODULE main VAR x : boolean;\n{wrong}\n");
        let error = read("m.smv", text.as_bytes()).expect_err(wrong);
        assert!(error.to_string().contains(message), "{wrong}: {error}");
    }
}

#[test]
fn zero_and_one_in_place_of_truth_values_are_noted() {
    let note = "0 and 1 are taken as FALSE and TRUE, here and elsewhere in this file";
    for model in [
        "SPEC AG (n -> b)",
        "SPEC n & AX b",
        "SPEC AG (b & 1)",
        "INVAR n + 0 | b",
        "INVAR b xor 1 - n",
        "INVAR !n",
        "INVAR n <-> b",
        "INVAR b = 0",
        "INVAR b = n",
        "INVAR b in {0, 1}",
        "DEFINE d := n -> b;",
        "ASSIGN next(b) := n;",
        "INVAR case n : b; TRUE : b; esac",
    ] {
        let design = smv(&format!("MODULE main VAR n : 0..1; b : boolean; {model}"));
        let messages: Vec<&str> = design.warnings.iter().map(|warning| warning.message.as_str()).collect();
        assert_eq!(messages, [note], "{model}");
    }
    assert!(smv("MODULE main VAR n : 0..1; b : boolean; INVAR n = 1 -> b").warnings.is_empty());
}

#[test]
fn the_first_name_that_is_not_defined_is_reported() {
    for (model, at) in [
        ("SPEC p <-> q -> p", 6),
        ("SPEC EF q <-> p -> q", 9),
        ("INVAR case p : q; r : s; esac", 12),
        ("INVAR next(p) in {q, r}", 12),
        ("DEFINE d := [p, q]; INVAR d[0] & d[1]", 14),
        ("INVAR a[p] = q", 7),
    ] {
        let message = message(&format!("MODULE main\n{model}"));
        assert!(message.starts_with(&format!("test.smv:2:{at}: `")), "{model}\n{message}");
        assert!(message.contains("is not defined"), "{message}");
    }
}
