//! All minimal cores, one after the other: the Grow-Shrink algorithm (thesis, Algorithms 11 to 14; Bendík, Ghassabani, Whalen, Černá, SEFM 2018).
//!
//! As [`super::online_marco`], with two queues. Inadequate sets that turn up while a set is shrunk are grown afterwards, so that later shrinking finds its answers in the map. Adequate sets that turn up while a set is
//! grown are shrunk afterwards.
//!
//! Two invariants keep cores from being found twice. (I1) No set in the queue contains a core that was told of. (I2) No set in the queue contains another one.
//!
//! Departures: none in the steps; see [`super::shrink`] and [`super::grow`] for theirs. Adequate sets are dropped lazily, when they are taken from the queue: a set has lost its place there exactly if the map knows an
//! adequate proper subset of it by then. That costs nothing for each core that is found, where `UpdateShrinkingQueue` walks the queue.

use super::exploration::{Answer, Exploration};
use super::grow::grow;
use super::shrink::{How, shrink};
use propcov_ir::ElementSet;
use std::collections::VecDeque;

/// Explores all sets (`FindMIVCs`).
pub(super) fn grow_shrink(search: &mut Exploration<'_>) {
    let Some(core) = search.first_core() else { return };
    let mut shrinking = VecDeque::from([core]);
    loop {
        while let Some(set) = shrinking.pop_front() {
            if is_smallest(search, &set) {
                shrink_and_grow(search, &set, &mut shrinking);
            }
            if search.stopped {
                return;
            }
        }
        let Some(set) = search.next_maximal() else { return };
        match search.ask_maximal(&[set]).pop() {
            Some(Answer::Adequate(core)) => shrinking.push_back(core),
            Some(Answer::Inadequate(_) | Answer::Unknown) => {}
            Some(Answer::Over) | None => return,
        }
    }
}

/// The invariants: no adequate subset of the set is known but itself.
fn is_smallest(search: &Exploration<'_>, set: &ElementSet) -> bool {
    search.explored.smallest_within(set).is_some_and(|smallest| smallest == set)
}

/// `Shrink`.
fn shrink_and_grow(search: &mut Exploration<'_>, set: &ElementSet, shrinking: &mut VecDeque<ElementSet>) {
    let shrunk = shrink(search, set, How { take_cores: false, ..How::INFORMED });
    search.explored.block_up(&shrunk.core);
    if search.stopped {
        return;
    }
    search.announce(&shrunk.core);
    for inadequate in shrunk.inadequate {
        shrinking.extend(grow(search, &inadequate));
        if search.stopped {
            return;
        }
    }
}
