//! Proof obligations: cubes from which a bad state can be reached, to be excluded from a frame.

use super::cube::Cube;
use std::collections::BTreeMap;

/// Index of an obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ObligationId(u32);

#[derive(Clone, Debug)]
pub(crate) struct Obligation {
    pub(crate) cube: Cube,
    /// Values of all inputs with which every state of the cube reaches the successor (or violates the property).
    pub(crate) inputs: Vec<bool>,
    /// The obligation one step closer to the violation.
    pub(crate) successor: Option<ObligationId>,
    /// Steps to the violation.
    pub(crate) distance: u32,
}

/// All obligations of the current search for a bad state, and those of them that are waiting, by frame.
#[derive(Default)]
pub(crate) struct Obligations {
    arena: Vec<Obligation>,
    /// Lowest frame first; within a frame the one farthest from the violation, and of those the latest.
    waiting: BTreeMap<(usize, u32, u32), ObligationId>,
}

impl Obligations {
    pub(crate) fn clear(&mut self) {
        self.arena.clear();
        self.waiting.clear();
    }

    pub(crate) fn create(&mut self, obligation: Obligation) -> ObligationId {
        self.arena.push(obligation);
        ObligationId(self.arena.len() as u32 - 1)
    }

    pub(crate) fn get(&self, id: ObligationId) -> &Obligation {
        &self.arena[id.0 as usize]
    }

    /// Has the obligation wait to be excluded from a frame.
    pub(crate) fn enqueue(&mut self, frame: usize, id: ObligationId) {
        let distance = self.get(id).distance;
        self.waiting.insert((frame, u32::MAX - distance, u32::MAX - id.0), id);
    }

    /// The next obligation, if it is for a frame up to the level.
    pub(crate) fn next(&mut self) -> Option<(usize, ObligationId)> {
        self.waiting.pop_first().map(|((frame, ..), id)| (frame, id))
    }
}
