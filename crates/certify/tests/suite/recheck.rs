//! The explicit check of CTL properties against the definition, on thousands of random systems.

use propcov_budget::Budget;
use propcov_certify::{ExplicitLimits, Rejection, recheck_ctl};
use propcov_ir::{BinaryOp, Ctl, Edits, PropertyId, PropertyKind, Quantifier, Sort, System};
use propcov_testkit::{ExplicitCtl, Random, for_random_ctl_systems, random_edits};

fn all(system: &System) -> Vec<PropertyId> {
    (0..system.properties().len() as u32).map(PropertyId).collect()
}

fn compare(system: &System, edits: &Edits) -> Result<(), String> {
    let Ok(oracle) = ExplicitCtl::new(system, edits) else { return Ok(()) };
    let properties = all(system);
    let limits = ExplicitLimits::default();
    let recheck = match recheck_ctl(system, edits, &properties, &limits, &Budget::default()) {
        Ok(recheck) => recheck,
        // A freed wire may have made an atom depend on more than states.
        Err(Rejection::Malformed(why)) if !edits.is_empty() && why.contains("states alone") => return Ok(()),
        Err(rejection) => return Err(rejection.to_string()),
    };
    let expected: Vec<bool> = properties.iter().map(|property| oracle.holds(*property)).collect();
    let initial = oracle.initial().iter().filter(|initial| **initial).count();
    let counts = (initial, oracle.reachable(), oracle.fair_reachable());
    if recheck.holds == expected && (recheck.initial, recheck.reachable, recheck.fair) == counts {
        Ok(())
    } else {
        Err(format!("{recheck:?}, but {expected:?} and {counts:?}"))
    }
}

#[test]
fn verdicts_and_counts_are_those_of_the_definition() {
    for_random_ctl_systems(4000, 100_000, |_, system| compare(system, &Edits::none()));
}

#[test]
fn verdicts_and_counts_are_those_of_the_definition_under_edits() {
    for_random_ctl_systems(1500, 200_000, |seed, system| {
        let mut system = system.clone();
        let edits = random_edits(&mut Random::new(seed), &mut system);
        compare(&system, &edits)
    });
}

/// A counter of some bits that an input may hold, and that it will be 0 again and again.
fn counter(width: u32) -> (System, PropertyId) {
    let mut system = System::new();
    let hold = system.add_input("hold", Sort::BOOL);
    let count = system.add_state("count", Sort::BitVec(width));
    let (hold, read) = (system.read(hold), system.read(count));
    let (zero, one) = (system.exprs.bits(width, 0), system.exprs.bits(width, 1));
    let more = system.exprs.apply(BinaryOp::Add, read, one);
    let next = system.exprs.ite(hold, read, more);
    system.set_init(count, zero);
    system.set_next(count, next);
    let (is_zero, yes, no) = (system.exprs.eq(read, zero), system.exprs.bool(true), system.exprs.bool(false));
    let again = Ctl::Until(Quantifier::All, Box::new(Ctl::Atom(yes)), Box::new(Ctl::Atom(is_zero)));
    let formula = Ctl::Release(Quantifier::All, Box::new(Ctl::Atom(no)), Box::new(again));
    let moves = system.exprs.not(hold);
    system.fairness.push(propcov_ir::Fairness::Justice(moves));
    let property = system.add_property("again", PropertyKind::Ctl(formula), None);
    (system, property)
}

#[test]
fn a_counter_comes_back_to_zero_only_under_fairness() {
    let (mut system, property) = counter(10);
    let recheck = |system: &System| {
        recheck_ctl(system, &Edits::none(), &[property], &ExplicitLimits::default(), &Budget::default())
    };
    let found = recheck(&system).expect("small");
    assert_eq!((found.holds, found.initial, found.reachable, found.fair), (vec![true], 1, 1024, 1024));
    system.fairness.clear();
    assert_eq!(recheck(&system).expect("small").holds, [false]);
}

#[test]
fn what_is_too_large_or_takes_too_long_is_given_up() {
    let (system, property) = counter(20);
    let recheck = |limits: &ExplicitLimits, budget: &Budget| {
        recheck_ctl(&system, &Edits::none(), &[property], limits, budget)
    };
    let few_states = ExplicitLimits { states: 50, edges: 1000 };
    assert!(matches!(recheck(&few_states, &Budget::default()), Err(Rejection::TooLarge(_))));
    let few_edges = ExplicitLimits { states: 1000, edges: 50 };
    assert!(matches!(recheck(&few_edges, &Budget::default()), Err(Rejection::TooLarge(_))));
    let stopped = Budget::default();
    stopped.interrupt.raise();
    assert_eq!(recheck(&few_states, &stopped), Err(Rejection::Undecided));
}

#[test]
fn atoms_over_inputs_and_other_properties_are_refused() {
    let (mut system, _) = counter(2);
    let input = system.inputs()[0];
    let input = system.read(input);
    let invariant = system.add_property("invariant", PropertyKind::Invariant(input), None);
    let atom = system.add_property("atom", PropertyKind::Ctl(Ctl::Atom(input)), None);
    let recheck = |property| {
        recheck_ctl(&system, &Edits::none(), &[property], &ExplicitLimits::default(), &Budget::default())
    };
    assert!(matches!(recheck(invariant), Err(Rejection::Unsupported(_))));
    assert!(matches!(recheck(atom), Err(Rejection::Malformed(_))));
    assert!(matches!(recheck(PropertyId(9)), Err(Rejection::Malformed(_))));
}

/// Not a test of anything but speed: `cargo test --release -p propcov-certify -- --ignored --nocapture speed`.
#[test]
#[ignore = "a measurement"]
fn speed_of_exploration() {
    let (system, property) = counter(14);
    let start = std::time::Instant::now();
    let found =
        recheck_ctl(&system, &Edits::none(), &[property], &ExplicitLimits::default(), &Budget::default());
    println!("{found:?} in {:?}", start.elapsed());
}
