//! NuSMV's language.

mod lexer;
mod parse;
pub mod syntax;

use crate::{InputError, text::Input};
pub use parse::MAX_DEPTH;

/// Reads a file as far as its syntax goes: what is written, not what it means.
pub fn parse(path: &str, bytes: &[u8]) -> Result<syntax::File, InputError> {
    parse::parse(Input::new(path, bytes))
}

/// Whether the first thing in the file, after comments, is `MODULE` and a name.
pub fn sniff(bytes: &[u8]) -> bool {
    lexer::begins_with_module(bytes)
}
