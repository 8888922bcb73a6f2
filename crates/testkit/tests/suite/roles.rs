//! What is design and what is checker, by walking the system and by walking all paths.

use propcov_ir::{Role, roles};
use propcov_testkit::{
    Random, for_random_ctl_systems, for_random_systems, role_system, roles_by_paths, seeds,
};
use std::collections::BTreeMap;

#[test]
fn roles_are_those_of_the_definition() {
    let mut seen: BTreeMap<Role, usize> = BTreeMap::new();
    let mut by_checkers = 0;
    for seed in seeds(20_000, 910_000) {
        let system = role_system(seed);
        assert_eq!(system.validate(), Ok(()), "seed {seed}");
        let expected = roles_by_paths(&system);
        assert_eq!(roles(&system), expected, "seed {seed}\n{system}");
        let said = system.elements().iter().filter(|element| element.role == Role::Checker).count();
        by_checkers += usize::from(expected.iter().filter(|role| **role == Role::Checker).count() > said);
        expected.into_iter().for_each(|role| *seen.entry(role).or_default() += 1);
        let mut twice = system;
        twice.classify_roles();
        let once = twice.clone();
        assert_eq!(
            once.elements().iter().map(|element| element.role).collect::<Vec<_>>(),
            roles_of(&mut twice)
        );
    }
    if propcov_testkit::is_whole_run() {
        assert!(Role::ALL.iter().all(|role| seen[role] > 2_000), "{seen:?}");
        assert!(by_checkers > 2_000, "{by_checkers}");
    }
}

/// The roles after they were found out once more.
fn roles_of(system: &mut propcov_ir::System) -> Vec<Role> {
    system.classify_roles();
    system.elements().iter().map(|element| element.role).collect()
}

#[test]
fn the_systems_of_other_tests_have_these_roles_too() {
    let check = |seed: u64, system: &propcov_ir::System| {
        // Longer paths than these take too long to list one by one.
        if system.signals().len() > 9 {
            return Ok(());
        }
        let mut system = system.clone();
        let mut random = Random::new(seed);
        if random.percent(50)
            && let Some(wire) = system.wires().last().copied()
        {
            let expr = system.read(wire);
            system.outputs.push(propcov_ir::Output { name: "out".to_owned(), expr });
        }
        let (found, expected) = (roles(&system), roles_by_paths(&system));
        if found == expected { Ok(()) } else { Err(format!("{found:?}, not {expected:?}")) }
    };
    for_random_systems(500, 920_000, check);
    for_random_ctl_systems(500, 930_000, check);
}
