//! What was done, in numbers. All but the times and the memory are the same whatever the number of threads.

use super::similarity::Work;
use std::time::{Duration, Instant};

/// Counts of work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Pairs of states that were ever in question: those that the product reaches through labels that fit, for each tree.
    pub pairs: u64,
    /// Counters of HHK95: a state of the implementation and a state of the specification that a predecessor of it may be paired with.
    pub counters: u64,
    /// How often a counter was decremented.
    pub counter_updates: u64,
    /// How often a pair was removed.
    pub removals: u64,
    /// Removals that were taken back.
    pub undone: u64,
    /// How often an answer to a step was looked for, to mend a simulation.
    pub answers: u64,
    /// Nodes of the trees: runs of (incomplete) similarity.
    pub similarity_runs: u64,
    /// Runs that were stopped because a reachable state had no partner left.
    pub ended_early: u64,
    /// Flips that were decided without a run of their own.
    pub decided_at_once: u64,
    /// Pieces of evidence that the checker accepted.
    pub checked: u64,
    /// Pairs in them: of simulations, patches and refutations.
    pub evidence_pairs: u64,
    /// Time for the pairs in question and the counters.
    pub preparing: Duration,
    /// Time for similarity, of all threads together.
    pub searching: Duration,
    /// Time for making evidence and checking it, of all threads together.
    pub certifying: Duration,
    /// The most memory that the sets, counters and trails took at one time, of all threads together.
    pub memory_bytes: u64,
}

impl Stats {
    /// Adds work that was done as well, at another time.
    pub fn add(&mut self, other: &Stats) {
        self.pairs += other.pairs;
        self.counters += other.counters;
        self.counter_updates += other.counter_updates;
        self.removals += other.removals;
        self.undone += other.undone;
        self.answers += other.answers;
        self.similarity_runs += other.similarity_runs;
        self.ended_early += other.ended_early;
        self.decided_at_once += other.decided_at_once;
        self.checked += other.checked;
        self.evidence_pairs += other.evidence_pairs;
        self.preparing += other.preparing;
        self.searching += other.searching;
        self.certifying += other.certifying;
        self.memory_bytes = self.memory_bytes.max(other.memory_bytes);
    }
}

impl Stats {
    /// A run of similarity did this.
    pub(super) fn run(&mut self, work: Work) {
        self.similarity_runs += 1;
        self.work(work);
    }

    pub(super) fn work(&mut self, work: Work) {
        self.counter_updates += work.counter_updates;
        self.removals += work.removals;
    }

    /// A piece of evidence of so many pairs was accepted.
    pub(super) fn accepted(&mut self, pairs: usize) {
        self.checked += 1;
        self.evidence_pairs += pairs as u64;
    }

    /// So much memory is in use.
    pub(super) fn note_size(&mut self, bytes: usize) {
        self.memory_bytes = self.memory_bytes.max(bytes as u64);
    }
}

/// Does something, and adds the time that it takes.
pub(super) fn timed<R>(total: &mut Duration, work: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = work();
    *total += start.elapsed();
    result
}
