//! Implications between propositions: whole in what a property says, and apart in how it was written.

use crate::common::{self, Random};
use crate::smv_semantics::smv;
use propcov_frontend::read;
use propcov_ir::{Ctl, ExprId, Property, PropertyKind, Quantifier, System};

/// The formula with each atom in brackets, so that `[!p | q]` is one atom and `(![p] | [q])` are two.
fn shown(system: &System, formula: &Ctl) -> String {
    let inner = |formula: &Ctl| shown(system, formula);
    let letter = |quantifier: &Quantifier| if *quantifier == Quantifier::All { 'A' } else { 'E' };
    match formula {
        Ctl::Atom(expr) => format!("[{}]", system.show(*expr)),
        Ctl::Not(a) => format!("!{}", inner(a)),
        Ctl::And(a, b) => format!("({} & {})", inner(a), inner(b)),
        Ctl::Or(a, b) => format!("({} | {})", inner(a), inner(b)),
        Ctl::Next(quantifier, a) => format!("{}X {}", letter(quantifier), inner(a)),
        Ctl::Until(quantifier, a, b) => format!("{}({} U {})", letter(quantifier), inner(a), inner(b)),
        Ctl::Release(quantifier, _, b) if system.always(formula).is_some() => {
            format!("{}G {}", letter(quantifier), inner(b))
        }
        Ctl::Release(quantifier, a, b) => format!("{}({} R {})", letter(quantifier), inner(a), inner(b)),
    }
}

fn with_specification(specification: &str) -> System {
    let model = "MODULE main
        IVAR i : boolean;
        VAR a : boolean; b : boolean; c : boolean; p : boolean; q : boolean; r : boolean; x : 0..3;
        DEFINE rule := p -> q;";
    smv(&format!("{model}\n{specification}\n")).system
}

fn only(system: &System) -> &Property {
    let [property] = system.properties() else { panic!("one property") };
    property
}

#[test]
fn implications_are_taken_apart_where_the_formula_is_split() {
    // The formula, what the property says, and how it was written, if that differs.
    let table = [
        ("p -> q", "[(!p | q)]", Some("(![p] | [q])")),
        ("p", "[p]", None),
        ("p & q", "[(p & q)]", None),
        ("!p | q", "[(!p | q)]", None),
        ("rule", "[rule]", None),
        ("AG (!p | q)", "AG [(!p | q)]", None),
        ("AG (p -> q)", "AG [(!p | q)]", Some("AG (![p] | [q])")),
        ("AG (p -> AX q)", "AG (![p] | AX [q])", None),
        ("AG (p -> AX (q -> r))", "AG (![p] | AX [(!q | r)])", Some("AG (![p] | AX (![q] | [r]))")),
        ("AG (p -> (q -> r))", "AG [(!p | (!q | r))]", Some("AG (![p] | (![q] | [r]))")),
        ("AG ((p -> q) -> r)", "AG [(!(!p | q) | r)]", Some("AG (![(!p | q)] | [r])")),
        ("AG ((a -> b) & c)", "AG [((!a | b) & c)]", Some("AG ((![a] | [b]) & [c])")),
        ("AG (a & b & (p -> q))", "AG [((a & b) & (!p | q))]", Some("AG ([(a & b)] & (![p] | [q]))")),
        ("AG (p -> q & (b -> c))", "AG [(!p | (q & (!b | c)))]", Some("AG (![p] | ([q] & (![b] | [c])))")),
        ("A [p -> q U r]", "A([(!p | q)] U [r])", Some("A((![p] | [q]) U [r])")),
        ("E [p U q -> r]", "E([p] U [(!q | r)])", Some("E([p] U (![q] | [r]))")),
        ("A [p -> q R r]", "A([(!p | q)] R [r])", Some("A((![p] | [q]) R [r])")),
        ("E [p R q -> r]", "E([p] R [(!q | r)])", Some("E([p] R (![q] | [r]))")),
        // Not within other propositions,
        ("AG (p | (q -> r))", "AG [(p | (!q | r))]", None),
        ("AG !(p -> q)", "AG [!(!p | q)]", None),
        ("AG ((p -> q) <-> r)", "AG [((!p | q) = r)]", None),
        // nor as operands of other operators between formulas.
        ("(p -> q) | AX r", "([(!p | q)] | AX [r])", None),
        ("(p -> q) -> AX r", "(![(!p | q)] | AX [r])", None),
        ("(p -> q) & AX r", "([(!p | q)] & AX [r])", Some("((![p] | [q]) & AX [r])")),
        ("AX p -> (q -> r)", "(!AX [p] | [(!q | r)])", Some("(!AX [p] | (![q] | [r]))")),
        ("!AX (p -> q)", "!AX [(!p | q)]", Some("!AX (![p] | [q])")),
        ("p | AX (q -> r)", "([p] | AX [(!q | r)])", Some("([p] | AX (![q] | [r]))")),
        ("ABG 0..1 (p -> q)", "([(!p | q)] & AX [(!p | q)])", Some("((![p] | [q]) & AX (![p] | [q]))")),
        ("A [p -> q BU 0..0 r]", "[r]", None),
        ("E [p -> q BU 1..1 r]", "([(!p | q)] & EX [r])", Some("((![p] | [q]) & EX [r])")),
    ];
    for (formula, kind, as_written) in table {
        for specification in [format!("SPEC {formula}"), format!("CTLSPEC NAME n := {formula};")] {
            let system = with_specification(&specification);
            let property = only(&system);
            let PropertyKind::Ctl(found) = &property.kind else { panic!("{formula}") };
            assert_eq!(shown(&system, found), kind, "{formula}");
            let found = property.as_written.as_ref().map(|formula| shown(&system, formula));
            assert_eq!(found.as_deref(), as_written, "{formula}");
        }
    }
}

#[test]
fn invariants_are_written_as_ag() {
    let table = [
        ("p -> q", "[(!p | q)]", Some("AG (![p] | [q])")),
        ("(p -> q) & r", "[((!p | q) & r)]", Some("AG ((![p] | [q]) & [r])")),
        ("!p | q", "[(!p | q)]", None),
        // An atom of CTL cannot read inputs.
        ("i -> p", "[(!i | p)]", None),
    ];
    for (invariant, kind, as_written) in table {
        let system = with_specification(&format!("INVARSPEC {invariant}"));
        let property = only(&system);
        let PropertyKind::Invariant(found) = property.kind else { panic!("{invariant}") };
        assert_eq!(shown(&system, &Ctl::Atom(found)), kind, "{invariant}");
        let found = property.as_written.as_ref().map(|formula| shown(&system, formula));
        assert_eq!(found.as_deref(), as_written, "{invariant}");
    }
}

#[test]
fn what_an_implication_claims_is_only_read_where_its_condition_holds() {
    // Neither an error nor a warning about a division by zero.
    for specification in ["SPEC AG (x != 0 -> 3 mod x = 1)", "SPEC AG (p & x != 0 & 3 mod x = 1 & (p -> q))"]
    {
        let text = format!("MODULE main VAR p : boolean; q : boolean; x : 0..3;\n{specification}\n");
        let design = smv(&text);
        assert!(design.warnings.is_empty(), "{:?}", design.warnings);
        assert!(only(&design.system).as_written.is_some());
    }
}

#[test]
fn a_part_that_no_formula_can_have_leaves_the_formula_whole() {
    let system = with_specification("SPEC AG (i -> TRUE)");
    assert_eq!(only(&system).as_written, None);
    // Whole it is small enough, with two atoms instead of one it is not.
    let system = with_specification("SPEC ABG 0..299 ABG 0..99 (p -> q)");
    assert!(only(&system).as_written.is_none());
    let system = with_specification("SPEC ABG 0..99 ABG 0..99 (p -> q)");
    assert!(only(&system).as_written.is_some());
}

/// A formula in which what has no path quantifier is one atom again.
fn whole(system: &mut System, formula: &Ctl) -> Ctl {
    match formula {
        Ctl::Atom(_) => formula.clone(),
        Ctl::Not(a) => match whole(system, a) {
            Ctl::Atom(a) => Ctl::Atom(negated(system, a)),
            a => Ctl::Not(Box::new(a)),
        },
        Ctl::And(a, b) => match (whole(system, a), whole(system, b)) {
            (Ctl::Atom(a), Ctl::Atom(b)) => Ctl::Atom(both(system, a, b)),
            (a, b) => Ctl::And(Box::new(a), Box::new(b)),
        },
        Ctl::Or(a, b) => match (whole(system, a), whole(system, b)) {
            (Ctl::Atom(a), Ctl::Atom(b)) => Ctl::Atom(either(system, a, b)),
            (a, b) => Ctl::Or(Box::new(a), Box::new(b)),
        },
        Ctl::Next(quantifier, a) => Ctl::Next(*quantifier, Box::new(whole(system, a))),
        Ctl::Until(quantifier, a, b) => {
            Ctl::Until(*quantifier, Box::new(whole(system, a)), Box::new(whole(system, b)))
        }
        Ctl::Release(quantifier, a, b) => {
            Ctl::Release(*quantifier, Box::new(whole(system, a)), Box::new(whole(system, b)))
        }
    }
}

fn truth(system: &mut System, expr: ExprId) -> Option<bool> {
    [false, true].into_iter().find(|value| system.exprs.bool(*value) == expr)
}

fn negated(system: &mut System, a: ExprId) -> ExprId {
    match truth(system, a) {
        Some(value) => system.exprs.bool(!value),
        None => system.exprs.not(a),
    }
}

fn both(system: &mut System, a: ExprId, b: ExprId) -> ExprId {
    match (truth(system, a), truth(system, b)) {
        (Some(true), _) | (_, Some(false)) => b,
        (_, Some(true)) | (Some(false), _) => a,
        _ if a == b => a,
        _ => system.exprs.and(a, b),
    }
}

fn either(system: &mut System, a: ExprId, b: ExprId) -> ExprId {
    match (truth(system, a), truth(system, b)) {
        (Some(false), _) | (_, Some(true)) => b,
        (_, Some(false)) | (Some(true), _) => a,
        _ if a == b => a,
        _ => system.exprs.or(a, b),
    }
}

/// Put together again, what was taken apart is the very same formula. How many there were.
fn parts_make_the_whole(system: &mut System) -> usize {
    let properties = system.properties().to_vec();
    let mut count = 0;
    for property in properties {
        let Some(as_written) = &property.as_written else { continue };
        count += 1;
        let kind = match &property.kind {
            PropertyKind::Ctl(formula) => formula.clone(),
            PropertyKind::Invariant(expr) => {
                let never = Ctl::Atom(system.exprs.bool(false));
                Ctl::Release(Quantifier::All, Box::new(never), Box::new(Ctl::Atom(*expr)))
            }
            PropertyKind::Justice(_) | PropertyKind::Ltl(_) => panic!("{} is no CTL", property.name),
        };
        assert_ne!(*as_written, kind, "{}", property.name);
        let (again, kind) = (whole(system, as_written), whole(system, &kind));
        assert_eq!(again, kind, "{}", property.name);
    }
    count
}

fn random_formula(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(6) == 0 {
        return ["p", "q", "r", "x = 1", "rule", "TRUE"][random.below(6)].to_owned();
    }
    let a = random_formula(random, depth - 1);
    let b = random_formula(random, depth - 1);
    match random.below(13) {
        0..4 => format!("({a} -> {b})"),
        4 | 5 => format!("({a} & {b})"),
        6 => format!("({a} | {b})"),
        7 => format!("({a} <-> {b})"),
        8 => format!("!({a})"),
        9 => format!("AX ({a})"),
        10 => format!("A [{a} U {b}]"),
        11 => format!("A [{a} R {b}]"),
        _ => format!("EBF 0..1 ({a})"),
    }
}

#[test]
fn parts_of_random_formulas_make_the_whole() {
    let mut found = 0;
    for seed in 0..400 {
        let mut random = Random(seed);
        let formula = random_formula(&mut random, 5);
        let mut system = with_specification(&format!("SPEC {formula}"));
        found += parts_make_the_whole(&mut system);
    }
    assert!(found > 100, "only {found} formulas have parts");
}

#[test]
fn parts_of_the_formulas_of_shared_models_make_the_whole() {
    let Some(files) = common::benchmarks("smv", "smv") else { return };
    let mut found = 0;
    for (name, bytes) in files {
        // Another test tells which models can be read.
        let Ok(mut design) = read(&name, &bytes) else { continue };
        found += parts_make_the_whole(&mut design.system);
    }
    assert!(found > 0);
}
