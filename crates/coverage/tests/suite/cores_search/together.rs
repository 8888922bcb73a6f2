//! Several properties together.

use super::function::{Function, Habits, Machine};
use super::statements::{Heard, check, check_exact};
use super::{fail, ways};
use propcov_coverage::cores::{InTurn, Judge, Lists, Start, search};
use propcov_testkit::{Random, seeds};

/// Two or three functions of the same elements, and their conjunction.
fn functions(random: &mut Random) -> (Vec<Function>, Function) {
    let first = Function::random(random);
    let size = first.size;
    let mut all = vec![first];
    while all.len() < 2 || random.percent(30) {
        let other = Function::random(random);
        let sets: Vec<u32> = other.minimal.iter().map(|set| set & ((1 << size) - 1)).collect();
        all.push(Function::new(size, &sets));
    }
    // By definition, from all sets.
    let adequate = (0..1u32 << size).filter(|set| all.iter().all(|function| function.is_adequate(*set)));
    let together = Function::new(size, &adequate.collect::<Vec<u32>>());
    (all, together)
}

#[test]
fn cores_of_all_together_follow_from_the_lists_of_each() {
    for seed in seeds(300, 980_000) {
        let (each, together) = functions(&mut Random::new(seed));
        let lists = |function: &Function| function.minimal.iter().map(|set| function.set(*set)).collect();
        for way in ways() {
            let mut judge = Lists::new(&together.universe(), each.iter().map(lists).collect());
            let mut heard = Heard::default();
            let found = search(&mut judge, &together.universe(), way.0, way.1, &Start::default(), &mut heard);
            let outcome =
                check(&together, &found, &heard).and_then(|()| check_exact(&together, way, &found, &heard));
            if let Err(problem) = outcome {
                fail(seed, &together, &format!("{way:?}"), &problem);
            }
        }
    }
}

#[test]
fn judges_that_are_asked_in_turn_judge_the_conjunction() {
    for seed in seeds(300, 990_000) {
        let mut random = Random::new(seed);
        let (each, together) = functions(&mut random);
        let unknown = if random.percent(50) { 0 } else { random.between(1, 40) };
        for way in ways() {
            let habits = Habits { unknown, ..Habits::random(&mut random) };
            let mut machines: Vec<Machine<'_>> =
                each.iter().map(|function| Machine::new(function, habits)).collect();
            let judges = machines.iter_mut().map(|machine| machine as &mut dyn Judge).collect();
            let mut heard = Heard::default();
            let universe = together.universe();
            let found =
                search(&mut InTurn::new(judges), &universe, way.0, way.1, &Start::default(), &mut heard);
            let mut outcome = check(&together, &found, &heard);
            if unknown == 0 {
                outcome = outcome.and_then(|()| check_exact(&together, way, &found, &heard));
            }
            if let Err(problem) = outcome {
                fail(seed, &together, &format!("{way:?}, {habits:?}"), &problem);
            }
        }
    }
}
