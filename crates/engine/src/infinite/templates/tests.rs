//! Hand-made systems whose invariants are known, and random ones on which whatever is found is checked again.

use super::{Round, Templates};
use crate::infinite::Problem;
use crate::{Limits, Stats};
use propcov_budget::Budget;
use propcov_ir::{
    BinaryOp, ConstraintKind, Edits, ExprId, ExprPool, Interpreter, PropertyId, PropertyKind, SignalId, Sort,
    Step, System, Value,
};
use propcov_sat::{Lit, Outcome, Solver};
use propcov_solve::arith::{Link, Start, Unrolling};
use propcov_testkit::Random;

fn int(exprs: &mut ExprPool, value: i64) -> ExprId {
    exprs.constant(Value::Int(value.into()))
}

fn real(exprs: &mut ExprPool, value: i64) -> ExprId {
    exprs.constant(Value::Real(value.into()))
}

/// All lemmas of all rounds, and the expressions that they are.
fn lemmas(system: &System) -> (ExprPool, Vec<ExprId>) {
    let edits = Edits::default();
    let ids: Vec<PropertyId> = (0..system.properties().len() as u32).map(PropertyId).collect();
    let mut problem = Problem::new(system, &edits, &ids);
    let mut templates = Templates::new(&mut problem);
    let mut found = Vec::new();
    loop {
        let round = templates.round(&mut problem, &found, &Limits::default(), &mut Stats::default());
        match round {
            Round::Found(lemmas) => found.extend(lemmas),
            Round::Nothing => {}
            Round::Exhausted => panic!("there was no limit"),
            Round::Done => return (problem.exprs, found),
        }
    }
}

/// Whether an expression holds in every step in which the lemmas and constraints do.
fn follows(system: &System, exprs: &ExprPool, lemmas: &[ExprId], claim: ExprId) -> bool {
    let edits = Edits::default();
    let mut path = Unrolling::new(system, &edits, Start::Anywhere, Link::Functional);
    path.require_constraints(exprs, 0).expect("linear");
    let mut assumptions: Vec<Lit> = Vec::new();
    for lemma in lemmas {
        assumptions.push(path.literal(exprs, 0, *lemma).expect("linear"));
    }
    assumptions.push(!path.literal(exprs, 0, claim).expect("linear"));
    path.solver().solve(&assumptions, &Budget::default()) == Outcome::Unsat
}

/// Adds a property and expects that it follows from what is found.
fn expect_found(system: &mut System, claim: impl FnOnce(&mut System) -> ExprId) {
    let claim = claim(system);
    let (exprs, lemmas) = lemmas(system);
    assert_inductive(system, &exprs, &lemmas);
    assert!(follows(system, &exprs, &lemmas, claim), "{}", system.show(claim));
}

/// Checks initiation and consecution with fresh solvers.
fn assert_inductive(system: &System, exprs: &ExprPool, lemmas: &[ExprId]) {
    let edits = Edits::default();
    let mut shown = system.clone();
    shown.exprs = exprs.clone();
    let mut base = Unrolling::new(system, &edits, Start::Initial, Link::Functional);
    base.require_constraints(exprs, 0).expect("linear");
    let mut step = Unrolling::new(system, &edits, Start::Anywhere, Link::Functional);
    let mut assumed = Vec::new();
    for at in [0, 1] {
        step.require_constraints(exprs, at).expect("linear");
    }
    for lemma in lemmas {
        assumed.push(step.literal(exprs, 0, *lemma).expect("linear"));
    }
    for lemma in lemmas {
        let violated = !base.literal(exprs, 0, *lemma).expect("linear");
        let outcome = base.solver().solve(&[violated], &Budget::default());
        assert_eq!(outcome, Outcome::Unsat, "not initial: {}", shown.show(*lemma));
        let violated = !step.literal(exprs, 1, *lemma).expect("linear");
        let assumptions: Vec<Lit> = assumed.iter().copied().chain([violated]).collect();
        let outcome = step.solver().solve(&assumptions, &Budget::default());
        assert_eq!(outcome, Outcome::Unsat, "not inductive: {}", shown.show(*lemma));
    }
}

/// An int state with a constant initial value.
fn counter(system: &mut System, name: &str, init: i64) -> (SignalId, ExprId) {
    let state = system.add_state(name, Sort::Int);
    let init = int(&mut system.exprs, init);
    system.set_init(state, init);
    (state, system.read(state))
}

fn property(system: &mut System, expr: ExprId) {
    system.add_property("p", PropertyKind::Invariant(expr), None);
}

#[test]
fn two_counters_stay_equal() {
    let mut system = System::new();
    let up = system.add_input("up", Sort::BOOL);
    let up = system.read(up);
    let mut reads = Vec::new();
    for name in ["a", "b"] {
        let (state, read) = counter(&mut system, name, 0);
        let one = int(&mut system.exprs, 1);
        let more = system.exprs.apply(BinaryOp::Add, read, one);
        let next = system.exprs.ite(up, more, read);
        system.set_next(state, next);
        reads.push(read);
    }
    // Not inductive by itself: a = b is what is missing.
    let seven = int(&mut system.exprs, 7);
    let eight = int(&mut system.exprs, 8);
    let small = system.exprs.apply(BinaryOp::Le, reads[0], seven);
    let also = system.exprs.apply(BinaryOp::Lt, reads[1], eight);
    let implied = system.exprs.not(small);
    let claim = system.exprs.or(implied, also);
    property(&mut system, claim);
    expect_found(&mut system, |_| claim);
}

#[test]
fn a_sum_is_conserved() {
    let mut system = System::new();
    let moves: Vec<ExprId> = ["m", "n"]
        .map(|name| {
            let input = system.add_input(name, Sort::BOOL);
            system.read(input)
        })
        .to_vec();
    let states: Vec<(SignalId, ExprId)> =
        [("a", 5), ("b", 0), ("c", 0)].map(|(name, init)| counter(&mut system, name, init)).to_vec();
    let (one, zero) = (int(&mut system.exprs, 1), int(&mut system.exprs, 0));
    let mut takes = Vec::new();
    for (index, input) in moves.iter().enumerate() {
        let some = system.exprs.apply(BinaryOp::Lt, zero, states[index].1);
        takes.push(system.exprs.and(*input, some));
    }
    for (index, (state, read)) in states.iter().enumerate() {
        let mut next = *read;
        if let Some(take) = takes.get(index) {
            let less = system.exprs.apply(BinaryOp::Sub, next, one);
            next = system.exprs.ite(*take, less, next);
        }
        if let Some(give) = index.checked_sub(1).map(|before| takes[before]) {
            let more = system.exprs.apply(BinaryOp::Add, next, one);
            next = system.exprs.ite(give, more, next);
        }
        system.set_next(*state, next);
    }
    let five = int(&mut system.exprs, 5);
    let claim = system.exprs.apply(BinaryOp::Le, states[2].1, five);
    property(&mut system, claim);
    expect_found(&mut system, |system| {
        let sum = system.exprs.apply(BinaryOp::Add, states[0].1, states[1].1);
        let sum = system.exprs.apply(BinaryOp::Add, sum, states[2].1);
        let conserved = system.exprs.eq(sum, five);
        system.exprs.and(conserved, claim)
    });
}

#[test]
fn a_counter_that_wraps_around_is_bounded() {
    for (init, limit) in [(0, 10), (3, 100)] {
        let mut system = System::new();
        let (state, read) = counter(&mut system, "x", init);
        let (one, limit) = (int(&mut system.exprs, 1), int(&mut system.exprs, limit));
        let start = int(&mut system.exprs, init);
        let more = system.exprs.apply(BinaryOp::Add, read, one);
        let full = system.exprs.apply(BinaryOp::Le, limit, read);
        let next = system.exprs.ite(full, start, more);
        system.set_next(state, next);
        let claim = system.exprs.apply(BinaryOp::Le, read, limit);
        property(&mut system, claim);
        expect_found(&mut system, |system| {
            let least = system.exprs.apply(BinaryOp::Le, start, read);
            system.exprs.and(least, claim)
        });
    }
}

#[test]
fn a_guarded_real_is_found_behind_a_delay() {
    // As Lustre has it: x = 0 -> if on then pre x + 1 else 0, on = false -> not pre on; then on implies x = 1.
    let mut system = System::new();
    let first = system.add_state("%first", Sort::BOOL);
    let (yes, no) = (system.exprs.bool(true), system.exprs.bool(false));
    system.set_init(first, yes);
    system.set_next(first, no);
    let first = system.read(first);
    let pre_on = system.add_state("pre on", Sort::BOOL);
    let pre_x = system.add_state("pre x", Sort::Real);
    let was_on = system.read(pre_on);
    let was_off = system.exprs.not(was_on);
    let on = system.exprs.ite(first, no, was_off);
    let on = system.add_wire("on", on);
    let on_now = system.read(on);
    let (zero, one) = (real(&mut system.exprs, 0), real(&mut system.exprs, 1));
    let was_x = system.read(pre_x);
    let more = system.exprs.apply(BinaryOp::Add, was_x, one);
    let chosen = system.exprs.ite(on_now, more, zero);
    let x = system.exprs.ite(first, zero, chosen);
    let x = system.add_wire("x", x);
    let x_now = system.read(x);
    system.set_next(pre_on, on_now);
    system.set_next(pre_x, x_now);
    let two = real(&mut system.exprs, 2);
    let claim = system.exprs.apply(BinaryOp::Lt, x_now, two);
    property(&mut system, claim);
    expect_found(&mut system, |system| {
        let exact = system.exprs.eq(x_now, one);
        let off = system.exprs.not(on_now);
        let guarded = system.exprs.or(off, exact);
        system.exprs.and(guarded, claim)
    });
}

/// A random system of Booleans and ints, with states like `pre x` or with an initial value.
struct Generator<'r> {
    rng: &'r mut Random,
    system: System,
    booleans: Vec<ExprId>,
    ints: Vec<ExprId>,
}

impl Generator<'_> {
    fn boolean(&mut self, depth: usize) -> ExprId {
        let leaf = self.booleans[self.rng.below(self.booleans.len())];
        if depth == 0 {
            return leaf;
        }
        match self.rng.below(7) {
            0 => leaf,
            1 => {
                let a = self.boolean(depth - 1);
                self.system.exprs.not(a)
            }
            2 | 3 => {
                let (a, b) = (self.boolean(depth - 1), self.boolean(depth - 1));
                let op = [BinaryOp::And, BinaryOp::Or, BinaryOp::Xor][self.rng.below(3)];
                self.system.exprs.apply(op, a, b)
            }
            _ => {
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                let op = [BinaryOp::Lt, BinaryOp::Le, BinaryOp::Eq][self.rng.below(3)];
                self.system.exprs.apply(op, a, b)
            }
        }
    }

    fn number(&mut self, depth: usize) -> ExprId {
        if depth == 0 || self.rng.below(5) == 0 {
            return match self.rng.below(3) {
                0 => {
                    let value = self.rng.below(6) as i64 - 1;
                    int(&mut self.system.exprs, value)
                }
                _ => self.ints[self.rng.below(self.ints.len())],
            };
        }
        match self.rng.below(5) {
            0 | 1 => {
                let condition = self.boolean(depth - 1);
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                self.system.exprs.ite(condition, a, b)
            }
            2 => {
                let a = self.number(depth - 1);
                let modulus = 2 + self.rng.below(4) as i64;
                let modulus = int(&mut self.system.exprs, modulus);
                self.system.exprs.apply(BinaryOp::IntMod, a, modulus)
            }
            _ => {
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                let op = [BinaryOp::Add, BinaryOp::Sub][self.rng.below(2)];
                self.system.exprs.apply(op, a, b)
            }
        }
    }
}

fn random_system(rng: &mut Random) -> System {
    let mut system = System::new();
    let (mut booleans, mut ints, mut states) = (Vec::new(), Vec::new(), Vec::new());
    for (index, sort) in [Sort::BOOL, Sort::BOOL, Sort::Int].into_iter().enumerate() {
        let input = system.add_input(format!("i{index}"), sort.clone());
        let read = system.read(input);
        if sort.is_bool() { booleans.push(read) } else { ints.push(read) }
    }
    let first = system.add_state("%first", Sort::BOOL);
    let (yes, no) = (system.exprs.bool(true), system.exprs.bool(false));
    system.set_init(first, yes);
    system.set_next(first, no);
    booleans.push(system.read(first));
    for index in 0..2 + rng.below(4) {
        let sort = if rng.below(3) == 0 { Sort::BOOL } else { Sort::Int };
        let state = system.add_state(format!("s{index}"), sort.clone());
        let read = system.read(state);
        if sort.is_bool() {
            booleans.push(read);
        } else {
            ints.push(read);
        }
        states.push((state, sort));
    }
    let first = system.read(first);
    let mut make = Generator { rng, system, booleans, ints };
    for (index, (state, sort)) in states.into_iter().enumerate() {
        let init = match sort {
            Sort::Int => {
                let value = make.rng.below(4) as i64;
                int(&mut make.system.exprs, value)
            }
            _ => {
                let value = make.rng.below(2) == 0;
                make.system.exprs.bool(value)
            }
        };
        let body = if sort.is_bool() { make.boolean(2) } else { make.number(3) };
        if make.rng.below(2) == 0 {
            make.system.set_init(state, init);
            make.system.set_next(state, body);
        } else {
            let value = make.system.exprs.ite(first, init, body);
            let wire = make.system.add_wire(format!("w{index}"), value);
            let wire = make.system.read(wire);
            make.system.set_next(state, wire);
        }
    }
    if make.rng.below(3) == 0 {
        let constraint = make.boolean(2);
        make.system.add_constraint("c", ConstraintKind::Always, constraint);
    }
    for _ in 0..2 {
        let claim = make.boolean(3);
        property(&mut make.system, claim);
    }
    make.system
}

/// Checks lemmas in random runs, with the interpreter.
fn assert_hold_in_runs(rng: &mut Random, system: &System, exprs: &ExprPool, lemmas: &[ExprId]) {
    let mut system = system.clone();
    system.exprs = exprs.clone();
    let edits = Edits::default();
    let interpreter = Interpreter::new(&system, &edits).expect("no loops");
    for _ in 0..6 {
        let mut states: Vec<Option<Value>> = vec![None; system.states().len()];
        'run: for at in 0..8 {
            for attempt in 0.. {
                let mut draw = |signal: &SignalId| match system.signal(*signal).sort {
                    Sort::Int => Value::Int((rng.below(9) as i64 - 3).into()),
                    _ => Value::bool(rng.below(2) == 0),
                };
                let inputs: Vec<Value> = system.inputs().iter().map(&mut draw).collect();
                let mut step = Step { inputs, ..Step::default() };
                for (state, value) in system.states().iter().zip(&states) {
                    step.states.push(value.clone().unwrap_or_else(|| draw(state)));
                }
                if at == 0 {
                    interpreter.start(&mut step, |_| true).expect("values fit");
                }
                let mut frame = interpreter.frame(&step).expect("values fit");
                if frame.violated_constraint(ConstraintKind::Always).expect("values fit").is_some() {
                    if attempt < 20 {
                        continue;
                    }
                    break 'run;
                }
                for lemma in lemmas {
                    let value = frame.value(*lemma).expect("values fit");
                    assert_eq!(value, Value::bool(true), "step {at}: {}", system.show(*lemma));
                }
                states = frame.successor_values().expect("values fit");
                break;
            }
        }
    }
}

#[test]
fn what_is_found_in_random_systems_holds_in_runs_and_is_inductive() {
    let cases = std::env::var("PROPCOV_CASES").ok().and_then(|value| value.parse().ok());
    let mut found = 0;
    for seed in 0..cases.unwrap_or(60) {
        // Shown when the case fails.
        println!("seed {seed}");
        let rng = &mut Random::new(seed);
        let system = random_system(rng);
        system.validate().expect("generated well");
        let (exprs, lemmas) = lemmas(&system);
        assert_inductive(&system, &exprs, &lemmas);
        assert_hold_in_runs(rng, &system, &exprs, &lemmas);
        found += lemmas.len();
    }
    assert!(found > 0);
}
