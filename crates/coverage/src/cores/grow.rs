//! Growing an inadequate set to an approximately maximal one (thesis, Algorithm 12).
//!
//! The set is not grown element by element. A maximal unexplored superset M of it is tried; if M is adequate, its core tells which element to drop from M, and the next try is that much smaller.
//!
//! Departures: none in the steps. The judge may have grown the inadequate set for free before (a run that refutes it often satisfies more definitions); then that larger set is grown. If M gets no answer, growing ends.

use super::exploration::{Answer, Exploration};
use propcov_ir::ElementSet;

/// Grows a set that is known to be inadequate; what was found is in the map. Returns the cores of adequate sets on the way, in order.
pub(super) fn grow(search: &mut Exploration<'_>, inadequate: &ElementSet) -> Vec<ElementSet> {
    let mut cores = Vec::new();
    let Some(mut set) = search.next_maximal_superset(inadequate) else { return cores };
    loop {
        match search.ask(&set) {
            Answer::Adequate(core) => {
                let Some(element) = core.difference(inadequate).iter().next() else { return cores };
                cores.push(core);
                set.remove(element);
            }
            Answer::Unknown => {
                search.explored.leave_out(&set);
                return cores;
            }
            Answer::Inadequate(_) | Answer::Over => return cores,
        }
    }
}
