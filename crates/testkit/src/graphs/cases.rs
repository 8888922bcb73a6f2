//! Runs a check over many random pairs of graphs; what fails is shrunk and reported with its seed.

use super::definition::GraphPair;
use super::generate::graph_pair;
use super::shrink::shrink_pair;
use crate::cases::{caught, seeds};

/// Checks the random pairs ([`graph_pair`]) with the seeds from `first_seed` on. `PROPCOV_SEED` and `PROPCOV_CASES` work as for [`seeds`].
///
/// # Panics
/// When the check fails, by an error or a panic of its own: with the seed, and a pair that is as small as could be found and still fails.
pub fn for_random_pairs(count: u64, first_seed: u64, check: impl Fn(u64, &GraphPair) -> Result<(), String>) {
    for_pairs(graph_pair, count, first_seed, check);
}

/// As [`for_random_pairs`], with pairs of another kind.
///
/// # Panics
/// As [`for_random_pairs`].
pub fn for_pairs(
    generate: impl Fn(u64) -> GraphPair,
    count: u64,
    first_seed: u64,
    check: impl Fn(u64, &GraphPair) -> Result<(), String>,
) {
    for seed in seeds(count, first_seed) {
        let pair = generate(seed);
        let run = |pair: &GraphPair| caught(|| check(seed, pair));
        if let Err(problem) = run(&pair) {
            let small = shrink_pair(&pair, |pair| run(pair).is_err());
            let small_problem = run(&small).err().unwrap_or_default();
            panic!(
                "seed {seed}: {problem}\nto replay only this: PROPCOV_SEED={seed}\n\
                 shrunk, it fails with: {small_problem}\n{}",
                small.show()
            );
        }
    }
}
