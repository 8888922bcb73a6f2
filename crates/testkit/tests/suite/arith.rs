//! The oracle for systems with ints and reals, against the one for bits, by hand, and on random systems.

use propcov_ir::{BinaryOp, ConstraintKind, Edits, PropertyId, PropertyKind, Sort, System, Value};
use propcov_testkit::{
    ArithExplicit, ArithExploreError, Explicit, Outcome, arith_system, bit_level_system,
    for_random_arith_systems, word_level_system,
};

fn same_as_for_bits(system: &System, what: &str) -> bool {
    let arith = match ArithExplicit::explore(system) {
        Err(ArithExploreError::TooLarge) => return false,
        result => result.unwrap_or_else(|error| panic!("{what}: {error}")),
    };
    let explicit = Explicit::explore(system, &Edits::none()).expect("small");
    assert_eq!(arith.reachable(), explicit.reachable(), "{what}");
    assert_eq!(arith.assumptions_consistent(), explicit.assumptions_consistent(), "{what}");
    for (index, property) in system.properties().iter().enumerate() {
        if matches!(property.kind, PropertyKind::Invariant(_)) {
            let id = PropertyId(index as u32);
            assert_eq!(arith.outcome(id), explicit.outcome(id), "{what}, {}", property.name);
        }
    }
    true
}

#[test]
fn systems_of_bits_have_the_same_truth_in_both_oracles() {
    let mut compared = 0;
    for seed in 0..60 {
        compared += usize::from(same_as_for_bits(&bit_level_system(seed), &format!("bits {seed}")));
        compared += usize::from(same_as_for_bits(&word_level_system(seed), &format!("words {seed}")));
    }
    assert!(compared > 60, "{compared} compared");
}

/// x starts with 0 and adds the input, from 0 to 2, as long as it is below 5.
fn adder(bound: bool) -> (System, PropertyId) {
    let mut system = System::new();
    let (input, state) = (system.add_input("i", Sort::Int), system.add_state("x", Sort::Int));
    let (i, x) = (system.read(input), system.read(state));
    let [zero, two, five, six] = [0, 2, 5, 6].map(|value| system.exprs.constant(Value::Int(value.into())));
    let (low, high) = (system.exprs.apply(BinaryOp::Le, zero, i), system.exprs.apply(BinaryOp::Le, i, two));
    system.add_constraint("low", ConstraintKind::Always, low);
    if bound {
        system.add_constraint("high", ConstraintKind::Always, high);
    }
    let (sum, below) = (system.exprs.apply(BinaryOp::Add, x, i), system.exprs.apply(BinaryOp::Lt, x, five));
    let next = system.exprs.ite(below, sum, x);
    system.set_init(state, zero);
    system.set_next(state, next);
    let claim = system.exprs.apply(BinaryOp::Lt, x, six);
    let property = system.add_property("p", PropertyKind::Invariant(claim), None);
    (system, property)
}

#[test]
fn ints_are_enumerated_within_their_constraints() {
    // 6 comes soonest after an odd sum below 5: 2, 2 and 2 make 6 in three transitions.
    let (system, property) = adder(true);
    let explicit = ArithExplicit::explore(&system).expect("bounded");
    assert_eq!(explicit.outcome(property), Outcome::Violated { depth: 3 });
    // All from 0 to 6.
    assert_eq!(explicit.reachable(), 7);
    let (system, _) = adder(false);
    assert_eq!(ArithExplicit::explore(&system).err(), Some(ArithExploreError::Unbounded("i".to_owned())));
}

#[test]
fn random_systems_with_numbers_hold_and_fail_at_various_depths() {
    let (mut explored, mut holds, mut depths) = (0, 0, [0; 5]);
    let count = 300;
    for seed in 0..count {
        let system = arith_system(seed);
        system.validate().expect("a system with a meaning");
        let Ok(explicit) = ArithExplicit::explore(&system) else { continue };
        explored += 1;
        for index in 0..system.properties().len() as u32 {
            match explicit.outcome(PropertyId(index)) {
                Outcome::Holds { .. } => holds += 1,
                Outcome::Violated { depth } => depths[depth.min(4)] += 1,
            }
        }
    }
    let all: usize = holds + depths.iter().sum::<usize>();
    assert!(explored * 10 > count * 9, "{explored} of {count}");
    assert!((25..80).contains(&(holds * 100 / all)), "{holds} of {all} hold");
    assert!(depths.iter().all(|found| found * 100 >= all), "{depths:?} of {all}");
}

#[test]
fn what_fails_is_reported_with_its_seed() {
    let failing = || {
        for_random_arith_systems(5, 40, |_, system, _| {
            let counts = system.states().iter().any(|state| system.signal(*state).sort == Sort::Int);
            if counts { Err("an int".to_owned()) } else { Ok(()) }
        });
    };
    let panic = std::panic::catch_unwind(failing).expect_err("the check fails");
    let message = panic.downcast_ref::<String>().expect("a message");
    assert!(message.contains("PROPCOV_SEED=40") && message.contains("an int"), "{message}");
}
