//! What uncovered mutants could do, as records, and back.

use crate::error::Malformed;
use crate::lemmas::Lemmas;
use crate::record::{self, Row};
use crate::rows::{self, Columns};
use propcov_ir::{Difference, Mutant, Mutation, Proof, Site, Step, System, Trace, Value};
use std::collections::BTreeMap;

/// What an uncovered mutant could do.
#[derive(Clone, Debug)]
pub struct Hole {
    /// The mutant.
    pub mutant: Mutant,
    /// A short name for what was asked: which properties look on, and what is observed. It is the caller's; here it only tells questions
    /// about the same mutant apart.
    pub question: String,
    /// The answer.
    pub witness: Witness,
}

/// Two runs that differ, or a proof that none do.
#[derive(Clone, Debug)]
pub enum Witness {
    /// They differ.
    Differs {
        /// The runs.
        difference: Difference,
        /// Whether no shorter ones do.
        shortest: bool,
    },
    /// They cannot.
    NoEffect(ProductProof),
}

/// A proof about a system that is not the database's own but made from it: the product of design and mutant.
#[derive(Clone, Debug, PartialEq)]
pub struct ProductProof(record::Proof);

impl ProductProof {
    /// Writes down a proof about a system.
    pub fn new(product: &System, proof: &Proof) -> ProductProof {
        ProductProof(Lemmas::new(product).write(0, proof))
    }

    /// The proof, if it is one about this system.
    pub fn proof(&self, product: &System) -> Option<Proof> {
        Lemmas::new(product).read(&self.0).ok()
    }
}

/// The record of a hole.
pub(crate) fn write(system: &System, hole: &Hole) -> record::Hole {
    let mut record = record::Hole {
        element: system.element(hole.mutant.element).name.clone(),
        edit: hole.mutant.mutation.name().to_owned(),
        question: hole.question.clone(),
        verdict: String::new(),
        observed: Vec::new(),
        shortest: false,
        inputs: Vec::new(),
        design: Vec::new(),
        mutant: Vec::new(),
        free: None,
        proof: None,
    };
    match &hole.witness {
        Witness::NoEffect(proof) => {
            record.verdict = "no-effect".to_owned();
            record.proof = Some(proof.0.clone());
        }
        Witness::Differs { difference, shortest } => {
            record.verdict = "differs".to_owned();
            record.observed.clone_from(&difference.observed);
            record.shortest = *shortest;
            let (inputs, states) = columns(system);
            let rows = |columns: &Columns, trace: &Trace, values: fn(&Step) -> &[Value]| -> Vec<Row> {
                trace.steps.iter().map(|step| columns.write(values(step))).collect()
            };
            record.inputs = rows(&inputs, &difference.original, |step| &step.inputs);
            record.design = rows(&states, &difference.original, |step| &step.states);
            record.mutant = rows(&states, &difference.mutated, |step| &step.states);
            if let (true, Some(sort)) =
                (is_open_wire(system, hole.mutant), system.mutable_sort(hole.mutant.element))
            {
                let values = difference.mutated.steps.iter();
                let values: Vec<Value> =
                    values.filter_map(|step| step.free.get(&hole.mutant.element).cloned()).collect();
                record.free = Some(rows::sequence(sort, &values));
            }
        }
    }
    record
}

/// The hole that was written.
pub(crate) fn read(system: &System, mutant: Mutant, record: &record::Hole) -> Result<Hole, Malformed> {
    let witness = match (record.verdict.as_str(), &record.proof) {
        ("no-effect", Some(proof)) => Witness::NoEffect(ProductProof(proof.clone())),
        ("differs", None) => {
            let (inputs, states) = columns(system);
            let free = match (&record.free, system.mutable_sort(mutant.element)) {
                (Some(row), Some(sort)) if is_open_wire(system, mutant) => rows::sequence_values(sort, row)?,
                _ => Vec::new(),
            };
            let trace = |rows: &[Row], free: &[Value]| -> Result<Trace, Malformed> {
                if rows.len() != record.inputs.len() {
                    return Err(Malformed::new("the runs have different lengths"));
                }
                let step = |at: usize| -> Result<Step, Malformed> {
                    let free: BTreeMap<_, _> =
                        free.get(at).map(|value| (mutant.element, value.clone())).into_iter().collect();
                    let (inputs, states) = (inputs.read(&record.inputs[at])?, states.read(&rows[at])?);
                    Ok(Step { inputs, states, free })
                };
                Ok(Trace { steps: (0..rows.len()).map(step).collect::<Result<_, _>>()? })
            };
            let difference = Difference {
                original: trace(&record.design, &[])?,
                mutated: trace(&record.mutant, &free)?,
                observed: record.observed.clone(),
            };
            Witness::Differs { difference, shortest: record.shortest }
        }
        (verdict, _) => return Err(Malformed::new(format!("`{verdict}` has no evidence"))),
    };
    Ok(Hole { mutant, question: record.question.clone(), witness })
}

fn columns(system: &System) -> (Columns, Columns) {
    (Columns::new(system, system.inputs(), |_| true), Columns::new(system, system.states(), |_| true))
}

/// Whether the mutant has a value of its own to choose in each step.
fn is_open_wire(system: &System, mutant: Mutant) -> bool {
    mutant.mutation == Mutation::Free && matches!(system.element(mutant.element).site, Site::Wire(_))
}
