//! A trace is accepted when the interpreter can run it. It holds every choice, so no search is needed.
//!
//! Killing runs come by the thousand. Where all that matters is single bits, they are evaluated many at once; what that means is
//! what the interpreter says, one by one.

use crate::lanes::Runs;
use crate::{Rejection, meaning};
use propcov_ir::{Edits, Interpreter, Kill, Mutant, PropertyId, System, Trace};

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
    meaning::check_system(system)?;
    meaning::check_edits(system, edits)?;
    meaning::invariant(system, property)?;
    meaning::check_refutable(system, property)?;
    let interpreter =
        Interpreter::new(system, edits).map_err(|error| Rejection::Malformed(error.to_string()))?;
    interpreter.replay(trace, property).map_err(|error| Rejection::Trace(error.to_string()))
}

/// Accepts a trace that is a run of the system; for each of the properties, all of them invariants, the first step of it that violates the property.
///
/// # Errors
/// Whatever does not fit the system is a [`Rejection`].
pub fn check_run(
    system: &System,
    properties: &[PropertyId],
    trace: &Trace,
) -> Result<Vec<Option<usize>>, Rejection> {
    let edits = Edits::none();
    meaning::check_system(system)?;
    for property in properties {
        meaning::invariant(system, *property)?;
        meaning::check_refutable(system, *property)?;
    }
    let interpreter =
        Interpreter::new(system, &edits).map_err(|error| Rejection::Malformed(error.to_string()))?;
    interpreter.violations(trace, properties).map_err(|error| Rejection::Trace(error.to_string()))
}

/// For each mutant and run: does the run violate the property on the mutant?
///
/// The answer is that of [`check_trace`] about [`Kill::trace`], under the mutant's edits.
///
/// # Errors
/// Whatever does not fit the system is a [`Rejection`].
pub fn check_kills(
    system: &System,
    property: PropertyId,
    kills: &[(Mutant, &Kill)],
) -> Vec<Result<(), Rejection>> {
    let runs = match prepare(system, property) {
        Ok(runs) => runs,
        Err(rejection) => return kills.iter().map(|_| Err(rejection.clone())).collect(),
    };
    let mut answers: Vec<Result<(), Rejection>> =
        kills.iter().map(|(mutant, _)| meaning::check_mutant(system, *mutant)).collect();
    let meaningful: Vec<usize> = (0..kills.len()).filter(|index| answers[*index].is_ok()).collect();
    let those: Vec<(Mutant, &Kill)> = meaningful.iter().map(|index| kills[*index]).collect();
    let at_once = match runs {
        Some(runs) => runs.check(&those),
        None => vec![None; those.len()],
    };
    for (index, answer) in meaningful.into_iter().zip(at_once) {
        let (mutant, kill) = kills[index];
        answers[index] = match answer {
            Some(answer) => answer.map_err(Rejection::Trace),
            None => replay(system, property, mutant, kill),
        };
    }
    answers
}

/// The evaluator of many runs, if the system is one for it.
fn prepare(system: &System, property: PropertyId) -> Result<Option<Runs<'_>>, Rejection> {
    meaning::check_system(system)?;
    meaning::check_refutable(system, property)?;
    Ok(Runs::new(system, meaning::invariant(system, property)?))
}

/// One run, by the interpreter.
fn replay(system: &System, property: PropertyId, mutant: Mutant, kill: &Kill) -> Result<(), Rejection> {
    let trace = kill.trace(system, mutant).map_err(|error| Rejection::Trace(error.to_string()))?;
    let edits = mutant.edits(system);
    let interpreter =
        Interpreter::new(system, &edits).map_err(|error| Rejection::Malformed(error.to_string()))?;
    interpreter.replay(&trace, property).map_err(|error| Rejection::Trace(error.to_string()))
}
