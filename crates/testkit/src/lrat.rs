//! What it means that a refutation is right, line by line: each clause follows from those that it names by unit propagation, and the last one is empty.

use std::collections::{HashMap, HashSet};

/// Checks an LRAT proof (without deletions and RAT steps) of a DIMACS formula.
///
/// # Errors
/// What is wrong, in words.
pub fn check_lrat(formula: &str, proof: &str) -> Result<(), String> {
    let mut clauses: HashMap<u64, Vec<i64>> = HashMap::new();
    let lines = formula.lines().filter(|line| !line.starts_with('c') && !line.starts_with('p'));
    for (number, line) in (1..).zip(lines) {
        let numbers = numbers(line)?;
        clauses.insert(number, numbers[..numbers.len() - 1].to_vec());
    }
    let mut is_refuted = false;
    for line in proof.lines() {
        let numbers = numbers(line)?;
        let (number, rest) = (numbers[0], &numbers[1..]);
        let end = rest.iter().position(|number| *number == 0).ok_or("no end of the clause")?;
        let (clause, hints) = (&rest[..end], &rest[end + 1..rest.len() - 1]);
        follows(clause, hints, &clauses).map_err(|why| format!("clause {number}: {why}"))?;
        is_refuted |= clause.is_empty();
        clauses.insert(u64::try_from(number).map_err(|_| "a negative number")?, clause.to_vec());
    }
    if is_refuted { Ok(()) } else { Err("the empty clause is not derived".to_owned()) }
}

fn numbers(line: &str) -> Result<Vec<i64>, String> {
    let numbers: Result<Vec<i64>, _> = line.split_whitespace().map(str::parse).collect();
    let numbers = numbers.map_err(|error| format!("{line:?}: {error}"))?;
    if numbers.last() == Some(&0) { Ok(numbers) } else { Err(format!("{line:?} does not end with 0")) }
}

/// Assumes that the clause is false; then each hint has one literal left that is not false, and the last has none.
fn follows(clause: &[i64], hints: &[i64], clauses: &HashMap<u64, Vec<i64>>) -> Result<(), String> {
    let mut is_true: HashSet<i64> = clause.iter().map(|literal| -literal).collect();
    for hint in hints {
        let hinted = u64::try_from(*hint).ok().and_then(|hint| clauses.get(&hint));
        let hinted = hinted.ok_or_else(|| format!("there is no clause {hint}"))?;
        let open: HashSet<i64> =
            hinted.iter().copied().filter(|literal| !is_true.contains(&-literal)).collect();
        match open.iter().collect::<Vec<_>>().as_slice() {
            [] => return Ok(()),
            [unit] => is_true.insert(**unit),
            _ => return Err(format!("clause {hint} does not propagate")),
        };
    }
    Err("no conflict".to_owned())
}
