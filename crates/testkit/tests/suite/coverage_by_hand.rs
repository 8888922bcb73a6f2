//! Coverage by definition on systems whose coverage is worked out by hand: what the comparison with the other oracle does not reach.

use propcov_ir::{Ctl, Edits, ExprId, Fairness, Sort, Value};
use propcov_testkit::{
    CoverageError, CoverageQuestion, ExplicitCtl, Flip, Implications, Kripke, KripkeSystem, Semantics,
    WrittenCtl, covered_states, covered_transitions, kripke_system,
};
use std::collections::BTreeSet;

fn model(states: usize, edges: &[(usize, usize)], labels: &[(&str, &[usize])]) -> KripkeSystem {
    let labels = labels.iter().map(|(label, states)| ((*label).to_owned(), states.to_vec())).collect();
    kripke_system(&Kripke { states, initial: vec![0], edges: edges.to_vec(), labels, fairness: Vec::new() })
}

fn lower(model: &mut KripkeSystem, text: &str, implications: Implications) -> Ctl {
    let formula: WrittenCtl = text.parse().expect("a formula");
    model.lower(&formula, implications).expect("labels")
}

fn question(formula: &Ctl, observed: ExprId, semantics: Semantics) -> CoverageQuestion<'_> {
    CoverageQuestion { formula, observed, semantics, flip: Flip::Any }
}

fn states(
    model: &KripkeSystem,
    question: CoverageQuestion<'_>,
) -> Result<Option<BTreeSet<usize>>, CoverageError> {
    let edits = Edits::none();
    let explicit = ExplicitCtl::new(&model.system, &edits).expect("small");
    let covered = covered_states(&model.system, &explicit, &question)?;
    Ok(covered.map(|covered| (0..covered.len()).filter(|state| covered[*state]).collect()))
}

fn transitions(
    model: &KripkeSystem,
    question: CoverageQuestion<'_>,
) -> Result<Option<BTreeSet<(usize, usize)>>, CoverageError> {
    let edits = Edits::none();
    let explicit = ExplicitCtl::new(&model.system, &edits).expect("small");
    covered_transitions(&model.system, &explicit, &question)
}

/// That the place is this one, as an atom.
fn at(model: &mut KripkeSystem, states: &[usize]) -> Ctl {
    Ctl::Atom(model.is_one_of(states))
}

#[test]
fn an_enumeration_is_covered_by_any_other_value_or_by_all() {
    // 0 -> 1 -> 2 -> 2
    let mut model = model(3, &[(0, 1), (1, 2), (2, 2)], &[]);
    let place = model.system.read(model.place);
    // AX (place is 1 or 2) lets place 1 be 2 as well, but not 0.
    let either = at(&mut model, &[1, 2]);
    let formula = Ctl::Next(propcov_ir::Quantifier::All, Box::new(either));
    let any = question(&formula, place, Semantics::Observability);
    let all = CoverageQuestion { flip: Flip::All, ..any };
    assert_eq!(states(&model, any), Ok(Some([1].into())));
    assert_eq!(states(&model, all), Ok(Some([].into())));
    assert_eq!(transitions(&model, any), Ok(Some([(0, 1)].into())));
    assert_eq!(transitions(&model, all), Ok(Some([].into())));
    // AX (place is 1) lets it be nothing else.
    let only = at(&mut model, &[1]);
    let formula = Ctl::Next(propcov_ir::Quantifier::All, Box::new(only));
    let all = CoverageQuestion { formula: &formula, flip: Flip::All, ..all };
    assert_eq!(states(&model, all), Ok(Some([1].into())));
}

#[test]
fn an_enumeration_of_one_value_has_no_other() {
    let mut model = model(1, &[(0, 0)], &[]);
    let place = model.system.read(model.place);
    let formula = at(&mut model, &[0]);
    for flip in [Flip::Any, Flip::All] {
        let question = CoverageQuestion { flip, ..question(&formula, place, Semantics::Mutation) };
        assert_eq!(states(&model, question), Ok(Some([].into())));
    }
}

#[test]
fn definitions_of_other_wires_do_not_see_the_flip() {
    let mut model = model(2, &[(0, 1), (1, 0)], &[("q", &[0])]);
    let q = model.labels["q"];
    let wire = model.system.add_wire("same", q);
    let wire = model.system.read(wire);
    model.labels.insert("same".to_owned(), wire);
    let direct = lower(&mut model, "q", Implications::Whole);
    let through = lower(&mut model, "same", Implications::Whole);
    let both = lower(&mut model, "q & same", Implications::Whole);
    for semantics in [Semantics::Mutation, Semantics::Observability] {
        assert_eq!(states(&model, question(&direct, q, semantics)), Ok(Some([0].into())));
        assert_eq!(states(&model, question(&through, q, semantics)), Ok(Some([].into())));
        assert_eq!(states(&model, question(&both, q, semantics)), Ok(Some([0].into())));
        // Observing the state does not touch the wires that read it.
        let place = model.system.read(model.place);
        assert_eq!(states(&model, question(&direct, place, semantics)), Ok(Some([].into())));
    }
}

#[test]
fn a_transition_under_several_inputs_is_redirected_under_each() {
    // 0 -> 1 -> 1 under each input; the input is true infinitely often.
    let mut model = model(2, &[(0, 1), (1, 1)], &[("q", &[1])]);
    let input = model.system.add_input("i", Sort::BOOL);
    let input = model.system.read(input);
    model.system.fairness.push(Fairness::Justice(input));
    let q = model.labels["q"];
    let edits = Edits::none();
    let explicit = ExplicitCtl::new(&model.system, &edits).expect("small");
    assert_eq!(explicit.edges().len(), 4, "two transitions, each with and without the condition");
    // If 0 -> 1 stayed under one input, EX q would still hold.
    let formula = lower(&mut model, "EX q", Implications::Whole);
    assert_eq!(transitions(&model, question(&formula, q, Semantics::Mutation)), Ok(Some([(0, 1)].into())));
    // The copy has a fair loop of its own: otherwise no fair path would miss q in the second mutant.
    let formula = lower(&mut model, "AX AX AF q", Implications::Whole);
    assert_eq!(transitions(&model, question(&formula, q, Semantics::Mutation)), Ok(Some([(1, 1)].into())));
}

#[test]
fn a_loop_of_the_copy_stays_at_the_copy() {
    // 0 -> 0, q at 0. Redirected, the loop goes to the copy and never comes back.
    let mut model = model(1, &[(0, 0)], &[("q", &[0])]);
    let q = model.labels["q"];
    let formula = lower(&mut model, "AX AX AF q", Implications::Whole);
    assert_eq!(transitions(&model, question(&formula, q, Semantics::Mutation)), Ok(Some([(0, 0)].into())));
}

#[test]
fn what_observability_accepts() {
    let mut model = model(2, &[(0, 1), (1, 1)], &[("p", &[0]), ("q", &[0, 1])]);
    let q = model.labels["q"];
    let mut is_accepted = |text: &str| {
        let formula = lower(&mut model, text, Implications::Apart);
        states(&model, question(&formula, q, Semantics::Observability)).expect("it holds").is_some()
    };
    for text in [
        "q",
        "p -> q",
        "AX q & AG q",
        "p | AX q",
        "AX q | p",
        "A [q U !p]",
        "A [q R q]",
        "AF !p",
        "!EX !q",
        "!EF !q",
        "!E [!q U !q]",
        "!(p & EX !q)",
        "AG (p -> AX (p -> q))",
    ] {
        assert!(is_accepted(text), "{text}");
    }
    for text in ["EX q", "AG EF q", "AX q | AG q", "!AX !q", "AX q -> AG q", "p -> EG q", "p <-> AX q"] {
        assert!(!is_accepted(text), "{text}");
    }
}

#[test]
fn antecedents_are_not_transformed() {
    // 0 -> 1 -> 0, p and q at 0.
    let mut model = model(2, &[(0, 1), (1, 0)], &[("p", &[0]), ("q", &[0])]);
    let (p, q) = (model.labels["p"], model.labels["q"]);
    for (text, implications, observed, expected) in [
        // Taken apart, only the consequent is looked at: where the antecedent is true.
        ("AG (p -> q)", Implications::Apart, q, vec![0]),
        ("AG (p -> q)", Implications::Apart, p, vec![]),
        // As one proposition, a p more is noticed where there is no q.
        ("AG (p -> q)", Implications::Whole, q, vec![0]),
        ("AG (p -> q)", Implications::Whole, p, vec![1]),
        ("AG (!p | q)", Implications::Apart, p, vec![1]),
        // Antecedents of formulas with path quantifiers.
        ("AG (p -> AX !q)", Implications::Whole, p, vec![]),
        // A disjunction: its proposition is looked at where the other side fails.
        ("AG (AX !q | !p)", Implications::Whole, p, vec![1]),
        ("AG (!p | AX !q)", Implications::Whole, q, vec![1]),
        ("!EF (p & EX q)", Implications::Whole, p, vec![]),
        ("!EF (p & EX q)", Implications::Whole, q, vec![1]),
    ] {
        let formula = lower(&mut model, text, implications);
        let covered = states(&model, question(&formula, observed, Semantics::Observability));
        assert_eq!(covered, Ok(Some(expected.into_iter().collect())), "{text} {implications:?}");
    }
}

#[test]
fn formulas_are_read_and_written() {
    for (text, brackets) in [
        ("a & b | c -> d -> e", "(((a & b) | c) -> (d -> e))"),
        ("!a & AX b <-> c", "((!(a) & AX (b)) <-> c)"),
        ("A [a U b -> c] | E[TRUE R !x']", "(A [a U (b -> c)] | E [TRUE R !(x')])"),
        ("AG AF a", "AG (AF (a))"),
    ] {
        let formula: WrittenCtl = text.parse().expect("a formula");
        assert_eq!(formula.to_string(), brackets);
        assert_eq!(brackets.parse(), Ok(formula));
    }
    for text in ["", "a &", "(a", "a b", "A [a W b]", "a + b", "]", &"!".repeat(100_000)] {
        assert!(text.parse::<WrittenCtl>().is_err());
    }
}

#[test]
fn words_that_are_too_wide_are_refused() {
    let mut model = model(1, &[(0, 0)], &[]);
    let wide = model.system.add_state("wide", Sort::BitVec(13));
    let zero = model.system.exprs.constant(Value::zero(&Sort::BitVec(13)));
    let read = model.system.read(wide);
    model.system.set_init(wide, zero);
    model.system.set_next(wide, zero);
    let formula = Ctl::Atom(model.system.exprs.eq(read, zero));
    let answer = states(&model, question(&formula, read, Semantics::Mutation));
    assert_eq!(answer, Err(CoverageError::Sort(Sort::BitVec(13))));
}
