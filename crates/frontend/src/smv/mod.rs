//! NuSMV's language.
//!
//! A file is read in steps, each a file of its own: words (`lexer`) and syntax (`parse`); instances of modules
//! (`scope`) and types (`declare`); then definitions, assignments, constraints and specifications are lowered to a
//! system. The meaning is that of NuSMV 2.6.
//!
//! # References
//! R. Cavada, A. Cimatti, C. A. Jochim, G. Keighren, E. Olivetti, M. Pistore, M. Roveri, A. Tchaltsev. *NuSMV 2.6 User
//! Manual.* FBK-irst, 2015.

mod assign;
mod call;
mod check;
mod choice;
mod constraint;
mod convert;
mod ctl;
mod declare;
mod definition;
mod extra;
mod facts;
mod hazard;
mod implication;
mod lexer;
mod lowering;
mod ltl;
mod number;
mod operand;
mod operators;
mod parse;
mod path;
mod process;
mod report;
mod scope;
mod substitute;
pub mod syntax;
mod tree;
mod types;

use crate::{Design, Extra, Frontend, InputError, Operators, Sources, design::Source, text::Input};
use lowering::Lowering;
pub use parse::MAX_DEPTH;
use propcov_budget::Budget;
use propcov_ir::{ExprId, System, SystemError};

/// The format's row. Its expressions are rewritten on the way to a system, and the pieces would not be the user's.
pub static FRONTEND: Frontend = Frontend {
    name: "smv",
    title: "SMV",
    extensions: &["smv"],
    sniff,
    several_files: false,
    parse: read,
    operators: Operators::Never,
    exporter: None,
    witness: None,
    certificate: None,
    annotated: None,
    runs: propcov_ir::Runs::States,
    comment: Some("--"),
};

/// Reads a file as far as its syntax goes: what is written, not what it means.
pub fn parse(path: &str, bytes: &[u8]) -> Result<syntax::File, InputError> {
    parse::parse(Input::new(path, bytes))
}

/// Whether the first thing in the file, after comments, is `MODULE` and a name.
pub fn sniff(bytes: &[u8]) -> bool {
    lexer::begins_with_module(bytes)
}

/// Reads an SMV file, and expressions in the scope of `main` that are given outside of it.
///
/// States and wires of the system have the names of variables and definitions, with the path of the instance they are in.
/// Properties are in the order of NuSMV's reports. What is given outside may be of any type, and is about the state: it
/// refers neither to inputs nor to the next step.
fn read(sources: &Sources, extras: &[Extra], budget: &Budget) -> Result<(Design, Vec<ExprId>), InputError> {
    let input = Input::of(&sources.main).within(budget);
    let file = parse::parse(input)?;
    let expressions = extra::parse(input.bytes.len(), extras);
    let mut system = System::new();
    let report = report::Report::new(input, system.add_file(sources.main.clone())).with_extras(extras);
    let scopes = scope::instantiate(&file, &report)?;
    let mut lowering = Lowering::new(report, scopes, system);
    lowering.declare()?;
    let assignments = lowering.assignments()?;
    lowering.add_process_selector();
    lowering.add_signals();
    lowering.define()?;
    lowering.assign(&assignments)?;
    lowering.constraints()?;
    lowering.specifications()?;
    lowering.system.validate().map_err(|error| invalid(&lowering, &assignments, &error))?;
    // What is wrong with the file comes first.
    let expressions = expressions.as_ref().map_err(Clone::clone)?;
    let values: Result<Vec<ExprId>, InputError> =
        expressions.iter().map(|expr| lowering.extra(expr)).collect();
    let values = values?;
    let Lowering { system, report, distances, .. } = lowering;
    let source = Source::Smv(distances);
    Ok((Design { system, frontend: &FRONTEND, source, warnings: report.warnings }, values))
}

/// What is left to go wrong: initial values that depend on each other.
fn invalid(
    lowering: &Lowering<'_>,
    assignments: &assign::Assignments<'_>,
    error: &SystemError,
) -> InputError {
    let place = match error {
        SystemError::InitialLoop(names) => lowering.place_of_init(assignments, names),
        _ => None,
    };
    lowering.error(&place.unwrap_or(0..0), error.to_string())
}
