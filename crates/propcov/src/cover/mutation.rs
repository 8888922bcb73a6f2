//! Mutation coverage as a part of a run: whenever properties are proved, their mutants are decided, those first that earlier runs
//! decided.

use crate::counting::Mutants;
use crate::cover::cone;
use crate::cover::earlier::{self, Fate};
use crate::cover::milestones::Milestones;
use crate::cover::options::MutationOptions;
use crate::cover::recorder::Recorder;
use crate::cover::scene::Scene;
use propcov_budget::Budget;
use propcov_coverage::mutation::{self, Advice, Ground, Method, Options, Target, Technique};
use propcov_engine::{Limits, Stats};
use propcov_ir::{Digest, ElementSet, Finding, Mutant, PropertyId, Status, UnknownReason};
use propcov_result::{ELSEWHERE, Stop};
use propcov_store::{Effect, Recalled};
use propcov_verify::Outcome;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most runs, and the most proofs, of others that are tried.
const HELPFUL: usize = 64;

/// What is cheap, and tried on all mutants before the rest is shared out.
const CHEAP: [Technique; 5] = [
    Technique::Cone,
    Technique::Core,
    Technique::Simulation,
    Technique::FamilyInduction,
    Technique::FamilyBmc,
];

/// What takes no longer than this is not worth sharing out.
const SMALL: Duration = Duration::from_secs(10);

/// Mutants on their way to findings.
pub(crate) struct Mutating<'a, 's> {
    scene: &'a Scene<'a, 's>,
    options: &'a MutationOptions,
    mutants: Vec<Mutant>,
    /// What earlier runs say about them. Nobody has checked it.
    recalled: Recalled,
    /// What others say about mutants, and nobody has to check here.
    presumed: FxHashMap<(PropertyId, Mutant), Finding>,
    /// The properties that are proved.
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

/// What was found out.
pub(crate) struct Mutated {
    pub(crate) mutants: Vec<Mutant>,
    /// What earlier runs say that uncovered ones can do.
    pub(crate) effects: Vec<Effect>,
    /// The properties that are proved, and so measured.
    pub(crate) properties: Vec<PropertyId>,
    /// One for each property and mutant, by property, then by mutant.
    pub(crate) findings: Vec<Finding>,
    /// What others say about mutants, and nobody has checked.
    pub(crate) presumed: FxHashMap<(PropertyId, Mutant), Finding>,
    /// Why not everything is decided, if it is not.
    pub(crate) stop: Option<Stop>,
    /// Until when more may be looked for.
    pub(crate) deadline: Option<Instant>,
    pub(crate) stats: Stats,
    /// How many findings come from earlier runs.
    pub(crate) reused: usize,
    pub(crate) seconds: f64,
    /// The seconds that went into what uncovered mutants can do.
    pub(crate) effect_seconds: f64,
    /// The seconds after which a percentage of the findings was decided.
    pub(crate) decided_at: BTreeMap<usize, f64>,
    pub(crate) internal_errors: Vec<String>,
}

impl<'a, 's> Mutating<'a, 's> {
    /// Nothing is known of the mutants but what earlier runs say.
    pub(crate) fn new(scene: &'a Scene<'a, 's>, mutants: Vec<Mutant>) -> Mutating<'a, 's> {
        let mut recalled = scene.keeper.recall(scene.properties, &mutants);
        scene.keeper.note_missing(recalled.without_evidence.len());
        let presumed = match scene.options.presume {
            true => presumed(&mut recalled),
            false => FxHashMap::default(),
        };
        leave(scene, &mut recalled);
        Mutating {
            scene,
            options: &scene.options.mutation,
            mutants,
            recalled,
            presumed,
            targets: Vec::new(),
            proof_seconds: 0.0,
            allowance: None,
            deadline: scene.limits().deadline,
            outcome: mutation::Outcome::default(),
            checked: Vec::new(),
            fate: Fate::default(),
            reused: 0,
            was_cut: true,
            spent: Duration::ZERO,
            milestones: Milestones::new(Instant::now(), 0),
        }
    }

    /// Works on the mutants of what is proved, within limits.
    pub(crate) fn work(&mut self, outcomes: &[Outcome], limits: &Limits) {
        let targets = targets(outcomes, self.scene.options.bound);
        if targets.len() == self.targets.len() && !self.was_cut {
            return;
        }
        let certified: FxHashMap<PropertyId, f64> =
            outcomes.iter().map(|outcome| (outcome.property, outcome.certify_seconds.max(0.0))).collect();
        let start = Instant::now();
        // The sum of nothing would be -0.
        self.proof_seconds = targets.iter().fold(0.0, |sum, (_, seconds)| sum + seconds);
        self.targets = targets.into_iter().map(|(target, _)| target).collect();
        // What a file says that proofs took is good enough for that.
        let effort = self.proof_seconds + self.scene.claimed_seconds;
        let allowance = self.options.budget.map(|factor| Duration::from_secs_f64(factor * effort));
        self.allowance = allowance.and_then(|time| start.checked_add(time.saturating_sub(self.spent)));
        self.deadline = [limits.deadline, self.allowance].into_iter().flatten().min();
        let mut known = std::mem::take(&mut self.outcome.findings);
        known.retain(|finding| !matches!(finding.status, Status::Unknown(_)));
        let earlier = self.known(&certified);
        self.reused += earlier.len();
        known.extend(earlier);
        let clock = start.checked_sub(self.spent).unwrap_or(start);
        let total = self.targets.len() * self.mutants.len();
        let milestones = |known: &[Finding]| {
            let mut milestones = Milestones::new(clock, total);
            milestones.decided(known.len());
            milestones
        };
        if let Some(longest) = self.scene.options.head_start {
            self.decide(&known, milestones(&known), &Method::Pipeline(CHEAP.to_vec()));
            known.clone_from(&self.outcome.findings);
            known.retain(|finding| !matches!(finding.status, Status::Unknown(_)));
            // What is small is done before it could be shared out.
            let end = Instant::now()
                .checked_add(self.scene.control.start.elapsed().clamp(SMALL.min(longest), longest));
            self.deadline = [self.deadline, end].into_iter().flatten().min();
        }
        let method = match self.scene.options.settled {
            true => Method::Pipeline(Vec::new()),
            false => self.options.method.clone(),
        };
        self.decide(&known, milestones(&known), &method);
        self.was_cut = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.spent += start.elapsed();
    }

    /// The findings of earlier runs that are accepted, of properties whose own evidence took so long to check.
    fn known(&mut self, certified: &FxHashMap<PropertyId, f64>) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.recalled.findings.is_empty() {
            return findings;
        }
        self.scene.control.progress.stage("checking what is known".to_owned());
        let interrupt = self.scene.control.interrupt.clone();
        let budget = Budget { conflicts: None, deadline: self.deadline, interrupt };
        for target in self.targets.iter().filter(|target| !self.checked.contains(&target.property)) {
            let took = certified.get(&target.property).copied().unwrap_or(0.0);
            let took = Duration::try_from_secs_f64(took).unwrap_or_default();
            let known = earlier::findings(self.scene, target.property, took, &self.recalled, &budget);
            let inside = cone::cone(self.scene.system, target.property);
            findings.extend(known.findings.into_iter().map(|finding| named(finding, &inside)));
            self.fate.add(&known.fate);
        }
        self.checked = self.targets.iter().map(|target| target.property).collect();
        findings
    }

    /// Decides what is not known.
    fn decide(&mut self, known: &[Finding], milestones: Milestones, method: &Method) {
        let Scene { system, control, keeper, .. } = self.scene;
        let counting = Mutants::new(system, self.targets.len(), &self.mutants, known);
        let recorder = Recorder::new(keeper, control.progress, system, milestones, counting);
        control.progress.stage("mutants:".to_owned());
        let options = Options {
            method: method.clone(),
            seed: self.scene.options.seed,
            threads: self.scene.options.thread_count(),
            deadline: self.deadline,
            interrupt: control.interrupt.clone(),
            accuracy: self.options.accuracy.map(|percent| percent / 100.0),
            effort: self.scene.options.effort,
            advice: Advice { stimuli: self.recalled.runs.clone(), proofs: self.recalled.proofs.clone() },
            elsewhere: self.elsewhere(),
            ..Options::default()
        };
        let (targets, mutants, panics) = (&self.targets, &self.mutants, &control.panics);
        let finished = panics.guard(|| mutation::run(system, targets, mutants, known, &options, &recorder));
        let crashes = panics.take();
        let (mut found, milestones) = recorder.finish();
        let mut outcome = finished.unwrap_or_else(|| {
            found.extend_from_slice(known);
            mutation::Outcome { findings: salvaged(targets, mutants, &found), ..mutation::Outcome::default() }
        });
        outcome.internal_errors.extend(crashes);
        self.milestones = milestones;
        self.outcome.findings = outcome.findings;
        self.outcome.out_of_effort = outcome.out_of_effort;
        self.outcome.stats.merge(&outcome.stats);
        self.outcome.internal_errors.append(&mut outcome.internal_errors);
    }

    /// What this run does not find out.
    fn elsewhere(&self) -> FxHashSet<(PropertyId, Mutant)> {
        let presumed = self.presumed.keys().copied();
        if self.scene.options.share.is_none() {
            return presumed.collect();
        }
        let properties = self.targets.iter().map(|target| target.property);
        let pairs =
            properties.flat_map(|property| self.mutants.iter().map(move |mutant| (property, *mutant)));
        pairs.filter(|(property, mutant)| !self.scene.decides(*property, *mutant)).chain(presumed).collect()
    }

    /// All that was found.
    pub(crate) fn finish(self) -> Mutated {
        self.fate.note(self.scene.keeper, "finding", "findings");
        let stop = self.stop();
        Mutated {
            mutants: self.mutants,
            presumed: self.presumed,
            effects: self.recalled.effects,
            properties: self.targets.iter().map(|target| target.property).collect(),
            findings: explained(self.outcome.findings, stop),
            stop,
            deadline: self.deadline,
            stats: self.outcome.stats,
            reused: self.reused,
            seconds: self.spent.as_secs_f64(),
            effect_seconds: 0.0,
            decided_at: self.milestones.reached(),
            internal_errors: self.outcome.internal_errors,
        }
    }

    /// Why there are undecided findings.
    fn stop(&self) -> Option<Stop> {
        let elsewhere = UnknownReason::Incomplete(ELSEWHERE.to_owned());
        let is_left =
            |finding: &Finding| matches!(&finding.status, Status::Unknown(reason) if *reason == elsewhere);
        let is_decided =
            |finding: &&Finding| !matches!(finding.status, Status::Unknown(_)) || is_left(finding);
        let total = self.outcome.findings.len();
        let decided = self.outcome.findings.iter().filter(is_decided).count();
        if decided == total {
            return self.outcome.findings.iter().any(is_left).then_some(Stop::Shard);
        }
        let now = Instant::now();
        let is_enough = |percent: f64| decided as f64 >= percent / 100.0 * total as f64;
        if self.scene.options.settled {
            return Some(Stop::Shard);
        }
        Some(if self.scene.control.interrupt.is_out_of_memory() {
            Stop::Memory
        } else if self.scene.control.interrupt.is_cancelled() {
            Stop::Interrupted
        } else if self.options.accuracy.is_some_and(is_enough) {
            Stop::Accuracy
        } else if self.scene.limits().deadline.is_some_and(|deadline| now >= deadline) {
            Stop::Timeout
        } else if self.allowance.is_some_and(|allowance| now >= allowance) {
            Stop::Budget
        } else if self.outcome.out_of_effort {
            Stop::Effort
        } else {
            Stop::Techniques
        })
    }
}

/// What is said about mutants as they are now. The runs and proofs may help with others.
fn presumed(recalled: &mut Recalled) -> FxHashMap<(PropertyId, Mutant), Finding> {
    let exact = recalled.findings.iter().filter(|claimed| claimed.is_exact);
    exact
        .map(|claimed| ((claimed.finding.property, claimed.finding.mutant), claimed.finding.clone()))
        .collect()
}

/// Leaves what is said about mutants to those who work on them. The runs and proofs may help here all the same.
fn leave(scene: &Scene<'_, '_>, recalled: &mut Recalled) {
    if scene.options.share.is_none() && !scene.options.presume {
        return;
    }
    let is_presumed = |is_exact: bool| is_exact && scene.options.presume;
    let claims = std::mem::take(&mut recalled.findings);
    let (own, others): (Vec<_>, Vec<_>) = claims.into_iter().partition(|claimed| {
        !is_presumed(claimed.is_exact) && scene.decides(claimed.finding.property, claimed.finding.mutant)
    });
    recalled.findings = own;
    let mut seen: FxHashSet<Digest> = FxHashSet::default();
    // The newest first: those are about what was hard.
    for claimed in others.into_iter().rev().filter(|claimed| seen.insert(claimed.evidence)) {
        match claimed.finding.status {
            Status::Covered(kill) if recalled.runs.len() < HELPFUL => {
                recalled.runs.push(Arc::clone(&kill.stimulus));
            }
            Status::Uncovered(proof) if recalled.proofs.len() < HELPFUL => recalled.proofs.push(proof),
            _ => {}
        }
    }
}

/// A finding of an earlier run. That a property does not depend on an element at all is known without that run, and said in every run alike.
fn named(finding: Finding, inside: &ElementSet) -> Finding {
    let is_survivor = matches!(finding.status, Status::Uncovered(_));
    match is_survivor && !inside.contains(finding.mutant.element) {
        true => Finding { by: Technique::Cone.name().into(), ..finding },
        false => finding,
    }
}

/// The properties that hold, each with the seconds it took to prove it. Those that hold up to a bound are among them if the user asks for no more.
fn targets(outcomes: &[Outcome], bound: Option<u32>) -> Vec<(Target, f64)> {
    let ground = |outcome: &Outcome| match (outcome.answer.proof(), bound) {
        (Some(proof), _) => Some(Ground::Proved(Arc::new(proof.clone()))),
        (None, Some(bound)) => {
            let is_known = outcome.certified && outcome.answer.bound().is_some_and(|known| known >= bound);
            is_known.then_some(Ground::UpTo(bound))
        }
        (None, None) => None,
    };
    let target = |outcome: &Outcome| {
        let depth = outcome.depth.unwrap_or(1);
        let target =
            Target { property: outcome.property, ground: ground(outcome)?, depth, ticks: outcome.ticks };
        Some((target, outcome.seconds))
    };
    outcomes.iter().filter_map(target).collect()
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
        let proof = Arc::new(Proof { invariant: invariant.into(), k: 1, simple_path: false, core });
        let ground = Ground::Proved(proof.clone());
        let target =
            |id: u32| Target { property: PropertyId(id), ground: ground.clone(), depth: 1, ticks: 0 };
        let mutants: Vec<Mutant> = [Mutation::Free, Mutation::Zero, Mutation::One]
            .map(|mutation| Mutant { element: ElementId(0), mutation })
            .to_vec();
        let known = Finding {
            property: PropertyId(3),
            mutant: mutants[1],
            status: Status::Uncovered(proof),
            by: "test".into(),
        };
        let findings = salvaged(&[target(2), target(3)], &mutants, &[known]);
        let names: Vec<&str> = findings.iter().map(|finding| finding.status.name()).collect();
        assert_eq!(names, ["unknown", "unknown", "unknown", "unknown", "uncovered", "unknown"]);
        assert_eq!((findings[4].property, findings[4].mutant), (PropertyId(3), mutants[1]));
    }
}
