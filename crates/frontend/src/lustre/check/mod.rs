//! Static checks, in the order in which they rely on each other: what passes them has a meaning.

use super::{report::Report, syntax::Program};
use crate::{Diagnostic, InputError, text::Input};

/// Checks a file, and gives what the user should know although it is right.
pub(super) fn check(input: Input<'_>, program: &Program) -> Result<Vec<Diagnostic>, InputError> {
    let report = Report::new(input);
    let _ = program;
    Ok(report.warnings)
}
