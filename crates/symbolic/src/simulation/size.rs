//! How large the two models are.

use super::{Side, SymbolicRefinement};
use dashu_int::UBig;

impl SymbolicRefinement<'_> {
    /// How many reachable states a model has.
    pub fn state_count(&self, side: Side) -> UBig {
        let half = match side {
            Side::Implementation => &self.joint.implementation,
            Side::Specification => &self.joint.specification,
        };
        half.reached.count(&half.variables.current)
    }
}
