//! Mutation coverage of the registers of one file, with the time each technique takes. For profiling:
//! `cargo run --release -p propcov-coverage --example registers -- FILE`.
#![expect(clippy::print_stdout, reason = "that is all it does")]

use propcov_budget::Budget;
use propcov_certify::check_proof;
use propcov_coverage::mutation::{Ground, Listener, Method, Options, Target, Technique, run};
use propcov_engine::{Config, Limits, portfolio};
use propcov_ir::{Edits, ElementKind, Finding, PropertyId, Status, Verdict};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

struct Clock {
    start: Instant,
    stages: Mutex<Vec<(&'static str, f64)>>,
}

impl Listener for Clock {
    fn found(&self, _: &[Finding]) {}

    fn progress(&self, _: PropertyId, technique: &'static str, _: usize, _: usize) {
        let now = self.start.elapsed().as_secs_f64();
        if let Ok(mut stages) = self.stages.lock()
            && stages.last().is_none_or(|(last, _)| *last != technique)
        {
            stages.push((technique, now));
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("expected a file")?;
    let timeout = std::env::args().nth(2).and_then(|text| text.parse().ok()).unwrap_or(20);
    let design =
        propcov_frontend::read(&path, &std::fs::read(&path)?).map_err(|error| format!("{error:?}"))?;
    let system = &design.system;
    let is_register = |id: &propcov_ir::ElementId| system.element(*id).kind == ElementKind::Register;
    let mutants: Vec<_> =
        system.element_ids().filter(is_register).flat_map(|id| system.mutants_of(id)).collect();
    let start = Instant::now();
    let mut limits = Limits::default();
    limits.deadline = Some(start + Duration::from_secs(10));
    let property = PropertyId(0);
    let report = portfolio::check(
        system,
        &Edits::none(),
        property,
        &Config::default(),
        &limits,
        &propcov_engine::Silent,
    );
    let found = start.elapsed().as_secs_f64();
    let Verdict::Proved(proof) = report.verdict else {
        println!("{path} not proved");
        return Ok(());
    };
    check_proof(system, &Edits::none(), property, &proof, &Budget::default())?;
    let proof_seconds = start.elapsed().as_secs_f64();
    let (k, lemmas) = (proof.k, proof.invariant.lemmas.len());
    let (depth, ticks) = (report.stats.frames.unwrap_or(k), report.stats.ticks);
    let targets = [Target { property, ground: Ground::Proved(Arc::new(proof)), depth, ticks }];
    let start = Instant::now();
    let named = |name: &str| Technique::PIPELINE.into_iter().find(|technique| technique.name() == name);
    let method = match std::env::args().nth(3) {
        Some(list) => Method::Pipeline(list.split(',').filter_map(named).collect()),
        None => Method::default(),
    };
    let options = Options {
        method,
        threads: 2,
        deadline: Some(start + Duration::from_secs(timeout)),
        ..Options::default()
    };
    let clock = Clock { start, stages: Mutex::default() };
    let outcome = run(system, &targets, &mutants, &[], &options, &clock);
    let seconds = start.elapsed().as_secs_f64();
    let mut by: BTreeMap<String, usize> = BTreeMap::new();
    let mut unknown = 0;
    let mut covered = 0;
    for finding in &outcome.findings {
        match finding.status {
            Status::Unknown(_) => unknown += 1,
            Status::Covered(_) => {
                covered += 1;
                *by.entry(format!("+{}", finding.by)).or_default() += 1;
            }
            _ => *by.entry(format!("-{}", finding.by)).or_default() += 1,
        }
    }
    let name = path.rsplit('/').next().unwrap_or(&path);
    let stages = clock.stages.into_inner()?;
    let ends = stages.iter().skip(1).map(|(_, at)| *at).chain([seconds]);
    let times: Vec<String> =
        stages.iter().zip(ends).map(|((name, at), end)| format!("{name} {:.3}", end - at)).collect();
    println!(
        "{name} {} k={k} lemmas={lemmas} find {found:.3} proof {proof_seconds:.3} cover {seconds:.3} ratio {:.2} total {} covered {covered} unknown {unknown} {by:?} first {:.3} [{}] errors {:?}",
        report.engine,
        seconds / proof_seconds,
        outcome.findings.len(),
        stages.first().map_or(0.0, |(_, at)| *at),
        times.join(", "),
        outcome.internal_errors.first(),
    );
    println!("   calls {:?} {:?}", outcome.stats.solver_calls, outcome.stats.counts);
    Ok(())
}
