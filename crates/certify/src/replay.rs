//! A trace is accepted when the interpreter can run it. It holds every choice, so no search is needed.

use crate::{Rejection, meaning};
use propcov_ir::{Edits, Interpreter, PropertyId, System, Trace};

/// Accepts a trace that is a run of the system under edits and whose last step violates the property.
///
/// # Errors
/// Whatever does not fit the system is a [`Rejection`].
pub fn check_trace(
    system: &System,
    edits: &Edits,
    property: PropertyId,
    trace: &Trace,
) -> Result<(), Rejection> {
    system.validate().map_err(|error| Rejection::Malformed(error.to_string()))?;
    meaning::check_edits(system, edits)?;
    meaning::invariant(system, property)?;
    let interpreter =
        Interpreter::new(system, edits).map_err(|error| Rejection::Malformed(error.to_string()))?;
    interpreter.replay(trace, property).map_err(|error| Rejection::Trace(error.to_string()))
}
