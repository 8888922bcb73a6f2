//! The engines for ints and reals agree with enumeration on random systems and random Lustre programs; every proof, trace and core is certified.
//!
//! `PROPCOV_SEED=n` replays one system, `PROPCOV_CASES=n` changes how many there are.

use crate::evidence::{describe, judge};
use propcov_budget::Budget;
use propcov_certify::{check_core, check_proof, check_trace};
use propcov_engine::{
    Config, ENGINES, Limits, Report, Silent, Stats, check, infinite, portfolio, reduce_core,
};
use propcov_ir::{Edits, Invariant, PropertyId, System, UnknownReason, Verdict};
use propcov_testkit::{Outcome, for_random_arith_systems, lustre};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Deep enough for most random systems.
const DEPTH: u32 = 10;

fn ids(system: &System) -> Vec<PropertyId> {
    (0..system.properties().len() as u32).map(PropertyId).collect()
}

/// No engine can decide everything about integers, and remainders of unbounded ones are hard. These limits are for them.
fn limits_for(engine: &str) -> Limits {
    let mut limits = Limits::default();
    limits.conflicts = Some(3_000);
    limits.interrupt.limit_ticks(5_000_000);
    if engine == "bmc" || engine == "kinduction" {
        limits.depth = Some(DEPTH);
    }
    limits
}

/// What a certifier may do.
fn budget() -> Budget {
    Budget { conflicts: Some(3_000), ..Budget::default() }
}

fn is_out_of_budget(report: &Report) -> bool {
    matches!(
        report.verdict,
        Verdict::Unknown(UnknownReason::Conflicts | UnknownReason::Cancelled | UnknownReason::Timeout)
    )
}

/// An answer as the oracle's, if there is one. Interpolation is for finite systems.
fn judge_infinite(
    system: &System,
    property: PropertyId,
    report: &Report,
    expected: &Outcome,
) -> Result<(), String> {
    match &report.verdict {
        Verdict::Unknown(UnknownReason::Unsupported(_)) if report.engine == "interpolation" => Ok(()),
        _ if is_out_of_budget(report) => Ok(()),
        _ => judge(system, &Edits::none(), property, report, expected, &budget()),
    }
}

/// How often engines had an answer, and how often they ran out of budget.
#[derive(Default)]
struct Counts {
    decided: Cell<usize>,
    undecided: Cell<usize>,
}

impl Counts {
    fn note(&self, report: &Report) {
        if is_out_of_budget(report) {
            self.undecided.set(self.undecided.get() + 1);
        } else if !matches!(report.verdict, Verdict::Unknown(_)) {
            self.decided.set(self.decided.get() + 1);
        }
    }

    /// Nearly everything was decided.
    fn assert_few_undecided(&self) {
        let (decided, undecided) = (self.decided.get(), self.undecided.get());
        let replayed = std::env::var_os("PROPCOV_SEED").is_some();
        assert!(replayed || decided > 50 * undecided, "{decided} decided, {undecided} not");
    }
}

fn judge_all_engines(
    system: &System,
    expected: impl Fn(PropertyId) -> Outcome,
    counts: &Counts,
) -> Result<(), String> {
    for property in ids(system) {
        let expected = expected(property);
        for engine in ENGINES {
            let limits = limits_for(engine.name);
            let report =
                check(engine, system, &Edits::none(), property, &Config::default(), &limits, &Silent);
            judge_infinite(system, property, &report, &expected)?;
            counts.note(&report);
        }
    }
    Ok(())
}

/// All properties at once, twice: the same answers, and right ones.
fn judge_portfolio(
    system: &System,
    expected: impl Fn(PropertyId) -> Outcome,
    counts: &Counts,
) -> Result<(), String> {
    let run = || {
        let (config, limits) = (Config::default(), patient());
        infinite::portfolio::check(system, &Edits::none(), &ids(system), &config, &limits, &Silent)
    };
    let (first, second) = (run(), run());
    for ((property, report), (_, again)) in first.iter().zip(&second) {
        counts.note(report);
        judge_infinite(system, *property, report, &expected(*property))?;
        if is_out_of_budget(report) || is_out_of_budget(again) {
            continue;
        }
        let (report, again) = (describe(system, report), describe(system, again));
        if report != again {
            return Err(format!("{report} first, {again} then"));
        }
    }
    Ok(())
}

/// Time for all engines together, which is far more than they need nearly always.
fn patient() -> Limits {
    let mut limits = Limits::default();
    limits.deadline = Some(Instant::now() + Duration::from_secs(5));
    limits
}

#[test]
fn every_engine_agrees_with_enumeration_on_systems_with_numbers() {
    let counts = Counts::default();
    for_random_arith_systems(1_500, 0, |_, system, explicit| {
        judge_all_engines(system, |property| explicit.outcome(property), &counts)
    });
    counts.assert_few_undecided();
}

#[test]
fn the_portfolio_decides_all_properties_together_and_always_in_the_same_way() {
    let counts = Counts::default();
    for_random_arith_systems(400, 500_000, |_, system, explicit| {
        judge_portfolio(system, |property| explicit.outcome(property), &counts)
    });
    counts.assert_few_undecided();
}

#[test]
fn every_engine_agrees_with_enumeration_on_lustre_programs() {
    let counts = Counts::default();
    lustre::for_random_lustre(1_000, 0, read, |case| {
        judge_all_engines(&case.system, |property| truth(case, property), &counts)
    });
    counts.assert_few_undecided();
}

#[test]
fn the_portfolio_decides_lustre_programs() {
    let counts = Counts::default();
    lustre::for_random_lustre(300, 700_000, read, |case| {
        judge_portfolio(&case.system, |property| truth(case, property), &counts)
    });
    counts.assert_few_undecided();
}

#[test]
fn advice_changes_no_answer() {
    let survivors = Cell::new(0);
    for_random_arith_systems(150, 900_000, |_, system, explicit| {
        let limits = patient();
        let run = |advice: &Invariant| {
            infinite::portfolio::check_with(system, &Edits::none(), &ids(system), advice, &limits, &Silent)
        };
        let first = run(&Invariant::default());
        for settled in &first.settled {
            let Verdict::Proved(proof) = &settled.verdict else { continue };
            // Right lemmas, and the same ones negated, which are wrong.
            let mut advice = proof.invariant.as_ref().clone();
            for lemma in proof.invariant.lemmas.clone() {
                let negated = advice.exprs.not(lemma);
                advice.lemmas.push(negated);
            }
            survivors.set(survivors.get() + proof.invariant.lemmas.len());
            for settled in run(&advice).settled {
                let report =
                    Report { verdict: settled.verdict, engine: settled.engine, stats: Stats::default() };
                judge_infinite(system, settled.property, &report, &explicit.outcome(settled.property))?;
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
            let report = portfolio::check(system, &edits, property, &Config::default(), &patient(), &Silent);
            let Verdict::Proved(mut proof) = report.verdict else { continue };
            let before = proof.core.len();
            if !reduce_core(system, &edits, property, &mut proof, &patient(), &mut Stats::default()) {
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

#[test]
fn products_are_refuted_where_tangents_lead_to_a_run_and_never_judged_wrongly() {
    let text = "node top(a, b: int) returns (y: int; q, t, u: bool);\nlet\n  y = a * b;\n  q = (y = 6);\n  t = (y <> 6);\n  \
                u = a * a >= 0;\n  --%PROPERTY q;\n  --%PROPERTY t;\n  --%PROPERTY u;\ntel;\n";
    let system = read(text).expect("a program");
    let limits = patient();
    let reports = infinite::portfolio::check(
        &system,
        &Edits::none(),
        &ids(&system),
        &Config::default(),
        &limits,
        &Silent,
    );
    for (property, report) in &reports {
        match (system.property(*property).name.as_str(), &report.verdict) {
            ("q" | "t", Verdict::Falsified(trace)) => {
                check_trace(&system, &Edits::none(), *property, trace).expect("a run");
            }
            ("u", Verdict::Unknown(_)) => {}
            (name, verdict) => panic!("{name}: {verdict:?}"),
        }
    }
}

/// One model in so many.
const SAMPLE: usize = 12;

/// Published models, each with a property that JKind proved: a part of them here, all of them by `benches/lustre`.
#[test]
fn published_models_are_proved_and_certified() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/benchmarks/lustre/models");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: {} is absent", folder.display());
        return;
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    for file in files.iter().step_by(SAMPLE) {
        let bytes = std::fs::read(file).expect("a model");
        let design = propcov_frontend::read(&file.display().to_string(), &bytes).expect("a model");
        let (system, edits) = (&design.system, Edits::none());
        for property in (0..system.properties().len() as u32).map(PropertyId) {
            let mut limits = Limits::default();
            limits.deadline = Some(Instant::now() + Duration::from_secs(120));
            let report = portfolio::check(system, &edits, property, &Config::default(), &limits, &Silent);
            let Verdict::Proved(proof) = &report.verdict else {
                panic!("{}: {}", file.display(), describe(system, &report));
            };
            check_proof(system, &edits, property, proof, &Budget::default())
                .unwrap_or_else(|rejection| panic!("{}: {rejection}", file.display()));
        }
    }
}
