//! How a Lustre file is to be read, where that is not found out from it: whose dialect it is, which node is checked, and whether calls see bodies or contracts.
//!
//! A file says so itself, in a comment such as `-- propcov: dialect=kind2 main=top compositional`; of several the last one counts. What is asked for on the command line is added as such a
//! comment at the end of what is read. So a run directory, which keeps what was read, needs nothing else to read it again in the same way.

use super::syntax::Dialect;
use crate::{InputError, text::Input};
use std::fmt::Write;

/// What such a comment begins with.
const PREFIX: &[u8] = b"-- propcov:";

/// How a Lustre file is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LustreOptions {
    /// Whose Lustre it is; guessed if nothing is said.
    pub dialect: Option<Dialect>,
    /// The node to check.
    pub main: Option<String>,
    /// Whether a call of a node with a contract is replaced by the contract.
    pub compositional: bool,
}

impl LustreOptions {
    /// The same text with a comment that asks for these options; the text itself if nothing is asked for.
    pub fn added_to(&self, text: &[u8]) -> Vec<u8> {
        let mut bytes = text.to_vec();
        if *self == LustreOptions::default() {
            return bytes;
        }
        let before = of(Input::new("", text)).unwrap_or_default();
        let mut line = String::from_utf8_lossy(PREFIX).into_owned();
        if let Some(dialect) = self.dialect.or(before.dialect) {
            let _ = write!(line, " dialect={}", dialect.name());
        }
        if let Some(main) = self.main.as_ref().or(before.main.as_ref()) {
            let _ = write!(line, " main={}", main.split_whitespace().collect::<Vec<_>>().join("_"));
        }
        if self.compositional || before.compositional {
            line += " compositional";
        }
        if !bytes.ends_with(b"\n") {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        bytes
    }
}

/// What the last such comment of a file asks for.
pub(super) fn of(input: Input<'_>) -> Result<LustreOptions, InputError> {
    let mut options = LustreOptions::default();
    let mut start = 0;
    let mut found = None;
    for line in input.bytes.split(|byte| *byte == b'\n') {
        if line.starts_with(PREFIX) {
            found = Some((start, line));
        }
        start += line.len() + 1;
    }
    let Some((start, line)) = found else { return Ok(options) };
    for word in input.words(start + PREFIX.len()..start + line.len()) {
        let text = String::from_utf8_lossy(&input.bytes[word.clone()]).into_owned();
        match text.split_once('=') {
            Some(("dialect", name)) => {
                match Dialect::ALL.into_iter().find(|dialect| dialect.name() == name) {
                    Some(dialect) => options.dialect = Some(dialect),
                    None => {
                        let names: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
                        let message = format!("expected one of {}, found `{name}`", names.join(", "));
                        return Err(input.error(word, message));
                    }
                }
            }
            Some(("main", name)) => options.main = Some(name.to_owned()),
            None if text == "compositional" => options.compositional = true,
            _ => {
                let message = "expected `dialect=…`, `main=…` or `compositional` after `-- propcov:`";
                return Err(input.error(word, message));
            }
        }
    }
    Ok(options)
}
