//! AIGER, the and-inverter graphs of the hardware model checking competition: version 1.0 and 1.9, text and binary.
//!
//! # References
//! A. Biere. *The AIGER And-Inverter Graph (AIG) Format Version 20071012.* JKU Linz, 2007. A. Biere, K. Heljanko,
//! S. Wieringa. *AIGER 1.9 And Beyond.* Report 11/2, FMV, JKU Linz, 2011.

mod certificate;
mod check;
mod header;
mod model;
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

use crate::{Design, Extra, InputError, Source, extra};
use propcov_ir::ExprId;

/// Whether the bytes begin like an AIGER file.
pub fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(b"aag ") || bytes.starts_with(b"aig ")
}

/// Reads an AIGER file.
///
/// Inputs, states and wires of the system are the inputs, latches and gates of the model, in the same order.
pub fn read(path: &str, bytes: &[u8]) -> Result<Design, InputError> {
    let parsed = parse(path, bytes)?;
    let (system, warnings) = to_system(path, &parsed);
    Ok(Design {
        system,
        format: "aiger",
        source: Source::Aiger(Box::new(parsed.model)),
        warnings,
        decomposition: None,
    })
}

/// Reads an AIGER file like [`read`], and names of signals and outputs that are given outside of it.
pub fn read_with(path: &str, bytes: &[u8], extras: &[Extra]) -> Result<(Design, Vec<ExprId>), InputError> {
    let mut design = read(path, bytes)?;
    let values = extra::named(&mut design.system, extras)?;
    Ok((design, values))
}
