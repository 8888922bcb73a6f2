//! One minimal core by one check for each element: IVC_BF (thesis, Algorithm 3) and IVC_UCBF (Algorithm 8).
//!
//! IVC_BF begins with all elements, IVC_UCBF with the core of a proof. Then each element is dropped in turn, and stays away if the rest is adequate.
//!
//! Departures: an element without an answer is undecided; in the thesis it is necessary. Otherwise they are kept as they are, so that other algorithms can be compared with them: neither the cores nor the grown sets of
//! later answers are used. [`super::default`] uses them.

use super::exploration::Exploration;
use super::shrink::{How, shrink};
use propcov_ir::ElementSet;

/// Algorithm 3. `None` if the universe is not known to be adequate.
pub(super) fn bf(search: &mut Exploration<'_>) -> Option<ElementSet> {
    search.first_core()?;
    let universe = search.universe.clone();
    Some(shrink(search, &universe, How::NAIVE).core)
}

/// Algorithm 8, likewise.
pub(super) fn ucbf(search: &mut Exploration<'_>) -> Option<ElementSet> {
    let core = search.first_core()?;
    Some(shrink(search, &core, How::NAIVE).core)
}
