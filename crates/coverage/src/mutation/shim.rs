//! Temporary: the slow definitions of what `certify` is about to offer.
use propcov_certify::{Rejection, check_trace};
use propcov_ir::{Kill, Mutant, PropertyId, System};

pub(crate) fn check_kills(
    system: &System,
    property: PropertyId,
    kills: &[(Mutant, &Kill)],
) -> Vec<Result<(), Rejection>> {
    let check = |(mutant, kill): &(Mutant, &Kill)| match kill.trace(system, *mutant) {
        Ok(trace) => check_trace(system, &mutant.edits(system), property, &trace),
        Err(error) => Err(Rejection::Malformed(error.to_string())),
    };
    kills.iter().map(check).collect()
}
