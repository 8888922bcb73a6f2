//! A formula and its refutation as text that other tools check: DIMACS and LRAT (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, *Efficient
//! certified RAT verification*, CADE 2017).
//!
//! Each line of an LRAT file is a clause with the numbers of earlier ones from which it follows by unit propagation, in the order in which they
//! propagate. CaDiCaL reports just that. Only clauses that the empty one rests on are written, but all clauses of the formula: it says what was
//! refuted.

use crate::cadical::external;
use crate::proof::{ProofError, cone};
use crate::tracer::{Origin, Tracer};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// A refuted formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lrat {
    /// The formula in DIMACS, without comments.
    pub formula: String,
    /// The refutation in LRAT.
    pub proof: String,
}

impl Lrat {
    /// What a trace has derived: the empty clause, and so without assumptions.
    pub(crate) fn extract(tracer: &Tracer, variables: u32) -> Result<Lrat, ProofError> {
        let conclusion = tracer.conclusion().ok_or(ProofError::NotUnsat)?;
        if !tracer.literals(conclusion).is_empty() {
            return Err(ProofError::NotUnsat);
        }
        let inputs: Vec<u32> = tracer.inputs().collect();
        let mut formula = format!("p cnf {variables} {}\n", inputs.len());
        let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
        for input in inputs {
            numbers.insert(input, numbers.len() + 1);
            write_clause(&mut formula, tracer, input);
            formula.push('\n');
        }
        let mut proof = String::new();
        for clause in cone(tracer, conclusion) {
            match tracer.origin(clause) {
                Origin::Input(_) => continue,
                Origin::Derived => {}
                Origin::Absent | Origin::Unsound => return Err(ProofError::Unjustified),
            }
            let number = numbers.len() + 1;
            let _ = write!(proof, "{number} ");
            write_clause(&mut proof, tracer, clause);
            for antecedent in tracer.antecedents(clause) {
                let earlier = numbers.get(antecedent).ok_or(ProofError::Unjustified)?;
                let _ = write!(proof, " {earlier}");
            }
            proof.push_str(" 0\n");
            numbers.insert(clause, number);
        }
        Ok(Lrat { formula, proof })
    }
}

/// The literals, and a zero.
fn write_clause(text: &mut String, tracer: &Tracer, clause: u32) {
    for literal in tracer.literals(clause) {
        let _ = write!(text, "{} ", external(*literal));
    }
    text.push('0');
}
