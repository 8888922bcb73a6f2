//! A printed system behaves as the system did: same reachable states at the same distance, same violations.

use crate::common::benchmarks;
use propcov_frontend::{btor2::print, read};
use propcov_ir::{ConstraintKind, Edits, PropertyId, PropertyKind, Sort, System, Value};
use propcov_testkit::{Explicit, ExploreError, Outcome, random_system};
use std::collections::BTreeMap;

/// The reachable values of the named states, with the least distance of each.
fn reachable(system: &System, explored: &Explicit, names: &[String]) -> BTreeMap<String, u32> {
    let positions: Vec<usize> = (names.iter())
        .map(|name| {
            let is_named = |state: &propcov_ir::SignalId| system.signal(*state).name == *name;
            system.states().iter().position(is_named).unwrap_or_else(|| panic!("no state {name}"))
        })
        .collect();
    let mut found = BTreeMap::new();
    for (values, distance) in explored.reachable_states() {
        let values: Vec<String> = positions.iter().map(|position| values[*position].to_string()).collect();
        let least = found.entry(values.join(" ")).or_insert(distance);
        *least = distance.min(*least);
    }
    found
}

/// Whether both could be compared; an error says how they differ.
fn compare(system: &System) -> Result<bool, String> {
    let Ok(text) = print(system) else { return Ok(false) };
    let copy = read("printed.btor2", text.as_bytes()).map_err(|error| format!("{error}\n{text}"))?.system;
    copy.validate().map_err(|error| format!("{error}\n{text}"))?;
    let edits = Edits::none();
    let explore = |system: &System| match Explicit::explore(system, &edits) {
        Ok(explored) => Ok(Some(explored)),
        Err(ExploreError::TooLarge(_)) => Ok(None),
        Err(error) => Err(format!("{error}\n{text}")),
    };
    let (Some(left), Some(right)) = (explore(system)?, explore(&copy)?) else { return Ok(false) };
    let names: Vec<String> = system.states().iter().map(|state| system.signal(*state).name.clone()).collect();
    if reachable(system, &left, &names) != reachable(&copy, &right, &names) {
        return Err(format!("reachable states differ\n{text}"));
    }
    for (index, property) in system.properties().iter().enumerate() {
        if !matches!(property.kind, PropertyKind::Invariant(_)) {
            continue;
        }
        let depth = |explored: &Explicit| match explored.outcome(PropertyId(index as u32)) {
            Outcome::Violated { depth } => Some(depth),
            Outcome::Holds { .. } => None,
        };
        if depth(&left) != depth(&right) {
            return Err(format!("{}: {:?} and {:?}\n{text}", property.name, depth(&left), depth(&right)));
        }
    }
    Ok(true)
}

#[test]
fn printed_random_systems_behave_as_before() {
    let mut compared = 0;
    for seed in 0..1500 {
        match compare(&random_system(seed)) {
            Ok(done) => compared += usize::from(done),
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
    assert!(compared > 700, "only {compared} systems could be printed and explored");
}

/// A counter that starts where an input says, or is told where by constraints.
fn counter() -> (System, propcov_ir::SignalId, propcov_ir::ExprId, propcov_ir::ExprId) {
    let mut system = System::new();
    let start = system.add_input("start", Sort::BitVec(3));
    let count = system.add_state("count", Sort::BitVec(3));
    let (start, value) = (system.read(start), system.read(count));
    let limit = system.exprs.bits(3, 6);
    let good = system.exprs.apply(propcov_ir::BinaryOp::Ult, value, limit);
    system.add_property("below_six", PropertyKind::Invariant(good), None);
    (system, count, start, value)
}

#[test]
fn initial_values_that_read_inputs_become_constraints() {
    let (mut system, count, start, value) = counter();
    let three = system.exprs.bits(3, 3);
    let init = system.exprs.and(start, three);
    system.set_init(count, init);
    let one = system.exprs.bits(3, 1);
    let next = system.exprs.apply(propcov_ir::BinaryOp::Add, value, one);
    system.set_next(count, next);
    assert_eq!(compare(&system), Ok(true));
    assert!(print(&system).unwrap().contains(" first\n"));
}

#[test]
fn constraints_on_the_first_step_and_on_transitions_are_kept() {
    let (mut system, count, start, value) = counter();
    let zero = system.exprs.bits(3, 0);
    let at_zero = system.exprs.eq(value, zero);
    system.add_constraint("begin", ConstraintKind::Initial, at_zero);
    // The state has no next value: it goes up by what the low bit of the input says.
    let one = system.exprs.bits(3, 1);
    let step = system.exprs.and(start, one);
    let sum = system.exprs.apply(propcov_ir::BinaryOp::Add, value, step);
    let following = system.exprs.next(count, Sort::BitVec(3));
    let moves = system.exprs.eq(following, sum);
    system.add_constraint("moves", ConstraintKind::Transition, moves);
    assert_eq!(compare(&system), Ok(true));
}

#[test]
fn what_btor2_has_no_words_for_is_an_error() {
    let mut system = System::new();
    system.add_state("x", Sort::Int);
    assert_eq!(print(&system).unwrap_err().to_string(), "BTOR2 cannot express the sort int");
}

#[test]
fn names_become_single_words() {
    let mut system = System::new();
    system.add_input("a b;c", Sort::BOOL);
    let yes = system.exprs.constant(Value::bool(true));
    system.add_property("always true", PropertyKind::Invariant(yes), None);
    let copy = read("printed.btor2", print(&system).unwrap().as_bytes()).unwrap().system;
    assert_eq!(copy.signals()[0].name, "a_b_c");
    assert_eq!(copy.properties()[0].name, "always_true");
}

#[test]
fn printed_benchmarks_have_the_same_inputs_states_and_properties() {
    for (name, bytes) in benchmarks("btor2", "btor2").unwrap_or_default() {
        let system = read(&name, &bytes).unwrap().system;
        let text = print(&system).unwrap_or_else(|error| panic!("{name}: {error}"));
        let copy = read(&name, text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let names = |system: &System| -> Vec<String> {
            let signals = system.inputs().iter().chain(system.states());
            signals.map(|signal| system.signal(*signal).name.clone()).collect()
        };
        let properties = |system: &System| -> Vec<String> {
            system.properties().iter().map(|property| property.name.clone()).collect()
        };
        assert_eq!(
            names(&system)[..system.inputs().len()],
            names(&copy.system)[..system.inputs().len()],
            "{name}"
        );
        assert!(names(&system).iter().all(|signal| names(&copy.system).contains(signal)), "{name}");
        assert_eq!(properties(&system), properties(&copy.system), "{name}");
    }
}
