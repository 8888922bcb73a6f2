//! What a run took, as a record.

use crate::{Outcome, Symbolic};
use propcov_result::{Count, Diagrams, StateCounts, Stats};

/// Seconds to the millisecond: more digits would be noise.
pub fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// Seconds to the microsecond: of stages of the same run, which are compared with each other.
pub fn finely_rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// Adds what engines and checkers count.
pub fn add_stats(stats: &mut Stats, more: &propcov_engine::Stats) {
    for (cause, calls) in &more.solver_calls {
        *stats.solver_calls.entry((*cause).to_owned()).or_default() += calls;
    }
    for (what, count) in &more.counts {
        *stats.counts.entry((*what).to_owned()).or_default() += count;
    }
    stats.ticks += more.ticks;
}

/// Adds what verdicts took: seconds of proofs, of engines and of certification, and who decided what.
pub fn add_outcomes(stats: &mut Stats, outcomes: &[Outcome], symbolic: Option<&Symbolic>) {
    let shared = symbolic.map_or(0.0, |symbolic| symbolic.seconds);
    let proof = outcomes.iter().fold(shared, |sum, outcome| sum + outcome.seconds - outcome.shared_seconds);
    let certify: f64 = outcomes.iter().fold(0.0, |sum, outcome| sum + outcome.certify_seconds);
    for (phase, seconds) in [("proof", proof), ("certify", certify), ("engine", (proof - certify).max(0.0))] {
        stats.seconds.insert(phase.to_owned(), finely_rounded(seconds));
    }
    for outcome in outcomes {
        add_stats(stats, &outcome.stats);
        if let (Some(engine), true) = (outcome.engine, outcome.answer.is_decided()) {
            *stats.decided_by.entry(engine.to_owned()).or_default() += 1;
        }
    }
    if let Some(symbolic) = symbolic {
        add_symbolic(stats, symbolic);
    }
}

/// Adds what decision diagrams took.
pub fn add_symbolic(stats: &mut Stats, symbolic: &Symbolic) {
    stats.states = symbolic.counts.as_ref().map(|counts| StateCounts {
        reachable: Count::from(counts.reachable.clone()),
        fair: Count::from(counts.fair.clone()),
        diameter: counts.diameter,
    });
    let took = &symbolic.stats;
    stats.diagrams = Some(Diagrams {
        variables: took.variables,
        nodes: took.nodes,
        peak_nodes: took.peak_nodes,
        reorderings: took.reorderings,
        parts: took.parts,
    });
    for (phase, seconds) in [
        ("reachability", symbolic.seconds),
        ("verdicts", symbolic.verdict_seconds),
        ("relation", symbolic.relation_seconds),
        ("fair", symbolic.fair_seconds),
        ("reordering", took.reordering_seconds),
    ] {
        stats.seconds.insert(phase.to_owned(), finely_rounded(seconds));
    }
}
