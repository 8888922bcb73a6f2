//! Propagation: lemmas move to the next frame when they hold there; a frame that loses all its lemmas is an invariant.

use super::block::Predecessor;
use super::{Ic3, Search};

impl Ic3<'_> {
    /// Pushes lemmas forward. The frame from which on all lemmas together are inductive, if there is one.
    pub(super) fn propagate(&mut self) -> Search<Option<usize>> {
        for frame in 1..self.frames.level() {
            let mut cubes = self.frames.delta(frame).to_vec();
            cubes.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
            for cube in cubes {
                if !self.frames.delta(frame).contains(&cube) {
                    continue; // a stronger lemma has replaced it
                }
                self.check_budget()?;
                self.stats.call("ic3 propagate");
                match self.predecessor(frame + 1, &cube, false)? {
                    Predecessor::None(core) => self.frames.promote(frame, &cube, core),
                    Predecessor::Found => self.promote_for_others(frame, &cube)?,
                }
            }
            if self.frames.delta(frame).is_empty() {
                return Ok(Some(frame + 1));
            }
        }
        Ok(None)
    }
}
