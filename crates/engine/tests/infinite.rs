//! The engines for ints and reals agree with enumeration on random systems and random Lustre programs; every proof, trace and core is certified.
//!
//! `PROPCOV_SEED=n` replays one system, `PROPCOV_CASES=n` changes how many there are.

mod evidence;

use evidence::{describe, judge};
use propcov_certify::check_core;
use propcov_engine::{
    Config, ENGINES, Limits, Report, Silent, Stats, check, infinite, portfolio, reduce_core,
};
use propcov_ir::{Edits, Invariant, PropertyId, System, UnknownReason, Verdict};
use propcov_sat::Budget;
use propcov_testkit::{Outcome, for_random_arith_systems, lustre};
use std::cell::Cell;

/// Deep enough for most random systems.
const DEPTH: u32 = 10;

fn ids(system: &System) -> Vec<PropertyId> {
    (0..system.properties().len() as u32).map(PropertyId).collect()
}

fn limits_for(engine: &str) -> Limits {
    let mut limits = Limits::default();
    if engine == "bmc" || engine == "kinduction" {
        limits.depth = Some(DEPTH);
    }
    limits
}

/// An answer as the oracle's; of those without one, only why. Interpolation is for finite systems.
fn judge_infinite(
    system: &System,
    property: PropertyId,
    report: &Report,
    expected: &Outcome,
) -> Result<(), String> {
    match &report.verdict {
        Verdict::Unknown(UnknownReason::Unsupported(_)) if report.engine == "interpolation" => Ok(()),
        _ => judge(system, &Edits::none(), property, report, expected),
    }
}

fn judge_all_engines(
    system: &System,
    expected: impl Fn(PropertyId) -> Outcome,
    decided: &Cell<usize>,
) -> Result<(), String> {
    for property in ids(system) {
        let expected = expected(property);
        for engine in ENGINES {
            let limits = limits_for(engine.name);
            let report =
                check(engine, system, &Edits::none(), property, &Config::default(), &limits, &Silent);
            judge_infinite(system, property, &report, &expected)?;
            if engine.name == "ic3" && !matches!(report.verdict, Verdict::Unknown(_)) {
                decided.set(decided.get() + 1);
            }
        }
    }
    Ok(())
}

/// All properties at once, twice: the same answers, and right ones.
fn judge_portfolio(system: &System, expected: impl Fn(PropertyId) -> Outcome) -> Result<(), String> {
    let run = || {
        let (config, limits) = (Config::default(), Limits::default());
        infinite::portfolio::check(system, &Edits::none(), &ids(system), &config, &limits, &Silent)
    };
    let (first, second) = (run(), run());
    for ((property, report), (_, again)) in first.iter().zip(&second) {
        judge(system, &Edits::none(), *property, report, &expected(*property))?;
        if matches!(report.verdict, Verdict::Unknown(_)) {
            return Err(format!("undecided: {}", describe(system, report)));
        }
        let (report, again) = (describe(system, report), describe(system, again));
        if report != again {
            return Err(format!("{report} first, {again} then"));
        }
    }
    Ok(())
}

#[test]
fn every_engine_agrees_with_enumeration_on_systems_with_numbers() {
    let decided = Cell::new(0);
    for_random_arith_systems(1_500, 0, |_, system, explicit| {
        judge_all_engines(system, |property| explicit.outcome(property), &decided)
    });
    assert!(decided.get() > 0 || std::env::var_os("PROPCOV_SEED").is_some());
}

#[test]
fn the_portfolio_decides_all_properties_together_and_always_in_the_same_way() {
    for_random_arith_systems(400, 500_000, |_, system, explicit| {
        judge_portfolio(system, |property| explicit.outcome(property))
    });
}

#[test]
fn every_engine_agrees_with_enumeration_on_lustre_programs() {
    let decided = Cell::new(0);
    lustre::for_random_lustre(1_000, 0, read, |case| {
        judge_all_engines(&case.system, |property| truth(case, property), &decided)
    });
    assert!(decided.get() > 0 || std::env::var_os("PROPCOV_SEED").is_some());
}

#[test]
fn the_portfolio_decides_lustre_programs() {
    lustre::for_random_lustre(300, 700_000, read, |case| {
        judge_portfolio(&case.system, |property| truth(case, property))
    });
}

#[test]
fn advice_changes_no_answer() {
    let survivors = Cell::new(0);
    for_random_arith_systems(150, 900_000, |_, system, explicit| {
        let limits = Limits::default();
        let run = |advice: &Invariant| {
            infinite::portfolio::check_with(system, &Edits::none(), &ids(system), advice, &limits, &Silent)
        };
        let first = run(&Invariant::default());
        for settled in &first.settled {
            let Verdict::Proved(proof) = &settled.verdict else { continue };
            // Right lemmas, and the same ones negated, which are wrong.
            let mut advice = proof.invariant.clone();
            for lemma in proof.invariant.lemmas.clone() {
                let negated = advice.exprs.not(lemma);
                advice.lemmas.push(negated);
            }
            survivors.set(survivors.get() + proof.invariant.lemmas.len());
            for settled in run(&advice).settled {
                let report =
                    Report { verdict: settled.verdict, engine: settled.engine, stats: Stats::default() };
                judge(
                    system,
                    &Edits::none(),
                    settled.property,
                    &report,
                    &explicit.outcome(settled.property),
                )?;
            }
        }
        Ok(())
    });
    assert!(survivors.get() > 0 || std::env::var_os("PROPCOV_SEED").is_some(), "no proof had lemmas");
}

#[test]
fn a_reduced_core_still_carries_the_proof() {
    let reduced = Cell::new(0);
    lustre::for_random_lustre(300, 800_000, read, |case| {
        let (system, edits) = (&case.system, Edits::none());
        for property in ids(system) {
            let report =
                portfolio::check(system, &edits, property, &Config::default(), &Limits::default(), &Silent);
            let Verdict::Proved(mut proof) = report.verdict else { continue };
            let before = proof.core.len();
            if !reduce_core(system, &edits, property, &mut proof, &Limits::default(), &mut Stats::default()) {
                return Err("the core could not be reduced".to_owned());
            }
            reduced.set(reduced.get() + usize::from(proof.core.len() < before));
            check_core(system, &edits, property, &proof, &Budget::default())
                .map_err(|rejection| format!("core rejected: {rejection}"))?;
        }
        Ok(())
    });
    assert!(reduced.get() > 0 || std::env::var_os("PROPCOV_SEED").is_some());
}

fn read(text: &str) -> Result<System, String> {
    let design = propcov_frontend::read("random.lus", text.as_bytes());
    design.map(|design| design.system).map_err(|error| error.to_string())
}

/// What enumeration says about a property of a program.
fn truth(case: &lustre::LustreCase, property: PropertyId) -> Outcome {
    match case.answers.of(&case.system.property(property).name) {
        Some(lustre::Answer::Violated { depth }) => Outcome::Violated { depth },
        _ => Outcome::Holds { reachable: case.answers.memories, diameter: case.answers.diameter },
    }
}
