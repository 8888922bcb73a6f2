//! Engines stop when they are told to, say why, and IC3's leftovers help the next run.

use propcov_engine::finite::{Answer, Problem, ic3};
use propcov_engine::{Config, ENGINES, Limits, Silent, Stats, check, portfolio};
use propcov_ir::{BinaryOp, Edits, PropertyId, PropertyKind, Sort, System, UnknownReason, Verdict};
use propcov_testkit::for_random_systems;
use std::time::{Duration, Instant};

const PROPERTY: PropertyId = PropertyId(0);

/// Multiplication is commutative, step after step: hard for every engine.
fn hard() -> System {
    let mut system = System::new();
    let sort = Sort::BitVec(24);
    let inputs = [system.add_input("x", sort.clone()), system.add_input("y", sort.clone())];
    let [x, y] = inputs.map(|input| system.read(input));
    let states = [system.add_state("p", sort.clone()), system.add_state("q", sort)];
    let [p, q] = states.map(|state| system.read(state));
    let zero = system.exprs.bits(24, 0);
    for (state, now, factors) in [(states[0], p, (x, y)), (states[1], q, (y, x))] {
        let product = system.exprs.apply(BinaryOp::Mul, factors.0, factors.1);
        let next = system.exprs.apply(BinaryOp::Add, now, product);
        system.set_init(state, zero);
        system.set_next(state, next);
    }
    let equal = system.exprs.eq(p, q);
    system.add_property("equal", PropertyKind::Invariant(equal), None);
    system
}

fn run(engine: &str, system: &System, limits: &Limits) -> Verdict {
    let config = Config::default();
    if engine == "portfolio" {
        return portfolio::check(system, &Edits::none(), PROPERTY, &config, limits, &Silent).verdict;
    }
    let Some(engine) = ENGINES.iter().find(|candidate| candidate.name == engine) else {
        panic!("no {engine}")
    };
    check(engine, system, &Edits::none(), PROPERTY, &config, limits, &Silent).verdict
}

fn everyone() -> impl Iterator<Item = &'static str> {
    ENGINES.iter().map(|engine| engine.name).chain(["portfolio"])
}

#[test]
fn every_engine_keeps_to_a_deadline() {
    let system = hard();
    for engine in everyone() {
        let start = Instant::now();
        let mut limits = Limits::default();
        limits.deadline = Some(start + Duration::from_millis(300));
        let verdict = run(engine, &system, &limits);
        assert!(matches!(verdict, Verdict::Unknown(UnknownReason::Timeout)), "{engine}: {verdict:?}");
        // Generous: the machine may be busy. Without a deadline these queries take hours.
        assert!(start.elapsed() < Duration::from_secs(30), "{engine} took {:?}", start.elapsed());
    }
}

#[test]
fn every_engine_can_be_cancelled_from_another_thread() {
    let system = hard();
    for engine in everyone() {
        let limits = Limits::default();
        let interrupt = limits.interrupt.clone();
        let verdict = std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(200));
                interrupt.raise();
            });
            run(engine, &system, &limits)
        });
        assert!(matches!(verdict, Verdict::Unknown(UnknownReason::Cancelled)), "{engine}: {verdict:?}");
    }
}

#[test]
fn every_engine_keeps_to_a_budget_of_conflicts() {
    let system = hard();
    for engine in everyone() {
        let mut limits = Limits::default();
        limits.conflicts = Some(500);
        let verdict = run(engine, &system, &limits);
        assert!(matches!(verdict, Verdict::Unknown(UnknownReason::Conflicts)), "{engine}: {verdict:?}");
    }
}

#[test]
fn a_bound_is_reported_as_a_bound() {
    let mut system = System::new();
    let state = system.add_state("count", Sort::BitVec(8));
    let (now, one, zero) = (system.read(state), system.exprs.bits(8, 1), system.exprs.bits(8, 0));
    let next = system.exprs.apply(BinaryOp::Add, now, one);
    system.set_init(state, zero);
    system.set_next(state, next);
    let hundred = system.exprs.bits(8, 100);
    let below = system.exprs.apply(BinaryOp::Ult, now, hundred);
    system.add_property("below", PropertyKind::Invariant(below), None);
    for engine in everyone() {
        let mut limits = Limits::default();
        limits.depth = Some(20);
        let verdict = run(engine, &system, &limits);
        assert!(matches!(verdict, Verdict::Unknown(UnknownReason::Bounded(20))), "{engine}: {verdict:?}");
    }
}

#[test]
fn a_proof_says_how_deep_its_engine_looked_where_that_is_not_the_length_of_an_induction() {
    for_random_systems(300, 91_000, |_, system| {
        for engine in ENGINES {
            let mut limits = Limits::default();
            limits.depth = Some(12);
            let config = Config::default();
            let report = check(engine, system, &Edits::none(), PROPERTY, &config, &limits, &Silent);
            let expected = match engine.name {
                "ic3" => report.stats.counts.get("ic3 frames").copied(),
                "interpolation" => {
                    let count = |what: &str| report.stats.counts.get(what).copied();
                    count("interpolation bound").zip(count("interpolation images")).map(|(k, m)| k + m)
                }
                _ => None,
            };
            let found = report.stats.frames.map(u64::from);
            if matches!(report.verdict, Verdict::Proved(_)) && found != expected {
                return Err(format!("{}: {found:?} instead of {expected:?}", engine.name));
            }
        }
        Ok(())
    });
}

#[test]
fn a_warm_start_changes_no_answer_and_its_own_lemmas_make_it_short() {
    for_random_systems(400, 90_000, |seed, system| {
        let edits = Edits::none();
        let problem = Problem::new(system, &edits, PROPERTY).map_err(|error| error.to_string())?;
        let solve = |warm: Vec<Vec<propcov_sat::Lit>>| {
            let config = ic3::Config { warm, ..ic3::Config::default() };
            let mut stats = Stats::default();
            let (answer, leftovers) = ic3::run(&problem, &config, &Limits::default(), &Silent, &mut stats);
            (answer, leftovers, stats.solver_calls.get("ic3 block").copied().unwrap_or(0))
        };
        let (cold, leftovers, cold_blocks) = solve(Vec::new());
        // Negated lemmas are candidates that mostly do not hold.
        let good: Vec<_> = leftovers.frames.into_iter().flatten().collect();
        let bad = good.iter().map(|lemma| lemma.iter().map(|literal| !*literal).collect());
        let mixed: Vec<Vec<_>> = good.iter().cloned().chain(bad).collect();
        for warm in [good, mixed] {
            let (answer, _, blocks) = solve(warm);
            match (&cold, &answer) {
                (Answer::Proved { .. }, Answer::Proved { .. }) if blocks > cold_blocks => {
                    return Err(format!("seed {seed}: {blocks} obligations warm, {cold_blocks} cold"));
                }
                (Answer::Proved { .. }, Answer::Proved { .. })
                | (Answer::Falsified(_), Answer::Falsified(_))
                | (Answer::Unknown(_), Answer::Unknown(_)) => {}
                (cold, warm) => return Err(format!("cold {cold:?}, warm {warm:?}")),
            }
        }
        Ok(())
    });
}
