//! SMV as people write it: each feature with the verdicts that NuSMV gives, or with the error that names it.

use super::{all, design};
use propcov_engine::Limits;
use propcov_frontend::read;
use propcov_verify::{Options, Silent, Verifier};

/// `p`roved, `f`ailed or `u`nknown, for each property in its order.
fn verdicts(text: &str) -> String {
    let design = design("language.smv", text);
    let verifier = Verifier::new(&design.system, Options::default(), Limits::default(), &Silent);
    let verdicts = verifier.decide(&all(&design.system), &mut |_| ());
    let letter = |outcome: &propcov_verify::Outcome| {
        assert!(outcome.internal_errors.is_empty(), "{:?}", outcome.internal_errors);
        assert!(outcome.certified || !outcome.answer.is_decided(), "{:?}", outcome.property);
        outcome.answer.name().chars().next().unwrap_or('?')
    };
    verdicts.outcomes.iter().map(letter).collect()
}

fn error(text: &str) -> String {
    read("language.smv", text.as_bytes()).expect_err("an error").to_string()
}

#[test]
fn names_in_quotes() {
    let text = "MODULE main\nVAR \"f 00\" : boolean; x : {\"a b\", c};\nASSIGN init(\"f 00\") := FALSE; next(\"f 00\") := !\"f 00\"; next(x) := \"a b\";\n\
        DEFINE \"d\" := \"f 00\" & x = \"a b\";\nSPEC AG EF \"d\"\nLTLSPEC NAME \"my own\" := G F \"f 00\"\nSPEC AG \"d\"\n";
    assert_eq!(verdicts(text), "ppf");
    assert_eq!(design("q.smv", text).system.properties()[1].name, "\"my own\"");
}

#[test]
fn names_with_dots_and_indices_that_are_declared_flat() {
    let text = "MODULE main\nVAR proc1.line : 0..3; _PC.0 : boolean; a[1] : boolean; b.c[2].d : boolean; e[-1] : boolean; m : sub(proc1);\n\
        ASSIGN init(proc1.line) := 0; next(proc1.line) := (proc1.line + 1) mod 4; init(_PC.0) := FALSE; next(_PC.0) := !_PC.0;\n\
        init(a[1]) := FALSE; next(a[1]) := b.c[2].d; next(b.c[2].d) := FALSE; next(e[-1]) := !e[-1];\n\
        DEFINE x.y := proc1.line = 2;\n\
        INVARSPEC x.y -> proc1.line = 2\nSPEC AG EF x.y\nSPEC AG (a[1] -> AX !a[1])\nINVARSPEC m.f.g <-> proc1.line = 1\nSPEC AG !_PC.0\nINVARSPEC m.f.h\n\
        MODULE sub(p)\nVAR f.h : boolean;\nASSIGN f.h := p.line < 4;\nDEFINE f.g := p.line = 1;\n";
    assert_eq!(verdicts(text), "ppppfp");
}

#[test]
fn running_is_a_name_where_there_are_no_processes() {
    let text = "MODULE main\nVAR running : boolean;\nASSIGN init(running) := FALSE; next(running) := !running;\nSPEC AG EF running\nSPEC AG running\n";
    assert_eq!(verdicts(text), "pf");
    let process = "MODULE main\nVAR running : boolean; p : process m;\nMODULE m\nVAR x : boolean;\n";
    assert!(error(process).contains("`running` cannot be declared"));
}

#[test]
fn sets_on_the_left_of_in() {
    let text = "MODULE main\nVAR x : 0..3; y : 0..3;\nSPEC AG ({1, 2} in {1, 2, 3})\nSPEC AG ({1, 0} in {1, 2, 3})\nSPEC AG ({x, y} in {0, 1, 2, 3})\nSPEC AG ((x union 2) in {0, 1, 2})\n";
    assert_eq!(verdicts(text), "pfpf");
}

#[test]
fn specifications_in_another_instance() {
    let text = "MODULE m(p)\nVAR x : boolean;\nASSIGN init(x) := FALSE; next(x) := p;\n\
        MODULE main\nVAR a : m(b.x); b : m(TRUE);\nSPEC AG !x IN a\nSPEC AX x IN b;\nSPEC AX x IN a\nINVARSPEC NAME q := x | !x IN a\nLTLSPEC F G x IN a\n";
    assert_eq!(verdicts(text), "fpfpp");
    assert!(error(&text.replace("IN b", "IN a.x")).contains("expected an instance"));
}

#[test]
fn lines_of_a_preprocessor_old_words_and_signs() {
    let text = "# 1 \"foo.smv\"\nMODULE main\nCONSTANTS ;\nVAR i : 0..2; w : Word[4]; z : -3..+4; s : {a.b, c};\nMDEFINE t := [1, 2, 3];\nDEFINE k := +3;\n\
        # 7 \"foo.smv\"\nSPEC AG (t[i] >= 1 & k = 3)\nSPEC AG z < 4\nSPEC AG (s = a.b | s = c)\nSPEC AG s = a.b\n";
    assert_eq!(verdicts(text), "pfpf");
}

#[test]
fn invariants_and_formulas_about_inputs_and_the_next_step() {
    let text = "MODULE main\nVAR x : 0..3;\nIVAR i : boolean;\nASSIGN init(x) := 0; next(x) := i ? (x + 1) mod 4 : x;\n\
        INVARSPEC next(x) = x | i\nINVARSPEC i -> next(x) != x\nINVARSPEC next(x) != 3\nINVARSPEC !i\nLTLSPEC G (next(x) = 0 -> x = 3 | x = 0)\nLTLSPEC G (next(x) = x)\n";
    assert_eq!(verdicts(text), "ppffpf");
    // A step that TRANS forbids is none.
    let text = "MODULE main\nVAR x : boolean;\nIVAR i : boolean;\nTRANS i -> x\nINIT !x\nINVARSPEC i -> x\nINVARSPEC !i\nINVARSPEC next(x) -> x\n";
    assert_eq!(verdicts(text), "pff");
}

#[test]
fn integers_and_reals() {
    let text = "MODULE main\nVAR n : integer; r : real; up : boolean; k : 0..3;\n\
        ASSIGN init(n) := 0; next(n) := case up : n + 2; n > 0 : n - 2; TRUE : 0; esac;\n\
        init(r) := 0.5; next(r) := r < f'7/2 ? r + 1.5e0 : r; init(k) := 0; next(k) := n > 2 ? 3 : k;\n\
        INVARSPEC NAME never_negative := n >= 0\nINVARSPEC n < 10\nINVARSPEC r <= 5.0\nCTLSPEC NAME even := AG n mod 2 = 0\nINVARSPEC floor(r) <= 5 & abs(n) = n & max(n, k) >= k\n\
        INVARSPEC n / 2 * 2 = n\nINVARSPEC -7 / 2 = -3 & (-n - 7) / 2 <= -3\nLTLSPEC F n > 0\nSPEC EF n > 3\nINVARSPEC n in 0..1000 | n > 1000\n";
    assert_eq!(verdicts(text), "pfpppppuup");
}

#[test]
fn what_is_not_read_is_refused_by_its_name() {
    for (text, expected) in [
        ("MODULE main\nVAR t : clock;\n", "clock"),
        ("MODULE main\nVAR m : array word[2] of boolean;\n", "array word[2] of boolean"),
        ("MODULE main\nVAR n : integer;\nINVARSPEC n / n = 1\n", "divided by constants"),
        ("MODULE main\nVAR n : integer;\nINVARSPEC n / 0 = 1\n", "divisor is 0"),
        ("MODULE main\nVAR r : real;\nINVARSPEC r = TRUE\n", "cannot be compared"),
        (
            "MODULE main\nVAR r : real; n : integer;\nASSIGN next(n) := r;\n",
            "expected a value of type integer",
        ),
    ] {
        let error = error(text);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn properties_of_psl() {
    let model = "MODULE main\nVAR x : 0..3; e : boolean;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 4; init(e) := FALSE;\n";
    for (property, expected) in [
        ("always (x = 0 -> next (x = 1))", "p"),
        ("always x = 0 -> next x = 1", "p"),
        ("always (x = 0 -> next[2] (x = 2))", "p"),
        ("always (x = 0 -> next[2] (x = 3))", "f"),
        ("never (x = 3 & next x = 3)", "p"),
        ("never x = 3", "f"),
        ("always eventually! x = 3", "p"),
        ("G F x = 3", "p"),
        ("always (x = 0 -> next_a[1..3] (x != 0))", "p"),
        ("always (x = 0 -> next_e[1:3] (x = 3))", "p"),
        ("always (x = 0 -> next_event(x = 2)(next x = 3))", "p"),
        ("always (x = 0 -> next_event!(x = 2)(next x = 1))", "f"),
        ("always (x = 1 -> (x != 0 until! x = 0))", "p"),
        ("always (x = 1 -> (x != 0 until e))", "f"),
        ("x = 0 until_ x = 0", "p"),
        ("x = 0 until!_ x = 1", "f"),
        ("x < 4 until FALSE", "p"),
        ("x < 4 until! FALSE", "f"),
        ("x = 1 before x = 2", "p"),
        ("x = 2 before! x = 1", "f"),
        ("x = 2 before! x = 2", "f"),
        ("x = 2 before!_ x = 2", "p"),
        ("(x = 0) U (x = 1)", "p"),
        ("(x < 4) W FALSE", "p"),
        ("(G F x = 0) & (G F x = 1)", "p"),
        ("AG AF x = 3", "p"),
        ("AG e -> x = 3", "p"),
        ("AG EF x = 3 & x = 2", "f"),
    ] {
        let text = format!("{model}PSLSPEC {property};\nPSLSPEC NAME n := TRUE;\n");
        assert_eq!(verdicts(&text), format!("{expected}p"), "{property}");
    }
    // What is not read is passed over, with a warning.
    for property in [
        "always {x = 0; x = 1} |-> {x = 2}",
        "always x = 0 abort e",
        "x = 0 -> x = 1 -> x = 2",
        "forall i in {0:2}: x = i",
    ] {
        let design = design("psl.smv", &format!("{model}PSLSPEC {property};\nSPEC AG x < 4\n"));
        assert_eq!(design.system.properties().len(), 1, "{property}");
        assert!(design.warnings.iter().any(|warning| warning.to_string().contains("PSLSPEC")), "{property}");
    }
}
