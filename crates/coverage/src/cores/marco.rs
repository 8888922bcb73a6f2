//! All minimal cores, offline: All_IVCs (thesis, Algorithm 10, after MARCO by Liffiton and Malik).
//!
//! As long as there are unexplored sets, take a maximal one. If it is adequate, block the supersets of its core, otherwise its own subsets. Cores need not be minimal when they are found; at the end, those without another
//! core inside them are.
//!
//! Departures: what the judge knows of larger inadequate sets is blocked with them. Supersets leave the list when their subset is found, as the thesis proposes (line 11 changed to A ∪ {S'} \ {S | S' ⊂ S}).

use super::exploration::{Answer, Exploration};

/// Explores all sets.
pub(super) fn marco(search: &mut Exploration<'_>) {
    if search.first_core().is_none() {
        return;
    }
    while !search.stopped {
        let Some(set) = search.next_maximal() else { return };
        if search.ask_maximal(&[set]) == [Answer::Over] {
            return;
        }
    }
}
