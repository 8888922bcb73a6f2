//! The algorithms for cores against brute force: random monotone functions over a few elements, given by their minimal sets, and judges that are as unhelpful as a judge may be.

mod contradictory;
mod divided;
mod function;
mod large;
mod rounds;
mod statements;
mod thesis;
mod together;

use function::{Function, Habits, Machine};
use propcov_coverage::cores::{Algorithm, Found, Goal, Minimality, Start, search};
use propcov_testkit::{Random, is_whole_run, seeds};
use statements::{Heard, check, check_exact};

const GOALS: [Goal; 6] = [Goal::One, Goal::Minimal, Goal::Minimum, Goal::All, Goal::Must, Goal::May];

/// Each goal with each algorithm that serves it, and with none.
fn ways() -> Vec<(Goal, Option<Algorithm>)> {
    let mut ways = Vec::new();
    for goal in GOALS {
        ways.push((goal, None));
        let serving = Algorithm::ALL.into_iter().filter(|algorithm| algorithm.goals().contains(&goal));
        ways.extend(serving.map(|algorithm| (goal, Some(algorithm))));
    }
    ways
}

/// Runs one search, and checks that all it says is true.
fn run(
    function: &Function,
    machine: &mut Machine<'_>,
    way: (Goal, Option<Algorithm>),
    start: &Start,
) -> Result<(Found, Heard), String> {
    let mut heard = Heard::default();
    let found = search(machine, &function.universe(), way.0, way.1, start, &mut heard);
    check(function, &found, &heard)?;
    Ok((found, heard))
}

fn fail(seed: u64, function: &Function, what: &str, problem: &str) -> ! {
    panic!("seed {seed}, {what}: {problem}\nto replay only this: PROPCOV_SEED={seed}\n{function:?}")
}

#[test]
fn every_algorithm_finds_exactly_what_it_is_asked_for() {
    for seed in seeds(3000, 910_000) {
        let mut random = Random::new(seed);
        let function = Function::random(&mut random);
        let habits = Habits::random(&mut random);
        for way in ways() {
            let mut machine = Machine::new(&function, habits);
            let outcome = run(&function, &mut machine, way, &Start::default())
                .and_then(|(found, heard)| check_exact(&function, way, &found, &heard));
            if let Err(problem) = outcome {
                fail(seed, &function, &format!("{way:?}, {habits:?}"), &problem);
            }
        }
    }
}

#[test]
fn what_is_known_before_is_not_asked_again() {
    for seed in seeds(500, 920_000) {
        let mut random = Random::new(seed);
        let function = Function::random(&mut random);
        let habits = Habits::random(&mut random);
        if !function.is_adequate(function.everything()) {
            continue;
        }
        let (core, refuted) = (function.shrink(function.everything(), &mut random), random.next() as u32);
        let refuted = refuted & function.everything();
        let start = Start {
            adequate: vec![function.set(core)],
            inadequate: if function.is_adequate(refuted) { Vec::new() } else { vec![function.set(refuted)] },
            ..Start::default()
        };
        for way in ways() {
            let mut machine = Machine::new(&function, habits);
            let outcome = run(&function, &mut machine, way, &start)
                .and_then(|(found, heard)| check_exact(&function, way, &found, &heard));
            let outcome = outcome.and_then(|()| match &machine.asked[..] {
                asked if way.1 != Some(Algorithm::Bf) && asked.contains(&function.everything()) => {
                    Err("the universe was asked about".to_owned())
                }
                _ => Ok(()),
            });
            if let Err(problem) = outcome {
                fail(seed, &function, &format!("{way:?}, {habits:?}, {start:?}"), &problem);
            }
        }
    }
}

#[test]
fn a_search_that_is_stopped_leaves_only_true_statements() {
    for seed in seeds(1000, 930_000) {
        let mut random = Random::new(seed);
        let function = Function::random(&mut random);
        let habits = Habits::random(&mut random);
        for way in ways() {
            let mut machine = Machine::new(&function, habits);
            machine.stop_after = random.below(12);
            let outcome = run(&function, &mut machine, way, &Start::default());
            match outcome {
                Ok((found, _)) if machine.refused.get() && !found.stopped => {
                    fail(seed, &function, &format!("{way:?}"), "it does not say that it was stopped");
                }
                Ok(_) => {}
                Err(problem) => fail(seed, &function, &format!("{way:?}, {habits:?}"), &problem),
            }
        }
    }
}

#[test]
fn sets_without_an_answer_are_neither_adequate_nor_inadequate() {
    let mut complete_all_the_same = 0;
    for seed in seeds(2000, 940_000) {
        let mut random = Random::new(seed);
        let function = Function::random(&mut random);
        let habits = Habits { unknown: random.between(1, 60), ..Habits::random(&mut random) };
        for way in ways() {
            let mut machine = Machine::new(&function, habits);
            match run(&function, &mut machine, way, &Start::default()) {
                Ok((found, _)) => {
                    let asked_in_vain =
                        found.undecided.iter().all(|(set, _)| machine.is_mute(function.mask(set)));
                    if !asked_in_vain {
                        fail(
                            seed,
                            &function,
                            &format!("{way:?}"),
                            "a set that had an answer is called undecided",
                        );
                    }
                    complete_all_the_same += usize::from(found.complete && !found.undecided.is_empty());
                }
                Err(problem) => fail(seed, &function, &format!("{way:?}, {habits:?}"), &problem),
            }
        }
    }
    assert!(!is_whole_run() || complete_all_the_same > 0);
}

#[test]
fn the_default_asks_less_than_the_algorithms_of_the_thesis() {
    let algorithms =
        [None, Some(Algorithm::Marco), Some(Algorithm::OnlineMarco), Some(Algorithm::GrowShrink)];
    for (name, habits) in [
        ("minimal cores, maximal inadequate sets", Habits { cores: 100, grown: 100, ..Habits::HELPFUL }),
        ("nearly minimal cores, well grown sets", Habits { cores: 90, grown: 80, ..Habits::HELPFUL }),
        ("nearly minimal cores, nothing grown", Habits { cores: 90, grown: 0, ..Habits::HELPFUL }),
        ("poor cores, nothing grown", Habits { cores: 40, grown: 0, ..Habits::HELPFUL }),
    ] {
        let mut calls = [0; 4];
        for seed in seeds(400, 950_000) {
            let function = Function::random(&mut Random::new(seed));
            for (algorithm, calls) in algorithms.iter().zip(&mut calls) {
                let mut machine = Machine::new(&function, Habits { seed, ..habits });
                search(&mut machine, &function.universe(), Goal::All, *algorithm, &Start::default(), &mut ());
                *calls += machine.asked.len();
            }
        }
        println!(
            "{name}: default {}, marco {}, online-marco {}, grow-shrink {}",
            calls[0], calls[1], calls[2], calls[3]
        );
        assert!(calls[0] <= calls[2] && calls[0] <= calls[3], "{name}: {calls:?}");
    }
}

#[test]
fn may_and_minimum_take_fewer_questions_than_all() {
    let mut calls = [0; 5];
    let goals = [Goal::All, Goal::May, Goal::Minimum, Goal::Must, Goal::Minimal];
    for seed in seeds(400, 960_000) {
        let function = Function::random(&mut Random::new(seed));
        for (goal, calls) in goals.into_iter().zip(&mut calls) {
            let habits = Habits { seed, cores: 90, grown: 50, ..Habits::HELPFUL };
            let mut machine = Machine::new(&function, habits);
            search(&mut machine, &function.universe(), goal, None, &Start::default(), &mut ());
            *calls += machine.asked.len();
        }
    }
    println!("{goals:?}: {calls:?}");
    assert!(calls[1..].iter().all(|other| *other <= calls[0]), "{goals:?}: {calls:?}");
}

#[test]
fn the_only_core_is_known_to_be_the_only_one() {
    let function = Function::new(6, &[0b001101]);
    let mut machine = Machine::new(&function, Habits { cores: 0, ..Habits::HELPFUL });
    let found = search(&mut machine, &function.universe(), Goal::All, None, &Start::default(), &mut ());
    assert!(found.complete && found.cores.len() == 1);
    assert_eq!(found.cores[0].minimal, Minimality::Minimal);
    assert_eq!(found.minimum, Some(function.set(0b001101)));
    // The universe, each element, and those that all cores have.
    assert_eq!(machine.asked.len(), 8);
}
