//! Renaming by exchanging pairs of variables.
//!
//! Where the new variable is above both new children a node is made at once; an if-then-else puts it in place otherwise. When pairs are
//! adjacent and only one of each occurs, as with current and next states, this is always the first case: one walk over the diagram.

use super::cache::{Binary, Key};
use super::edge::Edge;
use super::kernel::{Halt, Kernel};

/// A renaming with a number of its own, by which the computed cache knows it.
pub(super) struct Renaming {
    pub(super) number: u32,
    /// The variable that a variable becomes; those beyond the end stay as they are.
    pub(super) partner: Vec<u32>,
}

impl Kernel {
    /// f with variables exchanged.
    pub(super) fn rename(&mut self, f: Edge, renaming: &Renaming) -> Result<Edge, Halt> {
        if f.is_constant() {
            return Ok(f);
        }
        let key = Key::binary(Binary::Swap, f.regular(), Edge(renaming.number));
        if let Some(result) = self.cached(key) {
            return Ok(result.negate_like(f));
        }
        self.enter()?;
        let node = self.store.node(f);
        let then = self.rename(node.then, renaming)?;
        let otherwise = self.rename(node.otherwise, renaming).map_err(|halt| self.keep(halt, then))?;
        let var = renaming.partner.get(node.var as usize).copied().unwrap_or(node.var);
        let level = self.store.levels[var as usize];
        let result = if level < self.store.level(then) && level < self.store.level(otherwise) {
            self.make(var, then, otherwise)?
        } else {
            let literal = self.literal(var);
            self.ite(literal, then, otherwise).map_err(|halt| self.keep_both(halt, then, otherwise))?
        };
        self.leave();
        self.remember(key, result);
        Ok(result.negate_like(f))
    }
}
