//! Expressions that are given outside of the file, by options of the command line: they are read with the design, because what
//! they mean depends on its format.

use crate::{
    InputError,
    names::near_matches,
    text::{Input, quote},
};
use propcov_ir::{ExprId, System};

/// An expression that is given outside of the file.
///
/// In SMV it is any expression about the state, in the scope of `main`; in AIGER, BTOR2 and Lustre it is the name of an input, a
/// state, a wire or an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extra {
    /// Who gives it, such as `--observe`. Errors have it where they would have the name of a file.
    pub origin: String,
    /// What is written there.
    pub text: String,
}

impl Extra {
    /// An error about all of it, for those who expect something of its value.
    pub fn error(&self, message: impl Into<String>) -> InputError {
        let start = self.text.len() - self.text.trim_start().len();
        self.input().error(start..self.text.len(), message)
    }

    pub(crate) fn input(&self) -> Input<'_> {
        Input::new(&self.origin, self.text.as_bytes())
    }
}

/// The values of what the texts name.
pub(crate) fn named(system: &mut System, extras: &[Extra]) -> Result<Vec<ExprId>, InputError> {
    extras.iter().map(|extra| one(system, extra)).collect()
}

/// An output, or else a signal: in this order names are looked up elsewhere, too.
fn one(system: &mut System, extra: &Extra) -> Result<ExprId, InputError> {
    let name = extra.text.trim();
    if let Some(output) = system.output_named(name) {
        return Ok(output.expr);
    }
    match system.signal_named(name) {
        Some(signal) => Ok(system.read(signal)),
        None => Err(unknown(system, extra, name)),
    }
}

fn unknown(system: &System, extra: &Extra, name: &str) -> InputError {
    let outputs = system.outputs.iter().map(|output| output.name.as_str());
    let signals = system.signals().iter();
    let signals = signals.flat_map(|signal| std::iter::once(&signal.name).chain(&signal.aliases));
    let signals = signals.map(String::as_str);
    let (found, hint) = match name {
        "" => ("nothing".to_owned(), String::new()),
        _ => (quote(name.as_bytes()), did_you_mean(name, outputs.chain(signals))),
    };
    extra.error(format!("expected the name of an input, a state, a wire or an output, found {found}{hint}"))
}

/// What may have been meant, to be put behind a message. Nothing where no name is near.
pub(crate) fn did_you_mean<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> String {
    let mut near = near_matches(given, names);
    near.dedup();
    match near.as_slice() {
        [] => String::new(),
        near => format!("; did you mean {}?", near.join(", ")),
    }
}
