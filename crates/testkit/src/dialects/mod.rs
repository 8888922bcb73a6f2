//! Random small programs in the language that Kind 2 and LustreC read beyond JKind's, and what they mean.
//!
//! The meaning is the definition, and knows nothing of how the front end translates: a node is a function from the list of its inputs so far to its outputs now
//! (`meaning`). `pre e` is what e was one step earlier in that list; a node that is restarted gets the list from the last reset on; one that is activated gets the steps
//! in which its clock held; so does each state of an automaton. What has no memory is a choice.

mod generate;
mod meaning;
mod print;
mod shrink;
mod syntax;

pub use generate::dialect_program;
pub use meaning::{Datum, Streams, streams, values};
pub use shrink::shrink_dialect_program;
pub use syntax::{Block, Contract, Expr, Node, Operator, Program, State, Type};

use crate::cases::{caught, seeds};

/// Checks random programs, those with the seeds from `first_seed` on. `PROPCOV_SEED` and `PROPCOV_CASES` work as for [`for_random_systems`](crate::for_random_systems).
///
/// # Panics
/// When the check fails, by an error or a panic of its own: with the seed, and a program that is as small as could be found and still fails.
pub fn for_random_dialects(count: u64, first_seed: u64, check: impl Fn(u64, &Program) -> Result<(), String>) {
    for seed in seeds(count, first_seed) {
        let program = dialect_program(seed);
        let run = |program: &Program| caught(|| check(seed, program));
        if let Err(problem) = run(&program) {
            // A smaller program has to be read as the large one was, or shrinking would end in programs that nobody accepts.
            let refused = |problem: &str| problem.starts_with("refused");
            let small = shrink_dialect_program(&program, |program| {
                run(program).is_err_and(|other| refused(&other) == refused(&problem))
            });
            let small_problem = run(&small).err().unwrap_or_default();
            panic!(
                "seed {seed}: {problem}\nto replay only this: PROPCOV_SEED={seed}\n\
                 shrunk, it fails with: {small_problem}\n{}",
                small.text()
            );
        }
    }
}
