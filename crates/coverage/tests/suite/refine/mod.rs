//! Coverage by simulating specifications, compared with its definition on random pairs of graphs.
//!
//! `PROPCOV_CASES=n` checks n pairs in each test, `PROPCOV_SEED=n` only the one with this seed.

mod agreement;
mod anchors;
mod criteria;
mod explanations;
mod large;
mod mistakes;
mod stopped;

use propcov_budget::Budget;
use propcov_certify::RefinementChecker;
use propcov_coverage::refine::{Algorithm, Coverage, FlipStatus, Options, Pair, Stats, cover};
use propcov_ir::{Graph, LabelFlip, StatePair};
use propcov_testkit::{GraphPair, covered_flips, is_simulation};
use std::collections::BTreeSet;
use std::time::Duration;

/// The pair, which can be compared.
fn pair(implementation: &Graph, specification: &Graph) -> Pair {
    Pair::new(implementation.clone(), specification.clone()).expect("graphs that can be compared")
}

fn options(algorithm: Algorithm, seed: u64, threads: usize) -> Options {
    Options { algorithm, seed, threads, budget: Budget::default() }
}

fn covered(pair: &Pair, flips: &[LabelFlip], options: &Options) -> Result<Coverage, String> {
    cover(pair, flips, options, &()).map_err(text)
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

fn text(problem: impl std::fmt::Display) -> String {
    problem.to_string()
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?} instead of {expected:?}")) }
}

/// What is true of these flips, by definition.
fn expected(case: &GraphPair, flips: &[LabelFlip]) -> Vec<(LabelFlip, FlipStatus)> {
    let covered = covered_flips(&case.implementation, &case.specification);
    let reachable = case.implementation.reachable();
    let status = |flip: &LabelFlip| match () {
        () if !reachable[flip.state as usize] => FlipStatus::Unreachable,
        () if covered.contains(flip) => FlipStatus::Covered,
        () => FlipStatus::Uncovered,
    };
    flips.iter().map(|flip| (*flip, status(flip))).collect()
}

/// A checker that has seen nothing yet.
fn checker<'g>(implementation: &'g Graph, specification: &'g Graph) -> Result<RefinementChecker<'g>, String> {
    RefinementChecker::new(implementation, specification).map_err(text)
}

/// Whether a relation shows by definition that a graph is simulated.
fn is_evidence(graph: &Graph, specification: &Graph, pairs: &[StatePair]) -> bool {
    let relation: BTreeSet<StatePair> = pairs.iter().copied().collect();
    let starts = |w: &u32| specification.initial().iter().any(|t| relation.contains(&(*w, *t)));
    relation.len() == pairs.len()
        && pairs.is_sorted()
        && is_simulation(graph, specification, &relation)
        && graph.initial().iter().all(starts)
}
