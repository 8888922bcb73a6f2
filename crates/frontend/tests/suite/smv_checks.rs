//! What looks wrong and is an error only where it can happen: values out of range, divisors that are zero. NuSMV 2.5.4
//! accepts and rejects the same models.

use crate::smv_semantics::{assert_graph, show, smv};
use propcov_frontend::read;

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
