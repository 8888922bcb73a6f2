//! Warm starts: lemmas of an earlier run, on this system or on an edit of it, as candidates.
//!
//! Those that hold after at most one step become lemmas of the first frame. Propagation then does what Houdini would: level
//! by level it leaves behind what does not follow from the rest, until what remains is inductive.

use super::block::Predecessor;
use super::cube::Cube;
use super::{Ic3, Search};

impl Ic3<'_> {
    /// Puts candidates that hold into the frames.
    pub(super) fn warm_start(&mut self) -> Search<()> {
        if self.config.warm.is_empty() {
            return Ok(());
        }
        self.block_all_bad()?;
        self.frames.extend();
        let budget = self.budget();
        let mut candidates: Vec<Cube> = Vec::new();
        for clause in &self.config.warm {
            let cube = Cube::new(clause.iter().map(|literal| !*literal).collect());
            if !self.initial.intersects(&cube, &budget)? {
                candidates.push(cube);
            }
        }
        candidates.sort();
        candidates.dedup();
        for cube in candidates {
            self.check_budget()?;
            self.stats.call("ic3 warm start");
            if self.frames.excludes(1, &cube) {
                continue;
            }
            match self.predecessor(1, &cube, false)? {
                // As it is: a stronger lemma, though true of the first step, need not be inductive as this one may be.
                Predecessor::None(_) => self.learn(1, cube),
                Predecessor::Found => {
                    if let Some(weaker) = self.except_those_who_fail(1, &cube, None)? {
                        self.learn(1, weaker);
                    }
                }
            }
        }
        Ok(())
    }
}
