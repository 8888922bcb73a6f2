//! All minimal cores, one after the other: MARCO with shrinking (thesis, §3.3.2).
//!
//! As [`super::marco`], but the core of an adequate set is shrunk to a minimal one at once. Whenever the search is stopped, the cores found so far are minimal.
//!
//! Departures: shrinking consults the map (see [`super::shrink`]), which the thesis's own implementation for comparison does not.

use super::exploration::{Answer, Exploration};
use super::shrink::{How, shrink};
use propcov_ir::ElementSet;

/// Explores all sets.
pub(super) fn online_marco(search: &mut Exploration<'_>) {
    let Some(core) = search.first_core() else { return };
    settle(search, &core);
    while !search.stopped {
        let Some(set) = search.next_maximal() else { return };
        match search.ask_maximal(&[set]).pop() {
            Some(Answer::Adequate(core)) => settle(search, &core),
            Some(Answer::Inadequate(_) | Answer::Unknown) => {}
            Some(Answer::Over) | None => return,
        }
    }
}

/// Shrinks a core and tells of it.
fn settle(search: &mut Exploration<'_>, core: &ElementSet) {
    let shrunk = shrink(search, core, How::INFORMED);
    search.explored.block_up(&shrunk.core);
    if !search.stopped {
        search.announce(&shrunk.core);
    }
}
