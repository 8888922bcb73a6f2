//! AIGER, the and-inverter graphs of the hardware model checking competition: version 1.0 and 1.9, text and binary.
//!
//! # References
//! A. Biere. *The AIGER And-Inverter Graph (AIG) Format Version 20071012.* JKU Linz, 2007. A. Biere, K. Heljanko,
//! S. Wieringa. *AIGER 1.9 And Beyond.* Report 11/2, FMV, JKU Linz, 2011.

mod certificate;
mod check;
mod header;
mod model;
mod names;
mod order;
mod parse;
mod print;
mod renumber;
mod scan;
mod sections;
mod system;
mod variables;
pub mod witness;

pub use certificate::{CertificateError, single_property, witness_circuit};
pub use model::{And, Latch, Literal, Model, Reset, Symbol, SymbolKind};
pub use parse::{Parsed, parse};
pub use print::{NotConsecutive, print_ascii, print_binary};
pub use sections::{Encoding, Layout, Section};
pub use system::to_system;

use crate::{
    Design, EvidenceFile, Extra, Frontend, InputError, NoCertificate, Operators, Sources, WitnessError,
    design::Source, extra, text::Input,
};
use propcov_budget::Budget;
use propcov_ir::{ExprId, Proof, PropertyId, Trace};

/// The format's row.
pub static FRONTEND: Frontend = Frontend {
    name: "aiger",
    title: "AIGER",
    extensions: &["aag", "aig"],
    sniff,
    several_files: false,
    parse: read,
    operators: Operators::Always,
    exporter: None,
    witness: Some(write_witness),
    certificate: Some(write_certificate),
    annotated: None,
    runs: propcov_ir::Runs::States,
    comment: None,
};

/// Whether the bytes begin like an AIGER file.
pub fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(b"aag ") || bytes.starts_with(b"aig ")
}

/// Reads an AIGER file, and names of signals and outputs that are given outside of it.
///
/// Inputs, states and wires of the system are the inputs, latches and gates of the model, in the same order.
fn read(sources: &Sources, extras: &[Extra], budget: &Budget) -> Result<(Design, Vec<ExprId>), InputError> {
    let input = Input::of(&sources.main).within(budget);
    let parsed = parse::parse_input(input)?;
    let (mut system, warnings) = system::system_within(input, &sources.main, &parsed)?;
    let values = extra::named(&mut system, extras)?;
    let source = Source::Aiger(Box::new(parsed.model));
    Ok((Design { system, frontend: &FRONTEND, source, warnings }, values))
}

/// The model as the file has it, if the design is one of this format.
pub fn model_of(design: &Design) -> Option<&Model> {
    match &design.source {
        Source::Aiger(model) => Some(model),
        _ => None,
    }
}

fn write_witness(design: &Design, property: PropertyId, trace: &Trace) -> Result<EvidenceFile, WitnessError> {
    let model = model_of(design).ok_or(WitnessError::OtherFormat)?;
    let text = witness::counterexample(model, property.0 as usize, trace)?;
    Ok(EvidenceFile { ending: ".cex", bytes: text.into_bytes() })
}

/// A witness circuit is about one bad state: when the file has more, there is a copy with only that one to check it against.
fn write_certificate(
    design: &Design,
    property: PropertyId,
    proof: &Proof,
) -> Result<Vec<EvidenceFile>, NoCertificate> {
    let none = |reason: String| NoCertificate { what: "witness circuit", reason };
    let model = model_of(design).ok_or_else(|| none(WitnessError::OtherFormat.to_string()))?;
    let reason = |error: CertificateError| none(error.to_string());
    let circuit = witness_circuit(model, &design.system, property, proof).map_err(reason)?;
    let mut files = vec![EvidenceFile { ending: ".aag", bytes: print_ascii(&circuit) }];
    if model.bad_states().len() != 1 || !model.justice.is_empty() {
        let single = single_property(model, property).map_err(reason)?;
        files.push(EvidenceFile { ending: ".model.aag", bytes: print_ascii(&single) });
    }
    Ok(files)
}
