//! Invariants, which share the time fairly. Those of infinite systems are decided together, the others one by one.

use crate::joint;
use crate::outcome::Outcome;
use crate::schedule::{self, Attempt};
use crate::verifier::Verifier;
use propcov_ir::PropertyId;
use std::time::Instant;

/// Decides invariants. Each is handed over once: as soon as it is decided, or when the time is up. Returns the positions of the
/// lemmas that hold, if somebody has looked.
pub(crate) fn decide(
    verifier: &Verifier<'_>,
    properties: &[PropertyId],
    settle: &mut dyn FnMut(Outcome),
) -> Option<Vec<usize>> {
    let (together, single): (Vec<PropertyId>, Vec<PropertyId>) =
        properties.iter().partition(|property| verifier.is_decided_jointly(**property));
    let mut holding = None;
    if !together.is_empty() {
        let part = together.len() as f64 / properties.len() as f64;
        let deadline = verifier.limits.deadline.map(|deadline| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now).mul_f64(part)
        });
        holding = joint::decide(verifier, &together, deadline, settle);
    }
    one_by_one(verifier, &single, settle);
    holding
}

fn one_by_one(verifier: &Verifier<'_>, properties: &[PropertyId], settle: &mut dyn FnMut(Outcome)) {
    let mut open: Vec<Option<Outcome>> = properties.iter().map(|_| None).collect();
    schedule::share(properties.len(), verifier.limits.deadline, |job, deadline| {
        let name = &verifier.system.property(properties[job]).name;
        verifier.progress.stage(format!("{}/{} {name}:", job + 1, properties.len()));
        let mut outcome = verifier.attempt(properties[job], deadline);
        if let Some(earlier) = &open[job] {
            outcome.add_attempt(earlier);
        }
        if outcome.is_timeout() {
            open[job] = Some(outcome);
            return Attempt::OutOfTime;
        }
        open[job] = None;
        settle(outcome);
        Attempt::Final
    });
    open.into_iter().flatten().for_each(settle);
}
