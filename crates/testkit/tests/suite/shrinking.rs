//! What fails is reported small and with its seed.

use propcov_ir::{Edits, Interpreter, PropertyId, SignalKind, System};
use propcov_testkit::{Explicit, Outcome, bit_level_system, for_random_systems, shrink, word_level_system};
use std::panic::catch_unwind;

fn violated_in_five(system: &System) -> bool {
    Explicit::explore(system, &Edits::none()).is_ok_and(|explicit| {
        (0..system.properties().len() as u32)
            .any(|property| explicit.outcome(PropertyId(property)) == Outcome::Violated { depth: 5 })
    })
}

#[test]
fn a_counterexample_of_depth_five_shrinks_to_little_more_than_it_needs() {
    let mut shrunk = 0;
    for (seed, generate) in (0..200).flat_map(|seed| {
        [(seed, bit_level_system as fn(u64) -> System), (seed, word_level_system as fn(u64) -> System)]
    }) {
        let system = generate(seed);
        if !violated_in_five(&system) {
            continue;
        }
        let small = shrink(&system, violated_in_five);
        assert!(violated_in_five(&small), "seed {seed}");
        assert_eq!(small.properties().len(), 1, "seed {seed}\n{small}");
        // Three bits count to five, or six bits shift; each with a definition or two.
        assert!(small.to_string().lines().count() <= 30, "seed {seed}\n{small}");
        assert!(small.signals().len() <= system.signals().len());
        shrunk += 1;
    }
    assert!(shrunk >= 8, "{shrunk}");
}

#[test]
fn shrinking_keeps_elements_at_what_is_left() {
    let system = (0..).map(word_level_system).find(violated_in_five).expect("there are many");
    let small = shrink(&system, violated_in_five);
    for element in small.elements() {
        assert!(
            system.elements().iter().any(|other| other.name == element.name && other.kind == element.kind)
        );
    }
    let with_next = small
        .states()
        .iter()
        .filter(|state| matches!(small.signal(**state).kind, SignalKind::State { next: Some(_), .. }));
    assert!(with_next.count() > 0, "{small}");
    assert!(Interpreter::new(&small, &Edits::none()).is_ok());
}

#[test]
fn a_failing_check_is_reported_with_its_seed_and_a_small_system() {
    let result = catch_unwind(|| {
        for_random_systems(1000, 77, |_, system| {
            let bits: usize = system.inputs().len();
            if bits >= 2 { Err(format!("{bits} inputs")) } else { Ok(()) }
        });
    });
    let message = *result.expect_err("some system has two inputs").downcast::<String>().expect("a message");
    let (seed, rest) = message.split_once(':').expect("the seed comes first");
    let seed: u64 = seed.trim_start_matches("seed ").parse().expect("a number");
    assert!(propcov_testkit::random_system(seed).inputs().len() >= 2);
    assert!(rest.contains(&format!("PROPCOV_SEED={seed}")), "{rest}");
    assert!(rest.contains("fails with: 2 inputs"), "{rest}");
    let lines = rest.lines().skip_while(|line| !line.starts_with("input")).count();
    assert_eq!(lines, 3, "two inputs and a property are left\n{rest}");
}

#[test]
fn a_panic_of_the_check_counts_as_a_failure() {
    let result = catch_unwind(|| {
        for_random_systems(10, 0, |seed, _| {
            assert!(seed != 4, "four");
            Ok(())
        });
    });
    let message = *result.expect_err("seed 4 fails").downcast::<String>().expect("a message");
    assert!(message.starts_with("seed 4: four"), "{message}");
}
