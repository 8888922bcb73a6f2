//! From a design to findings: verdicts on its properties, what earlier runs left, and then the mutants. What `propcov cover` and
//! `propcov explain` have in common.

use crate::cover::earlier::{self, Earlier, Fate};
use crate::cover::keep::{Keeper, Recorder};
use crate::cover::milestones::Milestones;
use crate::cover::tally::Tally;
use crate::input::Input;
use crate::progress::Progress;
use crate::report::Verdicts;
use crate::session::Session;
use propcov_budget::{Budget, Interrupt};
use propcov_coverage::mutation::{self, Advice, Method, Options, Target};
use propcov_engine::{Config, Limits, Stats};
use propcov_ir::{Finding, Mutant, PropertyId, Status, Stimulus, System, UnknownReason};
use propcov_store::{EARLIER, Recalled};
use propcov_verify::{Client, Outcome, Verifier};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is to be found out.
pub(crate) struct Question<'a> {
    pub(crate) input: &'a Input,
    pub(crate) properties: &'a [PropertyId],
    pub(crate) mutants: &'a [Mutant],
    pub(crate) method: Method,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// The share of findings that suffices.
    pub(crate) accuracy: Option<f64>,
    /// How many times as long as the proofs coverage may take.
    pub(crate) budget: Option<f64>,
    /// The end of the whole run.
    pub(crate) deadline: Option<Instant>,
    pub(crate) quiet: bool,
}

/// What was found out.
pub(crate) struct Measured<'a> {
    pub(crate) verdicts: Verdicts<'a>,
    pub(crate) tally: Tally<'a>,
    /// Why not everything is decided, if it is not.
    pub(crate) stop: Option<Stop>,
    /// Until when more may be looked for.
    pub(crate) deadline: Option<Instant>,
    pub(crate) stats: Stats,
    /// How many findings come from earlier runs.
    pub(crate) reused: usize,
    /// The seconds of the proofs that were found.
    pub(crate) proof_seconds: f64,
    /// The seconds that were spent on properties that are not proved, if there are any.
    pub(crate) search_seconds: Option<f64>,
    pub(crate) coverage_seconds: f64,
    /// The seconds of coverage after which a percentage of the findings was decided.
    pub(crate) decided_at: BTreeMap<usize, f64>,
    pub(crate) internal_errors: Vec<String>,
}

/// Why a run ended before everything was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// As much was decided as was asked for.
    Accuracy,
    /// The multiple of the proofs' time is used up.
    Budget,
    /// The time is up.
    Timeout,
    /// Somebody asked to stop.
    Interrupted,
    /// The techniques chosen cannot decide more.
    Techniques,
}

/// Finds it out.
pub(crate) fn measure<'a>(
    question: &Question<'a>,
    keeper: &Keeper<'a>,
    session: &mut Session,
) -> Measured<'a> {
    let start = Instant::now();
    let design = &question.input.design;
    let progress = Progress::new(session.terminal.stderr && !question.quiet);
    let recalled = keeper.recall(question.properties, question.mutants);
    for note in keeper.notes(&recalled) {
        session.remark(question.quiet, &format!("note: {note}\n"));
    }
    let system = &design.system;
    let mut limits = Limits::default();
    limits.deadline = question.deadline;
    limits.interrupt = session.interrupt.clone();
    let config = Config { seed: question.seed, ..Config::default() };
    let options = propcov_verify::Options { config, ..propcov_verify::Options::default() };
    let verifier = Verifier::new(system, options, limits, &progress).with_panics(session.panics.clone());
    let inspection = verifier.inspect(question.properties);
    let Earlier { outcomes: mut earlier, claimed, fate } = Earlier::verdicts(&verifier, &recalled, keeper);
    let earlier: Vec<Outcome> =
        question.properties.iter().filter_map(|property| earlier.remove(property)).collect();
    for outcome in earlier.iter().filter(|outcome| outcome.engine != Some(EARLIER)) {
        keep(keeper, system, outcome);
    }
    let is_open = |property: &PropertyId| earlier.iter().all(|outcome| outcome.property != *property);
    let open: Vec<PropertyId> = question.properties.iter().copied().filter(is_open).collect();
    let remarks = fate.words(keeper, "verdict on a property", "verdicts on properties");
    remarks.iter().for_each(|remark| session.remark(question.quiet, remark));
    let mut run = Run {
        question,
        keeper,
        recalled: &recalled,
        verifier: &verifier,
        earlier,
        claimed_seconds: claimed.values().sum(),
        progress: &progress,
        system,
        interrupt: session.interrupt.clone(),
        session,
        targets: Vec::new(),
        proof_seconds: 0.0,
        allowance: None,
        deadline: question.deadline,
        outcome: mutation::Outcome::default(),
        checked: Vec::new(),
        fate: Fate::default(),
        reused: 0,
        was_cut: true,
        spent: Duration::ZERO,
        milestones: Milestones::new(Instant::now(), 0),
    };
    let new = verifier.prove(&open, &mut run).outcomes;
    run.tell();
    let mut decided: FxHashMap<PropertyId, Outcome> = (run.earlier.drain(..).chain(new))
        .map(|outcome| (outcome.property, question.input.honest(outcome)))
        .collect();
    let outcomes: Vec<Outcome> =
        question.properties.iter().filter_map(|property| decided.remove(property)).collect();
    let is_unproved = |outcome: &&Outcome| !outcome.answer.is_proved();
    let unproved = outcomes.iter().filter(is_unproved).map(|outcome| outcome.seconds);
    let search_seconds = unproved.reduce(|sum, seconds| sum + seconds);
    let outcome = std::mem::take(&mut run.outcome);
    let tally = Tally {
        system,
        mutants: question.mutants,
        properties: run.targets.iter().map(|target| target.property).collect(),
        findings: outcome.findings,
    };
    let stop = run.stop(&tally);
    let tally = Tally { findings: explained(tally.findings, stop), ..tally };
    progress.finish();
    let verdicts = Verdicts {
        path: &question.input.path,
        design,
        inspection,
        outcomes,
        symbolic: None,
        seconds: start.elapsed().as_secs_f64(),
    };
    Measured {
        verdicts,
        tally,
        stop,
        deadline: run.deadline,
        stats: outcome.stats,
        reused: run.reused,
        proof_seconds: run.proof_seconds,
        search_seconds,
        coverage_seconds: run.spent.as_secs_f64(),
        decided_at: run.milestones.reached(),
        internal_errors: outcome.internal_errors,
    }
}

/// Keeps a verdict with its evidence.
fn keep(keeper: &Keeper<'_>, system: &System, outcome: &Outcome) {
    let engine = outcome.engine.unwrap_or_default();
    if let Some(proof) = outcome.answer.proof() {
        keeper.keep_proved(outcome.property, &Arc::new(proof.clone()), engine, outcome.seconds);
    } else if let (true, Some(trace)) = (outcome.certified, outcome.answer.trace()) {
        let run = Arc::new(Stimulus::of(system, trace));
        keeper.keep_violated(outcome.property, &run, engine, outcome.seconds);
    }
}

/// The properties that hold, each with the seconds it took to prove it.
fn targets(outcomes: &[&Outcome]) -> Vec<(Target, f64)> {
    let target = |outcome: &&Outcome| {
        let proof = Arc::new(outcome.answer.proof()?.clone());
        let depth = outcome.depth.unwrap_or(1);
        Some((Target { property: outcome.property, proof, depth }, outcome.seconds))
    };
    outcomes.iter().filter_map(target).collect()
}

/// A run over mutants: keeps proofs as they come, and works on the mutants of what is proved.
struct Run<'r, 'a> {
    question: &'r Question<'a>,
    keeper: &'r Keeper<'a>,
    recalled: &'r Recalled,
    verifier: &'r Verifier<'r>,
    /// What earlier runs found out about properties, checked again.
    earlier: Vec<Outcome>,
    /// The seconds that proofs of earlier runs are said to have taken, beyond those for checking them.
    claimed_seconds: f64,
    progress: &'r Progress,
    system: &'a System,
    interrupt: Interrupt,
    session: &'r mut Session,
    targets: Vec<Target>,
    /// What it took to prove them.
    proof_seconds: f64,
    /// When the multiple of that is used up.
    allowance: Option<Instant>,
    /// Until when mutants are worked on.
    deadline: Option<Instant>,
    /// What was found so far.
    outcome: mutation::Outcome,
    /// The properties whose findings of earlier runs were checked.
    checked: Vec<PropertyId>,
    /// What became of these findings.
    fate: Fate,
    /// How many of them were accepted.
    reused: usize,
    /// Whether the time was up before everything was tried.
    was_cut: bool,
    /// What it took.
    spent: Duration,
    milestones: Milestones,
}

impl Client for Run<'_, '_> {
    fn heard(&mut self, outcome: &Outcome) {
        keep(self.keeper, self.system, outcome);
    }

    fn work(&mut self, outcomes: &[Outcome], limits: &Limits) {
        let of = |property: &PropertyId| {
            self.earlier.iter().chain(outcomes).find(|outcome| outcome.property == *property)
        };
        let decided: Vec<&Outcome> = self.question.properties.iter().filter_map(of).collect();
        let targets = targets(&decided);
        if targets.len() == self.targets.len() && !self.was_cut {
            return;
        }
        let certified: FxHashMap<PropertyId, f64> =
            decided.iter().map(|outcome| (outcome.property, outcome.certify_seconds.max(0.0))).collect();
        let start = Instant::now();
        // The sum of nothing would be -0.
        self.proof_seconds = targets.iter().fold(0.0, |sum, (_, seconds)| sum + seconds);
        self.targets = targets.into_iter().map(|(target, _)| target).collect();
        // What a file says that proofs took is good enough for that.
        let effort = self.proof_seconds + self.claimed_seconds;
        let allowance = self.question.budget.map(|factor| Duration::from_secs_f64(factor * effort));
        self.allowance = allowance.and_then(|time| start.checked_add(time.saturating_sub(self.spent)));
        self.deadline = [limits.deadline, self.allowance].into_iter().flatten().min();
        let mut known = std::mem::take(&mut self.outcome.findings);
        known.retain(|finding| !matches!(finding.status, Status::Unknown(_)));
        let earlier = self.known(&certified);
        self.reused += earlier.len();
        known.extend(earlier);
        let clock = start.checked_sub(self.spent).unwrap_or(start);
        let mut milestones = Milestones::new(clock, self.targets.len() * self.question.mutants.len());
        milestones.decided(known.len());
        self.mutants(&known, milestones);
        self.was_cut = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.spent += start.elapsed();
    }
}

impl Run<'_, '_> {
    /// The findings of earlier runs that are accepted, of properties whose own evidence took so long to check.
    fn known(&mut self, certified: &FxHashMap<PropertyId, f64>) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.recalled.findings.is_empty() {
            return findings;
        }
        self.progress.stage("checking what is known".to_owned());
        let budget = Budget { conflicts: None, deadline: self.deadline, interrupt: self.interrupt.clone() };
        for target in self.targets.iter().filter(|target| !self.checked.contains(&target.property)) {
            let took = certified.get(&target.property).copied().unwrap_or(0.0);
            let took = Duration::try_from_secs_f64(took).unwrap_or_default();
            let known =
                earlier::findings(self.verifier, target.property, took, self.recalled, &budget, self.keeper);
            findings.extend(known.findings);
            self.fate.add(&known.fate);
        }
        self.checked = self.targets.iter().map(|target| target.property).collect();
        findings
    }

    /// Says what became of findings of earlier runs.
    fn tell(&mut self) {
        for remark in self.fate.words(self.keeper, "finding", "findings") {
            self.session.remark(self.question.quiet, &remark);
        }
    }

    /// Decides what is not known.
    fn mutants(&mut self, known: &[Finding], milestones: Milestones) {
        let recorder = Recorder {
            keeper: self.keeper,
            progress: self.progress,
            system: self.system,
            found: Mutex::new(Vec::new()),
            milestones: Mutex::new(milestones),
        };
        self.progress.stage("mutants:".to_owned());
        let options = Options {
            method: self.question.method.clone(),
            seed: self.question.seed,
            threads: self.question.threads,
            deadline: self.deadline,
            interrupt: self.interrupt.clone(),
            accuracy: self.question.accuracy,
            advice: Advice { stimuli: self.recalled.runs.clone(), proofs: self.recalled.proofs.clone() },
        };
        let (targets, mutants, panics) = (&self.targets, self.question.mutants, &self.session.panics);
        let finished =
            panics.guard(|| mutation::run(self.system, targets, mutants, known, &options, &recorder));
        let crashes = panics.take();
        let mut outcome = finished.unwrap_or_else(|| {
            let mut found = recorder.found.into_inner().unwrap_or_else(PoisonError::into_inner);
            found.extend_from_slice(known);
            mutation::Outcome { findings: salvaged(targets, mutants, &found), ..mutation::Outcome::default() }
        });
        outcome.internal_errors.extend(crashes);
        self.milestones = recorder.milestones.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.outcome.findings = outcome.findings;
        self.outcome.stats.merge(&outcome.stats);
        self.outcome.internal_errors.append(&mut outcome.internal_errors);
    }

    /// Why there are undecided findings.
    fn stop(&self, tally: &Tally<'_>) -> Option<Stop> {
        let (decided, total) = (tally.decided(), tally.findings.len());
        if decided == total {
            return None;
        }
        let now = Instant::now();
        let is_enough = |share: f64| decided as f64 >= share * total as f64;
        Some(if self.interrupt.is_raised() {
            Stop::Interrupted
        } else if self.question.accuracy.is_some_and(is_enough) {
            Stop::Accuracy
        } else if self.question.deadline.is_some_and(|deadline| now >= deadline) {
            Stop::Timeout
        } else if self.allowance.is_some_and(|allowance| now >= allowance) {
            Stop::Budget
        } else {
            Stop::Techniques
        })
    }
}

/// What had been found when a run crashed; the rest is unknown.
fn salvaged(targets: &[Target], mutants: &[Mutant], found: &[Finding]) -> Vec<Finding> {
    let found: FxHashMap<(PropertyId, Mutant), &Finding> =
        found.iter().map(|finding| ((finding.property, finding.mutant), finding)).collect();
    let all = targets.iter().flat_map(|target| mutants.iter().map(move |mutant| (target.property, *mutant)));
    let finding = |(property, mutant): (PropertyId, Mutant)| match found.get(&(property, mutant)) {
        Some(finding) => (*finding).clone(),
        None => {
            let status = Status::Unknown(UnknownReason::Incomplete("internal error".to_owned()));
            Finding { property, mutant, status, by: "".into() }
        }
    };
    all.map(finding).collect()
}

/// The findings, those that the user's own limits left undecided with that as their reason.
fn explained(mut findings: Vec<Finding>, stop: Option<Stop>) -> Vec<Finding> {
    let reason = match stop {
        Some(Stop::Accuracy) => "the accuracy asked for was reached",
        Some(Stop::Budget) => "the budget was used up",
        _ => return findings,
    };
    for finding in &mut findings {
        if let Status::Unknown(UnknownReason::Timeout | UnknownReason::Incomplete(_)) = finding.status {
            finding.status = Status::Unknown(UnknownReason::Incomplete(reason.to_owned()));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_ir::{ElementId, ElementSet, Invariant, Mutation, Proof};

    #[test]
    fn after_a_crash_there_is_a_finding_for_each_property_and_mutant() {
        let (invariant, core) = (Invariant::default(), ElementSet::new());
        let proof = Arc::new(Proof { invariant, k: 1, simple_path: false, core });
        let target = |id: u32| Target { property: PropertyId(id), proof: proof.clone(), depth: 1 };
        let mutants: Vec<Mutant> =
            Mutation::ALL.map(|mutation| Mutant { element: ElementId(0), mutation }).to_vec();
        let known = Finding {
            property: PropertyId(3),
            mutant: mutants[1],
            status: Status::Uncovered(proof.clone()),
            by: "test".into(),
        };
        let findings = salvaged(&[target(2), target(3)], &mutants, &[known]);
        let names: Vec<&str> = findings.iter().map(|finding| finding.status.name()).collect();
        assert_eq!(names, ["unknown", "unknown", "unknown", "unknown", "uncovered", "unknown"]);
        assert_eq!((findings[4].property, findings[4].mutant), (PropertyId(3), mutants[1]));
    }
}
