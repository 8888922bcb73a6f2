//! Coverage by simulating specifications, compared with its definition on random pairs of graphs.

mod agreement;
mod anchors;
mod large;
mod stopped;

use propcov_coverage::refine::{Algorithm, Coverage, FlipStatus, Options, Pair, Stats, cover};
use propcov_ir::{Graph, LabelFlip};
use propcov_sat::Budget;
use std::time::Duration;

/// The pair, which can be compared.
fn pair(implementation: &Graph, specification: &Graph) -> Pair {
    Pair::new(implementation.clone(), specification.clone()).expect("graphs that can be compared")
}

fn options(algorithm: Algorithm, seed: u64, threads: usize) -> Options {
    Options { algorithm, seed, threads, budget: Budget::default() }
}

fn covered(pair: &Pair, flips: &[LabelFlip], options: &Options) -> Result<Coverage, String> {
    cover(pair, flips, options, &()).map_err(|stopped| stopped.to_string())
}

/// The flips with this status.
fn with_status(coverage: &Coverage, status: FlipStatus) -> Vec<LabelFlip> {
    coverage.findings.iter().filter(|finding| finding.1 == status).map(|finding| finding.0).collect()
}

/// What does not depend on the machine.
fn counts(stats: &Stats) -> Stats {
    Stats {
        preparing: Duration::ZERO,
        searching: Duration::ZERO,
        certifying: Duration::ZERO,
        memory_bytes: 0,
        ..stats.clone()
    }
}
