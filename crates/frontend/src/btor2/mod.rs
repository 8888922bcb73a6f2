//! BTOR2, the word-level format of the hardware model checking competition: one node a line, each with an id.
//!
//! Where the paper leaves a question open, its authors' own tools (btor2tools) decide: ids increase from line to line,
//! both operands of a shift or rotation have the same width, and a state's initial value is defined before the state and
//! depends on no input. Rotations are by the amount modulo the width, as in SMT-LIB (btorsim differs above the width).
//!
//! # References
//! A. Niemetz, M. Preiner, C. Wolf, A. Biere. *Btor2, BtorMC and Boolector 3.0.* CAV 2018.

mod check;
mod constant;
mod derived;
mod lower;
mod model;
mod operator;
mod parse;
mod print;
mod system;
mod translate;
pub mod witness;

pub use model::{Line, Model, Operation, Place, Reference};
pub use operator::Operator;
pub use parse::parse;
pub use print::{Unprintable, print};
pub use system::to_system;

use crate::{
    Design, EvidenceFile, Extra, Frontend, InputError, Operators, Sources, WitnessError, design::Source,
    extra, text::Input,
};
use propcov_budget::Budget;
use propcov_ir::{ExprId, PropertyId, Trace};

/// The format's row.
pub static FRONTEND: Frontend = Frontend {
    name: "btor2",
    title: "BTOR2",
    extensions: &["btor2", "btor"],
    sniff,
    several_files: false,
    parse: read,
    operators: Operators::Always,
    exporter: None,
    witness: Some(write_witness),
    certificate: None,
    annotated: None,
    runs: propcov_ir::Runs::States,
    comment: Some(";"),
};

/// The widest bit-vector that is accepted. A line of a few bytes can ask for a constant of any width: this bounds what
/// that costs to 8 KiB.
pub const MAX_WIDTH: u32 = 1 << 16;

/// Whether the bytes look like BTOR2: the first line that is no comment starts with an id and a known word.
pub fn sniff(bytes: &[u8]) -> bool {
    let input = Input::new("", bytes);
    let mut at = 0;
    while at < bytes.len() {
        let end =
            bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| at + length);
        let mut words = input.words(at..end).map(|word| &bytes[word]);
        match (words.next(), words.next()) {
            (None, _) => {}
            (Some(word), _) if word.starts_with(b";") => {}
            (Some(id), Some(word)) => {
                return id.iter().all(u8::is_ascii_digit) && parse::is_keyword(word);
            }
            _ => return false,
        }
        at = end + 1;
    }
    false
}

/// Reads a BTOR2 file, and names of signals and outputs that are given outside of it.
///
/// Inputs and states of the system are the inputs and states of the file, in the same order; the first properties are
/// the `bad` lines in order, then come the `justice` lines.
fn read(sources: &Sources, extras: &[Extra], budget: &Budget) -> Result<(Design, Vec<ExprId>), InputError> {
    let input = Input::of(&sources.main).within(budget);
    let model = parse::parse_input(input)?;
    let (mut system, warnings) = system::system_within(input, &sources.main, &model)?;
    let values = extra::named(&mut system, extras)?;
    Ok((Design { system, frontend: &FRONTEND, source: Source::Btor2(model), warnings }, values))
}

/// The model as the file has it, if the design is one of this format.
pub fn model_of(design: &Design) -> Option<&Model> {
    match &design.source {
        Source::Btor2(model) => Some(model),
        _ => None,
    }
}

fn write_witness(design: &Design, property: PropertyId, trace: &Trace) -> Result<EvidenceFile, WitnessError> {
    let text = witness::counterexample(&design.system, property.0 as usize, trace)?;
    Ok(EvidenceFile { ending: ".wit", bytes: text.into_bytes() })
}
