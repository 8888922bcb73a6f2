//! Whether two functions have a point in common, without building their conjunction. Inclusion is the same question about a negation.

use super::cache::{Binary, Key};
use super::edge::Edge;
use super::kernel::{Halt, Kernel};

impl Kernel {
    /// Whether f and g can be true together.
    pub(super) fn intersects(&mut self, f: Edge, g: Edge) -> Result<bool, Halt> {
        // A regular edge is true where all variables are.
        if !f.is_negated() && !g.is_negated() {
            return Ok(true);
        }
        let (f, g) = if f <= g { (f, g) } else { (g, f) };
        if f.is_constant() {
            return Ok(f == Edge::ONE && g != Edge::ZERO);
        }
        if f.regular() == g.regular() {
            return Ok(f == g);
        }
        let key = Key::binary(Binary::Intersects, f, g);
        if let Some(result) = self.cached(key) {
            return Ok(result == Edge::ONE);
        }
        if let Some(conjunction) = self.cached_binary(Binary::And, f, g) {
            return Ok(conjunction != Edge::ZERO);
        }
        self.enter()?;
        let (_, (f1, f0), (g1, g0)) = self.split_two(f, g);
        let result = self.intersects(f1, g1)? || self.intersects(f0, g0)?;
        self.leave();
        self.remember(key, Edge::ONE.negate_if(!result));
        Ok(result)
    }
}
