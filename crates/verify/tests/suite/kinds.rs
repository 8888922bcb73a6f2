//! Properties of all kinds are decided, certified, and heard of once.

use super::systems::{all, design, verifier};
use propcov_engine::Limits;
use propcov_ir::Invariant;
use propcov_verify::{Inspection, Outcome};

/// What is said of each property, and by whom.
fn said(name: &str, text: &str) -> Vec<(&'static str, bool, Option<&'static str>)> {
    let design = design(name, text);
    let verifier = verifier(&design.system, Limits::default());
    let properties = all(&design.system);
    let Inspection { gate, internal_errors, .. } = verifier.inspect(&properties);
    assert!(internal_errors.is_empty() && gate.obligations == properties.len());
    let mut heard = Vec::new();
    let verdicts = verifier.decide(&properties, &mut |outcome: &Outcome| heard.push(outcome.property));
    heard.sort();
    assert_eq!(heard, properties, "each is heard of once");
    assert!(verdicts.outcomes.iter().map(|outcome| outcome.property).eq(properties));
    let said = |outcome: &Outcome| {
        assert!(outcome.internal_errors.is_empty(), "{:?}", outcome.internal_errors);
        (outcome.answer.name(), outcome.certified, outcome.engine)
    };
    verdicts.outcomes.iter().map(said).collect()
}

#[test]
fn ctl_and_invariants_of_one_system() {
    let text = "MODULE main\nVAR n : 0..3; on : boolean;\nASSIGN init(n) := 0; next(n) := (n + 1) mod 4;\n\
        init(on) := FALSE; next(on) := {TRUE, FALSE};\n\
        SPEC AG EF n = 3\nSPEC EF (n = 1 & on)\nSPEC AF on\nINVARSPEC n < 4\nINVARSPEC !on\n";
    let [reset, possible, inevitable, bound, off] = said("counter.smv", text)[..] else { panic!("five") };
    for (verdict, found) in [("proved", reset), ("proved", possible), ("falsified", inevitable)] {
        assert_eq!(found, (verdict, true, Some("bdd")));
    }
    assert_eq!((bound.0, bound.1, off.0, off.1), ("proved", true, "falsified", true));
}

#[test]
fn ints_and_reals() {
    let text = "node n(x: int; r: real) returns (even, small: bool);\nvar a: int; b: real;\nlet\n\
        a = 0 -> pre a + 2 * x;\n  b = if r > 1.0 then 1.0 else r;\n  even = b <= 1.0;\n  small = a < 10;\n\
        --%PROPERTY even;\n  --%PROPERTY small;\ntel;\n";
    let [bounded, small] = said("sums.lus", text)[..] else { panic!("two") };
    assert_eq!((bounded.0, bounded.1), ("proved", true));
    assert_eq!((small.0, small.1), ("falsified", true));
}

#[test]
fn justice_and_invariants_of_one_system() {
    // A toggle is true infinitely often; a latch that stays is, or is not; both at once are not.
    let text = "1 sort bitvec 1\n2 zero 1\n3 state 1 t\n4 init 1 3 2\n5 next 1 3 -3\n6 state 1 s\n7 init 1 6 2\n8 next 1 6 6\n\
        9 bad 6\n10 justice 1 3\n11 justice 2 3 6\n12 justice 2 3 -6\n";
    let [low, toggles, both, other] = said("live.btor2", text)[..] else { panic!("four") };
    assert_eq!((low.0, low.1), ("proved", true));
    assert_eq!((toggles.0, toggles.1), ("falsified", true));
    assert_eq!(both, ("proved", true, Some("bdd")));
    assert_eq!((other.0, other.1), ("falsified", true));
}

#[test]
fn lemmas_that_hold_are_told_from_those_that_do_not() {
    let text = "node n(x: bool) returns (ok: bool);\nvar a, b: int;\nlet\n  a = 0 -> pre a + 1;\n  b = 0 -> pre b + 1;\n\
        ok = a >= 0;\n  --%PROPERTY ok;\ntel;\n";
    let design = design("lemmas.lus", text);
    let system = &design.system;
    let ok = system.invariant(all(system)[0]).expect("an invariant");
    let mut exprs = system.exprs.clone();
    let lemmas = Invariant { lemmas: vec![exprs.not(ok), ok], exprs };
    let verifier = verifier(system, Limits::default()).with_lemmas(&lemmas);
    let verdicts = verifier.decide(&all(system), &mut |_| ());
    assert!(verdicts.outcomes[0].answer.is_proved());
    assert_eq!(verdicts.holding, Some(vec![1]));
}
