//! First of all: does the property hold? Where a short induction shows it, that is done in the solvers in which slices are decided, and a core comes with the proof.

use super::analysis::{Holds, Observer, Options, Universe};
use super::evidence::undecided;
use super::session::check_budget;
use propcov_certify::{check_proof, check_trace, is_linear};
use propcov_engine::infinite::base::not_linear;
use propcov_engine::slices::{Extent, SliceVerdict, Slices};
use propcov_engine::{Config, Limits, Silent, Stats, infinite, portfolio};
use propcov_ir::{Edits, Invariant, Proof, PropertyId, System, UnknownReason, Verdict};
use std::time::Instant;

/// What is known of a property before its cores are looked for.
pub(super) struct Proven<'s> {
    pub(super) property: PropertyId,
    pub(super) holds: Holds,
    /// Its slices, if it holds.
    pub(super) slices: Option<Slices<'s>>,
    /// What is known of the system as a slice of itself.
    pub(super) first: Option<SliceVerdict>,
    /// The proof that engines found.
    pub(super) proof: Option<Proof>,
    /// What went wrong inside.
    pub(super) internal_errors: Vec<String>,
    /// Work of the proof, and how long it took.
    pub(super) ticks: u64,
    pub(super) seconds: f64,
}

/// Decides about all properties.
pub(super) fn prove_all<'s>(
    system: &'s System,
    universe: &Universe,
    properties: &[PropertyId],
    options: &Options,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> Vec<Proven<'s>> {
    let config = Config { seed: options.seed, ..Config::default() };
    let is_linear = is_linear(system);
    let mut proven: Vec<Proven<'s>> = Vec::with_capacity(properties.len());
    for property in properties {
        observer.progress(*property, "proof", 0, 0);
        let start = Instant::now();
        let mut one = Proven {
            property: *property,
            holds: Holds::Unknown(options.limits.reason()),
            slices: None,
            first: None,
            proof: None,
            internal_errors: Vec::new(),
            ticks: 0,
            seconds: 0.0,
        };
        match Slices::new(system, *property, universe, &config) {
            Ok(slices) => one.slices = Some(slices),
            Err(reason) => one.holds = Holds::Unknown(reason),
        }
        one.begin(system, options, is_linear, stats);
        one.seconds = start.elapsed().as_secs_f64();
        proven.push(one);
    }
    if options.depth.is_none() {
        search(system, &mut proven, &config, &options.limits, stats);
    }
    for one in &mut proven {
        if let Holds::No(trace) = &one.holds
            && let Err(rejection) = check_trace(system, &Edits::none(), one.property, trace)
        {
            let reason = undecided(&rejection, is_linear).unwrap_or_else(|| {
                one.internal_errors.push(format!("a violation was not accepted: {rejection}"));
                UnknownReason::NotCertified(rejection.to_string())
            });
            one.holds = Holds::Unknown(reason);
        }
    }
    for one in proven.iter_mut().filter(|one| !matches!(one.holds, Holds::Yes { .. } | Holds::UpTo(_))) {
        one.slices = None;
    }
    proven
}

impl Proven<'_> {
    /// The bounded question, or a short induction. Where variables are multiplied, what comes of it may be more than can be checked; then that is no answer, and engines are asked.
    fn begin(&mut self, system: &System, options: &Options, is_linear: bool, stats: &mut Stats) {
        let Some(slices) = &mut self.slices else { return };
        let verdict = match options.depth {
            Some(depth) => {
                let everything = slices.universe().clone();
                Some(slices.decide(&everything, Extent::UpTo(depth), &options.limits, stats))
            }
            None => slices.quick(&options.limits, stats),
        };
        self.ticks = slices.ticks();
        let verdict = match verdict {
            Some(verdict) if !is_linear && !self.is_established(&verdict, system) => {
                options.depth.map(|_| SliceVerdict::Unknown(not_linear()))
            }
            verdict => verdict,
        };
        match &verdict {
            Some(SliceVerdict::Holds { proof: Some(proof), .. }) => {
                self.holds = Holds::Yes { engine: "kinduction", k: proof.k };
            }
            Some(SliceVerdict::Holds { proof: None, .. }) => {
                self.holds = Holds::UpTo(options.depth.unwrap_or(0));
            }
            Some(SliceVerdict::Fails { trace, .. }) => self.holds = Holds::No(trace.clone()),
            Some(SliceVerdict::Unknown(reason)) => self.holds = Holds::Unknown(reason.clone()),
            None => {}
        }
        self.first = verdict;
    }

    /// Whether the independent checker accepts a verdict on the system as written, as far as it has evidence.
    fn is_established(&self, verdict: &SliceVerdict, system: &System) -> bool {
        let edits = Edits::none();
        match verdict {
            SliceVerdict::Holds { proof: Some(proof), .. } => {
                check_proof(system, &edits, self.property, proof, &check_budget()).is_ok()
            }
            SliceVerdict::Fails { trace, .. } => check_trace(system, &edits, self.property, trace).is_ok(),
            SliceVerdict::Unknown(UnknownReason::NotCertified(_)) => false,
            SliceVerdict::Holds { proof: None, .. } | SliceVerdict::Unknown(_) => true,
        }
    }

    fn is_open(&self) -> bool {
        self.slices.is_some() && self.first.is_none()
    }

    /// What the engines found out.
    fn settle(&mut self, verdict: Verdict, engine: &'static str) {
        match verdict {
            Verdict::Proved(proof) => {
                self.holds = Holds::Yes { engine, k: proof.k };
                self.proof = Some(proof);
            }
            Verdict::Falsified(trace) => self.holds = Holds::No(trace),
            Verdict::Unknown(reason) => self.holds = Holds::Unknown(reason),
        }
    }
}

/// Asks the engines about what is open: those with numbers together, others one by one.
fn search(system: &System, proven: &mut [Proven<'_>], config: &Config, limits: &Limits, stats: &mut Stats) {
    let start = Instant::now();
    let edits = Edits::none();
    let is_infinite = infinite::concerns(system);
    let mut open: Vec<PropertyId> = Vec::new();
    for one in proven.iter_mut().filter(|one| one.is_open()) {
        if is_infinite && propcov_engine::finite::Problem::new(system, &edits, one.property).is_err() {
            open.push(one.property);
            continue;
        }
        let start = Instant::now();
        let report = portfolio::check(system, &edits, one.property, config, limits, &Silent);
        stats.merge(&report.stats);
        one.ticks += report.stats.ticks;
        one.settle(report.verdict, report.engine);
        one.seconds += start.elapsed().as_secs_f64();
    }
    if open.is_empty() {
        return;
    }
    let lemmas = Invariant::default();
    let together = infinite::portfolio::check_with(system, &edits, &open, &lemmas, limits, &Silent);
    stats.merge(&together.stats);
    let share = start.elapsed().as_secs_f64() / open.len() as f64;
    for settled in together.settled {
        for one in proven.iter_mut().filter(|one| one.property == settled.property) {
            one.ticks += together.stats.ticks;
            one.seconds += share;
            one.settle(settled.verdict.clone(), settled.engine);
        }
    }
}
