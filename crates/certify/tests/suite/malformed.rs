//! Claims that mean nothing are rejected, and never crash the checker; what it cannot decide it does not accept.

use propcov_budget::Budget;
use propcov_certify::{Claim, Rejection, check_proof, check_trace};
use propcov_ir::{
    ConstraintKind, Edit, Edits, ElementId, ElementKind, ElementSet, ExprId, ExprPool, Invariant, Proof,
    PropertyId, PropertyKind, SignalId, Site, Sort, System, Trace, Value,
};
use rustc_hash::FxHashMap;

/// Two registers that follow each other, an input, and the property that they are equal.
struct Pair {
    system: System,
    states: [SignalId; 2],
    input: SignalId,
    property: PropertyId,
}

fn pair() -> Pair {
    let mut system = System::new();
    let input = system.add_input("i", Sort::BOOL);
    let states = ["x", "y"].map(|name| system.add_state(name, Sort::BOOL));
    let (i, zero) = (system.read(input), system.exprs.bool(false));
    for (name, state) in ["x", "y"].into_iter().zip(states) {
        system.set_init(state, zero);
        system.set_next(state, i);
        system.add_element(name, ElementKind::Register, Site::Next(state), None);
    }
    let (x, y) = (system.read(states[0]), system.read(states[1]));
    let equal = system.exprs.eq(x, y);
    let property = system.add_property("equal", PropertyKind::Invariant(equal), None);
    Pair { system, states, input, property }
}

fn proof(exprs: ExprPool, lemmas: Vec<ExprId>) -> Proof {
    Proof {
        invariant: (Invariant { exprs, lemmas }).into(),
        k: 1,
        simple_path: false,
        core: ElementSet::new(),
    }
}

fn check(pair: &Pair, edits: &Edits, proof: &Proof) -> Result<(), Rejection> {
    check_proof(&pair.system, edits, pair.property, proof, &Budget::default())
}

#[track_caller]
fn assert_malformed(answer: &Result<(), Rejection>) {
    assert!(matches!(answer, Err(Rejection::Malformed(_))), "{answer:?}");
}

#[test]
fn the_plain_proof_is_accepted() {
    assert_eq!(check(&pair(), &Edits::none(), &Proof { k: 1, ..proof(ExprPool::new(), vec![]) }), Ok(()));
}

#[test]
fn a_lemma_reads_inputs_where_runs_are_meant_and_not_where_paths_of_ctl_are() {
    let mut pair = pair();
    let mut pool = ExprPool::new();
    let input = pool.signal(pair.input, Sort::BOOL);
    let either = pool.not(input);
    let lemma = pool.or(input, either);
    let trivial = proof(pool.clone(), vec![lemma]);
    assert_eq!(check(&pair, &Edits::none(), &trivial), Ok(()));
    let wrong = check(&pair, &Edits::none(), &proof(pool, vec![input]));
    assert!(matches!(wrong, Err(Rejection::Initiation { claim: Claim::Lemma(0), .. })), "{wrong:?}");
    let always = pair.system.ctl_formula(pair.property, false).expect("an invariant");
    pair.property = pair.system.add_property("always", PropertyKind::Ctl(always), None);
    assert_malformed(&check(&pair, &Edits::none(), &trivial));
}

#[test]
fn a_lemma_that_reads_a_next_state_value_is_malformed() {
    let pair = pair();
    let mut pool = ExprPool::new();
    let lemma = pool.next(pair.states[0], Sort::BOOL);
    assert_malformed(&check(&pair, &Edits::none(), &proof(pool, vec![lemma])));
}

#[test]
fn a_lemma_over_a_signal_that_does_not_exist_is_malformed() {
    let mut pool = ExprPool::new();
    let lemma = pool.signal(SignalId(77), Sort::BOOL);
    assert_malformed(&check(&pair(), &Edits::none(), &proof(pool, vec![lemma])));
}

#[test]
fn a_lemma_that_reads_a_state_at_another_sort_is_malformed() {
    let pair = pair();
    let mut pool = ExprPool::new();
    let wide = pool.signal(pair.states[0], Sort::BitVec(2));
    let lemma = pool.eq(wide, wide);
    assert_malformed(&check(&pair, &Edits::none(), &proof(pool, vec![lemma])));
}

#[test]
fn a_lemma_that_is_no_boolean_is_malformed() {
    let mut pool = ExprPool::new();
    let lemma = pool.bits(2, 3);
    assert_malformed(&check(&pair(), &Edits::none(), &proof(pool, vec![lemma])));
}

#[test]
fn a_lemma_outside_its_pool_is_malformed() {
    assert_malformed(&check(&pair(), &Edits::none(), &proof(ExprPool::new(), vec![ExprId(5)])));
}

#[test]
fn ill_sorted_operands_are_malformed() {
    // Importing with a leaf of another sort makes nodes that no sort check has seen.
    let pair = pair();
    let (mut from, mut pool) = (ExprPool::new(), ExprPool::new());
    let (x, y) = (from.signal(pair.states[0], Sort::BOOL), from.signal(pair.states[1], Sort::BOOL));
    let both = from.and(x, y);
    let lemma = pool.import(&from, both, &mut FxHashMap::default(), |pool, node, _| match node {
        propcov_ir::Node::Signal(signal) if *signal == pair.states[0] => pool.bits(3, 1),
        _ => pool.bool(true),
    });
    let not = pool.not(lemma);
    assert_malformed(&check(&pair, &Edits::none(), &proof(pool, vec![not])));
}

#[test]
fn an_expression_that_is_its_own_operand_is_malformed() {
    let pair = pair();
    let (mut from, mut pool) = (ExprPool::new(), ExprPool::new());
    let x = from.signal(pair.states[0], Sort::BOOL);
    let (y, inner) = (from.signal(pair.states[1], Sort::BOOL), from.not(x));
    let both = from.xor(inner, y);
    // The cache says that `inner` has been copied to where the whole is about to be.
    let mut cache = FxHashMap::from_iter([(inner, ExprId(1))]);
    let lemma = pool.import(&from, both, &mut cache, |pool, _, _| pool.bool(true));
    assert_eq!(lemma, ExprId(1));
    assert_malformed(&check(&pair, &Edits::none(), &proof(pool, vec![lemma])));
}

#[test]
fn induction_of_length_zero_is_malformed_and_of_any_length_is_no_crash() {
    let pair = pair();
    let plain = proof(ExprPool::new(), vec![]);
    assert_malformed(&check(&pair, &Edits::none(), &Proof { k: 0, ..plain.clone() }));
    let endless = check(&pair, &Edits::none(), &Proof { k: u32::MAX, simple_path: true, ..plain });
    assert!(matches!(endless, Err(Rejection::Unsupported(_))), "{endless:?}");
}

#[test]
fn a_property_that_does_not_exist_or_is_no_invariant_is_rejected() {
    let mut pair = pair();
    let plain = proof(ExprPool::new(), vec![]);
    let missing = check_proof(&pair.system, &Edits::none(), PropertyId(9), &plain, &Budget::default());
    assert_malformed(&missing);
    assert_malformed(&check_trace(&pair.system, &Edits::none(), PropertyId(9), &Trace::default()));
    let x = pair.system.read(pair.states[0]);
    let justice = pair.system.add_property("j", PropertyKind::Justice(vec![x]), None);
    let answer = check_proof(&pair.system, &Edits::none(), justice, &plain, &Budget::default());
    assert!(matches!(answer, Err(Rejection::Unsupported(_))), "{answer:?}");
}

#[test]
fn edits_that_do_not_fit_are_malformed() {
    let mut pair = pair();
    let plain = proof(ExprPool::new(), vec![]);
    let wide = pair.system.exprs.bits(2, 1);
    let next = pair.system.exprs.next(pair.states[0], Sort::BOOL);
    let first = ElementId(0);
    for edits in [
        Edits::one(ElementId(99), Edit::Free),
        Edits::one(first, Edit::Const(Value::Bits(propcov_ir::Bits::zero(2)))),
        Edits::one(first, Edit::Replace(wide)),
        Edits::one(first, Edit::Replace(ExprId(u32::MAX))),
        Edits::one(first, Edit::Replace(next)),
    ] {
        assert_malformed(&check(&pair, &edits, &plain));
        assert_malformed(&check_trace(&pair.system, &edits, pair.property, &Trace::default()));
    }
}

#[test]
fn a_replacement_that_makes_a_wire_depend_on_itself_is_malformed() {
    let mut system = System::new();
    let input = system.add_input("i", Sort::BOOL);
    let i = system.read(input);
    let wire = system.add_wire("w", i);
    let w = system.read(wire);
    let looped = system.exprs.not(w);
    let element = system.add_element("w", ElementKind::Equation, Site::Wire(wire), None);
    let property = system.add_property("p", PropertyKind::Invariant(w), None);
    let edits = Edits::one(element, Edit::Replace(looped));
    let plain = proof(ExprPool::new(), vec![]);
    assert_malformed(&check_proof(&system, &edits, property, &plain, &Budget::default()));
    assert_malformed(&check_trace(&system, &edits, property, &Trace::default()));
}

#[test]
fn values_that_are_too_large_are_unsupported() {
    for sort in [Sort::array(Sort::Int, Sort::BOOL), Sort::array(Sort::BitVec(32), Sort::BOOL)] {
        let mut system = System::new();
        let states = ["x", "y"].map(|name| system.add_state(name, sort.clone()));
        let (x, y) = (system.read(states[0]), system.read(states[1]));
        let equal = system.exprs.eq(x, y);
        let property = system.add_property("p", PropertyKind::Invariant(equal), None);
        let plain = proof(ExprPool::new(), vec![]);
        let answer = check_proof(&system, &Edits::none(), property, &plain, &Budget::default());
        assert!(matches!(answer, Err(Rejection::Unsupported(_))), "{sort}: {answer:?}");
    }
}

#[test]
fn what_the_budget_does_not_suffice_for_is_undecided() {
    let budget = Budget::default();
    budget.interrupt.raise();
    let pair = pair();
    let plain = proof(ExprPool::new(), vec![]);
    let answer = check_proof(&pair.system, &Edits::none(), pair.property, &plain, &budget);
    assert_eq!(answer, Err(Rejection::Undecided));
}

#[test]
fn a_hard_claim_is_undecided_within_one_conflict() {
    // Multiplication commutes: true, and not found out within one conflict.
    let mut system = System::new();
    let inputs = ["a", "b"].map(|name| system.add_input(name, Sort::BitVec(8)));
    let (a, b) = (system.read(inputs[0]), system.read(inputs[1]));
    let (ab, ba) = (
        system.exprs.apply(propcov_ir::BinaryOp::Mul, a, b),
        system.exprs.apply(propcov_ir::BinaryOp::Mul, b, a),
    );
    let commutes = system.exprs.eq(ab, ba);
    let property = system.add_property("p", PropertyKind::Invariant(commutes), None);
    let budget = Budget { conflicts: Some(1), ..Budget::default() };
    let plain = proof(ExprPool::new(), vec![]);
    assert_eq!(check_proof(&system, &Edits::none(), property, &plain, &budget), Err(Rejection::Undecided));
}

#[test]
fn simple_paths_do_not_hide_inputs_that_only_the_first_step_restricts() {
    // The textbook rule for simple paths accepts this: no simple path has two steps. But a may be 1 in step 1.
    let mut system = System::new();
    let (a, x) = (system.add_input("a", Sort::BOOL), system.add_state("x", Sort::BOOL));
    let (a, next) = (system.read(a), system.read(x));
    system.set_next(x, next);
    let low = system.exprs.not(a);
    system.add_constraint("starts low", ConstraintKind::Initial, low);
    let property = system.add_property("low", PropertyKind::Invariant(low), None);
    let claim = Proof { simple_path: true, ..proof(ExprPool::new(), vec![]) };
    let answer = check_proof(&system, &Edits::none(), property, &claim, &Budget::default());
    assert!(matches!(answer, Err(Rejection::Initiation { step: 1, .. })), "{answer:?}");
}

#[test]
fn a_rejection_names_the_lemma_and_shows_the_steps() {
    let mut pair = pair();
    let mut pool = ExprPool::new();
    let x = pool.signal(pair.states[0], Sort::BOOL);
    let lemma = pool.not(x);
    let answer = check(&pair, &Edits::none(), &proof(pool, vec![lemma]));
    let Err(Rejection::Consecution { claim, counterexample }) = answer else { panic!("{answer:?}") };
    assert_eq!(claim, Claim::Lemma(0));
    assert_eq!(counterexample.steps.len(), 2);
    assert!(counterexample.to_string().contains("step 1: x=1"), "{counterexample}");
    let one = pair.system.exprs.bool(true);
    pair.system.set_init(pair.states[1], one);
    let answer = check(&pair, &Edits::none(), &proof(ExprPool::new(), vec![]));
    assert!(
        matches!(answer, Err(Rejection::Initiation { claim: Claim::Property, step: 0, .. })),
        "{answer:?}"
    );
}
