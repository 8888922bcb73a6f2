//! Stands in for the library until it is there: knows nothing.

use propcov_coverage::cores::{Analysis, Found, Holds, Observer, Options, PropertyCores, Seconds};
use propcov_ir::{ElementSet, PropertyId, System, UnknownReason};

pub(crate) fn analyse(
    _: &System,
    _: &ElementSet,
    properties: &[PropertyId],
    _: &Options,
    _: &dyn Observer,
) -> Analysis {
    let unknown = |property: &PropertyId| PropertyCores {
        property: *property,
        holds: Holds::Unknown(UnknownReason::Unsupported("cores".to_owned())),
        found: Found::default(),
        by_depth: Vec::new(),
        seconds: Seconds::default(),
        internal_errors: Vec::new(),
    };
    Analysis { properties: properties.iter().map(unknown).collect(), ..Analysis::default() }
}
