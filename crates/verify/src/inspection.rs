//! The sanity check: reasons not to trust a verdict. It may take only a part of the time.

use crate::limits::{part_of_time, until};
use crate::verifier::Verifier;
use propcov_engine::Stats;
use propcov_engine::gate::{self, Assumptions, Gate};
use propcov_ir::{Edits, PropertyId, UnknownReason};

/// One part in so many of the time.
const SHARE: u32 = 4;

/// What the sanity check found.
#[derive(Debug)]
pub struct Inspection {
    /// What is wrong with the question.
    pub gate: Gate,
    /// What it took.
    pub stats: Stats,
    /// What went wrong inside propcov.
    pub internal_errors: Vec<String>,
}

impl Verifier<'_> {
    /// Looks for reasons not to trust a verdict on these properties.
    pub fn inspect(&self, properties: &[PropertyId]) -> Inspection {
        self.progress.stage("sanity gate".to_owned());
        let limits = until(&self.limits, part_of_time(&self.limits, 1, SHARE));
        let mut stats = Stats::default();
        let inspect = || gate::inspect(self.system, &Edits::none(), properties, &limits, &mut stats);
        let gate = self.panics.guard(inspect).unwrap_or_else(|| Gate {
            assumptions: Assumptions::Unknown(UnknownReason::Incomplete("internal error".to_owned())),
            constant: Vec::new(),
            obligations: properties.len(),
        });
        Inspection { gate, stats, internal_errors: self.panics.take() }
    }
}
