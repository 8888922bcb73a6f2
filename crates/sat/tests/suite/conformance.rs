//! What every [`Solver`] promises, checked for each of them against brute force.

use std::time::{Duration, Instant};

use propcov_budget::Budget;
use propcov_sat::{Cadical, CadicalConfig, ConeSolver, Lit, Outcome, Solver, Var};

use crate::common::{Random, satisfiable};

/// Answers, models and cores of incremental random queries.
fn agrees_with_brute_force<S: Solver>(new: impl Fn(u64) -> S) {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..2_000 {
        let mut random = Random(seed);
        let variables = 3 + random.below(8);
        let mut solver = new(seed);
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        let mut known = 0;
        for round in 0..6 {
            // Variables appear over time.
            while known < variables && (known < 3 || random.chance(60)) {
                assert_eq!(solver.new_var(), Var(known));
                known += 1;
            }
            let count = 1 + random.below(variables);
            for clause in random.clauses(known, count) {
                solver.add_clause(&clause);
                clauses.push(clause);
            }
            for _ in 0..3 {
                let assumptions: Vec<Lit> = (0..random.below(5)).map(|_| random.lit(known)).collect();
                let context = format!("seed {seed}, round {round}, assumptions {assumptions:?}");
                match solver.solve(&assumptions, &Budget::default()) {
                    Outcome::Sat => {
                        let holds = |lit: Lit| solver.value(lit) == Some(true);
                        assert!(assumptions.iter().all(|&lit| holds(lit)), "{context}: assumption");
                        for clause in &clauses {
                            assert!(clause.iter().any(|&lit| holds(lit)), "{context}: {clause:?}");
                        }
                        for lit in clauses.iter().flatten() {
                            assert_eq!(
                                solver.value(*lit),
                                solver.value(!*lit).map(|value| !value),
                                "{context}"
                            );
                        }
                        sat += 1;
                    }
                    Outcome::Unsat => {
                        let core: Vec<Lit> =
                            assumptions.iter().copied().filter(|&lit| solver.failed(lit)).collect();
                        assert!(!satisfiable(known, &clauses, &core), "{context}: core {core:?}");
                        unsat += 1;
                    }
                    Outcome::Unknown => panic!("{context}: gave up without a reason"),
                }
            }
        }
    }
    assert!(sat > 5_000 && unsat > 5_000, "{sat} satisfiable, {unsat} unsatisfiable");
}

/// The pigeon hole principle: too hard for `holes` above 11 or so.
fn add_pigeons(solver: &mut impl Solver, holes: u32) {
    let pigeon = |pigeon: u32, hole: u32| Var(pigeon * holes + hole).positive();
    for _ in 0..holes * (holes + 1) {
        solver.new_var();
    }
    for one in 0..=holes {
        solver.add_clause(&(0..holes).map(|hole| pigeon(one, hole)).collect::<Vec<Lit>>());
        for other in 0..one {
            for hole in 0..holes {
                solver.add_clause(&[!pigeon(one, hole), !pigeon(other, hole)]);
            }
        }
    }
}

/// Each way to stop, one after the other, and that the solver is still good for another query.
fn stops_when_told<S: Solver>(new: impl Fn(u64) -> S) {
    let mut solver = new(1);
    add_pigeons(&mut solver, 14);
    let conflicts = Budget { conflicts: Some(500), ..Budget::default() };
    assert_eq!(solver.solve(&[], &conflicts), Outcome::Unknown, "conflicts");

    let start = Instant::now();
    let deadline = Budget { deadline: Some(start + Duration::from_millis(100)), ..Budget::default() };
    assert_eq!(solver.solve(&[], &deadline), Outcome::Unknown, "deadline");
    assert!(start.elapsed() < Duration::from_secs(5), "deadline overrun: {:?}", start.elapsed());

    let interrupted = Budget::default();
    let interrupt = interrupted.interrupt.clone();
    let start = Instant::now();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        interrupt.raise();
    });
    assert_eq!(solver.solve(&[], &interrupted), Outcome::Unknown, "interrupt");
    assert!(start.elapsed() < Duration::from_secs(5), "late: {:?}", start.elapsed());
    thread.join().expect("the thread only sleeps");
    assert_eq!(solver.solve(&[], &interrupted), Outcome::Unknown, "interrupts are for good");

    let ticks = Budget::default();
    ticks.interrupt.limit_ticks(solver.ticks() + 10_000);
    assert_eq!(solver.solve(&[], &ticks), Outcome::Unknown, "ticks");

    let all: Vec<Lit> = (0..14).map(|hole| !Var(hole).positive()).collect();
    assert_eq!(solver.solve(&all, &Budget::default()), Outcome::Unsat, "the first pigeon has no hole");
    assert!(all.iter().all(|&lit| solver.failed(lit)), "each hole matters");
}

/// The same calls cost the same work, and work never decreases.
fn is_deterministic<S: Solver>(new: impl Fn(u64) -> S) {
    let run = || {
        let mut solver = new(7);
        add_pigeons(&mut solver, 7);
        let mut ticks = vec![solver.ticks()];
        for hole in 0..7 {
            solver.solve(&[Var(hole).positive()], &Budget { conflicts: Some(300), ..Budget::default() });
            ticks.push(solver.ticks());
        }
        ticks
    };
    let ticks = run();
    assert_eq!(ticks, run());
    assert!(ticks.is_sorted() && ticks.last() > ticks.first(), "{ticks:?}");
}

fn handles_corner_cases<S: Solver>(new: impl Fn(u64) -> S) {
    let mut solver = new(0);
    assert_eq!(solver.solve(&[], &Budget::default()), Outcome::Sat, "no clause");
    let (one, two) = (solver.new_var().positive(), solver.new_var().positive());
    assert_eq!(solver.solve(&[one, one, !two], &Budget::default()), Outcome::Sat, "repeated assumption");
    assert_eq!(solver.value(one), Some(true));
    assert_eq!(solver.value(two), Some(false));
    assert_eq!(solver.solve(&[one, two, !one], &Budget::default()), Outcome::Unsat, "contradiction");
    assert!(solver.failed(one) && solver.failed(!one) && !solver.failed(two));
    solver.add_clause(&[one]);
    assert_eq!(solver.solve(&[!one, two], &Budget::default()), Outcome::Unsat, "against a unit");
    assert!(solver.failed(!one) && !solver.failed(two));
    solver.add_clause(&[two, !two]);
    assert_eq!(solver.solve(&[], &Budget::default()), Outcome::Sat, "a tautology");
    solver.add_clause(&[]);
    assert_eq!(solver.solve(&[two], &Budget::default()), Outcome::Unsat, "the empty clause");
    assert!(!solver.failed(two));
    solver.add_clause(&[two]);
    assert_eq!(solver.solve(&[two], &Budget::default()), Outcome::Unsat, "for good");
}

macro_rules! conformance {
    ($name:ident, $new:expr) => {
        mod $name {
            use super::*;

            #[test]
            fn agrees_with_brute_force_on_models_and_cores() {
                agrees_with_brute_force($new);
            }

            #[test]
            fn stops_for_conflicts_deadline_interrupt_and_ticks() {
                stops_when_told($new);
            }

            #[test]
            fn does_the_same_work_for_the_same_calls() {
                is_deterministic($new);
            }

            #[test]
            fn handles_trivial_and_contradictory_queries() {
                handles_corner_cases($new);
            }
        }
    };
}

conformance!(cadical, |seed| Cadical::new(CadicalConfig { inprocessing: true, seed }));
conformance!(cadical_plain, |seed| Cadical::new(CadicalConfig { inprocessing: false, seed }));
conformance!(cadical_traced, |seed| Cadical::with_tracing(CadicalConfig { inprocessing: true, seed }));
conformance!(cone, ConeSolver::new);
