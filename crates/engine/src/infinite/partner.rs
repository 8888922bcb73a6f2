//! How engines that run side by side help each other: lemmas go from one to the other.

use propcov_ir::Invariant;

/// The other engines, as one of them sees them.
pub trait Partner {
    /// Lemmas that others have proved since the last call. The engine says how much work it has done.
    fn news(&mut self, ticks: u64) -> Vec<Invariant>;
}

/// There are no others.
pub struct Alone;

impl Partner for Alone {
    fn news(&mut self, _: u64) -> Vec<Invariant> {
        Vec::new()
    }
}
