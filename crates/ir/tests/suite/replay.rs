//! A correct trace is accepted, and whatever is wrong with another is named with its step.

use propcov_ir::{
    BinaryOp, Bits, ConstraintKind, Edit, Edits, ElementId, ElementKind, EnumSort, Fault, Interpreter, Lanes,
    PropertyId, PropertyKind, ReplayProblem, SignalId, Site, Sort, Step, StepError, System, Trace, UnaryOp,
    Value,
};
use std::sync::Arc;

/// A counter of 3 bits that adds the wire `step`, which is 1 where the input `go` is set.
///
/// Assumed: the first step goes, no two steps in a row rest, and the counter is never 7. Claimed: it is never 3.
struct Counter {
    system: System,
    step: ElementId,
    next: ElementId,
    init: ElementId,
    never_seven: ElementId,
}

const NEVER_THREE: PropertyId = PropertyId(0);

fn counter() -> Counter {
    let mut system = System::new();
    let go = system.add_input("go", Sort::BOOL);
    let count = system.add_state("count", Sort::BitVec(3));
    let rested = system.add_state("rested", Sort::BOOL);
    let go = system.read(go);
    let counted = system.read(count);
    let exprs = &mut system.exprs;
    let step = exprs.unary(UnaryOp::ZeroExtend(2), go).expect("Boolean");
    let wire = system.add_wire("step", step);
    let read_wire = system.read(wire);
    let exprs = &mut system.exprs;
    let sum = exprs.apply(BinaryOp::Add, counted, read_wire);
    let (zero, three, seven) = (exprs.bits(3, 0), exprs.bits(3, 3), exprs.bits(3, 7));
    let (is_three, is_seven) = (exprs.eq(counted, three), exprs.eq(counted, seven));
    let (not_three, not_seven, rests) = (exprs.not(is_three), exprs.not(is_seven), exprs.not(go));
    let no = exprs.bool(false);
    let was_resting = exprs.signal(rested, Sort::BOOL);
    let will_rest = exprs.next(rested, Sort::BOOL);
    let (going, not_again) = (exprs.not(was_resting), exprs.not(will_rest));
    let alternates = exprs.or(going, not_again);
    system.set_init(count, zero);
    system.set_next(count, sum);
    system.set_init(rested, no);
    system.set_next(rested, rests);
    system.add_constraint("starts", ConstraintKind::Initial, go);
    let seven = system.add_constraint("never seven", ConstraintKind::Always, not_seven);
    system.add_constraint("no two rests", ConstraintKind::Transition, alternates);
    system.add_property("never three", PropertyKind::Invariant(not_three), None);
    let step = system.add_element("step", ElementKind::Equation, Site::Wire(wire), None);
    let next = system.add_element("count", ElementKind::Register, Site::Next(count), None);
    let init = system.add_element("init.count", ElementKind::Init, Site::Init(count), None);
    let never_seven =
        system.add_element("never seven", ElementKind::Assumption, Site::Constraint(seven), None);
    system.validate().expect("valid");
    Counter { system, step, next, init, never_seven }
}

/// Steps of `go`, `count` and `rested`.
fn trace(steps: &[(bool, u64, bool)]) -> Trace {
    let step = |&(go, count, rested): &(bool, u64, bool)| Step {
        inputs: vec![Value::bool(go)],
        states: vec![Value::Bits(Bits::from_u64(3, count)), Value::bool(rested)],
        free: Default::default(),
    };
    Trace { steps: steps.iter().map(step).collect() }
}

fn replay(system: &System, edits: &Edits, trace: &Trace) -> Result<(), (usize, ReplayProblem)> {
    let interpreter = Interpreter::new(system, edits).expect("no loops");
    interpreter.replay(trace, NEVER_THREE).map_err(|error| (error.step, error.problem))
}

fn problem(steps: &[(bool, u64, bool)]) -> Option<(usize, String)> {
    let counter = counter();
    let found = replay(&counter.system, &Edits::none(), &trace(steps));
    found.err().map(|(step, problem)| (step, problem.to_string()))
}

const GOOD: [(bool, u64, bool); 5] =
    [(true, 0, false), (false, 1, false), (true, 1, true), (true, 2, false), (false, 3, false)];

#[test]
fn a_run_that_ends_in_a_violation_is_accepted() {
    assert_eq!(problem(&GOOD), None);
    // The property may have failed before.
    let counter = counter();
    let mut longer = trace(&GOOD);
    longer.steps.extend(trace(&[(true, 3, true)]).steps);
    assert_eq!(replay(&counter.system, &Edits::none(), &longer), Ok(()));
}

#[test]
fn each_way_to_be_wrong_is_named_with_its_step() {
    let error = |step: usize, text: &str| Some((step, text.to_owned()));
    assert_eq!(problem(&[]), error(0, "the trace is empty"));
    assert_eq!(problem(&GOOD[..4]), error(3, "the trace ends here, but never three holds"));
    let mut steps = GOOD;
    steps[0].1 = 1;
    assert_eq!(problem(&steps), error(0, "count starts with 001, its initial value is 000"));
    steps = GOOD;
    steps[3].1 = 3;
    assert_eq!(problem(&steps), error(3, "count is 011, the step before makes it 010"));
    steps = GOOD;
    steps[0].0 = false;
    assert_eq!(problem(&steps), error(0, "constraint starts does not hold"));
    let rests = [(true, 0, false), (false, 1, false), (false, 1, true), (true, 1, true)];
    assert_eq!(problem(&rests), error(2, "constraint no two rests does not hold"));
    let to_seven: Vec<_> = (0..8).map(|count| (true, count, false)).collect();
    assert_eq!(problem(&to_seven), error(7, "constraint never seven does not hold"));
}

#[test]
fn values_that_do_not_fit_are_reported_and_do_not_panic() {
    let counter = counter();
    let none = Edits::none();
    let mut bad = trace(&GOOD);
    bad.steps[2].inputs.clear();
    let arity = StepError::Arity { what: "inputs", expected: 1, found: 0 };
    assert_eq!(replay(&counter.system, &none, &bad), Err((2, ReplayProblem::Step(arity))));
    let mut bad = trace(&GOOD);
    bad.steps[1].states.pop();
    let arity = StepError::Arity { what: "states", expected: 2, found: 1 };
    assert_eq!(replay(&counter.system, &none, &bad), Err((1, ReplayProblem::Step(arity))));
    let mut bad = trace(&GOOD);
    bad.steps[4].states[0] = Value::bool(true);
    let sort = StepError::Sort { signal: "count".to_owned(), value: Value::bool(true) };
    assert_eq!(replay(&counter.system, &none, &bad), Err((4, ReplayProblem::Step(sort))));
    let mut bad = trace(&GOOD);
    bad.steps[0].free.insert(counter.step, Value::bool(true));
    let choice = StepError::UnexpectedChoice("step".to_owned());
    assert_eq!(replay(&counter.system, &none, &bad), Err((0, ReplayProblem::Step(choice))));
    bad.steps[0].free.clear();
    bad.steps[0].free.insert(ElementId(99), Value::bool(true));
    assert!(replay(&counter.system, &none, &bad).is_err());
    let interpreter = Interpreter::new(&counter.system, &none).expect("no loops");
    assert!(interpreter.replay(&trace(&GOOD), PropertyId(9)).is_err());
}

#[test]
fn an_enumeration_value_that_does_not_exist_is_rejected() {
    let sort = Arc::new(EnumSort { name: "e".to_owned(), variants: vec!["a".to_owned(), "b".to_owned()] });
    let mut system = System::new();
    system.add_input("i", Sort::Enum(sort.clone()));
    let no = system.exprs.bool(false);
    system.add_property("no", PropertyKind::Invariant(no), None);
    let step = |position| Step { inputs: vec![Value::Enum(sort.clone(), position)], ..Step::default() };
    let run = |position| replay(&system, &Edits::none(), &Trace { steps: vec![step(position)] });
    assert_eq!(run(1), Ok(()));
    assert!(run(2).is_err());
}

#[test]
fn edits_change_what_is_a_run() {
    let Counter { system, step, next, init, never_seven } = counter();
    let bits = |value| Value::Bits(Bits::from_u64(3, value));
    // A freed wire takes the value that the trace says.
    let mut jump = trace(&[(true, 0, false), (true, 3, false)]);
    let freed = Edits::one(step, Edit::Free);
    let missing = StepError::MissingChoice("step".to_owned());
    assert_eq!(replay(&system, &freed, &jump), Err((0, ReplayProblem::Step(missing))));
    for step_values in &mut jump.steps {
        step_values.free.insert(step, bits(3));
    }
    assert_eq!(replay(&system, &freed, &jump), Ok(()));
    jump.steps[0].free.insert(step, bits(2));
    assert!(replay(&system, &freed, &jump).is_err());
    // A freed next goes anywhere, a freed init starts anywhere.
    let jump = trace(&[(true, 0, false), (true, 3, false)]);
    assert!(replay(&system, &Edits::none(), &jump).is_err());
    assert_eq!(replay(&system, &Edits::one(next, Edit::Free), &jump), Ok(()));
    let start = trace(&[(true, 3, false)]);
    assert!(replay(&system, &Edits::none(), &start).is_err());
    assert_eq!(replay(&system, &Edits::one(init, Edit::Free), &start), Ok(()));
    assert_eq!(replay(&system, &Edits::one(init, Edit::Const(bits(3))), &start), Ok(()));
    // Inverted, 0 + 0 becomes 7, which only a freed assumption admits.
    let mut edits = Edits::one(next, Edit::Invert);
    let inverted = trace(&[(true, 0, false), (true, 6, false), (true, 0, false)]);
    assert_eq!(
        replay(&system, &edits, &inverted),
        Err((2, ReplayProblem::PropertyHolds("never three".to_owned())))
    );
    edits.insert(step, Edit::Const(bits(0)));
    let through_seven = trace(&[(true, 0, false), (true, 7, false)]);
    assert_eq!(
        replay(&system, &edits, &through_seven),
        Err((1, ReplayProblem::Constraint("never seven".to_owned())))
    );
    edits.insert(never_seven, Edit::Free);
    assert!(matches!(replay(&system, &edits, &through_seven), Err((1, ReplayProblem::PropertyHolds(_)))));
}

#[test]
fn a_replacement_may_read_wires_that_are_defined_later() {
    let mut system = System::new();
    let input = system.add_input("i", Sort::BOOL);
    let input = system.read(input);
    let no = system.exprs.bool(false);
    let first = system.add_wire("first", no);
    let inverted = system.exprs.not(input);
    let second = system.add_wire("second", inverted);
    let element = system.add_element("first", ElementKind::Gate, Site::Wire(first), None);
    let later = system.read(second);
    let edits = Edits::one(element, Edit::Replace(later));
    let interpreter = Interpreter::new(&system, &edits).expect("no loops");
    let step = Step { inputs: vec![Value::bool(false)], ..Step::default() };
    let frame = interpreter.frame(&step).expect("fits");
    assert_eq!(frame.signal(first), Some(&Value::bool(true)));
    // Replaced by itself, it is a loop.
    let itself = system.read(first);
    let edits = Edits::one(element, Edit::Replace(itself));
    assert!(Interpreter::new(&system, &edits).is_err());
    assert!(Lanes::new(&system, &edits).is_err());
}

#[test]
fn depth_is_no_limit_for_interpreter_lanes_and_printing() {
    let mut system = System::new();
    let input = system.add_input("i", Sort::BOOL);
    let state = system.add_state("s", Sort::BOOL);
    let (input_expr, state_expr) = (system.read(input), system.read(state));
    let mut expr = input_expr;
    for _ in 0..100_000 {
        let negated = system.exprs.not(expr);
        expr = system.exprs.and(negated, state_expr);
    }
    system.set_next(state, expr);
    system.add_property("p", PropertyKind::Invariant(expr), None);
    let none = Edits::none();
    let interpreter = Interpreter::new(&system, &none).expect("no loops");
    let step = Step { inputs: vec![Value::bool(true)], states: vec![Value::bool(true)], ..Step::default() };
    let mut frame = interpreter.frame(&step).expect("fits");
    // An even number of negations under s = 1.
    assert_eq!(frame.value(expr), Ok(Value::bool(true)));
    let mut lanes = Lanes::new(&system, &none).expect("finite");
    lanes.leaf_mut(input)[0] = 0b01;
    lanes.leaf_mut(state)[0] = 0b11;
    lanes.evaluate();
    assert_eq!(lanes.property(PropertyId(0)), Some(0b01));
    assert!(system.to_string().len() > 100_000);
}

#[test]
fn lanes_reset_to_initial_values_and_count_from_there() {
    let Counter { system, step, init, .. } = counter();
    let none = Edits::none();
    let mut lanes = Lanes::new(&system, &none).expect("finite");
    let (go, count) = (system.inputs()[0], system.states()[0]);
    // Lane 1 does not go at first, which an assumption forbids; lane 2 starts elsewhere, lane 3 never counts.
    lanes.leaf_mut(go)[0] = !0b0010;
    let four = Value::Bits(Bits::from_u64(3, 4));
    let zero = Value::Bits(Bits::from_u64(3, 0));
    assert!(lanes.force(init, 0b0100, Fault::Stuck(&four)));
    assert!(lanes.force(step, 0b1000, Fault::Stuck(&zero)));
    assert!(!lanes.force(step, 1, Fault::Stuck(&Value::bool(true))), "the value has another sort");
    assert_eq!(lanes.reset(), !0b0010);
    assert_eq!(lanes.value(count, 2), Ok(four.clone()));
    lanes.leaf_mut(go)[0] = u64::MAX;
    for _ in 0..3 {
        lanes.evaluate();
        assert_eq!(lanes.transition(), u64::MAX);
        lanes.advance();
    }
    lanes.evaluate();
    assert_eq!(lanes.property(NEVER_THREE).map(|holds| holds & 0b1111), Some(0b1100), "0 and 1 count to 3");
    assert_eq!(lanes.always() & 0b1111, 0b1011, "lane 2 has reached 7");
    assert_eq!(lanes.value(count, 3), Ok(zero));
    assert_eq!(lanes.value(SignalId(3), 0), Ok(Value::Bits(Bits::from_u64(3, 1))), "the wire `step`");
}

#[test]
fn a_chain_of_initial_values_is_followed_and_a_loop_left_out() {
    let mut system = System::new();
    let states: Vec<_> = (0..4).map(|index| system.add_state(format!("s{index}"), Sort::BOOL)).collect();
    for pair in states.windows(2) {
        let next = system.read(pair[1]);
        let inverted = system.exprs.not(next);
        system.set_init(pair[0], inverted);
    }
    let none = Edits::none();
    let mut lanes = Lanes::new(&system, &none).expect("finite");
    lanes.leaf_mut(states[3])[0] = 0b10;
    assert_eq!(lanes.reset(), u64::MAX);
    assert_eq!(lanes.leaf_mut(states[0])[0], !0b10);
    // Closing the chain with an odd number of inversions has no solution; with an even number it has, by luck.
    let first = system.read(states[0]);
    system.set_init(states[3], first);
    let mut lanes = Lanes::new(&system, &none).expect("finite");
    assert_eq!(lanes.reset(), 0);
}

#[test]
fn systems_print_with_names_and_shared_parts_once() {
    let Counter { system, .. } = counter();
    let expected = "\
input go: bool
state count: bitvec 3
  init 000
  next (count + step)
state rested: bool
  init 0
  next !go
wire step: bitvec 3 = zero_extend_2(go)
assume starts initially go
assume never seven always !(count = 111)
assume no two rests transition (!rested | !next(rested))
assert never three !(count = 011)
";
    assert_eq!(system.to_string(), expected);
    let mut system = System::new();
    let a = system.add_input("a", Sort::BitVec(2));
    let a = system.read(a);
    let sum = system.exprs.apply(BinaryOp::Add, a, a);
    let square = system.exprs.apply(BinaryOp::Mul, sum, sum);
    let low = system.exprs.bit(square, 0);
    assert_eq!(system.show(low).to_string(), "(%1 * %1)[0:0] where %1 = (a + a)");
}
