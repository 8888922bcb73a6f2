//! Runs a check over many random programs; what fails is shrunk and reported with its seed.

use super::explore::{Answers, Limits, explore};
use super::generate::{Kind, lustre_program};
use super::shrink::shrink_program;
use super::syntax::Program;
use crate::cases::{caught, seeds};
use propcov_ir::System;

/// A random program with all that is known about it.
#[derive(Clone, Debug)]
pub struct LustreCase {
    /// Its seed.
    pub seed: u64,
    /// The program as a file.
    pub text: String,
    /// What the reader made of the text.
    pub system: System,
    /// The truth about each property, by the property's name in the system.
    pub answers: Answers,
}

/// Checks random programs whose properties are decided by enumeration, those with the seeds from `first_seed` on. `read` is the front end: text to system. Programs that are too large to enumerate
/// (one in a hundred) are left out. `PROPCOV_SEED` and `PROPCOV_CASES` work as for [`for_random_systems`](crate::for_random_systems).
///
/// # Panics
/// When the program cannot be read, a property is missing, or the check fails, by an error or a panic of its own: with the seed, and a program that is as small as could be found and still fails.
pub fn for_random_lustre(
    count: u64,
    first_seed: u64,
    read: impl Fn(&str) -> Result<System, String>,
    check: impl Fn(&LustreCase) -> Result<(), String>,
) {
    for_random_programs(Kind::Bounded, count, first_seed, |seed, program| {
        let text = program.text();
        let system = read(&text).map_err(Failure::Rejected)?;
        let Some(answers) = explore(program, Limits::default()) else { return Ok(()) };
        for (name, _) in &answers.properties {
            if !system.properties().iter().any(|property| property.name == *name) {
                return Err(Failure::Wrong(format!("there is no property {name}")));
            }
        }
        check(&LustreCase { seed, text, system, answers }).map_err(Failure::Wrong)
    });
}

/// Why a check of a program fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The front end does not read it.
    Rejected(String),
    /// The check found something wrong.
    Wrong(String),
    /// The check panicked.
    Panicked(String),
}

/// Checks random programs of a kind, those with the seeds from `first_seed` on.
///
/// # Panics
/// When the check fails, by an error or a panic of its own, as [`for_random_lustre`].
pub fn for_random_programs(
    kind: Kind,
    count: u64,
    first_seed: u64,
    check: impl Fn(u64, &Program) -> Result<(), Failure>,
) {
    for seed in seeds(count, first_seed) {
        let program = lustre_program(kind, seed);
        if let Err(failure) = run(&check, seed, &program) {
            // A smaller program has to fail in the same way, or shrinking would end in programs that nobody accepts.
            let same = |other: &Failure| std::mem::discriminant(other) == std::mem::discriminant(&failure);
            let small = shrink_program(&program, |program| {
                run(&check, seed, program).is_err_and(|other| same(&other))
            });
            let small_failure = run(&check, seed, &small).err();
            panic!(
                "seed {seed}: {failure:?}\nto replay only this: PROPCOV_SEED={seed}\n\
                 shrunk, it fails with: {small_failure:?}\n{}",
                small.text()
            );
        }
    }
}

fn run(
    check: &impl Fn(u64, &Program) -> Result<(), Failure>,
    seed: u64,
    program: &Program,
) -> Result<(), Failure> {
    let mut outcome = Ok(());
    let panicked = caught(|| {
        outcome = check(seed, program);
        Ok(())
    });
    panicked.map_err(Failure::Panicked)?;
    outcome
}
