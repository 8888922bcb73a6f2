//! Minimisation with a care set: a function that agrees with f where it matters, and is often smaller.
//!
//! # References
//! O. Coudert, J.-C. Madre: A unified framework for the formal verification of sequential circuits. ICCAD 1990.

use super::cache::{Binary, Key};
use super::edge::Edge;
use super::kernel::{Halt, Kernel};

impl Kernel {
    /// A function that agrees with f on the care set and has at most as many nodes.
    pub(super) fn restrict(&mut self, f: Edge, care: Edge) -> Result<Edge, Halt> {
        if care == Edge::ZERO {
            return Ok(Edge::ZERO);
        }
        let smaller = self.restrict_step(f, care)?;
        if smaller == f || self.node_count(&[smaller]) > self.node_count(&[f]) { Ok(f) } else { Ok(smaller) }
    }

    fn restrict_step(&mut self, f: Edge, care: Edge) -> Result<Edge, Halt> {
        if care == Edge::ONE || f.is_constant() {
            return Ok(f);
        }
        if f.regular() == care.regular() {
            return Ok(Edge::ONE.negate_if(f != care));
        }
        let key = Key::binary(Binary::Restrict, f.regular(), care);
        if let Some(result) = self.cached(key) {
            return Ok(result.negate_like(f));
        }
        self.enter()?;
        let (var, (f1, f0), (care1, care0)) = self.split_two(f.regular(), care);
        let result = if f1 == f0 {
            // f does not depend on the variable, so neither may the result.
            let care = self.or(care1, care0)?;
            self.restrict_step(f1, care)?
        } else if care1 == Edge::ZERO {
            self.restrict_step(f0, care0)?
        } else if care0 == Edge::ZERO {
            self.restrict_step(f1, care1)?
        } else {
            let then = self.restrict_step(f1, care1)?;
            let otherwise = self.restrict_step(f0, care0).map_err(|halt| self.keep(halt, then))?;
            self.make(var, then, otherwise)?
        };
        self.leave();
        self.remember(key, result);
        Ok(result.negate_like(f))
    }
}
