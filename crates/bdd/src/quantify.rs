//! Quantification, and the relational product: a conjunction quantified while it is built.
//!
//! A set of variables is the conjunction of them, as a diagram, so the computed cache knows it and a reordering sorts it.

use super::cache::{Binary, Key};
use super::edge::Edge;
use super::kernel::{Halt, Kernel};

impl Kernel {
    /// There are values for the variables of the cube such that f.
    pub(super) fn exists(&mut self, f: Edge, cube: Edge) -> Result<Edge, Halt> {
        if f.is_constant() {
            return Ok(f);
        }
        let node = self.store.node(f);
        let level = self.store.levels[node.var as usize];
        let cube = self.cube_from(cube, level);
        if cube == Edge::ONE {
            return Ok(f);
        }
        let key = Key::binary(Binary::Exists, f, cube);
        if let Some(result) = self.cached(key) {
            return Ok(result);
        }
        self.enter()?;
        let (f1, f0) = node.split(f);
        let top = self.store.node(cube);
        let result = if top.var == node.var {
            let then = self.exists(f1, top.then)?;
            // If it is f0, then f0 does not depend on the cube, and nothing is added to it.
            if then == Edge::ONE || then == f0 {
                then
            } else {
                let otherwise = self.exists(f0, top.then).map_err(|halt| self.keep(halt, then))?;
                self.or(then, otherwise).map_err(|halt| self.keep_both(halt, then, otherwise))?
            }
        } else {
            let then = self.exists(f1, cube)?;
            let otherwise = self.exists(f0, cube).map_err(|halt| self.keep(halt, then))?;
            self.make(node.var, then, otherwise)?
        };
        self.leave();
        self.remember(key, result);
        Ok(result)
    }

    /// There are values for the variables of the cube such that f and g.
    pub(super) fn and_exists(&mut self, f: Edge, g: Edge, cube: Edge) -> Result<Edge, Halt> {
        let (f, g) = if f <= g { (f, g) } else { (g, f) };
        if f.is_constant() {
            return if f == Edge::ONE { self.exists(g, cube) } else { Ok(Edge::ZERO) };
        }
        if f.regular() == g.regular() {
            return if f == g { self.exists(f, cube) } else { Ok(Edge::ZERO) };
        }
        let level = self.store.level(f).min(self.store.level(g));
        let cube = self.cube_from(cube, level);
        if cube == Edge::ONE {
            return self.and(f, g);
        }
        let key = Key::and_exists(f, g, cube);
        if let Some(result) = self.cached(key) {
            return Ok(result);
        }
        self.enter()?;
        let (var, (f1, f0), (g1, g0)) = self.split_two(f, g);
        let top = self.store.node(cube);
        let result = if top.var == var {
            let then = self.and_exists(f1, g1, top.then)?;
            if then == Edge::ONE || then == f0 || then == g0 {
                then
            } else {
                let otherwise = self.and_exists(f0, g0, top.then).map_err(|halt| self.keep(halt, then))?;
                self.or(then, otherwise).map_err(|halt| self.keep_both(halt, then, otherwise))?
            }
        } else {
            let then = self.and_exists(f1, g1, cube)?;
            let otherwise = self.and_exists(f0, g0, cube).map_err(|halt| self.keep(halt, then))?;
            self.make(var, then, otherwise)?
        };
        self.leave();
        self.remember(key, result);
        Ok(result)
    }

    /// The variables of the cube from this level on.
    #[inline]
    fn cube_from(&self, mut cube: Edge, level: u32) -> Edge {
        loop {
            let node = &self.store.nodes[cube.index()];
            if self.store.levels[node.var as usize] >= level {
                return cube;
            }
            cube = node.then;
        }
    }
}
