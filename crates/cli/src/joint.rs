//! Invariants of systems with ints and reals are decided together: lemmas that one needs are there for all of them.
//!
//! Answers are certified when the search is over. So that a timeout or Ctrl-C does not cost what was found before, a part of the time is kept back for that, and after
//! Ctrl-C there is some.

use crate::args::EngineChoice;
use crate::progress::Progress;
use crate::prove::{Outcome, Prover, stopped, until};
use propcov_budget::Interrupt;
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

/// Those of the properties that are decided together: they have no encoding by circuits, and all engines are asked.
pub(crate) fn concerned(prover: &Prover<'_>, properties: &[PropertyId]) -> Vec<PropertyId> {
    if !matches!(prover.engine, EngineChoice::Portfolio) || !infinite::concerns(prover.system) {
        return Vec::new();
    }
    let edits = Edits::none();
    let is_infinite = |property: &PropertyId| {
        prover.not_an_invariant(*property).is_none()
            && Problem::new(prover.system, &edits, *property).is_err()
    };
    properties.iter().copied().filter(is_infinite).collect()
}

/// Decides properties together, until the deadline.
pub(crate) fn decide(
    prover: &Prover<'_>,
    properties: &[PropertyId],
    deadline: Option<Instant>,
    progress: &Progress,
) -> Vec<Outcome> {
    if let Some(reason) = stopped(&prover.limits) {
        return properties.iter().map(|property| Outcome::unknown(*property, reason.clone())).collect();
    }
    progress.stage(match properties {
        [property] => format!("{}:", prover.system.property(*property).name),
        all => format!("{} properties together:", all.len()),
    });
    let start = Instant::now();
    let limits = until(&prover.limits, deadline.map(|deadline| deadline - kept_back(start, deadline)));
    let (edits, nothing) = (Edits::none(), Invariant::default());
    let lemmas = prover.advice.map_or(&nothing, |advice| advice.invariant());
    let together = prover
        .panics
        .guard(|| portfolio::check_with(prover.system, &edits, properties, lemmas, &limits, prover.observer));
    let crashes = prover.panics.take();
    let checker = prover.with_limits(limits_of_checks(&prover.limits));
    let mut outcomes = match together {
        None => crashed(properties),
        Some(together) => {
            if let (Some(advice), Some(holding)) = (prover.advice, &together.advice) {
                advice.note(holding);
            }
            certified(&checker, together.settled, together.stats, !crashes.is_empty(), progress)
        }
    };
    if let Some(first) = outcomes.first_mut() {
        first.internal_errors.extend(crashes);
    }
    outcomes
}

/// The outcomes that follow from what engines say. What was shared is counted once: work with the first property, time with the one that took longest.
fn certified(
    checker: &Prover<'_>,
    settled: Vec<portfolio::Settled>,
    stats: Stats,
    has_crashed: bool,
    progress: &Progress,
) -> Vec<Outcome> {
    let longest = settled.iter().map(|settled| settled.after).max();
    let last = settled.iter().position(|settled| Some(settled.after) == longest);
    let mut stats = Some(stats);
    let mut outcomes = Vec::with_capacity(settled.len());
    for (position, found) in settled.into_iter().enumerate() {
        let property = found.property;
        progress.stage(format!("certifying {}:", checker.system.property(property).name));
        let start = Instant::now();
        let mut outcome = Outcome::unknown(property, UnknownReason::Cancelled);
        outcome.engine = Some(found.engine);
        outcome.stats = stats.take().unwrap_or_default();
        outcome.stats.cleared = found.cleared;
        let verdict = match found.verdict {
            Verdict::Unknown(_) if has_crashed => Verdict::Unknown(crash()),
            verdict => verdict,
        };
        checker.conclude(&mut outcome, verdict);
        if outcome.answer.is_proved() && found.frames.is_some() {
            outcome.depth = found.frames;
        }
        outcome.seconds = (found.after + start.elapsed()).as_secs_f64();
        if Some(position) != last {
            outcome.shared_seconds = found.after.as_secs_f64();
        }
        outcomes.push(outcome);
    }
    outcomes
}

fn crash() -> UnknownReason {
    UnknownReason::Incomplete("internal error: an engine crashed".to_owned())
}

fn crashed(properties: &[PropertyId]) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> =
        properties.iter().map(|property| Outcome::unknown(*property, crash())).collect();
    if let Some(first) = outcomes.first_mut() {
        first.internal_errors.push("the engine crashed".to_owned());
    }
    outcomes
}

/// How much of the time until the deadline is for certification.
fn kept_back(now: Instant, deadline: Instant) -> Duration {
    (deadline.saturating_duration_since(now) / KEPT_BACK).min(MOST_KEPT_BACK)
}

/// Limits for certification: those of the run, unless it was interrupted.
fn limits_of_checks(limits: &Limits) -> Limits {
    if !limits.interrupt.is_raised() {
        return limits.clone();
    }
    let mut limits = limits.clone();
    limits.interrupt = Interrupt::default();
    let grace = Instant::now() + GRACE;
    limits.deadline = Some(limits.deadline.map_or(grace, |deadline| deadline.min(grace)));
    limits
}
