//! Generalisation: the fewer literals a cube has, the more its lemma says.
//!
//! Literals are dropped one by one while the rest still has no predecessor (MIC, Bradley and Manna 2007). When a state stands
//! in the way, it is a counterexample to generalisation: if it can itself be excluded from the frame before, that is done
//! first (ctgDown, Hassan et al. 2013).

use super::block::Predecessor;
use super::cube::Cube;
use super::{Ic3, Search};
use propcov_sat::{Lit, Var};

impl Ic3<'_> {
    /// A lemma at least as strong as the cube's, and the highest frame it is known for.
    pub(super) fn generalise(&mut self, frame: usize, cube: Cube) -> Search<(usize, Cube)> {
        let cube = self.widen(frame, cube)?;
        let cube = self.minimise(frame, cube, 0)?;
        self.push(frame, cube)
    }

    /// Moves a lemma forward for as long as it holds.
    fn push(&mut self, mut frame: usize, mut cube: Cube) -> Search<(usize, Cube)> {
        while frame < self.frames.level() {
            self.stats.call("ic3 push");
            match self.predecessor(frame + 1, &cube, true)? {
                Predecessor::None(core) => {
                    cube = core;
                    frame += 1;
                }
                Predecessor::Found => break,
            }
        }
        Ok((frame, cube))
    }

    /// Learns a lemma.
    pub(super) fn learn(&mut self, frame: usize, cube: Cube) {
        self.bump(&cube);
        self.frames.add(frame, cube);
    }

    fn minimise(&mut self, frame: usize, cube: Cube, depth: u32) -> Search<Cube> {
        let mut cube = cube;
        let mut needed: Vec<Lit> = Vec::new();
        for literal in self.by_activity(&cube) {
            if cube.len() <= 1 || !cube.contains(literal) {
                continue;
            }
            match self.down(frame, cube.without(literal), &needed, depth)? {
                Some(smaller) => cube = smaller,
                None => needed.push(literal),
            }
        }
        Ok(cube)
    }

    /// The cube, or a part of it that has all needed literals, if that has no predecessor.
    fn down(&mut self, frame: usize, cube: Cube, needed: &[Lit], depth: u32) -> Search<Option<Cube>> {
        let mut cube = cube;
        let mut excluded = 0;
        loop {
            let budget = self.budget();
            if self.initial.intersects(&cube, &budget)? {
                return Ok(None);
            }
            self.check_budget()?;
            self.stats.call("ic3 generalise");
            if let Predecessor::None(core) = self.predecessor(frame, &cube, true)? {
                return Ok(Some(core));
            }
            if depth >= self.config.ctg_depth || self.blocked < self.config.ctg_after {
                return Ok(None);
            }
            let obstacle = self.obstacle(frame - 1);
            if excluded < self.config.ctg_limit && frame > 1 && self.exclude(frame - 1, &obstacle, depth)? {
                excluded += 1;
                continue;
            }
            excluded = 0;
            // Join: keep what the obstacle agrees with.
            let joined: Vec<Lit> =
                cube.literals().iter().copied().filter(|literal| obstacle.contains(*literal)).collect();
            if joined.len() == cube.len() || needed.iter().any(|literal| !joined.contains(literal)) {
                return Ok(None);
            }
            cube = Cube::new(joined);
        }
    }

    /// The state that the last query of a frame found, as far as it was decided.
    pub(super) fn obstacle(&self, frame: usize) -> Cube {
        let value = |var: Var| self.frames.value(frame, var);
        let latches = self.model.latches.iter().filter_map(|var| value(*var).map(|value| var.lit(value)));
        Cube::new(latches.chain(self.model.selected(value)).collect())
    }

    /// Tries to exclude a counterexample to generalisation from a frame.
    fn exclude(&mut self, frame: usize, obstacle: &Cube, depth: u32) -> Search<bool> {
        let budget = self.budget();
        if self.initial.intersects(obstacle, &budget)? {
            return Ok(false);
        }
        self.stats.call("ic3 ctg");
        let Predecessor::None(core) = self.predecessor(frame, obstacle, true)? else { return Ok(false) };
        let (pushed, core) = self.push(frame, core)?;
        let lemma = self.minimise(pushed, core, depth + 1)?;
        self.learn(pushed, lemma);
        Ok(true)
    }
}
