//! Proofs about systems with ints, reals and functions.
//!
//! Random claims are compared with enumeration, where constraints keep numbers among few values; random expressions with the interpreter, for values of any
//! size; and systems without such bounds by hand.

use crate::claims::{compare_cores, compare_mutated, compare_traces, compare_with_enumeration};
use crate::systems::{add_invariant, in_own_pool, one_in, random_expr, random_number_system, real, three};
use propcov_budget::{Budget, Interrupt};
use propcov_certify::{Claim, Rejection, check_consequences, check_core, check_proof, check_trace};
use propcov_ir::{
    BinaryOp, ConstraintKind, Edit, Edits, ElementId, ElementKind, ExprId, Interpreter, Invariant, Proof,
    PropertyId, SignalId, Site, Sort, Step, System, Trace, UnaryOp, Value,
};
use propcov_testkit::Random;

#[test]
fn a_claim_about_numbers_is_accepted_exactly_when_it_holds_by_enumeration() {
    let [accepted, rejected, simple_only] = compare_with_enumeration(random_number_system, 500_000..501_200);
    assert!(accepted > 200 && rejected > 200, "{accepted} accepted, {rejected} rejected: a lopsided test");
    assert!(simple_only > 3, "only {simple_only} claims needed simple paths");
}

#[test]
fn a_mutated_proof_about_numbers_is_rejected_exactly_when_it_no_longer_holds() {
    let [still, broken] = compare_mutated(random_number_system, 510_000..511_200);
    assert!(still > 50 && broken > 50, "{still} mutants still hold, {broken} do not: a lopsided test");
}

#[test]
fn a_core_with_numbers_is_accepted_exactly_when_the_claim_holds_of_the_slice() {
    let [accepted, rejected] = compare_cores(random_number_system, 520_000..521_200);
    assert!(accepted > 30 && rejected > 30, "{accepted} accepted, {rejected} rejected: a lopsided test");
}

#[test]
fn a_trace_with_numbers_is_accepted_exactly_when_it_is_a_run_to_a_violation() {
    let [still, broken] = compare_traces(random_number_system, 530_000..531_500);
    assert!(still > 50 && broken > 50, "{still} mutants are runs, {broken} are not: a lopsided test");
}

fn random_value(random: &mut Random, sort: &Sort) -> Value {
    let small = random.between(0, 40) as i32 - 20;
    match sort {
        Sort::Int => Value::Int(small.into()),
        Sort::Real => Value::Real(real(small, random.between(1, 6) as u32)),
        Sort::Enum(variants) => Value::Enum(variants.clone(), random.below(variants.variants.len()) as u32),
        _ => Value::bool(one_in(random, 2)),
    }
}

fn plain(k: u32) -> Proof {
    Proof { invariant: Default::default(), k, simple_path: false, core: Default::default() }
}

fn with_lemmas(system: &System, k: u32, lemmas: &[ExprId]) -> Proof {
    let (exprs, lemmas) = in_own_pool(system, lemmas);
    Proof { invariant: (Invariant { exprs, lemmas }).into(), ..plain(k) }
}

fn check(system: &System, property: PropertyId, proof: &Proof) -> Result<(), Rejection> {
    check_proof(system, &Edits::none(), property, proof, &Budget::default())
}

/// Whether an expression of a system without states has the value wherever inputs have theirs.
fn is_always(system: &System, values: &[Value], expr: ExprId, value: &Value) -> Result<(), Rejection> {
    let mut system = system.clone();
    let value = system.exprs.constant(value.clone());
    let mut claim = system.exprs.eq(expr, value);
    for (input, value) in system.inputs().to_vec().into_iter().zip(values) {
        let (input, value) = (system.read(input), system.exprs.constant(value.clone()));
        let equal = system.exprs.eq(input, value);
        let other = system.exprs.not(equal);
        claim = system.exprs.or(other, claim);
    }
    let property = add_invariant(&mut system, claim);
    check(&system, property, &plain(1))
}

#[test]
fn every_expression_has_the_value_that_the_interpreter_says_and_no_other() {
    for seed in 0..700 {
        let random = &mut Random::new(540_000 + seed);
        let mut system = System::new();
        for (name, sort) in [
            ("x", Sort::Int),
            ("y", Sort::Int),
            ("r", Sort::Real),
            ("s", Sort::Real),
            ("b", Sort::BOOL),
            ("e", three()),
        ] {
            system.add_input(name, sort);
        }
        let sort = random.pick(&[Sort::Int, Sort::Real, Sort::BOOL, three()]).clone();
        let expr = random_expr(&mut system, random, &sort, 4, false);
        let inputs: Vec<Value> =
            system.inputs().iter().map(|input| random_value(random, &system.signal(*input).sort)).collect();
        let edits = Edits::none();
        let interpreter = Interpreter::new(&system, &edits).expect("no loop");
        let step = Step { inputs: inputs.clone(), ..Step::default() };
        let value = interpreter.frame(&step).and_then(|mut frame| frame.value(expr)).expect("operands fit");
        let shown = || format!("seed {seed}: {} at {inputs:?} is {value}", system.show(expr));
        assert_eq!(is_always(&system, &inputs, expr, &value), Ok(()), "{}", shown());
        let other = (0..).map(|_| random_value(random, &sort)).find(|other| *other != value);
        let answer = is_always(&system, &inputs, expr, &other.expect("endless"));
        assert!(matches!(answer, Err(Rejection::Initiation { .. })), "{} and {answer:?}", shown());
    }
}

#[test]
fn quotients_and_remainders_are_euclidean_for_every_sign_and_by_zero_what_the_interpreter_says() {
    for divisor in -4..=4i32 {
        let mut system = System::new();
        let x = system.add_input("x", Sort::Int);
        let x = system.read(x);
        let constant = system.exprs.constant(Value::Int(divisor.into()));
        let quotient = system.exprs.apply(BinaryOp::IntDiv, x, constant);
        let remainder = system.exprs.apply(BinaryOp::IntMod, x, constant);
        for value in -9..=9i32 {
            let by_zero = divisor == 0;
            let (q, r) =
                if by_zero { (0, value) } else { (value.div_euclid(divisor), value.rem_euclid(divisor)) };
            let at = [Value::Int(value.into())];
            for (expr, result) in [(quotient, q), (remainder, r)] {
                assert_eq!(is_always(&system, &at, expr, &Value::Int(result.into())), Ok(()));
                assert!(is_always(&system, &at, expr, &Value::Int((result + 1).into())).is_err());
            }
        }
        // For all numbers at once.
        let product = system.exprs.apply(BinaryOp::Mul, constant, quotient);
        let sum = system.exprs.apply(BinaryOp::Add, product, remainder);
        let whole = system.exprs.eq(sum, x);
        let property = add_invariant(&mut system, whole);
        assert_eq!(check(&system, property, &plain(1)), Ok(()));
    }
}

/// x counts up from 0 by 2, y follows a real r that halves, and no number is bounded by a constraint.
struct Counter {
    system: System,
    x: ExprId,
    r: ExprId,
    elements: [ElementId; 2],
}

fn int(system: &mut System, value: i32) -> ExprId {
    system.exprs.constant(Value::Int(value.into()))
}

fn counter() -> Counter {
    let mut system = System::new();
    let (x, r) = (system.add_state("x", Sort::Int), system.add_state("r", Sort::Real));
    let (zero, two) = (int(&mut system, 0), int(&mut system, 2));
    let (one, half) = [(1, 1), (1, 2)].map(|(n, d)| system.exprs.constant(Value::Real(real(n, d)))).into();
    let (read_x, read_r) = (system.read(x), system.read(r));
    let next_x = system.exprs.apply(BinaryOp::Add, read_x, two);
    let next_r = system.exprs.apply(BinaryOp::Mul, read_r, half);
    system.set_init(x, zero);
    system.set_init(r, one);
    system.set_next(x, next_x);
    system.set_next(r, next_r);
    let elements = [("x", x), ("r", r)]
        .map(|(name, state)| system.add_element(name, ElementKind::Register, Site::Next(state), None));
    Counter { system, x: read_x, r: read_r, elements }
}

#[test]
fn unbounded_counters_are_proved_with_their_lemmas_and_not_without() {
    let Counter { mut system, x, r, elements } = counter();
    let (two, minus_seven) = (int(&mut system, 2), int(&mut system, -7));
    let zero = int(&mut system, 0);
    let zero_real = system.exprs.constant(Value::Real(real(0, 1)));
    let not_minus_seven = {
        let equal = system.exprs.eq(x, minus_seven);
        system.exprs.not(equal)
    };
    let property = add_invariant(&mut system, not_minus_seven);
    let remainder = system.exprs.apply(BinaryOp::IntMod, x, two);
    let even = system.exprs.eq(remainder, zero);
    let answer = check(&system, property, &plain(1));
    assert!(matches!(answer, Err(Rejection::Consecution { claim: Claim::Property, .. })), "{answer:?}");
    let text = answer.expect_err("rejected").to_string();
    assert!(text.contains("step 0: x=-9") && text.contains("step 1: x=-7"), "{text}");
    let mut proof = with_lemmas(&system, 1, &[even]);
    assert_eq!(check(&system, property, &proof), Ok(()));
    // The real does not matter, the counter does.
    proof.core = [elements[0]].into_iter().collect();
    let limits = Budget::default();
    assert_eq!(check_core(&system, &Edits::none(), property, &proof, &limits), Ok(()));
    proof.core = [elements[1]].into_iter().collect();
    assert!(check_core(&system, &Edits::none(), property, &proof, &limits).is_err());
    // A lemma about reals does not help, nor is one accepted that is not true.
    let positive = system.exprs.apply(BinaryOp::Lt, zero_real, r);
    let unhelpful = with_lemmas(&system, 1, &[positive]);
    assert!(matches!(check(&system, property, &unhelpful), Err(Rejection::Consecution { .. })));
    let odd = system.exprs.not(even);
    let wrong = check(&system, property, &with_lemmas(&system, 1, &[odd]));
    assert!(matches!(wrong, Err(Rejection::Initiation { claim: Claim::Lemma(0), step: 0, .. })), "{wrong:?}");
    let properties = [property, add_invariant(&mut system, positive)];
    let both = with_lemmas(&system, 1, &[even, positive]);
    let answers = check_consequences(&system, &Edits::none(), &properties, &both, &limits);
    assert_eq!(answers, Ok(vec![Ok(()), Ok(())]));
    let answers =
        check_consequences(&system, &Edits::none(), &properties, &with_lemmas(&system, 1, &[even]), &limits);
    let answers = answers.expect("the lemma is inductive");
    assert!(answers[0].is_ok() && matches!(answers[1], Err(Rejection::Consecution { .. })), "{answers:?}");
}

#[test]
fn edits_of_numbers_are_applied() {
    let Counter { mut system, x, elements, .. } = counter();
    let zero = int(&mut system, 0);
    let not_negative = system.exprs.apply(BinaryOp::Le, zero, x);
    let property = add_invariant(&mut system, not_negative);
    let down = system.exprs.unary(UnaryOp::Neg, x).expect("a number");
    let down = system.exprs.apply(BinaryOp::Sub, down, x);
    let check = |edit: Edit| {
        check_proof(&system, &Edits::one(elements[0], edit), property, &plain(1), &Budget::default())
    };
    assert_eq!(check(Edit::Const(Value::Int(3.into()))), Ok(()));
    assert!(matches!(check(Edit::Const(Value::Int((-3).into()))), Err(Rejection::Consecution { .. })));
    assert!(matches!(check(Edit::Free), Err(Rejection::Consecution { .. })));
    assert!(matches!(check(Edit::Replace(down)), Err(Rejection::Consecution { .. })));
    assert_eq!(check(Edit::Replace(zero)), Ok(()));
    assert!(matches!(check(Edit::Invert), Err(Rejection::Malformed(_))));
}

/// f takes an int and a Boolean to a real. `p` is what f yielded in the step before, `x` its int then.
struct WithFunction {
    system: System,
    f: SignalId,
    property: PropertyId,
    lemma: ExprId,
}

fn with_function(is_rigid: bool) -> WithFunction {
    let mut system = System::new();
    let f = system.add_state("f", Sort::array(Sort::Int, Sort::array(Sort::BOOL, Sort::Real)));
    let (i, b) = (system.add_input("i", Sort::Int), system.add_input("b", Sort::BOOL));
    let [x, c, p] = [("x", Sort::Int), ("c", Sort::BOOL), ("p", Sort::Real)]
        .map(|(name, sort)| system.add_state(name, sort));
    let apply = |system: &mut System, int: SignalId, bool: SignalId| {
        let [f, int, bool] = [f, int, bool].map(|signal| system.read(signal));
        let partial = system.exprs.apply(BinaryOp::Read, f, int);
        system.exprs.apply(BinaryOp::Read, partial, bool)
    };
    let (now, before) = (apply(&mut system, i, b), apply(&mut system, x, c));
    let [read_f, read_i, read_b, read_x, read_c, read_p] =
        [f, i, b, x, c, p].map(|signal| system.read(signal));
    for (state, next) in [(x, read_i), (c, read_b), (p, now)] {
        system.set_next(state, next);
    }
    if is_rigid {
        system.set_next(f, read_f);
    }
    // In the first step, too: p = f(x, c).
    let lemma = system.exprs.eq(read_p, before);
    system.add_constraint("first", ConstraintKind::Initial, lemma);
    let (same_int, same_bool) = (system.exprs.eq(read_i, read_x), system.exprs.eq(read_b, read_c));
    let same = system.exprs.and(same_int, same_bool);
    let differ = system.exprs.not(same);
    let equal = system.exprs.eq(read_p, now);
    let holds = system.exprs.or(differ, equal);
    let property = add_invariant(&mut system, holds);
    WithFunction { system, f, property, lemma }
}

#[test]
fn a_function_yields_the_same_for_the_same_arguments_in_all_steps() {
    let WithFunction { system, property, lemma, .. } = with_function(true);
    assert_eq!(check(&system, property, &with_lemmas(&system, 1, &[lemma])), Ok(()));
    let answer = check(&system, property, &plain(2));
    assert_eq!(answer, Ok(()), "after one step p is what f yielded");
    let WithFunction { system, property, lemma, .. } = with_function(false);
    let answer = check(&system, property, &with_lemmas(&system, 1, &[lemma]));
    assert!(matches!(answer, Err(Rejection::Consecution { .. })), "{answer:?}");
}

#[test]
fn different_arguments_may_yield_different_values_and_functions_are_not_compared() {
    let WithFunction { mut system, f, .. } = with_function(true);
    let [i, b] = [0, 1].map(|at| system.inputs()[at]).map(|input| system.read(input));
    let (one, read_f) = (int(&mut system, 1), system.read(f));
    let other = system.exprs.apply(BinaryOp::Add, i, one);
    let value = |system: &mut System, argument: ExprId| {
        let partial = system.exprs.apply(BinaryOp::Read, read_f, argument);
        system.exprs.apply(BinaryOp::Read, partial, b)
    };
    let (here, there) = (value(&mut system, i), value(&mut system, other));
    let equal = system.exprs.eq(here, there);
    let property = add_invariant(&mut system, equal);
    let answer = check(&system, property, &plain(1));
    assert!(matches!(answer, Err(Rejection::Initiation { .. })), "{answer:?}");
    // Every argument counts, not only the first.
    let opposite = system.exprs.not(b);
    let partial = system.exprs.apply(BinaryOp::Read, read_f, i);
    let elsewhere = system.exprs.apply(BinaryOp::Read, partial, opposite);
    let equal = system.exprs.eq(here, elsewhere);
    let property = add_invariant(&mut system, equal);
    let answer = check(&system, property, &plain(1));
    assert!(matches!(answer, Err(Rejection::Initiation { .. })), "{answer:?}");
    let back = system.exprs.apply(BinaryOp::Sub, other, one);
    let again = value(&mut system, back);
    let equal = system.exprs.eq(here, again);
    let property = add_invariant(&mut system, equal);
    assert_eq!(check(&system, property, &plain(1)), Ok(()));
    let g = system.add_state("g", system.signal(f).sort.clone());
    let g = system.read(g);
    let same = system.exprs.eq(read_f, g);
    let property = add_invariant(&mut system, same);
    assert!(matches!(check(&system, property, &plain(1)), Err(Rejection::Unsupported(_))));
    let itself = system.exprs.eq(read_f, read_f);
    let property = add_invariant(&mut system, itself);
    assert_eq!(check(&system, property, &plain(1)), Ok(()));
}

#[test]
fn a_product_of_variables_is_the_same_each_time_and_otherwise_unknown() {
    let mut system = System::new();
    let [x, y] = ["x", "y"].map(|name| system.add_input(name, Sort::Int)).map(|input| system.read(input));
    let (one_way, other_way) =
        (system.exprs.apply(BinaryOp::Mul, x, y), system.exprs.apply(BinaryOp::Mul, y, x));
    let commutes = system.exprs.eq(one_way, other_way);
    let property = add_invariant(&mut system, commutes);
    assert_eq!(check(&system, property, &plain(1)), Ok(()));
    for op in [BinaryOp::IntDiv, BinaryOp::IntMod] {
        let (one_way, other_way) = (system.exprs.apply(op, x, y), system.exprs.apply(op, y, x));
        let commutes = system.exprs.eq(one_way, other_way);
        let property = add_invariant(&mut system, commutes);
        assert!(check(&system, property, &plain(1)).is_err(), "{op:?} does not commute");
    }
    let square = system.exprs.apply(BinaryOp::Mul, x, x);
    let zero = int(&mut system, 0);
    let not_negative = system.exprs.apply(BinaryOp::Le, zero, square);
    let property = add_invariant(&mut system, not_negative);
    assert!(matches!(check(&system, property, &plain(1)), Err(Rejection::Unsupported(_))));
}

#[test]
fn a_run_of_numbers_is_replayed_exactly() {
    let Counter { mut system, r, .. } = counter();
    let eighth = system.exprs.constant(Value::Real(real(1, 8)));
    let above = system.exprs.apply(BinaryOp::Lt, eighth, r);
    let property = add_invariant(&mut system, above);
    let step = |x: i32, numerator: i32, denominator: u32| Step {
        states: vec![Value::Int(x.into()), Value::Real(real(numerator, denominator))],
        ..Step::default()
    };
    let trace = Trace { steps: vec![step(0, 1, 1), step(2, 1, 2), step(4, 1, 4), step(6, 1, 8)] };
    let check = |trace: &Trace| check_trace(&system, &Edits::none(), property, trace);
    assert_eq!(check(&trace), Ok(()));
    let mut wrong = trace.clone();
    wrong.steps[3] = step(6, 1_000_000, 8_000_001);
    assert!(matches!(check(&wrong), Err(Rejection::Trace(_))));
    let mut wrong = trace.clone();
    wrong.steps[2] = step(5, 1, 4);
    assert!(matches!(check(&wrong), Err(Rejection::Trace(_))));
    let mut short = trace;
    short.steps.pop();
    assert!(matches!(check(&short), Err(Rejection::Trace(_))));
}

#[test]
fn what_is_interrupted_is_undecided() {
    let Counter { mut system, x, .. } = counter();
    let zero = int(&mut system, 0);
    let not_negative = system.exprs.apply(BinaryOp::Le, zero, x);
    let property = add_invariant(&mut system, not_negative);
    let interrupt = Interrupt::default();
    interrupt.raise();
    let limits = Budget { interrupt, ..Budget::default() };
    let answer = check_proof(&system, &Edits::none(), property, &plain(1), &limits);
    assert_eq!(answer, Err(Rejection::Undecided));
}
