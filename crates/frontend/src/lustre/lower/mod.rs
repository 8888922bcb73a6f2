//! From a checked program to a system. Still to come.

use super::{LustreFacts, syntax::Program};
use crate::{Diagnostic, InputError, text::Input};
use propcov_ir::System;

/// Lowers the main node.
pub(super) fn lower(
    input: &Input<'_>,
    program: &Program,
    warnings: &mut Vec<Diagnostic>,
) -> Result<(System, LustreFacts), InputError> {
    let _ = (program, warnings);
    Err(input.error(0..0, "Lustre is not lowered yet"))
}
