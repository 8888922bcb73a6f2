//! What earlier runs left, checked before it counts: verdicts on properties, and findings.

use crate::cover::scene::Scene;
use crate::keeper::Keeper;
use propcov_budget::Budget;
use propcov_coverage::mutation::{Advice, Recheck, Standing, renew};
use propcov_ir::{Finding, PropertyId, Stimulus, UnknownReason, Verdict};
use propcov_result::NoteKind;
use propcov_store::{EARLIER, Recalled};
use propcov_verify::{Answer, Outcome, Recall, Verifier};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a check of evidence may take in any case.
const PATIENCE: Duration = Duration::from_secs(2);

/// The longest time that a file may claim to have been spent on a proof.
const LONGEST: f64 = 86_400.0;

/// The longest run, in steps, in which a violation is looked for earlier than it is claimed.
const LOOKED_AT: usize = 200;

/// So many times as long as the check of a property's own proof took, those of its mutants may take.
const SIMILAR: u32 = 10;

/// What became of claims.
#[derive(Debug, Default)]
pub(crate) struct Fate {
    /// How many were not accepted that should have been.
    pub(crate) rejected: usize,
    /// How many there was no time for.
    pub(crate) postponed: usize,
}

impl Fate {
    pub(crate) fn add(&mut self, other: &Fate) {
        self.rejected += other.rejected;
        self.postponed += other.postponed;
    }

    /// Notes it for the user.
    pub(crate) fn note(&self, keeper: &Keeper<'_>, one: &str, many: &str) {
        let place = keeper.archive_path().display();
        let counted = |count: usize| format!("{count} {}", if count == 1 { one } else { many });
        if self.rejected > 0 {
            let are = if self.rejected == 1 { "is" } else { "are" };
            let text = format!("{place}: {} {are} not accepted, and ignored", counted(self.rejected));
            keeper.note(NoteKind::Warning, text);
        }
        if self.postponed > 0 {
            let text = format!("{place}: {} not checked: out of time", counted(self.postponed));
            keeper.note(NoteKind::Note, text);
        }
    }
}

/// Verdicts on properties that earlier runs have found.
#[derive(Default)]
pub(crate) struct Earlier {
    pub(crate) outcomes: FxHashMap<PropertyId, Outcome>,
    /// The seconds that it is said to have taken to prove them.
    claimed: FxHashMap<PropertyId, f64>,
    fate: Fate,
}

impl Earlier {
    /// Checks what is said about the properties, as they are and as they were.
    pub(crate) fn verdicts(
        verifier: &Verifier<'_>,
        keeper: &Keeper<'_>,
        properties: &[PropertyId],
    ) -> Earlier {
        let recalled = keeper.recall(properties, &[]);
        let mut earlier = Earlier::default();
        let mut open: FxHashMap<PropertyId, Standing> = FxHashMap::default();
        for violated in &recalled.violated {
            if earlier.outcomes.contains_key(&violated.property) {
                continue;
            }
            match violation(verifier, violated.property, &violated.run, violated.steps) {
                Some(outcome) => {
                    if !violated.is_exact {
                        keeper.keep_violated(violated.property, &violated.run, EARLIER, violated.seconds);
                    }
                    earlier.outcomes.insert(violated.property, outcome);
                }
                None if violated.is_exact => {
                    open.insert(violated.property, Standing::Rejected);
                }
                None => {}
            }
        }
        for proved in &recalled.proved {
            if earlier.outcomes.contains_key(&proved.property) {
                continue;
            }
            // A file may say that it took long: that makes us wait longer, and believe nothing.
            let claimed = if proved.seconds.is_finite() { proved.seconds.clamp(0.0, LONGEST) } else { 0.0 };
            let start = Instant::now();
            let end = start.checked_add(PATIENCE + Duration::from_secs_f64(claimed));
            let mut limits = verifier.limits().clone();
            limits.deadline = [limits.deadline, end].into_iter().flatten().min();
            let proof = Arc::clone(&proved.proof);
            let outcome = verifier.with_limits(limits).recall(&propcov_verify::Known {
                property: proved.property,
                proof,
                engine: Some(EARLIER),
                depth: Some(proved.proof.k),
                seconds: None,
            });
            match outcome.recall {
                Some(Recall::Accepted) => {
                    if !proved.is_same {
                        keeper.keep_proved(proved.property, &proved.proof, EARLIER, claimed);
                    }
                    earlier.claimed.insert(proved.property, claimed);
                    earlier.outcomes.insert(proved.property, outcome);
                }
                Some(Recall::Postponed) if proved.is_exact => {
                    open.insert(proved.property, Standing::Postponed);
                }
                Some(Recall::Rejected(_)) if proved.is_exact => {
                    open.insert(proved.property, Standing::Rejected);
                }
                _ => {}
            }
        }
        for (property, standing) in open {
            match standing {
                _ if earlier.outcomes.contains_key(&property) => {}
                Standing::Rejected => earlier.fate.rejected += 1,
                Standing::Postponed => earlier.fate.postponed += 1,
                Standing::Accepted => {}
            }
        }
        earlier.renew(verifier, &recalled);
        earlier.fate.note(keeper, "verdict on a property", "verdicts on properties");
        let renewed = earlier.outcomes.values().filter(|outcome| outcome.engine != Some(EARLIER));
        renewed.for_each(|outcome| keeper.keep_outcome(outcome));
        earlier
    }

    /// The seconds that it is said to have taken to prove the properties.
    pub(crate) fn claimed_seconds(&self) -> f64 {
        self.claimed.values().sum()
    }

    /// Makes new proofs of old ones that are no longer accepted.
    fn renew(&mut self, verifier: &Verifier<'_>, recalled: &Recalled) {
        let mut proofs: BTreeMap<PropertyId, Advice> = BTreeMap::new();
        for proved in recalled.proved.iter().filter(|proved| !self.outcomes.contains_key(&proved.property)) {
            proofs.entry(proved.property).or_default().proofs.push(Arc::clone(&proved.proof));
        }
        for (property, advice) in proofs {
            let start = Instant::now();
            let mut outcome = Outcome::unknown(property, UnknownReason::Cancelled);
            let (seed, stats) = (verifier.options().config.seed, &mut outcome.stats);
            let renewed = verifier
                .panics()
                .guard(|| renew(verifier.system(), property, &advice, verifier.limits(), seed, stats))
                .flatten();
            verifier.panics().take();
            if let Some(proof) = renewed {
                outcome.answer = Answer::Invariant(Verdict::Proved(proof));
                outcome.certified = true;
                outcome.engine = Some("ic3");
                outcome.seconds = start.elapsed().as_secs_f64();
                self.outcomes.insert(property, outcome);
            }
        }
    }
}

/// The outcome of a property that fails on a run of an earlier run, if it still does.
fn violation(verifier: &Verifier<'_>, property: PropertyId, run: &Stimulus, steps: usize) -> Option<Outcome> {
    let start = Instant::now();
    let violated = |steps: usize| {
        let trace = verifier.panics().guard(|| run.trace(verifier.system(), steps).ok()).flatten();
        verifier.panics().take();
        let verdict = verifier.certify(property, Verdict::Falsified(trace?));
        matches!(verdict, Verdict::Falsified(_)).then_some((verdict, steps))
    };
    // After an edit it may fail earlier on the same run. In a long one, to look at every step would take long.
    let first = if steps <= LOOKED_AT { (1..steps).find_map(violated) } else { None };
    let (verdict, steps) = first.or_else(|| violated(steps))?;
    let seconds = start.elapsed().as_secs_f64();
    Some(Outcome {
        answer: Answer::Invariant(verdict),
        certified: true,
        engine: Some(EARLIER),
        depth: Some(steps.saturating_sub(1) as u32),
        seconds,
        certify_seconds: seconds,
        ..Outcome::unknown(property, UnknownReason::Cancelled)
    })
}

/// Findings that were accepted.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) findings: Vec<Finding>,
    pub(crate) fate: Fate,
}

/// Checks what is said about mutants of a property that holds, whose own proof took so long to check.
pub(crate) fn findings(
    scene: &Scene<'_, '_>,
    property: PropertyId,
    took: Duration,
    recalled: &Recalled,
    limits: &Budget,
) -> Known {
    let verifier = scene.verifier;
    let claims: Vec<_> =
        recalled.findings.iter().filter(|claimed| claimed.finding.property == property).collect();
    let asked: Vec<&Finding> = claims.iter().map(|claimed| &claimed.finding).collect();
    let allowance = PATIENCE + took.saturating_mul(SIMILAR);
    let recheck = Recheck { system: verifier.system(), property, limits, allowance };
    let standings = verifier.panics().guard(|| recheck.first(&asked));
    // Evidence that makes the checker crash is as good as none.
    verifier.panics().take();
    let standings = standings.unwrap_or_else(|| vec![Some(Standing::Rejected); asked.len()]);
    let mut known = Known::default();
    let mut moved = Vec::new();
    let mut open = FxHashMap::default();
    for (claimed, standing) in claims.iter().zip(standings) {
        match standing {
            Some(Standing::Accepted) => {
                known.findings.push(claimed.finding.clone());
                if !claimed.is_same {
                    moved.push(claimed.finding.clone());
                }
            }
            Some(standing) if claimed.is_exact => {
                open.insert(claimed.finding.mutant, standing);
            }
            _ => {}
        }
    }
    for finding in &known.findings {
        open.remove(&finding.mutant);
    }
    known.fate.rejected = open.values().filter(|standing| **standing == Standing::Rejected).count();
    known.fate.postponed = open.len() - known.fate.rejected;
    // What is true of the design as it is now is found at once next time.
    scene.keeper.keep_findings(&moved);
    known
}
