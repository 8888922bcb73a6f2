//! Invariants, which share the time fairly. Those of infinite systems are decided by engines of their own.

use crate::joint;
use crate::limits::recover;
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::schedule::{self, Attempt, Patience};
use crate::suites;
use crate::verifier::Verifier;
use propcov_ir::PropertyId;
use rustc_hash::FxHashSet;
use std::time::Instant;

/// Decides invariants. Each is noted once: as soon as it is decided, or when the time is up. Returns the positions of the lemmas that
/// hold, if somebody has looked.
pub(crate) fn decide(
    verifier: &Verifier<'_>,
    properties: &[PropertyId],
    plan: &mut Plan<'_, '_>,
) -> Option<Vec<usize>> {
    let open = offered(verifier, properties, plan);
    let (together, single) = verifier.split_joint(&open);
    let mut holding = None;
    if !together.is_empty() {
        let deadline = match verifier.patience {
            Patience::Brief => schedule::brief(together.len(), verifier.limits.deadline),
            Patience::Full => {
                let now = Instant::now();
                let part = together.len() as f64 / open.len() as f64;
                let left = |deadline: Instant| deadline.saturating_duration_since(now);
                verifier.limits.deadline.map(|deadline| now + left(deadline).mul_f64(part))
            }
        };
        holding = joint::decide(verifier, &together, deadline, plan);
    }
    if !single.is_empty() {
        suites::decide(verifier, &single, plan);
    }
    holding
}

/// What the client leaves to the engines.
fn offered(verifier: &Verifier<'_>, properties: &[PropertyId], plan: &mut Plan<'_, '_>) -> Vec<PropertyId> {
    let mut left = FxHashSet::default();
    one_by_one(verifier, properties, plan, |property, deadline, plan| {
        let outcome = verifier.offered(property, deadline, plan.client);
        if outcome.is_none() {
            left.insert(property);
        }
        outcome
    });
    // Attempts need not come in order.
    properties.iter().copied().filter(|property| left.contains(property)).collect()
}

/// Attempts properties in rounds. Of what is not attempted at all nothing is noted.
fn one_by_one<'p, 'a>(
    verifier: &Verifier<'_>,
    properties: &[PropertyId],
    plan: &mut Plan<'p, 'a>,
    mut attempt: impl FnMut(PropertyId, Option<Instant>, &mut Plan<'p, 'a>) -> Option<Outcome>,
) {
    let mut open: Vec<Option<Outcome>> = properties.iter().map(|_| None).collect();
    schedule::share(properties.len(), verifier.limits.deadline, verifier.patience, |job, deadline| {
        let name = &verifier.system.property(properties[job]).name;
        verifier.progress.stage(format!("{}/{} {name}:", job + 1, properties.len()));
        let outcome = attempt(properties[job], deadline, plan);
        let earlier = open[job].take();
        let Some(mut outcome) = outcome else { return Attempt::Final };
        recover(&verifier.limits, outcome.answer.reason());
        if let Some(earlier) = &earlier {
            outcome.add_attempt(earlier);
        }
        if outcome.is_timeout() {
            open[job] = Some(outcome);
            return Attempt::OutOfTime;
        }
        plan.note(outcome);
        Attempt::Final
    });
    open.into_iter().flatten().for_each(|outcome| plan.note(outcome));
}
