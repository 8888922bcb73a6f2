//! The engines for ints and reals agree with enumeration under edits, on random systems that also have what [`arith_system`](propcov_testkit::arith_system) leaves out: numbers that never change, initial
//! values that depend on inputs, constraints on transitions, and states from which no run goes on.
//!
//! `PROPCOV_SEED=n` replays one system, `PROPCOV_CASES=n` changes how many there are.

use crate::evidence::judge;
use propcov_budget::Budget;
use propcov_engine::{Config, ENGINES, Limits, Report, Silent, check, infinite};
use propcov_ir::{
    BinaryOp, ConstraintKind, Edit, Edits, ElementKind, ExprId, PropertyId, PropertyKind, SignalId,
    SignalKind, Site, Sort, System, UnknownReason, Value, Verdict,
};
use propcov_testkit::{ArithExplicit, Outcome, Random, for_random_arith_systems};
use std::cell::Cell;

/// Deep enough for most random systems.
const DEPTH: u32 = 8;
/// More than any of these systems takes if it is decided at all.
const TICKS: u64 = 5_000_000;

fn int(system: &mut System, value: i64) -> ExprId {
    system.exprs.constant(Value::Int(value.into()))
}

/// Adds low ≤ value ≤ high.
fn range(system: &mut System, kind: ConstraintKind, value: ExprId, low: i64, high: i64) {
    let (low, high) = (int(system, low), int(system, high));
    let (from, to) =
        (system.exprs.apply(BinaryOp::Le, low, value), system.exprs.apply(BinaryOp::Le, value, high));
    let both = system.exprs.and(from, to);
    system.add_constraint("range", kind, both);
}

/// The system with more in it.
fn decorated(system: &System, random: &mut Random) -> System {
    let mut system = system.clone();
    let first = system.states()[0];
    let (sort, x) = (system.signal(first).sort.clone(), system.read(first));
    if random.percent(60) {
        add_rigid(&mut system, x, &sort, random);
    }
    if random.percent(40) {
        add_start(&mut system, random);
    }
    if sort == Sort::Int && random.percent(40) {
        let step = int(&mut system, 1);
        let next = system.exprs.next(first, sort.clone());
        let more = system.exprs.apply(BinaryOp::Add, x, step);
        let op = *random.pick(&[BinaryOp::Le, BinaryOp::Lt]);
        let holds = if random.percent(50) {
            system.exprs.apply(op, x, next)
        } else {
            system.exprs.apply(op, next, more)
        };
        system.add_constraint("move", ConstraintKind::Transition, holds);
    }
    if sort == Sort::Int && random.percent(30) {
        let high = random.between(0, 4) as i64;
        range(&mut system, ConstraintKind::Always, x, -3, high);
        let bound = int(&mut system, high);
        let claim = system.exprs.apply(BinaryOp::Lt, x, bound);
        system.add_property("below the limit", PropertyKind::Invariant(claim), None);
    }
    system
}

/// A number and a Boolean that start anywhere and never change.
fn add_rigid(system: &mut System, x: ExprId, sort: &Sort, random: &mut Random) {
    let (number, flag) = (system.add_state("rigid", Sort::Int), system.add_state("flag", Sort::BOOL));
    for state in [number, flag] {
        let read = system.read(state);
        system.set_next(state, read);
        system.add_element(format!("keep.{}", state.0), ElementKind::Register, Site::Next(state), None);
    }
    let (n, f) = (system.read(number), system.read(flag));
    range(system, ConstraintKind::Initial, n, 0, 2);
    let copy = system.add_state("copy", Sort::BOOL);
    let kept = system.read(copy);
    system.set_init(copy, f);
    system.set_next(copy, kept);
    system.add_element("init.copy", ElementKind::Init, Site::Init(copy), None);
    let same = system.exprs.eq(kept, f);
    system.add_property("the flag is as it was", PropertyKind::Invariant(same), None);
    if *sort == Sort::Int {
        let more = int(system, random.between(0, 6) as i64);
        let sum = system.exprs.apply(BinaryOp::Add, n, more);
        let claim = system.exprs.apply(BinaryOp::Le, x, sum);
        let claim = if random.percent(50) { system.exprs.or(claim, f) } else { claim };
        system.add_property("near the rigid number", PropertyKind::Invariant(claim), None);
    }
}

/// A state that begins with the value of an input.
fn add_start(system: &mut System, random: &mut Random) {
    if system.inputs().is_empty() {
        return;
    }
    let input = *random.pick(system.inputs());
    let (value, sort) = (system.read(input), system.signal(input).sort.clone());
    let state = system.add_state("begun", sort);
    let read = system.read(state);
    system.set_init(state, value);
    system.set_next(state, read);
    system.add_element("init.begun", ElementKind::Init, Site::Init(state), None);
    system.add_element("begun", ElementKind::Register, Site::Next(state), None);
    let same = system.exprs.eq(read, value);
    system.add_property("the input is as at first", PropertyKind::Invariant(same), None);
}

fn random_value(random: &mut Random, sort: &Sort) -> Value {
    let small = random.below(6) as i64 - 1;
    match sort {
        Sort::Int => Value::Int(small.into()),
        Sort::Real => Value::Real(dashu_ratio::RBig::from(small) / dashu_ratio::RBig::from(2)),
        Sort::Enum(of) => Value::Enum(of.clone(), random.below(of.variants.len()) as u32),
        _ => Value::bool(random.percent(50)),
    }
}

/// What is defined, and of which sort.
fn defined(system: &System, site: Site) -> (Option<SignalId>, Sort) {
    match site {
        Site::Wire(signal) | Site::Next(signal) | Site::Init(signal) => {
            (Some(signal), system.signal(signal).sort.clone())
        }
        Site::Constraint(_) => (None, Sort::BOOL),
    }
}

fn random_edits(system: &mut System, random: &mut Random) -> Edits {
    let mut edits = Edits::none();
    let elements: Vec<_> = system.element_ids().collect();
    for _ in 0..random.below(4) {
        let element = *random.pick(&elements);
        let site = system.element(element).site;
        let (_, sort) = defined(system, site);
        let edit = match random.below(6) {
            0 | 1 => Edit::Free,
            2 if sort.is_bool() => Edit::Invert,
            3 if matches!(site, Site::Wire(_) | Site::Next(_)) => {
                let signals: Vec<SignalId> = system.inputs().iter().chain(system.states()).copied().collect();
                let fitting: Vec<SignalId> =
                    signals.into_iter().filter(|signal| system.signal(*signal).sort == sort).collect();
                match fitting.is_empty() {
                    true => Edit::Free,
                    false => Edit::Replace(system.read(*random.pick(&fitting))),
                }
            }
            _ => Edit::Const(random_value(random, &sort)),
        };
        edits.insert(element, edit);
    }
    edits
}

fn limits() -> Limits {
    let limits = Limits::default();
    limits.interrupt.limit_ticks(TICKS);
    limits
}

/// The answers of all engines, those of the portfolio for all properties at once.
fn answers(system: &System, edits: &Edits) -> Vec<(PropertyId, Report)> {
    let ids: Vec<PropertyId> = (0..system.properties().len() as u32).map(PropertyId).collect();
    let config = Config::default();
    let mut bounded = limits();
    bounded.depth = Some(DEPTH);
    let mut answers = infinite::portfolio::check(system, edits, &ids, &config, &bounded, &Silent);
    for property in ids {
        for engine in ENGINES.iter().filter(|engine| engine.infinite.is_some()) {
            let limits = if engine.name == "ic3" { limits() } else { bounded.clone() };
            answers.push((property, check(engine, system, edits, property, &config, &limits, &Silent)));
        }
    }
    answers
}

#[test]
fn every_engine_agrees_with_enumeration_under_edits() {
    let [answered, open] = [const { Cell::new(0) }; 2];
    let budget = Budget { conflicts: Some(20_000), ..Budget::default() };
    for_random_arith_systems(600, 1_200_000, |seed, system, _| {
        let random = &mut Random::new(seed ^ 0xed17);
        let mut system = decorated(system, random);
        let edits = random_edits(&mut system, random);
        // Some edits take all bounds away.
        let Ok(explicit) = ArithExplicit::explore(&system.edited(&edits)) else { return Ok(()) };
        for (property, report) in answers(&system, &edits) {
            match report.verdict {
                Verdict::Unknown(UnknownReason::Cancelled) => open.set(open.get() + 1),
                _ => answered.set(answered.get() + 1),
            }
            if !matches!(report.verdict, Verdict::Unknown(UnknownReason::Cancelled)) {
                judge(&system, &edits, property, &report, &explicit.outcome(property), &budget)
                    .map_err(|problem| format!("{problem}; edits are {edits:?}"))?;
            }
        }
        Ok(())
    });
    assert!(open.get() * 50 <= answered.get(), "{} open, {} answered", open.get(), answered.get());
}

/// An int that nobody needs, so that the system has numbers; and p, which starts anywhere and stays, next to a copy of its first value.
fn kept() -> (System, PropertyId) {
    let mut system = System::new();
    system.add_input("n", Sort::Int);
    let (p, q) = (system.add_state("p", Sort::BOOL), system.add_state("q", Sort::BOOL));
    let (read_p, read_q) = (system.read(p), system.read(q));
    system.set_next(p, read_p);
    system.set_init(q, read_p);
    system.set_next(q, read_q);
    system.add_element("p", ElementKind::Register, Site::Next(p), None);
    let same = system.exprs.eq(read_p, read_q);
    let property = system.add_property("same", PropertyKind::Invariant(same), None);
    (system, property)
}

#[test]
fn a_state_that_stays_is_no_constant_once_it_is_edited() {
    let (mut system, property) = kept();
    let element = system.element_ids().next().expect("p");
    let q = system.states()[1];
    assert!(matches!(system.signal(q).kind, SignalKind::State { init: Some(_), .. }));
    let n = system.add_input("b", Sort::BOOL);
    let replacement = system.read(n);
    let holds = Outcome::Holds { reachable: 2, diameter: 0 };
    for (edits, expected) in [
        (Edits::none(), holds),
        (Edits::one(element, Edit::Free), Outcome::Violated { depth: 1 }),
        (Edits::one(element, Edit::Invert), Outcome::Violated { depth: 1 }),
        (Edits::one(element, Edit::Const(Value::bool(true))), Outcome::Violated { depth: 1 }),
        (Edits::one(element, Edit::Replace(replacement)), Outcome::Violated { depth: 1 }),
    ] {
        for (_, report) in answers(&system, &edits) {
            judge(&system, &edits, property, &report, &expected, &Budget::default()).expect("agreement");
        }
    }
}

#[test]
fn a_violation_in_a_state_from_which_no_run_goes_on_is_found() {
    // x counts to 5, where the constraint ends all runs. Lemmas about y are there to be found.
    let mut system = System::new();
    let (x, y) = (system.add_state("x", Sort::Int), system.add_state("y", Sort::Int));
    let (read_x, read_y) = (system.read(x), system.read(y));
    let [zero, one, five] = [0, 1, 5].map(|value| int(&mut system, value));
    for (state, read) in [(x, read_x), (y, read_y)] {
        let more = system.exprs.apply(BinaryOp::Add, read, one);
        system.set_init(state, zero);
        system.set_next(state, more);
    }
    let most = system.exprs.apply(BinaryOp::Le, read_x, five);
    system.add_constraint("most", ConstraintKind::Always, most);
    let claim = system.exprs.apply(BinaryOp::Lt, read_x, five);
    let property = system.add_property("below", PropertyKind::Invariant(claim), None);
    let edits = Edits::none();
    for (_, report) in answers(&system, &edits) {
        judge(&system, &edits, property, &report, &Outcome::Violated { depth: 5 }, &Budget::default())
            .expect("agreement");
        assert!(matches!(report.verdict, Verdict::Falsified(_)), "{}: {:?}", report.engine, report.verdict);
    }
}

#[test]
fn constraints_on_transitions_are_part_of_every_engine() {
    // Nothing but the constraint says what x is next: at most what it was, or 1 more where y is at most 0.
    let mut system = System::new();
    let (x, y) = (system.add_state("x", Sort::Int), system.add_state("y", Sort::Int));
    let (read_x, read_y) = (system.read(x), system.read(y));
    let [zero, one] = [0, 1].map(|value| int(&mut system, value));
    system.set_init(x, zero);
    system.set_init(y, one);
    let more = system.exprs.apply(BinaryOp::Add, read_y, one);
    system.set_next(y, more);
    let (next, early) = (system.exprs.next(x, Sort::Int), system.exprs.apply(BinaryOp::Le, read_y, zero));
    let above = system.exprs.apply(BinaryOp::Add, read_x, one);
    let most = system.exprs.ite(early, above, read_x);
    let holds = system.exprs.apply(BinaryOp::Le, next, most);
    system.add_constraint("move", ConstraintKind::Transition, holds);
    let low = system.exprs.apply(BinaryOp::Le, read_x, zero);
    let late = system.exprs.not(early);
    let claim = system.exprs.and(low, late);
    system.add_property("stays low", PropertyKind::Invariant(claim), None);
    let falls = system.exprs.apply(BinaryOp::Le, zero, read_x);
    system.add_property("does not fall", PropertyKind::Invariant(falls), None);
    let edits = Edits::none();
    let expected = [Outcome::Holds { reachable: 0, diameter: 0 }, Outcome::Violated { depth: 1 }];
    for (property, report) in answers(&system, &edits) {
        judge(&system, &edits, property, &report, &expected[property.0 as usize], &Budget::default())
            .expect("agreement");
        let is_open = matches!(report.verdict, Verdict::Unknown(_));
        assert!(!is_open || report.engine == "bmc", "{}: {:?}", report.engine, report.verdict);
    }
}
