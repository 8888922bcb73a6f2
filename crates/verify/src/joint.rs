//! Invariants of systems with ints and reals are decided together: lemmas that one needs are there for all of them.
//!
//! Answers are certified when the search is over. So that a timeout or Ctrl-C does not cost what was found before, a part of
//! the time is kept back for that, and after Ctrl-C there is some.

use crate::choice::EngineChoice;
use crate::limits::{stopped, until};
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::verifier::Verifier;
use propcov_engine::finite::Problem;
use propcov_engine::infinite::{self, portfolio};
use propcov_engine::{Limits, Stats};
use propcov_ir::{Edits, Invariant, PropertyId, UnknownReason, Verdict};
use std::time::{Duration, Instant};

/// The part of the time that is kept back to certify answers, and how much at most.
const KEPT_BACK: u32 = 20;
const MOST_KEPT_BACK: Duration = Duration::from_secs(5);
/// How long answers are certified after Ctrl-C.
const GRACE: Duration = Duration::from_secs(5);

impl Verifier<'_> {
    /// The properties that are decided together, because they have no encoding by circuits and all engines are asked; and the others.
    pub fn split_joint(&self, properties: &[PropertyId]) -> (Vec<PropertyId>, Vec<PropertyId>) {
        if !matches!(self.options.engine, EngineChoice::Portfolio) || !infinite::concerns(self.system) {
            return (Vec::new(), properties.to_vec());
        }
        let is_joint = |property: PropertyId| {
            self.not_an_invariant(property).is_none()
                && Problem::new(self.system, &Edits::none(), property).is_err()
        };
        properties.iter().partition(|property| is_joint(**property))
    }
}

/// Decides properties together, until the deadline. Returns the positions of the lemmas that hold, if there were some and that
/// was found out.
pub(crate) fn decide(
    verifier: &Verifier<'_>,
    properties: &[PropertyId],
    deadline: Option<Instant>,
    plan: &mut Plan<'_, '_>,
) -> Option<Vec<usize>> {
    if let Some(reason) = stopped(&verifier.limits) {
        properties.iter().for_each(|property| plan.note(Outcome::unknown(*property, reason.clone())));
        return None;
    }
    verifier.progress.stage(match properties {
        [property] => format!("{}:", verifier.system.property(*property).name),
        all => format!("{} properties together:", all.len()),
    });
    let start = Instant::now();
    let limits = until(&verifier.limits, deadline.map(|deadline| deadline - kept_back(start, deadline)));
    let (edits, nothing) = (Edits::none(), Invariant::default());
    let (system, lemmas) = (verifier.system, verifier.lemmas.unwrap_or(&nothing));
    let together = verifier
        .panics
        .guard(|| portfolio::check_with(system, &edits, properties, lemmas, &limits, verifier.progress));
    let mut crashes = verifier.panics.take();
    let Some(together) = together else {
        crashes.push("the engine crashed".to_owned());
        for property in properties {
            let mut outcome = Outcome::unknown(*property, crash());
            outcome.internal_errors.append(&mut crashes);
            plan.note(outcome);
        }
        return None;
    };
    let checker = verifier.with_limits(limits_of_checks(&verifier.limits));
    certified(&checker, together.settled, together.stats, crashes, plan);
    together.advice.filter(|_| verifier.lemmas.is_some())
}

/// The outcomes that follow from what engines say. What was shared is counted once: work and crashes with the first property, time
/// with the one that took longest.
fn certified(
    checker: &Verifier<'_>,
    settled: Vec<portfolio::Settled>,
    stats: Stats,
    mut crashes: Vec<String>,
    plan: &mut Plan<'_, '_>,
) {
    let has_crashed = !crashes.is_empty();
    let longest = settled.iter().map(|settled| settled.after).max();
    let last = settled.iter().position(|settled| Some(settled.after) == longest);
    let ticks = stats.ticks;
    let mut stats = Some(stats);
    for (position, found) in settled.into_iter().enumerate() {
        let property = found.property;
        checker.progress.stage(format!("certifying {}:", checker.system.property(property).name));
        let start = Instant::now();
        let mut outcome = Outcome::unknown(property, UnknownReason::Cancelled);
        (outcome.engine, outcome.ticks) = (Some(found.engine), ticks);
        outcome.stats = stats.take().unwrap_or_default();
        (outcome.stats.cleared, outcome.stats.frames) = (found.cleared, found.frames);
        let verdict = match found.verdict {
            Verdict::Unknown(_) if has_crashed => Verdict::Unknown(crash()),
            verdict => verdict,
        };
        checker.conclude(&mut outcome, verdict, plan.client);
        outcome.internal_errors.append(&mut crashes);
        outcome.seconds = (found.after + start.elapsed()).as_secs_f64();
        if Some(position) != last {
            outcome.shared_seconds = found.after.as_secs_f64();
        }
        plan.note(outcome);
    }
}

fn crash() -> UnknownReason {
    UnknownReason::Incomplete("internal error: an engine crashed".to_owned())
}

/// How much of the time until the deadline is for certification.
fn kept_back(now: Instant, deadline: Instant) -> Duration {
    (deadline.saturating_duration_since(now) / KEPT_BACK).min(MOST_KEPT_BACK)
}

/// Limits for certification: those of the run, unless it was interrupted.
fn limits_of_checks(limits: &Limits) -> Limits {
    // The engines have ended: what they used is free.
    limits.interrupt.recover();
    if !limits.interrupt.is_cancelled() {
        return limits.clone();
    }
    let mut limits = limits.clone();
    limits.interrupt = limits.interrupt.renewed();
    let grace = Instant::now() + GRACE;
    limits.deadline = Some(limits.deadline.map_or(grace, |deadline| deadline.min(grace)));
    limits
}
