//! Coverage metrics: which parts of a design do its proven properties check?
//!
//! One folder and one row of [`METRICS`] each. A metric takes properties that are proved, asks about many edits of the design
//! and streams a [`Finding`](propcov_ir::Finding) for each, with evidence that the independent checker has accepted.

pub mod ctl;
pub mod difference;
pub mod mutation;
pub mod ranking;

/// A metric.
pub struct Metric {
    /// The name users type.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
}

/// All metrics.
pub const METRICS: &[Metric] = &[Metric {
    name: "mutation",
    summary: "does a property fail when an element is left open, or stuck at zero or one?",
}];
