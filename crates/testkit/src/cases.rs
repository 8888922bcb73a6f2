//! Runs a check over many random systems; what fails is shrunk and reported with its seed.

use crate::coverage_system::observed_expressions;
use crate::{
    ArithExplicit, ArithExploreError, arith_system, coverage_system, ctl_system, random_system, shrink,
};
use propcov_ir::{ExprId, Fairness, System};
use std::fmt::Write;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Checks random systems, those with the seeds from `first_seed` on. Give each test another first seed.
///
/// With `PROPCOV_SEED=n` in the environment only the system with seed n is checked; with `PROPCOV_CASES=n` that many
/// systems are.
///
/// # Panics
/// When the check fails, by an error or a panic of its own: with the seed, and a system that is as small as could be found
/// and still fails.
pub fn for_random_systems(count: u64, first_seed: u64, check: impl Fn(u64, &System) -> Result<(), String>) {
    for_systems(random_system, count, first_seed, check);
}

/// As [`for_random_systems`], with [`ctl_system`](crate::ctl_system())s.
///
/// # Panics
/// As [`for_random_systems`].
pub fn for_random_ctl_systems(
    count: u64,
    first_seed: u64,
    check: impl Fn(u64, &System) -> Result<(), String>,
) {
    for_systems(ctl_system, count, first_seed, check);
}

/// As [`for_random_systems`], with [`coverage_system`](crate::coverage_system())s and up to three expressions to observe in each, which occur in its CTL
/// properties.
///
/// # Panics
/// As [`for_random_systems`].
pub fn for_random_coverage_systems(
    count: u64,
    first_seed: u64,
    check: impl Fn(u64, &System, &[ExprId]) -> Result<(), String>,
) {
    let check = |seed, system: &System| {
        let observed = observed_expressions(seed, system);
        check(seed, system, &observed).map_err(|problem| {
            let observed: Vec<String> = observed.iter().map(|expr| system.show(*expr).to_string()).collect();
            format!("{problem} (observed are {})", observed.join(", "))
        })
    };
    for_systems(coverage_system, count, first_seed, check);
}

/// As [`for_random_systems`], with [`arith_system`](crate::arith_system())s and the truth about them. Those few that are too large to enumerate are left out.
///
/// # Panics
/// As [`for_random_systems`].
pub fn for_random_arith_systems(
    count: u64,
    first_seed: u64,
    check: impl Fn(u64, &System, &ArithExplicit) -> Result<(), String>,
) {
    for_systems(arith_system, count, first_seed, |seed, system| match ArithExplicit::explore(system) {
        Ok(explicit) => check(seed, system, &explicit),
        // While shrinking, also those that have lost their bounds.
        Err(ArithExploreError::TooLarge | ArithExploreError::Unbounded(_)) => Ok(()),
        Err(error) => Err(error.to_string()),
    });
}

pub(crate) fn for_systems(
    generate: impl Fn(u64) -> System,
    count: u64,
    first_seed: u64,
    check: impl Fn(u64, &System) -> Result<(), String>,
) {
    for seed in seeds(count, first_seed) {
        let system = generate(seed);
        if let Err(problem) = run(&check, seed, &system) {
            let small = shrink(&system, |system| run(&check, seed, system).is_err());
            let small_problem = run(&check, seed, &small).err().unwrap_or_default();
            panic!(
                "seed {seed}: {problem}\nto replay only this: PROPCOV_SEED={seed}\n\
                 shrunk, it fails with: {small_problem}\n{small}{}",
                unprinted(&small)
            );
        }
    }
}

/// The seeds to check, as the environment has it.
pub fn seeds(count: u64, first_seed: u64) -> Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.trim().parse().ok());
    match number("PROPCOV_SEED") {
        Some(seed) => seed..seed + 1,
        None => first_seed..first_seed + number("PROPCOV_CASES").unwrap_or(count),
    }
}

/// Whether no seed and no number of cases is asked for: then enough should have been compared.
pub fn is_whole_run() -> bool {
    ["PROPCOV_SEED", "PROPCOV_CASES"].iter().all(|name| std::env::var_os(name).is_none())
}

/// What the text of a system leaves out.
fn unprinted(system: &System) -> String {
    let mut text = String::new();
    for property in system.properties() {
        if let Some(formula) = &property.as_written {
            let _ = writeln!(text, "{} as written: {}", property.name, system.show_ctl(formula));
        }
    }
    for condition in &system.fairness {
        let _ = match *condition {
            Fairness::Justice(expr) => writeln!(text, "fair {}", system.show(expr)),
            Fairness::Compassion(premise, conclusion) => {
                writeln!(text, "compassion {} implies {}", system.show(premise), system.show(conclusion))
            }
        };
    }
    text
}

fn run(
    check: &impl Fn(u64, &System) -> Result<(), String>,
    seed: u64,
    system: &System,
) -> Result<(), String> {
    caught(|| check(seed, system))
}

/// A panic counts as an error.
pub(crate) fn caught(check: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().cloned();
        let message = message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(message.unwrap_or_else(|| "a panic without a message".to_owned()))
    })
}
