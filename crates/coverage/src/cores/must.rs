//! The elements of every core: IVC_MUST (thesis, Algorithm 15).
//!
//! An element is in every core if and only if all others together are inadequate (Lemma 6). Only the elements of a core have to be tried.
//!
//! Departures:
//! - Each adequate answer comes with a core, and an element that this core lacks is no candidate any more.
//! - Several elements are tried at once.
//! - Elements without an answer are neither in nor out.

use super::exploration::Exploration;
use super::explored::Status;
use propcov_ir::{ElementId, ElementSet};

/// Finds out which elements every core has; it is in the map afterwards. Nothing happens if the universe is not known to be adequate.
pub(super) fn must(search: &mut Exploration<'_>) {
    must_of(search, None);
}

/// The same for some elements only.
pub(super) fn must_of(search: &mut Exploration<'_>, only: Option<&ElementSet>) {
    if search.first_core().is_none() {
        return;
    }
    loop {
        let candidates = search.explored.in_all_adequate().difference(&search.explored.must());
        let width = search.width();
        let open = |element: &ElementId| {
            only.is_none_or(|only| only.contains(*element))
                && search.explored.status(&search.universe.without(*element)) == Status::Unexplored
        };
        let batch: Vec<ElementId> = candidates.iter().filter(open).take(width).collect();
        if batch.is_empty() {
            return;
        }
        // These are maximal unexplored sets: with the element they are the universe, which is adequate.
        let sets: Vec<ElementSet> = batch.iter().map(|element| search.universe.without(*element)).collect();
        search.ask_maximal(&sets);
        if search.stopped {
            return;
        }
    }
}
