//! How soon which share of the mutants of registers is decided, in processor time: the curve of one run per file, one line of JSON each.
//! `benches/mutation/tail` runs it and makes tables.
//!
//! Seconds are those of the whole process, all threads, so that other work on the machine hardly counts. The proof is that of the portfolio, with its certification;
//! mutants are decided by one thread.
#![expect(clippy::print_stdout, reason = "that is all it does")]

use propcov_budget::{Budget, Interrupt};
use propcov_certify::check_proof;
use propcov_coverage::mutation::{Ground, Listener, Method, Options, Target, Technique, run};
use propcov_engine::{Config, Limits, portfolio};
use propcov_ir::{Edits, ElementKind, Finding, PropertyId, Status, Verdict};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Processor seconds of this process.
fn processor() -> f64 {
    cpu_time::ProcessTime::now().as_duration().as_secs_f64()
}

#[derive(Default)]
struct Curve {
    start: f64,
    /// When how many were decided.
    points: Mutex<Vec<(f64, usize)>>,
    stages: Mutex<Vec<(&'static str, f64)>>,
}

impl Listener for Curve {
    fn found(&self, findings: &[Finding]) {
        let now = processor() - self.start;
        if let Ok(mut points) = self.points.lock() {
            let before = points.last().map_or(0, |(_, decided)| *decided);
            points.push((now, before + findings.len()));
        }
    }

    fn progress(&self, _: PropertyId, technique: &'static str, _: usize, _: usize) {
        let now = processor() - self.start;
        if let Ok(mut stages) = self.stages.lock()
            && stages.last().is_none_or(|(last, _)| *last != technique)
        {
            stages.push((technique, now));
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("expected a file")?;
    let mut number = || arguments.next().and_then(|text| text.parse::<f64>().ok());
    // Seconds for the proof; multiples of the proof for coverage, but at least and at most so many seconds.
    let (proof_limit, factor) = (number().unwrap_or(10.0), number().unwrap_or(12.0));
    let (least, most) = (number().unwrap_or(0.3), number().unwrap_or(60.0));
    let method = match arguments.next().as_deref() {
        None | Some("pipeline") => Method::default(),
        Some(list) => {
            let named = |name: &str| Technique::PIPELINE.into_iter().find(|test| test.name() == name);
            Method::Pipeline(list.split(',').filter_map(named).collect())
        }
    };
    let design =
        propcov_frontend::read(&path, &std::fs::read(&path)?).map_err(|error| format!("{error:?}"))?;
    let system = &design.system;
    let name = path.rsplit('/').next().unwrap_or(&path);
    let is_register = |id: &propcov_ir::ElementId| system.element(*id).kind == ElementKind::Register;
    let mutants: Vec<_> =
        system.element_ids().filter(is_register).flat_map(|id| system.mutants_of(id)).collect();
    let mut targets = Vec::new();
    let (start, mut engines) = (processor(), Vec::new());
    for index in 0..system.properties().len() {
        let mut limits = Limits::default();
        limits.deadline = Some(Instant::now() + Duration::from_secs_f64(proof_limit));
        let property = PropertyId(index as u32);
        let (none, config) = (Edits::none(), Config::default());
        let report = portfolio::check(system, &none, property, &config, &limits, &propcov_engine::Silent);
        let Verdict::Proved(proof) = report.verdict else { continue };
        check_proof(system, &none, property, &proof, &Budget::default())?;
        engines.push(report.engine);
        let depth = report.stats.frames.unwrap_or(proof.k);
        targets.push(Target {
            property,
            ground: Ground::Proved(Arc::new(proof)),
            depth,
            ticks: report.stats.ticks,
        });
    }
    let proof_seconds = processor() - start;
    if targets.is_empty() || mutants.is_empty() {
        println!("{{\"model\": \"{name}\", \"proved\": {}, \"mutants\": {}}}", targets.len(), mutants.len());
        return Ok(());
    }
    let interrupt = Interrupt::default();
    let over = AtomicBool::new(false);
    let curve = Curve { start: processor(), ..Curve::default() };
    let allowed = (factor * proof_seconds).clamp(least, most);
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                if processor() - curve.start > allowed {
                    interrupt.raise();
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let options = Options { method, threads: 1, interrupt: interrupt.clone(), ..Options::default() };
        let outcome = run(system, &targets, &mutants, &[], &options, &curve);
        over.store(true, Ordering::Relaxed);
        outcome
    });
    let seconds = processor() - curve.start;
    let mut by: BTreeMap<String, usize> = BTreeMap::new();
    for finding in &outcome.findings {
        let sign = match finding.status {
            Status::Unknown(_) => "?",
            Status::Covered(_) => "+",
            _ => "-",
        };
        *by.entry(format!("{sign}{}", finding.by)).or_default() += 1;
    }
    let stages = curve.stages.into_inner()?;
    let ends = stages.iter().skip(1).map(|(_, at)| *at).chain([seconds]);
    let times: Vec<(&str, f64)> =
        stages.iter().zip(ends).map(|((name, at), end)| (*name, end - at)).collect();
    let document = serde_json::json!({
        "model": name,
        "engines": engines,
        "proved": targets.len(),
        "ticks": targets.iter().map(|target| target.ticks).sum::<u64>(),
        "proof": proof_seconds,
        "cover": seconds,
        "mutants": outcome.findings.len(),
        "points": curve.points.into_inner()?,
        "by": by,
        "stages": times,
        "calls": outcome.stats.solver_calls,
        "counts": outcome.stats.counts,
        "errors": outcome.internal_errors,
    });
    println!("{document}");
    Ok(())
}
