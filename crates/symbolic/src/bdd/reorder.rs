//! Changing the order of the variables.

use super::Stop;
use super::collect::Held;
use super::run::Engine;

impl Engine {
    /// Puts the variables into this order.
    pub(super) fn set_order(&mut self, order: &[u32], _held: &Held) {
        let store = &mut self.kernel.store;
        if store.used == 0 && order.len() == store.order.len() {
            store.order = order.to_vec();
            for (level, var) in order.iter().enumerate() {
                store.levels[*var as usize] = level as u32;
            }
        }
    }

    /// To come.
    pub(super) fn sift(&mut self, _held: &Held) -> Result<(), Stop> {
        self.stats.reorderings += 1;
        Ok(())
    }
}
