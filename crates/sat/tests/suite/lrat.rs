//! Refutations as files, checked by an LRAT checker that knows nothing of solvers.

use crate::common::Random;
use propcov_budget::Budget;
use propcov_sat::{Cadical, CadicalConfig, Lrat, Outcome, ProofError, Solver};
use propcov_testkit::check_lrat;

fn refuted(seed: u64) -> Option<Lrat> {
    let mut random = Random(seed);
    // Few enough variables that many sets of clauses are unsatisfiable.
    let variables = 3 + random.below(8);
    let count = variables * 5;
    let clauses = random.clauses(variables, count);
    let mut solver = Cadical::with_tracing(CadicalConfig { inprocessing: seed.is_multiple_of(2), seed });
    for _ in 0..variables {
        solver.new_var();
    }
    clauses.iter().for_each(|clause| solver.add_clause(clause));
    match solver.solve(&[], &Budget::default()) {
        Outcome::Unsat => Some(solver.lrat().expect("a refutation")),
        _ => {
            assert_eq!(solver.lrat(), Err(ProofError::NotUnsat));
            None
        }
    }
}

#[test]
fn refutations_are_accepted_and_none_is_that_misses_a_step() {
    let mut checked = 0;
    for seed in 0..600 {
        let Some(Lrat { formula, proof }) = refuted(seed) else { continue };
        check_lrat(&formula, &proof).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{formula}\n{proof}"));
        checked += 1;
        let lines: Vec<&str> = proof.lines().collect();
        if lines.len() > 1 {
            let without_first = lines[1..].join("\n");
            assert!(check_lrat(&formula, &without_first).is_err(), "seed {seed}");
        }
        let without_last = lines[..lines.len() - 1].join("\n");
        assert!(check_lrat(&formula, &without_last).is_err(), "seed {seed}");
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn under_assumptions_nothing_is_refuted() {
    let mut solver = Cadical::with_tracing(CadicalConfig::default());
    let a = solver.new_var().positive();
    solver.add_clause(&[a]);
    assert_eq!(solver.solve(&[!a], &Budget::default()), Outcome::Unsat);
    assert_eq!(solver.lrat(), Err(ProofError::NotUnsat));
}
