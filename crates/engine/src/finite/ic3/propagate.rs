//! Propagation: lemmas move to the next frame when they hold there; a frame that loses all its lemmas is an invariant.
//!
//! What kept a lemma from moving on is a state with a step into its cube. For as long as no later lemma excludes that state, the answer is known and nobody is
//! asked: that saves half of these queries.

use super::block::Predecessor;
use super::cube::Cube;
use super::{Ic3, Search};

impl Ic3<'_> {
    /// Pushes lemmas forward. The frame from which on all lemmas together are inductive, if there is one.
    pub(super) fn propagate(&mut self) -> Search<Option<usize>> {
        for frame in 1..self.frames.level() {
            let mut cubes: Vec<Cube> = self.frames.delta(frame).cloned().collect();
            cubes.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
            for cube in cubes {
                if !self.frames.delta(frame).any(|lemma| *lemma == cube) {
                    continue; // a stronger lemma has replaced it
                }
                self.check_budget()?;
                if self.frames.is_held_back(frame, &cube) {
                    continue;
                }
                self.stats.call("ic3 propagate");
                match self.predecessor(frame + 1, &cube, false)? {
                    Predecessor::None(core) => self.frames.promote(frame, &cube, core),
                    Predecessor::Found => {
                        self.note_obstacle(frame, &cube);
                        self.promote_for_others(frame, &cube)?;
                    }
                }
            }
            if self.frames.delta(frame).len() == 0 {
                return Ok(Some(frame + 1));
            }
        }
        Ok(None)
    }

    /// Notes the state by which the last query of a frame showed that a lemma does not hold one step later. Members of a family differ in that, and each is asked about.
    fn note_obstacle(&mut self, frame: usize, cube: &Cube) {
        if self.model.selectors.is_empty() {
            let state = self.obstacle(frame);
            self.frames.note_obstacle(frame, cube, state);
        }
    }
}
