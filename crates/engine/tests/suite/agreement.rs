//! Every engine agrees with the explicit-state oracle on random systems, as written, edited and sliced; every proof and
//! every trace is certified, and so is every core.
//!
//! `PROPCOV_SEED=n` replays one system, `PROPCOV_CASES=n` changes how many there are.

use crate::evidence::{describe, judge};
use propcov_budget::Budget;
use propcov_certify::check_core;
use propcov_engine::finite::Arrays;
use propcov_engine::{Config, ENGINES, Limits, Silent, Stats, check, portfolio, reduce_core};
use propcov_ir::{Edits, PropertyId, PropertyKind, System, UnknownReason, Verdict};
use propcov_testkit::{Explicit, Outcome, Random, for_random_systems, random_edits, random_slice};
use std::cell::Cell;

/// Deep enough for every random system that is not a long counter; k-induction without simple paths may need more.
const DEPTH: u32 = 12;

/// The systems of one seed: as written, edited, sliced. Seeds take turns.
fn edited(seed: u64, system: &System) -> (System, Edits) {
    let mut random = Random::new(seed ^ 0x5eed);
    let mut system = system.clone();
    let edits = match seed / 2 % 3 {
        0 => Edits::none(),
        1 => random_edits(&mut random, &mut system),
        _ => Edits::keep_only(&system, &random_slice(&mut random, &system)),
    };
    (system, edits)
}

fn invariants(system: &System) -> impl Iterator<Item = PropertyId> {
    let is_invariant = |id: &PropertyId| matches!(system.property(*id).kind, PropertyKind::Invariant(_));
    (0..system.properties().len() as u32).map(PropertyId).filter(is_invariant)
}

fn limits_for(engine: &str) -> Limits {
    let mut limits = Limits::default();
    if engine == "bmc" || engine == "kinduction" {
        limits.depth = Some(DEPTH);
    }
    limits
}

/// Explores the systems of a seed and hands each invariant with the oracle's answer on.
fn on_each_property(
    seed: u64,
    system: &System,
    mut action: impl FnMut(&System, &Edits, PropertyId, &Outcome) -> Result<(), String>,
) -> Result<(), String> {
    let (system, edits) = edited(seed, system);
    let Ok(explicit) = Explicit::explore(&system, &edits) else { return Ok(()) }; // too large to enumerate
    invariants(&system)
        .try_for_each(|property| action(&system, &edits, property, &explicit.outcome(property)))
}

#[test]
fn every_engine_agrees_with_the_oracle_and_its_evidence_is_accepted() {
    for_random_systems(10_000, 0, |seed, system| {
        on_each_property(seed, system, |system, edits, property, expected| {
            ENGINES.iter().try_for_each(|engine| {
                let config = Config { seed, simple_path: seed % 4 < 2, ..Config::default() };
                let limits = limits_for(engine.name);
                let report = check(engine, system, edits, property, &config, &limits, &Silent);
                judge(system, edits, property, &report, expected, &Budget::default())
            })
        })
    });
}

/// What is known of an array is what is stored where it is watched: the smallest are watched as well here.
#[test]
fn arrays_that_are_watched_never_lead_to_a_wrong_verdict() {
    let (decided, open) = (Cell::new(0), Cell::new(0));
    let arrays = Arrays::beyond(0);
    for_random_systems(6_000, 80_000, |seed, system| {
        if !arrays.matter_for(system) {
            return Ok(());
        }
        on_each_property(seed, system, |system, edits, property, expected| {
            for engine in ENGINES.iter().filter(|engine| engine.proves || seed % 3 == 0) {
                let config = Config { seed, simple_path: seed % 4 < 2, arrays, ..Config::default() };
                let report =
                    check(engine, system, edits, property, &config, &limits_for(engine.name), &Silent);
                if let Verdict::Unknown(UnknownReason::Incomplete(_)) = report.verdict {
                    open.set(open.get() + 1);
                } else {
                    decided.set(decided.get() + 1);
                    judge(system, edits, property, &report, expected, &Budget::default())?;
                }
            }
            Ok(())
        })
    });
    let (decided, open) = (decided.get(), open.get());
    assert!(decided > 500 && decided > open, "{decided} decided, {open} not");
}

#[test]
fn ic3_and_interpolation_decide_every_system_whose_first_step_allows_all_inputs() {
    let (decided, incomplete) = (Cell::new(0), Cell::new(0));
    for_random_systems(500, 50_000, |seed, system| {
        on_each_property(seed, system, |system, edits, property, _| {
            for engine in ENGINES.iter().filter(|engine| ["ic3", "interpolation"].contains(&engine.name)) {
                let report =
                    check(engine, system, edits, property, &Config::default(), &Limits::default(), &Silent);
                match report.verdict {
                    Verdict::Unknown(UnknownReason::Incomplete(_)) => incomplete.set(incomplete.get() + 1),
                    Verdict::Unknown(reason) => return Err(format!("{}: {reason}", engine.name)),
                    _ => decided.set(decided.get() + 1),
                }
            }
            Ok(())
        })
    });
    let (decided, incomplete) = (decided.get(), incomplete.get());
    assert!(decided > 5 * incomplete, "{decided} decided, {incomplete} not");
}

#[test]
fn the_portfolio_agrees_with_the_oracle_and_reports_the_same_every_time() {
    for_random_systems(300, 20_000, |seed, system| {
        on_each_property(seed, system, |system, edits, property, expected| {
            let run =
                || portfolio::check(system, edits, property, &Config::default(), &Limits::default(), &Silent);
            let (first, second) = (run(), run());
            judge(system, edits, property, &first, expected, &Budget::default())?;
            let (first, second) = (describe(system, &first), describe(system, &second));
            if first == second { Ok(()) } else { Err(format!("{first} first, {second} then")) }
        })
    });
}

#[test]
fn a_reduced_core_still_carries_the_proof() {
    let reduced = Cell::new(0);
    for_random_systems(1_000, 30_000, |seed, system| {
        on_each_property(seed, system, |system, edits, property, _| {
            for engine in ENGINES.iter().filter(|engine| engine.proves) {
                let config = Config { seed, ..Config::default() };
                let limits = limits_for(engine.name);
                let report = check(engine, system, edits, property, &config, &limits, &Silent);
                let Verdict::Proved(mut proof) = report.verdict else { continue };
                let before = proof.core.len();
                if !reduce_core(system, edits, property, &mut proof, &limits, &mut Stats::default()) {
                    return Err(format!("{}: the core could not be reduced", engine.name));
                }
                reduced.set(reduced.get() + usize::from(proof.core.len() < before));
                check_core(system, edits, property, &proof, &Budget::default())
                    .map_err(|rejection| format!("{}: core rejected: {rejection}", engine.name))?;
            }
            Ok(())
        })
    });
    assert!(reduced.get() > 100, "only {} cores became smaller", reduced.get());
}
