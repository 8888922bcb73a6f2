//! Lustre, as JKind reads it.
//!
//! A file is read in steps: words (`lexer`) and syntax (`parse`); static checks (`check`); then the main node, with all calls inlined, is lowered to
//! a system (`lower`). The meaning is that of JKind 4.
//!
//! # References
//! A. Gacek, J. Backes, M. Whalen, L. Wagner, E. Ghassabani. *The JKind Model Checker.* CAV 2018.

mod check;
mod lexer;
mod lower;
mod parse;
mod report;
mod syntax;

use crate::{Design, Extra, InputError, Source, extra, text::Input};
use propcov_ir::ExprId;

/// What a Lustre file says beyond the system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LustreFacts {
    /// The main node.
    pub main: String,
    /// What `--%IVC` names, as variables of the inlined main node; nothing if there is no such line.
    pub ivc: Option<Vec<String>>,
}

/// Whether the first thing in the file, after comments, is a declaration: `node`, `function`, `type` or `const`, and a name.
pub fn sniff(bytes: &[u8]) -> bool {
    lexer::begins_with_declaration(bytes)
}

/// Reads a Lustre file.
///
/// The main node is the one with `--%MAIN`, else the last one. Wires have the names that JKind gives to the variables of the inlined main node, such as
/// `node~0.x`.
pub fn read(path: &str, bytes: &[u8]) -> Result<Design, InputError> {
    read_with(path, bytes, &[]).map(|(design, _)| design)
}

/// Reads a Lustre file, and variables of the inlined main node that are named outside of it.
pub fn read_with(path: &str, bytes: &[u8], extras: &[Extra]) -> Result<(Design, Vec<ExprId>), InputError> {
    let input = Input::new(path, bytes);
    let program = parse::parse(input)?;
    let mut warnings = check::check(input, &program)?;
    let (mut system, facts) = lower::lower(&input, &program, &mut warnings)?;
    let values = extra::named(&mut system, extras)?;
    Ok((Design { system, format: "lustre", source: Source::Lustre(facts), warnings }, values))
}

/// Reads a file and checks it without lowering it: how many nodes it has, and what there is to know about it.
pub fn check(path: &str, bytes: &[u8]) -> Result<(usize, Vec<crate::Diagnostic>), InputError> {
    let input = Input::new(path, bytes);
    let program = parse::parse(input)?;
    let warnings = check::check(input, &program)?;
    Ok((program.nodes.len(), warnings))
}
